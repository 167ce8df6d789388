/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Fast Euclidean Cluster Extraction Using GPUs".
 */
#include "papers/papers_ec.h"

static const papers_experiment experiments[] = {
    {"ec-size", "Figs 4, 5, 6", "Time against the number of points", &ec_size_job, NULL},
    {"ec-clusters", "Figs 7, 8", "Time against the number of clusters", &ec_clusters_job, NULL},
    {"ec-degree", "Figs 9, 10", "Time against the point degree", &ec_degree_job, NULL},
    {"ec-distance", "Figs 11, 12", "Time against the point distance", &ec_distance_job, NULL},
    {"ec-sensors", "Figs 13, 14, Table 3", "Sequences of four sensors: time and precision", &ec_sensors_job, NULL},
    {"ec-order-n", "section 6", "Time against the number of points, the degree held", &ec_order_n_job, NULL},
    {"ec-order-k", "section 6", "Time against the degree, the number of points held", &ec_order_k_job, NULL},
    {"ec-threads", "section 6", "Time of fast against the number of threads", &ec_threads_job, NULL},
    {"ec-pictures", "Fig. 1", "A clustered frame", NULL, ec_compute_pictures},
    {"ec-in-place", "sections 4.1.2, 4.2.2", "Labels updated in place, and in two arrays", &ec_in_place_job, NULL},
    {"ec-block", "Algorithm 5", "The block size b of the matrix methods", &ec_block_job, NULL},
    {"ec-cold", "the authors' code", "A single call, cold, beside warm calls", &ec_cold_job, NULL},
};

const papers_paper papers_ec = {"ec", experiments, sizeof experiments / sizeof *experiments};
