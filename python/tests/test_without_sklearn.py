# SPDX-License-Identifier: BSD-3-Clause
"""The estimators where scikit-learn is not installed, and imports that happen late."""
import subprocess
import sys


def run(code):
    """Run code in a process of its own, where scikit-learn cannot be imported."""
    head = "import sys\nsys.modules['sklearn'] = None\nimport numpy as np\nimport clump\n"
    done = subprocess.run([sys.executable, "-c", head + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_is_light():
    """import clump imports NumPy and nothing else of that kind; dir() knows the estimators."""
    code = """
import sys
import clump
heavy = {'sklearn', 'scipy', 'torch', 'open3d', 'pandas', 'cupy', 'jax'} & set(sys.modules)
assert not heavy, heavy
assert 'DBSCAN' in dir(clump) and 'NearestNeighbors' in clump.__all__
try:
    clump.no_such_name
except AttributeError as error:
    assert 'no_such_name' in str(error)
else:
    raise SystemExit('clump.no_such_name is there')
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_results():
    assert run(
        """
points = [[0, 0, 0], [0.3, 0, 0], [5, 0, 0]]
print(clump.DBSCAN(0.5, min_samples=2).fit(points).labels_.tolist())
print(clump.EuclideanClustering(0.5).fit_predict(points).tolist())
search = clump.NearestNeighbors(n_neighbors=1).fit(points)
print(search.kneighbors()[1].tolist(), search.n_features_in_)
print([part.tolist() for part in search.radius_neighbors([[0, 0, 0]], 1.0)[1]])
"""
    ).splitlines() == ["[0, 0, -1]", "[0, 0, 1]", "[[1], [0], [1]] 3", "[[0, 1]]"]


def test_manners():
    assert run(
        """
import pickle
one = clump.DBSCAN(0.3, min_samples=4, n_jobs=1)
print(one, clump.NearestNeighbors())
print(one.get_params()['eps'], one.set_params(eps=0.25).eps)
try:
    one.set_params(eps_=1)
except ValueError as error:
    print(error)
search = clump.NearestNeighbors(n_neighbors=1).fit(np.eye(3))
print(pickle.loads(pickle.dumps(search)).kneighbors([[1, 0, 0]])[1].tolist())
try:
    clump.NearestNeighbors().kneighbors([[0, 0, 0]])
except (ValueError, AttributeError) as error:
    print(type(error).__name__)
"""
    ).splitlines() == [
        "DBSCAN(eps=0.3, min_samples=4, n_jobs=1) NearestNeighbors()",
        "0.3 0.25",
        "DBSCAN has no parameter 'eps_'; it has: algorithm, eps, leaf_size, metric, metric_params, min_samples, n_jobs, p.",
        "[[0]]",
        "NotFittedError",
    ]


def test_what_clump_cannot_do_fails_with_a_sentence():
    assert run(
        """
for estimator, data in (
    (clump.DBSCAN(metric='cosine'), np.zeros((5, 3))),
    (clump.EuclideanClustering(), np.zeros((5, 4))),
    (clump.NearestNeighbors(), np.zeros((5, 5))),
):
    try:
        estimator.fit(data)
    except clump.ArgumentError as error:
        print(error)
"""
    ).splitlines() == [
        "DBSCAN: the metric is 'cosine', not the Euclidean one. scikit-learn could do this, but it is not installed.",
        "EuclideanClustering: the data have 4 columns, and clump takes 1 to 3. scikit-learn could do this, but it is not "
        "installed.",
        "NearestNeighbors: the data have 5 columns, and clump takes 1 to 3. scikit-learn could do this, but it is not "
        "installed.",
    ]


def test_bad_data():
    assert run(
        """
for data in ([1.0, 2.0], [[1.0, np.nan, 0]], np.empty((0, 3)), [[1j, 0, 0]], [['a', 'b', 'c']]):
    try:
        clump.DBSCAN().fit(data)
    except ValueError as error:
        print('refused')
"""
    ).splitlines() == ["refused"] * 5
