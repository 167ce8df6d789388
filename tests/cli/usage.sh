# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# The ways to ask for help; test_help looks at the texts. Wrong usage: status 2, one sentence, and where to read more.

# helps WORDS...: whether it prints a page and nothing else.
helps() { clump "$@" >"$scratch/out" 2>"$scratch/err" && [ -s "$scratch/out" ] && [ ! -s "$scratch/err" ]; }
try gen --help
while read -r command; do
    # shellcheck disable=SC2086
    check "$command -h" helps $command -h
    # shellcheck disable=SC2086
    check "$command --help" helps $command --help
    # shellcheck disable=SC2086
    check "help $command is the same" cmp <(clump help $command) <(clump $command --help)
done < <(commands)
check "clump help" cmp <(clump help) <(clump --help)
check "clump -h" cmp <(clump -h) <(clump --help)
check "help wins over what else is there" cmp <(clump ec --2d a --help) <(clump ec --help)
check "--version" bash -c "'$program' --version | grep -Ex 'clump [0-9]+\.[0-9]+\.[0-9]+'"

cloud scan.pcd
try
try cluster
try inof
try --jsn
try help cluster
try gen
try gen radar -o a.pcd
try gen --json

try ec
try ec scan.pcd
try ec scan.pcd -d
try ec scan.pcd --distance=
try ec scan.pcd -d 0
try ec scan.pcd -d -1
try ec scan.pcd -d nan
try ec scan.pcd -d inf
try ec scan.pcd -d near
try ec scan.pcd -d 0.5m
try ec scan.pcd -d 0,5
try ec scan.pcd -d 1e-20
try ec scan.pcd -d 1e20
try ec scan.pcd -d 1e999
try ec scan.pcd 0.5
try ec scan.pcd -d 1 --distanse 2
try ec scan.pcd -d 1 --dist 2
try ec scan.pcd -d 1 -json
try ec scan.pcd -d 1 -x
try ec scan.pcd -d 1 -qx
try ec scan.pcd -d 1 --remove-grond
try ec scan.pcd -d 1 --json=yes
try ec "" -d 1
try ec scan.pcd -d 1 --method fats
try ec scan.pcd -d 1 --method kmeans
try ec scan.pcd -d 1 --method matrix-rs --block 100
try ec scan.pcd -d 1 --block 64
try ec scan.pcd -d 1 --method edge-es --block 64
try ec scan.pcd -d 1 --in-place
try ec scan.pcd -d 1 --method matrix-es --in-place
try ec scan.pcd -d 1 --order length
try ec scan.pcd -d 1 --device gpu
try ec scan.pcd -d 1 --device cuda:
try ec scan.pcd -d 1 --device cuda:x
try ec scan.pcd -d 1 --memory gpu
try ec scan.pcd -d 1 --memory pinned --device cpu
try ec scan.pcd -d 1 --memory device --device cpu
try ec scan.pcd -d 1 --threads -1
try ec scan.pcd -d 1 --threads 99999999999
try ec scan.pcd -d 1 --min-size 0
try ec scan.pcd -d 1 --min-size 1.5
try ec scan.pcd -d 1 --min-size 10 --max-size 5
try ec scan.pcd -d 1 --max-size 99999999999999999999999
try ec scan.pcd -d 1 --repeat 0
try ec scan.pcd -d 1 --crop 0,1,0,1
try ec scan.pcd -d 1 --crop 0,1,0,1,nan,1
try ec scan.pcd -d 1 --crop 0,1,0,1,0,1,2
try ec scan.pcd -d 1 --crop 0,1,2,1,0,1
try ec scan.pcd -d 1 --eps-per-metre -0.1
try ec scan.pcd -d 1 --eps-per-metre nan
try ec scan.pcd -d 1 --eps-per-metre inf
try ec scan.pcd -d 1 --eps-per-metre 1%
try ec scan.pcd -d 1 --eps-per-metre 1e20
try ec scan.pcd -d 1 --eps-per-metre 1e999
try ec scan.pcd -d 1 --eps-per-metre 0.01 --method bfs
try dbscan scan.pcd --eps 1 --min-points 4 --eps-per-metre 0.01 --method dclust
try dbscan scan.pcd --eps 1 --min-points 4 --chains 8
try dbscan scan.pcd --eps 1 --min-points 4 --chain-threads 64 --method disjoint-set
try dbscan scan.pcd --eps 1 --min-points 4 --seeds 9 --method fast
try dbscan scan.pcd --eps 1 --min-points 4 --method dclust --chains 0
try dbscan scan.pcd --eps 1 --min-points 4 --method dclust --chains 1025
try dbscan scan.pcd --eps 1 --min-points 4 --method dclust --chain-threads 48
try dbscan scan.pcd --eps 1 --min-points 4 --method dclust --chain-threads 2048
try dbscan scan.pcd --eps 1 --min-points 4 --method dclust --seeds 65537
try ec scan.pcd -d 1 --sensor 0,0
try ec scan.pcd -d 1 --sensor 0,0,inf
try ec scan.pcd -d 1 --min-range -2
try ec scan.pcd -d 1 --min-range 5 --max-range 2
try ec scan.pcd -d 1 --format obj
try ec scan.pcd -d 1 -o out
try ec scan.pcd -d 1 -o out.obj
try ec scan.pcd -d 1 -o out.laz
try ec scan.pcd -d 1 -o -
try ec scan.pcd -d 1 -o - --to pcd --json
try ec scan.pcd -d 1 -o out.bin
try ec scan.pcd -d 1 -o out.pcd.bin
try ec scan.pcd -d 1 --clusters out.txt
try ec scan.pcd -d 1 -o same.csv --clusters same.csv

try dbscan
try dbscan scan.pcd
try dbscan scan.pcd --eps 1
try dbscan scan.pcd --min-points 4
try dbscan scan.pcd 1 4
try dbscan scan.pcd --eps
try dbscan scan.pcd --eps 0 --min-points 4
try dbscan scan.pcd --eps -1 --min-points 4
try dbscan scan.pcd --eps nan --min-points 4
try dbscan scan.pcd --eps 1e20 --min-points 4
try dbscan scan.pcd --eps 1 --min-points 0
try dbscan scan.pcd --eps 1 --min-points -3
try dbscan scan.pcd --eps 1 --min-points 2.5
try dbscan scan.pcd --eps 1 --min-points 99999999999999999999999
try dbscan scan.pcd --esp 1 --min-points 4
try dbscan scan.pcd --eps 1 --minpoints 4
try dbscan scan.pcd -d 1 --min-points 4
try dbscan scan.pcd --eps 1 --min-points 4 --method bfs
try dbscan scan.pcd --eps 1 --min-points 4 --method disjoint
try dbscan scan.pcd --eps 1 --min-points 4 --min-size 10 --max-size 5
try dbscan scan.pcd --eps 1 --min-points 4 --memory pinned --device cpu
try dbscan scan.pcd --eps 1 --min-points 4 --core
try dbscan scan.pcd --eps 1 --min-points 4 --core -o out.labels
try dbscan scan.pcd --eps 1 --min-points 4 --core -o out.npy
try dbscan scan.pcd --eps 1 --min-points 4 --core -o out.bin
try dbscan scan.pcd --eps 1 --min-points 4 --no-border=yes
try ec scan.pcd -d 1 --no-border

try nn
try nn scan.pcd
try nn scan.pcd scan.pcd scan.pcd
try nn scan.pcd scan.pcd --k 0
try nn scan.pcd scan.pcd --k 129
try nn scan.pcd scan.pcd --max-distance -1
try nn scan.pcd scan.pcd --method bfs
try nn scan.pcd scan.pcd --partitions 0
try nn scan.pcd scan.pcd --window -1
try nn scan.pcd scan.pcd -o out
try nn scan.pcd scan.pcd -o out.bin
try nn scan.pcd scan.pcd -o out.label
try nn scan.pcd scan.pcd --k 2 -o out.npy
try nn scan.pcd scan.pcd -o - --to pcd --json
try nn - -
try nn scan.pcd scan.pcd --memory pinned
try icp scan.pcd
try icp scan.pcd scan.pcd --keep 0
try icp scan.pcd scan.pcd --keep 1.5
try icp scan.pcd scan.pcd --max-distance 0
try icp scan.pcd scan.pcd --method line
try icp scan.pcd scan.pcd --normals 2
try icp scan.pcd scan.pcd -o out.labels
try icp scan.pcd scan.pcd -o - --to pcd --json
try icp - -

try gen factors
try gen factors -o a.pcd -n 10 -c 3
try gen factors -o a.pcd -n 99999999999
try gen factors -o a.pcd -k 0
try gen factors -o a.pcd --layout chain
try gen factors -o a.labels
try info
try convert scan.pcd
try convert scan.pcd out
try convert scan.pcd out.pcd --ascii --binary
try devices now
check "nothing was written" bash -c '[ "$(ls)" = scan.pcd ]'
try ec scan.pcd -d 1 --warmup 100000001
try ec scan.pcd -d 1 --warmup 99999999999999999999
try ec scan.pcd -d 1 --repeat 100000001
try nn scan.pcd scan.pcd --warmup 100000001
check "no --2d in the help of a command without it" bash -c "! { '$program' ground --help; '$program' erccl --help; } | grep -e --2d"
