/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_border.cuh: the phase of `fast` for DBSCAN that comes after the roots are known: what becomes of the points that
 * are not core points, the open ones that fast_density.cuh found none. A point that has core points within eps is
 * a border point of the cluster among theirs that has the smallest number, which is the one that begins first; all
 * others are noise. A warp a point: it is given a cell of that cluster, or none.
 */
#ifndef CLUMP_CUDA_FAST_BORDER_CUH
#define CLUMP_CUDA_FAST_BORDER_CUH

#include "cuda/fast_density.cuh"

/* The best cluster so far: its first point, and its root. */
typedef struct fast_best {
    uint32_t first, root;
} fast_best;

__device__ static inline uint32_t fast_warp_min(uint32_t value)
{
    for (int step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(~0u, value, step));
    return value;
}

/* One lane: whether some of the first points of a cell are near. */
__device__ static inline bool fast_near_some(const fast_job &job, const float4 &p, const fast_range &q)
{
    return fast_near_four(job, p, q, 0) || (q.count > 4 && fast_near_four(job, p, q, 4));
}

/* The whole warp, all points but the first eight. */
__device__ static inline bool fast_near_others(const fast_job &job, const float4 &p, const fast_range &q)
{
    for (uint32_t j0 = 8; j0 < q.count; j0 += 32)
        if (__any_sync(~0u, fast_near(p, job.sorted[q.start + min(j0 + fast_lane(), q.count - 1)], job.bound)))
            return true;
    return false;
}

/* 32 cells, one a lane, FAST_NONE beyond the last. */
__device__ static inline void fast_border_cells(const fast_job &job, const float4 &p, uint32_t cell, fast_best *best)
{
    uint32_t root = 0, first = FAST_NONE;
    fast_range range = {};
    if (cell != FAST_NONE) {
        root = job.parents[cell];
        first = job.tallies[root].first;
        range = fast_cell_range(job, cell);
    }
    const bool tried = first < best->first, found = tried && fast_near_some(job, p, range);
    const uint32_t nearest = fast_warp_min(found ? first : FAST_NONE);
    if (nearest < best->first) {
        best->first = nearest;
        best->root = __shfl_sync(~0u, root, __ffs((int)__ballot_sync(~0u, found && first == nearest)) - 1);
    }
    for (uint32_t large = __ballot_sync(~0u, tried && !found && range.count > 8); large; large &= large - 1) {
        const int from = __ffs((int)large) - 1;
        const uint32_t theirs = __shfl_sync(~0u, first, from), their_root = __shfl_sync(~0u, root, from);
        const fast_range points = fast_shuffle(range, from);
        if (theirs >= best->first || !fast_near_others(job, p, points)) continue;
        best->first = theirs;
        best->root = their_root;
    }
}

__device__ static inline void fast_border(const fast_job &job, const fast_team &team)
{
    const uint32_t opens = job.counters->open;
    uint32_t noise = 0;
    for (uint64_t k = team.thread / 32; k < opens; k += team.threads / 32) {
        const uint32_t i = job.open[k];
        if (i & FAST_IS_CORE) continue;
        fast_best best = {FAST_NONE, FAST_NONE};
        if (job.borders) {
            const float *const at = (const float *)(job.view.points + i * job.view.stride);
            const float4 p = make_float4(at[0], at[1], job.view.two_d ? 0.0f : at[2], 0.0f);
            const fast_around around = fast_look_around(job, p, true);
            for (uint32_t t0 = 0; t0 < around.cells; t0 += 32)
                fast_border_cells(job, p, fast_cell_around(around, t0 + fast_lane()), &best);
        }
        if (fast_lane() == 0) job.cell_of[i] = best.root;
        noise += best.root == FAST_NONE;
        __syncwarp();
    }
    if (noise > 0 && fast_lane() == 0) atomicAdd(&job.counters->left_out, noise);
}

#endif
