# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# clump play --serve: the page, packets and events of a running play, and wrong addresses. The client is bash.

mkdir scans
for i in 0 1 2; do cloud scans/$i.csv; done

# ask PORT PATH: prints the answer of the server at that port.
ask() {
    exec 8<>"/dev/tcp/127.0.0.1/$1" || return
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&8
    timeout 20 cat <&8
    exec 8>&-
}

# soon COMMAND...: whether the command succeeds within 20 seconds.
soon() {
    local end=$((SECONDS + 20))
    until "$@"; do
        if [ $SECONDS -gt $end ]; then return 1; fi
        sleep 0.02
    done
}

for stages in 1 2 3; do
    "$program" play scans --rate 2 --loop 1000000 --track --stages $stages --serve 0 --json -- ec -d 1 >stdout 2>stderr &
    pid=$!
    soon [ -s stderr ]
    port=$(sed -n 's|^http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' stderr)
    check "the address is printed" [ -n "$port" ]
    ask "$port" / >page
    check "there is a page" grep -q '^HTTP/1.1 200 OK' page
    check "it is that of the play" grep -q 'play scans --rate 2 --loop 1000000' page
    ask "$port" /events >events &
    client=$!
    check "frames are announced" soon grep -qE '^data: {"frame":[0-9]+,"stamp":[0-9.]+,"points":7,"clusters":3,' events
    ask "$port" /frame >frame
    check "they are packets" grep -qa CLV1 frame
    ask "$port" /../scans/0.csv >other
    check "no file is served" grep -q '^HTTP/1.1 404 ' other
    kill -s TERM $pid
    wait $pid
    echo "$stages stages: status $?, $(grep -v '^http:' stderr)"
    wait $client
    check "clients hear of the end" grep -q '^event: end' events
    check "the summary counts frames that were shown" grep -qE '"shown":[1-9]' stdout
    rm stdout stderr events
done

# A client of Foxglove, without a page: it gets messages once there is a frame.
"$program" play scans --rate 2 --loop 1000000 --serve 0 -- ec -d 1 >stdout 2>stderr &
pid=$!
soon [ -s stderr ]
port=$(sed -n 's|^http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' stderr)
exec 9<>"/dev/tcp/127.0.0.1/$port"
printf 'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' >&9
printf 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n' >&9
timeout 20 cat <&9 >messages &
client=$!
check "the upgrade is accepted" soon grep -qa '^HTTP/1.1 101 ' messages
check "topics are advertised" soon grep -qa '"topic":"/clump/detections"' messages
kill -s TERM $pid
wait $pid $client
exec 9>&-
check "frames are shown" grep -qE '^shown     [1-9][0-9]* frames? in a browser$' stdout
rm stdout stderr messages

# Nothing changes for the frames.
hash_of() { clump play scans --flat-out --json "$@" -- ec -d 1 2>/dev/null | grep -o '"labels_hash":"[0-9a-f]*"'; }
check "labels are the same" [ "$(hash_of)" = "$(hash_of --serve localhost:0)" ]

# Wrong addresses.
try play scans --serve -- ec -d 1
try play scans --serve eighty -- ec -d 1
try play scans --serve 65536 -- ec -d 1
try play scans --serve 80x -- ec -d 1
try play scans --serve :8080 -- ec -d 1
try play scans --serve ::1:8080 -- ec -d 1
try play scans --serve '[::1]' -- ec -d 1
try play scans --flat-out --serve example.com:8080 -- ec -d 1
try play scans --flat-out --serve 192.0.2.1:8080 -- ec -d 1
"$program" play scans --rate 2 --loop 1000000 -q --serve 0 -- ec -d 1 2>stderr &
pid=$!
soon [ -s stderr ]
port=$(sed -n 's|^http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' stderr)
try play scans --flat-out --serve "$port" -- ec -d 1 | sed "s/\b$port\b/PORT/g"
kill -s TERM $pid
wait $pid
