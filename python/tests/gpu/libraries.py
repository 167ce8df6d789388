# SPDX-License-Identifier: BSD-3-Clause
"""The array libraries that the tests use: torch, CuPy, JAX, and objects of no library that clump knows."""

import importlib

import numpy as np

import clump
from clump import _clump


class Skip(Exception):
    """Why a test does not run."""


def load(name):
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise Skip(f"{name} cannot be imported here: {missing}") from None


BUSY = 1 << 28  # floats in an array whose work keeps a GPU busy for some milliseconds per pass
PASSES = 150


class Torch:
    name = "torch"
    slices = True  # slices of arrays are views
    waits = False  # calls wait for the GPU

    def __init__(self):
        self.torch = load("torch")
        if not self.torch.cuda.is_available():
            raise Skip("torch has no CUDA here")

    def gpu(self, array):
        """An array of NumPy in the memory of GPU 0."""
        return self.torch.from_numpy(np.ascontiguousarray(array)).cuda()

    def host(self, array):
        return array.cpu().numpy()

    def is_own(self, array):
        """Whether an array is of this library, on GPU 0."""
        return isinstance(array, self.torch.Tensor) and array.is_cuda and array.device.index == 0

    def stream(self):
        """A new stream: with library.stream(): ... makes it current."""
        return self.torch.cuda.stream(self.torch.cuda.Stream())

    def late(self, array):
        """As gpu(), but the content is written by the current stream, after some 100 ms of other work."""
        source = self.torch.from_numpy(np.ascontiguousarray(array)).pin_memory()
        target = self.torch.zeros(array.shape, dtype=source.dtype, device="cuda")
        busy = self.torch.ones(BUSY, device="cuda")
        for _ in range(PASSES):
            busy *= 1.0001
        target.copy_(source, non_blocking=True)
        return target

    def is_busy(self):
        return not self.torch.cuda.current_stream().query()


class Cupy:
    name = "cupy"
    slices = True
    waits = False

    def __init__(self):
        self.cupy = load("cupy")
        try:
            self.cupy.zeros(3) + 1
        except Exception as failure:
            raise Skip(f"cupy does not work here: {failure}") from None

    def gpu(self, array):
        return self.cupy.asarray(np.ascontiguousarray(array))

    def host(self, array):
        return self.cupy.asnumpy(array)

    def is_own(self, array):
        return isinstance(array, self.cupy.ndarray) and array.device.id == 0

    def stream(self):
        return self.cupy.cuda.Stream(non_blocking=True)

    def late(self, array):
        source = self.cupy.asarray(np.ascontiguousarray(array))
        target = self.cupy.zeros(array.shape, array.dtype)
        busy = self.cupy.ones(BUSY, np.float32)
        self.cupy.cuda.get_current_stream().synchronize()
        for _ in range(PASSES):
            busy *= np.float32(1.0001)
        target[...] = source
        return target

    def is_busy(self):
        return not self.cupy.cuda.get_current_stream().done


class Jax:
    name = "jax"
    slices = False
    waits = True

    def __init__(self):
        self.jax = load("jax")
        try:
            self.device = self.jax.devices("gpu")[0]
        except RuntimeError as failure:
            raise Skip(f"jax has no GPU here: {failure}") from None

    def gpu(self, array):
        return self.jax.device_put(np.ascontiguousarray(array), self.device)

    def host(self, array):
        return np.asarray(array)

    def is_own(self, array):
        return isinstance(array, self.jax.Array) and array.devices() == {self.device}

    def stream(self):
        raise Skip("JAX has no streams of the caller")

    def late(self, array):
        jax, numpy = self.jax, self.jax.numpy

        @jax.jit
        def work(points):
            busy = jax.lax.fori_loop(0, PASSES, lambda i, b: b * 1.0001 + 1e-9 * i, numpy.ones(BUSY, numpy.float32))
            return points + (numpy.max(busy) < 0).astype(points.dtype)

        points = self.gpu(array)
        work(points).block_until_ready()  # compiled
        return work(points)


class Wrapped:
    """An object of no known library: it hands out what it is given."""

    def __init__(self, array, dlpack):
        self.array = array
        if dlpack:
            self.__class__ = WrappedDlpack
        else:
            self.__cuda_array_interface__ = array.__cuda_array_interface__


class WrappedDlpack(Wrapped):
    def __dlpack__(self, **options):
        options.pop("max_version", None)
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Foreign(Cupy):
    """Arrays of CuPy, but clump sees nothing of them but one of the two protocols."""

    slices = False
    waits = True
    dlpack = True

    def gpu(self, array):
        return Wrapped(super().gpu(array), self.dlpack)

    def late(self, array):
        return Wrapped(super().late(array), self.dlpack)

    def host(self, array):
        assert isinstance(array, _clump.DeviceView), type(array)
        return self.cupy.asnumpy(self.cupy.asarray(array))

    def is_own(self, array):
        return isinstance(array, _clump.DeviceView) and array.device == "cuda:0"


class ForeignDlpack(Foreign):
    name = "dlpack"


class ForeignInterface(Foreign):
    name = "cuda array interface"
    dlpack = False


ALL = (Torch, Cupy, Jax, ForeignDlpack, ForeignInterface)


def scan(n, seed=1):
    """A cloud that looks like a scan: a floor, posts on it, and points that are not finite."""
    random = np.random.default_rng(seed)
    points = np.empty((n, 3), np.float32)
    floor = n // 2
    points[:floor, :2] = random.uniform(-40, 40, (floor, 2))
    points[:floor, 2] = -1.8 + random.normal(0, 0.02, floor)
    posts = random.uniform(-35, 35, (60, 2))
    at = random.integers(0, 60, n - floor)
    points[floor:, :2] = posts[at] + random.normal(0, 0.25, (n - floor, 2))
    points[floor:, 2] = random.uniform(-1.5, 1.5, n - floor)
    random.shuffle(points)
    points[random.random(n) < 0.001] = np.nan
    return points


def on_cpu():
    """A context that gives the expected results."""
    return clump.Context("cpu", threads=4)
