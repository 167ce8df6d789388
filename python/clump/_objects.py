# SPDX-License-Identifier: BSD-3-Clause
"""Objects: a tree of clusters that is cut by size."""

from collections.abc import Mapping
from math import inf

import numpy as np

from . import _clump
from ._arguments import as_integer
from ._clusters import Table
from ._errors import ArgumentError
from ._files import Cloud
from ._libraries import NumpyOutput
from ._options import keywords, rows
from ._points import take, take_classes

_ORIGIN = (0.0, 0.0, 0.0)
FIRST_CAPACITY = 1024

# --- the list of clusters -----------------------------------------------------------------------------

_FITS = np.array(_clump.fits)
_SIZES = [(name, np.float32) for name in ("length", "width", "bottom", "top")]
_SCORE = [("level", np.int32), ("score", np.float32)]
_MEMORY = np.dtype([("label", np.int32), ("count", np.int32), ("object", np.int32), ("fits", np.int32), *_SIZES, *_SCORE])
_GIVEN = np.dtype([("label", np.int32), ("count", np.int32), ("object", np.bool_), ("fits", _FITS.dtype), *_SIZES, *_SCORE],
                  align=True)


def empty_found(count):
    """Memory for so many clusters."""
    return np.empty((count, _MEMORY.itemsize), np.uint8)


def give_found(memory):
    """The clusters in this memory as the caller gets them."""
    rows = memory.view(_MEMORY).reshape(-1)
    found = np.empty(len(rows), _GIVEN).view(Table)
    for name in _GIVEN.names:
        found[name] = _FITS[rows[name]] if name == "fits" else rows[name]
    return found


def fill_found(clusters, memory):
    """Puts the columns object ... score of the rows of `detect` into this memory."""
    rows, order = memory.view(_MEMORY).reshape(-1), np.argsort(_FITS)
    for name in _MEMORY.names:
        rows[name] = order[np.searchsorted(_FITS, clusters[name], sorter=order)] if name == "fits" else clusters[name]


def join_found(clusters, memory):
    """The rows of `describe`, with the columns object ... score of the same clusters."""
    found = give_found(memory)
    names = [name for name in found.dtype.names if name not in ("label", "count")]
    joined = np.empty(len(found), np.dtype([(name, table.dtype[name]) for table, some in
                                            ((clusters, clusters.dtype.names), (found, names)) for name in some], align=True)).view(Table)
    for name in joined.dtype.names:
        joined[name] = (found if name in names else clusters)[name]
    return joined


# --- arguments ----------------------------------------------------------------------------------------

_BOX = {"least_top": -inf, "most_bottom": inf, "fits": "other"}
_BOX_KEYS = ("length", "width", "least_top", "most_top", "most_bottom", "fits")


def _take_box(box, at):
    """A box of the caller as a tuple of all its numbers."""
    if isinstance(box, Mapping):
        unknown = [key for key in box if key not in _BOX_KEYS]
        if unknown:
            raise ArgumentError(f"boxes[{at}] has no {unknown[0]!r}; there are: {', '.join(_BOX_KEYS)}")
        missing = [key for key in _BOX_KEYS if key not in box and key not in _BOX]
        if missing:
            raise ArgumentError(f"boxes[{at}] needs {missing[0]!r}")
        return tuple((_BOX | dict(box))[key] for key in _BOX_KEYS)
    try:
        length, width, height = box
    except (TypeError, ValueError):
        raise ArgumentError(f"boxes[{at}] must be length, width and height, or a dict") from None
    return length, width, -inf, height, inf, "other"


def take_boxes(boxes):
    """The boxes of the caller as the extension takes them."""
    if boxes is None:
        return None
    if isinstance(boxes, (str, bytes, Mapping)) or not hasattr(boxes, "__iter__"):
        raise TypeError(f"boxes must be a sequence of boxes, not {type(boxes).__name__}")
    return tuple(_take_box(box, at) for at, box in enumerate(boxes))


def take_rings(out, points, rings, columns, neighbours):
    """(rings, columns) of the caller, or of the cloud where the caller gives none. Rings are uint16, or None."""
    columns = as_integer(columns, "columns", most=2**63 - 1)
    if rings is None:
        if columns or (isinstance(neighbours, str) and neighbours == "exact") or not isinstance(points, Cloud):
            return None, columns
        return points._rings()
    if not isinstance(out, NumpyOutput):
        return out.array(rings, "rings", np.uint16), columns
    array = out.array(rings, "rings", np.uint16)
    if array.ndim != 1:
        raise ArgumentError(f"rings have {array.ndim} dimensions, but one is needed")
    if array.dtype.kind not in "iuf":
        raise TypeError(f"rings are an array of {array.dtype.name}; whole numbers are needed")
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.uint16, copy=not array.flags.aligned)
    if whole is not array and not np.array_equal(whole, array):
        at = np.flatnonzero(whole != array)[0]
        raise ArgumentError(f"rings[{at}] is {array[at]}; a ring is a whole number, 0 or more and below 1024")
    return whole, columns


# --- the call -----------------------------------------------------------------------------------------


@keywords(rows("objects", without=("no_people",), columns=0),
          rows("clustering", without=("two_d",), min_size=10, eps_per_metre=0.0175), rows("ground", inside=True, step=True))
def objects(points, *, levels=(0.5, 1, 2), boxes=None, people=True, rings=None, mask=None, ground="grid", classes=None,
            class_table=None, return_objects=False, context=None, options):
    """What has the size of a car, truck or person: removes the ground, cuts a tree of clusters where the sizes fit.

    d, eps_per_metre  radius of a point: max(d, eps_per_metre * range); 0.0175 is for 64 beams
    levels   factors of the radii, ascending: one level of the tree each, 1 to 4
    boxes    sizes that objects have, in place of those of a car and of a truck: (length, width, height), or a dict with length,
             width, most_top, and maybe least_top, most_bottom and fits ("car", "truck", "person" or "other"); at most 8
    people   finds what has the size of a person, beside other things
    no_groups  does not divide what fits in a box where its parts have the sizes of several people or vehicles
    min_score  objects with a lower score, 0 to 1, become background; their labels stay
    neighbours  "exact", "scan" (next to each other in the rings of the sensor), or "auto": scan where rings are given and
             plausible, or where the order or the vertical angles of the points tell them
    rings    one whole number below 1024 per point: the laser that saw the point
    columns  points per row of an organised cloud, whose rows are rings
    ground ... ground_tile  the ground, as in the function `ground`; step is True unless sigma is given; the others are as in
             `ec`
    classes, class_table  as in `ec`; distances of classes are their d, and neighbours are exact

    A Cloud brings its rings: the field "ring" (or channel, laser_id, ring_id, beam, line, row), or the rows of an organised cloud.

    Returns one int32 label per point: clusters 0, 1, 2 ..., -2 ground, -1 all other points. With return_objects (labels,
    objects): a structured array with one row per cluster: label, count, object (False: background), fits (whose size it has,
    not what it is), length, width, bottom and top above the ground, level of the tree (-1: background) and score, the share of
    road users among objects like this one on labelled scans of 64 beams (0: background).

    >>> import clump, numpy as np
    >>> x, y = np.meshgrid(np.arange(-10, 10, 0.4), np.arange(-10, 10, 0.4))
    >>> floor = np.stack([x.ravel(), y.ravel(), np.full(2500, -2.0)], axis=1)
    >>> x, y, z = np.meshgrid(np.arange(0, 4, 0.2), np.arange(0, 1.6, 0.2), np.arange(-1.7, -0.5, 0.2))
    >>> car = np.stack([x.ravel() + 3, y.ravel(), z.ravel()], axis=1)
    >>> labels, objects = clump.objects(np.vstack([floor, car]), return_objects=True)
    >>> objects["object"], objects["fits"], objects["count"]
    (array([ True]), array(['car'], dtype='<U6'), array([960], dtype=int32))
    """
    cloud = take(points)
    out = cloud.output
    options.setdefault("step", "sigma" not in options)
    labels = out.empty(cloud.count, np.int32)
    rings, options["columns"] = take_rings(out, points, rings, options.get("columns", 0), options.get("neighbours", "auto"))
    options["sensor"] = cloud.near(options.get("sensor", _ORIGIN))
    arguments = levels, take_boxes(boxes), people, ground, options, take_classes(cloud, classes, class_table)
    context = out.context(context)
    mask = out.array(mask, "mask", bool)
    memory = empty_found(FIRST_CAPACITY) if return_objects else None
    found = _clump.objects(context, cloud.rows, mask, labels, rings, memory, *arguments)
    if not return_objects:
        return out.give(labels)
    if found > len(memory):  # more clusters than expected
        memory = empty_found(found)
        _clump.objects(context, cloud.rows, mask, labels, rings, memory, *arguments)
    return out.give(labels), give_found(memory[:found])
