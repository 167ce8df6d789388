# SPDX-License-Identifier: BSD-3-Clause
#
# test_sklearn.py LABEL_RAW: clump's labels against scikit-learn's, element by element.
#
# DBSCAN with min_samples=1 has no noise and joins points within eps, so its clusters are those of
# Euclidean clustering, numbered by smallest index like ours. It joins at distance <= eps in
# float64, we at < d in float32. So the clouds are such that both must agree on every pair: either
# on a grid of powers of two, where both are exact (ties included, and eps is the number just
# below d), or with no pair so close to d that rounding could matter, which is checked.
#
# In tier 1 (CLUMP_TEST_TIER) a third of the clouds, and none of the largest.
import itertools
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ in the source folder
try:
    import numpy as np
    from scipy.spatial import cKDTree
    from sklearn.cluster import DBSCAN
    from sklearn_clouds import grid_cloud, shaped_cloud
except ImportError as missing:
    print(f"skipped: {sys.executable}: {missing}: run scripts/setup.sh --rivals and build anew")
    sys.exit(77)


def ours(program, points, d, method, threads):
    arguments = [program, repr(float(d)), method, str(threads), "index"]
    done = subprocess.run(arguments, input=points.astype("<f4").tobytes(), stdout=subprocess.PIPE, check=True)
    return np.frombuffer(done.stdout, dtype="<i4")


def theirs(points, d):
    if len(points) == 0:
        return np.zeros(0, dtype=np.int32)
    return DBSCAN(eps=np.nextafter(d, 0), min_samples=1, algorithm="kd_tree").fit(points.astype(np.float64)).labels_


def generic_cloud(random, count, shape, d):
    """A cloud without a pair at a distance within 1e-6 of d."""
    while True:
        points = shaped_cloud(random, count, shape, 10)
        wide = points.astype(np.float64)
        tree = cKDTree(wide)
        within = [tree.count_neighbors(tree, d * (1 + delta)) for delta in (-1e-6, 1e-6)]
        if within[0] == within[1]:
            return points
        near = tree.query_pairs(d * (1 + 1e-6), output_type="ndarray")
        apart = np.linalg.norm(wide[near[:, 0]] - wide[near[:, 1]], axis=1)
        points = np.delete(points, near[apart > d * (1 - 1e-6), 1], axis=0)
        tree = cKDTree(points.astype(np.float64))
        if tree.count_neighbors(tree, d * (1 - 1e-6)) == tree.count_neighbors(tree, d * (1 + 1e-6)):
            return points


FIRST = (os.environ.get("CLUMP_TEST_TIER") or "1") == "1"


def clouds(random):
    for count in (0, 1, 2, 50, 400, 3000):
        for extent in (4, 12, 40):
            for d in (0.25, 0.5, 1.0, 2.0):
                yield f"grid n={count} extent={extent} d={d}", grid_cloud(random, count, extent, 0.25), d
    for shape in ("cube", "sheet", "scan", "heaps"):
        for count in (30, 500, 4000, 20000)[: 3 if FIRST else 4]:
            for d in (0.1, 0.37, 0.8, 1.5):
                d = float(np.float32(d))
                yield f"{shape} n={count} d={d}", generic_cloud(random, count, shape, d), d


def main():
    program = sys.argv[1]
    random = np.random.default_rng(20)
    compared = failed = 0
    for name, points, d in itertools.islice(clouds(random), 0, None, 3 if FIRST else 1):
        expected = theirs(points, d)
        runs = [("fast", 1), ("fast", 2), ("bfs", 1)]
        if len(points) <= 500:  # the others are quadratic, or nearly
            runs += [(shape + search, 1) for shape in ("vertex", "edge", "matrix") for search in ("-es", "-rs")]
        for method, threads in runs:
            labels = ours(program, points, d, method, threads)
            compared += 1
            if not np.array_equal(labels, expected):
                failed += 1
                wrong = np.flatnonzero(labels != expected) if len(labels) == len(expected) else [0]
                print(f"{name}: {method}, {threads} threads: {len(wrong)} labels differ, first at point {wrong[0]}")
    print(f"{compared} comparisons with scikit-learn, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
