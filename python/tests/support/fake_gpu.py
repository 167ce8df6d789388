# SPDX-License-Identifier: BSD-3-Clause
"""Array libraries whose arrays say that they are on a GPU, on a machine that has none.

Their memory is that of the host. The extension is replaced by one that takes such arrays for what they are, so that all of
_device.py, _libraries.py and the jobs runs as it does with a GPU, except the GPU itself. The classes at the end are libraries
for the tests in tests/gpu.
"""

import types

import numpy as np

from support import capsules
import clump
from clump import _clump, _device, _libraries


class Extension:
    """The extension, with views of host memory in place of views of a GPU. `seen` has the stream and the `waits` of each."""

    def __init__(self):
        self.seen = []

    def __getattr__(self, name):
        return getattr(_clump, name)

    def absence(self, backend):
        return None

    def view_pointer(self, pointer, shape, strides, typestr, device, read_only, stream, waits, owner):
        assert device == 0 and stream > 0
        self.seen.append((stream, waits))
        return _clump.view_pointer(pointer, shape, strides, typestr, -1, read_only, 0, False, owner)

    def view_capsule(self, capsule, stream, waits):
        assert stream > 0 and waits
        self.seen.append((stream, waits))
        capsules.tensor_in(capsule).tensor.device.type = capsules.CPU
        return _clump.view_capsule(capsule, 0, False)

    def view_empty(self, context, device, shape, typestr, stream):
        array = np.empty(shape, typestr)
        return self.view_pointer(array.ctypes.data, array.shape, None, typestr, device, False, stream, True, array)

    def view_copy(self, context, to, source):
        np.asarray(to)[...] = np.asarray(source)

    def view_wait(self, context, view):
        self.seen.append("wait")


def install(monkeypatch):
    """Replaces the extension for a test. Returns it."""
    extension = Extension()
    context = clump.Context("cpu")
    for module in (_device, _libraries):
        monkeypatch.setattr(module, "_clump", extension)
    monkeypatch.setattr(_device, "_cuda_is_there", False)
    monkeypatch.setattr(_device, "_gpus", 0)
    monkeypatch.setattr(_libraries, "default_on", lambda device: context)
    monkeypatch.setattr(_libraries, "memory_context", lambda ordinal: context)
    return extension


class Torch:
    """The real torch, whose tensors in host memory count as tensors on a GPU."""

    name = "torch"
    slices = True

    def __init__(self, monkeypatch):
        import torch
        self.torch = torch
        stream = types.SimpleNamespace(cuda_stream=0)
        cuda = types.SimpleNamespace(current_stream=lambda device: stream)
        known = types.SimpleNamespace(cuda=cuda, empty=torch.empty, Tensor=torch.Tensor, float32=torch.float32,
                                      int32=torch.int32, bool=torch.bool, uint8=torch.uint8, int64=torch.int64,
                                      float64=torch.float64, float16=torch.float16, int8=torch.int8, int16=torch.int16)

        def recognise(tensor, name, module):
            output = _libraries.TorchOutput(known, torch.device("cpu:0"))
            return output.taken(tensor, name), output

        monkeypatch.setattr(_device, "_torch", recognise)
        monkeypatch.setattr(_libraries.TorchOutput, "owns", lambda self, thing: isinstance(thing, torch.Tensor))

    def gpu(self, array):
        return self.torch.from_numpy(np.array(array, order="C"))

    def host(self, array):
        return array.numpy()

    def is_own(self, array):
        return isinstance(array, self.torch.Tensor)


class Array:
    """An array of the library that stands for CuPy."""

    def __init__(self, array):
        self.array = array
        self.shape, self.strides, self.dtype = array.shape, array.strides, array.dtype
        self.data = types.SimpleNamespace(ptr=array.ctypes.data)
        self.device = types.SimpleNamespace(id=0)

    def __getitem__(self, key):
        return Array(self.array[key])

    def __eq__(self, other):
        return Array(self.array == other)

    def __invert__(self):
        return Array(~self.array)

    def max(self):
        return self.array.max()

    def reshape(self, *shape):
        return Array(self.array.reshape(*shape))

    @property
    def T(self):
        return Array(self.array.T)


class Device:
    def __init__(self, ordinal):
        assert ordinal == 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass


class Cupy:
    name = "cupy"
    slices = True

    def __init__(self, monkeypatch):
        stream = types.SimpleNamespace(ptr=0)
        self.stream = stream
        monkeypatch.setitem(__import__("sys").modules, "cupy", types.SimpleNamespace(
            ndarray=Array, cuda=types.SimpleNamespace(Device=Device, get_current_stream=lambda: stream),
            empty=lambda shape, dtype: Array(np.empty(shape, dtype)), asnumpy=lambda array: array.array.copy(),
            ascontiguousarray=lambda array: Array(np.ascontiguousarray(array.array)),
            sqrt=lambda array, out: Array(np.sqrt(array.array, out=out.array))))

    def gpu(self, array):
        return Array(np.array(array, order="C"))

    def host(self, array):
        return array.array

    def is_own(self, array):
        return isinstance(array, Array)


class JaxArray:
    def __init__(self, array):
        self.array = array
        self.producer = capsules.Producer(array, device=(capsules.CUDA, 0))
        self.device = "gpu 0"

    def __dlpack_device__(self):
        return (capsules.CUDA, 0)

    def __dlpack__(self, *, stream=None, max_version=None):
        assert stream == 1
        return self.producer.capsule()

    def __eq__(self, other):
        return JaxArray(self.array == other)

    def __invert__(self):
        return JaxArray(~self.array)

    def __getitem__(self, key):
        return self.array[key]


class Jax:
    name = "jax"
    slices = False

    def __init__(self, monkeypatch):
        def put(value, device):
            assert device == "gpu 0"
            return [JaxArray(part) for part in value] if isinstance(value, list) else JaxArray(value)

        monkeypatch.setitem(__import__("sys").modules, "jax", types.SimpleNamespace(
            Array=JaxArray, device_put=put, config=types.SimpleNamespace(jax_enable_x64=False),
            numpy=types.SimpleNamespace(sqrt=lambda array: JaxArray(np.sqrt(array.array))),
            dlpack=types.SimpleNamespace(from_dlpack=lambda view: JaxArray(np.asarray(view)))))

    def gpu(self, array):
        return JaxArray(np.array(array, order="C"))

    def host(self, array):
        return array.array

    def is_own(self, array):
        return isinstance(array, JaxArray)


class Dlpack:
    name = "dlpack"
    slices = False

    def __init__(self, monkeypatch):
        pass

    def gpu(self, array):
        return capsules.Producer(np.array(array, order="C"), device=(capsules.CUDA, 0))

    def host(self, array):
        return np.asarray(array)

    def is_own(self, array):
        return isinstance(array, _clump.DeviceView)


class Interface(Dlpack):
    name = "cuda array interface"

    def __init__(self, monkeypatch):
        monkeypatch.setattr(_device, "only_gpu", lambda name: 0)

    def gpu(self, array):
        return capsules.CudaInterface(np.array(array, order="C"), stream=7)


LIBRARIES = (Torch, Cupy, Jax, Dlpack, Interface)
