#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tier.sh TIER NAME COMMAND...: runs a test that is not part of the tiers below. CLUMP_TEST_TIER in the environment is 1 in `make test`,
# the default, 2 in CI and 3 in `make check-all`. Exit status 77, with a sentence, where it is below TIER.
set -eu
tier=$1
name=$2
shift 2
[ "${CLUMP_TEST_TIER:-1}" -ge "$tier" ] && exec "$@"
echo "skipped: $name: set CLUMP_TEST_TIER=$tier"
exit 77
