# SPDX-License-Identifier: BSD-3-Clause
"""The claims of the paper "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds". Its summary and its table contradict
each other; both are claims."""
from claims import Missing, Rule, decide, need, time

CLAIMS = claim = Rule()
CONSTRUCTION, QUERY, TOTAL = range(3)  # x of nn-table

def beside_flann(table, series, part, backend):
    """The times of FLANN and of a series."""
    return time(table, "nn-table", "flann", part, "cpu"), time(table, "nn-table", series, part, backend)

def judge_total(table, holds, why):
    flann, ours = beside_flann(table, "azimuth", TOTAL, "cuda")
    return decide(holds(flann, ours), f"{flann / ours:.1f}x in total ({ours:.2f} ms, FLANN {flann:.1f} ms)", why)

@claim("nn-table", "Summary", "azimuth is faster than FLANN in total", "2x", True)
def twice(table):
    return judge_total(table, lambda flann, ours: flann >= 2 * ours, "It holds from 2x on. The paper's own table has 0.63x.")

@claim("nn-table", "Summary of Results", "azimuth is slower than FLANN in total", "0.63x", True)
def slower(table):
    return judge_total(table, lambda flann, ours: flann < ours, "It holds where azimuth takes longer than FLANN in total.")

@claim("nn-table", "Summary of Results", "the query of azimuth is faster than FLANN's", "1.69x", True)
def query(table):
    flann, ours = beside_flann(table, "azimuth", QUERY, "cuda")
    return decide(flann >= 1.69 * ours, f"{flann / ours:.1f}x in the query ({ours:.2f} ms, FLANN {flann:.1f} ms)", "It holds from 1.69x on.")

@claim("nn-table", "Parallelizing over points", "per-query is slower than FLANN", "40.3x slower", True)
def per_query(table):
    flann, ours = beside_flann(table, "per-query", TOTAL, "cuda")
    return decide(ours > flann, f"{ours / flann:.1f}x slower ({ours:.0f} ms, FLANN {flann:.1f} ms)",
                  "It holds where per-query takes longer than FLANN in total.")

@claim("nn-table", "Parallelizing in batches", "batch is faster than per-query", "4.3x", True)
def batch(table):
    one, many = (time(table, "nn-table", series, TOTAL, "cuda") for series in ("per-query", "batch"))
    return decide(one >= 4.3 * many, f"{one / many:.1f}x ({one:.0f} ms against {many:.0f} ms)",
                  "It holds from 4.3x on. The paper's own table has 9.384 s / 1.95 s = 4.8x.")

@claim("nn-table", "Summary of Results", "most of azimuth's construction is the copy to the GPU", "93 %", True)
def copy(table):
    row = need(table.find("nn-table", "azimuth", TOTAL, "cuda"))
    construction = row.upload_ms + row.build_ms
    return decide(row.upload_ms >= 0.8 * construction, f"{100 * row.upload_ms / construction:.0f} % of {construction:.2f} ms",
                  "It holds from 80 % on. Ours partitions the points on the GPU, after the copy; the paper's on the CPU.")

@claim("nn-memory", "Summary of Results", "Unified Memory could eliminate the cost of the copy", gpu=True)
def unified(table):
    (copied, total), (managed, whole) = ([time(table, "nn-memory", "azimuth " + kind, part, "cuda") for part in (CONSTRUCTION, TOTAL)]
                                         for kind in ("pageable", "managed"))
    return decide(managed <= 0.5 * copied and whole <= total,
                  f"construction {managed:.2f} ms, from pageable memory {copied:.2f} ms; total {whole:.2f} and {total:.2f} ms",
                  "It holds where Unified Memory halves the construction of azimuth, and the total is not longer.")

@claim("nn-table", "Summary of Results", "the sequential loop over all pairs is slower than FLANN", "272x slower")
def brute(table):
    flann, ours = beside_flann(table, "brute", TOTAL, "cpu")
    return decide(ours > flann, f"{ours / flann:.0f}x slower ({ours / 1000:.1f} s, FLANN {flann:.1f} ms)",
                  "It holds where brute takes longer in total. Ours is vectorised; the paper's is a plain loop.")

@claim("nn-table", "Reducing search space", "to beat FLANN some correctness has to be given up")
def exact(table):
    (flann, cpu), gpu = beside_flann(table, "fast", TOTAL, "cpu"), table.median("nn-table", "fast", TOTAL, "cuda")
    return decide(flann <= min(cpu, gpu or cpu),
                  f"fast: {flann / cpu:.1f}x on one CPU thread" + (f", {flann / gpu:.0f}x on the GPU" if gpu else ""),
                  "fast is exact. It holds where fast takes longer than FLANN in total.")

@claim("nn-size-small", "Figure 2", "launches dominate the time of per-query where the reference is small", gpu=True)
def launches(table):
    small, large = (time(table, "nn-size-small", "per-query", x, "cuda") for x in (1000, 4000))
    return decide(large < 1.5 * small, f"{small:.1f} ms with 1,000 points, {large:.1f} ms with 4,000",
                  "It holds where 4 times the points take less than 1.5 times as long.")

@claim("nn-size-small", "Figures 1, 2", "per-query is slower than the sequential loop at about 2,000 points", gpu=True)
def sequential(table):
    gpu, pairs = (time(table, "nn-size-small", series, 2000, backend) for series, backend in (("per-query", "cuda"), ("brute", "cpu")))
    flann = table.median("nn-size-small", "flann", 2000, "cpu")
    return decide(gpu > pairs, f"{gpu:.1f} ms, brute on the CPU {pairs:.1f} ms" + (f", FLANN {flann:.1f} ms" if flann else ""),
                  "It holds where 20,000 queries take longer than by brute on one CPU thread.")

@claim("nn-size", "Figure 1", "the time of per-query is about linear in the size of a large reference", gpu=True)
def linear(table):
    most = max(table.line("nn-size", "per-query"), key=lambda row: row.x)
    times, points = most.median_ms / time(table, "nn-size", "per-query", 32000, "cuda"), most.x / 32000
    if points <= 1:
        raise Missing
    return decide(times >= 0.7 * points, f"{times:.2f}x the time for {points:.2f}x the points",
                  "It holds from 0.7 of the ratio of points on, from 32,000 points to a whole frame.")

@claim("nn-window", "Reducing search space", "true neighbours are within 2.5 degrees of azimuth", "99 %")
def degrees(table):
    row = need(table.find("nn-window", "true neighbours", 2.5))
    return decide(row.value >= 98.5, f"{row.value:.1f} %", f"It holds from 98.5 % on{', here of simulated frames' if row.note else ''}.")

@claim("nn-window", "Reducing search space", "the query's own partition of 300 has the true neighbour, but for some outliers")
def own(table):
    row = need(table.find("nn-window", "300 partitions", 0))
    return decide(row.value >= 95, f"recall {row.value:.1f} %",
                  "A partition is 1.2 degrees wide, and a query is seldom in its middle. It holds from 95 % on.")

@claim("nn-window", "Reducing search space", "each of 300 partitions has fewer than 512 points", "512")
def room(table):
    row = need(table.find("nn-window", "largest partition", 300))
    return decide(row.value < 512, f"the largest has {row.value:.0f} of {row.points} points",
                  "The paper's kernel ignores points beyond 512; ours takes any number.")
