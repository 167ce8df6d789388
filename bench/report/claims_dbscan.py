# SPDX-License-Identifier: BSD-3-Clause
"""The claims of the paper "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA", in its order."""
import math

from claims import Rule, decide, known, need, time
from papers import DBSCAN_SETS
from rows import stages

CLAIMS = claim = Rule()
EQUAL = 1.1  # two figures that differ by less than a tenth count as equal
NARROW, WIDE, TOYS = DBSCAN_SETS[:3], DBSCAN_SETS[3:6], DBSCAN_SETS[:6]  # the toy sets with eps 1, with eps 5, both
TOY3_WIDE, FRAME, MILLION = DBSCAN_SETS[5:]

def find(table, experiment, method, points, x, backend):
    """The row of a method on a set, of real points or else of simulated ones."""
    return need(table.find(experiment, f"{method} {points}", x, backend) or table.find(experiment, f"{method} {points} simulated", x, backend))

def of_threads(table, sets):
    """(threads, speed-ups of disjoint-set) with the most threads that are not more than the cores."""
    most = max(int(row.x) for row in table.experiments.get("dbscan-threads", ())
               if row.series.startswith("disjoint-set") and 2 <= row.x <= row.cores)
    return most, [known(find(table, "dbscan-threads", "disjoint-set", points, most, "cpu").value) for points in sets]

def of_dclust(table, sets):
    return [known(find(table, "dbscan-dclust", "dclust", points, 1, "cuda").value) for points in sets]

@claim("dbscan-threads", "Fig. 4, section 4.1", "disjoint-set speeds up significantly more on the largest set")
def size(table):
    threads, found = of_threads(table, TOYS)
    return decide(all(third > EQUAL * max(a, b) for a, b, third in (found[:3], found[3:])),
                  "%d threads, toy1/2/3: %.2f, %.2f, %.2f (eps 1); %.2f, %.2f, %.2f (eps 5)" % (threads, *found),
                  "It holds where toy3 is at least a tenth above both others, with both eps.")

def judge_eps(found, words):
    """Judges the speed-ups with eps 5 against those with eps 1, by the geometric mean of their quotients."""
    pairs = list(zip(found[3:], found[:3]))
    mean = math.prod(five / one for five, one in pairs) ** (1 / 3)
    return decide(mean > EQUAL, words + "eps 5 against 1: " + ", ".join("%.2f / %.2f" % pair for pair in pairs),
                  f"The quotient is {mean:.2f}, geometric mean of the 3 sets; above {EQUAL:g} holds.")

@claim("dbscan-threads", "Fig. 4, section 4.1", "eps 5, min_points 10 speeds up more than eps 1, min_points 2")
def eps(table):
    threads, found = of_threads(table, TOYS)
    return judge_eps(found, f"{threads} threads, ")

@claim("dbscan-threads", "section 4.1", "eps 1, min_points 2 takes less time than eps 5, min_points 10")
def less_time(table):
    pairs = [[find(table, "dbscan-threads", "disjoint-set", points, 1, "cpu").median_ms for points in both] for both in zip(NARROW, WIDE)]
    less = sum(one < five for one, five in pairs)
    return decide(less == 3, "eps 1 / 5, one thread: " + ", ".join("%.2f / %.2f" % tuple(pair) for pair in pairs) + " ms",
                  f"eps 1 takes less time on {less} of the 3 sets: its points have fewer neighbours.")

@claim("dbscan-threads", "section 4.1", "on toy1 and toy2 with eps 1 the cost of threads limits the speed-up")
def limited(table):
    threads, (first, second) = of_threads(table, NARROW[:2])
    return decide(max(first, second) < 0.7 * threads, f"{threads} threads: {first:.2f} and {second:.2f}",
                  "It holds where both speed-ups are below 0.7 per thread.")

@claim("dbscan-threads", "section 4.1", "on toy3, and with eps 5, the speed-up is not limited")
def unlimited(table):
    threads, found = of_threads(table, TOYS[2:])
    return decide(min(found) >= 0.7 * threads, "%d threads: toy3 %.2f (eps 1); toy1/2/3 %.2f, %.2f, %.2f (eps 5)" % (threads, *found),
                  "It holds where all are at least 0.7 per thread.")

@claim("dbscan-threads", "section 4.1", "disjoint-set with one thread is significantly slower than sequential")
def sequential(table):
    pairs = [[find(table, "dbscan-threads", method, points, 1, "cpu").median_ms for method in ("disjoint-set", "sequential")]
             for points in TOYS]
    found = [alone / plain for alone, plain in pairs]
    return decide(min(found) > EQUAL, f"{min(found):.2f} to {max(found):.2f} times as long as sequential",
                  "It holds where disjoint-set takes at least a tenth longer on all six.")

@claim("dbscan-load", "Fig. 5, section 4.1", "unequal work per thread limits the speed-up")
def balance(table):
    least = min(row.value for row in table.experiments.get("dbscan-load", ())
                if row.series.startswith("cluster ") and not math.isnan(row.value))
    return decide(least < 0.8, f"the least busy thread works {100 * least:.0f} % of the cluster step",
                  "It holds below 80 %. Our threads claim chunks as they become free, so none has a fixed share.")

def over_threads(table, points):
    """The speed-ups of dclust on the GPU over the numbers of CPU threads."""
    line = table.line("dbscan-dclust", f"dclust {points}") or table.line("dbscan-dclust", f"dclust {points} simulated")
    return [known(row.value) for row in line]

@claim("dbscan-dclust", "Fig. 6, section 4.2", "the speed-up of dclust does not depend on the CPU's threads", gpu=True)
def threads_of_cpu(table):
    widest = max(max(found) / min(found) for found in (over_threads(table, points) for points in TOYS))
    return decide(widest < 1.25, f"at most {widest:.2f}x between numbers of CPU threads",
                  "It holds below 1.25x on every set. Our final labels are made on the GPU.")

@claim("dbscan-dclust", "Fig. 6, section 4.2", "but on toy3 with eps 5 it rises rapidly with the CPU's threads", gpu=True)
def rapid(table):
    first, *_, last = over_threads(table, TOY3_WIDE)
    return decide(last > 1.5 * first, f"{first:.2f} with one CPU thread, {last:.2f} with the most",
                  "It holds from 1.5x on. The paper itself calls the rise confusing.")

@claim("dbscan-dclust", "Fig. 6, section 4.2", "dclust speeds up more on larger sets", gpu=True)
def dclust_size(table):
    found = of_dclust(table, TOYS)
    return decide(found[0] < found[1] < found[2] and found[3] < found[4] < found[5],
                  "toy1/2/3: %.2f, %.2f, %.2f (eps 1); %.2f, %.2f, %.2f (eps 5)" % tuple(found),
                  "It holds where the speed-up rises from set to set with both eps.")

@claim("dbscan-dclust", "Fig. 6, section 4.2", "dclust speeds up more with the larger eps and min_points", gpu=True)
def dclust_eps(table):
    return judge_eps(of_dclust(table, TOYS), "")

@claim("dbscan-merge", "section 4.2", "most of the GPU's time is spent in the expansion", "more than half", True)
def expansion(table):
    row = need(table.find("dbscan-merge", "merged on the GPU", TOYS.index(TOY3_WIDE), "cuda"))
    total = sum(stages(row))
    return decide(row.cluster_ms > total / 2, f"{100 * row.cluster_ms / total:.0f} % of the call on toy3, eps 5",
                  f"Events around the expansion kernels give their time: {row.cluster_ms:.3g} of {total:.3g} ms of all stages; more than "
                  "half holds.")

@claim("dbscan-merge", "section 3.2", "merging on the GPU is faster than on the CPU", "significantly", True)
def merging(table):
    found = [time(table, "dbscan-merge", "merged on the host", x, "cuda") / time(table, "dbscan-merge", "merged on the GPU", x, "cuda")
             for x in range(len(TOYS))]
    return decide(min(found) > EQUAL, f"{min(found):.2f} to {max(found):.2f} times as fast",
                  "It holds where the whole call is at least a tenth faster on all six sets.")

@claim("dbscan-dclust", "section 4", "more than 100,000 points do not fit into memory", "100,000")
def memory(table):
    on_gpu = any(row.backend == "cuda" for row in table.experiments.get("dbscan-dclust", ()))
    frame, million = (find(table, "dbscan-dclust", "dclust", points, 1, "cuda" if on_gpu else "cpu") for points in (FRAME, MILLION))
    right = frame.agree == million.agree == "yes"
    return decide(not right, f"{frame.points} points in {frame.median_ms:.0f} ms, {million.points} in {million.median_ms:.0f} ms on the "
                  + ("GPU" if on_gpu else "CPU"),
                  f"Memory of our dclust is linear: both sets are clustered, {'with the labels of fast' if right else 'but labels differ'}.")
