#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/install.sh BUILD_DIR PREFIX: installs a build, with sudo where the prefix asks for it.
# scripts/install.sh --uninstall PREFIX: removes what that has installed under the prefix.
# DESTDIR is put before the prefix, as packagers expect.
set -eu

build=$1
prefix=$2
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
prefix=${prefix%/}
# The list of installed files, kept with them: to uninstall takes no build folder.
list=$prefix/share/doc/clump/install_manifest.txt

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

if [ "$build" = --uninstall ]; then
    if [ ! -f "${DESTDIR:-}$list" ]; then
        echo "uninstall: ${DESTDIR:-}$list is missing: clump was not installed there by 'make install' (PREFIX=$prefix)" >&2
        exit 1
    fi
    count=0
    while read -r file || [ -n "$file" ]; do
        case $file in
        "$prefix"/*) ;;
        *) echo "uninstall: $file is not under $prefix, it is left" >&2 && continue ;;
        esac
        $run rm -f "${DESTDIR:-}$file"
        count=$((count + 1))
    done <"${DESTDIR:-}$list"
    folders=$(sed 's|/[^/]*$||' "${DESTDIR:-}$list" | sort -ru)
    $run rm -f "${DESTDIR:-}$list"
    # Folders of clump's own that are empty now. Names of folders have no line ends: cmake has made them.
    echo "$folders" | while read -r folder; do
        while :; do
            case $folder in
            "$prefix"/*/clump | "$prefix"/*/clump/*) ;;
            *) break ;;
            esac
            $run rmdir "${DESTDIR:-}$folder" 2>/dev/null || break
            folder=${folder%/*}
        done
    done
    echo "uninstall: $count files removed from ${DESTDIR:-}$prefix"
else
    $run cmake --install "$build" --prefix "$prefix"
    $run mkdir -p "${DESTDIR:-}${list%/*}"
    $run cp "$build/install_manifest.txt" "${DESTDIR:-}$list"
fi

# The loader keeps a list of the libraries in its usual folders.
case $prefix in
/usr | /usr/local)
    if [ -z "${DESTDIR:-}" ] && command -v ldconfig >/dev/null; then $run ldconfig; fi
    ;;
esac
