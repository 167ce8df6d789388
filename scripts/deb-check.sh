#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/deb-check.sh: installs the packages of build/deb/ (scripts/deb.sh makes them) in a bare Debian in build/deb/root and runs
# their tests there (packaging/debian/tests). Then the libraries of build/cpack/, if any, replace Debian's. The system is that of
# this machine, from the same servers. Status 77 and a sentence where such a system cannot be made: it takes root, mmdebstrap,
# autopkgtest and a network.
set -eu
cd "$(dirname "$0")/.."

if ! command -v autopkgtest >/dev/null; then
    echo "skipped: deb-check: there is no autopkgtest (scripts/setup.sh --packages)"
    exit 77
fi
[ -n "$(find build/deb -maxdepth 1 -name '*.deb' 2>/dev/null)" ] || { echo "deb-check: run scripts/deb.sh first" >&2; exit 1; }

root=$PWD/build/deb/root
rm -rf "$root" build/deb/tests
trap 'rm -rf "$root"' EXIT
scripts/fresh.sh --system bare "$root" || exit $?

# The bare system has no compiler cache, and autopkgtest hands these on.
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER CMAKE_CUDA_COMPILER_LAUNCHER
# -B: nothing is built again. The tests come with the source package.
status=0
debs=$(find build/deb -maxdepth 1 -name '*.deb' ! -name '*-dbgsym_*')
# shellcheck disable=SC2086 # a list of words
autopkgtest -B -o build/deb/tests $debs build/deb/*.dsc -- chroot "$root" >build/deb/tests.log 2>&1 || status=$?
cat build/deb/tests/summary 2>/dev/null || tail -n 20 build/deb/tests.log
# 2: some tests were left out.
if [ $status -ne 0 ] && [ $status -ne 2 ]; then
    tail -n 40 build/deb/tests.log
    echo "deb-check: the packages failed their tests" >&2
    exit 1
fi

# The libraries of CPack, where scripts/cpack.sh made them, take the place of Debian's below Debian's program.
package=$(find build/cpack -maxdepth 1 -name 'libclump[0-9]*.deb' 2>/dev/null | head -n 1)
if [ -n "$package" ]; then
    cp "$package" "$root/tmp/replacing.deb"
    if ! chroot "$root" sh -c 'apt-get install -y --no-install-recommends --allow-downgrades /tmp/replacing.deb clump python3-clump &&
        ! dpkg -s libclump0 && clump devices && python3 -c "import clump"' </dev/null >build/deb/replaced.log 2>&1; then
        tail -n 20 build/deb/replaced.log
        echo "deb-check: $(basename "$package") does not replace Debian's libraries" >&2
        exit 1
    fi
    echo "$(basename "$package") PASS"
fi
