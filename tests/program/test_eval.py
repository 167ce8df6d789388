# SPDX-License-Identifier: BSD-3-Clause
#
# test_eval.py CLUMP DATA: what `clump eval --json` says, against eval_reference.py: on random labellings, on labelled frames
# of DATA/kitti (CLUMP_DATA names another folder), and on folders of both. Frames are left out where there are none.
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the source folder
try:
    import numpy as np
    from eval_reference import Scene
except ImportError as missing:
    print(f"skipped: {sys.executable}: {missing}: run scripts/setup.sh --rivals and build anew")
    sys.exit(77)

CLASSES = np.array([0, 1, 10, 252, 30, 18, 11, 99, 40, 48, 72, 50, 70, 80])
KINDS = ("mean_iou", "accuracy", "sq", "rq", "pq")


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def compare(name, expected, got):
    """Returns what differs: everything that is expected must be there."""
    if isinstance(expected, dict):
        missing = [f"{name}.{key}: is missing" for key in expected if key not in got]
        return missing or [w for key in expected for w in compare(f"{name}.{key}", expected[key], got[key])]
    if isinstance(expected, list):
        if len(expected) != len(got):
            return [f"{name}: {len(got)} rows, expected {len(expected)}"]
        return [w for k, (e, g) in enumerate(zip(expected, got)) for w in compare(f"{name}[{k}]", e, g)]
    if expected is None or got is None or isinstance(expected, str):
        same = expected == got
    else:
        same = abs(expected - got) <= 1e-6 * max(1.0, abs(expected))
    return [] if same else [f"{name}: {got}, expected {expected}"]


def random_scene(random, count):
    """A labelling that is right, cut, joined or lost in parts, so that every verdict and every kind of row comes up."""
    xyz = (random.random((count, 3)) * random.choice([4, 30, 140]) - 2).astype(np.float32)
    group = random.integers(0, max(2, count // 60), count)
    classes = random.choice(CLASSES, group.max() + 1)
    numbers = np.where(np.isin(classes, [40, 48, 72, 50, 70, 80]), 0, random.integers(0, 9, group.max() + 1))
    words = (numbers[group] << 16 | classes[group]).astype(np.uint32)
    merged = random.integers(0, random.integers(1, group.max() + 2), group.max() + 1)
    labels = np.where(random.random(count) < random.choice([0, 0.3]), merged[group], group)
    labels = np.where(random.random(count) < random.choice([0, 0.2, 0.6]), labels + 1000, labels)
    labels[np.isin(words & 0xFFFF, [40, 48, 72]) & (random.random(count) < 0.8)] = -2
    labels[random.random(count) < random.choice([0, 0.1, 0.5])] = -1
    labels[random.random(count) < 0.05] = -2
    words[0] = 1 << 16 | 10  # the truth of at least one point is known
    return xyz, words, labels.astype(np.int32)


class Test:
    def __init__(self, clump, scratch):
        self.clump, self.scratch = clump, scratch
        self.compared, self.failed = 0, 0

    def path(self, *names):
        path = os.path.join(self.scratch, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, name, xyz, words, labels):
        labels.tofile(self.path("found", name + ".labels"))
        words.tofile(self.path("truth", name + ".label"))
        np.c_[xyz, np.zeros(len(xyz), dtype=np.float32)].astype("<f4").tofile(self.path("cloud", name + ".bin"))
        return [self.path("found", name + ".labels"), self.path("truth", name + ".label"),
                self.path("cloud", name + ".bin")]

    def check(self, name, expected, got):
        wrong = compare(name, expected, got)
        self.compared += 1
        self.failed += bool(wrong)
        for line in wrong[:5]:
            print(line)

    def file(self, name, xyz, words, labels, min_size, max_range=np.inf, travel=True):
        """Compares one file with and without its points; returns the expected measures."""
        found, truth, cloud = self.write(name, xyz, words, labels)
        scene = Scene(words, labels, xyz, max_range)
        expected = scene.judge(min_size)
        if travel:
            expected["travel"] = scene.travel()
        options = ["--min-size", str(min_size), "--json"]
        limit = [] if np.isinf(max_range) else ["--max-range", str(max_range)]
        self.check(name, expected, json.loads(run(self.clump, "eval", found, truth, "--cloud", cloud, *options, *limit)))
        if np.isinf(max_range):
            alone = Scene(words, labels).judge(min_size) | {"travel": None}
            self.check(name + " alone", alone, json.loads(run(self.clump, "eval", found, truth, *options)))
        return expected

    def folders(self, files, min_size, scene, scene_of):
        """Compares sums and means of all files written so far."""
        got = json.loads(run(self.clump, "eval", self.path("found", ""), self.path("truth", ""), "--cloud",
                             self.path("cloud", ""), "--min-size", str(min_size), "--scene", scene, "--json"))
        counts = ("judged", "instances", "matched", "missed", "false_positives", "clusters", "wrong")
        expected = {key: sum(e[key] for e in files.values()) for key in counts}
        ious = sum((e["sq"] or 0) * e["matched"] for e in files.values())
        weight = expected["matched"] + (expected["instances"] - expected["matched"] + expected["false_positives"]) / 2
        expected |= {"sq": ious / expected["matched"], "pq": ious / weight}
        by_scene = {}
        for name, e in files.items():
            by_scene.setdefault(scene_of(name), []).append(e)

        def mean(some, pick):
            values = [pick(e) for e in some if pick(e) is not None]
            return sum(values) / len(values) if values else None

        picks = {kind: (lambda e, kind=kind: e[kind]) for kind in KINDS}
        picks |= {"matched_share": lambda e: e["matched_share"], "ground_f1": lambda e: e["ground"]["f1"],
                  "ground_without_vegetation_f1": lambda e: e["ground_without_vegetation"]["f1"],
                  "ose": lambda e: e["entropy"]["ose"], "use": lambda e: e["entropy"]["use"]}
        expected["mean_over_files"] = {key: mean(files.values(), pick) for key, pick in picks.items()}
        expected["mean_over_scenes"] = {}
        for key, pick in picks.items():
            values = [mean(some, pick) for some in by_scene.values()]
            values = [v for v in values if v is not None]
            expected["mean_over_scenes"][key] = sum(values) / len(values)
        expected["scenes"] = [{"scene": s, "files": len(by_scene[s])} for s in sorted(by_scene)]
        expected["files"] = [{key: files[name][key] for key in (*counts, *KINDS, "ground")} for name in sorted(files)]
        self.check("folders", expected, got)


def frames(data):
    for scene, number in (("00", 3), ("04", 0), ("06", 9)):
        for label in glob.glob(os.path.join(data, "kitti", f"semkitti_{scene}_{number:06d}.label")):
            yield f"semkitti_{scene}_{number:06d}", label


def compare_random(clump, scratch, random):
    """Random files with their own limits, then folders of random files."""
    limits = Test(clump, os.path.join(scratch, "limits"))
    for k in range(16):
        xyz, words, labels = random_scene(random, int(random.choice([3, 40, 400, 2500])))
        far = float(random.choice([5, 25, np.inf]))
        limits.file(f"limit_{k:02d}", xyz, words, labels, int(random.integers(2, 60)), far)
    test, files = Test(clump, os.path.join(scratch, "random")), {}
    for k in range(24):
        xyz, words, labels = random_scene(random, int(random.choice([3, 40, 400, 2500])))
        files[f"set{k % 4}_{k:02d}"] = test.file(f"set{k % 4}_{k:02d}", xyz, words, labels, 5)
    test.folders(files, 5, "set(.)", lambda name: name[3])
    return [limits, test]


def compare_frames(clump, scratch, data):
    """Frames that `clump ec` labels. The objects of TRAVEL are compared on every 8th point: the search is over all pairs."""
    test, thin, files = Test(clump, os.path.join(scratch, "frames")), Test(clump, os.path.join(scratch, "thin")), {}
    for name, label in frames(data):
        found = os.path.join(scratch, "found.labels")
        run(clump, "ec", label[:-6] + ".bin", "-d", "0.5", "--remove-ground", "-q", "-o", found)
        xyz = np.fromfile(label[:-6] + ".bin", dtype="<f4").reshape(-1, 4)[:, :3]
        words, labels = np.fromfile(label, dtype="<u4"), np.fromfile(found, dtype="<i4")
        files[name] = test.file(name, xyz, words, labels, 50, travel=False)
        thin.file(name, xyz[::8], words[::8], labels[::8], 20)
    if files:
        test.folders(files, 50, "_(..)_", lambda name: name[9:11])
    else:
        print(f"skipped: labelled frames, {data}/kitti: set CLUMP_DATA to a folder with the real scans")
    return [test, thin]


def main():
    clump, data = sys.argv[1], os.environ.get("CLUMP_DATA") or sys.argv[2]
    with tempfile.TemporaryDirectory() as scratch:
        tests = compare_random(clump, scratch, np.random.default_rng(23)) + compare_frames(clump, scratch, data)
    failed = sum(test.failed for test in tests)
    print(f"{sum(test.compared for test in tests)} comparisons, {failed} differ")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
