# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# Files that are cut, have no header, or have names that collide; labels for PCL; links.
cloud scan.pcd

# cut files
clump convert scan.pcd whole.pcd -q --ascii
head -c -20 whole.pcd >cut.pcd
try info cut.pcd
try info cut.pcd --partial
try ec cut.pcd -d 1 -q
try ec cut.pcd -d 1 -q --partial -o cut.csv
check "two points are missing, one of them cut" test "$(wc -l <cut.csv)" -eq 6
clump convert scan.pcd whole.bin -q
head -c -5 whole.bin >cut.bin
try convert cut.bin cut.csv --partial
try nn whole.bin cut.bin --max-distance 1 -q
try nn whole.bin cut.bin --max-distance 1 -q --partial

# points without a header
printf 'x y z\n%s' "$(for i in $(seq 48); do echo "$i 0.5 $((i % 5))"; done)" >many.xyz
clump convert many.xyz many.bin -q
try info many.bin --columns xyzi
try convert many.bin two.csv --columns x,y,z,intensity:u32
try info many.bin --columns xy
try info scan.pcd --columns xyz
try info many.bin --format raw
head -c 36 many.bin >three.bin
try info three.bin
try convert three.bin three.csv --columns xyz
cat three.csv

# names
printf 'x,y,z,a,a\n1,2,3,4,5\n' >twice.csv
try convert twice.csv once.csv
cat once.csv
{ printf 'VERSION .7\nFIELDS x y z n n_1\nSIZE 4 4 4 4 4\nTYPE F F F F F\nCOUNT 1 1 1 2 1\nWIDTH 1\nPOINTS 1\n'
  printf 'DATA ascii\n1 2 3 4 5 6\n'; } >array.pcd
try convert array.pcd array.csv
cat array.csv

# decimals that a LAS file has are in the text, too
printf 'x,y,z\n0.1,0.2,0.3\n1.5,2.25,3.7\n' >few.csv
try convert few.csv few.las
try convert few.las again.csv
cut -d, -f1-3 again.csv

# PCL's label is unsigned
clump ec scan.pcd -d 1 -q -o labelled.pcd
grep -a -E '^(FIELDS|SIZE|TYPE)' labelled.pcd
clump convert labelled.pcd labelled.csv -q
cut -d, -f5 labelled.csv | tr '\n' ' '
echo
try eval labelled.pcd labelled.pcd -q

# links
ln -s nothing.csv dangling.csv
try convert scan.pcd dangling.csv
try ec scan.pcd -d 1 -q -o dangling.csv
try ec scan.pcd -d 1 -q --clusters dangling.csv
check "the link is as it was" test "$(readlink dangling.csv)" = nothing.csv -a ! -e nothing.csv
