#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# object.sh COMPILER OPTION...: in place of a compiler, for builds that are only linked: takes an object file of a library from the
# build under test, CLUMP_OBJECTS, which has compiled it. Runs the command where there is none, and for the two files that know
# whether there is a CUDA backend, and which CPU levels there are.
set -eu

object=
list=
before=
for word; do
    case $before in
    -o) object=$word ;;
    -MF) list=$word ;;
    esac
    before=$word
done
case $object in
*/core/registry.c.o | */core/level.c.o) ;;
src/CMakeFiles/* | io/CMakeFiles/* | sim/CMakeFiles/* | big/CMakeFiles/*) made=${CLUMP_OBJECTS:-}/$object ;;
*/clump-build/*) made=${CLUMP_OBJECTS:-}/${object##*/clump-build/} ;;
esac
if [ -n "${CLUMP_OBJECTS:-}" ] && [ -n "${made:-}" ] && [ -f "$made" ]; then
    cp "$made" "$object"
    [ -z "$list" ] || echo "$object:" >"$list" # headers that the object depends on: none
    exit 0
fi
exec "$@"
