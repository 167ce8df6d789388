# SPDX-License-Identifier: BSD-3-Clause
"""NearestNeighbors with the manners of scikit-learn."""
import numpy as np

from ._sklearn import (
    BaseEstimator,
    NotFittedError,
    SparseTag,
    as_points,
    check_choice,
    check_count,
    check_radius,
    context_for,
    fall_back,
    rounding,
    validate,
    why_not_data,
    why_not_length,
    why_not_metric,
)

MOST_NEIGHBORS = 128  # CLUMP_NN_MAX_K
LARGEST_RADIUS = 1e19  # in place of infinity: its square is a float32, and data and queries span less


def _object_array(parts):
    """Return a 1-D array whose entries are arrays."""
    out = np.empty(len(parts), dtype=object)
    for i, part in enumerate(parts):  # out[:] = parts would make a 2-D array of parts of equal length
        out[i] = part
    return out


def _without_self(found):
    """Return a mask that leaves out one neighbour per row: point i in row i, or the first where equal points displaced i."""
    mask = found != np.arange(len(found))[:, None]
    mask[np.all(mask, axis=1), 0] = False
    return mask


def _points_of(X):
    """Return the points of a fitted NearestNeighbors or of a tree of scikit-learn; of a tree also its metric, if not Euclidean.

    Anything else is returned as it is.
    """
    if isinstance(X, BaseEstimator) and hasattr(X, "kneighbors"):
        if not hasattr(X, "_fit_X"):
            raise NotFittedError(f"This {type(X).__name__} instance, from which points are taken, is not fitted yet.")
        return X._fit_X, None
    if not hasattr(X, "query_radius") or not hasattr(X, "data"):
        return X, None
    metrics = [type(part).__name__ for part in X.__getstate__() if hasattr(part, "rdist_to_dist")]
    return np.asarray(X.data), None if metrics[0].startswith("EuclideanDistance") else metrics[0]


def _graph(data, indices, offsets, shape):
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise ImportError("NearestNeighbors: graphs are sparse matrices of SciPy, which is not installed.") from None
    return csr_matrix((data, indices, offsets), shape=shape)


class NearestNeighbors(SparseTag, BaseEstimator):
    """Nearest neighbours with the parameters and results of sklearn.neighbors.NearestNeighbors.

    Parameters are those of scikit-learn. algorithm and leaf_size change nothing. n_jobs is the number of threads; None
    and -1 use as many as pay. Without X the queries are the fitted points, and no point is its own neighbour.

    scikit-learn does the work, with a FallbackWarning, for other metrics than the Euclidean one, for more than three
    columns, for sparse data and for more than 128 neighbours.

    Results are distances, not their squares. They are computed in float32 and returned as float64. Of points at equal
    distance the one with the smaller index comes first.

    >>> import clump
    >>> search = clump.NearestNeighbors(n_neighbors=1).fit([[0, 0, 0], [1, 0, 0], [3, 0, 0]])
    >>> distances, indices = search.kneighbors([[2.5, 0, 0]])
    >>> distances.tolist(), indices.tolist()
    ([[0.5]], [[2]])
    """

    __module__ = "clump"

    def __init__(
        self,
        *,
        n_neighbors=5,
        radius=1.0,
        algorithm="auto",
        leaf_size=30,
        metric="minkowski",
        p=2,
        metric_params=None,
        n_jobs=None,
    ):
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def __getstate__(self):
        state = dict(super().__getstate__())
        for name in ("_index", "_theirs"):  # made again when they are needed
            state.pop(name, None)
        return state

    # --- fit -----------------------------------------------------------------------------------------------

    def fit(self, X, y=None):
        """Build the index of X and return the estimator. y is ignored.

        X may also be a fitted NearestNeighbors, or a KDTree or BallTree of scikit-learn: their points are taken.
        """
        check_count(self, "n_neighbors", self.n_neighbors, none=True)
        check_radius(self, self.radius, none=True)
        check_choice(self, "algorithm", self.algorithm, ("auto", "ball_tree", "kd_tree", "brute"))
        check_count(self, "leaf_size", self.leaf_size)
        points, metric = _points_of(X)
        self._fit_X = validate(self, points)
        self._tree = X if metric else None  # only scikit-learn can search it
        self._index = self._theirs = None
        self.n_samples_fit_ = self._fit_X.shape[0]
        self.effective_metric_ = "euclidean"
        self.effective_metric_params_ = {}
        self._why = why_not_metric(self.metric, self.p, self.metric_params) or why_not_data(self._fit_X)
        self._why = self._why or (metric and f"the tree has the metric {metric}, not the Euclidean one") or self._why_not_scale()
        if self._why:
            theirs = self._sklearn(self._why)
            self.effective_metric_ = theirs.effective_metric_
            self.effective_metric_params_ = theirs.effective_metric_params_
        else:
            self._our_index()
        return self

    def _why_not_scale(self):
        """Squares of distances must be normal float32 numbers."""
        columns = [self._fit_X[:, i] for i in range(self._fit_X.shape[1])]
        largest = max(float(column.max()) - float(column.min()) for column in columns)
        if largest > 1e18 or 0 < largest < 1e-15:
            return f"the data span {largest:g}, and squares of such distances do not fit into float32"
        return None

    def _our_index(self):
        if getattr(self, "_index", None) is None:
            from ._index import Index

            self._index = Index(as_points(self._fit_X), context=context_for(self))
        return self._index

    def _sklearn(self, why):
        """Return scikit-learn's estimator, fitted to the same data."""
        fall_back("NearestNeighbors", why)
        if getattr(self, "_theirs", None) is None:
            from sklearn.neighbors import NearestNeighbors as Theirs

            self._theirs = Theirs(**self.get_params()).fit(self._fit_X if self._tree is None else self._tree)
        return self._theirs

    def _check_is_fitted(self):
        if not hasattr(self, "n_samples_fit_"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                "using this estimator."
            )

    def _queries(self, X):
        return self._fit_X if X is None else validate(self, X, reset=False)

    # --- the k nearest -------------------------------------------------------------------------------------

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """Return the distances and the indices of the nearest points, one row per query, nearest first."""
        self._check_is_fitted()
        wanted = check_count(self, "n_neighbors", self.n_neighbors if n_neighbors is None else n_neighbors)
        queries = self._queries(X)
        count = wanted + (X is None)
        if count > self.n_samples_fit_:
            raise ValueError(
                f"Expected n_neighbors <= n_samples, but n_samples = {self.n_samples_fit_}, n_neighbors = {count}"
            )
        why = self._why or (why_not_data(queries) if X is not None else None)
        if not why and count > MOST_NEIGHBORS:
            why = f"{count} neighbours per query are wanted, and clump finds up to {MOST_NEIGHBORS}"
        if not why:
            distances, indices = self._our_index().knn(as_points(queries), count)
            why = self._why_too_coarse(distances)
        if why:
            return self._sklearn(why).kneighbors(X if X is None else queries, wanted, return_distance)
        indices = indices.astype(np.intp)
        if X is None:
            mask = _without_self(indices)
            indices = indices[mask].reshape(len(queries), wanted)
            distances = distances[mask].reshape(len(queries), wanted)
        return (distances.astype(np.float64), indices) if return_distance else indices

    def _why_too_coarse(self, distances):
        """Neighbours that are as close as the rounding of float32 coordinates cannot be ranked, nor those too far away."""
        if not np.isfinite(distances).all():
            return "squares of distances do not fit into float32, as a query is too far from the points"
        error = rounding(self._fit_X, 0.01 * float(np.median(distances[:, -1])))
        if error:
            return f"float32 coordinates would be wrong by up to {error:.2g}, too much for points as close as these"
        return None

    def kneighbors_graph(self, X=None, n_neighbors=None, mode="connectivity"):
        """Return the sparse matrix of the nearest neighbours: ones, or distances with mode="distance"."""
        check_choice(self, "mode", mode, ("connectivity", "distance"))
        distances, indices = self.kneighbors(X, n_neighbors)
        data = np.ones(indices.size) if mode == "connectivity" else distances.ravel()
        offsets = np.arange(0, indices.size + 1, indices.shape[1])
        return _graph(data, indices.ravel(), offsets, (len(indices), self.n_samples_fit_))

    # --- all within a radius -------------------------------------------------------------------------------

    def _why_not_radius(self, X, queries, radius):
        """Return why clump cannot find the points within the radius; None where it can."""
        why = self._why or (why_not_data(queries) if X is not None else None)
        if not why and radius > LARGEST_RADIUS and X is not None and np.abs(queries).max() > 0.1 * LARGEST_RADIUS:
            why = "squares of distances do not fit into float32, as a query is too far from the points"
        return why or (why_not_length(self._fit_X, "radius", min(radius, LARGEST_RADIUS)) if radius > 0 else None)

    def _within(self, X, queries, radius, sort):
        """Return offsets, indices and distances of all points within the radius."""
        offsets, indices, distances = self._our_index().radius(as_points(queries), min(radius, LARGEST_RADIUS))
        rows = np.repeat(np.arange(len(queries)), np.diff(offsets))
        if X is None:
            mask = indices != rows
            indices, distances, rows = indices[mask], distances[mask], rows[mask]
            offsets = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(queries)))))
        if sort:
            order = np.lexsort((distances, rows))
            indices, distances = indices[order], distances[order]
        return offsets, indices.astype(np.intp), distances.astype(np.float64)

    def radius_neighbors(self, X=None, radius=None, return_distance=True, sort_results=False):
        """Return the distances and the indices of all points within the radius: one array per query, in an array.

        sort_results puts the nearest first; otherwise indices ascend.
        """
        self._check_is_fitted()
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        radius = check_radius(self, self.radius if radius is None else radius)
        queries = self._queries(X)
        why = self._why_not_radius(X, queries, radius)
        if why:
            queries = None if X is None else queries
            return self._sklearn(why).radius_neighbors(queries, radius, return_distance, sort_results)
        offsets, indices, distances = self._within(X, queries, radius, sort_results)
        cuts = offsets.tolist()
        spans = list(zip(cuts, cuts[1:]))
        found = _object_array([indices[a:b] for a, b in spans])
        return (_object_array([distances[a:b] for a, b in spans]), found) if return_distance else found

    def radius_neighbors_graph(self, X=None, radius=None, mode="connectivity", sort_results=False):
        """Return the sparse matrix of all points within the radius: ones, or distances with mode="distance"."""
        self._check_is_fitted()
        check_choice(self, "mode", mode, ("connectivity", "distance"))
        radius = check_radius(self, self.radius if radius is None else radius)
        queries = self._queries(X)
        why = self._why_not_radius(X, queries, radius)
        if why:
            queries = None if X is None else queries
            return self._sklearn(why).radius_neighbors_graph(queries, radius, mode, sort_results)
        offsets, indices, distances = self._within(X, queries, radius, sort_results)
        data = np.ones(len(indices)) if mode == "connectivity" else distances
        return _graph(data, indices, offsets, (len(offsets) - 1, self.n_samples_fit_))
