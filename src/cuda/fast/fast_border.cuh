/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_border.cuh: the phase of `fast` for DBSCAN after the roots are known. It labels the points that are not core
 * points: the open points that fast_density.cuh found too few neighbours of. A point with core points within eps is a
 * border point. It belongs to the cluster among theirs with the smallest number, which is the one that begins first.
 * All other points are noise. A warp takes four points at once and gives each a cell of its cluster, or none. A job with
 * `pairs` also lists all clusters next to a border point that is next to several.
 */
#ifndef CLUMP_CUDA_FAST_FAST_BORDER_CUH
#define CLUMP_CUDA_FAST_FAST_BORDER_CUH

#include "cuda/fast/fast_density.cuh"

/* The best cluster so far: its first point, and its root. */
typedef struct fast_best {
    uint32_t first, root;
} fast_best;

/* Returns whether one of the first eight points of a cell is a neighbour of p, by one lane. */
__device__ static inline bool fast_neighbour_in_eight(const fast_job &job, const float4 &p, const fast_span &q)
{
    return fast_neighbour_in_four(job, p, q, 0) || (q.count > 4 && fast_neighbour_in_four(job, p, q, 4));
}

/* Tries 32 cells, one per lane, CLUMP_GPU_NONE beyond the last; improves *best. */
__device__ static inline void fast_border_cells(const fast_job &job, const float4 &p, uint32_t cell, fast_best *best)
{
    uint32_t root = 0, first = CLUMP_GPU_NONE;
    fast_span span = {};
    if (cell != CLUMP_GPU_NONE) {
        root = job.parents[cell];
        first = job.tallies[root].first;
        span = fast_cell_span(job, cell);
    }
    const bool tried = first < best->first, found = tried && fast_neighbour_in_eight(job, p, span);
    const uint32_t nearest = clump_warp_min(found ? first : CLUMP_GPU_NONE);
    if (nearest < best->first) {
        best->first = nearest;
        best->root = __shfl_sync(~0u, root, __ffs((int)__ballot_sync(~0u, found && first == nearest)) - 1);
    }
    bool left = tried && !found && span.count > 8;
    if (left && span.count >= FAST_MANY) left = fast_test_box(job, p, span.start) != FAST_NONE_NEAR;
    for (uint32_t large = __ballot_sync(~0u, left); large; large &= large - 1) {
        const int from = __ffs((int)large) - 1;
        const uint32_t theirs = __shfl_sync(~0u, first, from), their_root = __shfl_sync(~0u, root, from);
        const fast_span points = fast_shuffle(span, from);
        if (theirs >= best->first || !fast_count_many(job, p, points.start, points.count, 1)) continue;
        best->first = theirs;
        best->root = their_root;
    }
}

/* ----- all clusters next to a point -------------------------------------------------------------------- */

/* The clusters next to a point that were found so far, one per lane. There are at most 12 (cpu/shared/border_list.h):
 * core points of different clusters are more than eps apart. */
typedef struct fast_beside {
    uint32_t first, root; /* CLUMP_GPU_NONE in lanes without a cluster */
    uint32_t count;       /* the same in all lanes */
} fast_beside;

/* Adds a cluster, the same in all lanes, unless it is there. */
__device__ static inline void fast_add_beside(fast_beside *b, uint32_t first, uint32_t root)
{
    if (__any_sync(~0u, b->first == first)) return;
    if (clump_lane() == b->count) b->first = first, b->root = root;
    b->count++;
}

/* Adds the clusters of 32 cells, one cell per lane, that have a neighbour of p. */
__device__ static inline void fast_cells_beside(const fast_job &job, const float4 &p, uint32_t cell, fast_beside *b)
{
    uint32_t root = CLUMP_GPU_NONE, first = CLUMP_GPU_NONE;
    fast_span span = {};
    const bool is_there = cell != CLUMP_GPU_NONE;
    if (is_there) {
        root = job.parents[cell];
        first = job.tallies[root].first;
        span = fast_cell_span(job, cell);
    }
    const bool found = is_there && fast_neighbour_in_eight(job, p, span);
    for (uint32_t cells = __ballot_sync(~0u, found); cells; cells &= cells - 1) {
        const int from = __ffs((int)cells) - 1;
        fast_add_beside(b, __shfl_sync(~0u, first, from), __shfl_sync(~0u, root, from));
    }
    bool left = is_there && !found && span.count > 8;
    if (left && span.count >= FAST_MANY) left = fast_test_box(job, p, span.start) != FAST_NONE_NEAR;
    for (uint32_t large = __ballot_sync(~0u, left); large; large &= large - 1) {
        const int from = __ffs((int)large) - 1;
        const uint32_t theirs = __shfl_sync(~0u, first, from), their_root = __shfl_sync(~0u, root, from);
        const fast_span points = fast_shuffle(span, from);
        if (__any_sync(~0u, b->first == theirs)) continue;
        if (fast_count_many(job, p, points.start, points.count, 1)) fast_add_beside(b, theirs, their_root);
    }
}

/* Returns the best of all clusters next to p, and lists them where there are several. */
__device__ static inline fast_best fast_list_beside(const fast_job &job, const fast_around &around, const float4 &p,
                                                    uint32_t point)
{
    const uint32_t lane = clump_lane();
    fast_beside b = {CLUMP_GPU_NONE, CLUMP_GPU_NONE, 0};
    for (uint32_t t0 = 0; t0 < around.cells; t0 += 32)
        fast_cells_beside(job, p, fast_cell_around(around, t0 + lane), &b);
    if (b.count > 1) {
        unsigned long long at = 0;
        if (lane == 0) at = atomicAdd(&job.counters->pairs, (unsigned long long)b.count);
        at = __shfl_sync(~0u, at, 0) + lane;
        if (lane < b.count && at < job.pair_capacity) job.pairs[at] = clump_border{(int32_t)point, (int32_t)b.first};
    }
    const uint32_t least = clump_warp_min(b.first);
    return fast_best{least, __shfl_sync(~0u, b.root, __ffs((int)__ballot_sync(~0u, b.first == least)) - 1)};
}

/* ----- the phase --------------------------------------------------------------------------------------------- */

__device__ static inline void fast_border(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t opens = job.counters->open, lane = clump_lane(), mine = lane / FAST_SIDES;
    uint32_t noise = 0;
    const uint32_t at_once = fast_at_once(team, opens), warps = team.threads / 32;
    for (uint64_t k0 = (uint64_t)team.thread / 32 * at_once; k0 < opens; k0 += (uint64_t)warps * at_once) {
        const uint32_t i = mine < at_once && k0 + mine < opens ? job.open[k0 + mine] : FAST_IS_CORE;
        const bool is_open = !(i & FAST_IS_CORE);
        float4 p = {};
        fast_side side = {};
        if (is_open && job.borders) {
            const float *const at = (const float *)(job.view.points + i * job.view.stride);
            p = make_float4(at[0], at[1], job.view.two_d ? 0.0f : at[2], 0.0f);
            side = fast_find_side(job, p, true);
        }
        const uint32_t cells = fast_sum_sides((uint32_t)__popcll(side.window));
        const uint32_t opened = __ballot_sync(~0u, is_open), promising = __ballot_sync(~0u, cells > 0);
        fast_best mine_best = {CLUMP_GPU_NONE, CLUMP_GPU_NONE};
        for (uint32_t k = 0; k < FAST_AT_ONCE; k++) {
            if (!(opened >> k * FAST_SIDES & 1)) continue;
            fast_best best = {CLUMP_GPU_NONE, CLUMP_GPU_NONE};
            if (promising >> k * FAST_SIDES & 1) {
                const fast_around around = fast_gather(side, k);
                const float4 q = fast_shuffle_point(p, (int)(k * FAST_SIDES));
                const uint32_t point = __shfl_sync(~0u, i, (int)(k * FAST_SIDES));
                if (job.pairs && point < job.pair_points)
                    best = fast_list_beside(job, around, q, point);
                else
                    for (uint32_t t0 = 0; t0 < around.cells; t0 += 32)
                        fast_border_cells(job, q, fast_cell_around(around, t0 + lane), &best);
            }
            noise += best.root == CLUMP_GPU_NONE;
            if (mine == k) mine_best = best;
        }
        if (is_open && lane % FAST_SIDES == 0)
            job.cell_of[i] = mine_best.root == CLUMP_GPU_NONE ? CLUMP_GPU_NONE : mine_best.root | FAST_FINAL;
        __syncwarp();
    }
    if (noise > 0 && lane == 0) atomicAdd(&job.counters->left_out, noise);
}

#endif
