#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bench/python.sh BUILD_DIR [options of bench/python.py]: measures clump from Python, and keeps the results of this machine in
# bench/results/python/MACHINE.csv. The rest of the machine should be idle during the run. PYTHON names the python3 to use.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ]; then
    echo "usage: bench/python.sh BUILD_DIR [options of bench/python.py]" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
shift
if [ ! -e "$build/python/clump/_clump.abi3.so" ]; then
    echo "bench/python.sh: $build has no Python package: build clump_python first (scripts/setup.sh --python)" >&2
    exit 1
fi
for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then break; fi
done
export PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
mkdir -p "$here/results/python"
exec "$python" "$here/python.py" --program "$build/cli/clump" \
    --csv "$here/results/python/$("$python" "$here/python.py" --machine).csv" "$@"
