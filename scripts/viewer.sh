#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/viewer.sh [--check | --packages]: bundles the script of the page into viewer/page/bundle/. --check bundles it
# elsewhere and compares: exit status 1 when the committed bundle is not that of the sources, 77 where npm or its packages
# cannot be had. --packages only fetches the packages, which the tests of the page need as well.
set -eu
cd "$(dirname "$0")/../viewer/page"

# give_up WHY
give_up() {
    if [ "$mode" = --check ]; then
        echo "skipped: viewer/page/bundle, $1: run scripts/setup.sh --viewer where npm reaches its registry"
        exit 77
    fi
    echo "viewer: $1" >&2
    exit 1
}

mode=${1:-}
case $mode in
"" | --check | --packages) ;;
*)
    echo "viewer: there is no option $mode (see the head of scripts/viewer.sh)" >&2
    exit 2
    ;;
esac
command -v npm >/dev/null && command -v node >/dev/null || give_up "no npm (Debian: npm)"
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
    # --ignore-scripts: esbuild's program comes in a package of its own, nothing needs to be run
    npm ci --no-audit --no-fund --ignore-scripts --silent --fetch-retries=1 --fetch-timeout=60000 ||
        give_up "no packages of npm, the registry cannot be reached"
    touch node_modules
fi
case $mode in
--packages) exit 0 ;;
"")
    node build.mjs
    exit 0
    ;;
esac
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node build.mjs "$fresh"
for file in viewer.js viewer.css; do
    cmp "$fresh/$file" "bundle/$file" || { echo "viewer/page/bundle/$file is not up to date: run make viewer" >&2; exit 1; }
done
echo "viewer/page/bundle is up to date"
