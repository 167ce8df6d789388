#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/fuzz.sh [NAME...]: feeds the parsers (those with a folder in tests/fuzz/corpus, or those named) what
# libFuzzer thinks of, FUZZ_SECONDS (default 60) each, starting from tests/fuzz/corpus, from what earlier runs have
# kept and, if there, from small files of the data folder. A finding is left under build/fuzz/findings, and the status
# is 1. Nothing is committed from here.
set -eu
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
data=${CLUMP_DATA:-../shared/data}
[ $# -gt 0 ] || set -- $(ls tests/fuzz/corpus)
scripts/build.sh fuzz fuzz

# real NAME: small real files for a parser, one a line
real() {
    case $1 in
    pcd) find "$data" -name '*.pcd' -size -128k ;;
    ply) find "$data" -name '*.ply' -size -64k ;;
    las) find "$data" -name '*.las' -size -128k ;;
    laz) find "$data" -name '*.laz' -size -300k ;;
    esac 2>/dev/null
}

status=0
mkdir -p build/fuzz/findings
for name; do
    kept=build/fuzz/corpus/$name
    mkdir -p "$kept"
    real "$name" | while read -r file; do cp "$file" "$kept/"; chmod u+w "$kept/$(basename "$file")"; done
    dictionary=tests/fuzz/$name.dict
    others= # cross takes files of every format
    if [ "$name" = cross ]; then others=$(find tests/fuzz/corpus -mindepth 1 -type d ! -name cross ! -name labels ! -name raw); fi
    echo "=== $name, $seconds s"
    if ! FUZZ_TARGET=$name build/fuzz/tests/fuzz/fuzz -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=1024 \
        -print_final_stats=1 -artifact_prefix=build/fuzz/findings/"$name"- \
        $(if [ -f "$dictionary" ]; then echo "-dict=$dictionary"; fi) \
        "$kept" tests/fuzz/corpus/"$name" $others >build/fuzz/"$name".log 2>&1; then
        status=1
        grep -E 'ERROR|SUMMARY|not true|cannot be read|Test unit' build/fuzz/"$name".log || tail -n 5 build/fuzz/"$name".log
    fi
    grep -E 'stat::(number_of_executed_units|peak_rss_mb)' build/fuzz/"$name".log || true
done
if [ $status -ne 0 ]; then echo "fuzz.sh: there are findings, see build/fuzz/findings and build/fuzz/*.log" >&2; fi
exit $status
