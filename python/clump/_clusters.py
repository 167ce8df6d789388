# SPDX-License-Identifier: BSD-3-Clause
"""What comes after clustering: boxes, member lists, a hash of the labels."""

import html

import numpy as np

from . import _clump
from ._arguments import as_integer, as_text
from ._device import output_of
from ._errors import ArgumentError
from ._points import take_labels, take_reference, take_values

_ORIGIN = (0.0, 0.0, 0.0)
_SHOWN = 10  # rows of a table in a notebook


class Table(np.ndarray):
    """A structured array with one row per cluster, object or track, and a short repr.

    ``table["count"]`` is a column, an ordinary array; ``table[0]`` a row, ``table[table["count"] > 9]`` a table.
    """

    __module__ = "clump"

    def __getitem__(self, key):
        got = super().__getitem__(key)
        return got.view(np.ndarray) if isinstance(got, Table) and got.dtype.names is None else got

    def __repr__(self):
        names = self.dtype.names
        if names is None or self.ndim != 1:
            return repr(self.view(np.ndarray))
        more = " ..." if len(names) > 6 else ""
        return f"<clump.Table: {_counted(len(self), 'row')}, {_counted(len(names), 'column')}: {' '.join(names[:6])}{more}>"

    __str__ = __repr__

    def _repr_html_(self):
        """The first rows, in a notebook."""
        names = self.dtype.names
        if names is None or self.ndim != 1:
            return None
        cells = [[f"{value:.3f}" if isinstance(value, np.floating) else html.escape(str(value)) for value in row]
                 for row in self[:_SHOWN]]
        lines = ["<tr><th>" + "</th><th>".join(names) + "</th></tr>"]
        lines += ["<tr><td>" + "</td><td>".join(row) + "</td></tr>" for row in cells]
        more = f", the first {_SHOWN} are shown" if len(self) > _SHOWN else ""
        return f"<table>{''.join(lines)}</table><p>{_counted(len(self), 'row')}{more}</p>"


def _counted(count, word):
    """1 row, 2 rows."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def _make_type(fields):
    """The memory of clump_cluster as structured type with these fields."""
    return np.dtype({
        "names": [name for name, _ in fields],
        "formats": [np.int32 if name in ("label", "count") else np.float32 for name, _ in fields],
        "offsets": [offset for _, offset in fields],
        "itemsize": _clump.cluster_size,
    })


_plain_fields = [field for field in _clump.cluster_fields if not field[0].startswith(("covariance", "variance", "axis"))]
PLAIN = _make_type(_plain_fields)
WITH_AXES = _make_type(_clump.cluster_fields)

# Coordinates in the frame of the points, by their axis; box_center_y is z where y is up.
_COORDINATES = {f"{name}_{axis}": i for name in ("centroid", "lower", "upper") for i, axis in enumerate("xyz")}
_COORDINATES |= {"box_center_x": 0, "box_center_y": 1}


def _widen(plain):
    """The same fields, coordinates as float64."""
    return np.dtype([(name, np.float64 if name in _COORDINATES else plain[name]) for name in plain.names])


_WIDE = {PLAIN: _widen(PLAIN), WITH_AXES: _widen(WITH_AXES)}


def axis_of(name, up):
    """The axis of a coordinate, None of another column."""
    return 2 if up == "y" and name == "box_center_y" else _COORDINATES.get(name)


def empty_clusters(count):
    """Memory for so many clusters."""
    return np.empty((count, _clump.cluster_size), np.uint8)


def give_clusters(memory, axes, up, origin):
    """The clusters in this memory as the caller gets them: a view, or a copy in float64 where there is an origin."""
    view = memory.view(WITH_AXES if axes else PLAIN).reshape(-1)
    if origin is None:
        return view.view(Table)
    clusters = view.astype(_WIDE[view.dtype]).view(Table)
    present = clusters["count"] > 0  # a label without points keeps its zeros
    for name in _COORDINATES:
        clusters[name] += present * origin[axis_of(name, up)]
    return clusters


def describe(points, labels, *, count=None, up="z", sensor=_ORIGIN, axes=False, heights=None, values=None,
             return_hulls=False, context=None):
    """Boxes and more of each cluster: a structured array with one row per cluster.

    labels   one per point; -1 and -2 are in no cluster
    count    number of clusters; None: the largest label + 1
    up       "z" or "y", the axis that points up
    sensor   origin of the distances
    axes     covariance and principal axes, too
    heights  one per point: heights above the ground, as `ground` gives them
    values   one per point: a field whose mean is computed, the intensity
    return_hulls  returns (clusters, hulls): of each cluster the corners of the convex hull seen from above, (M, 2)

    >>> import clump
    >>> clusters = clump.describe([[0, 0, 0], [4, 2, 1], [9, 9, 9]], [0, 0, -1])
    >>> clusters["box_length"], clusters["box_width"], clusters["upper_z"]
    (array([4.472136], dtype=float32), array([0.], dtype=float32), array([1.], dtype=float32))
    """
    cloud = take_reference(points)
    out = cloud.output
    labels = take_labels(out, labels)
    if len(labels) != cloud.count:
        raise ArgumentError(f"there are {len(labels)} labels for {cloud.count} points")
    count = _count(out, labels, count)
    clusters = empty_clusters(count)
    hull = hull_offsets = None
    if return_hulls:
        hull = np.empty((np.count_nonzero(out.numpy(labels) >= 0), 2), np.float32)
        hull_offsets = np.empty(count + 1, np.int32)
    _clump.describe(out.context(context), cloud.rows, labels, take_values(out, heights, "heights", strided=False),
                    take_values(out, values, "values"), clusters, hull, hull_offsets,
                    {"up": up, "sensor": cloud.near(sensor), "axes": axes})
    clusters = give_clusters(clusters, axes, up, cloud.origin)
    if not return_hulls:
        return clusters
    if cloud.origin is not None:
        hull = hull + np.array([cloud.origin[0], cloud.origin[2 if up == "y" else 1]])
    return clusters, [hull[a:b] for a, b in zip(hull_offsets[:-1], hull_offsets[1:])]


def group(labels, *, count=None, context=None):
    """The points of each cluster: a list of arrays of ascending indices, views of one array.

    count  number of clusters; None: the largest label + 1

    >>> import clump
    >>> clump.group([0, 1, -1, 0])
    [array([0, 3], dtype=int32), array([1], dtype=int32)]
    """
    out = output_of(labels, "labels")
    labels = take_labels(out, labels)
    count = _count(out, labels, count)
    offsets = out.empty(count + 1, np.int32)
    members = out.empty(len(labels), np.int32)
    _clump.group(out.context(context), labels, count, offsets, members)
    return out.split(members, out.numpy(offsets))


def labels_hash(labels):
    """A hash of the labels, 16 hexadecimal digits, as the program prints it: equal for equal labels.

    >>> import clump
    >>> clump.labels_hash([0, 0, 1, -1])
    '1971cac0cf752c82'
    """
    out = output_of(labels, "labels")
    return _clump.labels_hash(out.numpy(take_labels(out, labels)))


def boxes(clusters, *, up="z"):
    """The yaw-oriented boxes of clusters: (K, 7), the columns are x y z length width height yaw.

    x, y and z are the centre. The length is not shorter than the width; yaw is its angle from the x axis in radians. Where
    y is up, heights are along y, and yaw is in the plane of x and z.

    >>> import clump
    >>> clusters = clump.describe([[0, 0, 0], [4, 0, 1], [4, 2, 0], [0, 2, 0]], [0, 0, 0, 0])
    >>> clump.boxes(clusters).tolist()
    [[2.0, 1.0, 0.5, 4.0, 2.0, 1.0, 0.0]]
    """
    if as_text(up, "up") not in ("z", "y"):
        raise ArgumentError(f"up: there is no axis {up!r}; there are: z, y")
    check_clusters(clusters)
    table = np.empty((len(clusters), 7), clusters.dtype["lower_x"])
    across, along = (2, 1) if up == "y" else (1, 2)  # columns of the box's second coordinate and of the height
    table[:, 0] = clusters["box_center_x"]
    table[:, across] = clusters["box_center_y"]
    lower, upper = clusters[f"lower_{up}"], clusters[f"upper_{up}"]
    table[:, along] = lower + (upper - lower) / 2
    table[:, 3] = clusters["box_length"]
    table[:, 4] = clusters["box_width"]
    table[:, 5] = upper - lower
    table[:, 6] = np.radians(clusters["yaw"])
    return table


def check_clusters(clusters, name="clusters"):
    """Refuses what is no array of clusters."""
    if not is_clusters(clusters):
        raise TypeError(f"{name} must be what describe and detect give, not {type(clusters).__name__}")


def is_clusters(thing):
    """Whether this is what `describe` and `detect` give, or columns of it."""
    names = getattr(getattr(thing, "dtype", None), "names", None) or ()
    return "box_center_x" in names and "centroid_x" in names and "lower_x" in names


def _count(out, labels, count):
    """The number of clusters: what is given, else the largest label + 1."""
    if count is None:
        return out.largest(labels) + 1
    return as_integer(count, "count")
