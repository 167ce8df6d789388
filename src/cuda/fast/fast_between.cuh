/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_between.cuh: the phases of `fast` that join the cells of different blocks.
 *
 *     between   for two blocks side by side. If each is of one set and both sets are the same already, nothing is
 *               to be done; if not, the first pair of neighbours ends the search. In large clouds blocks with
 *               a face in common come first, after which most of the others are of one set.
 *     hard      what the phases before put off, shared evenly by all warps
 *
 * A block's 64 cells are bits, and so is what a cell reaches of the block beside its own:
 *
 *         this block   the one at +x         cells in layer 3 reach two layers there, those in layer 2
 *         0 1 2 3      0 1 2 3               one; on an axis on which the blocks are level, a cell reaches
 *               #      # #                   two to each side
 */
#ifndef CLUMP_CUDA_FAST_FAST_BETWEEN_CUH
#define CLUMP_CUDA_FAST_FAST_BETWEEN_CUH

#include "cuda/fast/fast_inside.cuh"

/* The cells of the block at offset dx, dy, dz that a cell of this block reaches. */
__device__ static inline unsigned long long fast_window(int dx, int dy, int dz, uint32_t local)
{
    return clump_block_cells(CLUMP_AXIS_REACH(dx, (local & 3)), CLUMP_AXIS_REACH(dy, (local >> 2 & 3)),
                             CLUMP_AXIS_REACH(dz, (local >> 4)));
}

/* The n-th bit that is set; there are more than n. */
__device__ static inline uint32_t fast_nth_bit(unsigned long long mask, uint32_t n)
{
    uint32_t at = 0;
    for (uint32_t width = 32; width > 0; width /= 2) {
        const uint32_t below = (uint32_t)__popcll(mask >> at & ((1ull << width) - 1));
        if (n >= below) n -= below, at += width;
    }
    return at;
}

/* Two blocks, or one and itself. */
typedef struct fast_two {
    uint32_t slot_a, slot_b, w_a, w_b; /* w as in infos */
    unsigned long long mask_a, mask_b;
    uint32_t code; /* where the second lies: 2 bits an axis, plus 1; or FAST_SELF */
} fast_two;

/* 32 pairs of cells, one a lane: those that lanes found are joined, those they gave up put off or, with `now`,
 * tried by the warp. True when nothing more can be gained from these blocks. */
__device__ static inline bool fast_join_cells(const fast_job &job, const fast_two &two, bool is_pair, uint32_t a_cell,
                                              uint32_t b_cell, bool now, bool aside)
{
    const bool mixed = (two.w_a | two.w_b) & FAST_MIXED;
    fast_range a = {}, b = {};
    a.cell = a_cell;
    b.cell = b_cell;
    int found = 0;
    if (is_pair && (!mixed || !fast_same_set(job.parents, a_cell, b_cell))) {
        a = fast_cell_range(job, a_cell);
        b = fast_cell_range(job, b_cell);
        found = fast_try_lane(job, a, b);
    }
    if (mixed) {
        if (found > 0) fast_unite(job.parents, a_cell, b_cell);
    } else if (__any_sync(~0u, found > 0)) {
        if (clump_lane() == 0) fast_unite(job.parents, two.w_a, two.w_b);
        return true;
    }
    uint32_t hard = __ballot_sync(~0u, found < 0);
    if (!now && hard) hard = fast_put_off(job, found < 0, a_cell, b_cell);
    for (; hard; hard &= hard - 1) {
        const int from = __ffs((int)hard) - 1;
        const fast_range a1 = fast_shuffle(a, from), b1 = fast_shuffle(b, from);
        if (__all_sync(~0u, fast_same_set(job.parents, a1.cell, b1.cell))) continue; /* by now */
        if (!fast_try_hard(job, a1, b1, aside)) continue;
        if (clump_lane() == 0) fast_unite(job.parents, a1.cell, b1.cell);
        if (!mixed) return true;
    }
    return false;
}

/* A block and one beside it. Each lane has a cell of the first, at most 32, and the cells of the second in its
 * reach; then the pairs of all lanes are counted through, and every lane takes one: pairs first ... last - 1.
 * Returns how many there are, 0 when no more need be tried. */
__device__ static inline uint32_t fast_join_blocks(const fast_job &job, const fast_two &two, uint32_t first,
                                                   uint32_t last, bool now, bool aside)
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
        uint32_t owner = 0; /* the last lane with no more than t pairs before its own; empty ones come before it */
        for (uint32_t step = 16; step > 0; step /= 2)
            if (__shfl_sync(~0u, before, (int)(owner + step)) <= t) owner += step;
        const unsigned long long theirs = __shfl_sync(~0u, window, (int)owner);
        const uint32_t rank = t - __shfl_sync(~0u, before, (int)owner);
        const uint32_t a = __shfl_sync(~0u, cell, (int)owner);
        uint32_t b = 0;
        if (t < pairs) {
            const uint32_t local = fast_nth_bit(theirs, rank);
            b = base_b + (uint32_t)__popcll(two.mask_b & ((1ull << local) - 1));
        }
        if (fast_join_cells(job, two, t < pairs, a, b, now, aside)) return 0;
    }
    return pairs;
}

/* A warp has a block and one of `parts` of the directions first ... last - 1; lanes look for the blocks there.
 * Two blocks that are of one and the same set are done with at once. With `aside` only some rounds are made and
 * the rest is put off. */
__device__ static inline void fast_between(const fast_job &job, const clump_gpu_team &team, uint32_t first,
                                           uint32_t last, uint32_t parts, bool aside)
{
    const uint64_t work = (uint64_t)job.counters->blocks * parts;
    const uint32_t lane = clump_lane();
    for (uint64_t k = team.thread / 32; k < work; k += team.threads / 32) {
        const uint32_t slot = job.list[k / parts], number = first + (uint32_t)(k % parts) + lane * parts;
        const int4 info = job.infos[slot];
        const unsigned long long mask = job.heads[slot].mask; /* of DBSCAN there may be none, here and there */
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
            fast_two two;
            two.slot_a = slot;
            two.slot_b = __shfl_sync(~0u, other, from);
            two.w_a = (uint32_t)info.w;
            two.w_b = __shfl_sync(~0u, w, from);
            two.mask_a = mask;
            two.mask_b = __shfl_sync(~0u, other_mask, from);
            two.code = __shfl_sync(~0u, code, from);
            const uint32_t some = aside ? 32 * FAST_ROUNDS : 64 * 64;
            const uint32_t pairs = fast_join_blocks(job, two, 0, some, !aside, aside);
            if (pairs > some && !fast_put_late(job, two.slot_a, two.slot_b, two.code, some, pairs))
                (void)fast_join_blocks(job, two, some, pairs, true, aside);
            __syncwarp();
        }
    }
}

/* ----- late and hard ------------------------------------------------------------------------------- */

/* One entry of `late`. */
__device__ static inline void fast_join_late(const fast_job &job, const uint4 &entry)
{
    fast_two two;
    two.slot_a = entry.x;
    two.slot_b = entry.y;
    two.w_a = (uint32_t)job.infos[entry.x].w;
    two.w_b = (uint32_t)job.infos[entry.y].w;
    two.mask_a = job.heads[entry.x].mask;
    two.mask_b = job.heads[entry.y].mask;
    two.code = entry.z;
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

/* What was put off: a warp 32 pairs or, of those a lane gave up, one. Most are in one set by now. */
__device__ static inline void fast_hard(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t entries = min(job.counters->late, job.late_limit);
    for (uint64_t k = team.thread / 32; k < entries; k += team.threads / 32) {
        const uint4 entry = job.late[k];
        if (entry.x != CLUMP_GPU_NONE) fast_join_late(job, entry);
        __syncwarp();
    }
    /* from the other end: the first warps are the ones that are busy with entries */
    const uint32_t pairs = min(job.counters->hard, job.hard_limit), warps = team.threads / 32;
    for (uint64_t k = warps - 1 - team.thread / 32; k < pairs; k += warps) {
        const uint2 pair = job.hard[k];
        if (__all_sync(~0u, fast_same_set(job.parents, pair.x, pair.y))) continue;
        if (fast_try_hard(job, fast_cell_range(job, pair.x), fast_cell_range(job, pair.y), true) && clump_lane() == 0)
            fast_unite(job.parents, pair.x, pair.y);
        __syncwarp();
    }
}

#endif
