# SPDX-License-Identifier: BSD-3-Clause
"""The claims of the paper "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA", in its order."""
import math

from claims import FAILS, UNKNOWN, Judgement, Rule, Unknown, decide
from papers import DBSCAN_SETS

CLAIMS = claim = Rule()
EQUAL = 1.1  # two figures that differ by less than a tenth count as equal
NARROW, WIDE, TOYS = DBSCAN_SETS[:3], DBSCAN_SETS[3:6], DBSCAN_SETS[:6]  # the toy sets with eps 1, with eps 5, both
TOY3_WIDE, FRAME, MILLION = DBSCAN_SETS[5:]
ON_GPU = "dbscan-dclust on a GPU"

def find(table, experiment, method, points, x, backend):
    """The row of a method on a set, of real points or else of simulated ones; None where there is none."""
    row = table.find(experiment, f"{method} {points}", x, backend) or table.find(experiment, f"{method} {points} simulated", x, backend)
    return row if row and row.runs else None

def missing(experiment):
    raise Unknown(f"Rows of {experiment} are missing.")

def most_threads(table):
    """The most threads of dbscan-threads that are not more than the cores."""
    most = max((int(row.x) for row in table.experiments.get("dbscan-threads", ())
                if row.series.startswith("disjoint-set") and row.x <= row.cores), default=0)
    if most < 2:
        raise Unknown("dbscan-threads has no rows with two or more threads on as many cores.")
    return most

def speedups(table, experiment, method, sets, x, backend, words=None):
    """The speed-ups of three toy sets."""
    rows = [find(table, experiment, method, points, x, backend) for points in sets]
    if not all(row and not math.isnan(row.value) for row in rows):
        missing(words or experiment)
    return tuple(row.value for row in rows)

def of_threads(table, sets, threads):
    return speedups(table, "dbscan-threads", "disjoint-set", sets, threads, "cpu")

def of_dclust(table, sets):
    return speedups(table, "dbscan-dclust", "dclust", sets, 1, "cuda", ON_GPU)

@claim("dbscan-threads", "Fig. 4, section 4.1", "disjoint-set speeds up significantly more on the largest set")
def size(table):
    threads = most_threads(table)
    one, five = of_threads(table, NARROW, threads), of_threads(table, WIDE, threads)
    return decide(all(third > EQUAL * max(a, b) for a, b, third in (one, five)),
                  "%d threads, toy1/2/3: %.2f, %.2f, %.2f (eps 1); %.2f, %.2f, %.2f (eps 5)" % (threads, *one, *five),
                  "It holds where toy3 is at least a tenth above both others, with both eps.")

def judge_eps(one, five, words):
    """Judges the speed-ups with eps 5 against those with eps 1, by the geometric mean of their quotients."""
    mean = (five[0] / one[0] * (five[1] / one[1]) * (five[2] / one[2])) ** (1 / 3)
    pairs = [number for pair in zip(five, one) for number in pair]
    return decide(mean > EQUAL, words + "eps 5 against 1: %.2f / %.2f, %.2f / %.2f, %.2f / %.2f" % tuple(pairs),
                  "The quotient is %.2f, geometric mean of the 3 sets; above %g holds." % (mean, EQUAL))

@claim("dbscan-threads", "Fig. 4, section 4.1", "eps 5, min_points 10 speeds up more than eps 1, min_points 2")
def eps(table):
    threads = most_threads(table)
    return judge_eps(of_threads(table, NARROW, threads), of_threads(table, WIDE, threads), f"{threads} threads, ")

@claim("dbscan-threads", "section 4.1", "eps 1, min_points 2 takes less time than eps 5, min_points 10")
def less_time(table):
    pairs = [[find(table, "dbscan-threads", "disjoint-set", points, 1, "cpu") for points in both] for both in zip(NARROW, WIDE)]
    if not all(one and five for one, five in pairs):
        missing("dbscan-threads")
    times = [row.median_ms for pair in pairs for row in pair]
    less = sum(one.median_ms < five.median_ms for one, five in pairs)
    return decide(less == 3, "eps 1 / 5, one thread: %.2f / %.2f, %.2f / %.2f, %.2f / %.2f ms" % tuple(times),
                  f"eps 1 takes less time on {less} of the 3 sets: its points have fewer neighbours.")

@claim("dbscan-threads", "section 4.1", "on toy1 and toy2 with eps 1 the cost of threads limits the speed-up")
def limited(table):
    threads = most_threads(table)
    one = of_threads(table, NARROW, threads)
    return decide(max(one[:2]) < 0.7 * threads, "%d threads: %.2f and %.2f" % (threads, *one[:2]),
                  "It holds where both speed-ups are below 0.7 per thread.")

@claim("dbscan-threads", "section 4.1", "on toy3, and with eps 5, the speed-up is not limited")
def unlimited(table):
    threads = most_threads(table)
    one, five = of_threads(table, NARROW, threads), of_threads(table, WIDE, threads)
    return decide(min(one[2], *five) >= 0.7 * threads,
                  "%d threads: toy3 %.2f (eps 1); toy1/2/3 %.2f, %.2f, %.2f (eps 5)" % (threads, one[2], *five),
                  "It holds where all are at least 0.7 per thread.")

@claim("dbscan-threads", "section 4.1", "disjoint-set with one thread is significantly slower than sequential")
def sequential(table):
    pairs = [[find(table, "dbscan-threads", method, points, 1, "cpu") for method in ("disjoint-set", "sequential")] for points in TOYS]
    if not all(alone and plain and plain.median_ms > 0 for alone, plain in pairs):
        missing("dbscan-threads")
    found = [alone.median_ms / plain.median_ms for alone, plain in pairs]
    return decide(min(found) > EQUAL, "%.2f to %.2f times as long as sequential" % (min(found), max(found)),
                  "It holds where disjoint-set takes at least a tenth longer on all six.")

@claim("dbscan-load", "Fig. 5, section 4.1", "unequal work per thread limits the speed-up")
def balance(table):
    shares = [row.value for row in table.experiments.get("dbscan-load", ())
              if row.series.startswith("cluster ") and not math.isnan(row.value)]
    least = min(shares) if shares else missing("dbscan-load")
    return decide(least < 0.8, "the least busy thread works %.0f %% of the cluster step" % (100 * least),
                  "It holds below 80 %. Our threads claim chunks as they become free, so none has a fixed share.")

def over_threads(table, points):
    """The speed-ups of dclust on the GPU over the numbers of CPU threads."""
    rows = [find(table, "dbscan-dclust", "dclust", points, threads, "cuda") for threads in range(1, 1025)]
    found = [row.value for row in rows if row and not math.isnan(row.value)]
    return found if len(found) > 1 else missing(ON_GPU)

@claim("dbscan-dclust", "Fig. 6, section 4.2", "the speed-up of dclust does not depend on the CPU's threads", gpu=True)
def threads_of_cpu(table):
    widest = max(max(found) / min(found) for found in (over_threads(table, points) for points in TOYS))
    return decide(widest < 1.25, "at most %.2fx between numbers of CPU threads" % widest,
                  "It holds below 1.25x on every set. Our final labels are made on the GPU.")

@claim("dbscan-dclust", "Fig. 6, section 4.2", "but on toy3 with eps 5 it rises rapidly with the CPU's threads", gpu=True)
def rapid(table):
    found = over_threads(table, TOY3_WIDE)
    return decide(found[-1] > 1.5 * found[0], "%.2f with one CPU thread, %.2f with the most" % (found[0], found[-1]),
                  "It holds from 1.5x on. The paper itself calls the rise confusing.")

@claim("dbscan-dclust", "Fig. 6, section 4.2", "dclust speeds up more on larger sets", gpu=True)
def dclust_size(table):
    one, five = of_dclust(table, NARROW), of_dclust(table, WIDE)
    return decide(one[0] < one[1] < one[2] and five[0] < five[1] < five[2],
                  "toy1/2/3: %.2f, %.2f, %.2f (eps 1); %.2f, %.2f, %.2f (eps 5)" % (*one, *five),
                  "It holds where the speed-up rises from set to set with both eps.")

@claim("dbscan-dclust", "Fig. 6, section 4.2", "dclust speeds up more with the larger eps and min_points", gpu=True)
def dclust_eps(table):
    return judge_eps(of_dclust(table, NARROW), of_dclust(table, WIDE), "")

@claim("dbscan-dclust", "section 4.2", "most of the GPU's time is spent in the expansion", "more than half", True)
def expansion(table):
    row = find(table, "dbscan-dclust", "dclust", TOY3_WIDE, 1, "cuda")
    if not row or not row.median_ms > 0:
        missing(ON_GPU)
    total = row.upload_ms + row.build_ms + row.cluster_ms + row.label_ms + row.download_ms
    if not total > 0:
        raise Unknown("The row of toy3 has no stage times.")
    return Judgement(UNKNOWN if row.cluster_ms > total / 2 else FAILS,
                     "fill, expansion and merging: %.0f %% of the call on toy3, eps 5" % (100 * row.cluster_ms / total),
                     "Our stage has all three kernels in it; the expansion alone is not timed. At most half does not hold.")

@claim("dbscan-dclust", "section 4", "more than 100,000 points do not fit into memory", "100,000")
def memory(table):
    for backend, words in ("cuda", "GPU"), ("cpu", "CPU"):
        frame, million = (find(table, "dbscan-dclust", "dclust", points, 1, backend) for points in (FRAME, MILLION))
        if frame and million:
            break
    else:
        missing("dbscan-dclust with a whole frame and a million points")
    right = frame.agree == million.agree == "yes"
    return decide(not right, "%d points in %.0f ms, %d in %.0f ms on the %s"
                  % (frame.points, frame.median_ms, million.points, million.median_ms, words),
                  f"Memory of our dclust is linear: both sets are clustered, {'with the labels of fast' if right else 'but labels differ'}.")
