# SPDX-License-Identifier: BSD-3-Clause
"""What is taken as points, without a copy or with one, and the sentences for what is not."""

import array
import mmap

import numpy as np
import pytest

import clump
from clump import _points

LINE = np.array([[0, 0, 0], [1, 0, 0], [9, 0, 0]], np.float32)


def shares_memory(points):
    return np.shares_memory(_points.take(points).rows, points)


def test_no_copy():
    assert shares_memory(LINE)
    wide = np.zeros((5, 6), np.float32)
    assert shares_memory(wide) and shares_memory(wide[:, :3]) and shares_memory(wide[:, 2:5]) and shares_memory(wide[::2])
    wide.flags.writeable = False
    assert shares_memory(wide)
    table = np.zeros(5, [("t", "f8"), ("x", "f4"), ("y", "f4"), ("z", "f4"), ("i", "u2"), ("pad", "u2")])
    assert np.shares_memory(_points.take(table).rows, table)


def test_odd_strides_are_copied():
    packed = np.zeros(5, np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("i", "u1")]))  # 13 bytes
    packed["x"] = [0, 1, 9, 10, 20]
    assert clump.ec(packed, 1.5).tolist() == [0, 0, 1, 1, 2]
    raw = np.zeros(5 * 12 + 1, np.uint8)
    unaligned = raw[1:].view(np.float32).reshape(5, 3)
    assert not unaligned.flags.aligned
    assert clump.ec(unaligned, 1).tolist() == [0] * 5
    assert clump.ec(np.broadcast_to(LINE[0], (4, 3)), 1).tolist() == [0] * 4
    assert clump.ec(LINE[::-1], 1.5).tolist() == [0, 1, 1]
    assert clump.ec(np.asfortranarray(LINE), 1.5).tolist() == [0, 0, 1]
    assert clump.ec(LINE[:, ::-1], 1.5).tolist() == [0, 0, 1]


def test_odd_arguments_are_copied():
    def unaligned(values):
        raw = np.zeros(values.nbytes + 1, np.uint8)
        view = raw[1:].view(values.dtype)
        view[:] = values
        return view

    labels, values = np.array([0, 0, 1], np.int32), np.array([1, 3, 5], np.float32)
    for column in (unaligned(values), values[::-1].copy()[::-1], values.astype(">f4"), values.astype(np.float64),
                   values.astype(np.int16), np.repeat(values, 2)[::2], values.tolist()):
        for row in (unaligned(labels), labels.astype(np.uint64), np.repeat(labels, 2)[::2], labels.tolist()):
            clusters = clump.describe(LINE, row, values=column, heights=column)
            assert clusters["intensity"].tolist() == [2, 5] and clusters["height_above_ground"].tolist() == [3, 5]
    assert clump.labels_hash(unaligned(labels)) == clump.labels_hash(labels)
    assert [group.tolist() for group in clump.group(unaligned(labels))] == [[0, 1], [2]]


def test_containers():
    expected = [0, 0, 1]
    assert clump.ec(LINE.tolist(), 1.5).tolist() == expected
    assert clump.ec(tuple(map(tuple, LINE.tolist())), 1.5).tolist() == expected
    assert clump.ec([row for row in LINE], 1.5).tolist() == expected
    assert clump.ec(memoryview(LINE), 1.5).tolist() == expected
    assert clump.ec(np.ma.masked_array(LINE), 1.5).tolist() == expected
    assert clump.ec(np.ma.masked_array(LINE, mask=[[0, 0, 0], [0, 1, 0], [0, 0, 0]]), 1.5).tolist() == [0, -1, 1]
    assert clump.ec(np.asmatrix(LINE), 1.5).tolist() == expected
    flat = array.array("f", LINE.ravel())
    assert clump.ec(memoryview(flat).cast("B").cast("f", (3, 3)), 1.5).tolist() == expected

    class Holder:
        def __array__(self, dtype=None, copy=None):
            return LINE.astype(dtype) if dtype else LINE

    assert clump.ec(Holder(), 1.5).tolist() == expected


def test_memory_maps(tmp_path):
    path = tmp_path / "scan.bin"
    np.hstack([LINE, np.zeros((3, 1), np.float32)]).tofile(path)
    assert clump.ec(np.memmap(path, np.float32, mode="r").reshape(-1, 4), 1.5).tolist() == [0, 0, 1]
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
        points = np.frombuffer(memory, np.float32).reshape(-1, 4)
        assert clump.ec(points, 1.5).tolist() == [0, 0, 1]
        del points


def test_data_frames():
    pandas = pytest.importorskip("pandas", reason="run scripts/setup.sh --python-long")
    named = pandas.DataFrame({"intensity": [5.0, 6, 7], "z": LINE[:, 2], "y": LINE[:, 1], "x": LINE[:, 0]})
    assert clump.ec(named, 1.5).tolist() == [0, 0, 1]
    unnamed = pandas.DataFrame({"name": ["a", "b", "c"], "e": LINE[:, 0], "n": LINE[:, 1], "h": LINE[:, 2], "i": [1, 2, 3]})
    assert clump.ec(unnamed, 1.5).tolist() == [0, 0, 1]
    with pytest.raises(clump.ArgumentError, match="2 columns of numbers; x, y and z are needed"):
        clump.ec(unnamed[["name", "e", "n"]], 1)
    clusters = clump.describe(named, [0, 0, 1], values=named["intensity"])
    frame = pandas.DataFrame(clusters)
    assert frame["count"].tolist() == [2, 1] and frame["intensity"].tolist() == [5.5, 7.0]
    assert list(frame.columns) == list(clusters.dtype.names)
    missing = named.astype("Float64")
    missing.loc[1, "x"] = pandas.NA
    assert clump.ec(missing, 1.5).tolist() == [0, -1, 1]
    with pytest.raises(clump.ArgumentError, match="points have more than one column 'x'"):
        clump.ec(named.rename(columns={"intensity": "x"}), 1)


def test_open3d():
    open3d = pytest.importorskip("open3d", reason="run scripts/setup.sh --python-rivals")
    cloud = open3d.geometry.PointCloud(open3d.utility.Vector3dVector(LINE.astype(float)))
    assert clump.ec(np.asarray(cloud.points), 1.5).tolist() == [0, 0, 1]
    assert clump.ec(cloud, 1.5).tolist() == [0, 0, 1]


@pytest.mark.parametrize("points, sentence", [
    (np.zeros(3, np.float32), "points have 1 dimension; shape (N, 3) is needed"),
    (np.zeros((2, 3, 3), np.float32), "points have 3 dimensions; shape (N, 3) is needed"),
    (np.zeros((4, 2), np.float32), "points have 2 columns; x, y and z are needed"),
    (np.zeros((4, 1)), "points have 1 column; x, y and z are needed"),
    (np.zeros((4, 0)), "points have 0 columns; x, y and z are needed"),
    ([], "points have 1 dimension; shape (N, 3) is needed"),
    ([[1, 2, 3], [4, 5]], "points are not an array"),
    (np.zeros(2, [("x", "f4"), ("y", "f4")]), "points have no field 'z'; x, y and z are needed"),
])
def test_wrong_shapes(points, sentence):
    for call in (lambda: clump.ec(points, 1), lambda: clump.dbscan(points, 1, 2), lambda: clump.ground(points),
                 lambda: clump.detect(points), lambda: clump.Index(points), lambda: clump.describe(points, [])):
        with pytest.raises(clump.ArgumentError) as caught:
            call()
        assert str(caught.value).startswith(sentence) and isinstance(caught.value, ValueError)


@pytest.mark.parametrize("points, sentence", [
    (np.zeros((4, 3), object), "points are an array of object; numbers are needed"),
    (np.zeros((4, 3), "U1"), "points are an array of str"),
    (np.zeros((4, 3), complex), "points are an array of complex128"),
    (np.zeros((4, 3), bool), "points are an array of bool"),
    (np.zeros((4, 3), "M8[s]"), "points are an array of datetime64[s]"),
    ([[None, 1, 2]], "points are an array of object"),
    (None, "points must be an array, not NoneType"),
    (7, "points must be an array, not int"),
    ("scan.pcd", "points must be an array, not str; clump.read reads files"),
])
def test_wrong_types(points, sentence):
    with pytest.raises(TypeError) as caught:
        clump.ec(points, 1)
    assert str(caught.value).startswith(sentence)


def test_wrong_masks():
    with pytest.raises(clump.ArgumentError, match="mask has 2 elements, but 3 are needed"):
        clump.ec(LINE, 1, mask=np.ones(2, bool))
    for mask in (np.ones(3), np.ones(3, np.int64), ["a", "b", "c"], [None] * 3):
        with pytest.raises(TypeError, match="mask must be an array of bool or uint8"):
            clump.ec(LINE, 1, mask=mask)
    assert clump.ec(LINE, 1.5, mask=[True, False, True]).tolist() == [0, -1, 1]
    assert clump.ec(LINE[:0], 1.5, mask=[]).tolist() == []
    assert clump.ec(LINE, 1.5, mask=np.array([1, 0, 0, 0, 2, 0], np.uint8)[::2]).tolist() == [0, -1, 1]


def test_wrong_values():
    for call, sentence in [
        (lambda: clump.ec(LINE, "a"), "d must be a number, not str"),
        (lambda: clump.ec(LINE, None), "d must be a number, not NoneType"),
        (lambda: clump.ec(LINE, 1, min_size=1.5), "min_size must be an integer, not float"),
        (lambda: clump.describe(LINE, [0, 0, 0], up=None), "up must be a string, not NoneType"),
        (lambda: clump.group(None), "labels must be an array, not NoneType"),
        (lambda: clump.boxes(LINE), "clusters must be what describe and detect give, not ndarray"),
        (lambda: clump.boxes([]), "clusters must be what describe and detect give, not list"),
        (lambda: clump.ec(LINE, 1, method=3), "method must be a string, not int"),
        (lambda: clump.ec(LINE, 1, sensor=3), "sensor must be a sequence of numbers, not int"),
        (lambda: clump.ec(LINE, 1, sensor="abc"), "sensor must be a number, not str"),
        (lambda: clump.ec(LINE, 1, context="cpu"), "context must be a clump.Context, not str"),
        (lambda: clump.dbscan(LINE, 1, 2.0), "min_points must be an integer, not float"),
        (lambda: clump.describe(LINE, [0.5, 1, 2]), "labels are an array of float64; integers are needed"),
        (lambda: clump.group(["a"]), "labels are an array of str"),
    ]:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value).startswith(sentence)
    for call, sentence in [
        (lambda: clump.ec(LINE, 0), "d is 0"),
        (lambda: clump.ec(LINE, float("nan")), "d is nan"),
        (lambda: clump.ec(LINE, 1e300), "d is inf"),
        (lambda: clump.ec(LINE, 1, min_size=-1), "min_size is -1, but cannot be negative"),
        (lambda: clump.ec(LINE, 1, max_size=1, min_size=2), "min_size 2 is larger than max_size 1"),
        (lambda: clump.ec(LINE, 1, sensor=(1, 2)), "sensor has 2 numbers, but needs 3"),
        (lambda: clump.ec(LINE * 1.1, 1, sensor=(1, 2)), "sensor has 2 numbers, but needs 3"),
        (lambda: clump.ec(LINE, 1, order="random"), "clusters: there is no order 'random'; there are: index, size"),
        (lambda: clump.ground(LINE, up="x"), "up: there is no axis 'x'; there are: z, y"),
        (lambda: clump.hdbscan(LINE, selection="best"), "hdbscan: there is no selection 'best'; there are: eom, leaf"),
        (lambda: clump.ground(LINE, method="flat"), "ground: there is no method 'flat'; there are: peak, grid, none"),
        (lambda: clump.detect(LINE, method="x"), "detect: there is no method 'x'; there are: ec, dbscan, erccl"),
        (lambda: clump.detect(LINE, crop=(1, 2)), "crop has 2 numbers, but needs 6"),
        (lambda: clump.dbscan(LINE, 1, 0), "min_points is 0"),
        (lambda: clump.erccl(LINE, reach=0), "reach is 0"),
        (lambda: clump.erccl(LINE, cell=-1, return_maps=True), "cell is -1"),
        (lambda: clump.describe(LINE, [0, 1]), "there are 2 labels for 3 points"),
        (lambda: clump.describe(LINE, [0, 1, 2**40]), "labels do not fit into 32 bits"),
        (lambda: clump.describe(LINE, [0, 1, 2], count=2), "labels[2] is 2, allowed are -2 to 1"),
        (lambda: clump.describe(LINE, [0, 1, 2], values=[1, 2]), "values has 2 elements, but 3 are needed"),
        (lambda: clump.group([[0], [1]]), "labels have 2 dimensions, but one is needed"),
        (lambda: clump.group([0, 1], count=-1), "count is -1"),
        (lambda: clump.Index(LINE).knn(LINE, 0), "k is 0, allowed are 1 to 128"),
        (lambda: clump.Index(LINE).knn(LINE, 129), "k is 129"),
        (lambda: clump.Index(LINE).knn(LINE, 2**40), "k is 1099511627776"),
        (lambda: clump.ec(np.broadcast_to(LINE[0], (2**31, 3)), 1), "there are 2147483648 points"),
        (lambda: clump.Index(np.broadcast_to(0.5, (2**31, 3))), "there are 2147483648 points"),
        (lambda: clump.Index(LINE).nearest(LINE, -1), "max_distance is -1"),
        (lambda: clump.icp(LINE, LINE, initial=np.eye(3)), "initial has shape (3, 3); (4, 4) is needed"),
        (lambda: clump.icp(LINE, LINE, method="line"), "icp: there is no method 'line'; there are: point, plane"),
        (lambda: clump.boxes(clump.describe(LINE, [0, 0, 0]), up="x"), "up: there is no axis 'x'"),
        (lambda: clump.Context("gpu"), "there is no device 'gpu'; there are: auto, cpu, cuda"),
        (lambda: clump.Context(threads=-1), "threads is -1, but cannot be negative"),
    ]:
        with pytest.raises(clump.ArgumentError) as caught:
            call()
        assert str(caught.value).startswith(sentence), str(caught.value)


def test_not_finite_points_and_empty_clouds():
    points = np.array([[0, 0, 0], [np.nan, 0, 0], [0, np.inf, 0], [0.5, 0, 0]])
    assert clump.ec(points, 1).tolist() == [0, -1, -1, 0]
    assert clump.dbscan(points.astype("f4"), 1, 2).tolist() == [0, -1, -1, 0]
    for kind in (np.float32, np.float64, np.int32):
        empty = np.empty((0, 3), kind)
        assert clump.ec(empty, 1).tolist() == []
        assert clump.dbscan(empty, 1, 2, return_core=True)[1].tolist() == []
        assert clump.ground(empty).tolist() == [] and clump.erccl(empty).tolist() == []
        found = clump.detect(empty)
        assert len(found.labels) == len(found.clusters) == 0
        assert len(clump.describe(empty, [])) == 0
        assert clump.Index(empty).nearest([[0, 0, 0]])[1].tolist() == [-1]
        assert clump.Index(LINE).nearest(empty)[1].tolist() == []
    assert clump.group(np.empty(0, np.int32)) == []
    assert len(clump.describe(np.empty((0, 3)), np.empty(0, int))) == 0
    assert clump.boxes(clump.describe(np.empty((0, 3)), np.empty(0, int))).shape == (0, 7)


# --- shapes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.float16])
def test_points_side_by_side_are_refused(kind):
    turned = np.random.default_rng(0).uniform(0, 9, (3, 100)).astype(kind)
    for points in (turned, np.asfortranarray(turned), turned.tolist(), np.vstack([turned, turned[:1]])):
        for call in (lambda p: clump.ec(p, 1), lambda p: clump.dbscan(p, 1, 3), clump.detect, clump.objects, clump.ground,
                     clump.Index, clump.Cloud, lambda p: clump.describe(p, np.zeros(3, int)),
                     lambda p: clump.ec(p[:2], 1, two_d=True)):
            with pytest.raises(clump.ArgumentError, match=r"have the shape \(\d, 100\); .* did you mean \.T\?$"):
                call(points)
        assert len(clump.ec(np.asarray(points).T, 1)) == 100
    with pytest.raises(clump.ArgumentError, match="points have 2 columns; .*did you mean .T"):
        clump.ec(turned[:, :2], 1)
    assert len(clump.ec(turned[:, :32], 1)) == 3  # three points with fields
    with pytest.raises(clump.ArgumentError, match="^queries: points have the shape"):
        clump.Index(turned.T).nearest(turned)
    with pytest.raises(clump.ArgumentError, match="^source: points have 2 columns"):
        clump.icp(turned.T, turned.T[:, :2])


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int16])
def test_two_columns(kind):
    points = np.random.default_rng(1).uniform(0, 20, (300, 3)).astype(kind)
    points[:, 2] = 0
    flat = points[:, :2]
    labels = clump.ec(points, 1.2)
    table = np.zeros(300, [("y", kind), ("x", kind)])
    table["x"], table["y"] = flat.T
    for given in (flat, np.ascontiguousarray(flat), np.asfortranarray(flat), flat.tolist(), table):
        assert np.array_equal(clump.ec(given, 1.2, two_d=True), labels)
        assert np.array_equal(clump.dbscan(given, 1.2, 4, two_d=True), clump.dbscan(points, 1.2, 4))
        found = clump.detect(given, d=1.2, min_size=1, two_d=True, ground="none")
        assert np.array_equal(found.labels, labels) and not found.clusters["upper_z"].any()
        with pytest.raises(clump.ArgumentError, match="x, y and z are needed"):
            clump.ec(given, 1)
        with pytest.raises(clump.ArgumentError, match="x, y and z are needed"):
            clump.detect(given, two_d=True)
    for call in (lambda: clump.ec(flat, 1), lambda: clump.dbscan(flat, 1, 3, two_d=False)):
        with pytest.raises(clump.ArgumentError, match="^points have 2 columns; x, y and z are needed; two columns are for two_d=True$"):
            call()
    with pytest.raises(clump.ArgumentError, match="two columns are for two_d=True and ground='none'$"):
        clump.detect(flat, two_d=True)
    for call in (clump.ground, clump.erccl, clump.objects, clump.Index, clump.Cloud):
        with pytest.raises(clump.ArgumentError, match="^points have 2 columns; x, y and z are needed$"):
            call(flat)
    with pytest.raises(clump.ArgumentError, match="^points have 1 column; x, y and z are needed$"):
        clump.ec(flat[:, :1], 1, two_d=True)
    far = np.array([[691234.1, 5334567.2], [691234.5, 5334567.2]])
    assert [clump.ec(far, d, two_d=True).tolist() for d in (0.39, 0.41)] == [[0, 1], [0, 0]]
