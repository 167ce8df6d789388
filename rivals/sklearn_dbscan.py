# SPDX-License-Identifier: BSD-3-Clause
#
# scikit-learn's DBSCAN for the bench. The bench starts this process and talks to it through pipes (bench/harness/sklearn.c), so
# that runs can be interleaved. Only fit() is timed. One line per request, one answer per request:
#
#     points N        then 3 N float32        ready
#     fit EPS MIN                             done SECONDS
#     labels                                  N int32
import sys
import time

try:
    import numpy as np
    import sklearn
    from sklearn.cluster import DBSCAN
except ImportError as missing:
    print(f"missing {missing}", flush=True)
    sys.exit(0)

requests, answers = sys.stdin.buffer, sys.stdout.buffer


def answer(data):
    answers.write(data)
    answers.flush()


answer(f"scikit-learn {sklearn.__version__}\n".encode())
points = found = None
for line in requests:
    word, *values = line.split()
    if word == b"points":
        points = np.frombuffer(requests.read(12 * int(values[0])), dtype="<f4").reshape(-1, 3).astype(np.float64)
        answer(b"ready\n")
    elif word == b"fit":
        estimator = DBSCAN(eps=float(values[0]), min_samples=int(values[1]))  # as its users call it
        start = time.perf_counter()
        found = estimator.fit(points)
        answer(f"done {time.perf_counter() - start:.9f}\n".encode())
    elif word == b"labels":
        answer(found.labels_.astype("<i4").tobytes())
