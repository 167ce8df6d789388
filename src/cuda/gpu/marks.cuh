/* SPDX-License-Identifier: BSD-3-Clause
 *
 * marks.cuh: canonical cluster numbers. Clusters are numbered by their first point, so the number of a cluster is the
 * number of first points before its own:
 *
 *     marks     one bit per point, set for the first of each cluster     ...0010 0100 | 0001 ...
 *     numbers   per word of 32 marks: the marks before it                0            | 2
 *
 * J is a job with the members view, marks and numbers.
 */
#ifndef CLUMP_CUDA_GPU_MARKS_CUH
#define CLUMP_CUDA_GPU_MARKS_CUH

#include "cuda/gpu/warp.cuh"

/* Marks the first point of a cluster. */
template <class J> __device__ static inline void clump_mark_first(const J &job, uint32_t first)
{
    atomicOr(&job.marks[first / 32], 1u << first % 32);
}

/* Returns the number of the cluster whose first point is `first`. */
template <class J> __device__ static inline int32_t clump_mark_number(const J &job, uint32_t first)
{
    const uint32_t before = job.marks[first / 32] & ((1u << first % 32) - 1);
    return (int32_t)(job.numbers[first / 32] + __popc(before));
}

/* Counts the marks of each of EACH words from w on; returns their sum. */
template <int EACH, class J>
__device__ static inline uint32_t clump_marks_count(const J &job, uint64_t w, uint64_t words, uint32_t *bits)
{
    uint32_t sum = 0;
    for (int k = 0; k < EACH; k++) bits[k] = w + k < words ? __ldcg(&job.marks[w + k]) : 0;
    for (int k = 0; k < EACH; k++) sum += bits[k] = __popc(bits[k]);
    return sum;
}

/* Writes the numbers of EACH words from w on, before which there are `earlier` marks. */
template <int EACH, class J>
__device__ static inline void clump_marks_number(const J &job, uint64_t w, uint64_t words, const uint32_t *bits,
                                                 uint32_t earlier)
{
    for (int k = 0; k < EACH; k++) {
        if (w + k < words) job.numbers[w + k] = earlier;
        earlier += bits[k];
    }
}

/* Prefix sum of all marks by one thread block, EACH words per thread at a time; returns the number of marks. There are
 * at most 2^26 words. */
template <int EACH, class J> __device__ static inline uint32_t clump_marks_sum(const J &job)
{
    __shared__ uint32_t sums[32];
    const uint32_t t = threadIdx.x, warps = blockDim.x / 32;
    const uint64_t words = ((uint64_t)job.view.count + 31) / 32;
    uint32_t carry = 0;
    for (uint64_t w0 = 0; w0 < words; w0 += (uint64_t)blockDim.x * EACH) {
        const uint64_t w = w0 + (uint64_t)t * EACH;
        uint32_t bits[EACH], total;
        const uint32_t before = clump_warp_scan(clump_marks_count<EACH>(job, w, words, bits), &total);
        if (t % 32 == 0) sums[t / 32] = total;
        __syncthreads();
        uint32_t earlier = carry;
        for (uint32_t k = 0; k < warps; k++) {
            if (k < t / 32) earlier += sums[k];
            carry += sums[k];
        }
        clump_marks_number<EACH>(job, w, words, bits, earlier + before);
        __syncthreads();
    }
    return carry;
}

#endif
