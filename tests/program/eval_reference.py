# SPDX-License-Identifier: BSD-3-Clause
#
# eval_reference.py: the measures of `clump eval`, written from the definitions of docs/accuracy.md with dense NumPy tables.
# It shares nothing with the program. test_eval.py compares the two.
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

GROUND_CLASSES = (40, 44, 48, 49, 60, 72)
SIZES = (1, 50, 100, 200, 500, 1000)
THINGS = {"car": (10, 252), "bicycle": (11,), "bus": (13, 257), "motorcycle": (15,), "on-rails": (16, 256),
          "truck": (18, 258), "other-vehicle": (20, 259), "person": (30, 254), "bicyclist": (31, 253),
          "motorcyclist": (32, 255)}


def entropy(counts):
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log(share)).sum())


def divide(part, of):
    return part / of if of else None


def rates(truly, found):
    both = int((truly & found).sum())
    t, f = int(truly.sum()), int(found.sum())
    return {"true": t, "found": f, "both": both, "precision": divide(both, f), "recall": divide(both, t),
            "f1": divide(2 * both, t + f)}


def quality(ious, instances, false):
    matched = len(ious)
    weight = matched + (instances - matched) / 2 + false / 2
    return {"sq": divide(sum(ious), matched), "rq": divide(matched, weight), "pq": divide(sum(ious), weight)}


def entropies(objects, labels):
    """Sum over objects of the entropy of labels, where labels < 0 are one label. Both are arrays of points."""
    total = 0.0
    for one in np.unique(objects[objects >= 0]):
        total += entropy(np.unique(np.maximum(labels[objects == one], -1), return_counts=True)[1])
    return total


def travel_objects(xyz, words, ground):
    """Euclidean clusters, closer than 1 m, of points of one class and instance; of 10 to 300000 points."""
    objects, number = np.full(len(words), -1), 0
    for word in np.unique(words[~ground]):
        place = np.flatnonzero((words == word) & ~ground)
        points = xyz[place]
        pairs = cKDTree(points).query_pairs(1.001, output_type="ndarray")
        d = points[pairs[:, 0]] - points[pairs[:, 1]]
        near = (d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1]) + d[:, 2] * d[:, 2] < np.float32(1)
        pairs = pairs[near]
        graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(place), len(place)))
        part = connected_components(graph, directed=False)[1]
        for one in range(part.max() + 1):
            if 10 <= (part == one).sum() <= 300000:
                objects[place[part == one]] = number
                number += 1
    return objects, number


class Scene:
    """The points of one file that count. words: instance << 16 | class."""

    def __init__(self, words, labels, xyz=None, max_range=np.inf):
        inside = (words & 0xFFFF) > 1
        self.range = None
        if xyz is not None:
            self.range = np.sqrt((xyz.astype(np.float64) ** 2).sum(axis=1)).astype(np.float32)
            inside &= self.range <= max_range
            self.range, xyz = self.range[inside], xyz[inside]
        self.xyz, self.words, self.labels = xyz, words[inside], labels[inside]
        self.classes = self.words & 0xFFFF
        self.ground = np.isin(self.classes, GROUND_CLASSES)

    def tables(self):
        thing = ~self.ground & (self.words >> 16 > 0)
        names, truth = np.unique(self.words[thing], return_inverse=True)
        cluster_names, found = np.unique(self.labels[self.labels >= 0], return_inverse=True)
        instance, cluster = np.full(len(self.words), -1), np.full(len(self.words), -1)
        instance[thing], cluster[self.labels >= 0] = truth, found
        both = np.zeros((len(names), len(cluster_names)), dtype=int)
        here = (instance >= 0) & (cluster >= 0)
        np.add.at(both, (instance[here], cluster[here]), 1)
        return names, instance, cluster, both

    def nearest(self, groups, one):
        return float(self.range[groups == one].min())

    def judge(self, min_size, band=10):
        names, instance, cluster, both = self.tables()
        size = np.bincount(instance[instance >= 0], minlength=len(names))
        cluster_size = np.bincount(cluster[cluster >= 0], minlength=both.shape[1])
        iou = both / np.maximum(size[:, None] + cluster_size[None, :] - both, 1)
        judged = [i for i in range(len(names)) if size[i] >= min_size]
        # the order of instances is that of the program: by instance, then class
        judged.sort(key=lambda i: (int(names[i]) >> 16, int(names[i]) & 0xFFFF))
        taken, rows = {}, []
        for i in judged:
            candidates = [c for c in np.flatnonzero(iou[i] >= 0.5) if c not in taken]
            if candidates:
                taken[candidates[0]] = i
                verdict, best = "matched", iou[i, candidates[0]]
            else:
                c = int(both[i].argmax()) if both.shape[1] else -1
                shared = both[i, c] if c >= 0 else 0
                best = iou[i, c] if shared else 0.0
                if 2 * both[i].sum() < size[i]:
                    verdict = "missed"
                else:
                    verdict = "under_segmented" if cluster_size[c] - shared > size[i] - shared else "over_segmented"
            rows.append({"index": i, "verdict": verdict, "iou": float(best), "points": int(size[i]),
                         "class": int(names[i]) & 0xFFFF})
        false, wrong, clusters = [], 0, 0
        for c in range(both.shape[1]):
            if cluster_size[c] < min_size:
                continue
            clusters += 1
            holds = sum(2 * both[i, c] >= size[i] for i in judged)
            piece = any(2 * both[i, c] >= cluster_size[c] for i in judged)
            bad = c not in taken and (holds > 0 or piece)
            wrong += bad or holds > 1
            if bad:
                false.append(c)
        return self.summary(rows, false, instance, cluster, cluster_size, judged, band) | {
            "clusters": clusters, "wrong": wrong, "accuracy": divide(clusters - wrong, clusters)}

    def row(self, rows, false=None):
        ious = [r["iou"] for r in rows if r["verdict"] == "matched"]
        out = {"instances": len(rows), "matched_share": divide(len(ious), len(rows))}
        for verdict in ("matched", "over_segmented", "under_segmented", "missed"):
            out[verdict] = sum(r["verdict"] == verdict for r in rows)
        return out if false is None else out | {"false_positives": false} | quality(ious, len(rows), false)

    def grounds(self, where):
        found, bare = self.labels == -2, where & (self.classes != 70)
        return {"judged": int(where.sum()), "ground": rates(self.ground[where], found[where]),
                "ground_without_vegetation": rates(self.ground[bare], found[bare])}

    def summary(self, rows, false, instance, cluster, cluster_size, judged, band):
        out = self.row(rows, len(false)) | self.grounds(np.ones(len(self.words), dtype=bool))
        out["mean_iou"] = divide(sum(r["iou"] for r in rows), len(rows))
        kept = np.where(np.isin(instance, judged), instance, -1)
        out["entropy"] = {"ose": entropies(kept, self.labels) if judged else None,
                          "use": entropies(self.labels, kept) if judged else None}
        out["classes"] = []
        known = [c for classes in THINGS.values() for c in classes]
        for name, classes in [*THINGS.items(), ("other", None)]:
            some = [r for r in rows if (r["class"] in classes if classes else r["class"] not in known)]
            if some:
                out["classes"].append({"class": name, "mean_iou": sum(r["iou"] for r in some) / len(some)} | self.row(some))
        out["sizes"] = []
        for low, high in zip(SIZES, (*SIZES[1:], 10**9)):
            some = [r for r in rows if low <= r["points"] < high]
            wrong = sum(low <= cluster_size[c] < high for c in false)
            if some or wrong:
                out["sizes"].append({"from": low, "to": high - 1 if high < 10**9 else None} | self.row(some, wrong))
        out["ranges"] = []
        for b in range(6) if self.range is not None else []:
            low, high = b * band, (b + 1) * band if b < 5 else np.inf
            some = [r for r in rows if low <= self.nearest(instance, r["index"]) < high]
            wrong = sum(low <= self.nearest(cluster, c) < high for c in false)
            row = self.row(some, wrong) | self.grounds((self.range >= low) & (self.range < high))
            out["ranges"].append({"from": low, "to": high if b < 5 else None} | row)
        while out["ranges"] and out["ranges"][-1]["judged"] == 0:
            out["ranges"].pop()
        return out

    def travel(self):
        objects, number = travel_objects(self.xyz, self.words, self.ground)
        return {"objects": number, "ose": entropies(objects, self.labels), "use": entropies(self.labels, objects),
                "use_of_classes": entropies(self.labels, self.classes.astype(int))}
