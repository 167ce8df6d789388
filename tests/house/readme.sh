#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# readme.sh SOURCE_DIR: the C program in the README is examples/01_label.c, the README is short, and every file and every
# heading that the README, CONTRIBUTING and docs/ link to is there.
set -eu
cd "$1"
bad=0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
awk '/^```c$/ { block = ""; inside = 1; next } /^```$/ { if (inside && block ~ /^#include/) printf "%s", block; inside = 0 }
    inside { block = block $0 "\n" }' README.md >"$scratch/readme.c"
sed -n '/^#include/,$p' examples/01_label.c >"$scratch/example.c"
diff -u "$scratch/example.c" "$scratch/readme.c" || { echo "README.md and examples/01_label.c differ"; bad=1; }
lines=$(wc -l <README.md)
[ "$lines" -le 130 ] || { echo "README.md has $lines lines, more than 130: move something to docs/"; bad=1; }

# anchors PAGE: the names that its headings have as link targets: lower case, without punctuation, - for a space.
anchors() {
    awk '/^```/ { inside = !inside } !inside && /^#+ / { sub(/^#+ /, ""); print }' "$1" |
        tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}

for page in README.md CONTRIBUTING.md docs/*.md; do
    for link in $(grep -oE '\]\([^) ]+' "$page" | sed 's/^](//' | grep -v '^https\{0,1\}:' || true); do
        file=$(dirname "$page")/${link%%#*}
        [ -n "${link%%#*}" ] || file=$page
        if [ ! -e "$file" ]; then
            echo "$page: there is no $link"
            bad=1
        fi
        case $link in
        *.md#* | '#'*) anchors "$file" | grep -qx -- "${link#*#}" || { echo "$page: $file has no heading for $link"; bad=1; } ;;
        esac
    done
done
exit $bad
