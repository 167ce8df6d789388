/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_warp.cuh: how the points of a warp, or of a thread block, are added to their clusters. Consecutive points are
 * mostly in the same cluster:
 *
 *     warp           DESCRIBE_GROUP or more lanes of one cluster are reduced together, cluster by cluster. The other lanes
 *                    add their points alone, all at the same time
 *     thread block   the cluster that most warps begin with is the main one. Its part of each warp goes to shared memory,
 *                    and one warp adds them all: else the many warps of a large cluster would contend
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_WARP_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_WARP_CUH

#include "cuda/describe/describe_job.cuh"

enum { DESCRIBE_GROUP = 6 };

/* The largest value and the sum of all lanes, in all lanes. All lanes call them. */
__device__ static inline uint32_t describe_warp_max(uint32_t value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, value);
#else
    for (int step = 16; step > 0; step /= 2) value = max(value, __shfl_xor_sync(~0u, value, step));
    return value;
#endif
}

__device__ static inline uint32_t describe_warp_sum(uint32_t value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, value);
#else
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
#endif
}

/* The sum of 64 bits: 27, 27 and 10 bits apart, so that no sum of 32 overflows. */
__device__ static inline unsigned long long describe_warp_sum_wide(unsigned long long value)
{
    const uint32_t mask = (1u << 27) - 1;
    const unsigned long long low = describe_warp_sum((uint32_t)value & mask);
    const unsigned long long middle = describe_warp_sum((uint32_t)(value >> 27) & mask);
    const unsigned long long high = describe_warp_sum((uint32_t)(value >> 54));
    return low + (middle << 27) + (high << 54);
}

/* Returns the label that most warps of the thread block begin with; -1 where no two begin with the same. All threads call
 * it. The caller has a barrier before the next call. */
__device__ static inline int32_t describe_main_label(int32_t label)
{
    __shared__ int32_t firsts[DESCRIBE_POINT_WARPS];
    const uint32_t lane = clump_lane(), valid = __ballot_sync(~0u, label >= 0);
    const int32_t first = __shfl_sync(~0u, label, valid ? __ffs((int)valid) - 1 : 0);
    if (lane == 0) firsts[threadIdx.x / 32] = first;
    __syncthreads();
    const int32_t one = lane < DESCRIBE_POINT_WARPS ? firsts[lane] : -1;
    const uint32_t same = __match_any_sync(~0u, one);
    const uint32_t best = describe_warp_max(one >= 0 ? (uint32_t)__popc(same) << 5 | lane : 0);
    const int32_t found = __shfl_sync(~0u, one, best % 32);
    return best >> 5 > 1 ? found : -1;
}

/* Calls group(label, mine) for each label that enough lanes of the warp have; returns the other lanes with a label. All lanes
 * call it and are in each call of group(). */
template <class F> __device__ static inline uint32_t describe_each_group(int32_t label, F group)
{
    const uint32_t same = __match_any_sync(~0u, label), valid = __ballot_sync(~0u, label >= 0);
    const uint32_t many = __ballot_sync(~0u, label >= 0 && __popc(same) >= DESCRIBE_GROUP);
    for (uint32_t left = many; left;) {
        const int first = __ffs((int)left) - 1;
        const int32_t one = __shfl_sync(~0u, label, first);
        group(one, label == one);
        left &= ~__shfl_sync(~0u, same, first);
    }
    return valid & ~many;
}

/* Finds the largest key of some lanes with the same edge of the same cluster as one of them. `mine`: this lane has a key,
 * `group`: of what. Calls best() in the lane that has the largest key. At most `most` groups, from a lane on that `turn`
 * chooses. All lanes call it. */
template <class F>
__device__ static inline void describe_each_best(bool mine, uint64_t group, uint32_t key, int most, uint32_t turn,
                                                 F best)
{
    uint32_t left = __ballot_sync(~0u, mine);
    for (int k = 0; k < most && left; k++) {
        const uint32_t turned = __funnelshift_r(left, left, turn);
        const int one = (int)(((uint32_t)__ffs((int)turned) - 1 + turn) % 32);
        const uint64_t chosen = __shfl_sync(~0u, group, one); /* all lanes: not behind && */
        const bool in = mine && group == chosen;
        const uint32_t largest = describe_warp_max(in ? key : 0);
        const uint32_t winners = __ballot_sync(~0u, in && key == largest);
        if ((int)clump_lane() == __ffs((int)winners) - 1) best();
        __syncwarp();
        left &= ~__ballot_sync(~0u, in);
    }
}

#endif
