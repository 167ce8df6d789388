/* SPDX-License-Identifier: BSD-3-Clause
 *
 * graph.h: what the CUDA forms of the six methods of Nguyen et al. 2020 have in common. They follow
 * cpu/graph.h and its three files step for step; the comments there say why a step is as it is.
 */
#ifndef CLUMP_CUDA_GRAPH_H
#define CLUMP_CUDA_GRAPH_H

#include "cuda/labels.h"
#include "cuda/transfer.h"

typedef struct clump_cuda_graph {
    int unused;
} clump_cuda_graph;

void clump_cuda_graph_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_graph *g);

/* One run of any of the six: from the cloud on the GPU to canonical labels there. Waits for the GPU where
 * a size or a flag has to be read. counts is on the GPU and filled. */
clump_status clump_cuda_ec_graph(clump_context *ctx, clump_cuda *cuda, clump_cuda_graph *g, const clump_ec_job *job,
                                 const clump_cloud_view *view, int32_t *labels, clump_counts *counts,
                                 clump_ec_result *result);

#endif
