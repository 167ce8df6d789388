# SPDX-License-Identifier: BSD-3-Clause
"""clump map against the truth: how much of what moves is left, and how much of what stands is lost.

    test_map.py CLUMP

Simulated drives, and SemanticKITTI's where CLUMP_DATA has them. A voxel moves where most of its points do. In tier 3 (CLUMP_TEST_TIER) all
rows of docs/map.md are made and printed.
"""
import glob
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {sys.executable}: {missing}: run scripts/setup.sh --rivals and build anew")
    sys.exit(77)

SIDE, NEAR, FAR = np.float32(0.2).astype(float), 1.0, 60.0
LANES = 49153  # the first instance of cars that drive
ROWS = [(scene, sensor, speed) for sensor in ("hdl-64e", "hdl-32e", "vlp-16")
        for scene, speed in (("street", 8), ("crossroad", 8), ("people", 3), ("road", 22))]
# most that may be left and lost, in percent: simulated with 64 beams but people, the others, real
LIMITS = {"hdl-64e": (1.5, 3.0), "other": (9.0, 4.5), "real": (20.0, 4.0)}
clump = sys.argv[1]
if os.environ.get("CLUMP_TEST_TIER", "1") in ("", "1"):
    print("skipped: test_map: it is a test of tier 2: run CLUMP_TEST_TIER=2 make test")
    sys.exit(77)
long_run = os.environ.get("CLUMP_TEST_TIER") == "3"
failed = False


def keys(xyz):
    """One number per point: its voxel."""
    steps = np.floor(xyz / SIDE).astype(np.int64) + (1 << 20)
    return (steps[:, 0] << 42) | (steps[:, 1] << 21) | steps[:, 2]


class Drive:
    """Frames with poses, and the truth of those that have one."""

    def __init__(self, scans, poses, labels):
        self.scans, self.poses = scans, poses
        matrices = np.loadtxt(poses).reshape(-1, 3, 4)
        self.frames = []  # points in the world, class, instance
        for i, path in enumerate(sorted(glob.glob(os.path.join(scans, "*.bin")))):
            label = labels(os.path.basename(path)[:-4])
            if not os.path.exists(label):
                continue
            xyz = np.fromfile(path, np.float32).reshape(-1, 4)[:, :3].astype(float)
            truth = np.fromfile(label, np.uint32)
            far = np.linalg.norm(xyz, axis=1)
            good = (far >= NEAR) & (far <= FAR)
            world = xyz[good] @ matrices[i][:, :3].T + matrices[i][:, 3]
            self.frames.append((world, truth[good] & 0xffff, truth[good] >> 16))

    def moves_simulated(self):
        """Cars of lanes, and people whose centroids are more than 0.7 m apart."""
        low, high = np.full((65536, 2), np.inf), np.full((65536, 2), -np.inf)
        for world, kind, thing in self.frames:
            people = thing[kind == 30]
            count = np.bincount(people, minlength=65536)
            at = np.stack([np.bincount(people, world[kind == 30, k], 65536) for k in (0, 1)], 1)[count >= 5].astype(float)
            at /= count[count >= 5, None]
            low[count >= 5] = np.minimum(low[count >= 5], at)
            high[count >= 5] = np.maximum(high[count >= 5], at)
        moving = np.hypot(*np.maximum(high - low, 0).T) > 0.7
        moving[LANES:] = True
        return [moving[thing] for _, _, thing in self.frames]

    def moves_real(self):
        return [(kind >= 252) & (kind <= 259) for _, kind, _ in self.frames]

    def judge(self, moves, *options):
        """The shares of moving voxels that are left and of standing ones that are lost, in percent."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "map.npy")
            subprocess.run([clump, "map", self.scans, "--poses", self.poses, "-o", out, "-q", *options], check=True)
            left = np.load(out)
        left = np.stack([left[k] for k in "xyz"], 1) if left.dtype.names else left[:, :3]
        all_keys, where = np.unique(np.concatenate([keys(world) for world, _, _ in self.frames]), return_inverse=True)
        share = np.bincount(where, np.concatenate(moves)) / np.bincount(where)
        kept = np.isin(all_keys, keys(left.astype(float)))
        moving = share > 0.5
        return (100 * np.mean(kept[moving]) if moving.any() else 0.0, 100 * np.mean(~kept[~moving]), int(moving.sum()))


def row(name, drive, moves, limits):
    global failed
    beams, tracks = drive.judge(moves, "--no-tracks"), drive.judge(moves)
    print(f"| {name} | {tracks[2]:,} | {beams[0]:.1f} % | {beams[1]:.1f} % | {tracks[0]:.1f} % | {tracks[1]:.1f} % |", flush=True)
    if tracks[0] > limits[0] or tracks[1] > limits[1]:
        print(f"{name}: {tracks[0]:.2f} % left, {tracks[1]:.2f} % lost, at most {limits} are expected")
        failed = True


print("| drive | moving voxels | beams: left | lost | with tracks: left | lost |")
for scene, sensor, speed in ROWS if long_run else [("crossroad", "hdl-64e", 8)]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([clump, "gen", "lidar", "--scene", scene, "--sensor", sensor, "--speed", str(speed), "--frames",
                        "60" if long_run else "32", "--to", "semantickitti", "-o", folder + "/drive", "-q"], check=True)
        scans = os.path.dirname(glob.glob(folder + "/drive/**/000000.bin", recursive=True)[0])
        poses = glob.glob(folder + "/drive/**/poses.txt", recursive=True)[0]
        labels = os.path.join(os.path.dirname(scans), "labels")
        simulated = Drive(scans, poses, lambda name: os.path.join(labels, name + ".label"))
        plain = sensor == "hdl-64e" and scene != "people"
        row(f"{scene}, {sensor}", simulated, simulated.moves_simulated(), LIMITS["hdl-64e" if plain else "other"])
with tempfile.TemporaryDirectory() as folder:
    # a map in parts, with poses that are found and with tracks, is the whole map
    subprocess.run([clump, "gen", "lidar", "--sensor", "128", "--frames", "6", "-o", folder + "/drive.mcap", "-q"], check=True)
    command = [clump, "map", folder + "/drive.mcap", "--times", "none", "--voxel", "0.005", "--to", "pcd", "-q", "-o"]
    subprocess.run(command + [folder + "/whole.pcd"], check=True)
    subprocess.run(command + [folder + "/parts", "--ram", "256M"], check=True)

    def rows_of(path):
        content = open(path, "rb").read()
        return content[content.index(b"DATA binary\n") + len("DATA binary\n"):]

    parts = sorted(glob.glob(folder + "/parts/*.pcd"))
    same = b"".join(rows_of(part) for part in parts) == rows_of(folder + "/whole.pcd")
    print(f"a map in {len(parts)} parts: {'the same points' if same else 'OTHER POINTS'}")
    failed |= not same or len(parts) < 2
data = os.environ.get("CLUMP_DATA") or os.path.join(os.path.dirname(__file__), "../../../shared/data")
for number in ("00", "04", "06") if long_run else ("04",):
    scans = os.path.join(data, "drives", number, "velodyne")
    if not os.path.isdir(scans):
        print(f"skipped: the real drive {number}: set CLUMP_DATA to a folder with the real scans")
        continue
    real = Drive(scans, os.path.join(data, "drives", number, "poses_velodyne.txt"),
                 lambda name: os.path.join(data, "kitti", f"semkitti_{number}_{name}.label"))
    row(f"SemanticKITTI {number}, 10 frames", real, real.moves_real(), LIMITS["real"])
sys.exit(failed)
