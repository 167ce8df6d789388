/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_inside.cuh: the phase of `fast` that joins the cells of each block. Two cells are joined when a point of one
 * is a neighbour of a point of the other; that can be so for cells at most two apart on every axis. First those
 * that touch are tried. Where cells are full that joins all 64 and the block is of one set, known as such to
 * fast_between.cuh: one union-find in shared memory, no look-up, no atomic outside. The cells two apart are tried
 * only where more than one set is left.
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

/* What a group of warps knows of the block it is in; cells by rank, the number of bits below theirs. */
typedef struct fast_block_cells {
    uint32_t start[64], count[64], parent[64];
    uint8_t local[64];
    uint32_t queued;
    uint32_t room; /* whether what was put off found some; not `queued`, which others may be reading still */
    uint16_t queue[32 * FAST_WARPS]; /* pairs of ranks that a lane gave up, and whether a warp joined them */
} fast_block_cells;

/* All threads of a group of warps have come here. Groups of a thread block have numbers. A thread block that is
 * one group must not use a barrier with a number: the compiler would reserve all 16, and few blocks would fit. */
template <int WARPS, bool WHOLE> __device__ static inline void fast_meet(uint32_t group)
{
    if (WARPS == 1)
        __syncwarp();
    else if (WHOLE)
        __syncthreads();
    else
        asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(WARPS * 32) : "memory");
}

/* Joins two sets in shared memory. Hooks what it finds, root or not, under the smaller, and goes on with
 * what was there before: no plain load or store that another lane's could meet. */
__device__ static inline void fast_unite_shared(uint32_t *parent, uint32_t a, uint32_t b)
{
    while (a != b) {
        const uint32_t high = max(a, b), low = min(a, b), was = atomicMin(&parent[high], low);
        if (was == high) return; /* it was a root */
        a = was;
        b = low;
    }
}

__device__ static inline fast_range fast_rank_range(const fast_block_cells *cells, uint32_t base, uint32_t r)
{
    fast_range range;
    range.start = cells->start[r];
    range.count = cells->count[r];
    range.cell = base + r;
    return range;
}

/* The pairs that lanes gave up, a warp a pair; then the joins. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_queue(const fast_job &job, fast_block_cells *cells, uint32_t base,
                                             uint32_t group, bool aside)
{
    const uint32_t thread = threadIdx.x % (32 * WARPS), queued = cells->queued;
    for (uint32_t k = thread / 32; k < queued; k += WARPS) {
        const uint32_t r = cells->queue[k] & 63, q = cells->queue[k] >> 6 & 63;
        const bool same = clump_root(cells->parent, r) == clump_root(cells->parent, q);
        if (__all_sync(~0u, same)) continue; /* by now */
        const bool near = fast_try_hard(job, fast_rank_range(cells, base, r), fast_rank_range(cells, base, q), aside);
        if (near && thread % 32 == 0) cells->queue[k] |= 1 << 12;
        __syncwarp();
    }
    fast_meet<WARPS, WHOLE>(group);
    for (uint32_t k = thread; k < queued; k += 32 * WARPS)
        if (cells->queue[k] >> 12) fast_unite_shared(cells->parent, cells->queue[k] & 63, cells->queue[k] >> 6 & 63);
    if (thread == 0) cells->queued = 0;
    fast_meet<WARPS, WHOLE>(group);
}

/* One try by every thread of the group, of the pair r, q if it is one. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_pairs(const fast_job &job, fast_block_cells *cells, uint32_t base,
                                             uint32_t group, bool is_pair, uint32_t r, uint32_t q, bool put_off,
                                             bool aside)
{
    int found = 0;
    if (is_pair && clump_root(cells->parent, r) != clump_root(cells->parent, q))
        found = fast_try_lane(job, fast_rank_range(cells, base, r), fast_rank_range(cells, base, q));
    if (put_off) {
        const uint32_t no_room = fast_put_off(job, found < 0, base + r, base + q);
        if (found < 0 && !(no_room >> clump_lane() & 1)) found = 0;
    }
    fast_meet<WARPS, WHOLE>(group); /* all have read, now some write */
    if (found > 0) fast_unite_shared(cells->parent, r, q);
    if (found < 0) cells->queue[atomicAdd(&cells->queued, 1)] = (uint16_t)(r | q << 6);
    fast_meet<WARPS, WHOLE>(group);
    if (cells->queued > 0) fast_try_queue<WARPS, WHOLE>(job, cells, base, group, aside);
}

/* Cells that touch, of a block with many: by offset, the near ones before the far ones, which need not be tried
 * where those have joined them. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_offsets(const fast_job &job, fast_block_cells *cells, unsigned long long mask,
                                               uint32_t base, uint32_t group, bool aside)
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
        fast_try_pairs<WARPS, WHOLE>(job, cells, base, group, is_pair, r, q, false, aside);
    }
}

/* Ranks of pair t of a block: 1 0 | 2 0 | 2 1 | 3 0 | ... */
__device__ static inline void fast_ranks_of(uint32_t t, uint32_t *r, uint32_t *q)
{
    *r = (uint32_t)((1.0f + sqrtf(8.0f * (float)t + 1.0f)) * 0.5f);
    if (*r * (*r - 1) / 2 > t) --*r;
    *q = t - *r * (*r - 1) / 2;
}

/* The larger distance on an axis of two cells of a block. */
__device__ static inline int fast_steps(uint32_t a, uint32_t b)
{
    const int x = abs((int)(a & 3) - (int)(b & 3)), y = abs((int)(a >> 2 & 3) - (int)(b >> 2 & 3));
    return max(max(x, y), abs((int)(a >> 4) - (int)(b >> 4)));
}

/* All pairs of a block's cells that are so many steps apart, 1 or 2. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_all(const fast_job &job, fast_block_cells *cells, uint32_t count, uint32_t base,
                                           uint32_t group, int steps, bool aside)
{
    const uint32_t pairs = count * (count - 1) / 2;
    for (uint32_t t0 = 0; t0 < pairs; t0 += 32 * WARPS) {
        const uint32_t t = t0 + threadIdx.x % (32 * WARPS);
        uint32_t r = 0, q = 0;
        if (t < pairs) fast_ranks_of(t, &r, &q);
        const bool is_pair = t < pairs && fast_steps(cells->local[r], cells->local[q]) == steps;
        fast_try_pairs<WARPS, WHOLE>(job, cells, base, group, is_pair, r, q, steps > 1 && aside, aside);
    }
}

/* The same for two steps, later; false where there is no room for that. */
template <int WARPS, bool WHOLE>
__device__ static inline bool fast_try_later(const fast_job &job, fast_block_cells *cells, uint32_t slot,
                                             uint32_t pairs, uint32_t group)
{
    const uint32_t thread = threadIdx.x % (32 * WARPS);
    if (thread < 32) {
        const bool room = fast_put_late(job, slot, slot, FAST_SELF, 0, pairs);
        if (thread == 0) cells->room = room;
    }
    fast_meet<WARPS, WHOLE>(group);
    return cells->room;
}

/* Every warp of the group finds out by itself. */
__device__ static inline bool fast_one_set(const fast_block_cells *cells, uint32_t count)
{
    const uint32_t lane = clump_lane();
    const bool low = lane > 0 && lane < count && cells->parent[lane] == lane;
    const bool high = lane + 32 < count && cells->parent[lane + 32] == lane + 32;
    return !__any_sync(~0u, low || high); /* cell 0 is a root for certain */
}

/* A group of warps a block. Far pairs that would take it several rounds are put off. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_inside(const fast_job &job, const clump_gpu_team &team, fast_block_cells *all,
                                          bool aside)
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
            const uint2 range = job.ranges[base + r];
            cells->local[r] = (uint8_t)local;
            cells->parent[r] = r;
            cells->start[r] = range.x;
            cells->count[r] = range.y;
        }
        if (thread == 0) cells->queued = 0;
        fast_meet<WARPS, WHOLE>(group);
        if (count > 2 * CLUMP_OFFSETS)
            fast_try_offsets<WARPS, WHOLE>(job, cells, mask, base, group, aside);
        else
            fast_try_all<WARPS, WHOLE>(job, cells, count, base, group, 1, aside);
        bool one = fast_one_set(cells, count);
        if (!one) {
            const bool many = aside && pairs > 32 * WARPS;
            if (!many || !fast_try_later<WARPS, WHOLE>(job, cells, slot, pairs, group))
                fast_try_all<WARPS, WHOLE>(job, cells, count, base, group, 2, aside);
            one = fast_one_set(cells, count);
        }
        for (uint32_t r = thread; r < count; r += 32 * WARPS)
            job.parents[base + r] = base + clump_root(cells->parent, r);
        if (thread == 0 && !one) job.infos[slot].w = (int)(base | FAST_MIXED);
        fast_meet<WARPS, WHOLE>(group);
    }
}

#endif
