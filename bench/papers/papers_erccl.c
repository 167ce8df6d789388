/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "A Fast Spatial Clustering Method for Sparse LiDAR Point Clouds Using GPU Programming"
 * (ER-CCL), their charts, and the paper's numbers. The paper's names: ER-CCL on a GPU is `racing`, DI is `independent`, the method
 * for CPUs is `serial`.
 */
#include "papers/papers_erccl.h"
#include "report/report.h"

static const papers_experiment experiments[] = {
    {.name = "erccl-reach",
     .figures = "Figs 7, 12",
     .title = "Time and passes against the reach r",
     .job = &erccl_reach_job},
    {.name = "erccl-scenes", .figures = "Table 1", .title = "Six scenes, r = 5", .job = &erccl_scenes_job},
    {.name = "erccl-frames",
     .figures = "section 4.3",
     .title = "What the time of racing depends on, r = 3",
     .job = &erccl_frames_job},
    {.name = "erccl-pictures",
     .figures = "Figs 8, 9, 10",
     .title = "Pictures of the clusters",
     .compute = erccl_compute_pictures},
    {.name = "erccl-quality",
     .figures = "Fig. 8",
     .title = "Accuracy and matched instances against the reach r",
     .compute = erccl_compute_quality},
    {.name = "erccl-accuracy",
     .figures = "Table 2",
     .title = "Accuracy of three methods, two kinds of ground",
     .compute = erccl_compute_accuracy},
    {.name = "erccl-histogram",
     .figures = "Fig. 2",
     .title = "Histogram of heights, and the ground found in it",
     .compute = erccl_compute_histogram},
    {.name = "erccl-all-heights",
     .figures = "eq. 6",
     .title = "Heights of all points of a cell, or without the ground",
     .compute = erccl_compute_all_heights},
};

#define ERCCL_METHODS "serial,racing,independent,ccl,hash,fast,pcl-best"
#define ERCCL_KITTI   "serial kitti,racing kitti,independent kitti,ccl kitti,hash kitti,fast kitti,pcl-best kitti"
#define ERCCL_PICTURE(fig, what, file)                                                                                 \
    {                                                                                                                  \
        .experiment = "erccl-pictures", .figure = fig, .title = what, .measure = MEASURE_PICTURE, .base = file         \
    }

#define ERCCL_QUALITY(where, names)                                                                                    \
    {                                                                                                                  \
        .experiment = "erccl-quality", .figure = "Fig. 8", .title = "Quality against the reach; " where,               \
        .x_label = "reach r", .y_label = "clusters not wrong, instances matched (%)", .measure = MEASURE_VALUE,        \
        .series = names                                                                                                \
    }
#define ERCCL_ACCURACY(where, set)                                                                                     \
    {                                                                                                                  \
        .experiment = "erccl-accuracy", .figure = "Table 2", .title = "Clusters that are not wrong; " where,           \
        .x_label = "method", .y_label = "%", .measure = MEASURE_VALUE, .series = "peak " set ",grid " set,             \
        .bars = true, .x_names = "erccl,ccl,hash"                                                                      \
    }
#define ERCCL_HEIGHTS(where, set)                                                                                      \
    {                                                                                                                  \
        .experiment = "erccl-all-heights", .figure = "eq. 6", .title = "Heights with and without the ground; " where,  \
        .x_label = "ground", .y_label = "clusters not wrong (%)", .measure = MEASURE_VALUE,                            \
        .series = "default " set ",all heights " set, .bars = true, .x_names = "peak,grid"                             \
    }

static const papers_chart charts[] = {
    {.experiment = "erccl-histogram",
     .figure = "Fig. 2",
     .title = "Heights of the points of one frame",
     .x_label = "height above the sensor (m)",
     .y_label = "points (%)",
     .measure = MEASURE_VALUE},
    {.experiment = "erccl-reach",
     .figure = "Fig. 7",
     .title = "Time per frame against the reach, ground peak, simulated HDL-32E",
     .x_label = "reach r",
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .series = ERCCL_METHODS,
     .log_y = true},
    {.experiment = "erccl-reach",
     .figure = "Fig. 7",
     .title = "Time per frame against the reach, ground peak, KITTI",
     .x_label = "reach r",
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .series = ERCCL_KITTI,
     .log_y = true},
    ERCCL_PICTURE("Fig. 8a", "r = 2", "erccl-reach-2.png"),
    ERCCL_PICTURE("Fig. 8b", "r = 4", "erccl-reach-4.png"),
    ERCCL_PICTURE("Fig. 8c", "r = 5", "erccl-reach-5.png"),
    ERCCL_QUALITY("simulated, all things", "simulated,matched simulated"),
    ERCCL_QUALITY("simulated, vehicles and people", "simulated traffic,matched simulated traffic"),
    ERCCL_QUALITY("KITTI", "kitti,matched kitti"),
    {.experiment = "erccl-frames",
     .figure = "",
     .title = "racing, r = 3: time of each frame",
     .x_label = "frame",
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .series = "racing",
     .log_y = true},
    {.experiment = "erccl-frames",
     .figure = "",
     .title = "racing, r = 3: passes of each frame",
     .x_label = "frame",
     .y_label = "passes",
     .measure = MEASURE_PASSES,
     .series = "racing"},
    {.experiment = "erccl-frames",
     .figure = "",
     .title = "racing, r = 3: clusters of each frame",
     .x_label = "frame",
     .y_label = "clusters",
     .measure = MEASURE_CLUSTERS,
     .series = "racing"},
    ERCCL_PICTURE("Fig. 9b", "T-junction", "erccl-t-junction.png"),
    ERCCL_PICTURE("Fig. 9d", "road", "erccl-road.png"),
    ERCCL_PICTURE("Fig. 9f", "square", "erccl-square.png"),
    ERCCL_PICTURE("Fig. 9h", "trees", "erccl-trees.png"),
    ERCCL_PICTURE("Fig. 9j", "people", "erccl-people.png"),
    ERCCL_PICTURE("Fig. 9l", "crossroad", "erccl-crossroad.png"),
    {.experiment = "erccl-scenes",
     .figure = "Table 1",
     .title = "Clusters in six scenes, r = 5, ground peak",
     .x_label = "scene",
     .y_label = "clusters",
     .measure = MEASURE_CLUSTERS,
     .series = "racing,ccl,hash",
     .bars = true,
     .x_names = ERCCL_SCENE_NAMES},
    {.experiment = "erccl-scenes",
     .figure = "Table 1",
     .title = "Passes in six scenes, r = 5, ground peak",
     .x_label = "scene",
     .y_label = "passes",
     .measure = MEASURE_PASSES,
     .series = "racing,independent,serial,ccl",
     .bars = true,
     .x_names = ERCCL_SCENE_NAMES},
    {.experiment = "erccl-scenes",
     .figure = "Table 1",
     .title = "Time in six scenes, r = 5, ground peak",
     .x_label = "scene",
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .series = ERCCL_METHODS,
     .log_y = true,
     .bars = true,
     .x_names = ERCCL_SCENE_NAMES},
    ERCCL_PICTURE("Fig. 10a", "ER-CCL, from above", "erccl-method-erccl.png"),
    ERCCL_PICTURE("Fig. 10c", "connected components (ccl), from above", "erccl-method-ccl.png"),
    ERCCL_PICTURE("Fig. 10e", "hash table, from above", "erccl-method-hash.png"),
    ERCCL_ACCURACY("simulated, all things", "simulated"),
    ERCCL_ACCURACY("simulated, vehicles and people", "simulated traffic"),
    ERCCL_ACCURACY("KITTI", "kitti"),
    {.experiment = "erccl-reach",
     .figure = "Fig. 12",
     .title = "Passes against the reach, ground peak, simulated HDL-32E",
     .x_label = "reach r",
     .y_label = "passes",
     .measure = MEASURE_PASSES,
     .series = "serial,racing,independent,ccl"},
    {.experiment = "erccl-reach",
     .figure = "Fig. 12",
     .title = "Passes against the reach, ground peak, KITTI",
     .x_label = "reach r",
     .y_label = "passes",
     .measure = MEASURE_PASSES,
     .series = "serial kitti,racing kitti,independent kitti,ccl kitti"},
    ERCCL_HEIGHTS("simulated, vehicles and people", "simulated traffic"),
    ERCCL_HEIGHTS("KITTI", "kitti"),
    {.experiment = NULL},
};

#define ERCCL_TABLE_1(scene, clusters, passes, ms)                                                                     \
    {"erccl-scenes", "racing", scene, MEASURE_CLUSTERS, clusters},                                                     \
        {"erccl-scenes", "racing", scene, MEASURE_PASSES, passes},                                                     \
    {                                                                                                                  \
        "erccl-scenes", "racing", scene, MEASURE_TIME, ms                                                              \
    }
#define ERCCL_TABLE_2(x, percent)                                                                                      \
    {"erccl-accuracy", "peak simulated traffic", x, MEASURE_VALUE, percent},                                           \
    {                                                                                                                  \
        "erccl-accuracy", "peak kitti", x, MEASURE_VALUE, percent                                                      \
    }

/* Of a Xeon E5-2670 and a Quadro K5200, on recordings of the authors. */
static const papers_given given[] = {
    {"erccl-reach", "serial", 1, MEASURE_TIME, 43.48},
    {"erccl-reach", "serial", 8, MEASURE_TIME, 146.10},
    ERCCL_TABLE_1(0, 301, 50, 39.85),
    ERCCL_TABLE_1(1, 528, 79, 52.16),
    ERCCL_TABLE_1(2, 493, 39, 40.14),
    ERCCL_TABLE_1(3, 682, 46, 46.58),
    ERCCL_TABLE_1(4, 474, 46, 40.02),
    ERCCL_TABLE_1(5, 497, 30, 28.89),
    ERCCL_TABLE_2(0, 98.2),
    ERCCL_TABLE_2(1, 95.7),
    ERCCL_TABLE_2(2, 95.4),
    {.experiment = NULL},
};

const papers_paper papers_erccl = {
    .name = "erccl",
    .title = "A Fast Spatial Clustering Method for Sparse LiDAR Point Clouds Using GPU Programming (ER-CCL)",
    .authors = "Tian, Song, Chen, Sung, Kwak, Sun; 2020",
    .experiments = experiments,
    .count = sizeof experiments / sizeof *experiments,
    .charts = charts,
    .given = given,
    .claims = claims_erccl,
};
