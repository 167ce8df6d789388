/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_density.cuh: the phases of `fast` that make it DBSCAN. The clusters of DBSCAN are those of Euclidean clustering
 * among the core points alone. So these phases come between the grid and the joins, and leave a grid with core points
 * only; the joins need no change.
 *
 *     core      a thread per point. In a cell with min_points points all are core points, as all are neighbours. In a
 *               thin cell each point is tested with a few cells of its own block that touch its cell. Most points find
 *               enough neighbours there; the others are listed as open
 *     open      a warp per four points. A point with too few points around is not a core point; the others are tested
 *               with all cells around, until there are enough neighbours
 *     compact   a warp per block: core points to the front of their cells, cells without any out of the block
 *
 *     block, before      cells 0 2 3 9     points  ab|cde|f|gh        core points: a, c, e, g, h
 *     after              cells 0 2   9             a |ce |  gh        the block keeps its cell numbers; those that are
 *                                                                     left over have the parent CLUMP_GPU_NONE
 *
 * Memory is linear: no list of neighbours is stored. Counting ends at min_points.
 */
#ifndef CLUMP_CUDA_FAST_FAST_DENSITY_CUH
#define CLUMP_CUDA_FAST_FAST_DENSITY_CUH

#include "cuda/fast/fast_around.cuh"

enum {
    FAST_CORE_TESTS = 32,  /* of one thread: a longer loop would keep the other lanes waiting */
    FAST_COMPACT_LANE = 16 /* points of a cell that one lane compacts */
};

static const uint32_t FAST_IS_CORE = 1u << 31; /* in an entry of `open` */

/* Returns how many of four points of q, from the j-th on, are neighbours of p. */
__device__ static inline uint32_t fast_count_four(const fast_job &job, const float4 &p, const fast_span &q, uint32_t j)
{
    const float4 *const at = job.sorted + q.start;
    const uint32_t last = q.count - 1;
    const float4 q0 = at[j], q1 = at[min(j + 1, last)], q2 = at[min(j + 2, last)], q3 = at[min(j + 3, last)];
    return fast_are_neighbours(p, q0, job.bound) + (j + 1 <= last && fast_are_neighbours(p, q1, job.bound)) +
           (j + 2 <= last && fast_are_neighbours(p, q2, job.bound)) +
           (j + 3 <= last && fast_are_neighbours(p, q3, job.bound));
}

/* Returns true where the cells of its block that touch the point's own are enough to show that it is a core point. */
__device__ static inline bool fast_core_nearby(const fast_job &job, uint32_t cell, uint32_t local, uint32_t own,
                                               const float4 &p)
{
    const uint32_t slot = job.parents[cell]; /* DBSCAN, before the joins */
    const unsigned long long mask = job.heads[slot].mask;
    const uint32_t base = (uint32_t)job.infos[slot].w;
    uint32_t neighbours = own;
    int tests = FAST_CORE_TESTS;
    for (unsigned long long cells = mask & fast_touched(local); cells && tests > 0; cells &= cells - 1) {
        const uint32_t other = (uint32_t)__ffsll((long long)cells) - 1;
        const fast_span q = fast_cell_span(job, base + (uint32_t)__popcll(mask & ((1ull << other) - 1)));
        for (uint32_t j = 0; j < q.count && tests > 0; j += 4, tests -= 4) {
            neighbours += fast_count_four(job, p, q, j);
            if (neighbours >= job.min_points) return true;
        }
    }
    return false;
}

__device__ static inline void fast_core(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t n = job.view.count;
    for (uint64_t i0 = team.thread - clump_lane(); i0 < n; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        const uint32_t cell = i < n ? job.cell_of[i] : CLUMP_GPU_NONE;
        bool core = false, open = false;
        if (cell != CLUMP_GPU_NONE) {
            const uint2 span = job.spans[cell];
            const bool thin = span.y < job.min_points;
            core = !thin;
            if (thin || span.y >= FAST_MANY) {
                const uint32_t at = span.x + job.rank_of[i];
                const float4 p = job.sorted[at];
                if (span.y >= FAST_MANY) fast_grow_box(&job.cell_boxes[span.x / FAST_MANY], p);
                if (thin) {
                    core = fast_core_nearby(job, cell, job.local_of[i], span.y, p);
                    job.core_at[at] = core;
                    if (core) atomicAdd(&job.tallies[cell].count, 1);
                    open = !core;
                }
            }
        }
        if (job.core && i < n) job.core[i] = core;
        const uint32_t opens = __ballot_sync(~0u, open);
        if (opens == 0) continue;
        uint32_t at = 0;
        if (clump_lane() == 0) at = atomicAdd(&job.counters->open, (uint32_t)__popc(opens));
        at = __shfl_sync(~0u, at, 0) + (uint32_t)__popc(opens & clump_lanes_below());
        if (open) job.open[at] = (uint32_t)i;
    }
}

/* ----- open points --------------------------------------------------------------------------------- */

/* Returns the number of points in the cells of one side; stops once there are `needed`. */
__device__ static inline uint32_t fast_points_aside(const fast_job &job, const fast_side &side, uint32_t needed)
{
    uint32_t points = 0;
    for (unsigned long long cells = side.window; cells && points < needed; cells &= cells - 1) {
        const uint32_t local = (uint32_t)__ffsll((long long)cells) - 1;
        points += job.spans[side.base + (uint32_t)__popcll(side.mask & ((1ull << local) - 1))].y;
    }
    return points; /* the sum over all sides cannot overflow: their cells are disjoint */
}

/* Returns whether the cells around hold `needed` neighbours of p. All lanes call it. */
__device__ static inline bool fast_enough_around(const fast_job &job, const fast_around &around, const float4 &p,
                                                 uint32_t needed)
{
    const uint32_t lane = clump_lane();
    uint32_t neighbours = 0, total;
    for (uint32_t t0 = 0; t0 < around.cells; t0 += 32) {
        const uint32_t cell = fast_cell_around(around, t0 + lane);
        const uint2 span = cell == CLUMP_GPU_NONE ? make_uint2(0, 0) : job.spans[cell];
        bool many = span.y >= FAST_MANY;
        const uint32_t before = clump_warp_scan(many ? 0 : span.y, &total), shift = span.x - before;
        if (__any_sync(~0u, many)) {
            uint32_t sure = 0, all;
            if (many) {
                const fast_verdict verdict = fast_test_box(job, p, span.x);
                if (verdict == FAST_ALL_NEAR) sure = span.y;
                many = verdict == FAST_SOME_NEAR;
            }
            (void)clump_warp_scan(sure, &all);
            neighbours += all;
            if (neighbours >= needed) return true;
        }
        for (uint32_t c0 = 0; c0 < total; c0 += 32) { /* the points of 32 cells, numbered */
            const uint32_t c = c0 + lane, owner = fast_owner_lane(before, c);
            const uint32_t at = __shfl_sync(~0u, shift, (int)owner) + c;
            const bool is_near = c < total && fast_are_neighbours(p, job.sorted[at], job.bound);
            neighbours += (uint32_t)__popc(__ballot_sync(~0u, is_near));
            if (neighbours >= needed) return true;
        }
        for (uint32_t cells = __ballot_sync(~0u, many); cells; cells &= cells - 1) {
            const int from = __ffs((int)cells) - 1;
            const uint32_t start = __shfl_sync(~0u, span.x, from), count = __shfl_sync(~0u, span.y, from);
            neighbours += fast_count_many(job, p, start, count, needed - neighbours);
            if (neighbours >= needed) return true;
        }
    }
    return false;
}

__device__ static inline void fast_open(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t opens = job.counters->open, lane = clump_lane(), mine = lane / FAST_SIDES;
    const uint32_t at_once = fast_at_once(team, opens), warps = team.threads / 32;
    for (uint64_t k0 = (uint64_t)team.thread / 32 * at_once; k0 < opens; k0 += (uint64_t)warps * at_once) {
        const bool is_there = mine < at_once && k0 + mine < opens;
        uint32_t i = 0, at = 0, needed = 0, cell = 0;
        float4 p = {};
        fast_side side = {};
        if (is_there) {
            i = job.open[k0 + mine];
            cell = job.cell_of[i];
            const uint2 span = job.spans[cell];
            at = span.x + job.rank_of[i];
            p = job.sorted[at];
            needed = job.min_points - span.y;
            side = fast_find_side(job, p, false);
        }
        const uint32_t points = fast_sum_sides(fast_points_aside(job, side, needed));
        const uint32_t promising = __ballot_sync(~0u, is_there && points >= needed); /* enough points at all */
        for (uint32_t k = 0; k < FAST_AT_ONCE; k++) {
            if (!(promising >> k * FAST_SIDES & 1)) continue;
            const int from = (int)(k * FAST_SIDES);
            const float4 q = fast_shuffle_point(p, from);
            const uint32_t wanted = __shfl_sync(~0u, needed, from);
            if (!fast_enough_around(job, fast_gather(side, k), q, wanted) || (int)lane != from) continue;
            job.core_at[at] = 1;
            atomicAdd(&job.tallies[cell].count, 1);
            job.open[k0 + k] = i | FAST_IS_CORE;
            if (job.core) job.core[i] = 1;
        }
        __syncwarp();
    }
}

/* ----- compact ----------------------------------------------------------------------- */

/* The points of a cell, or what is left of them. */
typedef struct fast_cell_part {
    uint32_t start, count, first; /* first: the smallest index of a point */
} fast_cell_part;

__device__ static inline uint32_t fast_index(const float4 &p)
{
    return (uint32_t)__float_as_int(p.w);
}

/* Compacts a thin cell, by one lane; returns its core points. */
__device__ static inline fast_cell_part fast_compact_lane(const fast_job &job, const fast_cell_part &cell)
{
    fast_cell_part kept = {cell.start, 0, CLUMP_GPU_NONE};
    for (uint32_t j = 0; j < cell.count; j++) {
        if (!job.core_at[cell.start + j]) continue;
        const float4 p = job.sorted[cell.start + j];
        job.sorted[cell.start + kept.count++] = p;
        kept.first = min(kept.first, fast_index(p));
    }
    return kept;
}

/* Compacts a thin cell, by a warp, the same cell in all lanes. */
__device__ static inline fast_cell_part fast_compact_warp(const fast_job &job, const fast_cell_part &cell)
{
    fast_cell_part kept = {cell.start, 0, CLUMP_GPU_NONE};
    for (uint32_t j0 = 0; j0 < cell.count; j0 += 32) {
        const uint32_t j = j0 + clump_lane();
        const bool core = j < cell.count && job.core_at[cell.start + j];
        const float4 p = job.sorted[cell.start + min(j, cell.count - 1)];
        const uint32_t cores = __ballot_sync(~0u, core);
        __syncwarp(); /* all lanes have read what is overwritten now */
        if (core) {
            job.sorted[cell.start + kept.count + (uint32_t)__popc(cores & clump_lanes_below())] = p;
            kept.first = min(kept.first, fast_index(p));
        }
        kept.count += (uint32_t)__popc(cores);
        __syncwarp();
    }
    kept.first = clump_warp_min(kept.first);
    return kept;
}

/* Compacts 32 cells of a block, one per lane; count 0 beyond the last. `cores`: core points of a thin cell. */
__device__ static inline fast_cell_part fast_compact_cells(const fast_job &job, const fast_cell_part &cell,
                                                           uint32_t cores)
{
    fast_cell_part kept = cell;
    const bool thin = cell.count < job.min_points;
    if (thin && cores == 0) kept.count = 0;
    const bool partly = thin && cores > 0 && cores < cell.count, alone = cell.count <= FAST_COMPACT_LANE;
    if (partly && alone) kept = fast_compact_lane(job, cell);
    for (uint32_t large = __ballot_sync(~0u, partly && !alone); large; large &= large - 1) {
        const int from = __ffs((int)large) - 1;
        const fast_cell_part theirs = {__shfl_sync(~0u, cell.start, from), __shfl_sync(~0u, cell.count, from),
                                       CLUMP_GPU_NONE};
        const fast_cell_part left = fast_compact_warp(job, theirs);
        if ((int)clump_lane() == from) kept = left;
    }
    return kept;
}

__device__ static inline fast_cell_part fast_load_cell(const fast_job &job, uint32_t cell, bool is_there,
                                                       uint32_t *cores)
{
    fast_cell_part out = {0, 0, CLUMP_GPU_NONE};
    *cores = 0;
    if (!is_there) return out;
    const uint2 span = job.spans[cell];
    const fast_tally tally = job.tallies[cell];
    out.start = span.x;
    out.count = span.y;
    out.first = tally.first;
    *cores = tally.count;
    return out;
}

/* Stores what is left of cell `was` as cell `cell`. fast_label() finds the new number in the tally of `was`. */
__device__ static inline void fast_store_cell(const fast_job &job, uint32_t cell, const fast_cell_part &kept,
                                              uint32_t was, const fast_cell_part &before)
{
    if (kept.count == 0) return;
    job.tallies[was].count = cell;
    if (cell == was && kept.count == before.count) return;
    job.spans[cell] = make_uint2(kept.start, kept.count);
    job.tallies[cell].first = kept.first;
}

/* The phase: a warp per block. Its cells are in two halves; `low` has the first 32 ranks. */
__device__ static inline void fast_compact(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t blocks = job.counters->blocks, lane = clump_lane();
    for (uint64_t k = team.thread / 32; k < blocks; k += team.threads / 32) {
        const uint32_t slot = job.list[k], base = (uint32_t)job.infos[slot].w;
        const unsigned long long mask = job.heads[slot].mask;
        const uint32_t count = (uint32_t)__popcll(mask);
        uint32_t low_cores, high_cores;
        const fast_cell_part all_low = fast_load_cell(job, base + lane, lane < count, &low_cores),
                             all_high = fast_load_cell(job, base + 32 + lane, lane + 32 < count, &high_cores);
        const fast_cell_part low = fast_compact_cells(job, all_low, low_cores),
                             high = fast_compact_cells(job, all_high, high_cores);
        __syncwarp(); /* every cell has been read */
        const uint32_t lows = __ballot_sync(~0u, low.count > 0), highs = __ballot_sync(~0u, high.count > 0);
        const uint32_t below = clump_lanes_below(), left = (uint32_t)(__popc(lows) + __popc(highs));
        fast_store_cell(job, base + (uint32_t)__popc(lows & below), low, base + lane, all_low);
        fast_store_cell(job, base + (uint32_t)(__popc(lows) + __popc(highs & below)), high, base + 32 + lane, all_high);
        if (left < count) {
            unsigned long long bits = 0;
            if (low.count > 0) bits |= 1ull << fast_nth_bit(mask, lane);
            if (high.count > 0) bits |= 1ull << fast_nth_bit(mask, lane + 32);
            for (int step = 16; step > 0; step /= 2) bits |= __shfl_xor_sync(~0u, bits, step);
            if (lane == 0) job.heads[slot].mask = bits;
            for (uint32_t r = left + lane; r < count; r += 32) job.parents[base + r] = CLUMP_GPU_NONE;
        }
        __syncwarp();
    }
}

#endif
