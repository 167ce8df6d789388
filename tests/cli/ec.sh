# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump ec`: summary, labels, masks, limits, order.
cloud scan.pcd
clump convert scan.pcd plain.xyz -q

# labels ARGUMENTS...: the labels of scan.pcd in one line.
labels() {
    echo "\$ labels $*"
    rm -f out.labels
    clump ec scan.pcd -q -o out.labels "$@" && od -An -v -w28 -t d4 out.labels
}

try ec scan.pcd -d 1
try ec -d1 --top 1 -- scan.pcd
try ec scan.pcd -d 1 --top 0
try ec scan.pcd -d 100
try ec scan.pcd -d 0.001 --min-size 2
try ec scan.pcd -d 1 -q
try ec scan.pcd -d 1 --top 0 --method matrix-es
try ec scan.pcd --distance=1 --order=size --min-size=2 --repeat 3 --top 1

labels -d 1
labels -d 0.5       # not closer than 0.5: the bound itself is no neighbour
labels -d 0.6
labels -d 1 --method bfs
for method in vertex-es vertex-rs edge-es edge-rs matrix-es matrix-rs; do labels -d 1 --method $method; done
for block in 64 128 256 512 1024; do labels -d 1 --method matrix-rs --block $block; done
for method in vertex-es vertex-rs edge-es edge-rs; do labels -d 1 --method $method --in-place; done
labels -d 1 --threads 1
labels -d 1 --device cpu
labels -d 1 --order size
labels -d 1 --min-size 2
labels -d 1 --max-size 2
labels -d 1 --min-size 2 --max-size 2
labels -d 1 --2d
labels -d 9.6 --2d
labels -d 1 --crop 0,10,-1,1,-1,1
labels -d 1 --crop -inf,inf,-inf,inf,-inf,0.3
labels -d 1 --crop 0,0.5,0,0.5,0,0.25
labels -d 1 --min-range 0.1
labels -d 1 --max-range 10
labels -d 1 --min-range 0.5 --max-range 0.5
labels -d 1 --max-range 1 --sensor 20,0,2
labels -d 1 --max-range 1 --sensor=-0.5,0,0
labels -d 1 --max-range 0.1 --sensor 20,0,7 --2d

echo "an output that is the input"
cp scan.pcd both.pcd
try ec both.pcd -d 1 --top 0 -o both.pcd
try convert both.pcd both.csv
cat both.csv
clump ec both.pcd -d 1 --order size -q -o both.pcd
try convert both.pcd both.labels
od -An -v -w28 -t d4 both.labels
check "the field and .labels agree" cmp both.labels <(clump ec scan.pcd -d 1 --order size -q -o o.labels && cat o.labels)

try ec scan.pcd -d 1 --top 0 --clusters boxes.csv
cat boxes.csv
try ec scan.pcd -d 1 --top 0 --clusters boxes.json
cat boxes.json
try ec scan.pcd -d 1 --top 0 --min-size 9 --clusters none.json
cat none.json

echo "coordinates far from 0 keep their digits"
printf 'x,y,z\n481213.372,5455800.5,100.25\n481213.472,5455800.5,100.25\n481300,5455800.5,100.25\n' >far.csv
try ec far.csv -d 0.2 --clusters far.json
cat far.json
try ec far.csv -d 0.2 --top 0 --crop 481213.372,481213.472,-inf,inf,-inf,inf
try ec far.csv -d 0.2 --top 0 --sensor 481213.372,5455800.5,100.25 --max-range 50

echo "a distance that grows"
# Gaps of 1, 2, 4 ... from the sensor outwards, and one of half a metre in front of it; far from the origin, too.
printf '%s 0 0\n' 0.5 1 2 4 8 16 32 64 >rays.xyz
printf '%s,5455800,0\n' x 481210.5 481211 481212 481214 481218 481226 481242 481274 | sed '1s/.*/x,y,z/' >rays.csv
rays() {
    echo "\$ rays $*"
    clump ec "$@" -q -o out.labels && od -An -v -w64 -t d4 out.labels | tr -s ' '
}
rays rays.xyz -d 0.6
rays rays.xyz -d 0.6 --eps-per-metre 0
rays rays.xyz -d 0.6 --eps-per-metre 1     # not closer than the bound itself
rays rays.xyz -d 0.6 --eps-per-metre 1.001
rays rays.xyz -d 0.6 --eps-per-metre 0.5
rays rays.xyz -d 3 --eps-per-metre 0.1
rays rays.xyz -d 0.6 --eps-per-metre 1.001 --sensor 64,0,0
rays rays.xyz -d 0.6 --eps-per-metre 1.001 --2d --sensor 0,0,1000
rays rays.csv -d 0.6 --eps-per-metre 1.001 --sensor 481210,5455800,0
rays rays.csv -d 0.6 --eps-per-metre 0.5 --sensor 481210,5455800,0
try ec rays.xyz -d 0.6 --eps-per-metre 0.02 --top 0
try dbscan rays.xyz --eps 0.5 --min-points 3 --eps-per-metre 1 --top 0

echo "an empty cloud, and one point"
printf 'x,y,z\n' >empty.csv
try ec empty.csv -d 1
printf '1 2 3\n' >one.xyz
try ec one.xyz -d 1

# Devices that are not here: a sentence that says what is missing and where to run instead.
no_device() { refused "$1" ec scan.pcd -d 1 "${@:2}"; }
labels -d 1 --memory pageable
missing='(this build of clump has no CUDA backend|no NVIDIA driver|the NVIDIA driver is .*|no CUDA device)'
if clump devices | grep -q '^cuda'; then
    check "no such CUDA device" no_device 'there is no CUDA device number 999: [0-9]+ (is|are) here' --device cuda:999
    skip "no CUDA device" "$do_no_gpu"
    skip "no pinned memory" "$do_no_gpu"
    skip "no device memory" "$do_no_gpu"
    skip "no device memory of a device" "$do_no_gpu"
    skip "devices: why there is no CUDA" "$do_no_gpu"
    check "not a method of CUDA" no_device 'the method bfs does not run on cuda, but on the CPU it does' --device cuda --method bfs
    for memory in pageable pinned device; do
        check "from $memory memory" cmp <(labels -d 1 | tail -n 1) <(labels -d 1 --device cuda --memory $memory | tail -n 1)
    done
else
    check "no such CUDA device" no_device "CUDA cannot be used: $missing; run .*--device cpu" --device cuda:999
    check "no CUDA device" no_device "CUDA cannot be used: $missing; run .*--device cpu" --device cuda
    check "no pinned memory" no_device "--memory pinned needs a CUDA device: $missing; leave it out .*--device cpu" --memory pinned
    check "no device memory" no_device "--memory device needs a CUDA device: $missing; leave it out .*--device cpu" --memory device
    check "no device memory of a device" no_device "--memory device needs .*: $missing; leave it out" --memory device --device cuda:1
    check "devices: why there is no CUDA" bash -c "'$program' devices | grep -qxE 'No CUDA device can be used: $missing\.'"
    skip "not a method of CUDA" "$do_gpu"
    for memory in pageable pinned device; do skip "from $memory memory" "$do_gpu"; done
fi

echo "a box is longer than wide, whatever its direction"
# Rectangles of 4 by 1: along x, along y, and turned by 30 and by 120 degrees; a square, a line along y and one along x.
awk 'BEGIN {
    split("0 90 30 120", angle, " ")
    print "x y z"
    for (k = 1; k <= 4; k++) for (i = 0; i <= 8; i++) for (j = 0; j <= 2; j++) {
        a = angle[k] * atan2(0, -1) / 180
        printf "%.7f %.7f 0\n", 20 * k + i / 2 * cos(a) - j / 2 * sin(a), i / 2 * sin(a) + j / 2 * cos(a)
    }
    for (i = 0; i <= 2; i++) for (j = 0; j <= 2; j++) printf "%g %g 0\n", 100 + i / 2, j / 2
    for (i = 0; i <= 4; i++) printf "120 %g 0\n%g 50 0\n", i / 2, 120 + i / 2
}' >boxes.xyz
try ec boxes.xyz -d 0.6 | sed 1,5d
clump ec boxes.xyz -d 0.6 -q --clusters turned.csv
awk -F, 'NR > 1 { printf "%d: %.4g x %.4g at %.4g, %s\n", $1, $14, $15, $16, ($14 >= $15 && $16 >= 0 && $16 < 180 ? "right" : "WRONG") }' turned.csv

echo "clusters per class"
printf 'x y z class\n0 0 0 10\n0.5 0 9 252\n1 0 0 10\n1.2 0 0 40\n4 0 0 30\n4.2 0 0 30\n4.4 0 0 31\n8 0 0 7\n' >classes.csv
printf '# two groups, and stuff\n10,252 car radius=0.8 2d\n30,31 person max=2 oversize=split  # of any size\n40 road stuff\n' >table.txt
try ec classes.csv --classes table.txt -d 0.3 --threads 1
try ec classes.csv --classes semantickitti --threads 1 --clusters classes.out.csv -q
cut -d, -f1,2,22 classes.out.csv
clump ec classes.csv --classes table.txt --class-of class --json | sed -E 's/.*"classes":(\{[^}]*\}),"oversize":(\{[^}]*\}).*/\1 \2/'
try ec classes.csv --classes table.txt --class-of kind
clump ec classes.csv -d 1 -o numbered.csv -q && sed -i 's/class,label/kind,label/' numbered.csv
try ec numbered.csv --classes table.txt
try ec numbered.csv --classes table.txt --class-of label -q
try ec classes.csv --classes none.txt
try ec classes.csv --class-of class -d 1
try ec classes.csv --classes table.txt --thin 0.1
try ec classes.csv --each --classes -
printf '10,252 car radius=1 max=2 2d\n' >small.txt
try ec classes.csv --each --classes small.txt
clump ec classes.csv --each --classes small.txt --json | grep -o '"oversize":{[^}]*}' | uniq -c
try ec classes.csv --classes table.txt --ram 64M
sed 's/ oversize=split//' table.txt >pieces.txt
try ec classes.csv --classes pieces.txt --ram 64M --threads 1 --clusters pieces.csv
check "clusters with --ram are those of one call" cmp pieces.csv <(clump ec classes.csv --classes pieces.txt -q --clusters whole.csv && cat whole.csv)
clump ec classes.csv --classes pieces.txt --ram 64M --json | grep -oE '"clusters":[0-9]+|"classes":(null|"[a-z.]*")|"class_of":null|"oversize":\{[^}]*\}'
try ec classes.csv --classes pieces.txt --ram 64M --class-of kind
try ec classes.csv --classes pieces.txt --ram 64M --class-of classes.label
printf '10 car radius=1\n10 bus\n' >wrong.txt
try ec classes.csv --classes wrong.txt
printf '10 ca\0r radius=1\n' >wrong.txt
try ec classes.csv --classes wrong.txt
printf '10 car wide\n' >wrong.txt
try ec classes.csv --classes wrong.txt
try dbscan classes.csv --classes table.txt --min-points 2 --threads 1
