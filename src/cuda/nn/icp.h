/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.h: iterations of clump_icp on the GPU, from a motion to the sums over the pairs that it makes (rules/pairs.h). The
 * source, and normals, go there once; a step takes twelve doubles there and a few dozen back.
 */
#ifndef CLUMP_CUDA_NN_ICP_H
#define CLUMP_CUDA_NN_ICP_H

#include "cuda/nn/tree.h"

/* Memory stays between calls; zeroed is valid. */
typedef struct clump_cuda_icp {
    clump_transfer normals;     /* its points are those of the target */
    clump_device_buffer pairs;  /* of the source points */
    clump_device_buffer chunks; /* sums */
    clump_pinned_buffer told;   /* the total, which the GPU writes */
    clump_cloud_view source;    /* in the context's transfer */
    const float *normals_there; /* null: point to point */
    uint32_t step;              /* counted from 1 */
} clump_cuda_icp;

void clump_cuda_icp_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp);

/* Puts all that the steps need on the stream. */
clump_status clump_cuda_icp_begin(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, clump_transfer *transfer,
                                  const clump_icp_job *job);

/* Makes the sums, and waits for them. */
clump_status clump_cuda_icp_step(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, const clump_tree_view *tree,
                                 const clump_icp_job *job, const clump_rigid *motion, double *sums);

#endif
