# SPDX-License-Identifier: BSD-3-Clause
"""ec: what goes in and what comes out."""

import numpy as np
import pytest

import clump


def test_labels():
    points = np.array([[0, 0, 0], [0, 0, 1], [5, 0, 0]], np.float32)
    labels = clump.ec(points, 1.5)
    assert labels.dtype == np.int32
    assert labels.tolist() == [0, 0, 1]


def test_columns_after_xyz_and_read_only():
    points = np.zeros((4, 6), np.float32)
    points[:, 0] = [0, 1, 10, 11]
    points.flags.writeable = False
    assert clump.ec(points, 1.5).tolist() == [0, 0, 1, 1]
    assert clump.ec(points[::2], 1.5).tolist() == [0, 1]


def test_not_finite_is_noise():
    points = np.array([[0, 0, 0], [np.nan, 0, 0], [0, np.inf, 0]], np.float32)
    assert clump.ec(points, 1).tolist() == [0, -1, -1]


def test_empty():
    assert clump.ec(np.empty((0, 3), np.float32), 1).shape == (0,)


def test_errors_have_the_sentence_of_the_library():
    with pytest.raises(clump.ArgumentError, match="^d is -1, it must be a number above 0$"):
        clump.ec(np.zeros((2, 3), np.float32), -1)
    with pytest.raises(clump.ArgumentError, match="there is no method 'slow'; there are: fast, bfs"):
        clump.ec(np.zeros((2, 3), np.float32), 1, method="slow")
