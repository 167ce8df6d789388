# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# `clump gen survey`: files, folders, pipes; what is refused. What the points are is in tests/sim/test_sim_survey.c.

try gen survey -n 300000 -o one.las
try info one.las | grep -E '^(format|points|lower|upper)'
try ec one.las --drop-class 2 -d 0.5 --min-size 10
clump gen survey -n 300000 -o - --to las 2>err >dash.las
cat err
check "standard output has the file" cmp one.las dash.las
clump gen survey -q -n 300000 -o one.laz
clump convert -q one.laz back.las
check "LAZ has the same points" cmp one.las back.las
clump gen survey -q -n 300000 -o - --to laz >dash.laz
check "standard output has the LAZ file" cmp one.laz dash.laz
check "another seed gives another file" bash -c "'$program' gen survey -q -n 300000 --seed 2 -o other.las && ! cmp -s one.las other.las"
try gen survey -n 300000 --files 7 -o parts
echo parts/*
check "the files have the points of the one" cmp <(for f in parts/*; do tail -c +376 "$f"; done) <(tail -c +376 one.las)
try gen survey -q -n 20 --files 20 --to laz -o few
try info few/000019.laz | grep points
try gen survey -n 10 --files 20 --to laz -o fewer
try gen survey -n 1 -o single.las
try gen survey -n 0 -o none.las
try info none.las | grep points
clump gen survey -n 1000 -o one.las --json

# What is refused, and failures while writing: one sentence, nothing left
try gen survey
try gen survey -o one.pcd
try gen survey -o one.las --to pcd
try gen survey -o one.las --files 3
try gen survey -o parts --files 3
try gen survey -n 10000000000001 -o one.las
try gen survey -o - --to las --json
mkdir out
(trap '' XFSZ && ulimit -f 1024 && try gen survey -n 300000 -o out/large.las && try gen survey -n 3000000 -o out/large.laz)
try gen survey -n 300000 -o out/none/large.las
if [ -c /dev/full ]; then
    try gen survey -n 300000 -o /dev/full
else
    skip "a full device" "$do_elsewhere"
    sed -n '/-o \/dev\/full$/,/^=/p' "$expected"
fi
(trap '' PIPE && clump gen survey -n 1000000 -o - --to las 2>err | head -c 1 >/dev/null)
cat err
ls -A out
