#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# clang.sh: clang instead of gcc.
scripts/setup.sh --tests --sanitizers
CC=clang exec sh -e tests/fresh/cmake.sh -DCMAKE_BUILD_TYPE=Release
