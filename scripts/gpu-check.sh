#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/gpu-check.sh: what can only be checked on a machine with an NVIDIA GPU: src/rules as the GPU
# computes it, bit for bit the same as the host, and clean under compute-sanitizer. For whoever changes
# src/rules; CI has no GPU. Status 0: all is well; 1: not; 2: there is no nvcc or no GPU here.
set -eu
cd "$(dirname "$0")/.."

if ! command -v nvcc >/dev/null; then
    echo "gpu-check: there is no nvcc here (the CUDA toolkit)" >&2
    exit 2
fi
if ! nvidia-smi -L >/dev/null 2>&1; then
    echo "gpu-check: there is no NVIDIA GPU here, or no driver for it" >&2
    exit 2
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
nvcc --version | tail -n 1

folder=build/gpu
mkdir -p "$folder"
nvcc -O3 -arch=native -std=c++17 -Xcompiler -ffp-contract=off -Isrc tests/gpu/rules.cu -o "$folder/rules"
status=0
"$folder/rules" || status=1
for tool in memcheck racecheck initcheck; do
    if compute-sanitizer --tool "$tool" --error-exitcode 1 "$folder/rules" >"$folder/$tool.log" 2>&1; then
        echo "$tool: clean"
    else
        tail -n 20 "$folder/$tool.log"
        status=1
    fi
done
exit "$status"
