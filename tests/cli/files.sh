# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump info`, `convert`, `gen`: files in and out, and files that are wrong.
cloud scan.pcd
try info scan.pcd
for ending in csv txt xyz pts asc npy bin; do
    try convert scan.pcd "there.$ending"
    try convert "there.$ending" back.pcd -q --ascii
    tail -n 7 back.pcd
done
try convert scan.pcd binary.pcd
try convert binary.pcd again.pcd --ascii
check "pcd to binary and back is the same" cmp <(tail -n 7 again.pcd) <(tail -n 7 scan.pcd)
try convert scan.pcd SCAN.PCD
try_message convert scan.pcd text.bin --ascii
try convert scan.pcd no.labels
try convert scan.pcd quiet.bin -q

{ sed -n 1,6p scan.pcd; echo "WIDTH 6"; sed -n 8,9p scan.pcd; echo "POINTS 6"; echo "DATA ascii"
  printf '0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 1 0\n1 1 1 0\n2 2 2 0\n'; } >odd.pcd
try info odd.pcd
printf 'x,y,z\n' >empty.csv
try info empty.csv

try gen factors -n 4096 -c 8 -o toy.pcd
try info toy.pcd
try ec toy.pcd -d 1 --top 2
try gen factors --layout slabs -n 1000 -k 8 -o slabs.csv
head -n 1 slabs.csv
try gen factors --layout blob -n 1000 -c 5 -k 8 -D 5 --seed 7 -o blob.npy
try gen factors --layout line -n 0 -o none.pcd
clump convert toy.pcd toy.csv -q
clump ec toy.csv -d 1 -q -o found.csv
check "clustering finds the truth" awk -F, 'NR > 1 && $4 != $5 { exit 1 }' found.csv

try_message info missing.pcd
try_message ec missing.pcd -d 1
try_message convert missing.pcd a.pcd
mkdir folder
try_message info folder
sed 's/^WIDTH .*/WIDTH seven/' scan.pcd >width.pcd
try_message info width.pcd
head -n 13 scan.pcd >short.pcd
try_message ec short.pcd -d 1
head -c 96 /dev/zero >other.dat
try_message info other.dat
try_message info other.dat --format pcd
try info other.dat --format kitti
printf 'x\ny' >$'new\nline.pcd'
try_message info $'new\nline.pcd'
