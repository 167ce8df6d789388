/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.cu: the kernels around dbscan_dclust.cuh, and the loop of the host. The grid and the memory are those of
 * six.h. Three arrays hold different values in turn:
 *
 *     g->label      owner                              set, number       (dbscan_label.cu)
 *     g->other                 parent                  first
 *     g->scan       marks of P                         mark
 *
 * The host reads back the number of points and their box, and then, after 2, 4, 8, 16, 16 ... iterations, whether the
 * last of them had a chain. Iterations without a chain are three kernels that end at once. Two events around each
 * expansion give its time.
 *
 * To merge on the host, as the paper's first version did, both matrices and the parents of all chains are copied to the
 * host and the parents back, once per iteration. Unions give the same sets in any order (union_find.h).
 */
#include "cuda/papers/dbscan_dclust.h"

#include "cuda/papers/dbscan_dclust.cuh"
#include "cuda/gpu/transfer.h"

enum {
    DCLUST_MERGE_THREADS = 1024, /* one thread block, as large as can be */
    DCLUST_FIRST_ITERATIONS = 2,
    DCLUST_SHARED_LIST = 8192 /* entries of the longest list in shared memory: 32 of the 48 KiB that every GPU grants */
};

__global__ static void __launch_bounds__(CLUMP_DCLUST_MOST_THREADS) fill(dclust_job w)
{
    __shared__ uint32_t nearest;
    dclust_fill(w, &nearest);
}

/* A template: the compiler must see that a list is in shared memory, or its accesses get slower. The 1 lets it use more
 * than 32 registers. */
template <bool SHARED_LIST> __global__ static void __launch_bounds__(CLUMP_DCLUST_MOST_THREADS, 1) expand(dclust_job w)
{
    extern __shared__ uint32_t shared_list[];
    __shared__ dclust_chain c;
    if (blockIdx.x >= w.control->used) return;
    const unsigned long long begun = clump_gpu_now();
    dclust_grow(w, &c, SHARED_LIST ? shared_list : w.lists + (size_t)blockIdx.x * w.room);
    __syncthreads();
    if (threadIdx.x > 0 || w.control->base > 0) return;
    w.begun[blockIdx.x] = begun;
    w.ended[blockIdx.x] = clump_gpu_now();
}

/* One thread block. */
__global__ static void __launch_bounds__(DCLUST_MERGE_THREADS) merge(dclust_job w, uint32_t iteration)
{
    dclust_control *const control = w.control;
    dclust_merge(w);
    __syncthreads();
    if (threadIdx.x > 0) return;
    const uint32_t used = control->used;
    control->chains[iteration] = used;
    control->base += used;
    control->used = 0;
}

__global__ static void __launch_bounds__(CLUMP_SIX_THREADS) relabel(dclust_job w)
{
    dclust_relabel(w, blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x);
}

/* ----- on the host ---------------------------------------------------------------------------------- */

/* The chains of a call: their number, and how they are launched. */
typedef struct dclust_launch {
    uint32_t chains, threads;
    size_t list_bytes; /* of a list in shared memory; 0: the lists are in GPU memory */
    bool host_merge;
} dclust_launch;

/* Places the arrays of a job. What the host reads is first: control, begun and ended. What a call begins with as 0 is
 * before `first`. */
static void place_arrays(clump_cutter *cut, uint32_t chains, dclust_job *w)
{
    clump_cut(cut, &w->control, 1);
    clump_cut(cut, &w->begun, chains);
    clump_cut(cut, &w->ended, chains);
    clump_cut(cut, &w->passed, chains);
    clump_cut(cut, &w->first, chains);
    clump_cut(cut, &w->collision, (size_t)chains * w->words);
    clump_cut(cut, &w->correction, (size_t)chains * DCLUST_ROW);
}

static size_t bytes_before(const dclust_job &w, const void *array)
{
    return (size_t)((const char *)array - (const char *)w.control);
}

/* Takes memory for the chains and their lists, and makes the events. */
static clump_status take_memory(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s, const dclust_launch &l,
                                clump_loads *load, dclust_job *w)
{
    for (cudaEvent_t &event : s->grown)
        if (!event) CLUMP_CUDA(work, cuda, "making an event", cudaEventCreate(&event));
    clump_cutter cut = {NULL, 0};
    place_arrays(&cut, l.chains, w);
    CLUMP_TRY(clump_device_reserve(work, cuda, &s->control, cut.used));
    cut = {(char *)s->control.data, 0};
    place_arrays(&cut, l.chains, w);
    w->lists = NULL;
    if (l.list_bytes == 0) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &s->lists, (size_t)l.chains * w->room * sizeof(uint32_t)));
        w->lists = (uint32_t *)s->lists.data;
    }
    const size_t parents = (size_t)w->search.count * sizeof *w->parent;
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &s->report, l.host_merge ? cut.used : bytes_before(*w, w->passed)));
    if (l.host_merge) CLUMP_TRY(clump_pinned_reserve(work, cuda, &s->parent, parents));
    return clump_load_begin(work, load, l.chains);
}

static clump_status iterate(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s, const dclust_job &w,
                            const dclust_launch &how, uint32_t iteration)
{
    CLUMP_ASSERT(iteration < CLUMP_DCLUST_ITERATIONS);
    const clump_launch filling = {how.chains, how.threads, 0, cuda->stream, false, 0};
    const clump_launch growing = {how.chains, how.threads, how.list_bytes, cuda->stream, false, 0};
    const clump_launch one = {1, DCLUST_MERGE_THREADS, 0, cuda->stream, false, 0};
    CLUMP_TRY(clump_launch_kernel(work, cuda, "finding seeds", filling, fill, w));
    CLUMP_TRY(clump_six_record(work, cuda, s->grown[2 * iteration]));
    CLUMP_TRY(clump_launch_kernel(work, cuda, "growing chains", growing, w.lists ? expand<false> : expand<true>, w));
    CLUMP_TRY(clump_six_record(work, cuda, s->grown[2 * iteration + 1]));
    return how.host_merge ? CLUMP_OK : clump_launch_kernel(work, cuda, "merging chains", one, merge, w, iteration);
}

/* Unites the chains of an iteration, as dclust_merge() does. The pointers of h are those of the host. */
static void unite_chains(const dclust_job &h)
{
    dclust_control *const control = h.control;
    const uint32_t base = control->base, used = control->used;
    for (uint32_t k = 0; k < used * h.words; k++)
        for (uint32_t bits = h.collision[k], word = k % h.words; bits; bits &= bits - 1)
            clump_unite_alone(h.parent, base + k / h.words, base + 32 * word + (uint32_t)__builtin_ctz(bits));
    for (uint32_t k = 0; k < used * DCLUST_ROW; k++)
        if (h.correction[k] != DCLUST_NONE) clump_unite_alone(h.parent, base + k / DCLUST_ROW, h.correction[k]);
    control->base += used;
    control->used = 0;
}

/* Merges the chains of one iteration on the host. `bytes`: of all arrays behind w.control. */
static clump_status merge_on_host(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s, const dclust_job &w,
                                  size_t bytes)
{
    char *const host = (char *)s->report.data;
    dclust_job h = w;
    h.control = (dclust_control *)host;
    h.collision = (uint32_t *)(host + bytes_before(w, w.collision));
    h.correction = (uint32_t *)(host + bytes_before(w, w.correction));
    h.parent = (uint32_t *)s->parent.data;
    CLUMP_CUDA(work, cuda, "reading flags",
               cudaMemcpyAsync(host, w.control, bytes, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "growing chains"));
    h.control->chains[0] = h.control->used;
    if (h.control->used == 0) return CLUMP_OK;
    const size_t parents = ((size_t)h.control->base + h.control->used) * sizeof *w.parent;
    CLUMP_CUDA(work, cuda, "merging chains",
               cudaMemcpyAsync(h.parent, w.parent, parents, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "merging chains"));
    unite_chains(h);
    CLUMP_CUDA(work, cuda, "merging chains",
               cudaMemcpyAsync(w.parent, h.parent, parents, cudaMemcpyHostToDevice, cuda->stream));
    CLUMP_CUDA(work, cuda, "merging chains",
               cudaMemcpyAsync(w.control, h.control, sizeof *w.control, cudaMemcpyHostToDevice, cuda->stream));
    return CLUMP_OK;
}

/* Adds the times of the expansions of `n` iterations, which have ended. */
static clump_status add_grown(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s, uint32_t n, double *grown_ms)
{
    for (uint32_t k = 0; k < n; k++) {
        float ms = 0;
        CLUMP_CUDA(work, cuda, "timing", cudaEventElapsedTime(&ms, s->grown[2 * k], s->grown[2 * k + 1]));
        *grown_ms += (double)ms;
    }
    return CLUMP_OK;
}

/* Iterates until an iteration has no chain. */
static clump_status cluster(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s, const dclust_job &w,
                            const dclust_launch &how, int64_t *iterations, double *grown_ms)
{
    const dclust_control *const control = (const dclust_control *)s->report.data;
    const size_t bytes = bytes_before(w, w.correction + (size_t)how.chains * DCLUST_ROW);
    *iterations = 0;
    for (uint32_t n = how.host_merge ? 1 : DCLUST_FIRST_ITERATIONS;;) {
        CLUMP_TRY(clump_cuda_poll(work, cuda));
        for (uint32_t k = 0; k < n; k++) CLUMP_TRY(iterate(work, cuda, s, w, how, k));
        if (how.host_merge) {
            CLUMP_TRY(merge_on_host(work, cuda, s, w, bytes));
        } else {
            CLUMP_CUDA(work, cuda, "reading flags",
                       cudaMemcpyAsync(s->report.data, w.control, bytes_before(w, w.passed), cudaMemcpyDeviceToHost,
                                       cuda->stream));
            CLUMP_TRY(clump_cuda_synchronize(work, cuda, "growing chains"));
        }
        CLUMP_TRY(add_grown(work, cuda, s, n, grown_ms));
        for (uint32_t k = 0; k < n; k++, ++*iterations)
            if (control->chains[k] == 0) return CLUMP_OK;
        if (!how.host_merge && n < CLUMP_DCLUST_ITERATIONS) n *= 2;
    }
}

/* Reports the busy share of each thread block in the first expansion, in which every chain has a point: there are not
 * more chains than points. */
static void report_load(clump_loads *load, const dclust_job &w, uint32_t chains, const char *report)
{
    const unsigned long long *const begun = (const unsigned long long *)(report + bytes_before(w, w.begun));
    const unsigned long long *const ended = (const unsigned long long *)(report + bytes_before(w, w.ended));
    unsigned long long first = begun[0], last = ended[0];
    for (uint32_t k = 1; k < chains; k++) {
        if (begun[k] < first) first = begun[k];
        if (ended[k] > last) last = ended[k];
    }
    for (uint32_t k = 0; k < chains; k++) clump_load_add(load, (double)(ended[k] - begun[k]), (double)(last - first));
}

clump_status clump_cuda_dbscan_dclust(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s, clump_cuda_six *g,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts, clump_stats *stats)
{
    CLUMP_ASSERT(job->min_points >= 1);
    stats->passes = 0; /* of an empty cloud */
    CLUMP_CUDA(work, cuda, "counting points", cudaMemsetAsync(counts, 0, sizeof *counts, cuda->stream));
    if (core && view->count > 0)
        CLUMP_CUDA(work, cuda, "clearing core flags", cudaMemsetAsync(core, 0, view->count, cuda->stream));
    CLUMP_TRY(
        clump_six_begin(work, cuda, g, clump_dbscan_method_name(job->method), &job->in, true, view, labels, counts));
    if (g->count == 0) return CLUMP_OK;
    const uint32_t n = g->count;
    dclust_job w = {};
    w.search = g->search;
    w.min_points = job->min_points < UINT32_MAX ? (uint32_t)job->min_points : UINT32_MAX;
    w.seeds = job->seeds;
    w.room = n < job->seeds + job->threads ? n : job->seeds + job->threads; /* no list gets more than all points */
    w.owner = g->label;
    w.parent = g->other;
    dclust_launch how = {n < job->chains ? n : job->chains, job->threads, 0, job->host_merge};
    double grown_ms = 0;
    if (w.room <= DCLUST_SHARED_LIST) how.list_bytes = w.room * sizeof(uint32_t);
    w.words = (how.chains + 31) / 32;
    CLUMP_TRY(take_memory(work, cuda, s, how, job->load, &w));
    CLUMP_CUDA(
        work, cuda, "clearing flags",
        cudaMemsetAsync(w.control, 0, job->host_merge ? s->control.bytes : bytes_before(w, w.first), cuda->stream));
    CLUMP_CUDA(work, cuda, "clearing flags", cudaMemsetAsync(w.owner, 0xff, n * sizeof *w.owner, cuda->stream));
    CLUMP_TRY(clump_six_record_built(work, cuda, g));
    CLUMP_TRY(cluster(work, cuda, s, w, how, &stats->passes, &grown_ms));
    CLUMP_TRY(clump_six_launch(work, cuda, "merging chains", n, relabel, w));
    CLUMP_CUDA(work, cuda, "timing", cudaEventRecord(g->events[2], cuda->stream));
    CLUMP_TRY(clump_dbscan_label(work, cuda, &g->temporary, g->search, g->index, job->border_points, w.owner, g->other,
                                 g->scan, labels, core, counts));
    CLUMP_TRY(clump_six_times(work, cuda, g, stats));
    stats->merge_ms = stats->cluster_ms - grown_ms;
    stats->cluster_ms = grown_ms;
    report_load(job->load, w, how.chains, (const char *)s->report.data);
    return CLUMP_OK;
}

void clump_cuda_dclust_trim(clump_work *work, clump_cuda *cuda, clump_cuda_dclust *s)
{
    clump_device_release(work, cuda, &s->control);
    clump_device_release(work, cuda, &s->lists);
    clump_pinned_release(work, &s->report);
    clump_pinned_release(work, &s->parent);
    for (cudaEvent_t &event : s->grown) {
        if (event) (void)cudaEventDestroy(event);
        event = NULL;
    }
}
