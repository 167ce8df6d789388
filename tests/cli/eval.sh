# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump eval`: labels against true labels, from every kind of file that has them.
cloud scan.pcd
clump ec scan.pcd -d 1 -q -o found.pcd
clump ec scan.pcd -d 1 -q -o found.labels
clump ec scan.pcd -d 1 -q -o found.npy
clump ec scan.pcd -d 1 -q -o found.label
try eval found.pcd found.labels
try eval found.pcd found.labels --instances
try eval found.labels found.npy
try eval found.labels found.npy --json
try eval found.labels found.pcd --max-range 15 --instances --json
try eval found.labels found.npy --cloud scan.pcd --band 4 --sensor 10,0,0 --extent 12

# what is wrong is seen: the clusters at 0 and 10 as one, a point of ground, one that nobody knows
printf 'x,y,z,label,truth\n0,0,0,0,1\n1,0,0,0,1\n2,0,0,0,1\n10,0,0,0,2\n11,0,0,0,2\n5,5,0,-2,-2\n6,5,0,-1,-2\n7,5,0,-2,-1\n8,5,0,0,-3\n' >wrong.csv
try eval wrong.csv wrong.csv --instances
try eval wrong.csv wrong.csv --min-size 3 --json

# SemanticKITTI: class and instance, ground by class
printf '\x0a\0\x01\0\x0a\0\x01\0\x0d\0\x01\0\x28\0\0\0\x46\0\0\0\0\0\0\0' >six.label
printf '\0\0\0\0\0\0\0\0\x01\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff' >six.labels
try eval six.labels six.label --instances
try eval six.labels six.label --instances --json
try eval six.label six.label
seq 6 | sed 's/$/,0,0/' | sed '1i x,y,z' >six.csv
clump convert six.csv with.pcd -q --labels six.label
try eval six.labels with.pcd --instances

try eval
try eval found.pcd
try eval found.labels found.npy --max-range 3
try eval found.labels found.npy --extent 3
try eval found.labels found.npy --band 0
try eval found.labels found.npy --min-size 0
try eval scan.pcd found.labels
try eval found.labels scan.pcd
try eval found.labels six.labels
try eval found.labels found.npy --cloud six.csv
printf 'x,y,z,label\n0,0,0,0.5\n' >half.csv
try eval half.csv half.csv
printf 'x,y,z,semantic,instance\n0,0,0,70000,1\n' >half.csv
try eval six.labels half.csv
try_message eval nowhere.pcd found.labels

# pieces, mixtures, vegetation, classes and the objects of TRAVEL: a car in two pieces, a person in a wall, a bush as ground
{
    echo x,y,z,semantic,instance,label
    for i in $(seq 0 11); do echo "0.$((i % 3)),5,0.$((i / 3)),10,1,$((i / 7))"; done
    for i in $(seq 0 4); do echo "20,0,0.$i,30,2,2"; done
    for i in $(seq 0 9); do echo "20,1,0.$i,50,0,2"; done
    for i in $(seq 0 2); do echo "3,9,0.$i,70,0,-2"; done
    for i in $(seq 0 5); do echo "3,12,0.$i,40,0,-2"; done
} >street.csv
try eval street.csv street.csv --min-size 5
try eval street.csv street.csv --min-size 5 --json

# folders: pairs by name, with or without the folders of SemanticKITTI; scenes by folder, by name or by a pattern
mkdir -p found truth/00/labels truth/01/labels seq/00/predictions seq/01/predictions flat
for frame in 00/1 00/2 01/1; do
    cp six.label "truth/${frame%/*}/labels/${frame#*/}.label"
    cp six.labels "seq/${frame%/*}/predictions/${frame#*/}.labels"
    cp six.label "flat/kitti_${frame%/*}_${frame#*/}.label"
    cp six.labels "found/kitti_${frame%/*}_${frame#*/}.labels"
done
printf '\1\0\0\0\0\0\0\0\1\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff' >found/kitti_01_1.labels
cp found/kitti_01_1.labels seq/01/predictions/1.labels
try eval seq truth
try eval found flat
try eval found flat --scene '_(..)_' --json
try eval found/ flat/ --scene kitti --instances
mkdir clouds
for frame in 00_1 00_2 01_1; do cp six.csv "clouds/kitti_$frame.csv"; done
check "folders of clouds give ranges" bash -c "'$program' eval found flat --cloud clouds --band 2 | grep -q '^2 to 4'"
check "a folder of one pair has the counts of the pair" bash -c "mkdir one two && cp six.labels one/a.labels && cp six.label two/a.label &&
    diff <('$program' eval one two | sed -n 4,6p) <('$program' eval six.labels six.label | sed -n 3,5p)"

# what cannot be compared
try eval found six.label
try eval six.labels flat
try eval found flat --cloud six.csv
try eval six.labels six.label --scene x
try eval found flat --scene '('
try eval found flat --scene 'x(.)'
mkdir none
try eval found none
cp six.labels found/kitti_02_1.labels
try eval found flat
rm found/kitti_02_1.labels found/kitti_01_1.labels
try eval found flat
cp found.labels found/kitti_01_1.labels
try eval found flat
cp six.labels found/kitti_01_1.labels
try eval found flat --cloud none
rm clouds/kitti_00_2.csv
try eval found flat --cloud clouds
cp six.labels found/kitti_00_1.npy
try eval found flat
rm found/kitti_00_1.npy
: >empty.labels
try eval empty.labels empty.labels
head -c 8 /dev/zero >unknown.label
head -c 8 six.labels >two.labels
try eval two.labels unknown.label

# poses: 300 m along x, found 1 % too long: parts of 101 m end 1.01 m too far, per frame 1 cm is wrong; after the alignment
# 0.01 sqrt((301^2 - 1) / 12) = 0.8689 m are left
line() { awk -v n="$1" -v step="$2" 'BEGIN { for (i = 0; i < n; i++) print 1, 0, 0, step * i, 0, 1, 0, 0, 0, 0, 1, 0 }'; }
line 301 1 >truth.txt
line 301 1.01 >long.txt
try eval long.txt truth.txt
# one that turns 0.01 degrees per frame and stays on the line: 1.01 degrees per 100 m
awk 'BEGIN { for (i = 0; i < 301; i++) { a = i * atan2(0, -1) / 18000
    printf "%.15g %.15g 0 %d %.15g %.15g 0 0 0 0 1 0\n", cos(a), -sin(a), i, sin(a), cos(a) } }' >turned.txt
try eval turned.txt truth.txt
line 3 1 >three.txt
try eval three.txt three.txt --json
# times: the second pose is 0.03 s from the nearest true one
printf '%s 0 0 0 0 0 1\n' '1 0' '2.03 1' '3 2' >found.tum
printf '%s 0 0 0 0 0 1\n' '0.99 0' '2 1' '3 2.5' '4 9' >truth.tum
try eval found.tum truth.tum
try eval three.txt truth.txt
try eval truth.txt found.tum
sed 's/^1 /100 /' found.tum | head -1 >late.tum
try eval late.tum truth.tum
echo 1 0 0 >>three.txt
try eval truth.txt three.txt
try eval three.txt truth.txt
try eval truth.txt found.labels
try eval truth.txt long.txt --max-range 3

# A byte order mark, as some editors write it.
printf '\xef\xbb\xbf1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 1 0 1 0 0 0 0 1 0\n' >mark.txt
clump eval mark.txt mark.txt | sed -n 1p
