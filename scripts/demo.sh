#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/demo.sh CLUMP FOLDER [SCAN]: a first walk with the program. Prints each command before it runs it. Ends with a page
# that plays a drive through a simulated street, or with a page and a picture of SCAN.
set -eu

clump=$1
folder=$2
scan=${3:-}
if [ -n "$scan" ] && [ ! -e "$scan" ]; then
    echo "demo: $scan: there is no such file" >&2
    exit 1
fi
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

own=yes what="$scan is your scan"
if [ -z "$scan" ]; then
    own=no scan=$folder/street.pcd what="street.pcd is the simulated scan"
    step "Simulate a sensor of 128 beams in a street. Each point has its true class and instance." \
        "$clump" gen lidar --sensor 128 -o "$scan"
fi
step "From a scan to boxes: $what. The ground is left out; objects are listed nearest first." \
    "$clump" detect "$scan" --clusters "$folder/boxes.json"

page=$folder/drive.html shown=yes
if [ "$own" = yes ]; then
    page=$folder/page.html
    step "See it: a page for any browser, with points, boxes and a list of objects." \
        "$clump" detect "$scan" -q -o "$page" || shown=no
    if [ "$shown" = yes ]; then
        step "And a picture, without a browser." \
            "$clump" view "$scan" --png "$folder/picture.png" -- detect
    fi
else
    step "Simulate a drive of 4 seconds through the street." \
        "$clump" gen lidar --frames 40 -o "$folder/drive.mcap"
    step "Find and follow its objects, and show them: a page for any browser that plays the drive." \
        "$clump" play "$folder/drive.mcap" --track -o "$page" -- objects || shown=no
fi

echo
echo "In $folder: cloud.pcd, labelled.pcd (the cloud with a field \"label\"), clusters.csv and boxes.json."
if [ "$shown" = yes ]; then
    if [ "$own" = yes ]; then echo "The picture: $folder/picture.png"; fi
    echo "The page:    file://$(cd "$folder" && pwd)/$(basename "$page")"
fi
echo "Next: make demo SCAN=YOUR_SCAN.pcd        all options: $clump play --help, $clump view --help"
