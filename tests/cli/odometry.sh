# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# clump odometry: poses of a simulated drive, what is refused, what is flagged.
clump gen lidar --sensor vlp-16 --frames 6 --distortion -o drive.mcap -q
clump gen lidar --sensor vlp-16 --frames 4 -o scans -q

# Numbers that depend on the time are left out.
said() { sed -E 's/^time .*/time .../; s/^ran .*/ran .../'; }
clump odometry drive.mcap -o poses.txt --threads 1 | said
echo "poses.txt: $(wc -l <poses.txt) lines of $(head -1 poses.txt | wc -w) numbers, the first: $(head -1 poses.txt)"
clump odometry drive.mcap -o poses.tum --threads 2 -q
echo "poses.tum: $(grep -cv '^#' poses.tum) lines, $(grep -v '^#' poses.tum | tail -1 | awk '{ printf "%d numbers, x %.1f", NF, $2 }')"
clump odometry drive.mcap -o again.txt --threads 3 -q --device cpu
check "any number of threads gives the same poses" cmp poses.txt again.txt
clump odometry drive.mcap -o - -q | cmp - poses.txt && echo "-o - is the same"
check "the last place is right" awk 'END { exit !($4 > 3.95 && $4 < 4.05 && $8 * $8 < 0.01 && $12 * $12 < 0.01) }' poses.txt
clump odometry drive.mcap --json-lines -q | sed -E 's/,"transform.*/.../'
clump odometry scans --times none --json | grep -o '"frames":4,"registered":3,"lost_frames":0'

# Transforms in recordings; play reads them back.
for kind in mcap bag; do
    clump odometry drive.mcap -o "tf.$kind" -q
    clump play drive.mcap --track --poses "tf.$kind" --flat-out --json-lines -q -- ec -d 0.5 | grep -o '"pose":[^]]*' |
        awk -F, 'END { printf "%d frames with a pose, the last x is %.1f\n", NR, $4 }'
done
try odometry
try odometry nothing.mcap
try odometry scans --format tum
try odometry scans -o tf.mcap --format tum
try odometry scans -o - --json
try odometry scans --json --json-lines
try odometry scans --voxel 0
try odometry scans --map-voxel 0
try odometry scans --max-range 0.5
try odometry scans --method gicp
try odometry scans --times colour
try odometry scans -o missing/poses.txt

# Frames that cannot be registered are said, and have the expected pose.
mkdir mixed
cp scans/000000.pcd mixed/0.pcd
cp scans/000001.pcd mixed/1.pcd
cloud mixed/2.pcd
cp scans/000003.pcd mixed/3.pcd
clump odometry mixed -o mixed.txt --times none 2>err | said
cat err
check "a lost frame has a line, too" [ "$(wc -l <mixed.txt)" = 4 ]

# Times that cannot be are not used, and that is said.
clump odometry drive.mcap -o odd.txt --times intensity 2>err | said
cat err

# Captures begin and end in the middle of a turn.
captures() {
    local data=${CLUMP_DATA:-$here/../../../shared/data}/pcap
    local hdl32=$data/mrpt_sample_velodyne_hdl32.pcap vlp32=$data/DERIVED_nebula_vlp32.pcap
    local one=$data/ouster_OS-0-32-U1_v2.2.0_1024x10-single-packet.pcap
    if ! [ -f "$hdl32" ] || ! [ -f "$vlp32" ] || ! [ -f "$one" ]; then return 77; fi
    clump odometry "$hdl32" 2>err | grep -q '^frames   1 registered, 0 lost' || return 1
    grep -q 'left out: 2 partial turns with which the recording begins or ends (--partial-turns keeps them)' err || return 1
    clump odometry "$hdl32" --partial-turns 2>err | grep -q '4 frames' || return 1
    if grep -q 'left out' err; then return 1; fi
    clump odometry "$vlp32" 2>err | grep -q '^frames   4 registered, 0 lost' || return 1
    clump odometry "$vlp32" --json -q | grep -q '"partial_turns":2' || return 1
    clump info "$hdl32" | grep -q '4 frames (2 partial)' || return 1
    clump play "$hdl32" --flat-out --loop 3 -- ec -d 0.5 | grep -q '^turns     left out: 6 partial turns' || return 1
    clump frames "$hdl32" -o whole >out 2>err && [ "$(ls whole)" = "$(printf '000000.pcd\n000001.pcd')" ] || return 1
    clump frames "$one" -o single >out 2>err && [ -f single/000000.pcd ] || return 1
    grep -q 'no whole turn: 1 partial turn is read' err
}
captures >said 2>&1
result=$?
if [ $result -eq 77 ]; then skip "partial turns of captures are left out, and that is said" "no captures (CLUMP_DATA)"; else
    cat said
    check "partial turns of captures are left out, and that is said" [ $result -eq 0 ]
fi
