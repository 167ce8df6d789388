#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/gallery.sh BUILD [OUT]: makes the pictures of docs/gallery.md, docs/gallery/*.png. Runs the examples in Python on
# simulated scans and draws what they write with `clump view --png`. BUILD is the build folder with the program and the
# package. PYTHON names another python3.
#
# Run it after a change of the examples or of what pictures look like, and look at the result. No test compares the files.
# Only simulated scans may be shown: the real ones are not ours to publish.
set -eu

build=$(cd "${1:?usage: scripts/gallery.sh BUILD [OUT]}" && pwd)
examples=$(cd "$(dirname "$0")/../examples/python" && pwd)
out=${2:-$(dirname "$0")/../docs/gallery}
python=${PYTHON:-python3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"
clump=$build/cli/clump
export CLUMP_PROGRAM="$clump" PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1

# draw FILE PICTURE OPTIONS...
draw() {
    file=$1
    picture=$2
    shift 2
    "$clump" view "$file" --png "$out/$picture" --size 720x360 --theme dark --no-legend "$@"
    size=$(wc -c <"$out/$picture")
    [ "$size" -lt 150000 ] || { echo "gallery: $picture has $size bytes, more than 150000" >&2; exit 1; }
}

"$python" "$examples/01_kitti_to_boxes.py" -o "$scratch/boxes.pcd"
draw "$scratch/boxes.pcd" boxes.png --view 228,36 --zoom 1.75 --target 4,0.5,-1

"$python" "$examples/02_tuning_eps.py" -o "$scratch/eps.pcd"
draw "$scratch/eps.pcd" eps.png --view 250,55 --zoom 0.8 --target 0,0,0 --no-boxes

"$python" "$examples/03_torch_gpu.py" --device "${DEVICE:-cpu}" -o "$scratch/torch.pcd"
draw "$scratch/torch.pcd" torch.png --view 30,25 --zoom 1.2 --target 0,0,-1 --no-boxes

"$python" "$examples/04_folder_of_scans.py" -o "$scratch/table.csv" --keep "$scratch/scans"
draw "$scratch/scans" folder.png --frame 4 --view 200,40 --zoom 1.2 --target 4,0,-1

"$python" "$examples/05_labels_into_las.py" -o "$scratch/survey.las"
draw "$scratch/survey.las" survey.png --view 40,40 --zoom 1.05 --no-boxes
