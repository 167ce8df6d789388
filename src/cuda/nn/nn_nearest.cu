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

/* Not measured on other machines. */
enum {
    NEAREST_MANY = 8,   /* above this many points, sorting all 32 is faster than inserting them one by one */
    NEAREST_QUERIES = 8 /* per warp, of find_one_in_tree */
};

/* ----- one, in a tree ------------------------------------------------------------------------------ */

/* The most frequent query. A warp takes several consecutive queries. Each begins with the result of the one before, which
 * is near in a scan. */
__global__ static void __launch_bounds__(WALK_THREADS)
    find_one_in_tree(clump_tree_view tree, clump_cloud_view queries, uint32_t bound, int32_t *indices, float *d2)
{
    const uint32_t lane = clump_lane();
    const uint64_t base = (blockIdx.x * (uint64_t)WALK_THREADS + threadIdx.x) / 32 * NEAREST_QUERIES;
    if (base >= queries.count) return;
    float x = 0, y = 0, z = 0;
    bool finite, masked, is_query = false;
    if (lane < NEAREST_QUERIES && base + lane < queries.count)
        is_query = clump_view_point(queries, base + lane, &x, &y, &z, &finite, &masked);
    const uint32_t wanted = __ballot_sync(~0u, is_query);
    uint32_t last = TREE_NONE, found_index = TREE_NONE, found_bits = 0;
    for (int k = 0; k < NEAREST_QUERIES; k++) {
        if (!(wanted >> k & 1)) continue;
        const tree_query q = {__shfl_sync(~0u, x, k), __shfl_sync(~0u, y, k), __shfl_sync(~0u, z, k)};
        tree_nearest_one search = {bound, TREE_NONE, last};
        if (last != TREE_NONE) {
            const float4 p = tree.points[last];
            const uint32_t bits = tree_point_bits(q, p);
            if (bits <= bound) search.best = bits, search.which = (uint32_t)__float_as_int(p.w);
        }
        tree_search(tree, q, search);
        if (search.which != TREE_NONE) last = search.place;
        if ((int)lane == k) found_index = search.which, found_bits = search.best;
    }
    if (lane >= NEAREST_QUERIES || base + lane >= queries.count) return;
    indices[base + lane] = (int32_t)found_index; /* TREE_NONE is -1 */
    if (d2) d2[base + lane] = found_index == TREE_NONE ? INFINITY : __int_as_float((int)found_bits);
}

/* ----- one, on other walks ------------------------------------------------------------------------------------- */

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
    CLUMP_ASSERT(k >= 1 && k <= 128);
    const uint32_t bits = walk_bits(bound);
    const char *const what = "searching neighbours";
    if (k == 1 && walk->kind == CLUMP_WALK_TREE) {
        const uint64_t warps = (queries->count + (uint64_t)NEAREST_QUERIES - 1) / NEAREST_QUERIES;
        if (warps == 0) return CLUMP_OK;
        return clump_launch_items(ctx, cuda, what, warps * 32, WALK_THREADS, CLUMP_GRID_MOST, find_one_in_tree,
                                  walk->tree, *queries, bits, indices, d2);
    }
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
