/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.cuh: all pairs of neighbours, found in the two ways of cpu/six/neighbours.h, as kernels. What is
 * done with a pair is a visitor's, a small struct that goes into the kernel:
 *
 *     State begin(i, slot)             before the first neighbour of point i
 *     found(state, i, j, before)       a neighbour; `before` others were found with it, and come first
 *     advance(&state, n)               n were found; for one that only counts (COUNTS) n may be 0
 *     end(slot, state)                 after the last
 *
 * Exhaustive: a block has 512 points of its own in registers, four a thread, and all others pass by in
 * tiles in shared memory, every thread reading the same one at a time. For small clouds the others are
 * cut into parts, so that there are blocks enough for the GPU; a point has a slot for each part then.
 *
 *     part     0         1         2
 *     own 0  | block 0 | block 2 | block 4 |        AFTER (only pairs j > i): what is left of the
 *     own 1  | block 1 | block 3 | block 5 |        diagonal is skipped tile by tile
 *
 * Range: eight lanes a point, points in the order of the sort, so the four points of a warp are mostly of
 * one voxel and look at the same candidates. The nine rows of a voxel are looked up once, for all.
 */
#ifndef CLUMP_CUDA_SIX_NEIGHBOURS_CUH
#define CLUMP_CUDA_SIX_NEIGHBOURS_CUH

#include "cuda/gpu/device.h"
#include "rules/distance.h"

typedef struct clump_six_near {
    const float4 *points; /* P, place in w */
    uint32_t count;
    float bound;
    bool range;
    uint32_t parts, part_length; /* exhaustive, else 1: parts of the candidates, and points of one */
    const float4 *sorted;        /* range, and all below: P in the order of voxels */
    const uint32_t *voxel_of;    /* by place in sorted */
    const uint2 *rows;           /* nine a voxel: begin and end in sorted */
} clump_six_near;

/* Memory of the grid, that stays between calls. Zeroed is valid. */
typedef struct clump_grid_memory {
    clump_device_buffer keys[2], places[2], marks, sorted, voxels, starts, rows;
} clump_grid_memory;

void clump_grid_trim(clump_context *ctx, clump_cuda *cuda, clump_grid_memory *memory);

/* Prepares searches among the points for the method of that name: neighbours are those with d2 < job->bound. lower
 * and upper are the box of their voxels, for range. */
clump_status clump_near_prepare(clump_context *ctx, clump_cuda *cuda, clump_grid_memory *memory,
                                clump_device_buffer *temporary, const char *method, const clump_cloud_job *job,
                                bool range, const float4 *points, uint32_t count, const int32_t *lower,
                                const int32_t *upper, clump_six_near *near);

enum {
    CLUMP_NEAR_THREADS = 128, /* of a block */
    CLUMP_NEAR_OWN = 4,       /* points of a thread */
    CLUMP_NEAR_TILE = 256,
    CLUMP_NEAR_LANES = 8 /* for a point in a range search */
};

/* ----- exhaustive ---------------------------------------------------------------------------------- */

/* CHECK: the tile may hold a point of the thread's own, or for AFTER one before it. */
template <bool AFTER, bool CHECK, class Visit>
__device__ static inline void clump_pass_tile(const float4 *tile, uint32_t first, const float4 *own, float bound,
                                              typename Visit::State *state, const Visit &visit)
{
#pragma unroll 4
    for (uint32_t k = 0; k < CLUMP_NEAR_TILE; k++) {
        const float4 q = tile[k];
        const uint32_t j = first + k;
        bool hit[CLUMP_NEAR_OWN], any = false;
#pragma unroll
        for (int o = 0; o < CLUMP_NEAR_OWN; o++) {
            hit[o] = clump_distance_squared(own[o].x, own[o].y, own[o].z, q.x, q.y, q.z) < bound;
            if (CHECK) hit[o] &= AFTER ? j > __float_as_uint(own[o].w) : j != __float_as_uint(own[o].w);
            any |= hit[o];
        }
        if (Visit::COUNTS) {
#pragma unroll
            for (int o = 0; o < CLUMP_NEAR_OWN; o++) visit.advance(state[o], hit[o]);
        } else if (any) {
#pragma unroll
            for (int o = 0; o < CLUMP_NEAR_OWN; o++) {
                if (!hit[o]) continue;
                visit.found(state[o], __float_as_uint(own[o].w), j, 0);
                visit.advance(state[o], 1);
            }
        }
    }
}

/* Points that are not there are NaN: near nothing. */
template <bool AFTER, class Visit>
__global__ static void __launch_bounds__(CLUMP_NEAR_THREADS) clump_near_exhaustive(clump_six_near near, Visit visit)
{
    __shared__ float4 tile[CLUMP_NEAR_TILE];
    const uint32_t n = near.count, block_points = CLUMP_NEAR_THREADS * CLUMP_NEAR_OWN;
    const uint32_t blocks = (n + block_points - 1) / block_points;
    const uint32_t part = blockIdx.x / blocks, first = blockIdx.x % blocks * block_points;
    const float nan = __int_as_float(0x7fffffff);
    float4 own[CLUMP_NEAR_OWN];
    typename Visit::State state[CLUMP_NEAR_OWN];
#pragma unroll
    for (int o = 0; o < CLUMP_NEAR_OWN; o++) {
        const uint32_t i = first + o * CLUMP_NEAR_THREADS + threadIdx.x;
        own[o] = i < n ? near.points[i] : make_float4(nan, nan, nan, __uint_as_float(UINT32_MAX));
        state[o] = i < n ? visit.begin(i, (size_t)i * near.parts + part) : typename Visit::State();
    }
    uint32_t at = part * near.part_length;
    const uint32_t end = n - at < near.part_length ? n : at + near.part_length;
    if (AFTER && at < first) at = first / CLUMP_NEAR_TILE * CLUMP_NEAR_TILE;
    for (; at < end; at += CLUMP_NEAR_TILE) {
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < CLUMP_NEAR_TILE; k += CLUMP_NEAR_THREADS)
            tile[k] = at + k < n ? near.points[at + k] : make_float4(nan, nan, nan, nan);
        __syncthreads();
        if (at < first + block_points && at + CLUMP_NEAR_TILE > first)
            clump_pass_tile<AFTER, true>(tile, at, own, near.bound, state, visit);
        else
            clump_pass_tile<AFTER, false>(tile, at, own, near.bound, state, visit);
    }
#pragma unroll
    for (int o = 0; o < CLUMP_NEAR_OWN; o++) {
        const uint32_t i = first + o * CLUMP_NEAR_THREADS + threadIdx.x;
        if (i < n) visit.end((size_t)i * near.parts + part, state[o]);
    }
}

/* ----- range --------------------------------------------------------------------------------------- */

template <bool AFTER, class Visit>
__global__ static void __launch_bounds__(CLUMP_NEAR_THREADS) clump_near_range(clump_six_near near, Visit visit)
{
    const size_t place = (blockIdx.x * (size_t)CLUMP_NEAR_THREADS + threadIdx.x) / CLUMP_NEAR_LANES;
    if (place >= near.count) return; /* all lanes of a point together */
    const uint32_t lane = threadIdx.x % CLUMP_NEAR_LANES, shift = threadIdx.x % 32 - lane;
    const unsigned all = (1u << CLUMP_NEAR_LANES) - 1, group = all << shift;
    const float4 own = near.sorted[place];
    const uint32_t i = __float_as_uint(own.w);
    const uint2 *const rows = near.rows + (size_t)near.voxel_of[place] * 9;
    typename Visit::State state = visit.begin(i, i);
#pragma unroll 1
    for (int row = 0; row < 9; row++) {
        const uint2 stretch = rows[row];
        for (uint32_t k = stretch.x; k < stretch.y; k += CLUMP_NEAR_LANES) { /* the same k for all lanes */
            uint32_t j = i;
            bool hit = false;
            if (lane < stretch.y - k) {
                const float4 q = near.sorted[k + lane];
                j = __float_as_uint(q.w);
                hit = clump_distance_squared(own.x, own.y, own.z, q.x, q.y, q.z) < near.bound;
                hit &= AFTER ? j > i : j != i;
            }
            if (Visit::COUNTS) {
                visit.advance(state, hit);
                continue;
            }
            const unsigned hits = __ballot_sync(group, hit) >> shift & all;
            if (hit) visit.found(state, i, j, (uint32_t)__popc(hits & ((1u << lane) - 1)));
            visit.advance(state, (uint32_t)__popc(hits));
        }
    }
    if constexpr (Visit::COUNTS)
        for (int step = 1; step < CLUMP_NEAR_LANES; step *= 2) state += __shfl_xor_sync(group, state, step);
    if (lane == 0) visit.end(i, state);
}

/* Every pair of neighbours to the visitor: both ways round, or, AFTER, with i < j only. */
template <bool AFTER, class Visit>
static clump_status clump_near_each(clump_context *ctx, clump_cuda *cuda, const clump_six_near &near, Visit visit)
{
    const uint64_t n = near.count, block_points = CLUMP_NEAR_THREADS * CLUMP_NEAR_OWN;
    const uint64_t block_range = CLUMP_NEAR_THREADS / CLUMP_NEAR_LANES;
    if (near.range) {
        const uint32_t blocks = (uint32_t)((n + block_range - 1) / block_range);
        CLUMP_CUDA(ctx, cuda, "searching neighbours",
                   (clump_near_range<AFTER><<<blocks, CLUMP_NEAR_THREADS, 0, cuda->stream>>>(near, visit),
                    cudaGetLastError()));
    } else {
        const uint32_t blocks = (uint32_t)((n + block_points - 1) / block_points) * near.parts;
        CLUMP_CUDA(ctx, cuda, "searching neighbours",
                   (clump_near_exhaustive<AFTER><<<blocks, CLUMP_NEAR_THREADS, 0, cuda->stream>>>(near, visit),
                    cudaGetLastError()));
    }
    return CLUMP_OK;
}

#endif
