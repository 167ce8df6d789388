/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_peak.cuh: CLUMP_GROUND_PEAK on a GPU: a histogram of heights and its peak, see
 * src/cpu/obstacles/ground_peak.c. Each thread block has a histogram of its own in shared memory where that fits; one
 * thread block finds the peak. Half of the points of a scan fall into three bins, so lanes with the same bin count
 * together.
 */
#ifndef CLUMP_CUDA_OBSTACLES_GROUND_PEAK_CUH
#define CLUMP_CUDA_OBSTACLES_GROUND_PEAK_CUH

#include "cuda/gpu/transfer.h"
#include "cuda/gpu/warp.cuh"
#include "cuda/obstacles/ground.h"

enum { GROUND_SHARED_BINS = 2048 }; /* 8 KB of shared memory per thread block */

/* Returns the bin of a point, CLUMP_GPU_NONE where it has none. */
__device__ static inline uint32_t ground_bin_of(const ground_search &w, const clump_surface &s,
                                                const clump_cloud_view &view, uint64_t i)
{
    const float *const p = (const float *)(view.points + i * view.stride);
    const float h = clump_surface_h(&s, p);
    if ((view.mask && !view.mask[i]) || !clump_surface_inside(&s, clump_surface_u(&s, p), clump_surface_v(&s, p), h))
        return CLUMP_GPU_NONE;
    const uint32_t bin = clump_peak_bin(&w.peak, h);
    return bin ? bin : CLUMP_GPU_NONE;
}

__device__ static inline void ground_count(const ground_search &w, const clump_cloud_view &view,
                                           const clump_gpu_team &team)
{
    __shared__ uint32_t mine[GROUND_SHARED_BINS];
    const bool shared = w.peak.bins <= GROUND_SHARED_BINS;
    const clump_surface s = w.start;
    for (uint32_t b = threadIdx.x; shared && b < w.peak.bins; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (uint64_t i = team.thread; i < ((uint64_t)view.count + 31) / 32 * 32; i += team.threads) {
        const uint32_t bin = i < view.count ? ground_bin_of(w, s, view, i) : CLUMP_GPU_NONE;
        const unsigned same = __match_any_sync(~0u, bin);
        if (bin == CLUMP_GPU_NONE || (same & clump_lanes_below())) continue;
        atomicAdd(shared ? &mine[bin] : &w.bins[bin], (uint32_t)__popc(same));
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; shared && b < w.peak.bins; b += blockDim.x)
        if (mine[b]) atomicAdd(&w.bins[b], mine[b]);
}

/* Finds the peak, by one thread block. */
__device__ static inline void ground_peak(const ground_search &w)
{
    __shared__ unsigned long long best;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    unsigned long long mine = 0; /* points, then the bin: the lowest of equals wins */
    for (uint32_t b = 1 + threadIdx.x; b + 1 < w.peak.bins; b += blockDim.x) {
        if (w.bins[b] == 0 || !clump_peak_allows(&w.peak, clump_peak_level(&w.peak, b))) continue;
        const unsigned long long points = (unsigned long long)w.bins[b - 1] + w.bins[b] + w.bins[b + 1];
        const unsigned long long key = points << 32 | (CLUMP_GPU_NONE - b);
        mine = key > mine ? key : mine;
    }
    if (mine) atomicMax(&best, mine);
    __syncthreads();
    if (threadIdx.x > 0 || best == 0) return;
    w.surface->kind = CLUMP_SURFACE_LEVEL;
    w.surface->level = clump_peak_level(&w.peak, CLUMP_GPU_NONE - (uint32_t)best);
}

#endif
