# SPDX-License-Identifier: BSD-3-Clause
"""Fields of any type and shape come back from a file as they were."""

import os
import tempfile

import numpy as np
import pytest

import clump
from support import data

pytest.importorskip("hypothesis", reason=data.DO_BUILD)
from hypothesis import given, settings, strategies as st  # noqa: E402

TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8", "i8", "u8"]


@given(st.integers(0, 20), st.lists(st.tuples(st.sampled_from(TYPES), st.integers(1, 3)), max_size=4), st.integers(0, 2**32),
       st.sampled_from(["pcd", "ply"]), st.sampled_from(["ascii", "binary"]))
@settings(max_examples=data.examples(20, 80), deadline=None, derandomize=True)
def test_any_field_comes_back(count, shapes, seed, extension, encoding):
    random = np.random.default_rng(seed)
    fields = {}
    for i, (kind, elements) in enumerate(shapes):
        bits = random.integers(0, 256, (count, elements, np.dtype(kind).itemsize), np.uint8)
        values = bits.view(kind)[:, :, 0] if kind[0] != "f" else random.normal(size=(count, elements)).astype(kind)
        fields[f"field{i}"] = values if elements > 1 else values[:, 0]
    if extension == "ply":  # has neither 64-bit integers nor fields of several elements
        fields = {name: values for name, values in fields.items() if values.ndim == 1 and values.dtype.str[1:] not in ("i8", "u8")}
    points = random.normal(size=(count, 3)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"a.{extension}")
        clump.write(path, points, fields=fields, encoding=encoding)
        back = clump.read(path)
    assert np.array_equal(back.xyz, points)
    assert back.fields == tuple(fields)
    for name, values in fields.items():
        assert back[name].dtype == values.dtype and np.array_equal(back[name], values)
