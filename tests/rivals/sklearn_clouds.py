# SPDX-License-Identifier: BSD-3-Clause
#
# sklearn_clouds.py: the clouds of test_sklearn.py and test_sklearn_dbscan.py.
import numpy as np


def grid_cloud(random, count, extent, spacing):
    """Small multiples of a power of two: squares and sums are exact, and many pairs are at exactly the radius."""
    return (random.integers(-extent, extent, size=(count, 3)) * spacing).astype(np.float32)


def shaped_cloud(random, count, shape, width):
    """A cloud of float32 points, about 2 * width wide (a scan has a width of its own)."""
    if shape == "cube":
        points = random.uniform(-width, width, size=(count, 3))
    elif shape == "sheet":
        points = random.uniform(-2 * width, 2 * width, size=(count, 3)) * [1, 1, 0.01]
    elif shape == "scan":  # rings on the ground, denser near the sensor
        angle = random.uniform(0, 2 * np.pi, count)
        distance = 3 / np.tan(random.integers(5, 40, count) * 0.02)
        points = np.stack([distance * np.cos(angle), distance * np.sin(angle), random.normal(0, 0.05, count)], 1)
    else:  # heaps
        points = random.normal(size=(count, 3)) + 0.8 * width * random.integers(-3, 4, size=(count, 3))
    return points.astype(np.float32)
