# SPDX-License-Identifier: BSD-3-Clause
"""Maps are those of the program; what moves is left out; bad arguments are said."""

import pickle
import subprocess

import numpy as np
import pytest

import clump
from support.data import program


def make_drive(folder, *options):
    drive, poses = str(folder / "drive.mcap"), str(folder / "poses.txt")
    subprocess.run([program(), "gen", "lidar", "--frames", "5", "--sensor", "vlp-16", "--speed", "15", "-q", "-o", drive, "--poses",
                    poses, *options], check=True)
    with clump.frames(drive) as opened:
        frames = [(frame.cloud.xyz.copy(), frame.cloud["time"].copy()) for frame in opened]
    return drive, poses, frames, np.loadtxt(poses).reshape(-1, 3, 4)


@pytest.mark.parametrize("distorted", [False, True])
def test_as_the_program(tmp_path, distorted):
    drive, poses, frames, matrices = make_drive(tmp_path, *["--distortion"] * distorted)
    out = str(tmp_path / "map.pcd")
    subprocess.run([program(), "map", drive, "--poses", poses, "-o", out, "-q", "--no-tracks", "--voxel", "0.3", "--times",
                    "time" if distorted else "none"], check=True)
    made = clump.Map(voxel=0.3)
    if distorted:
        ends = [(i, i + 1) if i + 1 < len(frames) else (i - 1, i) for i in range(len(frames))]
        frames = [(clump.deskew(xyz, times, matrices[a], matrices[b], 0.1), None)
                  for (xyz, times), (a, b) in zip(frames, ends, strict=True)]
    for (xyz, _), pose in zip(frames, matrices, strict=True):
        made.add(xyz, pose)
    for (xyz, _), pose in zip(frames, matrices, strict=True):
        made.look(xyz, np.vstack([pose, [0, 0, 0, 1]]))
    found, told = made.points(), clump.read(out)
    assert len(found.points) == found.voxels - found.dropped == len(told.xyz) and found.dropped > 0
    assert np.array_equal(found.observations, told["observations"])
    assert np.abs(found.points - told.coordinates()).max() < 1e-4 and found.points.dtype == np.float64
    assert found.passes.max() > 0


def test_masks():
    rng = np.random.default_rng(5)
    points = rng.uniform(-20, 20, (5000, 3))
    left, right = points[:, 0] < 0, points[:, 1] > 0
    pose = np.eye(4)

    def made(**how):
        result = clump.Map()
        result.add(points, pose, **how)
        return result.points()

    everything, half = made(), made(mask=left)
    assert half.voxels < everything.voxels and half.points[:, 0].max() < 0.2
    moved = made(moving=right)
    assert moved.voxels == everything.voxels and moved.dropped >= moved.voxels // 3 and moved.points[:, 1].max() < 0.2
    both = made(mask=left, moving=right)
    assert both.voxels == half.voxels and both.dropped > 0
    empty = clump.Map().points()
    assert empty.points.shape == (0, 3) and empty.voxels == 0


def test_refusals():
    made, points, pose = clump.Map(), np.ones((4, 3)) * 9, np.eye(4)
    with pytest.raises(clump.ArgumentError, match="one per point"):
        made.add(points, pose, mask=[True])
    with pytest.raises(clump.ArgumentError, match="mask has"):
        made.add(points, pose, mask=[True] * 4, moving=[True])
    with pytest.raises(clump.ArgumentError, match="no rotation and translation"):
        made.add(points, 2 * pose)
    with pytest.raises(clump.ArgumentError, match="4 x 4 or 3 x 4"):
        made.add(points, np.eye(3))
    with pytest.raises(clump.ArgumentError, match="voxel"):
        clump.Map(voxel=0)
    made.add(points, pose)
    made.look(points, pose)
    with pytest.raises(clump.ArgumentError, match="all frames must be added"):
        made.add(points, pose)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(made)
    assert repr(clump.Map(voxel=0.3)) == "<clump.Map voxel=0.3>"
    with pytest.raises(clump.ArgumentError, match="one per point"):
        clump.deskew(points, [0], pose, pose, 0.1)
    with pytest.raises(clump.ArgumentError, match="seconds is 0"):
        clump.deskew(points, np.zeros(4), pose, pose, 0)
