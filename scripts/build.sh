#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/build.sh PRESET [TARGET]: configures and builds a preset of CMakePresets.json in build/PRESET.
set -eu
cd "$(dirname "$0")/.."

preset=$1
log=build/configure-$preset.log
mkdir -p build
if ! cmake --preset "$preset" ${CLUMP_TEST_LONG:+-DCLUMP_TEST_TIMEOUT=7200} >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
grep -E '^-- (Bench|Tests|clump_io|CUDA|No ) ?' "$log" || true # what is built, what is left out, and why
cmake --build "build/$preset" -j "${JOBS:-$(nproc)}" ${2:+--target "$2"}
