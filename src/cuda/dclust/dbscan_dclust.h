/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.h: the method `dclust` of DBSCAN on a GPU: CUDA-DClust+ (Poudel and Gowanlock 2021;
 * section 3.2 of Ky and Beach 2024). dbscan_dclust.cuh describes it.
 *
 *     dbscan_dclust.cuh   fill, expand, merge, and why the result is right
 *     dbscan_dclust.cu    the kernels, and the loop of the host
 *     dbscan_label.cu     from sets of core points to labels
 */
#ifndef CLUMP_CUDA_DCLUST_DBSCAN_DCLUST_H
#define CLUMP_CUDA_DCLUST_DBSCAN_DCLUST_H

#include "cuda/six/six.h"

/* Memory that stays between calls, in addition to that of clump_cuda_six. Zeroed is valid. */
typedef struct clump_cuda_dclust {
    clump_device_buffer control;
    clump_device_buffer lists;  /* seed lists that are too long for shared memory */
    clump_pinned_buffer report; /* the host's copy of the beginning of control */
} clump_cuda_dclust;

void clump_cuda_dclust_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s);

/* Runs DBSCAN: from the cloud on the GPU to canonical labels and counts there, and one core flag per point unless core is
 * null. Waits for the GPU where the host reads a flag. The load of the thread blocks in the first expansion goes to the
 * context. */
clump_status clump_cuda_dbscan_dclust(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s, clump_cuda_six *g,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts, clump_result *result);

#endif
