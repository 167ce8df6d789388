#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""picture.py CLUMP OUT.svg: the picture in the README, a street seen from above, before and after.

The scene is made up: walls, cars, trees, posts and people around a scanner that turns once. The
clusters are what the program CLUMP finds in it. The random numbers have a fixed seed, so the same
picture comes out every time.
"""

import math
import os
import random
import struct
import subprocess
import sys
import tempfile

RAYS = 1300  # a turn
DISTANCE = 0.8  # metres, for the clustering
MIN_SIZE = 4
SPAN = (-26.0, 26.0, -17.0, 17.0)  # metres shown
SCALE = 9.0  # pixels a metre
GAP = 14  # pixels between the two halves
COLOURS = ("#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#9a6324", "#d6259c", "#808000", "#1f78b4")


def box(x, y, length, width, degrees):
    """The four sides of a rectangle, as segments."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    corners = [(x + c * u * length / 2 - s * v * width / 2, y + s * u * length / 2 + c * v * width / 2)
               for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [(corners[i], corners[(i + 1) % 4]) for i in range(4)]


def scene():
    """What stands low (cars, people, trunks, posts) and what stands high (walls, the lorry, crowns):
    segments and circles (x, y, radius) each."""
    cars = []
    for car in ((-6.5, 3.6, 4.4, 1.8, 1), (4.8, 3.7, 4.2, 1.8, -2), (11.8, 3.5, 4.6, 1.9, 0), (-14, -2.2, 4.3, 1.8, 4),
                (9, -3.2, 4.5, 1.8, 178), (2.5, -8.8, 4.2, 1.8, 68), (-20.5, 5.2, 4.4, 1.8, 12)):
        cars += box(*car)
    lorry = box(19.5, -2.4, 9.5, 2.5, 184)
    walls = [((-25, 11), (-9, 11)), ((-9, 11), (-9, 16)), ((-4, 16), (-4, 11)), ((-4, 11), (13, 11)),
             ((17, 12), (25, 12)), ((-25, -12), (-6, -12)), ((-6, -12), (-6, -16)), ((8, -13), (25, -13))]
    people = [(-3.3, -5.2, 0.22), (-1.9, -5.7, 0.22), (0.6, 7.9, 0.22), (2.0, 8.2, 0.22)]
    posts = [(6.2, -7.2, 0.12), (-16.5, -7.6, 0.12), (8.2, 6.6, 0.12)]
    trees = [(-12.2, 7.2), (-1.8, -11.0), (16.6, 7.2), (-10.5, -7.4), (14.4, -8.4), (21.5, 6.5)]
    low = cars + lorry + walls, people + posts + [(x, y, 0.3) for x, y in trees], []
    high = lorry + walls, posts, [(x, y, 1.5) for x, y in trees]
    return low, high


def range_along(angle, segments, circles, crowns, rng):
    """Distance from the scanner at 0, 0 to what it sees in this direction; inf for nothing. Rays go
    some way into the crown of a tree."""
    dx, dy = math.cos(angle), math.sin(angle)
    best = math.inf
    for (ax, ay), (bx, by) in segments:
        ex, ey = bx - ax, by - ay
        det = dx * ey - dy * ex
        if abs(det) < 1e-12:
            continue
        t, u = (ax * ey - ay * ex) / det, (ax * dy - ay * dx) / det
        if t > 0 and 0 <= u <= 1:
            best = min(best, t)
    for x, y, r in circles:
        along = x * dx + y * dy
        off = x * x + y * y - along * along
        if along > 0 and off < r * r:
            best = min(best, along - math.sqrt(r * r - off))
    for x, y, r in crowns:
        along = x * dx + y * dy
        off = x * x + y * y - along * along
        if along > 0 and off < r * r and rng.random() < 0.7:
            half = math.sqrt(r * r - off)
            best = min(best, along - half + 2 * half * rng.random())
    return best


def scan():
    rng = random.Random(7)
    points = []
    for turn, (segments, circles, crowns) in enumerate(scene()):
        for i in range(RAYS):
            angle = 2 * math.pi * (i + turn / 2) / RAYS
            t = range_along(angle, segments, circles, crowns, rng)
            if t > 40 or rng.random() < 0.05:
                continue
            t += rng.gauss(0, 0.04)
            points.append((t * math.cos(angle), t * math.sin(angle), 0.8 + 0.5 * turn + rng.gauss(0, 0.02)))
    return points


def cluster(program, points, folder):
    """The label of every point, from the program."""
    cloud, labels = os.path.join(folder, "scan.xyz"), os.path.join(folder, "scan.labels")
    with open(cloud, "w") as out:
        out.writelines(f"{x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in points)
    subprocess.run([program, "ec", cloud, "-d", str(DISTANCE), "--min-size", str(MIN_SIZE), "-o", labels, "-q"],
                   check=True)
    with open(labels, "rb") as raw:
        return struct.unpack(f"<{len(points)}i", raw.read())


def pixel(x, y):
    return (x - SPAN[0]) * SCALE, (SPAN[3] - y) * SCALE


def dots(points):
    """A path of points: a line of no length with round ends is a dot."""
    steps = []
    for x, y, _ in points:
        if SPAN[0] < x < SPAN[1] and SPAN[2] < y < SPAN[3]:
            px, py = pixel(x, y)
            steps.append(f"M{px:.0f} {py:.0f}h0")
    return "".join(steps)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: picture.py CLUMP OUT.svg")
    points = scan()
    with tempfile.TemporaryDirectory() as folder:
        labels = cluster(sys.argv[1], points, folder)
    width, height = (SPAN[1] - SPAN[0]) * SCALE, (SPAN[3] - SPAN[2]) * SCALE
    groups = {}
    for point, label in zip(points, labels):
        groups.setdefault(label, []).append(point)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width + GAP:.0f} {height:.0f}" role="img">',
             f"<title>A scan from above, and the {max(labels) + 1} clusters in it</title>",
             "<style>path{stroke-width:2.4;stroke-linecap:round;fill:none}</style>",
             "<defs>"]
    lines += [f'<path id="c{label}" d="{dots(group)}"/>' for label, group in sorted(groups.items())]
    lines += [f'<g id="frame"><path d="M0 0h{width:.0f}v{height:.0f}H0z" style="fill:#fff;stroke:#ccc;stroke-width:1"/>'
              '<path d="M{0:.0f} {1:.0f}h9m-4.5 -4.5v9" stroke="#000" style="stroke-width:1.5"/></g>'.format(
                  pixel(0, 0)[0] - 4.5, pixel(0, 0)[1]),
              "</defs>", '<use href="#frame"/><g stroke="#666">']
    lines += [f'<use href="#c{label}"/>' for label in sorted(groups)]
    lines += ["</g>", f'<g transform="translate({width + GAP:.0f})"><use href="#frame"/>']
    for label in sorted(groups):
        colour = "#bbb" if label < 0 else COLOURS[label % len(COLOURS)]
        lines.append(f'<use href="#c{label}" stroke="{colour}"/>')
    lines += ["</g>", "</svg>", ""]
    with open(sys.argv[2], "w") as out:
        out.write("\n".join(lines))
    print(f"{sys.argv[2]}: {len(points)} points, {max(labels) + 1} clusters, {os.path.getsize(sys.argv[2])} bytes")


if __name__ == "__main__":
    main()
