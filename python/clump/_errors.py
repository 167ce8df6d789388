# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions. Their text is the sentence of the library."""


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
