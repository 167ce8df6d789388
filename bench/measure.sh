#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/measure.sh [JOB...]: runs every bench that this machine can, or those that are named, and renews the tables of the pages. About
# an hour on 2 cores. What was measured with the same sources (bench/commit.sh), and not with --quick, is left out, so an interrupted
# run goes on. At the end it says which figures, of all machines, are of older sources. One log per job is in build/measure/.
set -eu
cd "$(dirname "$0")/.."
CLUMP_COMMIT=$(bench/commit.sh)
case $CLUMP_COMMIT in
"") why="the commit is not known: this is not a git checkout" ;;
*+) why="sources differ from the last commit, so figures could not name what was measured: commit first" ;;
*) why= ;;
esac
if [ -n "$why" ]; then
    echo "measure: $why" >&2
    exit 1
fi
export CLUMP_COMMIT
[ $# -gt 0 ] || set -- ec dbscan detect erccl nn objects tree batch pieces scaling files recordings pcl python latency \
    latency-detect papers gpu
mkdir -p build/measure
failed=
for job in "$@"; do
    begun=$(date +%s)
    case $job in
    pcl | python | gpu) options= ;; # a minute or two: measured as a whole
    latency-detect) options="--resume --job detect" ;;
    *) options=--resume ;;
    esac
    if [ "$job" = gpu ] && ! nvidia-smi >/dev/null 2>&1; then
        echo "measure: gpu: left out, there is no NVIDIA GPU here"
        continue
    fi
    status=0
    # shellcheck disable=SC2086
    bench/run.sh "${job%%-*}" $options >"build/measure/$job.log" 2>&1 || status=$?
    case $status in
    0) echo "measure: $job: $(($(date +%s) - begun)) s" ;;
    77) echo "measure: $(tail -n 1 "build/measure/$job.log")" ;;
    *)
        echo "measure: $job: FAILED, see build/measure/$job.log"
        failed="$failed $job"
        ;;
    esac
done
python3 bench/report tables
python3 bench/report stale
[ -z "$failed" ]
