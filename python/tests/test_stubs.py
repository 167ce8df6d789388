# SPDX-License-Identifier: BSD-3-Clause
"""The types in __init__.pyi are those of the package, and serve a typed program."""
import ast
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import clump
from support import data

STUB = pathlib.Path(clump.__file__).parent / "__init__.pyi"
SAMPLE = '''
import numpy as np
from numpy.typing import NDArray

import clump


def largest(points: NDArray[np.float32], context: clump.Context) -> NDArray[np.float32]:
    labels = clump.ec(points, 0.5, order="size", min_size=10, context=context)
    reveal_type(labels)
    chosen: NDArray[np.float32] = points[labels == 0]
    return chosen


def density(points: NDArray[np.float64]) -> int:
    labels, core = clump.dbscan(points, 0.5, 10, return_core=True)
    reveal_type(core)
    estimator = clump.DBSCAN(eps=0.5, min_samples=10).fit(points)
    return int(core.sum()) + len(estimator.core_sample_indices_) + int(labels.max())


def files(path: str) -> None:
    cloud = clump.read(path)
    clump.write("labelled.las", cloud, labels=clump.ec(cloud, 0.5))
    for index, stamp, frame in clump.frames(path):
        print(index, stamp, len(frame), clump.detect(frame).clusters["count"])


def neighbours(points: NDArray[np.float32]) -> float:
    distances, indices = clump.NearestNeighbors(n_neighbors=3).fit(points).kneighbors()
    only = clump.NearestNeighbors().fit(points).kneighbors(points, return_distance=False)
    reveal_type(only)
    moved = clump.icp(points, points, method="plane")
    return float(distances[0, 0]) + float(indices[0, 0]) + moved.rmse + float(moved.transform[0, 3])


def found(points: NDArray[np.float32], rings: NDArray[np.uint16]) -> int:
    labels = clump.objects(points, neighbours="scan", rings=rings, levels=[0.5, 1])
    boxes = clump.objects(points, boxes=[(6, 3, 2.6), {"length": 13, "width": 3.5, "most_top": 4.5, "fits": "truck"}])
    labels, rows = clump.objects(points, return_objects=True, step=True)
    return int(labels.max()) + len(rows[rows["fits"] == "car"]) + int(boxes.max())


def shown(points: NDArray[np.float32]) -> int:
    labels, clusters = clump.detect(points)
    tracks = clump.Tracker(gate=3).update(clusters, 0)
    reveal_type(tracks)
    pose = clump.Odometry(voxel=0.5).push(points, 0, times=None)
    clump.read("map.pcd") if pose.state == "lost" else pose.transform @ pose.transform
    clump.view(points, labels, clusters, colour="height", view="top").write("page.html")
    clump.write("page.html", points, labels=labels, boxes=False)
    return int(tracks["id"][0])


def wrong(points: NDArray[np.float32]) -> None:
    clump.ec(points, "0.5")  # error: the distance is a text
    clump.ec(points, 0.5, order="colour")  # error: there is no such order
    clump.ec(points, 0.5, min_points=3)  # error: there is no such parameter
    clump.objects(points, boxes=[{"length": 6, "width": 3}])  # error: the height is missing
    clump.objects(points, neighbours="all")  # error: there is no such kind
    clump.ground(points, step=1.5)  # error: a switch
'''


def expand():
    """The stub with every `**options: Unpack[Class]` as keyword arguments. stubtest does not look into the classes."""
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    def keys(name):
        found = [key for base in classes[name].bases if base.id != "TypedDict" for key in keys(base.id)]
        return found + [(line.target.id, line.annotation) for line in classes[name].body]

    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.args.kwarg and isinstance(node.args.kwarg.annotation, ast.Subscript):
            for key, annotation in keys(node.args.kwarg.annotation.slice.id):
                node.args.kwonlyargs.append(ast.arg(key, annotation))
                node.args.kw_defaults.append(ast.Constant(...))
            node.args.kwarg = None
    return tree


def write_stub(folder, text):
    """The stub alone, in a folder where mypy finds it before the modules of the package. Returns the environment of mypy."""
    (folder / "clump").mkdir(parents=True)
    (folder / "clump" / "__init__.pyi").write_text(text, encoding="utf-8")
    (folder / "clump" / "py.typed").touch()
    return {**os.environ, "MYPYPATH": str(folder), "MYPY_CACHE_DIR": str(folder / "cache")}


def run(environment, folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_options():
    """Every function of the stub has the keyword arguments of the package, which come from the rows of the library."""
    for node in expand().body:
        if isinstance(node, ast.FunctionDef):
            runtime = inspect.signature(getattr(clump, node.name)).parameters.values()
            named = sorted(each.name for each in runtime if each.kind == inspect.Parameter.KEYWORD_ONLY)
            assert sorted(each.arg for each in node.args.kwonlyargs) == named, node.name


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="run scripts/setup.sh --python-long")
def test_types(tmp_path):
    if data.TIER == 1:
        pytest.skip("set CLUMP_TEST_TIER=2")
    (tmp_path / "allowed").write_text("clump.__main__\n")  # a program, not for import
    environment = write_stub(tmp_path / "expanded", ast.unparse(expand()))
    status, text = run(environment, tmp_path, "mypy.stubtest", "clump", "--concise", "--allowlist", "allowed")
    assert status == 0, text

    (tmp_path / "sample.py").write_text(SAMPLE)
    environment = write_stub(tmp_path / "stubs", STUB.read_text(encoding="utf-8"))
    status, text = run(environment, tmp_path, "mypy", "--strict", "--no-error-summary", "--enable-incomplete-feature=Unpack",
                       "sample.py")
    wrong = 1 + next(i for i, line in enumerate(SAMPLE.splitlines()) if line.startswith("def wrong"))
    errors = {int(line.split(":")[1]) for line in text.splitlines() if ": error:" in line}
    assert errors == {wrong + line for line in range(1, 7)}, text
    types = [line.split("Revealed type is")[1] for line in text.splitlines() if "Revealed type is" in line]
    assert ["signedinteger" in types[0], "bool_" in types[1], "signedinteger" in types[2]] == [True] * 3, types
