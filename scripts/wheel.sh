#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/wheel.sh [FOLDER]: builds the sdist and the wheel of the Python package into FOLDER (build/wheel), offline. The
# variables of setup.py are respected: CLUMP_CUDA=ON, CLUMP_STATIC=ON. PYTHON names the python3 to use; it needs the modules
# build, setuptools and wheel (scripts/setup.sh --python-long).
#
# The sdist is made from a copy of the sources, so that nothing is written into the source folder. The wheel is built from the
# sdist: what the sdist lacks, the wheel would lack.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/wheel}

for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$python" -c 'import build, setuptools, wheel' 2>/dev/null; then break; fi
    python=
done
if [ -z "$python" ]; then
    echo "wheel: there is no python3 with the modules build, setuptools and wheel (Debian: python3-build python3-wheel)" >&2
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder" "$scratch/source"
tar -cf - --exclude=__pycache__ --exclude=node_modules --exclude='*.egg-info' CMakeLists.txt LICENSE CHANGELOG.md pyproject.toml setup.py MANIFEST.in cmake include \
    src io sim big viewer python | tar -xf - -C "$scratch/source"
if ! "$python" -m build --no-isolation --outdir "$scratch/out" "$scratch/source" >"$scratch/log" 2>&1; then
    tail -n 40 "$scratch/log"
    echo "wheel: the build failed" >&2
    exit 1
fi
rm -f "$folder"/clump-*.whl "$folder"/clump-*.tar.gz
cp "$scratch"/out/* "$folder"
(cd "$folder" && ls -s --block-size=1K clump-*)
