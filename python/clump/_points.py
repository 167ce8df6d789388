# SPDX-License-Identifier: BSD-3-Clause
"""Points of any kind as what the extension takes: float32 rows, without a copy where possible."""

import numpy as np

from . import _clump
from ._errors import ArgumentError
from ._files import Cloud
from ._device import recognise
from ._libraries import NUMPY

_F32 = np.dtype(np.float32)


class Points:
    """Points that the extension takes.

    rows    float32 (N, 3 or more), or a view of device memory
    count   N
    origin  None, or three floats: the rows are offsets from it
    step    None, or the length of a step: the rows are whole steps from the origin
    output  makes arrays of the caller's library (_libraries.py): empty(shape, type) gives what the extension writes to,
            give(array) what the caller gets of it
    """

    __slots__ = ("rows", "count", "origin", "output", "step")

    def __init__(self, rows, count, origin=None, output=NUMPY, step=None):
        self.rows = rows
        self.count = count
        self.origin = origin
        self.output = output
        self.step = step

    def near(self, position):
        """A position of the caller in the frame of the rows."""
        if self.origin is None:
            return position
        unit = 1.0 if self.step is None else self.step
        return tuple((float(a) - b) / unit for a, b in zip(position, self.origin, strict=True))


def take(points):
    """Any object that holds points, as Points."""
    if type(points) is np.ndarray:
        return _take_array(points, NUMPY)
    if isinstance(points, Cloud):
        return _take_cloud(points)
    found = recognise(points)
    if found is None:
        return _take_array(np.asarray(points), NUMPY)
    rows, output = found
    if type(rows) is np.ndarray:
        return _take_array(rows, output)
    return Points(rows, len(rows), None, output)


def take_lengths(points, length, two_d, mask):
    """Points, and a length in their unit. A cloud of a LAS or LAZ file is taken in whole steps of the file, as the program
    does, so that its labels are those of the program."""
    if type(points) is not np.ndarray and isinstance(points, Cloud):
        steps = points._steps(length, two_d, mask)
        if steps is not None:
            rows, origin, step, length = steps
            return Points(rows, len(rows), origin, NUMPY, step), length
    return take(points), length


def _take_cloud(cloud):
    rows, origin = cloud.xyz, cloud.origin
    return Points(rows, len(rows), tuple(origin) if origin.any() else None)


def _take_array(array, output):
    if array.dtype is _F32 and array.ndim == 2:
        row, column = array.strides
        if column == 4 and row >= 12 and row % 4 == 0 and array.shape[1] >= 3 and array.flags.aligned:
            return Points(array, len(array), None, output)
    return _take_other(array, output)


def _take_other(array, output):
    if array.ndim != 2:
        raise ArgumentError(f"points have {array.ndim} dimension{'s' if array.ndim != 1 else ''}; (N, 3) is needed")
    if array.shape[1] < 3:
        columns = "1 column" if array.shape[1] == 1 else f"{array.shape[1]} columns"
        raise ArgumentError(f"points have {columns}; x, y and z are needed")
    rows = np.ascontiguousarray(array[:, :3], dtype=np.float32)
    return Points(rows, len(rows), None, output)
