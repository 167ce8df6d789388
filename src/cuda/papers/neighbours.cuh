/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.cuh: all pairs of neighbours, found in the two ways of cpu/papers/neighbours.h, as kernels. A visitor, a small
 * struct that is passed to the kernel, handles the pairs:
 *
 *     State begin(i, slot)             before the first neighbour of point i
 *     found(state, i, j, before)       a neighbour; `before` others were found at the same time and precede it
 *     advance(&state, n)               n were found; n may be 0 for a visitor that only counts (COUNTS)
 *     end(slot, state)                 after the last neighbour
 *
 * Exhaustive search: a thread block holds 512 points of its own in registers, four per thread. All candidates pass by in
 * tiles in shared memory, of which all threads read the same point at a time. For small clouds the candidates are cut
 * into parts, so that there are enough thread blocks for the GPU. A point has one slot per part then.
 *
 *     part     0          1          2
 *     own 0  | blockIdx 0 | 2        | 4        |        AFTER (only pairs j > i): tiles left of the
 *     own 1  | blockIdx 1 | 3        | 5        |        diagonal are skipped
 *
 * Range search: eight lanes per point, and points in the order of the sort. So the four points of a warp mostly lie in
 * one voxel and read the same candidates. The nine rows of a voxel are looked up once per voxel.
 */
#ifndef CLUMP_CUDA_PAPERS_NEIGHBOURS_CUH
#define CLUMP_CUDA_PAPERS_NEIGHBOURS_CUH

#include "cuda/gpu/launch.h"
#include "rules/distance.h"

typedef struct clump_six_search {
    const float4 *points; /* P, place in w */
    uint32_t count;
    float bound;
    bool range;                  /* range search; otherwise exhaustive */
    uint32_t parts, part_length; /* exhaustive: parts of the candidates, and points per part; range: parts is 1 */
    const float4 *sorted;        /* range, as the two below: P in the order of voxels */
    const uint32_t *voxel_of;    /* by place in sorted */
    const uint2 *rows;           /* nine per voxel: begin and end in sorted */
} clump_six_search;

/* Memory of the grid, which stays between calls. Zeroed is valid. */
typedef struct clump_six_grid {
    clump_device_buffer keys[2], places[2], marks, sorted, voxels, starts, rows;
} clump_six_grid;

void clump_six_grid_trim(clump_work *work, clump_cuda *cuda, clump_six_grid *memory);

/* Prepares searches among the points: neighbours have d2 < job->bound. `method` is for error messages. lower and upper
 * are the box of the points' voxels, for range search. */
clump_status clump_six_search_prepare(clump_work *work, clump_cuda *cuda, clump_six_grid *memory,
                                      clump_device_buffer *temporary, const char *method, const clump_cloud_job *job,
                                      bool range, const float4 *points, uint32_t count, const int32_t *lower,
                                      const int32_t *upper, clump_six_search *search);

enum {
    NEIGHBOURS_THREADS = 128, /* per thread block */
    NEIGHBOURS_OWN = 4,       /* points per thread */
    NEIGHBOURS_TILE = 256,    /* points */
    NEIGHBOURS_LANES = 8      /* per point in a range search */
};

/* ----- exhaustive ---------------------------------------------------------------------------------- */

/* CHECK: the tile may hold a point of the thread itself, or, for AFTER, one before it. */
template <bool AFTER, bool CHECK, class Visit>
__device__ static inline void clump_six_pass_tile(const float4 *tile, uint32_t first, const float4 *own, float bound,
                                                  typename Visit::State *state, const Visit &visit)
{
#pragma unroll 4
    for (uint32_t k = 0; k < NEIGHBOURS_TILE; k++) {
        const float4 q = tile[k];
        const uint32_t j = first + k;
        bool hit[NEIGHBOURS_OWN], any = false;
#pragma unroll
        for (int o = 0; o < NEIGHBOURS_OWN; o++) {
            hit[o] = clump_distance_squared(own[o].x, own[o].y, own[o].z, q.x, q.y, q.z) < bound;
            if (CHECK) hit[o] &= AFTER ? j > __float_as_uint(own[o].w) : j != __float_as_uint(own[o].w);
            any |= hit[o];
        }
        if (Visit::COUNTS) {
#pragma unroll
            for (int o = 0; o < NEIGHBOURS_OWN; o++) visit.advance(state[o], hit[o]);
        } else if (any) {
#pragma unroll
            for (int o = 0; o < NEIGHBOURS_OWN; o++) {
                if (!hit[o]) continue;
                visit.found(state[o], __float_as_uint(own[o].w), j, 0);
                visit.advance(state[o], 1);
            }
        }
    }
}

/* Places past the last point are NaN, which is no neighbour of any point. */
template <bool AFTER, class Visit>
__global__ static void __launch_bounds__(NEIGHBOURS_THREADS) clump_six_exhaustive(clump_six_search search, Visit visit)
{
    __shared__ float4 tile[NEIGHBOURS_TILE];
    const uint32_t n = search.count, block_points = NEIGHBOURS_THREADS * NEIGHBOURS_OWN;
    const uint32_t blocks = (n + block_points - 1) / block_points;
    const uint32_t part = blockIdx.x / blocks, first = blockIdx.x % blocks * block_points;
    const float nan = __int_as_float(0x7fffffff);
    float4 own[NEIGHBOURS_OWN];
    typename Visit::State state[NEIGHBOURS_OWN];
#pragma unroll
    for (int o = 0; o < NEIGHBOURS_OWN; o++) {
        const uint32_t i = first + o * NEIGHBOURS_THREADS + threadIdx.x;
        own[o] = i < n ? search.points[i] : make_float4(nan, nan, nan, __uint_as_float(UINT32_MAX));
        state[o] = i < n ? visit.begin(i, (size_t)i * search.parts + part) : typename Visit::State();
    }
    uint32_t at = part * search.part_length;
    const uint32_t end = n - at < search.part_length ? n : at + search.part_length;
    if (AFTER && at < first) at = first / NEIGHBOURS_TILE * NEIGHBOURS_TILE;
    for (; at < end; at += NEIGHBOURS_TILE) {
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < NEIGHBOURS_TILE; k += NEIGHBOURS_THREADS)
            tile[k] = at + k < n ? search.points[at + k] : make_float4(nan, nan, nan, nan);
        __syncthreads();
        if (at < first + block_points && at + NEIGHBOURS_TILE > first)
            clump_six_pass_tile<AFTER, true>(tile, at, own, search.bound, state, visit);
        else
            clump_six_pass_tile<AFTER, false>(tile, at, own, search.bound, state, visit);
    }
#pragma unroll
    for (int o = 0; o < NEIGHBOURS_OWN; o++) {
        const uint32_t i = first + o * NEIGHBOURS_THREADS + threadIdx.x;
        if (i < n) visit.end((size_t)i * search.parts + part, state[o]);
    }
}

/* ----- range --------------------------------------------------------------------------------------- */

template <bool AFTER, class Visit>
__global__ static void __launch_bounds__(NEIGHBOURS_THREADS) clump_six_range(clump_six_search search, Visit visit)
{
    const size_t place = (blockIdx.x * (size_t)NEIGHBOURS_THREADS + threadIdx.x) / NEIGHBOURS_LANES;
    if (place >= search.count) return; /* all lanes of a point */
    const uint32_t lane = threadIdx.x % NEIGHBOURS_LANES, shift = threadIdx.x % 32 - lane;
    const unsigned all = (1u << NEIGHBOURS_LANES) - 1, group = all << shift;
    const float4 own = search.sorted[place];
    const uint32_t i = __float_as_uint(own.w);
    const uint2 *const rows = search.rows + (size_t)search.voxel_of[place] * 9;
    typename Visit::State state = visit.begin(i, i);
#pragma unroll 1
    for (int row = 0; row < 9; row++) {
        const uint2 span = rows[row];
        for (uint32_t k = span.x; k < span.y; k += NEIGHBOURS_LANES) { /* k is equal in all lanes */
            uint32_t j = i;
            bool hit = false;
            if (lane < span.y - k) {
                const float4 q = search.sorted[k + lane];
                j = __float_as_uint(q.w);
                hit = clump_distance_squared(own.x, own.y, own.z, q.x, q.y, q.z) < search.bound;
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
        for (int step = 1; step < NEIGHBOURS_LANES; step *= 2) state += __shfl_xor_sync(group, state, step);
    if (lane == 0) visit.end(i, state);
}

/* Calls the visitor for every pair of neighbours: for both (i, j) and (j, i), or, AFTER, with i < j only. */
template <bool AFTER, class Visit>
static clump_status clump_six_visit_pairs(clump_work *work, clump_cuda *cuda, const clump_six_search &search,
                                          Visit visit)
{
    const uint64_t n = search.count;
    const char *const what = "searching neighbours";
    if (search.range)
        return clump_launch_items(work, cuda, what, n * NEIGHBOURS_LANES, NEIGHBOURS_THREADS, CLUMP_GRID_MOST,
                                  clump_six_range<AFTER, Visit>, search, visit);
    const uint32_t points = NEIGHBOURS_THREADS * NEIGHBOURS_OWN; /* of a thread block */
    const clump_launch l = {
        (uint32_t)((n + points - 1) / points) * search.parts, NEIGHBOURS_THREADS, 0, cuda->stream, false, 0};
    return clump_launch_kernel(work, cuda, what, l, clump_six_exhaustive<AFTER, Visit>, search, visit);
}

#endif
