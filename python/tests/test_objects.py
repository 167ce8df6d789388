# SPDX-License-Identifier: BSD-3-Clause
"""Objects: beside the definition (objects_oracle.py), beside the separate calls, and what is refused."""

import numpy as np
import pytest

import clump
from support import data
from support import objects_oracle

hypothesis = pytest.importorskip("hypothesis", reason=data.DO_BUILD)
given, settings, st = hypothesis.given, hypothesis.settings, hypothesis.strategies
EXAMPLES = 12 if data.SANITIZER else data.examples(8, 30)
NAMES = ("label", "count", "object", "fits", "length", "width", "bottom", "top", "level", "score")


def solid(random, count, size, at):
    """Points in a box that stands on the floor."""
    return random.uniform([-0.5, -0.5, 0], [0.5, 0.5, 1], (count, 3)) * size + [*at, -1.7]


def person(random, count, at):
    """A column of points that are close enough for the finest level."""
    heights = np.linspace(0.2, 1.75, count) - 1.7
    return np.column_stack([random.uniform(-0.04, 0.04, (count, 2)) + at, heights])


def street(seed, floor=900):
    """A floor, and on it things that are near each other: cars, people, walls, poles, signs and noise. float32."""
    random = np.random.default_rng(seed)
    parts = [np.column_stack([random.uniform(-12, 12, (floor, 2)), np.full(floor, -1.7)])]
    for _ in range(random.integers(1, 4)):
        at = random.uniform(-7, 7, 2)
        kinds = [solid(random, 90, [4, 1.7, 1.5], at), person(random, random.integers(48, 53), at + [0.3, 0]),
                 person(random, 60, at), person(random, random.integers(15, 25), at + [0.2, 0]),
                 solid(random, 120, [9, 0.3, 2.8], at + [0, random.uniform(0.9, 1.6)]),
                 solid(random, 25, [0.2, 0.2, 4], at + [0.8, 0.3]), solid(random, 10, [6, 6, 4], at),
                 solid(random, 30, [0.5, 0.3, 0.5], at + [0.4, 0.4]) + [0, 0, random.uniform(0.6, 1.4)]]
        parts += [kinds[k] for k in random.permutation(len(kinds))[:random.integers(1, 7)]]
    points = np.vstack(parts).astype(np.float32)
    points[random.integers(0, len(points), 3), random.integers(0, 3, 3)] = [np.nan, np.inf, -np.inf]
    return points[random.permutation(len(points))]


def same(found, wanted):
    """Equal labels, and equal rows, to the last bit."""
    labels, rows = found
    assert labels.dtype == np.int32 and labels.tolist() == wanted[0].tolist()
    assert rows.dtype.names == NAMES and len(rows) == len(wanted[1])
    for row, expected in zip(rows, wanted[1]):
        assert [row[name] for name in NAMES] == list(expected)


OPTIONS = st.fixed_dictionaries({
    "levels": st.sampled_from([(0.5, 1, 2), (0.5, 1, 2), (1,), (0.3, 1.7), (0.4, 0.9, 1.3, 2.5)]),
    "d": st.sampled_from([0.25, 0.5]), "eps_per_metre": st.sampled_from([0, 0.0175, 0.06]), "people": st.booleans(),
    "min_size": st.sampled_from([1, 10]), "max_size": st.sampled_from([0, 80]), "order": st.sampled_from(["index", "size"]),
    "min_score": st.sampled_from([0, 0, 0.1, 0.4]), "no_groups": st.booleans(),
    "boxes": st.sampled_from([None, [], [(2, 1, 2)], [{"length": 5, "width": 2, "most_top": 2, "least_top": 0.5,
                                                       "most_bottom": 0.6, "fits": "truck"}, (9, 1, 3)]]),
})


def wanted_boxes(boxes):
    if boxes is None:
        return objects_oracle.CAR, objects_oracle.TRUCK
    keys = ("length", "width", "least_top", "most_top", "most_bottom", "fits")
    return [tuple(box[key] for key in keys) if isinstance(box, dict) else (box[0], box[1], -np.inf, box[2], np.inf, "other")
            for box in boxes]


@given(st.integers(0, 2**32), OPTIONS, st.sampled_from(["grid", "peak", "none"]), st.integers(0, 3), st.booleans())
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)
def test_definition(seed, options, ground, threads, has_rings):
    points = street(seed, 900 if ground != "none" else 0)
    random = np.random.default_rng(seed + 1)
    scene = {"sensor": (0.5, -0.25, 0.125)} if seed % 2 else {}
    scene["mask"] = random.random(len(points)) < 0.9 if seed % 3 == 0 else None
    if seed % 5 == 0:
        points, scene["flip"] = points * np.float32([1, 1, -1]), True
    elif seed % 5 == 1:
        points, scene["up"] = points[:, [0, 2, 1]], "y"
    rings = random.integers(0, (1, 2, 9, 40)[seed % 4], len(points)) if has_rings else None
    is_ground, heights = clump.ground(points, method=ground, return_heights=True, step=True, **scene)
    wanted = objects_oracle.objects(points, is_ground, heights, rings=rings, **scene,
                                    **{**options, "boxes": wanted_boxes(options["boxes"])})
    with clump.Context("cpu", threads=threads) as context:
        same(clump.objects(points, ground=ground, rings=rings, neighbours="scan" if has_rings else "exact",
                           return_objects=True, context=context, **options, **scene), wanted)


def test_a_person_beside_a_wall():
    random = np.random.default_rng(8)
    floor = np.column_stack([random.uniform(-12, 12, (4000, 2)), np.full(4000, -1.7)])
    wall = np.stack(np.meshgrid(np.arange(-6, 10, 0.1), 3, np.arange(-1.4, 3.2, 0.1)), axis=-1).reshape(-1, 3)
    points = np.vstack([floor, wall, solid(random, 300, [0.5, 0.5, 1.75], [4, 2.5])])
    labels, rows = clump.objects(points, return_objects=True)
    assert rows["fits"].tolist() == ["other", "person"] and rows["object"].tolist() == [False, True]
    assert rows["count"][1] > 200 and (labels[-300:] == 1).sum() == rows["count"][1]
    assert rows.dtype["object"] == np.bool_ and rows["fits"].dtype.kind == "U"
    person = rows[rows["fits"] == "person"][0]
    plain = clump.objects(points, people=False, return_objects=True)[1]
    assert plain["fits"].tolist() == ["other", "car"]  # what has the size of a person fits in a box, too
    assert 1.6 < person["top"] < 1.8 and person["length"] < 0.9


def test_people_in_a_row():
    random = np.random.default_rng(9)
    floor = np.column_stack([random.uniform(-12, 12, (4000, 2)), np.full(4000, -1.7)])
    points = np.vstack([floor, *(person(random, 40, [5, 0.45 * k]) for k in range(4))])
    assert clump.objects(points, return_objects=True)[1]["fits"].tolist() == ["person"] * 4
    assert clump.objects(points, return_objects=True, no_groups=True)[1]["count"].tolist() == [160]


# --- beside other calls ---------------------------------------------------------------------------------------------------


def test_detect_is_objects():
    points = street(11)
    labels, rows = clump.objects(points, return_objects=True)
    for axes in (False, True):
        found = clump.detect(points, method="objects", axes=axes)
        is_ground, heights = clump.ground(points, return_heights=True)
        described = clump.describe(points, labels, heights=heights, axes=axes)
        assert np.array_equal(found.labels, labels) and len(rows) > 2
        for name in NAMES:
            assert np.array_equal(found.clusters[name], rows[name]), name
        for name in described.dtype.names:
            assert np.array_equal(found.clusters[name], described[name], equal_nan=True), name
        assert found.clusters.dtype.names == described.dtype.names + NAMES[2:]
        assert len(clump.boxes(found.clusters)) == len(rows)
    options = {"d": 0.4, "eps_per_metre": 0.0, "levels": (0.5, 2), "boxes": [(5, 5, 5)], "people": False, "order": "size",
               "min_size": 5, "max_size": 200, "sensor": (1, 0, 0), "ground": "peak", "step": True}
    assert np.array_equal(clump.detect(points, method="objects", **options).labels, clump.objects(points, **options))
    with pytest.raises(clump.ArgumentError, match="thin is not for the method objects"):
        clump.detect(points, method="objects", thin=0.1)
    with pytest.raises(clump.ArgumentError, match="two_d is not for the method objects"):
        clump.detect(points, method="objects", two_d=True)
    assert "object" not in clump.detect(points).clusters.dtype.names


def test_one_level_is_ec():
    points = street(5)
    mask = ~clump.ground(points, step=True)
    labels = clump.objects(points, levels=(1,), people=False, min_size=1)
    assert np.array_equal(np.where(mask, labels, -1), clump.ec(points, 0.25, eps_per_metre=0.0175, mask=mask))


def test_more_clusters_than_expected():
    points = np.arange(3000, dtype=np.float32)[:, None] * np.float32([2, 0, 0]) + np.float32([2, 0, 0])
    labels, rows = clump.objects(points, ground="none", min_size=1, eps_per_metre=0, return_objects=True)
    assert labels.tolist() == rows["label"].tolist() == list(range(3000)) and (rows["count"] == 1).all()
    found = clump.detect(points, method="objects", ground="none", min_size=1, eps_per_metre=0)
    assert len(found.clusters) == 3000 and found.clusters["lower_x"].tolist() == points[:, 0].tolist()


def test_stats():
    with clump.Context("cpu", threads=1) as context:
        clump.objects(street(1), neighbours="exact", context=context)
        assert [context.stats[name] for name in ("neighbours", "ring_source", "rings")] == ["exact", None, 0]
        rings = np.arange(len(street(1))) % 7
        clump.objects(street(1), neighbours="scan", rings=rings, context=context)
        assert [context.stats[name] for name in ("neighbours", "ring_source", "rings")] == ["scan", "given", 7]
        clump.objects(street(1), columns=200, neighbours="scan", context=context)
        assert context.stats["ring_source"] == "rows"
        clump.ec(street(1), 1, context=context)
        assert context.stats["neighbours"] is None and context.stats["ring_source"] is None


# --- what goes in ---------------------------------------------------------------------------------------------------------


def test_types_and_layouts():
    points = street(4)
    rings = np.random.default_rng(4).integers(0, 30, len(points)).astype(np.uint16)
    labels = clump.objects(points, rings=rings)
    wide = np.zeros((2 * len(points), 5), np.float32)
    wide[::2, 1:4] = points
    assert np.array_equal(clump.objects(wide[::2, 1:4], rings=rings), labels)
    assert np.array_equal(clump.objects(points.astype(np.float64), rings=rings), labels)
    for kind in (np.uint8, np.int16, np.int64, np.uint64, np.float32, np.float64, ">u2"):
        assert np.array_equal(clump.objects(points, rings=rings.astype(kind)), labels), kind
    assert np.array_equal(clump.objects(points, rings=np.repeat(rings, 2)[::2]), labels)
    assert np.array_equal(clump.objects(points, rings=rings.tolist()), labels)
    moved = points.astype(np.float64) + [691234, 5334567, 512]
    far = clump.objects(moved, rings=rings, sensor=(691234, 5334567, 512))
    assert (far >= 0).sum() == (labels >= 0).sum() or far.max() > 0  # the offsets are rounded anew


def ran(*arguments, **options):
    """(labels, neighbours, source of the rings, number of rings)"""
    with clump.Context("cpu", threads=1) as context:
        labels = clump.objects(*arguments, context=context, **options)
        return labels.tolist(), *(context.stats[name] for name in ("neighbours", "ring_source", "rings"))


def test_rings_that_are_not_plausible():
    ring, step = np.divmod(np.arange(16 * 360), 360)
    turn = np.radians(step)
    points = np.stack([10 * np.cos(turn), 10 * np.sin(turn), ring / 5 - 1], axis=1).astype(np.float32)
    firing = np.where(ring < 8, 2 * ring, 2 * ring - 15)
    with clump.Context("cpu", threads=1) as context:
        for rings, doubt in ((ring, None), (0 * ring, "scattered"), (firing, "unordered")):
            clump.objects(points, rings=rings, ground="none", context=context)
            assert context.stats["ring_doubt"] == doubt
            assert (context.stats["ring_source"] == "given") == (doubt is None)
            clump.objects(points, rings=rings, ground="none", neighbours="scan", context=context)
            assert context.stats["ring_doubt"] == doubt and context.stats["ring_source"] == "given"


def test_a_cloud_brings_its_rings():
    points = street(2)
    rings = np.random.default_rng(2).integers(0, 12, len(points))
    expected = ran(points, rings=rings, neighbours="scan")
    assert expected[1:] == ("scan", "given", 12)
    for kind in (np.uint8, np.uint16, np.int32, np.float32, np.float64):
        assert ran(clump.Cloud(points, fields={"ring": rings.astype(kind)}), neighbours="scan") == expected
    cloud = clump.Cloud(points, fields={"ring": rings})
    assert clump.detect(cloud, method="objects", neighbours="scan").labels.tolist() == expected[0]
    exact = ran(points, neighbours="exact")
    assert ran(cloud, neighbours="exact") == exact and exact[1:] == ("exact", None, 0)
    other = rings[::-1]
    assert ran(cloud, rings=other, neighbours="scan") == ran(points, rings=other, neighbours="scan"), "what the caller gives comes first"
    assert ran(cloud, columns=97, neighbours="scan") == ran(points, columns=97, neighbours="scan")
    for value in (-1, 1024, 70000, 2.5):
        cloud["ring"] = np.where(np.arange(len(points)) == 5, value, rings)
        with pytest.raises(clump.Error, match="ring"):
            clump.objects(cloud)
        with pytest.raises(clump.Error, match="ring"):
            clump.detect(cloud, method="objects")
        assert ran(cloud, neighbours="exact") == exact
        clump.detect(cloud)


def test_a_ring_is_closed():
    """Two points beside each other, the first and the last of their ring, and others far apart."""
    angles = np.radians([0.5, *range(10, 350, 8), 359.5])
    points = np.stack([5 * np.cos(angles), 5 * np.sin(angles), 0 * angles], axis=1).astype(np.float32)
    labels = clump.objects(points, rings=np.zeros(len(points), int), ground="none", min_size=2)
    assert labels.tolist() == [0] + [-1] * (len(points) - 2) + [0]


def test_many_points_in_one_direction():
    """Two rings of half a million points, all within 0.6 degrees: minutes where the time is not linear."""
    count = 50_000 if data.SANITIZER else 250_000 if data.TIER == 1 else 1_000_000
    points = np.random.default_rng(6).uniform(-0.05, 0.05, (count, 3)).astype(np.float32)
    points[:, 0] = 10 + np.arange(count) % 2 * 0.505
    labels = clump.objects(points, rings=np.arange(count) % 2, ground="none")
    assert labels[:2].tolist() == [0, 1] and (labels == np.arange(count) % 2).all()


def test_an_organised_cloud_brings_its_rows():
    points = street(3)[:900]
    header = (f"VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 90\nHEIGHT 10\nVIEWPOINT 0 0 0 1 0 0 0\n"
              f"POINTS {len(points)}\nDATA binary\n")
    cloud = clump.read(header.encode() + points.tobytes())
    expected = ran(points, columns=90)
    assert expected[1:] == ("scan", "rows", 10)
    assert ran(cloud) == ran(cloud, neighbours="scan") == expected
    assert ran(points, rings=np.arange(900) // 90)[0] == expected[0]
    assert clump.detect(cloud, method="objects").labels.tolist() == expected[0]


def test_nothing_and_everything_the_same():
    labels, rows = clump.objects(np.zeros((0, 3), np.float32), return_objects=True)
    assert labels.shape == rows.shape == (0,) and rows.dtype.names == NAMES
    found = clump.detect(np.zeros((0, 3), np.float32), method="objects")
    assert len(found.clusters) == 0 and "fits" in found.clusters.dtype.names
    for points in (np.full((50, 3), np.nan), np.full((50, 3), 1e30), np.ones((50, 3)), np.array([[1, 2, 3]])):
        for options in ({}, {"rings": np.zeros(len(points), int), "neighbours": "scan"}, {"ground": "none"}):
            labels, rows = clump.objects(points, return_objects=True, **options)
            assert len(labels) == len(points) and len(rows) == labels.max(initial=-1) + 1


REFUSED = [
    ({"levels": (2, 1)}, "larger than the one before"),
    ({"levels": (1, 2, 3, 4, 5)}, "5 levels, there must be 1 to 4"),
    ({"levels": ()}, "0 levels"),
    ({"levels": (0, 1)}, "must be a number above 0"),
    ({"levels": (np.nan, 1)}, "must be a number above 0"),
    ({"boxes": [(0, 1, 1)]}, r"box\[0\] is 0 x 1"),
    ({"boxes": [(1, 2, 1)]}, "its length at least its width"),
    ({"boxes": [(2, 1, 0)]}, r"the top of box\[0\]"),
    ({"boxes": [(2, 1, np.nan)]}, r"the top of box\[0\]"),
    ({"boxes": [(2, 1)]}, r"boxes\[0\] must be length, width and height, or a dict"),
    ({"boxes": (6, 3, 2.6)}, r"boxes\[0\] must be length"),
    ({"boxes": [(2, 1, 1)] * 9}, "9 boxes, there must be 0 to 8"),
    ({"boxes": [{"length": 2, "width": 1}]}, r"boxes\[0\] needs 'most_top'"),
    ({"boxes": [(2, 1, 1), {"height": 2}]}, r"boxes\[1\] has no 'height'; there are: length, width"),
    ({"boxes": [{"length": 2, "width": 1, "most_top": 1, "fits": "tram"}]}, "there is no fits 'tram'; there are: other, car"),
    ({"neighbours": "all"}, "no kind of neighbours 'all'; there are: auto, exact, scan"),
    ({"neighbours": "scan"}, "rings"),
    ({"rings": [1, 2]}, "rings has 2 elements, but 40 are needed"),
    ({"rings": np.full(40, 1024)}, r"rings\[0\] is 1024, it must be below 1024"),
    ({"rings": np.append(np.zeros(39), -1)}, r"rings\[39\] is -1.0; a ring is a whole number"),
    ({"rings": np.full(40, 2.5)}, r"rings\[0\] is 2.5"),
    ({"rings": np.full(40, 65536)}, r"rings\[0\] is 65536"),
    ({"rings": np.full(40, np.nan)}, r"rings\[0\] is nan"),
    ({"rings": np.zeros((40, 1), int)}, "rings have 2 dimensions"),
    ({"rings": np.zeros(40, int), "columns": 8}, "both rings and columns are given"),
    ({"columns": -1}, "columns is -1"),
    ({"d": 0}, "^d is 0, it must be a number above 0"), ({"d": np.nan}, "^d is nan, it must be a number above 0"),
    ({"eps_per_metre": -1}, "^eps_per_metre is -1"),
    ({"ground": "flat"}, "no method 'flat'"), ({"order": "x"}, "no order 'x'"), ({"mask": np.ones(3, bool)}, "mask"),
    ({"sensor": (0, 0)}, "sensor has 2 numbers"),
]


@pytest.mark.parametrize("options, sentence", REFUSED, ids=lambda value: str(value)[:40])
def test_refused(options, sentence):
    points = np.random.default_rng(0).uniform(0, 3, (40, 3)).astype(np.float32)
    with pytest.raises(clump.ArgumentError, match=sentence):
        clump.objects(points, **options)
    if not {"ground", "order", "mask", "sensor"} & set(options):
        with pytest.raises(clump.ArgumentError, match=sentence):
            clump.detect(points, method="objects", **options)


@pytest.mark.parametrize("options", [{"levels": 3}, {"levels": "ab"}, {"boxes": 3}, {"boxes": "car"}, {"neighbours": 2},
                                     {"boxes": {"length": 3}}, {"boxes": [("a", 1, 1)]}, {"rings": "abc"}, {"d": "x"},
                                     {"rings": np.zeros(40, bool)}, {"columns": 2.5}], ids=str)
def test_wrong_types(options):
    with pytest.raises(TypeError, match=next(iter(options)).rstrip("es") + "|length|string"):
        clump.objects(np.zeros((40, 3), np.float32), **options)


# --- scans ----------------------------------------------------------------------------------------------------------------


def turns(points):
    """The azimuth in turns, 0 to 1."""
    return np.arctan2(points[:, 1], points[:, 0]) / (2 * np.pi) % 1


def test_the_order_of_kitti():
    points = np.fromfile(data.scan("kitti/semkitti_00_000000.bin"), np.float32).reshape(-1, 4)
    in_order = ran(points)
    assert in_order[1:] == ("scan", "order", 64)
    rings = np.concatenate([[0], np.cumsum(np.diff(turns(points)) < -0.5)])
    assert ran(points, rings=rings)[0] == in_order[0]
    mixed = np.random.default_rng(0).permutation(len(points))
    labels = np.array(ran(points[mixed], rings=rings[mixed])[0])
    back = np.empty_like(labels)
    back[mixed] = labels
    pairs = np.unique(np.stack([back, in_order[0]]), axis=1)  # one to one: the same clusters, with other numbers
    assert len(pairs[0]) == len(np.unique(pairs[0])) == len(np.unique(pairs[1]))
    assert ran(points[mixed])[1:] == ("exact", None, 0)
    assert ran(points[mixed]) == ran(points[mixed], neighbours="exact")


def test_scan():
    points = np.fromfile(data.scan("kitti/semkitti_00_000000.bin"), np.float32).reshape(-1, 4)
    with clump.Context("cpu", threads=2) as context:
        labels, rows = clump.objects(points, neighbours="exact", return_objects=True, context=context)
        found = np.unique(rows["fits"][rows["object"]], return_counts=True)
        assert dict(zip(*found)).keys() == {"car", "truck", "person"} and (rows["count"] >= 10).all()
        assert np.array_equal(np.bincount(labels[labels >= 0]), rows["count"])
