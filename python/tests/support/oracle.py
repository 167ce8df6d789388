# SPDX-License-Identifier: BSD-3-Clause
"""The definitions of clump.h in plain Python and NumPy, for clouds so small that every pair can be looked at."""

import numpy as np


def squared_distances(a, b, two_d=False):
    """All pairs, each step rounded to float32."""
    with np.errstate(all="ignore"):
        d = a[:, None, :3].astype(np.float32) - b[None, :, :3].astype(np.float32)
        d *= d
        xy = d[..., 0] + d[..., 1]
        return xy if two_d else xy + d[..., 2]


def takes_part(points, two_d=False, mask=None):
    finite = np.isfinite(points[:, :2 if two_d else 3].astype(np.float32)).all(axis=1)
    return finite if mask is None else finite & np.asarray(mask).astype(bool)


def components(links, members):
    """The connected components of `members`, numbered by their smallest index; -1 for all others."""
    labels = np.full(len(links), -1, np.int32)
    found = 0
    for start in np.flatnonzero(members):
        if labels[start] >= 0:
            continue
        labels[start] = found
        queue = [start]
        while queue:
            i = queue.pop()
            for j in np.flatnonzero(links[i] & members & (labels < 0)):
                labels[j] = found
                queue.append(j)
        found += 1
    return labels


def limit_and_order(labels, first, min_size=1, max_size=0, order="index"):
    """Size limits, then numbers by smallest index `first` of a cluster, or by size."""
    clusters = []
    for label in range(labels.max(initial=-1) + 1):
        size = np.count_nonzero(labels == label)
        if size >= min_size and (not max_size or size <= max_size):
            clusters.append((-size if order == "size" else 0, first[label], label))
    result = np.full(len(labels), -1, np.int32)
    for number, (_, _, label) in enumerate(sorted(clusters)):
        result[labels == label] = number
    return result


def ec(points, d, two_d=False, mask=None, **limits):
    d = np.float32(d)
    links = squared_distances(points, points, two_d) < d * d
    labels = components(links, takes_part(points, two_d, mask))
    first = [np.flatnonzero(labels == label)[0] for label in range(labels.max(initial=-1) + 1)]
    return limit_and_order(labels, first, **limits)


def dbscan(points, eps, min_points, two_d=False, mask=None, no_border_points=False, **limits):
    """(labels, core)"""
    eps = np.float32(eps)
    members = takes_part(points, two_d, mask)
    links = (squared_distances(points, points, two_d) <= eps * eps) & members[:, None] & members[None, :]
    core = (links.sum(axis=1) >= min_points) & members
    labels = components(links, core)
    first = [np.flatnonzero(labels == label)[0] for label in range(labels.max(initial=-1) + 1)]
    if not no_border_points:
        whole = labels.copy()
        for i in np.flatnonzero(members & ~core):
            near = labels[links[i] & core]
            if near.size:
                whole[i] = near.min()
        labels = whole
    return limit_and_order(labels, first, **limits), core


def neighbours(points, queries, most=np.inf):
    """For each query all points within a distance, nearest first, then by index: (squared distances, indices)."""
    d2 = squared_distances(queries, points)
    most = np.float32(most)
    rows = []
    for i, row in enumerate(d2):
        near = [(row[j], j) for j in range(len(points)) if np.isfinite(points[j, :3]).all() and
                np.isfinite(queries[i, :3]).all() and row[j] <= most * most]
        rows.append(sorted(near))
    return rows
