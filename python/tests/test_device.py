# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other libraries: tensors in host memory; arrays on a GPU where there is none; and all that the package does
with arrays on a GPU, on fake ones (fake_gpu.py). The real ones are in tests/gpu."""

import contextlib
import pathlib
import re
import sys
import types

import numpy as np
import pytest

from support import capsules
import clump
from support import fake_gpu
from clump import _clump

sys.path.append(str(pathlib.Path(__file__).parent / "gpu"))
import gpu_jobs  # noqa: E402

needs_no_cuda = pytest.mark.skipif(_clump.absence(2) is None, reason="run it on a machine without an NVIDIA GPU")


# --- host memory ------------------------------------------------------------------------------------------------------------


def test_dlpack_of_the_host_goes_in_without_a_copy():
    points = capsules.cloud(300)
    expected = clump.ec(points, 0.8)
    for versioned in (False, True):
        for device in ((capsules.CPU, 0), (capsules.CUDA_HOST, 0)):
            producer = capsules.Producer(points, device=device, versioned=versioned, understands_version=versioned)
            labels = clump.ec(producer, 0.8)
            assert type(labels) is np.ndarray and (labels == expected).all()
            assert producer.streams == [None] and producer.deleted == 1


def test_an_exception_of_the_producer():
    producer = capsules.Producer(capsules.cloud())
    producer.raises = RuntimeError("the array was deleted")
    with pytest.raises(RuntimeError, match="was deleted"):
        clump.ec(producer, 1)
    assert producer.deleted == 0


def test_torch_in_host_memory():
    torch = pytest.importorskip("torch", reason="run scripts/setup.sh --python-rivals")
    points = capsules.cloud(300)
    expected = clump.ec(points, 0.8)
    for tensor in (torch.from_numpy(points), torch.from_numpy(points).requires_grad_(),
                   torch.from_numpy(points.T.copy()).T, torch.from_numpy(np.hstack([points, points]))):
        labels = clump.ec(tensor, 0.8)
        assert isinstance(labels, torch.Tensor) and labels.dtype == torch.int32
        assert (labels.numpy() == expected).all()
    mask = torch.arange(300) % 2 == 0
    assert (clump.ec(torch.from_numpy(points), 0.8, mask=mask).numpy() == clump.ec(points, 0.8, mask=mask.numpy())).all()
    assert (clump.ec(points, 0.8, mask=mask) == clump.ec(points, 0.8, mask=mask.numpy())).all()
    with pytest.raises(clump.DeviceError, match="meta"):
        clump.ec(torch.zeros(3, 3, device="meta"), 1)
    with pytest.raises(clump.ArgumentError, match="sparse"):
        clump.ec(torch.zeros(3, 3).to_sparse(), 1)


def test_jax_in_host_memory(monkeypatch):
    class Array:
        """Stands for a jax.Array on the CPU."""

        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array

        def __dlpack_device__(self):
            return (capsules.CPU, 0)

    monkeypatch.setitem(sys.modules, "jax", types.SimpleNamespace(
        Array=Array, numpy=types.SimpleNamespace(asarray=lambda array: Array(array))))
    points = capsules.cloud(300)
    labels, core = clump.dbscan(Array(points), 0.8, 3, return_core=True)
    assert isinstance(labels, Array) and (labels.array == clump.dbscan(points, 0.8, 3)).all() and core.array.dtype == bool
    assert [part.array.tolist() for part in clump.group(labels)] == [part.tolist() for part in clump.group(labels.array)]


# --- no GPU -----------------------------------------------------------------------------------------------------------------


@needs_no_cuda
def test_arrays_on_a_gpu_that_is_not_there():
    points = capsules.cloud()
    for thing in (capsules.CudaInterface(points), capsules.Producer(points, device=(capsules.CUDA, 0)),
                  capsules.Producer(points, device=(capsules.MANAGED, 1)),
                  _clump.view_pointer(4096, (5, 3), None, "<f4", 0, False, 1, False, None)):
        why = re.escape(_clump.absence(2))
        with pytest.raises(clump.DeviceError, match=f"^points in the memory of a GPU cannot be used: {why}$"):
            clump.ec(thing, 1)
        with pytest.raises(clump.DeviceError, match="^mask in the memory of a GPU"):
            clump.ec(points, 1, mask=thing)


@needs_no_cuda
def test_a_context_on_a_gpu_that_is_not_there():
    with pytest.raises(clump.DeviceError):
        clump.ec(capsules.cloud(), 1, context=clump.Context("cuda"))


def test_devices_of_other_kinds():
    for kind in (4, 8, 10, 99):
        with pytest.raises(clump.DeviceError, match=f"DLPack type {kind}"):
            clump.ec(capsules.Producer(capsules.cloud(), device=(kind, 0)), 1)


# --- fake GPUs --------------------------------------------------------------------------------------------------------------


@pytest.fixture(params=fake_gpu.LIBRARIES, ids=lambda library: library.name)
def library(request, monkeypatch):
    if request.param is fake_gpu.Torch:
        pytest.importorskip("torch", reason="run scripts/setup.sh --python-rivals")
    extension = fake_gpu.install(monkeypatch)
    monkeypatch.setattr(gpu_jobs, "SIZES", (0, 1, 2, 100, 3000))
    fake = request.param(monkeypatch)
    fake.extension = extension
    return fake


@pytest.mark.parametrize("job", ["ec", "mask", "dbscan", "ground", "erccl", "detect", "objects", "describe_and_group",
                                 "labels_of_one_job_go_into_the_next", "index", "layouts"])
def test_jobs(library, job):
    if job.startswith("labels_of_one_job") and library.is_own(_clump.view_pointer(8, (1,), None, "<i4", -1, False, 0, False, 0)):
        pytest.skip("run it on a machine with an NVIDIA GPU")
    with contextlib.suppress(gpu_jobs.Skip):  # what its arrays cannot do, on a GPU either
        getattr(gpu_jobs, f"test_{job}")(library)


def test_the_stream_of_the_caller(library):
    clump.ec(library.gpu(capsules.cloud()), 1)
    stream = 7 if library.name == "cuda array interface" else 1
    waits = library.name not in ("torch", "cupy")
    assert library.extension.seen == [(stream, waits)] * 2, "points and labels"
    if library.name == "cupy":
        library.stream.ptr = 140000000
        library.extension.seen.clear()
        clump.ec(library.gpu(capsules.cloud()), 1)
        assert library.extension.seen == [(140000000, False)] * 2


def test_what_is_refused(library):
    points = capsules.cloud(100)
    device = library.gpu(points)
    for bad, sentence in ((points.astype("f8"), "float64 on a GPU, where float32 is needed: convert"),
                          (points.astype("i4"), "int32 on a GPU"), (points[:, :2], "2 columns"), (points[0], "dimension")):
        with pytest.raises(clump.ArgumentError, match=sentence):
            clump.ec(library.gpu(bad), 1)
    with pytest.raises(clump.ArgumentError, match="mask must be an? .*, as the points are"):
        clump.ec(device, 1, mask=np.ones(100, bool))
    with pytest.raises(clump.ArgumentError, match="mask"):
        clump.ec(device, 1, mask=library.gpu(np.ones(99, bool)))
    with pytest.raises(TypeError, match="mask"):
        clump.ec(device, 1, mask=library.gpu(np.ones(100, np.float32)))
    with pytest.raises(TypeError, match="rings must be an array of uint16 or int16, not float32"):
        clump.objects(device, rings=library.gpu(np.ones(100, np.float32)))
    with pytest.raises(clump.ArgumentError, match="rings must be an? .*, as the points are"):
        clump.objects(device, rings=np.ones(100, np.uint16))


def test_streams_of_the_cuda_array_interface(monkeypatch):
    extension = fake_gpu.install(monkeypatch)
    fake_gpu.Interface(monkeypatch)
    points, mask = capsules.cloud(), np.ones(50, bool)
    expected = clump.ec(points, 1)
    for stream, used in ((None, 1), (1, 1), (2, 2), (123456, 123456)):
        extension.seen.clear()
        labels = clump.ec(capsules.CudaInterface(points, stream=stream), 1, mask=capsules.CudaInterface(mask, stream=9))
        assert (np.asarray(labels) == expected).all()
        assert extension.seen == [(used, True), (used, True), (9, True), "wait"], "the mask is of another stream"
    with pytest.raises(clump.ArgumentError, match="stream 0"):
        clump.ec(capsules.CudaInterface(points, stream=0), 1)
    with pytest.raises(clump.ArgumentError, match="mask inside"):
        clump.ec(capsules.CudaInterface(points, mask=points), 1)
    old = capsules.CudaInterface(points, version=2)
    assert (np.asarray(clump.ec(old, 1)) == expected).all()
    wide = np.zeros((50, 5), np.float32)
    wide[:, :3] = points
    assert (np.asarray(clump.ec(capsules.CudaInterface(wide[:, :3]), 1)) == expected).all()
    with pytest.raises(clump.ArgumentError, match="make the array contiguous"):
        clump.ec(capsules.CudaInterface(points.T.copy().T), 1)


def test_streams_of_dlpack(monkeypatch):
    fake_gpu.install(monkeypatch)
    for versioned in (False, True):
        producer = capsules.Producer(capsules.cloud(), device=(capsules.CUDA, 0), versioned=versioned,
                                     understands_version=versioned)
        clump.ec(producer, 1)
        assert producer.streams == [1] and producer.deleted == 1
    producer.raises = BufferError("not now")
    with pytest.raises(BufferError, match="not now"):
        clump.ec(producer, 1)


def test_several_gpus(monkeypatch):
    fake_gpu.install(monkeypatch)
    with pytest.raises(clump.ArgumentError, match="the arrays are on cuda:0, but the context is one of the CPU"):
        clump.ec(capsules.Producer(capsules.cloud(), device=(capsules.CUDA, 0)), 1, context=clump.Context("cpu"))
    with pytest.raises(clump.ArgumentError, match="the arrays are on cuda:0, but the context is one of cuda:1"):
        other = clump.Context("cpu")
        other._device = "cuda:1"
        clump.ec(capsules.Producer(capsules.cloud(), device=(capsules.CUDA, 0)), 1, context=other)
    two = [("cpu", 0), ("cuda", 0), ("cuda", 1)]
    monkeypatch.setattr(fake_gpu.Extension, "devices", lambda self: two, raising=False)
    with pytest.raises(clump.ArgumentError, match="which of 2 GPUs"):
        clump.ec(capsules.CudaInterface(capsules.cloud()), 1)
