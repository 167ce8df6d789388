# SPDX-License-Identifier: BSD-3-Clause
"""The scans for tests, which are not part of the project: the folder in CLUMP_DATA, by default ../shared/data."""

import os
import pathlib
import resource

import pytest

FOLDER = pathlib.Path(os.environ.get("CLUMP_DATA") or os.environ.get("CLUMP_DATA_DEFAULT") or
                      pathlib.Path(__file__).parents[4] / "shared" / "data")


def scan(name):
    """A file of the folder. The test is skipped where it is absent."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"there is no {name} in {FOLDER} (CLUMP_DATA names another folder)")
    return path


def program():
    """The program of the build, or a skip."""
    path = os.environ.get("CLUMP_PROGRAM")
    if not path or not os.path.exists(path):
        pytest.skip("CLUMP_PROGRAM does not name the program clump")
    return path


def peak_memory():
    """Kilobytes of memory that the process has had at most. A skip under the address sanitizer, which keeps freed memory."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("the address sanitizer keeps freed memory")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
