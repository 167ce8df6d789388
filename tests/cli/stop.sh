# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# Ctrl-C and its like: the status of the signal, one sentence, nothing left behind.
set -m # with job control a command in the background does not ignore SIGINT
cloud scan.pcd
clump gen factors -n 300000 -c 4 -q -o large.bin
mkdir out

# stopped SIGNAL UNTIL ARGUMENTS...: starts clump, waits until `UNTIL PID` holds, sends the signal. Again where clump was
# done sooner than that was seen.
stopped() {
    local signal=$1 until=$2 pid status
    shift 2
    for _ in 1 2 3 4 5 6 7 8 9; do
        rm -rf out # with what a run has written that was done sooner
        mkdir out
        echo old >out/boxes.csv
        "$program" "$@" >stdout 2>stderr &
        pid=$!
        while kill -0 $pid 2>/dev/null && ! $until $pid; do sleep 0.01; done
        kill -s "$signal" $pid
        wait $pid
        status=$?
        if [ $status -ne 0 ]; then break; fi
    done
    echo "$signal: status $status, $(cat stderr), $(wc -c <stdout) bytes printed, in out: $(cd out && grep -Hm1 . ./* .[!.]* 2>/dev/null)"
}
# It has used 0.2 s of processor time.
running() { [ "$(awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null)" -ge 20 ] 2>/dev/null; }
# It writes a file in the folder out, with a name or without.
writing() { ls -l "/proc/$1/fd" 2>/dev/null | grep -q "$PWD/out/"; }

if [ -r /proc/self/stat ]; then
    ends_at_once() { stopped "$1" running ec large.bin -d 1 --repeat 100000000 --json -o out/labelled.pcd --clusters out/boxes.json; }
    ends_at_once INT
    full ends_at_once TERM
    full ends_at_once HUP
    # As many clusters as points: the list takes a while to write.
    writes_a_list() { stopped "$1" writing ec large.bin -d 1e-9 -q --clusters out/boxes.csv; }
    writes_a_page() { stopped "$1" writing view large.bin -q -o out/page.html -- ec -d 1; }
    for writes in writes_a_list writes_a_page; do
        $writes INT
        full $writes TERM
        full $writes KILL
    done
    full stopped TERM running gen factors -n 20000000 -c 100 -q -o out/large.csv
    stopped TERM writing gen lidar --frames 100000 -q -o out/drive.mcap
    # A survey in tiles: the first signal keeps the work folder, and the same command goes on.
    clump gen survey -n $([ "$tier" -ge 2 ] && echo 3000000 || echo 600000) -q -o survey.las
    big=(ec survey.las -d 0.5 --drop-class 2 --ram 64M --threads 1 -o out/labelled.las)
    working() { [ -e out/labelled.las.clump/clump-plan ]; } # without a plan nothing is kept
    clump ec survey.las -d 0.5 --drop-class 2 -q -o whole.las
    goes_on() {
        stopped "$1" working "${big[@]}"
        check "$1: the work folder is there, the output is not" [ -d out/labelled.las.clump -a ! -e out/labelled.las ]
        check "$1: the same command goes on" clump "${big[@]}"
        check "$1: to the same end" cmp whole.las out/labelled.las
        rm -rf out/labelled.las*
    }
    goes_on INT
    full goes_on TERM
    full goes_on KILL
    # A signal when the output is complete: the work folder is removed, and the status is that of a success.
    too_late() {
        local pid
        for _ in $(seq "$1"); do
            "$program" "${big[@]}" -q 2>stderr &
            pid=$!
            while kill -0 $pid 2>/dev/null && [ ! -e out/labelled.las ]; do :; done
            kill -s TERM $pid 2>/dev/null
            wait $pid || { cat stderr; return 1; }
            cmp whole.las out/labelled.las || return 1
            [ ! -e out/labelled.las.clump ] || return 1
            rm out/labelled.las
        done
    }
    check "TERM: too late to stop anything" too_late $([ "$tier" -ge 2 ] && echo 5 || echo 1)
    # Many files at a time: those that were written are whole, the list of clusters is as it was.
    mkdir scans
    for i in 0 1 2 3 4 5 6 7; do ln large.bin scans/$i.bin; done
    clump ec large.bin -d 1e-9 -q --to npy -o whole.npy
    all_or_nothing() {
        for _ in 1 2 3 4 5 6 7 8 9; do
            rm -rf out/many
            echo old >out/boxes.csv
            ${1:+env LD_PRELOAD=$1} "$program" ec scans -d 1e-9 --each --jobs 3 -q --to npy -o out/many --clusters out/boxes.csv &
            while kill -0 $! 2>/dev/null && [ -z "$(ls out/many 2>/dev/null)" ]; do sleep 0.01; done
            kill -s INT $!
            if ! wait $!; then break; fi
        done 2>/dev/null
        [ "$(cat out/boxes.csv)" = old ] && [ -z "$(find out -name '.?*')" ] || return 1
        for file in out/many/*; do cmp whole.npy "$file" || return 1; done
    }
    check "INT: --each leaves whole files and no others" all_or_nothing ""
    if [ -n "${CLUMP_NO_TMPFILE-}" ]; then
        full check "INT: files with names, too" all_or_nothing "$CLUMP_NO_TMPFILE"
    else
        full skip "INT: files with names, too" "$do_unwatched"
    fi
    rm -r out/many
    rm out/boxes.csv
else
    skip "signals" "$do_elsewhere"
    sed -nE '/^(2\| )?([A-Z]*: status|clump: stopped; |ok: [A-Z]*: )/p' "$expected"
fi
# The same where the file system has no files without a name.
leaves_nothing() {
    rm -rf out/* out/.[!.]*
    for _ in 1 2 3 4 5 6 7 8 9; do
        LD_PRELOAD=$CLUMP_NO_TMPFILE "$program" ec large.bin -d 1e-9 -q "$1" "$2" &
        while kill -0 $! 2>/dev/null && ! ls out/.clump-$!-* >/dev/null 2>&1; do sleep 0.01; done
        kill -s INT $!
        if ! wait $!; then break; fi
        rm "$2"
    done
    ls -A out
    [ -z "$(ls -A out)" ]
}
named() {
    if [ -n "${CLUMP_NO_TMPFILE-}" ]; then
        check "a file with a name is removed: $*" leaves_nothing "$@"
    else
        skip "a file with a name is removed: $*" "$do_unwatched"
    fi
}
named -o out/labelled.csv
full named --clusters out/boxes.csv
set +m

# Without job control a command in the background ignores SIGINT, as with nohup SIGHUP: it goes on.
if command -v nohup >/dev/null; then
    nohup "$program" ec large.bin -d 1 --threads 1 --repeat 100 -q -o out/labels.npy </dev/null >/dev/null 2>&1 &
    pid=$!
    sleep 0.2
    kill -s HUP $pid
    kill -s INT $pid
    wait $pid
    echo "ignored: status $?, left in out: $(ls -A out)"
    rm out/labels.npy
else
    say_skipped "ignored signals" "$do_elsewhere"
    echo "ignored: status 0, left in out: labels.npy"
fi

# The bar on a terminal is wiped before the sentence.
python=$(command -v python3) || python=
if [ -n "$python" ]; then
    "$python" - "$program" <<'END'
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "ec", "large.bin", "-d", "1", "--repeat", "100000000"])
said = b""
while b"clustering [" not in said: said += os.read(terminal, 4096)
os.kill(pid, signal.SIGINT)
try:
    while True:
        more = os.read(terminal, 4096)
        if not more: break
        said += more
except OSError: pass
status = os.waitpid(pid, 0)[1]
print("a bar:", os.WTERMSIG(status), ascii(said[said.rindex(b"\r\x1b[K"):]))
END
else
    say_skipped "a bar" "$do_setup"
    grep '^a bar' "$expected"
fi

# A link to a file that does not exist is refused; nothing is made at its end.
ln -s out/new.json link.json
try ec scan.pcd -d 1 -q --clusters link.json
check "a dangling link is not followed" bash -c '[ -L link.json ] && [ ! -e out/new.json ]'
ln -s nowhere/new.json astray.json
try ec scan.pcd -d 1 -q --clusters astray.json
ln -s loop.json loop.json
try ec scan.pcd -d 1 -q --clusters loop.json
try ec scan.pcd -d 1 -q -o out/new.csv --clusters out/../out/new.csv
