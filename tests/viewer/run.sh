#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh SCRIPT: runs a test of the page with Node. Exit status 77 and a sentence where Node or the packages are missing.
set -eu
remedy="run scripts/setup.sh --viewer and scripts/viewer.sh --packages"
skip() {
    echo "skipped: $(basename "$1"): $2"
    exit 77
}
command -v node >/dev/null || skip "$1" "$remedy"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "$1" "$remedy"
[ -d "$(dirname "$0")/../../viewer/page/node_modules/three" ] || skip "$1" "$remedy"
exec node --test-reporter=spec "$1"
