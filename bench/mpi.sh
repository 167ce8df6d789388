#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/mpi.sh BUILD FOLDER [POINTS] [RANKS]: how clump-mpi scales on one machine, with one thread per rank.
#
#     weak     1 2 4 ... RANKS ranks with POINTS points each (default 32000000): ideally the time stays the same
#     strong   the same ranks with 4 x POINTS points in all: ideally the time is divided by the ranks
#
# BUILD is a build folder with clump and clump-mpi. The survey is made in FOLDER, which should be in memory: 20 bytes per
# point, RANKS x POINTS points. Prints seconds in all, the same with the start of the ranks, per phase the longest time of a
# rank (the exchange has the time that ranks wait), bytes per point and the efficiency. CLUMP_MPIRUN has more
# options of mpirun. Exit status 77 where there is no mpirun.
set -eu
build=$1
folder=$2
points=${3:-32000000}
most=${4:-16}
command -v mpirun >/dev/null || { echo "skipped: bench/mpi.sh: there is no mpirun"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1

mkdir -p "$folder"
[ -e "$folder/done-$points-$most" ] || {
    "$build/cli/clump" gen survey -n $((points * most)) --files "$most" --overwrite -q -o "$folder/survey"
    touch "$folder/done-$points-$most"
}

now() { date +%s%N; }

# measure KIND RANKS FILES: one run; prints a line.
measure() {
    files=$(ls "$folder"/survey/*.las | head -n "$3")
    begin=$(now)
    # shellcheck disable=SC2086
    mpirun --oversubscribe --bind-to none --mca btl self,vader ${CLUMP_MPIRUN:-} -n "$2" \
        "$build/mpi/clump-mpi" ec $files -d 0.5 --threads 1 --json >"$folder/out.json"
    end=$(now)
    awk -v kind="$1" -v ranks="$2" -v s=$(((end - begin) / 1000000)) -v first="$folder/first-$1" '
        function number(name, text) {
            text = $0
            if (!sub(".*\"" name "\":", "", text)) return "nan"
            return text + 0
        }
        {
            all = number("plan") + number("scatter") + number("tiles") + number("merge") + number("output") + number("exchange")
            if (ranks == 1) print all > first
            else getline one < first
            ideal = ranks == 1 ? all : kind == "weak" ? one : one / ranks
            printf "%-6s %2d ranks %11d points  %6.2f s, with start %.2f", kind, ranks, number("points"), all, s / 1000
            printf "  plan %.2f scatter %.2f tiles %.2f", number("plan"), number("scatter"), number("tiles")
            printf " merge %.2f output %.2f exchange %.2f", number("merge"), number("output"), number("exchange")
            printf "  %5.2f B/point  efficiency %3.0f %%\n", number("bytes_sent") / number("points"), 100 * ideal / all
        }' "$folder/out.json"
}

ranks=1
while [ "$ranks" -le "$most" ]; do
    measure weak "$ranks" "$ranks"
    ranks=$((ranks * 2))
done
ranks=1
while [ "$ranks" -le "$most" ]; do
    measure strong "$ranks" $((most < 4 ? most : 4))
    ranks=$((ranks * 2))
done
