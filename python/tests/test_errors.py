# SPDX-License-Identifier: BSD-3-Clause
"""Every status of the library is an exception, with the library's sentence."""

import inspect
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import clump

POINTS = np.zeros((4, 3), np.float32)


def test_classes():
    bases = {clump.ArgumentError: ValueError, clump.OutOfMemoryError: MemoryError, clump.DeviceError: RuntimeError,
             clump.FileError: OSError, clump.MissingFileError: FileNotFoundError, clump.FormatError: ValueError}
    for error, base in bases.items():
        assert issubclass(error, clump.Error) and issubclass(error, base) and error.__module__ == "clump"
    assert issubclass(clump.MissingFileError, clump.FileError) and not issubclass(clump.Error, ValueError)
    again = pickle.loads(pickle.dumps(clump.ArgumentError("a sentence")))
    assert type(again) is clump.ArgumentError and str(again) == "a sentence"


def test_sentences_are_those_of_the_library():
    with pytest.raises(clump.ArgumentError) as caught:
        clump.dbscan(POINTS, 0, 3)
    assert str(caught.value) == "eps is 0, it must be a number above 0"
    with pytest.raises(clump.ArgumentError) as caught:
        clump.Index(POINTS).knn(POINTS, 1000)
    assert "128" in str(caught.value)


def test_numbers_beyond_all_floats(tmp_path):
    huge = 10**400
    clump.write(tmp_path / "few.las", POINTS.astype(np.float64))
    las = clump.read(tmp_path / "few.las")
    for call in (lambda: clump.ec(POINTS, huge), lambda: clump.ec(POINTS, -huge), lambda: clump.ec(las, huge),
                 lambda: clump.dbscan(POINTS, huge, 3), lambda: clump.ground(POINTS, sigma=huge),
                 lambda: clump.erccl(POINTS, cell=huge), lambda: clump.detect(POINTS, d=huge),
                 lambda: clump.objects(POINTS, d=huge), lambda: clump.ec(POINTS, 1, eps_per_metre=1, sensor=(huge, 0, 0))):
        with pytest.raises(clump.ArgumentError, match="inf"):
            call()
    assert clump.Index(POINTS).nearest(POINTS, max_distance=huge)[0].tolist() == [0, 0, 0, 0]  # inf is the default
    clump.Context("cpu", gpu_ram=huge).close()


def test_methods_for_gpus():
    with pytest.raises(clump.DeviceError):
        with clump.Context("cpu") as context:
            clump.Index(POINTS, method="batch", context=context)


def test_a_context_works_after_an_error():
    with clump.Context("cpu") as context:
        for _ in range(3):
            with pytest.raises(clump.ArgumentError):
                clump.ec(POINTS, -1, context=context)
            assert clump.ec(POINTS, 1, context=context).tolist() == [0, 0, 0, 0]


@pytest.mark.skipif(bool(os.environ.get("CLUMP_TEST_SMALL")), reason="run it without a sanitizer")
def test_out_of_memory():
    done = subprocess.run([sys.executable, "-c", "import resource, numpy, clump\n"
                           "context = clump.Context('cpu', threads=1)\n"
                           "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
                           "try: context.reserve(500_000_000)\n"
                           "except clump.OutOfMemoryError as error: print(isinstance(error, MemoryError), error)\n"
                           "print(clump.ec(numpy.zeros((2, 3)), 1, context=context).tolist())\n"],
                          capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[0].startswith("True ") and lines[1] == "[0, 0]", done.stdout + done.stderr


def test_an_exception_may_use_the_context():
    """The exception is made when the context is free: code that runs meanwhile does not wait for ever."""
    context = clump.Context("cpu")

    class Busy:
        def __del__(self):
            clump.ec(POINTS, 1, context=context)

    for _ in range(200):  # collected by whatever allocation starts the collector
        busy = Busy()
        busy.self = busy
        del busy
        with pytest.raises(clump.ArgumentError):
            clump.ec(POINTS, -1, context=context)


# --- every argument of every function, with wrong values ----------------------------------------------------

WRONG = [None, -1, "x", float("nan"), [1], 2**70, 1.5, object(), [[1, 2], [3, 4]], np.zeros(7), b"x", {}]
LABELS = clump.ec(POINTS, 0.8)
CLUSTERS = clump.describe(POINTS, LABELS)
CALLS = [
    (clump.ec, {"points": POINTS, "d": 0.5}),
    (clump.dbscan, {"points": POINTS, "eps": 0.5, "min_points": 3}),
    (clump.ground, {"points": POINTS}),
    (clump.erccl, {"points": POINTS}),
    (clump.objects, {"points": POINTS}),
    *[(clump.detect, {"points": POINTS, "method": method}) for method in ("ec", "dbscan", "erccl", "objects")],
    (clump.describe, {"points": POINTS, "labels": LABELS}),
    (clump.group, {"labels": LABELS}),
    (clump.labels_hash, {"labels": LABELS}),
    (clump.boxes, {"clusters": CLUSTERS}),
    (clump.Index, {"points": POINTS}),
    (clump.Index(POINTS).nearest, {"queries": POINTS}),
    (clump.Index(POINTS).knn, {"queries": POINTS, "k": 2}),
    (clump.Index(POINTS).radius, {"queries": POINTS, "r": 0.5}),
    (clump.icp, {"target": POINTS, "source": POINTS, "method": "plane"}),
    (clump.Context, {}),
    (clump.Tracker, {}),
    (clump.Memory, {}),
    (clump.Tracker().update, {"clusters": CLUSTERS, "time": 1}),
    (clump.view, {"points": POINTS, "labels": LABELS}),
    (clump.Cloud, {"points": POINTS}),
    (clump.read, {"path": b"0 0 0\n1 1 1\n", "format": "text"}),
    (clump.frames, {"path": "."}),
]
FLAGS = ("two_d", "return_core", "return_heights", "return_maps", "return_objects", "return_hulls", "squared", "partial", "organised")


@pytest.mark.filterwarnings("ignore:elementwise comparison")
@pytest.mark.parametrize("call, good", CALLS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_sentence_names_the_argument(call, good):
    refusals = 0
    for name in inspect.signature(call).parameters:
        for wrong in WRONG:
            try:
                call(**(good | {name: wrong}))
            except (clump.MissingFileError, clump.FormatError):  # they name the file
                continue
            except ValueError as error:
                if name in FLAGS and "truth value" in str(error):  # of an array, by NumPy
                    continue
                said = error
            except TypeError as error:
                said = error
            else:
                continue
            refusals += 1
            assert isinstance(said, (clump.Error, TypeError)), (name, wrong, repr(said))
            words = str(said)
            # a huge map is described by its cells
            assert re.search(rf"\b{name}\b", words) or "make a map of" in words, (name, wrong, words)
            assert "clump_" not in words and "object cannot" not in words, (name, wrong, words)
    assert refusals >= 4
