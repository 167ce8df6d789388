#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/gpu-check.sh [build|test|sanitize|bench|latency|papers]...: the checks that need an NVIDIA GPU, which CI does not have.
# The first four steps run where none is named:
#
#     build       builds the tree in build/gpu, for the GPU of this machine
#     test        compares src/rules on the GPU, and every job and method, with the CPU, bit for bit; then
#                 the program: labels, boxes and replays; then the Python package (scripts/gpu-python.sh)
#     sanitize    runs small clouds under compute-sanitizer: memcheck with leaks, racecheck, initcheck, synccheck. Racecheck
#                 takes most of the time, about 10 minutes with 16 cores; TOOLS="memcheck|initcheck|synccheck" leaves it out.
#                 SANITIZERS is the number of tests at a time, 8
#     bench       runs clump_bench gpu; results go to bench/results/GPU.csv. Options are in the variable BENCH:
#                 BENCH="--only fast,dbscan" measures two parts
#     latency     runs clump_bench latency: paced frames on the GPU, and on the CPU beside it, while the host is idle and
#                 busy; about 4 minutes. Results go to bench/results/latency/. Options are in the variable LATENCY:
#                 LATENCY="--job detect --only full,10hz,gpu --frames 1000" takes about 2 minutes
#     papers      runs the experiments of the papers, clump_bench papers, and makes their report, build/papers/report.html;
#                 about 8 minutes. Results go to bench/results/papers/GPU.csv. Options and experiments are in the variable
#                 PAPERS: PAPERS="--quick ec-size". PCL runs beside where the machine has it, or its headers are in the
#                 folder CLUMP_PCL_HEADERS when the tree is built (docs/benchmarks.md)
#
# Scans are in the folder CLUMP_DATA. Logs stay in build/gpu/logs. With CODE=75-virtual the tests run the code for older
# GPUs, which the driver translates for the GPU of this machine, in build/gpu-75-virtual.
# Status 0: all checks passed; 1: one failed; 2: this machine cannot run them.
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
    build | test | sanitize | bench | latency | papers) ;;
    *) cannot "$step is none of build, test, sanitize, bench, latency, papers" ;;
    esac
done

export CLUMP_COMMIT="${CLUMP_COMMIT:-$(bench/commit.sh)}" # rows of benches name it
export CLUMP_TEST_TIER="${CLUMP_TEST_TIER:-2}"
folder=build/gpu${CODE:+-$CODE}
logs=$folder/logs
mkdir -p "$logs"
begin=$(date +%s)
failed=

# check NAME COMMAND...: runs the command with its output in a log, and prints one line on the result. Prints the end of
# the log where the command failed.
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

# limited SECONDS COMMAND...: ends a command that hangs.
limited() {
    seconds=$1
    shift
    if command -v timeout >/dev/null; then timeout "$seconds" "$@"; else "$@"; fi
}

# Test programs, and their lists of tests.
programs="tests_cuda test_cuda_streams"
lists="test_cuda_streams $(cd tests/cuda && echo test_*.c | sed 's/\.c//g')"

# program_of LIST: the program that has it, and the name of the list
program_of() {
    case $1 in
    gpu_rules) echo "$folder/tests/gpu_rules" ;;
    test_cuda_streams) echo "$folder/tests/test_cuda_streams $1" ;;
    *) echo "$folder/tests/tests_cuda $1" ;;
    esac
}

build() {
    architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
    code=${CODE:-${architecture:-90}-real}
    set -- -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCLUMP_NATIVE=ON -DCLUMP_CUDA=ON -DCLUMP_BUILD_BENCH=ON -DCLUMP_LAZPERF=OFF -DCLUMP_INSTALL=OFF \
        "-DCMAKE_CUDA_ARCHITECTURES=$code" "-DCLUMP_PCL_HEADERS=${CLUMP_PCL_HEADERS:-}"
    # a configured folder keeps its generator
    if [ ! -f "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null; then set -- "$@" -G Ninja; fi
    check "configure" cmake "$@" || return 1
    # shellcheck disable=SC2086
    check "build" cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target $programs gpu_rules clump_bench clump_program || return 1
    if [ -n "${CLUMP_PCL_HEADERS:-}" ]; then
        check "build rivals" cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target rival_pcl_best rival_nn_best
    fi
}

built() {
    [ -x "$folder/tests/tests_cuda" ] && [ -x "$folder/bench/clump_bench" ] && return 0
    echo "gpu-check: nothing is built in $folder yet (scripts/gpu-check.sh build)"
    failed="$failed, $1"
    return 1
}

run_tests() {
    built test || return
    check "rules" limited 120 "$folder/tests/gpu_rules"
    for list in $lists; do
        # shellcheck disable=SC2046
        check "$list" limited 500 $(program_of "$list")
    done
    check "program" limited 300 tests/gpu/program.sh "$folder/cli/clump" "$folder/program"
    check "python" or_skipped limited 500 scripts/gpu-python.sh "$folder"
    grep -h '^skipped: \|scans of' "$logs"/test_*.log "$logs/python.log" | grep -v 'run it on a machine without an NVIDIA GPU' | sed 's/^/         /'
}

# or_skipped COMMAND...: a test that is too large under a sanitizer may be skipped.
or_skipped() {
    "$@"
    status=$?
    [ "$status" -eq 77 ] || return "$status"
}

# sanitize_one TOOL LIST [TEST]
sanitize_one() {
    seconds=400
    CLUMP_TEST_SMALL=1
    # the slowest tool: it follows every barrier, and the matrix methods have many, of 1024 threads
    if [ "$1" = racecheck ]; then seconds=500 CLUMP_TEST_SMALL=2; fi
    export CLUMP_TEST_SMALL
    leaks=
    if [ "$1" = memcheck ]; then leaks="--leak-check full"; fi
    # shellcheck disable=SC2046,SC2086
    check "$1 $2${3:+ $3}" or_skipped limited "$seconds" compute-sanitizer --tool "$1" --error-exitcode 1 --print-limit 20 \
        $leaks $(program_of "$2") ${3:-}
}

# One of several lanes that run the list in parallel. The lane that makes the folder of a line runs the line.
sanitize_lane() {
    line=0
    while read -r tool program test <&3; do
        line=$((line + 1))
        mkdir "$claims/$line" 2>/dev/null || continue
        sanitize_one "$tool" "$program" "$test" || touch "$claims/failed"
    done 3<"$claims/list"
}

sanitize() {
    built sanitize || return
    if ! command -v compute-sanitizer >/dev/null; then
        echo "gpu-check: there is no compute-sanitizer here"
        failed="$failed, sanitize"
        return
    fi
    claims=$logs/sanitize
    rm -rf "$claims"
    mkdir "$claims"
    all="test_cuda test_cuda_batch test_cuda_dbscan test_cuda_erccl test_cuda_describe test_cuda_detect test_cuda_objects test_cuda_nn test_cuda_pieces test_cuda_jobs"
    { # the slow tools first; racecheck test by test
        for program in $all; do
            sed -n "s/^ *RUN(\(.*\));/racecheck $program \1/p" "tests/cuda/$program.c"
        done
        for tool in memcheck initcheck synccheck; do
            for program in $all; do echo "$tool $program"; done
        done
        for tool in racecheck initcheck synccheck; do
            for test in sources_of_all_sizes targets_of_all_kinds; do echo "$tool test_cuda_icp $test"; done
        done
        for program in test_cuda_memory test_cuda_failures test_cuda_index test_cuda_icp; do echo "memcheck $program"; done
        for tool in memcheck racecheck initcheck; do echo "$tool gpu_rules"; done
    } | grep -E "^(${TOOLS:-.*}) " >"$claims/list"
    lane=0
    while [ "$lane" -lt "${SANITIZERS:-8}" ]; do
        sanitize_lane &
        lane=$((lane + 1))
    done
    wait
    if [ -e "$claims/failed" ]; then failed="$failed, sanitize"; fi
}

bench() {
    built bench || return
    gpu=$("$folder/bench/clump_bench" gpu --machine) || { failed="$failed, bench"; return; }
    csv=bench/results/$gpu.csv
    mkdir -p bench/results
    # shellcheck disable=SC2086
    check "bench" limited "${BENCH_SECONDS:-400}" "$folder/bench/clump_bench" gpu --csv "$csv" ${BENCH:-}
    cat "$logs/bench.log"
    echo "         results: $csv"
}

latency() {
    built latency || return
    program=$folder/bench/clump_bench
    csv=bench/results/latency/$("$program" latency --machine).csv || { failed="$failed, latency"; return; }
    mkdir -p bench/results/latency
    # shellcheck disable=SC2086
    check latency limited "${BENCH_SECONDS:-400}" "$program" latency --csv "$csv" ${LATENCY:-}
    cat "$logs/latency.log"
    echo "         results: $csv"
}

papers() {
    built papers || return
    program=$folder/bench/clump_bench
    csv=bench/results/papers/$("$program" papers --machine).csv || { failed="$failed, papers"; return; }
    mkdir -p bench/results/papers build/papers
    # shellcheck disable=SC2086
    check papers limited "${BENCH_SECONDS:-590}" "$program" papers --csv "$csv" ${PAPERS:-}
    cat "$logs/papers.log"
    echo "         results: $csv"
    if command -v python3 >/dev/null; then
        check report python3 bench/report page build/papers/report.html "$csv"
    else
        echo "         no report: python3 is not installed"
    fi
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
nvcc --version | tail -n 1
for step in "$@"; do
    case $step in
    build) build || break ;;
    test) run_tests ;;
    sanitize) sanitize ;;
    bench) bench ;;
    latency) latency ;;
    papers) papers ;;
    esac
done
printf '%5d s  in all\n' $(($(date +%s) - begin))
if [ -n "$failed" ]; then
    echo "gpu-check: failed: ${failed#, }"
    exit 1
fi
echo "gpu-check: passed"
