#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/setup.sh [--cache] [--rivals] [--sanitizers] [--format] [--laz] [--mpi] [--viewer] [--ros] [--packages] [--python]: installs
# what is
# missing, by Debian package name, and says what and why. Nothing is asked, nothing is printed when nothing is missing.
#
#     (always)      a C compiler, make, cmake, ninja, pkg-config, python3; for some files liblzf, for
#                   recordings libbz2, liblz4, libzstd and libsqlite3, for pages and pictures zlib, and libpng for their
#                   tests; wabt where npm is there already
#     --cache       a compiler cache, ccache: scripts/build.sh uses it where it is there
#     --rivals      what clump is compared with: PCL (and FLANN, which comes with it), nanoflann, scikit-learn and
#                   rosbag
#     --sanitizers  clang with its sanitizers
#     --format      clang-format 14
#     --laz         what clump's LAZ decoder is tested with: npm, which fetches another decoder, and wabt
#     --mpi         what clump-mpi is built and run with: Open MPI
#     --python      what the Python package is built and tested with: the headers of Python, NumPy, pytest, hypothesis
#     --python-long what its wheels are built with and the rest of its tests: build, wheel, venv, binutils of the other
#                   architecture, mypy, scikit-learn, pandas
#     --python-rivals  what the Python package is measured beside and imported with: scikit-learn, SciPy, Open3D, torch
#     --viewer      what the page of the viewer is tested with: Node 20 or later with npm, and chromium-headless-shell
#     --ros         what topics of ROS 2 are read with, CycloneDDS, and tested with, Fast DDS
#     --packages    what packages are built and tested with: debhelper, lintian, autopkgtest, mmdebstrap, libabigail,
#                   catkin_pkg
#
# Exit status 1 when a part of the first line before the semicolon cannot be had. The rest is optional: where it
# cannot be had a sentence says so, and the status is 0.
set -eu
export DEBIAN_FRONTEND=noninteractive

say() { echo "setup: $*"; }
has() { command -v "$1" >/dev/null 2>&1; }
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# links COMPILER OPTION...: a program of one line can be made with these options.
links() { echo 'int main(void) { return 0; }' | "$@" -x c - -o "$scratch/program" >/dev/null 2>&1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# as_root COMMAND...: directly, or with sudo; without a terminal sudo must not ask for a password.
if [ "$(id -u)" -eq 0 ]; then
    as_root() { "$@"; }
    root=yes
elif has sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root() { sudo --preserve-env=DEBIAN_FRONTEND "$@"; }
    root=yes
else
    as_root() { false; }
    root=no
fi

updated=no
update_lists() {
    if [ "$updated" = yes ] || [ "$root" = no ]; then return; fi
    as_root apt-get -qq update >"$scratch/log" 2>&1 || true # what cannot be had fails below
    updated=yes
}

# install WHY PACKAGE...: false when it could not be done; says why.
install() {
    why=$1
    shift
    if ! has apt-get; then
        say "needed for $why: $*. There is no apt-get here: install them under the names your system has."
        return 1
    fi
    if [ "$root" = no ]; then
        say "needed for $why: $*. Neither root nor sudo here: ask someone to run: apt-get install $*"
        return 1
    fi
    say "installing for $why: $*"
    update_lists
    if ! as_root apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@" \
        >"$scratch/log" 2>&1; then
        reason=$(sed -n 's/^E: //p' "$scratch/log" | head -n 1)
        case $reason in
        *"Failed to fetch"* | *"Unable to locate"* | *"no installation candidate"*) reason="$reason (is there no network?)" ;;
        esac
        say "apt-get could not install $*: ${reason:-$(tail -n 1 "$scratch/log")}"
        return 1
    fi
}

# choose PACKAGE...: sets chosen to the first of them that this system has.
choose() {
    chosen=$1
    update_lists
    for package; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            chosen=$package
            return
        fi
    done
}

# --- what every build needs --------------------------------------------------------------------------

missing=
if ! has cc || ! links cc; then missing="$missing build-essential"; fi
has make || missing="$missing make"
has cmake || missing="$missing cmake"
has ninja || missing="$missing ninja-build"
has pkg-config || missing="$missing pkg-config"
has python3 || missing="$missing python3"
# shellcheck disable=SC2086 # a list of words
if [ -n "$missing" ]; then install "the build" $missing || exit 1; fi
version=$(cmake --version | sed -n '1s/.* \([0-9][0-9.]*\).*/\1/p')
if [ "$(printf '%s\n' 3.22 "$version" | sort -V | head -n 1)" != 3.22 ]; then
    say "this is CMake $version, and clump needs 3.22 or newer: install a newer one, and put it first in the PATH"
    exit 1
fi

# Compressed PCD, and the tests of LAZ (without npm only on request: it brings hundreds of packages along).
has_header() { echo "#include <$1>" | cc "$2" -E -x c - >/dev/null 2>&1; }
if ! has_header lzf.h -I/usr/include/liblzf; then
    install "compressed PCD files" liblzf-dev || say "going on without liblzf: compressed PCD files will not be read"
fi
recordings=
has_header bzlib.h -I. || recordings="$recordings libbz2-dev"
has_header lz4frame.h -I. || recordings="$recordings liblz4-dev"
has_header zstd.h -I. || recordings="$recordings libzstd-dev"
has_header sqlite3.h -I. || recordings="$recordings libsqlite3-dev"
# one by one: a system without the one may have the other
for package in $recordings; do
    install "recordings" "$package" || say "going on without $package: some recordings will not be read"
done
if ! has_header png.h -I.; then
    install "pages and pictures" libpng-dev || say "going on without libpng-dev: pages and pictures are not tested"
fi
if has npm && ! has wasm2c; then
    install "tests of LAZ" wabt || say "going on without wabt: LAZ is not compared with laz-perf"
fi

# --- and what some of it needs -----------------------------------------------------------------------

rivals() {
    wanted=
    has g++ || wanted="$wanted g++"
    installed libpcl-dev || pkg-config --exists pcl_segmentation || wanted="$wanted libpcl-dev"
    installed libnanoflann-dev || pkg-config --exists nanoflann || wanted="$wanted libnanoflann-dev"
    installed python3-sklearn ||
        python3 -c 'import importlib.util as u, sys; sys.exit(not (u.find_spec("sklearn") and u.find_spec("scipy")))' ||
        wanted="$wanted python3-sklearn"
    # reads the bags that tests write
    installed python3-rosbag || wanted="$wanted python3-rosbag"
    installed python3-visualization-msgs || wanted="$wanted python3-visualization-msgs"
    # one by one: a system without the one may have the other
    for package in $wanted; do
        install "comparing with other implementations" "$package" || say "going on without $package"
    done
}

# The sanitizers' runtime comes in a package that carries clang's version in its name, in some releases with clang
# itself. So what matters is tried.
sanitizers() {
    if ! has clang; then
        install "the sanitizers" clang || { say "going on without clang"; return; }
    fi
    version=$(clang -dumpversion | cut -d. -f1)
    if ! links clang -fsanitize=thread; then
        choose "libclang-rt-$version-dev" "libclang-common-$version-dev"
        install "the sanitizers" "$chosen" || say "going on without clang's sanitizers"
    fi
}

format() {
    if has clang-format-14; then return; fi
    choose clang-format-14 clang-format
    install "formatting" "$chosen" || say "going on without clang-format"
}

# Only the build can tell whether npm gets what it is asked for (cmake/lazperf.cmake).
cache() { has ccache || install "compiling less often" ccache || say "going on without ccache"; }

laz() {
    has wasm2c || install "tests of LAZ" wabt || say "going on without wabt: LAZ is not compared with laz-perf"
    has npm || install "tests of LAZ" npm || say "going on without npm: LAZ is not compared with laz-perf"
}

mpi() {
    has mpicc && has mpirun || install "clump-mpi" openmpi-bin libopenmpi-dev || say "going on without MPI: no clump-mpi"
}

# The packages of the system's python3. Another one first in the PATH may have its own, and its own headers.
python() {
    wanted=
    for package in python3-dev python3-numpy python3-pytest python3-hypothesis; do
        installed "$package" || wanted="$wanted $package"
    done
    if [ -z "$wanted" ] || python3 -c 'import sysconfig, os, sys, numpy, pytest, hypothesis
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null; then return; fi
    # shellcheck disable=SC2086 # a list of words
    install "the Python package" $wanted || say "going on without:$wanted. The Python package is not built or not tested."
}

# python_packages WHY PACKAGE...: of the system's python3, one by one: a system without the one may have the other.
python_packages() {
    why_python=$1
    shift
    for package; do
        installed "$package" || install "$why_python" "$package" || say "going on without $package"
    done
}

python_long() {
    python_packages "wheels and all tests of the Python package" mypy python3-build python3-setuptools python3-wheel \
        python3-installer python3-pip python3-venv python3-scipy python3-sklearn python3-pandas \
        "binutils-$([ "$(uname -m)" = aarch64 ] && echo x86-64 || echo aarch64)-linux-gnu"
}

python_rivals() {
    python_packages "comparing with other Python packages" python3-scipy python3-sklearn python3-open3d python3-torch
}

# Debian 12 has Node 18: too old for the driver of the browser.
viewer() {
    has node && has npm || install "the tests of the page" nodejs npm || say "going on without Node and npm"
    if has node && [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
        say "the tests of the page need Node 20 or later, this is $(node --version): they will be left out"
    fi
    has chromium-headless-shell || has chromium ||
        install "the tests of the page" chromium-headless-shell || say "going on without a browser"
}

ros() {
    for package in cyclonedds-dev g++ libfastrtps-dev; do
        installed "$package" || install "topics of ROS 2" "$package" || say "going on without $package"
    done
}

packages() {
    wanted=
    for package in debhelper dh-python dpkg-dev fakeroot lintian python3-dev autopkgtest mmdebstrap abigail-tools \
        python3-catkin-pkg python3-yaml; do
        installed "$package" || wanted="$wanted $package"
    done
    # one by one: a system without the one may have the other
    for package in $wanted; do
        install "packages" "$package" || say "going on without $package"
    done
}

for option; do
    case $option in
    --cache) cache ;;
    --rivals) rivals ;;
    --sanitizers) sanitizers ;;
    --format) format ;;
    --laz) laz ;;
    --mpi) mpi ;;
    --viewer) viewer ;;
    --ros) ros ;;
    --packages) packages ;;
    --python) python ;;
    --python-long) python_long ;;
    --python-rivals) python_rivals ;;
    *)
        say "there is no option $option (see the head of scripts/setup.sh)" >&2
        exit 2
        ;;
    esac
done
