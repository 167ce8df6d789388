#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/dist.sh [--head] [FOLDER]: makes the release tarball clump-VERSION.tar.gz in the folder (default build/dist) and prints
# its name. It holds the files of the last commit, sorted, with the time of that commit: the same bytes on every machine
# with the same gzip.
# Refused where files are changed or not known to git; with --head a note says so, and what is not committed is left out.
set -eu
cd "$(dirname "$0")/.."

head=no
if [ "${1-}" = --head ]; then
    head=yes
    shift
fi
folder=${1:-build/dist}

if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
    echo "dist: this is no git checkout: a tarball is made of a commit" >&2
    exit 1
fi
changed=$(git status --porcelain)
if [ -n "$changed" ]; then
    if [ "$head" = no ]; then
        echo "dist: these files differ from the last commit, commit or remove them:" >&2
        echo "$changed" >&2
        exit 1
    fi
    echo "dist: some files differ from the last commit, which the tarball is made of" >&2
fi

name=clump-$(scripts/version.sh HEAD)
mkdir -p "$folder"
# umask: what of it applies to git archive is fixed here, not by the user's settings. gzip -n: no name, no time.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD >"$folder/$name.tar"
gzip -9 -n -f "$folder/$name.tar"
echo "$folder/$name.tar.gz"
