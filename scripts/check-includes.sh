#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check-includes.sh: the dependence rules of CONTRIBUTING.md, checked by what files include.
# Exit status 1 with a line for each include that is not allowed.
set -eu
cd "$(dirname "$0")/.."

# folder | folders its "..." includes may name (a dot: its own, without a folder) | its <clump/...> includes
rules='
include/clump      | -                                             | any
include/clump/pcl  | -                                             | any
src/common         | common                                        | none
src/rules          | rules                                         | none
src/core           | core common rules                             | clump.h cuda.h joint.h batch.h
src/host           | host core common rules                        | clump.h track.h
src/cpu            | cpu core common rules                         | clump.h
src/cpu/shared     | cpu/shared core common rules                  | clump.h
src/cpu/grid       | cpu/grid cpu/shared core common rules         | clump.h
src/cpu/rows       | cpu/rows cpu/grid cpu/shared core common rules | clump.h
src/cpu/ec         | cpu/ec cpu/rows cpu/grid cpu/shared core common rules | clump.h
src/cpu/six        | cpu/six cpu/shared core common rules          | clump.h
src/cpu/dbscan     | cpu/dbscan cpu/ec cpu/rows cpu/grid cpu/shared core common rules | clump.h
src/cpu/batch      | cpu/batch cpu/dbscan cpu/ec cpu/rows cpu/grid cpu/shared core common rules | clump.h
src/cpu/ranged     | cpu/ranged cpu/dbscan cpu/ec cpu/rows cpu/grid cpu/shared core common rules | clump.h
src/cpu/objects    | cpu/objects cpu/detect cpu/ranged cpu/dbscan cpu/ec cpu/rows cpu/grid cpu/shared core common rules | clump.h
src/cpu/obstacles  | cpu/obstacles cpu/shared core common rules    | clump.h
src/cpu/describe   | cpu/describe cpu/shared core common rules     | clump.h
src/cpu/detect     | cpu/detect cpu/obstacles cpu/shared core common rules | clump.h
src/cpu/nn         | cpu/nn cpu/shared core common rules           | clump.h
src/cuda           | cuda core common rules                        | clump.h cuda.h
src/cuda/gpu       | cuda/gpu core common rules                    | clump.h cuda.h
src/cuda/fast      | cuda/fast cuda/gpu core common rules          | clump.h cuda.h
src/cuda/six       | cuda/six cuda/gpu core common rules           | clump.h cuda.h
src/cuda/dclust    | cuda/dclust cuda/six cuda/gpu core common rules | clump.h cuda.h
src/cuda/batch     | cuda/batch cuda/fast cuda/gpu core common rules | clump.h cuda.h
src/cuda/pieces    | cuda/pieces cuda/fast cuda/gpu core common rules | clump.h cuda.h
src/cuda/ranged    | cuda/ranged cuda/fast cuda/gpu core common rules | clump.h cuda.h
src/cuda/objects   | cuda/objects cuda/ranged cuda/fast cuda/gpu core common rules | clump.h cuda.h
src/cuda/obstacles | cuda/obstacles cuda/gpu core common rules     | clump.h cuda.h
src/cuda/describe  | cuda/describe cuda/gpu core common rules      | clump.h cuda.h
src/cuda/detect    | cuda/detect cuda/objects cuda/describe cuda/obstacles cuda/ranged cuda/dclust cuda/six cuda/fast cuda/gpu core common rules | clump.h cuda.h
src/cuda/nn        | cuda/nn cuda/gpu core common rules            | clump.h cuda.h
io/blocks          | blocks recordings laz .                       | any
io/laz             | laz                                           | none
io                 | . laz                                         | any
io/sensors         | sensors .                                     | any
io/messages        | messages sensors .                            | any
io/recordings      | recordings messages sensors .                 | any
io/recorder        | recorder messages .                           | any
sim                | .                                             | any
big                | . rules common                                | any
mpi                | .                                             | any
cli                | . viewer                                      | any
bench              | . rivals papers                               | any
viewer             | .                                             | any
python             | . viewer                                      | any
examples           | -                                             | any
'

list=$(mktemp)
trap 'rm -f "$list"' EXIT
for folder in include src io sim big mpi cli bench viewer python examples; do
    [ ! -d "$folder" ] || grep -rHE '^[[:space:]]*#[[:space:]]*include' "$folder" \
        --include='*.c' --include='*.h' --include='*.cpp' --include='*.hpp' --include='*.cu' --include='*.cuh' || true
done >"$list"

RULES=$rules awk '
    function refuse(why) { printf "%s: #include %s: %s\n", file, what, why; bad = 1 }
    function contains(list, word) { return index(" " list " ", " " word " ") > 0 }
    BEGIN {
        n = split(ENVIRON["RULES"], lines, "\n")
        for (i = 1; i <= n; i++) {
            if (split(lines[i], part, "|") != 3) continue
            for (k in part) gsub(/^ +| +$/, "", part[k])
            quoted[part[1]] = part[2]; public[part[1]] = part[3]
        }
    }
    {
        colon = index($0, ":")
        file = substr($0, 1, colon - 1)
        what = substr($0, colon + 1)
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", what); sub(/[ \t]*(\/[\/*].*)?$/, "", what)
        name = substr(what, 2, length(what) - 2)

        # the room of the file: its folder below src, include or io, else the top folder
        steps = split(file, step, "/")
        folder = step[1]
        for (k = 2; k < steps && (step[1] == "src" || step[1] == "include" || step[1] == "io"); k++) folder = folder "/" step[k]
        if (!(folder in quoted)) { refuse("there is no rule for the folder " folder); next }
        if (name ~ /\.\./) refuse("paths with .. are not allowed")

        if (what ~ /^"/) {
            from = name
            if (!sub(/\/[^\/]*$/, "", from)) from = "."
            # the tables of the backends (src/cpu, src/cuda) may name every room below them
            below = substr(folder, 5) "/"
            if (!contains(quoted[folder], from) && !(folder ~ /^src\/(cpu|cuda)$/ && index(from, below) == 1))
                refuse(folder " may only include: " quoted[folder])
        } else if (name ~ /^clump\//) {
            if (public[folder] == "none") refuse(folder " knows no types of clump")
            else if (public[folder] != "any" && !contains(public[folder], substr(name, 7)))
                refuse(folder " may only include of the public headers: " public[folder])
        } else if (name ~ /^(cuda|cub|thrust)/ && folder !~ /^src\/cuda/) {
            refuse("CUDA belongs into src/cuda")
        } else if (name ~ /^pcl\// && file !~ /^(bench\/rivals\/|include\/clump\/pcl\/|examples\/pcl\/|bench\/pcl_dropin\.cpp)/) {
            refuse("PCL belongs into bench/rivals, and into the drop-in: include/clump/pcl, examples/pcl")
        }
    }
    END { exit bad }' "$list"

# Which backends a build has is asked in one file alone.
if grep -rnE '^[[:space:]]*#[[:space:]]*(el)?if.*CLUMP_WITH_CUDA' include src io sim viewer cli | grep -v '^src/core/registry\.c:'; then
    echo "only src/core/registry.c may ask for CLUMP_WITH_CUDA" >&2
    exit 1
fi
