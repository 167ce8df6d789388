# SPDX-License-Identifier: BSD-3-Clause
"""The definition of objects in clump.h, section 8, in plain Python and NumPy, for small clouds."""

import numpy as np

from support import oracle

F = np.float32
CAR = (6, 3, -np.inf, 2.6, np.inf, "car")
TRUCK = (19, 3.5, 2.2, 4.5, 1, "truck")
COSINES = np.array([1, 0.9659258, 0.8660254, 0.70710677, 0.5, 0.25881904, 0], F)
COSINES = np.concatenate([COSINES, -COSINES[5:0:-1]])  # of 0, 15 ... 165 degrees
SINES = np.concatenate([COSINES[6::-1], COSINES[1:6]])


def bounds(points, d, per_metre, sensor):
    """The square of the radius of each point."""
    offset = points - F(sensor)
    square = offset * offset
    distance = np.sqrt(square[:, 0] + square[:, 1] + square[:, 2])
    radius = np.maximum(F(d), F(per_metre) * distance)
    return radius * radius


def closer(points, d, per_metre, sensor):
    """All pairs: whether they are neighbours."""
    bound = bounds(points, d, per_metre, sensor)
    return oracle.squared_distances(points, points) < np.minimum(bound[:, None], bound[None, :])


def azimuths(points, sensor, across):
    """The azimuth of each point in turns: the polynomial of src/rules/azimuth.h."""
    x, y = points[:, 0] - F(sensor[0]), points[:, across] - F(sensor[across])
    high, low = np.maximum(abs(x), abs(y)), np.minimum(abs(x), abs(y))
    t = np.divide(low, high, out=np.zeros_like(low), where=high > 0)
    turn = np.full_like(t, -0.0018733332)
    for factor in (0.0084071191, -0.0185656016, 0.0308235881, -0.0529437644, 0.1591517336):
        turn = turn * (t * t) + F(factor)
    turn = turn * t
    turn = np.where(abs(y) > abs(x), F(0.25) - turn, turn)
    turn = np.where(x < 0, F(0.5) - turn, turn)
    turn = np.where(y < 0, F(1) - turn, turn)
    return np.where(high > 0, turn, F(0))


def scan_pairs(members, rings, turns, finest):
    """The pairs of points that scan neighbours compare, as a matrix."""
    compared = np.zeros_like(finest)
    order = [sorted((turns[i], i) for i in np.flatnonzero(members & (rings == ring))) for ring in range(rings.max(initial=0) + 4)]

    def compare(a, b):
        compared[a, b] = compared[b, a] = True
        return finest[a, b]

    for ring, mine in enumerate(order):
        for at, (turn, i) in enumerate(mine):
            for step in range(1, min(13, len(mine))):
                if compare(i, mine[(at + step) % len(mine)][1]):
                    break
            for other in order[ring + 1:ring + 4]:
                if not other:
                    continue
                apart = []
                for theirs, _ in other:
                    gap = abs(F(theirs) - F(turn))
                    apart.append(F(1) - gap if gap > 0.5 else gap)
                after = sum(theirs < turn for theirs, _ in other)
                before, after = after - 1, after % len(other)
                nearest = before if apart[before] <= apart[after] else after
                if any([compare(i, other[(nearest + beside) % len(other)][1]) for beside in (-1, 0, 1)]):
                    break
    return compared


def measure(points, heights, members, sensor, up, flip):
    """(length, width, bottom, top) of the points in `members`."""
    across, along = (2, 1) if up == "y" else (1, 2)
    offset = points[members] - F(sensor)
    at = offset[:, 0, None] * COSINES + offset[:, across, None] * SINES
    extent = at.max(axis=0) - at.min(axis=0)
    pair = np.argmin(extent[:6] * extent[6:])
    length, width = max(extent[pair], extent[pair + 6]), min(extent[pair], extent[pair + 6])
    above = heights[members]
    above = above[~np.isnan(above)]
    if len(above):
        return length, width, above.min(), above.max()
    height = -offset[:, along] if flip else offset[:, along]
    return length, width, F(0), height.max() - height.min()


def box_of(size, boxes):
    """What the first box that the size fits in reports; None: it fits in none."""
    length, width, bottom, top = size
    for most_length, most_width, least_top, most_top, most_bottom, fits in boxes:
        if length <= F(most_length) and width <= F(most_width) and F(least_top) <= top <= F(most_top) and bottom <= F(most_bottom):
            return fits
    return None


def is_person(size):
    length, width, bottom, top = size
    return length <= F(1.1) and width <= F(0.9) and bottom <= F(0.9) and F(1.2) <= top <= F(2.2) and top - bottom >= F(0.7)


def is_vehicle(size):
    length, width, bottom, top = size
    growth = F(0.13) * length
    if bottom > 1:
        return False
    if 1 <= length <= F(5.6) and width <= F(2) + growth and F(0.8) <= top <= F(2.6):
        return True
    return length <= 13 and width <= F(2.6) + growth and F(2.5) <= top <= F(4.5)


def parts_of(node, level, tree, size_of, has_size):
    """The numbers of points of the coarsest nodes below `level` in a node that have the size."""
    found = []
    for label in np.unique(tree[level - 1][node]) if level > 0 else ():
        finer = tree[level - 1] == label
        if finer.sum() >= 10 and has_size(size_of(finer)):
            found.append(finer.sum())
        else:
            found += parts_of(finer, level - 1, tree, size_of, has_size)
    return found


def is_group(node, level, tree, size_of, boxes, people):
    """Whether a node that fits in a box is several people, or people and vehicles."""
    def person(size):
        return people and is_person(size)

    def user(size):
        return person(size) or is_vehicle(size)

    size = size_of(node)
    for has_size in (person, user):
        if has_size(size) or has_size is user and box_of(size, boxes) == "other":
            return False
        parts = parts_of(node, level, tree, size_of, has_size)
        if parts and 5 * sum(parts) >= 4 * node.sum() and 4 * max(parts) <= 3 * node.sum():
            return True
    return False


LINES = (  # quantity and height at each corner: width, bottom, top, factor, density
    ([0, 0.5, 1, 2], [-2.05, -0.24, 0.96, 1.33]),
    ([0, 0.5, 1], [0.89, -0.02, -0.87]),
    ([0.5, 1, 1.5, 2, 3], [-1.35, 0.82, 2.28, 0.22, -1.97]),
    ([0.5, 1, 2], [-1.69, -0.05, 1.75]),
    ([4000, 8000, 16000, 32000], [-1.75, -0.5, 0.6, 1.65]),
)
SHARE = np.arange(-5, 6), [0.007, 0.018, 0.047, 0.119, 0.269, 0.5, 0.731, 0.881, 0.953, 0.982, 0.993]


def height(line, at):
    """The height of a broken line, in float32."""
    x, y = (np.array(values, F) for values in line)
    k = np.searchsorted(x, at, side="right")
    if k in (0, len(x)):
        return y[max(k - 1, 0)]
    return y[k - 1] + (at - x[k - 1]) / (x[k] - x[k - 1]) * (y[k] - y[k - 1])


def score(points, node, size, factor, sensor, up):
    length, width, bottom, top = size
    offset = points[node][:, [0, 2 if up == "y" else 1]] - F(sensor)[[0, 2 if up == "y" else 1]]
    centre = (offset.min(axis=0) + offset.max(axis=0)) / F(2)
    face = max(length, F(0.1)) * max(top - bottom, F(0.1))
    density = F(node.sum()) * (centre[0] * centre[0] + centre[1] * centre[1]) / face
    total = F(-5.66)
    for line, at in zip(LINES, (width, bottom, top, F(factor), density)):
        total = total + height(line, at)
    return height(SHARE, total)


def cut(node, level, tree, size_of, boxes, people, groups):
    """([(object, its level)], background) of a node, which is a set of points as a mask."""
    size = size_of(node)
    coarsest = level == len(tree) - 1
    if (box_of(size, boxes) is not None and (coarsest or node.sum() >= 10 and size[2] <= 1) and
            not (groups and is_group(node, level, tree, size_of, boxes, people))):
        return [(node, level)], np.zeros_like(node)
    if level == 0:
        return [], node
    objects, background = [], np.zeros_like(node)
    for label in np.unique(tree[level - 1][node]):
        found, rest = cut(tree[level - 1] == label, level - 1, tree, size_of, boxes, people, groups)
        objects += found
        background |= rest
    return objects, background


def objects(points, is_ground, heights, *, d=0.25, eps_per_metre=0.0175, levels=(0.5, 1, 2), boxes=(CAR, TRUCK), people=True,
            rings=None, min_size=10, max_size=0, order="index", mask=None, sensor=(0, 0, 0), up="z", flip=False, min_score=0,
            no_groups=False):
    """(labels, rows): rows are (label, count, object, fits, length, width, bottom, top, level, score)."""
    points = points[:, :3].astype(F)
    members = oracle.takes_part(points, mask=mask) & ~is_ground
    sensor = np.float32(sensor)
    points = np.where(members[:, None], points, 0)
    links = [closer(points, F(d) * F(factor), F(eps_per_metre) * F(factor), sensor) for factor in levels]
    if rings is not None:
        compared = scan_pairs(members, rings, azimuths(points, sensor, 2 if up == "y" else 1), links[0])
        links = [link & compared for link in links]
    tree = [oracle.components(link, members) for link in links]

    def size_of(node):
        return measure(points, heights, node, sensor, up, flip)

    clusters = []
    for label in range(tree[-1].max(initial=-1) + 1):
        found, rest = cut(tree[-1] == label, len(levels) - 1, tree, size_of, boxes, people, not no_groups)
        clusters += found + ([(rest, -1)] if rest.any() else [])
    if people:
        parts = []
        for node, level in clusters:
            whole = node.copy()
            for label in np.unique(tree[0][whole]):
                person = tree[0] == label
                if person.sum() >= 50 and 4 * person.sum() <= 3 * whole.sum() and is_person(size_of(person)):
                    parts.append((person, 0))
                    node = node & ~person
            if node.any():
                parts.append((node, level))
        clusters = parts
    kept = [part for part in clusters if part[0].sum() >= min_size and (not max_size or part[0].sum() <= max_size)]
    kept.sort(key=lambda part: (-part[0].sum() if order == "size" else 0, np.argmax(part[0])))
    labels = np.where(is_ground, -2, -1).astype(np.int32)
    rows = []
    for label, (node, level) in enumerate(kept):
        labels[node] = label
        size = size_of(node)
        value = score(points, node, size, levels[level], sensor, up) if level >= 0 else F(0)
        is_object = level >= 0 and value >= F(min_score)
        fits = "other"
        if is_object:
            fits = "person" if people and is_person(size) else box_of(size, boxes) or "other"
        rows.append((label, int(node.sum()), is_object, fits, *size, level, value))
    return labels, rows
