/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_sort.cuh: sorts the points of hot cells so that points that follow each other are close. A segment is a run of
 * points in `sorted`, at first a whole cell. A thread block cuts a segment into 8 x 8 x 8 parts of the cube around its
 * points; parts that still hold many points are the segments of the next round.
 *
 *     bounds     of the points of the segment: parts are small where the points are dense
 *     count      points per part; a prefix sum gives where each part begins
 *     scatter    each point to its part in `spare`, and back to `sorted`
 *
 * A part is at most an eighth as wide as its segment, so FAST_HOT_ROUNDS rounds reach 2^-24 of a cell. The order is a
 * heuristic: a point in a wrong part changes no result.
 */
#ifndef CLUMP_CUDA_FAST_FAST_SORT_CUH
#define CLUMP_CUDA_FAST_FAST_SORT_CUH

#include "cuda/fast/fast_node.cuh"

enum {
    FAST_HOT_THREADS = 256,
    FAST_HOT_WARPS = FAST_HOT_THREADS / 32,
    FAST_PARTS = 512, /* 8 x 8 x 8: two per thread */
    FAST_AHEAD = 4,   /* loads in flight per thread: one segment may be the whole cloud */
    FAST_LEAF = 64    /* a part with at most 64 points, two chunks, is not sorted further */
};

typedef struct fast_sort_memory {
    uint32_t at[FAST_PARTS], sums[FAST_HOT_WARPS];
    float low[FAST_HOT_WARPS][3], high[FAST_HOT_WARPS][3];
    uint32_t list; /* fast_hot.cuh: where the stretches of the cell are listed */
} fast_sort_memory;

/* Returns the list of segments of a round. It shares the memory of hard_pairs. Each segment has more than FAST_LEAF
 * points, so half of that memory is enough. */
__device__ static inline uint2 *fast_segments(const fast_job &job, uint32_t round)
{
    return job.hard_pairs + (round % 2) * (job.hard_limit / 2);
}

/* Loads FAST_AHEAD points of this thread from i on; beyond the last point it loads the last again. */
__device__ static inline void fast_load_ahead(const float4 *points, uint32_t count, uint32_t i, float4 *out)
{
    for (uint32_t k = 0; k < FAST_AHEAD; k++) out[k] = points[min(i + k * FAST_HOT_THREADS, count - 1)];
}

/* Finds the cube around all points: its lower corner. Returns the number of parts per unit of length; 0: all points are
 * equal. */
__device__ static inline float fast_cube(const float4 *points, uint32_t count, fast_sort_memory *m, float *lower)
{
    const uint32_t t = threadIdx.x, warp = t / 32;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = t; i < count; i += FAST_AHEAD * FAST_HOT_THREADS) {
        float4 loaded[FAST_AHEAD];
        fast_load_ahead(points, count, i, loaded);
        for (int k = 0; k < FAST_AHEAD; k++) {
            const float at[3] = {loaded[k].x, loaded[k].y, loaded[k].z};
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
        for (int w = 1; w < FAST_HOT_WARPS; w++) {
            lower[axis] = fminf(lower[axis], m->low[w][axis]);
            most = fmaxf(most, m->high[w][axis]);
        }
        longest = fmaxf(longest, most - lower[axis]);
    }
    return longest > 0 ? fminf(8 / longest, 0x1p100f) : 0.0f;
}

/* Returns the Morton code of the part that holds p: parts that follow each other are close. */
__device__ static inline uint32_t fast_part_of(const float4 &p, const float *lower, float scale)
{
    const uint32_t x = min((uint32_t)((p.x - lower[0]) * scale), 7u), y = min((uint32_t)((p.y - lower[1]) * scale), 7u),
                   z = min((uint32_t)((p.z - lower[2]) * scale), 7u);
    uint32_t code = 0;
    for (uint32_t b = 0; b < 3; b++)
        code |= (x >> b & 1) << 3 * b | (y >> b & 1) << (3 * b + 1) | (z >> b & 1) << (3 * b + 2);
    return code;
}

/* Calls f(i, point i) for all points, by a thread block. */
template <class F> __device__ static inline void fast_each_point(const float4 *points, uint32_t count, F f)
{
    for (uint32_t i = threadIdx.x; i < count; i += FAST_AHEAD * FAST_HOT_THREADS) {
        float4 loaded[FAST_AHEAD];
        fast_load_ahead(points, count, i, loaded);
        for (uint32_t k = 0; k < FAST_AHEAD; k++)
            if (i + k * FAST_HOT_THREADS < count) f(i + k * FAST_HOT_THREADS, loaded[k]);
    }
}

/* Sorts one segment, by a thread block. */
__device__ static inline void fast_sort_segment(const fast_job &job, uint32_t start, uint32_t count, uint32_t round,
                                                fast_sort_memory *m)
{
    const uint32_t t = threadIdx.x;
    float4 *const points = job.sorted + start, *const spare = job.spare + start;
    float lower[3];
    m->at[2 * t] = m->at[2 * t + 1] = 0;
    const float scale = fast_cube(points, count, m, lower);
    if (scale == 0) return; /* for all threads */
    fast_each_point(points, count,
                    [=](uint32_t, const float4 &p) { atomicAdd(&m->at[fast_part_of(p, lower, scale)], 1); });
    __syncthreads();
    const uint32_t counts[2] = {m->at[2 * t], m->at[2 * t + 1]};
    uint32_t total, before = clump_warp_scan(counts[0] + counts[1], &total);
    if (t % 32 == 0) m->sums[t / 32] = total;
    __syncthreads();
    for (uint32_t w = 0; w < t / 32; w++) before += m->sums[w];
    for (uint32_t k = 0; k < 2; k++) {
        m->at[2 * t + k] = before;
        if (counts[k] > FAST_LEAF && round + 1 < FAST_HOT_ROUNDS) {
            const uint32_t at = atomicAdd(&job.counters->hot_segments[round + 1], 1);
            fast_segments(job, round + 1)[at] = make_uint2(start + before, counts[k]);
        }
        before += counts[k];
    }
    __syncthreads();
    fast_each_point(points, count,
                    [=](uint32_t, const float4 &p) { spare[atomicAdd(&m->at[fast_part_of(p, lower, scale)], 1)] = p; });
    __syncthreads();
    fast_each_point(spare, count, [=](uint32_t i, const float4 &p) { points[i] = p; });
}

#endif
