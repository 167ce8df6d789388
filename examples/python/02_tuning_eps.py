# SPDX-License-Identifier: BSD-3-Clause
"""Choosing eps for DBSCAN: python3 02_tuning_eps.py [SCAN] [-o LABELLED.pcd]

Prints the distance to the k-th neighbour at several quantiles, and what DBSCAN finds with several values of eps. A good eps
is above the distances inside objects and below the gaps between them: there the number of clusters hardly changes.
"""

import argparse
import pathlib
import tempfile

import numpy as np

import clump
import simulated

K = 10


def main(scan, output):
    cloud = clump.read(scan)
    ground = clump.ground(cloud)
    points = cloud.xyz[~ground]

    distances, _ = clump.Index(points).knn(points, K)
    kth = distances[:, -1]
    print(f"distance to the neighbour number {K}:", end="")
    print("".join(f"  {share}% below {np.quantile(kth, share / 100):.2f}" for share in (50, 75, 90)))

    print("  eps  clusters  noise  largest")
    tried = {}
    for eps in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.2, 2.0):
        labels = clump.dbscan(points, eps, K)
        sizes = np.bincount(labels[labels >= 0], minlength=1)
        tried[eps] = labels
        print(f"{eps:5.1f} {np.count_nonzero(sizes):9} {(labels < 0).sum():6} {sizes.max():8}")
    if output:
        clump.write(output, points, labels=tried[0.5])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scan", nargs="?", help="any cloud file; default: a simulated street")
    parser.add_argument("-o", dest="output", help="write the points above the ground with the labels of eps 0.5")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        main(arguments.scan or simulated.street(pathlib.Path(folder, "street.pcd")), arguments.output)
