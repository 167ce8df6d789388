# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# --each: every file is a cloud of its own. tests/program/each.sh compares all commands with single runs.
mkdir scans
cloud scans/a.pcd
clump convert scans/a.pcd scans/b.xyz -q
clump gen factors -o scans/c.bin --points 400 --clusters 4 --to kitti -q
clump convert scans/c.bin scans/d.las -q
printf 'VERSION 0.7\nFIELDS x y z\nnonsense' >scans/e.pcd
head -c 0 /dev/null >scans/f.pcd

try ec scans/[a-d].* -d 1 --each
try ec scans/[a-d].* -d 1 --each --top 1
try ec scans/a.pcd -d 1 --each -o one
try dbscan scans/[a-d].* --eps 1 --min-points 2 --each -o found
ls found

# alone COMMAND...: the hashes of the labels of all files, by calls of their own.
alone() {
    local file
    for file in scans/[a-d].*; do
        local command=$1
        clump "$command" "$file" "${@:2}" --json | grep -o '"labels_hash":"[0-9a-f]*"'
    done
}
together() { clump "$1" scans/[a-d].* "${@:2}" --each --json | grep -o '"labels_hash":"[0-9a-f]*"'; }
same() { diff <(alone "$@") <(together "$@"); }
check "ec has the labels of calls of its own" same ec -d 1
check "with limits and order" same ec -d 0.6 --min-size 2 --max-size 200 --order size
check "with a region, seen from above" same ec -d 1 --2d --crop -inf,10,-inf,inf,-inf,inf
check "in the frame whole" same ec -d 0.5 --frame whole
check "dbscan has the labels of calls of its own" same dbscan --eps 1 --min-points 3
check "without border points" same dbscan --eps 1 --min-points 3 --no-border
written() {
    clump ec scans/[a-d].* -d 1 --each -q -o written || return 1
    local name
    for name in a.pcd b.xyz d.las; do
        clump ec "scans/$name" -d 1 -q -o "alone.${name#*.}" && cmp "alone.${name#*.}" "written/$name" || return 1
    done
    clump ec scans/c.bin -d 1 -q -o alone.labels && cmp alone.labels written/c.labels
}
check "the files are those of calls of its own" written
try ec scans/[a-c].* -d 1 --each -q --to labels -o labels
ls labels

echo "files that cannot be read"
try_message ec scans/e.pcd scans/a.pcd scans/f.pcd -d 1 --each -o some
ls some
clump ec scans/e.pcd scans/a.pcd -d 1 --each --json 2>/dev/null | grep -o '"files".*' | sed -E 's/"time_ms":[0-9.]+/"time_ms":T/g'
clump ec scans/e.pcd -d 1 --each --json >/dev/null 2>&1
echo "= $?"
try ec scans/none.pcd scans/a.pcd -d 1 --each --top 0

echo "a folder, and several"
mkdir mixed && cp scans/[ad].* mixed && echo text >mixed/notes.md && mkdir mixed/deep.pcd empty
try ec mixed scans/b.xyz -d 1 --each
try detect mixed --each --top 1 -o marked
try erccl mixed --each
try ground mixed --each -o marked
try ec mixed -d 1 --each --thin 0.1
try ec empty -d 1 --each

echo "lists of clusters"
try ec mixed scans/b.xyz -d 1 --each --top 0 --clusters boxes/
ls boxes
try ec mixed -d 1 --each -q --clusters boxes --hull
ls boxes
try ec mixed scans/b.xyz -d 1 --each --top 0 --clusters all.csv
cut -d, -f1-5 all.csv | head -5
clump ec mixed -d 1 --each -q --clusters all.json && grep -o '^{"input":"[^,]*,"label":0' all.json
cp scans/a.pcd 'mixed/a, "b".pcd'
clump ec mixed -d 1 --each -q --clusters all.csv && cut -d: -f1 all.csv | grep b | cut -c1-30
rm mixed/a,*
try ec scans/a.pcd -d 1 --each --clusters boxes.txt
try ec scans/a.pcd -d 1 --each --clusters boxes.csv --hull
try erccl mixed --each -q --maps maps
ls maps maps/a

echo "what cannot be meant"
try detect scans/a.pcd scans/b.xyz
try ec scans/a.pcd -d 1 --jobs 2
try ec scans/a.pcd -d 1 --each --jobs 0
try ec scans/a.pcd - -d 1 --each
try ec scans/a.pcd -d 1 --each -o -
try ec scans/a.pcd -d 1 --each -o scans/b.xyz
try ec scans/a.pcd -d 1 --each -o none/there
try ec scans/a.pcd -d 1 --each -o out/x.las
try ec scans -d 1 --each -o scans
try ec scans -d 1 --each --clusters scans/
cp scans/a.pcd before.pcd
try ec scans/b.xyz scans/a.pcd -d 1 --each -o scans
try ec scans/a.pcd -d 1 --each -o scans/../scans/
mkdir links && ln -s ../scans/a.pcd links/a.pcd
try ec links/a.pcd -d 1 --each -o scans
try ec scans/a.pcd -d 1 --each -o links
cp scans/b.xyz table.csv
try ec table.csv -d 1 --each --clusters table.csv
try ec table.csv -d 1 --each -o one --clusters one/table.csv
try ec table.csv -d 1 --each -o one --clusters one
check "the inputs are as they were" cmp before.pcd scans/a.pcd
try ec scans/a.pcd -d 1 --each --to kitti -o out
try ec scans/a.pcd -d 1 --each --to html -o out
mkdir again && cp scans/a.pcd again
try ec scans/a.pcd again/a.pcd -d 1 --each -o out
cp scans/b.xyz again/a.xyz
try ec scans/a.pcd again/a.xyz -d 1 --each --to labels -o out
try ec scans/a.pcd again/a.pcd -d 1 --each --clusters out/
for option in "--repeat 2" "--memory pinned" "--ram 1G" "--work w" --keep-work; do
    # shellcheck disable=SC2086
    try ec scans/a.pcd -d 1 --each $option -o out
done
try ec scans/a.pcd -d 1 --each --keep noise
try dbscan scans/c.bin --eps 1 --min-points 2 --each --core -o out
try play scans/a.pcd -- ec -d 1 --each
try play scans/a.pcd -- ec -d 1 --jobs 2
check "nothing was written" test ! -e out
