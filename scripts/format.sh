#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/format.sh [--check]: formats the sources, or says what is not formatted (status 1). Versions
# of clang-format differ in taste, so only version 14 judges; without it --check passes with a word.
set -eu
cd "$(dirname "$0")/.."

tool=
for candidate in clang-format-14 clang-format; do
    if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
        tool=$candidate
        break
    fi
done
if [ -z "$tool" ]; then
    echo "format: clang-format 14 is not here, nothing was looked at (scripts/setup.sh --format installs it)"
    [ "${1:-}" = --check ]
    exit
fi

if [ "${1:-}" = --check ]; then set -- --dry-run -Werror; else set -- -i; fi
find include src io sim big mpi cli viewer bench tests examples python ros \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.hpp' \
    -o -name '*.cu' -o -name '*.cuh' \) -exec "$tool" "$@" {} +
