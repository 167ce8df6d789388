#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/gpu-python.sh [FOLDER] [WORD]...: builds the Python package with CUDA in the build folder FOLDER (build/gpu) and runs
# python/tests/gpu on the GPU of this machine, with those of torch, CuPy and JAX that python3 has. With words it runs the tests
# whose names have one of them.
#
# scripts/gpu-python.sh headers: copies the Python headers of this machine to build/python-headers, for a machine that has
# python3 without headers. The package uses the Limited API, so headers of 3.11 serve every later Python. They are looked for
# in the folder CLUMP_PYTHON_INCLUDE, beside python3, and in build/python-headers.
#
# Status 0: all tests passed; 1: one failed; 77: this machine cannot run them.
set -eu
cd "$(dirname "$0")/.."

include_of() {
    "$1" -c 'import sysconfig; print(sysconfig.get_paths()["include"])'
}

if [ "${1:-}" = headers ]; then
    python=/usr/bin/python3
    [ -x "$python" ] || python=python3
    from=$(include_of "$python")
    [ -f "$from/Python.h" ] || { echo "gpu-python: there is no Python.h in $from" >&2; exit 77; }
    rm -rf build/python-headers
    mkdir -p build
    cp -RL "$from" build/python-headers
    # Debian's pyconfig.h is in a folder per processor; 64-bit Linux machines differ in nothing that the Limited API uses
    own=/usr/include/$(cc -print-multiarch)/$(basename "$from")/pyconfig.h
    if [ -f "$own" ]; then cp "$own" build/python-headers/; fi
    echo "build/python-headers has the headers of $from"
    exit 0
fi

folder=${1:-build/gpu}
[ $# -eq 0 ] || shift
skip() {
    echo "skipped: the Python package on a GPU: $1"
    exit 77
}
command -v nvcc >/dev/null || skip "install nvcc"
command -v python3 >/dev/null || skip "run scripts/setup.sh --python"
python=$(command -v python3)
"$python" -c 'import numpy' 2>/dev/null || skip "run scripts/setup.sh --python"

include=${CLUMP_PYTHON_INCLUDE:-$(include_of "$python")}
[ -f "$include/Python.h" ] || include=$PWD/build/python-headers
[ -f "$include/Python.h" ] || skip "run scripts/gpu-python.sh headers"

architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
set -- "$@" --
words=
while [ "$1" != -- ]; do
    words="$words $1"
    shift
done
set -- -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCLUMP_CUDA=ON -DCLUMP_INSTALL=OFF -DCLUMP_PYTHON=ON \
    "-DCLUMP_PYTHON_INCLUDE=$include" "-DPython3_EXECUTABLE=$python" "-DCMAKE_CUDA_ARCHITECTURES=${CODE:-${architecture:-90}-real}"
if [ ! -f "$folder/CMakeCache.txt" ]; then # a configured folder keeps its generator
    set -- "$@" -DCLUMP_NATIVE=ON -DCLUMP_LAZPERF=OFF
    if command -v ninja >/dev/null; then set -- "$@" -G Ninja; fi
fi
cmake "$@"
cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target clump_python

echo "python3 is $("$python" -V) with $("$python" -c 'import numpy; print("numpy", numpy.__version__)'), headers of $include"
# JAX takes most of the GPU's memory at once unless it is asked not to
# shellcheck disable=SC2086
exec env PYTHONPATH="$folder/python" PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 XLA_PYTHON_CLIENT_PREALLOCATE=false \
    "$python" -X faulthandler python/tests/gpu/run.py $words
