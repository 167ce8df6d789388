# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump map`: a simulated drive, poses of both kinds, what is refused.
clump gen lidar --scene road --sensor vlp-16 --speed 15 --frames 12 --to semantickitti -o drive -q
find drive -name '*.txt' -exec cp {} poses.txt \;
scans=$(dirname "$(find drive -name 000000.bin)")

try map "$scans" --poses poses.txt -o map.pcd
try map "$scans" --poses poses.txt -o all.laz --keep-moving --json
try map "$scans" --poses poses.txt -o map.csv --voxel 0.5 --max-range 30 --threads 1 -q
head -n 3 map.csv
full try map "$scans" --poses poses.txt --passes 1000 --json -o all.pcd

echo '# the map is a cloud as any other, and the same with any number of threads'
clump map "$scans" --poses poses.txt -o again.pcd -q --threads 3
cmp map.pcd again.pcd && echo equal
clump ec all.laz -d 1 --json --min-size 20 | grep -o '"points":[0-9]*'
clump convert all.laz all.csv -q && sed -n 1p all.csv | tr , '\n' | grep observations

echo '# as a recording, poses by time'
clump play "$scans" --flat-out -q -o drive.mcap -- ec -d 1
awk '{ printf "%.1f %s %s %s 0 0 0 1\n", (NR - 1) / 10, $4, $8, $12 }' poses.txt >poses.tum
try map drive.mcap --poses poses.tum -o timed.pcd --topic /clump/points
clump map drive.mcap --poses poses.txt -o again.pcd --topic /clump/points -q
cmp map.pcd again.pcd && echo equal
try map "$scans" --poses poses.txt --frames 3 -o part.pcd

echo '# what moves by beams alone, or not at all'
full try map "$scans" --poses poses.txt -o beams.pcd --no-tracks

echo '# points with times: those of a turn are moved to its time'
clump gen lidar --scene road --sensor vlp-16 --speed 15 --frames 6 --distortion -o turns.mcap --poses turns.txt -q
try map turns.mcap --poses turns.txt -o righted.pcd
full try map turns.mcap --poses turns.txt -o skewed.pcd --times none --no-tracks
clump map turns.mcap --poses turns.txt -o again.pcd --times time --threads 3 -q
cmp righted.pcd again.pcd && echo equal
try map turns.mcap -o righted.pcd --no-tracks

echo '# poses that are found'
try map "$scans" -o found.pcd
mkdir hole
cp "$scans"/00000[0-6].bin hole
head -c 32 /dev/zero >hole/000004.bin
try map hole -o found.pcd

echo '# in parts; here one is enough'
try map "$scans" --poses poses.txt -o parts --to pcd --ram 256M --json
check "the part is the whole map" cmp parts/000000.pcd map.pcd
try map "$scans" --poses poses.txt -o parts --to pcd --ram 256M
full try map "$scans" --poses poses.txt -o parts --to pcd --ram 256M --overwrite
echo '# what is refused'
try map "$scans" --poses poses.txt -o map.pcd --ram 256M
try map "$scans" --poses poses.txt -o other --ram 255M
try map "$scans" --poses poses.txt
try map "$scans" --poses poses.txt -o map.labels
try map "$scans" --poses none.txt -o map.pcd
try map "$scans" --poses poses.txt -o map.pcd --voxel 0
try map "$scans" --poses poses.txt -o map.pcd --min-range 70
try map "$scans" --poses poses.txt -o map.pcd --min-range 50 --max-range 50.001 --voxel 1000
try map "$scans" --poses poses.txt -o map.pcd --from 0.5
try map "$scans" --poses poses.txt -o - --to pcd --json
try map "$scans" --poses poses.txt -o map.pcd --no-tracks --keep-moving
try map "$scans" --poses poses.txt -o map.pcd --times none_such
head -n 11 poses.txt >few.txt
try map "$scans" --poses few.txt -o map.pcd
cat poses.txt poses.txt >many.txt
try map "$scans" --poses many.txt -o map.pcd
sed 's/^/2/' poses.txt >wrong.txt
try map "$scans" --poses wrong.txt -o map.pcd
sed 5d poses.tum >gap.tum
try map "$scans" --poses gap.tum -o map.pcd
mkdir empty
printf 'x,y,z\n0,0,0\n' >empty/0.csv
echo '1 0 0 0 0 1 0 0 0 0 1 0' >one.txt
try map empty --poses one.txt -o map.pcd
try map nothing --poses one.txt -o map.pcd
