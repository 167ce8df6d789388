# SPDX-License-Identifier: BSD-3-Clause
"""Contexts: what they tell, closing, sharing them among threads, Ctrl-C."""

import _thread
import gc
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import clump

LINE = np.array([[0, 0, 0], [1, 0, 0], [9, 0, 0]], np.float32)


@pytest.fixture(scope="module")
def large():
    """A cloud for which a call takes long enough to be watched."""
    return np.random.default_rng(1).uniform(0, 60, (400_000, 3)).astype(np.float32)


def test_what_it_tells():
    context = clump.Context("cpu", threads=2)
    assert context.device == "cpu" and context.threads == 2 and not context.closed
    assert repr(context) == "<clump.Context cpu, 2 threads>"
    clump.ec(LINE, 1.5, context=context)
    stats = context.stats
    assert stats["backend"] == "cpu" and stats["method"] == "fast" and stats["clusters"] == 2
    assert stats["points"] == stats["finite"] == 3 and stats["noise"] == 0 and stats["host_bytes"] > 0
    assert isinstance(stats["reason"], str) and stats["build_ms"] >= 0
    context.reserve(1000)
    context.trim()
    assert context.stats["host_bytes"] == 0


def test_stats_have_all_members():
    assert set(clump.Context("cpu").stats) == {
        "backend", "method", "reason", "threads", "passes", "upload_ms", "build_ms", "cluster_ms", "label_ms",
        "download_ms", "points", "finite", "masked", "noise", "ground", "ground_level", "clusters", "host_bytes",
        "device_bytes", "queries", "query_ms", "threads_refused", "ground_ms", "describe_ms", "thinned", "initial_ms",
        "merge_ms", "pieces", "neighbours", "ring_source", "rings", "ring_doubt"}


def test_closed():
    with clump.Context("cpu") as context:
        assert not context.closed
    assert context.closed
    context.close()
    for call in (lambda: clump.ec(LINE, 1, context=context), lambda: clump.Index(LINE, context=context),
                 lambda: context.stats, lambda: context.reserve(3), context.trim,
                 lambda: clump.describe(LINE, [0, 0, 0], context=context), lambda: clump.icp(LINE, LINE, context=context)):
        with pytest.raises(ValueError, match="^the context is closed$"):
            call()


def test_an_index_outlives_its_context():
    context = clump.Context("cpu")
    index = clump.Index(LINE, context=context)
    context.close()
    with pytest.raises(clump.ArgumentError, match="closed"):
        index.nearest(LINE)
    del index, context
    gc.collect()


def test_bad_contexts():
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(clump.Context("cpu"))
    for device in ("cpu:1", "cuda:x", "", "cuda:-1"):
        with pytest.raises(clump.ArgumentError, match="there is no device"):
            clump.Context(device)
    with pytest.raises(TypeError, match="device must be a string"):
        clump.Context(0)
    for options in ({"threads": "2"}, {"threads": 1.5}, {"gpu_ram": "1G"}):
        with pytest.raises(TypeError):
            clump.Context("cpu", **options)
    with pytest.raises(TypeError):
        clump._clump.Index()  # only made by index_create
    with pytest.raises(TypeError):
        clump._clump.index_bytes(3)
    assert clump.Context("cpu", threads=1000).threads == 1000


def test_without_cuda():
    if any(device.kind == "cuda" for device in clump.devices()):
        pytest.skip("run it on a machine without an NVIDIA GPU")
    with pytest.raises(clump.DeviceError) as caught:
        clump.ec(LINE, 1, context=clump.Context("cuda"))  # CUDA starts with the first call
    assert "CUDA" in str(caught.value) and isinstance(caught.value, RuntimeError)


def test_devices():
    first = clump.devices()[0]
    assert first.kind == "cpu" and first.units >= 1 and first.memory_total > 0 and first.name


def test_weak_references_and_subclasses():
    class Own(clump.Context):
        pass

    context = Own("cpu")
    assert clump.ec(LINE, 1.5, context=context).tolist() == [0, 0, 1]
    seen = weakref.ref(context)
    del context
    gc.collect()
    assert seen() is None


def test_default_contexts_belong_to_threads():
    from clump._context import default
    contexts = []
    threads = [threading.Thread(target=lambda: contexts.append(default())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(context) for context in [default(), *contexts]}) == 4
    seen = [weakref.ref(context) for context in contexts]
    contexts.clear()
    gc.collect()
    assert [ref() for ref in seen] == [None] * 3  # they end with their threads


def test_the_gil_is_released(large):
    """Another thread runs in the middle of a call. It could not with the GIL held."""
    with clump.Context("cpu", threads=1) as context:
        times = []
        stop = threading.Event()

        def watch():
            while not stop.is_set():
                times.append(time.monotonic())

        thread = threading.Thread(target=watch)
        thread.start()
        begin = time.monotonic()
        clump.ec(large, 0.5, context=context)
        end = time.monotonic()
        stop.set()
        thread.join()
        quarter = (end - begin) / 4
        assert any(begin + quarter < moment < end - quarter for moment in times)


def run_threads(count, work):
    errors, results = [], [None] * count

    def guarded(i):
        try:
            results[i] = work(i)
        except BaseException as error:  # handed to the test
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    return results


@pytest.mark.parametrize("shared", [True, False])
def test_several_threads(shared):
    """On one context calls take turns; on own contexts they run at the same time. Labels are the same."""
    clouds = [np.random.default_rng(i).uniform(0, 10, (3000, 3)).astype(np.float32) for i in range(4)]
    expected = [clump.labels_hash(clump.ec(cloud, 0.4)) for cloud in clouds]
    context = clump.Context("cpu") if shared else None

    def work(i):
        hashes = []
        for round in range(20):
            hashes.append(clump.labels_hash(clump.ec(clouds[(i + round) % 4], 0.4, context=context)))
            if round == 10 and shared:
                context.trim()
        return hashes

    for i, hashes in enumerate(run_threads(4, work)):
        assert hashes == [expected[(i + round) % 4] for round in range(20)]


def test_close_while_others_use_it():
    """Calls end or say that the context is closed."""
    cloud = np.random.default_rng(2).uniform(0, 10, (20_000, 3)).astype(np.float32)
    context = clump.Context("cpu", threads=1)
    begun = threading.Event()

    def work(i):
        try:
            for _ in range(1000):
                clump.ec(cloud, 0.4, context=context)
                begun.set()
        except clump.ArgumentError as error:
            return str(error)
        return "never closed"

    def close():
        begun.wait()
        context.close()

    closer = threading.Thread(target=close)
    closer.start()
    assert run_threads(3, work) == ["the context is closed"] * 3
    closer.join()


def test_one_index_many_threads():
    points = np.random.default_rng(4).uniform(0, 10, (5000, 3)).astype(np.float32)
    index = clump.Index(points)
    expected = index.knn(points, 3)

    def work(i):
        return all(np.array_equal(index.knn(points, 3)[1], expected[1]) for _ in range(5))

    assert run_threads(4, work) == [True] * 4


def test_rebuilding_excludes_queries():
    """Either a query works on the old or the new points, or it says that the index is in use."""
    clouds = [np.random.default_rng(i).uniform(0, 10, (20_000, 3)).astype(np.float32) for i in range(2)]
    answers = [clump.Index(cloud).nearest(clouds[0][:2000])[1] for cloud in clouds]
    index = clump.Index(clouds[0])

    def work(i):
        done = 0
        for round in range(30):
            try:
                if i == 0:
                    index.rebuild(clouds[round % 2])
                else:
                    found = index.nearest(clouds[0][:2000])[1]
                    assert any(np.array_equal(found, answer) for answer in answers)
                done += 1
            except clump.ArgumentError as error:
                assert "in use by another thread" in str(error) or "being rebuilt" in str(error)
        return done

    run_threads(3, work)


def test_ctrl_c_between_calls():
    """Ctrl-C ends a loop of calls with KeyboardInterrupt; the context can be used after that."""
    cloud = np.random.default_rng(3).uniform(0, 10, (20_000, 3)).astype(np.float32)
    context = clump.Context("cpu")
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            clump.ec(cloud, 0.4, context=context)
    timer.join()
    assert len(clump.ec(cloud, 0.4, context=context)) == 20_000


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="run it on another system")
def test_ctrl_c_while_waiting_for_a_context(large):
    """The main thread waits for a context that another thread uses. Ctrl-C ends the waiting."""
    context = clump.Context("cpu", threads=1)
    begun, stop = threading.Event(), threading.Event()

    def use():
        begun.set()
        while not stop.is_set():
            clump.ec(large, 0.5, context=context)

    thread = threading.Thread(target=use)
    thread.start()
    begun.wait()
    timer = threading.Timer(0.2, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            until = time.monotonic() + 60
            while time.monotonic() < until:
                clump.ec(LINE, 1, context=context)
    finally:
        stop.set()
        thread.join()
        timer.join()


def run_script(text, *options):
    return subprocess.run([sys.executable, *options, "-c", text], capture_output=True, text=True, timeout=120)


def test_development_mode():
    """python3 -X dev finds no leaked resource, no bad free, no warning."""
    done = run_script("import numpy as np, clump\n"
                      "points = np.random.default_rng(0).uniform(0, 5, (500, 3))\n"
                      "clump.detect(points); index = clump.Index(points); index.radius(points, 0.5)\n"
                      "clump.icp(points, points); clump.group(clump.ec(points, 0.3))\n"
                      "try: clump.ec(points, -1)\n"
                      "except clump.Error: pass\n", "-X", "dev", "-W", "error")
    assert done.returncode == 0 and done.stderr == "", done.stderr


def test_threads_at_the_end_of_the_program():
    """The program ends while a daemon thread is in a call."""
    done = run_script("import threading, numpy as np, clump\n"
                      "points = np.random.default_rng(0).uniform(0, 30, (100_000, 3)).astype('f4')\n"
                      "begun = threading.Event()\n"
                      "def work():\n"
                      "    while True: begun.set(); clump.ec(points, 0.5)\n"
                      "threading.Thread(target=work, daemon=True).start(); begun.wait()\n")
    assert done.returncode == 0, done.stderr


def test_subinterpreters():
    """A second interpreter has its own module, or a clear ImportError where it must not load the extension."""
    done = run_script("import sys, clump\n"
                      "try: import _xxsubinterpreters as interpreters\n"
                      "except ImportError:\n"
                      "    try: import _interpreters as interpreters\n"
                      "    except ImportError: print('none'); sys.exit()\n"
                      "code = '''\n"
                      "import sys; sys.path[:] = %r\n"
                      "try:\n"
                      "    import clump._errors\n"
                      "    from clump import _clump\n"
                      "    assert _clump.devices() and issubclass(_clump.Context, object)\n"
                      "    print('loaded', flush=True)\n"
                      "except ImportError as error:\n"
                      "    print('refused', error, flush=True)\n"
                      "''' % (sys.path,)\n"
                      "first = interpreters.create(); result = interpreters.run_string(first, code)\n"
                      "interpreters.destroy(first)\n"
                      "print(clump.ec([[0, 0, 0]], 1).tolist(), result)\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(("none", "loaded", "refused")), done.stdout + done.stderr
    if not done.stdout.startswith("none"):
        assert done.stdout.rstrip().endswith("[0] None")
