/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.h: the method `dclust` of DBSCAN on a GPU: CUDA-DClust+ (Poudel and Gowanlock 2021;
 * section 3.2 of Ky and Beach 2024). dbscan_dclust.cuh describes it.
 *
 *     dbscan_dclust.cuh   fill, expand, merge, and why the result is right
 *     dbscan_dclust.cu    the kernels, and the loop of the host
 *     dbscan_label.cu     from sets of core points to labels
 */
#ifndef CLUMP_CUDA_PAPERS_DBSCAN_DCLUST_H
#define CLUMP_CUDA_PAPERS_DBSCAN_DCLUST_H

#include "cuda/papers/neighbours.cuh"
#include "cuda/papers/six.h"

enum { CLUMP_DCLUST_ITERATIONS = 16 }; /* the most that are launched before the host reads the result */

/* Memory that stays between calls, in addition to that of clump_cuda_six. Zeroed is valid. */
typedef struct clump_cuda_dclust {
    clump_device_buffer control;
    clump_device_buffer lists;  /* seed lists that are too long for shared memory */
    clump_pinned_buffer report; /* the host's copy of the beginning of control; of all of it to merge on the host */
    clump_pinned_buffer parent; /* to merge on the host */
    cudaEvent_t grown[2 * CLUMP_DCLUST_ITERATIONS]; /* begin and end of each expansion */
} clump_cuda_dclust;

void clump_cuda_dclust_trim(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s);

/* Runs DBSCAN: from the cloud on the GPU to canonical labels and counts there, and one core flag per point unless core is
 * null. Waits for the GPU where the host reads a flag. The load of the thread blocks in the first expansion goes to the
 * context. */
clump_status clump_cuda_dbscan_dclust(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s, clump_cuda_six *g,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts, clump_stats *stats);

/* --- dbscan_label.cu: the last step of DBSCAN on a GPU, from sets of core points to labels: what clump_dbscan_finish()
 * of cpu/papers/dbscan_tree.h does, over the voxel grid of neighbours.cuh. Points are given by their places in the
 * order of the grid. The .w of a place is the point's number in P, which has the points in the order of the caller.
 *
 *     place      0   1   2   3   4   5   6   7
 *     .w         6   1   9   4   8   0   2   5
 *     set        0   0   -   3   -   -   3   3        any number below the count; others: no core point
 *     first      1   .   .   2   ...                  by set: its smallest .w
 *     mark       0 1 1 0 0 0 0 0 0 0                  by .w: 1 for the firsts; scanned, the number of a set is mark[first]
 *
 * The chain that reached a border point does not matter: all core points within eps are searched once more, and the
 * smallest number is taken. So the labels do not depend on the order in which the sets were made. */

/* Puts the labelling on the stream.
 *
 * search    prepared for range search, of at least one point
 * index     the caller's number of each point of P
 * set       search.count entries as above; overwritten
 * first     search.count entries, mark one more: scratch
 * labels    written for all points of P, as is core, unless it is null
 * counts    clusters is written, noise is added to */
clump_status clump_dbscan_label(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary,
                                const clump_six_search &search, const uint32_t *index, bool border_points,
                                uint32_t *set, uint32_t *first, uint32_t *mark, int32_t *labels, uint8_t *core,
                                clump_counts *counts);

#endif
