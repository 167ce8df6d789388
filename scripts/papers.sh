#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/papers.sh BUILD_DIR [options of clump_bench papers] [EXPERIMENT...]: runs the experiments of the papers, or those
# that are named, and makes the report of all machines, build/papers/report.html. The rows of this machine are in
# bench/results/papers/MACHINE.csv. They are saved after every case: an interrupted run keeps what it has, and another run
# replaces the rows of the cases that it measures.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: scripts/papers.sh BUILD_DIR [options of clump_bench papers] [EXPERIMENT...]" >&2
    exit 2
fi
case $1 in
/*) program=$1/bench/clump_bench ;;
*) program=$PWD/$1/bench/clump_bench ;;
esac
shift
cd "$(dirname "$0")/.."
if [ ! -x "$program" ]; then
    echo "papers.sh: $program is not there: build it first (CLUMP_BUILD_BENCH=ON)" >&2
    exit 1
fi
if ! command -v python3 >/dev/null; then
    echo "papers.sh: the report needs python3, which is not installed ($program papers --csv FILE measures without it)" >&2
    exit 1
fi

results=bench/results/papers
report=build/papers/report.html
mkdir -p "$results" build/papers
csv=$results/$("$program" papers --machine).csv
status=0
"$program" papers --csv "$csv" "$@" || status=$?
[ "$status" -ne 2 ] || exit 2
if [ ! -f "$csv" ]; then
    echo "papers.sh: nothing was measured, so there is no report" >&2
    exit 1
fi
python3 bench/report page "$report" "$results"/*.csv
echo "Rows:   $csv"
echo "Report: $PWD/$report (open it in a browser)"
exit "$status"
