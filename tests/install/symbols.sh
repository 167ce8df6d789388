#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# symbols.sh: what the shared libraries show, which is names that begin with clump_ and no others, and what
# they need, which is the C library, libm and threads, and for clump_io the libraries of compressed files and of SQLite: not CUDA's libraries, so that they load where there is
# no driver, and not the C++ library.
. "$(dirname "$0")/common.sh"

for tool in nm readelf; do
    if ! command -v $tool >/dev/null; then
        skip "install $tool"
        exit 0
    fi
done
seen=0
for library in src/libclump io/libclump_io sim/libclump_sim big/libclump_big; do
    file=$build_dir/$library.so
    [ -f "$file" ] || continue
    seen=$((seen + 1))
    others=$(nm -D --defined-only "$file" | awk '$NF !~ /^clump_/ { print $NF }')
    [ -z "$others" ] || fail "$library shows: $others"
    needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    for name in $needed; do
        case $name in
        libc.* | libm.* | ld-linux* | libpthread.* | libdl.* | librt.* | libgcc_s.*) ;;
        libclump.*) ;;
        libclump_io.*) [ "$library" = big/libclump_big ] || fail "$library needs $name" ;;
        liblzf.* | libbz2.* | liblz4.* | libzstd.* | libsqlite3.*) [ "$library" = io/libclump_io ] || fail "$library needs $name" ;;
        *) fail "$library needs $name" ;;
        esac
    done
done
# A level of the CPU backend shows its table alone: other names would clash with those of the other levels.
for file in "$build_dir"/src/clump_cpu_*.o; do
    [ -f "$file" ] || continue
    level=$(basename "$file" .o | sed 's/clump_cpu_//')
    shown=$(nm -g --defined-only "$file" | awk '{ print $NF }')
    [ "$shown" = "clump_backend_cpu_$level" ] || fail "level $level shows: $shown"
done
if [ "$seen" -eq 0 ]; then skip "build it with BUILD_SHARED_LIBS=ON"; fi
