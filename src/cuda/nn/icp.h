/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.h: iterations of clump_icp on the GPU, from a motion to the sums over its pairs (rules/pairs.h). The source is copied
 * to the GPU once; the normals are computed there. A step copies twelve doubles there and a few dozen back.
 */
#ifndef CLUMP_CUDA_NN_ICP_H
#define CLUMP_CUDA_NN_ICP_H

#include "cuda/gpu/device.h"
#include "cuda/nn/tree.h"

/* --- icp_normals.cu: the normal of the surface at every point of a tree, for point-to-plane ICP on the GPU. The bits
 * are those of the CPU (rules/normal.h). */

/* Memory stays between calls; zeroed is valid. */
typedef struct clump_cuda_normals {
    clump_device_buffer normals; /* float4 per point, by its place in the tree; w is unused */
    clump_device_buffer scratch;
} clump_cuda_normals;

void clump_cuda_normals_trim(clump_work *work, clump_cuda *cuda, clump_cuda_normals *normals);

/* Puts the computation of the normals on the stream, from k neighbours each, 3 to 128. `flat` as in rules/normal.h. */
clump_status clump_cuda_normals_find(clump_work *work, clump_cuda *cuda, clump_cuda_normals *normals,
                                     const clump_tree_view *tree, uint32_t k, double flat);

/* --- icp_cut.cu: the largest squared distance of the pairs that trimmed ICP keeps, found on the GPU. The rule on how
 * many are kept is in rules/pairs.h. */

enum { CLUMP_ICP_DIGITS = 3, CLUMP_ICP_BINS = 2048 };

/* In GPU memory. Zeroed before the first search; a search leaves the counts zeroed. */
typedef struct clump_icp_cut {
    uint32_t counts[CLUMP_ICP_DIGITS][CLUMP_ICP_BINS];
    uint32_t arrived[CLUMP_ICP_DIGITS]; /* thread blocks that are done */
    uint32_t rank;                      /* of the last kept pair among those with this prefix, counted from 1 */
    uint32_t prefix;                    /* the digits found so far; after the last one the bits of the distance */
} clump_icp_cut;

/* Puts the search on the stream. The w of `moved` is the squared distance of a pair, or NaN where there is none. Without
 * any pair the prefix is undefined. */
clump_status clump_cuda_icp_cut(clump_work *work, clump_cuda *cuda, const float4 *moved, uint32_t count, double keep,
                                clump_icp_cut *cut);

/* --- icp.cu ----------------------------------------------------------------------------------------- */

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

void clump_cuda_icp_trim(clump_work *work, clump_cuda *cuda, clump_cuda_icp *icp);

/* Puts the normals of the target, which is in the tree, and a copy of the source on the stream. */
clump_status clump_cuda_icp_begin(clump_work *work, clump_cuda *cuda, clump_cuda_icp *icp, clump_transfer *transfer,
                                  clump_tree_scratch *scratch, const clump_tree_view *tree, const clump_icp_job *job);

/* Computes the sums of one iteration, and waits for them. */
clump_status clump_cuda_icp_step(clump_work *work, clump_cuda *cuda, clump_cuda_icp *icp, const clump_tree_view *tree,
                                 const clump_icp_job *job, const clump_rigid *motion, double *sums);

#endif
