# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# --keep: a part of the points in the output. Labels at distance 1: 0 1 1 0 1 2 -1.
cloud scan.pcd

# kept WHAT ARGUMENTS...: the points of the output as text.
kept() {
    echo "\$ kept $*"
    rm -f out.csv
    clump ec scan.pcd -d 1 -q -o out.csv --keep "$@" && tail -n +2 out.csv
}
kept objects
kept noise
kept ground
kept 0
kept 2,0
kept 1,noise
kept -1
kept objects,noise --min-size 3
kept objects --min-size 3 --order size
try ec scan.pcd -d 1 --top 0 --keep 1 -o one.pcd
try info one.pcd | grep points
clump ec scan.pcd -d 1 -q --keep 1,2 -o some.labels && od -An -v -w28 -t d4 some.labels
clump ec scan.pcd -d 1 -q --keep 2,0 -o some.npy && tail -c 12 some.npy | od -An -v -w28 -t d4
clump ec scan.pcd -d 1 -q --keep 2,0 -o some.bin && od -An -v -w16 -t f4 some.bin # has no place for labels
try ec scan.pcd -d 1 -q --keep 1 -o - --to text
try dbscan scan.pcd --eps 1 --min-points 2 -q --keep objects --core -o core.csv
cat core.csv
check "clusters are those of all points" cmp <(clump ec scan.pcd -d 1 -q --clusters a.csv && cat a.csv) <(clump ec scan.pcd -d 1 -q --keep 1 -o b.pcd --clusters b.csv && cat b.csv)

# A plane with a box on it, seen from 1.7 above.
awk 'BEGIN {
    print "x y z"
    for (i = -30; i <= 30; i++) for (j = -30; j <= 30; j++) printf "%g %g -1.7\n", i / 2, j / 2
    for (i = 0; i < 10; i++) for (j = 0; j < 10; j++) for (k = 1; k < 6; k++) printf "%g %g %g\n", 5 + i / 5, 5 + j / 5, -1.7 + 0.3 * k
}' >street.xyz
for what in objects ground noise objects,ground,noise; do
    for command in "ec street.xyz -d 0.5 --remove-ground" "erccl street.xyz" "ground street.xyz"; do
        # shellcheck disable=SC2086
        echo "$command, $what: $(clump $command --keep $what -o part.csv | grep '^wrote') of $(cut -d, -f4 part.csv | tail -n +2 | sort -n | uniq -c | tr -s ' \n' ' ')"
    done
done
# What is kept can be clustered again, without the ground.
clump ec street.xyz -d 0.5 -q --remove-ground --keep objects -o objects.pcd
try ec objects.pcd -d 0.5 --top 0 | head -2

# Far from 0, with every digit.
printf 'x,y,z\n481213.3721,5455800.5,100.25\n481213.4725,5455800.5,100.25\n481300,5455800.5,100.25\n' >far.csv
clump ec far.csv -d 0.2 -q --keep 1 -o far1.csv && cat far1.csv
clump ec far.csv -d 0.2 -q --keep 0 -o far0.las && clump convert far0.las far0.csv -q && cut -d, -f1-3 far0.csv

try ec scan.pcd -d 1 --keep objects
try ec scan.pcd -d 1 -o out.pcd --keep cars
try ec scan.pcd -d 1 -o out.pcd --keep 1,,2
try ec scan.pcd -d 1 -o out.pcd --keep 1,-3
try ec scan.pcd -d 1 -o out.pcd --keep 99999999999
try ec scan.pcd -d 1 -q -o missing.pcd --keep 0,3
try ground scan.pcd -q -o missing.pcd --keep 0
check "nothing is written" [ ! -e missing.pcd ]

echo "info suggests to remove the ground"
try info street.xyz | tail -3
try info objects.pcd | tail -2
clump info street.xyz --json | grep -oE '"(ground|suggested_remove_ground)":[a-z0-9]+'
clump info far.csv --json | grep -oE '"(ground|suggested_remove_ground)":[a-z0-9]+'
