#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/symbols.sh BUILD_DIR: renews packaging/debian/libclump0.symbols, the list of functions that the shared libraries of a build
# show. A function that the list has keeps the version in which it came; a new one gets the present version.
# scripts/symbols.sh --check BUILD_DIR: prints the difference and fails where the list does not fit the libraries.
set -eu
cd "$(dirname "$0")/.."

check=no
if [ "${1-}" = --check ]; then
    check=yes
    shift
fi
build=$1
list=packaging/debian/libclump0.symbols
version=$(scripts/version.sh)
new=$(mktemp)
trap 'rm -f "$new"' EXIT

for library in src/libclump big/libclump_big io/libclump_io sim/libclump_sim; do
    file=$build/$library.so
    if [ ! -f "$file" ]; then
        echo "symbols: there is no $file: build the shared libraries first" >&2
        exit 1
    fi
    soname=$(readelf -d "$file" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    echo "$soname libclump0 #MINVER#"
    echo "* Build-Depends-Package: libclump-dev"
    nm -D --defined-only "$file" | awk -v soname="$soname" -v version="$version" '
        FILENAME != "-" && $1 ~ /\.so\./ { listed = $1 == soname; next }
        FILENAME != "-" { if (listed && $1 != "*") known[substr($1, 1, length($1) - 5)] = $2; next }
        { name = $NF; print " " name "@Base " (name in known ? known[name] : version) }' "$list" - | LC_ALL=C sort
done >"$new"

if [ "$check" = yes ]; then
    if ! diff "$list" "$new"; then
        echo "symbols: the libraries do not show what $list says (<: listed, >: built)."
        echo "symbols: after a change of the interface run scripts/symbols.sh $build"
        exit 1
    fi
else
    cp "$new" "$list"
fi
