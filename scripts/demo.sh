#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/demo.sh CLUMP FOLDER: a first walk with the program. Prints each command before it runs it.
set -eu

clump=$1
folder=$2
mkdir -p "$folder"

step() {
    echo
    echo "# $1"
    shift
    echo "\$ $*"
    "$@"
}

step "Make a cloud: 60,000 points in 12 clusters, about 10 apart." \
    "$clump" gen factors --layout blob -n 60000 -c 12 -k 40 -o "$folder/cloud.pcd"
step "Look at it." \
    "$clump" info "$folder/cloud.pcd"
step "Find the clusters: points closer than 1 belong together. Write the labels and the boxes." \
    "$clump" ec "$folder/cloud.pcd" -d 1 --top 12 -o "$folder/labelled.pcd" --clusters "$folder/clusters.csv"

awk -f "$(dirname "$0")/street.awk" >"$folder/street.csv"
step "From a scan to boxes: street.csv is a simulated scan. The ground is left out; objects are listed nearest first." \
    "$clump" detect "$folder/street.csv" --clusters "$folder/boxes.json"

echo
echo "In $folder: cloud.pcd, labelled.pcd (the cloud with a field \"label\"), clusters.csv, street.csv and boxes.json."
echo "Next: $clump detect YOUR_SCAN.pcd        all options: $clump detect --help"
