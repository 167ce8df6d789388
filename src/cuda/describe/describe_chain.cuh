/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_chain.cuh: the exact hull of sorted candidates. The lower and the upper side are chains of candidates from left
 * to right. A round removes every candidate of a chain that is not on the outer side of the line through its neighbours in
 * the chain, all at the same time:
 *
 *   (1) A candidate on or inside the line between two points of its cluster, one to its left and one to its right, is no
 *       corner of that side. So every removal is right, also where a neighbour is removed too.
 *   (2) Where a round removes nothing, all corners turn the same way: the chain is the side of the hull.
 *
 * A round removes about half of the candidates that are no corners. Where rounds remove next to nothing, one lane finishes
 * the chain as the CPU does (Andrew 1979), in linear time.
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_CHAIN_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_CHAIN_CUH

#include "cuda/describe/describe_warp.cuh"

/* ----- up to 32 candidates, by a warp in registers --------------------------------------------------- */

/* Sorts one key per lane. */
__device__ static inline uint64_t describe_sort_lanes(uint64_t key)
{
    const uint32_t lane = clump_lane();
    for (uint32_t size = 2; size <= 32; size *= 2)
        for (uint32_t step = size / 2; step > 0; step /= 2) {
            const uint64_t other = __shfl_xor_sync(~0u, key, step);
            const bool keeps_less = ((lane & step) == 0) == ((lane & size) == 0);
            key = (other < key) == keeps_less ? other : key;
        }
    return key;
}

/* The neighbours of a lane in a chain, which is a bit per lane. Lanes are sorted by their points. */
typedef struct describe_neighbours {
    clump_xy left, right;
    bool both; /* the lane is in the chain and has both */
} describe_neighbours;

__device__ static inline describe_neighbours describe_neighbours_in(uint32_t chain, clump_xy p)
{
    const uint32_t lane = clump_lane(), own = 1u << lane, below = chain & (own - 1), above = chain & ~(own - 1) & ~own;
    const int left = below ? 31 - __clz((int)below) : 0, right = above ? __ffs((int)above) - 1 : 0;
    return describe_neighbours{{__shfl_sync(~0u, p.x, left), __shfl_sync(~0u, p.y, left)},
                               {__shfl_sync(~0u, p.x, right), __shfl_sync(~0u, p.y, right)},
                               (chain & own) && below && above};
}

/* One round of both chains. The rounded signs of both come first: they do not wait for each other. */
__device__ static inline void describe_round_of_lanes(clump_xy p, uint32_t *lower, uint32_t *upper)
{
    const describe_neighbours l = describe_neighbours_in(*lower, p), u = describe_neighbours_in(*upper, p);
    int turns_lower = clump_orientation_rounded(l.left, p, l.right);
    int turns_upper = clump_orientation_rounded(u.left, p, u.right);
    if (l.both && turns_lower == 2) turns_lower = clump_orientation_exact(l.left, p, l.right);
    if (u.both && turns_upper == 2) turns_upper = clump_orientation_exact(u.left, p, u.right);
    __syncwarp();
    *lower &= ~__ballot_sync(~0u, l.both && turns_lower <= 0);
    *upper &= ~__ballot_sync(~0u, u.both && turns_upper >= 0);
}

/* Finds the hull of `count` candidates, one per lane from lane 0 on; writes its corners to hull[32] and returns their
 * number. */
__device__ static inline uint32_t describe_hull_of_lanes(clump_xy candidate, uint32_t count, clump_xy *hull)
{
    const uint32_t lane = clump_lane(), below = clump_lanes_below();
    const uint64_t none = UINT64_MAX; /* no key of a finite point */
    const uint64_t key = describe_sort_lanes(lane < count ? clump_key_of_xy(candidate.x, candidate.y) : none);
    const uint64_t before = __shfl_up_sync(~0u, key, 1);
    const clump_xy p = clump_xy_of_key(key);
    const uint32_t distinct = __ballot_sync(~0u, lane < count && (lane == 0 || key != before));
    uint32_t lower = distinct, upper = distinct;
    for (uint32_t last_lower = 0, last_upper = 0; last_lower != lower || last_upper != upper;) {
        last_lower = lower, last_upper = upper;
        describe_round_of_lanes(p, &lower, &upper);
    }
    const uint32_t ends = (distinct & (0u - distinct)) | 1u << (31 - __clz((int)distinct));
    upper &= ~ends;
    const uint32_t on_lower = (uint32_t)__popc(lower);
    if (lower >> lane & 1) hull[__popc(lower & below)] = p;
    if (upper >> lane & 1) hull[on_lower + (uint32_t)__popc(upper & ~below & ~(1u << lane))] = p;
    __syncwarp();
    return on_lower + (uint32_t)__popc(upper);
}

/* ----- more candidates, by a thread block ------------------------------------------------------------- */

__device__ static inline void describe_order_pair(uint64_t *keys, uint32_t a, uint32_t b, uint32_t count)
{
    if (b >= count) return;
    const uint64_t first = keys[a], second = keys[b];
    if (second < first) keys[a] = second, keys[b] = first;
}

/* Sorts `count` keys, by all threads of the thread block. Bitonic merges whose comparisons all put the smaller key first:
 * keys behind the last one would be the largest ones and never move. */
__device__ static inline void describe_sort_keys(uint64_t *keys, uint32_t count)
{
    for (uint32_t half = 1; half < count; half *= 2) {
        const uint32_t pairs = (count / 2 + half) & ~(half - 1); /* of whole merges; half is a power of two */
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < pairs; i += blockDim.x) {
            const uint32_t at = i & (half - 1), base = (i - at) * 2;
            describe_order_pair(keys, base + at, base + 2 * half - 1 - at, count);
        }
        for (uint32_t step = half / 2; step > 0; step /= 2) {
            __syncthreads();
            for (uint32_t i = threadIdx.x; i < pairs; i += blockDim.x) {
                const uint32_t at = i & (step - 1), base = (i - at) * 2;
                describe_order_pair(keys, base + at, base + at + step, count);
            }
        }
    }
    __syncthreads();
}

/* The functions below are for one warp. A chain holds places of keys, ascending. */

/* Fills a chain with all distinct keys; returns their number. */
__device__ static inline uint32_t describe_fill_chain(const uint64_t *keys, uint32_t count, uint32_t *chain)
{
    uint32_t kept = 0;
    for (uint32_t begin = 0; begin < count; begin += 32) {
        const uint32_t i = begin + clump_lane();
        const bool stays = i < count && (i == 0 || keys[i] != keys[i - 1]);
        const uint32_t all = __ballot_sync(~0u, stays);
        if (stays) chain[kept + (uint32_t)__popc(all & clump_lanes_below())] = i;
        kept += (uint32_t)__popc(all);
    }
    __syncwarp();
    return kept;
}

/* One round; returns how many are left. They move to the front, each batch of 32 over places that have been read. */
__device__ static inline uint32_t describe_round(const uint64_t *keys, uint32_t *chain, uint32_t count, int side)
{
    uint32_t kept = 0, last = 0;
    for (uint32_t begin = 0; begin < count; begin += 32) {
        const uint32_t i = begin + clump_lane(), own = i < count ? chain[i] : 0;
        uint32_t before = __shfl_up_sync(~0u, own, 1), after = __shfl_down_sync(~0u, own, 1);
        if (clump_lane() == 0) before = last;
        if (clump_lane() == 31 && i + 1 < count) after = chain[i + 1];
        last = __shfl_sync(~0u, own, 31);
        bool stays = i < count;
        if (stays && i > 0 && i + 1 < count)
            stays = side * clump_orientation(clump_xy_of_key(keys[before]), clump_xy_of_key(keys[own]),
                                             clump_xy_of_key(keys[after])) >
                    0;
        const uint32_t all = __ballot_sync(~0u, stays);
        __syncwarp();
        if (stays) chain[kept + (uint32_t)__popc(all & clump_lanes_below())] = own;
        kept += (uint32_t)__popc(all);
        __syncwarp();
    }
    return kept;
}

/* Finishes a chain by one lane; returns its length in all lanes. */
__device__ static inline uint32_t describe_finish_chain(const uint64_t *keys, uint32_t *chain, uint32_t count, int side)
{
    uint32_t n = 0;
    if (clump_lane() == 0)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t own = chain[i];
            const clump_xy p = clump_xy_of_key(keys[own]);
            while (n >= 2 && side * clump_orientation(clump_xy_of_key(keys[chain[n - 2]]),
                                                      clump_xy_of_key(keys[chain[n - 1]]), p) <=
                                 0)
                n--;
            chain[n++] = own;
        }
    __syncwarp();
    return __shfl_sync(~0u, n, 0);
}

/* Makes one side of the hull; returns its number of corners. */
__device__ static inline uint32_t describe_make_chain(const uint64_t *keys, uint32_t count, uint32_t *chain, int side)
{
    enum { FEW_REMOVED = 16, ROUNDS = 8 }; /* after so many rounds, fewer than one in 16 is too few */
    uint32_t left = describe_fill_chain(keys, count, chain);
    for (int round = 0;; round++) {
        const uint32_t before = left;
        left = describe_round(keys, chain, before, side);
        if (left == before) return left;
        if (round >= ROUNDS && (before - left) * FEW_REMOVED < before)
            return describe_finish_chain(keys, chain, left, side);
    }
}

#endif
