/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_labels.cuh: what happens to labels after the clustering, as gpu/labels.cu but in a launch graph: nothing depends
 * on numbers of the host.
 *
 *     carry    thinning: points get the label of the first point of their voxel. Sizes of clusters; the last thread block
 *              decides which are kept, and numbers them
 *     finish   new labels, ground, counts; clears what the boxes add up
 *     report   boxes and counts to pinned memory of the host
 */
#ifndef CLUMP_CUDA_DETECT_DETECT_LABELS_CUH
#define CLUMP_CUDA_DETECT_DETECT_LABELS_CUH

#include "cuda/detect/detect_points.cuh"

/* Lanes with the same label make one atomic operation: points of a large cluster would otherwise contend. */
__device__ static inline void detect_count_size(const detect_job &job, int32_t label)
{
    const unsigned same = __match_any_sync(~0u, label);
    if (label >= 0 && !(same & clump_lanes_below())) atomicAdd(&job.sizes[label], (uint32_t)__popc(same));
}

enum { DETECT_CARRY_THREADS = 1024, DETECT_LIMIT_EACH = 4 }; /* per thread block; clusters per thread at a time */

__device__ static inline bool detect_kept(const detect_job &job, uint32_t size)
{
    return size >= job.least && (job.most == 0 || size <= job.most);
}

/* Replaces sizes by new numbers, CLUMP_NOISE for clusters that are not kept. One thread block. */
__device__ static inline void detect_limit(const detect_job &job)
{
    __shared__ uint32_t sums[DETECT_CARRY_THREADS / 32];
    const uint32_t clusters = job.counts->clusters, t = threadIdx.x;
    uint32_t carry = 0;
    for (uint64_t c0 = 0; c0 < clusters; c0 += DETECT_CARRY_THREADS * DETECT_LIMIT_EACH) {
        const uint64_t c = c0 + (uint64_t)t * DETECT_LIMIT_EACH;
        uint32_t kept = 0, total;
        for (int k = 0; k < DETECT_LIMIT_EACH; k++)
            if (c + k < clusters && detect_kept(job, __ldcg(&job.sizes[c + k]))) kept |= 1u << k;
        const uint32_t before = clump_warp_scan((uint32_t)__popc(kept), &total);
        if (t % 32 == 0) sums[t / 32] = total;
        __syncthreads();
        uint32_t number = carry + before;
        for (uint32_t w = 0; w < DETECT_CARRY_THREADS / 32; w++) {
            if (w < t / 32) number += sums[w];
            carry += sums[w];
        }
        for (int k = 0; k < DETECT_LIMIT_EACH; k++)
            if (c + k < clusters) job.sizes[c + k] = kept >> k & 1 ? number++ : (uint32_t)CLUMP_NOISE;
        __syncthreads();
    }
    if (t == 0) job.counts->clusters = carry;
}

__device__ static inline void detect_carry(const detect_job &job, const clump_gpu_team &team)
{
    const uint32_t n = job.view.count;
    for (uint64_t i0 = team.thread - clump_lane(); i0 < n; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        int32_t label = i < n ? job.labels[i] : CLUMP_NOISE;
        if (job.thin > 0 && i < n) {
            const uint32_t first = job.voxel_of[i];
            if (first != CLUMP_GPU_NONE && first != (uint32_t)i) job.labels[i] = label = job.labels[first];
        }
        if (job.limited) detect_count_size(job, label);
    }
    if (job.limited && clump_last_thread_block(&job.counters->carried)) detect_limit(job);
}

__device__ static inline void detect_finish(const detect_job &job, const clump_gpu_team &team)
{
    __shared__ uint32_t noise_here;
    if (threadIdx.x == 0) noise_here = 0;
    __syncthreads();
    const uint32_t n = job.view.count;
    for (uint64_t i0 = team.thread - clump_lane(); i0 < n; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        bool noise = false;
        if (i < n) {
            const bool ground = job.grounds[i0 / 32] >> clump_lane() & 1;
            const int32_t before = job.labels[i];
            int32_t label = ground ? CLUMP_GROUND : before;
            if (job.limited && label >= 0) label = (int32_t)job.sizes[label];
            if (label != before) job.labels[i] = label;
            if (job.labels_on_host) job.labels_on_host[i] = label;
            noise = label == CLUMP_NOISE;
        }
        detect_tally(&noise_here, noise);
    }
    __syncthreads();
    if (threadIdx.x == 0 && noise_here) atomicAdd(&job.counters->noise, noise_here);
    if (team.thread == 0 && job.clusters_on_device) *job.clusters_on_device = (int32_t)job.counts->clusters;
    if (job.describe) describe_clear(*job.describe, team);
}

/* Copies the boxes that exist to the host, four bytes per thread: full lines of memory cross the bus. */
__device__ static inline void detect_report_all(const detect_job &job, const clump_gpu_team &team)
{
    const uint32_t clusters = job.counts->clusters;
    if (job.boxes_on_host) {
        const uint64_t boxes = clusters < job.capacity ? clusters : job.capacity;
        const uint64_t words = boxes * (sizeof(clump_cluster) / 4);
        const uint32_t *const from = (const uint32_t *)job.boxes;
        uint32_t *const to = (uint32_t *)job.boxes_on_host;
        for (uint64_t k = team.thread; k < words; k += team.threads) to[k] = from[k];
    }
    if (!job.report || team.thread > 0) return;
    const detect_counters c = *job.counters;
    job.report->counts = clump_counts{clusters, job.counts->finite, c.masked, c.noise};
    job.report->ground = c.ground;
    job.report->thinned = c.thinned;
    job.report->level = clump_surface_level(job.surface);
}

#endif
