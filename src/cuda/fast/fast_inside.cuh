/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_inside.cuh: the phase of `fast` that joins the cells of each block. Two cells are joined when a point of one is
 * a neighbour of a point of the other. That is possible for cells at most two apart on every axis (rules/blocks.h).
 * Cells that touch are tried first. In a full block that joins all 64 cells, and fast_between.cuh learns that the block
 * is one set: one union-find in shared memory, no look-up, no atomic operation outside. Cells two apart are tried only
 * where more than one set is left.
 */
#ifndef CLUMP_CUDA_FAST_FAST_INSIDE_CUH
#define CLUMP_CUDA_FAST_FAST_INSIDE_CUH

#include "cuda/fast/fast_test.cuh"

/* The offsets of CLUMP_EACH_OFFSET as codes: 2 bits per axis, plus 1. */
#define FAST_CODE(x, y, z) ((x) + 1) | ((y) + 1) << 2 | ((z) + 1) << 4
typedef struct fast_offsets {
    uint8_t at[CLUMP_OFFSETS];
} fast_offsets;
__device__ __constant__ static const fast_offsets fast_touching = {{CLUMP_EACH_OFFSET(FAST_CODE)}};

/* The block that a group of warps works on, in shared memory. Cells by rank: the number of mask bits below their own.
 * */
typedef struct fast_block_cells {
    uint32_t start[64], count[64], parent[64];
    uint8_t local[64];
    uint32_t queued;
    uint32_t deferred;               /* whether the list had room; not `queued`, which other warps may still read */
    uint16_t queue[32 * FAST_WARPS]; /* pairs of ranks that lanes gave up; bit 12: a warp found neighbours */
} fast_block_cells;

/* Barrier of a group of warps. WHOLE: the thread block is one group. It then uses __syncthreads: for a barrier with a
 * number the compiler reserves all 16, and fewer thread blocks fit on a multiprocessor. */
template <int WARPS, bool WHOLE> __device__ static inline void fast_group_barrier(uint32_t group)
{
    if (WARPS == 1)
        __syncwarp();
    else if (WHOLE)
        __syncthreads();
    else
        asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(WARPS * 32) : "memory");
}

/* Joins two sets in shared memory. Links the larger cell, root or not, under the smaller, and goes on with the parent
 * that it replaced. There is no plain load or store that could race. */
__device__ static inline void fast_unite_shared(uint32_t *parent, uint32_t a, uint32_t b)
{
    while (a != b) {
        const uint32_t high = max(a, b), low = min(a, b), was = atomicMin(&parent[high], low);
        if (was == high) return; /* high was a root */
        a = was;
        b = low;
    }
}

__device__ static inline fast_span fast_rank_span(const fast_block_cells *cells, uint32_t base, uint32_t r)
{
    return fast_span{cells->start[r], cells->count[r], base + r};
}

/* Tries the pairs that lanes gave up, a warp per pair, and joins those with neighbours. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_queue(const fast_job &job, fast_block_cells *cells, uint32_t base,
                                             uint32_t group, bool defer)
{
    const uint32_t thread = threadIdx.x % (32 * WARPS), queued = cells->queued;
    for (uint32_t k = thread / 32; k < queued; k += WARPS) {
        const uint32_t r = cells->queue[k] & 63, q = cells->queue[k] >> 6 & 63;
        const bool same = clump_root(cells->parent, r) == clump_root(cells->parent, q);
        if (__all_sync(~0u, same)) continue; /* by now */
        const bool found = fast_try_hard(job, fast_rank_span(cells, base, r), fast_rank_span(cells, base, q), defer);
        if (found && thread % 32 == 0) cells->queue[k] |= 1 << 12;
        __syncwarp();
    }
    fast_group_barrier<WARPS, WHOLE>(group);
    for (uint32_t k = thread; k < queued; k += 32 * WARPS)
        if (cells->queue[k] >> 12) fast_unite_shared(cells->parent, cells->queue[k] & 63, cells->queue[k] >> 6 & 63);
    if (thread == 0) cells->queued = 0;
    fast_group_barrier<WARPS, WHOLE>(group);
}

/* Every thread of the group tries one pair of ranks r, q, if is_pair. With `defer_pairs` pairs that lanes give up go to
 * the phase `hard` instead of the queue. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_pairs(const fast_job &job, fast_block_cells *cells, uint32_t base,
                                             uint32_t group, bool is_pair, uint32_t r, uint32_t q, bool defer_pairs,
                                             bool defer)
{
    int found = 0;
    if (is_pair && clump_root(cells->parent, r) != clump_root(cells->parent, q))
        found = fast_try_lane(job, fast_rank_span(cells, base, r), fast_rank_span(cells, base, q));
    if (defer_pairs) {
        const uint32_t no_room = fast_defer_pairs(job, found < 0, base + r, base + q);
        if (found < 0 && !(no_room >> clump_lane() & 1)) found = 0;
    }
    fast_group_barrier<WARPS, WHOLE>(group); /* all lanes have read the forest */
    if (found > 0) fast_unite_shared(cells->parent, r, q);
    if (found < 0) cells->queue[atomicAdd(&cells->queued, 1)] = (uint16_t)(r | q << 6);
    fast_group_barrier<WARPS, WHOLE>(group);
    if (cells->queued > 0) fast_try_queue<WARPS, WHOLE>(job, cells, base, group, defer);
}

/* Tries cells that touch, for a block with many cells: offset by offset, faces before corners. Corners need no test
 * where faces have joined their cells. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_offsets(const fast_job &job, fast_block_cells *cells, unsigned long long mask,
                                               uint32_t base, uint32_t group, bool defer)
{
    const uint32_t count = (uint32_t)__popcll(mask), pairs = count * CLUMP_OFFSETS;
    for (uint32_t t0 = 0; t0 < pairs; t0 += 32 * WARPS) {
        const uint32_t t = t0 + threadIdx.x % (32 * WARPS), r = t % count;
        uint32_t q = 0;
        bool is_pair = false;
        if (t < pairs) {
            const uint32_t offset = fast_touching.at[t / count], local = cells->local[r];
            const int x = (int)(local & 3) + (int)(offset & 3) - 1,
                      y = (int)(local >> 2 & 3) + (int)(offset >> 2 & 3) - 1,
                      z = (int)(local >> 4) + (int)(offset >> 4) - 1;
            const uint32_t other = clump_block_cell(x, y, z);
            is_pair = ((x | y | z) & ~3) == 0 && mask >> other & 1;
            q = (uint32_t)__popcll(mask & ((1ull << other) - 1));
        }
        fast_try_pairs<WARPS, WHOLE>(job, cells, base, group, is_pair, r, q, false, defer);
    }
}

/* Finds the ranks of pair t of a block: 1 0 | 2 0 | 2 1 | 3 0 | ... */
__device__ static inline void fast_ranks_of(uint32_t t, uint32_t *r, uint32_t *q)
{
    *r = (uint32_t)((1.0f + sqrtf(8.0f * (float)t + 1.0f)) * 0.5f);
    if (*r * (*r - 1) / 2 > t) --*r;
    *q = t - *r * (*r - 1) / 2;
}

/* Returns the largest distance on an axis of two cells of a block. */
__device__ static inline int fast_steps(uint32_t a, uint32_t b)
{
    const int x = abs((int)(a & 3) - (int)(b & 3)), y = abs((int)(a >> 2 & 3) - (int)(b >> 2 & 3));
    return max(max(x, y), abs((int)(a >> 4) - (int)(b >> 4)));
}

/* Tries all pairs of cells of a block that are `steps` apart, 1 or 2. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_all(const fast_job &job, fast_block_cells *cells, uint32_t count, uint32_t base,
                                           uint32_t group, int steps, bool defer)
{
    const uint32_t pairs = count * (count - 1) / 2;
    for (uint32_t t0 = 0; t0 < pairs; t0 += 32 * WARPS) {
        const uint32_t t = t0 + threadIdx.x % (32 * WARPS);
        uint32_t r = 0, q = 0;
        if (t < pairs) fast_ranks_of(t, &r, &q);
        const bool is_pair = t < pairs && fast_steps(cells->local[r], cells->local[q]) == steps;
        fast_try_pairs<WARPS, WHOLE>(job, cells, base, group, is_pair, r, q, steps > 1 && defer, defer);
    }
}

/* Defers all pairs two steps apart to the phase `hard`; returns false where the list is full. */
template <int WARPS, bool WHOLE>
__device__ static inline bool fast_defer_far(const fast_job &job, fast_block_cells *cells, uint32_t slot,
                                             uint32_t pairs, uint32_t group)
{
    const uint32_t thread = threadIdx.x % (32 * WARPS);
    if (thread < 32) {
        const bool room = fast_defer_rounds(job, slot, slot, FAST_SELF, 0, pairs);
        if (thread == 0) cells->deferred = room;
    }
    fast_group_barrier<WARPS, WHOLE>(group);
    return cells->deferred;
}

/* Returns whether all cells of the block are in one set; every warp of the group computes it. */
__device__ static inline bool fast_one_set(const fast_block_cells *cells, uint32_t count)
{
    const uint32_t lane = clump_lane();
    const bool low = lane > 0 && lane < count && cells->parent[lane] == lane;
    const bool high = lane + 32 < count && cells->parent[lane + 32] == lane + 32;
    return !__any_sync(~0u, low || high); /* cell 0 is always a root */
}

/* The phase: a group of WARPS warps per block. With `defer` pairs that take several rounds, and heavy pairs, wait for
 * the phases `hard` and `hot`. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_inside(const fast_job &job, const clump_gpu_team &team, fast_block_cells *all,
                                          bool defer)
{
    fast_stamp(job, team, 2);
    const uint32_t group = threadIdx.x / (32 * WARPS), thread = threadIdx.x % (32 * WARPS);
    fast_block_cells *const cells = &all[group];
    const uint32_t blocks = job.counters->blocks;
    for (uint64_t k = team.thread / (32 * WARPS); k < blocks; k += team.threads / (32 * WARPS)) {
        const uint32_t slot = job.list[k], base = (uint32_t)job.infos[slot].w;
        const unsigned long long mask = job.heads[slot].mask;
        const uint32_t count = (uint32_t)__popcll(mask), pairs = count * (count - 1) / 2;
        for (uint32_t local = thread; local < 64; local += 32 * WARPS) {
            if (!(mask >> local & 1)) continue;
            const uint32_t r = (uint32_t)__popcll(mask & ((1ull << local) - 1));
            const uint2 span = job.spans[base + r];
            cells->local[r] = (uint8_t)local;
            cells->parent[r] = r;
            cells->start[r] = span.x;
            cells->count[r] = span.y;
        }
        if (thread == 0) cells->queued = 0;
        fast_group_barrier<WARPS, WHOLE>(group);
        if (count > 2 * CLUMP_OFFSETS)
            fast_try_offsets<WARPS, WHOLE>(job, cells, mask, base, group, defer);
        else
            fast_try_all<WARPS, WHOLE>(job, cells, count, base, group, 1, defer);
        bool one = fast_one_set(cells, count);
        if (!one) {
            const bool many = defer && pairs > 32 * WARPS;
            if (!many || !fast_defer_far<WARPS, WHOLE>(job, cells, slot, pairs, group))
                fast_try_all<WARPS, WHOLE>(job, cells, count, base, group, 2, defer);
            one = fast_one_set(cells, count);
        }
        for (uint32_t r = thread; r < count; r += 32 * WARPS)
            job.parents[base + r] = base + clump_root(cells->parent, r);
        if (thread == 0 && !one) job.infos[slot].w = (int)(base | FAST_MIXED);
        fast_group_barrier<WARPS, WHOLE>(group);
    }
}

#endif
