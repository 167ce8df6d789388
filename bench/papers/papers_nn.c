/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds", their charts, and the
 * numbers of its table.
 */
#include "papers/papers.h"
#include "report/report.h"

static const papers_experiment experiments[] = {
    {"nn-table", "Summary of Results", "Construction, query and total of all methods", &nn_table_job, NULL},
    {"nn-size", "Figure 1", "Time against the size of the reference", &nn_size_job, NULL},
    {"nn-size-small", "Figure 2", "Time against the size of a small reference", &nn_small_job, NULL},
    {"nn-window", "Reducing search space", "What azimuth finds, against its window", NULL, nn_compute_window},
};

static const char parts[] = "construction,query,total";
static const char points[] = "points of the reference";

static const papers_chart charts[] = {
    {"nn-table", "Summary of Results", "Two frames of about 120,000 points", "", "ms", MEASURE_TIME, .log_y = true,
     .bars = true, .x_names = parts},
    {"nn-table", "Summary of Results", "Speed-up over FLANN on the same machine", "", "times as fast as FLANN",
     MEASURE_VALUE, .log_y = true, .bars = true, .x_names = parts},
    {"nn-size", "Figure 1", "20,000 queries against a growing reference", points, "ms", MEASURE_TIME, .log_x = true,
     .log_y = true},
    {"nn-size-small", "Figure 2", "20,000 queries against a reference below 4,000 points", points, "ms", MEASURE_TIME,
     .log_y = true},
    {"nn-window", "", "Recall of azimuth", "partitions searched on either side", "% of the queries", MEASURE_VALUE,
     .series = "100 partitions,300 partitions,900 partitions"},
    {"nn-window", "", "Time of azimuth", "partitions searched on either side", "ms", MEASURE_TIME,
     .series = "100 partitions,300 partitions,900 partitions", .log_y = true},
    {"nn-window", "", "Distance error of the misses", "partitions searched on either side", "m", MEASURE_VALUE,
     .series = "100 partitions error,300 partitions error,900 partitions error"},
    {"nn-window", "", "Azimuth between a query and its true neighbour", "degrees", "% of the queries within",
     MEASURE_VALUE, .series = "true neighbours", .log_x = true},
    {0},
};

#define NN_GIVEN(series, construction, query, total, speedup)                                                          \
    {"nn-table", series, NN_CONSTRUCTION, MEASURE_TIME, construction},                                                 \
        {"nn-table", series, NN_QUERY, MEASURE_TIME, query}, {"nn-table", series, NN_TOTAL, MEASURE_TIME, total},      \
    {                                                                                                                  \
        "nn-table", series, NN_TOTAL, MEASURE_VALUE, speedup                                                           \
    }

/* The paper's table, in ms. */
static const papers_given given[] = {
    NN_GIVEN("flann", 30.9, 198, 229, 1),
    {"nn-table", "brute", NN_QUERY, MEASURE_TIME, 62305},
    {"nn-table", "brute", NN_TOTAL, MEASURE_TIME, 62305},
    {"nn-table", "brute", NN_TOTAL, MEASURE_VALUE, 0.00368},
    NN_GIVEN("per-query", 296, 9108, 9384, 0.0244),
    NN_GIVEN("batch", 245, 1706, 1950, 0.117),
    NN_GIVEN("azimuth", 246, 117, 363, 0.631),
    {"nn-table", "azimuth", NN_QUERY, MEASURE_VALUE, 1.69},
    {"nn-window", "true neighbours", 2.5, MEASURE_VALUE, 99},
    {0},
};

const papers_paper papers_nn = {"nn",
                                "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds",
                                "a course report",
                                experiments,
                                sizeof experiments / sizeof *experiments,
                                charts,
                                given,
                                claims_nn};
