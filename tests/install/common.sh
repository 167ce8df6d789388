# shellcheck shell=sh disable=SC2034
# SPDX-License-Identifier: BSD-3-Clause
#
# common.sh: what the install tests share. Sourced with: source dir, build dir, scratch dir.
# CMAKE, CC, CLUMP_VERSION and WITH_CUDA (ON, OFF: what this build has) come from CTest.
set -eu
source_dir=$1
build_dir=$2
scratch=$3
parts=$source_dir/tests/install
prefix=$scratch/prefix
rm -rf "$scratch"
mkdir -p "$scratch"
unset PKG_CONFIG_PATH LD_LIBRARY_PATH CMAKE_PREFIX_PATH DESTDIR

fail() { echo "FAILED: $*"; exit 1; }
# skip [WHAT: ]DO: what is left out, and what to do about it (tests/support/check.h).
skip() { echo "skipped: install: $*"; }

# quietly COMMAND...: its output only when it fails.
quietly() {
    if ! "$@" >"$scratch/log" 2>&1; then
        cat "$scratch/log"
        fail "$*"
    fi
}

# Options for building clump itself as it was built here. It is linked, not run in full: object files are those of the build under
# test. Kernels that are not there are compiled for one architecture, PTX only and not optimised, to save time.
CLUMP_OBJECTS=$build_dir
export CLUMP_OBJECTS
as_here="-DCLUMP_CUDA=$WITH_CUDA -DCMAKE_CUDA_ARCHITECTURES=90-virtual -DCMAKE_CUDA_FLAGS=-Xcicc=-O0"
as_here="$as_here -DCMAKE_CUDA_COMPILER_LAUNCHER=$parts/object.sh -DCMAKE_C_COMPILER_LAUNCHER=$parts/object.sh"

# configure SOURCE BUILD OPTION...
configure() {
    from=$1
    to=$2
    shift 2
    quietly "$CMAKE" -S "$from" -B "$to" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$CC" "$@"
}
build() { quietly "$CMAKE" --build "$1"; }

# says PROGRAM: runs it; every consumer prints the same line when all is well.
says() {
    said=$("$@") || fail "$* failed: $said"
    [ "$said" = "clump $CLUMP_VERSION: 2 clusters" ] || fail "$* said: $said"
}

# The library folder of the prefix, wherever this system has it.
find_libdir() { libdir=$(dirname "$(dirname "$(find "$prefix" -name clump.pc)")"); }

# with_pkg_config OPTION...: builds a consumer from what pkg-config says. $consumer_cc can be set.
with_pkg_config() {
    if ! command -v pkg-config >/dev/null; then
        skip "run scripts/setup.sh"
        return
    fi
    flags=$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config "$@" --cflags --libs clump_io clump_sim clump_big) || fail "pkg-config"
    # shellcheck disable=SC2086 # a list of words
    quietly "$CC" -std=c17 "$parts/consumer/main.c" $flags "-Wl,-rpath,$libdir" -o "$scratch/by-pkg-config"
    says "$scratch/by-pkg-config"
}
