#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/fresh.sh [--cache] [CASE...]: what a stranger types first, on machines that have nothing. A case is MACHINE:COMMAND,
# or MACHINE for all its commands; all cases where none is named. Each begins with a bare Debian in a folder and a clone of the last
# commit, runs one command of README or docs/install.md there, and nothing else.
# scripts/fresh.sh --list: the cases. --turn: one of them, another one for every commit.
# scripts/fresh.sh --system MACHINE FOLDER: only lays the bare system into the folder.
#
#     bare    Debian as on this machine: no compiler, no Python, no nvcc. make alone is there.
#     cuda    the same, with the CUDA toolkit of this machine, which install and release use
#     ros     the same, with PCL, MPI and the CUDA toolkit, as where ROS is installed
#     newer   the next Debian, with its newest gcc
#
#     demo, test     make demo, make test
#     install        make install; programs by pkg-config and find_package; all examples; make uninstall leaves nothing
#     release, plain cmake with and without a build type, and all that it builds
#     clang          the same with clang (gcc is the compiler of the other cases)
#     pip            pip install . in a virtual environment, and the first lines of Python of README
#     poor           what is missing is said in one sentence: no root, no network, an old CMake, no compiler
#
# The systems are kept as tarballs, with the packages that apt fetches, in the folder CLUMP_FRESH (default ~/.cache/clump/fresh): the
# second run starts in seconds. Real scans (CLUMP_DATA) are there for the tests, read-only. --cache shares the compiler cache of this
# machine. CLUMP_WERROR=ON in the environment makes warnings errors, but not on the machine newer. Logs: build/fresh/. It takes root,
# mmdebstrap and a network; status 77 and a sentence without.
set -euo pipefail
cd "$(dirname "$0")/.."

machines=(bare cuda ros newer)
commands_of() {
    case $1 in
    bare) echo demo test install release plain clang pip poor ;;
    cuda | ros) echo demo test install release pip ;;
    newer) echo demo test install release pip ;;
    esac
}
skip() { echo "skipped: fresh: $*"; exit 77; }

all=()
for machine in "${machines[@]}"; do for command in $(commands_of $machine); do all+=("$machine:$command"); done; done
with_cache=no
only_system=
case ${1:-} in
--list) printf '%s\n' "${all[@]}" && exit 0 ;;
--turn)
    # make test on the machine cuda is left out: CI runs it for every commit.
    mapfile -t all < <(printf '%s\n' "${all[@]}" | grep -vx cuda:test)
    echo "${all[$(($(git rev-list --count HEAD) % ${#all[@]}))]}" && exit 0
    ;;
--system)
    only_system=$3
    set -- "$2"
    ;;
--cache)
    with_cache=yes
    shift
    ;;
esac
[ $# -gt 0 ] || set -- "${machines[@]}"
chosen=()
for case; do
    found=$(printf '%s\n' "${all[@]}" | grep -xE "$case(:.*)?" || true)
    [ -n "$found" ] || { echo "fresh: there is no case $case (scripts/fresh.sh --list)" >&2; exit 2; }
    mapfile -t -O ${#chosen[@]} chosen <<<"$found"
done

[ "$(id -u)" -eq 0 ] || skip "only root can make a system in a folder"
for tool in mmdebstrap unshare git; do command -v $tool >/dev/null || skip "there is no $tool (scripts/setup.sh --packages)"; done
kept=${CLUMP_FRESH:-${XDG_CACHE_HOME:-$HOME/.cache}/clump/fresh}
toolkit=$(readlink -f "${CUDA_PATH:-/usr/local/cuda}")
data=$(readlink -f "${CLUMP_DATA:-../shared/data}" || true)
mkdir -p "$kept/archives" build/fresh

# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")

# sources SUITE: the servers of apt here, for another suite of the same system; settings: what apt needs to reach them.
sources() {
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [ ! -s "$list" ] || sed "s/\b$suite\b/$1/g" "$list"
        echo
    done
}
settings=()
for file in /etc/apt/apt.conf.d/*; do
    if grep -qiE 'proxy|Acquire::' "$file"; then settings+=("--aptopt=$file"); fi
done

# system MACHINE: makes the tarball of the machine, where it is not kept.
system() {
    local name=bare release=$suite include=make,ca-certificates
    case $1 in
    ros) name=ros include=$include,g++,libpcl-dev,libopenmpi-dev,openmpi-bin ;;
    newer) name=newer release=trixie ;;
    esac
    tarball=$kept/$name-$release-$(uname -m).tar
    [ ! -s "$tarball" ] || return 0
    echo "fresh: making $tarball"
    sources "$release" >build/fresh/sources
    if grep -q '^Types:' build/fresh/sources; then mv build/fresh/sources build/fresh/apt.sources; else mv build/fresh/sources build/fresh/apt.list; fi
    if ! mmdebstrap --mode=root --variant=minbase --skip=cleanup/apt --dpkgopt=force-unsafe-io "${settings[@]}" --include="$include" \
        "$release" "$kept/new-$$.tar" build/fresh/apt.[ls]* >build/fresh/mmdebstrap.log 2>&1; then
        tail -n 5 build/fresh/mmdebstrap.log
        skip "mmdebstrap could not make a system: build/fresh/mmdebstrap.log says why"
    fi
    mv "$kept/new-$$.tar" "$tarball"
}

# inside MACHINE ROOT: runs in a mount namespace of its own, so that every mount ends with it. Reads the command from stdin.
inside() {
    local machine=$1 root=$2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    case $machine in
    cuda | ros | newer)
        mkdir -p "$root$toolkit"
        mount --bind -o ro "$toolkit" "$root$toolkit"
        [ "$toolkit" = /usr/local/cuda ] || ln -s "$toolkit" "$root/usr/local/cuda"
        ;;
    esac
    if [ -d "$data" ]; then
        mkdir -p "$root/srv/shared/data"
        mount --bind -o ro "$data" "$root/srv/shared/data"
    fi
    if [ "$with_cache" = yes ] && cache=$(ccache --get-config cache_dir 2>/dev/null); then
        mkdir -p "$root/root/.cache/ccache"
        mount --bind "$cache" "$root/root/.cache/ccache"
        chroot "$root" sh -c 'apt-get -qq update; apt-get -qq install -y --no-install-recommends ccache' >/dev/null 2>&1
    fi
    # An nvcc alone is no reason to compile for GPUs: make test, make demo and pip see that. The others ask for it.
    local cuda=
    case $machine:$3 in cuda:install | cuda:release | ros:release | newer:release) cuda=ON ;; esac
    # What this session has set is not there: PATH, HOME and the language of a login.
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LC_ALL=C.UTF-8 \
        JOBS="${JOBS:-$(nproc)}" ${cuda:+"CLUMP_CUDA=$cuda"} CLUMP_WERROR="$([ "$machine" = newer ] || echo "${CLUMP_WERROR:-}")" \
        CLUMP_TEST_SECONDS="${CLUMP_TEST_SECONDS:-}" chroot "$root" sh -ec 'cd /srv/clump && exec sh -e tests/fresh/"$1".sh' sh "$3" </dev/null
}

if [ -n "$only_system" ]; then
    system "$1"
    mkdir -p "$only_system"
    tar -xf "$tarball" -C "$only_system"
    exit 0
fi

status=0
rows=()
for case in "${chosen[@]}"; do
    machine=${case%%:*}
    command=${case#*:}
    if [[ $machine =~ cuda|ros ]] && [ ! -x "$toolkit/bin/nvcc" ]; then
        rows+=("      -  $case: skipped, there is no CUDA toolkit here (CUDA_PATH)")
        continue
    fi
    system "$machine"
    root=$PWD/build/fresh/root
    log=build/fresh/$machine-$command.log
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    tar -xf "$tarball" -C "$root"
    git clone -q --depth 1 "file://$PWD" "$root/srv/clump"
    # Packages that were fetched before. A folder of its own: apt locks it, and two runs can be under way.
    cp "$kept"/archives/*.deb "$root/var/cache/apt/archives/" 2>/dev/null || true
    export kept toolkit data with_cache
    export -f inside
    start=$SECONDS
    if unshare --mount --propagation private bash -c "inside $machine '$root' $command" >"$log" 2>&1; then
        verdict=passed
        cp -n "$root"/var/cache/apt/archives/*.deb "$kept/archives/" 2>/dev/null || true
        rm -rf --one-file-system "$root"
    else
        verdict=FAILED
        status=1
        tail -n 40 "$log"
    fi
    rows+=("$(printf '%5d s  %s %s' $((SECONDS - start)) "$case" "$verdict")")
    echo "fresh: ${rows[-1]}, $log"
done
echo "=== fresh machines"
printf '%s\n' "${rows[@]}"
exit $status
