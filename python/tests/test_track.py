# SPDX-License-Identifier: BSD-3-Clause
"""Tracking: identities and velocities are those of the program."""

import json
import pickle
import subprocess
import threading

import numpy as np
import pytest

import clump
from support.data import program

SECOND = 1_000_000_000


def clusters_at(*places):
    """Clusters of one point each."""
    return clump.describe(np.array(places, np.float64).astype(np.float32).reshape(-1, 3), np.arange(len(places)))


def test_as_the_program(tmp_path):
    drive = str(tmp_path / "drive.mcap")
    subprocess.run([program(), "gen", "lidar", "--frames", "5", "--sensor", "vlp-16", "-q", "-o", drive], check=True)
    lines = subprocess.run([program(), "play", drive, "--track", "--poses", "none", "--gate", "1.5", "--flat-out", "--json-lines", "-q", "--",
                            "detect"], check=True, capture_output=True, text=True).stdout.splitlines()
    tracker = clump.Tracker(gate=1.5)
    frames = 0
    with clump.frames(drive) as opened:
        for frame, line in zip(opened, lines):
            clusters = clump.detect(frame.cloud).clusters
            tracks = tracker.update(clusters, frame.stamp)
            told = json.loads(line)["clusters"]
            assert len(tracks) == len(told) > 5
            for column, key in (("id", "track"), ("seen", "seen"), ("speed", "speed")):
                assert np.array_equal(tracks[column], np.array([one[key] for one in told], tracks[column].dtype))
            velocity = np.array([one["velocity"] for one in told], np.float32)
            for i, axis in enumerate("xyz"):
                assert np.array_equal(tracks[f"velocity_{axis}"], velocity[:, i])
            frames += 1
    assert frames == 5 and tracks["seen"].max() == 5 and tracks["speed"].max() > 0


def test_over_ground_as_the_program(tmp_path):
    drive, poses = str(tmp_path / "drive.mcap"), str(tmp_path / "poses.txt")
    subprocess.run([program(), "gen", "lidar", "--frames", "12", "--sensor", "vlp-16", "--scene", "people", "-q", "-o", drive,
                    "--poses", poses], check=True)
    lines = subprocess.run([program(), "play", drive, "--track", "--poses", poses, "--flat-out", "--json-lines", "-q", "--",
                            "detect"], check=True, capture_output=True, text=True).stdout.splitlines()
    tracker = clump.Tracker()
    moving = 0
    with clump.frames(drive) as opened:
        for frame, line, pose in zip(opened, lines, np.loadtxt(poses).reshape(-1, 3, 4)):
            tracks = tracker.update(clump.detect(frame.cloud).clusters, frame.stamp, pose)
            told = json.loads(line)["clusters"]
            for column, key in (("id", "track"), ("seen", "seen")):
                assert np.array_equal(tracks[column], np.array([one[key] for one in told], tracks[column].dtype))
            for column in ("speed", "confidence"):  # boxes of Python are turned, which rounds their yaw
                assert np.allclose(tracks[column], [one[column] for one in told], rtol=1e-4, atol=1e-5)
            assert tracks["motion"].tolist() == [{None: 0, False: 1, True: 2}[one["moving"]] for one in told]
            moving += (tracks["motion"] == 2).sum()
    assert moving > 0


def test_a_memory_as_the_program(tmp_path):
    drive, poses = str(tmp_path / "drive.mcap"), str(tmp_path / "poses.txt")
    subprocess.run([program(), "gen", "lidar", "--frames", "12", "--sensor", "vlp-16", "--scene", "street", "-q", "-o", drive,
                    "--poses", poses], check=True)
    lines = subprocess.run([program(), "play", drive, "--track", "--poses", poses, "--flat-out", "--json-lines", "-q", "--",
                            "objects", "--eps-per-metre", "0.025"], check=True, capture_output=True, text=True).stdout.splitlines()
    tracker, memory = clump.Tracker(), clump.Memory()
    apart = 0
    with clump.frames(drive) as opened:
        for frame, line, pose in zip(opened, lines, np.loadtxt(poses).reshape(-1, 3, 4)):
            found = clump.detect(frame.cloud, method="objects", eps_per_metre=0.025)
            labels, clusters = memory.correct(frame.cloud, found.labels, found.clusters, frame.stamp, pose)
            tracks = tracker.update(clusters, frame.stamp, pose)
            wholes = memory.remember(clusters, tracks, frame.stamp, pose)
            told = json.loads(line)["clusters"]
            assert clusters["count"].tolist() == [one["count"] for one in told] == np.bincount(labels[labels >= 0]).tolist()
            assert tracks["id"].tolist() == [one["track"] for one in told]
            assert wholes["views"].tolist() == [one["whole"]["views"] for one in told]
            assert [(None, "apart", "rest", "one")[change] for change in wholes["change"]] == [one["kept"] for one in told]
            longer = np.maximum(wholes["length"], wholes["width"])
            assert np.allclose(longer, [one["whole"]["length"] for one in told], rtol=1e-3, atol=1e-3)
            apart += (wholes["change"] == 1).sum()
    assert apart > 0


def test_wrong_memories():
    memory, points, eye = clump.Memory(up="y"), np.zeros((30, 3), np.float32), np.eye(4)
    found = clump.detect(points, method="objects", ground="none")
    tracks = clump.Tracker().update(found.clusters, 0)
    with pytest.raises(clump.ArgumentError, match="up must be"):
        clump.Memory(up="x")
    with pytest.raises(TypeError, match="objects"):
        memory.correct(points, found.labels, clump.describe(points, found.labels), 0, eye)
    with pytest.raises(clump.ArgumentError, match="29 labels for 30 points"):
        memory.correct(points, found.labels[:29], found.clusters, 0, eye)
    with pytest.raises(clump.ArgumentError, match="turn and move"):
        memory.correct(points, found.labels, found.clusters, 0, 2 * eye)
    with pytest.raises(clump.ArgumentError, match="there are 1 clusters"):
        memory.correct(points, found.labels + 1, found.clusters, 0, eye)
    with pytest.raises(clump.ArgumentError, match="Tracker.update"):
        memory.remember(found.clusters, tracks[:0], 0, eye)
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(memory)
    assert memory.remember(found.clusters, tracks, 0, eye)["views"].tolist() == [1]
    memory.reset()
    assert repr(memory) == "<clump.Memory up='y'>"


def test_wrong_poses():
    tracker = clump.Tracker()
    with pytest.raises(ValueError, match="4 x 4 or 3 x 4"):
        tracker.update(clusters_at((0, 0, 0)), 0, np.eye(3))
    with pytest.raises(ValueError, match="does not just turn and move"):
        tracker.update(clusters_at((0, 0, 0)), 0, 2 * np.eye(4))


def test_columns():
    tracker = clump.Tracker()
    first = tracker.update(clusters_at((0, 0, 0), (10, 0, 0)), 0)
    assert first.dtype.names == ("id", "velocity_x", "velocity_y", "velocity_z", "speed", "seen", "missed", "age", "motion",
                                 "confidence")
    assert first["id"].tolist() == [1, 2] and first["seen"].tolist() == [1, 1] and not first["speed"].any()
    assert len(tracker.update(clusters_at((10, 0, 0)), SECOND // 10)) == 1  # the first is hidden
    third = tracker.update(clusters_at((10.5, 0, 0), (1, 0, 0), (40, 0, 0)), 2 * SECOND // 10)
    assert third["id"].tolist() == [2, 1, 3]
    assert third["missed"].tolist() == [0, 1, 0] and third["seen"].tolist() == [3, 2, 1]
    assert third["age"].tolist() == [0.2, 0.2, 0]
    assert third["velocity_x"].tolist() == [2.5, 5, 0] and third["speed"].tolist() == [2.5, 5, 0]
    assert repr(third).startswith("<clump.Table: 3 rows, 10 columns: id velocity_x")


def test_reset_and_times_that_go_back():
    tracker = clump.Tracker(max_gap=0)
    here = clusters_at((1, 2, 3))
    assert [int(tracker.update(here, time)["id"][0]) for time in (0, 1, 2, 2, 3)] == [1, 1, 1, 2, 2]
    tracker.reset()
    assert tracker.update(here, 4)["id"].tolist() == [3]
    assert tracker.update(here[:0], 5).shape == (0,)
    assert clump.Tracker().update(here[:0], 5).shape == (0,)


def test_coordinates_of_surveys():
    """Centroids are float64 there: the tracker keeps their millimetres."""
    near = [np.array([[1.0, 2, 0], [1.25, 2, 0]]) + [0.1 * i, 0, 0] for i in range(4)]
    trackers = clump.Tracker(), clump.Tracker()
    for i, points in enumerate(near):
        far = clump.describe(points + [691234.0, 5334567.0, 100.0], [0, 0])
        assert far["centroid_x"].dtype == np.float64
        tracks = [tracker.update(clusters, i * SECOND // 10)
                  for tracker, clusters in zip(trackers, (clump.describe(points.astype(np.float32), [0, 0]), far))]
    assert tracks[0]["velocity_x"] == pytest.approx(1, abs=1e-5) and tracks[1]["velocity_x"] == pytest.approx(1, abs=1e-3)
    assert tracks[0]["seen"] == tracks[1]["seen"] == 4


def test_clusters_of_objects_and_chosen_rows():
    street = np.random.default_rng(0).uniform(-8, 8, (4000, 3)).astype(np.float32)
    found = clump.detect(street, method="objects", min_size=1)
    assert "fits" in found.clusters.dtype.names and len(found.clusters) > 3
    all_rows, some = clump.Tracker(), clump.Tracker()
    assert all_rows.update(found.clusters, 0)["id"].tolist() == list(range(1, len(found.clusters) + 1))
    assert some.update(found.clusters[::2], 0)["id"].tolist() == list(range(1, len(found.clusters[::2]) + 1))
    broken = clusters_at((0, 0, 0), (5, 0, 0))
    broken["centroid_x"][0] = np.nan
    tracker = clump.Tracker()
    assert [tracker.update(broken, time)["seen"].tolist() for time in (0, 1)] == [[1, 1], [1, 2]]


def test_refused():
    tracker = clump.Tracker()
    with pytest.raises(TypeError, match="^clusters must be what describe and detect give, not list"):
        tracker.update([[0, 0, 0]], 0)
    with pytest.raises(TypeError, match="^clusters must be what describe and detect give"):
        tracker.update(clump.objects(np.zeros((9, 3), np.float32), return_objects=True)[1], 0)
    with pytest.raises(TypeError, match=r"^time must be an integer, in nanoseconds, not float; for seconds: round\(time"):
        tracker.update(clusters_at((0, 0, 0)), 0.5)
    with pytest.raises(clump.ArgumentError, match="^time is 1180591620717411303424, which is too large"):
        tracker.update(clusters_at((0, 0, 0)), 2**70)
    with pytest.raises(clump.ArgumentError, match="^gate is -1, it must be above 0"):
        clump.Tracker(gate=-1)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(tracker)
    assert repr(tracker) == "<clump.Tracker up='z', gate=2.0, max_gap=0.5, smooth=0.5>"


def test_threads_take_turns_or_are_refused():
    """Nothing breaks where threads share a tracker: a call works, or is refused."""
    tracker, here = clump.Tracker(), clusters_at(*[(3 * i, 0, 0) for i in range(300)])
    said = []

    def use():
        context = clump.Context("cpu", threads=1)
        for i in range(200):
            try:
                tracks = clump.Tracker.update(tracker, here, i)
                assert len(tracks) == 300
            except clump.ArgumentError as error:
                said.append(str(error))
        context.close()

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(said) <= {"the tracker is in use by another thread"}
