/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn.h: clump_index on the GPU. An index outlives the context that built it and is asked by others at the same time, so
 * it has GPU memory of its own and a stream of its own, on which nothing runs: it waits for whatever is done with the
 * index by calls that return before it is done. Who builds it anew, or gives its memory back, comes after that.
 *
 *     context A     build ......... query
 *     context B           waits for the build, query .......
 *     the index                 waits ......... waits ...... rebuild, or the end
 */
#ifndef CLUMP_CUDA_NN_NN_H
#define CLUMP_CUDA_NN_NN_H

#include "cuda/nn/nn_brute.h"
#include "cuda/nn/nn_lists.h"

/* What a context needs for builds and queries. Memory stays between calls; zeroed is valid. */
typedef struct clump_cuda_nn {
    clump_tree_scratch tree;
    clump_list_scratch lists;
    clump_cuda_brute brute;
    clump_device_buffer indices, distances;    /* results for a caller in host memory */
    clump_device_buffer counts, offsets, rows; /* of radius searches */
    clump_device_buffer scan, misfit;
    clump_pinned_buffer word; /* what the host has to read of the GPU: points that are finite, or a query */
} clump_cuda_nn;

clump_status clump_cuda_index_build(clump_context *ctx, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *transfer,
                                    clump_context *home, void **index, const clump_index_job *job,
                                    clump_result *result);
clump_status clump_cuda_index_query(clump_context *ctx, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *transfer,
                                    const void *index, const clump_query_job *job, clump_result *result);
const clump_tree_view *clump_cuda_index_tree(const void *index); /* of an index by `fast`, built from host memory */
void clump_cuda_index_empty(void *index); /* without points, until a build succeeds; null is fine */
void clump_cuda_index_release(clump_context *home, void *index);
void clump_cuda_nn_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_nn *nn);

#endif
