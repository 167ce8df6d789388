# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump gen lidar`: files, folders, sequences, recordings; what is refused. What the points are is in tests/sim/test_sim_lidar.c.

small=(--sensor vlp-16 --scene street)
try gen lidar "${small[@]}" -o one.pcd
try info one.pcd | grep -E '^(points|fields)'
try gen lidar -q "${small[@]}" -o one.bin --truth one.label
clump convert one.pcd truth.label -q
check "the truth beside the file is that in its fields" cmp one.label truth.label
check "a command repeated gives the same file" bash -c "'$program' gen lidar -q ${small[*]} -o again.pcd && cmp one.pcd again.pcd"
check "another seed gives another file" bash -c "'$program' gen lidar -q ${small[*]} --seed 2 -o other.pcd && ! cmp -s one.pcd other.pcd"
clump gen lidar "${small[@]}" -o - --to pcd 2>err >dash.pcd
cat err
check "standard output has the file" cmp one.pcd dash.pcd

# Frames: names are numbers of turns. Neither threads nor the first frame change a file.
try gen lidar "${small[@]}" --frames 3 -o drive --poses poses.txt
echo drive/*
cut -d' ' -f 1-4,8,12 poses.txt
try gen lidar "${small[@]}" --frames 2 -q -o drive.mcap --poses poses.tum --things things.csv
cut -d' ' -f 1,2,8 poses.tum
head -3 things.csv
try gen lidar "${small[@]}" -q -o one.pcd --things things.txt
try gen lidar "${small[@]}" -q -o one.pcd --things one.csv --poses one.csv
try gen lidar "${small[@]}" --frame 1 --frames 2 --threads 1 -o part --truth truth
echo part/* truth/*
check "frame 1 is frame 1" cmp drive/000001.pcd part/000001.pcd
check "frame 2 is frame 2" cmp drive/000002.pcd part/000002.pcd
check "frame 0 is the one alone" cmp drive/000000.pcd one.pcd
try gen lidar "${small[@]}" --frames 2 -o sequences --to semantickitti
find sequences -type f | sort
cat sequences/calib.txt sequences/times.txt
check "the poses are those of --poses" cmp sequences/poses.txt <(head -n 2 poses.txt)
check "the truth of the sequence is that of --truth" cmp sequences/labels/000001.label truth/000001.label
check "the points are those of the file" cmp sequences/velodyne/000000.bin one.bin
for name in mcap bag; do
    try gen lidar "${small[@]}" --frames 3 -o drive.$name
    try info drive.$name
    rm -rf back
    clump frames drive.$name -o back -q
    for i in 0 1 2; do
        clump convert drive/00000$i.pcd made.csv -q
        clump convert back/00000$i.pcd read.csv -q
        check "frame $i of the $name has points and truth" cmp made.csv read.csv
    done
done

# The commands understand what it writes.
clump detect one.pcd -q -o found.pcd
check "eval finds the truth in the fields" bash -c "'$program' eval found.pcd one.pcd | grep -q instances"
check "play runs over the recording" clump play drive.mcap --flat-out -q -- detect
clump gen lidar "${small[@]}" -o one.npy --json | sed -E 's/"(points|instances|time_ms)":[0-9.]+/"\1":0/g'

# What is refused, before anything is written
try gen lidar
try gen lidar -o a.pcd --sensor vlp16
try gen lidar -o a.pcd --sensor radar
try gen lidar -o a.pcd --scene tree
try gen lidar -o a --frames 0
try gen lidar -o a.pcd --frames 2
try gen lidar -o - --to pcd --json
try gen lidar -o -
try gen lidar -o a.label
try gen lidar -o a.mcap --to pcd
try gen lidar -o a.mcap --truth b
try gen lidar -o a.pcd --truth b.pcd
try gen lidar -o a --frames 2 --truth b.label
try gen lidar -o a --to semantickitti --truth b
try gen lidar -o a --to semantickitti --poses b
try gen lidar -o a --to labels
try gen lidar -o a.pcap
try gen lidar -o a.pcd --poses a.pcd
try gen lidar -o nowhere/a.pcd
try gen lidar -o nowhere/a
try gen lidar -o drive
try gen lidar -o a.pcd --noise -1
try gen lidar -o a.pcd --noise 2
try gen lidar -o a.pcd --height 0.1
try gen lidar -o a.pcd --dropout 1.5
try gen lidar -o a.pcd --rate 0
try gen lidar -o a.pcd --rate 100
try gen lidar -o a.pcd --slope 31
try gen lidar -o a.pcd --speed 101
try gen lidar -o a.pcd --reach 301
try gen lidar -o a.pcd --kerb 1
check "nothing was written" bash -c '[ -z "$(ls -d a a.* b b.* 2>/dev/null)" ]'
