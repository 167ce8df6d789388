# SPDX-License-Identifier: BSD-3-Clause
"""Nearest neighbours and registration."""

from collections import namedtuple
from math import inf

import numpy as np

from . import _clump
from ._arguments import as_integer
from ._errors import ArgumentError
from ._options import keywords, rows
from ._points import named, take_in, take_queries, take_reference

Registration = namedtuple("Registration", "transform fitness rmse iterations converged contested information")
Registration.__doc__ = "What `icp` finds. transform is float64 (4, 4) and maps source points to the target."
Registration.__module__ = "clump"


class Index:
    """Reference points, indexed once and queried often.

    points   as in `ec`; the index keeps a copy
    method   "fast", "kdtree", "brute"; "azimuth" (approximate, with `partitions` and `window`)
    context  for building and for queries; None: a context of the calling thread, so that threads can query at the same time

    Distances are float32. Where there is no neighbour, the distance is inf and the index -1. With squared=True distances
    are squared, which saves the square roots.

    >>> import clump
    >>> index = clump.Index([[0, 0, 0], [3, 0, 0], [3, 4, 0]])
    >>> index.nearest([[3, 1, 0], [0, 0, 7]])
    (array([1., 7.], dtype=float32), array([1, 0], dtype=int32))
    >>> index
    <clump.Index of 3 points, fast>
    """

    __slots__ = ("_index", "_count", "_origin", "_method", "_context", "__weakref__")
    __module__ = "clump"

    def __init__(self, points, *, method="fast", partitions=300, window=0, context=None):
        cloud = take_reference(points)
        self._context = context
        self._index = _clump.index_create(cloud.output.context(context), cloud.rows, method,
                                          {"partitions": partitions, "window": window})
        self._method = method
        self._count = cloud.count
        self._origin = cloud.origin

    def nearest(self, queries, max_distance=inf, *, squared=False):
        """The nearest point of each query: (distances, indices), both (M,).

        Points farther than max_distance are ignored.
        """
        cloud = take_queries(queries, self._origin)
        out = cloud.output
        indices = out.empty(cloud.count, np.int32)
        distances = out.empty(cloud.count, np.float32)
        _clump.index_nearest(out.context(self._context), self._index, cloud.rows, max_distance, indices, distances)
        return out.give(distances) if squared else out.roots(distances), out.give(indices)

    def knn(self, queries, k, max_distance=inf, *, squared=False):
        """The k nearest points of each query, nearest first: (distances, indices), both (M, k). k is at most 128.

        >>> import clump
        >>> clump.Index([[0, 0, 0], [3, 0, 0]]).knn([[1, 0, 0]], 3)
        (array([[ 1.,  2., inf]], dtype=float32), array([[ 0,  1, -1]], dtype=int32))
        """
        cloud = take_queries(queries, self._origin)
        out = cloud.output
        k = as_integer(k, "k", 1, 128)
        shape = (cloud.count, k)
        indices = out.empty(shape, np.int32)
        distances = out.empty(shape, np.float32)
        _clump.index_knn(out.context(self._context), self._index, cloud.rows, max_distance, k, indices, distances)
        return out.give(distances) if squared else out.roots(distances), out.give(indices)

    def radius(self, queries, r, *, squared=False):
        """All points within r of each query: (offsets, indices, distances).

        Query i has neighbours indices[offsets[i]:offsets[i + 1]], by ascending index. A distance of exactly r counts.

        >>> import clump
        >>> clump.Index([[0, 0, 0], [3, 0, 0]]).radius([[1, 0, 0], [9, 0, 0]], 2)
        (array([0, 2, 2]), array([0, 1], dtype=int32), array([1., 2.], dtype=float32))
        """
        cloud = take_queries(queries, self._origin)
        out = cloud.output
        offsets = out.empty(cloud.count + 1, np.int64)
        context = out.context(self._context)
        _clump.index_radius_count(context, self._index, cloud.rows, r, offsets)
        total = int(out.numpy(offsets)[-1])
        indices = out.empty(total, np.int32)
        distances = out.empty(total, np.float32)
        _clump.index_radius_fill(context, self._index, cloud.rows, r, offsets, indices, distances)
        return out.give(offsets), out.give(indices), out.give(distances) if squared else out.roots(distances)

    def rebuild(self, points):
        """Replaces the points; memory is used again. No query may run at the same time."""
        cloud = take_reference(points)
        _clump.index_rebuild(cloud.output.context(self._context), self._index, cloud.rows)
        self._count = cloud.count
        self._origin = cloud.origin

    @property
    def nbytes(self):
        """Bytes that the index holds."""
        return _clump.index_bytes(self._index)

    @property
    def method(self):
        """The method that it was built with."""
        return self._method

    def __len__(self):
        return self._count

    def __repr__(self):
        return f"<clump.Index of {self._count} points, {self._method}>"

    def __reduce__(self):
        raise TypeError("a clump.Index cannot be pickled; build one per process")


@keywords(rows("icp"))
def icp(target, source, *, method="point", initial=None, context=None, options):
    """The rigid motion that aligns the source with the target (iterative closest point).

    method   "point", "plane": fewer iterations on walls and ground, or "gicp": plane to plane
    max_distance  pairs farther apart are ignored
    keep     fraction of the pairs in use, nearest first; below 1 it is trimmed ICP
    tolerance  the last iteration moves and rotates by less
    normal_neighbours  points per surface normal (plane, gicp)
    thin     side of voxels, of which one point each is used, in both clouds; 0: all points
    robust   width of a robust kernel: pairs so far apart count a quarter, farther ones less; 0: all alike
    initial  (4, 4): the motion to start with. The clouds must be roughly aligned

    Returns a named tuple: transform (4, 4), fitness, rmse, iterations, converged, contested (two motions
    fit the share `keep` about as well), information (6, 6): the matrix of the normal equations, for translation along and
    rotation about x, y and z; its eigenvalues say how well the pairs determine the motion.

    >>> import clump, numpy as np
    >>> target = np.random.default_rng(1).uniform(-5, 5, (500, 3))
    >>> found = clump.icp(target, target + [0.1, 0, 0])
    >>> found.converged, np.allclose(found.transform[:3, 3], [-0.1, 0, 0], atol=1e-3)
    (True, True)
    """
    with named("target"):
        to = take_reference(target)
    with named("source"):
        moved = take_in(source, to.origin)
    start = None
    if initial is not None:
        try:
            start = np.array(initial, np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"initial must be an array of numbers, not {type(initial).__name__}") from None
        if start.shape != (4, 4):
            raise ArgumentError(f"initial has shape {start.shape}; (4, 4) is needed")
        _shift(start, to.origin, -1)
    transform, information = np.empty((4, 4), np.float64), np.empty((6, 6), np.float64)
    fitness, rmse, iterations, converged, contested = _clump.icp(
        to.output.context(context), to.rows, moved.rows, start, transform, information, method, options)
    _shift(transform, to.origin, 1)
    _move(information, to.origin)
    return Registration(transform, fitness, rmse, iterations, converged, contested, information)


def _shift(motion, origin, sign):
    """A motion of offsets from an origin as motion of the caller's coordinates; sign = -1: back."""
    if origin is not None:
        origin = np.array(origin)
        motion[:3, 3] += sign * (origin - motion[:3, :3] @ origin)


def _move(information, origin):
    """The information of offsets from an origin as that of the caller's coordinates."""
    if origin is not None:
        x, y, z = origin
        change = np.eye(6)
        change[:3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
        information[:] = change.T @ information @ change
