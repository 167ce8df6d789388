#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/build.sh PRESET [TARGET]: configures and builds a preset of CMakePresets.json in build/PRESET, and says what it
# builds. Where there are NVIDIA GPUs, code is made for these instead of the one kind that the presets name.
#
# The CUDA backend of the preset release takes minutes to compile. The program (clump_program) and what is installed
# (clump_installed) get it where there is a GPU, all other targets where there is an nvcc. CLUMP_CUDA=ON, OFF or AUTO (where
# there is an nvcc) in the environment decides instead. A compiler cache is used where it is installed (ccache).
set -eu
cd "$(dirname "$0")/.."

preset=$1
target=${2:-}
build=build/$preset
log=build/configure-$preset.log
mkdir -p build
gpus=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . |
    awk '/^[0-9]+$/ && $1 >= 75 && !seen[$1]++ { printf "%s%s-real", n++ ? ";" : "", $1 }') || gpus=
set --
if [ "$preset" = release ]; then
    cuda=${CLUMP_CUDA:-AUTO}
    case ${CLUMP_CUDA:-}$target in
    clump_program | clump_installed)
        # What a build of all tests has compiled already is kept.
        if [ -z "$gpus" ] && ! [ -f "$build/src/CMakeFiles/clump_cuda.dir/rooms/cuda.cu.o" ]; then
            cuda=OFF
            if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
                echo "build: for the CPU alone, because there is no NVIDIA GPU here (CLUMP_CUDA=ON compiles for GPUs, too)"
            fi
        fi
        ;;
    esac
    set -- "-DCLUMP_CUDA=$cuda"
fi
if command -v ccache >/dev/null; then
    # The same sources in another folder are found in the cache, too.
    export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content
    for language in C CXX CUDA; do set -- "$@" "-DCMAKE_${language}_COMPILER_LAUNCHER=ccache"; done
fi
if ! cmake --preset "$preset" ${gpus:+"-DCMAKE_CUDA_ARCHITECTURES=$gpus"} "$@" \
    $([ "${CLUMP_TEST_TIER:-1}" -lt 3 ] || echo -DCLUMP_TEST_TIMEOUT=7200) >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
case $target in # what is built, what is left out, and why; of tests and benches only where they are built
clump_program | clump_installed) said='clump_io|CUDA|No CUDA' ;;
*) said='Bench|Tests|clump_io|CUDA|No ' ;;
esac
grep -E "^-- ($said)" "$log" || true
echo "build: ${target:-everything} in $build"
cmake --build "$build" -j "${JOBS:-$(nproc)}" ${target:+--target "$target"}
