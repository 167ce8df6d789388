/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.h: the `fast` method on a GPU.
 */
#ifndef CLUMP_CUDA_EC_FAST_H
#define CLUMP_CUDA_EC_FAST_H

#include "cuda/labels.h"
#include "cuda/transfer.h"

typedef struct clump_cuda_fast {
    int unused;
} clump_cuda_fast;

clump_status clump_cuda_fast_reserve(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, size_t max_points);
void clump_cuda_fast_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f);
void clump_cuda_fast_close(clump_cuda_fast *f);
clump_status clump_cuda_ec_fast(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, const clump_ec_job *job,
                                const clump_cloud_view *view, int32_t *labels, clump_counts *counts,
                                clump_ec_result *result);
#endif
