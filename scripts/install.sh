#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/install.sh BUILD_DIR PREFIX: installs a build, with sudo where the prefix asks for it.
# DESTDIR is put before the prefix, as packagers expect.
set -eu

build=$1
prefix=$2

# The nearest folder that is there tells whether we may write.
above=${DESTDIR:-}$prefix
while [ ! -e "$above" ]; do above=$(dirname "$above"); done
run=
if [ ! -w "$above" ]; then
    if ! command -v sudo >/dev/null; then
        echo "install: $above cannot be written to: become root, or choose another place (make install PREFIX=~/.local)" >&2
        exit 1
    fi
    echo "install: $above belongs to root, using sudo"
    run="sudo"
fi
$run cmake --install "$build" --prefix "$prefix"

# The loader keeps a list of the libraries in its usual folders.
case $prefix in
/usr | /usr/local)
    if [ -z "${DESTDIR:-}" ] && command -v ldconfig >/dev/null; then $run ldconfig; fi
    ;;
esac
