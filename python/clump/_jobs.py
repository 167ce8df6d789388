# SPDX-License-Identifier: BSD-3-Clause
"""Clustering: ec, dbscan, ground, erccl, detect."""

from collections import namedtuple
from math import inf

import numpy as np

from . import _clump
from ._clusters import Table, empty_clusters, give_clusters
from ._errors import ArgumentError
from ._objects import FIRST_CAPACITY, empty_found, join_found, take_boxes, take_rings
from ._options import keywords, rows
from ._points import take, take_classes, take_lengths, take_reference, take_values

_ORIGIN = (0.0, 0.0, 0.0)
_SIX_AND_DCLUST = ("matrix_block", "in_place", "dclust_chains", "dclust_threads", "dclust_seeds",
                    "dclust_host_merge")
_TREE = [name for name, _ in _clump.option_rows("objects") if name not in ("d", "no_people")]


def _near(cloud, options):
    """The options, with the sensor in the coordinates of the library."""
    return options | {"sensor": cloud.near(options.get("sensor", _ORIGIN))}


class Detection(namedtuple("Detection", "labels clusters")):
    """What `detect` finds: one label per point, one row per cluster (see `describe`)."""

    __slots__ = ()
    __module__ = "clump"

    def __repr__(self):
        return f"<clump.Detection: {len(self.labels)} points, {len(self.clusters)} clusters>"

    def _repr_html_(self):
        return self.clusters._repr_html_() if isinstance(self.clusters, Table) else None


@keywords(rows("clustering"))
def ec(points, d, *, method="fast", mask=None, classes=None, class_table=None, context=None, options):
    """Euclidean clusters: points closer than d are in one cluster, transitively.

    points   float32 (N, 3 or more) is used without a copy; float64, lists, tables and more are converted
    method   "fast", or a method of the papers: "bfs", "vertex-es" ... "matrix-rs"
    order    clusters are numbered by "index" of their first point, or by "size", largest first
    two_d    ignores z; points of shape (N, 2) are then enough
    min_size, max_size  clusters of fewer or more points become noise
    mask     one bool per point: False leaves the point out
    eps_per_metre, sensor  the distance grows with the range from the sensor
    classes, class_table  one whole number per point, and what each class is (docs/classes.md): points of different classes
             never share a cluster. The table is "semantickitti", "nuscenes", a file, or a dict: its keys are classes, or tuples
             of classes that may share clusters; its values a distance, a dict of radius, min_size, max_size, two_d and
             oversize ("drop", "keep", "split"), or None for what is not clustered

    Returns one int32 label per point: 0, 1, 2 ..., or -1 for points in no cluster, masked out or not finite.

    >>> import clump
    >>> clump.ec([[0, 0, 0], [0, 0, 1], [5, 0, 0]], 1.5)
    array([0, 0, 1], dtype=int32)
    >>> clump.ec([[0, 0, 0], [0, 0, 1], [0, 0, 2]], 1.5, classes=[10, 10, 30], class_table={10: 1.2, 30: 0.5})
    array([0, 0, 1], dtype=int32)
    """
    cloud, d = take_lengths(points, d, options.get("two_d", False), mask)
    out = cloud.output
    labels = out.empty(cloud.count, np.int32)
    _clump.ec(out.context(context), cloud.rows, out.array(mask, "mask", bool), labels, d, method, _near(cloud, options),
             take_classes(cloud, classes, class_table))
    return out.give(labels)


@keywords(rows("clustering"), rows("dbscan"))
def dbscan(points, eps, min_points, *, method="fast", mask=None, classes=None, class_table=None, return_core=False, context=None,
           options):
    """Density clusters (DBSCAN), with the labels of scikit-learn.

    A point with min_points points within eps, itself included, is a core point. Core points within eps of each other are
    in one cluster. Other points within eps of a core point join its cluster, unless no_border_points. The other
    parameters are as in `ec`; methods are "fast", "sequential", "disjoint-set" and "dclust".

    Returns one int32 label per point, -1 is noise; with return_core (labels, core), one bool per point.

    >>> import clump
    >>> line = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [9, 0, 0]]
    >>> clump.dbscan(line, 1, 3)
    array([ 0,  0,  0, -1], dtype=int32)
    >>> clump.dbscan(line, 1, 3, return_core=True)[1]
    array([False,  True, False, False])
    """
    cloud, eps = take_lengths(points, eps, options.get("two_d", False), mask)
    out = cloud.output
    labels = out.empty(cloud.count, np.int32)
    core = out.empty(cloud.count, np.bool_) if return_core else None
    _clump.dbscan(out.context(context), cloud.rows, out.array(mask, "mask", bool), labels, core, eps,
                  min_points, method, _near(cloud, options), take_classes(cloud, classes, class_table))
    if return_core:
        return out.give(labels), out.give(core)
    return out.give(labels)


@keywords(rows("ground"))
def ground(points, *, method="grid", mask=None, return_heights=False, context=None, options):
    """Which points are ground: one bool per point. Lengths are metres.

    method   "grid" (a surface of limited slope), "peak" (one level) or "none"
    sigma    what is lower than this above the surface is ground; peak: within this of the level
    up, flip, sensor, sensor_height  the axis that is up, whether it points down, where the sensor is, and how high above the
             ground (0: estimated, else within `window`)
    extent, tile, slope  the map around the sensor, its tiles, the steepest ground (grid)
    bin      height of a bin of the histogram (peak)
    step     the step rule instead of sigma: ground is 0.1 thick where something stands on it, else 0.25
    mask     one bool per point: False leaves the point out

    With return_heights (ground, heights): heights above the ground, float32, NaN where it is not known.

    >>> import clump, numpy as np
    >>> x, y = np.meshgrid(np.arange(-10.0, 10), np.arange(-10.0, 10))
    >>> floor = np.stack([x.ravel(), y.ravel(), np.full(400, -2.0)], axis=1)
    >>> clump.ground(np.vstack([floor, [[3, 3, 0]]]))[-3:]
    array([ True,  True, False])
    """
    cloud = take(points)
    out = cloud.output
    labels = out.empty(cloud.count, np.int32)
    heights = out.empty(cloud.count, np.float32) if return_heights else None
    _clump.ground(out.context(context), cloud.rows, out.array(mask, "mask", bool), labels, heights, method,
                  _near(cloud, options))
    is_ground = out.equal(labels, -2)
    if return_heights:
        return is_ground, out.give(heights)
    return is_ground


@keywords(rows("clustering", without=("two_d", "eps_per_metre")), rows("erccl"), rows("ground", inside=True),
          rows("papers", without=_SIX_AND_DCLUST))
def erccl(points, *, method="fast", mask=None, ground="grid", return_maps=False, context=None, options):
    """Obstacles: removes the ground and clusters the cells of an elevation map around the sensor (Tian et al. 2020).

    method   "fast", "serial", "racing", "independent"; "ccl" and "hash" ignore heights
    cell, extent, extent_columns  side of a cell, length of the map along x and along y (0: as along x)
    reach, alpha, tau, beta  which cells are linked; the definition is in clump.h
    all_heights  heights of a cell are of all its points, ground included
    ground ... ground_tile  the ground, as in the function `ground`; the others are as in `ec`

    Returns one int32 label per point: obstacles 0, 1, 2 ..., -2 ground, -1 all other points. With return_maps (labels,
    maps): a dict with the 2-D arrays obstacle, lowest, highest, ground and labels. Heights are coordinates along `up`, with
    the opposite sign where `flip`.

    >>> import clump
    >>> clump.erccl([[1, 1, 0], [1.04, 1, 0], [3, 1, 0]], ground="none")
    array([0, 0, 1], dtype=int32)
    """
    cloud = take(points)
    out = cloud.output
    labels = out.empty(cloud.count, np.int32)
    maps = None
    if return_maps:
        size = _clump.erccl_shape(options)
        types = (np.bool_, np.float32, np.float32, np.float32, np.int32)
        maps = tuple(out.empty(size, type) for type in types)
    _clump.erccl(out.context(context), cloud.rows, out.array(mask, "mask", bool), labels, maps, method, ground,
                 _near(cloud, options))
    if return_maps:
        maps = dict(zip(("obstacle", "lowest", "highest", "ground", "labels"), map(out.give, maps)))
        if cloud.origin is not None:
            base = cloud.origin["xyz".index(options.get("up", "z"))] * (-1 if options.get("flip") else 1)
            maps.update({name: maps[name] + np.float64(base) for name in ("lowest", "highest", "ground")})
        return out.give(labels), maps
    return out.give(labels)


@keywords(rows("clustering", min_size=10, eps_per_metre=None), rows("detect", d=None), rows("ground", inside=True),
          rows("erccl"), rows("papers", without=(*_SIX_AND_DCLUST, "all_heights")),
          rows("objects", without=("d", "no_people"), columns=0))
def detect(points, *, method="ec", crop=None, min_range=0.0, max_range=inf, mask=None, ground="grid", levels=(0.5, 1, 2),
           boxes=None, people=True, rings=None, axes=False, values=None, classes=None, class_table=None, context=None, options):
    """From a scan to its objects: ground, clusters and boxes in one call.

    method   "ec", "dbscan", "erccl" or "objects": what clusters the points above the ground
    d, min_points  the distance of ec, eps and min_points of dbscan; None: 0.5
    eps_per_metre  as in `ec`; None: 0. With the method objects, d and eps_per_metre are those of `objects`, also for None
    crop     x0, x1, y0, y1, z0, z1: points outside this box are noise; min_range, max_range: by distance from the sensor
    thin     clusters one point per voxel of this side, the others get its label; 0: off
    ground ... ground_tile  as in `ground`
    cell ... beta  as in `erccl`
    levels ... columns  as in `objects`
    axes, values  as in `describe`; the others are as in `ec`; classes are for the methods ec, dbscan and objects

    Returns a named tuple: labels (0, 1, 2 ..., -2 ground, -1 all other points) and clusters, as `describe` gives them.
    With the method objects, clusters also have the columns object, fits, length, width, bottom, top, level and score
    of `objects`.

    >>> import clump, numpy as np
    >>> x, y = np.meshgrid(np.arange(-10, 10, 0.5), np.arange(-10, 10, 0.5))
    >>> floor = np.stack([x.ravel(), y.ravel(), np.full(1600, -2.0)], axis=1)
    >>> post = np.stack([np.full(20, 4.0), np.full(20, 3.0), np.linspace(-1.7, 0, 20)], axis=1)
    >>> found = clump.detect(np.vstack([floor, post]))
    >>> found.clusters["count"], found.clusters["height_above_ground"].round(3)
    (array([20], dtype=int32), array([2.], dtype=float32))
    """
    two_d = options.get("two_d", False)
    cloud = take_reference(points, True if two_d and ground == "none" else "two columns are for two_d=True and ground='none'")
    out = cloud.output
    labels = out.empty(cloud.count, np.int32)
    tree = {name: options.pop(name) for name in _TREE if name in options}
    radius = {name: options.pop(name) for name in ("d", "eps_per_metre") if options.get(name) is not None}
    options = {name: value for name, value in options.items() if value is not None or name in ("min_size", "max_size")}
    options = _near(cloud, options) | {"min_range": min_range, "max_range": max_range, "axes": axes}
    found_tree = found_rings = memory = None
    if isinstance(method, str) and method == "objects":
        options.setdefault("step", "sigma" not in options)
        if two_d:
            raise ArgumentError("two_d is not for the method objects, which needs heights")
        thin = options.get("thin", 0)
        if isinstance(thin, (int, float)) and thin > 0:
            raise ArgumentError("thin is not for the method objects, which counts the points of clusters")
        found_rings, tree["columns"] = take_rings(out, points, rings, tree.get("columns", 0), tree.get("neighbours", "auto"))
        found_tree = levels, take_boxes(boxes), people, tree | radius
    else:
        options |= radius
    arguments = (take_values(out, values, "values"), method, ground, cloud.near_box(crop), options)
    context = out.context(context)
    mask = out.array(mask, "mask", bool)
    capacity = FIRST_CAPACITY
    while True:  # a second time where there were more clusters than expected
        clusters = empty_clusters(capacity)
        memory = None if found_tree is None else empty_found(capacity)
        found = _clump.detect(context, cloud.rows, mask, labels, clusters, *arguments, found_rings, memory, found_tree,
                              take_classes(cloud, classes, class_table))
        if found <= capacity:
            break
        capacity = found
    if found < capacity:
        clusters = clusters[:found].copy()
    clusters = give_clusters(clusters, axes, options.get("up", "z"), cloud.origin)
    return Detection(out.give(labels), clusters if memory is None else join_found(clusters, memory[:found]))
