#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/ros2.sh [CLUMP] [CLOUDS]: publishes clouds of 2 MB in ROS 2 at 10 Hz, 1,000 of them by default, over the loopback interface, and
# says how many another process received, and when. It takes a tenth of a second per cloud. The first ones go to no reader: those
# that come after the first one that was heard are counted.
set -eu
cd "$(dirname "$0")/.."
program=$(realpath "${1:-build/release/cli/clump}")
clouds=${2:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# 123,000 points of 16 bytes: x y z and a label
mkdir scans
awk 'BEGIN { print "x,y,z"; for (i = 0; i < 123000; i++) printf "%.2f,%.2f,%.2f\n", i % 350 * 0.2, int(i / 350) * 0.2, i % 7 * 0.3 }' >points.csv
"$program" convert points.csv scans/0.pcd >/dev/null
cp scans/0.pcd scans/1.pcd
domain=$((101 + $$ % 120))
"$program" play ros2://clump/points --domain $domain --local --drop none --frames "$clouds" --json -- ec -d 0.5 >read.json 2>said &
reader=$!
sleep 1
"$program" play scans --rate 1 --loop $((clouds / 2 + 10)) --drop none --publish --domain $domain --local --json -- ec -d 0.5 >sent.json 2>>said
sleep 1
kill -s TERM $reader 2>/dev/null || true
wait $reader || true
python3 - <<'END'
import json
read, sent = json.load(open("read.json")), json.load(open("sent.json"))
print(f"published {sent['published']} clouds, {sent['unsent']} messages could not be sent")
print(f"received  {read['frames']} clouds of {read['points'] // max(read['frames'], 1)} points, lost {read['lost']['lost_packets']}")
print("latency after the message, ms:", {k: read["latency_ms"]["total"][k] for k in ("p50", "p99", "max")})
END
