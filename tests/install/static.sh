#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# static.sh: the same with static libraries, which need threads, libm and the CUDA runtime of the program that
# links them. Also from a project that is all C++, and without the CUDA toolkit.
. "$(dirname "$0")/common.sh"

# shellcheck disable=SC2086 # a list of words
configure "$source_dir" "$scratch/build" -DBUILD_SHARED_LIBS=OFF -DCLUMP_BUILD_CLI=OFF -DCLUMP_BUILD_TESTS=OFF \
    -DCLUMP_BUILD_EXAMPLES=OFF -DCLUMP_BUILD_BENCH=OFF -DCMAKE_BUILD_TYPE=Debug $as_here
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
    skip "run scripts/setup.sh and install a C++ compiler"
fi

if [ "$WITH_CUDA" = ON ]; then
    if "$CMAKE" -S "$parts/consumer" -B "$scratch/no-toolkit" -G Ninja -DCMAKE_C_COMPILER="$CC" \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON >"$scratch/log" 2>&1; then
        fail "find_package(clump) was content without the CUDA toolkit"
    fi
    tr -s ' \n' '  ' <"$scratch/log" | grep -q 'needs libcudart_static of the CUDA toolkit' ||
        { cat "$scratch/log"; fail "find_package(clump) did not say that the CUDA toolkit is missing"; }
fi
