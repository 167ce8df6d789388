#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/commit.sh: prints the commit that the rows of benches name (CLUMP_COMMIT), with a + where sources differ from it: figures and
# pages may. Prints nothing where this is not a git checkout.
cd "$(dirname "$0")/.." || exit 1
commit=$(git rev-parse --short=8 HEAD 2>/dev/null) || exit 0
git diff --quiet HEAD -- . ':!bench/results' ':!docs' ':!*.md' || commit=$commit+
echo "$commit"
