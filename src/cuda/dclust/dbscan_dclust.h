/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.h: the method `dclust` of density clustering on a GPU: CUDA-DClust+ (Poudel and Gowanlock 2021;
 * section 3.2 of Ky and Beach 2024). dbscan_dclust.cuh says how it goes.
 */
#ifndef CLUMP_CUDA_DCLUST_DBSCAN_DCLUST_H
#define CLUMP_CUDA_DCLUST_DBSCAN_DCLUST_H

#include "cuda/six/six.h"

/* Memory that stays between calls, beside that of clump_cuda_six, which it uses, too. Zeroed is valid. */
typedef struct clump_cuda_dclust {
    clump_device_buffer control;
    clump_pinned_buffer seen;
} clump_cuda_dclust;

void clump_cuda_dclust_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s);

/* From the cloud on the GPU to canonical labels there, and, where core is not null, a flag a point. counts is on the
 * GPU and filled. Waits for the GPU where a flag has to be read. The load of the blocks goes to the context. */
clump_status clump_cuda_dbscan_dclust(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s, clump_cuda_six *g,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts, clump_result *result);

#endif
