#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# subproject.sh: clump inside another project, by FetchContent (which is add_subdirectory once the
# sources are there): the libraries are built, nothing else, and nothing of clump is installed.
. "$(dirname "$0")/common.sh"

configure "$parts/subproject" "$scratch/build" -DFETCHCONTENT_SOURCE_DIR_CLUMP="$source_dir" -DCMAKE_BUILD_TYPE=Debug
build "$scratch/build"
says "$scratch/build/consumer"

"$CMAKE" --build "$scratch/build" --target help | sed 's/: .*//' >"$scratch/targets"
grep -qx clump_sim "$scratch/targets" || fail "the list of targets could not be read"
others=$(grep -E '^(clump_(program|bench|internal|test.*)|test_.*|example_.*|rival_.*)$' "$scratch/targets" || true)
[ -z "$others" ] || fail "built besides the libraries: $others"
quietly "$CMAKE" --install "$scratch/build" --prefix "$prefix"
[ ! -e "$prefix/include" ] || fail "the project that uses clump installed it too"
