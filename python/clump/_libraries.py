# SPDX-License-Identifier: BSD-3-Clause
"""How arrays of torch, CuPy, JAX and unknown libraries go into a call, and how results come out.

Every class here is an output:

    context(given)              the context of the call
    array(thing, name, dtype)   an argument beside the points, as the extension takes it; None stays None
    empty(shape, dtype)         an array that the extension writes to
    give(array)                 what the caller gets of it
    numpy(array)                its content, in host memory; waits
    largest(array)              its largest number, -1 where it is empty; waits
    equal(array, value)         for the caller: where it has this value
    roots(array)                for the caller: its square roots
    split(array, offsets)       for the caller: a list of its parts

Arrays of the extension are DeviceViews here: an address, a shape, and the stream that calls run on. A view of torch or CuPy
has the array as its owner.

Memory. torch and CuPy reuse memory in the order of their streams. A call uses the stream that is current, as their own
operations do, so inputs may be deleted as soon as it returns. JAX and unknown libraries do not know the stream of the call.
The call waits for the GPU there.
"""

import threading

import numpy as np

from . import _clump
from ._context import Context, default, default_on
from ._errors import ArgumentError

_LEGACY = 1  # the default stream of CUDA


# --- host memory ----------------------------------------------------------------------------------------------------------


class NumpyOutput:
    """Arrays of NumPy, for every caller whose points are of no library that is known here."""

    __slots__ = ()
    empty = staticmethod(np.empty)

    @staticmethod
    def context(given):
        return default() if given is None else given

    @staticmethod
    def array(thing, name, dtype):
        if thing is None or type(thing) is np.ndarray and thing.dtype == dtype and thing.flags.c_contiguous:
            return thing
        from ._device import host_array
        return host_array(thing, name, dtype)

    def give(self, array):
        return array

    @staticmethod
    def numpy(array):
        return array

    @staticmethod
    def largest(array):
        return int(array.max(initial=-1))

    def equal(self, array, value):
        return self.give(array == value)

    def roots(self, array):
        return self.give(np.sqrt(array, out=array))

    def split(self, array, offsets):
        whole = self.give(array)
        bounds = offsets.tolist()
        return [whole[a:b] for a, b in zip(bounds, bounds[1:])]


NUMPY = NumpyOutput()


class HostOutput(NumpyOutput):
    """Tensors in host memory. NumPy makes the results, the library takes them without a copy where it can."""

    __slots__ = ("library",)

    def __init__(self, library):
        self.library = library


class TorchHost(HostOutput):
    __slots__ = ()

    def give(self, array):
        return self.library.from_numpy(array)


class JaxHost(HostOutput):
    __slots__ = ()

    def give(self, array):
        return self.library.numpy.asarray(array)

    def split(self, array, offsets):
        """Parts are arrays of their own: JAX would compile a program for every length."""
        bounds = offsets.tolist()
        return [self.give(array[a:b]) for a, b in zip(bounds, bounds[1:])]


# --- memory of a GPU ------------------------------------------------------------------------------------------------------


class GpuOutput:
    """What the libraries have in common.

    ordinal  the number of the GPU
    stream   the handle of the stream that calls run on; never 0
    """

    __slots__ = ("library", "ordinal", "stream")
    conversion = "points.astype('float32')"

    def context(self, given):
        if given is None:
            return default_on(f"cuda:{self.ordinal}")
        if isinstance(given, Context):
            if given.device == "cpu":
                raise ArgumentError(f"the arrays are on cuda:{self.ordinal}, but the context is one of the CPU")
            ordinal = int(given.device.partition(":")[2] or 0)
            if ordinal != self.ordinal:
                raise ArgumentError(f"the arrays are on cuda:{self.ordinal}, but the context is one of cuda:{ordinal}")
        return given

    def taken(self, thing, name):
        """An array of the caller. Columns of points that do not follow each other are copied where the library can."""
        view = self.view(thing)
        if name != "points":
            return view
        shape, strides = view.shape, view.strides
        if view.dtype != "float32":
            raise ArgumentError(f"the points are {view.dtype} on a GPU, where float32 is needed: convert them "
                                f"({self.conversion}), less an origin where the coordinates are large")
        if len(shape) == 2 and shape[0] > 0 and shape[1] >= 3 and (strides[1] != 4 or strides[0] < 12 and shape[0] > 1):
            dense = self.contiguous(thing)
            return view if dense is thing else self.view(dense)
        return view

    def array(self, thing, name, dtype):
        if thing is None:
            return None
        if not self.owns(thing):
            raise ArgumentError(f"{name} must be {self.wanted()}, as the points are")
        return self.view(self.contiguous(thing))

    def give(self, array):
        return array.owner

    def largest(self, array):
        return int(array.owner.max()) if len(array) else -1

    def equal(self, array, value):
        return self.give(array) == value

    def split(self, array, offsets):
        whole = self.give(array)
        bounds = offsets.tolist()
        return [whole[a:b] for a, b in zip(bounds, bounds[1:])]


class TorchOutput(GpuOutput):
    __slots__ = ("device",)
    conversion = "points.float()"
    types = None  # by the typestr of NumPy the type of torch, and the other way round

    def __init__(self, torch, device):
        self.library = torch
        self.device = device
        self.ordinal = device.index
        self.stream = torch.cuda.current_stream(device).cuda_stream or _LEGACY
        if self.types is None:
            names = {"<f4": "float32", "<i4": "int32", "|b1": "bool", "|u1": "uint8", "<i8": "int64", "<f8": "float64",
                     "<f2": "float16", "|i1": "int8", "<i2": "int16", "<u2": "uint16"}
            pairs = [(text, getattr(torch, name)) for text, name in names.items() if hasattr(torch, name)]
            TorchOutput.types = dict(pairs) | {own: text for text, own in pairs}

    def owns(self, thing):
        return isinstance(thing, self.library.Tensor) and thing.device == self.device

    def wanted(self):
        return f"a tensor of torch on {self.device}"

    def view(self, tensor):
        text = self.types.get(tensor.dtype)
        if text is None:
            raise ArgumentError(f"clump cannot use tensors of the type {tensor.dtype}")
        size = tensor.element_size()
        return _clump.view_pointer(tensor.data_ptr(), tensor.shape, [size * step for step in tensor.stride()], text,
                                   self.ordinal, False, self.stream, False, tensor)

    @staticmethod
    def contiguous(tensor):
        return tensor.contiguous()

    def empty(self, shape, dtype):
        text = np.dtype(dtype).str
        tensor = self.library.empty(shape, dtype=self.types[text], device=self.device)
        return _clump.view_pointer(tensor.data_ptr(), tensor.shape, None, text, self.ordinal, False, self.stream, False,
                                   tensor)

    @staticmethod
    def numpy(array):
        return array.owner.cpu().numpy()

    @staticmethod
    def roots(array):
        return array.owner.sqrt_()

    def split(self, array, offsets):
        return list(array.owner[:int(offsets[-1])].split(np.diff(offsets).tolist())) if len(offsets) > 1 else []


class CupyOutput(GpuOutput):
    __slots__ = ()

    def __init__(self, cupy, ordinal):
        self.library = cupy
        self.ordinal = ordinal
        with cupy.cuda.Device(ordinal):
            self.stream = cupy.cuda.get_current_stream().ptr or _LEGACY

    def owns(self, thing):
        return isinstance(thing, self.library.ndarray) and thing.device.id == self.ordinal

    def wanted(self):
        return f"an array of CuPy on GPU {self.ordinal}"

    def view(self, array):
        return _clump.view_pointer(array.data.ptr, array.shape, array.strides, array.dtype.str, self.ordinal, False,
                                   self.stream, False, array)

    def contiguous(self, array):
        with self.library.cuda.Device(self.ordinal):
            return self.library.ascontiguousarray(array)

    def empty(self, shape, dtype):
        with self.library.cuda.Device(self.ordinal):
            return self.view(self.library.empty(shape, dtype))

    def numpy(self, array):
        return self.library.asnumpy(array.owner)

    def roots(self, array):
        with self.library.cuda.Device(self.ordinal):
            return self.library.sqrt(array.owner, out=array.owner)

    def equal(self, array, value):
        with self.library.cuda.Device(self.ordinal):
            return array.owner == value


_memory_contexts = {}
_memory_lock = threading.Lock()


def memory_context(ordinal):
    """A context that allocates, copies and releases memory of a GPU, and does nothing else. It is never closed: memory may
    outlive every other context."""
    with _memory_lock:
        context = _memory_contexts.get(ordinal)
        if context is None:
            context = _memory_contexts[ordinal] = Context(f"cuda:{ordinal}", threads=1)
        return context


class ForeignOutput(GpuOutput):
    """Unknown libraries: results are DeviceViews, which have DLPack and the CUDA array interface. Calls wait for the GPU."""

    __slots__ = ()

    def __init__(self, ordinal, stream):
        self.ordinal = ordinal
        self.stream = stream

    def owns(self, thing):
        if isinstance(thing, _clump.DeviceView):
            return thing.device == f"cuda:{self.ordinal}"
        if hasattr(thing, "__dlpack_device__"):
            kind, ordinal = thing.__dlpack_device__()
            return kind in (2, 13) and ordinal == self.ordinal
        return hasattr(thing, "__cuda_array_interface__")

    def wanted(self):
        return f"an array on GPU {self.ordinal}"

    def view(self, thing):
        """A view of an object. Its library has ordered the stream of this output after its own work."""
        if isinstance(thing, _clump.DeviceView):
            return thing
        if hasattr(thing, "__dlpack__"):
            try:
                capsule = thing.__dlpack__(stream=self.stream, max_version=(1, 0))
            except TypeError:  # a library that does not know version 1 yet
                capsule = thing.__dlpack__(stream=self.stream)
            return _clump.view_capsule(capsule, self.stream, True)
        return self.interface(thing)

    def interface(self, thing):
        """A view of an object with the CUDA array interface."""
        interface = thing.__cuda_array_interface__
        if interface.get("mask") is not None:
            raise ArgumentError("arrays with a mask inside cannot be used; give the mask as an argument")
        stream = interface.get("stream")
        if stream == 0:
            raise ArgumentError("__cuda_array_interface__ has the stream 0, which version 3 does not allow")
        pointer, read_only = interface["data"]
        view = _clump.view_pointer(pointer or 0, interface["shape"], interface.get("strides"), interface["typestr"],
                                   self.ordinal, bool(read_only), stream or self.stream, True, thing)
        if stream is not None and stream != self.stream:  # a second array, of another stream than the first
            _clump.view_wait(memory_context(self.ordinal), view)
        return view

    @staticmethod
    def contiguous(thing):
        return thing

    def empty(self, shape, dtype):
        shape = (shape,) if isinstance(shape, (int, np.integer)) else shape
        return _clump.view_empty(memory_context(self.ordinal), self.ordinal, shape, np.dtype(dtype).str, self.stream)

    def copy(self, array):
        """An array of NumPy in memory of the GPU."""
        view = self.empty(array.shape, array.dtype)
        _clump.view_copy(memory_context(self.ordinal), view, np.ascontiguousarray(array))
        return view

    def give(self, array):
        return array

    def numpy(self, array):
        host = np.empty(array.shape, array.dtype)
        _clump.view_copy(memory_context(self.ordinal), host, array)
        return host

    def largest(self, array):
        return int(self.numpy(array).max(initial=-1))

    def equal(self, array, value):
        return self.give(self.copy(self.numpy(array) == value))

    def roots(self, array):
        return self.give(self.copy(np.sqrt(self.numpy(array))))

    def split(self, array, offsets):
        host, bounds = self.numpy(array), offsets.tolist()
        return [self.give(self.copy(host[a:b])) for a, b in zip(bounds, bounds[1:])]


class JaxOutput(ForeignOutput):
    """JAX: its arrays cannot be written to, so results are in memory of clump, which JAX takes by DLPack."""

    __slots__ = ("device",)

    def __init__(self, jax, ordinal, device):
        super().__init__(ordinal, _LEGACY)
        self.library = jax
        self.device = device

    def owns(self, thing):
        return isinstance(thing, self.library.Array) and thing.__dlpack_device__() == (2, self.ordinal)

    def wanted(self):
        return f"an array of JAX on GPU {self.ordinal}"

    def give(self, array):
        if len(array.shape) == 0 or 0 in array.shape:
            return self.library.device_put(np.empty(array.shape, array.dtype), self.device)
        if array.dtype == "int64" and not self.library.config.jax_enable_x64:
            host = self.numpy(array)
            if host.max() > 2**31 - 1:
                raise ArgumentError("a result has numbers above 2147483647; JAX needs jax_enable_x64 for them")
            return self.library.device_put(host.astype(np.int32), self.device)
        return self.library.dlpack.from_dlpack(array)

    def equal(self, array, value):
        return self.give(array) == value

    def roots(self, array):
        return self.library.numpy.sqrt(self.give(array))

    def split(self, array, offsets):
        """Parts are arrays of their own: JAX would compile a program for every length."""
        host, bounds = self.numpy(array), offsets.tolist()
        return self.library.device_put([host[a:b] for a, b in zip(bounds, bounds[1:])], self.device)
