#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# cuda_object.sh NVCC OPTION...: in place of nvcc, for builds that are only linked: takes the object file of a kernel from the
# folder CLUMP_CUDA_OBJECTS, where the build under test has compiled it. Runs the command where there is none.
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
made=${CLUMP_CUDA_OBJECTS:-}/${object##*/clump_cuda.dir/}
case $object in
*/clump_cuda.dir/*.cu.o)
    if [ -n "${CLUMP_CUDA_OBJECTS:-}" ] && [ -f "$made" ]; then
        cp "$made" "$object"
        [ -z "$list" ] || echo "$object:" >"$list" # headers that the object depends on: none
        exit 0
    fi
    ;;
esac
exec "$@"
