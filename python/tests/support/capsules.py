# SPDX-License-Identifier: BSD-3-Clause
"""DLPack capsules made by hand, as an array library makes them, and objects that hand them out."""

import ctypes

import numpy as np

CPU, CUDA, CUDA_HOST, MANAGED = 1, 2, 3, 13
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("type", Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
                ("deleter", DELETER), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, DESTRUCTOR]
_valid = ctypes.pythonapi.PyCapsule_IsValid
_valid.restype, _valid.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def name_of(capsule):
    return _name(capsule).decode()


_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.restype, _rename.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_USED = {name: b"used_" + name for name in (b"dltensor", b"dltensor_versioned")}  # a capsule does not copy its name


def consume(capsule):
    """Does to a capsule what a consumer does."""
    _rename(capsule, _USED[_name(capsule)])


def tensor_in(capsule):
    """The struct that a capsule points to."""
    name = _name(capsule)
    kind = Versioned if b"versioned" in name else Managed
    return kind.from_address(_pointer(capsule, name))


_alive = []  # producers, with their structs and functions: a capsule points to them


class Producer:
    """An array library with one array. It counts how often its deleter is called.

    Members can be changed before __dlpack__ is called, to make capsules that are wrong.
    """

    def __init__(self, array, *, device=(CPU, 0), versioned=True, understands_version=True, strides=True, offset=0):
        _alive.append(self)
        self.array = array
        self.device = device
        self.understands_version = understands_version
        self.deleted = 0
        self.destroyed = 0
        self.streams = []
        self.raises = None
        self.shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
        self.strides = (ctypes.c_int64 * max(array.ndim, 1))(*(s // array.itemsize for s in array.strides))
        tensor = Tensor(array.ctypes.data - offset if array.size else None, Device(*device), array.ndim,
                        Type(CODES[array.dtype.kind], 8 * array.itemsize, 1), self.shape,
                        self.strides if strides else None, offset)
        self._deleter = DELETER(self._delete)
        self._destructor = DESTRUCTOR(self._destroy)
        if versioned:
            self.struct = Versioned(1, 1, None, self._deleter, 0 if array.flags.writeable else 1, tensor)
            self.name = b"dltensor_versioned"
        else:
            self.struct = Managed(tensor, None, self._deleter)
            self.name = b"dltensor"

    def _delete(self, _):
        self.deleted += 1

    def _destroy(self, capsule):
        self.destroyed += 1
        if _valid(capsule, self.name):  # nobody has consumed it
            self.deleted += 1

    def capsule(self):
        return _new(ctypes.addressof(self.struct), self.name, self._destructor)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if not self.understands_version and "max_version" in options:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        self.streams.append(options.get("stream"))
        if self.raises:
            raise self.raises
        return self.capsule()


class CudaInterface:
    """An object with the CUDA array interface, whose memory is not on a GPU."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, not array.flags.writeable),
            "version": 3, "strides": None if array.flags.c_contiguous else array.strides, **changes}


def cloud(n=50, seed=1):
    """Points in a few heaps."""
    random = np.random.default_rng(seed)
    return (random.integers(0, 4, (n, 3)) * 10 + random.random((n, 3))).astype(np.float32)
