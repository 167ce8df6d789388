#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check.sh PRESET [options of ctest]: builds a preset and runs its tests. Ends with CTest's
# summary and, if some tests were left out, why. Exit status: that of CTest.
set -eu
cd "$(dirname "$0")/.."

preset=$1
shift
scripts/build.sh "$preset"

run=
case $preset in
asan)
    export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1}"
    export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
    # Their clouds are others' tests' too, and it is the labels they look at.
    [ $# -gt 0 ] || set -- -E '^test_sklearn'
    ;;
tsan)
    # Archer, a part of clang's OpenMP runtime, tells the sanitizer which accesses OpenMP orders. The
    # runtime itself is not instrumented, so its insides must be ignored. tests/tsan.cmake shows that
    # with these settings a race is found and a correct program passes.
    export TSAN_OPTIONS="${TSAN_OPTIONS:-ignore_noninstrumented_modules=1:halt_on_error=1}"
    archer=$(clang -print-resource-dir)/../../libarcher.so
    if [ -f "$archer" ]; then export OMP_TOOL_LIBRARIES="${OMP_TOOL_LIBRARIES:-$archer}"; fi
    # Older sanitizers do not start where addresses are randomised more widely than they know.
    if setarch "$(uname -m)" -R true 2>/dev/null; then run="setarch $(uname -m) -R"; fi
    # One thread, or others' programs: nothing to be found.
    [ $# -gt 0 ] || set -- -R '^(test|example|tsan)_' -E '^test_(io|pcd|ply|las|labels|hash|sim|pcl|sklearn)'
    ;;
esac

status=0
$run ctest --test-dir "build/$preset" --output-on-failure -j "${JOBS:-$(nproc)}" "$@" || status=$?
if skipped=$(grep '^skipped: ' "build/$preset/Testing/Temporary/LastTest.log"); then
    echo
    echo "Left out:"
    echo "$skipped" | sed 's/^skipped: /  /' | sort -u
fi
exit "$status"
