# SPDX-License-Identifier: BSD-3-Clause
"""clump beside libraries with thread pools of their own, imported in any order.

On ARM some libraries cannot be loaded after others ("cannot allocate memory in static TLS block"). clump has no such
variables and no OpenMP. Each order is tried in a process of its own: import all, then let each compute. One order in tier 1,
two in tier 2, all 24 in tier 3.
"""
import importlib.util
import itertools
import subprocess
import sys

import pytest

from support.data import DO_RIVALS, TIER

USE = {
    "clump": "assert clump.ec(np.zeros((5000, 3), np.float32), 0.5).max() == 0",
    "sklearn": "import sklearn.cluster\nassert sklearn.cluster.DBSCAN(min_samples=1).fit(np.zeros((50, 3))).labels_.max() == 0",
    "torch": "assert float((torch.ones(200, 200) @ torch.ones(200, 200))[0, 0]) == 200",
    "open3d": "assert len(open3d.geometry.PointCloud(open3d.utility.Vector3dVector(np.zeros((9, 3)))).points) == 9",
}
ORDERS = list(itertools.permutations(USE))
SHORT = [("clump", "sklearn", "torch"), ("torch", "sklearn", "clump")]


def run(order):
    lines = [f"import {name}" for name in order] + ["import numpy as np"] + [USE[name] for name in order]
    return subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("order", {1: SHORT[:1], 2: SHORT, 3: ORDERS}[TIER], ids="-".join)
def test_import_order(order):
    there = tuple(name for name in order if importlib.util.find_spec(name))
    if there == ("clump",):
        pytest.skip(f"{' and '.join(name for name in order if name != 'clump')} are not installed: {DO_RIVALS}")
    done = run(there)
    others = tuple(name for name in there if name != "clump")
    if done.returncode != 0 and run(others).returncode != 0:
        pytest.skip(f"{', '.join(others)} do not work in this order, without clump either: run it with other versions of them")
    assert done.returncode == 0, done.stderr
