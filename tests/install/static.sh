#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# static.sh: the same with static libraries, which need OpenMP and libm of whoever links them. Also
# from a project that is all C++.
. "$(dirname "$0")/common.sh"

configure "$source_dir" "$scratch/build" -DBUILD_SHARED_LIBS=OFF -DCLUMP_BUILD_CLI=OFF -DCLUMP_BUILD_TESTS=OFF \
    -DCLUMP_BUILD_EXAMPLES=OFF -DCLUMP_BUILD_BENCH=OFF -DCMAKE_BUILD_TYPE=Debug
build "$scratch/build"
quietly "$CMAKE" --install "$scratch/build" --prefix "$prefix"
find_libdir
[ -f "$libdir/libclump.a" ] || fail "there is no libclump.a"

configure "$parts/consumer" "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DWANTED="$CLUMP_VERSION"
build "$scratch/consumer"
says "$scratch/consumer/consumer"

with_pkg_config --static

if command -v c++ >/dev/null; then
    configure "$parts/consumer_cxx" "$scratch/consumer_cxx" -DCMAKE_PREFIX_PATH="$prefix"
    build "$scratch/consumer_cxx"
    says "$scratch/consumer_cxx/consumer"
else
    skip "there is no C++ compiler"
fi
