#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check.sh PRESET [options of ctest]: builds a preset and runs its tests. Ends with CTest's
# summary and, if something was left out, with one line per reason. Exit status: that of CTest.
set -eu
cd "$(dirname "$0")/.."

preset=$1
shift
scripts/build.sh "$preset"

run=
leaks=
case $preset in
asan)
    export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
    # Looking for leaks takes seconds at the end of every process, so only programs in which there could be some do
    # it: parsers, contexts, whatever owns memory for its caller. scikit-learn's clouds are other tests' too, and it
    # is the labels that it looks at.
    if [ $# -eq 0 ]; then
        leaks='^(fuzz|example)_|^test_(memory|dbscan_memory|context|io|pcd|ply|las|laz|labels|nn_call|icp|erccl_call|ranged_call|describe)'
    fi
    asan_options=${ASAN_OPTIONS:-strict_string_checks=1}
    export ASAN_OPTIONS="$asan_options:detect_leaks=1"
    ;;
tsan)
    # tests/tsan.cmake shows that a race is found and that a correct program passes.
    export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1}"
    # Older sanitizers do not start where addresses are randomised more widely than they know.
    if setarch "$(uname -m)" -R true 2>/dev/null; then run="setarch $(uname -m) -R"; fi
    # One thread, or others' programs: nothing to be found.
    [ $# -gt 0 ] || set -- -R '^(test|example|tsan)_' -E '^test_(io|pcd|ply|las|labels|hash|sim|pcl|sklearn)'
    ;;
esac

status=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tests() {
    $run ctest --test-dir "build/$preset" --output-on-failure -j "${JOBS:-$(nproc)}" "$@" || status=$?
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
exit "$status"
