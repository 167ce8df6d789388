/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.cu: the memory of `fast`, and its phases in order. Launches take long compared with the work on one scan, so
 * there are two forms:
 *
 *     small clouds    one kernel of one cluster of thread blocks, or of one thread block on GPUs without clusters, with
 *     a
 *                     barrier between phases. It reads points and writes labels in pinned host memory itself: no copies
 *     other clouds    one kernel per phase. The first gets the job by value and leaves it on the GPU; the others are a
 *                     launch graph (gpu/launch.h)
 *
 * A stream that the caller captures cannot launch a graph. There the kernels are launched one by one and become part of
 * the caller's graph.
 */
#include "cuda/fast/ec_fast.h"

#include "cuda/fast/fast_kernels.cuh"
#include "cuda/fast/fast_launch.h"

#include <stddef.h>

/* ----- memory -------------------------------------------------------------------------------------- */

#define FAST_MOST_POINTS 1400000000u /* 1.5 slots per point, which fast_hot.cuh needs, are at most 2^31 */

/* Returns the size of the hash table. At most two slots in three are in use; fast_hot.cuh needs 1.5 per point too. */
static uint32_t slots_for(size_t n)
{
    uint32_t slots = 1024;
    while (slots < n + n / 2 && slots < 1u << 31) slots *= 2;
    return slots;
}

/* Places all buffers for n points in the arena at `base`; returns its size. With base null only the size counts. */
static size_t lay_out(char *base, size_t n, bool density, fast_job *job, clump_fetch_room *room)
{
    clump_cutter c = {base, 0};
    const uint32_t slots = slots_for(n);
    CLUMP_ASSERT((slots & (slots - 1)) == 0 && slots >= n + n / 2);
    job->slot_mask = slots - 1;
    job->hot_limit = (uint32_t)(n / 4 + 64);
    clump_cut(&c, &job->heads, slots);
    clump_cut(&c, &job->infos, slots);
    clump_cut(&c, &job->list, n);
    clump_cut(&c, &job->cell_of, n);
    clump_cut(&c, &job->local_of, n);
    clump_cut(&c, &job->rank_of, n);
    clump_cut(&c, &job->tallies, n);
    clump_cut(&c, &job->spans, n);
    clump_cut(&c, &job->parents, n);
    clump_cut(&c, &job->sorted, n);
    job->late_limit = (uint32_t)(n / 4 + 64);
    job->hard_limit = (uint32_t)(n / 2 + 64);
    clump_cut(&c, &job->late_rounds, job->late_limit);
    clump_cut(&c, &job->hard_pairs, job->hard_limit);
    clump_cut(&c, &job->hot_cells, 2 * (size_t)job->hot_limit);
    clump_cut(&c, &job->hot_pairs, job->hot_limit);
    job->nodes = job->heads;
    job->spare = (float4 *)job->infos;
    if (density) {
        fast_node *nodes;
        clump_cut(&c, &nodes, n / 8 + 1); /* fast_hot.cuh has at most one per 8 points */
        clump_cut(&c, &job->spare, n);
        clump_cut(&c, &job->core_at, n);
        clump_cut(&c, &job->cell_boxes, n / FAST_MANY + 1);
        clump_cut(&c, &job->open, n);
        job->nodes = nodes;
    }
    clump_cut(&c, &job->marks, (n + 31) / 32);
    clump_cut(&c, &job->numbers, (n + 31) / 32);
    clump_cut(&c, &job->counters, 1);
    clump_cut_room(&c, room, n);
    return c.used;
}

size_t clump_cuda_fast_bytes(size_t n, bool density)
{
    return clump_bytes_up_to(n, [=](size_t count) {
        fast_job job;
        clump_fetch_room room;
        return lay_out(NULL, count, density, &job, &room);
    });
}

bool clump_cuda_fast_takes(size_t n)
{
    return n <= FAST_MOST_POINTS;
}

static clump_status reserve(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, size_t max_points, bool density)
{
    if (!clump_cuda_fast_takes(max_points))
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY,
                          "%zu points are too many for one call on a GPU, %u are the most", max_points,
                          (unsigned)FAST_MOST_POINTS);
    CLUMP_TRY(clump_device_reserve(work, cuda, &f->job, sizeof(fast_job)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &f->report, sizeof(fast_report)));
    return clump_device_reserve(work, cuda, &f->arena, clump_cuda_fast_bytes(max_points, density));
}

void clump_cuda_fast_trim(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f)
{
    clump_cuda_fast_close(f); /* launch graphs refer to the memory */
    clump_device_release(work, cuda, &f->arena);
    clump_device_release(work, cuda, &f->job);
    clump_pinned_release(work, &f->report);
}

void clump_cuda_fast_close(clump_cuda_fast *f)
{
    for (clump_launch_graphs &graphs : f->graphs) clump_launch_graphs_close(&graphs);
}

/* ----- launching ----------------------------------------------------------------------------------- */

clump_status clump_cuda_fast_phases(clump_work *work, clump_cuda *cuda, const clump_cuda_fast *f, size_t n,
                                    bool density, cudaStream_t stream, bool follows)
{
    const uint32_t units = (uint32_t)cuda->units;
    const uint32_t by_point = clump_grid_size(n, FAST_POINT_THREADS, units * FAST_POINT_BLOCKS);
    /* a warp per block: there may be as many blocks as points */
    const uint32_t by_warp = clump_grid_size(n * 32, FAST_POINT_THREADS, units * FAST_POINT_BLOCKS);
    const uint32_t joining = clump_grid_size(n * 32, FAST_JOIN_THREADS, units * FAST_JOIN_BLOCKS);
    const bool at_once = n < FAST_BETWEEN_AT_ONCE;
    const clump_phase<fast_job> phases[] = {
        {true, enter_kernel, by_point, FAST_POINT_THREADS, 0},
        {true, number_kernel, by_point, FAST_POINT_THREADS, 0},
        {true, count_kernel, by_point, FAST_POINT_THREADS, 0},
        {true, place_kernel, by_warp, FAST_POINT_THREADS, 0},
        {true, scatter_kernel, by_point, FAST_POINT_THREADS, 0},
        {density, core_kernel, by_point, FAST_POINT_THREADS, 0},
        {density, open_kernel, by_warp, FAST_POINT_THREADS, 0},
        {density, compact_kernel, by_warp, FAST_POINT_THREADS, 0},
        {true, inside_kernel, joining, FAST_JOIN_THREADS, 0},
        {at_once, between_kernel, joining, FAST_JOIN_THREADS, 0},
        {!at_once, faces_kernel, joining, FAST_JOIN_THREADS, 0},
        {!at_once, rest_kernel, joining, FAST_JOIN_THREADS, 0},
        {true, hard_kernel, joining, FAST_JOIN_THREADS, 0},
        {true, hot_kernel, units * FAST_HOT_BLOCKS, FAST_HOT_THREADS, 0},
        {true, roots_kernel, by_point, FAST_POINT_THREADS, 0},
        {density, border_kernel, by_warp, FAST_POINT_THREADS, 0},
        {true, mark_kernel, clump_grid_size(n, FAST_SUM_THREADS, units), FAST_SUM_THREADS, 0},
        {true, label_kernel, by_point, FAST_POINT_THREADS, 0},
    };
    return clump_launch_phases(work, cuda, phases, (const fast_job *)f->job.data, stream, f->overlaps, follows);
}

/* Finds the launch graph for clouds of n points. */
static clump_status find_graph(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, size_t n, bool density,
                               cudaGraphExec_t *out)
{
    const auto record = [=](size_t most, cudaStream_t stream) {
        return clump_cuda_fast_phases(work, cuda, f, most, density, stream, false);
    };
    return clump_launch_graph(work, cuda, &f->graphs[density], n, 0, record, out);
}

/* Returns how many thread blocks a cluster can have: 16 where this GPU allows more than the portable 8. */
static uint32_t cluster_size(void)
{
    (void)cudaFuncSetAttribute(small_kernel<true, false>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    (void)cudaFuncSetAttribute(small_kernel<true, true>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    const clump_launch l = {FAST_SMALL_CLUSTER, FAST_SMALL_THREADS, 0, NULL, false, FAST_SMALL_CLUSTER};
    cudaLaunchAttribute attributes[CLUMP_LAUNCH_ATTRIBUTES];
    const cudaLaunchConfig_t config = clump_launch_config(l, attributes);
    int clusters[2] = {0, 0};
    cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters[0], small_kernel<true, false>, &config);
    if (error == cudaSuccess) error = cudaOccupancyMaxActiveClusters(&clusters[1], small_kernel<true, true>, &config);
    (void)cudaGetLastError();
    return error == cudaSuccess && clusters[0] > 0 && clusters[1] > 0 ? FAST_SMALL_CLUSTER : FAST_SMALL_CLUSTER / 2;
}

/* Finds out what the code of this build can do on this GPU. The GPU alone does not tell: the driver may have made the
 * code from PTX for an older GPU, without the cluster barrier. */
static void probe_code(const clump_cuda *cuda, clump_cuda_fast *f)
{
    cudaFuncAttributes code = {};
    const bool recent = cudaFuncGetAttributes(&code, small_kernel<true, false>) == cudaSuccess && code.ptxVersion >= 90;
    (void)cudaGetLastError();
    f->overlaps = recent && cuda->overlaps;
    f->cluster = recent && cuda->major >= 9 ? cluster_size() : 1;
}

/* Returns up to how many points a cloud is small. */
static size_t small_count(const clump_cuda_fast *f)
{
    return f->cluster > 1 ? CLUMP_TRANSFER_STAGED : CLUMP_CUDA_FAST_ALONE;
}

static clump_status run_small(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, const fast_job *job,
                              const clump_cloud_view *from)
{
    const bool density = job->min_points > 0, clustered = f->cluster > 1;
    void (*const together)(fast_job, clump_cloud_view) = density ? small_kernel<true, true> : small_kernel<true, false>;
    void (*const alone)(fast_job, clump_cloud_view) = density ? small_kernel<false, true> : small_kernel<false, false>;
    const clump_launch l = {f->cluster, FAST_SMALL_THREADS, 0, cuda->stream, false, f->cluster};
    return clump_launch_kernel(work, cuda, "clustering", l, clustered ? together : alone, *job, *from);
}

static clump_status run_large(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, const fast_job *job,
                              const clump_cloud_view *from)
{
    const size_t n = job->view.count;
    fast_job *const shared = (fast_job *)f->job.data;
    cudaGraphExec_t graph = NULL;
    const bool density = job->min_points > 0;
    if (!clump_cuda_capturing(cuda)) CLUMP_TRY(find_graph(work, cuda, f, n, density, &graph));
    const uint32_t most = (uint32_t)cuda->units * FAST_POINT_BLOCKS;
    CLUMP_TRY(
        clump_launch_items(work, cuda, "clustering", n, FAST_POINT_THREADS, most, clear_kernel, *job, shared, *from));
    if (!graph) return clump_cuda_fast_phases(work, cuda, f, n, density, cuda->stream, false);
    CLUMP_CUDA(work, cuda, "clustering", cudaGraphLaunch(graph, cuda->stream));
    return CLUMP_OK;
}

clump_status clump_cuda_fast_prepare(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, size_t max_points)
{
    CLUMP_TRY(reserve(work, cuda, f, max_points, true));
    if (f->cluster == 0) probe_code(cuda, f);
    for (size_t n = 2 * small_count(f); n / 2 <= max_points; n *= 2) { /* two per number of bits */
        cudaGraphExec_t graph;
        CLUMP_TRY(find_graph(work, cuda, f, n - 1, false, &graph));
        CLUMP_TRY(find_graph(work, cuda, f, n - 1, true, &graph));
    }
    return CLUMP_OK;
}

/* Fills the job of the kernels. *room is memory for a cloud that they fetch. */
static clump_status make_job(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, const clump_cloud_job *job,
                             const clump_cuda_density *density, const clump_cloud_view *view, int32_t *labels,
                             clump_counts *counts, fast_job *out, clump_fetch_room *room)
{
    CLUMP_ASSERT(!density || density->min_points >= 1);
    CLUMP_TRY(reserve(work, cuda, f, view->count, density != NULL));
    if (f->cluster == 0) probe_code(cuda, f);
    *out = fast_job{};
    lay_out((char *)f->arena.data, view->count, density != NULL, out, room);
    out->view = *view;
    out->rule = clump_cell_rule_make(job->d, job->two_d);
    out->key = work->hash_key;
    out->bound = job->bound;
    if (density) {
        out->min_points = density->min_points < UINT32_MAX ? (uint32_t)density->min_points : UINT32_MAX;
        out->borders = density->border_points;
        out->core = density->core;
        out->pairs = density->pairs;
        out->pair_capacity = density->pair_capacity;
        out->pair_points = density->pair_points;
    }
    out->labels = labels;
    out->counts = counts;
    out->report = job->wait ? (fast_report *)f->report.data : NULL;
    return CLUMP_OK;
}

clump_status clump_cuda_fast_make(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, const clump_cloud_job *job,
                                  const clump_cuda_density *density, const clump_cloud_view *view, int32_t *labels,
                                  clump_counts *counts, fast_job *out)
{
    clump_fetch_room room;
    return make_job(work, cuda, f, job, density, view, labels, counts, out, &room);
}

clump_status clump_cuda_run_fast(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, const clump_cloud_job *job,
                                 const clump_cuda_density *density, const clump_cloud_view *view, bool on_host,
                                 int32_t *labels, clump_counts *counts)
{
    fast_job gpu_job;
    clump_fetch_room room;
    CLUMP_TRY(make_job(work, cuda, f, job, density, view, labels, counts, &gpu_job, &room));
    clump_cloud_view from = {};
    clump_plan_fetch(view, on_host, &room, &gpu_job.view, &from);
    if (view->count > small_count(f))
        CLUMP_TRY(run_large(work, cuda, f, &gpu_job, &from));
    else
        CLUMP_TRY(run_small(work, cuda, f, &gpu_job, &from));
    if (!density || !density->pairs) return CLUMP_OK;
    return clump_launch_items(work, cuda, "listing border points", density->pair_capacity, FAST_POINT_THREADS,
                              (uint64_t)cuda->units * FAST_POINT_BLOCKS, translate_kernel, gpu_job,
                              density->pair_count);
}

void clump_cuda_fast_result(const clump_cuda_fast *f, bool on_host, clump_stats *stats)
{
    const fast_report *const r = (const fast_report *)f->report.data;
    CLUMP_ASSERT(r != NULL);
    clump_launch_report(&r->counts, r->stamps, on_host, stats);
}
