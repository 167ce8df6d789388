#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/viewer.sh [--check]: bundles the script of the page into viewer/page/bundle/. --check bundles it into the build
# folder and compares: exit status 1 when the committed bundle is not that of the committed sources.
set -eu
cd "$(dirname "$0")/../viewer/page"

command -v npm >/dev/null || { echo "viewer: npm was not found (Debian: npm)" >&2; exit 1; }
# --ignore-scripts: esbuild's program comes in a package of its own, nothing needs to be run
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
    npm ci --no-audit --no-fund --ignore-scripts --silent
    touch node_modules
fi
if [ "${1:-}" != --check ]; then
    node build.mjs
    exit 0
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node build.mjs "$fresh"
for file in viewer.js viewer.css; do
    cmp "$fresh/$file" "bundle/$file" || { echo "viewer/page/bundle/$file is not up to date: run make viewer" >&2; exit 1; }
done
echo "viewer/page/bundle is up to date"
