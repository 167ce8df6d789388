/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.cu: clump_group on a GPU, by a stable sort of the labels. A label that is not allowed sorts behind all others:
 *
 *     labels    1  0  -1  1  1      keys, 2 clusters    1:0  0:1  2:2  1:3  1:4
 *                                   sorted              0:1  1:0  1:3  1:4  2:2
 *     members   1  0  3  4          offsets             0  1  4     the first key of each cluster
 */
#include "cuda/describe/describe_launch.h"
#include "cuda/gpu/scan.h"

extern "C" {
#include "core/cluster.h"
}

#include <string.h>

enum { GROUP_THREADS = 256 }; /* per thread block */

/* ----- kernels -------------------------------------------------------------------------------------- */

__global__ static void __launch_bounds__(GROUP_THREADS) clear_report(clump_describe_report *report)
{
    if (threadIdx.x == 0) *report = clump_describe_report{};
}

__global__ static void __launch_bounds__(GROUP_THREADS)
    make_keys(const int32_t *labels, uint32_t count, uint32_t clusters, uint64_t *keys, clump_describe_report *report)
{
    const uint32_t i = blockIdx.x * GROUP_THREADS + threadIdx.x;
    if (i >= count) return;
    const uint32_t label = (uint32_t)labels[i];
    if (label >= clusters && labels[i] != CLUMP_NOISE && labels[i] != CLUMP_GROUND) atomicMax(&report->wrong, ~i);
    keys[i] = (uint64_t)min(label, clusters) << 32 | i;
}

__global__ static void __launch_bounds__(GROUP_THREADS)
    write_members(const uint64_t *sorted, uint32_t count, uint32_t clusters, int32_t *members)
{
    const uint32_t i = blockIdx.x * GROUP_THREADS + threadIdx.x;
    if (i < count && sorted[i] >> 32 < clusters) members[i] = (int32_t)(uint32_t)sorted[i];
}

/* Finds the first key of cluster c, by bisection; c = clusters is the end of the last one. */
__global__ static void __launch_bounds__(GROUP_THREADS)
    write_offsets(const uint64_t *sorted, uint32_t count, uint32_t clusters, int32_t *offsets)
{
    const uint64_t c = blockIdx.x * (uint64_t)GROUP_THREADS + threadIdx.x;
    if (c > clusters) return;
    uint32_t from = 0, to = count;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (sorted[middle] >> 32 < c)
            from = middle + 1;
        else
            to = middle;
    }
    offsets[c] = (int32_t)from;
}

/* ----- the call ------------------------------------------------------------------------------------- */

template <class... P, class... A>
static clump_status launch(clump_work *work, clump_cuda *cuda, uint64_t items, void (*kernel)(P...),
                           const A &...arguments)
{
    return clump_launch_items(work, cuda, "grouping points", items, GROUP_THREADS, CLUMP_GRID_MOST, kernel,
                              arguments...);
}

/* Puts the whole job on the stream; all memory is the GPU's. Returns the sorted keys through d->group_sorted. */
static clump_status group_on_gpu(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, const int32_t *labels,
                                 uint32_t n, uint32_t clusters, int32_t *offsets, int32_t *members)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->results, CLUMP_DESCRIBE_REPORT_ROOM));
    clump_describe_report *const report = (clump_describe_report *)d->results.data;
    CLUMP_TRY(launch(work, cuda, 1, clear_report, report));
    if (n > 0) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &d->group_keys, n * sizeof(uint64_t)));
        CLUMP_TRY(clump_device_reserve(work, cuda, &d->group_sorted, n * sizeof(uint64_t)));
        uint64_t *const keys = (uint64_t *)d->group_keys.data, *const sorted = (uint64_t *)d->group_sorted.data;
        int bits = 1;
        while (clusters >> bits) bits++;
        CLUMP_TRY(launch(work, cuda, n, make_keys, labels, n, clusters, keys, report));
        CLUMP_TRY(clump_sort_keys(work, cuda, &d->group_sort, keys, sorted, n, 32, 32 + bits));
        if (members) CLUMP_TRY(launch(work, cuda, n, write_members, sorted, n, clusters, members));
    }
    return launch(work, cuda, clusters + (uint64_t)1, write_offsets, (const uint64_t *)d->group_sorted.data, n,
                  clusters, offsets);
}

/* Input from host memory, output to it; waits. */
static clump_status group_for_host(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                                   const clump_group_job *job)
{
    const size_t n = job->count, clusters = (size_t)job->cluster_count;
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->labels, n * sizeof(int32_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->group_out, (clusters + 1 + n) * sizeof(int32_t)));
    if (n > 0)
        CLUMP_CUDA(
            work, cuda, "sending labels to the GPU",
            cudaMemcpyAsync(d->labels.data, job->labels, n * sizeof(int32_t), cudaMemcpyHostToDevice, cuda->stream));
    int32_t *const offsets = (int32_t *)d->group_out.data, *const members = offsets + clusters + 1;
    CLUMP_TRY(group_on_gpu(work, cuda, d, (const int32_t *)d->labels.data, (uint32_t)n, (uint32_t)clusters, offsets,
                           members));
    clump_describe_report report;
    const clump_fetched parts[] = {{&report, d->results.data, sizeof report},
                                   {job->offsets, offsets, (clusters + 1) * sizeof(int32_t)}};
    CLUMP_TRY(clump_fetch(work, cuda, t, parts, 2));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    if (report.wrong) return clump_refuse_label(work, ~report.wrong, job->labels[~report.wrong], job->cluster_count);
    const int32_t total = job->offsets[clusters];
    if (total > 0 && !job->members) return clump_refuse_members(work, total);
    const clump_fetched listed = {job->members, members, (size_t)total * sizeof(int32_t)};
    CLUMP_TRY(clump_fetch(work, cuda, t, &listed, 1));
    return clump_cuda_synchronize(work, cuda, "waiting for the GPU");
}

clump_status clump_cuda_group_run(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                                  const clump_group_job *job, clump_stats *stats)
{
    CLUMP_ASSERT(job->count <= INT32_MAX && job->cluster_count >= 0);
    if (job->place == CLUMP_PLACE_HOST) return group_for_host(work, cuda, d, t, job);
    CLUMP_TRY(group_on_gpu(work, cuda, d, job->labels, (uint32_t)job->count, (uint32_t)job->cluster_count, job->offsets,
                           job->members));
    stats->clusters = -1;
    return clump_cuda_leave_running(work, cuda);
}
