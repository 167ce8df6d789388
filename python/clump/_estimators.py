# SPDX-License-Identifier: BSD-3-Clause
"""DBSCAN and EuclideanClustering with the manners of scikit-learn.

Labels are those of clump.dbscan and clump.ec. What these cannot do is done by scikit-learn, with a FallbackWarning.
"""
import numpy as np

from . import _jobs
from ._neighbors import NearestNeighbors
from ._sklearn import (
    BaseEstimator,
    ClusterMixin,
    FallbackWarning,
    SparseTag,
    as_points,
    check_choice,
    check_count,
    check_length,
    context_for,
    fall_back,
    validate,
    why_not_data,
    why_not_length,
    why_not_metric,
)

__all__ = ["DBSCAN", "EuclideanClustering", "FallbackWarning", "NearestNeighbors"]


class DBSCAN(SparseTag, ClusterMixin, BaseEstimator):
    """Density clustering with the parameters, attributes and labels of sklearn.cluster.DBSCAN.

    Parameters are those of scikit-learn. algorithm and leaf_size change nothing: all of its algorithms give the same
    labels. n_jobs is the number of threads; None and -1 use as many as pay.

    scikit-learn does the work, with a FallbackWarning, for other metrics than the Euclidean one, for sample weights,
    for more than three columns and for sparse data.

    Distances are float32. Labels equal those of scikit-learn, which computes in float64, unless a pair of points lies
    at almost exactly eps. Data in float64 become float32 offsets from a corner of the cloud. Where these would be too
    coarse for eps, scikit-learn does the work.

    Attributes: labels_ (-1 is noise), core_sample_indices_, components_, n_features_in_, feature_names_in_.

    >>> import clump
    >>> found = clump.DBSCAN(eps=0.5, min_samples=2).fit([[0, 0, 0], [0.3, 0, 0], [5, 0, 0]])
    >>> found.labels_.tolist(), found.core_sample_indices_.tolist()
    ([0, 0, -1], [0, 1])
    """

    __module__ = "clump"

    def __init__(
        self,
        eps=0.5,
        *,
        min_samples=5,
        metric="euclidean",
        metric_params=None,
        algorithm="auto",
        leaf_size=30,
        p=None,
        n_jobs=None,
    ):
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs

    def fit(self, X, y=None, sample_weight=None):
        """Cluster X and return the estimator. y is ignored."""
        eps = check_length(self, "eps", self.eps)
        min_samples = check_count(self, "min_samples", self.min_samples)
        check_choice(self, "algorithm", self.algorithm, ("auto", "ball_tree", "kd_tree", "brute"))
        check_count(self, "leaf_size", self.leaf_size)
        data = validate(self, X)
        why = "there are sample weights" if sample_weight is not None else None
        why = why or why_not_metric(self.metric, self.p, self.metric_params) or why_not_data(data)
        why = why or why_not_length(data, "eps", eps)
        if why:
            fall_back("DBSCAN", why)
            return self._fit_sklearn(data, sample_weight)
        labels, core = _jobs.dbscan(as_points(data), eps, min_samples, return_core=True, context=context_for(self))
        self.labels_ = labels.astype(np.intp)
        self.core_sample_indices_ = np.flatnonzero(core)
        self.components_ = data.take(self.core_sample_indices_, axis=0)
        return self

    def _fit_sklearn(self, data, sample_weight):
        from sklearn.cluster import DBSCAN as Theirs

        theirs = Theirs(**self.get_params()).fit(data, sample_weight=sample_weight)
        self.labels_ = theirs.labels_
        self.core_sample_indices_ = theirs.core_sample_indices_
        self.components_ = theirs.components_
        return self

    def fit_predict(self, X, y=None, sample_weight=None):
        """Cluster X and return the labels. y is ignored."""
        return self.fit(X, sample_weight=sample_weight).labels_


class EuclideanClustering(SparseTag, ClusterMixin, BaseEstimator):
    """Euclidean clustering, as PCL's EuclideanClusterExtraction, with the manners of scikit-learn.

    Points closer than distance are in one cluster. Clusters with fewer points than min_size or more than max_size are
    noise. order is "index" (by smallest point index) or "size" (largest first). n_jobs is the number of threads; None
    and -1 use as many as pay.

    For more than three columns and for sparse data scikit-learn's DBSCAN with min_samples=1 does the work, with a
    FallbackWarning. Distances are float32, see DBSCAN.

    Attributes: labels_ (-1 is noise), n_clusters_, n_features_in_, feature_names_in_.

    >>> import clump
    >>> clump.EuclideanClustering(distance=0.5).fit_predict([[0, 0, 0], [0.3, 0, 0], [5, 0, 0]]).tolist()
    [0, 0, 1]
    """

    __module__ = "clump"

    def __init__(self, distance=0.5, *, min_size=1, max_size=None, order="index", n_jobs=None):
        self.distance = distance
        self.min_size = min_size
        self.max_size = max_size
        self.order = order
        self.n_jobs = n_jobs

    def fit(self, X, y=None):
        """Cluster X and return the estimator. y is ignored."""
        distance = check_length(self, "distance", self.distance)
        check_choice(self, "order", self.order, ("index", "size"))
        limits = check_count(self, "min_size", self.min_size), check_count(self, "max_size", self.max_size, none=True)
        data = validate(self, X)
        why = why_not_data(data) or why_not_length(data, "distance", distance)
        if why:
            fall_back("EuclideanClustering", why)
            labels = self._labels_of_sklearn(data, distance, *limits)
        else:
            labels = _jobs.ec(
                as_points(data),
                distance,
                min_size=limits[0],
                max_size=limits[1],
                order=self.order,
                context=context_for(self),
            )
        self.labels_ = labels.astype(np.intp)
        self.n_clusters_ = int(labels.max()) + 1
        return self

    def fit_predict(self, X, y=None):
        """Cluster X and return the labels. y is ignored."""
        return self.fit(X).labels_

    def _labels_of_sklearn(self, data, distance, min_size, max_size):
        """With min_samples = 1 every point is a core point. eps is below distance: "closer than", not "within"."""
        from sklearn.cluster import DBSCAN as Theirs

        labels = Theirs(eps=np.nextafter(distance, 0), min_samples=1, n_jobs=self.n_jobs).fit(data).labels_
        sizes = np.bincount(labels)
        kept = np.flatnonzero((sizes >= min_size) & (sizes <= (max_size or len(labels))))
        if self.order == "size":
            kept = kept[np.argsort(-sizes[kept], kind="stable")]
        numbers = np.full(len(sizes), -1)
        numbers[kept] = np.arange(len(kept))
        return numbers[labels]
