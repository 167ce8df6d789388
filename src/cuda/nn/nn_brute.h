/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_brute.h: the methods `per-query` and `batch` of Hsiao et al. on a GPU: every query is compared with every point.
 */
#ifndef CLUMP_CUDA_NN_NN_BRUTE_H
#define CLUMP_CUDA_NN_NN_BRUTE_H

#include "cuda/gpu/transfer.h"

/* Puts a search on the stream, with the result of clump_walk_nearest for k = 1. `batch`: all queries in one launch; otherwise
 * one launch per query. `memory` is scratch. */
clump_status clump_cuda_brute_nearest(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *memory, bool batch,
                                      const clump_cloud_view *points, const clump_cloud_view *queries, float bound,
                                      int32_t *indices, float *d2);

#endif
