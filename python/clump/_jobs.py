# SPDX-License-Identifier: BSD-3-Clause
"""Clustering."""

import numpy as np

from . import _clump
from ._points import take_lengths

_ORIGIN = (0.0, 0.0, 0.0)


def ec(points, d, *, method="fast", order="index", two_d=False, min_size=1, max_size=None, mask=None, eps_per_metre=0.0,
       sensor=_ORIGIN, context=None):
    """Euclidean clusters: points closer than d are in one cluster, transitively.

    Returns one int32 label per point: 0, 1, 2 ..., or -1 for points in no cluster.

    >>> import clump
    >>> clump.ec([[0, 0, 0], [0, 0, 1], [5, 0, 0]], 1.5)
    array([0, 0, 1], dtype=int32)
    """
    cloud, d = take_lengths(points, d, two_d, mask)
    out = cloud.output
    labels = out.empty(cloud.count, np.int32)
    _clump.ec(out.context(context), cloud.rows, d, method, order, two_d, min_size, max_size, out.array(mask, "mask", bool),
              eps_per_metre, cloud.near(sensor), labels)
    return out.give(labels)
