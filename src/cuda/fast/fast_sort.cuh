/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_sort.cuh: the points of crowded cells in an order in which those that follow each other are near each other. A
 * segment of points, at first a cell, is cut into 8 x 8 x 8 parts of the cube around it; parts that still hold many
 * points are the segments of the next round. A thread block a segment.
 *
 *     bounds     of the segment's points: parts are small where the points are, however small a place that is
 *     count      points of each part; sums of them are where parts begin
 *     scatter    each point to its part, in the table of blocks' positions, which nobody needs any more; and back
 *
 * A part is an eighth as wide as its segment at most, so FAST_CROWD_ROUNDS of them reach 2^-24 of a cell.
 * It is only an order: that two points are equally near, or one lies in the wrong part, changes no result.
 */
#ifndef CLUMP_CUDA_FAST_FAST_SORT_CUH
#define CLUMP_CUDA_FAST_FAST_SORT_CUH

#include "cuda/fast/fast_node.cuh"

enum {
    FAST_CROWD_THREADS = 256,
    FAST_CROWD_WARPS = FAST_CROWD_THREADS / 32,
    FAST_PARTS = 512, /* two a thread */
    FAST_AHEAD = 4,   /* points a thread has on the way: one segment may be the whole cloud */
    FAST_LEAF = 64    /* points that need no further order */
};

typedef struct fast_sort_memory {
    uint32_t at[FAST_PARTS], sums[FAST_CROWD_WARPS];
    float low[FAST_CROWD_WARPS][3], high[FAST_CROWD_WARPS][3];
    uint32_t list; /* fast_hot.cuh: where the cell's stretches are listed */
} fast_sort_memory;

/* Segments of a round, in the list of pairs that were put off, which are done: each has more than FAST_LEAF points
 * of its own, so half the list has room. */
__device__ static inline uint2 *fast_segments(const fast_job &job, uint32_t round)
{
    return job.hard + (round % 2) * (job.hard_limit / 2);
}

/* Up to FAST_AHEAD points from i on; beyond the last the last again. */
__device__ static inline void fast_load_some(const float4 *points, uint32_t count, uint32_t i, float4 *out)
{
    for (uint32_t k = 0; k < FAST_AHEAD; k++) out[k] = points[min(i + k * FAST_CROWD_THREADS, count - 1)];
}

/* The cube around all points: its lower corner and parts a unit of length, 0 where they are all in one place. */
__device__ static inline float fast_cube(const float4 *points, uint32_t count, fast_sort_memory *m, float *lower)
{
    const uint32_t t = threadIdx.x, warp = t / 32;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = t; i < count; i += FAST_AHEAD * FAST_CROWD_THREADS) {
        float4 some[FAST_AHEAD];
        fast_load_some(points, count, i, some);
        for (int k = 0; k < FAST_AHEAD; k++) {
            const float at[3] = {some[k].x, some[k].y, some[k].z};
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = fminf(low[axis], at[axis]);
                high[axis] = fmaxf(high[axis], at[axis]);
            }
        }
    }
    float longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        fast_warp_bounds(&low[axis], &high[axis]);
        if (t % 32 == 0) m->low[warp][axis] = low[axis], m->high[warp][axis] = high[axis];
    }
    __syncthreads();
    for (int axis = 0; axis < 3; axis++) {
        float most = m->high[0][axis];
        lower[axis] = m->low[0][axis];
        for (int w = 1; w < FAST_CROWD_WARPS; w++) {
            lower[axis] = fminf(lower[axis], m->low[w][axis]);
            most = fmaxf(most, m->high[w][axis]);
        }
        longest = fmaxf(longest, most - lower[axis]);
    }
    return longest > 0 ? fminf(8 / longest, 0x1p100f) : 0.0f;
}

/* Bits of the three axes taken in turns, so that parts that follow each other are near each other. */
__device__ static inline uint32_t fast_part_of(const float4 &p, const float *lower, float scale)
{
    const uint32_t x = min((uint32_t)((p.x - lower[0]) * scale), 7u), y = min((uint32_t)((p.y - lower[1]) * scale), 7u),
                   z = min((uint32_t)((p.z - lower[2]) * scale), 7u);
    uint32_t code = 0;
    for (uint32_t b = 0; b < 3; b++)
        code |= (x >> b & 1) << 3 * b | (y >> b & 1) << (3 * b + 1) | (z >> b & 1) << (3 * b + 2);
    return code;
}

/* One segment, by a thread block. */
__device__ static inline void fast_crowd_sort(const fast_job &job, uint32_t start, uint32_t count, uint32_t round,
                                              fast_sort_memory *m)
{
    const uint32_t t = threadIdx.x, hop = FAST_AHEAD * FAST_CROWD_THREADS;
    float4 *const points = job.sorted + start, *const spare = job.spare + start;
    float lower[3];
    m->at[2 * t] = m->at[2 * t + 1] = 0;
    const float scale = fast_cube(points, count, m, lower);
    if (scale == 0) return; /* for all threads */
    for (uint32_t i = t; i < count; i += hop) {
        float4 some[FAST_AHEAD];
        fast_load_some(points, count, i, some);
        for (uint32_t k = 0; k < FAST_AHEAD; k++)
            if (i + k * FAST_CROWD_THREADS < count) atomicAdd(&m->at[fast_part_of(some[k], lower, scale)], 1);
    }
    __syncthreads();
    const uint32_t counts[2] = {m->at[2 * t], m->at[2 * t + 1]};
    uint32_t total, before = clump_warp_scan(counts[0] + counts[1], &total);
    if (t % 32 == 0) m->sums[t / 32] = total;
    __syncthreads();
    for (uint32_t w = 0; w < t / 32; w++) before += m->sums[w];
    for (uint32_t k = 0; k < 2; k++) {
        m->at[2 * t + k] = before;
        if (counts[k] > FAST_LEAF && round + 1 < FAST_CROWD_ROUNDS) {
            const uint32_t at = atomicAdd(&job.counters->crowd_segments[round + 1], 1);
            fast_segments(job, round + 1)[at] = make_uint2(start + before, counts[k]);
        }
        before += counts[k];
    }
    __syncthreads();
    for (uint32_t i = t; i < count; i += hop) {
        float4 some[FAST_AHEAD];
        fast_load_some(points, count, i, some);
        for (uint32_t k = 0; k < FAST_AHEAD; k++)
            if (i + k * FAST_CROWD_THREADS < count)
                spare[atomicAdd(&m->at[fast_part_of(some[k], lower, scale)], 1)] = some[k];
    }
    __syncthreads();
    for (uint32_t i = t; i < count; i += hop) {
        float4 some[FAST_AHEAD];
        fast_load_some(spare, count, i, some);
        for (uint32_t k = 0; k < FAST_AHEAD; k++)
            if (i + k * FAST_CROWD_THREADS < count) points[i + k * FAST_CROWD_THREADS] = some[k];
    }
}

#endif
