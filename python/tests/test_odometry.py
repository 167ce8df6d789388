# SPDX-License-Identifier: BSD-3-Clause
"""Odometry: poses are those of the program; bad frames are said."""

import json
import pickle
import subprocess

import numpy as np
import pytest

import clump
from support.data import program

TENTH = 100_000_000


def test_as_the_program(tmp_path):
    drive = str(tmp_path / "drive.mcap")
    subprocess.run([program(), "gen", "lidar", "--frames", "4", "--sensor", "vlp-16", "--distortion", "-q", "-o", drive],
                   check=True)
    lines = subprocess.run([program(), "odometry", drive, "--json-lines", "-q", "--map-voxel", "0.4"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    odometry = clump.Odometry(map_voxel=0.4)
    with clump.frames(drive) as opened:
        for frame, line in zip(opened, lines, strict=True):
            pose = odometry.push(frame.cloud, frame.stamp, times=frame.cloud["time"])
            told = json.loads(line)
            assert pose.transform.ravel().tolist() == told["transform"] and pose.state == told["state"]
            assert pose.information.ravel().tolist() == told["information"] and pose.map_points == told["map_points"]
            assert pose.certainty.tolist() == told["certainty"] and pose.deskewed == told["deskewed"]
    assert pose.state == "ok" and pose.deskewed and abs(pose.transform[0, 3] - 2.4) < 0.03
    places = odometry.map
    assert places.shape == (pose.map_points, 3) and places.dtype == np.float64


def room(x):
    """A room, seen from a place along x."""
    points = np.random.default_rng(3).uniform(-9, 9, (9000, 3)).astype(np.float32)
    points[::3, 0], points[1::3, 1], points[2::3, 2] = 9, -9, -2
    return points - np.array([x, 0, 0], np.float32)


def test_states():
    odometry = clump.Odometry(patience=2)
    assert odometry.push(room(0), 0).state == "first"
    pose = odometry.push(room(0.2), TENTH)
    assert pose.state == "ok" and pose.why is None and not pose.weak and pose.fitness > 0.9
    assert abs(pose.transform[0, 3] - 0.2) < 0.02 and np.linalg.eigvalsh(pose.information).min() > 0
    lost = odometry.push(np.empty((0, 3)), 2 * TENTH)
    assert lost.state == "lost" and lost.why == "the frame has too few points" and lost.map_points == pose.map_points
    with pytest.raises(clump.ArgumentError, match="not later than the one before"):
        odometry.push(room(0.4), 2 * TENTH)
    odometry.reset()
    assert odometry.push(room(0.4), 0).state == "first" and len(odometry.map) > 0


def test_refusals():
    odometry = clump.Odometry()
    with pytest.raises(TypeError, match="integer, in nanoseconds"):
        odometry.push(room(0), 0.5)
    with pytest.raises(clump.ArgumentError, match="one per point is needed"):
        odometry.push(room(0), 0, times=[1, 2])
    with pytest.raises(clump.ArgumentError, match="voxel"):
        clump.Odometry(voxel=0)
    with pytest.raises(clump.ArgumentError, match="method"):
        clump.Odometry(method="best")
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(odometry)
    assert repr(clump.Odometry(voxel=0.5)) == "<clump.Odometry method='plane', voxel=0.5>"
