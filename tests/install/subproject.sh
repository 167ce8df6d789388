#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# subproject.sh: clump inside another project, by FetchContent (which is add_subdirectory once the
# sources are there): the libraries are built, nothing else, and nothing of clump is installed. With CUDA it is
# configured alone: building it takes long, and static.sh has done so.
. "$(dirname "$0")/common.sh"

for cuda in $WITH_CUDA AUTO; do # AUTO is OFF in another project, whatever the machine has
    configure "$parts/subproject" "$scratch/build" -DFETCHCONTENT_SOURCE_DIR_CLUMP="$source_dir" \
        -DCMAKE_BUILD_TYPE=Debug -DCLUMP_CUDA="$cuda" -DCMAKE_C_COMPILER_LAUNCHER="$parts/object.sh"
    configured=OFF
    if grep -q '^-- CUDA [0-9.]*, code for 75-real.*' "$scratch/log"; then configured=ON; fi
    [ "$configured" = "$(echo "$cuda" | sed s/AUTO/OFF/)" ] || fail "CLUMP_CUDA is $cuda, and CUDA is $configured"
done
build "$scratch/build"
says "$scratch/build/consumer"

"$CMAKE" --build "$scratch/build" --target help | sed 's/: .*//' >"$scratch/targets"
grep -qx clump_sim "$scratch/targets" || fail "the list of targets could not be read"
others=$(grep -E '^(clump_(program|bench|internal|test.*)|test_.*|example_.*|rival_.*)$' "$scratch/targets" || true)
[ -z "$others" ] || fail "built besides the libraries: $others"
quietly "$CMAKE" --install "$scratch/build" --prefix "$prefix"
[ ! -e "$prefix/include" ] || fail "the project that uses clump installed it too"
