#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2034,SC2317,SC1090
#
# Tests of the program. A group is a script GROUP.sh that calls the functions below in an empty
# folder; what it prints must be what is recorded in GROUP.txt.
#
#     run.sh [--record] CLUMP [GROUP...]
#
# CLUMP_TEST_TIER in the environment says how long it may take: 1, the default, leaves out what `full` runs, whose lines begin with
# "2| " in the transcript. --record runs all and replaces the recorded transcripts (look at the difference before you keep it). A
# script that cannot do a part calls `skip`, which is said but not compared. Exit status: 0 the same, 1 not.
set -u
export LC_ALL=C
export CLUMP_PROGRESS=1000000 # lines of progress in a log: none, also where a command takes 10 s
unset CDPATH

tier=${CLUMP_TEST_TIER:-1}
record=false
if [ "${1-}" = --record ]; then record=true; tier=2; shift; fi
if [ $# -lt 1 ]; then echo "usage: run.sh [--record] CLUMP [GROUP...]" >&2; exit 2; fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cli=$here/../../cli # the manual
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
if [ ! -x "$program" ]; then echo "run.sh: $program: there is no such program" >&2; exit 2; fi
shift
if [ $# -eq 0 ]; then # all of them
    for script in "$here"/*.sh; do
        group=$(basename "$script" .sh)
        [ "$group" = run ] || set -- "$@" "$group"
    done
fi

scratch=$(mktemp -d)
cleanup() { if [ -d "$scratch/full" ]; then umount "$scratch/full" 2>/dev/null; fi; rm -rf "$scratch"; }
trap cleanup EXIT

clump() { "$program" "$@"; }

# The names of all commands, one per line: "gen factors" has two words.
commands() { clump --help | sed -n '/^Commands:/,/^$/s/^  \(.\{13\}\) .*/\1/p' | sed -e 's/ *$//' -e '/^help COMMAND/d'; }

# What differs from machine to machine and run to run.
scrub() {
    sed -E -e '/^(time|stages) /s/[0-9][0-9.]* (ms|s|min|h)( [0-9]+ (s|min))?/T ms/g' \
        -e 's/^(moved|memory)   .*/\1   BYTES/' \
        -e '/^busy /s/[0-9]+/N/g' \
        -e 's/^ran      ([a-z-]+) on .*/ran      \1 on DEVICE/' \
        -e 's/^(advice    [a-z]+ by [a-z]+ on) the [CG]PU: ([^;]*).*/\1 DEVICE: \2/'
}

# Runs clump and shows what was typed, stdout, stderr with "! " before each line, and a status
# other than 0.
try() {
    echo "\$ clump $*"
    clump "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    local status=$?
    scrub <"$scratch/stdout"
    sed 's/^/! /' "$scratch/stderr"
    if [ "$status" -ne 0 ]; then echo "= $status"; fi
}

# The same for messages that libclump and libclump_io word: only "clump: file:" is compared.
try_message() {
    try "$@" | sed -E 's/^(! clump: ([^:]*: )?).*/\1.../'
}

# check WHAT COMMAND...: says whether the command succeeds.
check() {
    local what=$1
    shift
    if "$@" >"$scratch/stdout" 2>&1; then echo "ok: $what"; else
        echo "NOT ok: $what"
        sed 's/^/    /' "$scratch/stdout"
    fi
}

# refused SENTENCE ARGUMENTS...: whether clump fails with status 1 and one line, this sentence (a pattern).
refused() {
    local sentence=$1
    shift
    clump "$@" >out 2>err
    if [ $? -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "^clump: $sentence" err; then return 0; fi
    cat err
    return 1
}

# full COMMAND...: runs it in tier 2 and above.
full() {
    local status
    [ "$tier" -ge 2 ] || return 0
    "$@" >"$scratch/full.txt"
    status=$?
    sed 's/^/2| /' "$scratch/full.txt"
    return "$status"
}

# skip WHAT DO: for a check that cannot be made; counts as passed. DO is what to do about it, in the same words as other tests
# (tests/support/check.h).
skip() {
    say_skipped "$1" "$2"
    echo "ok: $1"
}
say_skipped() { echo "skipped: $1: $2" >&3; }
do_data="set CLUMP_DATA to a folder with the real scans"
do_gpu="run it on a machine with an NVIDIA GPU"
do_no_gpu="run it on a machine without an NVIDIA GPU"
do_build="run scripts/setup.sh and build anew"
do_setup="run scripts/setup.sh"
do_python="run scripts/setup.sh --python and build anew"
do_unwatched="run it without a sanitizer"
do_root="run it as root"
do_elsewhere="run it on another system"

# cloud FILE: a small cloud. Clusters at distance 1: {0 1 2} near 0,0,0; {3 4} near 10; {5} at 20; 6 is not finite.
cloud() {
    cat >"$1" <<END
# .PCD v0.7
VERSION 0.7
FIELDS x y z intensity
SIZE 4 4 4 4
TYPE F F F F
COUNT 1 1 1 1
WIDTH 7
HEIGHT 1
VIEWPOINT 0 0 0 1 0 0 0
POINTS 7
DATA ascii
10 0 0 1
0 0.5 0.25 2
0 0 0 3
10.5 0 0.5 4
0.5 0 0 5
20 0 2 6
nan nan nan 7
END
}

failed=0
for group in "$@"; do
    rm -rf "$scratch/work"
    mkdir "$scratch/work"
    expected=$scratch/expected.txt
    if [ "$tier" -ge 2 ]; then cp "$here/$group.txt" "$expected"; else sed '/^2| /d' "$here/$group.txt" >"$expected"; fi
    (cd "$scratch/work" && source "$here/$group.sh") 3>&2 >"$scratch/$group.txt"
    if $record; then
        cp "$scratch/$group.txt" "$here/$group.txt"
        echo "recorded: $group"
    elif diff -u --label "recorded $group" --label "now" "$expected" "$scratch/$group.txt"; then
        echo "passed: $group"
    else
        echo "FAILED: $group"
        failed=1
    fi
    if grep -E '^(2\| )?NOT ok' "$scratch/$group.txt"; then failed=1; fi
done
exit $failed
