# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# clump frames: which frames, which files, what is refused.
mkdir scans
for i in 0 1 2 3 4 5 6; do
    cloud "scans/$i.pcd"
    sed -i "s/^20 0 2 6/2$i 0 2 6/" "scans/$i.pcd"
done
clump play scans --flat-out -q -o drive.mcap -- ec -d 1
clump play scans --flat-out -q -o drive.bag -- ec -d 1

# files FOLDER: the files, and the x of the point that differs.
files() { for f in "$1"/*; do clump convert "$f" point.csv -q; echo "$f $(sed -n 7p point.csv)"; done; }
try frames drive.mcap -o a
files a
try frames drive.bag --topic /clump/points --every 3 -o b --to ply
files b
try frames scans --from 0.2 --for 0.31 -o c --to text --json
files c
try frames scans --frames 2 -o d -q
files d
try frames scans --frames 2 --every 4 -o e
files e
try frames scans/5.pcd scans/2.pcd -o f
files f
try frames scans --from 100 -o g
try frames drive.bag -o out.mcap
try frames scans -o scans --overwrite
for copy in drive.mcap drive.bag; do
    rm -rf copy
    clump frames $copy -o copy -q
    check "$copy has the points of the clouds" bash -c "for i in 0 1 2 3 4 5 6; do
        '$program' convert scans/\$i.pcd one.csv -q; '$program' convert copy/00000\$i.pcd two.csv -q
        cut -d, -f 1-4 two.csv | cmp one.csv - || exit 1; done"
done

try frames drive.mcap -o a
try frames drive.mcap -o a --overwrite --frames 1
echo a/*
try frames drive.mcap
try frames
try frames drive.mcap -o h --to labels
try frames drive.mcap -o scans/0.pcd
try frames drive.mcap --every 0 -o h
try_message frames drive.mcap --topic /clump/markers -o h
try_message frames drive.mcap --topic points -o h
try_message frames scans/0.pcd -o h
check "no folder was made" [ ! -e h ]

# What is cut off is said; the rest is extracted.
for name in mcap bag; do
    size=$(wc -c <drive.$name)
    head -c $((size / 2)) drive.$name >cut.$name
    clump frames cut.$name -o cut_$name >out 2>err
    echo "half of the $name: status $?, $(sed -E 's/wrote [0-9]+ files? with [0-9]+/wrote N files with M/; s/^lost: .*/lost: .../' out | tr '\n' ' ')$(cat err)"
    check "each file is complete" bash -c "for f in cut_$name/*; do '$program' info \$f | grep -q '^points    7' || exit 1; done"
done
