/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_radius.cu: number and list of the points within a distance of every query, on any walk (nn_walk.h).
 *
 * Counting does not open boxes that lie wholly within the distance: their number of points is known. A row is filled in
 * the order of the walk and then sorted by index. The sorting network always moves the smaller entry to the front, so a row
 * may have any length:
 *
 *     up to 256        in shared memory, by the warp that found the points
 *     up to 4096       later by a thread block, in shared memory; such rows are listed while they are filled
 *     longer           later by a thread block, in global memory
 */
#include "cuda/nn/nn_walk.cuh"

enum {
    RADIUS_SHORT_ROW = 256,   /* 16 KiB of shared memory per thread block of WALK_WARPS warps */
    RADIUS_SHARED_ROW = 4096, /* 32 KiB of shared memory */
    RADIUS_SORT_THREADS = 512 /* per thread block */
};

/* ----- count --------------------------------------------------------------------------------------- */

/* Counts the points of each lane. */
struct count_within {
    uint32_t bound, finite, found;

    /* Points that are not finite are at the end of the tree. */
    __device__ bool takes_whole(const clump_tree_view &, uint32_t box, int level)
    {
        const uint64_t points = (uint64_t)1 << 5 * (level + 1), from = box * points;
        if (from < finite) found += (uint32_t)min(points, finite - from);
        return true;
    }
    __device__ void take(const float4 &, uint32_t bits, uint32_t)
    {
        found += bits <= bound;
    }
};

template <class WALK>
__global__ static void __launch_bounds__(WALK_THREADS)
    count_rows(WALK walk, clump_cloud_view queries, uint32_t first, uint32_t last, uint32_t bound, uint32_t *counts)
{
    uint32_t i;
    if (!walk_query(first, last, &i)) return;
    tree_query q;
    count_within search = {bound, walk.finite(), 0};
    if (walk_point(queries, i, &q)) walk.within(q, bound, search);
    uint32_t found = search.found;
    for (int step = 16; step > 0; step /= 2) found += __shfl_xor_sync(~0u, found, step);
    if (clump_lane() == 0) counts[i] = found;
}

/* ----- sort ---------------------------------------------------------------------------------------- */

/* Sorts n entries by `threads` threads, of which this is number `thread`. order(a, b), with a < b, swaps entries that are
 * out of order; sync waits for all threads. Runs of `width` entries are sorted already. Two of them become one: the first
 * entry is compared with the last of the second run, and so on to the middle, then halves of halves. Entries at n and
 * beyond count as larger than all others and stay there. */
template <class ORDER, class SYNC>
__device__ static inline void sort_row(uint32_t n, uint32_t thread, uint32_t threads, ORDER order, SYNC sync)
{
    for (int log = 0; 1u << log < n; log++) {
        const uint32_t width = 1u << log, pairs = ((n + 2 * width - 1) >> (log + 1)) << log;
        for (uint32_t t = thread; t < pairs; t += threads) {
            const uint32_t base = t >> log << (log + 1), at = t & (width - 1), b = base + 2 * width - 1 - at;
            if (b < n) order(base + at, b);
        }
        sync();
        for (int half = log - 1; half >= 0; half--) {
            const uint32_t step = 1u << half;
            for (uint32_t t = thread; t < pairs; t += threads) {
                const uint32_t a = (t >> half << (half + 1)) + (t & (step - 1));
                if (a + step < n) order(a, a + step);
            }
            sync();
        }
    }
}

/* Keys with the index in the upper half and the distance in the lower. */
struct order_keys {
    uint64_t *keys;

    __device__ void operator()(uint32_t a, uint32_t b) const
    {
        const uint64_t x = keys[a], y = keys[b];
        if (x > y) keys[a] = y, keys[b] = x;
    }
};

struct order_rows {
    int32_t *indices;
    float *d2;

    __device__ void operator()(uint32_t a, uint32_t b) const
    {
        const int32_t x = indices[a], y = indices[b];
        if (x <= y) return;
        indices[a] = y, indices[b] = x;
        if (!d2) return;
        const float at_a = d2[a];
        d2[a] = d2[b], d2[b] = at_a;
    }
};

__device__ static inline uint64_t row_key(uint32_t index, uint32_t bits)
{
    return (uint64_t)index << 32 | bits;
}

__device__ static inline void store_row(const uint64_t *keys, uint32_t n, uint32_t thread, uint32_t threads,
                                        int32_t *indices, float *d2)
{
    for (uint32_t t = thread; t < n; t += threads) {
        indices[t] = (int32_t)(keys[t] >> 32);
        if (d2) d2[t] = __int_as_float((int)(uint32_t)keys[t]);
    }
}

/* Sorts the rows of a list: list[0] is their number, list[1 ...] are the queries. */
__global__ static void __launch_bounds__(RADIUS_SORT_THREADS)
    sort_long_rows(const uint32_t *list, const int64_t *offsets, int32_t *indices, float *d2)
{
    __shared__ uint64_t keys[RADIUS_SHARED_ROW];
    const uint32_t thread = threadIdx.x;
    for (uint32_t r = blockIdx.x; r < list[0]; r += gridDim.x) {
        const int64_t begin = offsets[list[1 + r]];
        const uint32_t n = (uint32_t)(offsets[list[1 + r] + 1] - begin);
        int32_t *const row = indices + begin;
        float *const row_d2 = d2 ? d2 + begin : NULL;
        if (n > RADIUS_SHARED_ROW) {
            sort_row(n, thread, RADIUS_SORT_THREADS, order_rows{row, row_d2}, []() { __syncthreads(); });
            continue;
        }
        for (uint32_t t = thread; t < n; t += RADIUS_SORT_THREADS)
            keys[t] = row_key((uint32_t)row[t], row_d2 ? (uint32_t)__float_as_int(row_d2[t]) : 0);
        __syncthreads();
        sort_row(n, thread, RADIUS_SORT_THREADS, order_keys{keys}, []() { __syncthreads(); });
        store_row(keys, n, thread, RADIUS_SORT_THREADS, row, row_d2);
        __syncthreads();
    }
}

/* ----- fill ---------------------------------------------------------------------------------------- */

struct fill_row {
    uint32_t bound;
    uint64_t room, found;
    uint64_t *keys; /* of a short row; null: entries go to indices and d2 */
    int32_t *indices;
    float *d2;

    __device__ bool takes_whole(const clump_tree_view &, uint32_t, int)
    {
        return false;
    }
    __device__ void take(const float4 &p, uint32_t bits, uint32_t)
    {
        const bool within = bits <= bound;
        const uint32_t which = __ballot_sync(~0u, within), before = which & ((1u << clump_lane()) - 1);
        const uint64_t at = found + (uint32_t)__popc(before);
        found += (uint32_t)__popc(which);
        if (!within || at >= room) return;
        if (keys) {
            keys[at] = row_key((uint32_t)__float_as_int(p.w), bits);
            return;
        }
        indices[at] = __float_as_int(p.w);
        if (d2) d2[at] = __int_as_float((int)bits);
    }
};

template <class WALK>
__global__ static void __launch_bounds__(WALK_THREADS)
    fill_rows(WALK walk, clump_cloud_view queries, uint32_t first, uint32_t last, uint32_t bound,
              const int64_t *offsets, int32_t *indices, float *d2, uint32_t *long_rows, unsigned long long *misfit)
{
    __shared__ uint64_t shared[WALK_WARPS][RADIUS_SHORT_ROW];
    uint32_t i;
    if (!walk_query(first, last, &i)) return;
    const int64_t begin = offsets[i], end = offsets[i + 1];
    bool fits = begin >= 0 && end >= begin && (i > 0 || begin == 0) && (indices || end == begin);
    tree_query q;
    fill_row search = {bound, fits ? (uint64_t)(end - begin) : 0, 0, NULL, NULL, NULL};
    uint64_t *const keys = shared[threadIdx.x / 32];
    constexpr bool sorted = WALK::kind == CLUMP_WALK_LIST;
    if (!sorted && search.room <= RADIUS_SHORT_ROW) search.keys = keys;
    if (search.room > 0) search.indices = indices + begin, search.d2 = d2 ? d2 + begin : NULL;
    if (fits && walk_point(queries, i, &q)) walk.within(q, bound, search);
    if (!fits || search.found != search.room) {
        if (clump_lane() == 0) atomicMin(misfit, (unsigned long long)i);
        return;
    }
    if (sorted) return;
    if (search.keys) {
        __syncwarp();
        sort_row((uint32_t)search.room, clump_lane(), 32, order_keys{keys}, []() { __syncwarp(); });
        store_row(keys, (uint32_t)search.room, clump_lane(), 32, search.indices, search.d2);
    } else if (clump_lane() == 0) {
        long_rows[1 + atomicAdd(long_rows, 1)] = i;
    }
}

/* ----- launches ------------------------------------------------------------------------------------ */

clump_status clump_walk_count(clump_work *work, clump_cuda *cuda, const clump_walk *walk,
                              const clump_cloud_view *queries, float bound, uint32_t *counts)
{
    const uint32_t bits = walk_bits(bound);
    return walk_by(cuda, walk, queries->count,
                   [=](auto way, uint32_t first, uint32_t last, const clump_launch &grid) -> clump_status {
                       return clump_launch_kernel(work, cuda, "counting neighbours", grid, count_rows<decltype(way)>,
                                                  way, *queries, first, last, bits, counts);
                   });
}

clump_status clump_walk_fill(clump_work *work, clump_cuda *cuda, const clump_walk *walk,
                             const clump_cloud_view *queries, float bound, const int64_t *offsets, int32_t *indices,
                             float *d2, uint32_t *long_rows, unsigned long long *misfit)
{
    const uint32_t bits = walk_bits(bound);
    CLUMP_CUDA(work, cuda, "filling rows", cudaMemsetAsync(misfit, 0xff, sizeof *misfit, cuda->stream));
    CLUMP_CUDA(work, cuda, "filling rows", cudaMemsetAsync(long_rows, 0, sizeof *long_rows, cuda->stream));
    CLUMP_TRY(walk_by(cuda, walk, queries->count,
                      [=](auto way, uint32_t first, uint32_t last, const clump_launch &grid) -> clump_status {
                          return clump_launch_kernel(work, cuda, "filling rows", grid, fill_rows<decltype(way)>, way,
                                                     *queries, first, last, bits, offsets, indices, d2, long_rows,
                                                     misfit);
                      }));
    if (queries->count == 0 || walk->kind == CLUMP_WALK_LIST) return CLUMP_OK;
    const clump_launch l = {2 * (uint32_t)cuda->units, RADIUS_SORT_THREADS, 0, cuda->stream, false, 0};
    return clump_launch_kernel(work, cuda, "sorting rows", l, sort_long_rows, long_rows, offsets, indices, d2);
}
