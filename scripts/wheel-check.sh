#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/wheel-check.sh [FOLDER]: judges the wheels of FOLDER (build/wheel; built by scripts/wheel.sh where there is none): their
# tags, their size, what the extension exports and needs. One with a tag of manylinux may need only what that glibc has. The
# wheel of this architecture is installed into a fresh virtual environment that sees the system's packages, and the tests of the
# Python package run there, from another folder. Then the sdist is installed the same way, which compiles it. auditwheel judges, too,
# where it is installed.
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
sdist=$(ls "$folder"/clump-*.tar.gz)
export CLUMP_CUDA="${CLUMP_CUDA:-OFF}"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# judge WHEEL: its tag, its size, and its extension.
judge() {
    case $1 in
    *-cp311-abi3-manylinux_*_x86_64.whl) most=2600000 ;; # SQLite and others in it; the CPU backend three times: CPU levels
    *-cp311-abi3-manylinux_*.whl) most=1900000 ;;
    *-cp311-abi3-linux_x86_64.whl) most=1300000 ;;
    *-cp311-abi3-linux_*.whl) most=1000000 ;;
    *) fail "the tag of $1 is not cp311-abi3-linux or -manylinux" ;;
    esac
    size=$(stat -c %s "$1")
    [ "$CLUMP_CUDA" != OFF ] || [ "${CLUMP_STATIC:-OFF}" != OFF ] || [ "$size" -le $most ] || fail "$1 has $size bytes, more than $most"
    rm -rf "$scratch/open"
    "$python" -m zipfile -e "$1" "$scratch/open"
    module=$scratch/open/clump/_clump.abi3.so
    exported=$(readelf -W --dyn-syms "$module" | awk '$1 ~ /^[0-9]+:$/ && $7 != "UND" { print $8 }')
    [ "$exported" = PyInit__clump ] || fail "the extension of $1 exports more than PyInit__clump: $exported"
    needs=$(readelf -dW "$module" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | tr '\n' ' ')
    newest=$(readelf -W --dyn-syms "$module" | grep -o '@GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    echo "wheel-check: $(basename "$1"): $size bytes, needs $needs and ${newest#@}"
    case " $needs" in *gomp* | *libclump* | *libpython*) fail "the extension needs a library that it must not need" ;; esac
    case $1 in *-manylinux_*) judge_manylinux "$1" ;; esac
}

# judge_manylinux WHEEL: its extension needs no library but those of glibc, no newer symbols than the tag says, and no others.
judge_manylinux() {
    for library in $needs; do
        case $library in libc.so.6 | libm.so.6 | libpthread.so.0 | libdl.so.2 | librt.so.1 | ld-linux-*) ;; *) fail "$1 needs $library" ;; esac
    done
    limit=$(echo "$1" | sed 's/.*-manylinux_\([0-9]*\)_\([0-9]*\)_.*/@GLIBC_\1.\2/')
    [ "$(printf '%s\n' "$newest" "$limit" | sort -V | tail -n 1)" = "$limit" ] || fail "$1 needs ${newest#@}"
    open=$(readelf -W --dyn-syms "$module" | awk '$7 == "UND" && $5 == "GLOBAL" && $8 !~ /@GLIBC_|^_?Py/ { print $8 }')
    [ -z "$open" ] || fail "$1 needs symbols that neither Python nor glibc has: $open"
    if command -v auditwheel >/dev/null; then
        auditwheel show "$1" | grep -q "$(echo "$1" | sed 's/.*-\(manylinux_.*\)\.whl/\1/')" || fail "auditwheel does not agree with the tag of $1"
    fi
}

# install_and_test NAME FILE: in an environment of its own; the working folder has nothing of ours.
install_and_test() {
    "$python" -m venv --system-site-packages "$scratch/$1"
    if ! "$scratch/$1/bin/python" -m pip install --quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check \
        "$2" >"$scratch/log" 2>&1; then
        tail -n 40 "$scratch/log"
        fail "pip could not install $2"
    fi
    cp -r "$root/python/tests" "$scratch/$1-tests"
    (cd "$scratch/$1-tests" && "$scratch/$1/bin/python" -m clump | sed "s/^/wheel-check: $1: /")
    (cd "$scratch/$1-tests" && CLUMP_DATA=${CLUMP_DATA:-$root/../shared/data} "$scratch/$1/bin/python" -m pytest -q -p no:cacheprovider $tests)
}
# All tests run on the build (ctest). Here they are those of what a wheel can lack: modules, files, libraries, labels of its compiler.
tests="test_imports.py test_files.py test_ec.py test_oracle.py test_view.py"
[ "${CLUMP_TEST_TIER:-1}" -lt 3 ] || tests=$(cd python/tests && echo test_*.py)

for wheel in "$folder"/clump-*.whl; do
    judge "$wheel"
    case $wheel in *"_$(uname -m).whl") install_and_test wheel "$wheel" ;; esac
done
[ -d "$scratch/wheel" ] || fail "there is no wheel for $(uname -m)"
install_and_test sdist "$sdist"
echo "wheel-check: good"
