# SPDX-License-Identifier: BSD-3-Clause
"""Clouds in files: reading, writing, views of memory, bad input."""

import gc
import io
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import pytest

import clump
from support.data import peak_of

XYZ = np.array([[0, 0, 0], [0.25, 0, 0], [8, 1, 2], [8, 1.5, 2]], np.float32)
UTM = np.array([[500000.123, 4649776.224, 101.5], [500000.456, 4649776.9, 101.25], [500021.001, 4649790.002, 99.875]])


def rich():
    return clump.Cloud(XYZ, fields={"intensity": np.arange(4, dtype=np.float32), "ring": np.arange(4, dtype=np.uint16),
                                    "rgb": np.arange(12, dtype=np.uint8).reshape(4, 3)})


@pytest.mark.parametrize("name", ["a.pcd", "a.ply", "a.las", "a.laz", "a.xyz", "a.npy", "a.bin", "a.pcd.bin"])
def test_round_trip(tmp_path, name):
    path = tmp_path / name
    clump.write(path, XYZ, fields={"intensity": np.array([1, 2, 3, 4], np.uint16)})
    back = clump.read(path)
    assert len(back) == 4
    assert np.allclose(back.coordinates(), XYZ, atol=1e-3)
    if "intensity" in back:
        assert back["intensity"].tolist() == [1, 2, 3, 4]
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("extension", ["pcd", "ply"])
@pytest.mark.parametrize("encoding", ["ascii", "binary", "compressed", "big-endian"])
def test_encodings(tmp_path, extension, encoding):
    path = tmp_path / f"a.{extension}"
    if (extension, encoding) in (("ply", "compressed"), ("pcd", "big-endian")):
        with pytest.raises(clump.Error):
            clump.write(path, rich(), encoding=encoding)
        assert not path.exists()
        return
    clump.write(path, rich(), encoding=encoding)
    back = clump.read(path)
    assert back.info.encoding == encoding
    assert np.array_equal(back.xyz, XYZ)
    assert back["ring"].dtype == np.uint16 and back["ring"].tolist() == [0, 1, 2, 3]


def test_labels(tmp_path):
    path = tmp_path / "labelled.pcd"
    clump.write(path, rich(), labels=np.array([0, 0, 1, -1]))
    assert clump.read(path)["label"].tolist() == [0, 0, 1, -1]
    clump.write(tmp_path / "a.npy", XYZ, labels=[5, 4, 3, 2])
    assert np.load(tmp_path / "a.npy").tolist() == [5, 4, 3, 2]
    clump.write(tmp_path / "a.labels", XYZ, labels=[5, 4, 3, 2])
    assert np.fromfile(tmp_path / "a.labels", np.int32).tolist() == [5, 4, 3, 2]


def test_float64_keeps_its_digits(tmp_path):
    for name in ("utm.pcd", "utm.npy", "utm.ply"):
        clump.write(tmp_path / name, UTM)
        back = clump.read(tmp_path / name)
        assert np.array_equal(back.coordinates(), UTM)
        assert back.origin.tolist() == [500000, 4649776, 99]
        assert np.abs(back.xyz + back.origin - UTM).max() < 1e-5
        assert np.asarray(back).dtype["x"] == np.float64
        assert np.array_equal(back["y"], UTM[:, 1])
    assert clump.Cloud(UTM.round().astype(np.int64)).coordinates().tolist() == UTM.round().tolist()


def test_views_keep_the_cloud_alive_and_share_its_memory():
    cloud = rich()
    xyz, ring, rgb = cloud.xyz, cloud["ring"], cloud["rgb"]
    assert rgb.shape == (4, 3) and rgb.dtype == np.uint8
    assert np.shares_memory(xyz, cloud.xyz) and np.shares_memory(ring, cloud["ring"])
    assert np.shares_memory(cloud["x"], xyz)
    cloud.xyz[0] = 7
    ring[1] = 99
    assert xyz[0].tolist() == [7, 7, 7] and cloud["ring"][1] == 99
    del cloud
    gc.collect()
    assert xyz[2].tolist() == [8, 1, 2] and ring.tolist() == [0, 99, 2, 3]


def test_memoryview_of_a_view():
    from clump import _clump
    view = memoryview(_clump.cloud_xyz(rich()._handle))
    assert (view.format, view.shape, view.strides, view.readonly) == ("f", (4, 3), (12, 4), False)
    assert bytes(view.cast("B"))[:12] == XYZ[0].tobytes()


def test_a_field_in_use_keeps_its_memory():
    cloud = rich()
    view = cloud["ring"]
    cloud["ring"] = np.array([9, 8, 7, 6], np.uint16)  # same type: in place
    assert view.tolist() == [9, 8, 7, 6]
    with pytest.raises(BufferError, match="ring would change its type"):
        cloud["ring"] = np.zeros(4, np.float64)
    cloud["new"] = np.zeros(4)
    del view
    cloud["ring"] = np.zeros(4, np.float64)
    assert cloud["ring"].dtype == np.float64


def test_structured_array_and_back(tmp_path):
    table = np.asarray(rich())
    assert table.dtype.names == ("x", "y", "z", "intensity", "ring", "rgb")
    assert table["rgb"].shape == (4, 3)
    assert np.array_equal(np.asarray(rich(), float), XYZ) and np.asarray(rich(), np.float32).dtype == np.float32
    clump.write(tmp_path / "a.pcd", table)
    back = clump.read(tmp_path / "a.pcd")
    assert back.fields == ("intensity", "ring", "rgb")
    assert np.array_equal(np.asarray(back), table)


def test_data_frame(tmp_path):
    pandas = pytest.importorskip("pandas", reason="run scripts/setup.sh --python-long")
    frame = pandas.DataFrame(np.asarray(clump.Cloud(XYZ, fields={"ring": np.arange(4)})))
    clump.write(tmp_path / "a.ply", frame)
    assert clump.read(tmp_path / "a.ply")["ring"].tolist() == [0, 1, 2, 3]


def test_points_of_other_libraries(tmp_path):
    assert clump.Cloud(clump.Cloud(UTM, fields={"a": [1, 2, 3]})).fields == ("a",)
    assert np.array_equal(clump.Cloud(clump.Cloud(UTM)).coordinates(), UTM)
    torch = pytest.importorskip("torch", reason="run scripts/setup.sh --python-rivals")
    clump.write(tmp_path / "a.pcd", torch.from_numpy(XYZ), labels=torch.arange(4))
    assert clump.read(tmp_path / "a.pcd")["label"].tolist() == [0, 1, 2, 3]


def test_bytes_and_open_files(tmp_path):
    path = tmp_path / "a.pcd"
    clump.write(path, rich())
    contents = path.read_bytes()
    for source in (contents, bytearray(contents), memoryview(contents), io.BytesIO(contents), open(path, "rb")):
        assert np.array_equal(clump.read(source).xyz, XYZ)
    assert len(clump.read(XYZ.tobytes(), columns="xyz")) == 4
    with open(path, encoding="latin-1") as text, pytest.raises(TypeError, match="mode 'rb'"):
        clump.read(text)
    assert clump.read(str(path)).info.format == clump.read(pathlib.Path(path)).info.format == "pcd"


def test_las_keeps_header_and_integers(tmp_path):
    clump.write(tmp_path / "a.las", UTM)
    first = clump.read(tmp_path / "a.las")
    clump.write(tmp_path / "b.las", first, labels=[0, 1, -1])
    second = clump.read(tmp_path / "b.las")
    assert np.array_equal(first.coordinates(), second.coordinates())
    assert second["label"].tolist() == [0, 1, -1]


def test_info_and_repr(tmp_path):
    clump.write(tmp_path / "a.pcd", rich())
    cloud = clump.read(tmp_path / "a.pcd")
    assert cloud.info.width == 4 and cloud.info.height == 1 and cloud.info.coordinate_type == "float32"
    assert cloud.info.viewpoint == (0, 0, 0, 1, 0, 0, 0) and cloud.info.note == ""
    assert repr(cloud) == "<clump.Cloud: 4 points, x y z intensity ring rgb, from pcd>"
    assert repr(clump.Cloud(UTM)) == "<clump.Cloud: 3 points, x y z, origin 500000 4649776 99, from npy>"
    assert len(clump.Cloud(np.empty((0, 3), np.float32))) == 0
    with pytest.raises(TypeError):
        iter(cloud)


def test_a_cloud_is_not_pickled_its_array_is():
    with pytest.raises(TypeError, match="numpy.asarray"):
        pickle.dumps(rich())
    again = pickle.loads(pickle.dumps(np.asarray(rich())))
    assert clump.Cloud(again).fields == rich().fields


def test_missing_file(tmp_path):
    path = tmp_path / "none.pcd"
    with pytest.raises(clump.FileError, match=f"{path}: ") as caught:
        clump.read(path)
    assert isinstance(caught.value, FileNotFoundError) and isinstance(caught.value, OSError)
    with pytest.raises(clump.FileError):
        clump.write(tmp_path / "no" / "folder.pcd", XYZ)
    with pytest.raises(clump.FileError):
        clump.read(tmp_path)


def test_odd_file_names(tmp_path):
    path = tmp_path / "caf\u00e9 \u70b9.pcd"
    clump.write(path, XYZ)
    assert len(clump.read(path)) == 4
    raw = bytes(tmp_path) + b"/\xff\xfe.pcd"
    with open(raw, "wb") as file:
        file.write(b"nonsense\n")
    with pytest.raises(clump.FormatError) as caught:
        clump.read(os.fsdecode(raw))
    assert os.fsdecode(raw) in str(caught.value)
    with pytest.raises(ValueError):
        clump.read("a\0b.pcd")


@pytest.mark.parametrize("contents", [b"", b"\0", b"abc", b"# .PCD v0.7\n", b"ply\n", b"LASF", b"\x93NUMPY", b"\xff" * 100])
@pytest.mark.parametrize("format", [None, "pcd", "ply", "las", "laz", "npy", "kitti", "text", "nuscenes", "raw", "labels"])
def test_broken_contents_give_a_sentence(contents, format):
    try:
        cloud = clump.read(contents, format=format)
    except (clump.FormatError, clump.ArgumentError) as error:
        assert len(str(error)) > 10
    else:
        assert len(cloud) * 12 <= max(len(contents), 1)


def test_truncated(tmp_path):
    path = tmp_path / "cut.pcd"
    clump.write(path, rich())
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(clump.FormatError, match="cut.pcd"):
        clump.read(path)
    part = clump.read(path, partial=True)
    assert len(part) == 3 and part.info.note


def test_bad_arguments(tmp_path):
    path = tmp_path / "a.pcd"
    bad = [(clump.ArgumentError, "there is no format 'foo'", dict(points=XYZ, format="foo")),
           (clump.ArgumentError, "there is no encoding 'foo'", dict(points=XYZ, encoding="foo")),
           (clump.ArgumentError, "labels have the shape", dict(points=XYZ, labels=[1])),
           (TypeError, "labels have the type float64", dict(points=XYZ, labels=[0.5] * 4)),
           (clump.ArgumentError, "does not fit into int32", dict(points=XYZ, labels=[2**40] * 4)),
           (clump.ArgumentError, "2 columns; x, y and z are needed", dict(points=XYZ[:, :2])),
           (clump.ArgumentError, "1 dimension", dict(points=XYZ[0])),
           (TypeError, "object", dict(points=XYZ.astype(object))),
           (TypeError, "complex64", dict(points=XYZ.astype(np.complex64))),
           (TypeError, "bool", dict(points=XYZ.astype(bool))),
           (TypeError, "clump.read reads files", dict(points="a.pcd")),
           (clump.ArgumentError, "the field 'a' has the shape", dict(points=XYZ, fields={"a": [1, 2]})),
           (TypeError, "the field 'a' has the type", dict(points=XYZ, fields={"a": list("abcd")})),
           (clump.ArgumentError, "cannot be the name of a field", dict(points=XYZ, fields={"a b": range(4)})),
           (clump.ArgumentError, "a Cloud has its own fields", dict(points=rich(), fields={"a": range(4)})),
           (clump.Error, "labels", dict(points=XYZ, format="labels"))]
    for error, sentence, arguments in bad:
        with pytest.raises(error, match=sentence):
            clump.write(path, **arguments)
        assert not path.exists()
    with pytest.raises(KeyError, match="the cloud has no field 'foo'"):
        rich()["foo"]
    with pytest.raises(TypeError, match="points are in .xyz"):
        rich()[0]
    with pytest.raises(TypeError):
        clump.read(7)


def test_types_and_layouts_of_points(tmp_path):
    for points in (XYZ.astype(">f4"), XYZ.astype(np.float16), XYZ[::-1], np.asfortranarray(XYZ), XYZ.tolist(),
                   XYZ.astype(np.float64), np.hstack([XYZ, XYZ])[:, :4]):
        cloud = clump.Cloud(points)
        assert np.array_equal(cloud.xyz, np.asarray(points, np.float32)[:, :3])
    holes = XYZ.copy()
    holes[1] = np.nan
    assert np.array_equal(clump.Cloud(holes.astype(np.float64)).xyz, holes, equal_nan=True)


def test_cloud_as_points():
    assert clump.ec(rich(), 1.0).tolist() == clump.ec(XYZ, 1.0).tolist() == [0, 0, 1, 1]
    assert clump.ec(clump.Cloud(UTM), 1.0).tolist() == [0, 0, 1]


def test_changes_of_xyz_are_kept(tmp_path):
    clump.write(tmp_path / "a.las", np.array([[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]]))
    cloud = clump.read(tmp_path / "a.las")
    assert clump.ec(cloud, 0.15).tolist() == [0, 0, 0]
    cloud.xyz[2] += 5
    assert clump.ec(cloud, 0.15).tolist() == [0, 0, 1]
    clump.write(tmp_path / "b.las", cloud)
    assert clump.read(tmp_path / "b.las").coordinates().tolist() == [[0, 0, 0], [0.1, 0, 0], [5.2, 5, 5]]


PIPE = """
import os, sys, threading, clump
contents = open(sys.argv[1], "rb").read()
os.mkfifo(sys.argv[2])
writer = threading.Thread(target=lambda: open(sys.argv[2], "wb").write(contents))
writer.start()
print(len(clump.read(sys.argv[2])))
writer.join()
"""


def test_the_gil_is_released_while_reading(tmp_path):
    clump.write(tmp_path / "a.pcd", XYZ)
    command = [sys.executable, "-c", PIPE, tmp_path / "a.pcd", tmp_path / "pipe.pcd"]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=60)  # with the GIL held it would wait for itself
    assert done.stdout == b"4\n"


def test_threads_read_and_write_at_once(tmp_path):
    points = np.random.default_rng(1).random((20000, 3), np.float32)
    shared = clump.Cloud(points)
    failures = []

    def work(number):
        try:
            path = tmp_path / f"{number}.pcd"
            for _ in range(5):
                clump.write(path, shared)
                if not np.array_equal(clump.read(path).xyz, points):
                    failures.append(number)
        except Exception as error:  # a thread has no caller
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_no_leak(tmp_path):
    path = tmp_path / "a.pcd"
    clump.write(path, np.zeros((50000, 3), np.float32), labels=np.zeros(50000, int))

    def repeat(times):
        for _ in range(times):
            cloud = clump.read(path)
            cloud["label"], cloud.xyz, cloud.coordinates(), np.asarray(cloud)
            with pytest.raises(clump.FormatError):
                clump.read(b"x", format="pcd")

    repeat(30)
    assert peak_of(lambda: repeat(100)) < 20000  # 80 MB, if clouds stayed


def test_failures_keep_no_object(tmp_path):
    from clump import _clump
    cloud = rich()
    handle, three, nine = cloud._handle, np.zeros(3), np.zeros((3, 3), np.float32)
    fails = [lambda: clump.read(tmp_path / "none"), lambda: clump.read(b"x", format="pcd"), lambda: cloud["none"],
             lambda: clump.write(tmp_path / "a.pcd", cloud, labels=[1]), lambda: clump.frames(tmp_path / "none"),
             lambda: _clump.cloud_xyz(3), lambda: _clump.cloud_create(nine[:, :2], (0, 0, 0)),
             lambda: _clump.cloud_set_field(handle, "a b", 0, 1, b"abcd"),
             lambda: _clump.cloud_set_field(handle, "a", 0, 1, b"ab"), lambda: _clump.cloud_coordinates(handle, three),
             lambda: _clump.cloud_steps(handle, False, three, nine), lambda: _clump.cloud_steps(handle, False, None, nine),
             lambda: _clump.cloud_save(handle, b"a.pcd", three, 0, 0, 1),
             lambda: _clump.recording_open([3], True, None, None, None, False, None, 0)]

    def repeat(times):
        for _ in range(times):
            for fail in fails:
                try:
                    fail()
                except (clump.Error, KeyError, TypeError, ValueError):
                    continue
                raise AssertionError("no failure")

    repeat(20)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    repeat(500)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 8000  # one object per failure would be 24000 bytes or more
