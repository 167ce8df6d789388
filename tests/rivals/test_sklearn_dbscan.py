# SPDX-License-Identifier: BSD-3-Clause
#
# test_sklearn_dbscan.py LABEL_RAW [DATA]: labels and core points of clump_dbscan against scikit-learn's DBSCAN,
# element by element.
#
# Both join at distance <= eps, scikit-learn in float64, clump in float32. On grids of powers of two both are exact,
# ties included. Elsewhere they may disagree on a pair at almost exactly eps. Such pairs are looked for among all that
# are within 1e-5 of eps and listed; with one point of each left out, both must agree on everything. DATA is the
# folder with real scans where CLUMP_DATA does not name one; they are left out without.
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

FIRST = (os.environ.get("CLUMP_TEST_TIER") or "1") == "1"  # tier 1: a fifth of the clouds, and the shorter scans
RUNS = [("fast", 1), ("fast", 3), ("sequential", 1), ("disjoint-set", 1), ("disjoint-set", 2), ("dclust", 1)]


def ours(program, points, eps, least, method, threads):
    arguments = [program, "dbscan", repr(float(eps)), str(least), method, str(threads)]
    done = subprocess.run(arguments, input=points.astype("<f4").tobytes(), stdout=subprocess.PIPE, check=True)
    count = len(points)
    return np.frombuffer(done.stdout, "<i4", count), np.frombuffer(done.stdout, "u1", count, 4 * count)


def theirs(points, eps, least):
    core = np.zeros(len(points), dtype=np.uint8)
    if len(points) == 0:
        return np.zeros(0, dtype=np.int32), core
    found = DBSCAN(eps=float(eps), min_samples=least, algorithm="kd_tree").fit(points.astype(np.float64))
    core[found.core_sample_indices_] = 1
    return found.labels_, core


def disputed(points, eps):
    """Pairs on which float32 and float64 disagree."""
    wide, eps = points.astype(np.float64), np.float32(eps)
    tree, pairs = cKDTree(wide), []
    for start in range(0, len(points), 4000):  # in parts: a scan has tens of millions of pairs
        part = cKDTree(wide[start : start + 4000])
        near = part.sparse_distance_matrix(tree, float(eps) * (1 + 1e-5), output_type="ndarray")
        near = near[(near["v"] > float(eps) * (1 - 1e-5)) & (near["i"] + start < near["j"])]
        pairs.append(np.stack([near["i"] + start, near["j"]], 1))
    a, b = np.concatenate(pairs).T.astype(int)
    d = points[a] - points[b]  # float32, each step rounded
    narrow = (d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1]) + d[:, 2] * d[:, 2] <= eps * eps
    d = wide[a] - wide[b]
    exact = (d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1]) + d[:, 2] * d[:, 2] <= float(eps) * float(eps)
    return np.stack([a, b], 1)[narrow != exact]


def clouds(random):
    for count in (0, 1, 2, 50, 400, 2000):
        for extent in (4, 9, 16):
            for steps in (1, 2, 3):
                for least in (1, 4, 7):
                    spacing = 2.0 ** int(random.integers(-8, 5))
                    yield f"grid n={count} extent={extent}", grid_cloud(random, count, extent, spacing), steps * spacing, least
    for shape in ("cube", "sheet", "scan", "heaps"):
        for count in (30, 300, 1500, 6000):
            for eps in (0.2, 0.5, 1.1):
                for least in (2, 5, 10):
                    yield f"{shape} n={count}", shaped_cloud(random, count, shape, 6), float(np.float32(eps)), least


def scans(folder):
    for name, first in (("semkitti_00_000000", None), ("semkitti_04_000000", 20000), ("kittiobj_000001", 20000))[FIRST:]:
        path = os.path.join(folder, "kitti", name + ".bin")
        if os.path.exists(path):
            points = np.fromfile(path, dtype="<f4").reshape(-1, 4)[:first, :3]
            yield name, np.ascontiguousarray(points), 0.5, 10


class Comparison:
    def __init__(self, program):
        self.program, self.clouds, self.runs, self.failed, self.borders = program, 0, 0, 0, 0

    def run(self, name, points, eps, least, runs, may_differ=False):
        labels, core = theirs(points, eps, least)
        self.clouds += 1
        self.borders += int(np.sum((labels >= 0) & (core == 0)))
        for method, threads in runs:
            mine = ours(self.program, points, eps, least, method, threads)
            self.runs += 1
            wrong = np.flatnonzero((mine[0] != labels) | (mine[1] != core))
            if len(wrong) == 0:
                continue
            text = f"{name} eps={eps} min={least}: {method}, {threads} threads: {len(wrong)} points differ"
            if not may_differ:
                self.failed += 1
            print(f"{text}, first point {wrong[0]}" + (", as they may" if may_differ else ""))

    def run_generic(self, name, points, eps, least, runs):
        pairs = disputed(points, eps)
        for a, b in pairs:
            print(f"{name} eps={eps}: float32 and float64 disagree on points {a} and {b}")
        if len(pairs):
            self.run(name, points, eps, least, runs[:1], may_differ=True)
            points = np.delete(points, np.unique(pairs[:, 1]), axis=0)
        self.run(name, points, eps, least, runs)


def main():
    compare = Comparison(sys.argv[1])
    for name, points, eps, least in itertools.islice(clouds(np.random.default_rng(21)), 0, None, 5 if FIRST else 1):
        if name.startswith("grid"):
            compare.run(name, points, eps, least, RUNS)
        else:
            compare.run_generic(name, points, eps, least, RUNS)
    seen = 0
    for name, points, eps, least in scans(os.environ.get("CLUMP_DATA") or sys.argv[2]):
        compare.run_generic(name, points, eps, least, RUNS)
        seen += 1
    if compare.borders < 1000:
        print(f"{compare.borders} border points: the test does not test")
        compare.failed += 1
    if seen == 0:
        print("skipped: scans: set CLUMP_DATA to a folder with the real scans")
    print(f"{compare.clouds} clouds, {seen} scans among them, {compare.borders} border points: "
          f"{compare.runs} comparisons with scikit-learn, {compare.failed} failed")
    return 1 if compare.failed else 0


sys.exit(main())
