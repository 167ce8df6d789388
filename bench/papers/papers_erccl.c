/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "A Fast Spatial Clustering Method for Sparse LiDAR Point Clouds Using GPU Programming"
 * (ER-CCL). The paper's names: ER-CCL on a GPU is `racing`, DI is `independent`, the method
 * for CPUs is `serial`.
 */
#include "papers/papers_erccl.h"

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
    {.name = "erccl-drive",
     .figures = "section 4.1",
     .title = "300 frames of 96,000 directions, r = 5",
     .compute = erccl_compute_drive},
    {.name = "erccl-pictures",
     .figures = "Figs 6, 8, 9, 10",
     .title = "Pictures of the steps, the clusters and those that are wrong",
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

const papers_paper papers_erccl = {"erccl", experiments, sizeof experiments / sizeof *experiments};
