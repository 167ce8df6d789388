/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_describe.cu: the labels of clump_describe_batch on a GPU: numbered over all clouds, and back
 * (jobs/batch_describe.c).
 */
#include "cuda/batch/batch.h"

#include "cuda/gpu/launch.h"

enum { SHIFT_THREADS = 256 };

/* Returns the last c with starts[c] <= i, below `clouds`. Any starts give an index in range. */
__device__ static inline uint32_t cloud_of(const int64_t *starts, uint32_t clouds, int64_t i)
{
    uint32_t low = 0, high = clouds;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ static void shift_labels(const int32_t *labels, uint32_t points, const int64_t *offsets,
                                    const int64_t *first, uint32_t clouds, int32_t all, int32_t *to)
{
    const size_t i = blockIdx.x * (size_t)SHIFT_THREADS + threadIdx.x;
    if (i >= points) return;
    const uint32_t c = cloud_of(offsets, clouds, (int64_t)i);
    const int32_t label = labels[i];
    to[i] = label < 0 ? label : label < first[c + 1] - first[c] ? label + (int32_t)first[c] : all;
}

__global__ static void restore_labels(clump_cluster *clusters, uint32_t count, const int64_t *first, uint32_t clouds)
{
    const size_t k = blockIdx.x * (size_t)SHIFT_THREADS + threadIdx.x;
    if (k < count) clusters[k].label -= (int32_t)first[cloud_of(first, clouds, (int64_t)k)];
}

clump_status clump_cuda_batch_labels(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b,
                                     const clump_describe_batch_job *job, int32_t **labels)
{
    static const char what[] = "numbering the clusters of all clouds";
    const size_t n = job->all.count;
    CLUMP_TRY(clump_device_reserve(work, cuda, &b->labels, n * sizeof(int32_t)));
    *labels = (int32_t *)b->labels.data;
    if (n == 0 || job->clouds == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, &b->first, (job->clouds + 1) * sizeof(int64_t)));
    CLUMP_CUDA(work, cuda, what,
               cudaMemcpyAsync(b->first.data, job->first, (job->clouds + 1) * sizeof(int64_t), cudaMemcpyHostToDevice,
                               cuda->stream));
    return clump_launch_items(work, cuda, what, n, SHIFT_THREADS, CLUMP_GRID_MOST, shift_labels, job->all.labels,
                              (uint32_t)n, job->offsets, (const int64_t *)b->first.data, (uint32_t)job->clouds,
                              job->all.cluster_count, *labels);
}

clump_status clump_cuda_batch_restore(clump_work *work, clump_cuda *cuda, clump_cuda_batch *b,
                                      const clump_describe_batch_job *job)
{
    const clump_describe_job *const all = &job->all;
    if (all->described == 0) return CLUMP_OK;
    if (all->options.clusters_place == CLUMP_PLACE_DEVICE) {
        CLUMP_TRY(clump_launch_items(work, cuda, "numbering the clusters of each cloud", (uint64_t)all->described,
                                     SHIFT_THREADS, CLUMP_GRID_MOST, restore_labels, all->clusters,
                                     (uint32_t)all->described, (const int64_t *)b->first.data, (uint32_t)job->clouds));
        return clump_cuda_leave_running(work, cuda);
    }
    for (size_t c = 0; c < job->clouds; c++)
        for (int64_t k = job->first[c]; k < job->first[c + 1]; k++) all->clusters[k].label -= (int32_t)job->first[c];
    return CLUMP_OK;
}
