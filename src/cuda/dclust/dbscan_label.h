/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_label.h: the last step of density clustering on a GPU, from sets of core points to labels: what
 * clump_dbscan_finish() of cpu/dbscan/dbscan_tree.h does, over the voxel grid of neighbours.cuh. Points are places in the
 * order of the grid; .w of one is its number in P, and P has the points in the order of the caller.
 *
 *     place      0   1   2   3   4   5   6   7
 *     .w         6   1   9   4   8   0   2   5
 *     set        0   0   -   3   -   -   3   3        any number below the count; not below: no core point
 *     first      1   .   .   2   ...                  by set, the smallest .w of it
 *     mark       0 1 1 0 0 0 0 0 0 0                  by .w, the firsts: scanned, a set's number is mark[first]
 *
 * Who had a border point before does not matter: it looks at all core points within eps once more, and takes the
 * smallest number. So the labels do not depend on how, or by how many at once, the sets were made.
 */
#ifndef CLUMP_CUDA_DCLUST_DBSCAN_LABEL_H
#define CLUMP_CUDA_DCLUST_DBSCAN_LABEL_H

#include "cuda/gpu/labels.h"
#include "cuda/six/neighbours.cuh"

/* near      prepared for range, of at least one point
 * index     the caller's number of each point of P
 * set       near.count entries as above; lost
 * first     near.count entries, mark one more: for use here, what is in them is lost
 * labels    of all points of P are written, as are core flags, where core is not null
 * counts    clusters is written, noise is added to
 * Nothing is waited for. */
clump_status clump_dbscan_label(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary,
                                const clump_six_near &near, const uint32_t *index, bool border_points, uint32_t *set,
                                uint32_t *first, uint32_t *mark, int32_t *labels, uint8_t *core, clump_counts *counts);

#endif
