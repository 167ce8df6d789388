/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.cu: the phases of `fast` in order, as kernels. A scan is small and launches are not free, so there
 * are two ways:
 *
 *     small clouds    one kernel, one cluster of thread blocks (one thread block on GPUs that have no
 *                     clusters), a barrier between phases. Reads the points and writes the labels in
 *                     pinned memory of the host by itself where they lie there: no copies.
 *     all others      a kernel a phase. The first gets the job by value and leaves it on the GPU, the others
 *                     are a CUDA graph that is made once for all counts of as many bits, and launched as one.
 *
 * A stream that is being captured by the caller cannot launch a graph: there the kernels are launched one by
 * one and become part of the caller's graph.
 */
#include "cuda/ec_fast.h"

#include "cuda/fast_crowd.cuh"
#include "cuda/fast_grid.cuh"
#include "cuda/fast_join.cuh"
#include "cuda/fast_label.cuh"

#include <stddef.h>

enum {
    POINT_THREADS = 256,
    POINT_BLOCKS = 8, /* a multiprocessor */
    JOIN_THREADS = 32 * FAST_WARPS,
    JOIN_BLOCKS = 16,
    FACE_PARTS = 3, /* warps that share the blocks beside a block */
    REST_PARTS = 5,
    SUM_THREADS = 1024,
    SMALL_THREADS = 1024,
    SMALL_WARPS = 4, /* that join the cells of a block */
    SMALL_CLUSTER = 8
};

/* ----- a kernel a phase ---------------------------------------------------------------------------- */

__device__ static inline fast_team whole_grid(void)
{
    fast_team team;
    team.thread = blockIdx.x * blockDim.x + threadIdx.x;
    team.threads = gridDim.x * blockDim.x;
    return team;
}

__global__ static void __launch_bounds__(POINT_THREADS) clear_kernel(fast_job job, fast_job *shared)
{
    const fast_team team = whole_grid();
    if (team.thread == 0) *shared = job;
    fast_clear(job, team);
}

__global__ static void __launch_bounds__(POINT_THREADS) enter_kernel(const fast_job *job)
{
    fast_enter(*job, whole_grid());
}

__global__ static void __launch_bounds__(POINT_THREADS) number_kernel(const fast_job *job)
{
    fast_number(*job, whole_grid());
}

__global__ static void __launch_bounds__(POINT_THREADS) count_kernel(const fast_job *job)
{
    fast_count(*job, whole_grid());
}

__global__ static void __launch_bounds__(POINT_THREADS) place_kernel(const fast_job *job)
{
    fast_place(*job, whole_grid());
}

__global__ static void __launch_bounds__(POINT_THREADS) scatter_kernel(const fast_job *job)
{
    fast_scatter(*job, whole_grid());
}

__global__ static void __launch_bounds__(JOIN_THREADS) inside_kernel(const fast_job *job)
{
    __shared__ fast_block_cells cells;
    fast_inside<FAST_WARPS, true>(*job, whole_grid(), &cells, true);
}

__global__ static void __launch_bounds__(JOIN_THREADS) faces_kernel(const fast_job *job)
{
    fast_between(*job, whole_grid(), 0, FAST_FACES, FACE_PARTS, true);
}

__global__ static void __launch_bounds__(JOIN_THREADS) rest_kernel(const fast_job *job)
{
    fast_between(*job, whole_grid(), FAST_FACES, FAST_TOUCHING, REST_PARTS, true);
}

__global__ static void __launch_bounds__(JOIN_THREADS) hard_kernel(const fast_job *job)
{
    fast_hard(*job, whole_grid());
}

__global__ static void __launch_bounds__(FAST_SORT_THREADS) crowd_sort_kernel(const fast_job *job)
{
    fast_crowd_sort(*job);
}

__global__ static void __launch_bounds__(FAST_CROWD_THREADS) crowd_join_kernel(const fast_job *job)
{
    fast_crowd_join(*job);
}

__global__ static void __launch_bounds__(POINT_THREADS) roots_kernel(const fast_job *job)
{
    fast_roots(*job, whole_grid());
}

__global__ static void __launch_bounds__(POINT_THREADS) mark_kernel(const fast_job *job)
{
    fast_mark(*job, whole_grid());
}

__global__ static void __launch_bounds__(SUM_THREADS) sum_kernel(const fast_job *job)
{
    fast_sum(*job);
}

__global__ static void __launch_bounds__(POINT_THREADS) label_kernel(const fast_job *job)
{
    fast_label(*job, whole_grid());
    fast_stamp(*job, whole_grid(), 3); /* of one thread; all have the same share of the work */
}

/* ----- all phases in one kernel -------------------------------------------------------------------- */

/* All threads of the cluster have come here, and see what the others wrote before. */
template <bool CLUSTER> __device__ static inline void meet(void)
{
#if __CUDA_ARCH__ >= 900
    if (CLUSTER) {
        asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
        return;
    }
#endif
    __syncthreads();
}

/* The points next to the GPU: each is read once from where the caller has it, and more often after. */
__device__ static inline void fetch(fast_job *job, const fast_team &team, float4 *points, uint8_t *mask)
{
    const clump_cloud_view &from = job->view;
    for (uint32_t i = team.thread; i < from.count; i += team.threads) {
        const float *const p = (const float *)(from.points + i * from.stride);
        points[i] = make_float4(p[0], p[1], p[2], 0.0f);
        if (from.mask) mask[i] = from.mask[i];
    }
    job->view.points = (const char *)points;
    job->view.stride = sizeof *points;
    if (job->view.mask) job->view.mask = mask;
}

template <bool CLUSTER>
__global__ static void __launch_bounds__(SMALL_THREADS, 1) small_kernel(fast_job job, float4 *points, uint8_t *mask)
{
    __shared__ fast_block_cells cells[SMALL_THREADS / 32 / SMALL_WARPS];
    const fast_team team = whole_grid();
    fast_clear(job, team);
    if (points) fetch(&job, team, points, mask);
    meet<CLUSTER>();
    fast_enter(job, team);
    meet<CLUSTER>();
    fast_number(job, team);
    meet<CLUSTER>();
    fast_count(job, team);
    meet<CLUSTER>();
    fast_place(job, team);
    meet<CLUSTER>();
    fast_scatter(job, team);
    meet<CLUSTER>();
    fast_inside<SMALL_WARPS, false>(job, team, cells, false);
    meet<CLUSTER>();
    fast_between(job, team, 0, FAST_TOUCHING, 1, false);
    meet<CLUSTER>();
    fast_roots(job, team);
    meet<CLUSTER>();
    fast_mark(job, team);
    meet<CLUSTER>();
    if (blockIdx.x == 0) fast_sum(job);
    meet<CLUSTER>();
    fast_label(job, team);
    fast_stamp(job, team, 3);
}

/* ----- memory -------------------------------------------------------------------------------------- */

/* Cuts pieces off the arena; with base null it only adds up. */
typedef struct cutter {
    char *base;
    size_t used;
} cutter;

template <class T> static void cut(cutter *c, T **out, size_t count)
{
    *out = (T *)(c->base ? c->base + c->used : NULL);
    c->used += (count * sizeof(T) + 255) / 256 * 256;
}

static uint32_t slots_for(size_t n)
{
    uint32_t slots = 1024;
    while (slots < n + n / 2 && slots < 1u << 31) slots *= 2; /* also room for what fast_crowd.cuh puts there */
    return slots;
}

/* Where everything lies for n points; returns the bytes. */
static size_t lay_out(char *base, size_t n, fast_job *job, float4 **small_points, uint8_t **small_mask)
{
    cutter c = {base, 0};
    const uint32_t slots = slots_for(n);
    job->slot_mask = slots - 1;
    job->crowd_limit = (uint32_t)(n / 4 + 64);
    cut(&c, &job->heads, slots);
    cut(&c, &job->infos, slots);
    cut(&c, &job->list, n);
    cut(&c, &job->cell_of, n);
    cut(&c, &job->local_of, n);
    cut(&c, &job->rank_of, n);
    cut(&c, &job->tallies, n);
    cut(&c, &job->ranges, n);
    cut(&c, &job->parents, n);
    cut(&c, &job->sorted, n);
    job->hard_limit = (uint32_t)(n / 2 + 64);
    cut(&c, &job->hard, job->hard_limit);
    cut(&c, &job->crowd_cells, 2 * (size_t)job->crowd_limit);
    cut(&c, &job->crowd_items, job->crowd_limit);
    cut(&c, &job->marks, (n + 31) / 32);
    cut(&c, &job->numbers, (n + 31) / 32);
    cut(&c, &job->counters, 1);
    cut(&c, small_points, n <= CLUMP_CUDA_FAST_SMALL ? n : 0);
    cut(&c, small_mask, n <= CLUMP_CUDA_FAST_SMALL ? n : 0);
    return c.used;
}

clump_status clump_cuda_fast_reserve(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, size_t max_points)
{
    fast_job job;
    float4 *points;
    uint8_t *mask;
    size_t bytes = lay_out(NULL, max_points, &job, &points, &mask);
    if (max_points > CLUMP_CUDA_FAST_SMALL) { /* a small one has two pieces more */
        const size_t small = lay_out(NULL, CLUMP_CUDA_FAST_SMALL, &job, &points, &mask);
        bytes = bytes > small ? bytes : small;
    }
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &f->job, sizeof(fast_job)));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &f->report, sizeof(fast_report)));
    return clump_device_reserve(ctx, cuda, &f->arena, bytes);
}

void clump_cuda_fast_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f)
{
    clump_cuda_fast_close(f); /* launches name the memory */
    clump_device_release(ctx, cuda, &f->arena);
    clump_device_release(ctx, cuda, &f->job);
    clump_pinned_release(ctx, &f->report);
}

void clump_cuda_fast_close(clump_cuda_fast *f)
{
    for (cudaGraphExec_t &graph : f->graphs) {
        if (graph) (void)cudaGraphExecDestroy(graph);
        graph = NULL;
    }
}

/* ----- launching ----------------------------------------------------------------------------------- */

static uint32_t grid(size_t work, uint32_t threads, uint32_t most)
{
    const size_t blocks = (work + threads - 1) / threads;
    return blocks == 0 ? 1 : blocks < most ? (uint32_t)blocks : most;
}

/* All phases but the first, for clouds of up to n points. */
static clump_status launch_phases(clump_context *ctx, clump_cuda *cuda, const fast_job *job, size_t n,
                                  cudaStream_t stream)
{
    const uint32_t units = (uint32_t)cuda->units;
    const uint32_t by_point = grid(n, POINT_THREADS, units * POINT_BLOCKS);
    const uint32_t by_warp = grid(n * 32, POINT_THREADS, units * POINT_BLOCKS); /* there may be a block a point */
    const uint32_t joining = grid(n * 32, JOIN_THREADS, units * JOIN_BLOCKS);
    const char *const what = "clustering";
#define LAUNCH(kernel, blocks, threads)                                                                                \
    CLUMP_CUDA(ctx, cuda, what, (kernel<<<blocks, threads, 0, stream>>>(job), cudaGetLastError()))
    LAUNCH(enter_kernel, by_point, POINT_THREADS);
    LAUNCH(number_kernel, by_point, POINT_THREADS);
    LAUNCH(count_kernel, by_point, POINT_THREADS);
    LAUNCH(place_kernel, by_warp, POINT_THREADS);
    LAUNCH(scatter_kernel, by_point, POINT_THREADS);
    LAUNCH(inside_kernel, joining, JOIN_THREADS);
    LAUNCH(faces_kernel, joining, JOIN_THREADS);
    LAUNCH(rest_kernel, joining, JOIN_THREADS);
    LAUNCH(hard_kernel, joining, JOIN_THREADS);
    LAUNCH(crowd_sort_kernel, units * 2, FAST_SORT_THREADS);
    LAUNCH(crowd_join_kernel, units * 4, FAST_CROWD_THREADS);
    LAUNCH(roots_kernel, by_point, POINT_THREADS);
    LAUNCH(mark_kernel, by_point, POINT_THREADS);
    LAUNCH(sum_kernel, 1, SUM_THREADS);
    LAUNCH(label_kernel, by_point, POINT_THREADS);
#undef LAUNCH
    return CLUMP_OK;
}

/* The graph for counts of as many bits as n. */
static clump_status find_graph(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, size_t n, cudaGraphExec_t *out)
{
    uint32_t bits = 0;
    while (n >> bits) bits++;
    cudaGraphExec_t *const slot = &f->graphs[bits];
    if (!*slot) {
        CLUMP_CUDA(ctx, cuda, "making a graph", cudaStreamBeginCapture(cuda->own, cudaStreamCaptureModeThreadLocal));
        const clump_status status =
            launch_phases(ctx, cuda, (const fast_job *)f->job.data, ((size_t)1 << bits) - 1, cuda->own);
        cudaGraph_t graph = NULL;
        cudaError_t error = cudaStreamEndCapture(cuda->own, &graph);
        if (status == CLUMP_OK && error == cudaSuccess) error = cudaGraphInstantiate(slot, graph, 0);
        if (graph) (void)cudaGraphDestroy(graph);
        if (status != CLUMP_OK) return status;
        CLUMP_CUDA(ctx, cuda, "making a graph", error);
        CLUMP_CUDA(ctx, cuda, "making a graph", cudaGraphUpload(*slot, cuda->stream));
    }
    *out = *slot;
    return CLUMP_OK;
}

static clump_status run_small(clump_context *ctx, clump_cuda *cuda, const fast_job *job, float4 *points, uint8_t *mask)
{
    if (cuda->major < 9) {
        CLUMP_CUDA(
            ctx, cuda, "clustering",
            (small_kernel<false><<<1, SMALL_THREADS, 0, cuda->stream>>>(*job, points, mask), cudaGetLastError()));
        return CLUMP_OK;
    }
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = SMALL_CLUSTER;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(SMALL_CLUSTER);
    config.blockDim = dim3(SMALL_THREADS);
    config.stream = cuda->stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CLUMP_CUDA(ctx, cuda, "clustering", cudaLaunchKernelEx(&config, small_kernel<true>, *job, points, mask));
    return CLUMP_OK;
}

static clump_status run_large(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, const fast_job *job)
{
    const size_t n = job->view.count;
    fast_job *const shared = (fast_job *)f->job.data;
    cudaGraphExec_t graph = NULL;
    if (!clump_cuda_capturing(cuda)) CLUMP_TRY(find_graph(ctx, cuda, f, n, &graph));
    const uint32_t blocks = grid(n, POINT_THREADS, (uint32_t)cuda->units * POINT_BLOCKS);
    CLUMP_CUDA(ctx, cuda, "clustering",
               (clear_kernel<<<blocks, POINT_THREADS, 0, cuda->stream>>>(*job, shared), cudaGetLastError()));
    if (!graph) return launch_phases(ctx, cuda, shared, n, cuda->stream);
    CLUMP_CUDA(ctx, cuda, "clustering", cudaGraphLaunch(graph, cuda->stream));
    return CLUMP_OK;
}

clump_status clump_cuda_ec_fast(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, const clump_ec_job *job,
                                const clump_cloud_view *view, int32_t *labels, clump_counts *counts)
{
    CLUMP_TRY(clump_cuda_fast_reserve(ctx, cuda, f, view->count));
    fast_job work = {};
    float4 *points;
    uint8_t *mask;
    lay_out((char *)f->arena.data, view->count, &work, &points, &mask);
    work.view = *view;
    work.rule = clump_cell_rule_make(job->d, job->two_d);
    work.bound = clump_distance_bound(job->d);
    work.labels = labels;
    work.counts = counts;
    work.report = job->wait ? (fast_report *)f->report.data : NULL;
    if (view->count > CLUMP_CUDA_FAST_SMALL) return run_large(ctx, cuda, f, &work);
    return run_small(ctx, cuda, &work, job->place == CLUMP_PLACE_HOST ? points : NULL, mask);
}

void clump_cuda_fast_result(const clump_cuda_fast *f, clump_ec_result *result)
{
    const fast_report *const r = (const fast_report *)f->report.data;
    result->clusters = (int32_t)r->counts.clusters;
    result->finite = r->counts.finite;
    result->masked = r->counts.masked;
    result->noise = r->counts.noise;
    result->build_ms = 1e-6 * (double)(r->stamps[1] - r->stamps[0]);
    result->cluster_ms = 1e-6 * (double)(r->stamps[2] - r->stamps[1]);
    result->label_ms = 1e-6 * (double)(r->stamps[3] - r->stamps[2]);
}
