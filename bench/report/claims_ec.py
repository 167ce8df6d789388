# SPDX-License-Identifier: BSD-3-Clause
"""The claims of the paper "Fast Euclidean Cluster Extraction Using GPUs", in its order.

What is constant and what changes: the clustering stage of one cloud differed by a factor of 1.2 between three experiments of one
run (NVIDIA H200, matrix-es at 262144 points). So a factor of 1.25 may be noise: it counts as constant. One of 1.5 cannot be: that
counts as a change. In between it cannot be told."""
import math

from claims import UNKNOWN, Judgement, Rule, Unknown, decide
from papers import SIX

ES, RS = SIX[:3], SIX[3:]
CONSTANT, CHANGED = 1.25, 1.5
VLP16, HDL32E, HDL64E, HIGH, KITTI = range(5)  # x of ec-sensors
CLAIMS = claim = Rule()

def missing(experiment):
    raise Unknown(f"Rows of {experiment} are missing: not measured on this machine, or left out.")

def spread(line, number="median_ms"):
    """The largest number of a line over the smallest; 0 where that is not known."""
    values = [getattr(row, number) for row in line]
    return max(values) / min(values) if values and min(values) > 0 else 0

def growth(line, number="median_ms"):
    """The number at the greatest x over that at the least; 0 where that is not known."""
    if len(line) < 2 or getattr(line[0], number) <= 0:
        return 0
    return getattr(line[-1], number) / getattr(line[0], number)

def speedup(table, experiment, series, x):
    """The time of PCL at its best over that of the GPU method; 0 where one is missing."""
    ours = table.median(experiment, series, x, "cuda")
    return table.median(experiment, "pcl-best", x, "cpu") / ours if ours > 0 else 0

def fastest(table, experiment, names, x):
    """The row of the fastest of these GPU methods."""
    rows = [table.find(experiment, name, x, "cuda") for name in names]
    if not all(row and row.runs for row in rows):
        missing(experiment)
    return min(rows, key=lambda row: row.median_ms)

def listed(table, experiment, methods, of, number="median_ms"):
    """(numbers, "vertex-es 1.02, ...") of the methods on the GPU."""
    values = []
    for method in methods:
        line = table.line(experiment, method)
        values.append(of(line, number) if len(line) > 1 else 0)
    if not all(values):
        missing(experiment)
    return values, ", ".join("%s %.2f" % pair for pair in zip(methods, values))

def constant(factor, ours, what):
    verdict = decide(factor <= CONSTANT, ours, f"{what}; at most {CONSTANT:g} holds, {CHANGED:g} or more does not.")
    return Judgement(UNKNOWN, ours, verdict.why) if CONSTANT < factor < CHANGED else verdict

# --- sections 5.2.1 to 5.2.3: size, number of clusters, point degree ------------------------------------

@claim("ec-size", "Fig. 4, section 5.2.1", "every GPU method is faster than PCL at every size", gpu=True)
def all_faster(table):
    found = [(speedup(table, "ec-size", method, row.x), method, row.x)
             for row in table.line("ec-size", "pcl-best", "cpu") for method in SIX]
    least, slowest, at = min((f for f in found if f[0] > 0), key=lambda f: f[0], default=None) or missing("ec-size")
    return decide(least > 1, "at least %.3gx" % least,
                  "The least speed-up over PCL at its best is %.3g, of %s at %g points; above 1 holds." % (least, slowest, at))

@claim("ec-size", "section 7", "up to 97 times as fast as PCL on synthetic clouds", "97x", True)
def up_to_97(table):
    found = [(speedup(table, experiment, method, row.x), method, experiment, row.x)
             for experiment in ("ec-size", "ec-clusters", "ec-degree", "ec-distance")
             for row in table.line(experiment, "pcl-best", "cpu") for method in SIX]
    most, best, where, at = max((f for f in found if f[0] > 0), key=lambda f: f[0], default=None) or \
        missing("ec-size, ec-clusters, ec-degree and ec-distance")
    return decide(most >= 97, "%.0fx" % most,
                  "%s at %s %g is %.0f times as fast as PCL at its best; 97 or more holds." % (best, where, at, most))

@claim("ec-size", "Fig. 5, section 5.2.1", "the speed-up of the ES methods falls above 32768 points", gpu=True)
def es_falls(table):
    pairs = [(method, speedup(table, "ec-size", method, 32768), speedup(table, "ec-size", method, 262144)) for method in ES]
    if not all(middle and last for _, middle, last in pairs):
        missing("ec-size")
    return decide(all(last < middle for _, middle, last in pairs), ", ".join("%s %.3gx to %.3gx" % pair for pair in pairs),
                  "Holds where each ES method gains less over PCL at 262144 points than at 32768.")

@claim("ec-size", "Fig. 6, section 5.2.1", "building takes about 99.9 % of the time of matrix-es at 262144 points", "99.9 %", True)
def build_share(table):
    row = table.find("ec-size", "matrix-es", 262144, "cuda")
    if not row or not row.runs:
        missing("ec-size")
    share = 100 * row.build_ms / row.median_ms
    return decide(share >= 99, "%.3g %%" % share,
                  "Building the matrix takes %.3g of %.3g ms, the initial clustering %.3g ms; 99 %% or more holds."
                  % (row.build_ms, row.median_ms, row.initial_ms))

def size_speedups(table, method):
    """(last over best, words) of the speed-ups at the least size, at its best and at the greatest size."""
    found = [(speedup(table, "ec-size", method, row.x), row.x) for row in table.line("ec-size", "pcl-best", "cpu")]
    if len(found) < 3 or not found[0][0] or not found[-1][0]:
        missing("ec-size")
    first, last, (most, at) = found[0][0], found[-1][0], max(found, key=lambda f: f[0])
    return last / most, "%s %.3gx to %.3gx" % (method, first, last) + (" (%.3gx at %g)" % (most, at) if last < most else "")

@claim("ec-size", "Fig. 5, section 5.2.1", "the speed-up of edge-rs and matrix-rs keeps growing with the size", gpu=True)
def rs_grows(table):
    (edge, of_edge), (matrix, of_matrix) = size_speedups(table, "edge-rs"), size_speedups(table, "matrix-rs")
    return decide(edge >= 1 and matrix >= 1, f"{of_edge}, {of_matrix}",
                  "Speed-up over PCL at the least and the greatest size, and the greatest speed-up in brackets; holds where that is "
                  "at the greatest size.")

@claim("ec-size", "Fig. 5, section 5.2.1", "the speed-up of vertex-rs falls at some sizes", gpu=True)
def vertex_falls(table):
    vertex, ours = size_speedups(table, "vertex-rs")
    return decide(vertex < 1, ours, "Speed-up over PCL at the least and the greatest size; holds where it is greater in between.")

@claim("ec-size", "section 5.2.1", "clustering takes vertex-rs longer than edge-rs on large clouds", gpu=True)
def vertex_slower(table):
    vertex, edge = (table.find("ec-size", method, 262144, "cuda") for method in ("vertex-rs", "edge-rs"))
    if not (vertex and edge and vertex.runs and edge.runs):
        missing("ec-size")
    both = vertex.cluster_ms, edge.cluster_ms
    return decide(both[0] > both[1], "%.3g and %.3g ms" % both,
                  "The clustering stage at 262144 points takes vertex-rs %.3g ms and edge-rs %.3g ms." % both)

@claim("ec-clusters", "Fig. 7, section 5.2.2", "all methods become faster with more clusters", gpu=True)
def more_clusters(table):
    numbers, ours = listed(table, "ec-clusters", SIX, growth)
    return decide(max(numbers) < 1, ours, "Time with the most clusters over that with the fewest; below 1 for all six holds.")

@claim("ec-clusters", "Fig. 7, section 5.2.2", "the ES methods hardly change with the number of clusters", gpu=True)
def es_clusters(table, experiment="ec-clusters"):
    numbers, ours = listed(table, experiment, ES, spread)
    return constant(max(numbers), ours, "Longest over shortest time of each ES method")

@claim("ec-clusters", "section 5.2.2", "building takes the ES methods about 90 % of the time", "90 %", True)
def build_90(table):
    lines = [table.line("ec-clusters", method) for method in ES]
    if min(map(len, lines)) < 2:
        missing("ec-clusters")
    shares = [100 * row.build_ms / row.median_ms for line in lines for row in line]
    return decide(min(100, *shares) >= 80, "%.0f to %.0f %%" % (min(100, *shares), min(max(0, *shares), 100)),
                  "Share of building in the time of the ES methods; 80 % or more in every case holds.")

@claim("ec-clusters", "Fig. 8, section 5.2.2", "the ES methods are slower than PCL in the two last cases", "below 1x", True)
def es_loses(table):
    found = [(method, speedup(table, "ec-clusters", method, x)) for method in ES for x in (4096, 8192)]
    if not all(s for _, s in found):
        missing("ec-clusters")
    most = max(s for _, s in found)
    return decide(most < 1, ", ".join("%s %.3gx" % pair for pair in found),
                  "At 4096 and 8192 clusters the best ES method is %.3g times as fast as PCL; below 1 holds." % most)

@claim("ec-degree", "Fig. 9, section 5.2.3", "PCL's time grows rapidly with the degree")
def pcl_degree(table):
    line = table.line("ec-degree", "pcl-best", "cpu")
    factor = growth(line) or missing("ec-degree")
    return decide(factor >= 4, "%.3gx" % factor,
                  "PCL at its best takes %.3g times as long at degree %g as at degree %g; 4 or more holds."
                  % (factor, line[-1].x, line[0].x))

@claim("ec-degree", "Fig. 9, section 5.2.3", "the ES methods hardly change with the degree", gpu=True)
def es_degree(table):
    return es_clusters(table, "ec-degree")

@claim("ec-degree", "Fig. 10, section 5.2.3", "building takes all RS methods longer at a larger degree", gpu=True)
def build_degree(table):
    numbers, ours = listed(table, "ec-degree", RS, growth, "build_ms")
    return decide(min(numbers) >= CHANGED, ours,
                  f"Building time at the greatest degree over that at the least; {CHANGED:g} or more for all three holds.")

def in_place(table, method):
    """The line of a method with labels in place, as the paper has them; where that was not measured, with two arrays."""
    line = table.line("ec-degree", method + " in place")
    return line if len(line) > 1 else table.line("ec-degree", method)

def at(line, x):
    return next((row for row in line if row.x == x), None)

@claim("ec-degree", "Fig. 10, section 5.2.3", "edge: clustering is fastest at degree 32 to 64", "32, 64", True)
def edge_best(table):
    line = in_place(table, "edge-rs")
    at_32, at_64 = at(line, 32), at(line, 64)
    if not at_32 or not at_64:
        missing("ec-degree")
    best = min(line, key=lambda row: row.cluster_ms)
    return decide(best in (at_32, at_64), "fastest at %g" % best.x,
                  "The clustering stage of %s is the shortest, %.3g ms, at degree %g; at 32 and 64 it takes %.3g and %.3g ms."
                  % (best.series, best.cluster_ms, best.x, at_32.cluster_ms, at_64.cluster_ms))

@claim("ec-degree", "Fig. 10, section 5.2.3", "vertex: clustering grows with the degree, faster than the others", gpu=True)
def vertex_degree(table):
    lines = in_place(table, "vertex-rs"), in_place(table, "edge-rs"), table.line("ec-degree", "matrix-rs")
    starts = [at(line, 64) for line in lines]  # the paper's stage is the shortest there, and grows
    if not all(start and start.cluster_ms > 0 for start in starts):
        missing("ec-degree")
    v, e, m = (line[-1].cluster_ms / start.cluster_ms for line, start in zip(lines, starts))
    if not (v and e and m):
        missing("ec-degree")
    return decide(v >= CHANGED and v > e and v > m,
                  "%s %.3gx, %s %.3gx, matrix-rs %.3gx" % (lines[0][0].series, v, lines[1][0].series, e, m),
                  "Clustering stage at degree %g over that at degree 64; holds where vertex's is %g or more and above the others'."
                  % (lines[0][-1].x, CHANGED))

@claim("ec-degree", "Fig. 10, section 5.2.3", "matrix: clustering does not change with the degree", gpu=True)
def matrix_degree(table):
    line = table.line("ec-degree", "matrix-rs")
    factor = len(line) > 1 and spread(line, "cluster_ms") or missing("ec-degree")
    return constant(factor, "%.2fx" % factor, "Longest over shortest clustering stage of matrix-rs")

# --- section 5.2.4: the average point distance ----------------------------------------------------------

@claim("ec-distance", "Fig. 11, section 5.2.4", "the point distance matters to the matrix methods alone", gpu=True)
def distance(table):
    spreads, _ = listed(table, "ec-distance", SIX, spread)
    matrix, others = min(spreads[2], spreads[5]), max(s for i, s in enumerate(spreads) if i % 3 < 2)
    return decide(others <= CONSTANT < matrix, "matrix %.3gx, others %.3gx" % (matrix, others),
                  f"Longest over shortest time: above {CONSTANT:g} for both matrix methods and at most {CONSTANT:g} for the others "
                  "holds.")

def stage_growth(table, stage):
    es, rs = (growth(table.line("ec-distance", method), stage) for method in ("matrix-es", "matrix-rs"))
    if not (es > 0 and rs > 0):
        missing("ec-distance")
    return es, rs, "matrix-es %.2fx, matrix-rs %.2fx" % (es, rs)

@claim("ec-distance", "Fig. 12, section 5.2.4", "the initial clustering does not change with the point distance", gpu=True)
def initial(table):
    es, rs, ours = stage_growth(table, "initial_ms")
    return constant(max(es, rs, 1 / min(es, rs)), ours,
                    "Initial clustering at the greatest distance over that at distance 1, either way (our kernel skips points "
                    "without a neighbour)")

@claim("ec-distance", "Fig. 12, section 5.2.4", "building the matrix takes slightly longer at large distances", gpu=True)
def build_distance(table):
    es, rs, ours = stage_growth(table, "build_ms")
    return decide(min(es, rs) > 1, ours, "Building at the greatest distance over that at distance 1; above 1 for both holds.")

@claim("ec-distance", "Fig. 12, section 5.2.4", "matrix-rs: passes and time grow with the point distance",
       "2 to 10 passes, 4.5 to 156 ms")
def passes(table):
    line = table.line("ec-distance", "matrix-rs")
    line = line if len(line) > 1 else table.line("ec-distance", "matrix-rs", "cpu")
    factor = growth(line)
    if not factor or line[0].x != 1 or line[-1].x != 1024:
        missing("ec-distance")
    first, last = line[0], line[-1]
    return decide(last.passes > first.passes and factor >= 3,
                  "%d to %d passes, %.4g to %.4g ms (%s)" % (first.passes, last.passes, first.median_ms, last.median_ms, first.backend),
                  "The time at distance 1024 is %.3g times that at distance 1; 3 or more, with more passes, holds." % factor)

# --- section 5.2.5: scans of sensors --------------------------------------------------------------------

@claim("ec-sensors", "Fig. 14, section 5.2.5", "matrix-es is the fastest on small scans: VLP-16 and HDL-32E", gpu=True)
def small_scans(table):
    a, b = (fastest(table, "ec-sensors", SIX, sensor) for sensor in (VLP16, HDL32E))
    es = [table.median("ec-sensors", "matrix-es", sensor, "cuda") for sensor in (VLP16, HDL32E)]
    return decide(a.series == b.series == "matrix-es", f"fastest: {a.series}, {b.series}",
                  "VLP-16: %s %.3g ms, matrix-es %.3g ms. HDL-32E: %s %.3g ms, matrix-es %.3g ms."
                  % (a.series, a.median_ms, es[0], b.series, b.median_ms, es[1]))

def fastest_block(table, cloud):
    """The fastest matrix-es of any b on the cloud, and the fastest of the other five."""
    rows = [row for row in table.experiments.get("ec-block", ())
            if row.backend == "cuda" and row.runs and row.series.partition(" ")[2] == cloud]
    kinds = [[row for row in rows if row.series.startswith("matrix-es") == wanted] for wanted in (True, False)]
    if not all(kinds):
        missing("ec-block")
    return [min(kind, key=lambda row: row.median_ms) for kind in kinds]

@claim("ec-block", "Fig. 14, section 5.2.5", "the same at its best block size b; the paper does not give b", gpu=True)
def any_block(table):
    (a, other_a), (b, other_b) = fastest_block(table, "vlp-16"), fastest_block(table, "hdl-32e")
    holds = a.median_ms < other_a.median_ms, b.median_ms < other_b.median_ms
    return decide(all(holds), "VLP-16: %s, HDL-32E: %s" % tuple("yes" if h else "no" for h in holds),
                  "matrix-es at its best b beside the fastest other: %.3g ms (b = %g) and %.3g ms (%s), %.3g ms (b = %g) and %.3g ms "
                  "(%s); faster on both sensors holds." % (a.median_ms, a.x, other_a.median_ms, other_a.series, b.median_ms, b.x,
                                                           other_b.median_ms, other_b.series))

@claim("ec-sensors", "Fig. 14, section 5.2.5", "matrix-es is 2.2 and 3.5 times as fast as PCL on small scans", "2.2x, 3.5x", True)
def speedup_small(table):
    a, b = (speedup(table, "ec-sensors", "matrix-es", sensor) for sensor in (VLP16, HDL32E))
    if not a or not b:
        missing("ec-sensors")
    return decide(a >= 2.2 and b >= 3.5, "%.3gx, %.3gx" % (a, b), "Over PCL at its best; at least 2.2 (VLP-16) and 3.5 (HDL-32E) holds.")

@claim("ec-sensors", "Fig. 13, section 5.2.5", "matrix is faster than edge and vertex on scans", gpu=True)
def matrix_sensors(table):
    best = [fastest(table, "ec-sensors", kind, sensor) for sensor in range(VLP16, HIGH + 1) for kind in (ES, RS)]
    both = sum(row.series.startswith("matrix") for row in best), len(best)
    return decide(both[0] == both[1], "in %d of %d cases" % both,
                  "Four sensors, ES and RS apart: matrix is the fastest of the three in %d of %d; all of them holds." % both)

def judge_sensor(table, sensor, name, method):
    best = fastest(table, "ec-sensors", SIX, sensor)
    return decide(best.series == method, best.series,
                  "%s, %d points: the fastest is %s with %.3g ms, %s takes %.3g ms."
                  % (name, best.points, best.series, best.median_ms, method, table.median("ec-sensors", method, sensor, "cuda")))

@claim("ec-sensors", "section 5.2.5", "matrix-es is the fastest on HDL-64E, too", gpu=True)
def third_sensor(table):
    return judge_sensor(table, HDL64E, "HDL-64E", "matrix-es")

@claim("ec-sensors", "Fig. 13, section 5.2.5", "matrix-rs is the fastest on the largest scans", gpu=True)
def last_sensor(table):
    return judge_sensor(table, HIGH, "HDL-64E high res", "matrix-rs")

@claim("ec-sensors", "abstract, section 7", "up to 87 times as fast as PCL on scans", "87x", True)
def up_to_87(table):
    """The speed-up grows with the scan, so there are two: that on scans of the paper's sizes, and that on a larger one."""
    *small, kitti = (max(speedup(table, "ec-sensors", method, sensor) for method in SIX) for sensor in range(KITTI + 1))
    most, frame = max(small), table.find("ec-sensors", "pcl-best", KITTI, "cpu")
    if not most:
        missing("ec-sensors")
    ours, larger = "%.0fx" % most, ""
    if frame and kitti > 0:
        ours = "%.0fx, %.0fx on a larger frame" % (most, kitti)
        larger = ", %.0f on a frame of KITTI with %d points" % (kitti, frame.points)
    return decide(max(most, kitti) >= 87, ours,
                  "Over PCL at its best: %.0f on simulated scans of the paper's sizes%s; 87 or more on one holds." % (most, larger))

@claim("ec-sensors", "section 5.2.5", "the clusters are those of PCL in every frame", "100 %")
def precision(table):
    values = [row.value for row in table.experiments.get("ec-sensors", ())
              if row.runs and not math.isnan(row.value) and not row.series.startswith("pcl")]
    if not values:
        missing("ec-sensors")
    least = min(100, *values)
    return decide(least >= 100, "%.4g %%" % least,
                  "The least precision of %d rows: all methods, sensors and backends; 100 %% holds." % len(values))

@claim("ec-sensors", "Fig. 14, section 5.2.5", "PCL is faster than some GPU methods on some small scans", "below 1x", True)
def pcl_some(table):
    found = [speedup(table, "ec-sensors", method, sensor) for sensor in (VLP16, HDL32E) for method in SIX]
    if not all(found):
        missing("ec-sensors")
    return decide(min(found) < 1, "at least %.3gx" % min(found),
                  "The least speed-up over PCL at its best, by median times of VLP-16 and HDL-32E; below 1 holds.")

@claim("ec-sensors", "section 6", "PCL is the most efficient below 4000 points", gpu=True)
def pcl_small(table):
    best, pcl = fastest(table, "ec-sensors", SIX, VLP16), table.median("ec-sensors", "pcl-best", VLP16, "cpu")
    if not pcl:
        missing("ec-sensors")
    return decide(pcl < best.median_ms, "PCL %.3g ms, %s %.3g ms" % (pcl, best.series, best.median_ms),
                  "On VLP-16 scans of %d points PCL at its best takes %.3g ms, the fastest of the six %.3g ms."
                  % (best.points, pcl, best.median_ms))

# --- section 6, the discussion --------------------------------------------------------------------------

def exponents(table, methods, least):
    """(exponents, words) of time ~ points^e from `least` to 262144 points."""
    times = [[table.median("ec-size", method, x, "cuda") for x in (least, 262144)] for method in methods]
    if not all(a > 0 and b > 0 for a, b in times):
        missing("ec-size")
    found = [math.log(b / a) / math.log(262144 / least) for a, b in times]
    return found, ", ".join("%s %.2f" % pair for pair in zip(methods, found))

@claim("ec-size", "section 6", "the cost of RS grows more slowly than the number of points", "O(k log n)", True)
def rs_order(table):
    found, ours = exponents(table, RS, 4096)
    return decide(max(found) < 1, ours,
                  "Exponents of the time from 4096 to 262144 points; below 1 for all three holds. (Here k grows, too.)")

@claim("ec-size", "section 6", "the cost of ES grows with the square of the number of points", "O(n^2 / p)", True)
def es_order(table):
    found, ours = exponents(table, ES, 131072)
    return decide(min(found) >= 1.6 and max(found) <= 2.2, ours,
                  "Exponents of the time from 131072 to 262144 points, the largest clouds; 1.6 to 2.2 for all three holds.")

@claim("ec-size", "section 6", "ES is the choice for 4000 to 8000 points, RS for larger clouds", gpu=True)
def es_or_rs(table):
    best = [fastest(table, "ec-size", SIX, x) for x in (4096, 8192, 65536, 262144)]
    return decide(["-es" in row.series for row in best] == [True, True, False, False],
                  ", ".join("%g: %s" % (row.x, row.series) for row in best),
                  "The fastest of the six by size: ES at 4096 and 8192, RS at 65536 and 262144 points holds.")

def judge_choice(table, experiment, end, matrix):
    """Judges the RS methods at one end of an experiment. Holds where matrix-rs is the fastest; `matrix` false: where it is not."""
    line = table.line(experiment, "matrix-rs")
    if len(line) < 2:
        missing(experiment)
    best = fastest(table, experiment, RS, line[end].x)
    return decide((best is line[end]) == matrix, "fastest: " + best.series,
                  "RS methods of %s at %g: vertex-rs %.3g ms, edge-rs %.3g ms, matrix-rs %.3g ms."
                  % (experiment, line[end].x, table.median(experiment, "vertex-rs", line[end].x, "cuda"),
                     table.median(experiment, "edge-rs", line[end].x, "cuda"), line[end].median_ms))


for experiment, words, end, matrix in (("ec-degree", "matrix is preferred at high degrees", -1, True),
                                       ("ec-clusters", "matrix is preferred for large clusters", 0, True),
                                       ("ec-distance", "matrix is preferred at small point distances", 0, True),
                                       ("ec-degree", "edge and vertex are preferred at low degrees", 0, False),
                                       ("ec-clusters", "edge and vertex are preferred for small clusters", -1, False)):
    claim(experiment, "section 6", words, gpu=True)(
        lambda table, experiment=experiment, end=end, matrix=matrix: judge_choice(table, experiment, end, matrix))

def memory(table, experiment, x):
    """(bytes of the RS methods at one x, words), on the GPU or else on the CPU; None where one is missing."""
    backend = "cuda" if table.find(experiment, "edge-rs", x, "cuda") else "cpu"
    rows = [table.find(experiment, method, x, backend) for method in RS]
    if not all(row and row.runs for row in rows):
        return None
    sizes = [row.value for row in rows]
    return sizes, "vertex-rs %.3g, edge-rs %.3g, matrix-rs %.3g MB (%s)" % (*(size / 1e6 for size in sizes), backend)

@claim("ec-size", "section 6", "the edge methods need the least memory")
def edge_memory(table):
    x = 262144 if memory(table, "ec-size", 262144) else 65536
    (vertex, edge, matrix), ours = memory(table, "ec-size", x) or missing("ec-size")
    return decide(edge <= vertex and edge <= matrix, ours,
                  "Memory of the RS methods at %g points; holds where edge-rs needs the least. Our matrix has a bit per pair of "
                  "labels, the paper's an int." % x)

@claim("ec-distance", "section 6", "the matrix methods often need the most memory")
def matrix_memory(table):
    near, far = (memory(table, "ec-distance", x) or missing("ec-distance") for x in (1, 1024))
    first, last = near[0][2] >= max(near[0]), far[0][2] >= max(far[0])
    where = {(True, True): "distances 1 and 1024", (False, True): "distance 1024, not at 1",
             (True, False): "distance 1, not at 1024", (False, False): "neither distance"}[first, last]
    return decide(first or last, far[1],
                  "matrix-rs needs the most memory at %s; at distance 1 it needs %.3g MB, vertex-rs %.3g MB."
                  % (where, near[0][2] / 1e6, near[0][0] / 1e6))
