/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix_merge.cuh: merges labels by one thread block of b threads, for ec_matrix.cu: among themselves (Algorithm 3, and
 * layer 0), or the labels of columns into those of rows (Algorithm 5). The matrix is symmetric: bit (row j, column t) is
 * read as bit (t, j). So a thread reads the bits of its column for all rows of a group from b / 64 adjacent words, and
 * keeps them in registers:
 *
 *     thread  rows 0 ... 63   64 ... 127  ...      active: the union of the words of all threads. Rows
 *       0   | 0010...0      | 0...0     |          without a bit in any column are not visited, which
 *       1   | 0000...0      | 0...1     |          saves their barriers
 *      ...
 *
 * Algorithm 3 uses distances instead of bits. `status` is never cleared: a round writes its own number, which no other
 * round reads as its own.
 */
#ifndef CLUMP_CUDA_PAPERS_MATRIX_MERGE_CUH
#define CLUMP_CUDA_PAPERS_MATRIX_MERGE_CUH

#include "cuda/gpu/device.h"

/* B below is b: threads per thread block, 64 to 1024. A row of a group has B / 64 words. */
typedef unsigned long long matrix_word;

__device__ static inline uint32_t matrix_warp_or(uint32_t x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(0xffffffffu, x);
#else
    for (int step = 16; step > 0; step /= 2) x |= __shfl_xor_sync(0xffffffffu, x, step);
    return x;
#endif
}

/* Gathers the rows that any thread has a bit for. `active` is zero before, and complete after a barrier. */
template <int B> __device__ static inline void matrix_gather_active(const matrix_word *mine, matrix_word *active)
{
#pragma unroll
    for (int w = 0; w < B / 64; w++) {
        const uint32_t low = matrix_warp_or((uint32_t)mine[w]), high = matrix_warp_or((uint32_t)(mine[w] >> 32));
        if (threadIdx.x % 32 == 0 && (low | high) != 0) atomicOr(&active[w], (matrix_word)high << 32 | low);
    }
}

/* Merges the labels of a group among themselves; returns the label of the thread. `mine` has a bit for each j < t that is
 * a neighbour of t, the thread. */
template <int B> __device__ static uint32_t matrix_merge_within(const matrix_word *mine)
{
    __shared__ matrix_word active[B / 64];
    __shared__ uint32_t labels[B], status[B];
    const uint32_t t = threadIdx.x;
    uint32_t label = t;
    labels[t] = t;
    status[t] = 0;
    if (t < B / 64) active[t] = 0;
    __syncthreads();
    matrix_gather_active<B>(mine, active);
    __syncthreads();
#pragma unroll
    for (int w = 0; w < B / 64; w++) {
        for (matrix_word rows = active[w]; rows; rows &= rows - 1) { /* equal in all threads */
            const int bit = __ffsll((long long)rows) - 1;
            const uint32_t j = (uint32_t)(w * 64 + bit), round = j + 1;
            const uint32_t rc = labels[j];
            const bool hit = (mine[w] >> bit & 1) && label != rc;
            if (hit) status[label] = round;
            if (!__syncthreads_or(hit)) continue;
            if (status[label] == round) labels[t] = label = rc;
            __syncthreads();
        }
    }
    return label;
}

/* Merges the labels of columns into those of rows; returns cl. `mine` has a bit for each row that is set in the column of
 * the thread. Two arrays take turns, so that a round needs one barrier: before a thread writes to an array, all threads
 * have read its values of two rounds ago. */
template <int B> __device__ static uint32_t matrix_merge_across(const matrix_word *mine)
{
    __shared__ matrix_word active[B / 64];
    __shared__ uint16_t status[2][2 * B];
    uint32_t cl = threadIdx.x;
    for (uint32_t k = threadIdx.x; k < 2 * B; k += B) status[0][k] = status[1][k] = 0;
    if (threadIdx.x < B / 64) active[threadIdx.x] = 0;
    __syncthreads();
    matrix_gather_active<B>(mine, active);
    __syncthreads();
    uint32_t turn = 0;
#pragma unroll
    for (int w = 0; w < B / 64; w++) {
        for (matrix_word rows = active[w]; rows; rows &= rows - 1, turn ^= 1) {
            const int bit = __ffsll((long long)rows) - 1;
            const uint32_t j = (uint32_t)(w * 64 + bit), round = j + 1;
            if (mine[w] >> bit & 1) status[turn][cl] = (uint16_t)round;
            __syncthreads();
            if (status[turn][cl] == round) cl = j + B;
        }
    }
    return cl;
}

#endif
