/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Parallel DBSCAN Clustering on LiDAR Point Cloud with OpenMP and CUDA".
 */
#include "papers/papers_dbscan.h"

static const papers_experiment experiments[] = {
    {"dbscan-pictures", "Figs 1, 2, 3", "The frame, and the clusters of its first 10,000 points", NULL,
     dbscan_compute_pictures},
    {"dbscan-threads", "Fig. 4", "Speed-up of disjoint-set over threads", &dbscan_threads_job, NULL},
    {"dbscan-load", "Fig. 5", "Utilisation of each thread in the cluster and the merge step", NULL,
     dbscan_compute_load},
    {"dbscan-dclust", "Fig. 6", "dclust on CPU and GPU, also on a whole frame and a million points", &dbscan_dclust_job,
     NULL},
    {"dbscan-blocks", "Fig. 7", "Utilisation of the first thread blocks of dclust", NULL, dbscan_compute_blocks},
    {"dbscan-merge", "sections 3.2, 4.2", "dclust: the share of the expansion; merging on the GPU and on the host",
     &dbscan_merge_job, NULL},
    {"dbscan-chains", "section 3.2", "dclust with other numbers of chains, threads and seeds", &dbscan_chains_job,
     NULL},
};

const papers_paper papers_dbscan = {"dbscan", experiments, sizeof experiments / sizeof *experiments};
