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
