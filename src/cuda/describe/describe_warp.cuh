/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_warp.cuh: how the points of a warp, or of a thread block, are added to their clusters. Consecutive points are
 * mostly in the same cluster:
 *
 *     warp           the lanes of one cluster are reduced together, cluster by cluster. After DESCRIBE_GROUPS of them the
 *                    other lanes add their points alone
 *     thread block   the cluster that most warps begin with is the main one. Its part of each warp goes to shared memory,
 *                    and one warp adds them all: else the many warps of a large cluster would contend
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_WARP_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_WARP_CUH

#include "cuda/describe/describe_job.cuh"

enum { DESCRIBE_GROUPS = 8 };

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

/* Calls group(label, mine) for up to DESCRIBE_GROUPS labels of the warp; returns the lanes that are left. All lanes call
 * it and are in each call of group(). */
template <class F> __device__ static inline uint32_t describe_each_group(int32_t label, F group)
{
    uint32_t left = __ballot_sync(~0u, label >= 0);
    for (int k = 0; k < DESCRIBE_GROUPS && left; k++) {
        const int32_t one = __shfl_sync(~0u, label, __ffs((int)left) - 1);
        const bool mine = label == one;
        group(one, mine);
        left &= ~__ballot_sync(~0u, mine);
    }
    return left;
}

#endif
