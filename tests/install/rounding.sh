#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# rounding.sh: no fused multiply-add in the code for the CPU. Every product and every sum is rounded by itself, so that
# results are the same bits on all machines. -ffp-contract=off asks for it, but gcc 12 has made vfmaddsub all the same.
. "$(dirname "$0")/common.sh"

if ! command -v objdump >/dev/null; then
    skip "install objdump"
    exit 0
fi
seen=0
for file in $(find "$build_dir/src" -name '*.o' ! -path '*clump_cuda*'); do
    seen=$((seen + 1))
    fused=$(objdump -d --no-show-raw-insn "$file" | grep -E '[[:space:]](vfn?m(add|sub)|fn?m(add|sub|la|ls)[[:space:]])' | head -n 3)
    [ -z "$fused" ] || fail "$(basename "$file") has fused multiply-adds: $fused"
done
[ "$seen" -gt 0 ] || fail "there are no object files in $build_dir/src"
