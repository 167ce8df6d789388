#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check-all.sh: the long check before a release. It runs every test in every preset, with gcc and clang. Two presets
# run the tests at full length (CLUMP_TEST_TIER=3): test_hostile then makes 120,000 calls (30,000 in asan), each with a
# time limit. Takes some hours on two cores.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh --rivals --sanitizers --format --python --python-long --packages
scripts/format.sh --check

echo "=== fresh machines"
scripts/fresh.sh || [ $? -eq 77 ]

export CLUMP_WERROR=ON CLUMP_TEST_TIER=2
for preset in release no-cuda scalar debug asan; do
    echo "=== $preset"
    scripts/check.sh "$preset"
done
echo "=== tsan"
scripts/check.sh tsan -R '^(test|example|tsan)_' -E '^test_(pcl|sklearn)'

echo "=== Python wheel and sdist; all orders of imports"
scripts/wheel.sh
CLUMP_TEST_TIER=3 scripts/wheel-check.sh

echo "=== packages, with the tests of their build"
scripts/dist.sh --head
scripts/abi.sh
scripts/cpack.sh
scripts/deb.sh
scripts/deb-check.sh || [ $? -eq 77 ]

# clang has other warnings and generates other code: all tests must pass. It has a build folder of its own.
echo "=== no-cuda, by clang"
cmake --preset no-cuda -B build/clang -DCMAKE_C_COMPILER=clang -DCLUMP_BUILD_BENCH=OFF
cmake --build build/clang -j "${JOBS:-$(nproc)}"
ctest --test-dir build/clang --output-on-failure -j "${JOBS:-$(nproc)}"

for preset in release asan; do
    echo "=== $preset, at full length"
    CLUMP_TEST_TIER=3 scripts/check.sh "$preset" -R '^(test_|house_(accuracy|score)$)' -E '^test_(pcl|sklearn)'
done
echo "=== what became slower"
make bench-slower
echo "Everything passed."
