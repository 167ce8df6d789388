# SPDX-License-Identifier: BSD-3-Clause
"""DLPack: capsules in, capsules out. All memory is of the host here; what a GPU needs is in tests/gpu."""

import contextlib
import ctypes
import gc
import os
import sys
import threading

import numpy as np
import pytest

from support import capsules
from support import data
import clump
from clump import _clump

BOTH = pytest.mark.parametrize("versioned", [False, True])


def view_of(producer):
    capsule = producer.capsule()
    try:
        return _clump.view_capsule(capsule, 0, False)
    finally:
        del capsule  # its destructor is in Python: it must not run while an exception is on its way


@BOTH
def test_a_view_shows_the_memory(versioned):
    array = capsules.cloud()
    producer = capsules.Producer(array, versioned=versioned)
    view = view_of(producer)
    assert (view.shape, view.strides, view.dtype, view.device) == ((50, 3), (12, 4), "float32", "cpu")
    assert view.pointer == array.ctypes.data and len(view) == 50 and not view.read_only
    assert repr(view) == "<clump.DeviceView float32 (50, 3) on cpu>"
    seen = np.asarray(view)
    assert np.shares_memory(seen, array) and (seen == array).all()
    assert producer.deleted == 0
    del view
    assert producer.deleted == 0, "the array of NumPy still uses the memory"
    del seen
    assert producer.deleted == 1


@BOTH
def test_the_capsule_is_renamed_and_cannot_be_used_twice(versioned):
    producer = capsules.Producer(capsules.cloud(), versioned=versioned)
    capsule = producer.capsule()
    view = _clump.view_capsule(capsule, 0, False)
    assert capsules.name_of(capsule) == ("used_dltensor_versioned" if versioned else "used_dltensor")
    with pytest.raises(clump.ArgumentError, match="used already"):
        _clump.view_capsule(capsule, 0, False)
    del capsule
    assert (producer.destroyed, producer.deleted) == (1, 0)
    del view
    assert producer.deleted == 1


@BOTH
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"])
def test_types(versioned, dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    seen = np.asarray(view_of(capsules.Producer(array, versioned=versioned)))
    assert seen.dtype == array.dtype and (seen == array).all()


@BOTH
def test_strides_offset_and_order(versioned):
    whole = np.arange(200, dtype=np.float32).reshape(20, 10)
    for array in (whole[::2, 3:7], whole[::-1], whole.T, whole[5:6], whole[:, :1]):
        for offset in (0, 4, 40, 2**33):
            seen = np.asarray(view_of(capsules.Producer(array, versioned=versioned, offset=offset)))
            assert (seen == array).all() and seen.shape == array.shape
    seen = np.asarray(view_of(capsules.Producer(whole, versioned=versioned, strides=False)))
    assert (seen == whole).all()


@BOTH
def test_empty_and_without_memory(versioned):
    for shape in ((0, 3), (0,), (5, 0)):
        view = view_of(capsules.Producer(np.empty(shape, np.float32), versioned=versioned))
        assert view.pointer == 0 and np.asarray(view).shape == shape
    producer = capsules.Producer(capsules.cloud(), versioned=versioned)
    producer.struct.tensor.data = None
    with pytest.raises(clump.ArgumentError, match="elements but no memory"):
        view_of(producer)
    assert producer.deleted == 1, "a capsule that is not consumed deletes its tensor itself"


def test_read_only():
    array = capsules.cloud()
    array.flags.writeable = False
    view = view_of(capsules.Producer(array))
    assert view.read_only and not np.asarray(view).flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        view.__dlpack__()
    capsule = view.__dlpack__(max_version=(1, 0))
    assert capsules.tensor_in(capsule).flags == 1


def change(producer, **members):
    for name, value in members.items():
        target = producer.struct if name in ("major", "deleter") else producer.struct.tensor
        for part in name.split("_")[:-1]:
            target = getattr(target, part)
        setattr(target, name.split("_")[-1], value)


@BOTH
@pytest.mark.parametrize("members, sentence", [
    ({"type_lanes": 2}, "type code 2 with 32 bits and 2 lanes"),
    ({"type_lanes": 0}, "0 lanes"),
    ({"type_bits": 4}, "4 bits"),
    ({"type_code": 5}, "type code 5"),
    ({"type_code": 77}, "type code 77"),
    ({"device_type": 4}, "device of type 4"),
    ({"device_type": -1}, "device of type -1"),
    ({"ndim": -1}, "-1 dimensions"),
    ({"ndim": 9}, "9 dimensions"),
    ({"shape": None}, "no shape"),
])
def test_tensors_that_cannot_be_used(versioned, members, sentence):
    producer = capsules.Producer(capsules.cloud(), versioned=versioned)
    change(producer, **members)
    with pytest.raises(clump.ArgumentError, match=sentence):
        view_of(producer)
    assert (producer.destroyed, producer.deleted) == (1, 1)


@BOTH
def test_shapes_that_cannot_be(versioned):
    for shape, strides in (((-1, 3), (3, 1)), ((2**62, 2**62), (3, 1)), ((2, 3), (2**62, 1))):
        producer = capsules.Producer(capsules.cloud(), versioned=versioned)
        producer.shape[:] = shape
        producer.strides[:] = strides
        with pytest.raises(clump.ArgumentError):
            view_of(producer)
        assert producer.deleted == 1


def test_versions():
    for minor in (0, 1, 99):
        producer = capsules.Producer(capsules.cloud())
        producer.struct.minor = minor
        assert view_of(producer).shape == (50, 3)
    producer = capsules.Producer(capsules.cloud())
    producer.struct.major = 2
    with pytest.raises(clump.ArgumentError, match=r"version 2\.1"):
        view_of(producer)
    assert producer.deleted == 1


@BOTH
def test_a_tensor_without_a_deleter(versioned):
    producer = capsules.Producer(capsules.cloud(), versioned=versioned)
    producer.struct.deleter = capsules.DELETER()
    view = view_of(producer)
    del view
    assert producer.deleted == 0


def test_no_capsules():
    for thing in (None, 1, "dltensor", capsules._new(1, b"other", capsules.DESTRUCTOR())):
        with pytest.raises(TypeError, match="did not return a DLPack capsule"):
            _clump.view_capsule(thing, 0, False)


def test_an_exception_survives_the_deleter():
    producer = capsules.Producer(capsules.cloud())

    def deleter(_):
        try:
            raise KeyError("inside the deleter")
        except KeyError:
            producer.deleted += 1

    producer._deleter = producer.struct.deleter = capsules.DELETER(deleter)
    with pytest.raises(ZeroDivisionError):
        view = [view_of(producer)]
        view.append(1 / 0)
    del view
    gc.collect()
    assert producer.deleted == 1


# --- export ----------------------------------------------------------------------------------------------------------------


@BOTH
def test_export(versioned):
    array = capsules.cloud()[::2]
    view = view_of(capsules.Producer(array))
    capsule = view.__dlpack__(max_version=(1, 0)) if versioned else view.__dlpack__()
    assert capsules.name_of(capsule) == ("dltensor_versioned" if versioned else "dltensor")
    struct = capsules.tensor_in(capsule)
    if versioned:
        assert (struct.major, struct.flags) == (1, 0)
    tensor = struct.tensor
    assert (tensor.data, tensor.ndim, tensor.shape[0], tensor.strides[0]) == (array.ctypes.data, 2, 25, 6)
    assert (tensor.type.code, tensor.type.bits, tensor.type.lanes, tensor.byte_offset) == (2, 32, 1, 0)
    before = sys.getrefcount(view)
    again = np.asarray(_clump.view_capsule(capsule, 0, False))
    assert (again == array).all()
    del again
    assert sys.getrefcount(view) == before - 1, "the deleter gives the view back"


def test_an_export_that_is_not_used_gives_the_view_back():
    view = view_of(capsules.Producer(capsules.cloud()))
    before = sys.getrefcount(view)
    for version in (None, (1, 0), (0, 8), (7, 3)):
        capsule = view.__dlpack__(max_version=version)
        assert sys.getrefcount(view) == before + 1
        del capsule
        assert sys.getrefcount(view) == before


def test_the_memory_lives_as_long_as_the_export():
    producer = capsules.Producer(capsules.cloud())
    view = view_of(producer)
    array = np.from_dlpack(view)
    assert (array == producer.array).all() and np.shares_memory(array, producer.array)
    del view
    gc.collect()
    assert producer.deleted == 0
    del array
    gc.collect()
    assert producer.deleted == 1


@BOTH
def test_a_consumer_without_the_gil(versioned):
    """Consumers call the deleter in any thread, with the GIL or without. A call by ctypes has released it."""
    producer = capsules.Producer(capsules.cloud())
    view = view_of(producer)
    before = sys.getrefcount(view)
    capsule = view.__dlpack__(max_version=(1, 0) if versioned else None)
    struct = capsules.tensor_in(capsule)
    capsules.consume(capsule)
    del capsule
    assert sys.getrefcount(view) == before + 1
    thread = threading.Thread(target=lambda: struct.deleter(ctypes.addressof(struct)))
    thread.start()
    thread.join()
    assert sys.getrefcount(view) == before
    del view
    assert producer.deleted == 1


def test_options_of_the_export():
    view = view_of(capsules.Producer(capsules.cloud()))
    assert view.__dlpack_device__() == (1, 0)
    view.__dlpack__(stream=None, dl_device=(1, 0), copy=False)
    view.__dlpack__(stream=-1)
    for options, error in (({"copy": True}, BufferError), ({"dl_device": (2, 0)}, BufferError),
                           ({"stream": 1}, ValueError), ({"stream": "s"}, TypeError), ({"max_version": 1}, TypeError),
                           ({"dl_device": 1}, TypeError), ({"other": 1}, TypeError)):
        with pytest.raises(error):
            view.__dlpack__(**options)
    with pytest.raises(AttributeError):
        view.__cuda_array_interface__


def test_export_of_memory_on_a_gpu():
    """Nothing is read or written: only the addresses travel."""
    array = np.zeros((4, 3), np.float32)
    view = _clump.view_pointer(4096, (4, 3), (24, 4), "<f4", 1, True, 1, False, array)
    assert view.__dlpack_device__() == (2, 1) and view.device == "cuda:1"
    for stream in (None, 1, 2, 12345678, -1):
        view.__dlpack__(stream=stream, max_version=(1, 0))
    for stream in (0, -2):
        with pytest.raises(ValueError, match="no stream"):
            view.__dlpack__(stream=stream, max_version=(1, 0))
    assert view.__cuda_array_interface__ == {"shape": (4, 3), "typestr": "<f4", "data": (4096, True), "strides": (24, 4),
                                             "version": 3, "stream": None}
    plain = _clump.view_pointer(4096, (4,), None, "<i4", 0, False, 1, False, array)
    assert plain.__cuda_array_interface__["strides"] is None
    empty = _clump.view_pointer(4096, (0,), None, "<i4", 0, False, 1, False, array)
    assert empty.__cuda_array_interface__["data"] == (0, False)
    with pytest.raises(BufferError, match="on a GPU"):
        memoryview(view)


def test_views_of_addresses():
    array = capsules.cloud()
    before = sys.getrefcount(array)
    view = _clump.view_pointer(array.ctypes.data, array.shape, array.strides, "<f4", -1, False, 0, False, array)
    assert sys.getrefcount(array) == before + 1 and (np.asarray(view) == array).all()
    del view
    assert sys.getrefcount(array) == before
    for arguments, sentence in (((0, (2, 3), None, "<f4"), "no memory"), ((8, (1,) * 5, None, "<f4"), "5 dimensions"),
                                ((8, (2, 3), (4,), "<f4"), "strides"), ((8, (2, 3), None, ">f4"), "'>f4'"),
                                ((8, (-2, 3), None, "<f4"), "-2 long"), ((8, (2**62, 8), None, "<f4"), "too large")):
        with pytest.raises(clump.ArgumentError, match=sentence):
            _clump.view_pointer(*arguments, -1, False, 0, False, None)
    with pytest.raises(TypeError):
        type(_clump.view_pointer(8, (1,), None, "<f4", -1, False, 0, False, None))()


def test_views_as_arguments():
    """Views of host memory go where arrays go."""
    points = capsules.cloud(200)
    labels = np.empty(200, np.int32)
    with clump.Context("cpu") as context:
        arguments = (0.8, "fast", {}, None)
        expected = clump.ec(points, 0.8)
        _clump.ec(context, view_of(capsules.Producer(points)), None, view_of(capsules.Producer(labels)), *arguments)
        assert (labels == expected).all()
        read_only = labels.copy()
        read_only.flags.writeable = False
        for bad, error in ((labels[:7], clump.ArgumentError), (labels.astype("i8"), TypeError),
                           (read_only, clump.ArgumentError), (np.zeros(400, np.int32)[::2], clump.ArgumentError)):
            with pytest.raises(error):
                _clump.ec(context, points, None, view_of(capsules.Producer(bad)), *arguments)
        for bad in (points[:, :2], points[0], points.astype("f8"), points[:, ::-1], np.repeat(points, 3, 1)[:, ::3]):
            with pytest.raises(clump.ArgumentError):
                _clump.ec(context, view_of(capsules.Producer(bad)), None, labels, *arguments)


def test_nothing_leaks():
    """Many views in and out: no reference and no memory stays."""
    array = capsules.cloud(2000)
    producers = [capsules.Producer(array, versioned=versioned) for versioned in (False, True)]
    broken = capsules.Producer(array)
    broken.struct.tensor.type.lanes = 3

    def work(times):
        for k in range(times):
            view = view_of(producers[k % 2])
            np.from_dlpack(view)
            view.__dlpack__(max_version=(1, 0))
            clump.ec(producers[k % 2], 0.8)
            with contextlib.suppress(clump.ArgumentError):
                view_of(broken)

    work(200)
    references = sys.getrefcount(array)
    gc.collect()
    before = data.resident()
    work({1: 500, 2: 1500, 3: 10000}[data.TIER])
    gc.collect()
    assert sys.getrefcount(array) == references
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # the sanitizer keeps freed memory for a while
        assert data.resident() - before < 4 << 20
    for producer in producers:
        assert producer.deleted == producer.destroyed
