# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump detect`. A floor of 24 x 24 m, 1.5 below the sensor. On it a car, 4 x 2 x 1.5 m, turned by 30 degrees, a post
# and a tight pair of points; a wall beyond the floor and beyond the map of the ground; a point that is not finite.
awk 'BEGIN {
    print "x,y,z,intensity"
    for (x = -12; x <= 12; x++) for (y = -12; y <= 12; y++) printf "%d,%d,-1.5,1\n", x, y
    a = atan2(0, -1) / 6
    for (i = 0; i <= 16; i++) for (j = 0; j <= 8; j++) for (k = 1; k <= 6; k += (i % 16 && j % 8) ? 5 : 1)
        printf "%.7f,%.7f,%g,%g\n", 6 + i / 4 * cos(a) - j / 4 * sin(a), 2 + i / 4 * sin(a) + j / 4 * cos(a), k / 4 - 1.5, 10 + k
    for (k = 1; k <= 12; k++) printf "-3.5,1.5,%g,%s\n", k / 4 - 1.5, k % 2 ? "5" : "nan"
    print "-3.5,-5.5,-0.5,9\n-3.5,-5.6,-0.5,9"
    for (i = 0; i <= 20; i++) for (k = 0; k <= 4; k++) printf "90,%g,%g,7\n", i / 4, k / 4
    print "nan,0,-1,1"
}' >scan.csv

try detect scan.csv
try detect scan.csv --top 1 --intensity intensity
try detect scan.csv --top 0 --ground peak
try detect scan.csv --top 2 --ground none --max-size 500
try detect scan.csv --by dbscan --min-points 3
try detect scan.csv --by dbscan --eps 0.3 --min-points 4 --top 0
try detect scan.csv --by erccl --cell 0.1
try detect scan.csv --by erccl --cell 0.1 --extent 10 --reach 3 --top 0
try detect scan.csv -d 0.2 --eps-per-metre 0.03 --top 0
try detect scan.csv --min-size 1
try detect scan.csv --max-size 100 --top 0
try detect scan.csv --2d --top 0
try detect scan.csv --crop 0,100,-inf,inf,-inf,inf --top 0
try detect scan.csv --max-range 20 --top 0
try detect scan.csv --sensor 90,0,0 --top 0
try detect scan.csv --order size --top 1
try detect scan.csv --thin 0.25
try detect scan.csv --thin 0.5 --top 0
try detect scan.csv --by erccl --thin 0.3 --cell 0.1 --top 0
try detect scan.csv -q

echo "files"
try detect scan.csv --top 0 -o found.csv --clusters found.json
cut -d, -f5 found.csv | sort | uniq -c
cat found.json
try detect scan.csv -q --clusters found.csv --intensity intensity
cat found.csv
try detect scan.csv -q --min-size 12 --max-size 12 --clusters found.csv --axes
cat found.csv
try detect scan.csv -q --min-size 100 --clusters hulls.json --axes --hull --intensity intensity
cat hulls.json
try detect scan.csv -q --keep objects -o objects.csv
wc -l <objects.csv
try detect scan.csv --min-size 1000 -q --clusters none.json
cat none.json
try detect scan.csv --min-size 1000

# agree UP ARGUMENTS...: the table, the JSON file and the CSV file of detect have the same objects. UP is the axis, 1 or 2.
agree() {
    local up=$1
    shift
    if ! command -v python3 >/dev/null; then skip "table and files: $*" "$do_setup"; return; fi
    clump detect "$@" --top 99 --intensity intensity --clusters all.json >table.txt
    clump detect "$@" -q --intensity intensity --clusters all.csv
    check "table and files: $*" python3 -c '
import csv, json, sys
up = int(sys.argv[1])
objects = json.load(open("all.json"))
rows = list(csv.reader(open("all.csv")))[1:]
assert [o["label"] for o in objects] == list(range(len(objects))), "order of the file"
def flat(value): return sum(map(flat, value), []) if isinstance(value, list) else [value]
assert len(objects) == len(rows), "number of rows"
for o, row in zip(objects, rows):
    assert flat(list(o.values())) == [float(cell) if cell else None for cell in row], row
table = [line.replace("|", " ").split() for line in open("table.txt") if "|" in line][2:]
assert len(table) == len(objects), table
assert [float(line[1]) for line in table] == sorted(float(line[1]) for line in table), "order of the table"
for line in table:
    o = objects[int(line[0])]
    centre = [*o["box_center"]]
    centre.insert(up, (o["lower"][up] + o["upper"][up]) / 2)
    expected = [o["distance"], o["count"], *centre, *o["box_size"], o["upper"][up] - o["lower"][up], o["yaw"], o["height_above_ground"], o["intensity"]]
    assert len(line) == 1 + len(expected), line
    for cell, value in zip(line[1:], expected):
        assert cell == "-" if value is None else abs(float(cell) - value) <= 0.50001 * 10 ** -len(cell.partition(".")[2]), (line, value)' "$up"
}

echo "the same as the separate commands"
labels() { clump "$@" -q -o - --to labels; }
check "ec" cmp <(labels detect scan.csv) <(labels ec scan.csv -d 0.5 --remove-ground --min-size 10)
check "dbscan" cmp <(labels detect scan.csv --by dbscan --min-points 4) <(labels dbscan scan.csv --eps 0.5 --min-points 4 --remove-ground --min-size 10)
check "erccl" cmp <(labels detect scan.csv --by erccl --cell 0.1) <(labels erccl scan.csv --cell 0.1 --min-size 10)
clump erccl scan.csv --cell 0.1 --extent 10 --min-size 10 --keep objects -q -o inside.csv
clump detect scan.csv --by erccl --cell 0.1 --extent 10 --keep objects -q -o found.csv
check "objects on a smaller map" cmp inside.csv found.csv
check "without ground" cmp <(labels detect scan.csv --ground none --crop -9,9,-9,9,-1.4,9) <(labels ec scan.csv -d 0.5 --crop -9,9,-9,9,-1.4,9 --min-size 10)
check "thinned" cmp <(labels detect scan.csv --thin 0.25) <(labels ec scan.csv -d 0.5 --remove-ground --min-size 10 --thin 0.25)
clump ec scan.csv -d 0.5 --remove-ground --min-size 10 -q --clusters boxes.json
check "boxes" cmp found.json boxes.json
check "any number of threads" cmp <(labels detect scan.csv --threads 1) <(labels detect scan.csv --threads 3)

for memory in pageable pinned device; do
    if clump devices | grep -q '^cuda'; then
        check "labels from $memory memory" cmp <(labels detect scan.csv) <(labels detect scan.csv --device cuda --memory $memory)
        clump detect scan.csv --device cuda --memory $memory -q --intensity intensity --axes --hull --clusters gpu.json
        clump detect scan.csv --device cpu -q --intensity intensity --axes --hull --clusters cpu.json
        check "boxes from $memory memory" cmp cpu.json gpu.json
    else
        skip "labels from $memory memory" "$do_gpu"
        skip "boxes from $memory memory" "$do_gpu"
    fi
done

echo "upside down, with y up, and far from 0"
awk -F, 'NR > 1 { $3 = -$3 } { print $1 "," $2 "," $3 "," $4 }' scan.csv >hanging.csv
awk -F, '{ print $1 "," $3 "," $2 "," $4 }' scan.csv | sed 1s/.*/x,y,z,intensity/ >lying.csv
try detect hanging.csv --flip --top 1
try detect lying.csv --up y --top 1
check "upside down" cmp <(labels detect scan.csv) <(labels detect hanging.csv --flip)
check "y up" cmp <(labels detect scan.csv) <(labels detect lying.csv --up y)
clump detect lying.csv --up y -q --min-size 12 --max-size 12 --hull --clusters lying.json
cat lying.json
awk -F, 'NR > 1 && $1 != "nan" { $1 = sprintf("%.7f", $1 + 481200); $2 = sprintf("%.7f", $2 + 5455800) } { print $1 "," $2 "," $3 "," $4 }' scan.csv >far.csv
try detect far.csv --sensor 481200,5455800,0 --top 2
check "far from 0" cmp <(labels detect scan.csv) <(labels detect far.csv --sensor 481200,5455800,0)

agree 2 scan.csv
agree 2 scan.csv --min-size 1 --order size
agree 2 hanging.csv --flip
agree 1 lying.csv --up y
agree 2 far.csv --sensor 481200,5455800,0

echo "thin clouds of the clustering commands"
try ec scan.csv -d 0.5 --thin 0.25 --min-size 12 --top 1
try dbscan scan.csv --eps 0.5 --min-points 2 --thin 0.25 --min-size 12 --top 1
try dbscan scan.csv --eps 0.5 --min-points 2 --thin 0.3 --core -o core.pcd

echo "JSON"
clump detect scan.csv --json | sed -E 's/.*("parameters":.*"keep":null\}).*/\1/; s/"ground":\{[^}]*\}/"ground":{...}/'
clump detect scan.csv --json | sed -E 's/.*("points".*),"device":"[^"]*","memory".*/\1/'
clump detect scan.csv --json --thin 0.25 --by dbscan --min-points 1 | sed -E 's/.*("parameters":.*),"cell".*("points".*),"device":"[^"]*","memory".*/\1 ... \2/'
clump detect scan.csv --json --by erccl --beta 99 --cell 0.1 | sed -E 's/.*("parameters":.*),"ground":\{.*("points".*),"device":"[^"]*","memory".*/\1 ... \2/'
clump detect scan.csv --json | grep -o '"stages":{.*}}' | sed -E 's/:[0-9.]+([,}])/:T\1/g; s/,"memory.*//'

echo "little to find"
printf 'x,y,z\n' >empty.csv
try detect empty.csv
try detect empty.csv -q --clusters none.csv
cat none.csv
printf '1 2 3\n' >one.xyz
try detect one.xyz
try detect one.xyz --min-size 1
try detect one.xyz --min-size 1 --ground none -q --axes --hull --clusters one.json
cat one.json
printf 'nan nan nan\nnan nan nan\n' >nothing.xyz
try detect nothing.xyz --min-size 1
awk 'BEGIN { for (x = -12; x <= 12; x++) for (y = -12; y <= 12; y++) print x, y, -1.5 }' >floor.xyz
try detect floor.xyz
try detect floor.xyz --sensor 1000,0,0
try detect floor.xyz --sensor 1000,0,0 -q
{ clump detect floor.xyz --sensor 1000,0,0 --json >/dev/null; } 2>&1
try ec floor.xyz -d 0.5 --remove-ground --sensor 1000,0,0 --top 0

echo "what cannot be"
try detect
try detect missing.pcd
head -c 500 scan.csv | tr 0-9 x >broken.csv
try_message detect broken.csv
try detect scan.csv --by kmeans
try detect scan.csv -d 0
try detect scan.csv --by ec --min-points 3
try detect scan.csv --min-points 0 --by dbscan
try detect scan.csv --cell 0.1
try detect scan.csv --by erccl -d 0.5
try detect scan.csv --by erccl --eps 0.5
try detect scan.csv --by erccl --2d
try detect scan.csv --2d --up y
try detect scan.csv --by erccl --tau 0.5 --beta 3
try detect scan.csv --by erccl --cell 0.00004
try detect scan.csv --ground plane
try detect scan.csv --slope 99
try detect scan.csv --ground none --sigma 0.3
try detect scan.csv --ground none --step
try detect scan.csv --sigma 0.3 --step
try detect scan.csv --ground none --sensor-height 1.5
try detect scan.csv --ground peak --slope 0.1
try detect scan.csv --crop 5,-5,0,9,0,9
try detect scan.csv --sensor 0,-1e39,0
try detect scan.csv --thin 0
try detect scan.csv --thin inf
try detect scan.csv --min-range 3 --max-range 2
try detect scan.csv --min-size 5 --max-size 4
try detect scan.csv --remove-ground
try detect scan.csv --intensity ring
try detect scan.csv --intensity y
try detect one.xyz --intensity ring
cat >normals.pcd <<END
VERSION 0.7
FIELDS x y z normal
SIZE 4 4 4 4
TYPE F F F F
COUNT 1 1 1 3
WIDTH 1
HEIGHT 1
POINTS 1
DATA ascii
1 2 3 0 0 1
END
try detect normals.pcd --intensity normal
try detect scan.csv --axes
try detect scan.csv --hull
try detect scan.csv --hull --clusters found.csv
try detect scan.csv --clusters found.txt
try detect scan.csv --clusters nowhere/found.json
try detect scan.csv -o found.csv --to csv
try ec scan.csv -d 1 --intensity intensity
try ec scan.csv -d 1 --thin -1
