# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump ground`, and --remove-ground of the clustering commands.
# A floor of 12 x 12 m, 1.5 below the sensor, and two posts on it, 1 m tall.
{
    echo x,y,z
    for x in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do for y in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do echo "$x,$y,-1.5"; done; done
    for z in -1.25 -1 -0.75 -0.5; do echo "2.5,2.5,$z"; echo "-3.5,1.5,$z"; done
    echo nan,0,-1.5
} >scan.csv
try ground scan.csv
try ground scan.csv --ground peak
try ground scan.csv -o marked.csv
cut -d, -f4 marked.csv | sort | uniq -c
try ground scan.csv --sigma 0.6
try ground scan.csv --sensor-height 1.4
try ground scan.csv --sensor-height 5 --slope 0
try ground scan.csv --extent 4
try ground scan.csv --ground peak --bin 0.2
try ground scan.csv --crop -9,9,-9,9,-1.4,9 --sensor-height 1.5 --window 0.2 --slope 0

# the step rule: the lowest points of the posts, 0.25 above the floor, are no ground; a box of 0.2 is, where nothing
# stands, and with three points above it not
{ cat scan.csv; for x in 4.1 4.2 4.3 4.4; do echo "$x,-3.9,-1.3"; done; } >box.csv
{ cat box.csv; for z in -1.1 -0.9 -0.7; do echo "4.2,-3.8,$z"; done; } >crate.csv
grounds() { clump "$@" --step --json | grep -oE '"ground":[0-9]+' | head -1; } # their number
for file in scan box crate; do
    try ground $file.csv --step
    check "erccl finds the same ground" [ "$(grounds erccl $file.csv)" = "$(grounds ground $file.csv)" ]
    check "detect finds the same ground" [ "$(grounds detect $file.csv)" = "$(grounds ground $file.csv)" ]
done
try ground crate.csv --step --ground peak
try ground crate.csv --sigma 0.25

# seen upside down, and with y up
sed -E 's/-([0-9.]+)$/\1/' scan.csv >hanging.csv
try ground hanging.csv --flip
awk -F, '{ print $1 "," $3 "," $2 }' scan.csv | sed 1s/.*/x,y,z/ >lying.csv
try ground lying.csv --up y
check "the same labels" cmp <(clump ground lying.csv --up y -q -o - --to labels) <(clump ground hanging.csv --flip -q -o - --to labels)
awk -F, 'NR > 1 && $1 != "nan" { $1 += 1000; $2 -= 500; $3 += 20 } { print $1 "," $2 "," $3 }' scan.csv | sed 1s/.*/x,y,z/ >moved.csv
try ground moved.csv
try ground moved.csv --sensor 1000,-500,20

# clustering what is left
try ec scan.csv -d 0.6
try ec scan.csv -d 0.6 --remove-ground
try ec scan.csv -d 0.6 --remove-ground --ground peak -q -o posts.csv --clusters posts.json
cut -d, -f4 posts.csv | sort | uniq -c
try dbscan scan.csv --eps 0.6 --min-points 2 --remove-ground --crop 0,9,-9,9,-9,9
clump ec scan.csv -d 0.6 --remove-ground --json | sed -E 's/"parameters":.*"keep":null\},//; s/"method".*//'
clump dbscan scan.csv --eps 0.6 --min-points 2 --remove-ground --repeat 3 --json | sed -E 's/"parameters":.*"keep":null\},//; s/"method".*//'
clump ground scan.csv --json | sed -E 's/"parameters":.*"keep":null\},//; s/"device".*//'

printf 'x,y,z\n' >empty.csv
try ground empty.csv
try ec empty.csv -d 1 --remove-ground
try ec scan.csv -d 1 --sigma 0.3
try ec scan.csv -d 1 --sensor-height 2 --window 0.3
try ec scan.csv -d 1 --remove-ground --window 0.3
try ground scan.csv --bin 0.3
try ground scan.csv --step --sigma 0.3
try ec scan.csv -d 1 --remove-ground --step
try ground scan.csv --ground peak --bin 99
try ec scan.csv -d 1 --flip
try ec scan.csv -d 1 --ground peak
try ground scan.csv --ground plane
try ground scan.csv --up x
try ground scan.csv --tile 0
try ground scan.csv --extent 99999 --tile 1
try ground scan.csv --remove-ground
try ec scan.csv -d 1 --remove-ground --slope 99
