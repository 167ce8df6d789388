/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds".
 */
#include "papers/papers.h"

static const papers_experiment experiments[] = {
    {"nn-table", "Summary of Results", "Construction, query and total of all methods", &nn_table_job, NULL},
    {"nn-size", "Figure 1", "Time against the size of the reference", &nn_size_job, NULL},
    {"nn-size-small", "Figure 2", "Time against the size of a small reference", &nn_small_job, NULL},
    {"nn-window", "Reducing search space", "What azimuth finds, against its window", NULL, nn_compute_window},
};

const papers_paper papers_nn = {"nn", experiments, sizeof experiments / sizeof *experiments};
