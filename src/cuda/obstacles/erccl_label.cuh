/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_label.cuh: the last phases: from sets of cells to canonical labels (gpu/marks.cuh), as in fast_label.cuh:
 *
 *     roots    each cell learns its root, each root the first point of its set
 *     mark     marks these points; the last thread block makes the prefix sum and writes the counts
 *     label    each point: cell, root, first point, number
 *     flag     clump_ground alone: labels of points by the surface
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
        /* read first: the cells of a large set all have one root */
        if (root != place && first < __ldcg(&job.first[root])) atomicMin(&job.first[root], first);
    }
}

/* Writes counts for the GPU and for the host, by one thread. */
__device__ static inline void erccl_write_counts(const erccl_job &job, uint32_t clusters)
{
    const erccl_counters *const c = job.counters;
    const clump_counts counts = {clusters, __ldcg(&c->finite), __ldcg(&c->masked), __ldcg(&c->noise)};
    *job.counts = counts;
    const uint32_t ground = __ldcg(&c->ground);
    *job.ground_count = ground;
    if (!job.report) return;
    job.report->counts = counts;
    job.report->ground = ground;
    job.report->level = clump_surface_level(job.ground.surface);
}

enum { ERCCL_SUM_EACH = 4 }; /* words per thread: one thread block passes 131072 points at a time */

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
    if (threadIdx.x == 0) erccl_write_counts(job, clusters);
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

/* clump_ground: labels the points that are ground. The last thread block writes the counts. */
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
            if (job.above) job.above[i] = masked ? clump_unknown() : clump_surface_above(&surface, p);
        }
        erccl_tally_add(&tally.finite, finite);
        erccl_tally_add(&tally.masked, masked);
        erccl_tally_add(&tally.ground, ground);
        erccl_tally_add(&tally.noise, i < n && !ground);
    }
    erccl_tally_end(job, &tally);
    if (!clump_last_thread_block(&job.counters->marked) || threadIdx.x > 0) return;
    erccl_write_counts(job, 0);
    if (job.report) job.report->stamps[4] = clump_gpu_now();
}

#endif
