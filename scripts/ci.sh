#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/ci.sh TIER [--since COMMIT] [--only NAME] [--list]: the checks of a tier, from the table below.
#
#     1  make test         a quarter of the random cases; with PART=io in the environment the tests of that part alone
#                          (scripts/parts.txt has the parts)
#     2  .ci/run           all random cases, sanitizers, a machine that has nothing; what else the change reaches; one row of tier 3 in turn
#     3  make check-all    all rows of the tiers 2 and 3, with 20 times the random cases: a night
#
# In tier 2 a row runs where a file that has changed matches its paths. Changed is what differs from COMMIT: by default the last commit
# for which tier 2 has passed on this machine, else the last one that is 12 hours older than this one. --list prints the rows that would
# run and because of which file, and those that would not. --only runs one row, whatever has changed. A row whose name begins with ~
# takes turns with the others of that kind: one per run, chosen by the number of commits.
#
# Exit status 1: a row failed; all others have run.
# shellcheck disable=SC2034,SC2317 # the paths are named by the table, and so are the functions
set -uo pipefail
cd "$(dirname "$0")/.." || exit

usage() { echo "usage: scripts/ci.sh 1|2|3 [--since COMMIT] [--only NAME] [--list]" >&2; exit 2; }
tier=${1:-}
case $tier in 1 | 2 | 3) shift ;; *) usage ;; esac
since='' only='' list=no
while [ $# -gt 0 ]; do
    case $1 in
    --since) since=${2:?--since needs a commit}; shift ;;
    --only) only=${2:?--only needs the name of a row}; shift ;;
    --list) list=yes ;;
    *) usage ;;
    esac
    shift
done
if [ -n "${PART:-}" ]; then
    parts=$(sed -n 's/^\([a-z]*\) *|.*|.*|.*|.*|.*/\1/p' scripts/parts.txt | grep -vx data)
    grep -qxF -- "$PART" <<<"$parts" || { echo "ci: there is no part $PART: it is one of" $parts >&2; exit 2; }
fi
export CLUMP_TEST_TIER=$tier JOBS="${JOBS:-$(nproc)}"
# Warnings are errors here, and so are tests that take much longer than scripts/parts.txt says, unless other programs use the
# processors. For users they are not: compilers and machines of next year are others.
[ "$tier" = 1 ] || export CLUMP_WERROR=ON CLUMP_TEST_SECONDS=judge
[ "$tier" = 1 ] || exec </dev/null # sudo may ask for a password in tier 1
passed=${XDG_CACHE_HOME:-$HOME/.cache}/clump/passed

# --- what has changed ------------------------------------------------------------------------------------------------------------

# The paths of a part, and of what it is built on.
core='^(src/|include/clump/|CMake|cmake/|tests/(support|oracle|hostile|jobs|core|cluster|objects|drive|CMakeLists|core\.cmake))'
io="$core|^(io/|tests/(io|las|lazperf|recordings|sensors|recorder|fuzz))"
big="$io|^(big/|mpi/|tests/(big|mpi))"
view="$io|^(viewer/|tests/(view|viewer|golden))"
program="$big|$view|^(cli/|sim/|tests/(cli|program))"
python="$io|^(viewer/|python/|pyproject|setup\.py|MANIFEST)"
threads='^(src/common/(team|park|thread|adapt|cores)|src/core/(context|work|call)|big/(ranks|run|workers|peers/)|viewer/server/|cli/play/|tests/core/(test_team|task_systems)|tests/tsan)'
packages='(^|/)CMakeLists\.txt$|^cmake/|^CMakePresets|^packaging/|^include/|^scripts/(dist|abi|deb|cpack|symbols|install)|^tests/(install|packages)'
wheels='^(python/|setup\.py|pyproject|MANIFEST|io/CMakeLists|scripts/wheel)'

if [ "$tier" = 2 ] && [ -z "$since" ]; then
    since=$(cat "$passed" 2>/dev/null) && git merge-base --is-ancestor "$since" HEAD 2>/dev/null ||
        since=$(git rev-list -1 --before="$(($(git log -1 --format=%ct) - 43200))" HEAD)
fi
changed=$({ git diff --name-only "${since:-4b825dc642cb6eb9a060e54bf8d69288fbee4904}" && git ls-files --others --exclude-standard; } 2>/dev/null) ||
    { [ "$tier" != 2 ] || { echo "ci: $since is no commit of this repository" >&2; exit 2; }; }
reach() { grep -m 1 -E "$1" <<<"$changed"; }

# Labels of CTest: the parts that the change reaches. house: always.
labels() {
    local found=build part
    for part in core io big view program python; do
        if reach "${!part}" >/dev/null; then found+="|$part"; fi
    done
    if reach "$core" >/dev/null; then found='.*'; fi
    if reach '^(bench|rivals)/|^tests/(bench|rivals)' >/dev/null; then found+='|bench'; fi
    if reach '^include/clump/pcl|^tests/pcl' >/dev/null; then found+='|pcl'; fi
    if reach '^sim/|^tests/sim' >/dev/null; then found+='|sim'; fi
    echo "^($found)\$"
}

# --- what the rows call ----------------------------------------------------------------------------------------------------------

# make_test: a line on what will happen; ninja and CTest say how far they are. The processor seconds of all tests are measured, and
# what is over the budgets of scripts/parts.txt is printed.
make_test() {
    scripts/setup.sh --tests --python || return
    echo "test: builds clump and its tests, about a minute, then runs ${PART:+those of the part }${PART:-all tests}, about two minutes on 2 cores"
    scripts/build.sh release || return
    local times=$PWD/build/release/Testing/Times status=0
    if [ -z "${PART:-}" ] && command -v python3 >/dev/null; then
        rm -rf "$times" && mkdir -p "$times" && export CLUMP_TEST_TIMES="$times"
    fi
    run_tests release ${PART:+-L "^$PART\$"} || status=1
    if [ -n "${CLUMP_TEST_TIMES:-}" ]; then
        printf '\nProcessor seconds of the tests:\n'
        scripts/parts.py --seconds ${CLUMP_TEST_SECONDS:+--ci} build/release || status=1
    fi
    return $status
}
# left_out LOG: a test that leaves something out prints "skipped: WHAT: DO". Each DO stands once, with the number of its tests. What
# other tiers do is left out by design.
left_out() {
    awk '
        /^[0-9]+\/[0-9]+ Testing: / { test = $3 }
        /^skipped: / {
            sub(/^skipped: (.*: )?/, "")
            if (!/CLUMP_TEST_TIER=/ && !seen[test, $0]++) counts[$0]++
        }
        END { for (what in counts) printf "%4d test%s: %s\n", counts[what], counts[what] == 1 ? "" : "s", what }' "$1" |
        LC_ALL=C sort -k1,1nr -k3 | sed '1s/^/\nLeft out, of these tests all or a part, and what to do about it:\n/'
}
# run_tests PRESET [options of ctest]: some tests wait, for a server or a paced recording: three at a time keep two cores busy.
run_tests() {
    local preset=$1 status=0 log=build/$1/Testing/Temporary/LastTest.log run=''
    shift
    case $preset in
    asan) export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}" ASAN_OPTIONS="${ASAN_OPTIONS:-strict_string_checks=1:detect_leaks=1}" ;;
    tsan) # A program that still has threads would sleep for a second at its end. Older sanitizers do not start under a wide randomisation.
        export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:atexit_sleep_ms=0}"
        if setarch "$(uname -m)" -R true 2>/dev/null; then run="setarch $(uname -m) -R"; fi
        ;;
    esac
    $run ctest --test-dir "build/$preset" --output-on-failure -j $((JOBS + (JOBS + 1) / 2)) "$@" || status=1
    left_out "$log"
    return $status
}
both() { scripts/build.sh "$1" && run_tests "$@"; }
# sanitized PRESET TARGETS REGEX: builds these targets alone, and runs these tests.
sanitized() {
    # shellcheck disable=SC2086 # a list of words
    scripts/build.sh "$1" $2 && run_tests "$1" -R "$3"
}
fresh() { scripts/fresh.sh --cache "$@" || [ $? -eq 77 ]; }
# README's test command, on a machine that has nothing but nvcc; here where no such machine can be made.
fresh_test() {
    local status=0
    CLUMP_TEST_TIER=1 scripts/fresh.sh --cache cuda:test || status=$?
    [ $status -ne 77 ] || CLUMP_TEST_TIER=1 make test || status=$?
    [ $status -eq 77 ] || return $status
}
portable() {
    CLUMP_CUDA=ON CLUMP_BUILD_BENCH=ON scripts/build.sh portable && run_tests portable -L "$(labels)"
}
packages() {
    scripts/dist.sh --head && scripts/abi.sh && scripts/cpack.sh build/portable && scripts/deb.sh --no-check && { scripts/deb-check.sh || [ $? -eq 77 ]; }
}
by_clang() {
    cmake --preset portable -B build/clang -DCMAKE_C_COMPILER=clang -DCLUMP_CUDA=OFF && cmake --build build/clang -j "$JOBS" --target "$1" &&
        ctest --test-dir build/clang --output-on-failure -j "$JOBS" -R "$2"
}
ros() { CHECK_ROS=build scripts/check-ros.sh || [ $? -eq 77 ]; }

# --- the table -------------------------------------------------------------------------------------------------------------------

# What has memory, damage and cancelling: one build of libclump, io and big with their test programs.
memory_programs='tests_jobs tests_core tests_io tests_big fuzz_replay asan_leak'
memory_tests='^(test_(jobs_.*|hostile|context|memory|methods|team|io.*|pcd|ply.*|npy|label.*|big_.*|ranks.*|mail)|fuzz_.*|asan_leak)$'
thread_programs='tests_core tests_jobs tests_big tests_view_server test_view_server_limits tsan_race tsan_clean'
thread_tests='^(tsan_.*|test_(team|context|jobs_(threads|cancel)|big_cancel|ranks|mail|view_server.*))$'

# tier | minutes on 2 cores, with the compiler cache of the run before | name | paths, a variable or . for always | command
rows='
1 | 3   | make test                    | .        | make_test
2 | 0.2 | format                       | .        | scripts/format.sh --check
2 | 0.1 | house                        | .        | python3 scripts/rooms.py && sh scripts/check-spdx.sh
2 | 4   | make test on a fresh machine | .        | fresh_test
2 | 9   | full rounds, levels, CUDA    | .        | portable
2 | 4   | address, undefined           | big      | sanitized asan "$memory_programs" "$memory_tests"
2 | 3   | threads                      | threads  | sanitized tsan "$thread_programs" "$thread_tests"
2 | 2   | another fresh machine        | .        | fresh $(scripts/fresh.sh --turn)
2 | 7   | wheel and sdist              | wheels   | CLUMP_WHEELS=$(uname -m) make wheel-check
2 | 5   | packages                     | packages | packages
2 | 3   | ROS 2 package                | ros      | ros
3 | 3   | ~ threads                    | .        | sanitized tsan "$thread_programs" "$thread_tests"
3 | 5   | ~ address: clustering        | .        | sanitized asan "tests_cluster tests_objects tests_drive" "^test_(batch|dbscan.*|ec|nn.*|ranged.*|tree|describe.*|detect|erccl.*|objects.*|scan|icp.*|odometry|map)$"
3 | 5   | ~ address: files, page       | .        | sanitized asan "tests_las tests_recordings test_recording_memory tests_sensors tests_recorder tests_view test_view_stored tests_view_server test_view_server_limits" "^test_(las.*|laz.*|(bag|mcap|pcap|sqlite)_hostile|recording.*|velodyne.*|hesai.*|ouster.*|view_.*)$"
3 | 5   | ~ address: program           | .        | sanitized asan "clump_program tests_program" "^(cli_(ec|dbscan|detect|objects|play|files|reading|output|view|nn|usage)|test_number)$"
3 | 4   | ~ clang                      | .        | by_clang tests_core "^test_(hostile|level|memory|rules)$"
3 | 2   | ~ accuracy                   | .        | scripts/build.sh portable clump_program && CLUMP_TEST_TIER=3 run_tests portable -R "^house_(accuracy|score)$"
3 | 5   | ~ packages                   | .        | packages
3 | 7   | wheel, sdist, import orders  | .        | make wheel-check
3 | 40  | all fresh machines           | .        | fresh
3 | 90  | threads, all                 | .        | both tsan -R "^(test|example|tsan)_" -E "^test_(pcl|sklearn)"
3 | 120 | address, undefined, all      | .        | both asan
3 | 60  | clang, all                   | .        | by_clang all .
3 | 2   | what became slower           | .        | make bench-slower
'
ros='^ros/'

# The rows with ~: which one is due.
mapfile -t turns < <(sed -n 's/^3 |[^|]*| \(~[^|]*[^ |]\) *|.*/\1/p' <<<"$rows")
due=${turns[$(($(git rev-list --count HEAD) % ${#turns[@]}))]}

# why_not TIER NAME PATHS: why a row does not run; nothing where it does. Sets because.
why_not() {
    because=''
    if [ -n "$only" ]; then
        [ "$2" = "$only" ] || echo "another row was asked for"
    elif [ "$tier" = 1 ] || [ "$1" = 1 ]; then
        [ "$tier" = "$1" ] || echo "it belongs to tier $1"
    elif [ "$tier" = 2 ] && [ "$1" = 3 ]; then
        case $2 in
        "$due") if [[ $ran == *"|${due#\~ }|"* ]]; then echo "it has run"; else because="its turn"; fi ;;
        ~*) echo "it is the turn of $due" ;;
        *) echo "it belongs to tier 3" ;;
        esac
    elif [ "$tier" = 2 ] && [ "$3" != . ]; then
        because=$(reach "${!3}") || echo "no file has changed that it depends on"
    fi
}

status=0 known=no report='' ran='|'
sum=0
[ "$tier" = 1 ] || [ "$list" = yes ] || scripts/setup.sh --cache --tests --laz --format --rivals --sanitizers --mpi --viewer --ros --packages --python --python-long
if command -v ccache >/dev/null; then # one compiler cache for all builds, also that of the fresh machine
    export CMAKE_{C,CXX,CUDA}_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content CCACHE_BASEDIR="$PWD"
fi
while IFS='|' read -r at minutes name paths command <&3; do # commands have their own standard input
    [ -n "$at" ] || continue
    at=${at// /} name=$(xargs <<<"$name") paths=${paths// /}
    why_not "$at" "$name" "$paths" >/dev/null # sets because
    reason=$(why_not "$at" "$name" "$paths")
    [ "$name" != "$only" ] || known=yes
    [ -n "$reason" ] || ran+="$name|"
    if [ -n "$reason" ]; then
        case $tier$at in 22 | 23) report+=$(printf '        -  %-30s %s' "$name" "$reason")$'\n' ;; esac
        continue
    fi
    if [ "$list" = yes ]; then
        report+=$(printf '%5s min  %-30s %s' "${minutes// /}" "$name" "${because:+because of $because}")$'\n'
        sum=$(awk "BEGIN { print $sum + $minutes }")
        continue
    fi
    start=$SECONDS
    [ "$tier" = 1 ] || printf '\n=== %s:%s\n' "$name" "$command"
    (eval "$command") 3<&- && verdict=passed || { verdict=FAILED; status=1; }
    report+=$(printf '%7d s  %-30s %s' $((SECONDS - start)) "$name" "$verdict")$'\n'
done 3<<<"$rows"
if [ -n "$only" ] && [ $known = no ]; then echo "ci: there is no row \"$only\" (scripts/ci.sh 3 --list)" >&2; exit 2; fi
if [ "$list" = yes ]; then
    printf '%s%5s min  in all\n' "$report" "$sum"
elif [ "$tier" != 1 ]; then
    printf '\n=== durations\n%s%7d s  in all\n' "$report" $SECONDS
    if [ $status -eq 0 ]; then echo "=== passed"; else echo "=== FAILED"; fi
    # Only a whole run says something about the next one.
    if [ $status -eq 0 ] && [ "$tier" = 2 ] && [ -z "$only" ] && [ -z "$(git status --porcelain 2>/dev/null)" ]; then
        mkdir -p "${passed%/*}" && git rev-parse HEAD >"$passed"
    fi
fi
exit $status
