# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump info`, `convert`, `gen`: files in and out, and files that are wrong.
cloud scan.pcd
try info scan.pcd
cp scan.pcd "a scan.pcd"
try info "a scan.pcd"
printf "%s\n" "0 0 0" "271 0 0" "0 1500 0" >wide.xyz
try info wide.xyz
for ending in csv txt xyz pts asc npy bin; do
    try convert scan.pcd "there.$ending"
    try convert "there.$ending" back.pcd -q --ascii
    tail -n 7 back.pcd
done
try convert scan.pcd binary.pcd
try convert binary.pcd again.pcd --ascii
check "pcd to binary and back is the same" cmp <(tail -n 7 again.pcd) <(tail -n 7 scan.pcd)
try convert scan.pcd SCAN.PCD

# formats with a header of their own; LAS holds no point that is not finite
for ending in ply "ply --ascii" "ply --big-endian"; do
    # shellcheck disable=SC2086 # words
    try convert scan.pcd there.$ending
    try convert there.ply back.pcd -q --ascii
    check "and back" cmp <(tail -n 7 back.pcd) <(tail -n 7 scan.pcd)
done
try convert scan.pcd there.las
grep -v nan scan.pcd | sed -e 's/^WIDTH 7/WIDTH 6/' -e 's/^POINTS 7/POINTS 6/' >finite.pcd
try convert finite.pcd there.las
try info there.las
try convert there.las back.csv
try ec there.las -d 1 -q -o labelled.las
try convert labelled.las - --to text
try convert scan.pcd there.pcd.bin
if clump convert scan.pcd packed.pcd --compressed -q 2>/dev/null; then
    check "compressed" cmp <(clump convert packed.pcd - --to text) <(clump convert scan.pcd - --to text)
else skip "compressed" "$do_build"; fi

# labels: files of their own, attached and taken out again
clump ec scan.pcd -d 1 -q -o found.labels
clump ec scan.pcd -d 1 -q -o found.label
clump ec scan.pcd -d 1 -q -o found.npy
try info found.labels
try info found.label
try info found.label --json
try convert scan.pcd with.csv --labels found.labels
try convert scan.pcd with.csv --labels found.npy
cat with.csv
try convert scan.pcd with.csv --labels found.label
cat with.csv
try convert with.csv again.label
check "labels are the same" cmp found.label again.label
clump convert scan.pcd with.csv -q --labels found.labels
try convert with.csv again.label
check "labels are the same" cmp found.label again.label
head -c 8 found.labels >few.labels
try convert scan.pcd with.csv --labels few.labels

# what is lost is said, what is not is not
printf 'x,y,z,t\n1,2,3,1700000000123456789\n1,2,3,1700000000123456790\n' >stamps.csv
try convert stamps.csv stamps.pcd
try convert stamps.pcd stamps2.csv
check "64-bit integers" cmp stamps.csv stamps2.csv
try convert stamps.csv stamps.npy
try convert stamps.csv stamps.dat --to kitti
try info found.labels --labels found.labels
try convert - with.csv --labels -

# pipes
mkfifo pipe.pcd
cat pipe.pcd >piped.pcd &
check "to a pipe, which cannot be read again" timeout 20 "$program" convert scan.pcd pipe.pcd
wait
check "all of it" cmp piped.pcd <(clump convert scan.pcd - --to pcd)
check "standard input and output" cmp <(clump convert - - --to text <scan.pcd) <(clump convert scan.pcd - --to text)
clump ec - -d 1 -o - --to npy <scan.pcd >piped.npy 2>/dev/null
check "labels through a pipe" cmp piped.npy found.npy
echo "1 2" | try info - --format text
try_message convert scan.pcd text.bin --ascii
try convert scan.pcd no.labels
try convert scan.pcd quiet.bin -q

{ sed -n 1,6p scan.pcd; echo "WIDTH 6"; sed -n 8,9p scan.pcd; echo "POINTS 6"; echo "DATA ascii"
  printf '0 0 0 0\n0 0 0 0\n0 0 0 0\n1 1 1 0\n1 1 1 0\n2 2 2 0\n'; } >odd.pcd
try info odd.pcd
printf 'x,y,z\n' >empty.csv
try info empty.csv

try gen factors -n 4096 -c 8 -o toy.pcd
try info toy.pcd
try ec toy.pcd -d 1 --top 2
try gen factors --layout slabs -n 1000 -k 8 -o slabs.csv
head -n 1 slabs.csv
try gen factors --layout blob -n 1000 -c 5 -k 8 -D 5 --seed 7 -o blob.npy
try gen factors --layout line -n 0 -o none.pcd
clump convert toy.pcd toy.csv -q
clump ec toy.csv -d 1 -q -o found.csv
check "clustering finds the truth" awk -F, 'NR > 1 && $4 != $5 { exit 1 }' found.csv

try_message info missing.pcd
try_message ec missing.pcd -d 1
try_message convert missing.pcd a.pcd
mkdir folder
try_message info folder
sed 's/^WIDTH .*/WIDTH seven/' scan.pcd >width.pcd
try_message info width.pcd
head -n 13 scan.pcd >short.pcd
try_message ec short.pcd -d 1
head -c 96 /dev/zero >other.dat
try_message info other.dat
try_message info other.dat --format pcd
try info other.dat --format kitti
printf 'x\ny' >$'new\nline.pcd'
try_message info $'new\nline.pcd'

# Names with control characters do not reach the terminal.
cp scan.pcd $'a\033[31m\nb.pcd' 2>/dev/null || cloud $'a\033[31m\nb.pcd'
clump info $'a\033[31m\nb.pcd' | sed -n 1p
clump info $'a\033[31m\nb.pcd' | LC_ALL=C grep -c $'\033'
clump ec $'a\033[31m\nb.pcd' -d 1 -o $'o\r.pcd' | grep 'o\|cluster' | sed -n '1p;$p'
