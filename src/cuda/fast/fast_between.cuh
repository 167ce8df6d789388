/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_between.cuh: the phases of `fast` that join cells of different blocks.
 *
 *     between   per two blocks side by side. Where each block is one set, the first pair of neighbours ends the search;
 *               where both are in the same set already, nothing is done. In large clouds blocks that share a face come
 *               first; after that most of the other pairs are in one set.
 *     hard      the deferred pairs, shared evenly by all warps
 *
 * A block's 64 cells are bits of a mask, and so are the cells that a cell reaches in another block (rules/blocks.h).
 */
#ifndef CLUMP_CUDA_FAST_FAST_BETWEEN_CUH
#define CLUMP_CUDA_FAST_FAST_BETWEEN_CUH

#include "cuda/fast/fast_inside.cuh"

/* Returns the cells of the block at offset dx, dy, dz that a cell of this block reaches. */
__device__ static inline unsigned long long fast_window(int dx, int dy, int dz, uint32_t local)
{
    return clump_block_cells(CLUMP_AXIS_REACH(dx, (local & 3)), CLUMP_AXIS_REACH(dy, (local >> 2 & 3)),
                             CLUMP_AXIS_REACH(dz, (local >> 4)));
}

/* Returns the position of the n-th bit that is set, from 0 on; more than n bits are set. */
__device__ static inline uint32_t fast_nth_bit(unsigned long long mask, uint32_t n)
{
    uint32_t at = 0;
    for (uint32_t width = 32; width > 0; width /= 2) {
        const uint32_t below = (uint32_t)__popcll(mask >> at & ((1ull << width) - 1));
        if (n >= below) n -= below, at += width;
    }
    return at;
}

/* Returns the last lane with at most t entries before its own. Lanes without entries come before it. */
__device__ static inline uint32_t fast_owner_lane(uint32_t before, uint32_t t)
{
    uint32_t owner = 0;
    for (uint32_t step = 16; step > 0; step /= 2)
        if (__shfl_sync(~0u, before, (int)(owner + step)) <= t) owner += step;
    return owner;
}

/* Two blocks, or one block twice. */
typedef struct fast_block_pair {
    uint32_t slot_a, slot_b, w_a, w_b; /* w as in infos */
    unsigned long long mask_a, mask_b;
    uint32_t code; /* offset of the second, as in fast_touching; or FAST_SELF */
} fast_block_pair;

/* Tries 32 pairs of cells, one per lane, and joins them. Pairs that lanes give up are deferred or, with `now`, tried by
 * the warp. Returns true when no other pair of these blocks needs a test. */
__device__ static inline bool fast_join_cells(const fast_job &job, const fast_block_pair &two, bool is_pair,
                                              uint32_t a_cell, uint32_t b_cell, bool now, bool defer)
{
    const bool mixed = (two.w_a | two.w_b) & FAST_MIXED;
    fast_span a = {0, 0, a_cell}, b = {0, 0, b_cell};
    int found = 0;
    if (is_pair && (!mixed || !fast_same_set(job.parents, a_cell, b_cell))) {
        a = fast_cell_span(job, a_cell);
        b = fast_cell_span(job, b_cell);
        found = fast_try_lane(job, a, b);
    }
    if (mixed) {
        if (found > 0) fast_unite(job.parents, a_cell, b_cell);
    } else if (__any_sync(~0u, found > 0)) {
        if (clump_lane() == 0) fast_unite(job.parents, two.w_a, two.w_b);
        return true;
    }
    uint32_t hard = __ballot_sync(~0u, found < 0);
    if (!now && hard) hard = fast_defer_pairs(job, found < 0, a_cell, b_cell);
    for (; hard; hard &= hard - 1) {
        const int from = __ffs((int)hard) - 1;
        const fast_span a1 = fast_shuffle(a, from), b1 = fast_shuffle(b, from);
        if (__all_sync(~0u, fast_same_set(job.parents, a1.cell, b1.cell))) continue; /* joined meanwhile */
        if (!fast_try_hard(job, a1, b1, defer)) continue;
        if (clump_lane() == 0) fast_unite(job.parents, a1.cell, b1.cell);
        if (!mixed) return true;
    }
    return false;
}

/* Tries pairs first ... last - 1 of the cells of two blocks. Each lane has one cell of the first block, of at most 32,
 * and the cells of the second that it reaches. A prefix sum numbers the pairs of all lanes; then every lane takes one
 * pair. Returns the number of pairs; 0 when no other pair needs a test. */
__device__ static inline uint32_t fast_join_blocks(const fast_job &job, const fast_block_pair &two, uint32_t first,
                                                   uint32_t last, bool now, bool defer)
{
    const uint32_t base_a = two.w_a & ~FAST_MIXED, base_b = two.w_b & ~FAST_MIXED, lane = clump_lane();
    const int dx = (int)(two.code & 3) - 1, dy = (int)(two.code >> 2 & 3) - 1, dz = (int)(two.code >> 4) - 1;
    const bool mixed = (two.w_a | two.w_b) & FAST_MIXED;
    if (!mixed && __all_sync(~0u, fast_same_set(job.parents, base_a, base_b))) return 0;
    const unsigned long long side = two.mask_a & CLUMP_BORDER(dx, dy, dz);
    unsigned long long window = 0;
    uint32_t cell = 0, pairs;
    if (lane < (uint32_t)__popcll(side)) {
        const uint32_t local = fast_nth_bit(side, lane);
        window = two.mask_b & fast_window(dx, dy, dz, local);
        cell = base_a + (uint32_t)__popcll(two.mask_a & ((1ull << local) - 1));
    }
    const uint32_t before = clump_warp_scan((uint32_t)__popcll(window), &pairs);
    for (uint32_t t0 = first; t0 < min(pairs, last); t0 += 32) {
        const uint32_t t = t0 + lane;
        const uint32_t owner = fast_owner_lane(before, t);
        const unsigned long long theirs = __shfl_sync(~0u, window, (int)owner);
        const uint32_t rank = t - __shfl_sync(~0u, before, (int)owner);
        const uint32_t a = __shfl_sync(~0u, cell, (int)owner);
        uint32_t b = 0;
        if (t < pairs) {
            const uint32_t local = fast_nth_bit(theirs, rank);
            b = base_b + (uint32_t)__popcll(two.mask_b & ((1ull << local) - 1));
        }
        if (fast_join_cells(job, two, t < pairs, a, b, now, defer)) return 0;
    }
    return pairs;
}

/* The phase: a warp has a block and one of `parts` shares of the offsets first ... last - 1. Its lanes look the blocks
 * there up. With `defer` only FAST_ROUNDS rounds are made at once. */
__device__ static inline void fast_between(const fast_job &job, const clump_gpu_team &team, uint32_t first,
                                           uint32_t last, uint32_t parts, bool defer)
{
    const uint64_t tasks = (uint64_t)job.counters->blocks * parts;
    const uint32_t lane = clump_lane();
    for (uint64_t k = team.thread / 32; k < tasks; k += team.threads / 32) {
        const uint32_t slot = job.list[k / parts], number = first + (uint32_t)(k % parts) + lane * parts;
        const int4 info = job.infos[slot];
        const unsigned long long mask = job.heads[slot].mask; /* DBSCAN: may be 0 */
        unsigned long long other_mask = 0;
        uint32_t w = 0, code = 0, other = CLUMP_GPU_NONE;
        bool there = false;
        if (number < last && mask) {
            code = fast_touching.at[number];
            other = fast_find_block(job, info.x + (int)(code & 3) - 1, info.y + (int)(code >> 2 & 3) - 1,
                                    info.z + (int)(code >> 4) - 1, &other_mask);
            there = other != CLUMP_GPU_NONE && other_mask;
            if (there) w = (uint32_t)job.infos[other].w;
            if (there && !(((uint32_t)info.w | w) & FAST_MIXED))
                there = !fast_same_set(job.parents, (uint32_t)info.w, w);
        }
        for (uint32_t todo = __ballot_sync(~0u, there); todo; todo &= todo - 1) {
            const int from = __ffs((int)todo) - 1;
            const fast_block_pair two = {slot,
                                         __shfl_sync(~0u, other, from),
                                         (uint32_t)info.w,
                                         __shfl_sync(~0u, w, from),
                                         mask,
                                         __shfl_sync(~0u, other_mask, from),
                                         __shfl_sync(~0u, code, from)};
            const uint32_t at_once = defer ? 32 * FAST_ROUNDS : 64 * 64;
            const uint32_t pairs = fast_join_blocks(job, two, 0, at_once, !defer, defer);
            if (pairs > at_once && !fast_defer_rounds(job, two.slot_a, two.slot_b, two.code, at_once, pairs))
                (void)fast_join_blocks(job, two, at_once, pairs, true, defer);
            __syncwarp();
        }
    }
}

/* ----- late and hard ------------------------------------------------------------------------------- */

/* Tries one entry of late_rounds. */
__device__ static inline void fast_join_late(const fast_job &job, const uint4 &entry)
{
    const fast_block_pair two = {entry.x,
                                 entry.y,
                                 (uint32_t)job.infos[entry.x].w,
                                 (uint32_t)job.infos[entry.y].w,
                                 job.heads[entry.x].mask,
                                 job.heads[entry.y].mask,
                                 entry.z};
    if (entry.z != FAST_SELF) {
        (void)fast_join_blocks(job, two, entry.w, entry.w + 32, true, true);
        return;
    }
    const uint32_t count = (uint32_t)__popcll(two.mask_a), t = entry.w + clump_lane(), base = two.w_a & ~FAST_MIXED;
    uint32_t r = 0, q = 0;
    bool is_pair = false;
    if (t < count * (count - 1) / 2) {
        fast_ranks_of(t, &r, &q);
        is_pair = fast_steps(fast_nth_bit(two.mask_a, r), fast_nth_bit(two.mask_a, q)) == 2;
    }
    (void)fast_join_cells(job, two, is_pair, base + r, base + q, true, true);
}

/* The phase: a warp takes an entry of late_rounds, 32 pairs, or one entry of hard_pairs. Most are in one set by now. */
__device__ static inline void fast_hard(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t entries = min(job.counters->late, job.late_limit);
    for (uint64_t k = team.thread / 32; k < entries; k += team.threads / 32) {
        const uint4 entry = job.late_rounds[k];
        if (entry.x != CLUMP_GPU_NONE) fast_join_late(job, entry);
        __syncwarp();
    }
    /* from the last warp on: the first warps may still be busy with late_rounds */
    const uint32_t pairs = min(job.counters->hard, job.hard_limit), warps = team.threads / 32;
    for (uint64_t k = warps - 1 - team.thread / 32; k < pairs; k += warps) {
        const uint2 pair = job.hard_pairs[k];
        if (__all_sync(~0u, fast_same_set(job.parents, pair.x, pair.y))) continue;
        if (fast_try_hard(job, fast_cell_span(job, pair.x), fast_cell_span(job, pair.y), true) && clump_lane() == 0)
            fast_unite(job.parents, pair.x, pair.y);
        __syncwarp();
    }
}

#endif
