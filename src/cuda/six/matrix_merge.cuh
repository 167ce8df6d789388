/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix_merge.cuh: labels merged by one block of b threads, for ec_matrix.cu: among themselves (Algorithm 3, and
 * layer 0), or those of columns into those of rows (Algorithm 5). The matrix is symmetric: bit (row j, column t)
 * is read as bit (t, j), so that a thread has the bits of its column for all rows of a group side by
 * side, in sixteen words, and keeps them in registers:
 *
 *     thread  rows 0 ... 63   64 ... 127  ...      active: the words of all threads or'ed together. Rows
 *       0   | 0010...0      | 0...0     |          without a bit in any column are not visited at all,
 *       1   | 0000...0      | 0...1     |          and their barriers are saved
 *      ...
 *
 * Algorithm 3 is the same with distances for bits. `status` is never cleared: what a round writes is the
 * round's own number, which no other round takes for its.
 */
#ifndef CLUMP_CUDA_SIX_MATRIX_MERGE_CUH
#define CLUMP_CUDA_SIX_MATRIX_MERGE_CUH

#include "cuda/gpu/device.h"

enum {
    B = 1024,      /* threads of a block */
    WORDS = B / 64 /* of a group */
};

typedef unsigned long long word;

__device__ static inline uint32_t warp_or(uint32_t x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(0xffffffffu, x);
#else
    for (int step = 16; step > 0; step /= 2) x |= __shfl_xor_sync(0xffffffffu, x, step);
    return x;
#endif
}

/* The rows that any thread has a bit for. active is zero before, and all there after a barrier. */
__device__ static inline void gather_active(const word *mine, word *active)
{
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        const uint32_t low = warp_or((uint32_t)mine[w]), high = warp_or((uint32_t)(mine[w] >> 32));
        if (threadIdx.x % 32 == 0 && (low | high) != 0) atomicOr(&active[w], (word)high << 32 | low);
    }
}

/* Labels of a group merged among themselves; `mine` has a bit for each j < t that is near thread t. Returns
 * the label of the thread. */
__device__ static uint32_t merge_within(const word *mine)
{
    __shared__ word active[WORDS];
    __shared__ uint32_t labels[B], status[B];
    const uint32_t t = threadIdx.x;
    uint32_t label = t;
    labels[t] = t;
    status[t] = 0;
    if (t < WORDS) active[t] = 0;
    __syncthreads();
    gather_active(mine, active);
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        for (word rows = active[w]; rows; rows &= rows - 1) { /* the same for all threads */
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

/* Labels of columns merged into those of rows; `mine` has a bit for each row that thread i's column is set
 * in. Returns cl. Two arrays take turns, so that a round needs one barrier: who writes to an array knows that all
 * have read what it held two rounds ago. */
__device__ static uint32_t merge_across(const word *mine)
{
    __shared__ word active[WORDS];
    __shared__ uint16_t status[2][2 * B];
    uint32_t cl = threadIdx.x;
    for (uint32_t k = threadIdx.x; k < 2 * B; k += B) status[0][k] = status[1][k] = 0;
    if (threadIdx.x < WORDS) active[threadIdx.x] = 0;
    __syncthreads();
    gather_active(mine, active);
    __syncthreads();
    uint32_t turn = 0;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        for (word rows = active[w]; rows; rows &= rows - 1, turn ^= 1) {
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
