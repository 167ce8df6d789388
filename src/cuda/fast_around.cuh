/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_around.cuh: the cells around a point, for a warp. A cell reaches two cells far on every axis, so over one
 * side of its block at most, the nearer one: eight blocks, one a lane, hold all that is near.
 *
 *     0 1 2 3 | 0 1 2 3          a cell in layer 2 reaches 0 ... 3 of its own block and 0 of the next
 *       < < # > >
 *
 * Then those cells are counted through, and every lane takes one.
 */
#ifndef CLUMP_CUDA_FAST_AROUND_CUH
#define CLUMP_CUDA_FAST_AROUND_CUH

#include "cuda/fast_between.cuh"

/* In lanes 0 ... 7 a block each, in the others none. */
typedef struct fast_around {
    unsigned long long mask, window; /* cells that the block has; of those, the ones in reach */
    uint32_t base, before;           /* number of the first cell; cells in reach in the lanes before */
    uint32_t cells;                  /* in reach, in all lanes together */
} fast_around;

/* The cells of a block that touch the one at `local`, without itself. */
__device__ static inline unsigned long long fast_touched(uint32_t local)
{
    const uint32_t wx = 7u << (local & 3) >> 1 & 15, wy = 7u << (local >> 2 & 3) >> 1 & 15,
                   wz = 7u << (local >> 4) >> 1 & 15;
    uint32_t plane = 0;
    for (uint32_t y = 0; y < 4; y++)
        if (wy >> y & 1) plane |= wx << 4 * y;
    unsigned long long all = 0;
    for (uint32_t z = 0; z < 4; z++)
        if (wz >> z & 1) all |= (unsigned long long)plane << 16 * z;
    return all & ~(1ull << local);
}

/* Around the cell of p, with or without that cell itself. */
__device__ static inline fast_around fast_look_around(const fast_job &job, const float4 &p, bool itself)
{
    const uint32_t lane = fast_lane();
    const int32_t x = clump_cell(p.x, job.rule), y = clump_cell(p.y, job.rule);
    const int32_t z = job.view.two_d ? 0 : clump_cell(p.z, job.rule);
    const uint32_t local = fast_local(x, y, z);
    fast_around around = {};
    if (lane < 8) {
        const int dx = lane & 1 ? ((x & 3) < 2 ? -1 : 1) : 0, dy = lane & 2 ? ((y & 3) < 2 ? -1 : 1) : 0,
                  dz = lane & 4 ? ((z & 3) < 2 ? -1 : 1) : 0;
        const uint32_t slot = fast_find_block(job, (x >> 2) + dx, (y >> 2) + dy, (z >> 2) + dz, &around.mask);
        if (slot != FAST_NONE) {
            around.window = around.mask & fast_window(dx, dy, dz, local);
            around.base = (uint32_t)job.infos[slot].w & ~FAST_MIXED;
        }
        if (lane == 0 && !itself) around.window &= ~(1ull << local);
    }
    around.before = fast_warp_scan((uint32_t)__popcll(around.window), &around.cells);
    return around;
}

/* The last lane with no more than t before its own; empty ones come before it. */
__device__ static inline uint32_t fast_owner_lane(uint32_t before, uint32_t t)
{
    uint32_t owner = 0;
    for (uint32_t step = 16; step > 0; step /= 2)
        if (__shfl_sync(~0u, before, (int)(owner + step)) <= t) owner += step;
    return owner;
}

/* Number of cell t around, FAST_NONE if there are no more. All lanes, each with a t of its own. */
__device__ static inline uint32_t fast_cell_around(const fast_around &around, uint32_t t)
{
    const uint32_t owner = fast_owner_lane(around.before, t);
    const unsigned long long mask = __shfl_sync(~0u, around.mask, (int)owner),
                             window = __shfl_sync(~0u, around.window, (int)owner);
    const uint32_t base = __shfl_sync(~0u, around.base, (int)owner),
                   rank = t - __shfl_sync(~0u, around.before, (int)owner);
    if (t >= around.cells) return FAST_NONE;
    const uint32_t local = fast_nth_bit(window, rank);
    return base + (uint32_t)__popcll(mask & ((1ull << local) - 1));
}

#endif
