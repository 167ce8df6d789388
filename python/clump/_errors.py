# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions. Their text is the sentence of the library, with the names that arguments have in Python."""

import re


class Error(Exception):
    """Something failed. The base of all exceptions of this package."""


class ArgumentError(Error, ValueError):
    """An argument has a value that cannot be used."""


class OutOfMemoryError(Error, MemoryError):
    """Memory could not be allocated."""


class DeviceError(Error, RuntimeError):
    """There is no such device, it lacks the method, or a call of it failed."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file does not exist."""


class FormatError(Error, ValueError):
    """A file is not what its format demands, or uses a feature that is not supported."""


for _name in ("Error", "ArgumentError", "OutOfMemoryError", "DeviceError", "FileError", "MissingFileError", "FormatError"):
    globals()[_name].__module__ = "clump"


# --- the sentences of the library ----------------------------------------------------------------------

_CALL = re.compile(r"clump_(\w+): ")
_NAMES = {  # what the library calls it: the argument in Python, in all calls or in one
    "the radius eps": {"": "eps", "detect": "d"},
    "the distance": {"": "d"},
    "a distance of": {"": "max_distance is", "index_radius_count": "r is", "index_radius_fill": "r is"},
    "the sigma of the ground": {"": "sigma"},
    "the sensor height": {"": "sensor_height"},
    "the window of the ground": {"": "window"},
    "the slope of the ground": {"": "slope"},
    "the bin of the heights": {"": "bin"},
    "the extent of the ground": {"": "ground_extent", "ground": "extent"},
    "the tile size of the ground": {"": "ground_tile", "ground": "tile"},
    "the cell size": {"": "cell"},
    "the extent of the columns": {"": "extent_columns"},
    "the extent": {"": "extent"},
    "the reach": {"": "reach"},
    "region.": {"": ""},
    "the gate": {"": "gate"},
    " iterations, it": {"": " max_iterations, it"},
}


def in_python(sentence):
    """A sentence of the library in Python's words: "clump_ec: the distance is 0" becomes "d is 0". The extension calls it."""
    sentence = sentence.replace("--partial ", "partial=True ")
    call = _CALL.match(sentence)
    if not call:
        return sentence
    sentence = sentence[call.end():]
    for name, arguments in _NAMES.items():
        sentence = sentence.replace(name, arguments.get(call[1], arguments[""]))
    return sentence
