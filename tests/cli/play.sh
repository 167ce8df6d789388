# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# clump play: frames, jobs, outputs, order, signals, full disks. Times are not compared.

# scene FILE X: a wall of 60 points, and a box of 27 points at X.
scene() {
    awk -v at="$2" 'BEGIN {
        for (i = 0; i < 60; i++) print 10, i * 0.1, 1
        for (i = 0; i < 27; i++) print at + i % 3 * 0.2, int(i / 3) % 3 * 0.2 - 5, int(i / 9) * 0.2
    }' >body
    { echo "# .PCD v0.7"; printf 'VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 87\nHEIGHT 1\n'
      printf 'VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 87\nDATA ascii\n'; cat body; } >"$1"
    rm body
}
mkdir scans
for i in 0 1 2 3 4 5; do scene "scans/scan_$i.pcd" "$i"; done

# Removes what is a time from a summary, text or JSON.
without_times() {
    sed -E -e 's/^(played +)[0-9.]+ m?s of the recording in .*/\1.../' -e '/^ *(wait|decode|cluster|total|write) /d' \
        -e '/^ +\|  latency$/,/^ +ms  \|/d' \
        -e 's/"(played_s|frames_per_s)":[^,]*/"\1":T/g' -e 's/"latency_ms":\{([^{}]*\{[^{}]*\})*\}/"latency_ms":T/'
}
play() { try play "$@" | without_times; }

play scans --flat-out -- ec -d 0.5
play scans --flat-out --json -- ec -d 0.5 --min-size 30
play scans --flat-out --from 0.2 --for 0.2 -- detect --ground none
play scans --flat-out --frames 2 --loop 3 -- dbscan --eps 0.5 --min-points 3
play scans --rate 50 --drop none --deadline 60000 -- erccl --ground none
play scans/scan_3.pcd scans/scan_1.pcd --flat-out -- ec -d 0.5
play scans --flat-out -q -- ec -d 0.5

# At a thousand times the speed frames may be dropped; each is clustered or dropped.
for stages in 1 2 3; do
    clump play scans --rate 1000 --queue 1 --loop 50 --stages $stages --json -- ec -d 0.5 >out
    sum=$(grep -oE '"(frames|dropped)":[0-9]+' out | head -n 2 | awk -F : '{ sum += $2 } END { print sum }')
    check "no frame of 300 is forgotten with $stages stages" [ "$sum" = 300 ]
done

# Lines of JSON, in the order of the frames; one line is shown whole.
try play scans --flat-out -q --json-lines --frames 1 -- ec -d 0.5 --min-size 30
lines() { clump play scans --flat-out -q --json-lines "$@" | grep -oE '^\{"frame":[0-9]+,"stamp":[0-9]+|"label":[0-9]+,"count":[0-9]+,"centroid":\[[0-9.]*' | tr '\n' ' '; }
lines -- ec -d 0.5
echo

# Tracking, relative to the sensor: the wall stays, the box moves by 1 in 0.1 s.
clump play scans --flat-out -q --json-lines --track --poses none -- ec -d 0.5 |
    grep -oE '^\{"frame":[0-9]+|"track":[0-9]+,"velocity":[^]]*|"seen":[0-9]+' | paste -s -d ' ' | sed 's/ {/\n{/g'
play scans --flat-out --track --poses none -o tracked -- ec -d 0.5
clump convert tracked/000003.pcd tracked.csv -q
sed -n '1p;2p;$p' tracked.csv
play scans --flat-out --track --poses none --gate 0.4 -- ec -d 0.5

# Over ground: the sensor moves by 1 along x in 0.1 s. The thin wall goes along with it, as stripes of beams do: it stands. The box moves
# twice as fast. From a file with times,
# and from the transforms that were written.
for i in 0 1 2 3 4 5; do echo "1 0 0 $i 0 1 0 0 0 0 1 0"; done >poses.txt
for i in 0 1 2 3 4 5; do echo "0.$i $i 0 0 0 0 0 1"; done >poses.tum
ground() { clump play "$@" --flat-out -q --json-lines --track -- ec -d 0.5 |
    grep -oE '^\{"frame":[0-9]+|"pose":[^]]*|"track":[0-9]+|"speed":[0-9.]*|"moving":[a-z]*|"confidence":[0-9.]*' | paste -s -d ' ' | sed 's/ {/\n{/g'; }
ground scans --poses poses.txt >ground.txt
cat ground.txt
check "times tell the same" cmp ground.txt <(ground scans --poses poses.tum)
clump play scans --flat-out -q --track --poses poses.txt -o ground.mcap -- ec -d 0.5
clump info ground.mcap | grep -o '/tf .*'
check "transforms tell the same" cmp ground.txt <(ground ground.mcap --topic /clump/points --poses ground.mcap)
play ground.mcap --topic /clump/points --flat-out --track -- ec -d 0.5
check "they are taken without --poses" cmp ground.txt <(ground ground.mcap --topic /clump/points)
check "odometry is the default" cmp <(ground scans --poses odometry) <(ground scans)
play scans --flat-out --track -- ec -d 0.5 # too few points
play scans --flat-out --track --poses poses.txt -o ground -- ec -d 0.5
clump convert ground/000003.pcd ground.csv -q
sed -n '1p;$p' ground.csv
clump gen lidar --sensor vlp-16 --frames 6 -q -o street --poses truth.txt
clump play street --flat-out -q --json-lines --track --poses odometry -- detect | grep -o '"pose":[^]]*' | sed 's/"pose":\[//; s/,/ /g' >found.txt
clump gen lidar --sensor vlp-16 --frames 6 --distortion -q -o turning.mcap --poses truth2.txt
clump odometry turning.mcap -q -o found2.txt
clump play turning.mcap --flat-out -q --json-lines --track -- detect | grep -o '"pose":[^]]*' | sed 's/"pose":\[//; s/,/ /g' >found3.txt
check "and corrects frames as clump odometry does" test "$(clump eval found3.txt found2.txt | awk '/absolute/ { print ($2 < 1e-6) }')" = 1
# A lost pose: what moves is not known, in this frame and in those of the second after it.
mkdir -p lost
clump gen lidar --sensor vlp-16 --scene people --frames 20 -o lost -q
rm -f lost/*.txt lost/*.csv
cloud lost/000008.pcd
clump play lost --track --poses odometry --flat-out -q --json-lines -- objects >lost.jsonl
clump play lost --track --poses odometry --flat-out -- objects | grep -E '^(poses|motion) '
check "objects move before a lost pose" grep -q '"frame":[4-7],.*"moving":true' lost.jsonl
check "a lost pose makes motion unknown for a second" test "$(grep -E '"frame":(8|9|1[0-8]),' lost.jsonl | grep -cE '"moving":(true|false)')" = 0
check "then it is known again" grep -qE '"frame":19,.*"moving":(true|false)' lost.jsonl

check "odometry finds the poses" test "$(clump eval found.txt truth.txt | awk '/absolute/ { print ($2 < 0.1) }')" = 1
head -2 poses.txt >short.txt
play scans --flat-out --track --poses short.txt -- ec -d 0.5
sed 's/^0/9/' poses.tum >late.tum
play scans --flat-out --track --poses late.tum -- ec -d 0.5
echo 1 2 3 >wrong.txt
play scans --flat-out --track --poses wrong.txt -- ec -d 0.5
clump play scans --flat-out -q --track --poses none -o without.mcap -- ec -d 0.5
play scans --flat-out --track --poses without.mcap -- ec -d 0.5
play scans --flat-out --poses poses.txt -- ec -d 0.5
play scans --flat-out --track --poses poses.txt --from 0.2 -- ec -d 0.5

# Evidence over time: objects that were seen apart stay apart.
clump gen lidar --sensor vlp-16 --scene street --frames 12 --seed 3 -o apart --poses apart.txt -q
objects() { clump play apart --flat-out --track --poses apart.txt "$@" -- objects --eps-per-metre 0.025; }
objects 2>&1 | grep -E '^(clusters|tracks|memory) '
objects --no-memory 2>&1 | grep -E '^(clusters|tracks|memory) '
objects --json | grep -oE '"kept_apart":[0-9]+,"kept_as_one":[0-9]+'
objects --json --no-memory | grep -oE '"kept_apart":[a-z0-9]+,"kept_as_one":[a-z0-9]+'
objects -q --json-lines >apart.jsonl
check "lines have as many" [ "$(grep -o '"kept":"apart"' apart.jsonl | wc -l)" = "$(objects --json | sed -E 's/.*"kept_apart":([0-9]+),.*/\1/')" ]
check "every cluster has a whole" [ "$(grep -o '"whole":{' apart.jsonl | wc -l)" = "$(grep -o '"label":' apart.jsonl | wc -l)" ]
grep -oE '"whole":.*' apart.jsonl | sed -nE '1s/("kept":[a-z"]*).*/\1/p'
check "one stage and one thread" cmp apart.jsonl <(clump play apart --flat-out --track --poses apart.txt -q --json-lines --stages 1 -- objects --eps-per-metre 0.025 --threads 1)
play scans --no-memory -- objects
play scans --track --poses poses.txt --no-memory -- ec -d 0.5

# A page that plays. It is the same with every number of stages; frames without points and single frames are frames, too.
page() { play "$@" | sed -E 's/, [0-9.]+ (kB|MB)$/, SIZE/'; }
page scans --track --poses poses.txt -o scans.html -- ec -d 0.5
check "the page has the frames" [ "$(grep -c 'class="clump-frame"' scans.html)" = 6 ]
clump play street --track -q -o street.html -- detect
check "its frames are the same with one stage" cmp <(grep clump-frame street.html) \
    <(clump play street --track -q -o one.html --stages 1 -- detect --threads 1 && grep clump-frame one.html)
page scans --track --poses none --max-points 300 -o thin.html -- ec -d 0.5
page scans --frames 1 --track -o one.html -- ec -d 0.5
check "the page of one frame" [ "$(grep -c 'class="clump-frame"' one.html)" = 1 ]
mkdir empty
for i in 0 1; do sed 's/87$/0/; 12,$d' scans/scan_0.pcd >empty/$i.pcd; done
page empty --track -o empty.html -- detect
try_message play scans -o nowhere/scans.html -- ec -d 0.5
try play scans -o scans.html --rate 2 -- ec -d 0.5
try play scans -o scans.html --drop oldest -- ec -d 0.5
try play scans -o scans.html --to pcd -- ec -d 0.5
try play scans --max-points 10 -- ec -d 0.5

# The same bytes with every number of stages and threads, and from the copy of a recording.
for stages in 1 2 3; do
    clump play scans --flat-out --stages $stages -q --track -o "found$stages.mcap" -- ec -d 0.5 --threads $((4 - stages))
done
check "two stages write the same" cmp found1.mcap found2.mcap
check "three stages write the same" cmp found1.mcap found3.mcap
hash() { clump play "$@" --json | grep -o '"labels_hash":"[0-9a-f]*"'; }
hash_of() { clump play "$1" --flat-out --json -- ec -d 0.5 | grep -o '"labels_hash":"[0-9a-f]*"'; }
clump play scans --flat-out -q -o found.bag -- ec -d 0.5
clump play scans --flat-out -q -o labelled -- ec -d 0.5
for copy in found1.mcap found.bag labelled; do
    check "$copy gives the same labels" [ "$(hash_of scans)" = "$(hash_of $copy)" ]
done
ls labelled
check "frames have the labels of single clouds" bash -c "
    '$program' ec scans/scan_4.pcd -d 0.5 -q -o one.pcd && '$program' convert one.pcd one.csv -q && '$program' convert labelled/000004.pcd two.csv -q && cmp one.csv two.csv"
try info found1.mcap
try info found.bag

# Folders.
try play scans --flat-out -q -o labelled -- ec -d 0.5
try play scans --flat-out -q -o labelled --overwrite --to labels -- ec -d 0.5
echo labelled/*
try play scans --flat-out -q -o scans/scan_0.pcd/sub -- ec -d 0.5
try play scans --flat-out -q -o new --to kitti -- ec -d 0.5
check "no folder was made" [ ! -e new ]
play scans --flat-out -o last --frames 1 -- ec -d 0.5

# Frames that cannot be read.
mkdir odd
cp scans/scan_0.pcd odd/0.pcd
head -c 100 scans/scan_1.pcd >odd/1.pcd
cp scans/scan_2.pcd odd/2.pcd
try play odd --track -q -o odd.html -- ec -d 0.5
check "a page of those that can be read" [ "$(grep -c 'class="clump-frame"' odd.html)" = 2 ]
try play odd --flat-out -- ec -d 0.5 | without_times | sed -E 's/(the first: [^:]*:).*/\1 .../'
mkdir none
try_message play none --flat-out -- ec -d 0.5
try_message play none --track -o none.html -- ec -d 0.5
check "no page of a folder without clouds" test ! -e none.html
try_message play missing.bag -- ec -d 0.5
try_message play scans/scan_0.pcd missing.pcd -- ec -d 0.5 # the first can be read
try_message play scans --topic /other -- ec -d 0.5
try play scans --flat-out --from 100 -- ec -d 0.5
try play scans --flat-out --from 0.1 --for 0 -q -o none.mcap -- ec -d 0.5
check "no recording without frames" test ! -e none.mcap
try play scans --from 0.1 --for 0 -q -o none.html -- ec -d 0.5
check "no page without frames" test ! -e none.html

# Wrong usage.
try play
try play scans
try play scans --
try play scans -- info
try play scans -- ec
try play scans -- ec scans -d 1
try play scans -- ec -d 1 -o out
try play scans -- ec -d 1 --json
try play scans -- ec -d 1 --clusters x.json
try play scans -- ec -d 1 --repeat 3
try play scans -- ec -d 1 --memory pinned
try play scans -- dbscan --eps 1 --min-points 2 --core
try play scans -- ec -d 1 --min-size 3 --max-size 2
try play scans -- detect --thin 1e-20
try play scans --rate 0 -- ec -d 1
try play scans --rate 2 --flat-out -- ec -d 1
try play scans --drop newest -- ec -d 1
try play scans --drop oldest --flat-out -- ec -d 1
try play scans --stages 4 -- ec -d 1
try play scans --json --json-lines -- ec -d 1
try play scans --to las -- ec -d 1
try play scans --overwrite -o x.mcap -- ec -d 1
# A sensor does not send again what a file has.
echo old >old.pcap; echo old >old.mcap; echo old >old.html; echo old >old.svg; echo old >old.tum
try play udp://127.0.0.1:0 -o old.pcap -- ec -d 1
try play ros2://points -o old.mcap -- ec -d 1
try play ouster://127.0.0.1 -o old.html -- ec -d 1
try play - --chart old.svg -- ec -d 1
try odometry udp://127.0.0.1:0 -o old.tum
try odometry scans -o old.tum --overwrite
try play - -o old.pcap --overwrite -- ec -d 1
cat old.pcap old.mcap old.html old.svg old.tum
try play scans --chart x.png -- ec -d 1
try play scans --gate 1 -- ec -d 1
try play scans -o nowhere/x.mcap -- ec -d 1
try play scans -o - -- ec -d 1
try play scans -o out.pcd -- ec -d 1
try play scans -o out.db3 -- ec -d 1
try play scans -o scans --overwrite -- ec -d 1
try play found.bag -o ./found.bag -- ec -d 1
try play found.bag found1.mcap -- ec -d 1
try play scans --chart nowhere/x.svg -- ec -d 1
try play scans --domain 3 -- ec -d 1
try play scans --domain 233 --publish -- ec -d 1
try play scans --ros kilted --publish -- ec -d 1
try play scans --qos reliable --publish -- ec -d 1
try play ros2://points found.bag -- ec -d 1

# The chart is XML with all it needs.
clump play scans --flat-out -q --deadline 0 --chart chart.svg -- ec -d 0.5
python=$(command -v python3) || python=
if [ -n "$python" ]; then
    check "the chart is XML" "$python" -c "import xml.dom.minidom as x; x.parse('chart.svg')"
else
    skip "the chart is XML" "$do_setup"
fi
check "the chart shows the frames" grep -q '>6 frames: median' chart.svg
check "and what was missed" grep -q '>6 missed the deadline' chart.svg

# A full disk: one sentence, and no half recording.
if [ -c /dev/full ]; then
    ln -s /dev/full full.mcap
    ln -s /dev/full full.html
    try_message play scans -q -o full.html -- ec -d 0.5
    try_message play scans --flat-out -q -o full.mcap -- ec -d 0.5
    clump play scans --flat-out -q --json-lines -- ec -d 0.5 >/dev/full 2>err
    echo "lines to a full disk: status $?, $(cat err)"
else
    say_skipped "a full output" "$do_elsewhere"
    sed -n '/^\$ clump play .*full.mcap/,/^lines to a full disk/p' "$expected"
fi
mkdir ../full
if mount -t tmpfs -o size=64k tmpfs ../full 2>/dev/null; then
    try_message play scans --flat-out -q --loop 100 -o ../full/x.mcap -- ec -d 0.5
    try_message play scans --flat-out -q --loop 100 -o ../full/x.bag -- ec -d 0.5
    try_message play scans --track -q --loop 1000 -o ../full/x.html -- ec -d 0.5
    check "nothing is left" [ -z "$(ls -A ../full)" ]
    try play scans --flat-out -q --loop 1000 -o ../full/clouds -- ec -d 0.5 | sed -E 's/[0-9]{6}.pcd/N.pcd/'
    check "each cloud is complete" bash -c "for f in ../full/clouds/*; do '$program' info \$f | grep -q 'points    87' || exit 1; done"
    umount ../full
else
    say_skipped "a full disk" "$do_root"
    sed -n '/^\$ clump play .*full\/x.mcap/,/^ok: each cloud is complete/p' "$expected"
fi
rmdir ../full

# Ctrl-C: the status of the signal, complete outputs, the summary.
stopped() {
    local signal=$1 pid
    shift
    "$program" play "$@" >stdout 2>stderr &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ "$(awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null)" -lt 20 ] 2>/dev/null; do sleep 0.01; done
    kill -s "$signal" $pid
    wait $pid
    echo "$signal: status $?, $(cat stderr)"
}
set -m # with job control a command in the background does not ignore SIGINT
if [ -r /proc/self/stat ]; then
    for signal in INT TERM; do
        stopped $signal scans --flat-out --loop 1000000000 --json -o stopped.mcap -- ec -d 0.5 --threads 1
        check "the summary has frames" grep -qE '"frames":[1-9]' stdout
        frames=$(grep -oE '"frames":[0-9]+' stdout | head -n 1)
        check "the recording has them" bash -c "'$program' info stopped.mcap --json | grep -q '\"name\":\"/clump/points\".*$frames'"
    done
    # A paced play that sleeps ends soon, too.
    rm stdout stderr
    "$program" play scans --rate 0.001 --json-lines -- ec -d 0.5 >stdout 2>stderr &
    pid=$!
    until [ -s stdout ]; do sleep 0.01; done
    kill -s INT $pid
    wait $pid
    echo "asleep: status $?, $(wc -l <stdout) line, $(sed -n 1,2p stderr | paste -s -d ,)"
    # A second signal does not wait for a reader that stops reading. The line of the frame is longer than a pipe holds: after
    # its first byte, clump waits in the middle of the line.
    rm stderr
    mkfifo pipe
    exec 9<>pipe
    mkdir wide
    seq 2000 | awk 'BEGIN { print "x,y,z" } { print 2 * $1 ",0,0" }' >wide/0.csv
    "$program" play wide --flat-out --loop 1000000000 --json-lines -- ec -d 0.5 >pipe 2>stderr &
    pid=$!
    read -r -N 1 -u 9
    kill -s INT $pid
    until [ -s stderr ]; do sleep 0.01; done
    kill -s INT $pid
    wait $pid
    echo "twice: status $?, $(paste -s -d , stderr)"
    exec 9<&-
else
    skip "signals" "$do_elsewhere"
    sed -n '/^INT: status/,/^twice/p' "$expected"
fi
set +m

# Clusters per class: a field of the frames, or a file of labels beside each, as SemanticKITTI has them.
mkdir classed drive drive/velodyne drive/labels
printf 'x,y,z,class\n0,0,0,10\n0.5,0,9,252\n1.2,0,0,40\n4,0,0,30\n4.2,0,0,30\n4.4,0,0,31\n' >classed/0.csv
printf 'x,y,z,class\n0,0,0,10\n1,0,0,10\n1.2,0,0,30\n' >classed/1.csv
for job in "ec -d 1" "dbscan --eps 1 --min-points 1" "objects --ground none --min-size 1" "detect --by objects --ground none --min-size 1"; do
    echo "classes in play: $job"
    clump play classed --flat-out --json-lines -- $job --classes semantickitti 2>/dev/null |
        grep -oE '"frame":[0-9]+|"(label|count)":[0-9]+|"class":"[a-z]*"' | paste -s -d ' '
done
play classed --flat-out -- ec --classes semantickitti --class-of kind
play classed --flat-out -- ec --classes semantickitti --class-of labels.label
play classed --flat-out -- ec --classes none.txt
play scans --flat-out --frames 1 -- ec --classes semantickitti
printf '10 car radius=1 max=1 oversize=split\n30 person max=1\n' >table.txt
play classed --flat-out -- ec --classes table.txt
clump play classed --flat-out --json -- ec --classes table.txt --class-of class | grep -oE '"(oversize":\{[^}]*\}|classes":"[a-z.]*","class_of":"[a-z]*")'
clump play classed --flat-out -q -o classed.mcap -- ec -d 1
clump play classed.mcap --flat-out --json-lines -- ec -d 1 --classes semantickitti 2>/dev/null | grep -oE '"count":[0-9]+|"class":"[a-z]*"' | paste -s -d ' '
clump convert classed/0.csv drive/velodyne/000000.bin >/dev/null 2>&1
printf '\012\0\0\0\374\0\0\0\050\0\0\0\036\0\0\0\036\0\0\0\037\0\0\0' >drive/labels/000000.label
clump play drive/velodyne --flat-out --json-lines -- ec --classes semantickitti 2>/dev/null | grep -oE '"count":[0-9]+|"class":"[a-z]*"' | paste -s -d ' '
clump ec drive/velodyne/000000.bin --classes semantickitti --json | grep -oE '"classes":\{[^}]*\}'

# Sensors that send, and captures that are sent: what is wrong. tests/recordings/test_live.c has the packets.
for url in udp:// udp://:99999 udp://velodyne:2368 udp://192.0.2.1:0 ouster:// ouster://127.0.0.1:1; do try play "$url" -- ec -d 0.5; done
try play udp://127.0.0.1:0 --rate 2 -- ec -d 0.5
try play udp://127.0.0.1:0 scans -- ec -d 0.5
try play scans -o found.pcap -- ec -d 0.5
try send
cloud one.csv
try send one.csv udp://127.0.0.1:9
try send none.pcap udp://127.0.0.1:9
try send none.pcap udp://127.0.0.1:9 --rate 0
