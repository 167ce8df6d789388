# SPDX-License-Identifier: BSD-3-Clause
"""The tree of all distances, and HDBSCAN."""

from collections import namedtuple

import numpy as np

from . import _clump
from ._options import keywords, rows
from ._points import NUMPY, take

_LABEL = rows("hdbscan", without=("min_samples", "two_d"))


class Tree(namedtuple("Tree", "parents heights cores")):
    """The clusters of every distance, as `tree` makes them.

    parents  int32 per point: from its height on, the point is in the component of this one, which comes before it. A point
             that never ends is its own parent; -1: masked out or not finite
    heights  float32 per point, squared distances; infinite where the point never ends
    cores    float32 per point, squared core distances; None where min_samples is 1
    """

    __slots__ = ()
    __module__ = "clump"

    def __repr__(self):
        return f"<clump.Tree: {len(self.parents)} points>"

    def cut(self, d, *, min_size=1, context=None):
        """The labels of `ec` at distance d; of a tree with min_samples those of `dbscan` without border points. Clusters of
        fewer points than min_size become noise."""
        labels = np.empty(len(self.parents), np.int32)
        _clump.tree_cut(NUMPY.context(context), self.parents, self.heights, self.cores, d, min_size, labels)
        return labels

    @keywords(_LABEL)
    def hdbscan(self, *, return_probabilities=False, context=None, options):
        """As clump.hdbscan with the min_samples of the tree: one tree serves for every min_cluster_size."""
        labels = np.empty(len(self.parents), np.int32)
        chances = np.empty(len(labels), np.float32) if return_probabilities else None
        _clump.hdbscan_label(NUMPY.context(context), self.parents, self.heights, labels, chances, options)
        return (labels, chances) if return_probabilities else labels


@keywords(rows("tree"))
def tree(points, *, mask=None, context=None, options):
    """The clusters of every distance at once: the exact single-linkage tree, on CPU or GPU.

    min_samples  1: distances are those of the points. More: a pair is at least as far apart as the min_samples-th nearest
                 point of either, itself included (mutual reachability), at most 128
    two_d        ignores z; points of shape (N, 2) are then enough
    mask         one bool per point: False leaves the point out

    Returns a `Tree` of NumPy arrays, which can be cut at any distance.

    >>> import clump
    >>> tree = clump.tree([[0, 0, 0], [1, 0, 0], [5, 0, 0]])
    >>> tree.parents.tolist(), tree.heights.tolist()
    ([0, 0, 0], [inf, 1.0, 16.0])
    >>> tree.cut(2)
    array([0, 0, 1], dtype=int32)
    """
    cloud = take(points, True if options.get("two_d", False) else "two columns are for two_d=True")
    out = cloud.output
    parents, heights, cores = (out.empty(cloud.count, kind) for kind in (np.int32, np.float32, np.float32))
    _clump.tree(out.context(context), cloud.rows, out.array(mask, "mask", bool), parents, heights, cores, options)
    return Tree(out.numpy(parents), out.numpy(heights), out.numpy(cores) if options.get("min_samples", 1) > 1 else None)


@keywords(rows("hdbscan"))
def hdbscan(points, *, mask=None, return_probabilities=False, context=None, options):
    """Clusters of any density, without a distance (HDBSCAN). The order of the points changes no cluster.

    min_cluster_size  groups of fewer points are never clusters
    min_samples       how many points, itself included, make a place dense; 0: as min_cluster_size; at most 128
    selection         "eom": the clusters that last longest; "leaf": the smallest
    epsilon           clusters that part at a smaller distance stay together
    max_cluster_size  larger clusters are divided where they can be (eom)
    allow_single_cluster  one cluster of all points is a result, too
    two_d, mask       as in `ec`

    Returns one int32 label per point, -1 is noise; with return_probabilities (labels, probabilities), float32: how long a point
    stays in its cluster.

    >>> import clump
    >>> line = [[x, 0, 0] for x in (0, 1, 2.1, 50, 51, 52.1, 150)]
    >>> clump.hdbscan(line, min_cluster_size=3, min_samples=1)
    array([ 0,  0,  0,  1,  1,  1, -1], dtype=int32)
    """
    cloud = take(points, True if options.get("two_d", False) else "two columns are for two_d=True")
    out = cloud.output
    labels = out.empty(cloud.count, np.int32)
    chances = out.empty(cloud.count, np.float32) if return_probabilities else None
    _clump.hdbscan(out.context(context), cloud.rows, out.array(mask, "mask", bool), labels, chances, options)
    return (out.give(labels), out.give(chances)) if return_probabilities else out.give(labels)
