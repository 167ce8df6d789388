# SPDX-License-Identifier: BSD-3-Clause
"""Child processes: multiprocessing by fork and by spawn, workers of torch, a fork in the middle of a call."""

import multiprocessing
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest

import clump

POINTS = np.random.default_rng(0).uniform(0, 20, (60_000, 3)).astype(np.float32)


def cluster(seed):
    points = np.random.default_rng(seed).uniform(0, 20, (60_000, 3)).astype(np.float32)
    index = clump.Index(points)
    return clump.labels_hash(clump.ec(points, 0.4)), int(index.nearest(points)[1].sum())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method):
    """Parent and children use clump, with several threads each."""
    expected = [cluster(seed) for seed in range(4)]
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map_async(cluster, range(4)).get(timeout=100) == expected
    assert cluster(0) == expected[0]


def in_child(work, seconds=60):
    """Runs `work` in a forked child. True where it returned true."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(seconds)  # a child that hangs ends by this signal
            status = 0 if work() else 1
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def test_inherited_objects():
    """A child uses and closes contexts and indices of its parent."""
    context = clump.Context("cpu", threads=2)
    index = clump.Index(POINTS, context=context)
    expected = clump.labels_hash(clump.ec(POINTS, 0.4, context=context))

    def work():
        good = clump.labels_hash(clump.ec(POINTS, 0.4, context=context)) == expected
        good &= index.nearest(POINTS[:10])[1].tolist() == list(range(10))
        index.rebuild(POINTS[:100])
        context.close()
        return good and context.closed and len(clump.ec(POINTS, 0.4)) == len(POINTS)

    assert in_child(work)
    assert not context.closed and clump.labels_hash(clump.ec(POINTS, 0.4, context=context)) == expected


def test_recordings_that_read_ahead(tmp_path):
    """The thread that reads ahead stays in the parent: the child gets a sentence, and does not wait for it."""
    for i in range(4):
        clump.write(tmp_path / f"{i}.pcd", POINTS[: i + 1])
    drive = clump.frames(tmp_path, read_ahead=2)
    assert len(next(drive).cloud) == 1

    def work():
        with pytest.raises(ValueError, match="opened with read_ahead before a fork"):
            next(drive)
        drive.close()
        with clump.frames(tmp_path, read_ahead=2) as own:
            return [len(frame.cloud) for frame in own] == [1, 2, 3, 4]

    assert in_child(work, 20)
    assert [len(frame.cloud) for frame in drive] == [2, 3, 4]


def test_fork_in_the_middle_of_a_call():
    """Another thread of the parent was in a call: the child gets a fresh lock and a fresh context."""
    context = clump.Context("cpu", threads=1)
    expected = clump.labels_hash(clump.ec(POINTS, 0.4, context=context))
    index = clump.Index(POINTS)
    stop = threading.Event()
    calls = [0]

    def use():
        while not stop.is_set():
            clump.ec(POINTS, 0.4, context=context)
            index.nearest(POINTS)
            calls[0] += 1

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        while not calls[0]:
            time.sleep(0.001)

        def work():
            good = clump.labels_hash(clump.ec(POINTS, 0.4, context=context)) == expected
            index.rebuild(POINTS[:100])
            context.close()
            return good

        for _ in range(5):
            assert in_child(work)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert clump.labels_hash(clump.ec(POINTS, 0.4, context=context)) == expected


def test_torch_workers():
    """Datasets of torch, whose workers are forks."""
    torch = pytest.importorskip("torch", reason="run scripts/setup.sh --python-rivals")
    data = pytest.importorskip("torch.utils.data", reason="run scripts/setup.sh --python-rivals")

    class Scans(data.Dataset):
        def __len__(self):
            return 6

        def __getitem__(self, i):
            points = torch.from_numpy(np.random.default_rng(i).uniform(0, 20, (20_000, 3)).astype(np.float32))
            return clump.ec(points, 0.4)

    expected = [Scans()[i].tolist() for i in range(6)]
    loader = data.DataLoader(Scans(), batch_size=None, num_workers=2, timeout=100)
    assert [labels.tolist() for labels in loader] == expected
