/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_unite.cuh: joins obstacle cells into sets, for `fast`. A warp per cell, a lane per cell around it that comes
 * before it on the map: each pair of cells is tried once.
 *
 *     link     every cell takes the first cell alike as its parent: no atomic operations, and almost all joins are made
 *     unite    every cell finds the roots of all cells alike, and joins the few that differ from its own
 *
 * The root of a set is its smallest cell (rules/union_find.h), and paths are halved while they are followed.
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_UNITE_CUH
#define CLUMP_CUDA_OBSTACLES_ERCCL_UNITE_CUH

#include "cuda/obstacles/erccl_job.cuh"

__device__ static inline void erccl_link(const erccl_job &job, const clump_gpu_team &team)
{
    const uint32_t cells = job.counters->cells, before = erccl_around(job) / 2;
    for (uint64_t w = team.thread / 32; w < cells; w += team.threads / 32) {
        const erccl_centre c = erccl_centre_at(job, job.list[w]);
        uint32_t first = c.place;
        for (uint32_t k = clump_lane(); k < before && first == c.place;
             k += 32) { /* ascending: the first hit is the smallest */
            uint32_t other;
            if (erccl_alike(job, c, k, &other)) first = other;
        }
        first = clump_warp_min(first);
        if (clump_lane() == 0) job.parents[c.place] = first;
    }
}

/* Joins the sets of the roots of all lanes with that of `mine`, one after the other; returns the smallest of these
 * roots. All lanes call it. */
__device__ static inline uint32_t erccl_hook(uint32_t *parents, uint32_t mine, uint32_t root)
{
    for (unsigned others; (others = __ballot_sync(~0u, root != mine)) != 0;) {
        const int leader = __ffs((int)others) - 1;
        const uint32_t theirs = __shfl_sync(~0u, root, leader), smaller = theirs < mine ? theirs : mine;
        if ((int)clump_lane() == leader) clump_unite(parents, mine, theirs);
        if (root == theirs || root == mine) root = smaller;
        mine = smaller;
    }
    return mine;
}

__device__ static inline void erccl_unite(const erccl_job &job, const clump_gpu_team &team)
{
    const uint32_t cells = job.counters->cells, before = erccl_around(job) / 2;
    for (uint64_t w = team.thread / 32; w < cells; w += team.threads / 32) {
        const erccl_centre c = erccl_centre_at(job, job.list[w]);
        uint32_t mine = CLUMP_GPU_NONE;
        for (uint32_t from = 0; from < before; from += 32) {
            const uint32_t k = from + clump_lane();
            uint32_t other;
            const bool alike = k < before && erccl_alike(job, c, k, &other);
            const unsigned lanes = __ballot_sync(~0u, alike);
            if (lanes == 0) continue;
            uint32_t root = alike ? clump_find(job.parents, other) : CLUMP_GPU_NONE;
            /* the first cell alike is the parent of this cell: both have one root */
            if (mine == CLUMP_GPU_NONE) mine = __shfl_sync(~0u, root, __ffs((int)lanes) - 1);
            mine = erccl_hook(job.parents, mine, alike ? root : mine);
        }
    }
}

#endif
