/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.cu: the kernels around dbscan_dclust.cuh, and the loop of the host. The grid and the memory are those of
 * six.h. Three arrays hold different values in turn:
 *
 *     g->label      owner                              set, number       (dbscan_label.h)
 *     g->other                 parent                  first
 *     g->scan       marks of P                         mark
 *
 * The host reads back the number of points and their box, and then, after 2, 4, 8, 16, 16 ... iterations, whether the
 * last of them had a chain. Iterations without a chain are three kernels that end at once.
 */
#include "cuda/dclust/dbscan_dclust.h"

#include "cuda/dclust/dbscan_dclust.cuh"
#include "cuda/dclust/dbscan_label.h"

enum {
    DCLUST_MERGE_THREADS = 1024, /* one thread block, as large as can be */
    DCLUST_FIRST_ITERATIONS = 2
};
static_assert((int)DCLUST_CHAINS <= (int)DCLUST_MERGE_THREADS, "one thread per chain");

__global__ static void __launch_bounds__(DCLUST_THREADS) fill(dclust_job w)
{
    __shared__ uint32_t nearest;
    dclust_fill(w, &nearest);
}

__global__ static void __launch_bounds__(DCLUST_THREADS, 2) expand(dclust_job w)
{
    __shared__ dclust_chain c;
    if (blockIdx.x >= w.control->used) return;
    const unsigned long long begun = clump_gpu_now();
    dclust_grow(w, &c);
    __syncthreads();
    if (threadIdx.x > 0) return;
    w.control->begun[blockIdx.x] = begun;
    w.control->ended[blockIdx.x] = clump_gpu_now();
}

/* One thread block. Also adds up the times of the expansion. */
__global__ static void __launch_bounds__(DCLUST_MERGE_THREADS) merge(dclust_job w, uint32_t iteration)
{
    __shared__ unsigned long long first, last;
    dclust_control *const control = w.control;
    const uint32_t used = control->used;
    if (threadIdx.x == 0) {
        first = ~0ull;
        last = 0;
    }
    dclust_merge(w);
    __syncthreads();
    if (threadIdx.x < used) {
        const unsigned long long begun = control->begun[threadIdx.x], ended = control->ended[threadIdx.x];
        control->report.busy[threadIdx.x] += ended - begun;
        atomicMin(&first, begun);
        atomicMax(&last, ended);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    if (used > 0) control->report.span += last - first;
    control->report.chains[iteration] = used;
    control->base += used;
    control->used = 0;
}

__global__ static void __launch_bounds__(CLUMP_SIX_THREADS) relabel(dclust_job w)
{
    dclust_relabel(w, blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x);
}

/* ----- on the host ---------------------------------------------------------------------------------- */

static clump_status iterate(clump_context *ctx, clump_cuda *cuda, const dclust_job &w, uint32_t chains,
                            uint32_t iteration)
{
    const clump_launch l = {chains, DCLUST_THREADS, 0, cuda->stream, false, 0};
    const clump_launch one = {1, DCLUST_MERGE_THREADS, 0, cuda->stream, false, 0};
    CLUMP_TRY(clump_launch_kernel(ctx, cuda, "finding seeds", l, fill, w));
    CLUMP_TRY(clump_launch_kernel(ctx, cuda, "growing chains", l, expand, w));
    return clump_launch_kernel(ctx, cuda, "merging chains", one, merge, w, iteration);
}

/* Iterates until an iteration has no chain. */
static clump_status cluster(clump_context *ctx, clump_cuda *cuda, const dclust_job &w, uint32_t chains,
                            dclust_report *report, int64_t *iterations)
{
    *iterations = 0;
    for (uint32_t n = DCLUST_FIRST_ITERATIONS;; n = n < DCLUST_ITERATIONS ? 2 * n : n) {
        CLUMP_TRY(clump_cuda_poll(ctx, cuda));
        for (uint32_t k = 0; k < n; k++) CLUMP_TRY(iterate(ctx, cuda, w, chains, k));
        CLUMP_CUDA(ctx, cuda, "reading flags",
                   cudaMemcpyAsync(report, &w.control->report, sizeof *report, cudaMemcpyDeviceToHost, cuda->stream));
        CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, "growing chains"));
        for (uint32_t k = 0; k < n; k++, ++*iterations)
            if (report->chains[k] == 0) return CLUMP_OK;
    }
}

clump_status clump_cuda_dbscan_dclust(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s, clump_cuda_six *g,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts, clump_result *result)
{
    CLUMP_ASSERT(job->min_points >= 1);
    result->passes = 0; /* of an empty cloud */
    CLUMP_CUDA(ctx, cuda, "counting points", cudaMemsetAsync(counts, 0, sizeof *counts, cuda->stream));
    if (core && view->count > 0)
        CLUMP_CUDA(ctx, cuda, "clearing core flags", cudaMemsetAsync(core, 0, view->count, cuda->stream));
    CLUMP_TRY(
        clump_six_begin(ctx, cuda, g, clump_dbscan_method_name(job->method), &job->in, true, view, labels, counts));
    if (g->count == 0) return CLUMP_OK;
    const uint32_t n = g->count, chains = n < DCLUST_CHAINS ? n : (uint32_t)DCLUST_CHAINS;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &s->control, sizeof(dclust_control)));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &s->report, sizeof(dclust_report)));
    CLUMP_TRY(clump_load_begin(ctx, DCLUST_CHAINS));
    const dclust_job w = {g->search, job->min_points < UINT32_MAX ? (uint32_t)job->min_points : UINT32_MAX, g->label,
                          g->other, (dclust_control *)s->control.data};
    dclust_report *const report = (dclust_report *)s->report.data;
    CLUMP_CUDA(ctx, cuda, "clearing flags", cudaMemsetAsync(w.control, 0, sizeof *w.control, cuda->stream));
    CLUMP_CUDA(ctx, cuda, "clearing flags", cudaMemsetAsync(w.owner, 0xff, n * sizeof *w.owner, cuda->stream));
    CLUMP_TRY(clump_six_record_built(ctx, cuda, g));
    CLUMP_TRY(cluster(ctx, cuda, w, chains, report, &result->passes));
    CLUMP_TRY(clump_six_launch(ctx, cuda, "merging chains", n, relabel, w));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(g->events[2], cuda->stream));
    CLUMP_TRY(clump_dbscan_label(ctx, cuda, &g->temporary, g->search, g->index, job->border_points, w.owner, g->other,
                                 g->scan, labels, core, counts));
    CLUMP_TRY(clump_six_times(ctx, cuda, g, result));
    for (uint32_t k = 0; k < chains; k++) clump_load_add(ctx, (double)report->busy[k], (double)report->span);
    return CLUMP_OK;
}

void clump_cuda_dclust_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s)
{
    clump_device_release(ctx, cuda, &s->control);
    clump_pinned_release(ctx, &s->report);
}
