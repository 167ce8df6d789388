#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/picture.sh CLUMP [FOLDER]: makes the pictures of the pages in FOLDER (default docs/), of simulated streets and what
# clump finds in them:
#
#     page.png        README.md       the page of `make demo`, as a browser shows it (chromium-headless-shell)
#     clusters.png    docs/view.md    a picture of `clump view --png`
#     map_all.png     docs/map.md     a street with everything that moved
#     map.png         docs/map.md     the same without
#     hdbscan.png     docs/hdbscan.md the tree of distances of a street without ground
#
# Run it after a change of what pages and pictures look like, and look at the result. No test compares the files: their bytes
# depend on the versions of zlib and of the browser. What pictures look like is tested by the golden images in tests/golden/,
# what pages do by tests/viewer/.
set -eu

clump=${1:?usage: scripts/picture.sh CLUMP [FOLDER]}
here=$(cd "$(dirname "$0")" && pwd)
folder=${2:-$here/../docs}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

browser=
for name in ${CLUMP_CHROMIUM:+"$CLUMP_CHROMIUM"} chromium-headless-shell chromium; do
    if [ -z "$browser" ] && command -v "$name" >/dev/null; then browser=$name; fi
done
[ -n "$browser" ] || { echo "picture.sh: no chromium-headless-shell: run scripts/setup.sh --viewer" >&2 && exit 1; }

"$clump" gen lidar --frames 40 -q -o "$scratch/drive.mcap"
"$clump" play "$scratch/drive.mcap" --track -q -o "$scratch/drive.html" -- objects
# The virtual time lets the page unpack and draw its frame before the screenshot.
if ! "$browser" --headless --no-sandbox --disable-gpu --enable-unsafe-swiftshader --hide-scrollbars --window-size=1280,800 \
    --virtual-time-budget=10000 --screenshot="$scratch/page.png" "file://$scratch/drive.html#frame=33" >"$scratch/log" 2>&1; then
    cat "$scratch/log" >&2
    exit 1
fi
python3 "$here/palette-png.py" "$scratch/page.png" "$folder/page.png"

"$clump" gen lidar --sensor 128 --no-vehicle --seed 2 -q -o "$scratch/street.pcd"
"$clump" view "$scratch/street.pcd" --png "$folder/clusters.png" --size 1080x540 --view 228,36 --zoom 1.75 \
    --target 4,0.5,-1 --theme dark -- detect --min-size 20

"$clump" gen lidar --frames 80 -q --poses "$scratch/poses.txt" -o "$scratch/drive.mcap"
map_picture() { # FILE [OPTION]
    name=$1
    shift
    "$clump" map "$scratch/drive.mcap" --poses "$scratch/poses.txt" --times none -q -o "$scratch/map.laz" "$@"
    "$clump" view "$scratch/map.laz" --png "$scratch/map.png" --size 720x400 --view 200,35 --zoom 2 --colour height \
        --point-size 2 --no-legend -q
    python3 "$here/palette-png.py" "$scratch/map.png" "$folder/$name"
}
map_picture map_all.png --keep-moving
map_picture map.png

"$clump" gen lidar --sensor hdl-64e -q -o "$scratch/street.pcd"
"$clump" ground "$scratch/street.pcd" --keep objects -q -o "$scratch/above.pcd"
"$clump" hdbscan "$scratch/above.pcd" --min-cluster-size 50 --min-samples 10 -q --dendrogram "$scratch/tree.svg"
"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=960,480 --default-background-color=ffffffff \
    --screenshot="$scratch/tree.png" "file://$scratch/tree.svg" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && exit 1; }
python3 "$here/palette-png.py" "$scratch/tree.png" "$folder/hdbscan.png"
