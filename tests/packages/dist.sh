#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# dist.sh SOURCE_DIR SCRATCH_DIR: the release tarball has the same bytes each time it is made, and a tree with changes is refused.
# Runs in a repository of its own, so that the state of the working tree does not matter.
set -eu
source_dir=$1
scratch=$2
fail() { echo "FAILED: $*"; exit 1; }
command -v git >/dev/null || { echo "skipped: dist: install git"; exit 77; }

rm -rf "$scratch"
mkdir -p "$scratch/tree/scripts" "$scratch/tree/include/clump"
cp "$source_dir/scripts/dist.sh" "$source_dir/scripts/version.sh" "$scratch/tree/scripts"
cp "$source_dir/include/clump/clump.h" "$scratch/tree/include/clump"
cd "$scratch/tree"
version=$(scripts/version.sh)
echo "/build/" >.gitignore

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
git init -q .
if scripts/dist.sh >../log 2>&1; then fail "a tarball was made without a commit"; fi
git add .
git commit -q -m "all"

umask 077
first=$(scripts/dist.sh one)
rm -rf ../one
mv one ../one
umask 022
sleep 1 # another second: its time must not be in the tarball
touch scripts/dist.sh
second=$(scripts/dist.sh ../two)
[ "$first" = "one/clump-$version.tar.gz" ] || fail "the tarball is called $first"
cmp "../$first" "$second" || fail "made twice, the tarballs differ"
tar -tzf "$second" | grep -qx "clump-$version/scripts/dist.sh" || fail "the folder in the tarball is not clump-$version"

echo changed >>.gitignore
if scripts/dist.sh ../three >../log 2>&1; then fail "a changed file was accepted"; fi
grep -q "gitignore" ../log || fail "the changed file was not named: $(cat ../log)"
git checkout -q .gitignore
echo new >new
if scripts/dist.sh ../three >../log 2>&1; then fail "an unknown file was accepted"; fi
[ ! -d ../three ] || fail "a refused run left files"
scripts/dist.sh --head ../two >/dev/null 2>&1
cmp "../$first" "$second" || fail "--head gave another tarball"
