/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.h: the normal of the surface at every point of a tree, for point-to-plane ICP on the GPU. The bits are those
 * of the CPU (rules/normal.h).
 */
#ifndef CLUMP_CUDA_NN_ICP_NORMALS_H
#define CLUMP_CUDA_NN_ICP_NORMALS_H

#include "cuda/nn/tree.h"

/* Memory stays between calls; zeroed is valid. */
typedef struct clump_cuda_normals {
    clump_device_buffer normals; /* float4 per point, by its place in the tree; w is unused */
    clump_device_buffer scratch;
} clump_cuda_normals;

void clump_cuda_normals_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_normals *normals);

/* Puts the computation of the normals on the stream, from k neighbours each, 3 to 128. */
clump_status clump_cuda_normals_find(clump_context *ctx, clump_cuda *cuda, clump_cuda_normals *normals,
                                     const clump_tree_view *tree, uint32_t k);

#endif
