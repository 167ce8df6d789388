/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_label.cuh: the last phases: from sets of cells to canonical labels, as fast_label.cuh has it. A set's number is
 * the number of first points of sets before its own:
 *
 *     roots    each cell learns its root, each root the first point of its set
 *     mark     a bit for each such point; by word of 32 bits, how many before it; counts
 *     label    each point: cell, root, first point, word, bits before it in the word
 *     flag     clump_ground alone: labels of points by the surface
 *     maps     what the caller wants to know of the cells, from finished labels
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_LABEL_CUH
#define CLUMP_CUDA_OBSTACLES_ERCCL_LABEL_CUH

#include "cuda/gpu/marks.cuh"
#include "cuda/obstacles/erccl_cells.cuh"

__device__ static inline void erccl_roots(const erccl_job &job, const clump_gpu_team &team)
{
    const uint32_t cells = job.counters->cells;
    for (uint64_t k = team.thread; k < cells; k += team.threads) {
        const uint32_t place = job.list[k], root = clump_root(job.parents, place), first = job.first[place];
        job.parents[place] = root;
        /* looked at before it is written: the cells of a large set all have one root */
        if (root != place && first < __ldcg(&job.first[root])) atomicMin(&job.first[root], first);
    }
}

/* One thread. */
__device__ static inline void erccl_tell(const erccl_job &job, uint32_t clusters)
{
    const erccl_counters *const c = job.counters;
    clump_counts counts;
    counts.clusters = clusters;
    counts.finite = __ldcg(&c->finite);
    counts.masked = __ldcg(&c->masked);
    counts.noise = __ldcg(&c->noise);
    *job.counts = counts;
    const uint32_t ground = __ldcg(&c->ground);
    *job.ground_count = ground;
    if (!job.report) return;
    job.report->counts = counts;
    job.report->ground = ground;
    job.report->level = clump_surface_level(job.ground.surface);
}

enum { ERCCL_SUM_EACH = 4 }; /* words a thread */

__device__ static inline void erccl_mark(const erccl_job &job, const clump_gpu_team &team)
{
    const uint32_t cells = job.counters->cells;
    for (uint64_t k = team.thread; k < cells; k += team.threads) {
        const uint32_t place = job.list[k];
        if (job.parents[place] != place) continue;
        clump_mark_first(job, job.first[place]);
    }
    if (!clump_last_thread_block(&job.counters->marked)) return;
    const uint32_t clusters = clump_marks_sum<ERCCL_SUM_EACH>(job);
    if (threadIdx.x == 0) erccl_tell(job, clusters);
}

__device__ static inline void erccl_label(const erccl_job &job, const clump_gpu_team &team)
{
    for (uint64_t i = team.thread; i < job.view.count; i += team.threads) {
        const int32_t place = job.place_of[i];
        int32_t label = place == ERCCL_NOISE ? CLUMP_NOISE : CLUMP_GROUND;
        if (place >= 0) label = clump_mark_number(job, job.first[job.parents[place]]);
        job.labels[i] = label;
    }
}

/* clump_ground: which points are ground. The last thread block to be done tells. */
__device__ static inline void erccl_flag(const erccl_job &job, const clump_gpu_team &team)
{
    __shared__ erccl_tally tally;
    const clump_surface surface = *job.ground.surface;
    const uint64_t n = job.view.count;
    erccl_tally_begin(&tally);
    for (uint64_t base = (uint64_t)blockIdx.x * blockDim.x; base < n; base += team.threads) {
        const uint64_t i = base + threadIdx.x;
        bool finite = false, masked = false, ground = false;
        if (i < n) {
            const float *const p = (const float *)(job.view.points + i * job.view.stride);
            finite = clump_elevation_finite(p);
            masked = job.view.mask && !job.view.mask[i];
            ground = !masked && clump_surface_is_ground(&surface, p);
            job.labels[i] = ground ? CLUMP_GROUND : CLUMP_NOISE;
        }
        erccl_tally_add(&tally.finite, finite);
        erccl_tally_add(&tally.masked, masked);
        erccl_tally_add(&tally.ground, ground);
        erccl_tally_add(&tally.noise, i < n && !ground);
    }
    erccl_tally_end(job, &tally);
    if (!clump_last_thread_block(&job.counters->marked) || threadIdx.x > 0) return;
    erccl_tell(job, 0);
    if (job.report) job.report->stamps[4] = clump_gpu_now();
}

/* ----- maps ------------------------------------------------------------------------------------------ */

/* Height of the ground at the middle of a cell, as points have it; no number where it is not known. */
__device__ static inline float erccl_ground_at(const erccl_job &job, const clump_surface &s, uint32_t cell)
{
    const clump_elevation &map = job.map;
    const float row = __fadd_rn((float)(cell / map.side), 0.5f), column = __fadd_rn((float)(cell % map.side), 0.5f);
    const float x = __fadd_rn(map.corner[0], __fmul_rn(row, map.cell));
    const float y = __fadd_rn(map.corner[1], __fmul_rn(column, map.cell));
    const float middle[3] = {x, y, y}; /* heights are not looked at */
    const float u = clump_surface_u(&s, middle), v = clump_surface_v(&s, middle);
    if (s.kind == CLUMP_SURFACE_NONE || !clump_surface_inside(&s, u, v, 0)) return NAN;
    const float height = s.kind == CLUMP_SURFACE_LEVEL ? s.level : clump_surface_height(&s, u, v);
    return __fadd_rn(height, __fmul_rn(map.up, s.sensor));
}

/* All but the cells that have ground alone. The cells of a set have one label, that of their points. */
__device__ static inline void erccl_maps(const erccl_job &job, const clump_erccl_maps &maps, const clump_gpu_team &team)
{
    const clump_surface surface = *job.ground.surface;
    for (uint64_t k = team.thread; k < job.cells; k += team.threads) {
        const uint2 heights = job.heights[k];
        const bool obstacle = erccl_occupied(heights);
        if (maps.obstacle) maps.obstacle[k] = obstacle;
        if (maps.lowest) maps.lowest[k] = obstacle ? clump_float_of_key(heights.x) : NAN;
        if (maps.highest) maps.highest[k] = obstacle ? clump_float_of_key(heights.y) : NAN;
        if (maps.labels) maps.labels[k] = obstacle ? job.labels[job.first[k]] : CLUMP_NOISE;
        if (maps.ground) maps.ground[k] = erccl_ground_at(job, surface, (uint32_t)k);
    }
}

/* After that: these. All write the same. */
__device__ static inline void erccl_maps_ground(const erccl_job &job, const clump_erccl_maps &maps,
                                                const clump_gpu_team &team)
{
    for (uint64_t i = team.thread; i < job.view.count; i += team.threads) {
        if (job.place_of[i] > ERCCL_GROUND) continue;
        const uint32_t place = (uint32_t)(ERCCL_GROUND - job.place_of[i]);
        if (!erccl_occupied(job.heights[place])) maps.labels[place] = CLUMP_GROUND;
    }
}

#endif
