# SPDX-License-Identifier: BSD-3-Clause
"""Tracking: the same object in many frames, and evidence over time."""

import operator

import numpy as np

from . import _clump
from ._clusters import PLAIN, Table, check_clusters, empty_clusters, give_clusters
from ._context import default
from ._errors import ArgumentError
from ._libraries import NumpyOutput
from ._objects import empty_found, fill_found, join_found
from ._points import take

_TRACK = np.dtype({
    "names": [name for name, _, _ in _clump.track_fields],
    "formats": [kind for _, _, kind in _clump.track_fields],
    "offsets": [offset for _, offset, _ in _clump.track_fields],
    "itemsize": _clump.track_size,
})
_CENTROID = ("centroid_x", "centroid_y", "centroid_z")
_BOX = _CENTROID + ("lower_x", "lower_y", "lower_z", "upper_x", "upper_y", "upper_z", "box_center_x", "box_center_y",
                    "box_length", "box_width", "yaw")


def matrix(pose):
    """Returns a pose as a matrix of float64."""
    try:
        matrix = np.asarray(pose, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"pose must be a matrix of 4 x 4 or 3 x 4 numbers, not {type(pose).__name__}") from None
    if matrix.shape not in ((3, 4), (4, 4)):
        raise ArgumentError(f"pose must be a matrix of 4 x 4 or 3 x 4 numbers, not of shape {matrix.shape}")
    return np.ascontiguousarray(matrix)


class Tracker:
    """Gives objects a stable identity over time, and a velocity.

    up       "z" or "y": motion is seen from above
    gate     an object is at most so far from where it is expected, twice as far where it was seen once; at least half of
             (highest speed x time between frames)
    max_gap  seconds that an object keeps its identity without being seen; with poses four times as long
    smooth   weight of the newest measurement of the velocity; more than 0, at most 1; without poses

    The place of an object is the centroid of its cluster. Where coordinates are those of a moving sensor, its motion counts
    as motion of all objects, unless `update` gets poses. One thread at a time may use a tracker.

    >>> import clump
    >>> tracker = clump.Tracker()
    >>> for time in range(3):  # a tenth of a second from frame to frame
    ...     clusters = clump.describe([[4 + time, 0, 0], [5 + time, 0, 0], [0, 9, 0]], [0, 0, 1])
    ...     tracks = tracker.update(clusters, time * 100_000_000)
    >>> tracks["id"], tracks["seen"], tracks["speed"].round(2)
    (array([1, 2], dtype=uint64), array([3, 3], dtype=uint32), array([10.,  0.], dtype=float32))
    >>> tracker
    <clump.Tracker up='z', gate=2.0, max_gap=0.5, smooth=0.5>
    """

    __slots__ = ("_tracker", "_context", "_options", "_origin", "__weakref__")
    __module__ = "clump"

    def __init__(self, *, up="z", gate=2.0, max_gap=0.5, smooth=0.5, context=None):
        self._context = context
        self._options = {"up": up, "gate": gate, "max_gap": max_gap, "smooth": smooth}
        self._tracker = _clump.tracker_create(default() if context is None else context, self._options)
        self._origin = None

    def update(self, clusters, time, pose=None):
        """Takes the clusters of the next frame: a structured array with one row per cluster.

        clusters  what `detect` and `describe` give
        time      of the frame in nanoseconds, as the stamps of `frames`. A time that is not later than the one before
                  begins anew: all objects are forgotten
        pose      where the sensor was: a matrix of 4 x 4 or 3 x 4 numbers that takes points of the frame to the ground, as
                  `Odometry` gives it. Then velocities are over ground, along the axes of the frame, and 0 unless an
                  object moves

        The columns are id (from 1, never given to another object), velocity_x, velocity_y, velocity_z and speed (per second;
        0 in the first frame of an object), seen (frames in which the object was seen), missed (frames since it was last
        seen before this one), age (seconds since it was first seen), and with poses motion (0 not known, 1 stands, 2 moves) and
        confidence (of the motion, 0 to 1).
        """
        check_clusters(clusters)
        time = _take_time(time)
        if pose is not None:
            pose = matrix(pose)
            pose = pose[:3].reshape(-1)
        memory = empty_clusters(len(clusters))
        memory[:] = 0
        rows = memory.view(PLAIN).reshape(-1)
        if pose is not None:
            for name in _BOX:
                rows[name] = clusters[name]
        elif len(clusters):
            if self._origin is None:
                self._origin = _choose_origin(clusters)
            for i, name in enumerate(_CENTROID):
                rows[name] = clusters[name] - self._origin[i]
        tracks = np.empty(len(clusters), _TRACK)
        _clump.tracker_update(default() if self._context is None else self._context, self._tracker, time, pose, memory,
                              tracks.view(np.uint8))
        return tracks.view(Table)

    def reset(self):
        """Forgets all objects. Identities go on."""
        _clump.tracker_reset(self._tracker)

    def __repr__(self):
        return f"<clump.Tracker {', '.join(f'{name}={value!r}' for name, value in self._options.items())}>"

    def __reduce__(self):
        raise TypeError("a clump.Tracker cannot be pickled; make one per process")


def _take_time(time):
    try:
        return operator.index(time)
    except TypeError:
        raise TypeError(f"time must be an integer, in nanoseconds, not {type(time).__name__}; "
                        "for seconds: round(time * 1e9)") from None


_WHOLE = np.dtype([("center_x", "f4"), ("center_y", "f4"), ("length", "f4"), ("width", "f4"), ("yaw", "f4"), ("lower", "f4"),
                   ("upper", "f4"), ("views", "i4"), ("change", "i4")])


class Memory:
    """Corrects the objects of a frame by earlier ones: what was seen apart stays apart, what moves as one stays one.

    up  "z" or "y"

    `correct` comes before the tracker, `remember` after it. Points are float32, in the coordinates of the sensor, in memory of the
    host.
    One thread at a time may use a memory.

    >>> import clump, numpy as np
    >>> x, y, z = (a.ravel() for a in np.meshgrid(np.arange(0, 4, 0.2), np.arange(0, 1.6, 0.2), np.arange(-1.6, -0.4, 0.2)))
    >>> cars = np.concatenate([np.stack([x + 9, y + side, z], axis=1) for side in (0, 3)]).astype(np.float32)
    >>> memory, tracker = clump.Memory(), clump.Tracker()
    >>> for time in range(5):
    ...     if time == 4:  # something between them
    ...         cars = np.concatenate([cars, np.float32([[11, 1.4 + step / 10, -1] for step in range(1, 16)])])
    ...     found = clump.detect(cars, method="objects", ground="none")
    ...     labels, clusters = memory.correct(cars, found.labels, found.clusters, time * 100_000_000, np.eye(4))
    ...     tracks = tracker.update(clusters, time * 100_000_000, np.eye(4))
    ...     wholes = memory.remember(clusters, tracks, time * 100_000_000, np.eye(4))
    >>> found.clusters["count"], clusters["count"], tracks["id"]
    (array([2238,   17], dtype=int32), array([1119,   17, 1119], dtype=int32), array([1, 3, 2], dtype=uint64))
    """

    __slots__ = ("_memory", "_context", "_up", "__weakref__")
    __module__ = "clump"

    def __init__(self, *, up="z", context=None):
        if up not in ("z", "y"):
            raise ArgumentError(f"up must be 'z' or 'y', not {up!r}")
        self._context = context
        self._up = up
        self._memory = _clump.memory_create(default() if context is None else context, up == "y")

    def correct(self, points, labels, clusters, time, pose, *, sensor=(0.0, 0.0, 0.0)):
        """Returns (labels, clusters) of the next frame, corrected.

        points    those of the frame
        labels, clusters  what `detect` with method="objects" gives; columns of axes are left out
        time      of the frame in nanoseconds
        pose      where the sensor was, as in `Tracker.update`
        sensor    origin of the distances
        """
        _check_objects(clusters)
        time, pose = _take_time(time), matrix(pose)[:3].reshape(-1)
        cloud = take(points)
        if not isinstance(cloud.output, NumpyOutput):
            raise ArgumentError("points must be in memory of the host")
        if cloud.origin is not None:
            raise ArgumentError("points must be float32, in the coordinates of the sensor")
        labels = np.array(labels, np.int32)
        if labels.shape != (cloud.count,):
            raise ArgumentError(f"there are {labels.size} labels for {cloud.count} points")
        context = default() if self._context is None else self._context
        room = len(clusters)
        while True:
            memory, found = _fill(clusters, room)
            count = _clump.memory_correct(context, self._memory, time, pose, cloud.rows, labels, memory, found, len(clusters),
                                          self._up == "y", np.asarray(sensor, np.float32))
            if count <= room:
                return labels, join_found(give_clusters(memory[:count], False, self._up, None), found[:count])
            room = count

    def remember(self, clusters, tracks, time, pose):
        """Remembers a frame with its tracks. Returns a structured array with one row per cluster.

        Its columns are center_x, center_y, length, width, yaw, lower and upper of the union of the views in the last 8 frames, their
        number views, and change (0 as it was found, 1 cut out of a cluster, 2 what is left of it, 3 made of several).
        """
        _check_objects(clusters)
        time, pose = _take_time(time), matrix(pose)[:3].reshape(-1)
        if getattr(tracks, "dtype", None) != _TRACK or len(tracks) != len(clusters):
            raise ArgumentError("tracks must be what Tracker.update gives for these clusters")
        memory, found = _fill(clusters, len(clusters))
        wholes = np.zeros(len(clusters), _WHOLE)
        _clump.memory_remember(default() if self._context is None else self._context, self._memory, time, pose, memory, found,
                               np.array(tracks).view(np.uint8), wholes.view(np.uint8))
        return wholes.view(Table)

    def reset(self):
        """Forgets all objects."""
        _clump.memory_reset(self._memory)

    def __repr__(self):
        return f"<clump.Memory up={self._up!r}>"

    def __reduce__(self):
        raise TypeError("a clump.Memory cannot be pickled; make one per process")


def _check_objects(clusters):
    check_clusters(clusters)
    if "object" not in clusters.dtype.names or "score" not in clusters.dtype.names:
        raise TypeError('clusters must be what detect with method="objects" gives')


def _fill(clusters, room):
    """Memory of the library for the rows of `detect`, with room for more."""
    memory, found = empty_clusters(room), empty_found(room)
    memory[:] = 0
    rows = memory.view(PLAIN).reshape(-1)
    for name in PLAIN.names:
        rows[name][:len(clusters)] = clusters[name]
    fill_found(clusters, found[:len(clusters)])
    return memory, found


def _choose_origin(clusters):
    """What is subtracted from all centroids: of float64 ones, float32 would keep too few digits."""
    if clusters.dtype[_CENTROID[0]] == np.float32:
        return 0.0, 0.0, 0.0
    least = [float(np.fmin.reduce(clusters[name])) for name in _CENTROID]
    return tuple(float(np.floor(value)) if np.isfinite(value) else 0.0 for value in least)
