#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/build.sh PRESET [TARGET...]: configures and builds a preset of CMakePresets.json, or targets of it, in build/PRESET, and says
# what it builds.
#
# Variables: CLUMP_CUDA is ON, OFF or AUTO, the default: the CUDA backend where there is an NVIDIA GPU, with code for the GPUs of this
# machine. CLUMP_BUILD_BENCH=ON: the bench too, and the tests that compare with PCL and laz-perf. A compiler cache is used where it is
# installed (ccache).
set -eu
cd "$(dirname "$0")/.."

preset=$1
shift
build=build/$preset
log=build/configure-$preset.log
targets=$*
mkdir -p build
set --
case $preset in
release | portable)
    set -- "-DCLUMP_CUDA=${CLUMP_CUDA:-AUTO}"
    gpus=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . |
        awk '/^[0-9]+$/ && $1 >= 75 && !seen[$1]++ { printf "%s%s-real", n++ ? ";" : "", $1 }') || gpus=
    if [ -n "$gpus" ]; then set -- "$@" "-DCMAKE_CUDA_ARCHITECTURES=$gpus"; fi
    ;;
esac
if command -v ccache >/dev/null; then
    # The same sources in another folder are found in the cache, too.
    export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content
    for language in C CXX CUDA; do set -- "$@" "-DCMAKE_${language}_COMPILER_LAUNCHER=ccache"; done
fi
if [ "${CLUMP_TEST_TIER:-1}" = 3 ]; then set -- "$@" -DCLUMP_TEST_TIMEOUT=7200; fi
if ! cmake --preset "$preset" "-DCLUMP_BUILD_BENCH=${CLUMP_BUILD_BENCH:-OFF}" "$@" >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
case $targets in # what is built, what is left out, and why; of tests and benches only where they are built
*clump_program* | *clump_installed*) said='clump_io|CUDA|No CUDA' ;;
*) said='Bench|Tests|clump_io|CUDA|No ' ;;
esac
grep -E "^-- ($said)" "$log" || true
echo "build: ${targets:-everything} in $build"
# shellcheck disable=SC2086 # a list of words
cmake --build "$build" -j "${JOBS:-$(nproc)}" ${targets:+--target $targets}
