/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_points.cuh: what happens to points before the clustering: fetch and region, ground, thinning.
 *
 *     begin    empties the tables, copies points from host memory, tests the region
 *     (the surface of the ground: cuda/obstacles)
 *     flag     decides per point: ground or not; height above it; whether it is clustered
 *     enter    thinning: each point finds or claims the slot of its voxel, and lowers the first index of it
 *     thin     thinning: points that are not the first of their voxel are not clustered
 */
#ifndef CLUMP_CUDA_DETECT_DETECT_POINTS_CUH
#define CLUMP_CUDA_DETECT_DETECT_POINTS_CUH

#include "cuda/detect/detect_job.cuh"

__device__ static inline void detect_clear(const detect_job &job, const clump_gpu_team &team)
{
    if (team.thread < sizeof(detect_counters) / 4) ((uint32_t *)job.counters)[team.thread] = 0;
    for (uint64_t c = team.thread; job.limited && c < job.view.count; c += team.threads) job.sizes[c] = 0;
    for (uint64_t k = team.thread; job.thin > 0 && k <= job.slot_mask; k += team.threads)
        job.owner[k] = job.first[k] = CLUMP_GPU_NONE;
}

/* Makes job.view and job.allowed of the caller's cloud. With `fetched` that is in pinned host memory. */
__device__ static inline void detect_take(const detect_job &job, const clump_gpu_team &team,
                                          const clump_cloud_view &given, bool fetched)
{
    if (!fetched && !job.allowed) return;
    float4 *const points = (float4 *)job.view.points;
    for (uint64_t i = team.thread; i < given.count; i += team.threads) {
        const float *const at = (const float *)(given.points + i * given.stride);
        const float p[3] = {at[0], at[1], at[2]};
        bool takes = !given.mask || given.mask[i];
        if (fetched) points[i] = make_float4(p[0], p[1], p[2], 0.0f);
        if (takes && job.has_region) takes = clump_region_has(&job.region, p);
        if (job.allowed) job.allowed[i] = takes;
    }
}

/* Adds the lanes with `mine` to a counter in shared memory. All lanes call it. */
__device__ static inline void detect_tally(uint32_t *count, bool mine)
{
    const unsigned all = __ballot_sync(~0u, mine);
    if (clump_lane() == 0 && all) atomicAdd(count, (uint32_t)__popc(all));
}

/* A warp has 32 consecutive points, from a multiple of 32 on: a word of job.grounds. */
__device__ static inline void detect_flag(const detect_job &job, const clump_gpu_team &team)
{
    __shared__ uint32_t masked_here, ground_here;
    if (threadIdx.x == 0) masked_here = ground_here = 0;
    __syncthreads();
    const clump_surface surface = *job.surface;
    const uint32_t n = job.view.count;
    for (uint64_t i0 = team.thread - clump_lane(); i0 < n; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        bool masked = false, ground = false;
        if (i < n) {
            const float *const p = (const float *)(job.view.points + i * job.view.stride);
            masked = job.view.mask && !job.view.mask[i];
            ground = !masked && clump_surface_is_ground(&surface, p);
            job.left[i] = !masked && !ground;
            if (job.heights) job.heights[i] = masked ? NAN : clump_surface_above(&surface, p);
        }
        const unsigned bits = __ballot_sync(~0u, ground);
        if (clump_lane() == 0) job.grounds[i0 / 32] = bits;
        detect_tally(&masked_here, masked);
        if (clump_lane() == 0 && bits) atomicAdd(&ground_here, (uint32_t)__popc(bits));
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    if (masked_here) atomicAdd(&job.counters->masked, masked_here);
    if (ground_here) atomicAdd(&job.counters->ground, ground_here);
}

/* ----- thinning -------------------------------------------------------------------------------------- */

__device__ static inline bool detect_finite(const detect_job &job, const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && (job.two_d || isfinite(p[2]));
}

__device__ static inline clump_voxel detect_voxel(const detect_job &job, uint64_t i)
{
    return clump_voxel_of((const float *)(job.view.points + i * job.view.stride), job.thin, job.two_d);
}

/* Returns the slot of a voxel, after claiming it where the voxel is new. A slot has the index of one of its points, whose
 * voxel tells which one it is. */
__device__ static inline uint32_t detect_slot(const detect_job &job, uint32_t point, clump_voxel voxel)
{
    const uint32_t hash = clump_voxel_hash(job.key, voxel);
    for (uint32_t slot = clump_hash_slot_masked(hash, job.slot_mask);; slot = (slot + 1) & job.slot_mask) {
        uint32_t owner = __ldcg(&job.owner[slot]);
        if (owner == CLUMP_GPU_NONE) owner = atomicCAS(&job.owner[slot], CLUMP_GPU_NONE, point);
        if (owner == CLUMP_GPU_NONE || clump_voxel_same(detect_voxel(job, owner), voxel)) return slot;
    }
}

__device__ static inline void detect_enter(const detect_job &job, const clump_gpu_team &team)
{
    for (uint64_t i = team.thread; i < job.view.count; i += team.threads) {
        const float *const p = (const float *)(job.view.points + i * job.view.stride);
        uint32_t slot = CLUMP_GPU_NONE;
        if (job.left[i] && detect_finite(job, p)) {
            slot = detect_slot(job, (uint32_t)i, detect_voxel(job, i));
            /* read first: most points are not the first of their voxel */
            if ((uint32_t)i < __ldcg(&job.first[slot])) atomicMin(&job.first[slot], (uint32_t)i);
        }
        job.voxel_of[i] = slot;
    }
}

__device__ static inline void detect_thin(const detect_job &job, const clump_gpu_team &team)
{
    __shared__ uint32_t thinned_here;
    if (threadIdx.x == 0) thinned_here = 0;
    __syncthreads();
    const uint32_t n = job.view.count;
    for (uint64_t i0 = team.thread - clump_lane(); i0 < n; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        const uint32_t slot = i < n ? job.voxel_of[i] : CLUMP_GPU_NONE;
        bool thinned = false;
        if (slot != CLUMP_GPU_NONE) {
            const uint32_t first = job.first[slot];
            thinned = first != (uint32_t)i;
            job.voxel_of[i] = first;
            if (thinned) job.left[i] = 0;
        }
        detect_tally(&thinned_here, thinned);
    }
    __syncthreads();
    if (threadIdx.x == 0 && thinned_here) atomicAdd(&job.counters->thinned, thinned_here);
}

#endif
