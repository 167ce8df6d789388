# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# clump view, and -o page.html of other commands: what is written, what is refused. Sizes depend on zlib and are not shown.
cloud scan.pcd
clump ec scan.pcd -d 1 -q -o labelled.pcd
clump ec scan.pcd -d 1 -q -o found.labels
head -c 12 found.labels >short.labels

# show ARGUMENTS...: as try, without sizes and times.
show() { try "$@" | sed -E 's/, [0-9.]+ (bytes|kB|MB)$/, SIZE/; s/("(page|picture)_bytes":)[1-9][0-9]*/\1N/g; s/("total_ms":)[0-9.]+/\1T/'; }
is_page() { head -c 15 "$1" | grep -qi '^<!doctype html>' && tail -c 20 "$1" | grep -q '</html>'; }
is_picture() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }

# --- outputs
show view scan.pcd -o page.html
check "it is a page" is_page page.html
show view scan.pcd --png picture.png
check "it is a picture" is_picture picture.png
show view scan.pcd -o both.html --png both.png --size 320x200 --json -- ec -d 1
check "both are there" bash -c 'test -s both.html && test -s both.png'
show view scan.pcd -o picture.png -q
check "a picture by its ending" is_picture picture.png
clump view scan.pcd -o - 2>err >page.html
check "a page to standard output" is_page page.html
clump view scan.pcd --png - --size 64x64 >picture.png
check "a picture to standard output" is_picture picture.png
show view - -o page.html <scan.pcd
clump view scan.pcd --png one.png --size 300x200 -q -- ec -d 1
clump view scan.pcd --png two.png --size 300x200 -q -- ec -d 1
check "the same picture twice" cmp one.png two.png
clump view scan.pcd --png two.png --size 300x200 --no-boxes -q -- ec -d 1
check "another without boxes" bash -c '! cmp -s one.png two.png'
clump view scan.pcd --png two.png --size 300x200 --up y -q -- ec -d 1
check "another with another axis up" bash -c '! cmp -s one.png two.png'
clump view scan.pcd --png two.png --size 300x200 --point-size 6 -q -- ec -d 1
check "few points are drawn larger" cmp one.png two.png
clump view scan.pcd --png one.png --size 500x300 --view top -q -- ec -d 1
clump view scan.pcd --png two.png --size 500x300 --view top --no-legend -q -- ec -d 1
check "another without the legend" bash -c '! cmp -s one.png two.png'
show view scan.pcd -o page.html --no-legend
head -c 200 scan.pcd >ends.pcd
show view ends.pcd --png two.png
show view ends.pcd --png two.png --partial
show view scan.pcd --png two.png -- ec -d 1 --remove-ground --sensor 900,900,0

# --- colours of the file
printf '%s\n' 'x y z red green blue' '0 0 0 255 0 0' '1 0 0 0 128 0' '0 1 1 9 8 7' >narrow.txt
printf '%s\n' 'x y z red green blue' '0 0 0 65535 0 0' '1 0 0 0 32900 0' '0 1 1 2313 2056 1799' >wide.txt
clump view narrow.txt --png one.png --size 300x200 -q
clump view wide.txt --png two.png --size 300x200 -q --colour rgb
check "8 and 16 bits look alike, and are the default" cmp one.png two.png
clump view wide.txt --png two.png --size 300x200 -q --colour height
check "height does not" bash -c '! cmp -s one.png two.png'

# --- labels
show view labelled.pcd --png a.png --json
show view scan.pcd --labels found.labels --png b.png --json
check "labels of the field and of a file look alike" cmp a.png b.png
printf '\3\0\0\0\376\377\377\377\373\377\377\377\3\0\0\0\0\1\0\0\377\377\377\177\7\0\0\0' >gaps.labels
show view scan.pcd --labels gaps.labels -o page.html --json
show view scan.pcd --labels labelled.pcd -o page.html -q
show view scan.pcd --labels found.labels --compare gaps.labels -o page.html --png c.png --colour difference -q
show view scan.pcd --compare labelled.pcd -o page.html -q -- ec -d 20
show view scan.pcd --labels short.labels -o new.html
show view scan.pcd --labels found.labels --compare short.labels -o new.html
show view scan.pcd --compare found.labels -o new.html
show view scan.pcd --labels scan.pcd -o new.html
show view scan.pcd --labels found.labels -o new.html -- ec -d 1
show view scan.pcd labelled.pcd --labels found.labels -o new.html
sed 's/intensity/label/; s/^10 0 0 1/10 0 0 1.5/' scan.pcd >halves.pcd
show view halves.pcd -o page.html
printf '\12\0\1\0\12\0\2\0\36\0\1\0\50\0\0\0\12\0\1\0\0\0\0\0\0\0\0\0' >truth.label
show view scan.pcd --labels truth.label --png d.png --colour semantic --json

# --- frames
mkdir scans
for i in 0 1 2 3; do sed "s/^20 0 2 6/2$i 0 2 6/" scan.pcd >scans/$i.pcd; done
show view scans -o page.html
show view scans/3.pcd scans/1.pcd -o page.html -- ec -d 1
show view scans -o page.html --every 2 --json
show view scans -o page.html --frames 3 --max-points 12
show view scans --png e.png --frame 2 --json -- ec -d 1
show view scans/2.pcd --png f.png -q -- ec -d 1
check "the third frame is the third file" cmp e.png f.png
show view scans --png new.png --frame 4
show view scans -o new.html --from 60
cp -r scans damaged
head -c 200 scan.pcd >damaged/2.pcd
show view damaged -o page.html | sed 's/\(the first:\).*/\1 .../'
mkdir nothing
try_message view nothing -o new.html
show view scans/0.pcd missing.pcd -o new.html
try_message view missing.pcd -o new.html

# --- hostile clouds
sed -i 's/^\(WIDTH\|POINTS\) 7/\1 1/; 13,$d' scans/0.pcd
show view scans/0.pcd -o page.html --png g.png -- detect
sed 's/^\(WIDTH\|POINTS\) 7/\1 0/; 12,$d' scan.pcd >empty.pcd
sed -E '12,$s/^[^ ]+ /nan /' scan.pcd >nan.pcd
sed 's/^20 0 2 6/1000000 -1000000 2 6/' scan.pcd >far.pcd
for cloud in empty nan far; do
    for job in "detect" "objects --min-size 1" "dbscan --eps 1 --min-points 2" "erccl" "ground"; do
        # shellcheck disable=SC2086
        check "$cloud: $job" clump view $cloud.pcd -o page.html --png g.png -- $job
    done
    check "$cloud: nothing" clump view $cloud.pcd -o page.html --png g.png
done
name="<script>alert(1)<\\script>'\$(x) &.pcd"
cp scan.pcd "$name"
clump view "$name" -q -o page.html --title '</title><script>alert(2)</script>'
check "no script by a name or a title" bash -c '! grep -aq "alert([12])<" page.html'
sed 's/intensity/<b>x/' scan.pcd >field.pcd
show view field.pcd --png g.png --colour '<b>x' -q

# --- other commands
for command in "ec scan.pcd -d 1" "dbscan scan.pcd --eps 1 --min-points 2" "dbscan scan.pcd --eps 1 --min-points 2 --core" \
    "detect scan.pcd" "objects scan.pcd --min-size 1 --ground none" "erccl scan.pcd" "ground scan.pcd" "nn scan.pcd scans/1.pcd --k 2" "icp scan.pcd scans/1.pcd" \
    "ec scan.pcd -d 1 --keep 1,noise" "dbscan scan.pcd --eps 1 --min-points 2 --keep objects"; do
    rm page.html picture.png
    # shellcheck disable=SC2086
    check "$command -o page.html" clump $command -o page.html
    check "it is a page" is_page page.html
    # shellcheck disable=SC2086
    check "$command -o - --to png" bash -c "'$program' $command -q -o - --to png >picture.png"
    check "it is a picture" is_picture picture.png
done
clump ec scan.pcd -d 1 -q -o a.png --keep noise
clump ec scan.pcd -d 1 -q -o b.png
check "--keep keeps what is asked for" bash -c '! cmp -s a.png b.png'
show ec scan.pcd -d 1 -q -o - --to html --json
show ec scan.pcd -d 1 -q -o nowhere/page.html
show convert scan.pcd --to html page.html

# --- drives: the box moves by 1 in 0.1 s
mkdir drive
for i in 0 1 2 3 4 5; do
    awk -v at=$i 'BEGIN { print "x,y,z"; for (i = 0; i < 60; i++) print 10 "," i * 0.1 "," 1
        for (i = 0; i < 27; i++) print at + i % 3 * 0.2 "," int(i / 3) % 3 * 0.2 - 5 "," int(i / 9) * 0.2 }' >drive/$i.csv
done
for i in 0 1 2 3 4 5; do echo "1 0 0 0 0 1 0 0 0 0 1 0"; done >stands.txt
show view drive -o drive.html --png last.png --size 500x300 --track --poses stands.txt -- ec -d 0.5
check "it is a page" is_page drive.html
clump view drive --png fifth.png --size 500x300 --track --poses stands.txt --frame 5 -q -- ec -d 0.5
check "the picture is of the last frame" cmp last.png fifth.png
clump view drive --png fifth.png --size 500x300 --frame 5 -q -- ec -d 0.5
check "with a trail and an arrow" bash -c '! cmp -s last.png fifth.png'
show view drive -o drive.html --track --json -- ec -d 0.5
show view drive --png last.png --track --poses stands.txt --frame 9 -- ec -d 0.5
head -n 2 stands.txt >two.txt
show view drive -o new.html --track --poses two.txt -- ec -d 0.5
show view drive -o new.html --track
show view drive -o new.html --track -- ground
show view scan.pcd -o new.html --track -- ec -d 1
show view drive -o new.html --poses stands.txt -- ec -d 0.5

# --- what is refused
show view
show view scan.pcd
show view scan.pcd -o out.pcd
show view scan.pcd --png out.jpg
show view scan.pcd -o nowhere/new.html
show view scan.pcd -o - --png -
show view scan.pcd -o - --json
show view scan.pcd --png new.png --size 0x0
show view scan.pcd --png new.png --size 99999x99999
show view scan.pcd --png new.png --size 640
show view scan.pcd -o new.html --size 640x480
show view scan.pcd -o new.html --frame 0
show view scan.pcd --png new.png --title x
show view scan.pcd --png new.png --view hom
show view scan.pcd --png new.png --view 10,100
show view scan.pcd --png new.png --zoom 0
show view scan.pcd --png new.png --point-size 1000
show view scan.pcd --png new.png --target 1,2
show view scan.pcd --png new.png --theme pink
show view scan.pcd --png new.png --colour ring
show view scan.pcd --png new.png --colour label
show view scan.pcd --png new.png --colour core -- ec -d 1
show view scan.pcd --png new.png --colour difference
show view scan.pcd --png new.png --colour rgb
show detect scan.pcd --png new.png
show ec scan.pcd -d 1 --view top
show view scan.pcd -o new.html --
show view scan.pcd -o new.html -- info
show view scan.pcd -o new.html -- ec
show view scan.pcd -o new.html -- ec -d 1 -o x.pcd
show view scan.pcd -o new.html -- ec -d 1 --keep 0
show view scan.pcd -o new.html --up y -- ec -d 1 --remove-ground
show view scan.pcd -o new.html --sensor 0,0,1 -- ec -d 1
show view scan.pcd -o new.html ec
show view scan.pcd scan.pcd -o new.html --partial
show convert scan.pcd new.html
cp scan.pcd in.html
show view in.html --format pcd -o in.html
check "nothing was written" [ -z "$(ls new.* out.* x.pcd 2>/dev/null)" ]
if [ -c /dev/full ]; then
    show view scan.pcd -o /dev/full
    show view scan.pcd --png /dev/full
else
    say_skipped "a full output" "$do_elsewhere"
    sed -n '/dev\/full/,/^= /p' "$expected"
fi
