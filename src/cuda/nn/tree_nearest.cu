/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_nearest.cu: the nearest point of every query, the most frequent query: one warp per query, by tree_search.cuh. A
 * warp takes several consecutive queries. Each begins with the result of the one before, which is near in a scan.
 */
#include "cuda/gpu/launch.h"
#include "cuda/nn/tree.h"
#include "cuda/nn/tree_search.cuh"

#include <string.h>

enum {
    NEAREST_THREADS = 256, /* per thread block */
    NEAREST_QUERIES = 8    /* per warp */
};

__global__ static void __launch_bounds__(NEAREST_THREADS)
    find_one(clump_tree_view tree, clump_cloud_view queries, uint32_t bound, int32_t *indices, float *d2)
{
    const uint32_t lane = clump_lane();
    const uint64_t base = (blockIdx.x * (uint64_t)NEAREST_THREADS + threadIdx.x) / 32 * NEAREST_QUERIES;
    if (base >= queries.count) return;
    float x = 0, y = 0, z = 0;
    bool finite, masked, is_query = false;
    if (lane < NEAREST_QUERIES && base + lane < queries.count)
        is_query = clump_view_point(queries, base + lane, &x, &y, &z, &finite, &masked);
    const uint32_t wanted = __ballot_sync(~0u, is_query);
    uint32_t last = TREE_NONE, found_index = TREE_NONE, found_bits = 0;
    for (int k = 0; k < NEAREST_QUERIES; k++) {
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
    if (lane >= NEAREST_QUERIES || base + lane >= queries.count) return;
    indices[base + lane] = (int32_t)found_index; /* TREE_NONE is -1 */
    if (d2) d2[base + lane] = found_index == TREE_NONE ? INFINITY : __int_as_float((int)found_bits);
}

clump_status clump_cuda_tree_nearest(clump_context *ctx, clump_cuda *cuda, const clump_tree_view *tree,
                                     const clump_cloud_view *queries, float bound, int32_t *indices, float *d2)
{
    if (queries->count == 0) return CLUMP_OK;
    uint32_t bits;
    memcpy(&bits, &bound, sizeof bits);
    const uint64_t warps = (queries->count + (uint64_t)NEAREST_QUERIES - 1) / NEAREST_QUERIES;
    return clump_launch_items(ctx, cuda, "searching neighbours", warps * 32, NEAREST_THREADS, CLUMP_GRID_MOST, find_one,
                              *tree, *queries, bits, indices, d2);
}
