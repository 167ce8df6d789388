#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pages.sh: every link in the installed pages leads to an installed file, and uninstalling removes every file that was
# installed and no other.
. "$(dirname "$0")/common.sh"

mkdir -p "$prefix/share/man/man1" "$prefix/include"
echo other >"$prefix/share/man/man1/other.1"
quietly sh "$source_dir/scripts/install.sh" "$build_dir" "$prefix"

pages=$(find "$prefix" -name '*.md')
[ "$(echo "$pages" | wc -l)" -ge 9 ] || fail "README.md and the pages of docs/ are not installed: $pages"
links=0
for page in $pages; do
    for link in $(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -v '^https\{0,1\}:'); do
        links=$((links + 1))
        [ -e "$(dirname "$page")/$link" ] || fail "$page: there is no $link"
    done
done
[ "$links" -ge 20 ] || fail "only $links links were found"

# What another has put there stays, also beside clump's own files.
doc=$(dirname "$(find "$prefix" -name json.md)")
echo mine >"$doc/notes.txt"
quietly sh "$source_dir/scripts/install.sh" --uninstall "$prefix"
left=$(cd "$prefix" && find . ! -type d | sort | tr '\n' ' ')
[ "$left" = "./${doc#"$prefix"/}/notes.txt ./share/man/man1/other.1 " ] || fail "left after uninstall: $left"
rm "$doc/notes.txt"

# Again: there is nothing to uninstall any more, and that is said.
if sh "$source_dir/scripts/install.sh" --uninstall "$prefix" >"$scratch/log" 2>&1; then fail "uninstalled twice"; fi
grep -q "install_manifest.txt is missing: clump was not installed there" "$scratch/log" || { cat "$scratch/log"; fail "no reason"; }

# A packager's folder before the prefix.
quietly env DESTDIR="$scratch/stage" sh "$source_dir/scripts/install.sh" "$build_dir" /opt/clump-test
[ -f "$scratch/stage/opt/clump-test/include/clump/clump.h" ] || fail "DESTDIR was not used"
quietly env DESTDIR="$scratch/stage" sh "$source_dir/scripts/install.sh" --uninstall /opt/clump-test
left=$(find "$scratch/stage" ! -type d)
[ -z "$left" ] || fail "left in DESTDIR: $left"
left=$(find "$scratch/stage" -type d -name clump)
[ -z "$left" ] || fail "empty folders left in DESTDIR: $left"
