# SPDX-License-Identifier: BSD-3-Clause
"""Finds the clusters in LiDAR point clouds.

>>> import clump
>>> clump.ec([[0, 0, 0], [0, 0, 1], [5, 0, 0]], 1.5)
array([0, 0, 1], dtype=int32)
"""

from ._errors import (ArgumentError, DeviceError, Error, FileError, FormatError,  # before _clump, which imports them
                      MissingFileError, OutOfMemoryError)
from . import _clump
from ._context import Context, Device, devices
from ._jobs import ec

__version__ = _clump.version

__all__ = [
    "ArgumentError", "Context", "Device", "DeviceError", "Error", "FileError", "FormatError", "MissingFileError",
    "OutOfMemoryError", "devices", "ec",
]
