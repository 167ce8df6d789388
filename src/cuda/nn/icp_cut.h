/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_cut.h: the largest squared distance of the pairs that trimmed ICP keeps, found on the GPU. The rule on how many are
 * kept is in rules/pairs.h.
 */
#ifndef CLUMP_CUDA_NN_ICP_CUT_H
#define CLUMP_CUDA_NN_ICP_CUT_H

#include "cuda/gpu/device.h"

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
clump_status clump_cuda_icp_cut(clump_context *ctx, clump_cuda *cuda, const float4 *moved, uint32_t count, double keep,
                                clump_icp_cut *cut);

#endif
