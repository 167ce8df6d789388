/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.h: iterations of clump_icp on the GPU, from a motion to the sums over its pairs (rules/pairs.h). The source and the
 * normals are copied to the GPU once; a step copies twelve doubles there and a few dozen back.
 */
#ifndef CLUMP_CUDA_NN_ICP_H
#define CLUMP_CUDA_NN_ICP_H

#include "cuda/nn/tree.h"

/* Memory stays between calls; zeroed is valid. */
typedef struct clump_cuda_icp {
    clump_transfer normals;     /* of the target's points */
    clump_device_buffer pairs;  /* of the source points */
    clump_device_buffer chunks; /* sums */
    clump_pinned_buffer total;  /* an icp_total, which the GPU writes */
    clump_cloud_view source;    /* in the context's transfer */
    const float *normals_there; /* null: point to point */
    uint32_t step;              /* counted from 1 */
} clump_cuda_icp;

void clump_cuda_icp_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp);

/* Puts the copies of source and normals on the stream. */
clump_status clump_cuda_icp_begin(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, clump_transfer *transfer,
                                  const clump_icp_job *job);

/* Computes the sums of one iteration, and waits for them. */
clump_status clump_cuda_icp_step(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, const clump_tree_view *tree,
                                 const clump_icp_job *job, const clump_rigid *motion, double *sums);

#endif
