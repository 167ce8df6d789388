# SPDX-License-Identifier: BSD-3-Clause
"""bench/python.py [options] [CASE...]: clump from Python, beside scikit-learn, Open3D and SciPy.

    --repeat N       N rounds per case (default: what fits into 20 seconds, 3 to 25)
    --no-rivals      ours alone
    --csv FILE       write the results; rows of other cases in FILE stay
    --data DIR       folder with the scans (default: CLUMP_DATA)
    --program FILE   the program clump, which makes the synthetic cloud (default build/release/cli/clump)
    --machine        print the name of this machine, as for results/python/NAME.csv
    --list           list the cases

All contestants are in one process and take turns, one run each per round. Results are compared before anything is
timed. Figures are medians. The package clump must be importable: PYTHONPATH=build/release/python.
"""
import argparse
import csv
import datetime
import gc
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import clump

COLUMNS = (
    "case,parameters,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,target,differ,"
    "machine,cores,python,clump,date"
).split(",")
MAY_DIFFER = 0.01  # share of labels on which float64 may differ from float32: pairs at almost exactly eps
FRAMES = "kitti/semkitti_00_000000.bin", "kitti/semkitti_00_000001.bin"


class Missing(Exception):
    """A cloud or a library is not there: the case or the contestant is left out."""


class Contestant:
    """Something to be timed: run() returns what is compared."""

    def __init__(self, name, version, threads, run):
        self.name, self.version, self.threads, self.run, self.times, self.differ = name, version, threads, run, [], 0


def module(name):
    """Import a rival."""
    try:
        return __import__(name, fromlist=["_"])
    except ImportError as missing:
        raise Missing(f"{name} is not installed ({missing})") from None


# --- clouds --------------------------------------------------------------------------------------------


def frame(settings, number=0):
    path = os.path.join(settings.data, FRAMES[number])
    if not os.path.exists(path):
        raise Missing(f"{path} is not there")
    return np.ascontiguousarray(np.fromfile(path, dtype="<f4").reshape(-1, 4)[:, :3])


def blob(settings):
    """The cloud blob-256k of the other benches."""
    if not os.path.exists(settings.program):
        raise Missing(f"{settings.program} is not there, which makes the cloud")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "blob.npy")
        made = "gen factors --layout blob -n 262144 -c 128 -k 32 -D 4 -q -o".split()
        subprocess.run([settings.program, *made, path], check=True)
        points = np.load(path)
    if points.dtype.names:
        points = np.stack([points[name] for name in "xyz"], axis=1)
    return np.ascontiguousarray(points[:, :3], dtype=np.float32)


# --- cases: (parameters, points, target, contestants) --------------------------------------------------


def ours(settings, run):
    """Two contestants: one thread, and as many as pay. run(context, jobs) is given both forms of the number."""
    one = clump.Context("cpu", threads=1)
    yield Contestant("clump", clump.__version__, 1, lambda: run(one, 1))
    yield Contestant("clump", clump.__version__, 0, lambda: run(None, None))


def dbscan(settings, points, eps, least):
    def run(_, jobs):
        return clump.DBSCAN(eps=eps, min_samples=least, n_jobs=jobs).fit(points).labels_

    yield from ours(settings, run)
    wide = points.astype(np.float64)  # what scikit-learn computes with
    yield Contestant(
        "clump-float64",
        clump.__version__,
        0,
        lambda: clump.DBSCAN(eps=eps, min_samples=least).fit(wide).labels_,
    )
    if settings.no_rivals:
        return
    theirs = module("sklearn.cluster").DBSCAN
    version = module("sklearn").__version__
    yield Contestant("sklearn", version, 1, lambda: theirs(eps=eps, min_samples=least).fit(wide).labels_)


def ec(settings, points, d):
    yield from ours(settings, lambda context, _: clump.ec(points, d, context=context))
    if settings.no_rivals:
        return
    open3d = module("open3d")
    cloud = open3d.geometry.PointCloud(open3d.utility.Vector3dVector(points.astype(np.float64)))
    yield Contestant("open3d", open3d.__version__, 0, lambda: np.asarray(cloud.cluster_dbscan(d, 1)))


def neighbors(settings, points, queries, k):
    """fit and kneighbors; the distances are compared."""

    def run(_, jobs):
        return clump.NearestNeighbors(n_neighbors=k, n_jobs=jobs).fit(points).kneighbors(queries)[0]

    yield from ours(settings, run)
    if settings.no_rivals:
        return
    theirs = module("sklearn.neighbors").NearestNeighbors
    wide = points.astype(np.float64), queries.astype(np.float64)
    version = module("sklearn").__version__
    yield Contestant("sklearn", version, 1, lambda: theirs(n_neighbors=k).fit(wide[0]).kneighbors(wide[1])[0])


def index(settings, points, queries, k):
    """Build and query; the distances are compared."""
    yield from ours(settings, lambda context, _: clump.Index(points, context=context).knn(queries, k)[0])
    if settings.no_rivals:
        return
    tree = module("scipy.spatial").cKDTree
    wide = points.astype(np.float64), queries.astype(np.float64)
    version = module("scipy").__version__
    yield Contestant("scipy", version, 1, lambda: tree(wide[0]).query(wide[1], k)[0].reshape(-1, k))


def cases():
    """Name -> (parameters, target, cloud and contestants from the settings)."""

    def on(make, *rest):
        def begin(settings):
            points = make(settings)
            return points, rest[0](settings, points, *rest[1:])

        return begin

    def on_frames(job, k):
        def begin(settings):
            points, queries = frame(settings, 0), frame(settings, 1)
            return points, job(settings, points, queries, k)

        return begin

    return {
        "dbscan-blob-256k": ("blob n=262144 c=128 k=32 D=4 eps=1 min_samples=5", 60, on(blob, dbscan, 1.0, 5)),
        "dbscan-kitti": (f"{FRAMES[0]} eps=0.5 min_samples=10", 100, on(frame, dbscan, 0.5, 10)),
        "ec-blob-256k": ("blob n=262144 c=128 k=32 D=4 d=1", 0, on(blob, ec, 1.0)),
        "ec-kitti": (f"{FRAMES[0]} d=0.5", 0, on(frame, ec, 0.5)),
        "kneighbors-kitti": ("frame 1 in frame 0 n_neighbors=5 fit and kneighbors", 0, on_frames(neighbors, 5)),
        "index-kitti-1": ("frame 1 in frame 0 k=1 build and query", 0, on_frames(index, 1)),
        "index-kitti-8": ("frame 1 in frame 0 k=8 build and query", 0, on_frames(index, 8)),
    }


# --- measuring -----------------------------------------------------------------------------------------


def different(first, other):
    """Number of entries that differ: labels at all, distances by more than float32 can tell."""
    if first.shape != other.shape:
        return max(first.size, other.size)
    if other.dtype.kind == "f":
        return int(np.sum(~np.isclose(first, other, rtol=1e-5, atol=1e-4)))
    return int(np.sum(first != other))


def timed(run):
    gc.disable()
    start = time.perf_counter()
    run()
    taken = time.perf_counter() - start
    gc.enable()
    return taken


def measure(settings, contestants):
    """Compare the results with those of the first contestant, then time all in turns."""
    first, spent = None, 0.0
    for one in contestants:
        result = np.asarray(one.run())  # also warms up
        first = result if first is None else first
        one.differ = different(first, result)
        if one.differ > MAY_DIFFER * first.size:
            raise SystemExit(f"{one.name}: {one.differ} of {first.size} results differ: nothing is timed")
        spent += timed(one.run)
    rounds = settings.repeat or min(25, max(3, int(20 / spent)))
    for _ in range(rounds):
        for one in contestants:
            one.times.append(1e3 * timed(one.run))


def overhead(settings, wanted):
    """The time of a call on few points with a context that has been used before; no rival."""
    for count in filter(lambda count: wanted(f"overhead-{count}"), (1, 4, 16)):
        points = np.arange(3 * count, dtype=np.float32).reshape(-1, 3)
        context = clump.Context("cpu", threads=1)
        for name, run in (
            ("clump.ec", lambda: clump.ec(points, 0.5, context=context)),
            ("clump.ec default context", lambda: clump.ec(points, 0.5)),
            ("clump.dbscan", lambda: clump.dbscan(points, 0.5, 2, context=context)),
        ):
            one = Contestant(name, clump.__version__, 1, run)
            for _ in range(200):
                run()
            for _ in range(settings.repeat or 15):
                start = time.perf_counter()
                for _ in range(1000):
                    run()
                one.times.append(time.perf_counter() - start)  # seconds of 1000 calls are milliseconds of one
            yield f"overhead-{count}", f"n={count}", points, 0, [one]


def machine_name():
    """The name that the benches in C give it: processor and cores."""
    cpu = clump.devices()[0]
    name = re.sub('[^a-z0-9]+', '-', cpu.name.lower()).strip('-').removeprefix('arm-')
    return f"{name}-{os.cpu_count()}cores"


def report(name, parameters, points, target, contestants, rows):
    fastest = statistics.median(contestants[0].times)
    print(f"{name}: {len(points)} points, {parameters}")
    for one in contestants:
        median = statistics.median(one.times)
        threads = "" if one.threads == 0 else ", 1 thread"
        figure = ""
        if target and one.name == "sklearn":
            figure = "  reached" if median / fastest >= target else f"  MISSED: {target} is wanted"
        differ = f"  {one.differ} differ" if one.differ else ""
        print(f"  {one.name + threads:24} {median:12.4f} ms  {median / fastest:8.2f}x{differ}{figure}")
        rows.append(
            dict(
                zip(
                    COLUMNS,
                    [
                        name, parameters, len(points), one.name, one.version, one.threads, len(one.times), f"{median:.4f}",
                        f"{min(one.times):.4f}", f"{median / fastest:.3f}", target if one.name == "sklearn" else 0,
                        one.differ, clump.devices()[0].name, os.cpu_count(),
                        f"CPython {sys.version.split()[0]} NumPy {np.__version__}", clump.__version__,
                        f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d} {os.environ.get('CLUMP_COMMIT', '')}".strip(),
                    ],
                )
            )
        )  # fmt: skip


def save(path, rows):
    """Write the rows; rows of other cases in the file stay, in their places."""
    kept = []
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as file:
            kept = list(csv.DictReader(file))
    fresh = {row["case"] for row in rows}
    merged, placed = [], set()
    for row in kept:
        if row["case"] not in fresh:
            merged.append(row)
        elif row["case"] not in placed:
            placed.add(row["case"])
            merged += [new for new in rows if new["case"] == row["case"]]
    merged += [new for new in rows if new["case"] not in placed]
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".new", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(merged)
    os.replace(path + ".new", path)


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--no-rivals", action="store_true")
    parser.add_argument("--csv")
    parser.add_argument("--data", default=os.environ.get("CLUMP_DATA") or os.path.join(root, "../shared/data"))
    parser.add_argument("--program", default=os.path.join(root, "build/release/cli/clump"))
    parser.add_argument("--machine", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("words", nargs="*")
    settings = parser.parse_args()
    if settings.machine:
        return print(machine_name())
    if settings.list:
        return print("\n".join([*cases(), "overhead-1", "overhead-4", "overhead-16"]))

    def wanted(name):
        return not settings.words or any(word in name for word in settings.words)

    rows = []
    for name, (parameters, target, begin) in cases().items():
        if not wanted(name):
            continue
        contestants = []
        try:
            points, entries = begin(settings)
            for one in entries:
                contestants.append(one)
        except Missing as missing:
            print(f"{name}: left out: {missing}")
        if contestants:
            measure(settings, contestants)
            report(name, parameters, points, target, contestants, rows)
    for name, parameters, points, target, contestants in overhead(settings, wanted):
        report(name, parameters, points, target, contestants, rows)
    if settings.csv and rows:
        save(settings.csv, rows)
    return None


if __name__ == "__main__":
    main()
