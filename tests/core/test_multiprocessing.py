#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# test_multiprocessing.py LIBRARY: libclump through ctypes in the workers of Python's multiprocessing, which are forks of a
# process that has called the library with several threads. A pool that does not answer within a minute is a failure.
import ctypes
import multiprocessing
import os
import random
import sys


class Points(ctypes.Structure):
    _fields_ = [("xyz", ctypes.c_void_p), ("count", ctypes.c_size_t), ("stride", ctypes.c_size_t),
                ("place", ctypes.c_int)]


os.environ["CUDA_VISIBLE_DEVICES"] = ""  # CUDA does not work in a fork of a process that has used it
COUNT = 20000
library = ctypes.CDLL(sys.argv[1])
library.clump_context_create.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]
library.clump_ec.argtypes = [ctypes.c_void_p, Points, ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
library.clump_labels_hash.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
library.clump_labels_hash.restype = ctypes.c_uint64
library.clump_context_destroy.argtypes = [ctypes.c_void_p]

random.seed(5)
xyz = (ctypes.c_float * (3 * COUNT))(*[random.random() * 20 for _ in range(3 * COUNT)])
labels = (ctypes.c_int32 * COUNT)()
context = ctypes.c_void_p()
assert library.clump_context_create(None, ctypes.byref(context)) == 0  # all cores


def cluster(_):
    points = Points(ctypes.cast(xyz, ctypes.c_void_p), COUNT, 0, 0)
    status = library.clump_ec(context, points, 0.5, None, labels, None)
    return status, library.clump_labels_hash(labels, COUNT)


def main():
    expected = cluster(0)
    assert expected[0] == 0, expected
    with multiprocessing.get_context("fork").Pool(3) as pool:
        answers = pool.map_async(cluster, range(12)).get(timeout=60)
    assert all(answer == expected for answer in answers), (answers, expected)
    assert cluster(0) == expected
    library.clump_context_destroy(context)
    print("12 calls in 3 forked workers: the labels of the parent")


main()
