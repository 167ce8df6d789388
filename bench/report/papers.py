# SPDX-License-Identifier: BSD-3-Clause
"""The papers: the charts of their figures, and the numbers that they give. The experiments are in bench/papers/*.c, claims in
claims_*.py.

A chart is of one experiment. `measure` is what it shows of a row: time, speedup (the time of the series `base` at the same x over
that of the series; without a base: of its own row with the least x), passes, clusters, value, memory (the value, in MB), stages
(stacked), or picture (the file `base` beside the report). `own` are the series of the paper: they are shown first, others on request. `names` are words for
series in this chart, in place of NAMES. `x_names` are the names of x = 0, 1, 2 ..."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Chart:
    experiment: str
    figure: str
    title: str
    x_label: str = ""
    y_label: str = "ms"
    measure: str = "time"
    series: tuple = None  # None: all
    base: str = None
    backend: str = None  # None: both, as separate lines
    log_x: bool = False
    log_y: bool = False
    bars: bool = False
    x_names: tuple = None
    source: str = "the paper"  # of the given numbers
    own: tuple = None  # None: all; entries "series" or "series/backend"
    names: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Paper:
    name: str  # the first part of the names of its experiments
    title: str
    authors: str
    charts: tuple
    given: dict  # (experiment, series, x, measure): number
    claims: tuple = ()


# What readers call the series.
NAMES = {
    "pcl-best": "PCL at its best", "pcl-debian": "PCL of Debian", "fast": "clump's fast", "bfs": "clump's bfs",
    "vertex-es": "Vertex ES", "edge-es": "Edge ES", "matrix-es": "Matrix ES",
    "vertex-rs": "Vertex RS", "edge-rs": "Edge RS", "matrix-rs": "Matrix RS",
    "serial": "ER-CCL for CPUs", "racing": "ER-CCL", "independent": "DI", "ccl": "CCL", "hash": "Hash table",
    "flann": "FLANN", "brute": "All pairs", "per-query": "A launch per query", "batch": "Batches", "azimuth": "Azimuth",
    "kdtree": "clump's kd-tree", "scikit-learn": "scikit-learn", "disjoint-set": "Disjoint set", "sequential": "Sequential",
    "dclust": "CUDA-DClust+",
}


def picture(figure, title, file):
    return Chart(file.split("-")[0] + "-pictures", figure, title, measure="picture", base=file)


def name_of(chart, series):
    """A series in words: "vertex-rs in place" is "Vertex RS, in place"."""
    if series in chart.names:
        return chart.names[series]
    for suffix in (" kitti", " simulated"):
        if series.endswith(suffix) and series[:-len(suffix)] in {**NAMES, **chart.names}:
            return name_of(chart, series[:-len(suffix)])
    first, _, rest = series.partition(" ")
    return NAMES.get(first, first) + (f", {rest}" if rest and first in NAMES else f" {rest}" if rest else "")


# --- Nguyen et al. 2020: Euclidean clustering ------------------------------------------------------------

SIX = "vertex-es", "edge-es", "matrix-es", "vertex-rs", "edge-rs", "matrix-rs"
SENSORS = "VLP-16", "HDL-32E", "HDL-64E", "HDL-64E high res", "KITTI frame"
EC_OWN = tuple(f"{series}/cuda" for series in SIX) + ("pcl-best",)
OVER_PCL = dict(y_label="times as fast as PCL at its best", measure="speedup", base="pcl-best", own=EC_OWN[:6])


def time_chart(experiment, figure, title, x_label, **more):
    return Chart(experiment, figure, title, x_label, log_x=True, log_y=True, own=EC_OWN, **more)


def over_pcl(experiment, figure, title, x_label):
    return Chart(experiment, figure, title, x_label, log_x=True, log_y=True, **OVER_PCL)


def stage_chart(experiment, figure, x_label, series, words="", backend="cuda"):
    method = NAMES[series.split(" ")[0]]
    return Chart(experiment, figure, f"Stages of {method} on the {'GPU' if backend == 'cuda' else 'CPU'}{words}", x_label,
                 measure="stages", series=(series,), backend=backend, bars=True)


def over_frames(letter, sensor):
    """Figs 13 and 14 of one sensor: the time of each frame, and the speed-up over PCL on it."""
    word = sensor.lower().replace(" res", "").replace(" ", "-")
    names = {f"{series} {word}": NAMES[series] for series in (*SIX, "fast", "pcl-best")}
    own = tuple(f"{series} {word}/cuda" for series in SIX) + (f"pcl-best {word}",)
    return (Chart("ec-frames", f"Fig. 13 ({letter})", f"Time of each frame, {sensor}", "frame", series=tuple(names), log_y=True, own=own,
                  names=names),
            Chart("ec-frames", f"Fig. 14 ({letter})", f"Speed-up over PCL on each frame, {sensor}", "frame", series=tuple(names)[:7],
                  log_y=True, names=names, **{**OVER_PCL, "base": f"pcl-best {word}", "own": own[:6]}))


DEGREE = "point degree"
CLOUDS = {"fast joints": "synthetic cloud", "fast kitti": "frame of KITTI"}
EC_CHARTS = (
    picture("Fig. 1", "A frame of KITTI without its ground, clustered; d = 0.5 m", "ec-clusters.png"),
    time_chart("ec-size", "Fig. 4", "Time against the number of points", "points"),
    over_pcl("ec-size", "Fig. 5", "Speed-up over PCL against the number of points", "points"),
    stage_chart("ec-size", "Fig. 6", "points", "matrix-es"),
    stage_chart("ec-size", "", "points", "matrix-es", backend="cpu"),
    time_chart("ec-clusters", "Fig. 7", "Time against the number of clusters", "clusters"),
    over_pcl("ec-clusters", "Fig. 8", "Speed-up over PCL against the number of clusters", "clusters"),
    time_chart("ec-degree", "Fig. 9", "Time against the point degree", DEGREE,
               series=("fast", *SIX, "bfs", "pcl-best", "pcl-debian")),
    *(stage_chart("ec-degree", "Fig. 10", DEGREE, method + suffix, words)
      for suffix, words in ((" in place", ", labels in place"), ("", ", two arrays")) for method in ("edge-rs", "vertex-rs")),
    stage_chart("ec-degree", "Fig. 10", DEGREE, "matrix-rs"),
    time_chart("ec-distance", "Fig. 11", "Time against the point distance", "point distance"),
    stage_chart("ec-distance", "Fig. 12 (a)", "point distance", "matrix-es"),
    stage_chart("ec-distance", "Fig. 12 (b)", "point distance", "matrix-rs"),
    Chart("ec-distance", "section 5.2.4", "Passes against the point distance", "point distance", "passes", "passes",
          ("vertex-rs", "edge-rs", "matrix-es", "matrix-rs"), log_x=True, own=("matrix-es/cuda", "matrix-rs/cuda")),
    *(over_frames(letter, sensor)[0] for letter, sensor in zip("abcd", SENSORS)),
    Chart("ec-sensors", "Fig. 13", "Median time per frame of four sensors and of a frame of KITTI", "sensor", log_y=True, bars=True,
          x_names=SENSORS, own=EC_OWN),
    *(over_frames(letter, sensor)[1] for letter, sensor in zip("abcd", SENSORS)),
    Chart("ec-sensors", "Fig. 14", "Median speed-up over PCL per sensor", "sensor", log_y=True, bars=True, x_names=SENSORS, **OVER_PCL),
    Chart("ec-sensors", "section 5.2.5", "Precision: frames with the clusters that PCL finds", "sensor", "% of the frames", "value",
          bars=True, x_names=SENSORS, own=EC_OWN),
    time_chart("ec-order-n", "section 6", "Time against the number of points, the degree held", "points"),
    time_chart("ec-order-k", "section 6", "Time against the degree, the number of points held", DEGREE),
    *(Chart(experiment, "section 6", "GPU memory against the " + words, x_label, "MB", "memory", SIX, backend="cuda", log_x=True,
            log_y=True) for experiment, words, x_label in (("ec-size", "number of points", "points"), ("ec-degree", DEGREE, DEGREE),
                                                           ("ec-distance", "point distance", "point distance"))),
    Chart("ec-degree", "section 6", "Passes against the point degree", DEGREE, "passes", "passes", SIX, backend="cuda", log_x=True,
          log_y=True),
    Chart("ec-threads", "section 6", "Time of clump's fast against the number of threads", "threads", log_x=True, log_y=True,
          names=CLOUDS),
    Chart("ec-threads", "section 6", "Speed-up of clump's fast with threads", "threads", "times as fast as with one thread", "speedup",
          log_x=True, names=CLOUDS),
    *(Chart("ec-in-place", "", f"{title} with labels in place, and in two arrays", "clusters", y_label, measure, log_x=True, log_y=True,
            own=tuple(f"{method}-rs{place}/cuda" for method in ("vertex", "edge") for place in ("", " in place")))
      for title, y_label, measure in (("Passes", "passes", "passes"), ("Time", "ms", "time"))),
    Chart("ec-block", "", "Time against the block size b of the matrix methods", "b",
          series=tuple(f"matrix-{kind} {cloud}" for cloud in ("4096", "8192", "vlp-16", "hdl-32e") for kind in ("es", "rs")),
          log_x=True, log_y=True, own=tuple(f"matrix-{kind} {cloud}/cuda" for cloud in ("vlp-16", "hdl-32e") for kind in ("es", "rs"))),
    Chart("ec-cold", "", "A cold call and a warm call", "points", backend="cuda", log_x=True, log_y=True,
          source="authors' code, measured elsewhere on an H200", own=tuple(f"{series} cold/cuda" for series in SIX)),
)
# Of ec-cold: the authors' code of 2019, measured on an NVIDIA H200. All others: the paper, on a GTX Titan X of 2015.
EC_GIVEN = {
    ("ec-distance", "matrix-rs", 1, "time"): 4.5,
    ("ec-distance", "matrix-rs", 1024, "time"): 156,
    ("ec-distance", "matrix-rs", 1, "passes"): 2,
    ("ec-distance", "matrix-rs", 1024, "passes"): 10,
    ("ec-sensors", "matrix-es", 0, "speedup"): 2.2,
    ("ec-sensors", "matrix-es", 1, "speedup"): 3.5,
}
for size, times in {4096: (2.13, 2.10, 1.10, 0.90, 0.92, 1.35), 65536: (27.9, 0, 10.1, 2.78, 0, 2.60),
                    262144: (216, 0, 138, 7.70, 0, 5.24)}.items():
    EC_GIVEN.update({("ec-cold", series + " cold", size, "time"): time for series, time in zip(SIX, times) if time})

# --- Tian et al. 2020: ER-CCL ------------------------------------------------------------------------------

SCENES = "t-junction", "road", "square", "trees", "people", "crossroad"
ERCCL = "serial", "racing", "independent", "ccl", "hash", "fast", "pcl-best"
KITTI = tuple(series + " kitti" for series in ERCCL)
TIMED = "serial/cpu", "racing/cuda", "independent/cuda", "ccl/cuda", "hash/cuda"
TIMED_KITTI = tuple(series.replace("/", " kitti/") for series in TIMED)


def of_errors(letters, title, word):
    return (picture(f"Fig. 10{letters[0]}", title + ", from above", f"erccl-method-{word}.png"),
            picture(f"Fig. 10{letters[1]}", title + ", wrong clusters in red", f"erccl-errors-{word}.png"))


def quality(where, series):
    return Chart("erccl-quality", "Fig. 8", "Quality against the reach; " + where, "reach r",
                 "clusters not wrong, instances matched (%)", "value", (series, "matched " + series),
                 names={series: "clusters not wrong", "matched " + series: "instances matched"})


def accuracy(where, series):
    return Chart("erccl-accuracy", "Table 2", "Clusters that are not wrong; " + where, "method", "%", "value",
                 ("peak " + series, "grid " + series), bars=True, x_names=("ER-CCL", "CCL", "Hash table"),
                 names={"peak " + series: "ground: peak", "grid " + series: "ground: grid"})


def heights(where, series):
    return Chart("erccl-all-heights", "eq. 6", "Heights with and without the ground; " + where, "ground", "clusters not wrong (%)",
                 "value", ("default " + series, "all heights " + series), bars=True, x_names=("peak", "grid"),
                 names={"default " + series: "without the ground", "all heights " + series: "heights of all points"})


def of_frames(title, y_label, measure, **more):
    return Chart("erccl-frames", "", "ER-CCL, r = 3: " + title, "frame", y_label, measure, ("racing",), **more)


def of_scenes(title, y_label, measure, series, own=None, **more):
    return Chart("erccl-scenes", "Table 1", title + " in six scenes, r = 5, ground peak", "scene", y_label, measure, series, bars=True,
                 x_names=SCENES, own=own, **more)


REACH = "reach r"
ERCCL_CHARTS = (
    Chart("erccl-histogram", "Fig. 2", "Heights of the points of one frame", "metres above the sensor", "points (%)", "value",
          names={"kitti": "KITTI", "ground of kitti": "ground, KITTI", "ground of simulated": "ground, simulated"}),
    *(picture(f"Fig. 6{letter}", words, f"erccl-step-{letter}.png") for letter, words in
      zip("abcde", ("the points of the map, by height", "cells with an obstacle", "label map", "clusters", "clusters and their boxes"))),
    Chart("erccl-reach", "Fig. 7", "Time per frame against the reach, ground peak, simulated HDL-32E", REACH, series=ERCCL, log_y=True,
          own=TIMED),
    Chart("erccl-reach", "Fig. 7", "Time per frame against the reach, ground peak, KITTI", REACH, series=KITTI, log_y=True,
          own=TIMED_KITTI),
    *(picture(f"Fig. 8{letter}", f"r = {r}", f"erccl-reach-{r}.png") for letter, r in zip("abc", (2, 4, 5))),
    quality("simulated, all things", "simulated"),
    quality("simulated, vehicles and people", "simulated traffic"),
    quality("KITTI", "kitti"),
    of_frames("time of each frame", "ms", "time", log_y=True),
    of_frames("passes of each frame", "passes", "passes"),
    of_frames("clusters of each frame", "clusters", "clusters"),
    Chart("erccl-drive", "section 4.1", "Time of each of 300 frames in six scenes, r = 5", "frame", log_y=True, own=("racing",)),
    Chart("erccl-drive", "section 4.1", "Passes of each of 300 frames in six scenes, r = 5", "frame", "passes", "passes", ("racing",)),
    *(picture(f"Fig. 9{letter}", scene.replace("t-j", "T-j") + words, f"erccl-{kind}{scene}.png") for i, scene in enumerate(SCENES)
      for letter, words, kind in (("acegik"[i], ", label map", "map-"), ("bdfhjl"[i], "", ""))),
    of_scenes("Clusters", "clusters", "clusters", ("racing", "ccl", "hash"), ("racing/cuda",)),
    of_scenes("Passes", "passes", "passes", ("racing", "independent", "serial", "ccl"), ("racing/cuda", "independent/cuda")),
    of_scenes("Time", "ms", "time", ERCCL, TIMED, log_y=True),
    *of_errors("ab", "ER-CCL", "erccl"),
    *of_errors("cd", "Connected components (ccl)", "ccl"),
    *of_errors("ef", "Hash table", "hash"),
    accuracy("simulated, all things", "simulated"),
    accuracy("simulated, vehicles and people", "simulated traffic"),
    accuracy("KITTI", "kitti"),
    Chart("erccl-reach", "Fig. 12", "Passes against the reach, ground peak, simulated HDL-32E", REACH, "passes", "passes",
          ("serial", "racing", "independent", "ccl"), own=TIMED[:3]),
    Chart("erccl-reach", "Fig. 12", "Passes against the reach, ground peak, KITTI", REACH, "passes", "passes",
          ("serial kitti", "racing kitti", "independent kitti", "ccl kitti"), own=TIMED_KITTI[:3]),
    heights("simulated, vehicles and people", "simulated traffic"),
    heights("KITTI", "kitti"),
)
# Of a Xeon E5-2670 and a Quadro K5200, on recordings of the authors.
ERCCL_GIVEN = {("erccl-reach", "serial", 1, "time"): 43.48, ("erccl-reach", "serial", 8, "time"): 146.10}
for scene, numbers in enumerate(((301, 50, 39.85), (528, 79, 52.16), (493, 39, 40.14), (682, 46, 46.58), (474, 46, 40.02),
                                 (497, 30, 28.89))):
    ERCCL_GIVEN.update({("erccl-scenes", "racing", scene, measure): number
                        for measure, number in zip(("clusters", "passes", "time"), numbers)})
for method, share in enumerate((98.2, 95.7, 95.4)):
    for series in "peak simulated traffic", "peak kitti":
        ERCCL_GIVEN["erccl-accuracy", series, method, "value"] = share

# --- Ky, Beach 2024: DBSCAN -----------------------------------------------------------------------------
# The paper gives its results as figures without numbers.

TOYS = {"toy1": "toy1, 1,000 points", "toy2": "toy2, 5,000 points", "toy3": "toy3, 10,000 points"}
DBSCAN_SETS = ("toy1 eps 1", "toy2 eps 1", "toy3 eps 1", "toy1 eps 5", "toy2 eps 5", "toy3 eps 5", "frame eps 1", "million eps 0.5")
LARGE = {"frame eps 1": "frame", "million eps 0.5": "million"}


def simulated(names):
    """Names of series with those of simulated points."""
    return {**names, **{series + " simulated": name for series, name in names.items()}}


def dbscan_chart(experiment, figure, title, x_label, y_label, measure, names, **more):
    """A chart of the series that have names."""
    return Chart(experiment, figure, title, x_label, y_label, measure, tuple(simulated(names)), names=simulated(names), **more)


def of_toys(experiment, method, eps, least, x_label):
    return dbscan_chart(experiment, "Fig. 4" if method == "disjoint-set" else "Fig. 6",
                        f"Speed-up of {method}, eps {eps}, min_points {least}", x_label,
                        "times as fast as disjoint-set with one thread", "value",
                        {f"{method} {toy} eps {eps}": name for toy, name in TOYS.items()}, log_x=True,
                        backend="cuda" if method == "dclust" else None)


def of_methods(eps, least):
    return dbscan_chart("dbscan-threads", "", f"All methods on toy3, eps {eps}, min_points {least}", "threads", "ms", "time",
                        {f"{method} toy3 eps {eps}": NAMES[method] for method in ("disjoint-set", "sequential", "fast", "scikit-learn")},
                        log_x=True, log_y=True)


def of_option(option, title, x_label):
    return dbscan_chart("dbscan-chains", "", title, x_label, "ms", "time",
                        {f"{option} toy3 eps 5": "toy3, eps 5", f"{option} frame eps 1": "whole frame, eps 1"}, log_x=True, log_y=True)


THREADS = "threads of the CPU"
SHARES = {f"{step} toy3 eps {eps}": f"{step}, eps {eps}" for step in ("cluster", "merge") for eps in (1, 5)}
DBSCAN_CHARTS = (
    picture("Fig. 1", "The frame, by height", "dbscan-frame.png"),
    *(picture(f"Fig. {figure}", f"Its first 10,000 points, eps {eps}, min_points {least}", f"dbscan-eps-{eps}.png")
      for figure, eps, least in ((2, 1, 2), (3, 5, 10))),
    of_toys("dbscan-threads", "disjoint-set", 1, 2, "threads"),
    of_toys("dbscan-threads", "disjoint-set", 5, 10, "threads"),
    of_methods(1, 2),
    of_methods(5, 10),
    Chart("dbscan-load", "Fig. 5", "Threads of disjoint-set on toy3", "thread", "busy share of the step", "value", bars=True,
          names=simulated(SHARES)),
    of_toys("dbscan-dclust", "dclust", 1, 2, THREADS),
    of_toys("dbscan-dclust", "dclust", 5, 10, THREADS),
    dbscan_chart("dbscan-dclust", "", "Above the paper's 100,000 points: a whole frame and a million", THREADS, "ms", "time",
                 {f"{method} {key}": f"{NAMES[method]}, {name}" for method in ("dclust", "disjoint-set", "fast")
                  for key, name in LARGE.items()}, bars=True, log_y=True),
    Chart("dbscan-blocks", "Fig. 7", "First 16 thread blocks of dclust on toy3", "thread block", "busy share of the kernel", "value",
          bars=True, names=simulated(SHARES)),
    Chart("dbscan-merge", "section 3.2", "dclust, merging on the GPU and on the host", "set", log_y=True, bars=True,
          series=("merged on the GPU", "merged on the host"), x_names=DBSCAN_SETS[:7]),
    Chart("dbscan-merge", "section 4.2", "Stages of dclust: cluster is the expansion, merge all else of the iterations", "set",
          measure="stages", series=("merged on the GPU",), backend="cuda", bars=True, x_names=DBSCAN_SETS[:7]),
    of_option("chains", "Chains of dclust", "chains"),
    of_option("threads", "Threads per chain of dclust", "threads per chain"),
    of_option("seeds", "Seeds per chain of dclust", "entries of a seed list"),
)

# --- a course report: nearest neighbours -----------------------------------------------------------------

PARTS = "construction", "query", "total"
NN_OWN = "flann", "brute", "per-query", "batch", "azimuth/cuda"
WINDOW = "partitions searched on either side"
WINDOWS = tuple(f"{count} partitions" for count in (100, 300, 900))
NN_CHARTS = (
    Chart("nn-table", "Summary of Results", "Two frames of about 120,000 points", "", log_y=True, bars=True, x_names=PARTS, own=NN_OWN),
    Chart("nn-table", "Summary of Results", "Speed-up over FLANN on the same machine", "", "times as fast as FLANN", "value",
          log_y=True, bars=True, x_names=PARTS, own=NN_OWN),
    Chart("nn-trials", "Summary of Results", "Ten trials or more: total time", "", log_y=True, bars=True,
          x_names=("fastest", "median", "mean", "slowest"), own=NN_OWN),
    Chart("nn-memory", "Summary of Results", "Points in pageable, pinned and Unified Memory", "", log_y=True, bars=True, x_names=PARTS,
          own=tuple(f"azimuth {kind}" for kind in ("pageable", "pinned", "managed"))),
    Chart("nn-size", "Figure 1", "20,000 queries against a growing reference", "points of the reference", log_x=True, log_y=True,
          own=NN_OWN),
    Chart("nn-size-small", "Figure 2", "20,000 queries against a reference below 4,000 points", "points of the reference", log_y=True,
          own=NN_OWN),
    Chart("nn-window", "", "Recall of azimuth", WINDOW, "% of the queries", "value", WINDOWS),
    Chart("nn-window", "", "Time of azimuth", WINDOW, "ms", "time", WINDOWS, log_y=True),
    Chart("nn-window", "", "Distance error of the misses", WINDOW, "m", "value", tuple(series + " error" for series in WINDOWS),
          names={series + " error": series for series in WINDOWS}),
    Chart("nn-window", "", "Azimuth between a query and its true neighbour", "degrees", "% of the queries within", "value",
          ("true neighbours",), log_x=True),
)
# The paper's table, in ms.
NN_GIVEN = {}
for series, *times, speedup in (("flann", 30.9, 198, 229, 1), ("brute", None, 62305, 62305, 0.00368),
                                ("per-query", 296, 9108, 9384, 0.0244), ("batch", 245, 1706, 1950, 0.117),
                                ("azimuth", 246, 117, 363, 0.631)):
    NN_GIVEN.update({("nn-table", series, part, "time"): time for part, time in enumerate(times) if time})
    NN_GIVEN["nn-table", series, 2, "value"] = speedup
NN_GIVEN.update({("nn-table", "azimuth", 1, "value"): 1.69, ("nn-window", "true neighbours", 2.5, "value"): 99})

# --- not a paper: simulated scans -------------------------------------------------------------------------

METRES = "metres of horizontal distance"


def histogram(what, x_label, scan, **more):
    return Chart("sim-" + what, "", f"{scan}: {what}", x_label, "points (%)", "value", (scan, scan + " simulated"),
                 names={scan: "real", scan + " simulated": "simulated"}, **more)


SIM_CHARTS = (
    Chart("sim-speed", "", "Points per second, one core", "sensor", "million points per second", "value", bars=True,
          x_names=("vlp-16", "hdl-32e", "hdl-64e", "128")),
    Chart("sim-shape", "", "Kolmogorov-Smirnov distance of simulated and real scans", "real scan", "distance", "value", bars=True,
          x_names=("KITTI 00", "KITTI 04", "KITTI 06", "KITTI object 1", "nuScenes", "MRPT HDL-32E", "nebula VLS-128")),
    *(chart for scan in ("KITTI 00", "nuScenes", "nebula VLS-128") for chart in (
        histogram("range", METRES, scan), histogram("elevation", "degrees", scan),
        histogram("density", "points in the cube of 1 m", scan, log_x=True))),
    histogram("elevation", "degrees", "nebula VLP-16"),  # a room: the beams are the same, the shares of the points are not
)


def papers():
    """All papers, with their claims."""
    import claims_dbscan, claims_ec, claims_erccl, claims_nn, claims_sim  # they need SIX and others of this file
    return (
        Paper("ec", "Fast Euclidean Cluster Extraction Using GPUs", "Nguyen, Monrroy Cano, Edahiro, Kato; 2020", EC_CHARTS, EC_GIVEN,
              tuple(claims_ec.CLAIMS)),
        Paper("erccl", "A Fast Spatial Clustering Method for Sparse LiDAR Point Clouds Using GPU Programming (ER-CCL)",
              "Tian, Song, Chen, Sung, Kwak, Sun; 2020", ERCCL_CHARTS, ERCCL_GIVEN, tuple(claims_erccl.CLAIMS)),
        Paper("dbscan", "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA", "Ky, Beach; 2024", DBSCAN_CHARTS, {},
              tuple(claims_dbscan.CLAIMS)),
        Paper("nn", "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds", "a course report", NN_CHARTS, NN_GIVEN,
              tuple(claims_nn.CLAIMS)),
        Paper("sim", "Simulated scans beside real ones", "ours", SIM_CHARTS, {}, tuple(claims_sim.CLAIMS)),
    )
