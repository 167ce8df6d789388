#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/commit.sh: prints the commit that the rows of benches name (CLUMP_COMMIT): the last one that changed what is measured, with a +
# where the files differ from it. Prints nothing where this is not a git checkout.
# bench/commit.sh COMMIT: prints how many commits have changed that since; fails where the commit is not known.
cd "$(dirname "$0")/.." || exit 1
since=${1-}
set -- CMakeLists.txt cmake include src io big sim cli python/clump python/ext rivals bench ':!bench/results' ':!bench/report'
[ -z "$since" ] || exec git rev-list --count "$since..HEAD" -- "$@" 2>/dev/null
commit=$(git log -1 --format=%h --abbrev=8 -- "$@" 2>/dev/null) || exit 0
git diff --quiet HEAD -- "$@" || commit=$commit+
echo "$commit"
