# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2016,SC1091
# Outputs that cannot be written: status 1, a sentence, and no part of a file left behind.
cloud scan.pcd
try ec scan.pcd -d 1 -q -o nowhere/out.pcd
try ec scan.pcd -d 1 -q --clusters nowhere/out.json
try ec scan.pcd -d 1 -q -o scan.pcd/out.pcd
try gen factors -o nowhere/out.pcd
try convert scan.pcd nowhere/out.pcd
mkdir folder.pcd
try ec scan.pcd -d 1 -q -o folder.pcd
check "found out before the input is read" bash -c "'$program' ec missing.pcd -d 1 -o nowhere/out.pcd 2>&1 | grep nowhere"

# full WHAT ARGUMENTS...: stdout is a full disk.
full() {
    local what=$1
    shift
    clump "$@" >/dev/full 2>err
    echo "$what to a full disk: status $?, $(cat err)"
}
if [ -c /dev/full ]; then
    full "summary" ec scan.pcd -d 1
    full "json" ec scan.pcd -d 1 --json
    full "help" ec --help
    full "version" --version
    full "devices" devices
    try_message ec scan.pcd -d 1 -q -o /dev/full
    ln -s /dev/full full.json
    try ec scan.pcd -d 1 -q --clusters full.json
    rm full.json
else
    say_skipped "a full output" "$do_elsewhere"
    sed -n '/^summary to a full disk/,/^closed output/{/^closed output/!p}' "$expected"
fi
clump info scan.pcd >&- 2>err
echo "closed output: status $?, $(cat err)"
clump info scan.pcd <&- >/dev/null 2>&-
echo "closed input and errors: status $?"

ln -s real.json link.json
echo old >real.json
clump ec scan.pcd -d 1 -q --clusters link.json
check "a link is followed" bash -c '[ -L link.json ] && grep -q centroid real.json'
rm link.json real.json

mkdir ../full
if mount -t tmpfs -o size=64k tmpfs ../full 2>/dev/null; then
    clump gen factors -n 65536 -c 64 -o big.pcd -q
    cp scan.pcd ../full/kept.pcd
    cp scan.pcd ../full/kept.json
    try_message ec big.pcd -d 1 -q -o ../full/kept.pcd
    try_message gen factors -o ../full/new.pcd
    try_message convert big.pcd ../full/new.csv
    # Points of 65536 clusters at a distance that joins none: more text than fits.
    try_message ec big.pcd -d 1e-6 -q --clusters ../full/kept.json
    check "only what was there is there" bash -c '[ "$(ls -A ../full)" = "$(printf "kept.json\nkept.pcd")" ]'
    check "and as it was" bash -c 'cmp scan.pcd ../full/kept.pcd && cmp scan.pcd ../full/kept.json'
    umount ../full
    rm big.pcd
else
    say_skipped "a full disk" "$do_root"
    sed -n '/^\$ clump ec big.pcd/,/^ok: and as it was/p' "$expected"
fi
rmdir ../full
ls -A
