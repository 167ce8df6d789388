# SPDX-License-Identifier: BSD-3-Clause
"""clump eval of poses against a second implementation, written from the definitions of docs/drive.md alone.

    test_eval_poses.py CLUMP
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {sys.executable}: {missing}: run scripts/setup.sh --rivals and build anew")
    sys.exit(77)


def turn(axis, angle):
    """Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)


def drive(rng, frames, step, bend):
    """A true path, and one with errors."""
    truth, found = [np.eye(4)], [np.eye(4)]
    for _ in range(frames - 1):
        m = np.eye(4)
        m[:3, :3] = turn(np.array([0.1, 0.2, 1.0]), rng.gauss(0, bend))
        m[0, 3] = step * rng.random()
        e = np.eye(4)
        e[:3, :3] = turn(np.array([rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1)]), rng.gauss(0, 0.002))
        e[:3, 3] = [rng.gauss(0, 0.02), rng.gauss(0, 0.02), rng.gauss(0, 0.01)]
        truth.append(truth[-1] @ m)
        found.append(found[-1] @ m @ e)
    start = np.eye(4)  # found poses begin elsewhere
    start[:3, :3] = turn(np.array([1.0, 2.0, 3.0]), 1)
    start[:3, 3] = [400, -20, 3]
    return truth, [start @ f for f in found]


def quaternion(r):
    """x y z w: the eigenvector of Bar-Itzhack's matrix."""
    k = np.array([[r[0, 0] - r[1, 1] - r[2, 2], 0, 0, 0],
                  [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], 0, 0],
                  [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], 0],
                  [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]]])
    return np.linalg.eigh(k / 3)[1][:, 3]


def write_kitti(path, poses):
    with open(path, "w") as file:
        for p in poses:
            file.write(" ".join(repr(float(v)) for v in p[:3].ravel()) + "\n")


def write_tum(path, poses, times):
    with open(path, "w") as file:
        file.write("# time tx ty tz qx qy qz qw\n")
        for p, t in zip(poses, times):
            numbers = list(p[:3, 3]) + list(quaternion(p[:3, :3]))
            file.write(f"{t:.6f} " + " ".join(repr(float(v)) for v in numbers) + "\n")


def error(poses, truth, i, j):
    e = np.linalg.inv(np.linalg.inv(poses[i]) @ poses[j]) @ np.linalg.inv(truth[i]) @ truth[j]
    return np.linalg.norm(e[:3, 3]), math.acos(max(-1, min(1, (np.trace(e[:3, :3]) - 1) / 2)))


def spread(values):
    if len(values) == 0:
        return dict(rmse=None, mean=None, median=None, max=None)
    v = np.array(values)
    return dict(rmse=math.sqrt(np.mean(v * v)), mean=np.mean(v), median=np.median(v), max=np.max(v))


def absolute(poses, truth):
    """Kabsch, by the singular values."""
    p, q = np.array([m[:3, 3] for m in poses]), np.array([m[:3, 3] for m in truth])
    if len(p) < 3:
        return spread([])
    u, _, v = np.linalg.svd((p - p.mean(0)).T @ (q - q.mean(0)))
    d = np.diag([1, 1, np.sign(np.linalg.det(v.T @ u.T))])
    return spread(np.linalg.norm((p - p.mean(0)) @ (v.T @ d @ u.T).T - (q - q.mean(0)), axis=1))


def measure(poses, truth):
    n = len(poses)
    path = [0.0]
    for i in range(1, n):
        path.append(path[-1] + np.linalg.norm(truth[i][:3, 3] - truth[i - 1][:3, 3]))
    steps = [error(poses, truth, i, i + 1) for i in range(n - 1)]
    every, lengths = [], []
    for length in range(100, 801, 100):
        of = []
        for i in range(0, n, 10):
            ends = [j for j in range(i, n) if path[j] > path[i] + length]
            if ends:
                t, r = error(poses, truth, i, ends[0])
                of.append((100 * t / length, math.degrees(r) / length))
        every += of
        lengths.append(of)

    def row(of):
        mean = [None, None] if not of else [sum(v[k] for v in of) / len(of) for k in (0, 1)]
        return dict(parts=len(of), translation_percent=mean[0], degrees_per_m=mean[1])

    return dict(compared=n, path_m=path[-1],
                per_frame=dict(translation_m=spread([s[0] for s in steps]),
                               rotation_degrees=spread([math.degrees(s[1]) for s in steps])),
                absolute_m=absolute(poses, truth),
                kitti=dict(row(every), lengths=[dict(row(of), length_m=100 * (k + 1)) for k, of in enumerate(lengths)]))


def compare(found, wanted, where=""):
    if isinstance(wanted, dict):
        for key in wanted:
            compare(found[key], wanted[key], f"{where}.{key}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), where
        for i, w in enumerate(wanted):
            compare(found[i], w, f"{where}[{i}]")
    elif wanted is None:
        assert found is None, (where, found)
    else:
        tolerance = 2e-6 if "otation" in where or "degrees" in where else 1e-7
        assert abs(found - wanted) <= tolerance * max(1, abs(wanted)), (where, found, wanted)


def pair(times, true_times):
    """The true pose of nearest time for each pose, within 0.02 s; of several poses of one true pose the nearest."""
    best = {}
    for i, t in enumerate(times):
        j = min(range(len(true_times)), key=lambda k: (abs(true_times[k] - t), k))
        gap = abs(true_times[j] - t)
        if gap <= 20000 and (j not in best or gap < best[j][0]):
            best[j] = (gap, i)
    return [(best[j][1], j) for j in sorted(best)]


def main():
    clump = os.path.abspath(sys.argv[1])
    rng = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        a, b = os.path.join(folder, "found.txt"), os.path.join(folder, "truth.txt")

        def run():
            return json.loads(subprocess.run([clump, "eval", a, b, "--json"], check=True, capture_output=True).stdout)

        for frames, step, bend in [(1, 1, 0), (2, 1, 0.1), (3, 1, 0.1), (10, 2, 0.02), (700, 3, 0.02), (1001, 1.2, 0.3)]:
            truth, found = drive(rng, frames, step, bend)
            write_kitti(a, found)
            write_kitti(b, truth)
            compare(run(), measure(found, truth))
        for gap in (10000, 30000, 100000):  # microseconds between true poses
            truth, found = drive(rng, 400, 1, 0.05)
            true_times = [10**12 + i * gap for i in range(400)]
            times, now = [], 10**12 - 50000
            while len(times) < 400:
                now += rng.randrange(1, 60000)
                times.append(now)
            write_tum(a, found, [t / 1e6 for t in times])
            write_tum(b, truth, [t / 1e6 for t in true_times])
            pairs = pair(times, true_times)
            compare(run(), measure([found[i] for i, _ in pairs], [truth[j] for _, j in pairs]))
    print("9 drives are judged alike")


main()
