#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# jobs.sh CLUMP_BENCH: every job says what it does. --resume leaves out cases of the same commit, and measures them anew after a run
# with --quick. A file with other columns is refused before anything is measured.
set -eu
bench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "jobs.sh: $*" >&2 && exit 1; }

jobs=$("$bench" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$jobs" | wc -l)" -ge 17 ] || fail "--help names too few jobs: $jobs"
for job in $jobs; do
    "$bench" "$job" --help >"$folder/help" || fail "$job --help fails"
    head -n 1 "$folder/help" | grep -q "^clump_bench $job " || fail "$job --help says: $(cat "$folder/help")"
done
"$bench" no-such-job 2>/dev/null && fail "there is no such job"

# measured OPTION...: whether the case is measured.
measured() { "$bench" ec --csv "$folder/a.csv" --no-rivals --no-bfs --resume "$@" line-4k | grep -q "^line-4k: "; }
export CLUMP_COMMIT=1a2b3c4d
measured --quick || fail "a new case is left out"
measured --quick && fail "a case of --quick is measured again"
measured --repeat 3 || fail "rows of --quick stand for those of a whole run"
measured && fail "a case is measured again"
grep -q " 1a2b3c4d$" "$folder/a.csv" || fail "no rows of the commit: $(cat "$folder/a.csv")"
CLUMP_COMMIT=1a2b3c4d+ measured --repeat 3 || fail "rows of other sources stand for those of the commit"
CLUMP_COMMIT=5e6f7a8b measured --repeat 3 || fail "rows of another commit stand for those of this one"
sed -i '1s/median/mean/' "$folder/a.csv"
cp "$folder/a.csv" "$folder/b.csv"
"$bench" ec --csv "$folder/a.csv" line-4k >"$folder/out" 2>&1 && fail "a file with other columns is taken"
grep -q "a.csv: its columns are not those of this version" "$folder/out" || fail "$(cat "$folder/out")"
cmp "$folder/a.csv" "$folder/b.csv"
