/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_sums.cuh: the phase `sums`: integer sums of coordinates (rules/mean.h), with AXES also of their products
 * (rules/covariance.h), and the candidates of the hulls.
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_SUMS_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_SUMS_CUH

#include "cuda/describe/describe_plan.cuh"
#include "cuda/describe/describe_warp.cuh"

/* What one point adds: offsets, and with AXES their moments. */
template <bool AXES> struct describe_addends {
    static const int COUNT = DESCRIBE_SUMS + (AXES ? DESCRIBE_MOMENTS : 0);
    unsigned long long sum[COUNT];
};

/* Adds the moments of a point. The order is that of describe_total. */
__device__ static inline void describe_moments_of(const describe_plan &plan, const describe_point &p,
                                                  unsigned long long *sum)
{
    uint32_t q[3];
#pragma unroll
    for (int k = 0; k < 3; k++) q[k] = clump_moment_offset(p.x[k], plan.lower[k], plan.moment_scale[k]);
    int pair = 0;
#pragma unroll
    for (int a = 0; a < 3; a++) {
        sum[a] = q[a];
#pragma unroll
        for (int b = a; b < 3; b++, pair++) {
            const unsigned long long product = (unsigned long long)q[a] * q[b];
            sum[3 + pair] = product & 0xffffffffu;
            sum[3 + CLUMP_PAIRS_OF_AXES + pair] = product >> 32;
        }
    }
}

template <bool AXES>
__device__ static inline describe_addends<AXES> describe_addends_of(const describe_job &job, const describe_plan &plan,
                                                                    const describe_point &p, uint64_t i)
{
    describe_addends<AXES> r = {};
    if (p.label < 0) return r;
#pragma unroll
    for (int k = 0; k < 3; k++)
        if (plan.scale[k] > 0 && clump_is_finite(p.x[k]))
            r.sum[k] = (unsigned long long)clump_axis_offset(p.x[k], plan.lower[k], plan.scale[k]);
    if (job.in.values && plan.scale[3] > 0) {
        const float value = describe_value(job, i);
        if (clump_is_finite(value))
            r.sum[3] = (unsigned long long)clump_axis_offset(value, plan.lower[3], plan.scale[3]);
    }
    if (AXES && clump_is_finite(p.w)) describe_moments_of(plan, p, r.sum + DESCRIBE_SUMS);
    return r;
}

/* Lane k gets the sum number k over the lanes of `mine`. */
template <bool AXES>
__device__ static inline unsigned long long describe_sum_of_lanes(const describe_addends<AXES> &r, bool mine)
{
    unsigned long long own = 0;
#pragma unroll
    for (int k = 0; k < r.COUNT; k++) {
        const unsigned long long sum = describe_warp_sum_wide(mine ? r.sum[k] : 0);
        if (clump_lane() == k) own = sum;
    }
    return own;
}

/* Finds the edge that a point is farthest outside of, and the depth there. Returns false where it is left of all edges. */
__device__ static inline bool describe_is_candidate(const describe_plan &plan, const describe_point &p, uint8_t *edge,
                                                    float *least_depth)
{
    *edge = 0, *least_depth = 0;
    if (!plan.filtered) return true;
    const float u = p.u - plan.corner[0].x, v = p.v - plan.corner[0].y;
    float least = 4; /* above all depths */
#pragma unroll
    for (int k = 0; k < DESCRIBE_OCTAGON; k++) {
        const float4 h = *(const float4 *)&plan.inside[k];
        const float depth = describe_depth(describe_half_plane{h.x, h.y, h.z, 0}, u, v);
        if (depth < least) least = depth, *edge = (uint8_t)k;
    }
    *least_depth = least;
    return !(least > 0);
}

/* Appends the points of the lanes with `is` to the candidates of their clusters, and notes one of the warp that is far
 * outside of its edge. All lanes call it. */
__device__ static inline void describe_append(const describe_job &job, const describe_plan &plan,
                                              const describe_point &p, bool is, uint8_t edge, float depth)
{
    if (!__any_sync(~0u, is)) return;
    const uint32_t same = __match_any_sync(~0u, is ? p.label : -1);
    const int leader = __ffs((int)same) - 1;
    uint32_t place = 0;
    if (is && (int)clump_lane() == leader) place = atomicAdd(&job.totals[p.label].candidates, (uint32_t)__popc(same));
    place = __shfl_sync(~0u, place, leader) + (uint32_t)__popc(same & clump_lanes_below());
    if (is) job.candidates[plan.start + place] = clump_xy{p.u, p.v}, job.edges[plan.start + place] = edge;
    const uint32_t key = ~clump_key_of_float(depth);
    const uint64_t group = (uint64_t)(uint32_t)p.label << 8 | edge;
    describe_each_best(is && describe_outside(depth), group, key, 1, threadIdx.x / 32,
                       [&]() { atomicMax(&job.totals[p.label].far[edge], (unsigned long long)key << 32 | place); });
}

/* One tile: a point per thread. */
template <bool AXES>
__device__ static inline void describe_sums_of_tile(const describe_job &job, uint32_t clusters, uint64_t begin,
                                                    unsigned long long (*parts)[describe_addends<AXES>::COUNT])
{
    const uint32_t lane = clump_lane(), count = describe_addends<AXES>::COUNT;
    const uint64_t i = begin + threadIdx.x;
    const describe_point p = describe_read(job, i, clusters, false);
    const describe_plan &plan = job.plans[p.label < 0 ? 0 : p.label]; /* of label 0 nothing is used then */
    const describe_addends<AXES> r = describe_addends_of<AXES>(job, plan, p, i);
    const int32_t main_label = describe_main_label(p.label);
    unsigned long long kept = 0;
    const uint32_t left = describe_each_group(p.label, [&](int32_t label, bool mine) {
        const unsigned long long own = describe_sum_of_lanes<AXES>(r, mine);
        if (label == main_label)
            kept = own;
        else if (lane < count && own > 0)
            atomicAdd(&job.totals[label].sum[lane], own);
    });
    if (left >> lane & 1)
        for (uint32_t k = 0; k < count; k++)
            if (r.sum[k] > 0) atomicAdd(&job.totals[p.label].sum[k], r.sum[k]);
    uint8_t edge = 0;
    float depth = 0;
    const bool is = p.label >= 0 && describe_is_candidate(plan, p, &edge, &depth);
    describe_append(job, plan, p, is, edge, depth);
    if (main_label < 0) return;
    if (lane < count) parts[threadIdx.x / 32][lane] = kept;
    __syncthreads();
    if (threadIdx.x >= count) return;
    unsigned long long sum = 0;
    for (int w = 0; w < DESCRIBE_POINT_WARPS; w++) sum += parts[w][lane];
    if (sum > 0) atomicAdd(&job.totals[main_label].sum[lane], sum);
}

template <bool AXES> __device__ static inline void describe_sums(const describe_job &job)
{
    __shared__ unsigned long long parts[DESCRIBE_POINT_WARPS][describe_addends<AXES>::COUNT];
    const uint32_t clusters = describe_clusters(job);
    const uint64_t n = job.in.view.count, step = (uint64_t)gridDim.x * DESCRIBE_POINT_THREADS;
    for (uint64_t begin = (uint64_t)blockIdx.x * DESCRIBE_POINT_THREADS; begin < n; begin += step) {
        describe_sums_of_tile<AXES>(job, clusters, begin, parts);
        __syncthreads(); /* the next tile uses the shared memory again */
    }
}

#endif
