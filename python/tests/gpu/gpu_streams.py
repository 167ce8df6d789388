# SPDX-License-Identifier: BSD-3-Clause
"""Streams: points that are written late, on the caller's stream, without any waiting by the caller."""

import threading

import numpy as np

import clump
from libraries import Cupy, Jax, Skip, Torch, on_cpu, scan
from gpu_jobs import same


def late_points(library):
    points = scan(30000, seed=5)
    with on_cpu() as cpu:
        expected = clump.ec(points, 0.5, context=cpu)
    clump.ec(library.gpu(points), 0.5)  # the context has its memory
    device = library.late(points)
    busy = library.is_busy() if not library.waits else None
    labels = clump.ec(device, 0.5)
    if busy is not None:
        assert busy, "the points were not late: this test shows nothing"
        assert library.is_busy(), "the call has waited for the GPU"
    del device  # memory is reused in the order of the stream
    same(library, labels, expected)


def test_late_points_on_the_default_stream(library):
    late_points(library)


def test_late_points_on_a_stream_of_the_caller(library):
    with library.stream():
        late_points(library)


def test_jobs_follow_each_other(library):
    """Labels are used by the next call on the same stream, before they exist."""
    if library.waits:
        raise Skip("calls wait here")
    points = scan(30000, seed=6)
    with on_cpu() as cpu:
        labels = clump.ec(points, 0.5, context=cpu)
        expected = clump.describe(points, labels, context=cpu)
        nearest = clump.Index(points, context=cpu).nearest(points[::2], squared=True)
    clump.Index(library.gpu(points)).nearest(library.gpu(points)[::2])  # the context has its memory
    with library.stream():
        device = library.late(points)
        on_gpu = clump.ec(device, 0.5)
        index = clump.Index(device)
        found = index.nearest(device[::2], squared=True)
        assert library.is_busy(), "a call has waited for the GPU"
        clusters = clump.describe(device, on_gpu, count=len(expected))
        same(library, on_gpu, labels)
        for a, b in zip(found, nearest):
            same(library, a, b)
        np.testing.assert_array_equal(clusters["count"], expected["count"])


def test_one_context_on_several_streams(library):
    """The memory of a context is used by one call after the other, whatever their streams are."""
    clouds = [scan(20000, seed) for seed in range(6)]
    with on_cpu() as cpu:
        expected = [clump.ec(cloud, 0.4, context=cpu) for cloud in clouds]
    with clump.Context("cuda") as context:
        results = []
        streams = [library.stream() for _ in clouds]  # CuPy takes a new stream for an old one that has ended
        for cloud, stream in zip(clouds, streams):
            with stream:
                results.append(clump.ec(library.late(cloud) if len(results) == 1 else library.gpu(cloud), 0.4,
                                        context=context))
        synchronise(library)
    for found, labels in zip(results, expected):
        same(library, found, labels)


def synchronise(library):
    if isinstance(library, Torch):
        library.torch.cuda.synchronize()
    elif isinstance(library, Cupy):
        library.cupy.cuda.Device().synchronize()


def test_a_stream_that_has_ended(library):
    points = scan(1000)
    expected = clump.ec(points, 0.5)
    for _ in range(20):
        with library.stream():
            labels = clump.ec(library.gpu(points), 0.5)
            same(library, labels, expected)
    np.testing.assert_array_equal(clump.ec(points, 0.5, context=clump._context.default_on("cuda:0")), expected)


def test_threads(library):
    """Threads with a stream and a default context each."""
    clouds = [scan(8000, seed) for seed in range(4)]
    with on_cpu() as cpu:
        expected = [clump.ec(cloud, 0.4, context=cpu) for cloud in clouds]
    failures = []

    def work(k):
        try:
            try:
                stream = library.stream()
            except Skip:
                stream = threading.Lock()
            with stream:
                for _ in range(50):
                    same(library, clump.ec(library.gpu(clouds[k]), 0.4), expected[k])
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_one_context_of_several_threads(library):
    clouds = [scan(8000, seed) for seed in range(4)]
    with on_cpu() as cpu:
        expected = [clump.ec(cloud, 0.4, context=cpu) for cloud in clouds]
    wrong = []
    with clump.Context("cuda") as context:
        def work(k):
            for _ in range(50):
                labels = clump.ec(library.gpu(clouds[k]), 0.4, context=context)
                if not np.array_equal(library.host(labels), expected[k]):
                    wrong.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong, wrong


def test_results_go_to_every_library():
    """DeviceViews, which calls on unknown arrays return, in torch, CuPy and JAX; and on in a next call."""
    from libraries import ForeignDlpack
    foreign = ForeignDlpack()
    points = scan(5000)
    expected = clump.ec(points, 0.5)
    labels = clump.ec(foreign.gpu(points), 0.5)
    assert repr(labels) == "<clump.DeviceView int32 (5000,) on cuda:0>"
    done = []
    for library in (Torch, Cupy, Jax):
        try:
            library = library()
        except Skip:
            continue
        if library.name == "torch":
            array = library.torch.from_dlpack(labels)
        elif library.name == "cupy":
            array = library.cupy.from_dlpack(labels)
            same(library, library.cupy.asarray(labels), expected)
        else:
            array = library.jax.dlpack.from_dlpack(labels)
        same(library, array, expected)
        done.append((library, array))
    np.testing.assert_array_equal(clump.describe(foreign.gpu(points), labels)["count"],
                                  clump.describe(points, expected)["count"])
    del labels
    for library, array in done:
        same(library, array, expected)  # the view lives as long as its arrays
