/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_number.cuh: numbers the sets of a cloud and writes its labels: the definition of core/labels.c. All threads of the
 * thread block call each function. Roots are the smallest points of their sets, so their order is that of the numbers.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_NUMBER_CUH
#define CLUMP_CUDA_BATCH_BATCH_NUMBER_CUH

#include "cuda/batch/batch_job.cuh"

/* Returns the root of a point's set; CLUMP_GPU_NONE: it is noise. */
__device__ static inline uint32_t batch_root(const batch_sets &c, uint32_t i)
{
    const uint32_t parent = c.parent[i];
    return parent >= BATCH_LOOSE ? CLUMP_GPU_NONE : parent & ~BATCH_BORDER;
}

/* Counts the points of every set. */
__device__ static inline void batch_sizes(const batch_sets &c)
{
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) c.size[i] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) {
        const uint32_t root = batch_root(c, i);
        if (root != CLUMP_GPU_NONE) atomicAdd(&c.size[root], 1);
    }
    __syncthreads();
}

/* Sorts keys in ascending order. Every comparison puts the smaller key first, so keys beyond the last, as large as can
 * be, would never move: any number of keys will do. */
__device__ static inline void batch_sort(uint64_t *keys, uint32_t count)
{
    for (uint32_t width = 2; width / 2 < count; width *= 2)
        for (uint32_t step = width / 2; step > 0; step /= 2) {
            for (uint32_t k = threadIdx.x; 2 * (uint64_t)(k / step * step) < count; k += blockDim.x) {
                const uint32_t low = 2 * (k / step * step) + k % step; /* one of each pair */
                /* the first step of a width compares with the mirror image */
                const uint32_t high = step == width / 2 ? low + width - 1 - 2 * (k % step) : low + step;
                if (high >= count || keys[low] <= keys[high]) continue;
                const uint64_t key = keys[low];
                keys[low] = keys[high];
                keys[high] = key;
            }
            __syncthreads();
        }
}

/* Numbers the sets that the limits keep by their roots, or lists their keys where they are ordered by size. Sets that are
 * not kept get the number CLUMP_NOISE. Returns how many are kept. */
__device__ static inline uint32_t batch_keep(const batch_sets &c, const batch_gpu_job &job, bool limited)
{
    uint32_t kept = 0;
    for (uint32_t first = 0; first < c.count; first += blockDim.x) {
        const uint32_t i = first + threadIdx.x;
        const bool is_root = i < c.count && c.parent[i] == i;
        const uint32_t size = limited && is_root ? c.size[i] : 1;
        const bool stays = is_root && (!limited || (size >= job.least && (job.most == 0 || size <= job.most)));
        uint32_t total;
        const uint32_t number = kept + batch_scan(stays, &total);
        if (is_root) c.number[i] = stays ? number : (uint32_t)CLUMP_NOISE;
        if (stays && job.by_size) c.keys[number] = (uint64_t)~size << 32 | i;
        kept += total;
    }
    __syncthreads();
    return kept;
}

/* Numbers all sets; returns how many there are. */
__device__ static inline uint32_t batch_number(const batch_sets &c, const batch_gpu_job &job)
{
    const bool limited = job.by_size || job.least > 1 || job.most != 0;
    if (limited) batch_sizes(c);
    const uint32_t kept = batch_keep(c, job, limited);
    if (!job.by_size) return kept;
    batch_sort(c.keys, kept);
    for (uint32_t k = threadIdx.x; k < kept; k += blockDim.x) c.number[(uint32_t)c.keys[k]] = k;
    __syncthreads();
    return kept;
}

/* Writes labels and core flags of the cloud that begins at point `first`. */
__device__ static inline void batch_label(const batch_sets &c, const batch_gpu_job &job, size_t first,
                                          batch_counts *counts)
{
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) {
        const uint32_t root = batch_root(c, i);
        const int32_t label = root == CLUMP_GPU_NONE ? CLUMP_NOISE : (int32_t)c.number[root];
        job.labels[first + i] = label;
        counts->noise += label == CLUMP_NOISE;
        if (job.core) job.core[first + i] = batch_in_set(c.parent[i]);
    }
}

/* Adds what the threads counted to the sums of the batch. */
__device__ static inline void batch_report(const batch_gpu_job &job, const batch_counts &counts)
{
    const uint32_t own[4] = {counts.clusters, counts.finite, counts.masked, counts.noise};
    uint32_t *const sums[4] = {&job.counts->clusters, &job.counts->finite, &job.counts->masked, &job.counts->noise};
    for (int k = 0; k < 4; k++) {
        uint32_t total;
        clump_warp_scan(own[k], &total);
        if (clump_lane() == 0 && total > 0) atomicAdd(sums[k], total);
    }
}

#endif
