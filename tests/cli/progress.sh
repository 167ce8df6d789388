# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# How far long work is: lines in a log, one line of a terminal, and Ctrl-C in every phase of it.
clump gen survey -n $([ "$tier" -ge 2 ] && echo 400000 || echo 250000) -q -o survey.las
clump convert survey.las survey.laz -q
mkdir scans
for i in 0 1 2 3 4 5; do ln survey.laz scans/$i.laz; done
big=(ec survey.laz -d 0.5 --ram 64M --threads 1 -o out.laz --clusters out.csv)

# lines ARGUMENTS...: what a run tells in a log, without an interval: every step.
lines() { CLUMP_PROGRESS=0 "$program" "$@" 2>&1 >"$scratch/stdout"; }
# told PATTERN ARGUMENTS...: that all lines have the form of progress, and some this pattern; shows which phases there were.
told() {
    local pattern=$1
    shift
    lines "$@" >told
    if grep -vE '^clump: [a-z]+: [0-9]+%(, [0-9.]+ ([kMG] )?(points|files|[kMG]?B)/s)?(, [0-9a-z ]+ left)?$' told; then return 1; fi
    grep -qE "$pattern" told || { cat told; return 1; }
}
phases() { sed -E 's/^clump: ([a-z]+): .*/\1/' told | uniq | tr '\n' ' '; }
# rising LEAST: no percentage is below the one before, and there are so many at least.
rising() {
    sed -E 's/.*: ([0-9]+)%.*/\1/' told | uniq |
        awk -v least="$1" '$1 < last { fell = 1 } { last = $1; n++ } END { exit fell || n < least }'
}

check "--ram: lines" told '.' "${big[@]}"
echo "phases: $(phases)"
check "--ram: percentages rise" rising 10
check "reading LAZ" told '^clump: reading: ' info survey.laz
check "writing LAZ" told '^clump: writing: ' convert survey.las copy.laz
check "--each" told '^clump: files: ' ec scans -d 0.5 --each --jobs 2 -o out/
check "--each: percentages rise" rising 6 # one per file at least
check "gen" told '^clump: writing: ' gen survey -n 500000 -o made.las
check "--json: one line of standard output" [ "$(lines ec survey.las -d 0.5 --ram 64M --threads 1 --json >/dev/null; wc -l <"$scratch/stdout")" -eq 1 ]
check "--quiet: nothing" [ -z "$(lines "${big[@]}" -q)" ]
check "a short run tells nothing" [ -z "$(env -u CLUMP_PROGRESS "$program" "${big[@]}" 2>&1 >/dev/null)" ]
is_ten_seconds() { [ -z "$(CLUMP_PROGRESS=$1 "$program" "${big[@]}" 2>&1 >/dev/null)" ]; }
check "CLUMP_PROGRESS=x is ten seconds" is_ten_seconds x
for wrong in -1 nan ''; do full check "CLUMP_PROGRESS=$wrong is ten seconds" is_ten_seconds "$wrong"; done

# SIGINT in every phase: the output is not there, the folder is, and the same command goes on.
set -m # with job control a command in the background does not ignore SIGINT
clump ec survey.laz -d 0.5 -q -o whole.laz --clusters whole.csv
mkfifo said
interrupt() {
    local phase=$1 pid status
    for _ in 1 2 3 4 5 6 7 8 9; do
        rm -rf out.*
        CLUMP_PROGRESS=0 "$program" "${big[@]}" >stdout 2>said &
        pid=$!
        exec 4<said
        while read -r line <&4; do
            case $line in "clump: $phase: "*) break ;; esac
        done
        kill -s INT $pid
        cat <&4 >rest
        exec 4<&-
        wait $pid
        status=$?
        [ $status -eq 0 ] || break
    done
    [ $status -eq 130 ] && [ ! -s stdout ] && [ ! -e out.laz ] && [ ! -e out.csv ] || return 1
    grep -q '^clump: stopping by SIGINT; ' rest && grep -q '^clump: stopped; ' rest || return 1
    [ -z "$(find . -name '.clump-*')" ] || return 1
    clump "${big[@]}" -q && cmp whole.laz out.laz && cmp whole.csv out.csv && [ ! -e out.laz.clump ]
}
for phase in plan tiles; do check "INT: $phase" interrupt $phase; done
for phase in scatter merge clusters output; do full check "INT: $phase" interrupt $phase; done
set +m

# One line of a terminal that rewrites itself, not longer than the terminal, and wiped at the end.
python=$(command -v python3) || python=
if [ -n "$python" ]; then
    rm -rf out.*
    "$python" - "$program" "${big[@]}" <<'END'
import fcntl, os, pty, re, struct, sys, termios
for columns in 80, 40:
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.environ["CLUMP_PROGRESS"] = "0"
        os.execv(sys.argv[1], sys.argv[1:])
    said = b""
    try:
        while True:
            more = os.read(terminal, 65536)
            if not more: break
            said += more
    except OSError: pass
    status = os.waitpid(pid, 0)[1]
    bar, report = said.decode().rsplit("\r\033[K", 1)
    states = [s.removesuffix("\033[K") for s in bar.split("\r")[1:]]
    form = r"[a-z]+ \[[#.]{20}\] \d+%(, [\d.]+ [kMG]? ?points/s)?(, [\da-z ]+ left)?"
    print(f"a terminal of {columns}: status {status}, lines broken: {bar.count(chr(10))}, rewritten: {len(states) > 10},",
          f"too long: {sum(len(s) >= columns for s in states)},",
          f"of another form: {sum(not re.fullmatch(form, s) for s in states) if columns == 80 else '-'},",
          f"report after it: {'clusters at distance' in report}")
END
else
    skip "a terminal" "$do_setup"
    grep '^a terminal' "$expected"
fi
