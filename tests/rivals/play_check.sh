#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# play_check.sh PROGRAM MODULE: `clump play --check-pcl` compares with PCL under the options of its job: size limits count.
set -eu
program=$1
CLUMP_PCL=$2
export CLUMP_PCL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for seed in 1 2; do "$program" gen factors -q --layout blob -n 3000 -c 10 -k 8 --seed "$seed" -o "$folder/$seed.bin"; done
for limits in "" "--min-size 30" "--max-size 60" "--min-size 20 --max-size 80"; do
    # shellcheck disable=SC2086
    "$program" play "$folder" --flat-out --check-pcl --json -- ec -d 0.8 $limits >"$folder/out"
    grep -q '"equal":2' "$folder/out" || {
        echo "play_check: not the clusters of PCL with '$limits':" >&2
        cat "$folder/out" >&2
        exit 1
    }
done
