/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_label.cuh: the last phases of `fast`: from the forest of cells to canonical labels (gpu/marks.cuh):
 *
 *     roots    each cell learns its root, each root the first point of its cluster
 *     mark     marks these points; the last thread block makes the prefix sum and writes the counts
 *     label    each point: cell, root, first point, number
 */
#ifndef CLUMP_CUDA_FAST_FAST_LABEL_CUH
#define CLUMP_CUDA_FAST_FAST_LABEL_CUH

#include "cuda/fast/fast_grid.cuh"
#include "cuda/gpu/marks.cuh"

__device__ static inline void fast_roots(const fast_job &job, const clump_gpu_team &team)
{
    fast_stamp(job, team, 3);
    const uint32_t cells = job.counters->cells;
    for (uint64_t c = team.thread; c < cells; c += team.threads) {
        if (job.parents[c] == CLUMP_GPU_NONE) continue; /* DBSCAN: the number is not used any more */
        const uint32_t root = clump_root(job.parents, (uint32_t)c);
        job.parents[c] = root;
        const uint32_t first = job.tallies[c].first;
        /* read first: the cells of a large cluster all have one root */
        if (root != c && first < __ldcg(&job.tallies[root].first)) atomicMin(&job.tallies[root].first, first);
    }
}

__device__ static inline void fast_mark(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t cells = job.counters->cells;
    for (uint64_t c = team.thread; c < cells; c += team.threads) {
        if (job.parents[c] != c) continue;
        clump_mark_first(job, job.tallies[c].first);
    }
}

enum { FAST_SUM_EACH = 8 }; /* words per thread: one thread block passes 262144 points at a time */

__device__ static inline void fast_write_counts(const fast_job &job, uint32_t clusters)
{
    const fast_counters *const c = job.counters;
    const clump_counts counts = {clusters, job.view.count - c->not_finite, c->masked, c->left_out};
    *job.counts = counts;
    if (job.report) job.report->counts = counts;
}

static_assert(CLUMP_TRANSFER_STAGED <= 32 * 32 * FAST_SUM_EACH, "one warp must do for a small cloud");

/* Makes the sums of a small cloud, by one warp. */
__device__ static inline void fast_sum_small(const fast_job &job)
{
    const uint64_t words = ((uint64_t)job.view.count + 31) / 32, w = (uint64_t)clump_lane() * FAST_SUM_EACH;
    uint32_t bits[FAST_SUM_EACH], total;
    const uint32_t before = clump_warp_scan(clump_marks_count<FAST_SUM_EACH>(job, w, words, bits), &total);
    clump_marks_number<FAST_SUM_EACH>(job, w, words, bits, before);
    if (clump_lane() == 0) fast_write_counts(job, total);
}

/* Marks by all thread blocks; the last one makes the sums. */
__device__ static inline void fast_mark_and_sum(const fast_job &job, const clump_gpu_team &team)
{
    fast_mark(job, team);
    if (!clump_last_thread_block(&job.counters->marked)) return;
    const uint32_t clusters = clump_marks_sum<FAST_SUM_EACH>(job);
    if (threadIdx.x == 0) fast_write_counts(job, clusters);
}

__device__ static inline void fast_label(const fast_job &job, const clump_gpu_team &team)
{
    const uint32_t n = job.view.count;
    for (uint64_t i = team.thread; i < n; i += team.threads) {
        uint32_t cell = job.cell_of[i];
        int32_t label = CLUMP_NOISE;
        if (cell != CLUMP_GPU_NONE) {
            if (job.min_points > 0) cell = cell & FAST_FINAL ? cell & ~FAST_FINAL : job.tallies[cell].count;
            label = clump_mark_number(job, job.tallies[job.parents[cell]].first);
        }
        job.labels[i] = label;
    }
}

#endif
