#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# cmake.sh OPTION...: clump by CMake alone, with the default generator, everything that it builds.
scripts/setup.sh --tests
cmake -S . -B b -DCLUMP_CUDA="${CLUMP_CUDA:-AUTO}" -DCMAKE_CUDA_ARCHITECTURES=90-real "$@"
cmake --build b -j "$JOBS"
ctest --test-dir b --output-on-failure -R '^(test_adapt|test_ec|example_label|cli_ec)$'
