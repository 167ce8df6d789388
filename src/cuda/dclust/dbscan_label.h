/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_label.h: the last step of DBSCAN on a GPU, from sets of core points to labels: what clump_dbscan_finish() of
 * cpu/dbscan/dbscan_tree.h does, over the voxel grid of neighbours.cuh. Points are given by their places in the order of
 * the grid. The .w of a place is the point's number in P, which has the points in the order of the caller.
 *
 *     place      0   1   2   3   4   5   6   7
 *     .w         6   1   9   4   8   0   2   5
 *     set        0   0   -   3   -   -   3   3        any number below the count; others: no core point
 *     first      1   .   .   2   ...                  by set: its smallest .w
 *     mark       0 1 1 0 0 0 0 0 0 0                  by .w: 1 for the firsts; scanned, the number of a set is mark[first]
 *
 * The chain that reached a border point does not matter: all core points within eps are searched once more, and the
 * smallest number is taken. So the labels do not depend on the order in which the sets were made.
 */
#ifndef CLUMP_CUDA_DCLUST_DBSCAN_LABEL_H
#define CLUMP_CUDA_DCLUST_DBSCAN_LABEL_H

#include "cuda/six/neighbours.cuh"

/* Puts the labelling on the stream.
 *
 * search    prepared for range search, of at least one point
 * index     the caller's number of each point of P
 * set       search.count entries as above; overwritten
 * first     search.count entries, mark one more: scratch
 * labels    written for all points of P, as is core, unless it is null
 * counts    clusters is written, noise is added to */
clump_status clump_dbscan_label(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary,
                                const clump_six_search &search, const uint32_t *index, bool border_points,
                                uint32_t *set, uint32_t *first, uint32_t *mark, int32_t *labels, uint8_t *core,
                                clump_counts *counts);

#endif
