# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# Surveys larger than memory: --ram, several files, folders, clump work.
cloud scan.pcd
clump gen survey -n 200000 -q -o survey.las
clump gen survey -n 200000 --files 3 -q -o tiles/
clump convert survey.las survey.laz -q
drop=(--drop-class 2 --threads 1)

# hash ARGUMENTS...: labels_hash of a run.
hash() { clump "$@" --json | sed 's/.*"labels_hash":"\([0-9a-f]*\)".*/\1/'; }

# as_one WHAT ARGUMENTS...: the same labels with and without --ram.
as_one() {
    local what=$1
    shift
    check "$what" [ "$(hash "$@")" = "$(hash "$@" --ram 64M)" ]
}
as_one "ec: LAS" ec survey.las -d 0.5 "${drop[@]}"
full as_one "ec: LAZ" ec survey.laz -d 0.5 "${drop[@]}"
full as_one "ec: frame whole" ec survey.las -d 0.5 "${drop[@]}" --frame whole
as_one "ec: float32" ec scan.pcd -d 1
as_one "ec: 2-D, sizes and order" ec survey.las -d 0.3 "${drop[@]}" --2d --min-size 3 --max-size 500 --order size
as_one "ec: a part" ec scan.pcd -d 1 --crop 0,10,-1,1,-1,1
clump convert scan.pcd scan.npy -q
clump convert scan.pcd scan.txt -q
for file in scan.pcd scan.npy scan.txt; do as_one "ec: --step and $file" ec $file -d 1 --step 0.3 -q; done
as_one "dbscan: --step" dbscan scan.pcd --eps 1 --min-points 2 --step 0.3 --2d -q
as_one "dbscan" dbscan survey.las --eps 0.5 --min-points 5 "${drop[@]}"
full as_one "dbscan: without border points" dbscan survey.las --eps 0.5 --min-points 5 "${drop[@]}" --no-border
as_one "ec: thinned LAS" ec survey.las -d 0.5 "${drop[@]}" --thin 0.2
full as_one "ec: thinned, a part" ec survey.laz -d 0.5 --thin 0.15 --crop 0,60,0,60,-1,9 --min-size 3 --order size
as_one "ec: thinned float32" ec scan.pcd -d 1 --thin 0.3 --2d
as_one "dbscan: thinned" dbscan survey.las --eps 0.5 --min-points 5 "${drop[@]}" --thin 0.1
# thinned ARGUMENTS...: how many points a run thins.
thinned() { clump "$@" --json | sed 's/.*\("thinned":[0-9]*,"approximate":[a-z]*\).*/\1/'; }
check "as many thinned points" [ "$(thinned ec survey.las -d 0.5 --thin 0.2)" = "$(thinned ec survey.las -d 0.5 --thin 0.2 --ram 64M)" ]
check "several files are one cloud, thinned" \
    [ "$(hash ec tiles/*.las -d 0.5 "${drop[@]}" --thin 0.2)" = "$(hash ec survey.las -d 0.5 "${drop[@]}" --thin 0.2)" ]
check "several files are one cloud" [ "$(hash ec tiles/*.las -d 0.5 "${drop[@]}")" = "$(hash ec tiles -d 0.5 "${drop[@]}")" ]

# written OUT ARGUMENTS...: the same bytes with and without --ram.
written() {
    local out=$1
    shift
    clump "$@" -q -o "whole-$out" && clump "$@" -q --ram 64M -o "tiled-$out"
    check "the same $out" cmp "whole-$out" "tiled-$out"
}
for out in a.las a.laz a.labels a.npy; do written $out ec survey.las -d 0.5 "${drop[@]}"; done
for out in t.las t.labels; do written $out ec survey.las -d 0.5 "${drop[@]}" --thin 0.2; done
full written b.laz ec survey.laz -d 0.5 "${drop[@]}"
written c.pcd ec scan.pcd -d 1
written c.ply dbscan scan.pcd --eps 1 --min-points 2

# described WHAT ARGUMENTS...: the same bytes of --clusters with and without --ram.
described() {
    local what=$1 end
    shift
    for end in csv json; do
        clump "$@" -q --clusters "whole.$end" && clump "$@" -q --ram 64M --clusters "tiled.$end"
        check "the same clusters, $end: $what" cmp "whole.$end" "tiled.$end"
    done
}
described "LAS" ec survey.las -d 0.5 "${drop[@]}"
full described "LAZ, axes" ec survey.laz -d 0.5 "${drop[@]}" --axes
full described "frame whole" ec survey.las -d 0.5 "${drop[@]}" --frame whole
described "sizes, order and sensor" ec survey.las -d 0.3 "${drop[@]}" --2d --min-size 3 --max-size 500 --order size --sensor 1,2,3
described "float32" ec scan.pcd -d 1
described "a part" ec scan.pcd -d 1 --crop 0,10,-1,1,-1,1
described "dbscan" dbscan survey.las --eps 0.5 --min-points 5 "${drop[@]}"
full described "thinned" ec survey.las -d 0.5 "${drop[@]}" --thin 0.2
described "none" ec scan.pcd -d 1 --min-size 1000

# outlined ARGUMENTS...: the same, with hulls.
outlined() {
    clump "$@" -q --hull --clusters whole.json && clump "$@" -q --hull --ram 64M --clusters tiled.json
    check "the same hulls: $*" cmp whole.json tiled.json
}
outlined ec survey.las -d 0.5 "${drop[@]}" --axes
outlined dbscan scan.pcd --eps 1 --min-points 2
full outlined dbscan survey.las --eps 0.5 --min-points 5 "${drop[@]}" --thin 0.2
clump ec tiles -d 0.5 "${drop[@]}" -q -o out/
check "one file per input file" diff <(ls tiles) <(ls out)
clump ec tiles -d 0.5 "${drop[@]}" -q -o all.labels
check "a folder has the labels of all" cmp all.labels <(for f in out/*.las; do clump convert "$f" one.labels -q && cat one.labels; done)
check "no work folder is left" [ -z "$(ls -d ./*.clump clump.work 2>/dev/null)" ]

try ec scan.pcd -d 1 --ram 1G --threads 1
try ec scan.pcd scan.pcd -d 1 --threads 1
try ec scan.pcd -d 1 --ram 1.5G -q
try ec scan.pcd -d 1 --ram 1G --step 0.3 --threads 1
try ec scan.pcd -d 1 --ram 1G --thin 0.7 --threads 1
try ec survey.las -d 0.5 --ram 1G --step 0.01

echo "the ground of a survey"
ground=(--remove-ground --threads 1)
try ec survey.las -d 0.5 --ram 1G "${ground[@]}"
for more in "--ram 64M" "--ram 1G --frame whole" "--work g"; do
    # shellcheck disable=SC2086
    check "the same ground: $more" [ "$(hash ec survey.las -d 0.5 "${ground[@]}" --ram 1G)" = "$(hash ec survey.las -d 0.5 "${ground[@]}" $more)" ]
done
check "the same ground of several files" [ "$(hash ec tiles -d 0.5 "${ground[@]}")" = "$(hash ec survey.las -d 0.5 "${ground[@]}" --ram 1G)" ]
clump dbscan survey.laz --eps 0.5 --min-points 5 "${ground[@]}" --ram 64M --drop-class 5 -q -o ground.las
clump convert ground.las ground.csv -q
check "labels of ground points are -2, dropped classes -1" [ "$(tail -n +2 ground.csv | awk -F, '$NF == -2' | wc -l)" -gt 100000 ]

echo "work folders"
clump ec survey.las -d 0.5 "${drop[@]}" --work w --keep-work -q
try work w | sed -E 's/^(phase|size) .*/\1/'
check "JSON says that no process works on it" grep -q '"running":false' <(clump work w --json)
if command -v flock >/dev/null; then
    check "a locked folder is that of a run" flock w/clump-lock "$program" work w --json
    grep -o '"running":[a-z]*' "$scratch/stdout"
    check "a folder in use is refused" grep -q 'in use by another process; --work gives another' \
        <(flock w/clump-lock "$program" ec survey.las -d 0.5 "${drop[@]}" --work w 2>&1)
else
    skip "a locked folder is that of a run" "install flock"
    echo '"running":true'
    skip "a folder in use is refused" "install flock"
fi
try_message work tiles
try_message work nowhere
try work
try_message ec survey.las -d 0.6 "${drop[@]}" --work w
check "the same command finds all done" [ "$(clump ec survey.las -d 0.5 "${drop[@]}" --work w --json | sed 's/.*"tasks_skipped":\([0-9]*\).*/\1/')" -gt 0 ]

echo "options that do not go together"
for option in "--clusters x" "--clusters x.csv --step 0.1" "--clusters x.csv --hull" "--clusters x.csv -o x.csv" "--clusters no/x.csv" \
    "--intensity intensity" --axes --hull "--top 3" "--keep objects" "--remove-ground --window 2" "--remove-ground --ground grid" \
    "--remove-ground --up y" "--slope 0.3" "--thin 0.1 --step 0.3" "--thin 0.1 --frame steps" "--thin 0" \
    "--eps-per-metre 0.1" "--min-range 1" "--max-range 9" "--sensor 0,0,2" "--repeat 2" "--warmup 1" --partial "--memory pinned" "--method bfs" \
    "-o x.html" "-o x.png" "-o x.csv" "-o x.bin" "-o x" "-o -" "--gpu-ram 1G" "--drop-class 256" "--step 0"; do
    # shellcheck disable=SC2086
    try ec scan.pcd -d 1 --ram 1G $option
done
try dbscan scan.pcd --eps 1 --min-points 2 --core --ram 1G -o x.pcd
try ec scan.pcd scan.pcd -d 1 --eps-per-metre 0.1
try ec tiles -d 1 --eps-per-metre 0.1
try ec scan.pcd -d 1 --work w2 --eps-per-metre 0.1
try ec scan.pcd -d 1 --keep-work --eps-per-metre 0.1
try ec - -d 1 --ram 1G
for size in 0 -1 8X 1e9 nan G 1.5Q 9999999999999999999 8GG 8 1 1K 1.5M 16383K; do try ec scan.pcd -d 1 --ram $size; done
try ec scan.pcd -d 1 --gpu-ram 1G --device cpu
try detect scan.pcd --ram 1G
try view scan.pcd -o x.html -- ec -d 1 --ram 1G
try play tiles -- ec -d 1 --work w2
try ec scan.pcd survey.las -d 1
try ec none.pcd scan.pcd -d 1
try ec scan.pcd -d 1 --ram 1G --drop-class 2
head -c 100000 survey.las >cut.las
head -c 1001 /dev/zero >cut.bin
{ sed '$d' scan.pcd && printf '30 0'; } >cut.pcd
head -n 14 scan.pcd >short.pcd
for file in cut.las cut.bin cut.pcd short.pcd; do try_message ec $file -d 0.5 --ram 64M; done
check "without --ram, --partial is named" grep -q -e --partial <(clump ec cut.las -d 0.5 2>&1)
check "with --ram it is not" [ "$(for file in cut.* short.pcd; do clump ec $file -d 0.5 --ram 64M; done 2>&1 | grep -c -e --partial)" -eq 0 ]
try ec survey.las -d 0.5 --ram 64M -o survey.las
try ec scan.pcd scan.pcd -d 1 -o out2/
try ec scan.txt -d 1 --ram 1G -o out2/
check "no output is left" [ -z "$(ls x.* out2 2>/dev/null)" ]
