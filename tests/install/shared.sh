#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# shared.sh: installs this build and uses it: find_package, a version that is too new, pkg-config,
# the program, the manual, the completions. All after the folder has been moved.
. "$(dirname "$0")/common.sh"

quietly "$CMAKE" --install "$build_dir" --prefix "$scratch/elsewhere"
mv "$scratch/elsewhere" "$prefix"
find_libdir

configure "$parts/consumer" "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DWANTED="$CLUMP_VERSION"
build "$scratch/consumer"
says "$scratch/consumer/consumer"

next=${CLUMP_VERSION%%.*}.$(($(echo "$CLUMP_VERSION" | cut -d. -f2) + 1))
for wanted in "$next" 99.0; do
    if "$CMAKE" -S "$parts/consumer" -B "$scratch/too-new" -G Ninja -DCMAKE_C_COMPILER="$CC" \
        -DCMAKE_PREFIX_PATH="$prefix" -DWANTED="$wanted" >"$scratch/log" 2>&1; then
        fail "find_package(clump $wanted) was content with $CLUMP_VERSION"
    fi
    grep -q "clump-config.cmake, version: $CLUMP_VERSION" "$scratch/log" || { cat "$scratch/log"; fail "not refused for its version"; }
done

with_pkg_config

if [ -x "$prefix/bin/clump" ]; then
    quietly "$prefix/bin/clump" gen factors -n 4096 -c 8 -o "$scratch/toy.pcd"
    quietly "$prefix/bin/clump" ec "$scratch/toy.pcd" -d 1 -o "$scratch/toy.labels"
    for file in share/man/man1/clump.1 share/bash-completion/completions/clump share/zsh/site-functions/_clump \
        share/fish/vendor_completions.d/clump.fish; do
        [ -s "$prefix/$file" ] || fail "$file was not installed"
    done
else
    skip "build it with CLUMP_BUILD_CLI=ON"
fi
