#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/version.sh [COMMIT]: prints the version, as include/clump/clump.h has it: the one place where it is written.
set -eu
cd "$(dirname "$0")/.."

header=include/clump/clump.h
if [ $# -gt 0 ]; then git show "$1:$header"; else cat "$header"; fi |
    awk '/^#define CLUMP_VERSION_(MAJOR|MINOR|PATCH) / { version = version (n++ ? "." : "") $3 } END { print version }'
