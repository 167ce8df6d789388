#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check-all.sh: the long check, for before a release. Every preset with every test, gcc and
# clang; in two of them the tests at full length (CLUMP_TEST_LONG=1): test_hostile then makes 120,000 calls (30,000 in
# asan), none of which may be wrong or over its time limit. Takes some hours on two cores.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh --rivals --sanitizers --format
scripts/format.sh --check

for preset in release no-cuda scalar debug asan; do
    echo "=== $preset"
    scripts/check.sh "$preset"
done
echo "=== tsan"
scripts/check.sh tsan -R '^(test|example|tsan)_' -E '^test_(pcl|sklearn)'

# clang sees other warnings and makes other code: the same tests must pass. Its build lies apart.
echo "=== no-cuda, by clang"
cmake --preset no-cuda -B build/clang -DCMAKE_C_COMPILER=clang -DCLUMP_BUILD_BENCH=OFF
cmake --build build/clang -j "${JOBS:-$(nproc)}"
ctest --test-dir build/clang --output-on-failure -j "${JOBS:-$(nproc)}"

for preset in release asan; do
    echo "=== $preset, at full length"
    CLUMP_TEST_LONG=1 scripts/check.sh "$preset" -R '^test_' -E '^test_(pcl|sklearn)'
done
echo "Everything passed."
