#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/papers-tables.sh [--check] PROGRAM: writes the tables of the papers' experiments into the pages under docs/. PROGRAM
# is clump_bench; the rows are in bench/results/papers/. bench/report/report.h lists the marks. With --check nothing is
# written; status 1 says that a page is out of date, 77 that there are no results.
set -eu

check=no
if [ "${1:-}" = --check ]; then check=yes && shift; fi
if [ $# -ne 1 ]; then
    echo "usage: scripts/papers-tables.sh [--check] PROGRAM" >&2
    exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
set -- "$1" "$root"/bench/results/papers/*.csv
program=$1
shift
if [ ! -f "$1" ]; then
    echo "skipped: tables of the papers: there are no results in bench/results/papers"
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
old=0
for page in docs/papers.md docs/benchmarks.md docs/choosing.md; do
    grep -qE '^<!-- (papers-|gpu-six|gpu-memory|gpu-cold|choosing)[a-z-]*:begin -->$' "$root/$page" 2>/dev/null || continue
    cp "$root/$page" "$scratch/page"
    "$program" papers --markdown "$scratch/page" "$@"
    if cmp -s "$root/$page" "$scratch/page"; then continue; fi
    if [ $check = no ]; then
        cp "$scratch/page" "$root/$page"
    else
        echo "$page is not what bench/results/papers says: run scripts/papers-tables.sh PROGRAM"
        diff -u "$root/$page" "$scratch/page" | head -n 20 || true
        old=1
    fi
done
exit $old
