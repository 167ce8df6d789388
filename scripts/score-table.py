#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/score-table.py [--check | --fit] [--data FOLDER] PROGRAM: how good the score of `clump objects` is on labelled
# frames. Writes the tables of docs/objects.md, between the lines <!-- score-KIND:begin --> and <!-- score-KIND:end -->.
#
# PROGRAM is clump. FOLDER (default: CLUMP_DATA, else ../shared/data) has pairs kitti/NAME.bin and kitti/NAME.label. With
# --fit the numbers of the score are computed from these frames and written to src/core/node.h: build clump again, and make
# the tables anew. With --check nothing is written; status 1 says that the page is out of date, 77 that there are no frames.
#
# An object is right when it has IoU >= 0.5 with a labelled instance, as of `clump eval`. Objects with less than half of
# their points labelled are left out. The fit is a logistic regression on broken lines, one per quantity: the values at the
# knots are the unknowns. They are kept small (RIDGE) and the lines smooth (SMOOTH).
import argparse
import array
import collections
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "objects.md")
SOURCE = os.path.join(ROOT, "src", "core", "node.h")
FACTORS = (0.5, 1, 2)  # of the levels, by default
KNOTS = {
    "width": (0, 0.5, 1, 2),
    "bottom": (0, 0.5, 1),
    "top": (0.5, 1, 1.5, 2, 3),
    "factor": (0.5, 1, 2),
    "density": (4000, 8000, 16000, 32000),
}
CHANCE = [(x, round(1 / (1 + math.exp(-x)), 3)) for x in range(-5, 6)]
RIDGE, SMOOTH = 0.3, 1
CUTS = (0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7)
KINDS = {  # the sizes, and the classes of SemanticKITTI that have them
    "car": {10, 252},
    "truck": {13, 16, 18, 20, 256, 257, 258, 259},
    "person": {30, 31, 32, 253, 254, 255},
}
ROAD_USERS = set().union(*KINDS.values(), {11, 15})  # bicycles and motorcycles have none of the sizes
SENSORS = {"hdl-64e": 0.0175, "128": 0.005, "hdl-32e": 0.025, "vlp-16": 0.025}  # simulated, and their --eps-per-metre
SCENES = [(scene, seed) for scene in ("street", "crossroad", "square", "road") for seed in (1, 2, 3)]
LEAST = 10  # points of an instance: objects have as many

# --- frames ---------------------------------------------------------------------------------------------


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")


def read(path, code):
    values = array.array(code)
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return values


def quantities(cluster):
    """What the score depends on, by name. The sensor is at 0."""
    u, v = ((cluster["lower"][axis] + cluster["upper"][axis]) / 2 for axis in (0, 1))
    face = max(cluster["length"], 0.1) * max(cluster["top"] - cluster["bottom"], 0.1)
    return {"factor": FACTORS[cluster["level"]], "density": cluster["count"] * (u * u + v * v) / face,
            **{name: cluster[name] for name in ("width", "bottom", "top")}}


def judge(frame, found):
    """(objects, instances) of a frame: what was found, and the numbers of points of what is labelled."""
    words, labels = read(frame + ".label", "I"), read(found + ".labels", "i")
    both = collections.Counter(zip(labels, words))
    known, instances, overlaps = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for (label, word), count in both.items():
        if word & 0xffff > 1:
            known[label] += count
        if word >> 16 and word & 0xffff in ROAD_USERS:
            instances[word] += count
            overlaps[label].append((count, word))
    scene = os.path.basename(frame).split("_")[1]
    objects = []
    with open(found + ".json", encoding="utf-8") as file:
        clusters = json.load(file)
    for cluster in clusters:
        label = cluster["label"]
        if cluster["level"] < 0 or 2 * known[label] < cluster["count"]:
            continue
        count, word = max(overlaps[label], default=(0, 0))
        right = 2 * count >= known[label] + instances[word] - count if count else False
        objects.append({"scene": scene, "frame": frame, "fits": cluster["fits"], "score": cluster["score"],
                        "word": word if right else None, "class": word & 0xffff if right else None,
                        "at": quantities(cluster)})
    return objects, [(frame, word) for word, count in instances.items() if count >= LEAST]


def judge_all(program, frames, scratch, *options):
    objects, instances = [], []
    for frame in frames:
        found = os.path.join(scratch, os.path.basename(frame))
        run(program, "objects", frame + ".bin", *options, "-q", "--clusters", found + ".json", "-o", found + ".labels")
        more, others = judge(frame, found)
        objects += more
        instances += others
    return objects, instances


def simulate(program, sensor, scratch):
    """The names of simulated frames, without their endings."""
    frames = [os.path.join(scratch, f"{sensor}_{scene}_{seed}") for scene, seed in SCENES]
    for frame, (scene, seed) in zip(frames, SCENES):
        run(program, "gen", "lidar", "--sensor", sensor, "--scene", scene, "--seed", str(seed), "-q", "-o", frame + ".bin",
            "--truth", frame + ".label")
    return frames


# --- the score ------------------------------------------------------------------------------------------


def weights(knots, x):
    """[(knot, weight)]: the value of a broken line at x is the sum of weight * value of the knot."""
    if not x > knots[0]:
        return [(0, 1.0)]
    for k in range(1, len(knots)):
        if x < knots[k]:
            share = (x - knots[k - 1]) / (knots[k] - knots[k - 1])
            return [(k - 1, 1 - share), (k, share)]
    return [(len(knots) - 1, 1.0)]


def line(knots, values, x):
    return sum(weight * values[k] for k, weight in weights(knots, x))


def score(numbers, at):
    total = numbers["base"] + sum(line(KNOTS[name], numbers[name], at[name]) for name in KNOTS)
    return line([x for x, _ in CHANCE], [y for _, y in CHANCE], total)


def solve(a, b):
    """Solves a x = b by elimination; a is symmetric and positive."""
    n = len(b)
    for i in range(n):
        for j in range(i + 1, n):
            factor = a[j][i] / a[i][i]
            if factor:
                for k in range(i, n):
                    a[j][k] -= factor * a[i][k]
                b[j] -= factor * b[i]
    for i in reversed(range(n)):
        b[i] = (b[i] - sum(a[i][k] * b[k] for k in range(i + 1, n))) / a[i][i]
    return b


def penalty():
    """The matrix of RIDGE and SMOOTH; unknown 0 is the base, which is free."""
    size = 1 + sum(map(len, KNOTS.values()))
    p = [[0.0] * size for _ in range(size)]
    first = 1
    for knots in KNOTS.values():
        for k in range(len(knots)):
            p[first + k][first + k] += RIDGE
        for k in range(1, len(knots) - 1):
            for i, x in ((-1, 1), (0, -2), (1, 1)):
                for j, y in ((-1, 1), (0, -2), (1, 1)):
                    p[first + k + i][first + k + j] += SMOOTH * x * y
        first += len(knots)
    return p


def fit(objects):
    """The numbers of the score, by Newton's method."""
    rows, p = [], penalty()
    for o in objects:
        row, first = [(0, 1.0)], 1
        for name, knots in KNOTS.items():
            row += [(first + k, weight) for k, weight in weights(knots, o["at"][name])]
            first += len(knots)
        rows.append((row, 1.0 if o["word"] is not None else 0.0))
    size = len(p)
    values = [0.0] * size
    for _ in range(30):
        slope = [sum(p[i][k] * values[k] for k in range(size)) for i in range(size)]
        curve = [row[:] for row in p]
        for row, truth in rows:
            chance = 1 / (1 + math.exp(-sum(weight * values[k] for k, weight in row)))
            for k, weight in row:
                slope[k] += weight * (chance - truth)
                for j, other in row:
                    curve[k][j] += weight * other * chance * (1 - chance)
        step = solve(curve, slope)
        values = [value - change for value, change in zip(values, step)]
        if max(map(abs, step)) < 1e-9:
            break
    numbers, first = {"base": round(values[0], 2)}, 1
    for name, knots in KNOTS.items():
        numbers[name] = [round(value, 2) + 0.0 for value in values[first:first + len(knots)]]
        first += len(knots)
    return numbers


# --- src/core/node.h ------------------------------------------------------------------------------------


def between(text, begin, end, new):
    if begin not in text or end not in text:
        sys.exit(f"there is no {begin.strip()} and {end.strip()}")
    before, rest = text.split(begin, 1)
    return before + begin + new + end + rest.split(end, 1)[1]


MARKS = ("    /* score:begin */\n", "    /* score:end */\n")


def literal(value):
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return text if text.lstrip("-").isdigit() else text + "f"


def listing(name, values):
    return f"    const float {name}[] = {{{', '.join(map(literal, values))}}};\n"


def write_source(numbers):
    lines = [f"    const float base = {literal(numbers['base'])};\n"]
    for name, knots in KNOTS.items():
        lines += [listing(name, knots), listing("of_" + name, numbers[name])]
    lines += [listing("logit", [x for x, _ in CHANCE]), listing("chance", [y for _, y in CHANCE])]
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    with open(SOURCE, "w", encoding="utf-8") as file:
        file.write(between(text, *MARKS, "".join(lines)))


def read_source():
    """The numbers of src/core/node.h."""
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read().split(MARKS[0], 1)[1].split(MARKS[1], 1)[0]
    numbers = {"base": float(re.search(r"base = ([-0-9.]+)", text)[1])}
    for name in KNOTS:
        values = re.search(rf"of_{name}\[\] = {{([^}}]*)}}", text)[1]
        numbers[name] = [float(value.strip().rstrip("f")) for value in values.split(",")]
    return numbers


# --- tables ---------------------------------------------------------------------------------------------


def share(part, whole):
    return f"{part / whole:.2f}" if whole else "–"


def line_table(numbers):
    """The broken lines of the score."""
    rows = ["| quantity | value: height of the line |", "|---|---|", f"| base | {numbers['base']:g} |"]
    for name, knots in KNOTS.items():
        rows.append(f"| {name} | " + ", ".join(f"{x:g}: {y:g}" for x, y in zip(knots, numbers[name])) + " |")
    rows.append("| sum | " + ", ".join(f"{x}: {y:g}" for x, y in CHANCE) + " |")
    return rows


def cut_table(objects, instances):
    """Precision and recall per size and cut."""
    rows = ["| size of a | least score | objects | right class | precision | recall |", "|---|---:|---:|---:|---:|---:|"]
    for kind, classes in KINDS.items():
        wanted = [i for i in instances if i[1] & 0xffff in classes]
        for cut in CUTS:
            some = [o for o in objects if o["fits"] == kind and o['held'] >= cut]
            right = [o for o in some if o["class"] in classes]
            matched = {(o["frame"], o["word"]) for o in objects if o['held'] >= cut and o["class"] in classes}
            rows.append(f"| {kind if cut == 0 else ''} | {cut:g} | {len(some)} | {len(right)} | {share(len(right), len(some))} | "
                        f"{len(matched & set(wanted))} of {len(wanted)} |")
    for cut in CUTS:
        some = [o for o in objects if o['held'] >= cut]
        right = [o for o in some if o["word"] is not None]
        matched = {(o["frame"], o["word"]) for o in right} & set(instances)
        rows.append(f"| {'any of them' if cut == 0 else ''} | {cut:g} | {len(some)} | {len(right)} | {share(len(right), len(some))} | "
                    f"{len(matched)} of {len(instances)} |")
    return rows


def calibration_table(objects):
    """Scores beside the share of objects that are right."""
    ends = (0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1)
    scenes = sorted({o["scene"] for o in objects})
    rows = ["| score | objects | mean score | right | " + " | ".join(f"scene {s}" for s in scenes) + " |",
            "|---|---:|---:|---:|" + "---:|" * len(scenes)]
    for low, high in zip(ends, ends[1:]):
        part = [o for o in objects if low <= o["held"] < high]
        right = lambda some: sum(o["word"] is not None for o in some)
        cells = [f"{right([o for o in part if o['scene'] == s])} of {sum(o['scene'] == s for o in part)}" for s in scenes]
        rows.append(f"| {low:g} to {high:g} | {len(part)} | {share(sum(o['held'] for o in part), len(part))} | "
                    f"{share(right(part), len(part))} | " + " | ".join(cells) + " |")
    return rows


def transfer_table(program, scratch):
    """Simulated scans of several sensors."""
    cuts = (0.1, 0.2, 0.5)
    rows = ["| sensor | objects | of them right | " + " | ".join(f"precision, recall from {cut:g}" for cut in cuts) + " |",
            "|---|---:|---:|" + "---:|" * len(cuts)]
    for sensor, per_metre in SENSORS.items():
        frames = simulate(program, sensor, scratch)
        objects, instances = judge_all(program, frames, scratch, "--neighbours", "exact", "--eps-per-metre", str(per_metre))
        cells = []
        for cut in (0, *cuts):
            some = [o for o in objects if o["score"] >= cut]
            right = [o for o in some if o["word"] is not None]
            matched = {(o["frame"], o["word"]) for o in right} & set(instances)
            cells += [f"{share(len(right), len(some))}, {share(len(matched), len(instances))}"] if cut else [str(len(some)), str(len(right))]
        rows.append(f"| {sensor} | " + " | ".join(cells) + " |")
    return rows


def tables(objects, instances, numbers):
    for o in objects:
        if abs(score(numbers, o["at"]) - o["score"]) > 1e-3:
            sys.exit(f"an object of {o['frame']} has the score {o['score']}, not {score(numbers, o['at'])}: build clump again")
    for scene in {o["scene"] for o in objects}:
        others = fit([o for o in objects if o["scene"] != scene])
        for o in objects:
            if o["scene"] == scene:
                o["held"] = score(others, o["at"])
    return {"lines": line_table(numbers), "cuts": cut_table(objects, instances),
            "calibration": calibration_table(objects)}


def main():
    parser = argparse.ArgumentParser(description="tables of the score, for docs/objects.md")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1: the page is out of date")
    parser.add_argument("--fit", action="store_true", help="write the numbers of the score into src/core/node.h")
    parser.add_argument("--data", default=os.environ.get("CLUMP_DATA") or os.path.join(ROOT, "../shared/data"))
    parser.add_argument("program", help="clump")
    given = parser.parse_args()
    frames = sorted(path[:-6] for path in glob.glob(os.path.join(given.data, "kitti", "semkitti_*.label")))
    if not frames:
        print(f"skipped: tables of docs/objects.md, {given.data}/kitti: set CLUMP_DATA to a folder with the real scans")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        objects, instances = judge_all(given.program, frames, scratch)
        if given.fit:
            write_source(fit(objects))
            return 0
        made = tables(objects, instances, read_source())
        made["transfer"] = transfer_table(given.program, scratch)
    with open(PAGE, encoding="utf-8") as file:
        old = file.read()
    new = old
    for name, rows in made.items():
        new = between(new, f"<!-- score-{name}:begin -->\n", f"<!-- score-{name}:end -->", "\n".join(rows) + "\n")
    if given.check:
        if new != old:
            print("docs/objects.md is not what clump finds now: run scripts/score-table.py PROGRAM")
        return int(new != old)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
