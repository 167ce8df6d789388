/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_near.cuh: see tree.h. One search for the nearest points gives both: the core distance of a point is that of its
 * min_samples-th nearest point, itself included, and the nearest points are its list. What is not in a list is no nearer than
 * the last point found.
 */
#ifndef CLUMP_CUDA_TREE_TREE_NEAR_CUH
#define CLUMP_CUDA_TREE_TREE_NEAR_CUH

#include "cuda/nn/nearest_k.cuh"
#include "cuda/tree/tree_job.cuh"

enum { TREE_FOUND = 8 }; /* points searched for, at least: the more, the fewer searches later */

/* The nearest points with their places instead of their indices. Of equally near points any will do, so a box at the distance
 * of the worst one is never opened: no index is below 0. */
template <int ROWS> struct tree_nearest_places : nearest_k<ROWS> {
    __device__ uint32_t index() const
    {
        return 0;
    }
    __device__ void take(const float4 &p, uint32_t theirs, uint32_t where)
    {
        nearest_k<ROWS>::take(make_float4(p.x, p.y, p.z, __int_as_float((int)where)), theirs, where);
    }
};

/* Writes the list of a place from the first 32 of its nearest points, one per lane in use, nearest first. `horizon` is the
 * distance of what was not found. */
__device__ static inline void tree_write_list(const tree_forest &f, uint32_t at, uint64_t key, bool in_use,
                                              uint32_t horizon)
{
    const uint32_t place = (uint32_t)key, lane = clump_lane();
    const bool listed = in_use && place != at;
    const uint32_t all = __ballot_sync(~0u, listed);
    const uint32_t before = (uint32_t)__popc(all & clump_lanes_below());
    if (listed && before < TREE_LISTED) f.near[(size_t)at * TREE_LISTED + before] = place;
    /* the first lane that is in use after the last that is listed */
    const uint32_t after = __ballot_sync(~0u, in_use && before >= TREE_LISTED);
    if (after) horizon = (uint32_t)(__shfl_sync(~0u, key, __ffs((int)after) - 1) >> 32);
    if (lane > 0) return;
    f.fill[at] = (uint8_t)min(__popc(all), (int)TREE_LISTED);
    f.lower[at] = max(horizon, f.core[at]);
    f.target[at] = at;
}

/* Searches for the k nearest points of every place, one warp per place. */
template <int ROWS>
__global__ static void __launch_bounds__(TREE_THREADS)
    tree_find_near(tree_forest f, uint32_t k, uint32_t min_samples, uint32_t from)
{
    const uint64_t warp = from + (blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x) / 32;
    if (warp >= f.count) return;
    const uint32_t at = (uint32_t)warp;
    const float4 p = f.tree.points[at];
    const tree_query q = {p.x, p.y, p.z};
    tree_nearest_places<ROWS> search;
    search.worst = (uint64_t)TREE_INFINITE << 32; /* points at an infinite distance are not found */
    search.k = k;
#pragma unroll
    for (int r = 0; r < ROWS; r++) search.best[r] = search.worst;
    tree_search(f.tree, q, search);
    uint32_t core = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (min_samples > 1 && (min_samples - 1) / 32 == (uint32_t)r)
            core = (uint32_t)(__shfl_sync(~0u, search.best[r], (int)((min_samples - 1) % 32)) >> 32);
    if (clump_lane() == 0) f.core[at] = core;
    const uint64_t key = search.best[0];
    const bool in_use = clump_lane() < k && (uint32_t)(key >> 32) < TREE_INFINITE;
    tree_write_list(f, at, key, in_use, search.bits());
}

#endif
