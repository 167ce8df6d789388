# SPDX-License-Identifier: BSD-3-Clause
"""Odometry: where a sensor moved, from its scans."""

import operator
from collections import namedtuple

import numpy as np

from . import _clump
from ._context import default
from ._errors import ArgumentError
from ._options import keywords, rows
from ._points import take_in

Pose = namedtuple("Pose", "transform state why weak deskewed information certainty weakest fitness rmse deviation iterations "
                          "used map_points")
Pose.__doc__ = """What `Odometry.push` finds.

transform    float64 (4, 4): takes points of this frame to those of the first
state        "first", "ok", "lost" (not registered: the pose is the expected one) or "restarted" (the map begins anew there)
why          a sentence where the frame was not registered, else None
weak         a direction is not determined: the expected motion stays along it
deskewed     points were moved to the time of the frame
information  float64 (6, 6): the inverse of the covariance, for translation along and rotation about x, y and z
certainty    float64 (3,): shares by which the points determine three directions, the least first
weakest      float64 (3,): the direction of certainty[0]
fitness      share of the thinned points that have a partner in the map
rmse         root mean square distance of the pairs to the surfaces of the map
deviation    how far the pose is from the expected one
iterations, used, map_points  of the registration, points in use, points of the map
"""
Pose.__module__ = "clump"


class Odometry:
    """Finds where a sensor moved: registers each frame to a local map of the frames before.

    method     "plane", or "point"
    voxel      side of the voxels that thin a frame for its registration
    map_voxel  side of the voxels of the map, which keep one point each
    min_range  nearer points are ignored, as those of the vehicle itself
    max_range  farther points are ignored, and leave the map
    reach      how wrong the expectation of a first motion may be
    normal_neighbours  points of the map per surface normal
    max_iterations, tolerance  of the registration
    patience   after so many lost frames in a row the map begins anew; 0: never

    One thread at a time may use an odometry.

    >>> import clump, numpy as np
    >>> yard = np.random.default_rng(1).uniform(-20, 20, (20000, 3))
    >>> yard[::3, 0], yard[1::3, 1], yard[2::3, 2] = 20, -20, -2  # two walls and the ground
    >>> odometry = clump.Odometry()
    >>> for time in range(4):  # the sensor moves half a metre from frame to frame
    ...     pose = odometry.push(yard - [0.5 * time, 0, 0], time * 100_000_000)
    >>> pose.state, pose.transform[:3, 3].round(1) + 0.0
    ('ok', array([1.5, 0. , 0. ]))
    """

    __slots__ = ("_odometry", "_context", "_options", "__weakref__")
    __module__ = "clump"

    @keywords(rows("odometry"))
    def __init__(self, *, method="plane", context=None, options):
        self._context = context
        self._options = {"method": method} | options
        self._odometry = _clump.odometry_create(default() if context is None else context, method, options)

    def push(self, points, time, *, times=None):
        """Takes the next frame: a `Pose`.

        points  as in `ec`, in the coordinates of the sensor
        time    of the frame in nanoseconds, as the stamps of `frames`; later than that of the frame before
        times   None, or one number per point: seconds from the time of the frame to that of the point. Points are then moved to
                where they would have been seen at the time of the frame
        """
        try:
            time = operator.index(time)
        except TypeError:
            raise TypeError(f"time must be an integer, in nanoseconds, not {type(time).__name__}; "
                            "for seconds: round(time * 1e9)") from None
        cloud = take_in(points, None)
        if times is not None:
            times = np.ascontiguousarray(times, np.float32)
            if times.shape != (cloud.count,):
                raise ArgumentError(f"times has shape {times.shape}; one per point is needed: ({cloud.count},)")
        numbers = np.empty(58)
        state, why, weak, deskewed, fitness, rmse, deviation, iterations, used, size = _clump.odometry_push(
            default() if self._context is None else self._context, self._odometry, time, cloud.rows, times, numbers)
        return Pose(numbers[:16].reshape(4, 4), state, why, weak, deskewed, numbers[16:52].reshape(6, 6), numbers[52:55],
                    numbers[55:], fitness, rmse, deviation, iterations, used, size)

    @property
    def map(self):
        """The points of the local map: float64 (N, 3), in the coordinates of the first frame."""
        data, origin = _clump.odometry_map(self._odometry)
        return np.frombuffer(data, np.float32).reshape(-1, 3) + np.array(origin)

    def reset(self):
        """Forgets everything but the options: the next frame is the first."""
        _clump.odometry_reset(self._odometry)

    def __repr__(self):
        return f"<clump.Odometry {', '.join(f'{name}={value!r}' for name, value in self._options.items())}>"

    def __reduce__(self):
        raise TypeError("a clump.Odometry cannot be pickled; make one per process")
