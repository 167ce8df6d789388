/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_extents.cuh: the phase `extents`: counts, extremes of coordinates, heights and the field, the least distance
 * from the sensor, and the octagon: the farthest points in eight directions.
 *
 * The eight directions are u, u + v, v, v - u and their opposites. Their keys (rules/float_key.h) are 32 bits; the key of
 * an opposite is the complement. The extremes of u and v are those of four directions. Projections on the others are
 * rounded, and that does no harm: any eight points of the cluster make a valid octagon (cpu/describe/hull.c).
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_EXTENTS_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_EXTENTS_CUH

#include "cuda/describe/describe_warp.cuh"

/* What one point adds to the extent of its cluster. */
typedef struct describe_reach {
    uint32_t key[DESCRIBE_OCTAGON / 2]; /* of the first four directions */
    unsigned long long nearest;
    uint32_t peak[DESCRIBE_PEAKS]; /* 0: not known */
} describe_reach;

__device__ static inline describe_reach describe_reach_of(const describe_job &job, const describe_point &p, uint64_t i)
{
    describe_reach r = {};
    if (p.label < 0) return r;
    r.key[0] = clump_key_of_float(p.u), r.key[1] = clump_key_of_float(__fadd_rn(p.u, p.v));
    r.key[2] = clump_key_of_float(p.v), r.key[3] = clump_key_of_float(__fsub_rn(p.v, p.u));
    const float sensor_v = job.in.up == CLUMP_UP_Y ? job.in.sensor[2] : job.in.sensor[1];
    const double d2 = clump_distance_above(p.u, p.v, job.in.sensor[0], sensor_v);
    r.nearest = ~(unsigned long long)__double_as_longlong(d2);
    if (clump_is_finite(p.w)) {
        r.peak[DESCRIBE_HIGHEST] = clump_key_of_float(p.w);
        r.peak[DESCRIBE_LOWEST] = ~r.peak[DESCRIBE_HIGHEST];
    }
    if (job.in.values) {
        const float value = describe_value(job, i);
        if (clump_is_finite(value)) {
            r.peak[DESCRIBE_MOST_VALUE] = clump_key_of_float(value);
            r.peak[DESCRIBE_LEAST_VALUE] = ~r.peak[DESCRIBE_MOST_VALUE];
        }
    }
    if (job.in.heights) {
        const float height = describe_coordinate((const char *)(job.in.heights + i), 0);
        if (clump_is_finite(height)) r.peak[DESCRIBE_HEIGHT] = clump_key_of_float(height);
    }
    return r;
}

/* Part of an extent, spread over the lanes: lane k has wide[k], peak[k], tally[k]. */
typedef struct describe_spread {
    unsigned long long wide;
    uint32_t peak, tally;
} describe_spread;

/* Combines the lanes of `mine`; `first` is the index of the point of lane 0. */
__device__ static inline describe_spread describe_spread_of(const describe_reach &r, bool mine, uint32_t first)
{
    const uint32_t lane = clump_lane();
    describe_spread s = {0, 0, 0};
#pragma unroll
    for (int k = 0; k < DESCRIBE_OCTAGON; k++) {
        const uint32_t key = !mine ? 0 : k < DESCRIBE_OCTAGON / 2 ? r.key[k % 4] : ~r.key[k % 4];
        const uint32_t best = describe_warp_max(key);
        const uint32_t at = (uint32_t)__ffs((int)__ballot_sync(~0u, mine && key == best)) - 1;
        if (lane == k) s.wide = (unsigned long long)best << 32 | (first + at);
    }
    const uint32_t high = mine ? (uint32_t)(r.nearest >> 32) : 0, best_high = describe_warp_max(high);
    const uint32_t low = describe_warp_max(mine && high == best_high ? (uint32_t)r.nearest : 0);
    if (lane == DESCRIBE_NEAREST) s.wide = (unsigned long long)best_high << 32 | low;
#pragma unroll
    for (int k = 0; k < DESCRIBE_PEAKS; k++) {
        const uint32_t best = describe_warp_max(mine ? r.peak[k] : 0);
        if (lane == k) s.peak = best;
    }
    const uint32_t points = __ballot_sync(~0u, mine), upright = __ballot_sync(~0u, mine && r.peak[DESCRIBE_HIGHEST]);
    const uint32_t values = __ballot_sync(~0u, mine && r.peak[DESCRIBE_MOST_VALUE]);
    if (lane < DESCRIBE_TALLIES)
        s.tally = (uint32_t)__popc(lane == DESCRIBE_POINTS ? points : lane == DESCRIBE_UPRIGHT ? upright : values);
    return s;
}

/* Atomic maximum. With `looks` it reads first: in later tiles of a large cloud most values are no larger. */
template <class T> __device__ static inline void describe_raise(T *to, T value, bool looks)
{
    if (value > (looks ? __ldcg(to) : 0)) atomicMax(to, value);
}

__device__ static inline void describe_add_spread(describe_extent *to, const describe_spread &s, bool looks)
{
    const uint32_t lane = clump_lane();
    if (lane < DESCRIBE_WIDE) describe_raise(&to->wide[lane], s.wide, looks);
    if (lane < DESCRIBE_PEAKS) describe_raise(&to->peak[lane], s.peak, looks);
    if (lane < DESCRIBE_TALLIES && s.tally > 0) atomicAdd(&to->tally[lane], s.tally);
}

/* Adds one point. It does not read first: it would wait. */
__device__ static inline void describe_add_reach(describe_extent *to, const describe_reach &r, uint32_t i)
{
#pragma unroll
    for (int k = 0; k < DESCRIBE_OCTAGON; k++) {
        const uint32_t key = k < DESCRIBE_OCTAGON / 2 ? r.key[k % 4] : ~r.key[k % 4];
        describe_raise(&to->wide[k], (unsigned long long)key << 32 | i, false);
    }
    describe_raise(&to->wide[DESCRIBE_NEAREST], r.nearest, false);
#pragma unroll
    for (int k = 0; k < DESCRIBE_PEAKS; k++) describe_raise(&to->peak[k], r.peak[k], false);
    atomicAdd(&to->tally[DESCRIBE_POINTS], 1);
    if (r.peak[DESCRIBE_HIGHEST]) atomicAdd(&to->tally[DESCRIBE_UPRIGHT], 1);
    if (r.peak[DESCRIBE_MOST_VALUE]) atomicAdd(&to->tally[DESCRIBE_VALUES], 1);
}

/* Combines the parts of the main cluster, one per warp, in the first warp. */
__device__ static inline describe_spread describe_combine(const describe_extent *parts)
{
    const uint32_t lane = clump_lane();
    describe_spread s = {0, 0, 0};
    for (int w = 0; w < DESCRIBE_POINT_WARPS; w++) {
        if (lane < DESCRIBE_WIDE) s.wide = max(s.wide, parts[w].wide[lane]);
        if (lane < DESCRIBE_PEAKS) s.peak = max(s.peak, parts[w].peak[lane]);
        if (lane < DESCRIBE_TALLIES) s.tally += parts[w].tally[lane];
    }
    return s;
}

__device__ static inline void describe_keep_spread(describe_extent *part, const describe_spread &s)
{
    const uint32_t lane = clump_lane();
    if (lane < DESCRIBE_WIDE) part->wide[lane] = s.wide;
    if (lane < DESCRIBE_PEAKS) part->peak[lane] = s.peak;
    if (lane < DESCRIBE_TALLIES) part->tally[lane] = s.tally;
}

/* One tile: a point per thread. */
__device__ static inline void describe_extents_of_tile(const describe_job &job, uint32_t clusters, uint64_t begin,
                                                       bool looks, describe_extent *parts)
{
    const uint64_t i = begin + threadIdx.x;
    const uint32_t first = (uint32_t)(i - clump_lane());
    const describe_point p = describe_read(job, i, clusters, true);
    const describe_reach r = describe_reach_of(job, p, i);
    const int32_t main_label = describe_main_label(p.label);
    describe_spread kept = {0, 0, 0};
    const uint32_t left = describe_each_group(p.label, [&](int32_t label, bool mine) {
        const describe_spread s = describe_spread_of(r, mine, first);
        if (label == main_label)
            kept = s;
        else
            describe_add_spread(&job.extents[label], s, looks);
    });
    if (left >> clump_lane() & 1) describe_add_reach(&job.extents[p.label], r, (uint32_t)i);
    if (main_label < 0) return;
    describe_keep_spread(&parts[threadIdx.x / 32], kept);
    __syncthreads();
    if (threadIdx.x < 32) describe_add_spread(&job.extents[main_label], describe_combine(parts), looks);
}

__device__ static inline void describe_extents(const describe_job &job)
{
    __shared__ describe_extent parts[DESCRIBE_POINT_WARPS];
    const uint32_t clusters = describe_clusters(job);
    const uint64_t n = job.in.view.count, step = (uint64_t)gridDim.x * DESCRIBE_POINT_THREADS;
    for (uint64_t begin = (uint64_t)blockIdx.x * DESCRIBE_POINT_THREADS; begin < n; begin += step) {
        describe_extents_of_tile(job, clusters, begin, begin >= step, parts);
        __syncthreads(); /* the next tile uses the shared memory again */
    }
}

#endif
