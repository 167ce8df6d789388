#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/build.sh PRESET [TARGET]: configures and builds a preset of CMakePresets.json in build/PRESET. Where
# there are NVIDIA GPUs, code is made for these instead of the one kind that the presets name.
set -eu
cd "$(dirname "$0")/.."

preset=$1
log=build/configure-$preset.log
mkdir -p build
gpus=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . |
    awk '/^[0-9]+$/ && $1 >= 75 && !seen[$1]++ { printf "%s%s-real", n++ ? ";" : "", $1 }') || gpus=
if ! cmake --preset "$preset" ${gpus:+"-DCMAKE_CUDA_ARCHITECTURES=$gpus"} \
    ${CLUMP_TEST_LONG:+-DCLUMP_TEST_TIMEOUT=7200} >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
grep -E '^-- (Bench|Tests|clump_io|CUDA|No ) ?' "$log" || true # what is built, what is left out, and why
cmake --build "build/$preset" -j "${JOBS:-$(nproc)}" ${2:+--target "$2"}
