# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump dbscan`: summary, labels, core points, border points, limits, order. Then `clump hdbscan`: summary, labels, choice of
# clusters, --cuts, what is refused.

# On a line, with eps 1 and min-points 4 (c core, b border); x = 3 is at exactly 1 from a core point of either cluster
# and belongs to the first; 9 to 14 are above each other, far away; 15 is not finite.
#
#     x       0   1  1.5  2   3   4  4.5  5   6
#     point   5   4   6   2   0   3   8   7   1
#             b   c   b   c   b   c   b   c   b
cat >line.csv <<END
x,y,z,intensity
3,0,0,1
6,0,0,2
2,0,0,3
4,0,0,4
1,0,0,5
0,0,0,6
1.5,0,0,7
5,0,0,8
4.5,0,0,9
20,0,2,10
20,0,9,11
20,0,15,12
20,0,30,13
20,0,40,14
20,0,50,15
nan,nan,nan,16
END

# labels ARGUMENTS...: the labels of line.csv in one line.
labels() {
    echo "\$ labels $*"
    rm -f out.labels
    clump dbscan line.csv -q -o out.labels "$@" && od -An -v -w64 -t d4 out.labels | tr -s ' '
}
usual=(--eps 1 --min-points 4)

try dbscan line.csv --eps 1 --min-points 4
try dbscan --eps=1 --min-points=4 --top 1 -- line.csv
try dbscan line.csv --eps 1 --min-points 4 --no-border --top 0
try dbscan line.csv --eps 1 --min-points 100
try dbscan line.csv --eps 1 --min-points 4 -q
try dbscan line.csv --eps 1 --min-points 4 --2d --order size --repeat 3 --top 1 --method disjoint-set

labels "${usual[@]}"
labels --eps 0.999 --min-points 4 # the bound itself is a neighbour
labels --eps 1 --min-points 3
labels --eps 1 --min-points 5
labels --eps 1 --min-points 1
labels --eps 1 --min-points 4 --no-border
labels --eps 1 --min-points 4 --2d
labels --eps 1 --min-points 4 --2d --order size
labels --eps 1 --min-points 4 --min-size 5
labels --eps 1 --min-points 4 --max-size 4
labels --eps 1 --min-points 4 --min-size 3 --no-border
labels --eps 1 --min-points 4 --crop -inf,2.5,-inf,inf,-inf,inf
labels --eps 1 --min-points 4 --max-range 4.5
labels --eps 1 --min-points 4 --min-range 0.5 --sensor 6,0,0
labels --eps 1 --min-points 4 --threads 1
labels --eps 1 --min-points 4 --device cpu
labels --eps 1 --min-points 4 --memory pageable

echo "the methods agree"
clump gen factors --layout blob -n 3000 -c 20 -k 8 -q -o blob.npy
hash() { clump dbscan blob.npy --json "$@" | sed 's/.*labels_hash":"\([0-9a-f]*\).*/\1/'; }
same() { [ -n "$(hash "$@")" ] && [ "$(hash "$@" --method "$method")" = "$(hash "$@")" ]; }
for method in sequential disjoint-set dclust; do
    check "$method" same --eps 1 --min-points 10
    check "$method, without border points" same --eps 0.7 --min-points 6 --no-border
    check "$method, flat" same --eps 0.5 --min-points 12 --2d
    check "$method, limits and order" same --eps 1 --min-points 10 --min-size 5 --max-size 140 --order size
done
usual_hash=$(hash --eps 1 --min-points 10)
for sizes in '1 32 1' '1024 1024 65536' '7 96 3'; do
    read -r chains threads seeds <<<"$sizes"
    check "dclust, $chains chains of $threads threads, $seeds seeds" [ "$(hash --eps 1 --min-points 10 --method dclust --chains "$chains" --chain-threads "$threads" --seeds "$seeds")" = "$usual_hash" ]
done

echo "outputs"
try dbscan line.csv --eps 1 --min-points 4 --top 0 --core -o cores.csv --clusters boxes.csv
cat cores.csv boxes.csv
clump dbscan line.csv "${usual[@]}" -q --core -o cores.pcd
try convert cores.pcd again.csv
check "the same through PCD" cmp cores.csv again.csv
grep -v nan line.csv >finite.csv
for name in cores.ply cores.las; do
    clump dbscan finite.csv "${usual[@]}" -q --core -o $name
    check "$name has the field" bash -c "'$program' info $name --json | grep -q '\"core\"'"
done
try dbscan cores.csv --eps 1 --min-points 3 -q --core -o cores.csv
cat cores.csv
check "core points do not depend on limits" cmp <(clump dbscan line.csv "${usual[@]}" -q --core -o a.csv && cut -d, -f5 a.csv) <(clump dbscan line.csv "${usual[@]}" --min-size 99 --no-border -q --core -o a.csv && cut -d, -f5 a.csv)
check "nor on the number of runs" cmp <(clump dbscan line.csv "${usual[@]}" -q --core -o a.csv && cat a.csv) <(clump dbscan line.csv "${usual[@]}" --repeat 4 -q --core -o a.csv && cat a.csv)
clump dbscan line.csv "${usual[@]}" -q -o labels.npy
check ".npy holds the labels" grep -q "'descr': '<i4'.*'shape': (16,)" labels.npy
check "standard output" cmp <(clump dbscan line.csv "${usual[@]}" -q -o - --to labels) <(clump dbscan line.csv "${usual[@]}" -q -o a.labels && cat a.labels)

echo "an empty cloud, one point, copies of one"
printf 'x,y,z\n' >empty.csv
try dbscan empty.csv --eps 1 --min-points 2
printf '1 2 3\n' >one.xyz
try dbscan one.xyz --eps 1 --min-points 1 --top 0
try dbscan one.xyz --eps 1 --min-points 2
for _ in 1 2 3 4 5; do printf '1 2 3\n'; done >copies.xyz
try dbscan copies.xyz --eps 1e-9 --min-points 5 --top 0

# Two methods run on a GPU, if there is one; the others never. Either way a sentence that names the CPU.
check "not on a GPU" refused '(the method sequential does not run on cuda, but on the CPU it does|CUDA cannot be used: .*; run ).*--device cpu' dbscan line.csv "${usual[@]}" --method sequential --device cuda
check "not from its memory" refused '(the method sequential does not run on cuda|--memory device needs a CUDA device: ).*--device cpu' dbscan line.csv "${usual[@]}" --method sequential --memory device

# --- hdbscan ------------------------------------------------------------------------------------------

# On a line: a dense group, a wide one, two groups near each other, a lonely point, and one that is not finite.
{
    echo x,y,z
    for x in 0 1 2.1 3.3 4.6; do echo "$x,0,0"; done
    for x in 100 110 121 133 146 160; do echo "$x,0,0"; done
    for x in 300 301 302.1 303.3 304.6 308 309 310.1 311.3 312.6; do echo "$x,0,0"; done
    echo 700,0,0
    echo nan,nan,nan
} >groups.csv

# found ARGUMENTS...: the labels of groups.csv in one line.
found() {
    echo "\$ found $*"
    rm -f out.labels
    clump hdbscan groups.csv -q -o out.labels "$@" && od -An -v -w128 -t d4 out.labels | tr -s ' '
}

try hdbscan groups.csv
try hdbscan groups.csv --min-cluster-size 3 --min-samples 2 --top 1
found
found --min-samples 1
found --min-samples 1 --selection leaf
found --min-samples 1 --epsilon 5
found --min-samples 1 --epsilon 500
found --min-samples 1 --epsilon 500 --allow-single-cluster
found --min-cluster-size 2 --min-samples 1
found --min-cluster-size 2 --min-samples 1 --selection leaf
found --min-samples 1 --max-cluster-size 9
found --min-samples 1 --crop -inf,200,-inf,inf,-inf,inf
found --min-samples 128
found --min-cluster-size 100
found --threads 1
{ head -1 groups.csv && tail -n +2 groups.csv | tac; } >turned.csv
counts() { clump hdbscan "$1" --min-samples 1 --json | grep -o '"clusters":[0-9]*,"noise":[0-9]*,"largest":[0-9]*'; }
check "the order of points changes nothing but numbers" [ "$(counts turned.csv)" = "$(counts groups.csv)" ]

echo "a tree for several distances"
try hdbscan groups.csv --cuts 1.05,1.5,20
try hdbscan groups.csv --cuts 1.5 --min-samples 3 --min-cluster-size 2
hash_of() { clump "$@" --json | sed 's/.*labels_hash":"\([0-9a-f]*\).*/\1/'; }
for d in 1.05 1.5 20; do
    check "cut at $d is ec" [ "$(hash_of hdbscan groups.csv --cuts $d)" = "$(hash_of ec groups.csv -d $d)" ]
    check "cut at $d of min-samples 3 is dbscan" [ "$(hash_of hdbscan groups.csv --cuts $d --min-samples 3)" = "$(hash_of dbscan groups.csv --eps $d --min-points 3 --no-border)" ]
done
try hdbscan groups.csv --cuts 1.5,20 -o cuts.csv
head -4 cuts.csv

echo "outputs"
try hdbscan groups.csv --top 0 -o labelled.csv --clusters boxes.csv
sed -n '1,2p;12p' labelled.csv
clump hdbscan groups.csv --min-samples 1 -q --probability -o chances.csv
cut -d, -f1,4,5 chances.csv | paste -s -d ' '
clump hdbscan groups.csv --min-samples 1 -q --probability --keep objects -o kept.ply
check "the file has the field" bash -c "'$program' info kept.ply --json | grep -q '\"probability\"'"
try hdbscan groups.csv --probability
try hdbscan groups.csv --probability -o chances.labels
try hdbscan groups.csv --cuts 1 --probability -o chances.csv
check "parameters" grep -q '"parameters":{"min_cluster_size":5,"min_samples":3,"selection":"eom","epsilon":0,"max_cluster_size":0,"allow_single_cluster":false,"2d":false,' <(clump hdbscan groups.csv --min-samples 3 --json)

echo "an empty cloud, one point, copies of one"
printf 'x,y,z\n' >empty.csv
try hdbscan empty.csv
try hdbscan empty.csv --cuts 1
printf '1 2 3\n' >one.xyz
try hdbscan one.xyz --top 0
for _ in 1 2 3 4 5 6 7; do printf '1 2 3\n'; done >copies.xyz
try hdbscan copies.xyz --top 0
try hdbscan copies.xyz --top 0 --allow-single-cluster

echo "refused"
try hdbscan
try hdbscan groups.csv --min-cluster-size 1
try hdbscan groups.csv --min-samples 129
try hdbscan groups.csv --min-cluster-size 7 --max-cluster-size 6
try hdbscan groups.csv --selection leaf --max-cluster-size 60
try hdbscan groups.csv --selection best
try hdbscan groups.csv --cuts 1,x
try hdbscan groups.csv --cuts 1,,2
try hdbscan groups.csv --cuts 0
try hdbscan groups.csv --cuts 1 --epsilon 2
try hdbscan groups.csv --cuts 1 --selection leaf
try hdbscan groups.csv groups.csv --cuts 1
try hdbscan groups.csv groups.csv
try hdbscan groups.csv --cuts 1 -o cuts.npy
try hdbscan groups.csv --min-cluster-size 3 --min-samples 2 --dendrogram tree.svg
python=$(command -v python3) || python=
if [ -n "$python" ]; then
    check "the dendrogram is XML" "$python" -c "import xml.dom.minidom as x; x.parse('tree.svg')"
else
    skip "the dendrogram is XML" "$do_setup"
fi
cat tree.svg
for cloud in empty.csv one.xyz copies.xyz; do try hdbscan $cloud --dendrogram $cloud.svg --allow-single-cluster; done
grep -o '<path [cf][li][^>]*>.*' copies.xyz.svg
try hdbscan groups.csv --dendrogram tree.png
try hdbscan groups.csv --dendrogram tree.svg -o out.csv
try hdbscan groups.csv --dendrogram tree.svg --top 5
try hdbscan groups.csv --dendrogram tree.svg --cuts 1
try hdbscan groups.csv groups.csv --dendrogram tree.svg
if clump devices | grep -q '^cuda'; then
    check "on a GPU, if there is one" cmp <(found | tail -n 1) <(found --device cuda | tail -n 1)
else
    check "on a GPU, if there is one" refused 'CUDA cannot be used: .*; run .*--device cpu' hdbscan groups.csv --device cuda
fi
