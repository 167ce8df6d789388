#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/run.sh BUILD_DIR [options of clump_bench]: measures, and keeps the results of this machine in
# bench/results/MACHINE.csv. The rest of the machine should be idle during the run.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ]; then
    echo "usage: bench/run.sh BUILD_DIR [options of clump_bench]" >&2
    exit 2
fi
program=$1/bench/clump_bench
shift
if [ ! -x "$program" ]; then
    echo "bench/run.sh: $program is not there: build it first (CLUMP_BUILD_BENCH=ON)" >&2
    exit 1
fi
mkdir -p "$here/results"
exec "$program" --csv "$here/results/$("$program" --machine).csv" "$@"
