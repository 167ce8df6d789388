#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check.sh PRESET[:TARGET] [options of ctest]: builds a preset, or one target of it, and runs its tests. CLUMP_TEST_TIER in the
# environment says how long they run: 1, the default, as in `make test`; 2 in CI; 3 in `make check-all`. Prints CTest's summary, then
# what to do to run what was left out, with the number of tests each. Exit status: that of CTest.
#
# scripts/check.sh --part PART: exit status 2, with a sentence, where there are no tests of such a part; nothing is said for an empty one.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" = --part ]; then
    parts=$(sed -n 's/^clump_part(\([a-z]*\)).*/\1/p; s/.* LABELS \([a-z]*\))$/\1/p' tests/CMakeLists.txt python/tests/tests.cmake)
    if [ -z "${2:-}" ] || echo "$parts" | grep -qxF -- "$2"; then exit 0; fi
    echo "check: there is no part $2 with tests; there are: $(echo "$parts" | paste -s -d ' ')" >&2
    exit 2
fi
preset=${1%%:*}
target=${1#"$preset"}
shift
echo "check: first builds $preset, then runs its tests"
scripts/build.sh "$preset" ${target:+"${target#:}"}

run=
leaks=
case $preset in
asan)
    export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
    # Only programs that own memory for their caller search for leaks: parsers and contexts (tests/asan/leaks.c). scikit-learn's
    # tests are left out: they check labels, on clouds of other tests.
    if [ $# -eq 0 ]; then
        leaks='^(fuzz|example)_|^test_(memory|jobs_memory|context|io|pcd|ply|las|laz|labels|nn_call|icp|erccl_call|ranged_call|describe)'
    fi
    asan_options=${ASAN_OPTIONS:-strict_string_checks=1}
    export ASAN_OPTIONS="$asan_options:detect_leaks=1"
    ;;
tsan)
    # tests/tsan.cmake shows that a race is found and that a correct program passes.
    # A program that still has threads would sleep for a second at its end.
    export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:atexit_sleep_ms=0}"
    # Older sanitizers do not start under a wider randomisation of addresses than they know: setarch -R turns it off.
    if setarch "$(uname -m)" -R true 2>/dev/null; then run="setarch $(uname -m) -R"; fi
    # The excluded tests use one thread or are programs of others: they cannot have a race.
    one_thread='io|pcd|ply|las|labels|hash|sim|laz_codec|(bag|mcap|pcap|sqlite)_hostile|verify|eval|describe_rules|kdtree|assign'
    one_thread="$one_thread|view_(columns|colouring|picture|difference)"
    one_thread="$one_thread|(sieve|pieces|joint_variants|joint_boundary|reader|boundary|ranged|velodyne_calibration|nn_one|colour)\$"
    [ $# -gt 0 ] || set -- -R '^(test|example|tsan)_' -E "^test_($one_thread|pcl|sklearn)"
    ;;
esac

status=0
# Some tests wait, for a server or a paced recording: three at a time keep two cores busy.
at_once=${JOBS:-$(nproc)}
at_once=$((at_once + (at_once + 1) / 2))
costs=build/$preset/Testing/Temporary/CTestCostData.txt
[ -f "$costs" ] || costs=/dev/null
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# announce OPTIONS...: how many tests CTest is about to run, and about how long, where it has run most of them here before.
announce() {
    ctest --test-dir "build/$preset" -N "$@" | sed -n 's/^ *Test *#[0-9]*: *\([^ ]*\).*/\1/p' |
        awk -v at_once="$at_once" '
            NR == FNR { if (NF == 3 && $2 > 0) { costs[$1] = $3 } next }
            { tests++; if ($1 in costs) { known++; sum += costs[$1] } }
            END {
                time = 2 * known > tests ? sprintf(", about %d s by the times of the last runs", sum / at_once + 1) : ""
                printf "check: %d tests, %d at a time%s\n", tests, at_once, time
            }' "$costs" -
}
tests() {
    announce "$@"
    $run ctest --test-dir "build/$preset" --output-on-failure -j "$at_once" "$@" || status=$?
    cat "build/$preset/Testing/Temporary/LastTest.log" >>"$log" || true
}
if [ -n "$leaks" ]; then
    tests -R "$leaks"
    ASAN_OPTIONS="$asan_options:detect_leaks=0"
    tests -E "$leaks|^test_sklearn"
else
    tests "$@"
fi
# A test that leaves something out prints "skipped: WHAT: DO". Those of higher tiers are left out by design.
left_out=$(awk '
    /^[0-9]+\/[0-9]+ Testing: / { test = $3 }
    /^skipped: / {
        sub(/^skipped: (.*: )?/, "")
        if (!/^set CLUMP_TEST_TIER=/ && !seen[test, $0]++) counts[$0]++
    }
    END { for (what in counts) printf "%4d test%s: %s\n", counts[what], counts[what] == 1 ? "" : "s", what }' "$log" |
    LC_ALL=C sort -k1,1nr -k3)
if [ -n "$left_out" ]; then
    printf '\nLeft out, of these tests all or a part, and what to do about it:\n%s\n' "$left_out"
fi
exit "$status"
