# SPDX-License-Identifier: BSD-3-Clause
"""The estimators: scikit-learn's own checks, and results beside those of scikit-learn."""
import copy
import doctest
import importlib
import pickle
import warnings

import numpy as np
import pytest

import clump
from support.data import scan

ALL = (clump.DBSCAN, clump.EuclideanClustering, clump.HDBSCAN, clump.NearestNeighbors)


def cloud(seed=1, count=400, columns=3):
    """Heaps and scattered points, in float32: exact for scikit-learn, too."""
    random = np.random.default_rng(seed)
    heaps = random.normal(size=(count, columns)) * 0.3 + random.integers(-3, 4, size=(count, columns))
    return heaps.astype(np.float32)


def grid(seed=1, count=300, columns=3):
    """Small whole numbers: squares and sums are exact, and many pairs are at exactly the radius."""
    return np.random.default_rng(seed).integers(-5, 5, size=(count, columns)).astype(np.float32)


@pytest.fixture
def no_fallback():
    """scikit-learn must not do the work."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", clump.FallbackWarning)
        yield


@pytest.mark.parametrize("kind", ALL)
def test_docstring(kind):
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    tests = finder.find(kind, kind.__name__, module=False, globs={})
    assert tests and tests[0].examples
    for test in tests:
        assert runner.run(test).failed == 0


@pytest.mark.parametrize("kind", ALL)
def test_check_estimator(kind):
    checks = pytest.importorskip("sklearn.utils.estimator_checks", reason="run scripts/setup.sh --python-long")
    if kind is clump.HDBSCAN and not hasattr(importlib.import_module("sklearn.cluster"), "HDBSCAN"):
        pytest.skip("run it with scikit-learn 1.3 or newer")
    skipped = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        newer = getattr(checks, "estimator_checks_generator", None)  # scikit-learn 1.6
        for estimator, check in newer(kind()) if newer else checks.check_estimator(kind(), generate_only=True):
            try:
                check(estimator)
            except Exception as error:  # noqa: BLE001
                if type(error).__name__ != "SkipTest":
                    raise AssertionError(f"{check}: {error!r}") from error
                skipped.append(str(error))
    assert len(skipped) <= 2, skipped


@pytest.mark.parametrize("kind", ALL)
def test_params(kind):
    one = kind()
    params = one.get_params()
    assert repr(one) == f"{kind.__name__}()"
    assert one.set_params(n_jobs=2) is one and one.get_params() == {**params, "n_jobs": 2}
    assert repr(one) == f"{kind.__name__}(n_jobs=2)"
    with pytest.raises(ValueError, match="no_such"):
        one.set_params(no_such=1)
    assert kind(**params).get_params() == params
    one.fit(cloud())
    for other in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert other.get_params() == one.get_params() and other.n_features_in_ == 3
        if hasattr(one, "labels_"):
            assert np.array_equal(other.labels_, one.labels_)
        else:
            assert np.array_equal(other.kneighbors(cloud(2, 9))[1], one.kneighbors(cloud(2, 9))[1])


def test_clone_and_pipeline():
    base = pytest.importorskip("sklearn.base", reason="run scripts/setup.sh --python-long")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    one = base.clone(clump.DBSCAN(0.3, min_samples=3).fit(cloud()))
    assert one.eps == 0.3 and not hasattr(one, "labels_")
    assert len(make_pipeline(StandardScaler(), one).fit_predict(cloud().astype(np.float64))) == 400


# --- results -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", (1, 2, 3))
@pytest.mark.parametrize("make, eps", ((grid, 1.0), (grid, 2.0), (cloud, 0.4)))
@pytest.mark.parametrize("least", (1, 3, 8))
@pytest.mark.parametrize("jobs", (None, 1, 2, -1, -2))
def test_dbscan_equals_sklearn(no_fallback, columns, make, eps, least, jobs):
    theirs = pytest.importorskip("sklearn.cluster", reason="run scripts/setup.sh --python-long").DBSCAN
    points = make(columns=columns)
    right = theirs(eps=eps, min_samples=least).fit(points)
    found = clump.DBSCAN(eps, min_samples=least, n_jobs=jobs).fit(points)
    for name in ("labels_", "core_sample_indices_", "components_"):
        ours, wanted = getattr(found, name), getattr(right, name)
        assert np.array_equal(ours, wanted) and (ours.dtype == wanted.dtype or wanted.size == 0), name
    assert np.array_equal(clump.DBSCAN(eps, min_samples=least).fit_predict(points.tolist()), right.labels_)


@pytest.mark.parametrize("order", ("index", "size"))
def test_euclidean_clustering(no_fallback, order):
    points = cloud()
    found = clump.EuclideanClustering(0.3, min_size=2, max_size=50, order=order).fit(points)
    right = clump.ec(points, 0.3, min_size=2, max_size=50, order=order)
    assert np.array_equal(found.labels_, right) and found.labels_.dtype == np.intp
    assert found.n_clusters_ == right.max() + 1


def test_euclidean_clustering_is_strict(no_fallback):
    assert clump.EuclideanClustering(1.0).fit_predict([[0.0], [1.0]]).tolist() == [0, 1]
    assert clump.DBSCAN(1.0, min_samples=1).fit_predict([[0.0], [1.0]]).tolist() == [0, 0]


@pytest.mark.parametrize("order", ("index", "size"))
def test_euclidean_clustering_of_sklearn(order):
    pytest.importorskip("sklearn", reason="run scripts/setup.sh --python-long")
    points = cloud(3)
    four = np.column_stack([points, np.zeros(len(points))])
    one = clump.EuclideanClustering(0.3, min_size=2, max_size=50, order=order)
    with pytest.warns(clump.FallbackWarning, match="4 columns"):
        found = one.fit(four).labels_
    assert np.array_equal(found, one.fit(points).labels_)
    assert one.n_clusters_ == found.max() + 1
    with pytest.warns(clump.FallbackWarning):
        assert clump.EuclideanClustering(1.0).fit_predict([[0, 0, 0, 0.0], [1, 0, 0, 0]]).tolist() == [0, 1]


def disputed(points, eps):
    """List the pairs on which float32 offsets and float64 disagree; return them."""
    spatial = pytest.importorskip("scipy.spatial", reason="run scripts/setup.sh --python-long")
    wide, eps32 = points.astype(np.float64), np.float32(eps)
    exact = np.array_equal(wide, points.astype(np.float32))
    offsets = (wide - (0 if exact else np.floor(wide.min(axis=0)))).astype(np.float32)
    tree, pairs = spatial.cKDTree(wide), []
    for start in range(0, len(wide), 4000):  # in parts: a scan has tens of millions of pairs
        part = spatial.cKDTree(wide[start : start + 4000])
        near = part.sparse_distance_matrix(tree, eps * (1 + 1e-4), output_type="ndarray")
        near = near[(near["v"] > eps * (1 - 1e-4)) & (near["i"] + start < near["j"])]
        pairs.append(np.stack([near["i"] + start, near["j"]], 1))
    a, b = np.concatenate(pairs).T.astype(int)
    d = offsets[a] - offsets[b]  # float32, each step rounded
    narrow = (d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1]) + d[:, 2] * d[:, 2] <= eps32 * eps32
    d = wide[a] - wide[b]
    pairs = np.stack([a, b], 1)[narrow != ((d * d).sum(axis=1) <= float(eps) * float(eps))]
    for a, b in pairs:
        print(f"float32 and float64 disagree on points {a} and {b}")
    return pairs


def compare(points, eps, least):
    """Labels and core points equal those of scikit-learn, once one point of each disputed pair is left out."""
    theirs = pytest.importorskip("sklearn.cluster", reason="run scripts/setup.sh --python-long").DBSCAN
    points = np.delete(points, np.unique(disputed(points, eps)[:, 1]), axis=0)
    right = theirs(eps=eps, min_samples=least).fit(points)
    found = clump.DBSCAN(eps, min_samples=least).fit(points)
    assert np.array_equal(found.labels_, right.labels_)
    assert np.array_equal(found.core_sample_indices_, right.core_sample_indices_)
    assert np.array_equal(found.components_, right.components_)
    return len(points)


@pytest.mark.parametrize("corner", (0.0, 4.5e6))
@pytest.mark.parametrize("seed", range(4))
def test_float64(no_fallback, corner, seed):
    """Coordinates as of a survey."""
    assert compare(np.random.default_rng(seed).uniform(0, 12, size=(3000, 3)) + corner, 0.7, 4) > 2900


@pytest.mark.parametrize("eps", (0.5, 0.3))
@pytest.mark.parametrize("kind", (np.float32, np.float64))
def test_scan(no_fallback, eps, kind):
    points = np.fromfile(scan("kitti/semkitti_04_000000.bin"), dtype="<f4").reshape(-1, 4)[:15000, :3].astype(kind)
    assert compare(points + (0 if kind is np.float32 else 1 / 3), eps, 10) > 14900


def test_layouts(no_fallback):
    points = cloud().astype(np.float64)
    right = clump.DBSCAN(0.2).fit_predict(points)
    frozen = points.copy()
    frozen.flags.writeable = False
    for form in (np.asfortranarray(points), points[::-1][::-1], frozen, points.astype(">f8"), points.astype(np.float32)):
        assert np.array_equal(clump.DBSCAN(0.2).fit_predict(form), right)


def test_cloud(no_fallback):
    for points in (cloud(), cloud().astype(np.float64) + 4.5e6 + 1 / 3):
        right = clump.DBSCAN(0.5, min_samples=3).fit_predict(points)
        assert right.max() > 3
        assert np.array_equal(clump.DBSCAN(0.5, min_samples=3).fit_predict(clump.Cloud(points)), right)


def test_feature_names():
    pandas = pytest.importorskip("pandas", reason="run scripts/setup.sh --python-long")
    frame = pandas.DataFrame(cloud(), columns=["x", "y", "z"])
    for kind in ALL:
        one = kind().fit(frame)
        assert one.feature_names_in_.tolist() == ["x", "y", "z"] and one.n_features_in_ == 3
        assert not hasattr(one.fit(cloud()), "feature_names_in_")


# --- nearest neighbours --------------------------------------------------------------------------------


def pair(queries, **parameters):
    neighbors = pytest.importorskip("sklearn.neighbors", reason="run scripts/setup.sh --python-long")
    points = cloud(5, 300)
    return clump.NearestNeighbors(**parameters).fit(points), neighbors.NearestNeighbors(**parameters).fit(points), queries


@pytest.mark.parametrize("queries", (None, cloud(6, 50)))
@pytest.mark.parametrize("count", (1, 5, 100))
def test_kneighbors(no_fallback, queries, count):
    ours, theirs, queries = pair(queries, n_neighbors=count)
    distances, indices = ours.kneighbors(queries)
    wanted = theirs.kneighbors(queries)
    assert distances.dtype == wanted[0].dtype and indices.dtype == wanted[1].dtype
    assert np.allclose(distances, wanted[0], rtol=1e-5, atol=1e-6) and np.mean(indices == wanted[1]) > 0.99
    assert np.array_equal(ours.kneighbors(queries, count, return_distance=False), indices)
    graph = ours.kneighbors_graph(queries, mode="distance")
    assert np.allclose(graph.toarray(), theirs.kneighbors_graph(queries, mode="distance").toarray(), atol=1e-5)
    assert (ours.kneighbors_graph(queries) != theirs.kneighbors_graph(queries)).nnz <= 4


@pytest.mark.parametrize("queries", (None, cloud(6, 50), cloud(6, 1)))
@pytest.mark.parametrize("radius", (0.0, 0.3, 2.0, np.inf))
def test_radius_neighbors(no_fallback, queries, radius):
    ours, theirs, queries = pair(queries, radius=radius)
    distances, indices = ours.radius_neighbors(queries, sort_results=True)
    wanted = theirs.radius_neighbors(queries, sort_results=True)
    assert indices.shape == wanted[1].shape and indices.dtype == object
    for i in range(len(indices)):
        assert np.allclose(distances[i], wanted[0][i], rtol=1e-5, atol=1e-6)
        assert set(indices[i]) == set(wanted[1][i])
    ascending = ours.radius_neighbors(queries, return_distance=False)
    assert all(np.array_equal(ascending[i], np.sort(indices[i])) for i in range(len(indices)))
    for mode in ("connectivity", "distance"):
        graphs = [one.radius_neighbors_graph(queries, mode=mode).toarray() for one in (ours, theirs)]
        assert np.allclose(*graphs, atol=1e-5)


def test_parameters_that_are_none(no_fallback):
    search = clump.NearestNeighbors(n_neighbors=None, radius=None).fit(cloud())
    assert search.kneighbors(n_neighbors=2)[1].shape == (len(cloud()), 2)
    assert len(search.radius_neighbors(radius=0.5)[1]) == len(cloud())
    with pytest.raises(clump.ArgumentError, match="n_neighbors is None"):
        search.kneighbors()
    with pytest.raises(clump.ArgumentError, match="radius is None"):
        search.radius_neighbors()


def test_fit_of_a_fitted_one(no_fallback):
    points, queries = cloud(5, 300), cloud(6, 50)
    right = clump.NearestNeighbors().fit(points).kneighbors(queries)
    sources = [clump.NearestNeighbors().fit(points)]
    neighbors = pytest.importorskip("sklearn.neighbors", reason="run scripts/setup.sh --python-long")
    sources += [neighbors.NearestNeighbors().fit(points), neighbors.KDTree(points), neighbors.BallTree(points)]
    for source in sources:
        found = clump.NearestNeighbors().fit(source)
        assert found.n_features_in_ == 3 and all(map(np.array_equal, found.kneighbors(queries), right))
    for source in (clump.NearestNeighbors(), neighbors.NearestNeighbors()):
        with pytest.raises(ValueError, match="not fitted"):
            clump.NearestNeighbors().fit(source)


def test_fit_of_a_tree_with_another_metric():
    neighbors = pytest.importorskip("sklearn.neighbors", reason="run scripts/setup.sh --python-long")
    tree = neighbors.BallTree(cloud(5, 300), metric="manhattan")
    with pytest.warns(clump.FallbackWarning, match="the tree has the metric ManhattanDistance"):
        distances, _ = clump.NearestNeighbors().fit(tree).kneighbors(cloud(6, 50))
    assert np.array_equal(distances, tree.query(cloud(6, 50), 5)[0])


def test_equal_points_are_neighbours(no_fallback):
    points = np.zeros((6, 3))
    search = clump.NearestNeighbors(n_neighbors=2).fit(points)
    distances, indices = search.kneighbors()
    assert indices.shape == (6, 2) and not distances.any()
    assert all(i not in row for i, row in enumerate(indices[:3]))
    assert all(len(row) == 5 and i not in row for i, row in enumerate(search.radius_neighbors()[1]))


def test_neighbors_of_few():
    search = clump.NearestNeighbors(n_neighbors=3).fit([[0.0, 0, 0], [1, 0, 0], [3, 0, 0]])
    assert search.kneighbors([[0, 0, 0]])[1].tolist() == [[0, 1, 2]]
    with pytest.raises(ValueError, match="n_samples = 3, n_neighbors = 4"):
        search.kneighbors()
    with pytest.raises(ValueError, match="sort_results"):
        search.radius_neighbors(return_distance=False, sort_results=True)
    with pytest.raises(ValueError, match="2 features"):
        search.kneighbors([[0, 0]])
    with pytest.raises(ValueError, match="not fitted"):
        clump.NearestNeighbors().kneighbors([[0, 0, 0]])


# --- what clump cannot do ------------------------------------------------------------------------------

COARSE = np.array([[0.0, 0, 0], [1e9, 0, 0], [1e9 + 0.1, 0, 0]])


@pytest.mark.parametrize(
    "parameters, data, weights, why",
    (
        ({"metric": "manhattan"}, cloud(), None, "metric is 'manhattan'"),
        ({"metric": "minkowski", "p": 1}, cloud(), None, "with p = 1"),
        ({}, cloud(), np.ones(400), "sample weights"),
        ({}, cloud(columns=5), None, "5 columns"),
        ({"eps": 1e-30}, cloud(), None, "out of the range of float32"),
        ({"eps": 0.5, "min_samples": 2}, COARSE, None, "wrong by up to"),
    ),
)
def test_dbscan_falls_back(parameters, data, weights, why):
    theirs = pytest.importorskip("sklearn.cluster", reason="run scripts/setup.sh --python-long").DBSCAN
    with pytest.warns(clump.FallbackWarning, match=why):
        found = clump.DBSCAN(**parameters).fit(data, sample_weight=weights)
    right = theirs(**parameters).fit(data, sample_weight=weights)
    assert np.array_equal(found.labels_, right.labels_) and np.array_equal(found.components_, right.components_)


def test_fallback_names_the_caller():
    pytest.importorskip("sklearn", reason="run scripts/setup.sh --python-long")
    with pytest.warns(clump.FallbackWarning) as caught:
        clump.DBSCAN(metric="cosine", eps=0.1).fit(cloud())
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "parameters, data, why",
    (
        ({"metric": "chebyshev"}, cloud(), "metric is 'chebyshev'"),
        ({"n_neighbors": 129}, cloud(), "129 neighbours"),
        ({}, cloud(columns=4), "4 columns"),
        ({}, np.linspace(0, 1e9, 3000)[:, None] ** 2 + np.arange(3000)[:, None] % 7 * 1e9, "span"),
        ({"n_neighbors": 1}, np.repeat([0.0, 1e12], 200)[:, None] + np.arange(400)[:, None] % 50 * 0.3, "wrong by up to"),
    ),
)
def test_neighbors_fall_back(parameters, data, why):
    theirs = pytest.importorskip("sklearn.neighbors", reason="run scripts/setup.sh --python-long").NearestNeighbors
    with pytest.warns(clump.FallbackWarning, match=why):
        found = clump.NearestNeighbors(**parameters).fit(data).kneighbors(data[:5])
    assert np.allclose(found[0], theirs(**parameters).fit(data).kneighbors(data[:5])[0])


def test_queries_too_far_fall_back():
    theirs = pytest.importorskip("sklearn.neighbors", reason="run scripts/setup.sh --python-long").NearestNeighbors
    with pytest.warns(clump.FallbackWarning, match="too far from the points"):
        found = clump.NearestNeighbors(n_neighbors=2).fit(cloud()).kneighbors([[0.0, 0, 0], [1e20, 0, 0]])
    right = theirs(n_neighbors=2).fit(cloud()).kneighbors([[0.0, 0, 0], [1e20, 0, 0]])
    assert np.array_equal(found[0], right[0]) and np.array_equal(found[1], right[1])


def test_truth_values(no_fallback):
    theirs = pytest.importorskip("sklearn.cluster", reason="run scripts/setup.sh --python-long").DBSCAN
    data = grid() > 0
    assert np.array_equal(clump.DBSCAN(0.5).fit_predict(data), theirs(eps=0.5).fit_predict(data))
    assert not clump.NearestNeighbors(n_neighbors=1).fit(data).kneighbors(data)[0].any()


def test_sparse_falls_back():
    sparse = pytest.importorskip("scipy.sparse", reason="run scripts/setup.sh --python-long")
    theirs = pytest.importorskip("sklearn.cluster", reason="run scripts/setup.sh --python-long").DBSCAN
    data = sparse.csr_matrix(grid())
    with pytest.warns(clump.FallbackWarning, match="sparse"):
        assert np.array_equal(clump.DBSCAN(1.0).fit_predict(data), theirs(eps=1.0).fit_predict(data))


def test_exact_values_need_no_fallback(no_fallback):
    """Far from the origin, but whole numbers that float32 has."""
    assert clump.DBSCAN(0.5, min_samples=2).fit_predict([[0.0], [2.0**60], [2.0**60]]).tolist() == [-1, 0, 0]


# --- bad parameters and data ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator, text",
    (
        (clump.DBSCAN(0), "eps is 0; it must be a finite number above 0"),
        (clump.DBSCAN("a"), "eps is 'a'"),
        (clump.DBSCAN(float("nan")), "eps is nan"),
        (clump.DBSCAN(min_samples=0), "min_samples is 0"),
        (clump.DBSCAN(min_samples=2.5), "min_samples is 2.5"),
        (clump.DBSCAN(algorithm="best"), "algorithm is 'best'"),
        (clump.DBSCAN(n_jobs=0), "n_jobs is 0"),
        (clump.EuclideanClustering(-1), "distance is -1"),
        (clump.EuclideanClustering(order="name"), "order is 'name'"),
        (clump.EuclideanClustering(max_size=0), "max_size is 0"),
        (clump.NearestNeighbors(n_neighbors=0), "n_neighbors is 0"),
        (clump.NearestNeighbors(radius=-1), "radius is -1"),
        (clump.NearestNeighbors(radius=float("nan")), "radius is nan; it must be a number, 0 or more, or None"),
    ),
)
def test_bad_parameters(estimator, text):
    with pytest.raises(clump.ArgumentError, match=text):
        estimator.fit(cloud())


NOT_FINITE = [[[1.0, np.nan, 0]], [[np.inf, 0, 0]]]


# HDBSCAN labels rows that are not finite.
@pytest.mark.parametrize("kind, data", [
    (kind, data) for kind in ALL
    for data in ([] if kind is clump.HDBSCAN else NOT_FINITE) + [
        [1.0, 2.0], np.empty((0, 3)), np.zeros((2, 2, 3)), [[1j, 0, 0]], [["a", "b", "c"]]]
])
def test_bad_data(kind, data):
    with pytest.raises(ValueError):
        kind().fit(data)


# --- HDBSCAN -------------------------------------------------------------------------------------------


def renumbered(labels):
    """Labels by the first point of each cluster."""
    numbers = {}
    return [numbers.setdefault(label, len(numbers)) if label >= 0 else -1 for label in labels.tolist()]


@pytest.fixture
def their_hdbscan():
    cluster = pytest.importorskip("sklearn.cluster", reason="run scripts/setup.sh --python-long")
    if not hasattr(cluster, "HDBSCAN"):
        pytest.skip("run it with scikit-learn 1.3 or newer")
    return cluster.HDBSCAN


@pytest.mark.parametrize("options", [
    {}, {"cluster_selection_method": "leaf"}, {"cluster_selection_epsilon": 0.4}, {"max_cluster_size": 40},
    {"allow_single_cluster": True}, {"min_cluster_size": 12, "store_centers": "both"},
])
def test_hdbscan_is_theirs(options, their_hdbscan, no_fallback):
    """Without equal weights, which min_samples above 1 always has, the clusters are the same."""
    for seed in range(3):
        points = cloud(seed)
        mine, theirs = (kind(min_samples=1, **options).fit(points) for kind in (clump.HDBSCAN, their_hdbscan))
        assert mine.labels_.tolist() == renumbered(theirs.labels_)
        assert np.allclose(mine.probabilities_, theirs.probabilities_, rtol=0, atol=1e-6)
        assert mine.dbscan_clustering(0.3).tolist() == renumbered(theirs.dbscan_clustering(0.3))
        if "store_centers" in options:
            order = np.argsort(renumbered(np.array([theirs.labels_[mine.labels_ == k][0] for k in range(mine.labels_.max() + 1)])))
            assert mine.centroids_.shape == theirs.centroids_.shape == (len(order), 3)
            for name in ("centroids_", "medoids_"):
                sets = (sorted(map(tuple, np.round(getattr(each, name), 5).tolist())) for each in (mine, theirs))
                assert np.allclose(*map(list, sets), atol=1e-4)


def test_hdbscan_with_ties(their_hdbscan, no_fallback):
    """With equal weights theirs depends on the order of the points; the clusters are almost the same."""
    metrics = pytest.importorskip("sklearn.metrics", reason="run scripts/setup.sh --python-long")
    for seed in range(3):
        random = np.random.default_rng(seed)
        heaps = np.vstack([random.normal(at, 0.2, (300, 3)) for at in 4 * random.permutation(8)[:5, None] * np.ones(3)])
        points = heaps.astype(np.float32)
        mine, theirs = (kind(min_samples=10, min_cluster_size=50).fit(points) for kind in (clump.HDBSCAN, their_hdbscan))
        assert metrics.adjusted_rand_score(mine.labels_, theirs.labels_) > 0.98


def test_hdbscan_has_one_answer(no_fallback):
    points = grid(count=500)
    order = np.random.default_rng(3).permutation(len(points))
    one, other = (clump.HDBSCAN(min_samples=4).fit(each) for each in (points, points[order]))
    back = np.empty_like(other.labels_)
    back[order] = other.labels_
    assert renumbered(back) == one.labels_.tolist()
    assert np.array_equal(other.probabilities_, one.probabilities_[order])


def test_hdbscan_is_that_of_the_tree(no_fallback):
    points = cloud(5, 600)
    tree = clump.tree(points, min_samples=4)
    found = clump.HDBSCAN(min_cluster_size=7, min_samples=4, n_jobs=1).fit(points)
    labels, chances = clump.hdbscan(points, min_cluster_size=7, min_samples=4, return_probabilities=True)
    assert found.labels_.tolist() == labels.tolist() == tree.hdbscan(min_cluster_size=7).tolist()
    assert np.array_equal(found.probabilities_, chances) and np.array_equal(tree.hdbscan(min_cluster_size=7, return_probabilities=True)[1], chances)
    for d in (0.1, 0.3, 1):
        assert tree.cut(d).tolist() == clump.dbscan(points, d, 4, no_border_points=True).tolist()
        assert clump.tree(points).cut(d, min_size=3).tolist() == clump.ec(points, d, min_size=3).tolist()
        flat = clump.tree(points[:, :2], two_d=True, mask=points[:, 0] > 0)
        assert flat.cut(d).tolist() == clump.ec(points, d, two_d=True, mask=points[:, 0] > 0).tolist()
    assert repr(tree) == "<clump.Tree: 600 points>" and tree.cores.shape == (600,) and clump.tree(points).cores is None


def test_hdbscan_of_rows_that_are_not_finite(no_fallback):
    points = cloud(2).astype(np.float64)
    alone = clump.HDBSCAN(store_centers="both").fit(points)
    more = np.insert(points, [0, 7, 7, 400], [[np.nan, 0, 0], [0, np.inf, 1], [np.inf, -np.inf, 0], [1, 2, -np.inf]], axis=0)
    found = clump.HDBSCAN(store_centers="both").fit(more)
    added = [0, 8, 9, 403]
    for labels, given in ((found.labels_, alone.labels_), (found.dbscan_clustering(0.3), alone.dbscan_clustering(0.3))):
        assert labels[added].tolist() == [-3, -2, -3, -2]
        assert np.delete(labels, added).tolist() == given.tolist()
    assert found.probabilities_[added].tolist()[1::2] == [0, 0] and np.isnan(found.probabilities_[added[::2]]).all()
    assert np.array_equal(np.delete(found.probabilities_, added), alone.probabilities_)
    assert np.array_equal(found.centroids_, alone.centroids_) and np.array_equal(found.medoids_, alone.medoids_)


def test_hdbscan_refuses():
    for one, words in [
        (clump.HDBSCAN(min_cluster_size=1), "min_cluster_size is 1"),
        (clump.HDBSCAN(min_samples=0), "min_samples is 0"),
        (clump.HDBSCAN(cluster_selection_epsilon=-1), "cluster_selection_epsilon is -1"),
        (clump.HDBSCAN(cluster_selection_method="best"), "cluster_selection_method is 'best'"),
        (clump.HDBSCAN(store_centers="all"), "store_centers is 'all'"),
    ]:
        with pytest.raises(ValueError, match=words):
            one.fit(cloud())
    with pytest.raises(ValueError, match="not fitted"):
        clump.HDBSCAN().dbscan_clustering(1)
    with pytest.raises(clump.ArgumentError, match="min_cluster_size is 1, it must be 2 to"):
        clump.hdbscan(cloud(), min_cluster_size=1)
    with pytest.raises(clump.ArgumentError, match="not part of a tree"):
        clump.Tree(np.array([0, 2, 0], np.int32), np.ones(3, np.float32), None).cut(1)
    assert clump.HDBSCAN(min_samples=100).fit(cloud(1, 20)).labels_.tolist() == [-1] * 20
    assert clump.hdbscan(np.zeros((0, 3))).tolist() == []
