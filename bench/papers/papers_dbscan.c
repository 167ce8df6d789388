/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA".
 */
#include "papers/papers_dbscan.h"

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

const papers_paper papers_dbscan = {"dbscan", experiments, sizeof experiments / sizeof *experiments};
