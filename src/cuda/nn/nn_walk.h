/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_walk.h: queries of all kinds on an index on the GPU: a tree, one list, or partitions by azimuth. A warp takes a query
 * and walks over the candidates, 32 points at a time.
 */
#ifndef CLUMP_CUDA_NN_NN_WALK_H
#define CLUMP_CUDA_NN_NN_WALK_H

#include "cuda/nn/tree.h"

typedef enum clump_walk_kind { CLUMP_WALK_TREE, CLUMP_WALK_LIST, CLUMP_WALK_AZIMUTH } clump_walk_kind;

/* Zeroed: a tree without points. */
typedef struct clump_walk {
    clump_walk_kind kind;
    bool one_by_one;      /* one launch per query */
    clump_tree_view tree; /* TREE */
    const float4
        *points;    /* LIST, AZIMUTH; w: the index, as bits. LIST: ascending, NaN for points that are not finite */
    uint32_t count; /* LIST */
    const uint32_t *begin; /* AZIMUTH: partitions + 1 entries; finite points only */
    int partitions, window;
} clump_walk;

/* The three functions put a search on the stream.
 *
 * clump_walk_nearest: the k nearest points of every query with d2 <= bound, nearest first, ties by the smaller index; -1
 * and infinity where there are no more. k is 1 to 128. d2 may be null. */
clump_status clump_walk_nearest(clump_work *work, clump_cuda *cuda, const clump_walk *walk,
                                const clump_cloud_view *queries, uint32_t k, float bound, int32_t *indices, float *d2);

/* Counts the points with d2 <= bound of every query. */
clump_status clump_walk_count(clump_work *work, clump_cuda *cuda, const clump_walk *walk,
                              const clump_cloud_view *queries, float bound, uint32_t *counts);

/* Lists the points with d2 <= bound, by ascending index: query i has row offsets[i] ... offsets[i + 1] - 1. Writes only
 * within rows. *misfit, on the GPU, becomes the first query whose row has another length, or UINT64_MAX. d2 may be null.
 * long_rows: queries->count + 1 entries of scratch memory. */
clump_status clump_walk_fill(clump_work *work, clump_cuda *cuda, const clump_walk *walk,
                             const clump_cloud_view *queries, float bound, const int64_t *offsets, int32_t *indices,
                             float *d2, uint32_t *long_rows, unsigned long long *misfit);

#endif
