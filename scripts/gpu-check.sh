#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/gpu-check.sh [build|test|sanitize|bench]...: what can only be checked on a machine with an NVIDIA
# GPU, which CI has not; all four steps where none is named:
#
#     build       the tree into build/gpu, for the GPU that is here
#     test        src/rules as the GPU computes it, and every method beside the CPU, bit for bit
#     sanitize    small clouds under compute-sanitizer: memcheck with leaks, racecheck, initcheck, synccheck
#     bench       clump_bench_gpu (options in the variable BENCH); results go to bench/results/GPU.csv
#
# Scans are looked for in the folder CLUMP_DATA. Logs stay in build/gpu/logs.
# Status 0: all is well; 1: not; 2: it cannot be checked here.
set -u
cd "$(dirname "$0")/.." || exit 2

cannot() {
    echo "gpu-check: $1" >&2
    exit 2
}
command -v nvcc >/dev/null || cannot "there is no nvcc here (the CUDA toolkit)"
command -v cmake >/dev/null || cannot "there is no cmake here"
nvidia-smi -L >/dev/null 2>&1 || cannot "there is no NVIDIA GPU here, or no driver for it"
[ $# -gt 0 ] || set -- build test sanitize bench
for step in "$@"; do
    case $step in
    build | test | sanitize | bench) ;;
    *) cannot "$step is none of build, test, sanitize, bench" ;;
    esac
done

folder=build/gpu
logs=$folder/logs
mkdir -p "$logs"
begin=$(date +%s)
failed=

# check NAME COMMAND...: runs it quietly, with a line on how it went; the end of its log where it went wrong.
check() {
    name=$1
    shift
    log=$logs/$(echo "$name" | tr ' ' '-').log
    start=$(date +%s)
    "$@" >"$log" 2>&1
    status=$?
    if [ "$status" -eq 0 ]; then
        verdict=$(grep -E '^[0-9]+ passed|^rules on the GPU|ERROR SUMMARY|RACECHECK SUMMARY' "$log" | tail -n 1 | sed 's/^=* *//')
        verdict="ok  $verdict"
    else
        case $status in
        77) verdict="FAILED: skipped" ;;
        124) verdict="FAILED: took too long" ;;
        *) verdict="FAILED: status $status" ;;
        esac
        failed="$failed, $name"
    fi
    printf '%5d s  %-36s %s\n' $(($(date +%s) - start)) "$name" "$verdict"
    if [ "$status" -ne 0 ]; then tail -n 40 "$log" | sed 's/^/         | /'; fi
    return "$status"
}

# Nothing here may hang for ever.
limited() {
    seconds=$1
    shift
    if command -v timeout >/dev/null; then timeout "$seconds" "$@"; else "$@"; fi
}

programs="test_no_cuda test_cuda test_cuda_dbscan test_cuda_memory test_cuda_failures test_cuda_streams test_cuda_large test_cuda_dbscan_large test_cuda_ranged test_cuda_erccl test_cuda_nn test_cuda_index"

build() {
    architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
    set -- -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCLUMP_NATIVE=ON -DCLUMP_CUDA=ON -DCLUMP_LAZ=OFF -DCLUMP_INSTALL=OFF \
        "-DCMAKE_CUDA_ARCHITECTURES=${architecture:-90}-real"
    # a folder that has been configured keeps its generator
    if [ ! -f "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null; then set -- "$@" -G Ninja; fi
    check "configure" cmake "$@" || return 1
    # shellcheck disable=SC2086
    check "build" cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target $programs gpu_rules clump_bench_gpu
}

built() {
    [ -x "$folder/tests/test_cuda" ] && [ -x "$folder/bench/clump_bench_gpu" ] && return 0
    echo "gpu-check: nothing is built in $folder yet (scripts/gpu-check.sh build)"
    failed="$failed, $1"
    return 1
}

run_tests() {
    built test || return
    check "rules" limited 120 "$folder/tests/gpu_rules"
    for program in $programs; do
        check "$program" limited 300 "$folder/tests/$program"
    done
    grep -h '^skipped: \|scans of' "$logs"/test_*.log | grep -v 'there is a CUDA device' | sed 's/^/         /'
}

# sanitize_one TOOL PROGRAM OPTIONS...
sanitize_one() {
    tool=$1
    program=$2
    shift 2
    seconds=180
    CLUMP_TEST_SMALL=1
    # the slowest of them: it follows every barrier, and the matrix methods have many, of 1024 threads
    if [ "$tool" = racecheck ]; then seconds=400 CLUMP_TEST_SMALL=2; fi
    export CLUMP_TEST_SMALL
    check "$tool $program" limited "$seconds" compute-sanitizer --tool "$tool" --error-exitcode 1 --print-limit 20 "$@" \
        "$folder/tests/$program"
}

sanitize() {
    built sanitize || return
    if ! command -v compute-sanitizer >/dev/null; then
        echo "gpu-check: there is no compute-sanitizer here"
        failed="$failed, sanitize"
        return
    fi
    for tool in memcheck racecheck initcheck synccheck; do
        leaks=
        if [ "$tool" = memcheck ]; then leaks="--leak-check full"; fi
        # shellcheck disable=SC2086
        sanitize_one "$tool" test_cuda $leaks
        # shellcheck disable=SC2086
        sanitize_one "$tool" test_cuda_dbscan $leaks
        # shellcheck disable=SC2086
        sanitize_one "$tool" test_cuda_erccl $leaks
        # shellcheck disable=SC2086
        sanitize_one "$tool" test_cuda_nn $leaks
        if [ "$tool" != synccheck ]; then sanitize_one "$tool" gpu_rules; fi
    done
    sanitize_one memcheck test_cuda_memory --leak-check full
    sanitize_one memcheck test_cuda_failures --leak-check full
    sanitize_one memcheck test_cuda_index --leak-check full
    unset CLUMP_TEST_SMALL
}

bench() {
    built bench || return
    gpu=$("$folder/bench/clump_bench_gpu" --machine) || { failed="$failed, bench"; return; }
    csv=bench/results/$gpu.csv
    mkdir -p bench/results
    # shellcheck disable=SC2086
    check "bench" limited "${BENCH_SECONDS:-400}" "$folder/bench/clump_bench_gpu" --csv "$csv" ${BENCH:-}
    cat "$logs/bench.log"
    echo "         results: $csv"
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
nvcc --version | tail -n 1
for step in "$@"; do
    case $step in
    build) build || break ;;
    test) run_tests ;;
    sanitize) sanitize ;;
    bench) bench ;;
    esac
done
printf '%5d s  in all\n' $(($(date +%s) - begin))
if [ -n "$failed" ]; then
    echo "gpu-check: failed: ${failed#, }"
    exit 1
fi
echo "gpu-check: passed"
