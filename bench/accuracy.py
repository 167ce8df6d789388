#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# accuracy.py: measures how well ground and clusters of labelled frames are found, by several methods and parameters.
#
#     bench/accuracy.py CLUMP [--data FOLDER] [--sweep ground|ec|erccl] [--csv FILE]
#
# CLUMP is the program. FOLDER (default: CLUMP_DATA, else ../shared/data) has pairs kitti/NAME.bin and kitti/NAME.label;
# every pair is a frame. Without --sweep each method runs with its defaults. `clump eval` judges the frames on instances
# of at least 50 points: within 20 m, in the square of 40 m that is the map of erccl, and over all ranges.
# docs/accuracy.md defines the measures. A row has the sum over all frames, and for F1 their mean.
import argparse
import array
import csv
import glob
import itertools
import json
import os
import subprocess
import sys
import tempfile

GROUND = {40, 44, 48, 49, 60, 72}
REGIONS = [("20 m", ["--max-range", "20"]), ("square", ["--extent", "40"]), ("all", [])]


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def remove_true_ground(frame, scratch):
    """Writes the frame without its true ground. Returns its path, the kept indices, and the number of points."""
    points, words = array.array("f"), array.array("I")
    with open(frame + ".bin", "rb") as file:
        points.frombytes(file.read())
    with open(frame + ".label", "rb") as file:
        words.frombytes(file.read())
    kept = [i for i, word in enumerate(words) if word & 0xFFFF not in GROUND]
    path = os.path.join(scratch, "kept.bin")
    with open(path, "wb") as file:
        for i in kept:
            points[4 * i : 4 * i + 4].tofile(file)
    return path, kept, len(words)


class Bench:
    def __init__(self, clump, frames, scratch):
        self.clump, self.frames = clump, frames
        self.labels = os.path.join(scratch, "found.labels")
        self.scratch = scratch

    def label(self, frame, words):
        """Labels a frame. words is a command with its options; "true" before it removes the true ground first."""
        if words[0] != "true":
            run(self.clump, words[0], frame + ".bin", *words[1:], "-q", "-o", self.labels)
            return
        path, kept, count = remove_true_ground(frame, self.scratch)
        run(self.clump, words[1], path, *words[2:], "-q", "-o", self.labels)
        found, all_labels = array.array("i"), array.array("i", [-2]) * count
        with open(self.labels, "rb") as file:
            found.frombytes(file.read())
        for place, label in zip(kept, found):
            all_labels[place] = label
        with open(self.labels, "wb") as file:
            all_labels.tofile(file)

    def judge(self, words):
        row = {"command": " ".join(words)}
        for name, _ in REGIONS:
            row.update({f"F1, {name}": 0.0, f"matched, {name}": 0, f"of, {name}": 0})
        row.update(over=0, under=0, missed=0, clusters=0, wrong=0)
        for frame in self.frames:
            self.label(frame, words)
            for name, options in REGIONS:
                found = json.loads(run(self.clump, "eval", self.labels, frame + ".label", "--cloud", frame + ".bin",
                                       "--min-size", "50", "--json", *options))
                row[f"F1, {name}"] += (found["ground"]["f1"] or 0.0) / len(self.frames)
                row[f"matched, {name}"] += found["matched"]
                row[f"of, {name}"] += found["instances"]
            for key in ("over", "under"):
                row[key] += found[key + "_segmented"]
            for key in ("missed", "clusters", "wrong"):
                row[key] += found[key]
        return row


def print_row(row):
    cells = [f"{row[f'F1, {name}']:.4f} {row[f'matched, {name}']:3d}/{row[f'of, {name}']:<3d}" for name, _ in REGIONS]
    errors = f"{row['over']:3d} {row['under']:3d} {row['missed']:3d}"
    share = 100 * (1 - row["wrong"] / row["clusters"]) if row["clusters"] else float("nan")
    print(f"{row['command']:64s} | {' | '.join(cells)} | {errors} | {share:.1f}%", flush=True)


def rows_to_judge(sweep, has_erccl):
    ec = ["ec", "-d", "0.5"]
    if sweep == "ground":
        yield [*ec, "--remove-ground"]
        for option, values in (("--sigma", "0.1 0.15 0.25 0.3"), ("--slope", "0.1 0.15 0.3 0.4")):
            for value in values.split():
                yield [*ec, "--remove-ground", option, value]
        for sigma in "0.1 0.2 0.3 0.4".split():
            yield [*ec, "--remove-ground", "--ground", "peak", "--sigma", sigma]
        return
    if sweep == "ec":
        for distance in "0.2 0.3 0.4 0.5 0.6 0.7 0.8".split():
            yield ["ec", "-d", distance, "--remove-ground"]
            yield ["true", "ec", "-d", distance]
        return
    if sweep == "erccl":
        if not has_erccl:
            sys.exit("this clump has no erccl")
        for reach, alpha, tau, sigma in itertools.product("3 5 8".split(), "0.5 0.6 0.7 0.8 0.9".split(),
                                                          "0.6 0.65 0.7 0.75 0.8 0.85".split(), "0.15 0.2 0.25".split()):
            yield ["erccl", "--ground", "grid", "--reach", reach, "--alpha", alpha, "--tau", tau, "--sigma", sigma]
        return
    yield ["true", *ec]
    yield [*ec, "--remove-ground"]
    yield ["detect", "--min-size", "1", "--step"]  # by ec -d 0.5
    yield [*ec, "--remove-ground", "--ground", "peak"]
    yield ["dbscan", "--eps", "0.5", "--min-points", "5", "--remove-ground"]
    if has_erccl:
        for method in "fast ccl hash".split():
            yield ["erccl", "--ground", "grid", "--method", method]
        yield ["erccl", "--ground", "peak"]
        yield ["true", "erccl", "--ground", "none"]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="how well ground and clusters of labelled frames are found")
    parser.add_argument("clump", help="the program")
    parser.add_argument("--data", default=os.environ.get("CLUMP_DATA") or os.path.join(here, "../../shared/data"))
    parser.add_argument("--sweep", choices=["ground", "ec", "erccl"])
    parser.add_argument("--csv", help="write the rows to this file, too")
    given = parser.parse_args()
    frames = sorted(path[:-6] for path in glob.glob(os.path.join(given.data, "kitti", "*.label")))
    frames = [frame for frame in frames if os.path.exists(frame + ".bin")]
    if not frames:
        sys.exit(f"{given.data}: no labelled frames in its folder kitti")
    has_erccl = subprocess.run([given.clump, "help", "erccl"], capture_output=True).returncode == 0
    names = " | ".join(f"{name:14s}" for name, _ in REGIONS)
    print(f"{len(frames)} frames; in each region F1 of the ground and instances matched; over all ranges, instances over-"
          f"segmented,\nunder-segmented and missed, and clusters that are not wrong\n{'':64s} | {names} |")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(given.clump, frames, scratch)
        for words in rows_to_judge(given.sweep, has_erccl):
            rows.append(bench.judge(words))
            print_row(rows[-1])
    if given.csv:
        with open(given.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
