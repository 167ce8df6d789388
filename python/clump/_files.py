# SPDX-License-Identifier: BSD-3-Clause
"""Clouds in files. Recordings are in _recordings.py."""

import io
import os
import warnings
from collections import namedtuple

import numpy as np

from . import _clump
from ._arguments import as_fields, as_integer, as_path, as_text
from ._errors import ArgumentError, FileError, FormatError, MissingFileError

CloudInfo = namedtuple("CloudInfo", "format encoding width height viewpoint coordinate_type note")
CloudInfo.__doc__ = """What a file says about its cloud.

format           "pcd", "las" ...; None for a cloud of arrays
encoding         "ascii", "binary", "compressed" or "big-endian"
width, height    rows of an organised cloud; height 1: not organised
viewpoint        x y z of the sensor and its quaternion w x y z, of PCD files
coordinate_type  how the file stores x y z, "float32"
note             a remark on an unusual file, else ""
"""
CloudInfo.__module__ = "clump"

# The order of clump_type and of clump_encoding.
_TYPES = tuple(np.dtype(name) for name in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"))
_ENCODINGS = ("default", "ascii", "binary", "compressed", "big-endian")
_AXES = ("x", "y", "z")
_MOST_STEPS = 65536.0  # CLUMP_STEPS_USUAL_DISTANCE


def _fspath(path, name="path"):
    """The bytes of a path for the library."""
    return os.fsencode(as_path(path, name))


class _missing_named:
    """Makes a FileError a FileNotFoundError as well, where the file does not exist."""

    def __init__(self, *paths):
        self.paths = paths

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is FileError and any(path != b"-" and not os.path.lexists(path) for path in self.paths):
            raise MissingFileError(*error.args) from None


def _format(name):
    """The number of a format name; 0 for None."""
    if name is None:
        return 0
    if not isinstance(name, str):
        raise TypeError(f"format is a name such as 'pcd', not {type(name).__name__}")
    number = _clump.format_of(name)
    if number == 0:
        names = ", ".join(row[0] for row in _clump.formats())
        raise ArgumentError(f"there is no format {name!r}: the formats are {names}")
    return number


def _encoding(name):
    if name is None:
        return 0
    if not isinstance(name, str):
        raise TypeError(f"encoding is a name such as 'binary', not {type(name).__name__}")
    if name not in _ENCODINGS[1:]:
        raise ArgumentError(f"there is no encoding {name!r}: the encodings are {', '.join(_ENCODINGS[1:])}")
    return _ENCODINGS.index(name)


def _field_array(name, values, count):
    """Values of a field as a contiguous array of a type that files have."""
    array = np.asarray(values)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.dtype.newbyteorder("=") not in _TYPES:
        raise TypeError(f"the field {name!r} has the type {array.dtype}: numbers of 8 to 64 bits are needed")
    if array.ndim not in (1, 2) or len(array) != count or (array.ndim == 2 and array.shape[1] == 0):
        raise ArgumentError(
            f"the field {name!r} has the shape {array.shape}: ({count},) or ({count}, elements) is needed")
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _label_array(labels, count):
    """Labels as contiguous int32, or None."""
    if labels is None:
        return None
    array = np.asarray(labels)
    if array.dtype.kind not in "iu":
        raise TypeError(f"labels have the type {array.dtype}: integers are needed")
    if array.shape != (count,):
        raise ArgumentError(f"labels have the shape {array.shape}: ({count},) is needed, one label per point")
    if array.dtype != np.int32 and count and (array.min() < -2**31 or array.max() >= 2**31):
        raise ArgumentError("a label does not fit into int32")
    return np.ascontiguousarray(array, dtype=np.int32)


def _columns(points):
    """(x y z as an array of shape (n, 3), dict of the other columns) of a structured array or a DataFrame, else None."""
    names = getattr(getattr(points, "dtype", None), "names", None)
    if not names and hasattr(points, "columns") and hasattr(points, "iloc"):
        names = [name for name in points.columns if isinstance(name, str)]
    if not names or not all(axis in names for axis in _AXES):
        return None
    columns = {name: np.asarray(points[name]) for name in names}
    xyz = np.stack([columns.pop(axis) for axis in _AXES], axis=1)
    return xyz, columns


def _handle_of(points):
    """The library's cloud of an array of points. float64 keeps all digits."""
    from ._points import host_points  # imports this file
    array = host_points(points)[:, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        single = np.ascontiguousarray(array, dtype=np.float32)
    if array.dtype.itemsize > 4 or array.dtype.kind != "f":
        double = np.ascontiguousarray(array, dtype=np.float64)
        if not np.array_equal(single.astype(np.float64), double, equal_nan=True):
            return _parse_doubles(double)
    return _clump.cloud_create(single, (0.0, 0.0, 0.0))


def _parse_doubles(double):
    """The library chooses the origin and keeps the digits, as for a file of float64."""
    npy = io.BytesIO()
    np.save(npy, double)
    return _clump.cloud_parse(npy.getbuffer(), None, _format("npy"), None, False, 1)


class Cloud:
    """The contents of a cloud file: points and fields.

    Cloud(points, fields=None) makes one of arrays; clump.read() reads one.

    points  array of shape (n, 3), or a structured array or DataFrame with x, y and z, whose other columns become fields
    fields  dict of name to values, one row per point

    All functions of clump take a cloud as points. ``cloud["name"]`` is a field, without a copy; ``cloud["name"] = values``
    sets it. numpy.asarray(cloud) is a structured array of everything, numpy.asarray(cloud, float) of the coordinates alone.

    >>> import clump, numpy as np
    >>> cloud = clump.Cloud(np.zeros((4, 3), np.float32), fields={"intensity": np.arange(4)})
    >>> cloud
    <clump.Cloud: 4 points, x y z intensity>
    >>> cloud["intensity"]
    array([0, 1, 2, 3])
    """

    __slots__ = ("_handle", "__weakref__")
    __module__ = "clump"
    __iter__ = None  # len() is the number of points, and [] takes names of fields

    def __init__(self, points, *, fields=None):
        table = _columns(np.asarray(points) if isinstance(points, Cloud) else points)
        columns = {}
        if table is not None:
            points, columns = table
        self._handle = _handle_of(points)
        columns.update(as_fields(fields))
        for name, values in columns.items():
            self[name] = values

    @classmethod
    def _of(cls, handle):
        cloud = object.__new__(cls)
        cloud._handle = handle
        return cloud

    def __len__(self):
        return _clump.cloud_info(self._handle)[8]

    def _repr_html_(self):
        """In a notebook the cloud is shown; of more than 200,000 points every n-th."""
        from ._view import view  # which needs this module

        return view(self, max_points=200_000)._repr_html_()

    def __repr__(self):
        info = self.info
        parts = [f"{len(self)} points", " ".join(_AXES + self.fields)]
        if info.height > 1:
            parts.append(f"{info.height} rows of {info.width}")
        if self.origin.any():
            parts.append("origin " + " ".join(f"{value:.12g}" for value in self.origin))
        if info.format:
            parts.append(f"from {info.format}")
        return f"<clump.Cloud: {', '.join(parts)}>"

    @property
    def xyz(self):
        """The coordinates as float32, shape (n, 3), relative to the origin: a view of the cloud's memory. Changes are kept."""
        return np.asarray(_clump.cloud_xyz(self._handle))

    @property
    def origin(self):
        """What must be added to xyz for coordinates of the file: three float64; 0 for float32 files."""
        return np.array(_clump.cloud_info(self._handle)[7])

    @property
    def fields(self):
        """The names of the fields besides x, y and z."""
        return tuple(row[0] for row in _clump.cloud_fields(self._handle))

    @property
    def info(self):
        """What the file says about the cloud: CloudInfo."""
        name, encoding, *rest = _clump.cloud_info(self._handle)[:7]
        return CloudInfo(name, _ENCODINGS[encoding] if name else None, *rest)

    def coordinates(self):
        """Return the coordinates of the file as float64, shape (n, 3), with all its digits."""
        out = np.empty((len(self), 3))
        _clump.cloud_coordinates(self._handle, out)
        return out

    @property
    def _is_single(self):
        """Whether float32 without an origin holds the coordinates."""
        info = _clump.cloud_info(self._handle)
        return info[5] == "float32" and not any(info[7])

    def _steps(self, length, two_d, mask):
        """(rows in whole steps, origin, step, length in steps) of a LAS or LAZ cloud; None: cluster xyz instead. The choice
        is that of the program (docs/results.md, frames)."""
        step = _clump.cloud_step(self._handle)
        if not (step > 0 and length > 0):
            return None
        in_steps = _clump.steps_distance(length, step)
        if not in_steps <= _MOST_STEPS:
            return None
        rows = np.empty((len(self), 3), np.float32)
        try:
            step, origin = _clump.cloud_steps(self._handle, two_d, mask, rows)
        except FormatError as error:
            raise ArgumentError(f"{error}; cluster .xyz of the cloud, where coordinates are rounded to float32") from None
        return rows, origin, step, in_steps

    def _rings(self):
        """(rings, columns) for `objects`: a field of rings, or else the points per row of an organised cloud. The choice is
        that of the program."""
        rings = np.empty(len(self), np.uint16)
        if _clump.cloud_rings(self._handle, rings):
            return rings, 0
        return None, _clump.cloud_columns(self._handle)

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"the name of a field is needed, not {type(name).__name__}; points are in .xyz")
        if name in _AXES:
            return (self.xyz if self._is_single else self.coordinates())[:, _AXES.index(name)]
        view = _clump.cloud_field(self._handle, name)
        if view is None:
            raise KeyError(f"the cloud has no field {name!r}: the fields are {', '.join(_AXES + self.fields)}")
        return np.asarray(view)

    def __setitem__(self, name, values):
        if not isinstance(name, str):
            raise TypeError(f"the name of a field is needed, not {type(name).__name__}")
        array = _field_array(name, values, len(self))
        elements = array.shape[1] if array.ndim == 2 else 1
        _clump.cloud_set_field(self._handle, name, _TYPES.index(array.dtype), elements, array)

    def __reduce__(self):
        raise TypeError("a clump.Cloud cannot be pickled or copied; numpy.asarray(cloud) can")

    def __contains__(self, name):
        return name in _AXES or name in self.fields

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("the fields of a cloud are separate arrays: a structured array of all needs a copy")
        if dtype is not None and np.dtype(dtype).names is None:
            return self.coordinates().astype(dtype, copy=False)
        axis_type = "f4" if self._is_single else "f8"
        rows = [(name, _TYPES[kind], (elements,)) if elements > 1 else (name, _TYPES[kind])
                for name, kind, elements in _clump.cloud_fields(self._handle)]
        table = np.empty(len(self), dtype=[(axis, axis_type) for axis in _AXES] + rows)
        xyz = self.xyz if axis_type == "f4" else self.coordinates()
        for i, axis in enumerate(_AXES):
            table[axis] = xyz[:, i]
        for row in rows:
            table[row[0]] = self[row[0]]
        return table if dtype is None else table.astype(dtype)


def read(path, *, format=None, columns=None, partial=False, threads=0):
    """Read a cloud file: PCD, PLY, LAS, LAZ, KITTI, nuScenes, text or NumPy.

    path     a path, the contents of a file as bytes, or a file that is open for reading bytes
    format   a name such as "kitti"; None: by content and name
    columns  what a point is in a file without a header: "xyzi", or "x,y,z,ring:u16,time:f64"
    partial  read the complete points of a file that ends too early; info.note tells how many
    threads  that decode LAZ; 0: one per processor

    >>> import clump
    >>> cloud = clump.read(b"0 0 0 7\\n1 0 0 8\\n", format="text")
    >>> len(cloud), cloud.fields, cloud.xyz[1].tolist()
    (2, ('intensity',), [1.0, 0.0, 0.0])
    """
    number = _format(format)
    columns, threads = as_text(columns, "columns"), as_integer(threads, "threads")
    if isinstance(path, (bytes, bytearray, memoryview)):
        return Cloud._of(_clump.cloud_parse(path, None, number, columns, partial, threads))
    if hasattr(path, "read"):
        name = getattr(path, "name", None)
        name = os.fsencode(name) if isinstance(name, str) else None
        contents = path.read()
        if isinstance(contents, str):
            raise TypeError("the file is open for reading text: open it with mode 'rb'")
        return Cloud._of(_clump.cloud_parse(contents, name, number, columns, partial, threads))
    name = _fspath(path)
    with _missing_named(name):
        return Cloud._of(_clump.cloud_load(name, number, columns, partial, threads))


_PAGES = (".html", ".htm", b".html", b".htm")


def _write_page(path, cloud, labels, boxes, encoding):
    """Writes a page for browsers."""
    from ._view import view  # imports this file
    if encoding is not None:
        raise ArgumentError("a page has no encoding")
    view(cloud, labels, boxes, title=os.path.splitext(os.path.basename(os.fsdecode(path)))[0]).write(path)


def write(path, points, *, labels=None, boxes=None, fields=None, format=None, encoding=None, threads=0):
    """Write a cloud file, or a page that shows the cloud. The file appears when it is complete, or not at all.

    path      the file; its extension selects the format. .html is a page for browsers, as clump.view() makes it
    points    a Cloud, or whatever Cloud() takes. A cloud that was read from LAS keeps its header and integer coordinates
    labels    one integer per point, written as the field "label"
    boxes     of a page: as in clump.view()
    fields    dict of name to values, for points that are not a Cloud
    format    a name such as "kitti"; None: by the extension
    encoding  "ascii", "binary", "compressed" or "big-endian"; None: binary where the format has it
    threads   that compress LAZ; 0: one per processor

    >>> import clump, numpy as np, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "two.pcd")
    ...     clump.write(path, np.eye(3, dtype=np.float32), labels=[0, 0, -1])
    ...     clump.read(path)["label"]
    array([ 0,  0, -1], dtype=int32)
    """
    threads = as_integer(threads, "threads")
    if isinstance(points, Cloud):
        if as_fields(fields):
            raise ArgumentError('a Cloud has its own fields: set them by cloud["name"] = values')
        cloud = points
    else:
        cloud = Cloud(points, fields=fields)
    if isinstance(format, str) and format == "html" or (format is None and os.path.splitext(as_path(path))[1].lower() in _PAGES):
        return _write_page(path, cloud, labels, boxes, encoding)
    if boxes is not None:
        raise ArgumentError("boxes are for a page, a file whose name ends in .html")
    remark = _clump.cloud_save(cloud._handle, _fspath(path), _label_array(labels, len(cloud)), _format(format),
                               _encoding(encoding), threads)
    if remark:
        warnings.warn(remark, stacklevel=2)
