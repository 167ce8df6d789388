#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pcl.sh: an installed clump, and PCL: every part of clump/pcl.hpp is installed, and a program that includes it is built and run.
. "$(dirname "$0")/common.sh"

quietly "$CMAKE" --install "$build_dir" --prefix "$prefix" --component development
quietly "$CMAKE" --install "$build_dir" --prefix "$prefix" --component libraries
for header in "$source_dir"/include/clump/pcl.hpp "$source_dir"/include/clump/pcl/*.hpp; do
    name=${header#"$source_dir/"}
    cmp "$header" "$prefix/$name" || fail "$name is not installed"
done

if ! command -v c++ >/dev/null || ! command -v pkg-config >/dev/null; then
    skip "run scripts/setup.sh and install a C++ compiler"
    exit
fi
for version in "" -1.15 -1.14 -1.13 -1.12 -1.11 -1.10; do
    if pkg-config --exists "pcl_segmentation$version"; then found=yes; fi
done
if [ "${found:-no}" = no ]; then
    skip "run scripts/setup.sh --rivals and build anew"
    exit
fi
configure "$parts/consumer_pcl" "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix"
build "$scratch/consumer"
says "$scratch/consumer/consumer"
