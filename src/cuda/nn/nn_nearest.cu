/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_nearest.cu: the nearest points of every query, one or several (nearest_k.cuh), on any walk (nn_walk.h).
 */
#include "cuda/nn/nearest_k.cuh"
#include "cuda/nn/nn_walk.cuh"

enum { NEAREST_QUERIES = 8 }; /* per warp, of find_one_in_tree */

/* ----- one, in a tree ------------------------------------------------------------------------------ */

/* The most frequent query. A warp takes several consecutive queries. Each begins with the result of the one before, which
 * is near in a scan. */
__global__ static void __launch_bounds__(WALK_THREADS)
    find_one_in_tree(clump_tree_view tree, clump_cloud_view queries, uint32_t bound, int32_t *indices, float *d2)
{
    const uint32_t lane = clump_lane();
    const uint64_t base = (blockIdx.x * (uint64_t)WALK_THREADS + threadIdx.x) / 32 * NEAREST_QUERIES;
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

/* ----- one, on other walks ------------------------------------------------------------------------------------- */

/* The nearest point of each lane, on walks that do not use bits() and index(). */
struct nearest_of_lane {
    uint64_t best;

    __device__ void take(const float4 &p, uint32_t bits, uint32_t)
    {
        const uint64_t key = tree_key(bits, p);
        best = key < best ? key : best;
    }
};

template <class WALK>
__global__ static void __launch_bounds__(WALK_THREADS)
    find_one(WALK walk, clump_cloud_view queries, uint32_t first, uint32_t last, uint32_t bound, int32_t *indices,
             float *d2)
{
    uint32_t i;
    if (!walk_query(first, last, &i)) return;
    tree_query q;
    nearest_of_lane search = {(uint64_t)bound << 32 | TREE_NONE};
    if (walk_point(queries, i, &q)) walk.nearest(q, search);
    const uint32_t bits = (uint32_t)(search.best >> 32), least = clump_warp_min(bits),
                   index = clump_warp_min(bits == least ? (uint32_t)search.best : TREE_NONE);
    if (clump_lane() > 0) return;
    indices[i] = (int32_t)index; /* TREE_NONE is -1 */
    if (d2) d2[i] = index == TREE_NONE ? INFINITY : __int_as_float((int)least);
}

/* ----- several ------------------------------------------------------------------------------------- */

template <class WALK, int ROWS>
__global__ static void __launch_bounds__(WALK_THREADS)
    find_k(WALK walk, clump_cloud_view queries, uint32_t first, uint32_t last, uint32_t k, uint32_t bound,
           int32_t *indices, float *d2)
{
    uint32_t i;
    if (!walk_query(first, last, &i)) return;
    nearest_k<ROWS> search;
    search.worst = (uint64_t)bound << 32 | TREE_NONE;
    search.k = k;
#pragma unroll
    for (int r = 0; r < ROWS; r++) search.best[r] = search.worst;
    tree_query q;
    if (walk_point(queries, i, &q)) walk.nearest(q, search);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const uint32_t at = 32 * (uint32_t)r + clump_lane(), index = (uint32_t)search.best[r];
        if (at >= k) return;
        indices[(size_t)i * k + at] = (int32_t)index;
        if (d2) d2[(size_t)i * k + at] = index == TREE_NONE ? INFINITY : __int_as_float((int)(search.best[r] >> 32));
    }
}

clump_status clump_walk_nearest(clump_work *work, clump_cuda *cuda, const clump_walk *walk,
                                const clump_cloud_view *queries, uint32_t k, float bound, int32_t *indices, float *d2)
{
    CLUMP_ASSERT(k >= 1 && k <= 128);
    const uint32_t bits = walk_bits(bound);
    const char *const what = "searching neighbours";
    if (k == 1 && walk->kind == CLUMP_WALK_TREE) {
        const uint64_t warps = (queries->count + (uint64_t)NEAREST_QUERIES - 1) / NEAREST_QUERIES;
        if (warps == 0) return CLUMP_OK;
        return clump_launch_items(work, cuda, what, warps * 32, WALK_THREADS, CLUMP_GRID_MOST, find_one_in_tree,
                                  walk->tree, *queries, bits, indices, d2);
    }
    return walk_by(cuda, walk, queries->count,
                   [=](auto way, uint32_t first, uint32_t last, const clump_launch &grid) -> clump_status {
                       using W = decltype(way);
                       if constexpr (W::kind != CLUMP_WALK_TREE)
                           if (k == 1)
                               return clump_launch_kernel(work, cuda, what, grid, find_one<W>, way, *queries, first,
                                                          last, bits, indices, d2);
                       const auto kernel = k <= 32 ? find_k<W, 1> : k <= 64 ? find_k<W, 2> : find_k<W, 4>;
                       return clump_launch_kernel(work, cuda, what, grid, kernel, way, *queries, first, last, k, bits,
                                                  indices, d2);
                   });
}
