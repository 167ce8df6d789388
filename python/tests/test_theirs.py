# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's own tests, with clump's classes in the place of scikit-learn's.

The tests come with scikit-learn. Each file runs in a process of its own: this file, called with the name of a module. While the
module is imported, and in the names that it has then, the classes of CLASSES are clump's. Tests that are expected to fail, and
why, are listed in theirs.txt; all others must pass, and those of the list must fail. SLOW ones run with CLUMP_TEST_LONG=1.
"""
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import types
import warnings

import clump
import pytest

CLASSES = {"sklearn.neighbors": ["NearestNeighbors"], "sklearn.cluster": ["DBSCAN"]}
MODULES = [
    "sklearn.cluster.tests.test_dbscan",
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


def replace(module):
    """Imports a module of tests with clump's classes."""
    places = {name: importlib.import_module(name) for name in CLASSES}
    kept = [(place, each, getattr(place, each)) for name, place in places.items() for each in CLASSES[name]]
    for place, each, _ in kept:
        setattr(place, each, getattr(clump, each))
    try:
        tests = importlib.import_module(module)
    finally:
        for place, each, theirs in kept:  # clump calls them where it cannot do the work itself
            setattr(place, each, theirs)
    for name, value in list(vars(tests).items()):
        if isinstance(value, types.ModuleType) and value.__name__ in CLASSES:  # "from sklearn import neighbors"
            copy = types.ModuleType(value.__name__)
            vars(copy).update(vars(value))
            vars(copy).update((each, getattr(clump, each)) for each in CLASSES[value.__name__])
            setattr(tests, name, copy)


class Outcomes:
    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.failed:
            print(f"\noutcome {report.outcome} {report.nodeid.rpartition('::')[2].replace(' ', '_')}")


@pytest.mark.parametrize("module", MODULES, ids=lambda name: name.rpartition(".")[2])
def test_of_sklearn(module):
    if os.environ.get("CLUMP_TEST_SMALL"):
        pytest.skip("these tests are too long for a sanitizer")
    if not importlib.util.find_spec("sklearn") or not importlib.util.find_spec(module):
        pytest.skip("there is no scikit-learn with its tests (Debian: python3-sklearn)")
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
    choice = [] if os.environ.get("CLUMP_TEST_LONG") else ["-k", f"not ({SLOW})"]
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "--tb=line", "--capture=sys", "--pyargs", sys.argv[1], *choice]
    sys.exit(int(pytest.main(options, plugins=[Outcomes()])))
