# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump erccl`. A floor of 12 x 12 m, 1.5 below the sensor; a low box and a tall one side by side, and a post.
{
    echo x,y,z
    for x in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do for y in -6 -5 -4 -3 -2 -1 0 1 2 3 4 5 6; do echo "$x,$y,-1.5"; done; done
    for x in 2.05 2.15 2.25; do for y in 1.05 1.15; do echo "$x,$y,-1"; echo "$x,$y,-1.25"; done; done
    for x in 2.35 2.45; do for y in 1.05 1.15; do echo "$x,$y,0.5"; echo "$x,$y,-1.25"; done; done
    for z in -1.25 -1 -0.75; do echo "-3.05,0.05,$z"; done
    echo 30,0,-1
    echo nan,0,-1.5
} >scan.csv
try erccl scan.csv --cell 0.1
try erccl scan.csv --cell 0.1 --method ccl
try erccl scan.csv --cell 0.1 --method hash --reach 1
for method in serial racing independent; do
    clump erccl scan.csv --cell 0.1 --method $method --json | sed -E 's/"parameters":.*"keep":null\},//; s/"device".*"passes"/"passes"/; s/,"time.*//'
done
try erccl scan.csv --cell 0.1 -q -o found.csv --clusters found.json
cut -d, -f4 found.csv | sort | uniq -c
cat found.json
try erccl scan.csv --cell 0.1 --ground peak -q --clusters found.csv
cat found.csv
try erccl scan.csv --cell 0.1 --ground none --crop -9,9,-9,9,-1.4,9 -q --clusters found.csv
cut -d, -f1,2,17,18 found.csv
try erccl scan.csv --cell 0.1 --min-size 4 --order size --top 1
try erccl scan.csv --cell 0.1 --tau 0.3
try erccl scan.csv --cell 0.1 --alpha 1 --beta 100
try erccl scan.csv --cell 0.5 --extent 4
try erccl scan.csv --cell 0.1 --extent 2,8
try erccl scan.csv --cell 0.1 --extent 8,2
check "--extent L,L is --extent L" cmp <(clump erccl scan.csv -q -o - --to labels --cell 0.1 --extent 8) <(clump erccl scan.csv -q -o - --to labels --cell 0.1 --extent 8,8)
try erccl scan.csv --cell 0.1 --sigma 0.6 --sensor-height 1.5 --slope 0.1
try erccl scan.csv --cell 0.1 --step
try erccl scan.csv --cell 0.1 --sensor 30,0,0

# a post that stands on a ground point: with --all-heights its cell begins at the ground, and differs from the next cell
{ cat scan.csv; for z in -1 -0.75; do echo "4.02,4.02,$z"; echo "4.12,4.02,$z"; done; } >post.csv
for heights in '' --all-heights; do
    clump erccl post.csv --cell 0.1 --ground peak --tau 0.85 $heights -q -o found.csv
    tail -4 found.csv
done
try erccl scan.csv --cell 0.1 --ground peak --bin 0.05 --sensor-height 1.5 --window 0.1

# seen upside down, and with y up
labels() { clump erccl "$@" --cell 0.1 -q -o - --to labels; }
awk -F, 'NR > 1 { $3 = -$3 } { print $1 "," $2 "," $3 }' scan.csv >hanging.csv
awk -F, '{ print $1 "," $3 "," $2 }' scan.csv | sed 1s/.*/x,y,z/ >lying.csv
check "upside down" cmp <(labels scan.csv) <(labels hanging.csv --flip)
check "y up" cmp <(labels scan.csv) <(labels lying.csv --up y)
check "any number of threads" cmp <(labels scan.csv --threads 1) <(labels scan.csv --threads 3)
clump erccl lying.csv --up y --cell 0.1 -q --clusters found.csv
sed -n 2p found.csv

printf 'x,y,z\n' >empty.csv
try erccl empty.csv
try erccl empty.csv --clusters none.json -q
cat none.json
try erccl scan.csv --cell 0.00004
try erccl scan.csv --cell 0
try erccl scan.csv --reach 0
try erccl scan.csv --reach 65
try erccl scan.csv --alpha 2
for extent in 0 -40 40, 40,50,60 40,0 40,-1 nan 40,nan inf; do try erccl scan.csv --extent $extent; done
try erccl scan.csv --extent 40,2000
try erccl scan.csv --bin 0.2
try erccl scan.csv --ground peak --bin 0
try erccl scan.csv --window 1
try erccl scan.csv --ground none --sensor-height 2 --window 1
try erccl scan.csv --tau 0.5 --beta 3
try erccl scan.csv --ground plane
try erccl scan.csv --2d
try erccl scan.csv --remove-ground
try erccl scan.csv --min-size 5 --max-size 4
refused_by_cuda() { refused '(CUDA cannot be used|the method serial does not run on cuda).*--device cpu' "$@"; }
check "CUDA is refused, the CPU named" refused_by_cuda erccl scan.csv --method serial --device cuda
