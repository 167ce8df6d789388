/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.cu: the phases of clump_ground and clump_erccl in order, as kernels:
 *
 *     clear                     gets the job by value and leaves it on the GPU; empties the map; fetches the points
 *     lows, tiles, surface      the ground by grid                                              ground_grid.cuh
 *     count, peak               or by the peak of heights                                       ground_peak.cuh
 *     flag                      clump_ground ends here                                          erccl_cells.cuh
 *     place                     points on the map, which gives its cells                        erccl_cells.cuh
 *     link, unite               cells into sets                                                 erccl_unite.cuh
 *     or passes                 the paper's methods                                             erccl_sweeps.cuh
 *     roots, mark, label        canonical labels                                                erccl_label.cuh
 *     maps                      where the caller wants them                                     erccl_label.cuh
 *
 * All from the second on to the last but maps are a CUDA graph that is made once for all counts of as many bits; where
 * the caller captures the stream, and for the paper's methods, kernels one by one.
 */
#include "cuda/obstacles/erccl.h"

#include "cuda/gpu/cutter.h"
#include "cuda/obstacles/erccl_cells.cuh"
#include "cuda/obstacles/erccl_label.cuh"
#include "cuda/obstacles/erccl_sweeps.h"
#include "cuda/obstacles/erccl_unite.cuh"
#include "cuda/obstacles/ground_peak.cuh"

#include <stddef.h>

enum {
    THREADS = 256,
    BLOCKS = 8, /* a multiprocessor */
    SUM_THREADS = 1024,
    LEAST_BITS = 12,         /* smaller clouds share one graph */
    MOST_SHARED = 60 * 1024, /* bytes: the ground of 84 x 84 tiles */
    MOST_LIMITS = (CLUMP_ERCCL_REACH + 1) * (CLUMP_ERCCL_REACH + 1)
};

/* On the GPU. */
typedef struct erccl_shared {
    erccl_job job;
    erccl_counters counters;
    clump_counts counts;
    uint32_t ground;
} erccl_shared;

/* ----- kernels ------------------------------------------------------------------------------------- */

/* `from` is what the view of the job is to be filled from; its points are null where that is not needed. */
__global__ static void __launch_bounds__(THREADS)
    clear_kernel(erccl_job job, erccl_job *shared, clump_cloud_view from, erccl_piece piece, uint32_t limits)
{
    const clump_gpu_team team = clump_whole_grid();
    if (team.thread == 0) *shared = job;
    if (team.thread < limits) job.limits[team.thread] = piece.limit[team.thread];
    erccl_stamp(job, 0);
    erccl_clear(job, team);
    if (from.points) clump_fetch_cloud(job.view, team, from);
}

/* More of the table, where it is large. */
__global__ static void __launch_bounds__(ERCCL_PIECE) limits_kernel(float *limits, erccl_piece piece, uint32_t count)
{
    if (threadIdx.x < count) limits[threadIdx.x] = piece.limit[threadIdx.x];
}

/* The job is there since the first kernel: it is read before the wait for the kernel before this one. */
#define PHASE(name, threads, ...)                                                                                      \
    __global__ static void __launch_bounds__(threads) name(const erccl_job *shared)                                    \
    {                                                                                                                  \
        const erccl_job job = *shared;                                                                                 \
        clump_after_previous();                                                                                        \
        __VA_ARGS__                                                                                                    \
    }
PHASE(lows_kernel, THREADS, erccl_stamp(job, 1); ground_lows(job.ground, job.view, clump_whole_grid());)
PHASE(tiles_kernel, THREADS, ground_tiles(job.ground, clump_whole_grid());)
PHASE(surface_kernel, GROUND_THREADS, extern __shared__ int32_t tiles[]; ground_surface(job.ground, tiles);)
PHASE(count_kernel, THREADS, erccl_stamp(job, 1); ground_count(job.ground, job.view, clump_whole_grid());)
PHASE(peak_kernel, SUM_THREADS, ground_peak(job.ground);)
PHASE(place_kernel, THREADS, if (job.ground.method == CLUMP_GROUND_NONE) erccl_stamp(job, 1);
      erccl_place(job, clump_whole_grid());)
PHASE(link_kernel, THREADS, erccl_stamp(job, 2); erccl_link(job, clump_whole_grid());)
PHASE(unite_kernel, THREADS, erccl_unite(job, clump_whole_grid());)
PHASE(roots_kernel, THREADS, erccl_stamp(job, 3); erccl_roots(job, clump_whole_grid());)
PHASE(mark_kernel, SUM_THREADS, erccl_mark(job, clump_whole_grid());)
PHASE(label_kernel, THREADS, erccl_label(job, clump_whole_grid());
      erccl_stamp(job, 4);) /* all have the same share of it */
PHASE(flag_kernel, THREADS,
      for (int k = job.ground.method == CLUMP_GROUND_NONE ? 1 : 2; k < 4; k++) erccl_stamp(job, k);
      erccl_flag(job, clump_whole_grid());)
#undef PHASE

__global__ static void __launch_bounds__(THREADS) maps_kernel(erccl_job job, clump_erccl_maps maps)
{
    erccl_maps(job, maps, clump_whole_grid());
}

__global__ static void __launch_bounds__(THREADS) maps_ground_kernel(erccl_job job, clump_erccl_maps maps)
{
    erccl_maps_ground(job, maps, clump_whole_grid());
}

/* ----- memory -------------------------------------------------------------------------------------- */

/* Where everything by point lies; returns the bytes. */
static size_t lay_out_points(char *base, size_t n, size_t cells, erccl_job *job, float4 **points, uint8_t **mask)
{
    clump_cutter c = {base, 0};
    clump_cut(&c, points, n <= CLUMP_TRANSFER_DIRECT ? n : 0); /* fetched from the host */
    clump_cut(&c, mask, n <= CLUMP_TRANSFER_DIRECT ? n : 0);
    if (cells == 0) return c.used; /* clump_ground */
    clump_cut(&c, &job->place_of, n);
    clump_cut(&c, &job->list, n < cells ? n : cells);
    clump_cut(&c, &job->marks, (n + 31) / 32);
    clump_cut(&c, &job->numbers, (n + 31) / 32);
    return c.used;
}

static clump_status reserve_points(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, size_t n, size_t cells)
{
    erccl_job job;
    float4 *points;
    uint8_t *mask;
    size_t bytes = lay_out_points(NULL, n, cells, &job, &points, &mask);
    if (n > CLUMP_TRANSFER_DIRECT) { /* a smaller one has two pieces more */
        const size_t small = lay_out_points(NULL, CLUMP_TRANSFER_DIRECT, cells, &job, &points, &mask);
        bytes = bytes > small ? bytes : small;
    }
    return clump_device_reserve(ctx, cuda, &e->arena, bytes > 0 ? bytes : 1);
}

enum { CELL_BYTES = sizeof(uint2) + 2 * sizeof(uint32_t) };

/* The map; cells in whole fours, so that it can be cleared by vectors. */
static clump_status reserve_map(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, const char *method,
                                uint64_t cells)
{
    return clump_device_need(ctx, cuda, method, &e->cells, (cells + 3) / 4 * 4, CELL_BYTES, "cells of the map");
}

static void lay_out_map(char *base, uint64_t cells, erccl_job *job)
{
    const uint64_t whole = (cells + 3) / 4 * 4;
    job->heights = (uint2 *)base;
    job->first = (uint32_t *)(base + whole * sizeof(uint2));
    job->parents = job->first + whole;
}

/* What the code of this build can do here; see ec_fast.cu. */
static clump_status look_at_code(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e)
{
    if (e->looked) return CLUMP_OK;
    cudaFuncAttributes code = {};
    int most = 0;
    CLUMP_CUDA(ctx, cuda, "looking at the GPU", cudaFuncGetAttributes(&code, surface_kernel));
    CLUMP_CUDA(ctx, cuda, "looking at the GPU",
               cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda->device));
    const size_t left = (size_t)most > code.sharedSizeBytes ? (size_t)most - code.sharedSizeBytes : 0;
    e->shared_bytes = (uint32_t)(left < MOST_SHARED ? left : (size_t)MOST_SHARED);
    CLUMP_CUDA(ctx, cuda, "looking at the GPU",
               cudaFuncSetAttribute(surface_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)e->shared_bytes));
    e->overlaps = code.ptxVersion >= 90 && cuda->overlaps;
    e->looked = true;
    return CLUMP_OK;
}

/* What every call needs, whatever its size. */
static clump_status reserve_shared(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e)
{
    CLUMP_TRY(look_at_code(ctx, cuda, e));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &e->shared, sizeof(erccl_shared)));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &e->limits, MOST_LIMITS * sizeof(float)));
    return clump_pinned_reserve(ctx, cuda, &e->report, sizeof(erccl_report) + ERCCL_FLAGS * sizeof(uint32_t));
}

void clump_cuda_erccl_close(clump_cuda_erccl *e)
{
    for (auto &of_call : e->graphs)
        for (clump_launch_graphs &graphs : of_call) clump_launch_graphs_close(&graphs);
}

void clump_cuda_erccl_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e)
{
    clump_cuda_erccl_close(e); /* launches name the memory */
    clump_device_release(ctx, cuda, &e->ground.map);
    clump_device_release(ctx, cuda, &e->shared);
    clump_device_release(ctx, cuda, &e->limits);
    clump_device_release(ctx, cuda, &e->cells);
    clump_device_release(ctx, cuda, &e->arena);
    clump_device_release(ctx, cuda, &e->maps);
    clump_device_release(ctx, cuda, &e->sweeps);
    clump_device_release(ctx, cuda, &e->keys);
    clump_device_release(ctx, cuda, &e->sort);
    clump_pinned_release(ctx, &e->report);
}

/* ----- launching ----------------------------------------------------------------------------------- */

/* Parts of a call that may be launched alone. */
enum {
    PART_FLAG = 1,
    PART_PLACE = 2,
    PART_JOIN = 4,
    PART_LABEL = 8,
    PARTS_ERCCL = PART_PLACE | PART_JOIN | PART_LABEL
};

/* All phases of these parts but the first, for clouds of up to n points. */
static clump_status launch_phases(clump_context *ctx, clump_cuda *cuda, const clump_cuda_erccl *e, uint64_t n,
                                  int parts, clump_ground_method ground, cudaStream_t stream)
{
    const uint32_t units = (uint32_t)cuda->units, all = units * BLOCKS;
    const uint32_t by_point = clump_grid_size(n, THREADS, all), by_warp = clump_grid_size(n * 32, THREADS, all);
    const bool builds = (parts & (PART_FLAG | PART_PLACE)) != 0;
    const bool tiled = builds && ground == CLUMP_GROUND_GRID, peaked = builds && ground == CLUMP_GROUND_PEAK;
    const clump_phase<erccl_job> phases[] = {
        {tiled, lows_kernel, by_point, THREADS, 0},
        {tiled, tiles_kernel, units * 4, THREADS, 0},
        {tiled, surface_kernel, 1, GROUND_THREADS, e->shared_bytes},
        {peaked, count_kernel, by_point, THREADS, 0},
        {peaked, peak_kernel, 1, SUM_THREADS, 0},
        {(parts & PART_FLAG) != 0, flag_kernel, by_point, THREADS, 0},
        {(parts & PART_PLACE) != 0, place_kernel, by_point, THREADS, 0},
        {(parts & PART_JOIN) != 0, link_kernel, by_warp, THREADS, 0},
        {(parts & PART_JOIN) != 0, unite_kernel, by_warp, THREADS, 0},
        {(parts & PART_LABEL) != 0, roots_kernel, by_point, THREADS, 0},
        {(parts & PART_LABEL) != 0, mark_kernel, clump_grid_size(n, SUM_THREADS, units), SUM_THREADS, 0},
        {(parts & PART_LABEL) != 0, label_kernel, by_point, THREADS, 0},
    };
    const erccl_job *const job = (const erccl_job *)e->shared.data;
    return clump_launch_phases(ctx, cuda, phases, job, stream, e->overlaps);
}

/* The launch graph of a whole call for clouds of n points. */
static clump_status find_graph(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, size_t n, int parts,
                               clump_ground_method ground, cudaGraphExec_t *out)
{
    const auto record = [=](size_t most, cudaStream_t stream) {
        return launch_phases(ctx, cuda, e, most, parts, ground, stream);
    };
    return clump_launch_graph(ctx, cuda, &e->graphs[parts != PART_FLAG][ground], n, LEAST_BITS, record, out);
}

/* The largest differences of heights, and how far the table has any: beyond no cells are alike, whatever the reach. */
typedef struct alike_table {
    const float *limit; /* null: clump_ground, which has none */
    uint32_t stride;
} alike_table;

static int farthest_alike(const clump_erccl_job *job)
{
    int reach = job->reach;
    while (reach > 0 && job->alike[reach] < 0) reach--; /* it does not grow with rows or columns, which are alike */
    return reach;
}

/* `count` entries of the table from the first-th on, as the job has it. */
static erccl_piece cut_table(const alike_table *t, uint32_t width, uint32_t first, uint32_t count)
{
    erccl_piece piece = {};
    for (uint32_t k = 0; k < count; k++)
        piece.limit[k] = t->limit[(first + k) / width * t->stride + (first + k) % width];
    return piece;
}

/* The first kernel. The table goes with it as far as it fits, and the rest in launches of its own: nothing of the host
 * is read later, when the next call may have changed it. */
static clump_status launch_clear(clump_context *ctx, clump_cuda *cuda, const clump_cuda_erccl *e, const erccl_job *job,
                                 const clump_cloud_view *from, const alike_table *table)
{
    const uint32_t width = (uint32_t)job->reach + 1, count = table->limit ? width * width : 0;
    for (uint32_t done = ERCCL_PIECE; done < count; done += ERCCL_PIECE) {
        const uint32_t n = count - done < ERCCL_PIECE ? count - done : (uint32_t)ERCCL_PIECE;
        CLUMP_CUDA(ctx, cuda, "clustering",
                   (limits_kernel<<<1, ERCCL_PIECE, 0, cuda->stream>>>(job->limits + done,
                                                                       cut_table(table, width, done, n), n),
                    cudaGetLastError()));
    }
    const uint32_t here = count < ERCCL_PIECE ? count : (uint32_t)ERCCL_PIECE;
    const uint64_t cells = job->cells / 2, work = job->view.count > cells ? job->view.count : cells;
    const uint32_t blocks = clump_grid_size(work, THREADS, (uint32_t)cuda->units * BLOCKS);
    CLUMP_CUDA(ctx, cuda, "clustering",
               (clear_kernel<<<blocks, THREADS, 0, cuda->stream>>>(*job, (erccl_job *)e->shared.data, *from,
                                                                   cut_table(table, width, 0, here), here),
                cudaGetLastError()));
    return CLUMP_OK;
}

/* A whole call on the stream. */
static clump_status launch_all(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, const erccl_job *job,
                               const clump_cloud_view *from, int parts, const alike_table *table)
{
    cudaGraphExec_t graph = NULL;
    const clump_ground_method ground = job->ground.method;
    if (!clump_cuda_capturing(cuda)) CLUMP_TRY(find_graph(ctx, cuda, e, job->view.count, parts, ground, &graph));
    CLUMP_TRY(launch_clear(ctx, cuda, e, job, from, table));
    if (!graph) return launch_phases(ctx, cuda, e, job->view.count, parts, ground, cuda->stream);
    CLUMP_CUDA(ctx, cuda, "clustering", cudaGraphLaunch(graph, cuda->stream));
    return CLUMP_OK;
}

/* ----- calls --------------------------------------------------------------------------------------- */

/* The part of a job that both calls have. *from is what its view is to be filled from. */
static clump_status make_job(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e,
                             const clump_ground_options *ground, const clump_cloud_view *view, bool on_host,
                             uint64_t cells, erccl_job *job, clump_cloud_view *from)
{
    CLUMP_TRY(clump_cuda_ground_prepare(ctx, cuda, &e->ground, ground, e->shared_bytes, &job->ground));
    CLUMP_TRY(reserve_points(ctx, cuda, e, view->count, cells));
    float4 *points;
    uint8_t *mask;
    lay_out_points((char *)e->arena.data, view->count, cells, job, &points, &mask);
    job->view = *view;
    if (on_host && view->count > 0) {
        *from = *view;
        job->view.points = (const char *)points;
        job->view.stride = sizeof *points;
        if (view->mask) job->view.mask = mask;
    }
    erccl_shared *const shared = (erccl_shared *)e->shared.data;
    job->limits = (float *)e->limits.data;
    job->counters = &shared->counters;
    job->counts = &shared->counts;
    job->ground_count = &shared->ground;
    return CLUMP_OK;
}

/* After the wait: counts and times. Of points that a kernel fetched, also the upload. */
static void take_report(const clump_cuda_erccl *e, bool on_host, clump_result *result)
{
    const erccl_report *const r = (const erccl_report *)e->report.data;
    clump_launch_report(&r->counts, r->stamps, on_host, result);
    result->ground = r->ground;
    result->ground_level = r->level;
}

clump_status clump_cuda_erccl_ground(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, clump_transfer *t,
                                     const clump_ground_job *job, clump_result *result)
{
    clump_cloud_view view, from = {};
    erccl_job work = {};
    CLUMP_TRY(reserve_shared(ctx, cuda, e));
    CLUMP_TRY(clump_upload(ctx, cuda, t, &job->in, CLUMP_TRANSFER_DIRECT, CLUMP_TRANSFER_STAGED, &view, &work.labels));
    CLUMP_TRY(make_job(ctx, cuda, e, &job->options, &view, t->direct, 0, &work, &from));
    work.report = job->in.wait ? (erccl_report *)e->report.data : NULL;
    const alike_table none = {};
    CLUMP_TRY(launch_all(ctx, cuda, e, &work, &from, PART_FLAG, &none));
    if (!job->in.wait) {
        result->unknown = true;
        return clump_cuda_leave_running(ctx, cuda);
    }
    CLUMP_TRY(clump_download(ctx, cuda, t, &job->in, result));
    take_report(e, t->direct, result);
    return CLUMP_OK;
}

/* The maps that the caller wants: where he has them, if that is on the GPU, else next to it. */
static clump_status place_maps(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, const clump_erccl_job *job,
                               uint64_t cells, clump_erccl_maps *maps)
{
    *maps = job->maps;
    if (job->in.place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    for (int turn = 0; turn < 2; turn++) {
        clump_cutter c = {(char *)(turn ? e->maps.data : NULL), 0};
        if (job->maps.obstacle) clump_cut(&c, &maps->obstacle, cells);
        if (job->maps.lowest) clump_cut(&c, &maps->lowest, cells);
        if (job->maps.highest) clump_cut(&c, &maps->highest, cells);
        if (job->maps.ground) clump_cut(&c, &maps->ground, cells);
        if (job->maps.labels) clump_cut(&c, &maps->labels, cells);
        if (turn == 0) CLUMP_TRY(clump_device_reserve(ctx, cuda, &e->maps, c.used));
    }
    return CLUMP_OK;
}

static clump_status fetch_map(clump_context *ctx, clump_cuda *cuda, void *to, const void *from, size_t bytes)
{
    if (!to || to == from) return CLUMP_OK;
    CLUMP_CUDA(ctx, cuda, "fetching maps from the GPU",
               cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, cuda->stream));
    return CLUMP_OK;
}

static clump_status make_maps(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, const clump_erccl_job *job,
                              const erccl_job *work)
{
    const clump_erccl_maps *const asked = &job->maps;
    if (!asked->obstacle && !asked->lowest && !asked->highest && !asked->ground && !asked->labels) return CLUMP_OK;
    const uint64_t cells = work->cells;
    clump_erccl_maps maps;
    CLUMP_TRY(place_maps(ctx, cuda, e, job, cells, &maps));
    const uint32_t all = (uint32_t)cuda->units * BLOCKS;
    CLUMP_CUDA(ctx, cuda, "making maps",
               (maps_kernel<<<clump_grid_size(cells, THREADS, all), THREADS, 0, cuda->stream>>>(*work, maps),
                cudaGetLastError()));
    if (maps.labels)
        CLUMP_CUDA(ctx, cuda, "making maps",
                   (maps_ground_kernel<<<clump_grid_size(work->view.count, THREADS, all), THREADS, 0, cuda->stream>>>(
                        *work, maps),
                    cudaGetLastError()));
    CLUMP_TRY(fetch_map(ctx, cuda, asked->obstacle, maps.obstacle, cells));
    CLUMP_TRY(fetch_map(ctx, cuda, asked->lowest, maps.lowest, cells * sizeof(float)));
    CLUMP_TRY(fetch_map(ctx, cuda, asked->highest, maps.highest, cells * sizeof(float)));
    CLUMP_TRY(fetch_map(ctx, cuda, asked->ground, maps.ground, cells * sizeof(float)));
    return fetch_map(ctx, cuda, asked->labels, maps.labels, cells * sizeof(int32_t));
}

/* Canonical labels and counts on the stream. */
static clump_status launch_method(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, const clump_erccl_job *job,
                                  const erccl_job *work, const clump_cloud_view *from, int64_t *passes)
{
    const alike_table table = {job->alike, (uint32_t)job->reach + 1};
    if (job->method == CLUMP_ERCCL_FAST) return launch_all(ctx, cuda, e, work, from, PARTS_ERCCL, &table);
    const clump_ground_method ground = work->ground.method;
    const uint64_t n = work->view.count;
    CLUMP_TRY(launch_clear(ctx, cuda, e, work, from, &table));
    CLUMP_TRY(launch_phases(ctx, cuda, e, n, PART_PLACE, ground, cuda->stream));
    CLUMP_TRY(clump_cuda_erccl_sweeps(ctx, cuda, e, job->method, work, (const erccl_job *)e->shared.data, passes));
    return launch_phases(ctx, cuda, e, n, PART_LABEL, ground, cuda->stream);
}

clump_status clump_cuda_erccl_run(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, clump_transfer *t,
                                  clump_labels_scratch *finish, const clump_erccl_job *job, clump_result *result)
{
    const uint64_t cells = (uint64_t)job->map.side * job->map.side;
    const bool waits = job->in.wait || job->method != CLUMP_ERCCL_FAST; /* the others have waited anyway */
    const bool unfinished = clump_labels_unfinished(&job->in);
    clump_cloud_view view, from = {};
    erccl_job work = {};
    CLUMP_TRY(reserve_shared(ctx, cuda, e));
    CLUMP_TRY(reserve_map(ctx, cuda, e, clump_erccl_method_name(job->method), cells));
    CLUMP_TRY(clump_upload(ctx, cuda, t, &job->in, CLUMP_TRANSFER_DIRECT, CLUMP_TRANSFER_STAGED, &view, &work.labels));
    CLUMP_TRY(make_job(ctx, cuda, e, &job->ground, &view, t->direct, cells, &work, &from));
    work.map = job->map;
    work.cells = (uint32_t)cells;
    work.reach = farthest_alike(job);
    work.inverse = (1u << 22) / (2 * (uint32_t)work.reach + 1) + 1;
    lay_out_map((char *)e->cells.data, cells, &work);
    erccl_report *const report = (erccl_report *)e->report.data;
    work.report = waits ? report : NULL;
    CLUMP_TRY(launch_method(ctx, cuda, e, job, &work, &from, &result->passes));
    if (unfinished) CLUMP_TRY(clump_labels_finish_on_gpu(ctx, cuda, finish, &job->in, work.labels, work.counts));
    CLUMP_TRY(make_maps(ctx, cuda, e, job, &work));
    if (job->in.clusters_on_device)
        CLUMP_CUDA(ctx, cuda, "handing the number of clusters over",
                   cudaMemcpyAsync(job->in.clusters_on_device, &work.counts->clusters, sizeof(int32_t),
                                   cudaMemcpyDeviceToDevice, cuda->stream));
    if (!waits) {
        result->unknown = true;
        return clump_cuda_leave_running(ctx, cuda);
    }
    if (unfinished)
        CLUMP_CUDA(
            ctx, cuda, "fetching counts from the GPU",
            cudaMemcpyAsync(&report->counts, work.counts, sizeof *work.counts, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_download(ctx, cuda, t, &job->in, result));
    take_report(e, t->direct, result);
    return CLUMP_OK;
}

clump_status clump_cuda_erccl_reserve(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e, size_t max_points)
{
    clump_erccl_options o = clump_erccl_defaults();
    const uint64_t side = clump_erccl_side(&o), cells = side * side;
    CLUMP_TRY(reserve_shared(ctx, cuda, e));
    CLUMP_TRY(reserve_map(ctx, cuda, e, "fast", cells));
    CLUMP_TRY(reserve_points(ctx, cuda, e, max_points, cells));
    ground_work work;
    CLUMP_TRY(clump_cuda_ground_prepare(ctx, cuda, &e->ground, &o.ground, e->shared_bytes, &work));
    for (size_t n = (size_t)1 << LEAST_BITS;; n *= 2) { /* for each number of bits */
        cudaGraphExec_t graph;
        CLUMP_TRY(find_graph(ctx, cuda, e, n - 1, PARTS_ERCCL, o.ground.method, &graph));
        CLUMP_TRY(find_graph(ctx, cuda, e, n - 1, PART_FLAG, o.ground.method, &graph));
        if (n > max_points) break;
    }
    return CLUMP_OK;
}
