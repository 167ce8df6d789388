/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_test.cuh: whether two cells hold points that are neighbours, and the sets of cells that are joined where they
 * do. One lane tries a pair of cells and gives up after a few tests. Such a pair goes through up to three stages:
 *
 *     hard     it is deferred to the phase `hard`. By then most pairs are in one set
 *     warp     32 lanes share the tests
 *     heavy    a pair with more than FAST_WARP_TESTS tests is deferred to the phase `hot` (fast_hot.cuh)
 *
 * Lists have limits. Work that finds its list full is done at once: slower, with the same result.
 */
#ifndef CLUMP_CUDA_FAST_FAST_TEST_CUH
#define CLUMP_CUDA_FAST_FAST_TEST_CUH

#include "cuda/fast/fast_job.cuh"

/* Chosen on an H200; no measurement per value is recorded. */
enum {
    FAST_LANE_TESTS = 32,      /* of one lane: a longer loop would keep the other 31 waiting */
    FAST_WARP_TESTS = 1 << 16, /* of one warp; a pair with more is heavy */
    FAST_SAMPLE = 64,          /* points per cell that are tested before a heavy pair is deferred */
    FAST_ROUNDS = 1,           /* of 32 pairs of cells per two blocks at once; the others are deferred */
    FAST_WARPS = 4,            /* per thread block of the join kernels, and per group */
    FAST_CHUNK = 32,           /* points of a hot cell: one per lane */
    FAST_STRETCH = 32          /* chunks: the nodes of two stretches fit into shared memory */
};

__device__ static inline uint32_t fast_chunks(uint32_t points)
{
    return (points + FAST_CHUNK - 1) / FAST_CHUNK;
}

__device__ static inline uint32_t fast_stretches(uint32_t points)
{
    return (points + FAST_CHUNK * FAST_STRETCH - 1) / (FAST_CHUNK * FAST_STRETCH);
}

/* ----- sets of cells ------------------------------------------------------------------------------- */

/* Returns whether two cells are in one set now. Follows both paths at once, which takes as long as one of them. Halves
 * both paths, as clump_find does. */
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

/* Joins two sets of cells. Roots are linked in pseudo-random order, not by index as in clump_unite: neighbouring cells
 * have consecutive numbers, and thousands of concurrent joins along a wall would otherwise build one long chain. */
__device__ static inline void fast_unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    const uint32_t shuffle = 2654435769u; /* odd, so the product is a permutation */
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

/* The points of a cell: a span of `sorted`. */
typedef struct fast_span {
    uint32_t start, count, cell;
} fast_span;

__device__ static inline bool fast_are_neighbours(const float4 &p, const float4 &q, float bound)
{
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < bound;
}

/* Returns whether one of four points of q, from the j-th on, is a neighbour of p; beyond the last point the last is
 * taken again. Four loads are in flight at a time. */
__device__ static inline bool fast_neighbour_in_four(const fast_job &job, const float4 &p, const fast_span &q,
                                                     uint32_t j)
{
    const float4 *const at = job.sorted + q.start;
    const uint32_t last = q.count - 1;
    const float4 q0 = at[j], q1 = at[min(j + 1, last)], q2 = at[min(j + 2, last)], q3 = at[min(j + 3, last)];
    return fast_are_neighbours(p, q0, job.bound) || fast_are_neighbours(p, q1, job.bound) ||
           fast_are_neighbours(p, q2, job.bound) || fast_are_neighbours(p, q3, job.bound);
}

/* Tries a pair of cells by one lane. Returns 1: neighbours; 0: none; -1: the lane gave up. */
__device__ static inline int fast_try_lane(const fast_job &job, const fast_span &a, const fast_span &b)
{
    fast_span few = a, many = b;
    if (a.count > b.count) few = b, many = a;
    int tests = FAST_LANE_TESTS;
    for (uint32_t i = 0; i < few.count; i++) {
        const float4 p = job.sorted[few.start + i];
        for (uint32_t j = 0; j < many.count; j += 4) {
            if (tests <= 0) return -1;
            if (fast_neighbour_in_four(job, p, many, j)) return 1;
            tests -= 4;
        }
    }
    return 0;
}

/* Returns whether two cells hold neighbours. All lanes call it with the same cells; each takes points of the larger. */
__device__ static inline bool fast_try_warp(const fast_job &job, const fast_span &a, const fast_span &b)
{
    fast_span few = a, many = b;
    if (a.count > b.count) few = b, many = a;
    for (uint32_t j0 = 0; j0 < many.count; j0 += 32) {
        const float4 q = job.sorted[many.start + min(j0 + clump_lane(), many.count - 1)];
        for (uint32_t i = 0; i < few.count; i += 4)
            if (__any_sync(~0u, fast_neighbour_in_four(job, q, few, i))) return true;
    }
    return false;
}

__device__ static inline fast_span fast_cell_span(const fast_job &job, uint32_t cell)
{
    const uint2 both = job.spans[cell];
    return fast_span{both.x & ~FAST_HOT, both.y, cell};
}

/* Defers a heavy pair to the phase `hot`; returns false where its list is full. All lanes call it. */
__device__ static inline bool fast_defer_heavy(const fast_job &job, const fast_span &a, const fast_span &b)
{
    fast_span small = a, large = b;
    if (a.count > b.count) small = b, large = a;
    const uint32_t stretches = fast_stretches(large.count);
    bool room = true;
    if (clump_lane() == 0) {
        const uint32_t at = atomicAdd(&job.counters->hot_pairs, stretches);
        room = at <= job.hot_limit && stretches <= job.hot_limit - at;
        for (uint32_t s = 0; s < stretches && at + s < job.hot_limit; s++)
            job.hot_pairs[at + s] = fast_hot_pair{large.cell, room ? small.cell : CLUMP_GPU_NONE, s};
    }
    room = __shfl_sync(~0u, room, 0);
    if (!room) return false;
    if (clump_lane() < 2) {
        const uint32_t cell = clump_lane() == 0 ? a.cell : b.cell;
        if (!(atomicOr(&job.spans[cell].x, FAST_HOT) & FAST_HOT))
            job.hot_cells[atomicAdd(&job.counters->hot_cells, 1)] = cell;
    }
    return true;
}

/* Returns whether two cells hold neighbours, after a lane gave up. All lanes call it. With `defer` a heavy pair whose
 * sample has no neighbours is deferred, and the result is false. */
__device__ static inline bool fast_try_hard(const fast_job &job, const fast_span &a, const fast_span &b, bool defer)
{
    if (!defer || (uint64_t)a.count * b.count <= FAST_WARP_TESTS) return fast_try_warp(job, a, b);
    fast_span sample_a = a, sample_b = b;
    sample_a.count = min(a.count, (uint32_t)FAST_SAMPLE);
    sample_b.count = min(b.count, (uint32_t)FAST_SAMPLE);
    if (fast_try_warp(job, sample_a, sample_b)) return true;
    return fast_defer_heavy(job, a, b) ? false : fast_try_warp(job, a, b);
}

/* Defers the pairs that lanes gave up to the phase `hard`; returns the lanes that found the list full. */
__device__ static inline uint32_t fast_defer_pairs(const fast_job &job, bool given_up, uint32_t a, uint32_t b)
{
    const uint32_t lanes = __ballot_sync(~0u, given_up);
    if (lanes == 0) return 0;
    uint32_t at = 0;
    if (clump_lane() == 0) at = atomicAdd(&job.counters->hard, (uint32_t)__popc(lanes));
    at = __shfl_sync(~0u, at, 0) + (uint32_t)__popc(lanes & clump_lanes_below());
    if (given_up && at < job.hard_limit) job.hard_pairs[at] = make_uint2(a, b);
    return __ballot_sync(~0u, given_up && at >= job.hard_limit);
}

enum { FAST_SELF = 0xff }; /* in an entry of late_rounds: both blocks are the same */

/* Defers pairs first ... pairs - 1 of two blocks to the phase `hard`, 32 per entry; returns false where the list is
 * full. All lanes call it. */
__device__ static inline bool fast_defer_rounds(const fast_job &job, uint32_t slot_a, uint32_t slot_b, uint32_t code,
                                                uint32_t first, uint32_t pairs)
{
    const uint32_t entries = (pairs - first + 31) / 32;
    uint32_t at = 0;
    if (clump_lane() == 0) at = atomicAdd(&job.counters->late, entries);
    at = __shfl_sync(~0u, at, 0);
    const bool room = at < job.late_limit && entries <= job.late_limit - at;
    for (uint32_t e = clump_lane(); e < entries; e += 32) /* a list with room for some only: those become invalid */
        if (at + e < job.late_limit)
            job.late_rounds[at + e] = make_uint4(room ? slot_a : CLUMP_GPU_NONE, slot_b, code, first + 32 * e);
    return room;
}

/* Returns the span of another lane. */
__device__ static inline fast_span fast_shuffle(const fast_span &s, int lane)
{
    return fast_span{__shfl_sync(~0u, s.start, lane), __shfl_sync(~0u, s.count, lane), __shfl_sync(~0u, s.cell, lane)};
}

/* Returns the position of the point of another lane. */
__device__ static inline float4 fast_shuffle_point(const float4 &p, int lane)
{
    return make_float4(__shfl_sync(~0u, p.x, lane), __shfl_sync(~0u, p.y, lane), __shfl_sync(~0u, p.z, lane), 0.0f);
}

#endif
