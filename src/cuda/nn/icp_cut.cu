/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_cut.cu: see icp.h. A radix selection: squared distances are not negative, so they sort like their bits.
 *
 *     bits of a distance   | 11 | 11 | 10 |      one kernel per digit, the highest first
 *
 * A kernel counts the digits of all distances that begin with the digits found so far: a thread block in shared memory,
 * then all of them together. The last thread block finds the digit of the wanted rank. Counts do not depend on the order.
 */
#include "cuda/nn/icp.h"

#include "cuda/gpu/launch.h"
#include "cuda/gpu/warp.cuh"
#include "rules/pairs.h"

enum {
    CUT_THREADS = 512,                      /* per thread block */
    CUT_PAIRS = 4,                          /* per thread, up to the largest grid */
    CUT_UNIT_BLOCKS = 2,                    /* thread blocks per multiprocessor, of the largest grid */
    CUT_BINS = CLUMP_ICP_BINS / CUT_THREADS /* per thread of the last thread block */
};
static const uint32_t CUT_INFINITY = 0x7f800000; /* the bits of the largest distance; those of NaN are larger */

/* Returns the sum over the threads before this one; *total is the sum over all. All threads call it. */
__device__ static inline uint32_t scan_threads(uint32_t value, uint32_t *total)
{
    __shared__ uint32_t of_warp[CUT_THREADS / 32];
    uint32_t in_warp, sum = 0;
    const uint32_t before = clump_warp_scan(value, &in_warp), warp = threadIdx.x / 32;
    if (clump_lane() == 0) of_warp[warp] = in_warp;
    __syncthreads();
    *total = 0;
    for (uint32_t w = 0; w < CUT_THREADS / 32; w++) {
        if (w == warp) sum = *total;
        *total += of_warp[w];
    }
    return sum + before;
}

/* Finds the bin of the wanted rank in the counts of a digit, and clears them. All threads of one thread block. */
template <int DIGIT, int WIDTH> __device__ static inline void find_bin(double keep, clump_icp_cut *cut)
{
    uint32_t *const counts = cut->counts[DIGIT] + CUT_BINS * threadIdx.x;
    const uint32_t prefix = DIGIT > 0 ? __ldcg(&cut->prefix) : 0;
    uint32_t rank = DIGIT > 0 ? __ldcg(&cut->rank) : 0, own[CUT_BINS], sum = 0, total;
    for (int b = 0; b < CUT_BINS; b++) {
        own[b] = __ldcg(counts + b);
        sum += own[b];
        counts[b] = 0;
    }
    if (threadIdx.x == 0) cut->arrived[DIGIT] = 0;
    uint32_t before = scan_threads(sum, &total);
    if (DIGIT == 0) rank = clump_pairs_kept(keep, total);
    for (int b = 0; b < CUT_BINS; before += own[b++])
        if (before < rank && rank <= before + own[b]) { /* in one thread at most */
            cut->prefix = prefix << WIDTH | (CUT_BINS * threadIdx.x + (uint32_t)b);
            cut->rank = rank - before;
        }
}

/* Finds one digit: `WIDTH` bits from bit `SHIFT` on. */
template <int DIGIT, int WIDTH, int SHIFT>
__global__ static void __launch_bounds__(CUT_THREADS)
    find_digit(const float4 *moved, uint32_t count, double keep, clump_icp_cut *cut)
{
    static_assert(1 << WIDTH <= (int)CLUMP_ICP_BINS, "a bin per value");
    __shared__ uint32_t counts[CLUMP_ICP_BINS];
    clump_after_previous();
    for (uint32_t b = threadIdx.x; b < CLUMP_ICP_BINS; b += CUT_THREADS) counts[b] = 0;
    const uint32_t prefix = DIGIT > 0 ? cut->prefix : 0;
    __syncthreads();
#pragma unroll 4
    for (uint64_t i = blockIdx.x * (uint64_t)CUT_THREADS + threadIdx.x; i < count;
         i += gridDim.x * (uint64_t)CUT_THREADS) {
        const uint32_t bits = (uint32_t)__float_as_int(moved[i].w);
        const bool begins = DIGIT == 0 || (uint32_t)((uint64_t)bits >> (SHIFT + WIDTH)) == prefix;
        if (bits <= CUT_INFINITY && begins) atomicAdd(&counts[bits >> SHIFT & ((1u << WIDTH) - 1)], 1u);
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < CLUMP_ICP_BINS; b += CUT_THREADS)
        if (counts[b] > 0) atomicAdd(&cut->counts[DIGIT][b], counts[b]);
    if (clump_last_thread_block(&cut->arrived[DIGIT])) find_bin<DIGIT, WIDTH>(keep, cut);
}

clump_status clump_cuda_icp_cut(clump_work *work, clump_cuda *cuda, const float4 *moved, uint32_t count, double keep,
                                clump_icp_cut *cut)
{
    static const char what[] = "trimming pairs";
    const uint64_t most = (uint64_t)cuda->units * CUT_UNIT_BLOCKS;
    const uint32_t blocks = clump_grid_size(((uint64_t)count + CUT_PAIRS - 1) / CUT_PAIRS, CUT_THREADS, most);
    const clump_launch l = {blocks, CUT_THREADS, 0, cuda->stream, cuda->overlaps, 0};
    CLUMP_TRY(clump_launch_kernel(work, cuda, what, l, find_digit<0, 11, 21>, moved, count, keep, cut));
    CLUMP_TRY(clump_launch_kernel(work, cuda, what, l, find_digit<1, 11, 10>, moved, count, keep, cut));
    return clump_launch_kernel(work, cuda, what, l, find_digit<2, 10, 0>, moved, count, keep, cut);
}
