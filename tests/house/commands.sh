#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# commands.sh CLUMP PAGE...: the commands of the program in the sh blocks of each page succeed, run in the order of the page
# in an empty folder; those of the README in the folder that `make demo` leaves. Commands that need a GPU or a free port are
# left out. In tier 1 (CLUMP_TEST_TIER) the first page alone, with smaller files than those of the demo.
set -eu
clump=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$clump" "$scratch/bin/clump"
PATH=$scratch/bin:$PATH

# run COMMAND...: prints what the command has printed only if it fails.
run() { "$@" >"$scratch/log" 2>&1 </dev/null || { cat "$scratch/log" && echo "FAILED: $page: $*" && exit 1; }; }

tier=${CLUMP_TEST_TIER:-1}
small_demo() {
    clump gen lidar --sensor vlp-16 -q -o "$folder/street.pcd"
    clump gen lidar --sensor vlp-16 --frames 4 -q -o "$folder/drive.mcap"
}

[ "$tier" -gt 1 ] || set -- "$1"
for page; do
    awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside && /^clump /' "$page" |
        grep -vE -- '--(device cuda|serve) ' | sed 's/  *#.*//' >"$scratch/list"
    [ -s "$scratch/list" ] || { echo "FAILED: $page has no commands" && exit 1; }
    folder=$scratch/folder
    rm -rf "$folder"
    mkdir "$folder"
    case $tier-$page in
    1-*) run small_demo ;;
    *README.md) run sh "$(dirname "$0")/../../scripts/demo.sh" "$clump" "$folder" ;;
    esac
    while read -r line; do
        run sh -c "cd '$folder' && $line"
    done <"$scratch/list"
    echo "$page: $(wc -l <"$scratch/list") commands"
done
