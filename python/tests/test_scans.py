# SPDX-License-Identifier: BSD-3-Clause
"""Every file of the scans, broken ones too: a cloud or a recording, or one sentence."""

import json
import subprocess

import numpy as np
import pytest

import clump
from support.data import DO_DATA, FOLDER, TIER, program, scan

CLOUDS = {".pcd", ".ply", ".las", ".laz", ".bin", ".txt", ".npy"}
RECORDINGS = {".bag", ".db3", ".mcap", ".pcap"}


def files(kinds):
    return sorted(path for path in FOLDER.rglob("*") if path.suffix in kinds) if FOLDER.exists() else []


def test_every_cloud():
    if not FOLDER.exists():
        pytest.skip(DO_DATA)
    clouds, sentences = 0, []
    for path in files(CLOUDS):
        try:
            cloud = clump.read(path)
        except clump.Error as error:
            assert str(error).startswith(str(path)) and isinstance(error, (clump.FormatError, clump.FileError))
            sentences.append(str(error))
            continue
        clouds += 1
        assert cloud.xyz.shape == (len(cloud), 3) and cloud.xyz.dtype == np.float32
        assert all(len(cloud[name]) == len(cloud) for name in cloud.fields)
        assert np.asarray(cloud).dtype.names == ("x", "y", "z") + cloud.fields
        if len(cloud) and path.suffix != ".txt":
            near = np.nanmax(np.abs(cloud.xyz + cloud.origin - cloud.coordinates()), initial=0)
            assert near <= 1e-6 * max(1.0, np.nanmax(np.abs(cloud.xyz), initial=0)), path
        assert repr(cloud).startswith("<clump.Cloud: ")
    assert clouds >= 100 and len(sentences) >= 5, (clouds, sentences)


def test_every_recording():
    if TIER == 1:
        pytest.skip("set CLUMP_TEST_TIER=2")
    if not FOLDER.exists():
        pytest.skip(DO_DATA)
    opened = 0
    for path in files(RECORDINGS):
        try:
            with clump.frames(path) as drive:
                opened += len(drive.topics) > 0
                assert all(len(frame.cloud) >= 0 for frame in drive)
                assert isinstance(drive.lost.first, str)
        except clump.Error as error:
            assert len(str(error)) > 20
    assert opened >= 15


def test_cut_at_every_place():
    whole = scan("las/pdal_perm_1.2_3.las").read_bytes(), scan("ply/pdal_simple_binary.ply").read_bytes()
    for contents in whole:
        for size in range(0, len(contents), 7):
            try:
                clump.read(contents[:size], partial=size % 2 == 0)
            except clump.Error as error:
                assert str(error)


LAS = ["las/pdal_autzen_trim.las", "las/lidr_MixedConifer.laz", "las/pdal_epsg_4326.las", "las/laspy_simple.laz",
       "las/liblas_certainty3d-color-utm-feet-navd88.las", "las/laspy_vegetation_1_3.las"]


@pytest.mark.parametrize("name", LAS + ["kitti/semkitti_00_000000.bin", "pcl/milk.pcd", "ply/trimesh_bunny.ply",
                                        "pcd/pdal_autzen-utm.pcd"])
@pytest.mark.parametrize("options", [{}, {"two_d": True, "order": "size"}])
def test_labels_equal_those_of_the_program(name, options):
    path = scan(name)
    arguments = [program(), "ec", str(path), "-d", "1.5", "--json", "-q"]
    arguments += ["--2d", "--order", "size"] if options else []
    told = json.loads(subprocess.run(arguments, stdout=subprocess.PIPE, check=True).stdout)
    labels = clump.ec(clump.read(path), 1.5, **options)
    assert int(labels.max()) + 1 == told["clusters"]
    assert clump.labels_hash(labels) == told["labels_hash"]


@pytest.mark.parametrize("name", LAS[:2] + ["kitti/semkitti_00_000000.bin", "pcd/nebula_vls128_1585897255376374245.pcd"])
@pytest.mark.parametrize("job", ["dbscan", "detect", "objects"])
def test_labels_of_other_jobs_equal_those_of_the_program(name, job):
    path = scan(name)
    options = {"dbscan": ["--eps", "1.5", "--min-points", "8"], "detect": ["-d", "0.7"], "objects": []}[job]
    arguments = [program(), job, str(path), "--json", "-q"] + options
    told = json.loads(subprocess.run(arguments, stdout=subprocess.PIPE, check=True).stdout)
    cloud = clump.read(path)
    jobs = {"dbscan": lambda: clump.dbscan(cloud, 1.5, 8), "detect": lambda: clump.detect(cloud, d=0.7).labels,
            "objects": lambda: clump.objects(cloud)}
    labels = jobs[job]()
    assert clump.labels_hash(labels) == told["labels_hash"]


@pytest.mark.parametrize("name", LAS)
def test_labels_into_las_keep_the_rest(name, tmp_path):
    path = scan(name)
    cloud = clump.read(path)
    out = tmp_path / path.name
    clump.write(out, cloud, labels=np.arange(len(cloud)))
    back = clump.read(out)
    assert np.array_equal(back.coordinates(), cloud.coordinates())
    assert back["label"].tolist() == list(range(len(cloud)))
    assert all(np.array_equal(back[field], cloud[field], equal_nan=cloud[field].dtype.kind == "f") for field in cloud.fields)
    clump.write(tmp_path / "again.pcd", back)
    assert np.array_equal(clump.read(tmp_path / "again.pcd").coordinates(), cloud.coordinates())


def test_kitti_is_read_without_a_copy():
    path = scan("kitti/semkitti_00_000000.bin")
    cloud = clump.read(path)
    flat = np.fromfile(path, np.float32).reshape(-1, 4)
    assert np.array_equal(cloud.xyz, flat[:, :3]) and np.array_equal(cloud["intensity"], flat[:, 3])
    assert cloud.origin.tolist() == [0, 0, 0] and cloud.info.format == "kitti"
