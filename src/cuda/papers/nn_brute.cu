/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_brute.cu: see papers.h. A thread holds points of the reference cloud, as in the paper:
 *
 *     per-query    one launch per query: one point per thread, the minimum of a warp, of a thread block, of all
 *     batch        the kernel loops over the queries, 256 at a time in shared memory. Several points per thread, in
 *                  registers; the minimum of a warp is written to shared memory only where it is below the value there
 *
 * Distance and index are one key of 64 bits, with the distance in the upper half. The minimum is the nearest point and, of
 * equally near ones, that with the smallest index. Distances are not negative, so their bits have their order. The keys
 * begin with the bound and no index.
 */
#include "cuda/papers/papers.h"

#include "cuda/gpu/launch.h"
#include "cuda/gpu/warp.cuh"
#include "rules/distance.h"

#include <math.h>
#include <string.h>

enum {
    BRUTE_THREADS = 512, /* per thread block, as in the paper */
    BRUTE_WARPS = BRUTE_THREADS / 32,
    BRUTE_POINTS = 8,   /* per thread */
    BRUTE_TILE = 256,   /* queries in shared memory at a time */
    BRUTE_SEGMENTS = 8, /* parts of the queries, by thread blocks of their own */
    BRUTE_POLL = 64     /* launches between two polls */
};

static const uint32_t BRUTE_NONE = UINT32_MAX;

/* Returns a point; NaN where there is none, whose distances come after all others. */
__device__ static inline float4 load_point(const clump_cloud_view &cloud, uint64_t i)
{
    float x, y, z;
    bool finite, masked;
    if (i < cloud.count && clump_view_point(cloud, i, &x, &y, &z, &finite, &masked)) return make_float4(x, y, z, 0.0f);
    return make_float4(NAN, NAN, NAN, 0.0f);
}

__device__ static inline uint32_t bits_between(const float4 &p, const float4 &q)
{
    return (uint32_t)__float_as_int(clump_distance_squared(q.x, q.y, q.z, p.x, p.y, p.z)) & 0x7fffffffu;
}

__global__ static void begin_keys(unsigned long long *keys, uint32_t count, uint32_t bound)
{
    const uint64_t i = blockIdx.x * (uint64_t)BRUTE_THREADS + threadIdx.x;
    if (i < count) keys[i] = (unsigned long long)bound << 32 | BRUTE_NONE;
}

__global__ static void end_keys(const unsigned long long *keys, uint32_t count, int32_t *indices, float *d2)
{
    const uint64_t i = blockIdx.x * (uint64_t)BRUTE_THREADS + threadIdx.x;
    if (i >= count) return;
    const uint32_t index = (uint32_t)keys[i];
    indices[i] = (int32_t)index; /* BRUTE_NONE is -1 */
    if (d2) d2[i] = index == BRUTE_NONE ? INFINITY : __int_as_float((int)(keys[i] >> 32));
}

/* Lowers *best, which no other warp writes, to the smallest key of the warp. */
__device__ static inline void offer(unsigned long long *best, uint32_t bits, uint32_t index)
{
    const unsigned long long there = *best;
    const uint32_t least = clump_warp_min(bits);
    if ((unsigned long long)least << 32 > there) return;
    const uint32_t first = clump_warp_min(bits == least ? index : BRUTE_NONE);
    const unsigned long long key = (unsigned long long)least << 32 | first;
    __syncwarp(); /* all lanes have read it */
    if (threadIdx.x % 32 == 0 && key < there) *best = key;
}

__global__ static void __launch_bounds__(BRUTE_THREADS)
    one_query(clump_cloud_view points, clump_cloud_view queries, uint32_t query, unsigned long long *keys)
{
    __shared__ unsigned long long best[BRUTE_WARPS];
    const uint64_t i = blockIdx.x * (uint64_t)BRUTE_THREADS + threadIdx.x;
    if (threadIdx.x < BRUTE_WARPS) best[threadIdx.x] = keys[query]; /* may be outdated: the atomic minimum decides */
    __syncthreads();
    offer(&best[threadIdx.x / 32], bits_between(load_point(points, i), load_point(queries, query)), (uint32_t)i);
    __syncthreads();
    if (threadIdx.x < BRUTE_WARPS) atomicMin(&keys[query], best[threadIdx.x]);
}

__global__ static void __launch_bounds__(BRUTE_THREADS, 2)
    all_queries(clump_cloud_view points, clump_cloud_view queries, unsigned long long *keys)
{
    __shared__ float4 tile[BRUTE_TILE];
    __shared__ unsigned long long best[BRUTE_WARPS][BRUTE_TILE];
    const uint64_t base = blockIdx.x * (uint64_t)(BRUTE_THREADS * BRUTE_POINTS) + threadIdx.x;
    float4 mine[BRUTE_POINTS];
#pragma unroll
    for (int k = 0; k < BRUTE_POINTS; k++) mine[k] = load_point(points, base + (uint64_t)k * BRUTE_THREADS);
    for (uint64_t first = blockIdx.y * (uint64_t)BRUTE_TILE; first < queries.count;
         first += gridDim.y * (uint64_t)BRUTE_TILE) {
        const uint32_t count = (uint32_t)min((uint64_t)BRUTE_TILE, queries.count - first);
        __syncthreads();
        if (threadIdx.x < count) {
            tile[threadIdx.x] = load_point(queries, first + threadIdx.x);
            const unsigned long long key = keys[first + threadIdx.x];
            for (int w = 0; w < BRUTE_WARPS; w++) best[w][threadIdx.x] = key;
        }
        __syncthreads();
        for (uint32_t q = 0; q < count; q++) {
            uint32_t least = UINT32_MAX, which = 0;
#pragma unroll
            for (int k = 0; k < BRUTE_POINTS; k++) { /* of equal distances the first stays: the smaller index */
                const uint32_t bits = bits_between(mine[k], tile[q]);
                if (bits < least) least = bits, which = (uint32_t)k;
            }
            offer(&best[threadIdx.x / 32][q], least, (uint32_t)base + which * BRUTE_THREADS);
        }
        __syncthreads();
        if (threadIdx.x < count) {
            unsigned long long key = best[0][threadIdx.x];
            for (int w = 1; w < BRUTE_WARPS; w++) key = min(key, best[w][threadIdx.x]);
            if (key < keys[first + threadIdx.x]) atomicMin(&keys[first + threadIdx.x], key);
        }
    }
}

clump_status clump_cuda_brute_nearest(clump_work *work, clump_cuda *cuda, clump_device_buffer *memory, bool batch,
                                      const clump_cloud_view *points, const clump_cloud_view *queries, float bound,
                                      int32_t *indices, float *d2)
{
    const uint32_t n = points->count, m = queries->count;
    if (m == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, memory, m * sizeof(unsigned long long)));
    unsigned long long *const keys = (unsigned long long *)memory->data;
    CLUMP_ASSERT(bound >= 0);
    uint32_t bits;
    memcpy(&bits, &bound, sizeof bits);
    const char *const what = "searching neighbours";
    const uint32_t blocks = clump_grid_size(n, BRUTE_THREADS, CLUMP_GRID_MOST);
    const clump_launch per_query = {blocks, BRUTE_THREADS, 0, cuda->stream, false, 0};
    CLUMP_TRY(clump_launch_items(work, cuda, what, m, BRUTE_THREADS, CLUMP_GRID_MOST, begin_keys, keys, m, bits));
    if (batch && n > 0) {
        const uint64_t each = BRUTE_THREADS * BRUTE_POINTS; /* points of a thread block */
        const dim3 grid((uint32_t)((n + each - 1) / each), BRUTE_SEGMENTS);
        CLUMP_CUDA(
            work, cuda, what,
            (all_queries<<<grid, BRUTE_THREADS, 0, cuda->stream>>>(*points, *queries, keys), cudaGetLastError()));
    }
    for (uint32_t query = 0; !batch && n > 0 && query < m; query++) {
        if (query % BRUTE_POLL == 0) CLUMP_TRY(clump_cuda_poll(work, cuda));
        CLUMP_TRY(clump_launch_kernel(work, cuda, what, per_query, one_query, *points, *queries, query, keys));
    }
    return clump_launch_items(work, cuda, what, m, BRUTE_THREADS, CLUMP_GRID_MOST, end_keys, keys, m, indices, d2);
}
