# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other libraries: tensors of torch, CuPy and JAX, and anything with DLPack or the CUDA array interface.

Arrays on a GPU stay there. A call runs on the stream that the caller's library uses, so its results are in order with the
caller's own work, and nothing waits. Results are arrays of the same library on the same device (_libraries.py).
"""

import sys

import numpy as np

from . import _clump
from ._errors import ArgumentError, DeviceError
from ._libraries import NUMPY, CupyOutput, ForeignOutput, JaxHost, JaxOutput, TorchHost, TorchOutput

_HOST = (1, 3)  # device types of DLPack: memory of the host, pinned memory of the host
_CUDA = (2, 13)  # of a GPU, managed memory

_LEGACY = 1  # the default stream of CUDA; its handle 0 would mean "none" to libclump

_cuda_is_there = False
_gpus = 0  # how many there are, when that has been asked


def _need_cuda(name):
    global _cuda_is_there
    if not _cuda_is_there:
        why = _clump.absence(2)
        if why is not None:
            raise DeviceError(f"{name} in the memory of a GPU cannot be used: {why}")
        _cuda_is_there = True


def recognise(thing, name="points"):
    """What an object of another library is: (rows, output).

    rows is an array of NumPy, or a DeviceView where the memory is on a GPU. output makes results for the caller. None where
    the object is of no such library: np.asarray(thing) is then all that can be done.
    """
    modules = sys.modules
    torch = modules.get("torch")
    if torch is not None and isinstance(thing, getattr(torch, "Tensor", ())):
        return _torch(thing, name, torch)
    cupy = modules.get("cupy")
    if cupy is not None and isinstance(thing, getattr(cupy, "ndarray", ())):
        _need_cuda(name)
        output = CupyOutput(cupy, thing.device.id)
        return output.taken(thing, name), output
    jax = modules.get("jax")
    if jax is not None and isinstance(thing, getattr(jax, "Array", ())):
        return _jax(thing, name, jax)
    if isinstance(thing, (np.ndarray, np.generic, list, tuple)):
        return None
    return _foreign(thing, name)


def _torch(tensor, name, torch):
    if tensor.layout is not torch.strided:
        raise ArgumentError(f"{name} of the layout {tensor.layout} cannot be used; make the tensor dense")
    if tensor.is_cuda:
        _need_cuda(name)
        output = TorchOutput(torch, tensor.device)
        return output.taken(tensor, name), output
    if tensor.device.type != "cpu":
        raise DeviceError(f"{name} on the device {tensor.device} cannot be used; clump takes tensors on cpu and cuda")
    return tensor.detach().numpy(), TorchHost(torch)


def _jax(array, name, jax):
    kind, ordinal = array.__dlpack_device__()
    if kind not in _CUDA:
        return np.asarray(array), JaxHost(jax)
    _need_cuda(name)
    output = JaxOutput(jax, int(ordinal), array.device)
    return output.taken(array, name), output


def _foreign(thing, name):
    """An object of an unknown library."""
    if isinstance(thing, _clump.DeviceView):
        if thing.device == "cpu":
            return None
        _need_cuda(name)
        output = ForeignOutput(int(thing.device.partition(":")[2]), _LEGACY)
        return output.taken(thing, name), output
    if hasattr(thing, "__dlpack_device__") and hasattr(thing, "__dlpack__"):
        kind, ordinal = thing.__dlpack_device__()
        if kind in _CUDA:
            _need_cuda(name)
            output = ForeignOutput(int(ordinal), _LEGACY)
            return output.taken(thing, name), output
        if kind not in _HOST:
            raise DeviceError(f"{name} on a device of the DLPack type {int(kind)} cannot be used; clump takes memory of "
                              "the host and of CUDA")
        if hasattr(thing, "__array__"):
            return None
        return np.asarray(_clump.view_capsule(host_capsule(thing), 0, False)), NUMPY
    interface = getattr(thing, "__cuda_array_interface__", None)
    if interface is None:
        return None
    _need_cuda(name)
    output = ForeignOutput(only_gpu(name), interface.get("stream") or _LEGACY)
    return output.taken(thing, name), output


def host_capsule(thing):
    """The DLPack capsule of an object in host memory."""
    try:
        return thing.__dlpack__(max_version=(1, 0))
    except TypeError:  # a library that does not know version 1 yet
        return thing.__dlpack__()


def host_array(thing, name, dtype):
    """An argument beside points in host memory, as an array of NumPy that the extension takes."""
    found = recognise(thing, name)
    array = np.asarray(thing) if found is None else found[0]
    if type(array) is _clump.DeviceView:
        raise ArgumentError(f"{name} must be in host memory, as the points are")
    return np.ascontiguousarray(array if array.size else array.astype(dtype))  # an empty list becomes float64


def output_of(thing, name):
    """The output of an array that comes without points."""
    if type(thing) is np.ndarray:
        return NUMPY
    found = recognise(thing, name)
    return NUMPY if found is None else found[1]


def only_gpu(name):
    """The number of the GPU of an object that does not tell it."""
    global _gpus
    if _gpus == 0:
        _gpus = sum(device[0] == "cuda" for device in _clump.devices())
    if _gpus > 1:
        raise ArgumentError(f"{name} with __cuda_array_interface__ alone do not tell on which of {_gpus} GPUs they are; "
                            "cupy.asarray(...) makes an array that does")
    return 0
