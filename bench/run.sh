#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/run.sh JOB [options of clump_bench JOB]: sets up and builds what the job needs, measures, and keeps the results of this
# machine in bench/results/JOB/MACHINE.csv, those of ec and gpu in bench/results/. JOB list prints the jobs. The rest of the
# machine should be idle during the run.
#
# The rows name the commit (bench/commit.sh). Status 77: the job needs what this machine does not have.
set -eu
cd "$(dirname "$0")/.."
job=${1:?usage: bench/run.sh JOB [options]}
shift
export CLUMP_COMMIT="${CLUMP_COMMIT:-$(bench/commit.sh)}"
export CLUMP_BUILD_BENCH=ON

# build_other TARGET WHAT: builds a target that is there only where this machine has WHAT.
build_other() {
    scripts/build.sh release clump_program
    if ! cmake --build build/release --target help | grep -q "^$1:"; then
        echo "left out: $job: there is no $2 here"
        exit 77
    fi
    scripts/build.sh release "$1"
}

program=build/release/bench/clump_bench
case $job in
python)
    scripts/setup.sh --python --python-long --python-rivals
    build_other clump_python "NumPy with the headers of Python"
    exec bench/python.sh build/release "$@"
    ;;
papers)
    scripts/setup.sh --rivals
    scripts/build.sh release clump_benches
    exec scripts/papers.sh build/release "$@"
    ;;
pcl)
    scripts/setup.sh --rivals
    build_other clump_bench_pcl PCL
    set -- "${program}_pcl" "$@"
    ;;
ec | dbscan | detect | erccl | files | nn)
    scripts/setup.sh --rivals
    scripts/build.sh release clump_benches
    set -- "$program" "$job" "$@"
    ;;
*)
    scripts/setup.sh --tests
    scripts/build.sh release clump_bench
    [ "$job" != list ] || exec "$program" --help
    set -- "$program" "$job" "$@"
    ;;
esac
case $job in
laz | scale) exec "$@" ;;
ec | gpu) results=bench/results ;;
*) results=bench/results/$job ;;
esac
mkdir -p "$results"
case $job in
pcl) machine=$("$1" --machine) ;;
*) machine=$("$program" "$job" --machine) ;;
esac
exec "$@" --csv "$results/$machine.csv"
