#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/deb.sh [--no-check]: builds Debian's packages of the last commit in build/deb/, from the release tarball and
# packaging/debian/, and has lintian judge them: any error or warning fails. What the build compiles and
# the tests it runs are in packaging/debian/rules; --no-check leaves those tests out.
set -eu
cd "$(dirname "$0")/.."

for tool in dpkg-buildpackage dh lintian; do
    if ! command -v $tool >/dev/null; then
        echo "deb: there is no $tool: scripts/setup.sh --packages installs it" >&2
        exit 1
    fi
done
[ "${1-}" != --no-check ] || export DEB_BUILD_OPTIONS="nocheck ${DEB_BUILD_OPTIONS-}"
export DEB_BUILD_OPTIONS="parallel=${JOBS:-$(nproc)} ${DEB_BUILD_OPTIONS-}"

rm -rf build/deb
mkdir -p build/deb
tarball=$(scripts/dist.sh --head build/deb)
tree=${tarball%.tar.gz}
version=${tree#build/deb/clump-}
mv "$tarball" "build/deb/clump_$version.orig.tar.gz"
tar -C build/deb -xzf "build/deb/clump_$version.orig.tar.gz"
cp -r "$tree/packaging/debian" "$tree/debian"

# In a network of its own, which leads nowhere, where this system allows it: a build that fetches something fails.
offline=
if unshare -n true 2>/dev/null; then offline="unshare -n"; fi
log=build/deb/build.log
echo "deb: building in $tree${offline:+ without a network}, the output is in $log"
if ! (cd "$tree" && $offline dpkg-buildpackage -us -uc >../build.log 2>&1); then
    tail -n 30 "$log" | cut -c 1-300
    echo "deb: the build failed" >&2
    exit 1
fi
# The sources in the tree are those of the tarball: what a build leaves there must not fill the disk.
rm -rf "$tree"

# --allow-root: as root lintian would only warn about itself.
lintian --fail-on error,warning --allow-root build/deb/*.changes
ls -l build/deb/*.deb
