# SPDX-License-Identifier: BSD-3-Clause
"""What the estimators share: base classes, checks of data and parameters, and the fallback to scikit-learn.

scikit-learn is optional. Where it is installed, the estimators derive from its BaseEstimator. Otherwise a small class
of this file takes its place.
"""
import inspect
import math
import numbers
import os
import sys
import threading
import warnings

import numpy as np

from ._errors import ArgumentError
from ._files import Cloud

try:
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.exceptions import NotFittedError

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False

    class NotFittedError(ValueError, AttributeError):
        """A result is asked for before fit."""

    class BaseEstimator:
        """get_params, set_params and repr, as scikit-learn's class of this name has them."""

        @classmethod
        def _get_param_names(cls):
            return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

        def get_params(self, deep=True):
            """Return the parameters as a dictionary."""
            return {name: getattr(self, name) for name in self._get_param_names()}

        def set_params(self, **params):
            """Set parameters and return the estimator."""
            known = self._get_param_names()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has: {', '.join(known)}.")
                setattr(self, name, value)
            return self

        def __repr__(self):
            changed = []
            for name, parameter in inspect.signature(type(self).__init__).parameters.items():
                if name != "self" and repr(getattr(self, name)) != repr(parameter.default):
                    changed.append(f"{name}={getattr(self, name)!r}")
            return f"{type(self).__name__}({', '.join(changed)})"

        def __getstate__(self):
            return dict(self.__dict__)

    class ClusterMixin:
        """Marks an estimator as a clusterer."""

        _estimator_type = "clusterer"


class SparseTag:
    """Tells scikit-learn 1.6 and later that sparse data are accepted: scikit-learn itself does the work for them."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class NanTag(SparseTag):
    """And that data need not be finite."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.metric != "precomputed"
        return tags

    def _more_tags(self):  # before scikit-learn 1.6
        return {"allow_nan": self.metric != "precomputed"}


class FallbackWarning(UserWarning):
    """scikit-learn does the work, because clump cannot. The text says why."""

    __module__ = "clump"


def fall_back(name, why):
    """Warn that scikit-learn does the work of the estimator `name`. Without scikit-learn, raise ArgumentError."""
    if not HAS_SKLEARN:
        raise ArgumentError(f"{name}: {why}. scikit-learn could do this, but it is not installed.")
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("clump."):  # name the line of the caller
        frame, level = frame.f_back, level + 1
    warnings.warn(f"{name}: {why}. scikit-learn does it instead, which is slower.", FallbackWarning, stacklevel=level)


# --- data ----------------------------------------------------------------------------------------------


def _plain_data(estimator, X, reset, finite):
    """The checks of validate() where scikit-learn is missing."""
    names = getattr(X, "columns", None)
    data = np.asarray(X)
    if data.dtype.kind in "OUS":
        try:
            data = data.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"The data are {data.dtype}; numbers are needed.") from None
    if data.dtype.kind not in "fiub":
        raise ValueError(f"The data are {data.dtype}; real numbers are needed. Complex data not supported.")
    if data.ndim != 2:
        raise ValueError(f"The data have {data.ndim} dimensions; rows and columns are needed. Reshape your data.")
    if len(data) == 0 or data.shape[1] == 0:
        raise ValueError(f"The data have the shape {data.shape}; at least one row and one column are needed.")
    if finite and not np.isfinite(data).all():
        raise ValueError("The data contain NaN or infinity.")
    if reset:
        estimator.n_features_in_ = data.shape[1]
        if names is not None and all(isinstance(name, str) for name in names):
            estimator.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
    elif data.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {data.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input."
        )
    return data


def validate(estimator, X, reset=True, finite=True):
    """Return X as a 2-D array of finite numbers, or as a sparse matrix. Sets n_features_in_ and feature_names_in_.
    finite=False: numbers need not be finite."""
    if isinstance(X, Cloud):
        X = X.xyz if X._is_single else X.coordinates()
    if not HAS_SKLEARN:
        return _plain_data(estimator, X, reset, finite)
    if hasattr(estimator, "_validate_data"):  # before scikit-learn 1.6
        return estimator._validate_data(X, accept_sparse="csr", reset=reset, force_all_finite=finite)
    from sklearn.utils.validation import validate_data

    return validate_data(estimator, X, accept_sparse="csr", reset=reset, ensure_all_finite=finite)


def as_points(X):
    """Return X with three columns: missing ones are zeros. True is 1."""
    if X.dtype.kind == "b":
        X = X.astype(np.float32)
    if X.shape[1] == 3:
        return X
    points = np.zeros((len(X), 3), dtype=X.dtype)
    points[:, : X.shape[1]] = X
    return points


def rounding(X, tolerated=0.0):
    """Return the largest error of a coordinate as float32 offset: 0 where all are exact, or where it is tolerated."""
    if X.dtype.itemsize <= (4 if X.dtype.kind == "f" else 2):
        return 0.0
    columns = [X[:, i] for i in range(X.shape[1])]  # much faster than axis=0
    reach = 0.0
    for lower, upper in ((float(column.min()), float(column.max())) for column in columns):
        # The origin is the lower corner; an axis longer than 2^24 has none.
        far = upper - lower > 2.0**24
        reach = max(reach, max(abs(lower), abs(upper)) if far else upper - lower + 1)
    error = reach * 2.0**-25
    if error <= tolerated:
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        return 0.0 if np.array_equal(X.astype(np.float32), X) else error


def why_not_data(X):
    """Return why clump cannot take the data; None where it can."""
    if not isinstance(X, np.ndarray):
        return "the data are sparse"
    if X.shape[1] > 3:
        return f"the data have {X.shape[1]} columns, and clump takes 1 to 3"
    if len(X) > 2**31 - 1:
        return "the data have more than 2147483647 rows"
    return None


def why_not_length(X, name, length):
    """Return why float32 cannot have the length or is too coarse for it; None where it is neither."""
    if not 1.2e-19 < length < 1.8e19:
        return f"{name} = {length:g} is out of the range of float32, whose squares must be normal numbers"
    error = rounding(X, 0.01 * length)
    if error:
        return f"float32 coordinates would be wrong by up to {error:.2g}, too much for {name} = {length:g}"
    return None


def why_not_metric(metric, p, metric_params):
    """Return why the metric is not the Euclidean distance; None where it is."""
    if metric_params:
        return "metric_params are given"
    if isinstance(metric, str) and (metric in ("euclidean", "l2") or (metric == "minkowski" and p in (None, 2))):
        return None
    return f"the metric is {metric!r}" + (f" with p = {p}" if metric == "minkowski" else "") + ", not the Euclidean one"


# --- parameters ----------------------------------------------------------------------------------------


def _refuse(estimator, name, value, wanted):
    raise ArgumentError(f"{type(estimator).__name__}: {name} is {value!r}; it must be {wanted}.")


def check_length(estimator, name, value):
    """Return a finite length above 0 as float, or raise ArgumentError."""
    good = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    if not good or not math.isfinite(value) or value <= 0:
        _refuse(estimator, name, value, "a finite number above 0")
    return float(value)


def check_radius(estimator, value, none=False, name="radius"):
    """Return the radius of a search as float, 0 and infinity included, None as None where allowed, or raise ArgumentError."""
    if none and value is None:
        return None
    if not isinstance(value, numbers.Real) or isinstance(value, (bool, np.bool_)) or not value >= 0:
        _refuse(estimator, name, value, "a number, 0 or more" + (", or None" if none else ""))
    return float(value)


def check_count(estimator, name, value, none=False):
    """Return a number of points as int, None as None where allowed, or raise ArgumentError."""
    if none and value is None:
        return None
    if not isinstance(value, numbers.Integral) or isinstance(value, (bool, np.bool_)) or value < 1:
        _refuse(estimator, name, value, "a whole number, 1 or more" + (", or None" if none else ""))
    return int(value)


def check_choice(estimator, name, value, choices):
    """Return one of the words, or raise ArgumentError."""
    if value not in choices:
        _refuse(estimator, name, value, "one of " + ", ".join(map(repr, choices)))
    return value


_kept = threading.local()


def context_for(estimator):
    """Return the context for n_jobs; None stands for the default one, which uses as many threads as pay.

    One context per thread and number of threads is kept.
    """
    jobs = estimator.n_jobs
    if jobs is None:
        return None
    if not isinstance(jobs, numbers.Integral) or jobs == 0:
        _refuse(estimator, "n_jobs", jobs, "a whole number other than 0, or None")
    if jobs == -1:
        return None
    if jobs < 0:
        jobs = max(1, len(os.sched_getaffinity(0)) + 1 + jobs)
    contexts = _kept.__dict__.setdefault("contexts", {})
    if jobs not in contexts:
        from . import Context

        contexts[jobs] = Context(threads=int(jobs))
    return contexts[jobs]
