/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_lists.h: the data of the paper's methods: all points of a cloud in one list (`per-query`, `batch`), or in partitions
 * by azimuth.
 */
#ifndef CLUMP_CUDA_NN_NN_LISTS_H
#define CLUMP_CUDA_NN_NN_LISTS_H

#include "cuda/nn/nn_walk.h"

/* Memory that stays between builds. Zeroed is valid. */
typedef struct clump_cuda_list {
    clump_device_buffer points, begin;
} clump_cuda_list;

typedef struct clump_list_scratch {
    clump_device_buffer next, scan;
} clump_list_scratch;

/* Both put a build on the stream, and make *walk a walk over the result. Memory as in tree.h. */
clump_status clump_cuda_list_build(clump_context *ctx, clump_cuda *cuda, clump_context *home, clump_cuda *keeper,
                                   clump_cuda_list *list, const clump_cloud_view *cloud, uint32_t *finite,
                                   clump_walk *walk);
clump_status clump_cuda_azimuth_build(clump_context *ctx, clump_cuda *cuda, clump_list_scratch *scratch,
                                      clump_context *home, clump_cuda *keeper, clump_cuda_list *list,
                                      const clump_cloud_view *cloud, int partitions, int window, uint32_t *finite,
                                      clump_walk *walk);

#endif
