#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# fast_dds.sh CLUMP FAST_DDS: clump and a program of Fast DDS, in both directions: clouds to clump, and what it finds back. Nothing
# leaves the loopback interface; the domain is that of the process.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
unset CYCLONEDDS_URI FASTRTPS_DEFAULT_PROFILES_FILE
domain=$((101 + $$ % 120))
"$1" play ros2://points --domain $domain --local --json -- ec -d 1 >"$folder/json" 2>"$folder/said" &
clump=$!
timeout 60 "$2" $domain
status=$?
kill -s TERM $clump
wait $clump
if grep -q 'CycloneDDS' "$folder/said"; then
    echo "skipped: topics of ROS 2 with Fast DDS: run scripts/setup.sh --ros and build anew"
    exit 77
fi
cat "$folder/said"
frames=$(sed -n 's/.*"frames":\([0-9]*\),"points":\([0-9]*\),"clusters":\([0-9]*\),.*/\1 \2 \3/p' "$folder/json")
echo "clump read: $frames (frames, points, clusters)"
# shellcheck disable=SC2086 # three words
set -- ${frames:-0 0 0}
if [ "$status" -ne 0 ] || [ "$1" -lt 5 ] || [ "$2" -ne $((20000 * $1)) ] || [ "$3" -ne $((2 * $1)) ]; then
    echo "wrong: status $status"
    exit 1
fi
