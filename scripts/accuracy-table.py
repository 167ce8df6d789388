#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/accuracy-table.py [--check] [--data FOLDER] PROGRAM: writes the tables of methods on labelled frames into
# docs/accuracy.md, between the lines <!-- accuracy-KIND:begin --> and <!-- accuracy-KIND:end -->.
#
# PROGRAM is clump. FOLDER (default: CLUMP_DATA, else ../shared/data) has pairs kitti/NAME.bin and kitti/NAME.label. Every
# method labels all of them, and `clump eval` judges them. With --check nothing is written; status 1 says that the page is out of
# date, 77 that there are no frames.
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "accuracy.md")
METHODS = [
    "ec -d 0.5 --remove-ground",
    "ec -d 0.25 --eps-per-metre 0.0175 --remove-ground",
    "dbscan --eps 0.5 --min-points 5 --remove-ground",
    "detect",
    "detect --step",
    "erccl",
    "erccl --step",
    "objects --neighbours exact --sigma 0.2 --no-groups",
    "objects --neighbours exact --no-groups",
    "objects --neighbours exact --sigma 0.2",
    "objects --neighbours exact",
    "objects --neighbours scan --sigma 0.2 --no-groups",
    "objects --neighbours scan --no-groups",
    "objects --neighbours scan --sigma 0.2",
    "objects --neighbours scan",
]
BEFORE, AFTER = METHODS[-4], METHODS[-1]  # of the losses
RULES = {"none": "--sigma 0.2 --no-groups", "step rule": "--no-groups", "groups": "--sigma 0.2", "both": ""}
SENSORS = {"hdl-64e": 0.0175, "128": 0.005, "hdl-32e": 0.025, "vlp-16": 0.025}  # simulated, and their --eps-per-metre
SCENES = ("street", "t-junction", "road", "square", "people", "crossroad"), ("pairs",), ("yard",)
LARGE = "bus", "truck", "other-vehicle"
COLUMNS = (("car",), ("person",)), (("person",),), (("car",), LARGE)  # of the scenes: classes that are added up
SEEDS = 1, 2
MAP_ONLY = {"erccl", "erccl --step"}  # they label points of their map alone
CLASSES = ["car", "truck", "bus", "other-vehicle", "motorcyclist", "motorcycle", "person"]


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def folders(scratch):
    names = [os.path.join(scratch, name) for name in ("found", "truth", "clouds")]
    for folder in names:
        os.makedirs(folder, exist_ok=True)
    return names


def judge(program, method, frames, scratch):
    """Labels all frames; returns what eval says over all ranges, and in the map of erccl."""
    found, truth, clouds = folders(scratch)
    for frame in frames:
        for folder, ending in ((truth, ".label"), (clouds, ".bin")):
            link = os.path.join(folder, os.path.basename(frame) + ending)
            if not os.path.exists(link):
                os.symlink(os.path.abspath(frame + ending), link)
    command, *options = method.split()
    found = os.path.join(found, re.sub(r"\W+", "-", method))
    os.makedirs(found)
    run(program, command, clouds, "--each", *options, "-q", "-o", found, "--to", "labels")
    words = [program, "eval", found, truth, "--cloud", clouds, "--min-size", "50", "--scene", "_(..)_", "--json"]
    return json.loads(run(*words)), json.loads(run(*words, "--extent", "40"))


def simulate(program, sensor, scenes, scratch):
    """Per rule: what eval says of simulated scans, instances of 20 points and more."""
    found, truth, clouds = folders(os.path.join(scratch, sensor, scenes[0]))
    for scene in scenes:
        for seed in SEEDS:
            name = f"{scene}_{seed}"
            run(program, "gen", "lidar", "--sensor", sensor, "--scene", scene, "--seed", str(seed), "-q", "-o",
                os.path.join(clouds, name + ".bin"), "--truth", os.path.join(truth, name + ".label"))
    said = {}
    for rule, options in RULES.items():
        labels = os.path.join(found, rule.replace(" ", "-"))
        os.makedirs(labels)
        run(program, "objects", clouds, "--each", "--neighbours", "exact", "--eps-per-metre", str(SENSORS[sensor]),
            *options.split(), "-q", "-o", labels, "--to", "labels")
        said[rule] = json.loads(run(program, "eval", labels, truth, "--cloud", clouds, "--min-size", "20", "--json"))
    return said


def simulated_table(program, scratch):
    """Cars, people and large vehicles of simulated scans, by sensor and rule."""
    lines = ["| sensor | rules | cars | people | PQ | people in pairs | PQ | cars in rows | large vehicles | PQ |",
             "|---|---|" + "---:|" * 8]
    for sensor in SENSORS:
        said = [simulate(program, sensor, scenes, scratch) for scenes in SCENES]
        for rule in RULES:
            cells = []
            for result, columns in zip(said, COLUMNS):
                for kinds in columns:
                    parts = [part for part in result[rule]["classes"] if part["class"] in kinds]
                    matched, instances = (sum(part[key] for part in parts) for key in ("matched", "instances"))
                    cells.append(f"{matched} of {instances}")
                cells.append(number(result[rule]["pq"]))
            lines.append(f"| {sensor if rule == 'none' else ''} | {rule} | " + " | ".join(cells) + " |")
    return lines


def losses_table(results):
    """Where instances are lost, by class and range, before and after."""
    lines = ["| | instances | joined | split | ground or noise | now joined | split | ground or noise |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    verdicts = "under_segmented", "over_segmented", "missed"
    for key, name_of in (("classes", lambda part: part["class"]), ("ranges", interval("m"))):
        for before, after in zip(results[BEFORE][0][key], results[AFTER][0][key]):
            if before["instances"] > 0:
                cells = [part[verdict] for part in (before, after) for verdict in verdicts]
                lines.append(f"| {name_of(before)} | {before['instances']} | " + " | ".join(map(str, cells)) + " |")
    return lines


def number(value):
    return f"{value:.3f}"


def row(method, cells):
    return f"| `{method}` | " + " | ".join(cells) + " |"


def known(method, cells):
    """The cells, or dashes where the method does not label all ranges."""
    return ["–"] * len(cells) if method in MAP_ONLY else cells


def interval(unit):
    """Returns a function that names a part with two ends: "10 to 20 m", "1000 points and more"."""
    return lambda part: (f"{part['from']} {unit} and more" if part["to"] is None else
                         f"{part['from']} to {part['to']} {unit}")


def matched_by(results, key, name_of, order=None):
    """The table of matched instances by parts: classes, ranges or sizes."""
    parts = next(iter(results.values()))[0][key]
    totals = {name_of(part): part["instances"] for part in parts if part["instances"] > 0}
    present = [name for name in order or totals if name in totals]
    lines = ["| matched | " + " | ".join(f"{name}, of {totals[name]}" for name in present) + " |",
             "|---|" + "---:|" * len(present)]
    for method, (all_ranges, _) in results.items():
        if method in MAP_ONLY:
            continue
        matched = {name_of(part): part["matched"] for part in all_ranges[key]}
        lines.append(row(method, [str(matched[name]) for name in present]))
    return lines


def tables(results):
    """The tables, by their names. results: per method, what eval says over all ranges and in the map."""
    everything = next(iter(results.values()))[0]
    instances, square = everything["instances"], next(iter(results.values()))[1]["instances"]
    rows = [f"| | matched, of {instances} | PQ | SQ | RQ | false positives | PQ, mean of scenes | in the map, of {square} |"
            " PQ in the map |", "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for method, (all_ranges, in_map) in results.items():
        cells = [str(all_ranges["matched"]), *(number(all_ranges[key]) for key in ("pq", "sq", "rq")),
                 str(all_ranges["false_positives"]), number(all_ranges["mean_over_scenes"]["pq"])]
        rows.append(row(method, known(method, cells) + [str(in_map["matched"]), number(in_map["pq"])]))
    means = ["| | ground F1 | without vegetation | F1 in the map | without vegetation | OSE | USE | USE of classes |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for method, (all_ranges, in_map) in results.items():
        a, m = all_ranges["mean_over_files"], in_map["mean_over_files"]
        grounds = [[number(v["ground_f1"]), number(v["ground_without_vegetation_f1"])] for v in (a, m)]
        sums = [f"{a[key]:.1f}" for key in ("travel_ose", "travel_use", "travel_use_of_classes")]
        means.append(row(method, known(method, grounds[0]) + grounds[1] + known(method, sums)))
    return {"instances": rows, "classes": matched_by(results, "classes", lambda part: part["class"], CLASSES),
            "ranges": matched_by(results, "ranges", interval("m")), "sizes": matched_by(results, "sizes", interval("points")),
            "means": means, "losses": losses_table(results)}


def replace(page, name, rows):
    begin, end = f"<!-- accuracy-{name}:begin -->\n", f"<!-- accuracy-{name}:end -->"
    if begin not in page or end not in page:
        sys.exit(f"docs/accuracy.md has no lines {begin.strip()} and {end}")
    before, rest = page.split(begin, 1)
    return before + begin + "\n".join(rows) + "\n" + end + rest.split(end, 1)[1]


def main():
    parser = argparse.ArgumentParser(description="writes the tables of docs/accuracy.md")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1: the page is out of date")
    parser.add_argument("--data", default=os.environ.get("CLUMP_DATA") or os.path.join(ROOT, "../shared/data"))
    parser.add_argument("program", help="clump")
    given = parser.parse_args()
    frames = sorted(path[:-6] for path in glob.glob(os.path.join(given.data, "kitti", "semkitti_*.label")))
    if not frames:
        print(f"skipped: tables of docs/accuracy.md, {given.data}/kitti: set CLUMP_DATA to a folder with the real scans")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        results = {method: judge(given.program, method, frames, os.path.join(scratch, "kitti")) for method in METHODS}
        simulated = simulated_table(given.program, scratch)
    with open(PAGE, encoding="utf-8") as file:
        old = file.read()
    new = old
    for name, rows in [*tables(results).items(), ("simulated", simulated)]:
        new = replace(new, name, rows)
    if given.check:
        if new != old:
            print("docs/accuracy.md is not what clump finds now: run scripts/accuracy-table.py PROGRAM")
        return int(new != old)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
