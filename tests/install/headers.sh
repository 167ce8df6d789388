#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# headers.sh: every public header compiles alone, twice in a row, without a warning: as C17 and as C++11.
. "$(dirname "$0")/common.sh"

for header in "$source_dir"/include/clump/*.h; do
    name=clump/$(basename "$header")
    printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name" >"$scratch/alone.c"
    cp "$scratch/alone.c" "$scratch/alone.cpp"
    quietly "$CC" -std=c17 -Wall -Wextra -Werror -pedantic -I"$source_dir/include" -c "$scratch/alone.c" -o "$scratch/alone.o"
    if command -v c++ >/dev/null; then
        quietly c++ -std=c++11 -Wall -Wextra -Werror -pedantic -I"$source_dir/include" -c "$scratch/alone.cpp" \
            -o "$scratch/alone.o"
    else
        skip "run scripts/setup.sh and install a C++ compiler"
    fi
    grep -q "include/clump/$(basename "$header")" "$source_dir/cmake/ClumpInstall.cmake" ||
        fail "$name is not installed (cmake/ClumpInstall.cmake)"
done
