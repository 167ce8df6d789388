# SPDX-License-Identifier: BSD-3-Clause
"""The claims of the paper "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds". Its summary and its table contradict
each other; both are claims."""
from claims import Rule, Unknown, decide

CLAIMS = claim = Rule()
QUERY, TOTAL = 1, 2  # x of nn-table

def beside_flann(table, series, part, backend):
    """The times of FLANN and of a series, or None."""
    times = table.median("nn-table", "flann", part, "cpu"), table.median("nn-table", series, part, backend)
    return times if min(times) > 0 else None

def needed(table, series, part, backend):
    times = beside_flann(table, series, part, backend)
    if not times:
        raise Unknown("Rows of FLANN or of the method are missing.")
    return times

def judge_total(table, holds, why):
    flann, ours = needed(table, "azimuth", TOTAL, "cuda")
    return decide(holds(flann, ours), "%.1fx in total (%.2f ms, FLANN %.1f ms)" % (flann / ours, ours, flann), why)

@claim("nn-table", "Summary", "azimuth is faster than FLANN in total", "2x", True)
def twice(table):
    return judge_total(table, lambda flann, ours: flann >= 2 * ours, "It holds from 2x on. The paper's own table has 0.63x.")

@claim("nn-table", "Summary of Results", "azimuth is slower than FLANN in total", "0.63x", True)
def slower(table):
    return judge_total(table, lambda flann, ours: flann < ours, "It holds where azimuth takes longer than FLANN in total.")

@claim("nn-table", "Summary of Results", "the query of azimuth is faster than FLANN's", "1.69x", True)
def query(table):
    flann, ours = needed(table, "azimuth", QUERY, "cuda")
    return decide(flann >= 1.69 * ours, "%.1fx in the query (%.2f ms, FLANN %.1f ms)" % (flann / ours, ours, flann),
                  "It holds from 1.69x on.")

@claim("nn-table", "Parallelizing over points", "per-query is slower than FLANN", "40.3x slower", True)
def per_query(table):
    flann, ours = needed(table, "per-query", TOTAL, "cuda")
    return decide(ours > flann, "%.1fx slower (%.0f ms, FLANN %.1f ms)" % (ours / flann, ours, flann),
                  "It holds where per-query takes longer than FLANN in total.")

@claim("nn-table", "Parallelizing in batches", "batch is faster than per-query", "4.3x", True)
def batch(table):
    one, many = (table.median("nn-table", series, TOTAL, "cuda") for series in ("per-query", "batch"))
    if not (one > 0 and many > 0):
        raise Unknown("Rows of per-query or batch are missing.")
    return decide(one >= 4.3 * many, "%.1fx (%.0f ms against %.0f ms)" % (one / many, one, many),
                  "It holds from 4.3x on. The paper's own table has 9.384 s / 1.95 s = 4.8x.")

@claim("nn-table", "Summary of Results", "most of azimuth's construction is the copy to the GPU", "93 %", True)
def copy(table):
    row = table.find("nn-table", "azimuth", TOTAL, "cuda")
    construction = row.upload_ms + row.build_ms if row else 0
    if not construction > 0:
        raise Unknown("Rows of FLANN or of the method are missing.")
    return decide(row.upload_ms >= 0.8 * construction, "%.0f %% of %.2f ms" % (100 * row.upload_ms / construction, construction),
                  "It holds from 80 % on. Ours partitions the points on the GPU, after the copy; the paper's on the CPU.")

@claim("nn-table", "Summary of Results", "the sequential loop over all pairs is slower than FLANN", "272x slower")
def brute(table):
    flann, ours = needed(table, "brute", TOTAL, "cpu")
    return decide(ours > flann, "%.0fx slower (%.1f s, FLANN %.1f ms)" % (ours / flann, ours / 1000, flann),
                  "It holds where brute takes longer in total. Ours is vectorised; the paper's is a plain loop.")

@claim("nn-table", "Reducing search space", "to beat FLANN some correctness has to be given up")
def exact(table):
    cpu, gpu = needed(table, "fast", TOTAL, "cpu"), beside_flann(table, "fast", TOTAL, "cuda")
    return decide(cpu[0] <= cpu[1] and (not gpu or gpu[0] <= gpu[1]),
                  "fast: %.1fx on one CPU thread" % (cpu[0] / cpu[1]) + (", %.0fx on the GPU" % (gpu[0] / gpu[1]) if gpu else ""),
                  "fast is exact. It holds where fast takes longer than FLANN in total.")

@claim("nn-size-small", "Figure 2", "launches dominate the time of per-query where the reference is small", gpu=True)
def launches(table):
    small, large = (table.median("nn-size-small", "per-query", x, "cuda") for x in (1000, 4000))
    if not (small > 0 and large > 0):
        raise Unknown("Rows of per-query with 1,000 and 4,000 points are missing.")
    return decide(large < 1.5 * small, "%.1f ms with 1,000 points, %.1f ms with 4,000" % (small, large),
                  "It holds where 4 times the points take less than 1.5 times as long.")

@claim("nn-size-small", "Figures 1, 2", "per-query is slower than the sequential loop at about 2,000 points", gpu=True)
def sequential(table):
    gpu, pairs, flann = (table.median("nn-size-small", series, 2000, backend)
                         for series, backend in (("per-query", "cuda"), ("brute", "cpu"), ("flann", "cpu")))
    if not (gpu > 0 and pairs > 0):
        raise Unknown("Rows of per-query and brute with 2,000 points are missing.")
    return decide(gpu > pairs, "%.1f ms, brute on the CPU %.1f ms" % (gpu, pairs) + (", FLANN %.1f ms" % flann if flann > 0 else ""),
                  "It holds where 20,000 queries take longer than by brute on one CPU thread.")

@claim("nn-size", "Figure 1", "the time of per-query is about linear in the size of a large reference", gpu=True)
def linear(table):
    rows = [row for row in table.experiments.get("nn-size", ()) if row.series == "per-query"]
    most, base = max(rows, key=lambda row: row.x, default=None), table.median("nn-size", "per-query", 32000, "cuda")
    if not most or not base > 0 or most.x <= 32000:
        raise Unknown("Rows of per-query with 32,000 points and with a whole frame are missing.")
    times, points = most.median_ms / base, most.x / 32000
    return decide(times >= 0.7 * points, "%.2fx the time for %.2fx the points" % (times, points),
                  "It holds from 0.7 of the ratio of points on, from 32,000 points to a whole frame.")

def of_window(table, series, x):
    row = table.find("nn-window", series, x)
    if not row:
        raise Unknown("Rows of nn-window are missing.")
    return row

@claim("nn-window", "Reducing search space", "true neighbours are within 2.5 degrees of azimuth", "99 %")
def degrees(table):
    row = of_window(table, "true neighbours", 2.5)
    return decide(row.value >= 98.5, "%.1f %%" % row.value,
                  f"It holds from 98.5 % on{', here of simulated frames' if row.note else ''}.")

@claim("nn-window", "Reducing search space", "the query's own partition of 300 has the true neighbour, but for some outliers")
def own(table):
    row = of_window(table, "300 partitions", 0)
    return decide(row.value >= 95, "recall %.1f %%" % row.value,
                  "A partition is 1.2 degrees wide, and a query is seldom in its middle. It holds from 95 % on.")

@claim("nn-window", "Reducing search space", "each of 300 partitions has fewer than 512 points", "512")
def room(table):
    row = of_window(table, "largest partition", 300)
    return decide(row.value < 512, "the largest has %.0f of %d points" % (row.value, row.points),
                  "The paper's kernel ignores points beyond 512; ours takes any number.")
