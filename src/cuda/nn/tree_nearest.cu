/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_nearest.cu: the nearest point of every query, what is asked most: a warp a query, by tree_search.cuh. A warp has
 * some queries that follow each other, of which each begins with what the one before found: scans come in an order in
 * which that is near.
 */
#include "cuda/nn/tree.h"
#include "cuda/nn/tree_search.cuh"

#include <string.h>

enum { BLOCK = 256, QUERIES = 8 }; /* threads; queries of a warp */

__global__ static void __launch_bounds__(BLOCK)
    find_one(clump_tree_view tree, clump_cloud_view queries, uint32_t bound, int32_t *indices, float *d2)
{
    const uint32_t lane = tree_lane();
    const uint64_t base = (blockIdx.x * (uint64_t)BLOCK + threadIdx.x) / 32 * QUERIES;
    if (base >= queries.count) return;
    float x = 0, y = 0, z = 0;
    bool finite, masked, is_query = false;
    if (lane < QUERIES && base + lane < queries.count)
        is_query = clump_view_point(queries, base + lane, &x, &y, &z, &finite, &masked);
    const uint32_t wanted = __ballot_sync(~0u, is_query);
    uint32_t last = TREE_NONE, found_index = TREE_NONE, found_bits = 0;
    for (int k = 0; k < QUERIES; k++) {
        if (!(wanted >> k & 1)) continue;
        const tree_query q = {__shfl_sync(~0u, x, k), __shfl_sync(~0u, y, k), __shfl_sync(~0u, z, k)};
        tree_nearest_one search = {bound, TREE_NONE, last};
        if (last != TREE_NONE) {
            const float4 p = tree.points[last];
            const uint32_t bits = tree_point_bits(q, p);
            if (bits <= bound) search.best = bits, search.which = (uint32_t)__float_as_int(p.w);
        }
        tree_search(tree, q, search);
        if (search.which != TREE_NONE) last = search.place;
        if ((int)lane == k) found_index = search.which, found_bits = search.best;
    }
    if (lane >= QUERIES || base + lane >= queries.count) return;
    indices[base + lane] = (int32_t)found_index; /* TREE_NONE is -1 */
    if (d2) d2[base + lane] = found_index == TREE_NONE ? INFINITY : __int_as_float((int)found_bits);
}

clump_status clump_cuda_tree_nearest(clump_context *ctx, clump_cuda *cuda, const clump_tree_view *tree,
                                     const clump_cloud_view *queries, float bound, int32_t *indices, float *d2)
{
    if (queries->count == 0) return CLUMP_OK;
    uint32_t bits;
    memcpy(&bits, &bound, sizeof bits);
    const uint64_t warps = (queries->count + (uint64_t)QUERIES - 1) / QUERIES;
    const uint32_t blocks = (uint32_t)((warps * 32 + BLOCK - 1) / BLOCK);
    CLUMP_CUDA(ctx, cuda, "searching neighbours",
               (find_one<<<blocks, BLOCK, 0, cuda->stream>>>(*tree, *queries, bits, indices, d2), cudaGetLastError()));
    return CLUMP_OK;
}
