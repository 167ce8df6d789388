/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_around.cuh: the cells around a point, for a warp. A cell reaches over at most one side of its block per axis
 * (rules/blocks.h). So eight blocks hold all cells in reach, and eight lanes look them up; a warp looks around four
 * points at once. Then all lanes take one of the points: the cells in reach are numbered, and every lane takes one.
 */
#ifndef CLUMP_CUDA_FAST_FAST_AROUND_CUH
#define CLUMP_CUDA_FAST_FAST_AROUND_CUH

#include "cuda/fast/fast_between.cuh"
#include "rules/float_key.h"

enum {
    FAST_SIDES = 8,                /* blocks around a point, its own included */
    FAST_AT_ONCE = 32 / FAST_SIDES /* points per warp */
};

/* One of the eight blocks. */
typedef struct fast_side {
    unsigned long long mask, window; /* cells of the block that hold points; of these, the ones in reach */
    uint32_t base;                   /* number of the first cell */
} fast_side;

/* The cells around one point, in all lanes: lanes 0 ... 7 have a block each, the others none. */
typedef struct fast_around {
    fast_side side;
    uint32_t before, cells; /* cells in reach: of the lanes before this one; of all lanes */
} fast_around;

/* Returns the cells of a block that touch the one at `local`, without that cell. */
__device__ static inline unsigned long long fast_touched(uint32_t local)
{
    return clump_block_cells(CLUMP_AXIS_TOUCH(0, (local & 3)), CLUMP_AXIS_TOUCH(0, (local >> 2 & 3)),
                             CLUMP_AXIS_TOUCH(0, (local >> 4))) &
           ~(1ull << local);
}

/* Looks up one of the eight blocks around p, the same p in eight lanes. The own cell is in reach only with `itself`. */
__device__ static inline fast_side fast_find_side(const fast_job &job, const float4 &p, bool itself)
{
    const uint32_t which = clump_lane() % FAST_SIDES;
    const int32_t x = clump_cell(p.x, job.rule), y = clump_cell(p.y, job.rule);
    const int32_t z = job.view.two_d ? 0 : clump_cell(p.z, job.rule);
    const uint32_t local = clump_block_cell(x, y, z);
    const int dx = which & 1 ? clump_axis_side(x & 3) : 0, dy = which & 2 ? clump_axis_side(y & 3) : 0,
              dz = which & 4 ? clump_axis_side(z & 3) : 0;
    fast_side side = {};
    const uint32_t slot = fast_find_block(job, (x >> 2) + dx, (y >> 2) + dy, (z >> 2) + dz, &side.mask);
    if (slot == CLUMP_GPU_NONE) return side;
    side.window = side.mask & fast_window(dx, dy, dz, local);
    if (which == 0 && !itself) side.window &= ~(1ull << local);
    side.base = (uint32_t)job.infos[slot].w & ~FAST_MIXED;
    return side;
}

/* Gives all lanes what the eight lanes of one of the four points know. */
__device__ static inline fast_around fast_gather(const fast_side &side, uint32_t point)
{
    const int from = (int)(point * FAST_SIDES + clump_lane() % FAST_SIDES);
    fast_around around;
    around.side.mask = __shfl_sync(~0u, side.mask, from);
    around.side.window = __shfl_sync(~0u, side.window, from);
    around.side.base = __shfl_sync(~0u, side.base, from);
    if (clump_lane() >= FAST_SIDES) around.side.window = 0;
    around.before = clump_warp_scan((uint32_t)__popcll(around.side.window), &around.cells);
    return around;
}

/* Returns the sum over the eight lanes of a point. */
__device__ static inline uint32_t fast_sum_sides(uint32_t value)
{
    for (int step = FAST_SIDES / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

/* ----- boxes of large cells ------------------------------------------------------------- */

/* Lets a box hold p. Reads the box first: after a while hardly any point changes it. */
__device__ static inline void fast_grow_box(fast_cell_box *box, const float4 &p)
{
    const uint32_t at[3] = {clump_key_of_float(p.x), clump_key_of_float(p.y), clump_key_of_float(p.z)};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < __ldcg(&box->lower[axis])) atomicMin(&box->lower[axis], at[axis]);
        if (at[axis] > __ldcg(&box->upper[axis])) atomicMax(&box->upper[axis], at[axis]);
    }
}

typedef enum fast_verdict { FAST_NONE_NEAR, FAST_SOME_NEAR, FAST_ALL_NEAR } fast_verdict;

/* Returns how many points of a large cell are neighbours of p, as far as its box tells. The distances to the nearest
 * and to the furthest place of the box are computed as those of points are. Per axis no point inside has a smaller or a
 * larger difference, and rounding is monotonic. */
__device__ static inline fast_verdict fast_test_box(const fast_job &job, const float4 &p, uint32_t start)
{
    const fast_cell_box box = job.cell_boxes[start / FAST_MANY];
    const float at[3] = {p.x, p.y, p.z};
    float near[3], far[3];
    for (int axis = 0; axis < 3; axis++) {
        const float below = clump_float_of_key(box.lower[axis]) - at[axis],
                    above = at[axis] - clump_float_of_key(box.upper[axis]);
        near[axis] = fmaxf(0.0f, fmaxf(below, above));
        far[axis] = fmaxf(-below, -above);
    }
    if (!(clump_distance_squared(near[0], near[1], near[2], 0, 0, 0) < job.bound)) return FAST_NONE_NEAR;
    return clump_distance_squared(far[0], far[1], far[2], 0, 0, 0) < job.bound ? FAST_ALL_NEAR : FAST_SOME_NEAR;
}

/* ----- points of the cells ---------------------------------------------------------------------------- */

/* Returns how many of the points from `start` on are neighbours of p; stops once there are `needed`. All lanes call it
 * with the same arguments. Eight loads per lane are in flight at a time. */
__device__ static inline uint32_t fast_count_many(const fast_job &job, const float4 &p, uint32_t start, uint32_t count,
                                                  uint32_t needed)
{
    uint32_t neighbours = 0;
    for (uint32_t j0 = 0; j0 < count && neighbours < needed; j0 += FAST_MANY) {
        bool is_near[FAST_MANY / 32];
#pragma unroll
        for (uint32_t u = 0; u < FAST_MANY / 32; u++) {
            const uint32_t j = j0 + 32 * u + clump_lane();
            is_near[u] = fast_are_neighbours(p, job.sorted[start + min(j, count - 1)], job.bound) && j < count;
        }
#pragma unroll
        for (uint32_t u = 0; u < FAST_MANY / 32; u++) neighbours += (uint32_t)__popc(__ballot_sync(~0u, is_near[u]));
    }
    return neighbours;
}

/* Returns how many of `count` points a warp takes at once: four, or one where there are too few points for all warps.
 * */
__device__ static inline uint32_t fast_at_once(const clump_gpu_team &team, uint32_t count)
{
    return count > FAST_AT_ONCE * (team.threads / 32) ? FAST_AT_ONCE : 1;
}

/* Returns the t-th cell around, CLUMP_GPU_NONE if there are fewer. All lanes call it, each with its own t. */
__device__ static inline uint32_t fast_cell_around(const fast_around &around, uint32_t t)
{
    const uint32_t owner = fast_owner_lane(around.before, t);
    const unsigned long long mask = __shfl_sync(~0u, around.side.mask, (int)owner),
                             window = __shfl_sync(~0u, around.side.window, (int)owner);
    const uint32_t base = __shfl_sync(~0u, around.side.base, (int)owner),
                   rank = t - __shfl_sync(~0u, around.before, (int)owner);
    if (t >= around.cells) return CLUMP_GPU_NONE;
    const uint32_t local = fast_nth_bit(window, rank);
    return base + (uint32_t)__popcll(mask & ((1ull << local) - 1));
}

#endif
