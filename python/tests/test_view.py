# SPDX-License-Identifier: BSD-3-Clause
"""Pages: what they hold is what was given. The packets are decoded as viewer/README.md defines them."""

import base64
import html
import json
import os
import re
import stat
import subprocess
import zlib

import numpy as np
import pytest

import clump
from support.data import program


def inflate(data):
    return zlib.decompress(data, -15)


class Frame:
    """The first packet of a page."""

    def __init__(self, page):
        text = page if isinstance(page, str) else page.html
        data = base64.b64decode(re.search(r'class="clump-frame">([^<]*)<', text)[1])
        size = int.from_bytes(data[4:8], "little")
        self.header, self.body = json.loads(inflate(data[8:8 + size])), data[8 + size:]
        self.scene = json.loads(re.search(r'id="clump-scene">(.*?)</script>', text)[1])

    def column(self, table, name):
        rows = self.header["tables"][table]["rows"]
        one = next(column for column in self.header["tables"][table]["columns"] if column["name"] == name)
        packed = inflate(self.body[one["at"]:one["at"] + one["size"]]) if one["planes"] else b""
        coded = np.zeros(rows, np.uint64)
        for k in range(one["planes"]):
            plane = np.frombuffer(packed, np.uint8)[k * rows:(k + 1) * rows]
            coded |= plane.astype(np.uint64) << np.uint64(8 * k)
        values = (coded >> np.uint64(1)).astype(np.int64) ^ -(coded & np.uint64(1)).astype(np.int64)
        back = one["back"]
        for first in range(back):
            values[first::back] = np.cumsum(values[first::back])
        known = values != one["nan"] if "nan" in one else True
        return np.where(known, one["offset"] + one["scale"] * values, np.nan)


def scene():
    """Two boxes of points and a few others, far from 0."""
    rng = np.random.default_rng(4)
    boxes = [rng.uniform((0, 0, 0), (4, 2, 1.5), (200, 3)), rng.uniform((9, 5, 0), (10, 6, 2), (100, 3))]
    return np.vstack([*boxes, [[30, 30, 0], [np.nan, 0, 0]]]), np.repeat([3, 70, -1, 3], [200, 100, 1, 1])


def test_labels_and_their_boxes():
    points, labels = scene()
    page = clump.view(points, labels, title="a <scene> & more")
    frame = Frame(page)
    header = frame.header
    assert header["of"] == 302 and header["labelings"] == [{"name": "labels", "clusters": 2, "noise": 2, "ground": 0}]
    assert header["name"] == frame.scene["title"] == "a <scene> & more" and frame.scene["look"]["colour"] == "label"
    assert html.unescape(re.search("<title>([^<]*)</title>", page.html)[1]) == "a <scene> & more"
    assert frame.column("points", "label0").tolist() == [3] * 200 + [70] * 100 + [-1, -1]  # not finite: noise
    assert frame.column("clusters0", "label").tolist() == [3, 70] and frame.column("clusters0", "count").tolist() == [200, 100]
    if "sweep" not in header["tables"]["points"]:
        for axis in range(3):
            near = frame.column("points", "xyz"[axis])[:301] + header["origin"][axis]
            assert np.abs(near - points[:301, axis]).max() < 0.00101
    expected = clump.boxes(clump.describe(points[:301], np.repeat([0, 1, -1], [200, 100, 1])))
    origin = header["origin"]
    for name, wanted in (("bx", expected[:, 0] - origin[0]), ("by", expected[:, 1] - origin[1]), ("length", expected[:, 3]),
                         ("width", expected[:, 4])):
        assert np.abs(frame.column("clusters0", name) - wanted).max() < 0.002, name


def test_given_boxes():
    points, labels = scene()
    given = np.array([[5.0, 5, 1, 3, 2, 2, np.pi / 2], [1, 1, 1, 1, 1, 1, 0], [2, 2, 2, 2, 1, 1, 0], [2, 1, 0.75, 4, 2, 1.5, 0]])
    frame = Frame(clump.view(points, labels, given))  # row k is of label k: of label 3, not of 70; others are shown
    origin = frame.header["origin"]
    assert frame.column("clusters0", "label").tolist() == [3, 70, 0, 1, 2]
    assert frame.column("clusters0", "count").tolist() == [200, 100, 0, 0, 0]
    assert frame.column("clusters0", "length").tolist() == [4, 0, 3, 1, 2]
    assert np.abs(frame.column("clusters0", "bx") + origin[0] - [2, 9.5, 5, 1, 2])[[0, 2, 3, 4]].max() < 0.002
    assert np.abs(frame.column("clusters0", "uz") + origin[2] - [1.5, 0, 2, 1.5, 2.5])[[0, 2, 3, 4]].max() < 0.002
    assert frame.column("clusters0", "yaw")[2] == pytest.approx(90, abs=0.1)
    assert frame.column("clusters0", "uy")[2] + origin[1] == pytest.approx(6.5, abs=0.002)  # the box is turned
    clusters = clump.describe(points, np.where(labels == 70, 1, -1), count=2)
    clusters["label"] = [5, 70]
    frame = Frame(clump.view(points, labels, clusters[1:]))
    assert frame.column("clusters0", "length")[0] == 0
    assert frame.column("clusters0", "length")[1] == pytest.approx(clusters["box_length"][1], abs=0.002)
    assert frame.column("clusters0", "distance")[1] == pytest.approx(clusters["distance"][1], abs=0.002)
    alone = Frame(clump.view(points, boxes=given))
    assert alone.scene["look"]["colour"] == "height" and len(alone.column("clusters0", "label")) == 4
    for boxes, drawn in ((None, True), (True, True), (False, False)):
        assert Frame(clump.view(points, labels, boxes)).scene["look"]["boxes"] is drawn
    assert Frame(clump.view(points, boxes=np.empty((0, 7)))).header["labelings"][0]["clusters"] == 0


def test_what_detect_gives():
    cloud = clump.Cloud(scene()[0][:301])
    found = clump.detect(cloud, ground="none", min_size=1)
    page, same = Frame(clump.view(cloud, found)), Frame(clump.view(cloud, found.labels, found.clusters))
    for name in ("label", "count", "length"):
        assert page.column("clusters0", name).tolist() == same.column("clusters0", name).tolist() != []


def test_in_a_notebook():
    cloud = clump.Cloud(scene()[0])
    assert "<iframe" in cloud._repr_html_()
    found = clump.detect(np.repeat(np.arange(12.0) * 9, 3)[:, None] * [1, 0, 0], ground="none", min_size=1)
    text = found._repr_html_()
    assert text == found.clusters._repr_html_() and text.count("<tr>") == 11 and "12 rows, the first 10 are shown" in text
    assert "<th>label</th>" in text and found.clusters["count"].tolist() == [3] * 12
    assert "1 row<" in found.clusters[:1]._repr_html_()


def test_where_y_is_up():
    points, labels = scene()
    turned = points[:, [0, 2, 1]]
    frame = Frame(clump.view(turned, labels, clump.boxes(clump.describe(turned[:301], np.where(labels == 3, 0, -1)[:301], up="y"), up="y"), up="y"))
    assert frame.header["up"] == "y"
    assert frame.column("clusters0", "label").tolist() == [3, 70, 0]
    assert frame.column("clusters0", "uy")[2] + frame.header["origin"][1] == pytest.approx(np.nanmax(turned[:200, 1]), abs=0.002)


def test_clouds_fields_and_coordinates():
    points = np.random.default_rng(1).uniform(0, 9, (50, 3)) + [691234.0, 5334567.0, 100]
    cloud = clump.Cloud(points, fields={"intensity": np.arange(50), "rgb": np.arange(50, dtype=np.uint32) * 999})
    frame = Frame(clump.view(cloud, sensor=(691238, 5334570, 101), view="top", theme="dark", point_size=4, flip=True))
    assert frame.column("points", "field:intensity").tolist() == list(range(50))
    assert np.abs(frame.column("points", "x") + frame.header["origin"][0] - points[:, 0]).max() < 0.00101
    assert np.allclose(np.add(frame.header["sensor"], frame.header["origin"]), [691238, 5334570, 101])
    look = frame.scene["look"]
    assert (look["colour"], look["view"], look["theme"], look["pointSize"]) == ("rgb", "top", "dark", 4)
    assert Frame(clump.view(cloud, colour="intensity")).scene["look"]["field"] == "intensity"
    assert Frame(clump.view(cloud, colour="field:rgb")).scene["look"]["colour"] == "field"
    assert Frame(clump.view(cloud, max_points=10)).header["tables"]["points"]["rows"] == 10
    for empty in (np.empty((0, 3)), np.full((4, 3), np.nan)):
        assert Frame(clump.view(empty, np.zeros(len(empty), int))).header["of"] == len(empty)


def test_as_the_program(tmp_path):
    path = str(tmp_path / "street.pcd")
    subprocess.run([program(), "gen", "lidar", "--sensor", "vlp-16", "-q", "-o", path], check=True)
    subprocess.run([program(), "detect", path, "-q", "-o", str(tmp_path / "theirs.html")], check=True)
    cloud = clump.read(path)
    theirs, ours = Frame((tmp_path / "theirs.html").read_text()), Frame(clump.view(cloud, *clump.detect(cloud)))
    for key in ("of", "origin", "up", "flip", "sensor", "views", "low", "high"):
        assert theirs.header[key] == ours.header[key], key
    for table in ("points", "clusters0"):
        names = [column["name"] for column in theirs.header["tables"][table]["columns"]]
        assert names == [column["name"] for column in ours.header["tables"][table]["columns"]]
        for name in names:
            assert np.array_equal(theirs.column(table, name), ours.column(table, name), equal_nan=True), (table, name)


def test_notebooks_and_files(tmp_path):
    points, labels = scene()
    page = clump.view(points, labels, title='"quoted" <title>', height=300)
    cell = page._repr_html_()
    inside = re.fullmatch(r'<iframe title="([^"]*)" srcdoc="([^"]*)" sandbox="allow-scripts allow-downloads" '
                          r'style="width: 100%; height: 300px; border: 0"></iframe>', cell)
    assert html.unescape(inside[1]) == '"quoted" <title>' and html.unescape(inside[2]) == page.html
    assert re.fullmatch(r'<clump.Page: "quoted" <title>, \d\.\d MB>', repr(page))

    old = os.umask(0o027)
    try:
        page.write(tmp_path / "page.html")
    finally:
        os.umask(old)
    assert (tmp_path / "page.html").read_text() == page.html
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o640
    page.write(os.fsencode(tmp_path / "page.html"))
    clump.write(tmp_path / "written.html", points, labels=labels, boxes=False)
    assert Frame((tmp_path / "written.html").read_text()).scene["title"] == "written"
    clump.write(str(tmp_path / "other"), points, format="html")
    clump.write(str(tmp_path / "UPPER.HTM"), points, fields={"ring": np.arange(302)})
    assert len(Frame((tmp_path / "UPPER.HTM").read_text()).column("points", "field:ring")) == 302
    assert Frame((tmp_path / "other").read_text()).header["of"] == 302
    assert sorted(os.listdir(tmp_path)) == ["UPPER.HTM", "other", "page.html", "written.html"]  # nothing else is left
    for wrong in (tmp_path / "no" / "page.html", tmp_path):
        with pytest.raises(clump.FileError, match="cannot be written"):
            page.write(wrong)
    assert len(os.listdir(tmp_path)) == 4


def test_refused(tmp_path):
    points, labels = scene()
    for call, sentence in [
        (lambda: clump.view(points, labels[1:]), r"labels have the shape \(301,\): \(302,\) is needed"),
        (lambda: clump.view(points, colour="label"), "colour is 'label' or 'ground', but there are no labels"),
        (lambda: clump.view(points, colour="rgb"), "colour is 'rgb', but the points have no colours"),
        (lambda: clump.view(points, colour="heigth"), "colour: there is no field 'heigth'; a colour is label, height"),
        (lambda: clump.view(points, boxes=np.zeros((3, 6))), r"boxes have the shape \(3, 6\); \(K, 7\) is needed"),
        (lambda: clump.view(points.T), "did you mean .T"),
        (lambda: clump.view(points, view="above"), "there is no view 'above'; there are: home, top, side, sensor"),
        (lambda: clump.view(points, point_size=0), "point_size is 0; it must lie between"),
        (lambda: clump.write(tmp_path / "x.pcd", points, boxes=[]), r"boxes are for a page, a file whose name ends in \.html"),
        (lambda: clump.write(tmp_path / "x.html", points, encoding="ascii"), "a page has no encoding"),
    ]:
        with pytest.raises(clump.ArgumentError, match=sentence):
            call()
    with pytest.raises(TypeError, match="labels have the type float64: integers are needed"):
        clump.view(points, labels * 1.0)
    assert os.listdir(tmp_path) == []
