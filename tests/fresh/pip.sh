#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pip.sh: pip install . in a virtual environment, then the first lines of Python of README. Without an index: NumPy and setuptools are
# the system's.
scripts/setup.sh --python --python-long
python3 -m venv --system-site-packages /tmp/venv
. /tmp/venv/bin/activate
export PIP_NO_INDEX=1 PIP_NO_BUILD_ISOLATION=0 PIP_DISABLE_PIP_VERSION_CHECK=1 # the second means: no isolation
pip install . | tee /tmp/said
make demo >/dev/null
awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >/tmp/readme.py
[ -s /tmp/readme.py ]
(cd build/demo && python3 -W error /tmp/readme.py)
python3 -m clump | grep CUDA
