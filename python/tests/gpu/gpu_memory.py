# SPDX-License-Identifier: BSD-3-Clause
"""Many calls: memory of GPU and host does not grow, inputs may go at once; and what a call costs."""

import gc
import os
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np

import clump
from libraries import scan
from gpu_jobs import same

CALLS = int(os.environ.get("CLUMP_GPU_CALLS", 10000))


def used():
    """Bytes of GPU memory in use, by whatever."""
    device = next(device for device in clump.devices() if device.kind == "cuda")
    return device.memory_total - device.memory_free


def test_memory_does_not_grow(library):
    points = scan(2000)
    device, mask = library.gpu(points), library.gpu(np.ones(len(points), bool))
    labels = clump.ec(device, 0.5)
    count = int(library.host(labels).max()) + 1

    def call(k):
        clump.ec(device, 0.5, mask=mask)
        if k % 10 == 0:
            clump.dbscan(device, 0.5, 4, return_core=True)
            clump.ground(device)
            clump.describe(device, labels, count=count)
            index = clump.Index(device)
            index.knn(device, 3)
        if k % 50 == 0:
            try:
                clump.ec(device, -1)
            except clump.ArgumentError:
                pass

    for k in range(200):
        call(k)
    gc.collect()
    before, host = used(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for k in range(CALLS):
        call(k)
    gc.collect()
    growth = (used() - before) / 2**20
    host = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - host) / 2**10
    assert growth < 32, f"{growth:.1f} MiB of GPU memory"
    assert host < 64, f"{host:.1f} MiB of host memory"
    return f"{CALLS} calls: GPU {growth:+.1f} MiB, host {host:+.1f} MiB"


def test_inputs_may_go_at_once(library):
    """Memory of inputs is used again while the call may still run, in the order of the stream."""
    clouds = [scan(50000, seed) for seed in range(3)]
    expected = [clump.ec(cloud, 0.4) for cloud in clouds]
    results = []
    for k in range(30):
        labels = clump.ec(library.gpu(clouds[k % 3]), 0.4)
        garbage = library.gpu(np.full((50000, 3), 7, np.float32))
        results.append(labels)
        del garbage
    for k, labels in enumerate(results):
        same(library, labels, expected[k % 3])


def test_a_program_ends_with_results_alive(library):
    program = f"""
import sys
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
import clump, libraries
library = libraries.{type(library).__name__}()
points = library.gpu(libraries.scan(1000))
labels, index, context = clump.ec(points, 0.5), clump.Index(points), clump.Context("cuda")
kept = [clump.ec(points, 0.5, context=context), index.nearest(points)]
kept.append(kept)
print(len(library.host(labels)))
"""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "1000\n"), (done.returncode, done.stdout, done.stderr[-3000:])


def test_overhead(library):
    """No limit: the figure is for the reader."""
    points = scan(100)
    device = library.gpu(points)
    for _ in range(100):
        labels = clump.ec(device, 0.5)
    library.host(labels)
    best = []
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(200):
            labels = clump.ec(device, 0.5)
        best.append((time.perf_counter() - begin) / 200)
        library.host(labels)
    large = library.gpu(scan(120000))
    clump.ec(large, 0.5)
    begin = time.perf_counter()
    for _ in range(20):
        labels = clump.ec(large, 0.5)
    library.host(labels)
    whole = (time.perf_counter() - begin) / 20
    return f"{min(best) * 1e6:.1f} us per call of 100 points; {whole * 1e3:.3f} ms per cloud of 120,000 points"
