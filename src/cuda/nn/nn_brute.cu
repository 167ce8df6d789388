/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_brute.cu: see nn_brute.h. A thread has points of the reference cloud, as in the paper:
 *
 *     per-query    a launch a query: a point a thread, the least of a warp, of a block, of all
 *     batch        queries are looped over inside the kernel, 256 at a time in shared memory. Some points a thread, in
 *                  registers; the least of a warp goes to its place in shared memory only where it beats what is there
 *
 * Distance and index are one number of 64 bits, the distance above: the least of these is the nearest point and, of several,
 * that with the smallest index. As distances are not negative their bits have their order. The numbers begin at the bound,
 * and an index that is none.
 */
#include "cuda/nn/nn_brute.h"

#include "cuda/gpu/warp.cuh"
#include "rules/distance.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 512, /* threads */
    POLLED = 64, /* launches between two polls */
    WARPS = BLOCK / 32,
    POINTS = 8,  /* of a thread */
    TILE = 256,  /* queries at a time */
    SEGMENTS = 8 /* shares of them */
};

static const uint32_t NO_INDEX = UINT32_MAX;

/* NaN where there is none: its distances are none, and come after all that are. */
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
    const uint64_t i = blockIdx.x * (uint64_t)BLOCK + threadIdx.x;
    if (i < count) keys[i] = (unsigned long long)bound << 32 | NO_INDEX;
}

__global__ static void end_keys(const unsigned long long *keys, uint32_t count, int32_t *indices, float *d2)
{
    const uint64_t i = blockIdx.x * (uint64_t)BLOCK + threadIdx.x;
    if (i >= count) return;
    const uint32_t index = (uint32_t)keys[i];
    indices[i] = (int32_t)index; /* NO_INDEX is -1 */
    if (d2) d2[i] = index == NO_INDEX ? INFINITY : __int_as_float((int)(keys[i] >> 32));
}

/* Puts the least key of a warp where it belongs, if it is less than what is there: a place of the warp's own. */
__device__ static inline void offer(unsigned long long *best, uint32_t bits, uint32_t index)
{
    const unsigned long long there = *best;
    const uint32_t least = clump_warp_min(bits);
    if ((unsigned long long)least << 32 > there) return;
    const uint32_t first = clump_warp_min(bits == least ? index : NO_INDEX);
    const unsigned long long key = (unsigned long long)least << 32 | first;
    __syncwarp(); /* all have read it */
    if (threadIdx.x % 32 == 0 && key < there) *best = key;
}

__global__ static void __launch_bounds__(BLOCK)
    one_query(clump_cloud_view points, clump_cloud_view queries, uint32_t query, unsigned long long *keys)
{
    __shared__ unsigned long long best[WARPS];
    const uint64_t i = blockIdx.x * (uint64_t)BLOCK + threadIdx.x;
    if (threadIdx.x < WARPS) best[threadIdx.x] = keys[query]; /* nothing is lost if others have less by now */
    __syncthreads();
    offer(&best[threadIdx.x / 32], bits_between(load_point(points, i), load_point(queries, query)), (uint32_t)i);
    __syncthreads();
    if (threadIdx.x < WARPS) atomicMin(&keys[query], best[threadIdx.x]);
}

__global__ static void __launch_bounds__(BLOCK, 2)
    all_queries(clump_cloud_view points, clump_cloud_view queries, unsigned long long *keys)
{
    __shared__ float4 tile[TILE];
    __shared__ unsigned long long best[WARPS][TILE];
    const uint64_t base = blockIdx.x * (uint64_t)(BLOCK * POINTS) + threadIdx.x;
    float4 mine[POINTS];
#pragma unroll
    for (int k = 0; k < POINTS; k++) mine[k] = load_point(points, base + (uint64_t)k * BLOCK);
    for (uint64_t first = blockIdx.y * (uint64_t)TILE; first < queries.count; first += gridDim.y * (uint64_t)TILE) {
        const uint32_t count = (uint32_t)min((uint64_t)TILE, queries.count - first);
        __syncthreads();
        if (threadIdx.x < count) {
            tile[threadIdx.x] = load_point(queries, first + threadIdx.x);
            const unsigned long long key = keys[first + threadIdx.x];
            for (int w = 0; w < WARPS; w++) best[w][threadIdx.x] = key;
        }
        __syncthreads();
        for (uint32_t q = 0; q < count; q++) {
            uint32_t least = UINT32_MAX, which = 0;
#pragma unroll
            for (int k = 0; k < POINTS; k++) { /* of equals the first stays, which has the smaller index */
                const uint32_t bits = bits_between(mine[k], tile[q]);
                if (bits < least) least = bits, which = (uint32_t)k;
            }
            offer(&best[threadIdx.x / 32][q], least, (uint32_t)base + which * BLOCK);
        }
        __syncthreads();
        if (threadIdx.x < count) {
            unsigned long long key = best[0][threadIdx.x];
            for (int w = 1; w < WARPS; w++) key = min(key, best[w][threadIdx.x]);
            if (key < keys[first + threadIdx.x]) atomicMin(&keys[first + threadIdx.x], key);
        }
    }
}

void clump_cuda_brute_release(clump_context *ctx, clump_cuda *cuda, clump_cuda_brute *brute)
{
    clump_device_release(ctx, cuda, &brute->keys);
}

clump_status clump_cuda_brute_nearest(clump_context *ctx, clump_cuda *cuda, clump_cuda_brute *brute, bool batch,
                                      const clump_cloud_view *points, const clump_cloud_view *queries, float bound,
                                      int32_t *indices, float *d2)
{
    const uint32_t n = points->count, m = queries->count;
    if (m == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &brute->keys, m * sizeof(unsigned long long)));
    unsigned long long *const keys = (unsigned long long *)brute->keys.data;
    uint32_t bits;
    memcpy(&bits, &bound, sizeof bits);
    const uint32_t by_query = (uint32_t)((m + (uint64_t)BLOCK - 1) / BLOCK);
    const cudaStream_t stream = cuda->stream;
    CLUMP_CUDA(ctx, cuda, "searching neighbours",
               (begin_keys<<<by_query, BLOCK, 0, stream>>>(keys, m, bits), cudaGetLastError()));
    if (batch && n > 0) {
        const dim3 grid((uint32_t)((n + (uint64_t)(BLOCK * POINTS) - 1) / (BLOCK * POINTS)), SEGMENTS);
        CLUMP_CUDA(ctx, cuda, "searching neighbours",
                   (all_queries<<<grid, BLOCK, 0, stream>>>(*points, *queries, keys), cudaGetLastError()));
    }
    for (uint32_t query = 0; !batch && n > 0 && query < m; query++) {
        if (query % POLLED == 0) CLUMP_TRY(clump_cuda_poll(ctx, cuda));
        CLUMP_CUDA(ctx, cuda, "searching neighbours",
                   (one_query<<<(uint32_t)((n + (uint64_t)BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(*points, *queries,
                                                                                                   query, keys),
                    cudaGetLastError()));
    }
    CLUMP_CUDA(ctx, cuda, "searching neighbours",
               (end_keys<<<by_query, BLOCK, 0, stream>>>(keys, m, indices, d2), cudaGetLastError()));
    return CLUMP_OK;
}
