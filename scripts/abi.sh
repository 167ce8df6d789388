#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/abi.sh: says whether programs compiled with the last release run with the libraries of this tree. Fails where they do
# not, unless clump_abi in cmake/ClumpTarget.cmake was raised since.
# scripts/abi.sh --record: keeps the interface of this tree as that of the last release, in packaging/abi/. Part of making a release.
#
# The interface is what the public headers declare for the functions in the list of symbols, which a test compares with the
# libraries. A library of pointers to these functions, made from headers and list, has all public types and no private
# ones. libabigail compares two of them. So nothing else has to be built, and a record has 20 kB. Constants that are macros
# are not compared.
set -eu
cd "$(dirname "$0")/.."

for tool in abidw abidiff; do
    if ! command -v $tool >/dev/null; then
        echo "abi: there is no $tool: scripts/setup.sh --packages installs it" >&2
        exit 1
    fi
done
version=$(scripts/version.sh)
number=$(sed -n 's/^set(clump_abi \([0-9]*\))$/\1/p' cmake/ClumpTarget.cmake)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Makes $scratch/now.abi.
for header in include/clump/*.h; do echo "#include <clump/$(basename "$header")>"; done >"$scratch/now.c"
sed -n 's/^ \(clump_[a-z0-9_]*\)@.*/__typeof__(\1) *\1_;/p' "packaging/debian/libclump$number.symbols" >>"$scratch/now.c"
"${CC:-cc}" -std=gnu17 -g -O0 -shared -fPIC -Iinclude "$scratch/now.c" -o "$scratch/now.so"
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-architecture --no-elf-needed \
    --out-file "$scratch/now.abi" "$scratch/now.so"

if [ "${1-}" = --record ]; then
    mkdir -p packaging/abi
    rm -f packaging/abi/*.abi.gz
    gzip -9 -n -c "$scratch/now.abi" >"packaging/abi/$version-abi$number.abi.gz"
    echo "abi: packaging/abi/$version-abi$number.abi.gz is the interface of $version now"
    exit 0
fi

last=$(find packaging -path '*/abi/*.abi.gz')
if [ -z "$last" ]; then
    echo "abi: there is no release yet that the interface could be compared with"
    exit 0
fi
gzip -d -c "$last" >"$scratch/last.abi"
last=$(basename "$last" .abi.gz)
status=0
abidiff --no-architecture --no-added-syms "$scratch/last.abi" "$scratch/now.abi" >"$scratch/report" || status=$?
if [ $status -eq 0 ]; then
    echo "abi: programs compiled with ${last%-abi*} run with this tree"
elif [ $((status & 3)) -ne 0 ]; then
    cat "$scratch/report"
    echo "abi: abidiff failed" >&2
    exit 1
else
    grep -v '^ *$' "$scratch/report"
    if [ "${last##*-abi}" -ge "$number" ]; then
        echo "abi: programs compiled with ${last%-abi*} do not run with this tree: undo the change, or raise clump_abi in" \
            "cmake/ClumpTarget.cmake and rename Debian's package"
        exit 1
    fi
    echo "abi: programs compiled with ${last%-abi*} do not run with this tree, and clump_abi was raised to $number"
fi
