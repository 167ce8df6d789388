/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA", and their charts.
 * The paper gives its results as figures without numbers, so there are none to stand beside ours.
 */
#include "papers/papers_dbscan.h"
#include "report/report.h"

static const papers_experiment experiments[] = {
    {"dbscan-threads", "Fig. 4", "Speed-up of disjoint-set over threads", &dbscan_threads_job, NULL},
    {"dbscan-load", "Fig. 5", "Utilisation of each thread in the cluster and the merge step", NULL,
     dbscan_compute_load},
    {"dbscan-dclust", "Fig. 6", "dclust on CPU and GPU, also on a whole frame and a million points", &dbscan_dclust_job,
     NULL},
    {"dbscan-blocks", "Fig. 7", "Utilisation of the first thread blocks of dclust", NULL, dbscan_compute_blocks},
    {"dbscan-chains", "section 3.2", "dclust with other numbers of chains, threads and seeds", &dbscan_chains_job,
     NULL},
};

/* The series of a method, on real and on simulated points. */
#define DBSCAN_BOTH(series)     series "," series " simulated"
#define DBSCAN_TOY(method, eps) /* the three sets */                                                                   \
    DBSCAN_BOTH(method " toy1 eps " eps)                                                                               \
    "," DBSCAN_BOTH(method " toy2 eps " eps) "," DBSCAN_BOTH(method " toy3 eps " eps)
#define DBSCAN_METHODS(set)                                                                                            \
    DBSCAN_BOTH("disjoint-set " set)                                                                                   \
    "," DBSCAN_BOTH("sequential " set) "," DBSCAN_BOTH("fast " set) "," DBSCAN_BOTH("scikit-learn " set)
#define DBSCAN_LARGE(method)                                                                                           \
    DBSCAN_BOTH(method " frame eps 1")                                                                                 \
    "," DBSCAN_BOTH(method " million eps 0.5")
#define DBSCAN_OPTION(option)                                                                                          \
    DBSCAN_BOTH(option " toy3 eps 5")                                                                                  \
    "," DBSCAN_BOTH(option " frame eps 1")

static const char over[] = "times as fast as disjoint-set with one thread";

static const papers_chart charts[] = {
    {"dbscan-threads", "Fig. 4", "disjoint-set, eps 1, min_points 2", "threads", over, MEASURE_VALUE,
     .series = DBSCAN_TOY("disjoint-set", "1"), .log_x = true},
    {"dbscan-threads", "Fig. 4", "disjoint-set, eps 5, min_points 10", "threads", over, MEASURE_VALUE,
     .series = DBSCAN_TOY("disjoint-set", "5"), .log_x = true},
    {"dbscan-threads", "", "All methods on toy3, eps 1, min_points 2", "threads", "ms", MEASURE_TIME,
     .series = DBSCAN_METHODS("toy3 eps 1"), .log_x = true, .log_y = true},
    {"dbscan-threads", "", "All methods on toy3, eps 5, min_points 10", "threads", "ms", MEASURE_TIME,
     .series = DBSCAN_METHODS("toy3 eps 5"), .log_x = true, .log_y = true},
    {"dbscan-load", "Fig. 5", "Threads of disjoint-set on toy3", "thread", "busy share of the step", MEASURE_VALUE,
     .bars = true},
    {"dbscan-dclust", "Fig. 6", "dclust, eps 1, min_points 2", "threads of the CPU", over, MEASURE_VALUE,
     .series = DBSCAN_TOY("dclust", "1"), .log_x = true},
    {"dbscan-dclust", "Fig. 6", "dclust, eps 5, min_points 10", "threads of the CPU", over, MEASURE_VALUE,
     .series = DBSCAN_TOY("dclust", "5"), .log_x = true},
    {"dbscan-dclust", "", "Above the paper's 100,000 points: a whole frame and a million", "threads of the CPU", "ms",
     MEASURE_TIME, .series = DBSCAN_LARGE("dclust") "," DBSCAN_LARGE("disjoint-set") "," DBSCAN_LARGE("fast"),
     .bars = true, .log_y = true},
    {"dbscan-blocks", "Fig. 7", "First 16 thread blocks of dclust on toy3", "thread block", "busy share of the kernel",
     MEASURE_VALUE, .bars = true},
    {"dbscan-chains", "", "Chains of dclust", "chains", "ms", MEASURE_TIME, .series = DBSCAN_OPTION("chains"),
     .log_x = true, .log_y = true},
    {"dbscan-chains", "", "Threads per chain of dclust", "threads per chain", "ms", MEASURE_TIME,
     .series = DBSCAN_OPTION("threads"), .log_x = true, .log_y = true},
    {"dbscan-chains", "", "Seeds per chain of dclust", "entries of a seed list", "ms", MEASURE_TIME,
     .series = DBSCAN_OPTION("seeds"), .log_x = true, .log_y = true},
    {0},
};

static const papers_given given[] = {{0}};

const papers_paper papers_dbscan = {"dbscan",
                                    "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA",
                                    "Ky, Beach; 2024",
                                    experiments,
                                    sizeof experiments / sizeof *experiments,
                                    charts,
                                    given,
                                    claims_dbscan};
