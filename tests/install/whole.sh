#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# whole.sh: clump is installed as a whole or not at all, and every folder that the installation made goes with it.
. "$(dirname "$0")/common.sh"
install="sh $source_dir/scripts/install.sh"

# Twice over each other; then nothing is left, the prefix included.
quietly $install "$build_dir" "$prefix"
quietly $install "$build_dir" "$prefix"
[ -f "$prefix/include/clump/clump.h" ] || fail "nothing was installed"
quietly $install --uninstall "$prefix"
[ ! -e "$prefix" ] || fail "left after uninstall: $(find "$prefix")"

# refused FOLDER WORDS: the installation into the folder fails with these words, and leaves what was there.
refused() {
    before=$(find "$1" 2>/dev/null || true)
    if $install "$build_dir" "$1" >"$scratch/said" 2>&1; then fail "installed in $1"; fi
    [ "$(wc -l <"$scratch/said")" -eq 1 ] || { cat "$scratch/said"; fail "not one sentence"; }
    grep -q "$2" "$scratch/said" || { cat "$scratch/said"; fail "did not say: $2"; }
    [ "$(find "$1" 2>/dev/null || true)" = "$before" ] || fail "left in $1: $(find "$1")"
}

# A file where a folder is needed, in the midst of the list of files.
mkdir -p "$prefix"
echo other >"$prefix/share"
refused "$prefix" "$prefix/share.*Nothing was installed"
refused "$prefix/share" "is not a folder"

# A full disk, and one that can only be read.
if mkdir "$scratch/disk" && mount -t tmpfs -o size=1m none "$scratch/disk" 2>/dev/null; then
    trap 'umount "$scratch/disk"' EXIT
    refused "$scratch/disk/clump" "No space left on device. Nothing was installed"
    mount -o remount,ro "$scratch/disk"
    refused "$scratch/disk/clump" "cannot be written to"
else
    skip "a full disk: run it as root"
fi
