# SPDX-License-Identifier: BSD-3-Clause
"""What tests need besides clump: the scans, which are not part of the project (the folder in CLUMP_DATA, by default ../shared/data), the
program, the tier. And what to do about a test that is skipped, in the words of tests/support/check.h."""

import os
import pathlib

import pytest

FOLDER = pathlib.Path(os.environ.get("CLUMP_DATA") or os.environ.get("CLUMP_DATA_DEFAULT") or
                      pathlib.Path(__file__).parents[4] / "shared" / "data")

# How long tests run: 1 in `make test`, 2 in CI, 3 in `make check-all`.
TIER = int(os.environ.get("CLUMP_TEST_TIER") or 1)
SANITIZER = bool(os.environ.get("CLUMP_TEST_SMALL"))

DO_DATA = "set CLUMP_DATA to a folder with the real scans"
DO_GPU = "run it on a machine with an NVIDIA GPU"
DO_NO_GPU = "run it on a machine without an NVIDIA GPU"
DO_BUILD = "run scripts/setup.sh --python and build anew"
DO_LONG = "run scripts/setup.sh --python-long"
DO_RIVALS = "run scripts/setup.sh --python-rivals"
DO_UNWATCHED = "run it without a sanitizer"
DO_SOURCES = "run it in the source folder"
DO_ELSEWHERE = "run it on another system"


def examples(first, usual):
    """How many examples hypothesis makes: `first` in tier 1, else `usual`."""
    return first if TIER == 1 else usual


def scan(name):
    """A file of the folder. The test is skipped where it is absent."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name}: {DO_DATA}")
    return path


def program():
    """The program of the build, or a skip."""
    path = os.environ.get("CLUMP_PROGRAM")
    if not path or not os.path.exists(path):
        pytest.skip("CLUMP_PROGRAM names no program: run it by ctest")
    return path


def resident():
    """Bytes of memory that the process has. A skip where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        pytest.skip(f"/proc/self/statm: {DO_ELSEWHERE}")


def peak_of(work):
    """Kilobytes that the memory of the process grows by at most during work(). A skip under the address sanitizer, which keeps freed
    memory."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip(DO_UNWATCHED)

    def peak():
        with open("/proc/self/status") as file:
            return int(next(line for line in file if line.startswith("VmHWM")).split()[1])

    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # forgets the peak of other tests
        before = peak()
    except OSError:
        pytest.skip(f"/proc/self/clear_refs: {DO_ELSEWHERE}")
    work()
    return peak() - before
