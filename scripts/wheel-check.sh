#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/wheel-check.sh [FOLDER]: installs the wheel of FOLDER (build/wheel; built by scripts/wheel.sh where there is none)
# into a fresh virtual environment that sees the system's packages, and runs the tests of the Python package from another
# folder. Then it installs the sdist the same way, which compiles it. Checks what the extension exports and needs, and
# that the wheel is at most 1 MB without CUDA, 1.3 MB on x86-64.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
folder=${1:-build/wheel}

for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$python" -c 'import build, setuptools, wheel, numpy, pytest, venv' 2>/dev/null; then break; fi
    python=
done
if [ -z "$python" ]; then
    echo "wheel-check: there is no python3 with build, setuptools, wheel, numpy, pytest and venv (scripts/setup.sh --python-long)" >&2
    exit 1
fi

fail() {
    echo "wheel-check: $*" >&2
    exit 1
}

ls "$folder"/clump-*.whl "$folder"/clump-*.tar.gz >/dev/null 2>&1 || PYTHON=$python scripts/wheel.sh "$folder"
wheel=$(ls "$folder"/clump-*.whl)
sdist=$(ls "$folder"/clump-*.tar.gz)
case $wheel in
*-cp311-abi3-linux_*.whl | *-cp311-abi3-manylinux*.whl) ;;
*) fail "the tag of $wheel is not cp311-abi3-linux" ;;
esac
size=$(stat -c %s "$wheel")
case $wheel in
*x86_64*) most=1300000 ;; # the CPU backend three times: CPU levels
*) most=1000000 ;;
esac
if [ "${CLUMP_CUDA:-OFF}" != ON ] && [ "${CLUMP_STATIC:-OFF}" != ON ] && [ "$size" -gt "$most" ]; then
    fail "$wheel has $size bytes, more than $most"
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# install_and_test NAME FILE: in an environment of its own; the working folder has nothing of ours.
install_and_test() {
    "$python" -m venv --system-site-packages "$scratch/$1"
    if ! "$scratch/$1/bin/python" -m pip install --quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check \
        "$2" >"$scratch/log" 2>&1; then
        tail -n 40 "$scratch/log"
        fail "pip could not install $2"
    fi
    cp -r "$root/python/tests" "$scratch/$1-tests"
    echo "wheel-check: $1: $(cd "$scratch/$1-tests" && "$scratch/$1/bin/python" -c 'import clump; print(clump.__version__, "in", clump.__file__)')"
    (cd "$scratch/$1-tests" && CLUMP_DATA=${CLUMP_DATA:-$root/../shared/data} "$scratch/$1/bin/python" -m pytest -q -p no:cacheprovider test_*.py)
}

install_and_test wheel "$wheel"
module=$(ls "$scratch"/wheel/lib/python3*/site-packages/clump/_clump.abi3.so)
exported=$(nm -D --defined-only "$module" | awk '{ print $3 }')
[ "$exported" = PyInit__clump ] || fail "the extension exports more than PyInit__clump: $exported"
echo "wheel-check: $size bytes; the extension needs: $(objdump -p "$module" | awk '/NEEDED/ { printf "%s ", $2 }')"
if objdump -p "$module" | grep -Eq 'NEEDED.*(gomp|libclump|libpython)'; then fail "the extension needs a library that it must not need"; fi
install_and_test sdist "$sdist"
echo "wheel-check: good"
