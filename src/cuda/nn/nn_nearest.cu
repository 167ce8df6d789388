/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_nearest.cu: the nearest points of every query, one or several, on any walk (nn_walk.h). A neighbour is a key of 64
 * bits, the distance in the upper half and the index in the lower: the smaller, the nearer.
 *
 *     best[0]   | 3 | 5 | 5 | 8 | ...      one per lane, ascending
 *     best[1]   | 9 | ...                  the next 32, for k > 32; four rows are enough for 128
 *
 * A point that is nearer than number k - 1 moves those after it up by one lane. Where many of 32 points are nearer, they
 * are sorted first. A bitonic merge then keeps the nearer half of two sorted rows.
 */
#include "cuda/nn/nn_walk.cuh"

enum { NEAREST_MANY = 8 }; /* above this many points, sorting all 32 is faster than inserting them one by one */

/* ----- one ----------------------------------------------------------------------------------------- */

/* The nearest point of each lane, on walks that do not use bits() and index(). */
struct nearest_of_lane {
    uint64_t best;

    __device__ void take(const float4 &p, uint32_t bits, uint32_t)
    {
        const uint64_t key = tree_key(bits, p);
        best = key < best ? key : best;
    }
};

template <class WALK>
__global__ static void __launch_bounds__(WALK_THREADS)
    find_one(WALK walk, clump_cloud_view queries, uint32_t first, uint32_t last, uint32_t bound, int32_t *indices,
             float *d2)
{
    uint32_t i;
    if (!walk_query(first, last, &i)) return;
    tree_query q;
    nearest_of_lane search = {(uint64_t)bound << 32 | TREE_NONE};
    if (walk_point(queries, i, &q)) walk.nearest(q, search);
    const uint32_t bits = (uint32_t)(search.best >> 32), least = clump_warp_min(bits),
                   index = clump_warp_min(bits == least ? (uint32_t)search.best : TREE_NONE);
    if (clump_lane() > 0) return;
    indices[i] = (int32_t)index; /* TREE_NONE is -1 */
    if (d2) d2[i] = index == TREE_NONE ? INFINITY : __int_as_float((int)least);
}

/* ----- several ------------------------------------------------------------------------------------- */

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

template <class WALK, int ROWS>
__global__ static void __launch_bounds__(WALK_THREADS)
    find_k(WALK walk, clump_cloud_view queries, uint32_t first, uint32_t last, uint32_t k, uint32_t bound,
           int32_t *indices, float *d2)
{
    uint32_t i;
    if (!walk_query(first, last, &i)) return;
    nearest_k<ROWS> search;
    search.worst = (uint64_t)bound << 32 | TREE_NONE;
    search.k = k;
#pragma unroll
    for (int r = 0; r < ROWS; r++) search.best[r] = search.worst;
    tree_query q;
    if (walk_point(queries, i, &q)) walk.nearest(q, search);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const uint32_t at = 32 * (uint32_t)r + clump_lane(), index = (uint32_t)search.best[r];
        if (at >= k) return;
        indices[(size_t)i * k + at] = (int32_t)index;
        if (d2) d2[(size_t)i * k + at] = index == TREE_NONE ? INFINITY : __int_as_float((int)(search.best[r] >> 32));
    }
}

clump_status clump_walk_nearest(clump_context *ctx, clump_cuda *cuda, const clump_walk *walk,
                                const clump_cloud_view *queries, uint32_t k, float bound, int32_t *indices, float *d2)
{
    if (k == 1 && walk->kind == CLUMP_WALK_TREE)
        return clump_cuda_tree_nearest(ctx, cuda, &walk->tree, queries, bound, indices, d2);
    CLUMP_ASSERT(k >= 1 && k <= 128);
    const uint32_t bits = walk_bits(bound);
    const char *const what = "searching neighbours";
    return walk_by(cuda, walk, queries->count,
                   [=](auto way, uint32_t first, uint32_t last, const clump_launch &grid) -> clump_status {
                       using W = decltype(way);
                       if constexpr (W::kind != CLUMP_WALK_TREE)
                           if (k == 1)
                               return clump_launch_kernel(ctx, cuda, what, grid, find_one<W>, way, *queries, first,
                                                          last, bits, indices, d2);
                       const auto kernel = k <= 32 ? find_k<W, 1> : k <= 64 ? find_k<W, 2> : find_k<W, 4>;
                       return clump_launch_kernel(ctx, cuda, what, grid, kernel, way, *queries, first, last, k, bits,
                                                  indices, d2);
                   });
}
