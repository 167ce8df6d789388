#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/slower.sh CLUMP_BENCH: measures the quick cases of its job scaling, and prints those that became slower by 5 % than the figures in
# bench/results/scaling/ of a machine like this. The fastest runs are compared: other programs disturb them least. Times are for
# a reader to judge: the status is 0 also where something is slower.
set -eu
cd "$(dirname "$0")/.."
record=bench/results/scaling/$("$1" scaling --machine).csv
if [ ! -f "$record" ]; then
    echo "bench-slower: there are no figures of a machine like this ($record); 'make bench-scaling' writes them"
    exit 0
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"$1" scaling --quick --repeat 9 --csv "$new" >/dev/null
awk -F, -v record="$record" '
    FNR == 1 { for (k in column) delete column[k]; for (k = 1; k <= NF; k++) column[$k] = k; next }
    { key = $column["case"] ", " $column["threads"] " threads"; ms = $column["min_ms"] }
    FILENAME == record { old[key] = ms; date[key] = $column["date"]; next }
    !(key in old) { next }
    { compared++ }
    ms > 1.05 * old[key] { slower++; printf "slower: %s: %.3g ms, %.3g ms on %s (%.2f times)\n", key, ms, old[key], date[key], ms / old[key] }
    END { printf "bench-slower: %d of %d figures are slower than in %s by 5 %%\n", slower, compared, record }' "$record" "$new"
