/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_grid.cuh: the first phases of `fast`: points into cells, cells into blocks. They need neither a sort nor the
 * extent of the cloud. Each phase needs the one before complete:
 *
 *     clear     empties the tables
 *     enter     each point finds or claims the slot of its block, and sets the bit of its cell
 *     number    each block takes numbers for its cells
 *     count     each point takes a rank in its cell
 *     place     each block takes room for its points
 *     scatter   each point goes to the start of its cell plus its rank
 *
 * A slot is claimed by one compare-and-swap of 64 bits: part of the hash and the index of the claiming point. The
 * position of a block takes 90 bits and does not fit; a comparison computes it from the claiming point. Slots, numbers
 * and ranks depend on the order of threads; the final labels do not.
 */
#ifndef CLUMP_CUDA_FAST_FAST_GRID_CUH
#define CLUMP_CUDA_FAST_FAST_GRID_CUH

#include "cuda/fast/fast_job.cuh"

__device__ static inline void fast_clear(const fast_job &job, const clump_gpu_team &team)
{
    const uint4 zero = {0, 0, 0, 0};
    uint4 *const heads = (uint4 *)job.heads;
    for (uint64_t i = team.thread; i <= job.slot_mask; i += team.threads) heads[i] = zero;
    const uint32_t n = job.view.count;
    for (uint64_t i = team.thread; i < n; i += team.threads) job.tallies[i] = fast_tally{0, CLUMP_GPU_NONE};
    for (uint64_t i = team.thread; i < (n + 31) / 32; i += team.threads) job.marks[i] = 0;
    if (team.thread < sizeof(fast_counters) / 4) ((uint32_t *)job.counters)[team.thread] = 0;
}

/* Returns whether the point that claimed a slot lies in block x, y, z. */
__device__ static inline bool fast_same_block(const fast_job &job, uint32_t point, int32_t x, int32_t y, int32_t z)
{
    const float *const p = (const float *)(job.view.points + point * job.view.stride);
    return clump_cell(p[0], job.rule) >> 2 == x && clump_cell(p[1], job.rule) >> 2 == y &&
           (job.view.two_d ? 0 : clump_cell(p[2], job.rule) >> 2) == z;
}

/* Returns the slot of a block, after claiming it where the block is new. */
__device__ static inline uint32_t fast_enter_block(const fast_job &job, uint32_t point, unsigned long long hash,
                                                   int32_t x, int32_t y, int32_t z, bool *claimed)
{
    for (uint32_t slot = fast_slot(job, hash);; slot = (slot + 1) & job.slot_mask) {
        unsigned long long owner = job.heads[slot].owner; /* may be stale: then the swap fails */
        if (owner == 0) {
            owner = atomicCAS(&job.heads[slot].owner, 0ull, fast_owner(hash, point));
            if (owner == 0) {
                job.infos[slot] = make_int4(x, y, z, 0);
                *claimed = true;
                return slot;
            }
        }
        if (fast_may_own(owner, hash) && fast_same_block(job, (uint32_t)owner & 0x7fffffffu, x, y, z)) return slot;
    }
}

__device__ static inline void fast_enter(const fast_job &job, const clump_gpu_team &team)
{
    fast_stamp(job, team, 1);
    const uint32_t n = job.view.count;
    for (uint64_t i0 = team.thread - clump_lane(); i0 < n; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        float x, y, z;
        bool finite = true, masked = false, in = false;
        if (i < n) in = clump_view_point(job.view, i, &x, &y, &z, &finite, &masked);
        if (__any_sync(~0u, i < n && !in)) {
            const uint32_t unfit = __popc(__ballot_sync(~0u, !finite)), hidden = __popc(__ballot_sync(~0u, masked));
            const uint32_t out = __popc(__ballot_sync(~0u, i < n && !in));
            if (clump_lane() == 0) {
                if (unfit) atomicAdd(&job.counters->not_finite, unfit);
                if (hidden) atomicAdd(&job.counters->masked, hidden);
                atomicAdd(&job.counters->left_out, out);
            }
        }
        uint32_t slot = CLUMP_GPU_NONE;
        bool claimed = false;
        const uint32_t active = __ballot_sync(~0u, in);
        if (in) {
            const int32_t cx = clump_cell(x, job.rule), cy = clump_cell(y, job.rule);
            const int32_t cz = job.view.two_d ? 0 : clump_cell(z, job.rule);
            const int32_t bx = cx >> 2, by = cy >> 2, bz = cz >> 2;
            /* Consecutive points often share a block: the first lane of a run with one block looks it up. */
            const uint32_t lane = clump_lane(), previous = active & clump_lanes_below();
            const int left = previous ? 31 - __clz((int)previous) : (int)lane;
            const int32_t px = __shfl_sync(active, bx, left), py = __shfl_sync(active, by, left),
                          pz = __shfl_sync(active, bz, left);
            const bool begins = left == (int)lane || px != bx || py != by || pz != bz;
            const uint32_t begin = __ballot_sync(active, begins);
            if (begins) slot = fast_enter_block(job, (uint32_t)i, fast_hash(job, bx, by, bz), bx, by, bz, &claimed);
            __syncwarp(active);
            slot = __shfl_sync(active, slot, 31 - __clz((int)(begin & (clump_lanes_below() | 1u << lane))));
            const uint32_t local = clump_block_cell(cx, cy, cz);
            const unsigned long long bit = 1ull << local;
            /* bits are never cleared: a stale copy with the bit is enough, one without it is read again */
            if (!(job.heads[slot].mask & bit) && !(__ldcg(&job.heads[slot].mask) & bit))
                atomicOr(&job.heads[slot].mask, bit);
            job.local_of[i] = (uint8_t)local;
        }
        if (i < n) job.cell_of[i] = slot;
        const uint32_t claims = __ballot_sync(~0u, claimed);
        if (claims) {
            uint32_t at = 0;
            if (clump_lane() == 0) at = atomicAdd(&job.counters->blocks, (uint32_t)__popc(claims));
            at = __shfl_sync(~0u, at, 0) + __popc(claims & clump_lanes_below());
            if (claimed) job.list[at] = slot;
        }
    }
}

__device__ static inline void fast_number(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t blocks = job.counters->blocks;
    for (uint64_t k0 = team.thread - clump_lane(); k0 < blocks; k0 += team.threads) {
        const uint64_t k = k0 + clump_lane();
        const uint32_t slot = k < blocks ? job.list[k] : 0;
        const uint32_t cells = k < blocks ? (uint32_t)__popcll(job.heads[slot].mask) : 0;
        uint32_t total, base = 0;
        const uint32_t before = clump_warp_scan(cells, &total);
        if (clump_lane() == 0) base = atomicAdd(&job.counters->cells, total);
        base = __shfl_sync(~0u, base, 0) + before;
        if (k < blocks) job.infos[slot].w = (int)base;
    }
}

__device__ static inline void fast_count(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t n = job.view.count;
    for (uint64_t i0 = team.thread - clump_lane(); i0 < n; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        const uint32_t slot = i < n ? job.cell_of[i] : CLUMP_GPU_NONE;
        const uint32_t active = __ballot_sync(~0u, slot != CLUMP_GPU_NONE);
        if (slot == CLUMP_GPU_NONE) continue;
        const unsigned long long below = (1ull << job.local_of[i]) - 1;
        const uint32_t cell = (uint32_t)job.infos[slot].w + (uint32_t)__popcll(job.heads[slot].mask & below);
        const uint32_t group = __match_any_sync(active, cell);
        const int leader = __ffs((int)group) - 1;
        uint32_t rank = 0;
        if ((int)clump_lane() == leader) { /* the leader has the smallest index of the group */
            rank = atomicAdd(&job.tallies[cell].count, (uint32_t)__popc(group));
            if ((uint32_t)i < __ldcg(&job.tallies[cell].first)) atomicMin(&job.tallies[cell].first, (uint32_t)i);
        }
        job.rank_of[i] = __shfl_sync(group, rank, leader) + __popc(group & clump_lanes_below());
        job.cell_of[i] = cell;
    }
}

/* Prepares a cell for DBSCAN. */
__device__ static inline void fast_begin_density(const fast_job &job, uint32_t cell, uint32_t slot, uint32_t start,
                                                 uint32_t count)
{
    job.parents[cell] = slot;
    job.tallies[cell].count = 0;
    if (count < FAST_MANY) return;
    const fast_cell_box nothing = {{CLUMP_GPU_NONE, CLUMP_GPU_NONE, CLUMP_GPU_NONE}, {0, 0, 0}};
    job.cell_boxes[start / FAST_MANY] = nothing; /* no other large cell begins there */
}

/* The phase: a warp per block. */
__device__ static inline void fast_place(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t blocks = job.counters->blocks, lane = clump_lane();
    for (uint64_t k = team.thread / 32; k < blocks; k += team.threads / 32) {
        const uint32_t slot = job.list[k];
        const uint32_t cells = (uint32_t)__popcll(job.heads[slot].mask), base = (uint32_t)job.infos[slot].w;
        const uint32_t low = lane < cells ? job.tallies[base + lane].count : 0;
        const uint32_t high = lane + 32 < cells ? job.tallies[base + 32 + lane].count : 0;
        uint32_t lows, highs, start = 0;
        const uint32_t before_low = clump_warp_scan(low, &lows), before_high = clump_warp_scan(high, &highs);
        if (lane == 0) start = atomicAdd(&job.counters->points, lows + highs);
        start = __shfl_sync(~0u, start, 0);
        if (lane < cells) job.spans[base + lane] = make_uint2(start + before_low, low);
        if (lane + 32 < cells) job.spans[base + 32 + lane] = make_uint2(start + lows + before_high, high);
        if (job.min_points == 0) continue;
        if (lane < cells) fast_begin_density(job, base + lane, slot, start + before_low, low);
        if (lane + 32 < cells) fast_begin_density(job, base + 32 + lane, slot, start + lows + before_high, high);
    }
}

__device__ static inline void fast_scatter(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t n = job.view.count;
    for (uint64_t i = team.thread; i < n; i += team.threads) {
        const uint32_t cell = job.cell_of[i];
        if (cell == CLUMP_GPU_NONE) continue;
        const float *const p = (const float *)(job.view.points + i * job.view.stride);
        job.sorted[job.spans[cell].x + job.rank_of[i]] =
            make_float4(p[0], p[1], job.view.two_d ? 0.0f : p[2], __int_as_float((int)i));
    }
}

#endif
