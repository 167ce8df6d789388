# SPDX-License-Identifier: BSD-3-Clause
"""Calls, and calls that fail, keep no memory and no references. 100,000 calls of each kind in tier 3."""

import gc
import sys
import tracemalloc

import numpy as np
import pytest

import clump
from clump import _clump
from support.data import SANITIZER, TIER, resident

# A sanitizer keeps freed memory for a while, to see later uses of it.
CALLS = 100_000 if TIER == 3 else 500 if SANITIZER or TIER == 1 else 4_000

POINTS = np.random.default_rng(0).uniform(0, 3, (40, 4)).astype(np.float32)
WIDE = POINTS[:, :3] + np.array([691234.1, 5334567.2, 100.3])
CONTEXT = clump.Context("cpu", threads=1)
INDEX = clump.Index(POINTS, context=CONTEXT)
LABELS = clump.ec(POINTS, 0.8, context=CONTEXT)
CLUSTERS = clump.describe(POINTS, LABELS, context=CONTEXT)
TRACKER = clump.Tracker(context=CONTEXT)
ODOMETRY = clump.Odometry(context=CONTEXT, min_range=10)  # all points are nearer: every frame is the first
MASK = np.ones(40, bool)
RINGS = np.arange(40, dtype=np.uint16) % 5


def refused(call, error=clump.ArgumentError):
    """A call that fails, late: after all its buffers were taken."""
    def attempt():
        try:
            call()
        except error:
            return
        raise AssertionError("the call did not fail")
    return attempt


JOBS = {
    "ec": lambda: clump.ec(POINTS, 0.5, mask=MASK, context=CONTEXT),
    "ec with classes": lambda: clump.ec(POINTS, 0.5, classes=np.zeros(len(POINTS), int), class_table={0: 0.4}, context=CONTEXT),
    "ec of a bad table": refused(lambda: clump.ec(POINTS, 1, classes=np.zeros(len(POINTS), int), class_table={0: -1}, context=CONTEXT),
                                 clump.FormatError),
    "ec of float64": lambda: clump.ec(WIDE, 0.5, context=CONTEXT),
    "ec refused": refused(lambda: clump.ec(POINTS, -1, mask=MASK, context=CONTEXT)),
    "ec of a bad order": refused(lambda: clump.ec(POINTS, 1, mask=MASK, order="x", context=CONTEXT)),
    "ec of a bad mask": refused(lambda: clump.ec(POINTS, 1, mask=MASK[1:], context=CONTEXT)),
    "ec of a bad sensor": refused(lambda: clump.ec(POINTS, 1, sensor=(1, 2, "x"), context=CONTEXT), TypeError),
    "ec of a bad context": refused(lambda: clump.ec(POINTS, 1, context=7), TypeError),
    "dbscan": lambda: clump.dbscan(POINTS, 0.5, 3, mask=MASK, return_core=True, context=CONTEXT),
    "tree": lambda: clump.tree(POINTS, min_samples=3, mask=MASK, context=CONTEXT).cut(0.5, context=CONTEXT),
    "tree refused": refused(lambda: clump.tree(POINTS, min_samples=0, mask=MASK, context=CONTEXT)),
    "cut refused": refused(lambda: clump.tree(POINTS, context=CONTEXT).cut(-1, context=CONTEXT)),
    "hdbscan": lambda: clump.hdbscan(POINTS, mask=MASK, return_probabilities=True, context=CONTEXT),
    "hdbscan refused": refused(lambda: clump.hdbscan(POINTS, min_cluster_size=1, mask=MASK, context=CONTEXT)),
    "hdbscan of a tree": lambda: clump.tree(POINTS, context=CONTEXT).hdbscan(return_probabilities=True, context=CONTEXT),
    "dbscan refused": refused(lambda: clump.dbscan(POINTS, 0.5, 0, mask=MASK, return_core=True, context=CONTEXT)),
    "group": lambda: clump.group(LABELS, context=CONTEXT),
    "group refused": refused(lambda: clump.group(LABELS, count=1, context=CONTEXT)),
    "labels_hash": lambda: clump.labels_hash(LABELS),
    "describe": lambda: clump.describe(POINTS, LABELS, values=POINTS[:, 3], axes=True, return_hulls=True, context=CONTEXT),
    "describe refused": refused(lambda: clump.describe(POINTS, LABELS, count=1, return_hulls=True, context=CONTEXT)),
    "describe of bad values": refused(lambda: clump.describe(POINTS, LABELS, values=POINTS[1:, 3], context=CONTEXT)),
    "describe of float64": lambda: clump.describe(WIDE, LABELS, context=CONTEXT),
    "nearest": lambda: INDEX.nearest(POINTS),
    "nearest refused": refused(lambda: INDEX.nearest(POINTS, -1)),
    "knn": lambda: INDEX.knn(POINTS, 3),
    "knn refused": refused(lambda: INDEX.knn(POINTS, 500)),
    "radius": lambda: INDEX.radius(POINTS, 0.5),
    "radius refused": refused(lambda: INDEX.radius(POINTS, -0.5)),
    "Index": lambda: clump.Index(POINTS, context=CONTEXT),
    "Index refused": refused(lambda: clump.Index(POINTS, method="azimuth", partitions=0, context=CONTEXT)),
    "rebuild": lambda: INDEX.rebuild(POINTS),
    "stats": lambda: CONTEXT.stats,
    "Odometry": lambda: clump.Odometry(context=CONTEXT),
    "Odometry refused": refused(lambda: clump.Odometry(voxel=0, context=CONTEXT)),
    "push": lambda: ODOMETRY.push(POINTS, 0, times=POINTS[:, 3]),
    "push refused": refused(lambda: ODOMETRY.push(POINTS, 2**70)),
    "map": lambda: ODOMETRY.map,
    "Tracker": lambda: clump.Tracker(context=CONTEXT),
    "Tracker refused": refused(lambda: clump.Tracker(gate=0, context=CONTEXT)),
    "update": lambda: TRACKER.update(CLUSTERS, 0),
    "Memory": lambda: clump.Memory(context=CONTEXT),
    "Memory refused": refused(lambda: clump.Memory(up="x", context=CONTEXT)),
    "update refused": refused(lambda: TRACKER.update(CLUSTERS, 2**70)),
    "devices": clump.devices,
}
FEWER = {  # slower ones
    "Context": lambda: clump.Context("cpu", threads=1),
    "Context in use": lambda: clump.ec(POINTS, 0.5, context=clump.Context("cpu", threads=2)),
    "icp": lambda: clump.icp(POINTS, POINTS, method="plane", initial=np.eye(4), context=CONTEXT),
    "icp refused": refused(lambda: clump.icp(POINTS, POINTS, keep=0, initial=np.eye(4), context=CONTEXT)),
    "ground": lambda: clump.ground(POINTS, return_heights=True, extent=4, context=CONTEXT),
    "ground refused": refused(lambda: clump.ground(POINTS, return_heights=True, tile=-1, context=CONTEXT)),
    "erccl": lambda: clump.erccl(POINTS, return_maps=True, extent=2, ground_extent=4, context=CONTEXT),
    "erccl refused": refused(lambda: clump.erccl(POINTS, reach=0, return_maps=True, extent=2, context=CONTEXT)),
    "objects": lambda: clump.objects(POINTS, mask=MASK, rings=RINGS, boxes=[(4, 2, 2)], min_size=1, ground_extent=4,
                                     return_objects=True, context=CONTEXT),
    "objects of bad levels": refused(lambda: clump.objects(POINTS, mask=MASK, rings=RINGS, levels=(2, 1), return_objects=True,
                                                           context=CONTEXT)),
    "objects of a bad box": refused(lambda: clump.objects(POINTS, rings=RINGS, boxes=[(4, 2, 2), (4, 2, "x")], context=CONTEXT),
                                    TypeError),
    "detect of objects": lambda: clump.detect(POINTS, method="objects", rings=RINGS, mask=MASK, ground_extent=4,
                                              context=CONTEXT),
    "detect of objects refused": refused(lambda: clump.detect(POINTS, method="objects", rings=RINGS, columns=4,
                                                              context=CONTEXT)),
    "detect": lambda: clump.detect(POINTS, values=POINTS[:, 3], mask=MASK, ground_extent=4, context=CONTEXT),
    "detect refused": refused(lambda: clump.detect(POINTS, values=POINTS[:, 3], mask=MASK, d=-1, context=CONTEXT)),
    "view": lambda: clump.view(POINTS, LABELS, CLUSTERS, context=CONTEXT),
    "view refused": refused(lambda: clump.view(POINTS, LABELS, colour="none", context=CONTEXT)),
    "detect of a bad crop": refused(lambda: clump.detect(POINTS, crop=(1,), mask=MASK, context=CONTEXT)),
}


@pytest.fixture(scope="module", autouse=True)
def without_the_objects_of_others():
    """The collector does not look at what other tests and libraries have made: it would take most of the time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", [*JOBS, *FEWER])
def test_no_memory_is_kept(name):
    call, count = (JOBS[name], CALLS) if name in JOBS else (FEWER[name], CALLS // 50)
    inputs = (POINTS, WIDE, LABELS, CLUSTERS, TRACKER, MASK, RINGS, CONTEXT, INDEX)

    def repeat(times):
        for _ in range(times):
            call()

    repeat(count // 5)  # caches fill
    gc.collect()
    references, before = [sys.getrefcount(thing) for thing in inputs], resident()
    repeat(count)
    gc.collect()
    assert [sys.getrefcount(thing) for thing in inputs] == references
    # Python objects are counted below, more sharply. This is for what C allocates.
    assert SANITIZER or resident() - before < 16 * count + 512 * 1024

    times = 200 if TIER > 1 else 50
    tracemalloc.start()
    repeat(50 if TIER > 1 else 10)
    gc.collect()
    first = tracemalloc.get_traced_memory()[0]
    repeat(times)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < times * 16, f"{grown} bytes in {times} calls"


def test_buffers_are_released():
    """An array can be resized after a call: nothing holds its memory."""
    for call in (lambda a: clump.ec(a, 1), lambda a: clump.dbscan(a, 1, 2), lambda a: clump.ec(a, -1),
                 lambda a: clump.ec(a, 1, method="x"), lambda a: clump.detect(a), lambda a: clump.objects(a),
                 lambda a: clump.objects(a, levels=(2, 1)), lambda a: clump.Index(a),
                 lambda a: clump.describe(a, np.zeros(8, np.int32)), lambda a: clump.icp(a, a)):
        memory = bytearray(np.ones((8, 3), np.float32).tobytes())
        try:
            call(np.frombuffer(memory, np.float32).reshape(8, 3))
        except clump.ArgumentError:
            pass
        gc.collect()
        memory.append(0)  # BufferError where a buffer is still held
    memory = bytearray(96)
    for bad in (lambda m: _clump.offsets(m, m, None), lambda m: _clump.labels_hash(m),
                lambda m: _clump.ec(CONTEXT, m, None, m, 1, "fast", {}, None)):
        with pytest.raises((TypeError, ValueError)):
            bad(memory)
        memory.append(0)
