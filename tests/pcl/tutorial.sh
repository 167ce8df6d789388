#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tutorial.sh WITH_CLUMP WITHOUT DATA: both programs of examples/pcl/cluster_extraction.cpp print the same, for the cloud that
# they make and for a file.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

compare() {
    "$1" ${3:+"$3"} >"$scratch/with"
    "$2" ${3:+"$3"} >"$scratch/without"
    diff -u "$scratch/without" "$scratch/with" || { echo "FAILED: the output differs${3:+ for $3}"; exit 1; }
    grep -q '^cluster of' "$scratch/with" || { echo "FAILED: no cluster${3:+ in $3}"; exit 1; }
}

compare "$1" "$2" ""
data=${CLUMP_DATA:-$3}
if [ -r "$data/pcd/sfnd_data1_0000000000.pcd" ]; then
    compare "$1" "$2" "$data/pcd/sfnd_data1_0000000000.pcd"
else
    echo "skipped: tutorial, only the cloud that the program makes: set CLUMP_DATA to a folder with the real scans"
fi
