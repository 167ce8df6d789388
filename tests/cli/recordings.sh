# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# Recordings: what info says of them, and what other commands say that are given one.
mkdir scans
for i in 0 1 2; do cloud "scans/$i.pcd"; done
clump play scans --flat-out -q -o drive.mcap -- ec -d 1
clump play scans --flat-out -q -o drive.bag -- ec -d 1
clump play scans --flat-out --loop 2 -q -o twice.mcap -- ec -d 1

try info scans
try info drive.mcap --json
try info drive.bag
try info drive.bag --json
try info scans/0.pcd scans/2.pcd
try info twice.mcap
try info scans/0.pcd | head -n 3
cp drive.mcap renamed
try info renamed | head -n 2

for command in "ec drive.bag -d 1" "detect drive.mcap" "ground scans" "convert drive.bag x.pcd" "nn scans/0.pcd drive.mcap"; do
    # shellcheck disable=SC2086
    try $command
done

mkdir empty
try_message info empty
try_message info missing.bag
echo "no recording" >wrong.bag
try_message info wrong.bag
: >nothing.mcap
try_message info nothing.mcap
try info scans/0.pcd --metadata x.json
try info scans/0.pcd scans/1.pcd --labels x.labels
try info scans/0.pcd scans/1.pcd --partial

# Every cut of a recording is described or refused; none takes the program down.
for name in mcap bag; do
    size=$(wc -c <drive.$name)
    odd=0 described=0
    for part in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        head -c $((size * part / 16)) drive.$name >cut.$name
        clump info cut.$name >out 2>err
        status=$?
        [ $status -eq 0 ] && described=$((described + 1))
        [ $status -le 1 ] || odd=$((odd + 1))
        [ $status -ne 0 ] || grep -q '^lost ' out || odd=$((odd + 1))
    done
    check "cuts of the $name are described, and what is lost is said" [ $odd -eq 0 ]
    check "most of them" [ $described -ge 12 ]
done
