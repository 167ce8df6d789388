# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump objects`. A floor of 40 x 40 m, 1.5 below the sensor. On it a car, 4 x 1.75 x 1.5 m; a truck, 8 x 2.5 x 3 m; a wall of
# 20 m with a person 0.3 m before it; a point that is not finite.
awk 'BEGIN {
    print "x,y,z,intensity"
    for (x = -20; x <= 20; x += 0.5) for (y = -20; y <= 20; y += 0.5) printf "%g,%g,-1.5,1\n", x, y
    for (i = 0; i <= 32; i++) for (j = 0; j <= 14; j++) for (k = 2; k <= 12; k += (i % 32 && j % 14) ? 10 : 1)
        printf "%g,%g,%g,10\n", 6 + i / 8, 2.25 + j / 8, k / 8 - 1.5
    for (i = 0; i <= 64; i++) for (j = 0; j <= 20; j++) for (k = 2; k <= 24; k += (i % 64 && j % 20) ? 22 : 1)
        printf "%g,%g,%g,20\n", -12 + i / 8, -8 + j / 8, k / 8 - 1.5
    for (i = 0; i <= 200; i++) for (k = 0; k <= 24; k++) printf "%g,9.25,%g,30\n", i / 10 - 10, k / 8 - 1.5
    for (i = 0; i <= 4; i++) for (j = 0; j <= 2; j++) for (k = 2; k <= 17; k++)
        printf "%g,%g,%g,40\n", 0.25 + i / 10, 8.75 + j / 10, k / 10 - 1.5
    print "nan,0,-1,1"
}' >scan.csv

try objects scan.csv
try objects scan.csv --top 1 --intensity intensity
try objects scan.csv --no-people
try objects scan.csv --levels 0.25
try objects scan.csv --levels 1,4 --top 0
try objects scan.csv --box 9,3,3.5 --no-people
try objects scan.csv --box 5,2,2 --box 0.6,0.4,2 --top 9
try objects scan.csv -d 0.1 --eps-per-metre 0 --top 0
try objects scan.csv --neighbours exact --top 0
try objects scan.csv --sigma 0.2 --top 0
try objects scan.csv --ground none --crop -19,19,-19,19,-1.4,9 --top 0
try objects scan.csv --ground peak --max-range 9 --top 0
try objects scan.csv --min-size 600 --top 0
try objects scan.csv --max-size 600 --order size --top 0
try objects scan.csv -q
try detect scan.csv --by objects --top 2

echo "scores"
try objects scan.csv --sort distance --top 1
try objects scan.csv --min-score 0.9
try detect scan.csv --by objects --sort score --min-score 0.5 --top 1
check "labels do not depend on it" cmp <(clump objects scan.csv -q -o - --to labels) <(clump objects scan.csv --min-score 0.9 -q -o - --to labels)
for threads in 1 3; do clump objects scan.csv -q --threads $threads --clusters $threads.csv; done
check "scores of any number of threads" cmp 1.csv 3.csv
clump objects scan.csv --min-score 0.9 --json | grep -o '"objects":[^{]*'
clump objects scan.csv -q --min-score 0.5 --keep objects -o kept.csv
cut -d, -f5 kept.csv | sort | uniq -c

echo "files"
try objects scan.csv -q --clusters found.csv -o labelled.csv
cut -d, -f1,2,22- found.csv
cut -d, -f5 labelled.csv | sort | uniq -c
try objects scan.csv -q --order size --clusters found.json --intensity intensity
cat found.json
for keep in objects background objects,background 0,ground; do
    clump objects scan.csv -q --keep $keep -o kept.csv
    cut -d, -f5 kept.csv | sort | uniq -c
done
cp scan.csv again.csv
try objects --each scan.csv again.csv --clusters all.csv
cut -d, -f1-3,23-24 all.csv
check "a page" clump objects scan.csv -q -o page.html
check "a page of view" clump view scan.csv -o view.html -q -- objects --no-people
mkdir scans
cp scan.csv scans/1.csv
clump play scans --flat-out --json-lines -- objects >lines.jsonl 2>/dev/null
grep -o '"object":[a-z]*,"fits":"[a-z]*"' lines.jsonl | sort | uniq -c

echo "the same in other ways"
labels() { clump "$@" -q -o - --to labels; }
check "detect" cmp <(labels objects scan.csv) <(labels detect scan.csv --by objects)
check "its options" cmp <(labels objects scan.csv -d 0.2 --eps-per-metre 0 --levels 1,2 --box 9,3,4 --no-people) <(labels detect scan.csv --by objects -d 0.2 --eps-per-metre 0 --levels 1,2 --box 9,3,4 --no-people)
check "the step rule" cmp <(labels objects scan.csv) <(labels objects scan.csv --step)
check "any number of threads" cmp <(labels objects scan.csv --threads 1) <(labels objects scan.csv --threads 3)
# One level and boxes that nothing fits in: the clusters are those of ec.
check "ec" cmp <(labels objects scan.csv --levels 2 --box 0.01,0.01,0.01 --no-people --sigma 0.2) <(labels ec scan.csv -d 0.5 --eps-per-metre 0.035 --remove-ground --min-size 10)
awk -F, 'NR > 1 { $3 = -$3 } { print $1 "," $2 "," $3 "," $4 }' scan.csv >hanging.csv
awk -F, '{ print $1 "," $3 "," $2 "," $4 }' scan.csv | sed 1s/.*/x,y,z,intensity/ >lying.csv
check "upside down" cmp <(labels objects scan.csv) <(labels objects hanging.csv --flip)
check "y up" cmp <(labels objects scan.csv) <(labels objects lying.csv --up y)

echo "groups"
clump gen lidar --sensor hdl-32e --scene pairs -o pairs.pcd -q
try objects pairs.pcd --eps-per-metre 0.025 --top 0
try objects pairs.pcd --eps-per-metre 0.025 --top 0 --no-groups
check "detect" cmp <(labels objects pairs.pcd --no-groups) <(labels detect pairs.pcd --by objects --no-groups)

echo "pairs, rows and large vehicles beside the truth"
for scene in pairs yard; do
    clump gen lidar --scene $scene -o $scene.bin --truth $scene.label -q
    for rules in "" --no-groups; do
        clump objects $scene.bin $rules -q -o $scene.labels
        try eval $scene.labels $scene.label --cloud $scene.bin --min-size 20 | grep -E '^(PQ|car|bus|truck|other-vehicle|person) '
    done
done

echo "rings"
clump gen lidar --sensor vlp-16 --scene square -o turn.pcd -q
clump convert turn.pcd turn.csv -q
try objects turn.pcd --eps-per-metre 0.025 --top 2
try objects turn.pcd --eps-per-metre 0.025 --top 4 --sort score
check "threads of scan neighbours" cmp <(labels objects turn.pcd --neighbours scan --threads 1) <(labels objects turn.pcd --neighbours scan --threads 3)
clump objects turn.pcd --json | grep -o '"neighbours":"[a-z]*","ring_source":[^,]*,"rings":[0-9]*'
cut -d, -f1-3 turn.csv >plain.csv
rings() { clump objects "$@" --json | sed -E 's/.*("clusters":[0-9]+),.*("neighbours":"[a-z]*","ring_source":[^,]*,"rings":[0-9]*).*/\1 \2/'; }
rings plain.csv
rings plain.csv --neighbours scan
rings turn.pcd --neighbours exact
# Ring after ring, by azimuth: as in KITTI. Columns of turn.csv are x y z intensity ring ...
awk -F, 'NR > 1 { a = atan2($2, $1); if (a < 0) a += 8 * atan2(1, 1); printf "%d %.9f %s,%s,%s\n", $5, a, $1, $2, $3 }' turn.csv | sort -s -k1,1n -k2,2n | cut -d' ' -f3 | sed '1i x,y,z' >sorted.csv
rings sorted.csv
rings sorted.csv --neighbours exact
# An organised cloud: 16 rows of 360 points on a wall around the sensor.
awk 'BEGIN {
    print "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 360\nHEIGHT 16\nPOINTS 5760\nDATA ascii"
    for (r = 0; r < 16; r++) for (i = 0; i < 360; i++) { a = i * atan2(1, 1) / 45; print 10 * cos(a), 10 * sin(a), r / 5 - 1 }
}' >organised.pcd
rings organised.pcd --ground none
try detect organised.pcd --by objects --neighbours scan --ground none --top 0
# Rings that are not plausible: all 0, or in the order in which lasers fire. A field of another name.
awk -F, -v OFS=, 'NR > 1 { $5 = 0 } { print }' turn.csv >zero.csv
awk -F, -v OFS=, 'NR > 1 { $5 = $5 < 8 ? 2 * $5 : 2 * $5 - 15 } { print }' turn.csv >firing.csv
sed '1s/ring/channel/' turn.csv >channel.csv
for file in zero firing channel; do
    rings $file.csv
    clump objects $file.csv --top 0 | grep -E '^(tree|rings) '
    clump objects $file.csv --top 0 --neighbours scan | grep -E '^(tree|rings) '
done
clump objects zero.csv --json | grep -o '"ring_doubt":[^,]*'
mkdir doubts
cp channel.csv firing.csv zero.csv doubts
for kind in auto scan; do
    clump objects doubts --each --neighbours $kind | grep '^rings '
    clump play doubts --flat-out -- objects --neighbours $kind | grep '^rings '
    clump play doubts --flat-out --json -- objects --neighbours $kind | grep -o '"ring_doubts":[^,]*'
done
clump play doubts --flat-out -- objects --neighbours exact | grep -c '^rings '
check "pages of scans" clump view turn.pcd -o view.html -q -- objects --neighbours scan
mkdir drive
cp turn.pcd drive/1.pcd
clump play drive --flat-out --json-lines -- objects 2>/dev/null >lines.jsonl
check "play has the rings of the file" [ "$(grep -o '"label":' lines.jsonl | wc -l)" = "$(clump objects turn.pcd --json | sed -E 's/.*"clusters":([0-9]+),.*/\1/')" ]

echo "JSON"
clump objects scan.csv --json | sed -E 's/.*("parameters":.*"keep":null\}).*/\1/; s/"ground":\{[^}]*\}/"ground":{...}/'
clump objects scan.csv --json | sed -E 's/.*("points".*),"device":"[^"]*","memory".*/\1/'
clump objects scan.csv --json --levels 1 --box 2,1,2 --no-people | sed -E 's/.*("levels":.*),"min_size".*/\1/'
clump objects --each scan.csv missing.csv --json 2>/dev/null | sed -E 's/.*"files":(.*)/\1/; s/"time_ms":[0-9.]+/"time_ms":T/g'

echo "little to find"
printf 'x,y,z\n' >empty.csv
try objects empty.csv
try objects empty.csv -q --clusters none.csv
cat none.csv
printf '1 2 3\n' >one.xyz
try objects one.xyz --min-size 1
printf 'nan nan nan\ninf 0 0\n1e30 1e30 1e30\n' >far.xyz
try objects far.xyz --min-size 1 --top 0
awk 'BEGIN { for (i = 0; i < 20000; i++) print "5 5 -0.5" }' >heap.xyz
try objects heap.xyz --top 0

echo "rings that cannot be"
try objects scan.csv --neighbours scan
try objects empty.csv --neighbours scan
try objects heap.xyz --neighbours scan --top 0
for ring in 1024 -1 0.5 nan 1e30; do
    printf 'x,y,z,ring\n5,5,0,3\n5,5,1,%s\n' "$ring" >ring.csv
    try objects ring.csv
done
printf 'x,y,z,ring\n5,5,0,3\nnan,5,1,-1\n' >ring.csv
try objects ring.csv --min-size 1 --ground none --top 0
printf 'x,y,z,ring\n5,5,0,3\n5,5,1,9999\n' >ring.csv
try objects ring.csv --neighbours exact --min-size 1 --ground none --top 0
try objects --each ring.csv scan.csv --top 0
mkdir rings
cp ring.csv rings
try_message play rings --flat-out -q -- objects

echo "what cannot be"
try objects
try objects missing.pcd
try objects scan.csv -d 0
try objects scan.csv --levels 2,1
try objects scan.csv --levels 1,1
try objects scan.csv --levels 1,2,3,4,5
for levels in 0 -1 nan 1,nan 1,,2 1, x inf 1e-30; do try objects scan.csv --levels $levels; done
for box in 0,1,1 1,0,1 1,1,0 1,2,1 1,1 1,1,1,1 1,nan,1 inf,1,1 -1,1,1 x; do try objects scan.csv --box $box; done
for i in 1 2 3 4 5 6 7 8 9; do echo "--box $i,1,1"; done | xargs bash -c '"$0" objects scan.csv "$@"' "$program" 2>&1
try objects scan.csv --neighbours near
for score in -0.1 1.01 nan x inf ""; do try objects scan.csv --min-score "$score"; done
try objects scan.csv --sort size
try detect scan.csv --min-score 0.5
try detect scan.csv --sort score
try play scans --flat-out -- objects --sort score
try objects scan.csv --eps-per-metre -1
try objects scan.csv --eps-per-metre inf
try objects scan.csv --2d
try objects scan.csv --thin 0.1
try objects scan.csv --ground none --step
try objects scan.csv --sigma 0.3 --step
try objects scan.csv --min-size 5 --max-size 4
try objects scan.csv --sensor 1000,0,0 --top 0
try objects scan.csv --clusters found.txt
try objects scan.csv --keep cars -o kept.csv
try ec scan.csv -d 1 --keep background -o kept.csv
try objects scan.csv again.csv
try detect scan.csv --levels 1,2
try detect scan.csv --no-people
try detect scan.csv --by ec --neighbours scan
try detect scan.csv --by objects --2d
try detect scan.csv --by objects --thin 0.1
try detect scan.csv --by objects --min-points 3
try detect scan.csv --by objects --cell 0.1
try detect scan.csv --by objects --levels 2,1

echo "clusters per class"
printf '10 car\n20 truck max=200 oversize=split\n40 person radius=0.3\n30 wall stuff\n' >table.txt
try objects scan.csv --classes table.txt --class-of intensity --threads 1
try detect scan.csv --by objects --classes table.txt --class-of intensity --top 2 --intensity intensity --threads 1
clump objects scan.csv --classes table.txt --class-of intensity -q --clusters classes.csv
cut -d, -f1,2,22- classes.csv
try objects scan.csv --classes table.txt --class-of intensity --neighbours scan
try objects scan.csv --classes semantickitti --class-of intensity --up y --top 0
try erccl scan.csv --classes table.txt
try detect scan.csv --by erccl --classes table.txt
