# SPDX-License-Identifier: BSD-3-Clause
"""The claims of the paper "Fast Euclidean Cluster Extraction Using GPUs", in its order.

What is constant and what changes: the clustering stage of one cloud differed by a factor of 1.2 between three experiments of one
run (NVIDIA H200, matrix-es at 262144 points). So a factor of 1.25 may be noise: it counts as constant. One of 1.5 cannot be: that
counts as a change. In between it cannot be told."""
import math

from claims import UNKNOWN, Judgement, Missing, Rule, decide, need, time
from papers import SIX

ES, RS = SIX[:3], SIX[3:]
CONSTANT, CHANGED = 1.25, 1.5
VLP16, HDL32E, HDL64E, HIGH, KITTI = range(5)  # x of ec-sensors
CLAIMS = claim = Rule()

def line_of(table, experiment, series, backend="cuda"):
    """The rows of a series, at least two."""
    line = table.line(experiment, series, backend)
    if len(line) < 2:
        raise Missing
    return line

def spread(line, number="median_ms"):
    """The largest number of a line over the smallest."""
    values = [getattr(row, number) for row in line]
    return max(values) / min(values)

def growth(line, number="median_ms"):
    """The number at the greatest x over that at the least."""
    return getattr(line[-1], number) / getattr(line[0], number)

def listed(table, experiment, methods, of, number="median_ms"):
    """(numbers, "vertex-es 1.02, ...") of the methods on the GPU."""
    values = [of(line_of(table, experiment, method), number) for method in methods]
    return values, ", ".join(f"{method} {value:.2f}" for method, value in zip(methods, values))

def speedup(table, experiment, method, x):
    """The time of PCL at its best over that of the GPU method."""
    return time(table, experiment, "pcl-best", x, "cpu") / time(table, experiment, method, x, "cuda")

def speedups(table, *experiments):
    """[(speed-up over PCL, method, experiment, x)] of all that was measured."""
    return [(speedup(table, experiment, method, row.x), method, experiment, row.x) for experiment in experiments
            for row in table.line(experiment, "pcl-best", "cpu") for method in SIX
            if table.median(experiment, method, row.x, "cuda") > 0]

def fastest(table, experiment, methods, x):
    """The row of the fastest of these GPU methods."""
    return min((need(table.find(experiment, method, x, "cuda")) for method in methods), key=lambda row: row.median_ms)

def constant(factor, ours, what):
    verdict = decide(factor <= CONSTANT, ours, f"{what}; at most {CONSTANT:g} holds, {CHANGED:g} or more does not.")
    return Judgement(UNKNOWN, ours, verdict.why) if CONSTANT < factor < CHANGED else verdict

# --- sections 5.2.1 to 5.2.3: size, number of clusters, point degree ------------------------------------

@claim("ec-size", "Fig. 4, section 5.2.1", "every GPU method is faster than PCL at every size", gpu=True)
def all_faster(table):
    least, method, _, x = min(speedups(table, "ec-size"))
    return decide(least > 1, f"at least {least:.3g}x",
                  f"The least speed-up over PCL at its best is {least:.3g}, of {method} at {x:g} points; above 1 holds.")

@claim("ec-size", "section 7", "up to 97 times as fast as PCL on synthetic clouds", "97x", True)
def up_to_97(table):
    most, method, experiment, x = max(speedups(table, "ec-size", "ec-clusters", "ec-degree", "ec-distance"))
    return decide(most >= 97, f"{most:.0f}x",
                  f"{method} at {experiment} {x:g} is {most:.0f} times as fast as PCL at its best; 97 or more holds.")

@claim("ec-size", "Fig. 5, section 5.2.1", "the speed-up of the ES methods falls above 32768 points", gpu=True)
def es_falls(table):
    pairs = [(method, speedup(table, "ec-size", method, 32768), speedup(table, "ec-size", method, 262144)) for method in ES]
    return decide(all(last < middle for _, middle, last in pairs), ", ".join("%s %.3gx to %.3gx" % pair for pair in pairs),
                  "Holds where each ES method gains less over PCL at 262144 points than at 32768.")

@claim("ec-size", "Fig. 6, section 5.2.1", "building takes about 99.9 % of the time of matrix-es at 262144 points", "99.9 %", True)
def build_share(table):
    row = need(table.find("ec-size", "matrix-es", 262144, "cuda"))
    share = 100 * row.build_ms / row.median_ms
    return decide(share >= 99, f"{share:.3g} %", f"Building the matrix takes {row.build_ms:.3g} of {row.median_ms:.3g} ms, the initial "
                  f"clustering {row.initial_ms:.3g} ms; 99 % or more holds.")

def size_speedups(table, method):
    """(last over best, words) of the speed-ups at the least size, at its best and at the greatest size."""
    found = [(speedup(table, "ec-size", method, row.x), row.x) for row in line_of(table, "ec-size", "pcl-best", "cpu")]
    first, last, (most, at) = found[0][0], found[-1][0], max(found)
    return last / most, f"{method} {first:.3g}x to {last:.3g}x" + (f" ({most:.3g}x at {at:g})" if last < most else "")

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
    vertex, edge = (need(table.find("ec-size", method, 262144, "cuda")).cluster_ms for method in ("vertex-rs", "edge-rs"))
    return decide(vertex > edge, f"{vertex:.3g} and {edge:.3g} ms",
                  f"The clustering stage at 262144 points takes vertex-rs {vertex:.3g} ms and edge-rs {edge:.3g} ms.")

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
    shares = [min(100 * row.build_ms / row.median_ms, 100) for method in ES for row in line_of(table, "ec-clusters", method)]
    return decide(min(shares) >= 80, f"{min(shares):.0f} to {max(shares):.0f} %",
                  "Share of building in the time of the ES methods; 80 % or more in every case holds.")

@claim("ec-clusters", "Fig. 8, section 5.2.2", "the ES methods are slower than PCL in the two last cases", "below 1x", True)
def es_loses(table):
    found = [(speedup(table, "ec-clusters", method, x), method) for method in ES for x in (4096, 8192)]
    return decide(max(found)[0] < 1, ", ".join(f"{method} {factor:.3g}x" for factor, method in found),
                  f"At 4096 and 8192 clusters the best ES method is {max(found)[0]:.3g} times as fast as PCL; below 1 holds.")

@claim("ec-degree", "Fig. 9, section 5.2.3", "PCL's time grows rapidly with the degree")
def pcl_degree(table):
    line = line_of(table, "ec-degree", "pcl-best", "cpu")
    factor = growth(line)
    return decide(factor >= 4, f"{factor:.3g}x", f"PCL at its best takes {factor:.3g} times as long at degree {line[-1].x:g} as at "
                  f"degree {line[0].x:g}; 4 or more holds.")

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
    return line if len(line) > 1 else line_of(table, "ec-degree", method)

def stage_at(line, x):
    """The clustering stage of a line at a degree."""
    return need(next((row for row in line if row.x == x), None)).cluster_ms

@claim("ec-degree", "Fig. 10, section 5.2.3", "edge: clustering is fastest at degree 32 to 64", "32, 64", True)
def edge_best(table):
    line = in_place(table, "edge-rs")
    best, at_32, at_64 = min(line, key=lambda row: row.cluster_ms), stage_at(line, 32), stage_at(line, 64)
    return decide(best.x in (32, 64), f"fastest at {best.x:g}", f"The clustering stage of {best.series} is the shortest, "
                  f"{best.cluster_ms:.3g} ms, at degree {best.x:g}; at 32 and 64 it takes {at_32:.3g} and {at_64:.3g} ms.")

@claim("ec-degree", "Fig. 10, section 5.2.3", "vertex: clustering grows with the degree, faster than the others", gpu=True)
def vertex_degree(table):
    lines = in_place(table, "vertex-rs"), in_place(table, "edge-rs"), line_of(table, "ec-degree", "matrix-rs")
    found = [line[-1].cluster_ms / stage_at(line, 64) for line in lines]  # the paper's stage is the shortest there, and grows
    return decide(found[0] >= CHANGED and found[0] > max(found[1:]),
                  ", ".join(f"{line[0].series} {factor:.3g}x" for line, factor in zip(lines, found)),
                  f"Clustering stage at degree {lines[0][-1].x:g} over that at degree 64; holds where vertex's is {CHANGED:g} or more "
                  "and above the others'.")

@claim("ec-degree", "Fig. 10, section 5.2.3", "matrix: clustering does not change with the degree", gpu=True)
def matrix_degree(table):
    factor = spread(line_of(table, "ec-degree", "matrix-rs"), "cluster_ms")
    return constant(factor, f"{factor:.2f}x", "Longest over shortest clustering stage of matrix-rs")

# --- section 5.2.4: the average point distance ----------------------------------------------------------

@claim("ec-distance", "Fig. 11, section 5.2.4", "the point distance matters to the matrix methods alone", gpu=True)
def distance(table):
    spreads, _ = listed(table, "ec-distance", SIX, spread)
    matrix, others = min(spreads[2], spreads[5]), max(s for i, s in enumerate(spreads) if i % 3 < 2)
    return decide(others <= CONSTANT < matrix, f"matrix {matrix:.3g}x, others {others:.3g}x",
                  f"Longest over shortest time: above {CONSTANT:g} for both matrix methods and at most {CONSTANT:g} for the others "
                  "holds.")

def stage_growth(table, stage):
    es, rs = (growth(line_of(table, "ec-distance", method), stage) for method in ("matrix-es", "matrix-rs"))
    return es, rs, f"matrix-es {es:.2f}x, matrix-rs {rs:.2f}x"

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
    backend = "cuda" if len(table.line("ec-distance", "matrix-rs")) > 1 else "cpu"
    first, last = (need(table.find("ec-distance", "matrix-rs", x, backend)) for x in (1, 1024))
    factor = last.median_ms / first.median_ms
    return decide(last.passes > first.passes and factor >= 3,
                  f"{first.passes} to {last.passes} passes, {first.median_ms:.4g} to {last.median_ms:.4g} ms ({backend})",
                  f"The time at distance 1024 is {factor:.3g} times that at distance 1; 3 or more, with more passes, holds.")

# --- section 5.2.5: scans of sensors --------------------------------------------------------------------

def beside_best(table, sensor, method):
    """("edge-es 0.4 ms, matrix-es 0.5 ms", the fastest)."""
    best = fastest(table, "ec-sensors", SIX, sensor)
    return best, f"{best.series} {best.median_ms:.3g} ms, {method} {time(table, 'ec-sensors', method, sensor, 'cuda'):.3g} ms"

@claim("ec-sensors", "Fig. 14, section 5.2.5", "matrix-es is the fastest on small scans: VLP-16 and HDL-32E", gpu=True)
def small_scans(table):
    (a, of_a), (b, of_b) = beside_best(table, VLP16, "matrix-es"), beside_best(table, HDL32E, "matrix-es")
    return decide(a.series == b.series == "matrix-es", f"fastest: {a.series}, {b.series}", f"VLP-16: {of_a}. HDL-32E: {of_b}.")

def best_block(table, cloud):
    """The fastest matrix-es of any b on the cloud, and the fastest of the other five."""
    rows = [row for row in table.experiments.get("ec-block", ())
            if row.backend == "cuda" and row.runs and row.series.partition(" ")[2] == cloud]
    return [min((row for row in rows if row.series.startswith("matrix-es") == wanted), key=lambda row: row.median_ms)
            for wanted in (True, False)]

@claim("ec-block", "Fig. 14, section 5.2.5", "the same at its best block size b; the paper does not give b", gpu=True)
def any_block(table):
    pairs = [best_block(table, "vlp-16"), best_block(table, "hdl-32e")]
    holds = [matrix.median_ms < other.median_ms for matrix, other in pairs]
    return decide(all(holds), "VLP-16: %s, HDL-32E: %s" % tuple("yes" if h else "no" for h in holds),
                  "matrix-es at its best b beside the fastest other: " +
                  ", ".join(f"{matrix.median_ms:.3g} ms (b = {matrix.x:g}) and {other.median_ms:.3g} ms ({other.series})"
                            for matrix, other in pairs) + "; faster on both sensors holds.")

@claim("ec-sensors", "Fig. 14, section 5.2.5", "matrix-es is 2.2 and 3.5 times as fast as PCL on small scans", "2.2x, 3.5x", True)
def speedup_small(table):
    a, b = (speedup(table, "ec-sensors", "matrix-es", sensor) for sensor in (VLP16, HDL32E))
    return decide(a >= 2.2 and b >= 3.5, f"{a:.3g}x, {b:.3g}x",
                  "Over PCL at its best; at least 2.2 (VLP-16) and 3.5 (HDL-32E) holds.")

@claim("ec-sensors", "Fig. 13, section 5.2.5", "matrix is faster than edge and vertex on scans", gpu=True)
def matrix_sensors(table):
    best = [fastest(table, "ec-sensors", kind, sensor) for sensor in range(VLP16, HIGH + 1) for kind in (ES, RS)]
    matrix = sum(row.series.startswith("matrix") for row in best)
    return decide(matrix == len(best), f"in {matrix} of {len(best)} cases", "Four sensors, ES and RS apart: matrix is the fastest of the "
                  f"three in {matrix} of {len(best)}; all of them holds.")

for sensor, name, method, place, words in (
        (HDL64E, "HDL-64E", "matrix-es", "section 5.2.5", "matrix-es is the fastest on HDL-64E, too"),
        (HIGH, "HDL-64E high res", "matrix-rs", "Fig. 13, section 5.2.5", "matrix-rs is the fastest on the largest scans")):
    @claim("ec-sensors", place, words, gpu=True)
    def of_sensor(table, sensor=sensor, name=name, method=method):
        best, _ = beside_best(table, sensor, method)
        return decide(best.series == method, best.series, f"{name}, {best.points} points: the fastest is {best.series} with "
                      f"{best.median_ms:.3g} ms, {method} takes {time(table, 'ec-sensors', method, sensor, 'cuda'):.3g} ms.")

@claim("ec-sensors", "abstract, section 7", "up to 87 times as fast as PCL on scans", "87x", True)
def up_to_87(table):
    """The speed-up grows with the scan, so there are two: that on scans of the paper's sizes, and that on a larger one."""
    found = speedups(table, "ec-sensors")
    most = max(factor for factor, _, _, sensor in found if sensor < KITTI)
    kitti = max((factor for factor, _, _, sensor in found if sensor == KITTI), default=0)
    points = kitti and table.find("ec-sensors", "pcl-best", KITTI, "cpu").points
    return decide(max(most, kitti) >= 87, f"{most:.0f}x" + (f", {kitti:.0f}x on a larger frame" if kitti else ""),
                  f"Over PCL at its best: {most:.0f} on simulated scans of the paper's sizes" +
                  (f", {kitti:.0f} on a frame of KITTI with {points} points" if kitti else "") + "; 87 or more on one holds.")

@claim("ec-sensors", "section 5.2.5", "the clusters are those of PCL in every frame", "100 %")
def precision(table):
    values = [row.value for row in table.experiments.get("ec-sensors", ())
              if row.runs and not math.isnan(row.value) and not row.series.startswith("pcl")]
    return decide(min(values) >= 100, f"{min(values):.4g} %",
                  f"The least precision of {len(values)} rows: all methods, sensors and backends; 100 % holds.")

@claim("ec-frames", "Fig. 14, section 5.2.5", "in some frames of small scans PCL is faster than some GPU methods", "below 1x", True)
def pcl_some(table):
    found = [(pcl.median_ms / row.median_ms, row.series) for sensor in ("vlp-16", "hdl-32e") for method in SIX
             for row in table.line("ec-frames", f"{method} {sensor}")
             for pcl in [table.find("ec-frames", f"pcl-best {sensor}", row.x, "cpu")] if pcl]
    least, series = min(found)
    slower = sum(ratio < 1 for ratio, _ in found)
    return decide(slower > 0, f"in {slower} of {len(found)}, at least {least:.3g}x",
                  f"Of all pairs of a frame and a method the least speed-up over PCL at its best is {least:.3g}, of {series}; below 1 "
                  "holds.")

@claim("ec-sensors", "section 6", "PCL is the most efficient below 4000 points", gpu=True)
def pcl_small(table):
    best, pcl = fastest(table, "ec-sensors", SIX, VLP16), time(table, "ec-sensors", "pcl-best", VLP16, "cpu")
    return decide(pcl < best.median_ms, f"PCL {pcl:.3g} ms, {best.series} {best.median_ms:.3g} ms",
                  f"On VLP-16 scans of {best.points} points PCL at its best takes {pcl:.3g} ms, the fastest of the six "
                  f"{best.median_ms:.3g} ms.")

# --- section 6, the discussion --------------------------------------------------------------------------

def judge_order(table, experiment, methods, holds, why, least=0):
    """Judges the exponents e of time ~ x^e over the places of an experiment, from `least` on."""
    lines = [[row for row in line_of(table, experiment, method) if row.x >= least] for method in methods]
    found = [math.log(growth(line)) / math.log(line[-1].x / line[0].x) for line in lines]
    return decide(holds(found), ", ".join(f"{method} {exponent:.2f}" for method, exponent in zip(methods, found)),
                  why.format(lines[0][0].x, lines[0][-1].x))

@claim("ec-order-n", "section 6", "the cost of RS grows more slowly than the number of points", "O(k log n)", True)
def rs_order(table):
    return judge_order(table, "ec-order-n", RS, lambda found: max(found) < 1, "Exponents of the time from {:g} to {:g} points, the "
                       "degree and the size of clusters held; below 1 for all three holds.")

@claim("ec-order-k", "section 6", "the cost of RS grows at most as the degree", "O(k log n)", True)
def rs_degree(table):
    return judge_order(table, "ec-order-k", RS, lambda found: max(found) <= 1,
                       "Exponents of the time from degree {:g} to {:g}, the number of points held; at most 1 for all three holds.")

@claim("ec-order-n", "section 6", "the cost of ES grows with the square of the number of points", "O(n^2 / p)", True)
def es_order(table):
    return judge_order(table, "ec-order-n", ES, lambda found: 1.6 <= min(found) <= max(found) <= 2.2,
                       "Exponents of the time from {:g} to {:g} points, the largest clouds; 1.6 to 2.2 for all three holds.", 65536)

@claim("ec-size", "section 6", "ES is the choice for 4000 to 8000 points, RS for larger clouds", gpu=True)
def es_or_rs(table):
    best = [fastest(table, "ec-size", SIX, x) for x in (4096, 8192, 65536, 262144)]
    return decide(["-es" in row.series for row in best] == [True, True, False, False],
                  ", ".join(f"{row.x:g}: {row.series}" for row in best),
                  "The fastest of the six by size: ES at 4096 and 8192, RS at 65536 and 262144 points holds.")

for experiment, words, end, matrix in (("ec-degree", "matrix is preferred at high degrees", -1, True),
                                       ("ec-clusters", "matrix is preferred for large clusters", 0, True),
                                       ("ec-distance", "matrix is preferred at small point distances", 0, True),
                                       ("ec-degree", "edge and vertex are preferred at low degrees", 0, False),
                                       ("ec-clusters", "edge and vertex are preferred for small clusters", -1, False)):
    @claim(experiment, "section 6", words, gpu=True)
    def choice(table, experiment=experiment, end=end, matrix=matrix):
        """The RS methods at one end of an experiment. Holds where matrix-rs is the fastest; `matrix` false: where it is not."""
        x = line_of(table, experiment, "matrix-rs")[end].x
        best = fastest(table, experiment, RS, x).series
        return decide((best == "matrix-rs") == matrix, "fastest: " + best, f"RS methods of {experiment} at {x:g}: " +
                      ", ".join(f"{method} {time(table, experiment, method, x, 'cuda'):.3g} ms" for method in RS) + ".")

def memory(table, experiment, x):
    """(megabytes of the RS methods at one x, words), on the GPU or else on the CPU."""
    backend = "cuda" if table.find(experiment, "edge-rs", x, "cuda") else "cpu"
    sizes = [need(table.find(experiment, method, x, backend)).value / 1e6 for method in RS]
    return sizes, ", ".join(f"{method} {size:.3g}" for method, size in zip(RS, sizes)) + f" MB ({backend})"

@claim("ec-size", "section 6", "the edge methods need the least memory")
def edge_memory(table):
    x = max(row.x for row in table.experiments.get("ec-size", ()) if row.series == "edge-rs" and row.runs and row.x in (65536, 262144))
    sizes, ours = memory(table, "ec-size", x)
    return decide(sizes[1] <= min(sizes), ours,
                  f"Memory of the RS methods at {x:.0f} points; holds where edge-rs needs the least. Our matrix has a bit per pair of "
                  "labels, the paper's an int.")

@claim("ec-distance", "section 6", "the matrix methods often need the most memory")
def matrix_memory(table):
    (near, _), (far, ours) = (memory(table, "ec-distance", x) for x in (1, 1024))
    most = near[2] >= max(near), far[2] >= max(far)
    where = {(True, True): "distances 1 and 1024", (False, True): "distance 1024, not at 1",
             (True, False): "distance 1, not at 1024", (False, False): "neither distance"}[most]
    return decide(any(most), ours, f"matrix-rs needs the most memory at {where}; at distance 1 it needs {near[2]:.3g} MB, vertex-rs "
                  f"{near[0]:.3g} MB.")
