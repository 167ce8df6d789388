# SPDX-License-Identifier: BSD-3-Clause
"""Points of any kind as what the extension takes: float32 rows, without a copy where possible."""

import numpy as np

from . import _clump
from ._arguments import as_integer, as_position
from ._errors import ArgumentError
from ._files import Cloud
from ._device import recognise
from ._libraries import NUMPY, NumpyOutput

_F32 = np.dtype(np.float32)
_F64 = np.dtype(np.float64)
_MOST_POINTS = 2**31 - 1
_MOST_COLUMNS = 32  # of a few rows; more are points side by side: (3, N) instead of (N, 3)


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
        return tuple((a - b) / unit for a, b in zip(as_position(position), self.origin))

    def near_box(self, crop):
        """x0, x1, y0, y1, z0, z1 of the caller in the frame of the rows."""
        if self.origin is None or crop is None:
            return crop
        return tuple(bound - self.origin[i // 2] for i, bound in enumerate(as_position(crop, "crop", 6)))


def take(points, flat=""):
    """Any object that holds points, as Points. What needs no conversion comes first.

    flat: True where x and y are enough; else when they would be, for the sentence that refuses them.
    """
    if type(points) is np.ndarray:
        if points.dtype is _F32 and points.ndim == 2:
            row, column = points.strides
            if column == 4 and row >= 12 and row % 4 == 0 and 3 <= points.shape[1] <= _MOST_COLUMNS and points.flags.aligned:
                return Points(points, len(points))
        return take_array(points, NUMPY, flat)
    if isinstance(points, Cloud):
        return _take_cloud(points)
    found = recognise(points)
    if found is None:
        return take_array(as_array(points, flat), NUMPY, flat)
    rows, output = found
    if type(rows) is np.ndarray:
        return take_array(rows, output, flat)
    _refuse_turned(rows.shape)
    return Points(rows, len(rows), None, output)


_FAR = 4096.0  # float32 has steps of 0.5 mm from here on


def take_reference(points, flat=""):
    """As `take`, for points that other points are compared with, and that coordinates are computed of.

    float64 points far from 0 that are exact in float32 get an origin all the same, where their offsets are exact too. So
    whole metres in UTM coordinates do not round queries and centroids to 0.5 m.
    """
    cloud = take(points, flat)
    rows = cloud.rows
    if cloud.origin is not None or rows is points or type(rows) is not np.ndarray or isinstance(points, Cloud):
        return cloud
    if all(abs(float(np.fmin.reduce(rows[:, axis], initial=np.inf))) < _FAR for axis in range(3)):
        return cloud
    if host_points(points, flat).dtype in (_F32, np.float16):  # another layout
        return cloud
    finite = rows[np.isfinite(rows).all(axis=1)].astype(np.float64)
    origin = np.floor(finite.min(axis=0, initial=np.inf))
    offsets = finite - origin
    if not len(finite) or not np.array_equal(offsets.astype(np.float32), offsets):
        return cloud
    return take_in(points, tuple(origin.tolist()), flat)


def take_lengths(points, length, two_d, mask):
    """Points, and a length in their unit. A cloud of a LAS or LAZ file is taken in whole steps of the file, as the program
    does, so that its labels are those of the program."""
    if type(points) is not np.ndarray and isinstance(points, Cloud):
        steps = points._steps(length, two_d, NUMPY.array(mask, "mask", bool))
        if steps is not None:
            rows, origin, step, length = steps
            return Points(rows, len(rows), origin, NUMPY, step), length
    return take(points, True if two_d else "two columns are for two_d=True"), length


def _take_cloud(cloud):
    rows, origin = cloud.xyz, cloud.origin
    return Points(rows, len(rows), tuple(origin) if origin.any() else None)


def take_in(points, origin, flat=""):
    """As `take`, in the frame of an origin: None, or three floats."""
    cloud = take(points, flat)
    if cloud.origin == origin:
        return cloud
    if type(cloud.rows) is not np.ndarray:
        raise ArgumentError("points on a GPU have no origin, but the other points are float64 that need one")
    if isinstance(points, Cloud):
        array = points.coordinates()
    else:
        array = host_points(points, flat)
    rows = np.empty((len(array), 3), np.float32)
    _clump.offsets(_as_float64(array), rows, (0.0, 0.0, 0.0) if origin is None else origin)
    return Points(rows, len(rows), origin, cloud.output)


class named:
    """Names the argument in sentences that speak of points: "queries: points have 2 columns"."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind in (ArgumentError, TypeError) and str(error).startswith("points "):
            raise kind(f"{self.name}: {error}") from None


def take_queries(queries, origin):
    """Points of a query in the frame of the points that it asks for."""
    with named("queries"):
        return take_in(queries, origin)


def take_array(array, output=NUMPY, flat=""):
    """A NumPy array as Points."""
    array = _check_shape(array, flat)
    if array.dtype == _F32 or array.dtype == np.float16:
        row, column = array.strides
        if not (array.dtype is _F32 and column == 4 and row >= 12 and row % 4 == 0 and array.flags.aligned):
            array = np.array(array[:, :3], dtype=np.float32, order="C")
        return Points(array, len(array), None, output)
    rows = np.empty((len(array), 3), np.float32)
    origin = _clump.offsets(_as_float64(array), rows, None)
    return Points(rows, len(rows), origin if any(origin) else None, output)


def _as_float64(array):
    """An array that offsets() takes: float64 of this machine's byte order, with any strides."""
    array = array[:, :3]
    return array if array.dtype is _F64 else array.astype(np.float64)


def _refuse_turned(shape):
    """Refuses (3, N), which would be three points with N columns."""
    if len(shape) == 2 and 2 <= shape[0] <= 4 and shape[1] > _MOST_COLUMNS:
        raise ArgumentError(f"points have the shape {tuple(shape)}; shape (N, 3) is needed; did you mean .T?")


def _refuse_columns(count, what, flat, turned=""):
    """Refuses points with fewer than three columns."""
    hint = f"; {flat}" if count == 2 and flat else ""
    raise ArgumentError(f"points have {count} column{'' if count == 1 else 's'}{what}; x, y and z are needed{hint}{turned}")


def _check_shape(array, flat=""):
    """An array of numbers of shape (N, 3 or more), or the sentence that says what is wrong. Of (N, 2), a copy with z = 0
    where `flat` is True."""
    if array.dtype.names is not None:
        array = _from_structured(array, flat)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"points are an array of {array.dtype.name}; numbers are needed (float32, float64 or integers)")
    if array.ndim != 2:
        raise ArgumentError(f"points have {array.ndim} dimension{'' if array.ndim == 1 else 's'}; shape (N, 3) is needed")
    _refuse_turned(array.shape)
    if array.shape[1] == 2 and flat is True:
        array = _with_zeros(array)
    if array.shape[1] < 3:
        _refuse_columns(array.shape[1], "", flat, "; did you mean .T?" if len(array) == 3 else "")
    if len(array) > _MOST_POINTS:
        raise ArgumentError(f"there are {len(array)} points, but at most {_MOST_POINTS} fit into one call")
    return array


def _with_zeros(array):
    """The array with a third column of zeros."""
    wide = np.zeros((len(array), 3), array.dtype)
    wide[:, :2] = array
    return wide


# --- other objects -----------------------------------------------------------------------------------


def as_array(points, flat=""):
    """Any object as NumPy array: lists, tables, clouds of Open3D, whatever has __array__."""
    if isinstance(points, np.ma.MaskedArray):
        return np.ma.filled(points.astype(np.result_type(points.dtype, np.float32)), np.nan)
    if isinstance(points, np.ndarray):
        return np.asarray(points)
    if hasattr(points, "columns") and hasattr(points, "to_numpy"):
        return _from_table(points, flat)
    if hasattr(points, "points") and not hasattr(points, "__array__"):
        points = points.points  # a point cloud of Open3D
    if isinstance(points, (str, bytes)):
        raise TypeError(f"points must be an array, not {type(points).__name__}; clump.read reads files")
    try:
        array = np.asarray(points)
    except ValueError as error:  # rows of different lengths
        raise ArgumentError(f"points are not an array: {error}") from None
    if array.ndim == 0:
        raise TypeError(f"points must be an array, not {type(points).__name__}")
    return array


def host_points(points, flat=""):
    """Points in host memory as an array of numbers of shape (N, 3 or more), of any type."""
    found = None if type(points) is np.ndarray else recognise(points)
    array = as_array(points, flat) if found is None else found[0]
    if not isinstance(array, np.ndarray):
        raise ArgumentError("the points are in the memory of a GPU; copy them to the host")
    return _check_shape(array, flat)


def _from_table(table, flat):
    """The columns x, y and z of a DataFrame, or x and y where `flat`; where they do not exist the first columns of numbers."""
    names = list(table.columns)
    needed = ["x", "y", "z"]
    if flat is True and "z" not in names:
        needed.pop()
    if all(name in names for name in needed):
        names = needed
    columns = [_column(table, name) for name in names]
    if names != needed:
        columns = [column for column in columns if column.dtype.kind in "fiu"][:3]
    if len(columns) < len(needed):
        _refuse_columns(len(columns), " of numbers", flat)
    return np.stack(columns, axis=1)


def _column(table, name):
    """A column of a DataFrame as array. Missing values of pandas become NaN."""
    column = table[name]
    kind = getattr(getattr(column, "dtype", None), "numpy_dtype", None)  # of Float64, Int32 ...
    if kind is not None and kind.kind in "fiu":
        return column.to_numpy(np.float64, na_value=np.nan)
    array = np.asarray(column)
    if array.ndim != 1:
        raise ArgumentError(f"points have more than one column {name!r}")
    return array


def _from_structured(array, flat):
    """The fields x, y and z of a structured array; without a copy where they are float32 that follow each other. x and y are
    enough where `flat`."""
    fields = array.dtype.fields
    missing = [name for name in "xyz" if name not in fields]
    if flat is True and missing == ["z"]:
        return np.stack([array["x"].reshape(-1), array["y"].reshape(-1)], axis=1)
    if missing:
        raise ArgumentError(f"points have no field {missing[0]!r}; x, y and z are needed")
    array = array.reshape(-1)
    (xt, x), (yt, y), (zt, z) = (fields[name][:2] for name in "xyz")
    if xt == yt == zt == _F32 and y == x + 4 and z == x + 8:
        return np.lib.stride_tricks.as_strided(array["x"], (len(array), 3), (array.strides[0], 4))
    return np.stack([array["x"], array["y"], array["z"]], axis=1)


# --- arguments that go with points --------------------------------------------------------------------


def take_labels(out, labels):
    """Labels as contiguous int32. `out` is the output of the points."""
    if labels is None:
        raise TypeError("labels must be an array, not NoneType")
    if not isinstance(out, NumpyOutput):
        return out.array(labels, "labels", np.int32)
    array = out.array(labels, "labels", np.int32)
    if array.ndim != 1:
        raise ArgumentError(f"labels have {array.ndim} dimensions, but one is needed")
    if array.dtype.kind not in "iu" and array.size:  # an empty list becomes float64
        raise TypeError(f"labels are an array of {array.dtype.name}; integers are needed")
    if array.dtype != np.int32:
        if array.size and (array.min() < -(2**31) or array.max() >= 2**31):
            raise ArgumentError("labels do not fit into 32 bits")
        array = array.astype(np.int32)
    return array if array.flags.aligned else array.copy()


def take_values(out, values, name, strided=True):
    """One float32 per point, in one dimension; where `strided`, a column is not copied. None stays None."""
    if values is None or not isinstance(out, NumpyOutput):
        return out.array(values, name, np.float32)
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} is an array of {array.dtype.name}; numbers are needed")
    if array.dtype is not _F32 or not array.flags.aligned or (array.ndim and (array.strides[0] < 4 or array.strides[0] % 4)):
        array = array.astype(np.float32, order="C")
    return array if strided else np.ascontiguousarray(array)


def _class_line(ids, values):
    """A line of a table of classes (clump/io.h) from a key and a value of a dict."""
    ids = ids if isinstance(ids, tuple) else (ids,)
    words = [",".join(str(as_integer(number, "class", most=65535)) for number in ids), f"class-{'-'.join(map(str, ids))}"[:31]]
    if values is None:
        return " ".join([*words, "stuff"])
    values = dict(values) if hasattr(values, "keys") else {"radius": values}
    unknown = values.keys() - {"radius", "min_size", "max_size", "two_d", "oversize"}
    if unknown:
        raise ArgumentError(f"class_table: class {ids[0]} has '{sorted(unknown)[0]}'; there are radius, min_size, max_size, "
                            "two_d and oversize")
    for name, word in (("radius", "radius"), ("min_size", "min"), ("max_size", "max"), ("oversize", "oversize")):
        if values.get(name) is not None:
            words.append(f"{word}={float(values[name])!r}" if name == "radius" else f"{word}={values[name]}")
    return " ".join(words + ["2d"] * bool(values.get("two_d", False)))


def take_classes(cloud, classes, table):
    """What the extension takes: (classes of the points, table, length of a step), or None."""
    if classes is None:
        if table is not None:
            raise ArgumentError("class_table is given, but classes is not")
        return None
    if table is None:
        raise ArgumentError("classes needs class_table: 'semantickitti', 'nuscenes', a file or a dict")
    if hasattr(table, "keys"):
        table = "\n".join(_class_line(ids, values) for ids, values in table.items()).encode()
    out = cloud.output
    ids = out.array(classes, "classes", np.uint16)
    if type(ids) is np.ndarray and ids.dtype != np.uint16:
        whole = ids.astype(np.uint16) if ids.dtype.kind in "iu" else None
        if whole is None or not np.array_equal(whole, ids):
            raise ArgumentError("classes must be whole numbers from 0 to 65535, one per point")
        ids = whole
    return ids, table, cloud.step or 0.0
