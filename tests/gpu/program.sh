#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/gpu/program.sh PROGRAM FOLDER: the program on a GPU gives what it gives on the CPU: labels, boxes, and the frames
# of a replay, with points and labels in every kind of memory. Scans come from the folder CLUMP_DATA; without it they are
# simulated. FOLDER is for the files that are made. Status 1: something differs.
set -u
program=$1
work=$2
rm -rf "$work"
mkdir -p "$work/scans"
failed=0
compared=0

if ls "${CLUMP_DATA:-/nowhere}"/kitti/semkitti_00_00000?.bin >/dev/null 2>&1; then
    cp "$CLUMP_DATA"/kitti/semkitti_00_00000?.bin "$work/scans"
else
    for seed in 1 2 3; do "$program" gen lidar --seed $seed -o "$work/scans/00000$seed.pcd" --quiet || exit 1; done
fi

# same WHAT FILE FILE: counts, and says where two files differ.
same() {
    compared=$((compared + 1))
    cmp -s "$2" "$3" && return
    echo "differs: $1"
    failed=1
}

# label DEVICE MEMORY SCAN NAME COMMAND...
label() {
    device=$1 memory=$2 scan=$3 name=$4 command=$5
    shift 5
    "$program" "$command" "$scan" "$@" --device "$device" --memory "$memory" -o "$work/$name.labels" \
        --clusters "$work/$name.json" --quiet || failed=1
}

for scan in "$work"/scans/*; do
    for job in "detect" "detect --by dbscan" "detect --by erccl" "detect --thin 0.1" "detect --eps-per-metre 0.01" \
        "detect --order size --axes" "ec -d 0.5" "ec -d 0.5 --remove-ground" "ec -d 0.5 --thin 0.2" \
        "dbscan --eps 0.5 --min-points 10" "dbscan --eps 0.5 --min-points 10 --remove-ground" "erccl" \
        "objects --neighbours exact" "objects --neighbours scan --step" "detect --by objects --levels 1,3"; do
        # shellcheck disable=SC2086
        label cpu pageable "$scan" cpu $job
        for memory in pageable pinned device; do
            # shellcheck disable=SC2086
            label cuda $memory "$scan" gpu $job
            same "labels of $job, $memory, ${scan##*/}" "$work/cpu.labels" "$work/gpu.labels"
            same "boxes of $job, $memory, ${scan##*/}" "$work/cpu.json" "$work/gpu.json"
        done
        case $job in *remove-ground* | *thin* | detect* | objects* | erccl*) continue ;; esac
        # shellcheck disable=SC2086
        label cuda pageable "$scan" gpu $job --gpu-ram 8M
        same "labels of $job in pieces, ${scan##*/}" "$work/cpu.labels" "$work/gpu.labels"
        same "boxes of $job in pieces, ${scan##*/}" "$work/cpu.json" "$work/gpu.json"
    done
done

for job in "detect" "objects" "ec -d 0.5 --remove-ground" "dbscan --eps 0.5 --min-points 10" "erccl"; do
    for device in cpu cuda; do
        # shellcheck disable=SC2086
        "$program" play "$work/scans" --flat-out --track --json-lines --quiet -- $job --device $device >"$work/$device.lines" || failed=1
    done
    same "replay of $job" "$work/cpu.lines" "$work/cuda.lines"
    [ -s "$work/cpu.lines" ] || { echo "empty: replay of $job"; failed=1; }
done

# The maps of erccl.
scan=$(ls "$work"/scans/* | head -n 1)
for memory in pageable device; do
    "$program" erccl "$scan" --device cpu --maps "$work/maps-cpu" --quiet || failed=1
    "$program" erccl "$scan" --device cuda --memory $memory --maps "$work/maps-gpu" --quiet || failed=1
    for map in highest lowest ground flag label; do
        same "map $map, $memory" "$work/maps-cpu/$map.npy" "$work/maps-gpu/$map.npy"
        [ -s "$work/maps-cpu/$map.npy" ] || { echo "empty: map $map"; failed=1; }
    done
done

[ "$failed" -ne 0 ] || echo "$compared passed"
exit "$failed"
