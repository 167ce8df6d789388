/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_test.cuh: whether two cells hold points that are neighbours, and the sets of cells that are joined where they
 * do. A lane tries a pair of cells on its own, a few times, and gives up where they hold many points; then there
 * are, in the order of patience:
 *
 *     hard     the pair is put off until the phases before are done. Most have become of one set by then
 *     warp     32 lanes share the points
 *     crowd    where even a warp would be at it for long: put aside for fast_hot.cuh
 *
 * Lists have limits. What finds no room in one is done at once: slower, and right.
 */
#ifndef CLUMP_CUDA_FAST_FAST_TEST_CUH
#define CLUMP_CUDA_FAST_FAST_TEST_CUH

#include "cuda/fast/fast_job.cuh"

enum {
    FAST_LANE_TESTS = 32,      /* a lane alone */
    FAST_WARP_TESTS = 1 << 16, /* a warp; above it a sample of so many: */
    FAST_SAMPLE = 64,          /* points of each */
    FAST_ROUNDS = 1,           /* of 32 pairs of cells for two blocks at once, the others later */
    FAST_WARPS = 4             /* of a thread block of the join kernels, and of a group */
};

/* ----- sets of cells ------------------------------------------------------------------------------- */

/* Whether two cells are in one set now. Both paths at once: a step of each takes as long as a step of one; and
 * both are made shorter for whoever comes next, as in clump_find. */
__device__ static inline bool fast_same_set(uint32_t *parents, uint32_t a, uint32_t b)
{
    for (;;) {
        const uint32_t pa = CLUMP_UF_LOAD(&parents[a]), pb = CLUMP_UF_LOAD(&parents[b]);
        if (pa == pb) return true;
        const uint32_t ga = CLUMP_UF_LOAD(&parents[pa]), gb = CLUMP_UF_LOAD(&parents[pb]);
        if (ga == gb) return true;
        if (ga == pa && gb == pb) return false;
        if (ga != pa) CLUMP_UF_STORE(&parents[a], ga);
        if (gb != pb) CLUMP_UF_STORE(&parents[b], gb);
        a = ga;
        b = gb;
    }
}

/* Joins two sets of cells. Unlike in clump_unite it is not the smaller root that stays but one as good as drawn by
 * lot: neighbours have numbers that follow each other, and thousands of joins at once along a wall would make
 * one long chain of it. */
__device__ static inline void fast_unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    const uint32_t shuffle = 2654435769u; /* odd: no two have the same lot */
    for (;;) {
        a = clump_find(parents, a);
        b = clump_find(parents, b);
        if (a == b) return;
        if (a * shuffle < b * shuffle) {
            const uint32_t t = a;
            a = b;
            b = t;
        }
        if (atomicCAS(&parents[a], a, b) == a) return;
    }
}

/* ----- points of two cells ------------------------------------------------------------------------- */

/* Points of a cell. */
typedef struct fast_range {
    uint32_t start, count, cell;
} fast_range;

__device__ static inline bool fast_near(const float4 &p, const float4 &q, float bound)
{
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < bound;
}

/* Whether one of four points from q on is near p; beyond the last the last is taken again. Four at a time
 * because each takes long to come and they can come together. */
__device__ static inline bool fast_near_four(const fast_job &job, const float4 &p, const fast_range &q, uint32_t j)
{
    const float4 *const at = job.sorted + q.start;
    const uint32_t last = q.count - 1;
    const float4 q0 = at[j], q1 = at[min(j + 1, last)], q2 = at[min(j + 2, last)], q3 = at[min(j + 3, last)];
    return fast_near(p, q0, job.bound) || fast_near(p, q1, job.bound) || fast_near(p, q2, job.bound) ||
           fast_near(p, q3, job.bound);
}

/* One lane: 1 a neighbour was found, 0 there is none, -1 it gave up. */
__device__ static inline int fast_try_lane(const fast_job &job, const fast_range &a, const fast_range &b)
{
    fast_range few = a, many = b;
    if (a.count > b.count) few = b, many = a;
    int tests = FAST_LANE_TESTS;
    for (uint32_t i = 0; i < few.count; i++) {
        const float4 p = job.sorted[few.start + i];
        for (uint32_t j = 0; j < many.count; j += 4) {
            if (tests <= 0) return -1;
            if (fast_near_four(job, p, many, j)) return 1;
            tests -= 4;
        }
    }
    return 0;
}

/* The whole warp, the same ranges in all lanes: a lane has a point of the larger. */
__device__ static inline bool fast_try_warp(const fast_job &job, const fast_range &a, const fast_range &b)
{
    fast_range few = a, many = b;
    if (a.count > b.count) few = b, many = a;
    for (uint32_t j0 = 0; j0 < many.count; j0 += 32) {
        const float4 q = job.sorted[many.start + min(j0 + clump_lane(), many.count - 1)];
        for (uint32_t i = 0; i < few.count; i += 4)
            if (__any_sync(~0u, fast_near_four(job, q, few, i))) return true;
    }
    return false;
}

__device__ static inline fast_range fast_cell_range(const fast_job &job, uint32_t cell)
{
    const uint2 both = job.ranges[cell];
    fast_range range;
    range.start = both.x & ~FAST_CROWDED;
    range.count = both.y;
    range.cell = cell;
    return range;
}

/* Puts a pair of crowded cells aside; false where there is no room for it. All lanes. */
__device__ static inline bool fast_put_aside(const fast_job &job, const fast_range &a, const fast_range &b)
{
    fast_range small = a, large = b;
    if (a.count > b.count) small = b, large = a;
    const uint32_t stretches = (large.count + 1023) / 1024;
    bool room = true;
    if (clump_lane() == 0) {
        const uint32_t at = atomicAdd(&job.counters->crowd_items, stretches);
        room = at <= job.crowd_limit && stretches <= job.crowd_limit - at;
        for (uint32_t s = 0; s < stretches && at + s < job.crowd_limit; s++) {
            fast_crowd_item item;
            item.a = large.cell;
            item.b = room ? small.cell : CLUMP_GPU_NONE;
            item.stretch = s;
            job.crowd_items[at + s] = item;
        }
    }
    room = __shfl_sync(~0u, room, 0);
    if (!room) return false;
    if (clump_lane() < 2) {
        const uint32_t cell = clump_lane() == 0 ? a.cell : b.cell;
        if (!(atomicOr(&job.ranges[cell].x, FAST_CROWDED) & FAST_CROWDED))
            job.crowd_cells[atomicAdd(&job.counters->crowd_cells, 1)] = cell;
    }
    return true;
}

/* What a lane gave up, by the warp: whether there are neighbours. Pairs of crowded cells are put aside where
 * `aside` allows, unless a sample of their points decides. */
__device__ static inline bool fast_try_hard(const fast_job &job, const fast_range &a, const fast_range &b, bool aside)
{
    if (!aside || (uint64_t)a.count * b.count <= FAST_WARP_TESTS) return fast_try_warp(job, a, b);
    fast_range some = a, others = b;
    some.count = min(a.count, (uint32_t)FAST_SAMPLE);
    others.count = min(b.count, (uint32_t)FAST_SAMPLE);
    if (fast_try_warp(job, some, others)) return true;
    return fast_put_aside(job, a, b) ? false : fast_try_warp(job, a, b);
}

/* Puts the pairs that lanes gave up off until the others are done; returns the lanes that found no room. */
__device__ static inline uint32_t fast_put_off(const fast_job &job, bool given_up, uint32_t a, uint32_t b)
{
    const uint32_t lanes = __ballot_sync(~0u, given_up);
    if (lanes == 0) return 0;
    uint32_t at = 0;
    if (clump_lane() == 0) at = atomicAdd(&job.counters->hard, (uint32_t)__popc(lanes));
    at = __shfl_sync(~0u, at, 0) + (uint32_t)__popc(lanes & clump_lanes_below());
    if (given_up && at < job.hard_limit) job.hard[at] = make_uint2(a, b);
    return __ballot_sync(~0u, given_up && at >= job.hard_limit);
}

enum { FAST_SELF = 0xff }; /* in an entry of `late`: both are one and the same block */

/* Puts pairs first ... of two blocks, 32 at a time, off until the others are done; false where there is no room.
 * All lanes. */
__device__ static inline bool fast_put_late(const fast_job &job, uint32_t slot_a, uint32_t slot_b, uint32_t code,
                                            uint32_t first, uint32_t pairs)
{
    const uint32_t entries = (pairs - first + 31) / 32;
    uint32_t at = 0;
    if (clump_lane() == 0) at = atomicAdd(&job.counters->late, entries);
    at = __shfl_sync(~0u, at, 0);
    const bool room = at < job.late_limit && entries <= job.late_limit - at;
    for (uint32_t e = clump_lane(); e < entries; e += 32) /* where there is no room for all, none is to be read */
        if (at + e < job.late_limit)
            job.late[at + e] = make_uint4(room ? slot_a : CLUMP_GPU_NONE, slot_b, code, first + 32 * e);
    return room;
}

__device__ static inline fast_range fast_shuffle(const fast_range &r, int lane)
{
    fast_range out;
    out.start = __shfl_sync(~0u, r.start, lane);
    out.count = __shfl_sync(~0u, r.count, lane);
    out.cell = __shfl_sync(~0u, r.cell, lane);
    return out;
}

#endif
