/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_join.cuh: the phases of `fast` that join cells. Two cells are joined when a point of one is a
 * neighbour of a point of the other; that can be so for cells at most two apart on every axis, 124 around
 * each. Most need not be looked at:
 *
 *     inside    within a block, first the cells that touch. Where cells are full that joins all 64, and
 *               the block is of one set: one union-find in shared memory, no look-up, no atomic outside.
 *               The cells further apart are tried only where more than one set is left.
 *     between   for two blocks side by side. If each is of one set and both sets are the same already,
 *               nothing is to be done; if not, the first pair of neighbours ends the search. Blocks with a
 *               face in common come first, after which most of the others are of one set.
 *
 *     hard      pairs of cells with many points that were put off by those before. Most have become of one
 *               set meanwhile; the rest are shared evenly by all warps.
 *
 * A group of warps a block (inside), a warp a block and some of the blocks around it (between), a warp a pair
 * (hard). Before, a lane has a pair of cells and tries its points one by one, a few times, then puts it off.
 * Where even a warp would be at it for long, both cells are crowded: the pair goes to fast_crowd.cuh.
 */
#ifndef CLUMP_CUDA_FAST_JOIN_CUH
#define CLUMP_CUDA_FAST_JOIN_CUH

#include "cuda/fast_job.cuh"

enum {
    FAST_LANE_TESTS = 32,      /* a lane alone */
    FAST_WARP_TESTS = 1 << 16, /* a warp; above it a sample of so many: */
    FAST_SAMPLE = 64,          /* points of each */
    FAST_TOUCHING = 13,        /* half of the 26 cells around a cell */
    FAST_WARPS = 4             /* of a thread block of the join kernels, and of a group */
};

/* Half of the cells around a cell, by distance: of an offset and its opposite one is here. 2 bits an axis,
 * plus 1. */
typedef struct fast_offsets {
    uint8_t at[FAST_TOUCHING];
} fast_offsets;

__device__ __constant__ static const fast_offsets fast_touching = {{
    0x16, 0x19, 0x25,                   /* +x, +y, +z */
    0x1a, 0x18, 0x26, 0x24, 0x29, 0x21, /* +x+y, -x+y, +x+z, -x+z, +y+z, -y+z */
    0x2a, 0x28, 0x22, 0x20,             /* the corners with +z */
}};

/* What a group of warps knows of the block it is in; cells by rank, the number of bits below theirs. */
typedef struct fast_block_cells {
    uint32_t start[64], count[64], parent[64];
    uint8_t local[64];
    uint32_t queued;
    uint16_t queue[32 * FAST_WARPS]; /* pairs of ranks that a lane gave up, and whether a warp joined them */
} fast_block_cells;

/* All threads of a group of warps have come here. Groups of a thread block have numbers. A thread block that is
 * one group must not use a barrier with a number: the compiler would reserve all 16, and few blocks would fit. */
template <int WARPS, bool WHOLE> __device__ static inline void fast_meet(uint32_t group)
{
    if (WARPS == 1)
        __syncwarp();
    else if (WHOLE)
        __syncthreads();
    else
        asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(WARPS * 32) : "memory");
}

/* Whether two cells are in one set now. Both paths at once: a step of each takes as long as a step of one. */
__device__ static inline bool fast_same_set(const uint32_t *parents, uint32_t a, uint32_t b)
{
    for (;;) {
        const uint32_t pa = CLUMP_UF_LOAD(&parents[a]), pb = CLUMP_UF_LOAD(&parents[b]);
        if (pa == pb) return true;
        if (pa == a && pb == b) return false;
        a = pa;
        b = pb;
    }
}

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
        const float4 q = job.sorted[many.start + min(j0 + fast_lane(), many.count - 1)];
        for (uint32_t i = 0; i < few.count; i += 4)
            if (__any_sync(~0u, fast_near_four(job, q, few, i))) return true;
    }
    return false;
}

/* Puts a pair of crowded cells aside; false where there is no room for it. All lanes. */
__device__ static inline bool fast_put_aside(const fast_job &job, const fast_range &a, const fast_range &b)
{
    fast_range small = a, large = b;
    if (a.count > b.count) small = b, large = a;
    const uint32_t stretches = (large.count + 1023) / 1024;
    bool room = true;
    if (fast_lane() == 0) {
        const uint32_t at = atomicAdd(&job.counters->crowd_items, stretches);
        room = at <= job.crowd_limit && stretches <= job.crowd_limit - at;
        for (uint32_t s = 0; s < stretches && at + s < job.crowd_limit; s++) {
            fast_crowd_item item;
            item.a = large.cell;
            item.b = room ? small.cell : FAST_NONE;
            item.stretch = s;
            job.crowd_items[at + s] = item;
        }
    }
    room = __shfl_sync(~0u, room, 0);
    if (!room) return false;
    if (fast_lane() < 2) {
        const uint32_t cell = fast_lane() == 0 ? a.cell : b.cell;
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
    if (fast_lane() == 0) at = atomicAdd(&job.counters->hard, (uint32_t)__popc(lanes));
    at = __shfl_sync(~0u, at, 0) + (uint32_t)__popc(lanes & fast_lanes_below());
    if (given_up && at < job.hard_limit) job.hard[at] = make_uint2(a, b);
    return __ballot_sync(~0u, given_up && at >= job.hard_limit);
}

__device__ static inline fast_range fast_shuffle(const fast_range &r, int lane)
{
    fast_range out;
    out.start = __shfl_sync(~0u, r.start, lane);
    out.count = __shfl_sync(~0u, r.count, lane);
    out.cell = __shfl_sync(~0u, r.cell, lane);
    return out;
}

/* ----- inside -------------------------------------------------------------------------------------- */

/* Joins two sets in shared memory. Hooks what it finds, root or not, under the smaller, and goes on with
 * what was there before: no plain load or store that another lane's could meet. */
__device__ static inline void fast_unite_shared(uint32_t *parent, uint32_t a, uint32_t b)
{
    while (a != b) {
        const uint32_t high = max(a, b), low = min(a, b), was = atomicMin(&parent[high], low);
        if (was == high) return; /* it was a root */
        a = was;
        b = low;
    }
}

__device__ static inline fast_range fast_rank_range(const fast_block_cells *cells, uint32_t base, uint32_t r)
{
    fast_range range;
    range.start = cells->start[r];
    range.count = cells->count[r];
    range.cell = base + r;
    return range;
}

/* The pairs that lanes gave up, a warp a pair; then the joins. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_queue(const fast_job &job, fast_block_cells *cells, uint32_t base,
                                             uint32_t group, bool aside)
{
    const uint32_t thread = threadIdx.x % (32 * WARPS), queued = cells->queued;
    for (uint32_t k = thread / 32; k < queued; k += WARPS) {
        const uint32_t r = cells->queue[k] & 63, q = cells->queue[k] >> 6 & 63;
        const bool same = clump_root(cells->parent, r) == clump_root(cells->parent, q);
        if (__all_sync(~0u, same)) continue; /* by now */
        const bool near = fast_try_hard(job, fast_rank_range(cells, base, r), fast_rank_range(cells, base, q), aside);
        if (near && thread % 32 == 0) cells->queue[k] |= 1 << 12;
        __syncwarp();
    }
    fast_meet<WARPS, WHOLE>(group);
    for (uint32_t k = thread; k < queued; k += 32 * WARPS)
        if (cells->queue[k] >> 12) fast_unite_shared(cells->parent, cells->queue[k] & 63, cells->queue[k] >> 6 & 63);
    if (thread == 0) cells->queued = 0;
    fast_meet<WARPS, WHOLE>(group);
}

/* One try by every thread of the group, of the pair r, q if it is one. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_pairs(const fast_job &job, fast_block_cells *cells, uint32_t base,
                                             uint32_t group, bool is_pair, uint32_t r, uint32_t q, bool put_off,
                                             bool aside)
{
    int found = 0;
    if (is_pair && clump_root(cells->parent, r) != clump_root(cells->parent, q))
        found = fast_try_lane(job, fast_rank_range(cells, base, r), fast_rank_range(cells, base, q));
    if (put_off) {
        const uint32_t no_room = fast_put_off(job, found < 0, base + r, base + q);
        if (found < 0 && !(no_room >> fast_lane() & 1)) found = 0;
    }
    fast_meet<WARPS, WHOLE>(group); /* all have read, now some write */
    if (found > 0) fast_unite_shared(cells->parent, r, q);
    if (found < 0) cells->queue[atomicAdd(&cells->queued, 1)] = (uint16_t)(r | q << 6);
    fast_meet<WARPS, WHOLE>(group);
    if (cells->queued > 0) fast_try_queue<WARPS, WHOLE>(job, cells, base, group, aside);
}

/* Cells that touch, of a block with many: by offset, the near ones before the far ones, which need not be tried
 * where those have joined them. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_offsets(const fast_job &job, fast_block_cells *cells, unsigned long long mask,
                                               uint32_t base, uint32_t group, bool aside)
{
    const uint32_t count = (uint32_t)__popcll(mask), pairs = count * FAST_TOUCHING;
    for (uint32_t t0 = 0; t0 < pairs; t0 += 32 * WARPS) {
        const uint32_t t = t0 + threadIdx.x % (32 * WARPS), r = t % count;
        uint32_t q = 0;
        bool is_pair = false;
        if (t < pairs) {
            const uint32_t offset = fast_touching.at[t / count], local = cells->local[r];
            const int x = (int)(local & 3) + (int)(offset & 3) - 1,
                      y = (int)(local >> 2 & 3) + (int)(offset >> 2 & 3) - 1,
                      z = (int)(local >> 4) + (int)(offset >> 4) - 1;
            const uint32_t other = fast_local(x, y, z);
            is_pair = ((x | y | z) & ~3) == 0 && mask >> other & 1;
            q = (uint32_t)__popcll(mask & ((1ull << other) - 1));
        }
        fast_try_pairs<WARPS, WHOLE>(job, cells, base, group, is_pair, r, q, false, aside);
    }
}

/* All pairs of a block's cells of which the larger distance on an axis is 1 or `far` is set and it is 2. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_try_all(const fast_job &job, fast_block_cells *cells, uint32_t count, uint32_t base,
                                           uint32_t group, bool far, bool aside)
{
    const uint32_t pairs = count * (count - 1) / 2;
    for (uint32_t t0 = 0; t0 < pairs; t0 += 32 * WARPS) {
        const uint32_t t = t0 + threadIdx.x % (32 * WARPS);
        uint32_t r = 0, q = 0;
        bool is_pair = false;
        if (t < pairs) { /* 1 0 | 2 0 | 2 1 | 3 0 | ... */
            r = (uint32_t)((1.0f + sqrtf(8.0f * (float)t + 1.0f)) * 0.5f);
            if (r * (r - 1) / 2 > t) r--;
            q = t - r * (r - 1) / 2;
            const uint32_t a = cells->local[r], b = cells->local[q];
            const int x = abs((int)(a & 3) - (int)(b & 3)), y = abs((int)(a >> 2 & 3) - (int)(b >> 2 & 3)),
                      z = abs((int)(a >> 4) - (int)(b >> 4));
            is_pair = max(x, max(y, z)) == (far ? 2 : 1);
        }
        fast_try_pairs<WARPS, WHOLE>(job, cells, base, group, is_pair, r, q, far && aside, aside);
    }
}

/* Every warp of the group finds out by itself. */
__device__ static inline bool fast_one_set(const fast_block_cells *cells, uint32_t count)
{
    const uint32_t lane = fast_lane();
    const bool low = lane > 0 && lane < count && cells->parent[lane] == lane;
    const bool high = lane + 32 < count && cells->parent[lane + 32] == lane + 32;
    return !__any_sync(~0u, low || high); /* cell 0 is a root for certain */
}

/* A group of warps a block. */
template <int WARPS, bool WHOLE>
__device__ static inline void fast_inside(const fast_job &job, const fast_team &team, fast_block_cells *all, bool aside)
{
    fast_stamp(job, team, 1);
    const uint32_t group = threadIdx.x / (32 * WARPS), thread = threadIdx.x % (32 * WARPS);
    fast_block_cells *const cells = &all[group];
    const uint32_t blocks = job.counters->blocks;
    for (uint64_t k = team.thread / (32 * WARPS); k < blocks; k += team.threads / (32 * WARPS)) {
        const uint32_t slot = job.list[k], base = (uint32_t)job.infos[slot].w;
        const unsigned long long mask = job.heads[slot].mask;
        const uint32_t count = (uint32_t)__popcll(mask);
        for (uint32_t local = thread; local < 64; local += 32 * WARPS) {
            if (!(mask >> local & 1)) continue;
            const uint32_t r = (uint32_t)__popcll(mask & ((1ull << local) - 1));
            const uint2 range = job.ranges[base + r];
            cells->local[r] = (uint8_t)local;
            cells->parent[r] = r;
            cells->start[r] = range.x;
            cells->count[r] = range.y;
        }
        if (thread == 0) cells->queued = 0;
        fast_meet<WARPS, WHOLE>(group);
        if (count > 2 * FAST_TOUCHING)
            fast_try_offsets<WARPS, WHOLE>(job, cells, mask, base, group, aside);
        else
            fast_try_all<WARPS, WHOLE>(job, cells, count, base, group, false, aside);
        bool one = fast_one_set(cells, count);
        if (!one) {
            fast_try_all<WARPS, WHOLE>(job, cells, count, base, group, true, aside);
            one = fast_one_set(cells, count);
        }
        for (uint32_t r = thread; r < count; r += 32 * WARPS)
            job.parents[base + r] = base + clump_root(cells->parent, r);
        if (thread == 0 && !one) job.infos[slot].w = (int)(base | FAST_MIXED);
        fast_meet<WARPS, WHOLE>(group);
    }
}

/* ----- between ------------------------------------------------------------------------------------- */

/* On one axis, for a block `dir` away: which of its four layers a cell in layer `at` of this block reaches. */
__device__ static inline uint32_t fast_axis_window(int dir, uint32_t at)
{
    if (dir == 0) return at == 0 ? 7u : at == 3 ? 14u : 15u;
    if (dir > 0) return at < 2 ? 0u : at == 2 ? 1u : 3u;
    return at > 1 ? 0u : at == 1 ? 8u : 12u;
}

/* The cells of the block there that a cell here reaches. */
__device__ static inline unsigned long long fast_window(int dx, int dy, int dz, uint32_t local)
{
    const uint32_t wx = fast_axis_window(dx, local & 3), wy = fast_axis_window(dy, local >> 2 & 3),
                   wz = fast_axis_window(dz, local >> 4);
    uint32_t plane = 0;
    for (uint32_t y = 0; y < 4; y++)
        if (wy >> y & 1) plane |= wx << 4 * y;
    unsigned long long all = 0;
    for (uint32_t z = 0; z < 4; z++)
        if (wz >> z & 1) all |= (unsigned long long)plane << 16 * z;
    return all;
}

/* The n-th bit that is set; there are more than n. */
__device__ static inline uint32_t fast_nth_bit(unsigned long long mask, uint32_t n)
{
    uint32_t at = 0;
    for (uint32_t width = 32; width > 0; width /= 2) {
        const uint32_t below = (uint32_t)__popcll(mask >> at & ((1ull << width) - 1));
        if (n >= below) n -= below, at += width;
    }
    return at;
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

/* The cells of one block that can reach the block at dx, dy, dz: half, a quarter or an eighth of it. */
__device__ static inline unsigned long long fast_near_side(int dx, int dy, int dz)
{
    const unsigned long long x = dx > 0 ? 0xccccccccccccccccull : dx < 0 ? 0x3333333333333333ull : ~0ull;
    const unsigned long long y = dy > 0 ? 0xff00ff00ff00ff00ull : dy < 0 ? 0x00ff00ff00ff00ffull : ~0ull;
    return x & y & (dz > 0 ? 0xffffffff00000000ull : ~0ull);
}

/* A block and one beside it. Each lane has a cell of the first, at most 32, and the cells of the second in its
 * reach; then the pairs of all lanes are counted through and every lane takes one, until none is left. */
__device__ static inline void fast_join_blocks(const fast_job &job, unsigned long long mask_a, uint32_t w_a,
                                               unsigned long long mask_b, uint32_t w_b, int dx, int dy, int dz,
                                               bool aside)
{
    const uint32_t base_a = w_a & ~FAST_MIXED, base_b = w_b & ~FAST_MIXED, lane = fast_lane();
    const bool mixed = (w_a | w_b) & FAST_MIXED;
    if (!mixed && __all_sync(~0u, fast_same_set(job.parents, base_a, base_b))) return; /* by now */
    const unsigned long long side = mask_a & fast_near_side(dx, dy, dz);
    unsigned long long window = 0;
    uint32_t cell = 0, pairs;
    if (lane < (uint32_t)__popcll(side)) {
        const uint32_t local = fast_nth_bit(side, lane);
        window = mask_b & fast_window(dx, dy, dz, local);
        cell = base_a + (uint32_t)__popcll(mask_a & ((1ull << local) - 1));
    }
    const uint32_t before = fast_warp_scan((uint32_t)__popcll(window), &pairs);
    for (uint32_t t0 = 0; t0 < pairs; t0 += 32) {
        const uint32_t t = t0 + lane;
        uint32_t owner = 0; /* the last lane with no more than t pairs before its own; empty ones come before it */
        for (uint32_t step = 16; step > 0; step /= 2)
            if (__shfl_sync(~0u, before, (int)(owner + step)) <= t) owner += step;
        const unsigned long long theirs = __shfl_sync(~0u, window, (int)owner);
        const uint32_t rank = t - __shfl_sync(~0u, before, (int)owner);
        fast_range a = {}, b = {};
        a.cell = __shfl_sync(~0u, cell, (int)owner);
        int found = 0;
        if (t < pairs) {
            const uint32_t local = fast_nth_bit(theirs, rank);
            b.cell = base_b + (uint32_t)__popcll(mask_b & ((1ull << local) - 1));
            if (!mixed || !fast_same_set(job.parents, a.cell, b.cell)) {
                a = fast_cell_range(job, a.cell);
                b = fast_cell_range(job, b.cell);
                found = fast_try_lane(job, a, b);
            }
        }
        if (mixed) {
            if (found > 0) clump_unite(job.parents, a.cell, b.cell);
        } else if (__any_sync(~0u, found > 0)) {
            if (lane == 0) clump_unite(job.parents, base_a, base_b);
            return;
        }
        uint32_t hard = __ballot_sync(~0u, found < 0);
        if (aside && hard) hard = fast_put_off(job, found < 0, a.cell, b.cell);
        for (; hard; hard &= hard - 1) {
            const int from = __ffs((int)hard) - 1;
            const fast_range a1 = fast_shuffle(a, from), b1 = fast_shuffle(b, from);
            if (__all_sync(~0u, fast_same_set(job.parents, a1.cell, b1.cell))) continue; /* by now */
            if (!fast_try_hard(job, a1, b1, aside)) continue;
            if (lane == 0) clump_unite(job.parents, a1.cell, b1.cell);
            if (!mixed) return;
        }
    }
}

/* Blocks around a block: the same offsets. The first three have a face in common with it. */
enum { FAST_FACES = 3 };

/* A warp has a block and one of `parts` of the directions first ... last - 1; at most 32 lanes look for the
 * blocks there. Two blocks that are of one and the same set are done with at once. */
__device__ static inline void fast_between(const fast_job &job, const fast_team &team, uint32_t first, uint32_t last,
                                           uint32_t parts, bool aside)
{
    const uint64_t work = (uint64_t)job.counters->blocks * parts;
    const uint32_t lane = fast_lane();
    for (uint64_t k = team.thread / 32; k < work; k += team.threads / 32) {
        const uint32_t slot = job.list[k / parts], number = first + (uint32_t)(k % parts) + lane * parts;
        const int4 info = job.infos[slot];
        const unsigned long long mask = job.heads[slot].mask;
        unsigned long long other_mask = 0;
        uint32_t w = 0, code = 0;
        bool there = false;
        if (number < last) {
            code = fast_touching.at[number];
            const uint32_t other = fast_find_block(job, info.x + (int)(code & 3) - 1, info.y + (int)(code >> 2 & 3) - 1,
                                                   info.z + (int)(code >> 4) - 1, &other_mask);
            there = other != FAST_NONE;
            if (there) w = (uint32_t)job.infos[other].w;
            if (there && !(((uint32_t)info.w | w) & FAST_MIXED))
                there = !fast_same_set(job.parents, (uint32_t)info.w, w);
        }
        for (uint32_t todo = __ballot_sync(~0u, there); todo; todo &= todo - 1) {
            const int from = __ffs((int)todo) - 1;
            const uint32_t c = __shfl_sync(~0u, code, from);
            fast_join_blocks(job, mask, (uint32_t)info.w, __shfl_sync(~0u, other_mask, from), __shfl_sync(~0u, w, from),
                             (int)(c & 3) - 1, (int)(c >> 2 & 3) - 1, (int)(c >> 4) - 1, aside);
            __syncwarp();
        }
    }
}

/* What was put off, a warp a pair. Most are in one set by now. */
__device__ static inline void fast_hard(const fast_job &job, const fast_team &team)
{
    const uint32_t pairs = min(job.counters->hard, job.hard_limit);
    for (uint64_t k = team.thread / 32; k < pairs; k += team.threads / 32) {
        const uint2 pair = job.hard[k];
        if (__all_sync(~0u, fast_same_set(job.parents, pair.x, pair.y))) continue;
        if (fast_try_hard(job, fast_cell_range(job, pair.x), fast_cell_range(job, pair.y), true) && fast_lane() == 0)
            clump_unite(job.parents, pair.x, pair.y);
        __syncwarp();
    }
}

#endif
