/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_step.cuh: the step rule of the ground on a GPU (rules/ground.h): counts the points above each part, after the
 * surface is known. A part that has CLUMP_STEP_POINTS of them counts no further: most points of a wall read a count and
 * write none.
 */
#ifndef CLUMP_CUDA_OBSTACLES_GROUND_STEP_CUH
#define CLUMP_CUDA_OBSTACLES_GROUND_STEP_CUH

#include "cuda/gpu/transfer.h"
#include "cuda/gpu/warp.cuh"
#include "cuda/obstacles/ground.h"

__device__ static inline void ground_step(const ground_search &w, const clump_cloud_view &view,
                                          const clump_gpu_team &team)
{
    const clump_surface s = *w.surface;
    for (uint64_t i = team.thread; i < view.count; i += team.threads) {
        const float *const p = (const float *)(view.points + i * view.stride);
        /* false outside the map, and where there is no surface */
        if ((view.mask && !view.mask[i]) || !clump_step_counts(clump_surface_above(&s, p))) continue;
        int32_t *const count = &w.part[clump_surface_part(&s, clump_surface_u(&s, p), clump_surface_v(&s, p))];
        if (__ldcg(count) < CLUMP_STEP_POINTS) atomicAdd(count, 1);
    }
}

#endif
