#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# readme.sh SOURCE_DIR: the C program in the README is examples/01_label.c, and every file the
# README, CONTRIBUTING and docs/ link to is there.
set -eu
cd "$1"
bad=0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
awk '/^```c$/ { block = ""; inside = 1; next } /^```$/ { if (inside && block ~ /^#include/) printf "%s", block; inside = 0 }
    inside { block = block $0 "\n" }' README.md >"$scratch/readme.c"
sed -n '/^#include/,$p' examples/01_label.c >"$scratch/example.c"
diff -u "$scratch/example.c" "$scratch/readme.c" || { echo "README.md and examples/01_label.c differ"; bad=1; }

for page in README.md CONTRIBUTING.md docs/*.md; do
    for link in $(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -v '^https\{0,1\}:' || true); do
        if [ ! -e "$(dirname "$page")/$link" ]; then
            echo "$page: there is no $link"
            bad=1
        fi
    done
done
exit $bad
