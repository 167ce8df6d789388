#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/picture.sh CLUMP [FOLDER]: makes the pictures of the pages in FOLDER (default docs/), of simulated streets and what
# clump finds in them:
#
#     page.png        README.md       the page of `make demo`, as a browser shows it (chromium-headless-shell)
#     clusters.png    docs/view.md    a picture of `clump view --png`
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
