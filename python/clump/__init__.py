# SPDX-License-Identifier: BSD-3-Clause
"""Finds the clusters in LiDAR point clouds.

>>> import clump
>>> clump.ec([[0, 0, 0], [0, 0, 1], [5, 0, 0]], 1.5)
array([0, 0, 1], dtype=int32)
"""

from ._errors import (ArgumentError, DeviceError, Error, FileError, FormatError,  # before _clump, which imports them
                      MissingFileError, OutOfMemoryError)
from . import _clump
from ._clump import DeviceView
from ._clusters import Table, boxes, describe, group, labels_hash
from ._context import Context, Device, devices
from ._files import Cloud, CloudInfo, read, write
from ._index import Index, Registration, icp
from ._jobs import Detection, dbscan, detect, ec, erccl, ground
from ._map import Map, MapPoints, deskew
from ._objects import objects
from ._odometry import Odometry, Pose
from ._recordings import Frame, Frames, Losses, Topic, frames
from ._track import Memory, Tracker
from ._tree import Tree, hdbscan, tree
from ._view import Page, view

__version__ = _clump.version

__all__ = [
    "ArgumentError", "Cloud", "CloudInfo", "Context", "Detection", "Device", "DeviceError", "DeviceView", "Error",
    "FileError", "FormatError", "Frame", "Frames", "Index", "Losses", "Map", "MapPoints", "Memory", "MissingFileError", "Odometry",
    "OutOfMemoryError", "Page", "Pose", "Registration", "Table", "Topic", "Tracker", "Tree",
    "boxes", "dbscan", "describe", "deskew", "detect", "devices", "ec", "erccl", "frames", "ground", "group", "hdbscan", "icp", "labels_hash",
    "objects", "read", "tree", "view", "write",
]

_ESTIMATORS = ("DBSCAN", "EuclideanClustering", "FallbackWarning", "HDBSCAN", "NearestNeighbors")
__all__ += _ESTIMATORS


def __getattr__(name):
    """The estimators are imported when they are first used: they import scikit-learn."""
    if name not in _ESTIMATORS:
        raise AttributeError(f"module 'clump' has no attribute {name!r}")
    from . import _estimators

    globals().update((each, getattr(_estimators, each)) for each in _ESTIMATORS)
    return globals()[name]


def __dir__():
    return sorted({*globals(), *__all__})
