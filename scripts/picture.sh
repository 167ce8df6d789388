#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/picture.sh CLUMP [OUT.png]: makes the picture of the README, docs/clusters.png: a simulated street, and what
# `clump detect` finds in it.
#
# Run it after a change of what pictures look like, and look at the result. No test compares the file: its bytes depend on
# the version of zlib. What pictures look like is tested by the golden images in tests/golden/.
set -eu

clump=${1:?usage: scripts/picture.sh CLUMP [OUT.png]}
out=${2:-$(dirname "$0")/../docs/clusters.png}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$clump" gen lidar --sensor 128 --no-vehicle --seed 2 -q -o "$scratch/street.pcd"
"$clump" view "$scratch/street.pcd" --png "$out" --size 1080x540 --view 228,36 --zoom 1.75 --target 4,0.5,-1 --theme dark \
    -- detect --min-size 20
