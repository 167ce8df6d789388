# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump nn` and `clump icp`: neighbours, ties, bounds, files; motions.

# Reference points on a line; 2 and 3 are the same place, 5 is not finite.
cat >a.csv <<END
x,y,z
0,0,0
1,0,0
3,0,0
3,0,0
10,0,0
nan,0,0
END
# 0.5 is between 0 and 1, 2 between 1 and 3; 100 is far away, the last is not finite.
cat >b.csv <<END
x,y,z,intensity
0.5,0,0,1
2,0,0,2
3,0,0,3
100,0,0,4
inf,0,0,5
END

try nn a.csv b.csv
try nn a.csv b.csv --max-distance 1 --repeat 3
try nn a.csv b.csv -q

# found ARGUMENTS...: the neighbours of b.csv in one line.
found() {
    echo "\$ found $*"
    rm -f out.labels
    clump nn a.csv b.csv -q -o out.labels "$@" && od -An -v -w64 -t d4 out.labels | tr -s ' '
}
found
found --method kdtree
found --method brute --threads 2
found --method azimuth
found --method azimuth --partitions 1
found --method azimuth --partitions 4 --window 9
found --max-distance 1 # the bound itself is within
found --max-distance 0.99
found --max-distance 0

try nn a.csv b.csv --k 3 -o k.csv
cat k.csv
try nn a.csv b.csv -q -o one.csv
cat one.csv
try nn a.csv b.csv -q -o one.npy
try nn a.csv b.csv -q -o - --to text
try nn b.csv a.csv --method azimuth | grep -v '^time'
try nn b.csv a.csv --method batch --device cpu
clump nn a.csv b.csv --json | sed -E 's/"(median|min|p99|upload|build|query|download|host|device)":[0-9.e+-]+/"\1":0/g; s/"(device|reason)":"[^"]*"/"\1":"..."/g; s/"threads":[0-9]+/"threads":0/'
clump nn a.csv b.csv --json --method azimuth | grep -oE '"(recall|mean_error|worst_error|partitions|window)":[0-9.]+'

# nothing to find, nothing to ask
echo x,y,z >none.csv
try nn none.csv b.csv
try nn a.csv none.csv

# A map far away, in float64, and the same moved by a known step: files with different origins.
awk 'BEGIN { print "x,y,z"; for (i = 0; i < 400; i++) printf "%.3f,%.3f,%.3f\n", 500000 + (i * 37 % 101) / 10, 4000000 + (i * 53 % 89) / 9, (i * 29 % 23) / 7 }' >map.csv
awk -F, 'NR == 1 { print } NR > 1 { printf "%.3f,%.3f,%.3f\n", $1 - 1.02, $2 + 0.03, $3 }' map.csv >moved.csv
try nn map.csv moved.csv --max-distance 1.05 | grep -E 'found|distance'
try icp map.csv moved.csv --max-distance 0.5 --iterations 3 | grep -v '^motion\|^  '
awk -F, 'NR == 1 { print } NR > 1 { printf "%.3f,%.3f,%.3f\n", $1 - 0.02, $2 + 0.03, $3 - 0.01 }' map.csv >near.csv
for method in point plane gicp; do
    try icp map.csv near.csv --method $method -o back.csv | sed -E '/^(motion|  )/d; s/rmse .*/rmse/'
    clump nn map.csv back.csv --max-distance 0.001 | grep found
done
try icp map.csv map.csv --keep 0.5 --threads 2
clump icp map.csv map.csv --json | sed -E 's/"parameters":\{[^}]*\},//' | grep -oE '"(fitness|rmse|iterations|converged|method)":("[a-z]+"|[a-z]+|[0-9.]+)'
try icp map.csv near.csv --iterations 1 | grep -E 'aligned|moving'
# a quarter turn about a far point, and a guess that is nearly that
awk -F, 'NR == 1 { print } NR > 1 { printf "%.3f,%.3f,%.3f\n", 500000 + ($2 - 4000000), 4000000 - ($1 - 500000), $3 }' map.csv >turned.csv
echo '0 -1 0 4500000.1  1 0 0 3500000.1  0 0 1 0' >guess.txt
try icp map.csv turned.csv --initial guess.txt -o back.csv | grep -E 'aligned'
clump nn map.csv back.csv --max-distance 0.01 | grep found
echo '[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0]' >short.txt
try icp map.csv turned.csv --initial short.txt
echo '1 0 0 0 0 2 0 0 0 0 1 0' >skew.txt
try icp map.csv turned.csv --initial skew.txt
echo '1 0 0 zero' >word.txt
try icp map.csv turned.csv --initial word.txt
try icp map.csv turned.csv --initial nowhere.txt
printf 'x,y,z\n1,2,3\nnan,1,1\n' >two.csv
try icp map.csv two.csv | grep -E 'aligned|pair'
try icp none.csv map.csv -q
# Too few pairs: the motion is not known. It fails, and writes nothing.
try icp map.csv two.csv -q -o lost.csv
try icp map.csv near.csv -q --max-distance 1e-6 -o lost.csv
clump icp map.csv two.csv --json 2>err | sed -E 's/"parameters":\{[^}]*\},//' | grep -oE '"(iterations|converged)":[a-z0-9]+'
check "nothing is written" [ ! -e lost.csv ]
