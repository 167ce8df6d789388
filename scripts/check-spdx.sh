#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check-spdx.sh: every source file and script names its licence. Lists those that do not, status 1.
set -eu
cd "$(dirname "$0")/.."

list=$(find include src io sim cli viewer bench tests examples packaging python ros scripts .ci setup.py Makefile \
    -type d \( -name node_modules -o -name bundle \) -prune -o -type f \( -name '*.c' -o -name '*.h' \
    -o -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' \
    -o -name '*.awk' -o -name '*.py' -o -name '*.sh' -o -name Makefile -o -path '.ci/*' \
    -o -path 'packaging/debian/rules' -o -path 'packaging/debian/tests/[!c]*' -o -path 'packaging/debian/tests/c-*' \) -exec grep -L 'SPDX-License-Identifier: BSD-3-Clause' {} +) || true
[ -z "$list" ] && exit 0
echo "No SPDX line in:"
echo "$list"
exit 1
