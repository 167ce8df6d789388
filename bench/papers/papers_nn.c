/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds".
 */
#include "papers.h"

const papers_paper papers_nn = {
    "nn", "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds", "a course report", NULL, 0, NULL, NULL,
    NULL};
