#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# version.sh SOURCE_DIR VERSION: every file that repeats the version has the one of include/clump/clump.h, which CMake
# has read as VERSION.
set -eu
cd "$1"
version=$2
failed=0

# agrees FILE FOUND: FOUND is what the file says.
agrees() {
    if [ "$2" != "$version" ]; then
        echo "FAILED: $1 has the version \"$2\", include/clump/clump.h has $version"
        failed=1
    fi
}
# first PATTERN FILE: the first match of a sed pattern with one group.
first() { sed -n "s/$1/\\1/p" "$2" | head -n 1; }

agrees scripts/version.sh "$(scripts/version.sh)"
agrees CITATION.cff "$(first '^version: \(.*\)' CITATION.cff)"
agrees packaging/debian/changelog "$(first '^clump (\([0-9.]*\)-[^)]*).*' packaging/debian/changelog)"
agrees package.xml "$(first '.*<version>\(.*\)<\/version>.*' package.xml)"
agrees ros/clump_ros/package.xml "$(first '.*<version>\(.*\)<\/version>.*' ros/clump_ros/package.xml)"
agrees packaging/conda/recipe.yaml "$(first '^  version: \(.*\)' packaging/conda/recipe.yaml)"
agrees packaging/vcpkg/vcpkg.json "$(first '.*"version": "\(.*\)".*' packaging/vcpkg/vcpkg.json)"
agrees packaging/spack/package.py "$(first '^    version("\(.*\)").*' packaging/spack/package.py)"

# The SONAME, Debian's package and the file of its symbols have the same number.
abi=$(first '^set(clump_abi \([0-9]*\))$' cmake/ClumpTarget.cmake)
for file in "packaging/debian/libclump$abi.symbols" "packaging/debian/libclump$abi.install"; do
    if [ ! -f "$file" ]; then
        echo "FAILED: cmake/ClumpTarget.cmake has the ABI number $abi, but there is no $file"
        failed=1
    fi
done
exit $failed
