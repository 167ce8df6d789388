# SPDX-License-Identifier: BSD-3-Clause
"""float64 coordinates: large ones keep their millimetres, and results are in the frame of the caller."""

import numpy as np
import pytest

import clump
from clump import _points

UTM = np.array([691234.0, 5334567.0, 512.0])


@pytest.fixture
def scene():
    """A floor and two posts around 0, on a grid of 1/1024 m: float32 holds it, with and without an origin."""
    rng = np.random.default_rng(7)
    floor = np.column_stack([rng.uniform(-20, 20, (4000, 2)), np.full(4000, -1.75)])
    posts = [np.column_stack([rng.uniform(-0.2, 0.2, (60, 2)) + at, rng.uniform(-1.5, 0, 60)]) for at in ([5, 3], [-4, 6])]
    return np.round(np.vstack([floor, *posts]) * 1024) / 1024


def test_rule():
    cloud = _points.take(UTM + [[0.25, 0.125, 0.0625], [10.001, 10, 10]])
    assert cloud.origin == (691234.0, 5334567.0, 512.0)
    assert cloud.rows.dtype == np.float32 and cloud.rows[0].tolist() == [0.25, 0.125, 0.0625]
    assert _points.take(np.array([[0.1, 0.2, 0.3]])).origin is None  # the lower corner, rounded down, is 0
    assert _points.take(np.array([[-0.1, 0.2, 0.3]])).origin == (-1.0, 0.0, 0.0)
    assert _points.take(np.array([[2.0**30, 0.5, -7]])).origin is None  # float32 holds it
    assert _points.take(np.array([[16777217, 0, 5]])).origin == (16777217.0, 0.0, 5.0)
    far = _points.take(np.array([[0.1, 0, 3], [1e9, 0, 4]]))
    assert far.origin == (0.0, 0.0, 3.0)  # longer than 2^24 along x
    gaps = _points.take(np.array([[100.1, 5, 5], [np.nan, -1e6, 0], [101, 6, np.inf]]))
    assert gaps.origin == (100.0, 5.0, 5.0)
    assert np.isnan(gaps.rows[1, 0]) and gaps.rows[2, 2] == np.inf
    assert _points.take(np.full((2, 3), np.nan)).origin is None


def test_layouts():
    wide = np.zeros((6, 5))
    wide[:, 1:4] = UTM + np.arange(18).reshape(6, 3) * 0.3
    expected = _points.take(wide[:, 1:4].copy()).rows
    for points in (wide[:, 1:4], np.asfortranarray(wide[:, 1:4]), wide[::-1, 1:4][::-1], wide[:, 1:4].astype(">f8")):
        assert np.array_equal(_points.take(points).rows, expected)
    assert np.array_equal(_points.take(wide[::-1, 1:4]).rows, expected[::-1])


def test_labels_do_not_depend_on_the_place(scene):
    assert clump.ec(scene, 0.5).tolist() == clump.ec(scene + UTM, 0.5).tolist()
    assert clump.dbscan(scene, 0.5, 5).tolist() == clump.dbscan(scene + UTM, 0.5, 5).tolist()
    near = clump.ec(scene, 0.3, eps_per_metre=0.05, sensor=(1, 2, 3))
    assert near.tolist() == clump.ec(scene + UTM, 0.3, eps_per_metre=0.05, sensor=UTM + [1, 2, 3]).tolist()


def test_ground_and_obstacles(scene):
    for job in (clump.ground, clump.erccl):
        assert job(scene).tolist() == job(scene + UTM, sensor=UTM).tolist()
    labels, maps = clump.erccl(scene, return_maps=True)
    moved_labels, moved = clump.erccl(scene + UTM, sensor=UTM, return_maps=True)
    for name in maps:
        height = UTM[2] if name in ("lowest", "highest", "ground") else 0
        assert maps[name].shape == (800, 800)
        assert np.array_equal(maps[name] + np.float64(height), moved[name], equal_nan=True), name
    flipped = scene * [1, 1, -1]
    labels, maps = clump.erccl(flipped, flip=True, return_maps=True)
    moved_labels, moved = clump.erccl(flipped + UTM, sensor=UTM, flip=True, return_maps=True)
    assert labels.tolist() == moved_labels.tolist() and labels.max() >= 0
    assert np.array_equal(maps["highest"] - np.float64(UTM[2]), moved["highest"], equal_nan=True)


def test_detect_and_describe(scene):
    here = clump.detect(scene, crop=(-10, 10, -10, 10, -5, 5), axes=True)
    there = clump.detect(scene + UTM, sensor=UTM, axes=True,
                         crop=np.repeat(UTM, 2) + [-10, 10, -10, 10, -5, 5])
    assert len(here.clusters) == 2 and here.labels.tolist() == there.labels.tolist()
    shifts = {f"{name}_{axis}": UTM[i] for name in ("centroid", "lower", "upper") for i, axis in enumerate("xyz")}
    shifts |= {"box_center_x": UTM[0], "box_center_y": UTM[1]}
    for name in here.clusters.dtype.names:
        assert np.allclose(there.clusters[name] - shifts.get(name, 0), here.clusters[name], atol=2e-5, equal_nan=True), name
    assert there.clusters["lower_x"].dtype == np.float64 and here.clusters["lower_x"].dtype == np.float32
    described, hulls = clump.describe(scene + UTM, there.labels, sensor=UTM, return_hulls=True)
    assert np.array_equal(described["lower_x"], there.clusters["lower_x"])
    plain, plain_hulls = clump.describe(scene, here.labels, return_hulls=True)
    for a, b in zip(hulls, plain_hulls):
        assert a.shape == b.shape and np.allclose(a, b + UTM[:2], atol=2e-5)
    boxes = clump.boxes(described)
    assert boxes.dtype == np.float64 and np.allclose(boxes[:, :3] - UTM, clump.boxes(plain)[:, :3], atol=2e-5)


def test_a_label_without_points_stays_zero():
    points = UTM + np.array([[0.1, 0, 0], [0.2, 0, 0]])
    clusters = clump.describe(points, [0, 2])
    assert clusters["count"].tolist() == [1, 0, 1] and clusters["lower_x"][1] == 0


def test_up_is_y(scene):
    turned = scene[:, [0, 2, 1]]
    here = clump.detect(turned, up="y")
    there = clump.detect(turned + UTM, up="y", sensor=UTM)
    assert here.labels.tolist() == there.labels.tolist() and len(here.clusters) == 2
    assert np.allclose(there.clusters["box_center_y"] - UTM[2], here.clusters["box_center_y"], atol=2e-5)
    assert np.allclose(clump.boxes(there.clusters, up="y")[:, :3] - UTM, clump.boxes(here.clusters, up="y")[:, :3],
                       atol=2e-5)


def test_index(scene):
    queries = scene[:50] + [0.25, 0, 0]
    here = clump.Index(scene)
    there = clump.Index(scene + UTM)
    for a, b in zip(here.knn(queries, 4), there.knn(queries + UTM, 4)):
        assert np.allclose(a, b, atol=1e-6)
    for a, b in zip(here.radius(queries, 0.6), there.radius(queries + UTM, 0.6)):
        assert np.allclose(a, b, atol=1e-6)
    single = (queries + UTM).astype(np.float32)  # half a metre is lost before clump sees it, no more after that
    distances, _ = there.nearest(single)
    assert np.isfinite(distances).all() and distances.max() < 2
    there.rebuild(scene)
    assert np.array_equal(there.nearest(queries)[1], here.nearest(queries)[1])


@pytest.mark.parametrize("kind", [np.float64, np.int64, np.int32, list])
def test_whole_metres_do_not_round_queries(kind):
    whole = (UTM + [[0, 0, 0], [1, 0, 0], [0, 2, 0]]).astype(np.int64)  # exact in float32
    index = clump.Index(whole.tolist() if kind is list else whole.astype(kind))
    query = UTM + [[0.3, 0.3, 0]]
    assert np.isclose(index.nearest(query)[0], np.hypot(0.3, 0.3), atol=1e-6)
    assert index.nearest(whole.astype(np.float32))[0].tolist() == [0, 0, 0]
    index.rebuild(whole - UTM.astype(int))
    assert np.isclose(index.nearest(query - UTM)[0], np.hypot(0.3, 0.3), atol=1e-6)
    grid = UTM + np.stack(np.meshgrid(*[np.arange(6) * 2] * 3), axis=-1).reshape(-1, 3)
    motion = clump.icp(grid, grid + [0.3, 0.2, 0.1]).transform
    assert np.allclose(motion[:3, 3], [-0.3, -0.2, -0.1], atol=1e-3)


def test_whole_metres_do_not_round_results():
    whole = UTM + [[0, 0, 0], [1, 0, 0], [0, 1, 1]]
    for clusters in (clump.describe(whole, [0, 0, 0]), clump.detect(whole, ground="none", d=3, min_size=1).clusters):
        center = [clusters[f"centroid_{axis}"][0] for axis in "xyz"]
        assert clusters["centroid_x"].dtype == np.float64 and np.allclose(center, whole.mean(axis=0), rtol=0, atol=1e-6)


def test_reference_rule():
    far = np.array([[4097.0, 0, 0], [5000, 1, 1]])
    assert _points.take(far).origin is None and _points.take_reference(far).origin == (4097.0, 0.0, 0.0)
    for near in (far - 2, far.astype(np.float32), np.asfortranarray(far.astype(np.float32)), far[:0], far * np.nan,
                 np.array([[4097.0, 0, 0], [2.0**25, 1, 1]])):  # 2^25 - 4097 does not fit into float32
        assert _points.take_reference(near).origin is None
    gap = np.vstack([far, [[-np.inf, 0, 0], [np.nan, 9, 9]]])
    assert _points.take_reference(gap).origin == (4097.0, 0.0, 0.0)


def test_icp(scene):
    angle = 0.02
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    posts = scene[-120:]
    source = UTM + (posts - [0.05, 0.02, 0]) @ turn
    for initial in (None, np.eye(4)):
        found = clump.icp(scene[-120:] + UTM, source, initial=initial)
        assert found.converged and found.rmse < 1e-3
        moved = source @ found.transform[:3, :3].T + found.transform[:3, 3]
        assert np.abs(moved - (posts + UTM)).max() < 5e-3
    again = clump.icp(posts + UTM, source, initial=found.transform)
    moved = source @ again.transform[:3, :3].T + again.transform[:3, 3]
    assert again.iterations <= 2 and np.abs(moved - (posts + UTM)).max() < 5e-3
