# SPDX-License-Identifier: BSD-3-Clause
"""The jobs beside the program, beside each other and beside scikit-learn."""

import csv
import json
import os
import pickle
import subprocess
import tempfile
import unittest

import numpy as np
import pytest

import clump
from support import data


@pytest.fixture(scope="module")
def scene():
    """A floor with some boxes on it, float32, with an intensity as fourth column."""
    rng = np.random.default_rng(3)
    floor = np.column_stack([rng.uniform(-18, 18, (9000, 2)), rng.normal(-1.7, 0.01, 9000)])
    objects = []
    for _ in range(12):
        size = rng.uniform(0.3, 3, 3)
        angle = rng.uniform(0, np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        points = rng.uniform(-0.5, 0.5, (300, 3)) * size
        points[:, :2] = points[:, :2] @ turn.T + rng.uniform(-15, 15, 2)
        points[:, 2] += size[2] / 2 - 1.4
        objects.append(points)
    points = np.vstack([floor, *objects])
    return np.column_stack([points, rng.uniform(0, 1, len(points))]).astype(np.float32)


def run(scene, tmp_path, command, *options):
    """The program's answer: (JSON, rows of --clusters)."""
    path, clusters = tmp_path / "scene.bin", tmp_path / "clusters.csv"
    scene.tofile(path)
    made = subprocess.run([data.program(), command, path, "--json", "--clusters", clusters, "--intensity", "intensity",
                           "--axes", "--device", "cpu", *options], check=True, capture_output=True, text=True)
    with open(clusters, newline="") as file:
        return json.loads(made.stdout), list(csv.DictReader(file))


def same_rows(clusters, rows):
    assert list(clusters.dtype.names) == list(rows[0]) and len(clusters) == len(rows)
    for cluster, row in zip(clusters, rows):
        for name, text in row.items():
            value = cluster[name]
            if text == "":
                assert not np.isfinite(value), name
            elif name == "fits":
                assert value == text
            else:
                assert np.isclose(float(text), value, rtol=1e-5, atol=1e-6), name


def test_detect_is_that_of_the_program(scene, tmp_path):
    answer, rows = run(scene, tmp_path, "detect", "--max-range", "16")
    found = clump.detect(scene, max_range=16, values=scene[:, 3], axes=True)
    assert clump.labels_hash(found.labels) == answer["labels_hash"]
    same_rows(found.clusters, rows)
    for method in ("dbscan", "erccl"):
        answer, rows = run(scene, tmp_path, "detect", "--by", method, "--order", "size", "--thin", "0.1")
        found = clump.detect(scene, method=method, order="size", thin=0.1, values=scene[:, 3], axes=True)
        assert clump.labels_hash(found.labels) == answer["labels_hash"]
        same_rows(found.clusters, rows)


def test_objects_are_those_of_the_program(scene, tmp_path):
    answer, rows = run(scene, tmp_path, "objects", "--order", "size")
    labels, objects = clump.objects(scene, order="size", return_objects=True)
    found = clump.detect(scene, method="objects", order="size", values=scene[:, 3], axes=True)
    assert clump.labels_hash(labels) == clump.labels_hash(found.labels) == answer["labels_hash"]
    same_rows(found.clusters, rows)
    for name in objects.dtype.names:
        assert np.array_equal(objects[name], found.clusters[name])
    assert answer["objects"] == objects["object"].sum()
    answer, _ = run(scene, tmp_path, "detect", "--by", "objects", "-d", "0.3", "--eps-per-metre", "0", "--levels", "0.4,2",
                    "--box", "5,2,2", "--no-people", "--neighbours", "exact", "--step", "--max-range", "12", "--min-score", "0.9")
    found = clump.detect(scene, method="objects", d=0.3, eps_per_metre=0, levels=(0.4, 2), boxes=[(5, 2, 2)], people=False,
                         neighbours="exact", step=True, max_range=12, min_score=0.9)
    assert clump.labels_hash(found.labels) == answer["labels_hash"]
    below = (found.clusters["level"] >= 0) & ~found.clusters["object"]
    assert answer["objects"] == found.clusters["object"].sum() and answer["below_min_score"] == below.sum() > 0


def test_others_are_those_of_the_program(scene, tmp_path):
    for command, options, labels in [
        ("ec", ["-d", "0.4", "--min-size", "5"], clump.ec(scene, 0.4, min_size=5)),
        ("ec", ["-d", "0.4", "--eps-per-metre", "0.02", "--2d", "--sensor", "1,2,3"],
         clump.ec(scene, 0.4, eps_per_metre=0.02, two_d=True, sensor=(1, 2, 3))),
        ("dbscan", ["--eps", "0.4", "--min-points", "8"], clump.dbscan(scene, 0.4, 8)),
        ("erccl", ["--cell", "0.1", "--extent", "30,20"], clump.erccl(scene, cell=0.1, extent=30, extent_columns=20)),
        ("erccl", ["--ground", "peak", "--sigma", "0.1", "--reach", "3"],
         clump.erccl(scene, ground="peak", sigma=0.1, reach=3)),
        ("erccl", ["--step"], clump.erccl(scene, step=True)),
    ]:
        answer, rows = run(scene, tmp_path, command, *options)
        assert clump.labels_hash(labels) == answer["labels_hash"], command
        if command != "erccl" and "--2d" not in options:
            same_rows(clump.describe(scene, labels, values=scene[:, 3], axes=True), rows)


def test_the_step_rule(scene, tmp_path):
    low = scene.copy()
    low[9000:, 2] -= 0.25  # the feet of the boxes are 0.05 above the floor
    for method in ("grid", "peak"):
        answer, _ = run(low, tmp_path, "detect", "--step", "--ground", method)
        found = clump.detect(low, ground=method, step=True).labels
        assert clump.labels_hash(found) == answer["labels_hash"]
        is_ground = clump.ground(low, method=method, step=True)
        assert np.array_equal(is_ground, found == -2)
        assert not np.array_equal(is_ground, clump.ground(low, method=method))


def test_detect_is_the_separate_calls(scene):
    is_ground, heights = clump.ground(scene, return_heights=True)
    labels = clump.ec(scene, 0.5, min_size=10, mask=~is_ground)
    clusters = clump.describe(scene, labels, heights=heights, values=scene[:, 3])
    found = clump.detect(scene, values=scene[:, 3])
    assert np.array_equal(np.where(is_ground, -2, labels), found.labels)
    assert len(clusters) > 5
    for name in clusters.dtype.names:
        assert np.array_equal(clusters[name], found.clusters[name]), name


def test_more_clusters_than_expected():
    points = np.arange(3000, dtype=np.float32)[:, None] * np.float32([2, 0, 0])
    found = clump.detect(points, ground="none", min_size=1)
    assert len(found.clusters) == 3000 and found.clusters["lower_x"].tolist() == points[:, 0].tolist()


def test_clusters_are_a_view():
    points = np.array([[0, 0, 0], [1, 0, 0], [9, 0, 0]], np.float32)
    clusters = clump.describe(points, [0, 0, 1])
    assert clusters.base is not None and clusters.dtype.itemsize == clump._clump.cluster_size
    assert clusters["box_length"].tolist() == [1, 0] and np.isnan(clusters["intensity"]).all()
    assert "axis_1_x" not in clusters.dtype.names and "axis_1_x" in clump.describe(points, [0, 0, 1], axes=True).dtype.names


def test_boxes():
    rectangle = np.array([[x, y, z] for x in (-1, 1) for y in (-3, 3) for z in (0, 5)], np.float32)
    x, y, z, length, width, height, yaw = clump.boxes(clump.describe(rectangle, np.zeros(8, int)))[0]
    assert (x, y, z, length, width, height) == (0, 0, 2.5, 6, 2, 5)
    assert np.isclose(yaw, np.pi / 2)
    turned = rectangle[:, [0, 2, 1]]
    box = clump.boxes(clump.describe(turned, np.zeros(8, int), up="y"), up="y")[0]
    assert box[:6].tolist() == [0, 2.5, 0, 6, 2, 5]


def test_group_gives_views_of_one_array():
    groups = clump.group(np.array([2, 0, -1, 0, -2], np.int32), count=4)
    assert [g.tolist() for g in groups] == [[1, 3], [], [0], []]
    assert groups[0].base is groups[2].base


def test_labels_hash():
    labels = np.array([0, 1, -1], np.int32)
    assert clump.labels_hash(labels) == clump.labels_hash(labels.astype(np.int64)) == clump.labels_hash([0, 1, -1])
    assert clump.labels_hash([]) == "ef46db3751d8e999"  # XXH64 of nothing
    with pytest.raises(TypeError):
        clump.labels_hash([0.5])


def test_hulls():
    points = np.array([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 1, 0], [9, 9, 9]], np.float32)
    clusters, hulls = clump.describe(points, [0, 0, 0, 0, 0, 1], return_hulls=True)
    assert hulls[0].tolist() == [[0, 0], [2, 0], [2, 2], [0, 2]] and hulls[1].tolist() == [[9, 9]]
    assert clusters["area"].tolist() == [4, 0]


def test_icp():
    rng = np.random.default_rng(5)
    target = rng.uniform(-5, 5, (2000, 3)).astype(np.float32)
    source = target[:1500] + np.float32([0.05, -0.03, 0.02])
    for method in ("point", "plane"):
        found = clump.icp(target, source, method=method, max_distance=1)
        assert found.converged and found.fitness == 1 and found.transform.shape == (4, 4)
        assert np.allclose(found.transform[:3, 3], [-0.05, 0.03, -0.02], atol=2e-3)
    few = clump.icp(target, source[:2])
    assert not few.converged and np.array_equal(few.transform, np.eye(4))


def test_index_object():
    points = np.random.default_rng(0).uniform(0, 1, (100, 3)).astype(np.float32)
    index = clump.Index(points)
    assert len(index) == 100 and index.nbytes > 1200 and repr(index) == "<clump.Index of 100 points, fast>"
    points[:] = 0  # it keeps a copy
    assert index.nearest(np.float32([[0.5, 0.5, 0.5]]))[0][0] > 0
    index.rebuild(np.zeros((7, 3)))
    assert len(index) == 7 and index.nearest([[3, 4, 0]]) == (5.0, 0)
    with pytest.raises(TypeError, match="cannot be pickled"):
        __import__("pickle").dumps(index)


@pytest.mark.parametrize("min_points", [1, 4, 10])
def test_scikit_learn(min_points):
    cluster = pytest.importorskip("sklearn.cluster", reason="run scripts/setup.sh --python-long")
    rng = np.random.default_rng(min_points)
    points = np.round(np.vstack([rng.normal(c, 0.3, (300, 3)) for c in rng.uniform(-2, 2, (6, 3))]) * 64) / 64
    rival = cluster.DBSCAN(eps=0.25, min_samples=min_points).fit(points)
    labels, core = clump.dbscan(points, 0.25, min_points, return_core=True)
    assert labels.tolist() == rival.labels_.tolist()
    assert np.flatnonzero(core).tolist() == rival.core_sample_indices_.tolist()


def test_scan():
    """A real scan, beside the program's hash."""
    path = data.scan("kitti/semkitti_00_000000.bin")
    points = np.fromfile(path, np.float32).reshape(-1, 4)
    made = subprocess.run([data.program(), "dbscan", path, "--eps", "0.5", "--min-points", "10", "--json", "--device", "cpu"],
                          check=True, capture_output=True, text=True)
    assert clump.labels_hash(clump.dbscan(points, 0.5, 10)) == json.loads(made.stdout)["labels_hash"]


def test_results_are_shown_in_a_line():
    """A result with 10,000 clusters does not flood the terminal."""
    points = np.zeros((10_000, 3), np.float32)
    points[:, 0] = np.arange(10_000) * 2
    found = clump.detect(points, ground="none", min_size=1)
    assert repr(found) == str(found) == "<clump.Detection: 10000 points, 10000 clusters>"
    table = found.clusters
    assert repr(table) == str(table) == ("<clump.Table: 10000 rows, 21 columns: label count centroid_x centroid_y centroid_z "
                                         "lower_x ...>")
    assert repr(table[["label", "count"]][:1]) == "<clump.Table: 1 row, 2 columns: label count>"
    labels, objects = clump.objects(points, ground="none", min_size=1, return_objects=True)
    assert len(repr((labels, objects))) < 200 and type(objects) is clump.Table
    # otherwise it is an array as any other
    assert type(table["count"]) is np.ndarray and type(table[0]) is np.void and type(table[table["count"] > 0]) is clump.Table
    assert repr(table[:2] == table[:2]).startswith("array(")
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is clump.Detection and type(again.clusters) is clump.Table
    assert np.array_equal(again.clusters["centroid_x"], table["centroid_x"])
    labels, clusters = found
    assert clusters is table and np.array_equal(np.asarray(table)["label"], np.arange(10_000))


# --- clusters per class ----------------------------------------------------------------------------------


def classified(count=400, seed=3):
    random = np.random.default_rng(seed)
    return random.uniform(0, 6, (count, 3)).astype(np.float32), random.choice([1, 2, 10, 40], count).astype(np.uint16)


class TestClasses(unittest.TestCase):
    def expect(self, points, classes, labels, distances):
        """Labels are those of a call per class; clusters are numbered by their first points."""
        for number in np.unique(classes):
            of = classes == number
            if number not in distances:
                self.assertTrue((labels[of] == -1).all())
                continue
            alone = clump.ec(points, distances[number], mask=of)
            pairs = set(zip(alone[of].tolist(), labels[of].tolist()))
            self.assertEqual(len(pairs), len({a for a, _ in pairs}))
            self.assertEqual(len(pairs), len({b for _, b in pairs}))
        numbers, first = np.unique(labels[labels >= 0], return_index=True)
        self.assertEqual(numbers.tolist(), list(range(len(numbers))))
        self.assertTrue((np.diff(first) > 0).all())

    def test_as_a_call_per_class(self):
        points, classes = classified()
        labels = clump.ec(points, 0.7, classes=classes, class_table={1: 0.5, 2: {}, 10: {"radius": 0.9}, 40: None})
        self.expect(points, classes, labels, {1: 0.5, 2: 0.7, 10: 0.9})
        for kind in (np.int64, np.uint8):
            again = clump.ec(points, 0.7, classes=classes.astype(kind), class_table={1: 0.5, 2: {}, 10: {"radius": 0.9}})
            self.assertEqual(again.tolist(), labels.tolist())

    def test_groups(self):
        line = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]
        classes = [10, 252, 10, 11]
        self.assertEqual(clump.ec(line, 1.5, classes=classes, class_table={10: 1.5, 252: 1.5, 11: 1}).tolist(), [0, 1, 2, 3])
        self.assertEqual(clump.ec(line, 1.5, classes=classes, class_table={(10, 252): 1.5, 11: 1}).tolist(), [0, 0, 0, 1])
        self.assertEqual(clump.ec(line, 1.5, classes=classes, class_table={(10, 252): {"max_size": 2}, 11: 1}).tolist(),
                         [-1, -1, -1, 0])
        self.assertEqual(clump.ec(line, 1.5, classes=classes, class_table={(10, 252): {"max_size": 2, "oversize": "split"}}).tolist(),
                         [0, 1, 2, -1])

    def test_built_in_table_and_file(self):
        points = [[0, 0, 0], [0.5, 0, 9], [9, 9, 9]]
        self.assertEqual(clump.ec(points, 1, classes=[10, 252, 40], class_table="semantickitti").tolist(), [0, 0, -1])
        self.assertEqual(clump.ec(points, 1, classes=[17, 17, 24], class_table="nuscenes").tolist(), [0, 0, -1])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write("# a table\n10,252 car radius=0.6 2d\n40 road stuff\n")
            self.assertEqual(clump.ec(points, 1, classes=[10, 252, 40], class_table=path).tolist(), [0, 0, -1])

    def test_dbscan_and_detect(self):
        points, classes = classified()
        labels, core = clump.dbscan(points, 0.7, 4, classes=classes, class_table={1: 0.9, 2: 0.6}, return_core=True)
        for number, eps in ((1, 0.9), (2, 0.6)):
            of = classes == number
            self.assertEqual((labels[of] < 0).tolist(), (clump.dbscan(points, eps, 4, mask=of)[of] < 0).tolist())
        self.assertFalse(core[(classes != 1) & (classes != 2)].any())
        found = clump.detect(points, ground="none", min_size=1, d=0.7, classes=classes, class_table={1: 0.5, 10: {}})
        expected = clump.ec(points, 0.7, classes=classes, class_table={1: 0.5, 10: {}})
        self.assertEqual(found.labels.tolist(), expected.tolist())
        self.assertEqual(len(found.clusters), expected.max() + 1)

    def test_objects(self):
        points, classes = classified()
        table = {1: 0.5, 2: {"radius": 0.3, "two_d": True}, 10: {}}
        given = {"ground": "none", "min_size": 1, "eps_per_metre": 0, "boxes": [(3, 3, 9)]}
        labels, found = clump.objects(points, classes=classes, class_table=table, return_objects=True, **given)
        for number, d in ((1, 0.5), (10, 0.25)):
            of = classes == number
            alone, theirs = clump.objects(points, mask=of, d=d, neighbours="exact", return_objects=True, **given)
            pairs = dict(zip(alone[of].tolist(), labels[of].tolist()))
            self.assertEqual([pairs[label] for label in alone[of].tolist()], labels[of].tolist())
            for name in ("count", "object", "level", "length", "top", "score"):
                self.assertEqual(found[name][[pairs[k] for k in range(len(theirs))]].tolist(), theirs[name].tolist())
        self.assertTrue((labels[classes == 40] == -1).all() and (labels[classes != 40] >= 0).all())
        detected = clump.detect(points, method="objects", classes=classes, class_table=table, **given)
        self.assertEqual(detected.labels.tolist(), labels.tolist())
        self.assertEqual(detected.clusters["score"].tolist(), found["score"].tolist())
        with self.assertRaisesRegex(clump.Error, "with classes neighbours are exact"):
            clump.objects(points, classes=classes, class_table=table, neighbours="scan")

    def test_refused(self):
        points, classes = classified(9)
        for sentence, arguments in (
            ("classes needs class_table", {"classes": classes}),
            ("class_table is given, but classes is not", {"class_table": {1: 1}}),
            ("classes has 4 elements", {"classes": classes[:4], "class_table": {1: 1}}),
            ("whole numbers from 0 to 65535", {"classes": classes - 1.5, "class_table": {1: 1}}),
            ("whole numbers from 0 to 65535", {"classes": classes.astype(int) - 100, "class_table": {1: 1}}),
            ("has 'size'", {"classes": classes, "class_table": {1: {"size": 1}}}),
            ("'radius=-1.0' needs a number above 0", {"classes": classes, "class_table": {1: -1}}),
            ("'oversize=cut': there are drop, keep and split", {"classes": classes, "class_table": {1: {"oversize": "cut"}}}),
            ("there are no classes in it", {"classes": classes, "class_table": {}}),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                clump.ec(points, 1, **arguments)
        with self.assertRaises(clump.FileError):
            clump.ec(points, 1, classes=classes, class_table="no/such/table")
