#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/install.sh BUILD_DIR PREFIX: installs a build, with sudo where the prefix asks for it. All of it or nothing: files are
# written beside their places first, and renamed when all are there.
# scripts/install.sh --check PREFIX: fails where PREFIX cannot be written to; asked before anything is built.
# scripts/install.sh --uninstall PREFIX: removes what that has installed under the prefix.
# DESTDIR is put before the prefix, as packagers expect.
set -eu

what=$1
prefix=$2
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
prefix=${prefix%/}
# The list of installed files, kept with them: to uninstall takes no build folder.
list=$prefix/share/doc/clump/install_manifest.txt
root=${DESTDIR:-}

fail() { echo "install: $*" >&2; exit 1; }

# --place PREFIX STAGE: copies the staged files, which $stage/files names, to their places. It runs as the user that may write
# there. Names of files have no line ends: cmake has made them. In the list, folders that were made end with a slash.
if [ "$what" = --place ]; then
    stage=$3
    undo() {
        while read -r file; do rm -f "$root$file.clump-new"; done <"$stage/files"
        sort -r "$stage/folders" | while read -r folder; do rmdir "$root$folder" 2>/dev/null || true; done
    }
    place() {
        while read -r file; do
            folder=${file%/*}
            while [ -n "$folder" ] && [ ! -e "$root$folder" ]; do
                echo "$folder/" >>"$stage/folders"
                folder=${folder%/*}
            done
            mkdir -p "$root${file%/*}" && cp -P "$stage$file" "$root$file.clump-new" || return 1
        done <"$stage/files"
        # What an earlier installation has put there belongs to this one now.
        if [ -f "$root$list" ]; then cat "$root$list"; fi | sort -u - "$stage/files" "$stage/folders" >"$stage$list" &&
            cp "$stage$list" "$root$list.clump-new"
    }
    # Ctrl-C and a closed terminal leave nothing behind either.
    trap 'undo; exit 1' HUP INT TERM
    : >"$stage/folders"
    if ! place 2>"$stage/why"; then
        undo
        fail "$(sed -n '$s/^[a-z]*: //p' "$stage/why"). Nothing was installed."
    fi
    trap '' HUP INT TERM
    while read -r file; do mv -f "$root$file.clump-new" "$root$file"; done <"$stage/files"
    exit 0
fi

# The nearest folder that is there tells whether we may write.
above=$root$prefix
while [ ! -e "$above" ]; do above=$(dirname "$above"); done
[ -d "$above" ] || fail "$above is not a folder"
run=
if [ ! -w "$above" ]; then
    if [ "$(id -u)" -eq 0 ]; then fail "$above cannot be written to. Choose another place (make install PREFIX=~/.local)"; fi
    if ! command -v sudo >/dev/null; then
        fail "$above cannot be written to, and there is no sudo. Choose another place (make install PREFIX=~/.local)"
    fi
    run="sudo --preserve-env=DESTDIR"
fi
[ "$what" != --check ] || exit 0
[ -z "$run" ] || echo "install: $above belongs to root, using sudo"

if [ "$what" = --uninstall ]; then
    if [ ! -f "$root$list" ]; then
        echo "uninstall: $root$list is missing: clump was not installed there by 'make install' (PREFIX=$prefix)" >&2
        exit 1
    fi
    count=0
    kept=$(mktemp)
    trap 'rm -f "$kept"' EXIT
    cp "$root$list" "$kept"
    while read -r file; do
        case $file in
        */) continue ;;
        "$prefix"/*) ;;
        *) echo "uninstall: $file is not under $prefix, it is left" >&2 && continue ;;
        esac
        $run rm -f "$root$file"
        count=$((count + 1))
    done <"$kept"
    # Folders that the installation made and that are empty now, the deepest first.
    grep '/$' "$kept" | sort -r | while read -r folder; do $run rmdir "$root$folder" 2>/dev/null || true; done
    echo "uninstall: $count files removed from $root$prefix"
else
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    if ! DESTDIR=$stage cmake --install "$what" --prefix "$prefix" >"$stage/log" 2>&1; then
        cat "$stage/log"
        fail "the build in $what is not complete. Nothing was installed."
    fi
    mkdir -p "$stage${list%/*}"
    { cat "$what/install_manifest.txt" && echo && echo "$list"; } | sed '/^$/d' >"$stage/files"
    touch "$stage$list"
    chmod -R a+rX "$stage"
    $run sh "$0" --place "$prefix" "$stage"
    echo "install: $(wc -l <"$stage/files") files under $root$prefix; make uninstall PREFIX=$prefix removes them"
    case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "install: $prefix/bin is not in the PATH: run $prefix/bin/clump, or add it" ;;
    esac
fi

# The loader keeps a list of the libraries in its usual folders.
case $prefix in
/usr | /usr/local)
    if [ -z "$root" ] && command -v ldconfig >/dev/null; then $run ldconfig; fi
    ;;
esac
