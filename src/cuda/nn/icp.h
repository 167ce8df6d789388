/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.h: iterations of clump_icp on the GPU, from a motion to the sums over its pairs (rules/pairs.h). The source is copied
 * to the GPU once; the normals are computed there. A step copies twelve doubles there and a few dozen back.
 */
#ifndef CLUMP_CUDA_NN_ICP_H
#define CLUMP_CUDA_NN_ICP_H

#include "cuda/nn/icp_cut.h"
#include "cuda/nn/icp_normals.h"

/* Memory stays between calls; zeroed is valid. */
typedef struct clump_cuda_icp {
    clump_cuda_normals normals; /* of the target's points */
    clump_device_buffer pairs;  /* of the source points */
    clump_device_buffer chunks; /* sums */
    clump_device_buffer cut;    /* a clump_icp_cut */
    clump_pinned_buffer total;  /* an icp_total, which the GPU writes */
    clump_cuda_tree source;     /* the source points in an order where those of a leaf are close together */
    clump_device_buffer finite; /* a uint32_t: how many of them are finite */
    uint32_t count;             /* source points */
    uint32_t step;              /* counted from 1 */
} clump_cuda_icp;

void clump_cuda_icp_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp);

/* Puts the normals of the target, which is in the tree, and a copy of the source on the stream. */
clump_status clump_cuda_icp_begin(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, clump_transfer *transfer,
                                  clump_tree_scratch *scratch, const clump_tree_view *tree, const clump_icp_job *job);

/* Computes the sums of one iteration, and waits for them. */
clump_status clump_cuda_icp_step(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, const clump_tree_view *tree,
                                 const clump_icp_job *job, const clump_rigid *motion, double *sums);

#endif
