# SPDX-License-Identifier: BSD-3-Clause
"""python3 -m clump: what this installation is: version, place, devices, whether CUDA is in, libraries for files."""

import platform

import numpy

from . import _clump, devices

# The optional libraries of clump_io, and what is not read without them.
LIBRARIES = {
    "lzf": "compressed PCD",
    "bz2": "recordings compressed with bz2",
    "lz4": "recordings compressed with lz4",
    "zstd": "recordings compressed with zstd",
    "sqlite3": "rosbag2 recordings of SQLite",
}


def lines():
    yield f"clump {_clump.version}, Python {platform.python_version()}, NumPy {numpy.__version__}"
    yield f"place      {_clump.__file__}"
    for device in devices():
        yield f"{device.kind:<10} {device.name}" + (f", level {device.level}" if device.level else "")
    no_cuda = _clump.absence(2)
    if no_cuda:
        yield f"no CUDA    {no_cuda}"
    there = _clump.libraries.split()
    yield f"libraries  {' '.join(there) or 'none'}"
    for name, what in LIBRARIES.items():
        if name not in there:
            yield f"without    {name}: {what} cannot be read"


if __name__ == "__main__":
    print("\n".join(lines()))
