# SPDX-License-Identifier: BSD-3-Clause
"""Maps: the frames of a drive as one cloud."""

from collections import namedtuple

import numpy as np

from . import _clump
from ._context import default
from ._errors import ArgumentError
from ._options import keywords, rows
from ._points import take_in
from ._track import matrix

MapPoints = namedtuple("MapPoints", "points observations passes voxels dropped")
MapPoints.__doc__ = """What `Map.points` gives.

points        float64 (N, 3): one point per voxel, the mean of its points
observations  uint32 (N,): frames with a point in the voxel
passes        uint32 (N,): frames whose beams passed through it, or that have a point in it that moves
voxels        that had points
dropped       of these, left out: N is voxels - dropped
"""
MapPoints.__module__ = "clump"
_MOVES = 2  # CLUMP_MAP_MOVES


class Map:
    """Makes one cloud of the frames of a drive, without what moves: one point per voxel.

    voxel      side of a voxel
    min_range  nearer points are ignored, as those of the vehicle itself
    max_range  farther points are ignored, but their beams count
    passes     passes per observation from which on a voxel is left out

    One thread at a time may use a map.

    >>> import clump, numpy as np
    >>> wall = np.stack([np.full(200, 9.1), np.linspace(-5, 5, 200), np.zeros(200)], 1)
    >>> map = clump.Map(voxel=0.5)
    >>> for i in range(4):  # the sensor moves along the wall
    ...     map.add(wall - [0, i, 0], np.eye(4)[:3] + [[0, 0, 0, 0], [0, 0, 0, i], [0, 0, 0, 0]])
    >>> found = map.points()
    >>> found.points.shape, int(found.observations.max())
    ((21, 3), 4)
    """

    __slots__ = ("_map", "_context", "_options", "_added", "_looked", "__weakref__")
    __module__ = "clump"

    @keywords(rows("map"))
    def __init__(self, *, context=None, options):
        self._context = context
        self._options = options
        self._map = _clump.map_create(default() if context is None else context, options)
        self._added = self._looked = 0

    def _take(self, points, pose, frame, mask, looks):
        cloud = take_in(points, None)
        if mask is not None and mask.shape != (cloud.count,):
            raise ArgumentError(f"mask has shape {mask.shape}; one per point is needed: ({cloud.count},)")
        _clump.map_add(default() if self._context is None else self._context, self._map, frame, cloud.rows,
                       matrix(pose)[:3].reshape(-1), mask, looks)

    def add(self, points, pose, *, frame=None, mask=None, moving=None):
        """Adds the points of a frame. All frames are added before the first is looked at.

        points  as in `ec`, in the coordinates of the sensor
        pose    where the sensor was: a matrix of 4 x 4 or 3 x 4 numbers that takes points of the frame to the world, as
                `Odometry` gives it
        frame   its number, in the order of time; by default one more than that of the frame before
        mask    None, or one per point: False leaves the point out
        moving  None, or one per point: True where it is of something that moves, as a `Tracker` says
        """
        kinds = None if mask is None else np.ascontiguousarray(mask, bool).astype(np.uint8)
        if moving is not None:
            moving = np.asarray(moving, bool)
            kinds = np.ones(moving.shape, np.uint8) if kinds is None else kinds
            if kinds.shape != moving.shape:
                raise ArgumentError(f"moving has shape {moving.shape}, mask has {kinds.shape}")
            kinds[moving & (kinds != 0)] = _MOVES
        self._take(points, pose, self._added if frame is None else frame, kinds, False)
        self._added = (self._added if frame is None else frame) + 1

    def look(self, points, pose, *, frame=None):
        """Follows the beams of a frame: what they pass through has moved. The arguments are those of `add`, for each frame that
        was added, with all its points. Leave it out to keep what moves.
        """
        self._take(points, pose, self._looked if frame is None else frame, None, True)
        self._looked = (self._looked if frame is None else frame) + 1

    def points(self):
        """Gives the map: `MapPoints`. No frame can be added afterwards."""
        xyz, origin, observations, passes, voxels, dropped = _clump.map_points(
            default() if self._context is None else self._context, self._map)
        return MapPoints(np.frombuffer(xyz, np.float32).reshape(-1, 3) + np.array(origin),
                         np.frombuffer(observations, np.uint32), np.frombuffer(passes, np.uint32), voxels, dropped)

    def __repr__(self):
        return f"<clump.Map {', '.join(f'{name}={value!r}' for name, value in self._options.items())}>"

    def __reduce__(self):
        raise TypeError("a clump.Map cannot be pickled; make one per process")


def deskew(points, times, before, after, seconds, *, context=None):
    """Moves the points of a turn to where they would have been seen at the time of their frame: float32 (N, 3).

    points   as in `ec`, in the coordinates of the sensor
    times    one per point: seconds from the time of the frame to that of the point
    before, after  two poses near the frame, as that of the frame and the next one: matrices of 4 x 4 or 3 x 4 numbers
    seconds  between the poses

    Points are returned as they are where the times cannot be those of one turn: more than 1 s from the frame, or over
    more than twice `seconds`.

    >>> import clump, numpy as np
    >>> later = np.eye(4)
    >>> later[0, 3] = 1.0  # a metre ahead after a tenth of a second
    >>> clump.deskew([[5, 0, 0], [5, 0, 0]], [0, 0.05], np.eye(4), later, 0.1)
    array([[5. , 0. , 0. ],
           [5.5, 0. , 0. ]], dtype=float32)
    """
    cloud = take_in(points, None)
    times = np.ascontiguousarray(times, np.float32)
    if times.shape != (cloud.count,):
        raise ArgumentError(f"times has shape {times.shape}; one per point is needed: ({cloud.count},)")
    xyz = np.empty((cloud.count, 3), np.float32)
    _clump.deskew(default() if context is None else context, cloud.rows, times, matrix(before)[:3].reshape(-1),
                  matrix(after)[:3].reshape(-1), seconds, xyz.reshape(-1))
    return xyz
