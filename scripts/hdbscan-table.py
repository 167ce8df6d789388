#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/hdbscan-table.py [--data FOLDER]: prints the table of docs/hdbscan.md: clump.HDBSCAN beside scikit-learn's on the data
# sets of clustering benchmarks.
#
# Needs scikit-learn 1.3 or later, and clump for Python. FOLDER (default: CLUMP_DATA, else ../shared/data) may have
# kitti/semkitti_00_000000.bin and .label. Both run with one thread; times are the fastest of three runs, of more than 10,000
# points one run.
import argparse
import os
import time

import numpy as np
from sklearn import __version__ as version, cluster, datasets, metrics

import clump

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GROUND = 0, 1, 40, 44, 48, 49, 60, 72  # classes of SemanticKITTI: ground, and points without a class


def plane_sets():
    """The six of scikit-learn's page "Comparing different clustering algorithms", as there."""
    yield "circles", *datasets.make_circles(n_samples=500, factor=0.5, noise=0.05, random_state=30)
    yield "moons", *datasets.make_moons(n_samples=500, noise=0.05, random_state=30)
    yield "blobs of three densities", *datasets.make_blobs(n_samples=500, cluster_std=[1, 2.5, 0.5], random_state=170)
    points, truth = datasets.make_blobs(n_samples=500, random_state=170)
    yield "blobs, stretched", points @ [[0.6, -0.6], [-0.4, 0.8]], truth
    yield "blobs", *datasets.make_blobs(n_samples=500, random_state=30)
    yield "no structure", np.random.RandomState(30).rand(500, 2), np.zeros(500, int)


def sphere(random, count):
    points = random.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1)[:, None]


def suite():
    """Shapes of the Fundamental Clustering Problems Suite (Ultsch 2005) in 3-D, made by their description."""
    random = np.random.default_rng(1)
    turn = random.uniform(0, 2 * np.pi, (2, 500))
    rings = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=2) + random.uniform(-0.1, 0.1, (2, 500, 3))
    yield "Chainlink", np.vstack([rings[0], rings[1][:, [0, 2, 1]] + [1, 0, 0]]), np.repeat([0, 1], 500)
    ball = sphere(random, 400) * 6 * random.uniform(0, 1, (400, 1)) ** (1 / 3)
    yield "Atom", np.vstack([ball, 50 * sphere(random, 400)]), np.repeat([0, 1], 400)
    places = np.vstack([np.zeros(3), 3 * np.eye(3), -3 * np.eye(3)])
    yield "Hepta", np.vstack([at + 0.5 * random.normal(size=(30, 3)) for at in places]), np.repeat(range(7), 30)
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    yield "Tetra", np.vstack([at + 0.35 * random.normal(size=(100, 3)) for at in corners]), np.repeat(range(4), 100)
    yield "GolfBall", sphere(random, 4002), np.zeros(4002, int)


def spread(count, varied, seed=2):
    """The seed spreader of Gan and Tao (2015) in 3-D, which Wang et al. (2021) also measure: a place that walks and jumps."""
    random = np.random.default_rng(seed)
    points, truth = np.empty((count, 3)), np.empty(count, int)
    walk, left = -1, 0
    for i in range(count):
        if walk < 0 or random.random() < 10 / count:
            walk, place = walk + 1, random.uniform(0, 1e5, 3)
            radius = 100.0 * (walk % 10 + 1) if varied else 100.0
            left = 100
        elif left == 0:
            place, left = place + sphere(random, 1)[0] * radius * 1.5, 100
        points[i] = place + sphere(random, 1)[0] * radius * random.random() ** (1 / 3)
        truth[i], left = walk, left - 1
    return points, truth


def scan(folder):
    name = os.path.join(folder, "kitti", "semkitti_00_000000")
    if not os.path.exists(name + ".bin"):
        return
    points = np.fromfile(name + ".bin", np.float32).reshape(-1, 4)[:, :3]
    words = np.fromfile(name + ".label", np.uint32)
    above = ~np.isin(words & 0xFFFF, [each for each in GROUND if each > 1])
    yield "KITTI 00 000000 without ground", points[above], words[above], 10, 20


def fitted(kind, points, samples, size):
    times = []
    for _ in range(1 if len(points) > 10000 else 3):
        one = kind(min_samples=samples, min_cluster_size=size, n_jobs=1)
        begun = time.perf_counter()
        one.fit(points)
        times.append(1e3 * (time.perf_counter() - begun))
    return one, min(times)


def weights(points, samples):
    """Weights of the edges of a spanning tree, from the tree of all distances: a point that ends ends by one edge."""
    heights = clump.tree(np.hstack([points, np.zeros((len(points), 3 - points.shape[1]))]), min_samples=samples).heights
    return np.sqrt(np.sort(heights[np.isfinite(heights)]).astype(np.float64))


def row(name, points, truth, samples=5, size=15):
    mine, my_time = fitted(clump.HDBSCAN, points, samples, size)
    theirs, their_time = fitted(cluster.HDBSCAN, points, samples, size)
    tree = weights(points, samples)
    sums = tree.sum(), np.asarray(theirs._single_linkage_tree_)["value"].sum()
    rand = metrics.adjusted_rand_score
    ties = len(tree) - len(np.unique(tree))
    assert abs(sums[0] / sums[1] - 1) < 1e-5, f"{name}: the trees weigh {sums}"
    both = (mine.labels_ >= 0) & (theirs.labels_ >= 0)
    cells = [name, f"{len(points):,}", f"{ties:,}", theirs.labels_.max() + 1, mine.labels_.max() + 1,
             f"{rand(mine.labels_, theirs.labels_):.4f}", f"{rand(mine.labels_[both], theirs.labels_[both]):.4f}",
             f"{rand(theirs.labels_, truth):.3f}", f"{rand(mine.labels_, truth):.3f}", f"{their_time:,.1f}", f"{my_time:,.1f}"]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=os.environ.get("CLUMP_DATA") or os.path.join(ROOT, "..", "shared", "data"))
    data = parser.parse_args().data
    print(f"scikit-learn {version}, NumPy {np.__version__}, clump {clump.__version__}\n")
    print("| | points | edges with ties | clusters, theirs | ours | ARI | of both | theirs to truth | ours | theirs, ms | ours |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for each in (*plane_sets(), *suite(), ("seed spreader", *spread(20000, False)),
                 ("seed spreader, ten densities", *spread(20000, True)), *scan(data)):
        row(*each)


if __name__ == "__main__":
    main()
