#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/packages.sh: everything about packages that CI checks: the tarball, the interface, Debian's packages built from a clean tree,
# CPack's of the build in build/release where it exists, and both installed in a bare Debian.
set -eu
cd "$(dirname "$0")/.."

scripts/dist.sh --head
scripts/abi.sh
if [ -f build/release/CPackConfig.cmake ]; then
    scripts/cpack.sh build/release
else
    echo "skipped: packages: there is no build/release to pack (make test makes it)"
fi
# Without the tests of the build: those of build/release have run.
scripts/deb.sh --no-check
status=0
scripts/deb-check.sh || status=$?
[ $status -eq 77 ] || exit $status
