/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_cells.cuh: the first phases: an empty map and, once the ground is known, the points on the map. Each point
 * lowers and raises the heights of its cell by atomic operations, after a plain read: most points change nothing. The
 * point that finds a cell empty lists it. A thread block lists all its cells at once: there is one counter for all.
 * Heights of ground points follow in a phase of their own: only then it is known which cells have obstacles.
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_CELLS_CUH
#define CLUMP_CUDA_OBSTACLES_ERCCL_CELLS_CUH

#include "cuda/obstacles/erccl_job.cuh"
#include "cuda/obstacles/ground_grid.cuh"

__device__ static inline void erccl_clear(const erccl_job &job, const clump_gpu_team &team)
{
    const uint2 none = erccl_no_heights();
    uint4 *const heights = (uint4 *)job.heights, *const first = (uint4 *)job.first; /* padded to 4 cells */
    for (uint64_t k = team.thread; k < (job.cells + (uint64_t)1) / 2; k += team.threads)
        heights[k] = make_uint4(none.x, none.y, none.x, none.y);
    for (uint64_t k = team.thread; k < (job.cells + (uint64_t)3) / 4; k += team.threads)
        first[k] = make_uint4(CLUMP_GPU_NONE, CLUMP_GPU_NONE, CLUMP_GPU_NONE, CLUMP_GPU_NONE);
    const ground_search &g = job.ground;
    if (g.method == CLUMP_GROUND_GRID || g.step) { /* no heights yet, or with peak no points of the step rule */
        const int32_t empty = g.method == CLUMP_GROUND_GRID ? CLUMP_LOW_NONE : 0;
        int4 *const part = (int4 *)g.part;
        const uint64_t parts = (uint64_t)g.start.tiles * (uint64_t)g.start.tiles * GROUND_PARTS;
        for (uint64_t k = team.thread; k < parts / 4; k += team.threads)
            part[k] = make_int4(empty, empty, empty, empty);
    }
    for (uint64_t k = team.thread; k < g.peak.bins; k += team.threads) g.bins[k] = 0;
    for (uint64_t k = team.thread; job.cells > 0 && k < ((uint64_t)job.view.count + 31) / 32; k += team.threads)
        job.marks[k] = 0;
    if (team.thread < sizeof(erccl_counters) / 4) ((uint32_t *)job.counters)[team.thread] = 0;
    if (team.thread == 0) *g.surface = g.start;
}

/* Counts of a thread block, added to the counters at the end of a phase. */
typedef struct erccl_tally {
    uint32_t finite, masked, ground, noise;
} erccl_tally;

__device__ static inline void erccl_tally_begin(erccl_tally *tally)
{
    if (threadIdx.x < 4) ((uint32_t *)tally)[threadIdx.x] = 0;
    __syncthreads();
}

/* Counts one per lane with `mine`. All lanes call it. */
__device__ static inline void erccl_tally_add(uint32_t *count, bool mine)
{
    const unsigned all = __ballot_sync(~0u, mine);
    if (clump_lane() == 0 && all) atomicAdd(count, (uint32_t)__popc(all));
}

__device__ static inline void erccl_tally_end(const erccl_job &job, const erccl_tally *tally)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        if (tally->finite) atomicAdd(&job.counters->finite, tally->finite);
        if (tally->masked) atomicAdd(&job.counters->masked, tally->masked);
        if (tally->ground) atomicAdd(&job.counters->ground, tally->ground);
        if (tally->noise) atomicAdd(&job.counters->noise, tally->noise);
    }
}

/* A point before it is put on the map. */
typedef struct erccl_point {
    bool finite, masked, ground;
    int32_t place; /* ERCCL_NOISE: not on the map */
} erccl_point;

__device__ static inline erccl_point erccl_classify(const erccl_job &job, const clump_surface &surface, uint64_t i)
{
    erccl_point point;
    const float *const p = (const float *)(job.view.points + i * job.view.stride);
    uint32_t row, column;
    point.finite = clump_elevation_finite(p);
    point.masked = job.view.mask && !job.view.mask[i];
    point.place = ERCCL_NOISE;
    if (point.finite && !point.masked && clump_elevation_cell(&job.map, p, &row, &column))
        point.place = (int32_t)(row * job.map.columns + column);
    point.ground = point.place >= 0 && clump_surface_is_ground(&surface, p);
    return point;
}

/* Adds the height of a point to its cell, whose heights are `seen` or have changed since. */
__device__ static inline void erccl_add_height(const erccl_job &job, uint32_t place, uint64_t i, const uint2 &seen)
{
    const float *const p = (const float *)(job.view.points + i * job.view.stride);
    const uint32_t key = clump_key_of_float(__fmul_rn(job.map.up, p[job.map.up_axis]));
    uint2 *const heights = &job.heights[place];
    if (key < seen.x) atomicMin(&heights->x, key);
    if (key > seen.y) atomicMax(&heights->y, key);
}

/* Puts a point on the map; returns true for the one point that finds the cell empty. */
__device__ static inline bool erccl_enter(const erccl_job &job, uint32_t place, uint32_t i)
{
    const uint2 seen = __ldcg(&job.heights[place]);
    const uint32_t first = __ldcg(&job.first[place]);
    erccl_add_height(job, place, i, seen);
    return i < first && atomicMin(&job.first[place], i) == CLUMP_GPU_NONE;
}

__device__ static inline void erccl_place(const erccl_job &job, const clump_gpu_team &team)
{
    __shared__ erccl_tally tally;
    __shared__ uint32_t found, at;
    const clump_surface surface = *job.ground.surface;
    const uint64_t n = job.view.count;
    erccl_tally_begin(&tally);
    for (uint64_t base = (uint64_t)blockIdx.x * blockDim.x; base < n; base += team.threads) {
        const uint64_t i = base + threadIdx.x;
        erccl_point point = {false, false, false, ERCCL_NOISE};
        if (i < n) {
            point = erccl_classify(job, surface, i);
            job.place_of[i] = point.ground ? ERCCL_GROUND - point.place : point.place;
            if (job.above)
                job.above[i] =
                    point.masked
                        ? clump_unknown()
                        : clump_surface_above(&surface, (const float *)(job.view.points + i * job.view.stride));
        }
        if (threadIdx.x == 0) found = 0;
        erccl_tally_add(&tally.finite, point.finite);
        erccl_tally_add(&tally.masked, point.masked);
        erccl_tally_add(&tally.ground, point.ground);
        erccl_tally_add(&tally.noise, i < n && point.place == ERCCL_NOISE);
        const bool new_one = point.place >= 0 && !point.ground && erccl_enter(job, (uint32_t)point.place, (uint32_t)i);
        __syncthreads();
        const uint32_t mine = new_one ? atomicAdd(&found, 1u) : 0;
        __syncthreads();
        if (threadIdx.x == 0 && found) at = atomicAdd(&job.counters->cells, found);
        __syncthreads();
        if (new_one) job.list[at + mine] = (uint32_t)point.place;
    }
    erccl_tally_end(job, &tally);
}

/* Adds the heights of ground points to the obstacle cells. A cell without obstacles stays empty. */
__device__ static inline void erccl_add_ground(const erccl_job &job, const clump_gpu_team &team)
{
    for (uint64_t i = team.thread; i < job.view.count; i += team.threads) {
        if (job.place_of[i] > ERCCL_GROUND) continue;
        const uint32_t place = (uint32_t)(ERCCL_GROUND - job.place_of[i]);
        const uint2 seen = __ldcg(&job.heights[place]);
        if (erccl_occupied(seen)) erccl_add_height(job, place, i, seen);
    }
}

#endif
