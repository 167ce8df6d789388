#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/mpi/run.sh CLUMP CLUMP-MPI FAULTY: the program on several processes gives the labels of one process, for any number of them,
# says in one sentence what is wrong, and survives the death of a rank: the job ends, and the next run is right. Skipped
# where there is no mpirun.
set -u
clump=$1
clump_mpi=$2
faulty=$3
skip() { echo "skipped: mpi: $*"; exit 77; }
command -v mpirun >/dev/null 2>&1 || skip "there is no mpirun (scripts/setup.sh --mpi)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() { echo "failed: $*"; failed=1; }

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
# ranks N ARGUMENT...: clump-mpi on N processes, also where there are fewer processors
ranks() {
    count=$1
    shift
    mpirun --oversubscribe --mca mpi_yield_when_idle 1 --mca btl self,vader \
        --mca btl_vader_single_copy_mechanism none -n "$count" "$clump_mpi" "$@"
}
# value NAME: of a JSON object on standard input
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }

ranks 2 --version >"$folder/out" 2>&1 || {
    cat "$folder/out"
    skip "mpirun cannot start two processes here: run scripts/setup.sh --mpi and build anew"
}

"$clump" gen survey -n 300000 --files 3 -q -o "$folder/survey" || fail "gen survey"
printf '1,3 low radius=0.4 2d\n4,5,6 high max=300\n2 ground stuff\n' >"$folder/table.txt"
for job in "ec -d 0.5" "dbscan --eps 0.5 --min-points 8 --order size --drop-class 2" "ec --classes $folder/table.txt" \
    "dbscan --eps 0.5 --min-points 4 --drop-class 2 --thin 0.15" "ec -d 0.5 --remove-ground"; do
    # shellcheck disable=SC2086
    hash=$("$clump" $job "$folder"/survey/*.las --ram 256M --work "$folder/work" --json | value labels_hash)
    [ -n "$hash" ] || fail "$job: one process gives no hash"
    case $job in *--thin* | *--remove-ground*) counts="1 3" ;; *) counts="1 2 3 5 8" ;; esac
    for count in $counts; do
        # shellcheck disable=SC2086
        ranks "$count" $job "$folder"/survey/*.las --threads 1 --json >"$folder/json" 2>"$folder/err" ||
            fail "$job on $count ranks: $(cat "$folder/err")"
        [ "$(value labels_hash <"$folder/json")" = "$hash" ] || fail "$job on $count ranks: other labels"
        [ "$(value ranks <"$folder/json")" = "$count" ] || fail "$job on $count ranks: JSON names another number"
        [ "$(wc -l <"$folder/json")" -eq 1 ] || fail "$job on $count ranks: not one line"
    done
done

# Output: a file per input, as one process writes them.
"$clump" ec "$folder"/survey/*.las -d 0.5 --ram 256M --work "$folder/work" -q -o "$folder/one/" || fail "one process: -o"
ranks 3 ec "$folder"/survey/*.las -d 0.5 --threads 1 -q -o "$folder/three/" || fail "three ranks: -o"
for file in "$folder"/one/*; do cmp "$file" "$folder/three/${file##*/}" || fail "${file##*/} differs"; done

# What is wrong is said once, with the status of the program.
ranks 3 ec "$folder/missing.las" -d 0.5 >"$folder/out" 2>"$folder/err" && fail "a missing file is no failure"
[ "$(grep -c 'missing.las' "$folder/err")" -eq 1 ] || fail "a missing file: $(cat "$folder/err")"
grep -q 'stopped by\|stopping by' "$folder/err" && fail "a missing file: a sentence about a signal: $(cat "$folder/err")"
ranks 2 ec "$folder"/survey/*.las -d 0.5 --each >"$folder/out" 2>"$folder/err" && fail "--each is no failure"
grep -q '^clump-mpi: --each cannot be used with clump-mpi' "$folder/err" || fail "--each: $(cat "$folder/err")"
ranks 2 gen survey -o "$folder/no.las" >"$folder/out" 2>"$folder/err" && fail "gen is no failure"
grep -q "^clump-mpi: no command 'gen survey'" "$folder/err" || fail "gen: $(cat "$folder/err")"
ranks 2 --help >"$folder/out" 2>"$folder/err" || fail "--help: $(cat "$folder/err")"
[ "$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$folder/out" | tr '\n' ' ')" = "ec dbscan help " ] ||
    fail "the help lists other commands: $(cat "$folder/out")"
# A share that is larger than the memory of a rank goes to the disk, and so do descriptions of clusters.
for count in 1 2 3; do
    hash=$(ranks "$count" ec "$folder"/survey/*.las -d 0.5 --drop-class 2 --ram 16M --threads 1 --axes --hull \
        --clusters "$folder/$count.json" -o "$folder/$count.labels" --json 2>"$folder/err" | value labels_hash)
    [ -n "$hash" ] || fail "16 MB, $count ranks: $(cat "$folder/err")"
    cmp "$folder/1.json" "$folder/$count.json" || fail "descriptions of $count ranks differ"
    cmp "$folder/1.labels" "$folder/$count.labels" || fail "labels of $count ranks differ"
    [ ! -e "$folder/$count.labels.clump" ] || fail "$count ranks: temporary files were left behind"
done
"$clump" ec "$folder"/survey/*.las -d 0.5 --drop-class 2 --ram 256M --work "$folder/work" -q --axes --hull \
    --clusters "$folder/alone.json" || fail "one process: --clusters"
cmp "$folder/alone.json" "$folder/1.json" || fail "descriptions of ranks differ from those of one process"
[ "$(wc -l <"$folder/alone.json")" -gt 100 ] || fail "there are few clusters"

# Two jobs on one folder: one sentence, from rank 0.
mkdir "$folder/busy" && : >"$folder/busy/clump-lock"
flock "$folder/busy/clump-lock" sleep 20 &
holder=$!
sleep 0.2
ranks 3 ec "$folder"/survey/*.las -d 0.5 --work "$folder/busy" >"$folder/out" 2>"$folder/err" && fail "a busy folder is no failure"
[ "$(grep -c 'busy: the work folder is in use by another process' "$folder/err")" -eq 1 ] ||
    fail "a busy folder: $(cat "$folder/err")"
kill "$holder" 2>/dev/null

# Ranks that were started with other parameters.
for work in "" "--work $folder/parameters"; do
    # shellcheck disable=SC2086
    timeout 60 mpirun --oversubscribe --mca mpi_yield_when_idle 1 --mca btl self,vader \
        -n 1 "$clump_mpi" ec "$folder/survey/000000.las" -d 0.5 $work : \
        -n 1 "$clump_mpi" ec "$folder/survey/000000.las" -d 0.6 $work >"$folder/out" 2>"$folder/err"
    status=$?
    [ "$status" -eq 1 ] || fail "another distance: status $status"
    [ "$(grep -c 'rank 1 was started with d 0.6 instead of 0.5; all ranks need the same parameters' "$folder/err")" -eq 1 ] ||
        fail "another distance: $(cat "$folder/err")"
    [ ! -e "$folder/parameters" ] || fail "another distance: the work folder was made"
done

# A rank that cannot begin ends the others.
timeout 60 mpirun --oversubscribe --mca mpi_yield_when_idle 1 --mca btl self,vader \
    -n 1 "$clump_mpi" ec "$folder/survey/000000.las" -d 0.5 : -n 1 "$clump_mpi" ec "$folder/survey/000000.las" \
    >"$folder/out" 2>"$folder/err"
status=$?
[ "$status" -ne 0 ] && [ "$status" -ne 124 ] || fail "a rank without a distance: status $status"
grep -q 'another rank has failed or ended' "$folder/err" || fail "a rank without a distance: $(cat "$folder/err")"

# A call of MPI fails on one rank: the job ends.
for call in 1 2 9; do
    timeout 60 mpirun --oversubscribe --mca mpi_yield_when_idle 1 --mca btl self,vader -n 3 \
        env LD_PRELOAD="$faulty" CLUMP_FAULT=$call "$clump_mpi" ec "$folder"/survey/*.las -d 0.5 --threads 1 \
        >"$folder/out" 2>"$folder/err"
    status=$?
    case $status in 0 | 124) fail "call $call of MPI fails: status $status: $(cat "$folder/err")" ;; esac
done

# A rank dies: the job ends with a failure and a sentence, leaves no half output, and the next run is right.
"$clump" gen survey -n 3000000 -q -o "$folder/large.las" || fail "gen survey"
hash=$("$clump" ec "$folder/large.las" -d 0.5 --ram 512M --work "$folder/work" --json | value labels_hash)
deaths=0
for delay in 0.3 0.6 1.2; do
    ranks 3 ec "$folder/large.las" -d 0.5 --threads 1 --work "$folder/tiles" -o "$folder/large.labels" \
        >"$folder/out" 2>"$folder/err" &
    job=$!
    sleep "$delay"
    victim=$(ps -o pid=,args= --ppid "$(ps -o pid= --ppid $job | head -n 1)" 2>/dev/null | awk '/clump-mpi/ { print $1 }' | tail -n 1)
    [ -n "$victim" ] || victim=$(ps -o pid=,args= --ppid "$job" | awk '/clump-mpi/ { print $1 }' | tail -n 1)
    [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null
    killed=$?
    wait "$job"
    status=$?
    if [ -n "$victim" ] && [ "$killed" -eq 0 ] && [ "$status" -ne 0 ]; then
        deaths=$((deaths + 1))
        grep -qi 'signal 9\|killed' "$folder/err" || fail "no sentence about the rank that died: $(cat "$folder/err")"
        # a rank may die after the output was complete
        [ ! -e "$folder/large.labels" ] || [ "$(wc -c <"$folder/large.labels")" -eq 12000000 ] ||
            fail "a job that died left a part of its output"
    elif [ -n "$victim" ] && [ "$killed" -eq 0 ] && [ ! -e "$folder/large.labels" ]; then
        fail "a rank died after $delay s: status $status and no output"
    fi
    rm -f "$folder/large.labels"
done
[ "$deaths" -gt 0 ] || echo "skipped: mpi, death of a rank: run it on a slower machine"
if [ -e "$folder/tiles/clump-plan" ]; then
    "$clump" work "$folder/tiles" >"$folder/out" || fail "clump work: the folder of ranks"
    grep -q 'ranks 3' "$folder/out" || fail "clump work does not name the ranks: $(cat "$folder/out")"
fi
again=$(ranks 3 ec "$folder/large.las" -d 0.5 --threads 1 --work "$folder/tiles" -o "$folder/large.labels" --json |
    value labels_hash)
[ "$again" = "$hash" ] || fail "the run after a death gives other labels"
[ ! -e "$folder/tiles" ] || fail "the work folder was left behind"

# A signal to mpirun ends the ranks together: one sentence, no output, and the same command goes on.
stops=0
for _ in 1 2; do
    rm -rf "$folder/large.labels" "$folder/tiles"
    ranks 3 ec "$folder/large.las" -d 0.5 --threads 1 --work "$folder/tiles" -o "$folder/large.labels" >"$folder/out" 2>"$folder/err" &
    job=$!
    tries=0
    until [ -e "$folder/tiles/clump-plan" ] || [ "$tries" -eq 500 ]; do tries=$((tries + 1)) && sleep 0.02; done
    launcher=$(ps -o pid=,comm= --ppid "$job" | awk '$2 ~ /mpirun|orterun/ { print $1 }')
    kill -TERM "${launcher:-$job}" 2>/dev/null
    wait "$job"
    [ -e "$folder/large.labels" ] && continue # it was complete before
    stops=$((stops + 1))
    grep -q "^clump-mpi: stopped; the folder $folder/tiles keeps what is done" "$folder/err" ||
        fail "a signal: no sentence: $(cat "$folder/err")"
    "$clump" work "$folder/tiles" >"$folder/out" || fail "a signal: the folder has no plan"
done
[ "$stops" -gt 0 ] || echo "skipped: mpi, a signal: run it on a slower machine"
again=$(ranks 3 ec "$folder/large.las" -d 0.5 --threads 1 --work "$folder/tiles" --json | value labels_hash)
[ "$again" = "$hash" ] || fail "the run after a signal gives other labels"
[ ! -e "$folder/tiles" ] || fail "the work folder was left behind after a signal"
[ "$(find "$folder" -name '.clump-*' | wc -l)" -eq 0 ] || fail "a temporary file was left behind"
[ "$failed" -eq 0 ] && echo "clump-mpi: labels of 1, 2, 3, 5 and 8 ranks are equal; $deaths of 3 jobs ended with a rank"
exit "$failed"
