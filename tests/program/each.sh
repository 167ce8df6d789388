#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# each.sh CLUMP: --each writes, byte for byte, what a run per file writes, for every command, with any number of jobs. Prints
# what differs. Exit status: 0 the same, 1 not.
set -u
export LC_ALL=C
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
clump() { "$program" "$@"; }
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# Scans of several formats and sizes; one is broken, one is empty, one has no finite point.
mkdir scans
clump gen lidar --sensor vlp-16 -q -o scans/street.pcd || exit 1
made() { clump gen factors --points "$2" --clusters "$3" -q -o "scans/$1" || exit 1; }
made binary.bin 500 5
made survey.las 2000 10
made text.csv 320 4
made model.ply 960 30
printf 'VERSION 0.7\nFIELDS x y z\nnonsense' >scans/broken.pcd
printf 'x,y,z\n' >scans/nothing.csv
printf 'x,y,z\nnan,nan,nan\n' >scans/nowhere.csv

# output_of FILE: the name of the file that --each writes.
output_of() { case $1 in *.bin) echo "$(basename "$1" .bin).$bin" ;; *) basename "$1" ;; esac; }

# same COMMAND OPTIONS...: single runs, then all files at once by 1, 2 and 7 jobs. $bin is the ending of outputs of KITTI files.
same() {
    local command=$1 file stem
    shift
    rm -rf alone
    mkdir -p alone/out alone/boxes
    for file in scans/*; do
        stem=$(basename "$file")
        stem=${stem%.*}
        clump "$command" "$file" "$@" -q -o "alone/out/$(output_of "$file")" \
            ${lists:+--clusters "alone/boxes/$stem.csv"} 2>>alone/said && continue
        [ "$file" = scans/broken.pcd ] || fail "$command $*: $file alone"
    done
    [ -n "$lists" ] || rmdir alone/boxes
    for jobs in 1 2 7; do
        rm -rf each
        mkdir each
        clump "$command" scans --each --jobs $jobs "$@" -q -o each/out ${lists:+--clusters each/boxes/} 2>each/said
        [ $? -eq 1 ] || fail "$command $*: the status with $jobs jobs"
        diff -r alone each || fail "$command $*: with $jobs jobs"
    done
}

bin=labels lists=yes
same ec -d 0.5
same ec -d 0.4 --min-size 5 --order size --remove-ground --axes
same ec -d 0.5 --thin 0.2 --method edge-rs --max-range 10
same dbscan --eps 0.5 --min-points 5
same detect --by dbscan --eps-per-metre 0.01 --crop -30,30,-30,30,-inf,inf
same erccl --extent 40 --cell 0.1
lists=
same ground
bin=bin
same detect --keep objects
rm scans/binary.bin # it has no place for core flags
same dbscan --eps 0.5 --min-points 5 --core

# What is printed, and the list of all clusters, do not depend on the number of jobs either.
listed() { # JOBS OUT
    clump detect scans --each --jobs "$1" --clusters "$2.csv" >"$2" 2>"$2.err"
    sed -i '/^time /d' "$2"
    sed -i "s/$2/OUT/" "$2"
}
listed 1 one
listed 5 five
for kind in "" .err .csv; do cmp "one$kind" "five$kind" || fail "a report$kind by 1 and 5 jobs"; done
figures() { clump ec scans -d 0.5 --each --jobs "$1" --json 2>/dev/null | sed -E 's/"(threads|jobs|total_ms|elapsed_ms|time_ms)":[0-9.]+//g'; }
[ "$(figures 1)" = "$(figures 4)" ] || fail "JSON by 1 and 4 jobs"
{ head -1 one.csv | cut -d, -f2-; for file in scans/*; do grep "^$file," one.csv | cut -d, -f2-; done; } >joined
{
    head -1 joined
    for file in scans/*; do
        clump detect "$file" -q --clusters single.csv 2>/dev/null && tail -n +2 single.csv
    done
} >singles
cmp joined singles || fail "the list of all clusters is not that of single runs"

# More files than may be open at a time.
mkdir many
for i in $(seq 150); do cp scans/nowhere.csv "many/$i.csv"; done
(ulimit -n 60 && clump ec many -d 1 --each --jobs 2 -q -o few) || fail "150 files with 60 open ones"
[ "$(find few -type f | wc -l)" -eq 150 ] || fail "files are missing"
exit $failed
