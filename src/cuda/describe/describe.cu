/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.cu: the memory of clump_describe on a GPU, and its phases in order. The first kernel gets the job by value,
 * leaves it on the GPU and clears; the others are a launch graph (gpu/launch.h). A stream that the caller captures gets the
 * kernels one by one. describe_call.cu makes whole calls of it.
 */
#include "cuda/describe/describe_launch.h"

#include "cuda/describe/describe_extents.cuh"
#include "cuda/describe/describe_hulls.cuh"
#include "cuda/describe/describe_levels.cuh"
#include "cuda/describe/describe_polygons.cuh"
#include "cuda/describe/describe_sums.cuh"

/* Thread blocks are per multiprocessor. Chosen for an H200; no measurement per value is recorded. */
enum {
    DESCRIBE_POINT_BLOCKS = 4,   /* 2048 threads: all that fit */
    DESCRIBE_FLAT_THREADS = 256, /* of the phases without shared memory */
    DESCRIBE_CLUSTER_BLOCKS = 2,
    DESCRIBE_HULL_BLOCKS = 2,
    DESCRIBE_LEAST_BITS = 12 /* smaller clouds share a launch graph: the grid of all their phases is small */
};

/* ----- memory --------------------------------------------------------------------------------------- */

/* Places all buffers in the arena at `base`; returns its size. With base null only the size counts. */
static size_t lay_out(char *base, size_t points, size_t clusters, describe_job *job)
{
    clump_cutter c = {base, 0};
    clump_cut(&c, &job->extents, clusters);
    clump_cut(&c, &job->plans, clusters);
    clump_cut(&c, &job->totals, clusters);
    clump_cut(&c, &job->lists, clusters);
    clump_cut(&c, &job->candidates, points);
    clump_cut(&c, &job->edges, points);
    clump_cut(&c, &job->keys, points);
    clump_cut(&c, &job->chains, 2 * points);
    return c.used;
}

clump_status clump_cuda_describe_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, size_t max_points,
                                         size_t max_clusters)
{
    describe_job job;
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->job, sizeof(describe_job)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->results, CLUMP_DESCRIBE_REPORT_ROOM));
    return clump_device_reserve(work, cuda, &d->arena, lay_out(NULL, max_points, max_clusters, &job));
}

void clump_cuda_describe_trim(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d)
{
    clump_cuda_describe_close(d); /* launch graphs refer to the memory */
    clump_device_buffer *const all[] = {&d->job,        &d->arena,        &d->results,    &d->labels,
                                        &d->heights,    &d->values,       &d->hull,       &d->hull_offsets,
                                        &d->group_keys, &d->group_sorted, &d->group_sort, &d->group_out};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
    clump_pinned_release(work, &d->results_on_host);
    clump_pinned_release(work, &d->values_on_host);
}

void clump_cuda_describe_close(clump_cuda_describe *d)
{
    for (clump_launch_graphs &graphs : d->graphs) clump_launch_graphs_close(&graphs);
}

void clump_cuda_describe_prepare(const clump_cuda_describe *d, const clump_describe_input *in, describe_job *job)
{
    CLUMP_ASSERT(in->capacity >= 0 && d->results.data && (d->arena.data || (in->capacity == 0 && in->view.count == 0)));
    *job = describe_job{};
    lay_out((char *)d->arena.data, in->view.count, (size_t)in->capacity, job);
    job->in = *in;
    job->report = (clump_describe_report *)d->results.data;
}

/* ----- kernels -------------------------------------------------------------------------------------- */

__global__ static void __launch_bounds__(DESCRIBE_FLAT_THREADS) begin_kernel(describe_job job, describe_job *shared)
{
    const clump_gpu_team team = clump_whole_grid();
    if (team.thread == 0) *shared = job;
    describe_clear(job, team);
}

/* The job has been there since an earlier kernel than the previous one: it is read before the wait. */
#define DESCRIBE_PHASE(name, threads, blocks, ...)                                                                     \
    __global__ static void __launch_bounds__(threads, blocks) name(const describe_job *shared)                         \
    {                                                                                                                  \
        const describe_job job = *shared;                                                                              \
        clump_after_previous();                                                                                        \
        __VA_ARGS__;                                                                                                   \
    }
DESCRIBE_PHASE(extents_kernel, DESCRIBE_POINT_THREADS, 4, describe_extents(job))
DESCRIBE_PHASE(plan_kernel, DESCRIBE_PLAN_THREADS, 1, describe_plan_all(job))
DESCRIBE_PHASE(sums_kernel, DESCRIBE_POINT_THREADS, 4, describe_sums<false>(job))
DESCRIBE_PHASE(moments_kernel, DESCRIBE_POINT_THREADS, 2, describe_sums<true>(job))
DESCRIBE_PHASE(levels_kernel, DESCRIBE_LEVEL_THREADS, 1, describe_levels(job))
DESCRIBE_PHASE(hulls_kernel, DESCRIBE_HULL_THREADS, 2, describe_hulls<false>(job))
DESCRIBE_PHASE(hulls_and_axes_kernel, DESCRIBE_HULL_THREADS, 2, describe_hulls<true>(job))
DESCRIBE_PHASE(offsets_kernel, DESCRIBE_OFFSET_THREADS, 1, describe_offsets(job))
DESCRIBE_PHASE(corners_kernel, DESCRIBE_FLAT_THREADS, 1, describe_corners(job, clump_whole_grid()))
#undef DESCRIBE_PHASE

/* ----- launching ------------------------------------------------------------------------------------ */

/* Finds out whether the code of this build can overlap launches: it may have been made from PTX for an older GPU. */
static void probe_code(const clump_cuda *cuda, clump_cuda_describe *d)
{
    cudaFuncAttributes code = {};
    const bool recent = cudaFuncGetAttributes(&code, extents_kernel) == cudaSuccess && code.ptxVersion >= 90;
    (void)cudaGetLastError();
    d->overlaps = recent && cuda->overlaps;
    d->probed = true;
}

/* The phases but the first. */
static clump_status launch_phases(clump_work *work, clump_cuda *cuda, const clump_cuda_describe *d, size_t n,
                                  clump_describe_shape shape, cudaStream_t stream, bool follows)
{
    const uint32_t units = (uint32_t)cuda->units;
    const uint32_t by_point = clump_grid_size(n, DESCRIBE_POINT_THREADS, units * DESCRIBE_POINT_BLOCKS);
    const uint32_t by_cluster = units * DESCRIBE_CLUSTER_BLOCKS;
    const clump_phase<describe_job> phases[] = {
        {true, extents_kernel, by_point, DESCRIBE_POINT_THREADS, 0},
        {true, plan_kernel, by_cluster, DESCRIBE_PLAN_THREADS, 0},
        {!shape.axes, sums_kernel, by_point, DESCRIBE_POINT_THREADS, 0},
        {shape.axes, moments_kernel, by_point, DESCRIBE_POINT_THREADS, 0},
        {true, levels_kernel, units, DESCRIBE_LEVEL_THREADS, 0},
        {!shape.axes, hulls_kernel, units * DESCRIBE_HULL_BLOCKS, DESCRIBE_HULL_THREADS, 0},
        {shape.axes, hulls_and_axes_kernel, units * DESCRIBE_HULL_BLOCKS, DESCRIBE_HULL_THREADS, 0},
        {shape.polygons, offsets_kernel, 1, DESCRIBE_OFFSET_THREADS, 0},
        {shape.polygons, corners_kernel, by_cluster, DESCRIBE_FLAT_THREADS, 0},
    };
    bool overlap = follows && d->overlaps;
    for (const clump_phase<describe_job> &phase : phases) {
        if (!phase.runs) continue;
        const clump_launch l = {phase.blocks, phase.threads, phase.shared_bytes, stream, overlap, 0};
        CLUMP_TRY(
            clump_launch_kernel(work, cuda, "describing clusters", l, phase.kernel, (const describe_job *)d->job.data));
        overlap = d->overlaps;
    }
    return CLUMP_OK;
}

clump_status clump_cuda_describe_phases(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, size_t n,
                                        clump_describe_shape shape, cudaStream_t stream, bool follows)
{
    if (!d->probed) probe_code(cuda, d);
    return launch_phases(work, cuda, d, n, shape, stream, follows);
}

clump_status clump_cuda_describe_graph(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, size_t n,
                                       clump_describe_shape shape, cudaGraphExec_t *out)
{
    if (!d->probed) probe_code(cuda, d);
    const auto record = [=](size_t most, cudaStream_t stream) {
        return launch_phases(work, cuda, d, most, shape, stream, false);
    };
    return clump_launch_graph(work, cuda, &d->graphs[2 * shape.axes + shape.polygons], n, DESCRIBE_LEAST_BITS, record,
                              out);
}

clump_status clump_cuda_describe_launch(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d,
                                        const describe_job *job)
{
    const size_t n = job->in.view.count;
    const clump_describe_shape shape = job->in.shape;
    cudaGraphExec_t graph = NULL;
    if (!d->probed) probe_code(cuda, d);
    if (!clump_cuda_capturing(cuda)) CLUMP_TRY(clump_cuda_describe_graph(work, cuda, d, n, shape, &graph));
    const uint64_t words = (uint64_t)job->in.capacity * ((sizeof(describe_extent) + sizeof(describe_total)) / 16);
    CLUMP_TRY(clump_launch_items(work, cuda, "describing clusters", words, DESCRIBE_FLAT_THREADS,
                                 (uint64_t)cuda->units * DESCRIBE_CLUSTER_BLOCKS, begin_kernel, *job,
                                 (describe_job *)d->job.data));
    if (!graph) return launch_phases(work, cuda, d, n, shape, cuda->stream, false);
    CLUMP_CUDA(work, cuda, "describing clusters", cudaGraphLaunch(graph, cuda->stream));
    return CLUMP_OK;
}
