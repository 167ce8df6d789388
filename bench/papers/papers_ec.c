/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Fast Euclidean Cluster Extraction Using GPUs": what they are, and how they
 * are drawn.
 */
#include "papers/papers_ec.h"
#include "report/report.h"

static const papers_experiment experiments[] = {
    {"ec-size", "Figs 4, 5, 6", "Time against the number of points", &ec_size_job, NULL},
    {"ec-clusters", "Figs 7, 8", "Time against the number of clusters", &ec_clusters_job, NULL},
    {"ec-degree", "Figs 9, 10", "Time against the point degree", &ec_degree_job, NULL},
    {"ec-distance", "Figs 11, 12", "Time against the point distance", &ec_distance_job, NULL},
    {"ec-sensors", "Figs 13, 14, Table 3", "Sequences of four sensors: time and precision", &ec_sensors_job, NULL},
    {"ec-in-place", "sections 4.1.2, 4.2.2", "Labels updated in place, and in two arrays", &ec_in_place_job, NULL},
    {"ec-block", "Algorithm 5", "The block size b of the matrix methods", &ec_block_job, NULL},
    {"ec-cold", "the authors' code", "A single call, cold, beside warm calls", &ec_cold_job, NULL},
};

/* --- charts -------------------------------------------------------------------------------------- */

#define EC_X_SIZE     "points"
#define EC_X_CLUSTERS "clusters"
#define EC_X_DEGREE   "point degree"
#define EC_X_DISTANCE "point distance"
#define EC_NAMES      "VLP-16,HDL-32E,HDL-64E,HDL-64E high res,KITTI frame"

#define EC_TIME(of, where, words, x)                                                                                   \
    {                                                                                                                  \
        .experiment = of, .figure = where, .title = words, .x_label = x, .y_label = "ms", .measure = MEASURE_TIME,     \
        .log_x = true, .log_y = true                                                                                   \
    }
#define EC_SPEEDUP(of, where, words, x)                                                                                \
    {                                                                                                                  \
        .experiment = of, .figure = where, .title = words, .x_label = x,                                               \
        .y_label = "times as fast as PCL at its best", .measure = MEASURE_SPEEDUP, .base = "pcl-best", .log_x = true,  \
        .log_y = true                                                                                                  \
    }
#define EC_STAGES(of, where, words, x, method, where_run)                                                              \
    {                                                                                                                  \
        .experiment = of, .figure = where, .title = words, .x_label = x, .y_label = "ms", .measure = MEASURE_STAGES,   \
        .series = method, .backend = where_run, .bars = true                                                           \
    }

static const papers_chart charts[] = {
    EC_TIME("ec-size", "Fig. 4", "Time against the number of points", EC_X_SIZE),
    EC_SPEEDUP("ec-size", "Fig. 5", "Speed-up over PCL against the number of points", EC_X_SIZE),
    EC_STAGES("ec-size", "Fig. 6", "Stages of matrix-es on the GPU", EC_X_SIZE, "matrix-es", "cuda"),
    EC_STAGES("ec-size", "", "Stages of matrix-es on the CPU", EC_X_SIZE, "matrix-es", "cpu"),
    EC_TIME("ec-clusters", "Fig. 7", "Time against the number of clusters", EC_X_CLUSTERS),
    EC_SPEEDUP("ec-clusters", "Fig. 8", "Speed-up over PCL against the number of clusters", EC_X_CLUSTERS),
    {.experiment = "ec-degree",
     .figure = "Fig. 9",
     .title = "Time against the point degree",
     .x_label = EC_X_DEGREE,
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .series = "fast,vertex-es,edge-es,matrix-es,vertex-rs,edge-rs,matrix-rs,bfs,pcl-best,pcl-debian",
     .log_x = true,
     .log_y = true},
    EC_STAGES("ec-degree", "Fig. 10", "Stages of edge-rs on the GPU, labels in place", EC_X_DEGREE, "edge-rs in place",
              "cuda"),
    EC_STAGES("ec-degree", "Fig. 10", "Stages of vertex-rs on the GPU, labels in place", EC_X_DEGREE,
              "vertex-rs in place", "cuda"),
    EC_STAGES("ec-degree", "Fig. 10", "Stages of edge-rs on the GPU, two arrays", EC_X_DEGREE, "edge-rs", "cuda"),
    EC_STAGES("ec-degree", "Fig. 10", "Stages of vertex-rs on the GPU, two arrays", EC_X_DEGREE, "vertex-rs", "cuda"),
    EC_STAGES("ec-degree", "Fig. 10", "Stages of matrix-rs on the GPU", EC_X_DEGREE, "matrix-rs", "cuda"),
    EC_TIME("ec-distance", "Fig. 11", "Time against the point distance", EC_X_DISTANCE),
    EC_STAGES("ec-distance", "Fig. 12 (a)", "Stages of matrix-es on the GPU", EC_X_DISTANCE, "matrix-es", "cuda"),
    EC_STAGES("ec-distance", "Fig. 12 (b)", "Stages of matrix-rs on the GPU", EC_X_DISTANCE, "matrix-rs", "cuda"),
    {.experiment = "ec-distance",
     .figure = "section 5.2.4",
     .title = "Passes against the point distance",
     .x_label = EC_X_DISTANCE,
     .y_label = "passes",
     .measure = MEASURE_PASSES,
     .series = "vertex-rs,edge-rs,matrix-es,matrix-rs",
     .log_x = true},
    {.experiment = "ec-sensors",
     .figure = "Fig. 13",
     .title = "Time per frame of four sensors and of a frame of KITTI",
     .x_label = "sensor",
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .log_y = true,
     .bars = true,
     .x_names = EC_NAMES},
    {.experiment = "ec-sensors",
     .figure = "Fig. 14",
     .title = "Speed-up over PCL per sensor",
     .x_label = "sensor",
     .y_label = "times as fast as PCL at its best",
     .measure = MEASURE_SPEEDUP,
     .base = "pcl-best",
     .log_y = true,
     .bars = true,
     .x_names = EC_NAMES},
    {.experiment = "ec-sensors",
     .figure = "section 5.2.5",
     .title = "Precision: frames with the clusters that PCL finds",
     .x_label = "sensor",
     .y_label = "% of the frames",
     .measure = MEASURE_VALUE,
     .bars = true,
     .x_names = EC_NAMES},
    {.experiment = "ec-in-place",
     .figure = "",
     .title = "Passes with labels in place, and in two arrays",
     .x_label = EC_X_CLUSTERS,
     .y_label = "passes",
     .measure = MEASURE_PASSES,
     .series = "vertex-rs,vertex-rs in place,edge-rs,edge-rs in place",
     .log_x = true,
     .log_y = true},
    EC_TIME("ec-in-place", "", "Time with labels in place, and in two arrays", EC_X_CLUSTERS),
    {.experiment = "ec-block",
     .figure = "",
     .title = "Time against the block size b of the matrix methods",
     .x_label = "b",
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .series = "matrix-es 4096,matrix-rs 4096,matrix-es 8192,matrix-rs 8192,matrix-es vlp-16,matrix-rs vlp-16,"
               "matrix-es hdl-32e,matrix-rs hdl-32e",
     .log_x = true,
     .log_y = true},
    {.experiment = "ec-cold",
     .figure = "",
     .title = "A cold call and a warm call",
     .x_label = EC_X_SIZE,
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .log_x = true,
     .log_y = true,
     .source = "authors' code, measured elsewhere on an H200"},
    {.experiment = NULL},
};

const papers_paper papers_ec = {"ec",
                                "Fast Euclidean Cluster Extraction Using GPUs",
                                "Nguyen, Monrroy Cano, Edahiro, Kato; 2020",
                                experiments,
                                sizeof experiments / sizeof *experiments,
                                charts,
                                ec_given,
                                claims_ec};
