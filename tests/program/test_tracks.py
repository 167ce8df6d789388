# SPDX-License-Identifier: BSD-3-Clause
"""clump play --track --poses against a second implementation, written from the definition in clump/track.h alone.

    test_tracks.py CLUMP

Simulated drives are clustered and tracked. Identities, verdicts, confidence and velocities of all clusters must be the same.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from scipy.optimize import linear_sum_assignment
except ImportError as missing:
    print(f"skipped: {sys.executable}: {missing}: run scripts/setup.sh --rivals and build anew")
    sys.exit(77)

GATE, GAP, WINDOW, RECENT, SCENES = 2.0, 4 * 0.5, 1.0, 0.5, 16


class Box:
    def __init__(self, cluster, pose):
        single = [np.float32(v) for v in cluster["centroid"]]
        centroid = np.array(single, float)
        middle = np.array([np.float32(v) for v in cluster["box_center"]] + [centroid[2]], float)
        yaw = math.radians(float(np.float32(cluster["yaw"])))
        r, t = pose[:, :3], pose[:, 3]
        self.place = (r @ centroid + t)[:2]
        self.middle = (r @ middle + t)[:2]
        along = (r @ np.array([math.cos(yaw), math.sin(yaw), 0]))[:2]
        self.along = along / np.linalg.norm(along)
        self.across = np.array([-self.along[1], self.along[0]])
        self.half = [float(np.float32(v)) / 2 for v in cluster["box_size"]]
        self.lower, self.upper = float(np.float32(cluster["lower"][2])), float(np.float32(cluster["upper"][2]))

    def span(self, u):
        half = abs(self.along @ u) * self.half[0] + abs(self.across @ u) * self.half[1]
        return self.middle @ u - half, self.middle @ u + half


class Scene:
    def __init__(self, time, sensor, boxes):
        self.time, self.sensor, self.boxes = time, sensor, boxes

    def is_free(self, own, place, thing):
        sight = place - self.sensor
        far = np.linalg.norm(sight)
        u = sight / far
        for i, b in enumerate(self.boxes):
            if i == own:
                continue
            enter, leave, inside = 0.0, far + 0.1 * GATE, True
            for axis, half in ((b.along, b.half[0]), (b.across, b.half[1])):
                at, speed = (self.sensor - b.middle) @ axis, u @ axis
                inside = inside and abs(at) <= half
                ends = sorted([(-half - at) / speed, (half - at) / speed])
                enter, leave = max(enter, ends[0]), min(leave, ends[1])
            if enter > leave or inside:
                continue
            near = max(enter, 0.25 * GATE)
            seen = min(b.upper / near, thing.upper / far) - max(b.lower / near, thing.lower / far)
            if seen > 0.3 * (thing.upper - thing.lower) / far:
                return False
        return True


class Thing:
    def __init__(self, identity):
        self.id, self.seen, self.traces, self.moves = identity, 0, [], False
        self.drift = np.zeros(2)


def compare(then, now):
    d = now.place - then.place
    if not np.linalg.norm(d) > 0:
        return np.zeros(2), 0.0, 0.0
    u = d / np.linalg.norm(d)
    a, b = then.span(u), now.span(u)
    return u, min(b[0] - a[0], b[1] - a[1]), max(a[1] - a[0], b[1] - b[0])


def judge(thing, scenes, scene, index):
    """Returns moving (None: unknown), confidence, velocity over ground."""
    now, before = scene.boxes[index], thing.moves
    thing.moves = False
    thing.traces = [(s, i) for s, i in thing.traces if s in scenes and (scene.time - s.time) / 1e9 <= WINDOW]
    thing.drift = np.zeros(2)
    for s, i in thing.traces:
        if (scene.time - s.time) / 1e9 <= RECENT:
            u, move, _ = compare(s.boxes[i], now)
            thing.drift = u * max(move, 0) / ((scene.time - s.time) / 1e9)
            break
    if len(thing.traces) < 2:
        return None, 0.0, np.zeros(2)
    s, i = thing.traces[0]
    then = s.boxes[i]
    u, move, extent = compare(then, now)
    needed = 0.15 * GATE + 0.2 * extent
    if move > needed:
        m, k = thing.traces[(len(thing.traces) + 1) // 2]
        a, b, c = then.span(u), m.boxes[k].span(u), now.span(u)
        share = (m.time - s.time) / (scene.time - s.time)
        steady = (min(b[0] - a[0], b[1] - a[1]) > 0.4 * move * share
                  and min(c[0] - b[0], c[1] - b[1]) > 0.4 * move * (1 - share))
        body = all(b.upper - b.lower >= 0.15 * GATE and 2 * max(b.half) >= 0.1 * GATE for b in (then, now))
        ride = scene.sensor - s.sensor
        if np.linalg.norm(u * move - ride) < 0.15 * np.linalg.norm(ride):
            across = np.array([-u[1], u[0]])
            body = body and all(b.span(across)[1] - b.span(across)[0] >= 0.25 * GATE for b in (then, now))
        half = min(move, extent) / 2
        left = then.middle + u * (a[0] + half - then.middle @ u)
        reached = now.middle + u * (c[1] - half - now.middle @ u)
        thing.moves = steady and body and (before or scene.is_free(index, left, then) or s.is_free(i, reached, now))
    sure = max(move, 0) / (needed + max(move, 0))
    if not thing.moves:
        return False, 1 - sure, np.zeros(2)
    return True, sure, u * move / ((scene.time - s.time) / 1e9)


class Tracker:
    def __init__(self):
        self.things, self.scenes, self.next = [], [], 1

    def update(self, time, pose, clusters):
        scene = Scene(time, pose[:2, 3], [Box(c, pose) for c in clusters])
        owner = [None] * len(clusters)
        free = [t for t in self.things if not t.missed or (time - t.last) / 1e9 <= GAP]

        def pair(some, gate):
            left = [i for i, o in enumerate(owner) if o is None]
            if not some or not left:
                return
            expected = np.array([t.place + t.drift * (time - t.last) / 1e9 for t in some])
            places = np.array([scene.boxes[i].place for i in left])
            square = ((expected[:, None] - places[None]) ** 2).sum(2)
            cost = np.where(square <= gate * gate, square, 1e6)
            for r, c in zip(*linear_sum_assignment(cost)):
                if cost[r, c] < 1e6:
                    owner[left[c]] = some[r]
                    free.remove(some[r])

        for gate in (GATE / 4, GATE / 2, GATE):
            pair(list(free), gate)
        pair([t for t in free if t.seen == 1], 2 * GATE)
        result = []
        for i in range(len(clusters)):
            thing = owner[i]
            if thing is None:
                thing = Thing(None)
            verdict = judge(thing, self.scenes, scene, i)
            thing.place, thing.last, thing.index = scene.boxes[i].place, time, i
            thing.seen += 1
            result.append((thing, verdict))
        for thing, _ in result:
            if thing.id is None:
                thing.id = self.next
                self.next += 1
                self.things.append(thing)
        for t in self.things:
            t.missed = t.last != time
        if not self.scenes or (time - self.scenes[-1].time) / 1e9 >= WINDOW / SCENES:
            self.scenes = (self.scenes + [scene])[-SCENES:]
            for thing, _ in result:
                thing.traces.append((scene, thing.index))
        return result


def check(clump, folder, scene, frames, job, rate):
    drive, poses = os.path.join(folder, scene), os.path.join(folder, scene + ".txt")
    subprocess.run([clump, "gen", "lidar", "--scene", scene, "--sensor", "vlp-16", "--frames", str(frames), "--rate", str(rate),
                    "-o", drive, "--poses", poses, "-q"], check=True)
    out = subprocess.run([clump, "play", drive, "--flat-out", "--track", "--poses", poses, "--json-lines", "-q", "--"] + job,
                         check=True, capture_output=True, text=True).stdout
    tracker, wrong, total, moving, standing = Tracker(), 0, 0, 0, 0
    for line in out.splitlines():
        frame = json.loads(line)
        pose = np.array(frame["pose"]).reshape(3, 4)
        for (thing, (moves, sure, velocity)), c in zip(tracker.update(frame["stamp"], pose, frame["clusters"]),
                                                       frame["clusters"]):
            same = c["track"] == thing.id and c["seen"] == thing.seen and c["moving"] == moves
            turned = pose[:2, :3].T @ velocity
            same = same and abs(c["confidence"] - sure) < 1e-5 and np.abs(turned - c["velocity"]).max() < 1e-4
            if not same and wrong < 5:
                print(f"{scene}: frame {frame['frame']}, cluster {c['label']}: {c['track']} {c['moving']} "
                      f"{c['confidence']} {c['velocity']}, not {thing.id} {moves} {sure} {turned}")
            wrong += not same
            total, moving, standing = total + 1, moving + (moves is True), standing + (moves is False)
    print(f"{scene}: {total} clusters, {moving} move, {standing} stand, {wrong} differ")
    return wrong == 0 and moving > 0 and standing > 0


def main():
    clump = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        fine = check(clump, folder, "people", 25, ["detect"], 10)
        fine = check(clump, folder, "road", 25, ["detect", "--min-size", "5"], 10) and fine
        sys.exit(0 if fine else 1)


main()
