# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# What `clump info` advises works when it is pasted, and gives clusters that make sense.

# paste_advice ARGUMENTS...: the advice of info, then every line "try" as a shell reads it.
paste_advice() {
    echo "\$ clump info $*"
    clump info "$@" >facts || return
    grep -E '^(note|try|advice) ' facts | scrub
    sed -n 's/^try *//p' facts >lines
    while read -r line; do
        eval "$line" >result 2>errors
        local status=$?
        case $line in
        *' play '*) grep -c ': [0-9]* frames, detect at distance' result ;; # how many depends on the speed of the machine
        *) scrub <result | grep -vE '^(ran|time) ' | sed -E -e 's/, [0-9.]+ [kM]B$/, SIZE/' -e 6q ;;
        esac
        sed 's/^/! /' errors
        if [ "$status" -ne 0 ]; then echo "NOT ok: $line: status $status"; fi
    done <lines
}

# Surveys: three quarters of the points are ground. Without --drop-class they would be one cluster.
clump gen survey -q -n 300000 -o survey.las
clump gen survey -q -n 300000 -o survey.laz
paste_advice survey.las
paste_advice survey.laz

# One point that is not ground: nothing is left out.
printf 'x,y,z,classification\n0,0,0,2\n1,0,0,2\n2,0,0,2\n5,5,5,1\n' >all.csv
paste_advice all.csv

# Scans: KITTI, nuScenes and PCD; a name that a shell would take apart; a cut file, columns, a format.
clump gen lidar -q -o scan.pcd
clump convert -q scan.pcd scan.bin
clump convert -q scan.pcd scan.pcd.bin
cp scan.pcd "it's a \$can.pcd"
paste_advice scan.bin
paste_advice scan.pcd.bin
paste_advice "it's a \$can.pcd"
head -c 1600000 scan.bin >xyzi.dat
paste_advice xyzi.dat --columns xyzi
paste_advice xyzi.dat --format kitti
head -c -5 scan.bin >cut.bin
paste_advice cut.bin --partial
cp scan.bin ./-d.bin
paste_advice -- -d.bin

# A file with labels is shown. The truth of a simulated scan counts as labels, too.
clump detect scan.bin -q -o found.pcd
paste_advice found.pcd
ls found.html
clump ec scan.bin -d 0.5 -q -o scan.labels
paste_advice scan.bin --labels scan.labels

# Recordings: containers, folders, parts, a topic that has to be named
clump gen lidar -q --frames 3 -o drive.mcap
clump gen lidar -q --frames 2 -o scans
paste_advice drive.mcap
paste_advice scans
paste_advice scans/000000.pcd scans/000001.pcd

# number KEY FILE: the number of this key.
number() { sed -E 's/.*"'"$1"'":([0-9]+).*/\1/' "$2"; }

# makes_sense FILE SHARE: whether the advice gives many clusters, of which none has this share, in per cent, of the points
# that are neither ground nor left out.
makes_sense() {
    local line rest
    clump info "$1" --json >facts || return 1
    line=$(sed -E 's/.*"command":"(clump [^"]*)".*/\1/' facts)
    eval "$line --json" >result || return 1
    rest=$(($(number points result) - $(number masked result) - $(number ground result)))
    echo "$line: $(number clusters result) clusters, the largest has $(number largest result) of $rest points"
    [ "$(number clusters result)" -gt 20 ] && [ "$(number largest result)" -lt $((rest * $2 / 100)) ]
}

data=${CLUMP_DATA:-$here/../../../shared/data}
while read -r file share; do
    if [ -f "$data/$file" ]; then
        ln -s "$data/$file" .
        check "the advice for $file" makes_sense "${file##*/}" "$share"
    else
        skip "the advice for $file" "$do_data"
    fi
done <<'END'
kitti/semkitti_00_000000.bin 50
nuscenes/n015_1532402927647951.pcd.bin 50
pcd/sfnd_data1_0000000000.pcd 50
las/lidr_MixedConifer.laz 20
END
