#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/wire.sh CLUMP CAPTURE [RATE [SECONDS [JOB...]]]: a sensor over loopback. `clump send` sends the capture again and again at RATE
# times the recorded speed for some SECONDS, `clump play` takes the packets and runs JOB (detect). Prints lost packets, latencies from the
# last packet of a frame, and memory and descriptors of the player at the begin and at the end. The metadata of an Ouster sensor is
# the .json file beside the capture whose name begins its name.
set -eu
program=$1 capture=$2 rate=${3:-1} seconds=${4:-60}
shift $(($# < 4 ? $# : 4))
[ $# -gt 0 ] || set -- detect
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
json=
for file in "$(dirname "$capture")"/*.json; do # the one whose name begins that of the capture
    case $(basename "$capture") in "$(basename "$file" .json)"*) json=$file ;; esac
done

"$program" play udp://127.0.0.1:0 ${json:+--metadata "$json"} --json -- "$@" >"$work/play" 2>"$work/notes" &
player=$!
for _ in $(seq 100); do
    port=$(sed -n 's/.*port \([0-9]*\)$/\1/p' "$work/notes")
    [ -n "$port" ] && break
    sleep 0.05
done
# The sender stands for a sensor, which has a processor of its own: it goes first where that is allowed.
first=$(nice -n -15 true 2>/dev/null && echo "nice -n -15" || true)
$first "$program" send "$capture" "udp://127.0.0.1:$port" --rate "$rate" --loop 1000000 --json >"$work/send" &
sender=$!

state() { # memory in kB, descriptors, threads
    awk '/^(VmRSS|Threads)/ { printf "%s %s  ", $1, $2 }' "/proc/$player/status"
    echo "descriptors $(find "/proc/$player/fd" -mindepth 1 | wc -l)"
}
sleep $((seconds < 20 ? seconds / 2 : 10))
echo "begin   $(state)"
sleep $((seconds < 20 ? seconds / 2 : seconds - 10))
if ! kill -0 $player 2>/dev/null; then
    wait $player && status=0 || status=$?
    echo "the player has ended early, with status $status" >&2
    cat "$work/notes" "$work/play" >&2
    kill -TERM $sender
    exit 1
fi
echo "end     $(state)"
kill -TERM $sender
wait $sender || true
kill -TERM $player
wait $player || true
cat "$work/notes" >&2
python3 - "$work/play" "$work/send" <<'PY'
import json
import sys

play, sent = (json.load(open(path)) for path in sys.argv[1:])
wire = play["wire"]
print(f"sent    {sent['packets']} packets in {sent['seconds']:.1f} s, {sent['packets'] / sent['seconds']:.0f} per s, latest {sent['latest_ms']:.1f} ms")
print(f"came    {wire['packets']} packets, lost {sent['packets'] - wire['packets']}; dropped {wire['kernel_dropped']} by the kernel, {wire['ring_dropped']} by clump")
print(f"frames  {play['frames']}, {play['frames_per_s']:.2f} per s, {play['points'] / max(play['frames'], 1):.0f} points each, dropped {play['dropped']}, missed {play['missed']} of {play['deadline_ms']} ms")
for stage in ("total", "wait", "cluster"):
    times = play["latency_ms"][stage]
    print(f"{stage:<7} " + ", ".join(f"{name} {times[name]:.2f}" for name in ("p50", "p99", "p99_9", "max")) + " ms" + (" after the last packet" if stage == "total" else ""))
PY
