/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_nearest.cu: the nearest points of every query, one or several, on any walk (nn_walk.h). A neighbour is one number of
 * 64 bits, its distance above its index: the less, the nearer.
 *
 *     best[0]   | 3 | 5 | 5 | 8 | ...      a lane each, ascending
 *     best[1]   | 9 | ...                  the next 32, for k > 32; four rows are enough for 128
 *
 * A point that is nearer than number k - 1 moves those after it up by a lane. Where many of 32 points are, they are sorted
 * first, and two sorted rows become one by a bitonic merge, of which the nearer half stays.
 */
#include "cuda/nn/nn_walk.cuh"

enum { MANY = 8 }; /* points, from which on sorting them all takes less than putting them in one by one */

/* ----- one ----------------------------------------------------------------------------------------- */

/* The best of each lane, on walks that do not ask what is wanted. */
struct nearest_of_lane {
    uint64_t best;

    __device__ void take(const float4 &p, uint32_t bits, uint32_t)
    {
        const uint64_t key = tree_key(bits, p);
        best = key < best ? key : best;
    }
};

template <class WALK>
__global__ static void __launch_bounds__(WALK_BLOCK)
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
    if (tree_lane() > 0) return;
    indices[i] = (int32_t)index; /* TREE_NONE is -1 */
    if (d2) d2[i] = index == TREE_NONE ? INFINITY : __int_as_float((int)least);
}

/* ----- several ------------------------------------------------------------------------------------- */

/* One step of a sorting network: the lesser of two lanes goes to the lower one, or to the upper. */
__device__ static inline uint64_t exchanged(uint64_t key, int step, bool lesser)
{
    const uint64_t other = __shfl_xor_sync(~0u, key, step);
    return (key < other) == lesser ? key : other;
}

__device__ static inline uint64_t sorted_lanes(uint64_t key)
{
    const int lane = (int)tree_lane();
    for (int width = 2; width <= 32; width *= 2)
        for (int step = width / 2; step > 0; step /= 2)
            key = exchanged(key, step, ((lane & step) == 0) == ((lane & width) == 0));
    return key;
}

/* The same for lanes that rise and then fall, or the other way round. */
__device__ static inline uint64_t merged_lanes(uint64_t key)
{
    for (int step = 16; step > 0; step /= 2) key = exchanged(key, step, ((int)tree_lane() & step) == 0);
    return key;
}

template <int ROWS> struct nearest_some {
    uint64_t best[ROWS];
    uint64_t worst; /* number k - 1, the same in all lanes */
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
        const uint32_t lane = tree_lane();
#pragma unroll
        for (int r = 0; r < ROWS; r++) { /* what falls out at the end of a row begins the next */
            const uint64_t mine = best[r], before = __shfl_up_sync(~0u, mine, 1), out = __shfl_sync(~0u, mine, 31);
            const uint32_t later = __ballot_sync(~0u, mine > key);
            if (later == 0) continue;
            const uint32_t at = (uint32_t)__ffs((int)later) - 1;
            best[r] = lane < at ? mine : lane == at ? key : before;
            key = out;
        }
        find_worst();
    }

    /* A key a lane. Of a row and of 32 keys turned round, both sorted, the lesser of each lane's two are the 32 least. */
    __device__ void insert_all(uint64_t key)
    {
        key = sorted_lanes(key);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const uint64_t mine = best[r], other = __shfl_sync(~0u, key, 31 - (int)tree_lane());
            best[r] = merged_lanes(mine < other ? mine : other);
            if (r + 1 < ROWS) key = merged_lanes(mine < other ? other : mine);
        }
        find_worst();
    }

    __device__ void take(const float4 &p, uint32_t theirs, uint32_t)
    {
        const uint64_t key = tree_key(theirs, p);
        uint32_t lanes = __ballot_sync(~0u, key < worst);
        if (__popc(lanes) > MANY) {
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
__global__ static void __launch_bounds__(WALK_BLOCK)
    find_some(WALK walk, clump_cloud_view queries, uint32_t first, uint32_t last, uint32_t k, uint32_t bound,
              int32_t *indices, float *d2)
{
    uint32_t i;
    if (!walk_query(first, last, &i)) return;
    nearest_some<ROWS> search;
    search.worst = (uint64_t)bound << 32 | TREE_NONE;
    search.k = k;
#pragma unroll
    for (int r = 0; r < ROWS; r++) search.best[r] = search.worst;
    tree_query q;
    if (walk_point(queries, i, &q)) walk.nearest(q, search);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const uint32_t at = 32 * (uint32_t)r + tree_lane(), index = (uint32_t)search.best[r];
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
    const uint32_t bits = walk_bits(bound);
    const cudaStream_t stream = cuda->stream;
    return walk_by(walk, queries->count, [=](auto way, uint32_t first, uint32_t last, uint32_t blocks) -> clump_status {
        using W = decltype(way);
        if constexpr (W::kind != CLUMP_WALK_TREE)
            if (k == 1) {
                CLUMP_CUDA(ctx, cuda, "searching neighbours",
                           (find_one<<<blocks, WALK_BLOCK, 0, stream>>>(way, *queries, first, last, bits, indices, d2),
                            cudaGetLastError()));
                return CLUMP_OK;
            }
        const auto kernel = k <= 32 ? find_some<W, 1> : k <= 64 ? find_some<W, 2> : find_some<W, 4>;
        CLUMP_CUDA(ctx, cuda, "searching neighbours",
                   (kernel<<<blocks, WALK_BLOCK, 0, stream>>>(way, *queries, first, last, k, bits, indices, d2),
                    cudaGetLastError()));
        return CLUMP_OK;
    });
}
