# SPDX-License-Identifier: BSD-3-Clause
"""DBSCAN, HDBSCAN and EuclideanClustering with the manners of scikit-learn.

Labels are those of clump.dbscan, clump.hdbscan and clump.ec. What these cannot do is done by scikit-learn, with a FallbackWarning.
"""
import numpy as np

from . import _jobs, _tree
from ._errors import ArgumentError
from ._neighbors import NearestNeighbors
from ._sklearn import (
    BaseEstimator,
    ClusterMixin,
    FallbackWarning,
    NanTag,
    NotFittedError,
    SparseTag,
    as_points,
    check_choice,
    check_count,
    check_length,
    check_radius,
    context_for,
    fall_back,
    validate,
    why_not_data,
    why_not_length,
    why_not_metric,
)

__all__ = ["DBSCAN", "EuclideanClustering", "FallbackWarning", "HDBSCAN", "NearestNeighbors"]


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


_MOST_SAMPLES = 128  # of min_samples, CLUMP_TREE_MOST_SAMPLES
_ROWS = 1024  # distances of this many points are computed at a time


_INFINITE, _MISSING = -2, -3  # labels of rows that are not finite, as in scikit-learn


def _medoid(data, weights):
    """The point of least weighted distance to all others."""
    sums = [(np.linalg.norm(data[i : i + _ROWS, None] - data[None], axis=2) * weights).sum(axis=1)
            for i in range(0, len(data), _ROWS)]
    return data[np.concatenate(sums).argmin()]


class HDBSCAN(NanTag, ClusterMixin, BaseEstimator):
    """Clusters of any density with the parameters and attributes of sklearn.cluster.HDBSCAN.

    Parameters are those of scikit-learn. algorithm, leaf_size and copy change nothing. n_jobs is the number of threads; None
    and -1 use as many as pay. Where no two pairs of points have the same mutual reachability, the clusters are those of
    scikit-learn. Elsewhere scikit-learn's depend on the order of the points, and these do not (docs/hdbscan.md). Clusters
    are numbered by their first point. The time of medoids grows with the square of the points of a cluster. As in scikit-learn, rows
    with an infinite number have the label -2 and the probability 0, rows with NaN the label -3 and the probability NaN.

    scikit-learn, 1.3 or later, does the work, with a FallbackWarning, for other metrics than the Euclidean one, for alpha other
    than 1, for more than three columns, for sparse data and for more than 128 samples.

    Attributes: labels_ (-1 is noise), probabilities_, centroids_ and medoids_ with store_centers, n_features_in_,
    feature_names_in_.

    >>> import clump
    >>> line = [[x, 0, 0] for x in (0, 1, 2.1, 50, 51, 52.1, 150)]
    >>> found = clump.HDBSCAN(min_cluster_size=3, min_samples=1, store_centers="centroid").fit(line)
    >>> found.labels_.tolist(), found.centroids_.shape
    ([0, 0, 0, 1, 1, 1, -1], (2, 3))
    >>> found.dbscan_clustering(1.05, min_cluster_size=2).tolist()
    [0, 0, -1, 1, 1, -1, -1]
    """

    __module__ = "clump"

    def __init__(
        self,
        min_cluster_size=5,
        min_samples=None,
        cluster_selection_epsilon=0.0,
        max_cluster_size=None,
        metric="euclidean",
        metric_params=None,
        alpha=1.0,
        algorithm="auto",
        leaf_size=40,
        n_jobs=None,
        cluster_selection_method="eom",
        allow_single_cluster=False,
        store_centers=None,
        copy=False,
    ):
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.n_jobs = n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.store_centers = store_centers
        self.copy = copy

    def fit(self, X, y=None):
        """Cluster X and return the estimator. y is ignored."""
        size = check_count(self, "min_cluster_size", self.min_cluster_size)
        samples = check_count(self, "min_samples", self.min_samples, none=True) or size
        most = check_count(self, "max_cluster_size", self.max_cluster_size, none=True)
        check_count(self, "leaf_size", self.leaf_size)
        check_choice(self, "cluster_selection_method", self.cluster_selection_method, ("eom", "leaf"))
        check_choice(self, "store_centers", self.store_centers, (None, "centroid", "medoid", "both"))
        epsilon = check_radius(self, self.cluster_selection_epsilon, name="cluster_selection_epsilon")
        data = validate(self, X, finite=False)
        self._tree = self._theirs = None
        why = why_not_metric(self.metric, None, self.metric_params) or why_not_data(data)
        why = why or (f"alpha is {self.alpha!r}, not 1" if self.alpha != 1 else None)
        why = why or (f"min_samples is {samples}, more than {_MOST_SAMPLES}" if samples > _MOST_SAMPLES else None)
        if why:
            fall_back("HDBSCAN", why)
            return self._fit_sklearn(data)
        context = context_for(self)
        self._tree = _tree.tree(as_points(data), min_samples=samples, context=context)
        self.labels_, self.probabilities_ = self._tree.hdbscan(
            min_cluster_size=size,
            max_cluster_size=most or 0,
            epsilon=epsilon,
            selection=self.cluster_selection_method,
            allow_single_cluster=bool(self.allow_single_cluster),
            return_probabilities=True,
            context=context,
        )
        self.labels_ = self.labels_.astype(np.intp)
        self.probabilities_ = self.probabilities_.astype(np.float64)
        with np.errstate(invalid="ignore"):
            sums = data.sum(axis=1)
        self.labels_[np.isinf(sums)] = _INFINITE
        self.labels_[np.isnan(sums)] = _MISSING
        self.probabilities_[np.isnan(sums)] = np.nan
        self._find_centers(data)
        return self

    def fit_predict(self, X, y=None):
        """Cluster X and return the labels. y is ignored."""
        return self.fit(X).labels_

    def dbscan_clustering(self, cut_distance, min_cluster_size=5):
        """Labels of DBSCAN without border points at the distance, with min_samples; clusters of fewer points are noise."""
        if not hasattr(self, "labels_"):
            raise NotFittedError("This HDBSCAN instance is not fitted yet.")
        if self._theirs is not None:
            return self._theirs.dbscan_clustering(cut_distance, min_cluster_size)
        labels = self._tree.cut(cut_distance, min_size=min_cluster_size, context=context_for(self)).astype(np.intp)
        return np.where(np.isin(self.labels_, (_INFINITE, _MISSING)), self.labels_, labels)

    def _find_centers(self, data):
        for name, wanted in (("centroids_", "centroid"), ("medoids_", "medoid")):
            if self.store_centers not in (wanted, "both"):
                continue
            rows = []
            for label in range(int(self.labels_.max(initial=-1)) + 1):
                inside = self.labels_ == label
                points, weights = data[inside].astype(np.float64), self.probabilities_[inside]
                rows.append(np.average(points, weights=weights, axis=0) if wanted == "centroid" else _medoid(points, weights))
            setattr(self, name, np.array(rows, np.float64).reshape(-1, data.shape[1]))

    def _fit_sklearn(self, data):
        try:
            from sklearn.cluster import HDBSCAN as Theirs
        except ImportError:
            raise ArgumentError("HDBSCAN: scikit-learn could do this from version 1.3 on, which is not installed.") from None
        self._theirs = Theirs(**self.get_params()).fit(data)
        for name in ("labels_", "probabilities_", "centroids_", "medoids_"):
            if hasattr(self._theirs, name):
                setattr(self, name, getattr(self._theirs, name))
        return self


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
