# SPDX-License-Identifier: BSD-3-Clause
"""Pages that show a cloud in a browser or a notebook."""

import html
import os
import secrets

import numpy as np

from . import _clump
from ._arguments import as_integer, as_path, as_position, as_text
from ._clusters import PLAIN, axis_of, empty_clusters, is_clusters
from ._context import default
from ._errors import ArgumentError, FileError, MissingFileError
from ._files import Cloud, _label_array
from ._jobs import Detection

_ORIGIN = (0.0, 0.0, 0.0)


class Page:
    """A page that shows a cloud in 3-D, in any browser with WebGL2. Made by clump.view().

    It holds everything that it shows: no network is used, and who has the page has the points. As the last line of a cell
    it is shown in the notebook.
    """

    __slots__ = ("_bytes", "_title", "_height")
    __module__ = "clump"

    def __init__(self, contents, title, height):
        self._bytes = contents
        self._title = title
        self._height = height

    @property
    def html(self):
        """The page as text."""
        return self._bytes.decode()

    def write(self, path):
        """Write the page to a file. The file appears when it is complete, or not at all."""
        path = os.fsdecode(as_path(path))
        try:
            _write_beside(path, self._bytes)
        except OSError as error:
            kind = MissingFileError if isinstance(error, FileNotFoundError) else FileError
            raise kind(f"{path}: cannot be written: {error.strerror}") from None

    def _repr_html_(self):
        # srcdoc: the page has its own styles and scripts. The sandbox keeps it away from the notebook.
        return (f'<iframe title="{html.escape(self._title)}" srcdoc="{html.escape(self.html)}" sandbox="allow-scripts '
                f'allow-downloads" style="width: 100%; height: {self._height}px; border: 0"></iframe>')

    def __repr__(self):
        return f"<clump.Page: {self._title}, {len(self._bytes) / 1e6:.1f} MB>"


def _write_beside(path, contents):
    """Writes a file beside the path and renames it."""
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name}.{secrets.token_hex(4)}")
    with open(beside, "xb") as file:
        try:
            file.write(contents)
            file.close()
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise


_BOX = (*(f"{side}_{axis}" for side in ("lower", "upper") for axis in "xyz"), "box_center_x", "box_center_y", "box_length",
        "box_width", "yaw")


def _given_clusters(boxes, origin, up):
    """Memory with the clusters that the caller gives, and the columns that are known."""
    memory = np.zeros((len(boxes), _clump.cluster_size), np.uint8)
    rows = memory.view(PLAIN).reshape(-1)
    known = [name for name in PLAIN.names if name in boxes.dtype.names]
    for name in known:
        axis = axis_of(name, up)
        rows[name] = boxes[name] if axis is None else boxes[name] - origin[axis]
    return memory, known


def _given_boxes(boxes, origin, up, sensor):
    """As _given_clusters, of rows x y z length width height yaw. Row k is the box of label k."""
    table = np.asarray(boxes)
    if table.dtype.kind not in "fiu":
        raise TypeError(f"boxes are {type(boxes).__name__}; what detect, describe and clump.boxes give is needed")
    if table.size == 0:
        table = table.reshape(0, 7)
    if table.ndim != 2 or table.shape[1] != 7:
        raise ArgumentError(f"boxes have the shape {table.shape}; (K, 7) is needed: x y z length width height yaw")
    memory = np.zeros((len(table), _clump.cluster_size), np.uint8)
    rows = memory.view(PLAIN).reshape(-1)
    centre = table[:, :3] - origin
    length, width, height, yaw = table[:, 3:].astype(np.float64).T
    half = np.empty((len(table), 3))  # of the box along the axes
    half[:, 0] = (np.abs(np.cos(yaw)) * length + np.abs(np.sin(yaw)) * width) / 2
    half[:, 1 if up == "z" else 2] = (np.abs(np.sin(yaw)) * length + np.abs(np.cos(yaw)) * width) / 2
    half[:, 2 if up == "z" else 1] = height / 2
    for i, axis in enumerate("xyz"):
        rows[f"centroid_{axis}"] = centre[:, i]
        rows[f"lower_{axis}"] = centre[:, i] - half[:, i]
        rows[f"upper_{axis}"] = centre[:, i] + half[:, i]
    rows["label"] = np.arange(len(table))
    rows["box_center_x"], rows["box_center_y"] = centre[:, 0], centre[:, 1 if up == "z" else 2]
    rows["box_length"], rows["box_width"], rows["yaw"] = length, width, np.degrees(yaw) % 180
    rows["distance"] = np.linalg.norm(table[:, :3] - np.asarray(sensor), axis=1)
    rows["height_above_ground"] = np.nan
    return memory, _BOX


def _describe(cloud, labels, numbers, up, sensor, context):
    """Memory with the clusters of these labels, which have no gaps."""
    memory = empty_clusters(len(numbers))
    position = tuple(float(a) - b for a, b in zip(sensor, cloud.origin))
    _clump.describe(default() if context is None else context, cloud.xyz, labels, None, None, memory, None, None,
                    {"up": up, "sensor": position})
    memory.view(PLAIN).reshape(-1)["label"] = numbers
    return memory


def _clusters(cloud, labels, boxes, up, sensor, context):
    """(labels without gaps, memory with the clusters that they name) for the viewer."""
    labels = np.where((labels >= -2) & np.isfinite(cloud.xyz).all(axis=1), labels, -1).astype(np.int32, copy=False)
    numbers = np.unique(labels[labels >= 0])
    labels[labels >= 0] = np.searchsorted(numbers, labels[labels >= 0])
    memory = _describe(cloud, labels, numbers, up, sensor, context)
    if boxes is None:
        return labels, memory
    # The box of a label, where there is one. Other clusters have none, and boxes without points are clusters of their own.
    given, columns = (_given_clusters(boxes, cloud.origin, up) if is_clusters(boxes) else
                      _given_boxes(boxes, cloud.origin, up, sensor))
    rows, names = memory.view(PLAIN).reshape(-1), given.view(PLAIN).reshape(-1)
    for name in _BOX[:6]:
        rows[name] = rows[f"centroid_{name[-1]}"]
    rows["box_center_x"], rows["box_center_y"] = rows["centroid_x"], rows["centroid_y" if up == "z" else "centroid_z"]
    rows["box_length"] = rows["box_width"] = 0
    places = {label: i for i, label in enumerate(numbers.tolist())}
    at = np.array([places.get(label, -1) for label in names["label"].tolist()], np.int64)
    for name in columns:
        if name != "count":
            rows[name][at[at >= 0]] = names[name][at >= 0]
    return labels, np.concatenate([memory, given[at < 0]])


def view(points, labels=None, boxes=None, *, title=None, colour=None, view="home", theme="auto", point_size=None, up="z",
         flip=False, sensor=_ORIGIN, max_points=3_000_000, height=540, context=None):
    """A page that shows the points in 3-D, with labels and boxes: the same as that of the program `clump view`.

    points   a Cloud, whose fields the page has too, or whatever Cloud() takes
    labels   one integer per point, -1 is noise, -2 is ground; or all that `detect` gives
    boxes    what `detect`, `describe` or `clump.boxes` give; None: of every label, False: none. Boxes of clusters belong to
             their label, row k of an array (K, 7) belongs to label k. Boxes of other labels are shown, too
    title    of the page
    colour   "label", "height", "range", "ground", "rgb" (colours of the file) or the name of a field; None: by label where
             there are labels, then rgb, then height
    view     where the camera is when the page opens: "home", "top", "side" or "sensor"
    theme    "auto" (the browser's), "light" or "dark"
    point_size  in pixels; None: 3, and up to 6 in small clouds
    up, flip, sensor  the axis that is up, whether it points down, where the sensor is
    max_points  of more points, every n-th is shown; 0: no limit
    height   in pixels, in a notebook

    Returns a Page: the last line of a cell shows it, and ``page.write("page.html")`` writes it to a file.

    >>> import clump
    >>> points = [[0, 0, 0], [0, 0, 1], [5, 0, 0]]
    >>> page = clump.view(points, labels=clump.ec(points, 1.5))
    >>> page.html[:15], "<iframe" in page._repr_html_()
    ('<!doctype html>', True)
    """
    cloud = points if isinstance(points, Cloud) else Cloud(points)
    if isinstance(labels, Detection):  # clump.view(cloud, clump.detect(cloud))
        labels, boxes = labels.labels, labels.clusters if boxes is None else boxes
    sensor = as_position(sensor)
    title = "point cloud" if title is None else as_text(title, "title")
    height = as_integer(height, "height", 1)
    given = None if boxes is None or boxes is True or boxes is False else boxes
    shown = memory = None
    if labels is not None or given is not None:
        shown = _label_array(np.full(len(cloud), -1) if labels is None else labels, len(cloud))
        shown, memory = _clusters(cloud, shown, given, up, sensor, context)
    look = (colour, view, theme, boxes is not False, point_size, max_points, up, flip, sensor)
    contents = _clump.page(cloud._handle, title, shown, memory, labels is not None, look)
    return Page(contents, title, height)
