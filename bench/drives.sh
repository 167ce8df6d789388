#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/drives.sh FOLDER CLUMP...: the drift of `clump odometry` on simulated drives of 1 km with distortion, of every scene
# with every sensor. CLUMP are programs of different builds, for a comparison; the first one makes the drives.
#
# FOLDER needs room for one drive, up to 8 GB. SCENES, SENSORS and SEED choose others than all, all and 2; the sensor moves
# by 0.8 m per turn with 16 and 32 beams, else by 1.6 m. Prints a row per drive and program:
#
#     scene, sensor, program    program: its place in the arguments
#     percent, degrees_per_m    of clump eval: KITTI's measure, parts of 100 to 800 m
#     end_m, up_m               how far the last pose is off, and its height
#     ms, lost, weak            time per frame on one thread; frames
set -eu
folder=$1
shift
mkdir -p "$folder"
trap 'rm -f "$folder/drive.mcap"' EXIT

# value NAME FILE: the first number of that name in a JSON object; nothing where it is null.
value() { sed -n "s/^.*\"$1\":\([-0-9.e+]*\).*$/\1/p" "$2" | head -n 1; }

# judge SCENE SENSOR PROGRAM CLUMP: one row.
judge() {
    "$4" odometry "$folder/drive.mcap" --threads 1 --json -o "$folder/poses.txt" >"$folder/run.json"
    "$4" eval "$folder/poses.txt" "$folder/truth.txt" --json >"$folder/eval.json"
    sed 's/.*"kitti"//' "$folder/eval.json" >"$folder/kitti.json"
    end=$(tail -qn 1 "$folder/poses.txt" "$folder/truth.txt" | awk '
        NR == 1 { x = $4; y = $8; z = $12 }
        NR == 2 { printf "%.2f,%.2f", sqrt((x - $4) ^ 2 + (y - $8) ^ 2 + (z - $12) ^ 2), z - $12 }')
    percent=$(grep -o '"translation_percent":[0-9.e+-]*' "$folder/kitti.json" | head -n 1 | cut -d : -f 2)
    degrees=$(grep -o '"degrees_per_m":[0-9.e+-]*' "$folder/kitti.json" | head -n 1 | cut -d : -f 2)
    printf '%s,%s,%s,%.3f,%.5f,%s,%.1f,%s,%s\n' "$1" "$2" "$3" "$percent" "$degrees" "$end" \
        "$(value mean_ms "$folder/run.json")" "$(value lost_frames "$folder/run.json")" "$(value weak "$folder/run.json")"
}

echo scene,sensor,program,percent,degrees_per_m,end_m,up_m,ms,lost,weak
for sensor in ${SENSORS:-vlp-16 hdl-32e hdl-64e 128}; do
    frames=1251 speed=8
    case $sensor in hdl-64e | 128) frames=626 speed=16 ;; esac
    for scene in ${SCENES:-street t-junction road square trees people crossroad}; do
        "$1" gen lidar --scene "$scene" --sensor "$sensor" --seed "${SEED:-2}" --frames "$frames" --speed "$speed" \
            --distortion --overwrite -q -o "$folder/drive.mcap" --poses "$folder/truth.txt"
        program=1
        for clump in "$@"; do
            judge "$scene" "$sensor" "$program" "$clump"
            program=$((program + 1))
        done
    done
done
