#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# abi.sh SOURCE_DIR SCRATCH_DIR: scripts/abi.sh accepts additions and refuses every kind of change that breaks compiled programs. Each
# change is made in a copy of the public headers.
set -eu
source_dir=$1
scratch=$2
fail() { echo "FAILED: $*"; cat "$scratch/log"; exit 1; }
command -v abidiff >/dev/null || { echo "skipped: abi: run scripts/setup.sh --packages"; exit 77; }

# fresh: the tree, with its own interface recorded as that of the last release.
fresh() {
    rm -rf "$scratch"
    mkdir -p "$scratch/scripts" "$scratch/cmake" "$scratch/packaging/debian"
    cp "$source_dir/scripts/abi.sh" "$source_dir/scripts/version.sh" "$scratch/scripts"
    cp "$source_dir/cmake/ClumpTarget.cmake" "$scratch/cmake"
    cp "$source_dir"/packaging/debian/*.symbols "$scratch/packaging/debian"
    cp -r "$source_dir/include" "$scratch"
    symbols=$(echo "$scratch"/packaging/debian/*.symbols)
    header=$scratch/include/clump/clump.h
    "$scratch/scripts/abi.sh" --record >"$scratch/log" 2>&1 || fail "nothing recorded"
}
# edit FILE SCRIPT: a change by sed that must change something.
edit() {
    cp "$1" "$scratch/before"
    sed -i "$2" "$1"
    if cmp -s "$1" "$scratch/before"; then fail "the test has no effect any more: $2"; fi
}
accepted() { "$scratch/scripts/abi.sh" >"$scratch/log" 2>&1 || fail "refused: $*"; }
# refused WORD WHAT: the report names WORD.
refused() {
    if "$scratch/scripts/abi.sh" >"$scratch/log" 2>&1; then fail "accepted: $2"; fi
    grep -q "$1" "$scratch/log" || fail "the report does not name $1: $2"
}

fresh
accepted "no change"

edit "$header" 's/^\(.*clump_status clump_group(\)/int clump_new_function(int x);\n\1/'
edit "$symbols" 's/^ clump_ec@Base.*/&\n clump_new_function@Base 9.9.9/'
accepted "a new function"

fresh
edit "$header" 's/^\( *CLUMP_EC_MATRIX_RS = [0-9]*\)/\1, CLUMP_EC_NEW = 99/'
accepted "a new value of an enum"

fresh
edit "$header" '0,/^    bool two_d;/s//    int new_member;\n    bool two_d;/'
refused new_member "a new member of a struct of options"
edit "$scratch/cmake/ClumpTarget.cmake" 's/^set(clump_abi [0-9]*)/set(clump_abi 77)/'
mv "$symbols" "$scratch/packaging/debian/libclump77.symbols"
accepted "the same with another SONAME"

fresh
edit "$header" 's/^\( *CLUMP_EC_MATRIX_RS = \)[0-9]*/\1 99/'
refused CLUMP_EC_MATRIX_RS "another value of an enum"

fresh
edit "$symbols" '/^ clump_labels_hash@/d'
refused clump_labels_hash "a function removed"

fresh
edit "$header" 's/\(uint64_t clump_labels_hash(\)/uint32_t clump_labels_hash(/'
refused clump_labels_hash "another type of a result"
