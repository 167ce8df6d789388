# SPDX-License-Identifier: BSD-3-Clause
"""The examples in Python run on simulated scans and print what they are known for; docs/gallery.md shows lines of them."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

import clump
from support.data import program

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "python"


def run(name, *arguments):
    if not EXAMPLES.exists():
        pytest.skip("run it in the source folder")
    environment = dict(os.environ, CLUMP_PROGRAM=program())
    done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], env=environment, text=True, timeout=250,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip().removeprefix("skipped: "))
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_kitti_to_boxes(tmp_path):
    out = tmp_path / "labelled.pcd"
    told = run("01_kitti_to_boxes.py", "-o", out)
    objects = int(re.search(r"(\d+) objects", told)[1])
    assert objects >= 20 and clump.read(out)["label"].max() + 1 == objects
    assert len(told.splitlines()) == 7


def test_tuning_eps():
    told = run("02_tuning_eps.py")
    rows = [line.split() for line in told.splitlines()[2:]]
    assert [row[0] for row in rows] == ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.8", "1.2", "2.0"]
    noise = [int(row[2]) for row in rows]
    assert noise == sorted(noise, reverse=True)
    page = ROOT / "docs" / "gallery.md"
    assert not page.exists() or told in page.read_text()


def test_torch(tmp_path):
    if importlib.util.find_spec("torch") is None:
        pytest.skip("run scripts/setup.sh --python-rivals")
    out = tmp_path / "labelled.pcd"
    told = run("03_torch_gpu.py", "--device", "cpu", "-o", out)
    assert f"labels are a tensor of torch.int32 on cpu: {clump.read(out)['label'].max() + 1} clusters" in told


def test_torch_on_the_gpu():
    if importlib.util.find_spec("torch") is None:
        pytest.skip("run scripts/setup.sh --python-rivals")
    assert "labels are a tensor of torch.int32 on cuda" in run("03_torch_gpu.py")


def test_folder_of_scans(tmp_path):
    table = tmp_path / "table.csv"
    told = run("04_folder_of_scans.py", "-o", table, "--keep", tmp_path / "scans")
    rows = table.read_text().splitlines()
    assert rows[0].startswith("frame,stamp,label,count,distance")
    assert len(rows) - 1 == sum(int(count) for count in re.findall(r"(\d+) objects", told)) > 50
    assert len(list((tmp_path / "scans").iterdir())) == 5


def test_labels_into_las(tmp_path):
    told = run("05_labels_into_las.py", "-o", tmp_path / "labelled.las")
    assert "coordinates are unchanged: True" in told and "point_source_id label" in told
    assert clump.read(tmp_path / "labelled.las").info.format == "las"


def test_the_gallery_shows_lines_of_the_scripts():
    page = ROOT / "docs" / "gallery.md"
    if not page.exists():
        pytest.skip("run it in the source folder")
    sections = page.read_text().split("\n## ")[1:]
    assert len(sections) == 5
    for section in sections:
        script = (EXAMPLES / re.search(r"\.\./examples/python/(\w+\.py)", section)[1]).read_text()
        blocks = re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)
        assert blocks
        for line in "".join(blocks).splitlines():
            assert line.strip() in script, line
