/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.cu: the kernels around dbscan_dclust.cuh, and the loop of the host. The grid and the memory are those of
 * six.h; an array changes its meaning on the way:
 *
 *     g->label      owner                              set, number       (dbscan_label.h)
 *     g->other                 parent                  first
 *     g->scan       marks of P                         mark
 *
 * The host reads back the number of points and their box, and then, after 2, 4, 8, 16, 16 ... iterations, whether there
 * was a chain in the last of them. Iterations without one are three kernels that end at once.
 */
#include "cuda/dclust/dbscan_dclust.h"

#include "cuda/dclust/dbscan_dclust.cuh"
#include "cuda/dclust/dbscan_label.h"

enum { MERGE_THREADS = 1024 };

/* The same for all multiprocessors, which their cycles are not. */
__device__ static inline unsigned long long now(void)
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

__global__ static void __launch_bounds__(DCLUST_THREADS) fill(dclust_work w)
{
    __shared__ uint32_t nearest;
    dclust_fill(w, &nearest);
}

__global__ static void __launch_bounds__(DCLUST_THREADS, 2) expand(dclust_work w)
{
    __shared__ dclust_chain c;
    if (blockIdx.x >= w.control->used) return;
    const unsigned long long begun = now();
    dclust_grow(w, &c);
    __syncthreads();
    if (threadIdx.x > 0) return;
    w.control->begun[blockIdx.x] = begun;
    w.control->ended[blockIdx.x] = now();
}

/* One block. */
__global__ static void __launch_bounds__(MERGE_THREADS) merge(dclust_work w, uint32_t iteration)
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

__global__ static void __launch_bounds__(CLUMP_SIX_THREADS) relabel(dclust_work w)
{
    dclust_relabel(w, blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x);
}

/* ----- on the host ---------------------------------------------------------------------------------- */

static clump_status iterate(clump_context *ctx, clump_cuda *cuda, const dclust_work &w, uint32_t blocks,
                            uint32_t iteration)
{
    const cudaStream_t stream = cuda->stream;
    CLUMP_CUDA(ctx, cuda, "finding seeds", (fill<<<blocks, DCLUST_THREADS, 0, stream>>>(w), cudaGetLastError()));
    CLUMP_CUDA(ctx, cuda, "growing chains", (expand<<<blocks, DCLUST_THREADS, 0, stream>>>(w), cudaGetLastError()));
    CLUMP_CUDA(ctx, cuda, "merging chains", (merge<<<1, MERGE_THREADS, 0, stream>>>(w, iteration), cudaGetLastError()));
    return CLUMP_OK;
}

/* Until an iteration has no chain. */
static clump_status cluster(clump_context *ctx, clump_cuda *cuda, const dclust_work &w, uint32_t blocks,
                            dclust_report *seen, int64_t *iterations)
{
    *iterations = 0;
    for (uint32_t batch = 2;; batch = batch < DCLUST_BATCH ? 2 * batch : batch) {
        CLUMP_TRY(clump_cuda_poll(ctx, cuda));
        for (uint32_t k = 0; k < batch; k++) CLUMP_TRY(iterate(ctx, cuda, w, blocks, k));
        CLUMP_CUDA(ctx, cuda, "reading flags",
                   cudaMemcpyAsync(seen, &w.control->report, sizeof *seen, cudaMemcpyDeviceToHost, cuda->stream));
        CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, "growing chains"));
        for (uint32_t k = 0; k < batch; k++, ++*iterations)
            if (seen->chains[k] == 0) return CLUMP_OK;
    }
}

/* The share of the time of all expansions that each block was busy. */
static void tell_load(clump_context *ctx, const dclust_report *seen, uint32_t blocks)
{
    float *const load = (float *)ctx->load.data;
    for (uint32_t k = 0; k < blocks; k++) {
        const double share = seen->span > 0 ? (double)seen->busy[k] / (double)seen->span : 1;
        load[k] = share < 1 ? (float)share : 1;
    }
    ctx->loads = (int)blocks;
}

clump_status clump_cuda_dbscan_dclust(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s, clump_cuda_six *g,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts, clump_result *result)
{
    result->passes = 0; /* of no points */
    CLUMP_CUDA(ctx, cuda, "counting points", cudaMemsetAsync(counts, 0, sizeof *counts, cuda->stream));
    if (core && view->count > 0)
        CLUMP_CUDA(ctx, cuda, "clearing core flags", cudaMemsetAsync(core, 0, view->count, cuda->stream));
    CLUMP_TRY(
        clump_six_begin(ctx, cuda, g, clump_dbscan_method_name(job->method), &job->in, true, view, labels, counts));
    if (g->count == 0) return CLUMP_OK;
    const uint32_t n = g->count, blocks = n < DCLUST_CHAINS ? n : (uint32_t)DCLUST_CHAINS;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &s->control, sizeof(dclust_control)));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &s->seen, sizeof(dclust_report)));
    CLUMP_TRY(clump_buffer_reserve(ctx, &ctx->load, DCLUST_CHAINS * sizeof(float)));
    const dclust_work w = {g->near, job->min_points < UINT32_MAX ? (uint32_t)job->min_points : UINT32_MAX, g->label,
                           g->other, (dclust_control *)s->control.data};
    dclust_report *const seen = (dclust_report *)s->seen.data;
    CLUMP_CUDA(ctx, cuda, "clearing flags", cudaMemsetAsync(w.control, 0, sizeof *w.control, cuda->stream));
    CLUMP_CUDA(ctx, cuda, "clearing flags", cudaMemsetAsync(w.owner, 0xff, n * sizeof *w.owner, cuda->stream));
    CLUMP_TRY(clump_six_built(ctx, cuda, g));
    CLUMP_TRY(cluster(ctx, cuda, w, blocks, seen, &result->passes));
    CLUMP_CUDA(ctx, cuda, "merging chains",
               (relabel<<<clump_six_blocks(n), CLUMP_SIX_THREADS, 0, cuda->stream>>>(w), cudaGetLastError()));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(g->events[2], cuda->stream));
    CLUMP_TRY(clump_dbscan_label(ctx, cuda, &g->temporary, g->near, g->index, job->border_points, w.owner, g->other,
                                 g->scan, labels, core, counts));
    CLUMP_TRY(clump_six_times(ctx, cuda, g, result));
    tell_load(ctx, seen, blocks);
    return CLUMP_OK;
}

void clump_cuda_dclust_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_dclust *s)
{
    clump_device_release(ctx, cuda, &s->control);
    clump_pinned_release(ctx, &s->seen);
}
