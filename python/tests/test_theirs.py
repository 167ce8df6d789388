# SPDX-License-Identifier: BSD-3-Clause
"""Own tests of scikit-learn and SciPy, with clump in the place of their classes.

The tests come with both packages. Each file runs in a process of its own: this file, called with the name of a module. While the
module is imported, and in the names that it has then, the classes of CLASSES are others: clump's own in the place of
scikit-learn's; in the place of SciPy's trees, trees that search with clump.Index (`searching_by_clump`). Tests that are expected to
fail, and why, are listed in theirs.txt; all others must pass, and those of the list must fail. SLOW ones run in
tier 3.
"""
import functools
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import types
import warnings

import clump
import numpy as np
import pytest

from support import data

CLASSES = {
    "sklearn.neighbors": ["NearestNeighbors"],
    "sklearn.cluster": ["DBSCAN", "HDBSCAN"],
    "scipy.spatial": ["KDTree", "cKDTree"],
}
MODULES = [
    "scipy.spatial.tests.test_kdtree",
    "sklearn.cluster.tests.test_dbscan",
    "sklearn.cluster.tests.test_hdbscan",
    "sklearn.neighbors.tests.test_graph",
    "sklearn.neighbors.tests.test_neighbors",
    "sklearn.neighbors.tests.test_neighbors_pipeline",
]
SLOW = "tsne or backend or regressor_sparse"


def expected(module):
    """The tests of a module that are expected to fail."""
    lines = pathlib.Path(__file__).with_name("theirs.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split()[:2] for line in lines if line and not line.startswith("#")]
    return {test for name, test in rows if name == module}


def searching_by_clump(tree):
    """A class like SciPy's tree. Its points are found by clump.Index where they are 3-D and the metric is Euclidean."""

    class Tree(tree):
        def __init__(self, data, *args, boxsize=None, **options):
            super().__init__(data, *args, boxsize=boxsize, **options)
            self.index = clump.Index(self.data.astype(np.float32)) if boxsize is None and self.m == 3 and self.n else None

        def query(self, x, k=1, eps=0, p=2, distance_upper_bound=np.inf, workers=1):
            if self.index is None or p != 2 or not isinstance(k, int) or not 0 < k <= 128 or not np.isfinite(x).all():
                return super().query(x, k, eps, p, distance_upper_bound, workers)
            x = np.asarray(x, np.float64)
            _, found = self.index.knn(x.reshape(-1, 3).astype(np.float32), k)
            away = np.linalg.norm(self.data[found] - x.reshape(-1, 1, 3), axis=2)  # clump ranks rounded coordinates
            order = np.argsort(np.where(found < 0, np.inf, away), axis=1, kind="stable")
            found, away = np.take_along_axis(found, order, 1), np.take_along_axis(away, order, 1)
            none = (found < 0) | (away >= distance_upper_bound)
            found, away = np.where(none, self.n, found).astype(np.intp), np.where(none, np.inf, away)
            shape = x.shape[:-1] + ((k,) if k > 1 else ())
            return away.reshape(shape)[()], found.reshape(shape)[()]

        def query_ball_point(self, x, r, p=2.0, eps=0, workers=1, return_sorted=None, return_length=False):
            if self.index is None or p != 2 or np.ndim(r) or np.ndim(x) < 1 or return_length or not np.isfinite(x).all():
                return super().query_ball_point(x, r, p, eps, workers, return_sorted, return_length)
            x = np.asarray(x, np.float64)
            offsets, found, _ = self.index.radius(x.reshape(-1, 3).astype(np.float32), r)
            rows = [found[a:b].tolist() for a, b in zip(offsets, offsets[1:])]
            if x.ndim == 1:
                return rows[0]
            lists = np.empty(len(rows), object)
            lists[:] = rows
            return lists.reshape(x.shape[:-1])

    return functools.update_wrapper(Tree, tree, updated=())


def ours(place, name):
    """What stands in the place of a class."""
    return getattr(clump, name, None) or searching_by_clump(getattr(importlib.import_module(place), name))


def replace(module):
    """Imports a module of tests with the other classes."""
    used = {name: each for name, each in CLASSES.items() if name.partition(".")[0] == module.partition(".")[0]}
    places = {name: importlib.import_module(name) for name in used}
    used = {name: [each for each in used[name] if hasattr(places[name], each)] for name in used}  # HDBSCAN came with 1.3
    others = {(name, each): ours(name, each) for name in used for each in used[name]}
    kept = [(place, each, getattr(place, each)) for name, place in places.items() for each in used[name]]
    for (name, each), other in others.items():
        setattr(places[name], each, other)
    try:
        tests = importlib.import_module(module)
    finally:
        for place, each, theirs in kept:  # clump calls them where it cannot do the work itself
            setattr(place, each, theirs)
    for name, value in list(vars(tests).items()):
        if isinstance(value, types.ModuleType) and value.__name__ in used:  # "from sklearn import neighbors"
            copy = types.ModuleType(value.__name__)
            vars(copy).update(vars(value))
            vars(copy).update((each, others[value.__name__, each]) for each in used[value.__name__])
            setattr(tests, name, copy)


class Outcomes:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.failed:
            print(f"\noutcome {report.outcome} {report.nodeid.partition('::')[2].replace(' ', '_')}")


@pytest.mark.parametrize("module", MODULES, ids=lambda name: name.rpartition(".")[2])
def test_of_theirs(module):
    if data.SANITIZER:
        pytest.skip(data.DO_UNWATCHED)
    if data.TIER == 1:
        pytest.skip("set CLUMP_TEST_TIER=2")
    package = module.partition(".")[0]
    if not importlib.util.find_spec(package) or not importlib.util.find_spec(module):
        pytest.skip(f"the tests of {package}: {data.DO_LONG}")
    environment = {**os.environ, "SKLEARN_RUN_FLOAT32_TESTS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, __file__, module], env=environment, capture_output=True, text=True, check=False)
    rows = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("outcome ")]
    failed = {test for outcome, test in rows if outcome == "failed"}
    ran = {test for _, test in rows}
    assert ran, done.stdout + done.stderr
    listed = expected(module) & ran
    assert failed == listed, f"not in theirs.txt: {sorted(failed - listed)}; only there: {sorted(listed - failed)}\n{done.stdout}"


if __name__ == "__main__":
    warnings.simplefilter("ignore", clump.FallbackWarning)
    replace(sys.argv[1])
    choice = [] if data.TIER == 3 else ["-k", f"not ({SLOW})"]
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "--tb=line", "--capture=sys", "--pyargs", sys.argv[1], *choice]
    sys.exit(int(pytest.main(options, plugins=[Outcomes()])))
