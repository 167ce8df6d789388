#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/setup.sh [SWITCH...]: installs what is missing, by Debian package name, and says what and why. Nothing is asked,
# nothing is printed when nothing is missing. The table below says what each switch installs; `build` and `always` need none.
#
# Exit status 1 when a part of `build` cannot be had. The rest is optional: where it cannot be had a sentence says so, and the
# status is 0.
set -eu
export DEBIAN_FRONTEND=noninteractive

# Packages are installed where the probe fails. The probe `each` fails where one of them is not installed. A/B: the first of
# them that this system has.
table() {
    sed 's/ *| */|/g' <<'EOT'
build           | links cc        | gcc libc6-dev  | the build |
build           | has make        | make           | the build |
build           | has cmake       | cmake          | the build |
build           | has ninja       | ninja-build    | the build |
build           | has pkg-config  | pkg-config     | the build |
always          | header lzf.h -I/usr/include/liblzf | liblzf-dev | compressed PCD files | : compressed PCD files will not be read
always          | header bzlib.h  | libbz2-dev     | recordings | : some recordings will not be read
always          | header lz4frame.h | liblz4-dev   | recordings | : some recordings will not be read
always          | header zstd.h   | libzstd-dev    | recordings | : some recordings will not be read
always          | header sqlite3.h | libsqlite3-dev | recordings | : some recordings will not be read
always          | header zlib.h   | zlib1g-dev     | pages and pictures | : pages and pictures will not be compressed
--tests         | has g++         | g++            | the tests | : what is written in C++ is not tested
--tests         | has python3     | python3        | the tests | : many tests are left out
--tests         | header png.h    | libpng-dev     | tests of pages and pictures | : pages and pictures are not tested
--cache         | has ccache      | ccache         | compiling less often |
--laz           | has wasm2c      | wabt           | tests of LAZ | : LAZ is not compared with laz-perf
--laz           | has npm         | npm            | tests of LAZ | : LAZ is not compared with laz-perf
--rivals        | has g++         | g++            | comparing with other implementations |
--rivals        | module pcl_segmentation | libpcl-dev | comparing with other implementations |
--rivals        | module nanoflann | libnanoflann-dev | comparing with other implementations |
--rivals        | imports sklearn scipy | python3-sklearn | comparing with other implementations |
--rivals        | each            | python3-rosbag python3-sensor-msgs python3-visualization-msgs | reading the bags that tests write |
--sanitizers    | has clang       | clang          | the sanitizers |
--sanitizers    | links clang -fsanitize=thread | $(clang_runtime) | the sanitizers |
--format        | has clang-format-14 | clang-format-14/clang-format | formatting |
--mpi           | mpi             | openmpi-bin libopenmpi-dev | clump-mpi | : no clump-mpi
--python        | python_headers  | python3-dev python3-numpy python3-pytest python3-hypothesis | the Python package | : the Python package is not built or not tested
--python-long   | each            | mypy python3-build python3-setuptools python3-wheel python3-installer python3-pip python3-venv python3-scipy python3-sklearn python3-pandas binutils-$(other_machine)-linux-gnu | wheels and all tests of the Python package |
--python-rivals | each            | python3-scipy python3-sklearn python3-open3d python3-torch | comparing with other Python packages |
--viewer        | node_and_npm    | nodejs npm     | the tests of the page |
--viewer        | browser         | chromium-headless-shell | the tests of the page |
--ros           | each            | cyclonedds-dev g++ libfastrtps-dev | topics of ROS 2 |
--packages      | each            | build-essential debhelper dh-python dpkg-dev fakeroot lintian python3-dev autopkgtest mmdebstrap abigail-tools python3-catkin-pkg python3-yaml | packages |
EOT
}

say() { echo "setup: $*"; }
has() { command -v "$1" >/dev/null 2>&1; }
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
header() { echo "#include <$1>" | cc "${2:--I.}" -E -x c - >/dev/null 2>&1; }
module() { pkg-config --exists "$1" 2>/dev/null; }
# links COMPILER OPTION...: a program of one line can be made with these options.
links() { echo 'int main(void) { return 0; }' | "$@" -x c - -o "$scratch/program" >/dev/null 2>&1; }
imports() { python3 -c 'import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))' "$@" 2>/dev/null; }
mpi() { has mpicc && has mpirun; }
# Another python3 than the system's, first in the PATH, may have its own packages and headers.
python_headers() {
    imports numpy pytest hypothesis &&
        python3 -c 'import sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}
node_and_npm() { has node && has npm; }
browser() { has chromium-headless-shell || has chromium; }
other_machine() { if [ "$(uname -m)" = aarch64 ]; then echo x86-64; else echo aarch64; fi; }
# The sanitizers' runtime comes in a package that carries clang's version in its name: nothing before there is a clang.
clang_runtime() {
    has clang || return 0
    version=$(clang -dumpversion | cut -d. -f1)
    echo "libclang-rt-$version-dev/libclang-common-$version-dev"
}
cmake_is_new() {
    version=$(cmake --version | sed -n '1s/.* \([0-9][0-9.]*\).*/\1/p')
    [ "$(printf '%s\n' 3.22 "$version" | sort -V | head -n 1)" = 3.22 ] && return
    say "this is CMake $version, and clump needs 3.22 or newer: install a newer one, and put it first in the PATH"
    exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# as_root COMMAND...: directly, or with sudo; without a terminal sudo must not ask for a password.
if [ "$(id -u)" -eq 0 ]; then
    root=yes
    as_root() { "$@"; }
elif has sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    root=yes
    as_root() { sudo --preserve-env=DEBIAN_FRONTEND "$@"; }
else
    root=no
fi

# apt PACKAGE...: one call of apt-get; false when it fails, for the reason in `reason`.
apt() {
    as_root apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@" \
        >"$scratch/log" 2>&1 </dev/null && return
    reason=$(sed -n 's/^E: //p' "$scratch/log" | head -n 1)
    case $reason in
    *"Failed to fetch"* | *"Unable to locate"* | *"no installation candidate"*) reason="$reason (is there no network?)" ;;
    esac
    say "apt-get could not install $*: ${reason:-$(tail -n 1 "$scratch/log")}" >"$scratch/reason"
    return 1
}

# collect: writes the rows that are missing, one package per line: SWITCH|PACKAGE|WHY|WITHOUT. A package is tried once.
tried=" "
collect() {
    while IFS='|' read -r switch probe packages why without; do
        case " build always $switches " in *" $switch "*) ;; *) continue ;; esac
        [ "$probe" = each ] || ! $probe || continue
        for package in $(eval "echo $packages"); do
            case $tried in *" $package "*) continue ;; esac
            tried="$tried$package "
            [ "$switch" = build ] || ! installed "$package" || continue # another python3 may be first in the PATH
            echo "$switch|$package|$why|$without"
        done
    done <"$scratch/table" >"$scratch/missing"
}

# first_of A/B...: the first package that this system has
first_of() {
    for choice in $(echo "$1" | tr / ' '); do
        if apt-cache show "$choice" >/dev/null 2>&1; then echo "$choice" && return; fi
    done
    echo "${1%%/*}"
}

# install: what collect has found, in one call of apt-get. Where that fails, the build's packages, then one by one: a system
# without one may have the others.
install() {
    [ -s "$scratch/missing" ] || return 0
    whys=$(cut -d'|' -f3 "$scratch/missing" | awk '!seen[$0]++' | paste -s -d, | sed 's/,/, /g')
    build=$(sed -n 's/^build|\([^|]*\).*/\1/p' "$scratch/missing" | paste -s -d' ')
    if ! has apt-get || [ "$root" = no ]; then
        all=$(cut -d'|' -f2 "$scratch/missing" | sed 's,/.*,,' | paste -s -d' ')
        if ! has apt-get; then
            say "needed for $whys: $all. There is no apt-get here: install them under the names your system has."
        else
            say "needed for $whys: $all. Neither root nor sudo here: ask someone to run: apt-get install $all"
        fi
        [ -z "$build" ] || exit 1
        while IFS='|' read -r _ package _ without; do say "going on without $package$without"; done <"$scratch/missing"
        return 0
    fi
    if [ "$tried_update" = no ]; then
        as_root apt-get -qq update >"$scratch/log" 2>&1 || true # what cannot be had fails below
        tried_update=yes
    fi
    all=$(cut -d'|' -f2 "$scratch/missing" | while read -r package; do first_of "$package"; done | paste -s -d' ')
    say "installing for $whys: $all"
    # shellcheck disable=SC2086 # lists of words
    if apt $all; then return 0; fi
    # shellcheck disable=SC2086
    if [ -n "$build" ] && ! apt $build; then cat "$scratch/reason" && exit 1; fi
    while IFS='|' read -r switch package _ without; do
        package=$(first_of "$package")
        if [ "$switch" = build ] || apt "$package"; then continue; fi
        cat "$scratch/reason"
        say "going on without $package$without"
    done <"$scratch/missing"
}

switches=$*
table >"$scratch/table"
for switch; do
    grep -q -e "^$switch|" "$scratch/table" && continue
    say "there is no option $switch (see the table in scripts/setup.sh)" >&2
    exit 2
done
if has cmake; then cmake_is_new; fi
tried_update=no
collect
install
collect # what depends on what was just installed: clang's runtime
install
cmake_is_new

# Debian 12 has Node 18: too old for the driver of the browser.
case " $switches " in
*" --viewer "*)
    if has node && [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
        say "the tests of the page need Node 20 or later, this is $(node --version): they will be left out"
    fi
    ;;
esac
