/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_around.cuh: the cells around a point, for a warp. A cell reaches two cells far on every axis, so over one
 * side of its block at most, the nearer one: eight blocks hold all that is near, and eight lanes look them up.
 *
 *     0 1 2 3 | 0 1 2 3          a cell in layer 2 reaches 0 ... 3 of its own block and 0 of the next
 *       < < # > >
 *
 * So a warp looks around four points at once; then at one of them with all its lanes: the cells in reach are counted
 * through, and every lane takes one.
 */
#ifndef CLUMP_CUDA_FAST_FAST_AROUND_CUH
#define CLUMP_CUDA_FAST_FAST_AROUND_CUH

#include "cuda/fast/fast_between.cuh"
#include "rules/float_key.h"

enum {
    FAST_SIDES = 8,                /* blocks around a point */
    FAST_AT_ONCE = 32 / FAST_SIDES /* points of a warp */
};

/* One of the eight blocks. */
typedef struct fast_side {
    unsigned long long mask, window; /* cells that the block has; of those, the ones in reach */
    uint32_t base;                   /* number of the first cell */
} fast_side;

/* Of one point, for all lanes: in lanes 0 ... 7 a block each, in the others none. */
typedef struct fast_around {
    fast_side side;
    uint32_t before, cells; /* in reach: in the lanes before; in all lanes together */
} fast_around;

/* The cells of a block that touch the one at `local`, without itself. */
__device__ static inline unsigned long long fast_touched(uint32_t local)
{
    return clump_block_cells(CLUMP_AXIS_TOUCH(0, (local & 3)), CLUMP_AXIS_TOUCH(0, (local >> 2 & 3)),
                             CLUMP_AXIS_TOUCH(0, (local >> 4))) &
           ~(1ull << local);
}

/* Around the cell of p, the same in eight lanes, with or without that cell itself. */
__device__ static inline fast_side fast_look_aside(const fast_job &job, const float4 &p, bool itself)
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

/* What the lanes of one of the four points know, for all lanes. */
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

/* Sum over the eight lanes of a point. */
__device__ static inline uint32_t fast_sum_sides(uint32_t value)
{
    for (int step = FAST_SIDES / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

/* ----- boxes of cells with many points ------------------------------------------------------------- */

/* Makes a box larger. It is looked at before it is written: after a while hardly any point changes it. */
__device__ static inline void fast_widen(fast_cell_box *box, const float4 &p)
{
    const uint32_t at[3] = {clump_key_of_float(p.x), clump_key_of_float(p.y), clump_key_of_float(p.z)};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < __ldcg(&box->lower[axis])) atomicMin(&box->lower[axis], at[axis]);
        if (at[axis] > __ldcg(&box->upper[axis])) atomicMax(&box->upper[axis], at[axis]);
    }
}

typedef enum fast_verdict { FAST_NONE_NEAR, FAST_SOME_NEAR, FAST_ALL_NEAR } fast_verdict;

/* What the box of a cell with many points tells. The distance to its nearest and its furthest corner is computed as that
 * of points is: differences on an axis are no smaller, or no larger, for any point inside, and rounding keeps the
 * order. */
__device__ static inline fast_verdict fast_ask_box(const fast_job &job, const float4 &p, uint32_t start)
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

/* ----- and their points ---------------------------------------------------------------------------- */

/* How many of the points from `start` on are near p, or as many as are needed; all lanes, the same in all. Eight loads
 * a lane at a time, which would take as long one by one. */
__device__ static inline uint32_t fast_count_many(const fast_job &job, const float4 &p, uint32_t start, uint32_t count,
                                                  uint32_t needed)
{
    uint32_t near = 0;
    for (uint32_t j0 = 0; j0 < count && near < needed; j0 += FAST_MANY) {
        bool is_near[FAST_MANY / 32];
#pragma unroll
        for (uint32_t u = 0; u < FAST_MANY / 32; u++) {
            const uint32_t j = j0 + 32 * u + clump_lane();
            is_near[u] = fast_near(p, job.sorted[start + min(j, count - 1)], job.bound) && j < count;
        }
#pragma unroll
        for (uint32_t u = 0; u < FAST_MANY / 32; u++) near += (uint32_t)__popc(__ballot_sync(~0u, is_near[u]));
    }
    return near;
}

/* How many of `count` points a warp takes at once: all it can where there are many; one each where they are few, as
 * that is done sooner. */
__device__ static inline uint32_t fast_at_once(const clump_gpu_team &team, uint32_t count)
{
    return count > FAST_AT_ONCE * (team.threads / 32) ? FAST_AT_ONCE : 1;
}

/* The last lane with no more than t before its own; empty ones come before it. */
__device__ static inline uint32_t fast_owner_lane(uint32_t before, uint32_t t)
{
    uint32_t owner = 0;
    for (uint32_t step = 16; step > 0; step /= 2)
        if (__shfl_sync(~0u, before, (int)(owner + step)) <= t) owner += step;
    return owner;
}

/* Number of cell t around, CLUMP_GPU_NONE if there are no more. All lanes, each with a t of its own. */
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
