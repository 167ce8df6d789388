#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check.sh PRESET[:TARGET] [--after LOG] [options of ctest]: builds a preset, or one target of it, and runs its tests.
# Prints CTest's summary, then one line per reason for which tests were skipped. Exit status: that of CTest. --after leaves out
# the tests that are complete in the log of another machine.
#
# All tests of the preset release are measured, too: what is over the budgets of scripts/parts.txt is printed. It fails only where
# CLUMP_TEST_SECONDS is "judge" (.ci/run).
set -eu
cd "$(dirname "$0")/.."

preset=${1%%:*}
target=${1#"$preset"}
shift
if [ "${1:-}" = --after ]; then
    done_before=$(scripts/left-out.sh --complete "$2" | paste -s -d '|')
    shift 2
    set -- -E "^($done_before)\$" "$@"
fi
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

times=
if [ "$preset$target$*" = release ] && [ "${CLUMP_TEST_TIER:-1}" = 1 ] && command -v python3 >/dev/null; then
    times=$PWD/build/$preset/Testing/Times
    rm -rf "$times"
    mkdir -p "$times"
    export CLUMP_TEST_TIMES="$times"
fi

status=0
# Some tests wait, for a server or a paced recording: three at a time keep two cores busy.
at_once=${JOBS:-$(nproc)}
at_once=$((at_once + (at_once + 1) / 2))
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tests() {
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
left_out=$(scripts/left-out.sh "$log")
if [ -n "$left_out" ]; then
    printf '\nLeft out, of these tests all or a part:\n%s\n' "$left_out"
fi
if [ -n "$times" ]; then
    judge=
    if [ "${CLUMP_TEST_SECONDS:-}" = judge ]; then judge=--ci; fi
    printf '\nProcessor seconds of the tests (scripts/parts.py):\n'
    scripts/parts.py --seconds $judge "build/$preset" || status=1
fi
exit "$status"
