/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_polygons.cuh: the phases `offsets` and `corners`: the hulls of all clusters one after the other, as the caller
 * wants them. Offsets are complete also where the corners do not fit.
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_POLYGONS_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_POLYGONS_CUH

#include "cuda/describe/describe_job.cuh"

enum { DESCRIBE_OFFSET_THREADS = 1024 };

/* Prefix sum of the numbers of corners, by one thread block. */
__device__ static inline void describe_offsets(const describe_job &job)
{
    __shared__ uint32_t sums[DESCRIBE_OFFSET_THREADS / 32];
    const uint32_t clusters = describe_clusters(job), t = threadIdx.x;
    uint32_t carry = 0;
    for (uint64_t begin = 0; begin < clusters; begin += DESCRIBE_OFFSET_THREADS) {
        const uint64_t c = begin + t;
        uint32_t total;
        const uint32_t before = clump_warp_scan(c < clusters ? (uint32_t)job.in.clusters[c].hull_corners : 0, &total);
        if (clump_lane() == 0) sums[t / 32] = total;
        __syncthreads();
        uint32_t offset = carry + before;
        for (uint32_t k = 0; k < DESCRIBE_OFFSET_THREADS / 32; k++) {
            if (k < t / 32) offset += sums[k];
            carry += sums[k];
        }
        if (c < clusters) job.in.hull_offsets[c] = (int32_t)offset;
        __syncthreads();
    }
    if (t == 0) job.in.hull_offsets[clusters] = (int32_t)carry;
}

/* Copies corners, a warp per cluster. */
__device__ static inline void describe_corners(const describe_job &job, const clump_gpu_team &team)
{
    const uint32_t clusters = describe_clusters(job);
    for (uint64_t c = team.thread / 32; c < clusters; c += team.threads / 32) {
        const uint32_t corners = (uint32_t)job.in.clusters[c].hull_corners;
        const uint64_t offset = (uint64_t)(uint32_t)job.in.hull_offsets[c];
        if (corners == 0) continue;
        const clump_xy *const polygon = job.candidates + job.plans[c].start;
        for (uint32_t k = clump_lane(); k < corners && offset + k < job.in.hull_capacity; k += 32) {
            job.in.hull[2 * (offset + k)] = polygon[k].x;
            job.in.hull[2 * (offset + k) + 1] = polygon[k].y;
        }
    }
}

#endif
