/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_grid.cuh: CLUMP_GROUND_GRID on a GPU, in three phases; src/cpu/obstacles/ground_grid.c says what is computed
 * and why.
 *
 *     lows       every point lowers the part of the tile it is in                             all threads
 *     tiles      per tile: of its sixteen parts the low that a quarter is below               sixteen lanes per tile
 *     surface    level, limits, holes, cones, means: tiles alone, 80 x 80 of them             ground_surface.cuh
 */
#ifndef CLUMP_CUDA_OBSTACLES_GROUND_GRID_CUH
#define CLUMP_CUDA_OBSTACLES_GROUND_GRID_CUH

#include "cuda/gpu/transfer.h"
#include "cuda/gpu/warp.cuh"
#include "cuda/obstacles/ground.h"

enum {
    GROUND_EACH = 4,       /* consecutive tiles of a line per lane */
    GROUND_THREADS = 1024, /* of a thread block of the surface: the most there can be */
    GROUND_CLUSTER = 8     /* thread blocks of the surface: the most that every GPU with clusters allows */
};

/* ----- lows ---------------------------------------------------------------------------------------- */

__device__ static inline void ground_lows(const ground_search &w, const clump_cloud_view &view,
                                          const clump_gpu_team &team)
{
    const clump_surface s = w.start;
    for (uint64_t i = team.thread; i < view.count; i += team.threads) {
        const float *const p = (const float *)(view.points + i * view.stride);
        const float u = clump_surface_u(&s, p), v = clump_surface_v(&s, p), h = clump_surface_h(&s, p);
        if ((view.mask && !view.mask[i]) || !clump_surface_inside(&s, u, v, h)) continue;
        const int32_t z = (int32_t)__fmul_rn(h, (float)CLUMP_LOW_UNIT);
        int32_t *const part = &w.part[clump_surface_part(&s, u, v)];
        if (z < __ldcg(part)) atomicMin(part, z); /* most points are not lower */
    }
}

/* ----- tiles --------------------------------------------------------------------------------------- */

/* A lane per part. Warps are whole: lanes beyond the last tile take part in shuffles. Also fills the border. */
__device__ static inline void ground_tiles(const ground_search &w, const clump_gpu_team &team)
{
    const uint32_t tiles = (uint32_t)w.start.tiles;
    const uint64_t parts = (uint64_t)tiles * tiles * GROUND_PARTS;
    const uint32_t pitch = (uint32_t)w.pitch;
    for (uint32_t k = team.thread; k < (tiles + 2) * pitch; k += team.threads)
        if (k / pitch == 0 || k / pitch > tiles || k % pitch == 0 || k % pitch > tiles) w.tile[k] = CLUMP_LOW_NONE;
    for (uint64_t k = team.thread; k < (parts + 31) / 32 * 32; k += team.threads) {
        const int32_t mine = k < parts ? w.part[k] : CLUMP_LOW_NONE;
        if (w.step && k < parts) w.part[k] = 0; /* no other thread reads it: from now on a count of the step rule */
        int32_t below = 0, count = 0, low = mine;
        for (int other = 0; other < GROUND_PARTS; other++) {
            const int32_t theirs = __shfl_sync(~0u, mine, other, GROUND_PARTS);
            below += theirs < mine;
            count += theirs != CLUMP_LOW_NONE;
        }
        if (mine == CLUMP_LOW_NONE || below > count / 4) low = INT32_MIN;
        for (int step = GROUND_PARTS / 2; step > 0; step /= 2) {
            const int32_t theirs = __shfl_xor_sync(~0u, low, step, GROUND_PARTS);
            low = theirs > low ? theirs : low;
        }
        if (k % GROUND_PARTS != 0 || k >= parts) continue;
        const uint32_t tile = (uint32_t)(k / GROUND_PARTS);
        w.tile[(size_t)(tile / tiles + 1) * pitch + tile % tiles + 1] = count ? low : (int32_t)CLUMP_LOW_NONE;
    }
}

#endif
