# SPDX-License-Identifier: BSD-3-Clause
"""Labels, core points and neighbours of random clouds, beside the definitions (oracle.py)."""

import numpy as np
import pytest

import clump
from support import data
from support import oracle

hypothesis = pytest.importorskip("hypothesis", reason=data.DO_BUILD)
given, st = hypothesis.given, hypothesis.strategies
EXAMPLES = 20 if data.SANITIZER else data.examples(10, 40)
hypothesis.settings.register_profile("clump", deadline=None, max_examples=EXAMPLES, derandomize=True, database=None)
hypothesis.settings.load_profile("clump")

# Coordinates on a coarse grid: many points coincide, and many pairs are at exactly the distance.
coordinate = st.one_of(st.integers(-6, 6).map(lambda i: i * 0.5), st.sampled_from([0.1, 1e-3, 100.0, np.nan, np.inf]))


@st.composite
def clouds(draw, most=40):
    """float32 arrays of shape (N, 3 or more) in all layouts that are used without a copy, and some that are not."""
    count = draw(st.integers(0, most))
    values = np.array(draw(st.lists(st.tuples(coordinate, coordinate, coordinate), min_size=count, max_size=count)),
                      np.float32).reshape(count, 3)
    layout = draw(st.sampled_from(["plain", "columns", "every second row", "read-only", "fortran", "reversed", "swapped",
                                   "inside"]))
    if layout == "columns":
        wide = np.full((count, draw(st.integers(4, 7))), 7, np.float32)
        wide[:, :3] = values
        return wide
    if layout == "every second row":
        tall = np.full((2 * count, 3), 7, np.float32)
        tall[::2] = values
        return tall[::2]
    if layout == "inside":
        wide = np.full((count, 8), 7, np.float32)
        wide[:, 3:6] = values
        return wide[:, 3:6]
    if layout == "read-only":
        values.flags.writeable = False
    elif layout == "fortran":
        return np.asfortranarray(values)
    elif layout == "reversed":
        return values[::-1].copy()[::-1]
    elif layout == "swapped":
        return values.astype(">f4")
    return values


distance = st.sampled_from([0.4, 0.5, 0.70710677, 1.0, 1.5, 30.0])
limits = st.fixed_dictionaries({"min_size": st.integers(1, 4), "max_size": st.sampled_from([0, 4, 6]),
                                "order": st.sampled_from(["index", "size"])})


@given(clouds(), distance, limits, st.booleans(), st.sampled_from(["fast", "bfs", "edge-rs", "matrix-es"]), st.data())
def test_ec(points, d, limit, two_d, method, data):
    mask = data.draw(st.none() | st.lists(st.booleans(), min_size=len(points), max_size=len(points)).map(
        lambda values: np.array(values, bool)))
    labels = clump.ec(points, d, method=method, two_d=two_d, mask=mask, **limit)
    assert labels.tolist() == oracle.ec(points, d, two_d, mask, **limit).tolist()


@given(clouds(), distance, st.integers(1, 5), limits, st.booleans(), st.booleans(),
       st.sampled_from(["fast", "sequential", "disjoint-set", "dclust"]), st.data())
def test_dbscan(points, eps, min_points, limit, two_d, no_border_points, method, data):
    mask = data.draw(st.none() | st.lists(st.booleans(), min_size=len(points), max_size=len(points)).map(
        lambda values: np.array(values, np.uint8)))
    labels, core = clump.dbscan(points, eps, min_points, method=method, two_d=two_d, mask=mask,
                                no_border_points=no_border_points, return_core=True, **limit)
    wanted, wanted_core = oracle.dbscan(points, eps, min_points, two_d, mask, no_border_points, **limit)
    assert core.dtype == np.bool_ and core.tolist() == wanted_core.tolist()
    assert labels.tolist() == wanted.tolist()


@given(clouds(), clouds(12), st.integers(1, 5), st.sampled_from([0.0, 0.5, 2.0, np.inf]),
       st.sampled_from(["fast", "kdtree", "brute"]))
def test_index(points, queries, k, most, method):
    rows = oracle.neighbours(points, queries, most)
    index = clump.Index(points, method=method)
    distances, indices = index.knn(queries, k, most, squared=True)
    nearest, first = index.nearest(queries, most, squared=True)
    offsets, members, squares = index.radius(queries, most, squared=True)
    assert distances.shape == indices.shape == (len(queries), k)
    for i, row in enumerate(rows):
        padded = (row + [(np.inf, -1)] * k)[:k]
        assert list(zip(distances[i].tolist(), indices[i].tolist())) == [(float(d), int(j)) for d, j in padded]
        assert (nearest[i], first[i]) == padded[0]
        part = slice(offsets[i], offsets[i + 1])
        by_index = sorted((int(j), float(d)) for d, j in row)
        assert list(zip(members[part].tolist(), squares[part].tolist())) == by_index
    assert np.array_equal(index.nearest(queries, most)[0], np.sqrt(nearest))


@given(clouds(), distance)
def test_types_and_containers(points, d):
    """The same coordinates, in other types and containers, have the same labels."""
    labels = clump.ec(points, d).tolist()
    columns = points[:, :3]
    assert clump.ec(columns.astype(np.float64), d).tolist() == labels  # exact in float32: no origin
    if len(points):
        assert clump.ec(columns.astype(np.float32).tolist(), d).tolist() == labels
    table = np.zeros(len(points), [("i", "u1"), ("x", "f4"), ("y", "f4"), ("z", "f4")])
    table["x"], table["y"], table["z"] = columns.T
    assert clump.ec(table, d).tolist() == labels


@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=30),
       st.sampled_from([np.int8, np.int16, np.uint8, np.int32, np.int64, np.uint64, np.float16, ">i4", ">f8"]))
def test_integers(rows, kind):
    points = (np.array(rows) + 3).astype(kind)
    assert clump.ec(points, 1.5).tolist() == oracle.ec(points.astype(np.float32), 1.5).tolist()


@given(clouds(), distance, st.integers(1, 4))
def test_group_and_describe(points, d, min_size):
    labels = clump.ec(points, d, min_size=min_size)
    groups = clump.group(labels)
    clusters = clump.describe(points, labels)
    assert len(groups) == len(clusters) == labels.max(initial=-1) + 1
    for label, (members, row) in enumerate(zip(groups, clusters)):
        assert members.tolist() == np.flatnonzero(labels == label).tolist()
        inside = points[members, :3].astype(np.float32)
        assert row["label"] == label and row["count"] == len(members)
        assert [row[f"lower_{a}"] for a in "xyz"] == inside.min(axis=0).tolist()
        assert [row[f"upper_{a}"] for a in "xyz"] == inside.max(axis=0).tolist()
        assert row["box_length"] >= row["box_width"] and 0 <= row["yaw"] < 180
