/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.cu: see erccl.h: memory of clump_ground and clump_erccl, and whole calls. erccl_launch.cu has the phases.
 */
#include "cuda/obstacles/erccl.h"

#include "cuda/obstacles/erccl_launch.h"

#include <stddef.h>

enum {
    ERCCL_MOST_LIMITS = (CLUMP_ERCCL_REACH + 1) * (CLUMP_ERCCL_REACH + 1),
    ERCCL_CELL_BYTES = sizeof(uint2) + 2 * sizeof(uint32_t)
};

/* The content of e->shared, on the GPU. */
typedef struct erccl_shared {
    erccl_job job;
    erccl_counters counters;
    clump_counts counts;
    uint32_t ground;
} erccl_shared;

/* ----- memory -------------------------------------------------------------------------------------- */

/* Places all buffers per point in the arena at `base`; returns its size. With base null only the size counts. */
static size_t lay_out_points(char *base, size_t n, size_t cells, erccl_job *job, clump_fetch_room *room)
{
    clump_cutter c = {base, 0};
    clump_cut_room(&c, room, n);
    if (cells == 0) return c.used; /* clump_ground */
    clump_cut(&c, &job->place_of, n);
    clump_cut(&c, &job->list, n < cells ? n : cells);
    clump_cut(&c, &job->marks, (n + 31) / 32);
    clump_cut(&c, &job->numbers, (n + 31) / 32);
    return c.used;
}

static clump_status reserve_points(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, size_t n, size_t cells)
{
    const size_t bytes = clump_bytes_up_to(n, [=](size_t count) {
        erccl_job job;
        clump_fetch_room room;
        return lay_out_points(NULL, count, cells, &job, &room);
    });
    return clump_device_reserve(work, cuda, &e->arena, bytes > 0 ? bytes : 1);
}

/* Reserves the map. Cells are padded to a multiple of four, so that the map can be cleared by vectors. */
static clump_status reserve_map(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const char *method,
                                uint64_t cells)
{
    return clump_device_need(work, cuda, method, &e->cells, (cells + 3) / 4 * 4, ERCCL_CELL_BYTES, "cells of the map");
}

static void lay_out_map(char *base, uint64_t cells, erccl_job *job)
{
    const uint64_t whole = (cells + 3) / 4 * 4;
    CLUMP_ASSERT((uintptr_t)base % sizeof(uint4) == 0);
    job->heights = (uint2 *)base;
    job->first = (uint32_t *)(base + whole * sizeof(uint2));
    job->parents = job->first + whole;
}

/* Reserves what every call needs, whatever its size. */
static clump_status reserve_shared(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e)
{
    CLUMP_TRY(clump_cuda_erccl_probe_code(work, cuda, e));
    CLUMP_TRY(clump_device_reserve(work, cuda, &e->shared, sizeof(erccl_shared)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &e->limits, ERCCL_MOST_LIMITS * sizeof(float)));
    return clump_pinned_reserve(work, cuda, &e->report, sizeof(erccl_report) + ERCCL_FLAGS * sizeof(uint32_t));
}

void clump_cuda_erccl_close(clump_cuda_erccl *e)
{
    for (auto &of_rule : e->graphs)
        for (auto &of_call : of_rule)
            for (clump_launch_graphs &graphs : of_call) clump_launch_graphs_close(&graphs);
}

void clump_cuda_erccl_trim(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e)
{
    clump_cuda_erccl_close(e); /* launch graphs refer to the memory */
    clump_device_buffer *const all[] = {&e->ground.map, &e->shared, &e->limits, &e->cells, &e->arena,
                                        &e->maps,       &e->above,  &e->sweeps, &e->keys,  &e->sort};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
    clump_pinned_release(work, &e->report);
}

/* ----- calls --------------------------------------------------------------------------------------- */

/* Returns how far the table has any entry: cells further apart are never alike, whatever the reach. */
static int farthest_alike(const clump_erccl_job *job)
{
    int reach = job->reach;
    while (reach > 0 && job->alike[reach] < 0)
        reach--; /* entries do not grow with rows or columns, and the table is symmetric */
    return reach;
}

static int step_part(const erccl_job *job)
{
    return job->ground.step ? ERCCL_PART_STEP : 0;
}

/* Puts a whole call on the stream. */
static clump_status launch_all(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const erccl_job *job,
                               const clump_cloud_view *from, int parts, const float *alike, uint32_t alike_stride)
{
    cudaGraphExec_t graph = NULL;
    const clump_ground_method ground = job->ground.method;
    if (!clump_cuda_capturing(cuda))
        CLUMP_TRY(clump_cuda_erccl_graph(work, cuda, e, job->view.count, parts, ground, &graph));
    CLUMP_TRY(clump_cuda_erccl_clear(work, cuda, e, job, from, alike, alike_stride));
    if (!graph) return clump_cuda_erccl_phases(work, cuda, e, job->view.count, parts, ground, cuda->stream, false);
    CLUMP_CUDA(work, cuda, "clustering", cudaGraphLaunch(graph, cuda->stream));
    return CLUMP_OK;
}

/* Makes the part of a job that both calls have. *from is the cloud that the kernels fetch. */
static clump_status make_job(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                             const clump_ground_options *ground, const clump_cloud_view *view, bool on_host,
                             uint64_t cells, erccl_job *job, clump_cloud_view *from)
{
    CLUMP_TRY(clump_cuda_ground_prepare(work, cuda, &e->ground, ground, &job->ground));
    CLUMP_TRY(reserve_points(work, cuda, e, view->count, cells));
    clump_fetch_room room;
    lay_out_points((char *)e->arena.data, view->count, cells, job, &room);
    clump_plan_fetch(view, on_host, &room, &job->view, from);
    erccl_shared *const shared = (erccl_shared *)e->shared.data;
    job->limits = (float *)e->limits.data;
    job->counters = &shared->counters;
    job->counts = &shared->counts;
    job->ground_count = &shared->ground;
    return CLUMP_OK;
}

/* Finds where the kernels write the heights above the ground that the caller wants. */
static clump_status place_heights(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const clump_cloud_job *job,
                                  float *heights, erccl_job *out)
{
    out->above = heights;
    if (!heights || job->place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, &e->above, (job->count + 1) * sizeof *heights));
    out->above = (float *)e->above.data;
    return CLUMP_OK;
}

/* Copies them to a caller in host memory. Not through t->out, where kernels may write labels. */
static clump_status fetch_heights(clump_work *work, clump_cuda *cuda, const clump_cuda_erccl *e,
                                  const clump_cloud_job *job, float *heights)
{
    if (!heights || job->place == CLUMP_PLACE_DEVICE || job->count == 0) return CLUMP_OK;
    CLUMP_CUDA(
        work, cuda, "fetching heights from the GPU",
        cudaMemcpyAsync(heights, e->above.data, job->count * sizeof *heights, cudaMemcpyDeviceToHost, cuda->stream));
    return CLUMP_OK;
}

/* Ends a call: lets it run, or waits and takes labels, counts and times. */
static clump_status finish_call(clump_work *work, clump_cuda *cuda, const clump_cuda_erccl *e, clump_transfer *t,
                                const clump_cloud_job *job, bool waits, clump_stats *stats)
{
    if (!waits) {
        stats->clusters = -1;
        return clump_cuda_leave_running(work, cuda);
    }
    CLUMP_TRY(clump_download(work, cuda, t, job, stats));
    const erccl_report *const r = (const erccl_report *)e->report.data;
    clump_launch_report(&r->counts, r->stamps, t->direct, stats);
    stats->ground = r->ground;
    stats->ground_level = r->level;
    return CLUMP_OK;
}

clump_status clump_cuda_erccl_make_ground(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                                          const clump_ground_options *options, const clump_cloud_view *view,
                                          bool on_host, erccl_job *out, clump_cloud_view *from)
{
    *out = erccl_job{};
    CLUMP_TRY(reserve_shared(work, cuda, e));
    return make_job(work, cuda, e, options, view, on_host, 0, out, from);
}

clump_status clump_cuda_erccl_make(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const clump_erccl_job *job,
                                   const clump_cloud_view *view, bool on_host, int32_t *labels, bool waits,
                                   erccl_job *out, clump_cloud_view *from)
{
    const uint64_t cells = (uint64_t)job->map.rows * job->map.columns;
    *out = erccl_job{};
    CLUMP_TRY(reserve_shared(work, cuda, e));
    CLUMP_TRY(reserve_map(work, cuda, e, clump_erccl_method_name(job->method), cells));
    CLUMP_TRY(make_job(work, cuda, e, &job->ground, view, on_host, cells, out, from));
    out->map = job->map;
    out->cells = (uint32_t)cells;
    out->reach = farthest_alike(job);
    CLUMP_ASSERT(out->reach >= 0 && out->reach <= CLUMP_ERCCL_REACH && cells <= INT32_MAX);
    out->inverse = (1u << 22) / (2 * (uint32_t)out->reach + 1) + 1;
    lay_out_map((char *)e->cells.data, cells, out);
    out->labels = labels;
    out->report = waits ? (erccl_report *)e->report.data : NULL;
    return CLUMP_OK;
}

clump_status clump_cuda_erccl_ground(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, clump_transfer *t,
                                     const clump_ground_job *job, clump_stats *stats)
{
    clump_cloud_view view, from = {};
    erccl_job gpu_job = {};
    CLUMP_TRY(reserve_shared(work, cuda, e));
    CLUMP_TRY(
        clump_upload(work, cuda, t, &job->in, CLUMP_TRANSFER_DIRECT, CLUMP_TRANSFER_STAGED, &view, &gpu_job.labels));
    CLUMP_TRY(make_job(work, cuda, e, &job->options, &view, t->direct, 0, &gpu_job, &from));
    CLUMP_TRY(place_heights(work, cuda, e, &job->in, job->options.heights, &gpu_job));
    gpu_job.report = job->in.wait ? (erccl_report *)e->report.data : NULL;
    CLUMP_TRY(launch_all(work, cuda, e, &gpu_job, &from, ERCCL_PART_FLAG | step_part(&gpu_job), NULL, 0));
    CLUMP_TRY(fetch_heights(work, cuda, e, &job->in, job->options.heights));
    return finish_call(work, cuda, e, t, &job->in, job->in.wait, stats);
}

clump_status clump_cuda_erccl_launch(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                                     clump_cuda_erccl_join *paper, const clump_erccl_job *job, const erccl_job *gpu_job,
                                     const clump_cloud_view *from, int64_t *passes)
{
    const uint32_t stride = (uint32_t)job->reach + 1;
    const int more = (job->all_heights ? ERCCL_PART_HEIGHTS : 0) | step_part(gpu_job);
    if (job->method == CLUMP_ERCCL_FAST)
        return launch_all(work, cuda, e, gpu_job, from, ERCCL_PARTS_ALL | more, job->alike, stride);
    const clump_ground_method ground = gpu_job->ground.method;
    const uint64_t n = gpu_job->view.count;
    CLUMP_TRY(clump_cuda_erccl_clear(work, cuda, e, gpu_job, from, job->alike, stride));
    CLUMP_TRY(clump_cuda_erccl_phases(work, cuda, e, n, ERCCL_PART_PLACE | more, ground, cuda->stream, false));
    CLUMP_TRY(paper(work, cuda, e, job->method, gpu_job, (const erccl_job *)e->shared.data, passes));
    return clump_cuda_erccl_phases(work, cuda, e, n, ERCCL_PART_LABEL, ground, cuda->stream, false);
}

clump_status clump_cuda_erccl_run(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, clump_transfer *t,
                                  clump_labels_scratch *finish, clump_cuda_erccl_join *paper,
                                  const clump_erccl_job *job, clump_stats *stats)
{
    const bool waits = job->in.wait || job->method != CLUMP_ERCCL_FAST; /* the other methods wait in any case */
    const bool unfinished = clump_labels_unfinished(&job->in);
    clump_cloud_view view, from = {};
    int32_t *labels;
    erccl_job gpu_job;
    CLUMP_TRY(clump_upload(work, cuda, t, &job->in, CLUMP_TRANSFER_DIRECT, CLUMP_TRANSFER_STAGED, &view, &labels));
    CLUMP_TRY(clump_cuda_erccl_make(work, cuda, e, job, &view, t->direct, labels, waits, &gpu_job, &from));
    CLUMP_TRY(place_heights(work, cuda, e, &job->in, job->ground.heights, &gpu_job));
    erccl_report *const report = (erccl_report *)e->report.data;
    CLUMP_TRY(clump_cuda_erccl_launch(work, cuda, e, paper, job, &gpu_job, &from, &stats->passes));
    if (unfinished) CLUMP_TRY(clump_labels_finish_on_gpu(work, cuda, finish, &job->in, gpu_job.labels, gpu_job.counts));
    CLUMP_TRY(clump_cuda_erccl_make_maps(work, cuda, e, job, &gpu_job));
    CLUMP_TRY(fetch_heights(work, cuda, e, &job->in, job->ground.heights));
    if (job->in.clusters_on_device)
        CLUMP_CUDA(work, cuda, "handing the number of clusters over",
                   cudaMemcpyAsync(job->in.clusters_on_device, &gpu_job.counts->clusters, sizeof(int32_t),
                                   cudaMemcpyDeviceToDevice, cuda->stream));
    if (unfinished && waits)
        CLUMP_CUDA(work, cuda, "fetching counts from the GPU",
                   cudaMemcpyAsync(&report->counts, gpu_job.counts, sizeof *gpu_job.counts, cudaMemcpyDeviceToHost,
                                   cuda->stream));
    return finish_call(work, cuda, e, t, &job->in, waits, stats);
}

clump_status clump_cuda_erccl_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, size_t max_points)
{
    clump_erccl_options o = clump_erccl_defaults();
    const uint64_t cells = (uint64_t)clump_erccl_rows(&o) * clump_erccl_columns(&o);
    CLUMP_TRY(reserve_shared(work, cuda, e));
    CLUMP_TRY(reserve_map(work, cuda, e, "fast", cells));
    CLUMP_TRY(reserve_points(work, cuda, e, max_points, cells));
    ground_search search;
    CLUMP_TRY(clump_cuda_ground_prepare(work, cuda, &e->ground, &o.ground, &search));
    for (size_t n = (size_t)1 << ERCCL_LEAST_BITS;; n *= 2) { /* two per number of bits */
        cudaGraphExec_t graph;
        CLUMP_TRY(clump_cuda_erccl_graph(work, cuda, e, n - 1, ERCCL_PARTS_ALL, o.ground.method, &graph));
        CLUMP_TRY(clump_cuda_erccl_graph(work, cuda, e, n - 1, ERCCL_PART_FLAG, o.ground.method, &graph));
        if (n > max_points) break;
    }
    return CLUMP_OK;
}
