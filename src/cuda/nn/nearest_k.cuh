/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nearest_k.cuh: a search for the k nearest points of a query, by a warp. A neighbour is a key of 64 bits, the distance in
 * the upper half and the index in the lower: the smaller, the nearer.
 *
 *     best[0]   | 3 | 5 | 5 | 8 | ...      one per lane, ascending
 *     best[1]   | 9 | ...                  the next 32, for k > 32; four rows are enough for 128
 *
 * A point that is nearer than number k - 1 moves those after it up by one lane. Where many of 32 points are nearer, they
 * are sorted first. A bitonic merge then keeps the nearer half of two sorted rows.
 */
#ifndef CLUMP_CUDA_NN_NEAREST_K_CUH
#define CLUMP_CUDA_NN_NEAREST_K_CUH

#include "cuda/nn/tree_search.cuh"

/* Above this many points, sorting all 32 is faster than inserting them one by one. */
enum { NEAREST_MANY = 8 };

/* One step of a sorting network: returns the smaller key of two lanes, or the larger. */
__device__ static inline uint64_t exchanged(uint64_t key, int step, bool smaller)
{
    const uint64_t other = __shfl_xor_sync(~0u, key, step);
    return (key < other) == smaller ? key : other;
}

/* Sorts the keys of all lanes. */
__device__ static inline uint64_t sorted_lanes(uint64_t key)
{
    const int lane = (int)clump_lane();
    for (int width = 2; width <= 32; width *= 2)
        for (int step = width / 2; step > 0; step /= 2)
            key = exchanged(key, step, ((lane & step) == 0) == ((lane & width) == 0));
    return key;
}

/* Sorts the keys of lanes that rise and then fall, or fall and then rise. */
__device__ static inline uint64_t merged_lanes(uint64_t key)
{
    for (int step = 16; step > 0; step /= 2) key = exchanged(key, step, ((int)clump_lane() & step) == 0);
    return key;
}

template <int ROWS> struct nearest_k {
    uint64_t best[ROWS];
    uint64_t worst; /* number k - 1, equal in all lanes */
    uint32_t k;

    __device__ uint32_t bits() const
    {
        return (uint32_t)(worst >> 32);
    }
    __device__ uint32_t index() const
    {
        return (uint32_t)worst;
    }

    __device__ void find_worst()
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if ((k - 1) / 32 == (uint32_t)r) worst = __shfl_sync(~0u, best[r], (int)((k - 1) % 32));
    }

    __device__ void insert(uint64_t key)
    {
        const uint32_t lane = clump_lane();
#pragma unroll
        for (int r = 0; r < ROWS; r++) { /* the last key of a row moves to the next row */
            const uint64_t mine = best[r], before = __shfl_up_sync(~0u, mine, 1), out = __shfl_sync(~0u, mine, 31);
            const uint32_t later = __ballot_sync(~0u, mine > key);
            if (later == 0) continue;
            const uint32_t at = (uint32_t)__ffs((int)later) - 1;
            best[r] = lane < at ? mine : lane == at ? key : before;
            key = out;
        }
        find_worst();
    }

    /* Inserts one key per lane. Of a sorted row and 32 sorted keys in reverse, the smaller key of each lane's two are the
     * 32 smallest. */
    __device__ void insert_all(uint64_t key)
    {
        key = sorted_lanes(key);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const uint64_t mine = best[r], other = __shfl_sync(~0u, key, 31 - (int)clump_lane());
            best[r] = merged_lanes(mine < other ? mine : other);
            if (r + 1 < ROWS) key = merged_lanes(mine < other ? other : mine);
        }
        find_worst();
    }

    __device__ void take(const float4 &p, uint32_t theirs, uint32_t)
    {
        const uint64_t key = tree_key(theirs, p);
        uint32_t lanes = __ballot_sync(~0u, key < worst);
        if (__popc(lanes) > NEAREST_MANY) {
            insert_all(key < worst ? key : UINT64_MAX);
            return;
        }
        for (; lanes; lanes &= lanes - 1) {
            const uint64_t next = __shfl_sync(~0u, key, __ffs((int)lanes) - 1);
            if (next < worst) insert(next);
        }
    }
};

#endif
