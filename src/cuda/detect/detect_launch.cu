/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_launch.cu: the kernels of clump_detect in order. Their number is what a call costs on a scan, so the first one
 * does all that depends on nothing, and the others are one launch graph:
 *
 *     begin                     gets the jobs by value and leaves them on the GPU; empties tables; fetches points
 *     lows, tiles, surface      the ground by grid; or count, peak; step                         cuda/obstacles
 *     flag                      ground, heights, mask of the clustering                          detect_points.cuh
 *     enter, thin               thinning
 *     enter ... label           the clustering by `fast`                                         cuda/fast
 *     or place ... label        or on the elevation map                                          cuda/obstacles
 *     carry, finish             final labels                                                     detect_labels.cuh
 *     boxes                                                                                      cuda/describe
 *     report                    boxes and counts to the host
 */
#include "cuda/detect/detect_launch.h"

#include "cuda/detect/detect_labels.cuh"
#include "cuda/detect/detect_points.cuh"
#include "cuda/fast/fast_grid.cuh"
#include "cuda/obstacles/erccl_cells.cuh"

#include <string.h>

/* Thread blocks per multiprocessor as in fast_kernels.cuh: 2048 threads, all that fit on an H200. */
enum { DETECT_THREADS = 256, DETECT_BLOCKS = 8, DETECT_REPORT_BLOCKS = 64 };

/* ----- kernels ------------------------------------------------------------------------------------- */

/* Where the jobs of the other rooms go. */
typedef struct detect_homes {
    detect_job *detect;
    erccl_job *ground;
    fast_job *fast;                /* null: another method */
    clump_describe_gpu_job *boxes; /* null: no boxes */
} detect_homes;

__global__ static void __launch_bounds__(DETECT_THREADS)
    begin_kernel(const __grid_constant__ detect_job job, const __grid_constant__ erccl_job ground,
                 const __grid_constant__ fast_job fast, const __grid_constant__ clump_describe_gpu_job boxes,
                 detect_homes homes, clump_cloud_view given, bool fetched)
{
    const clump_gpu_team team = clump_whole_grid();
    if (team.thread == 0) *homes.detect = job;
    if (team.thread == 32) *homes.ground = ground;
    if (team.thread == 64 && homes.fast) *homes.fast = fast;
    if (team.thread == 96 && homes.boxes) *homes.boxes = boxes;
    detect_stamp(job, DETECT_BEGIN);
    detect_take(job, team, given, fetched);
    detect_clear(job, team);
    erccl_clear(ground, team);
    if (homes.fast) fast_clear(fast, team);
}

#define DETECT_PHASE(name, threads, ...)                                                                               \
    __global__ static void __launch_bounds__(threads) name(const detect_job *shared)                                   \
    {                                                                                                                  \
        clump_after_previous();                                                                                        \
        const detect_job &job = *shared;                                                                               \
        __VA_ARGS__                                                                                                    \
    }
DETECT_PHASE(flag_kernel, DETECT_THREADS, detect_stamp(job, DETECT_FLAG); detect_flag(job, clump_whole_grid());)
DETECT_PHASE(enter_kernel, DETECT_THREADS, detect_enter(job, clump_whole_grid());)
DETECT_PHASE(thin_kernel, DETECT_THREADS, detect_thin(job, clump_whole_grid());)
DETECT_PHASE(carry_kernel, DETECT_CARRY_THREADS, detect_carry(job, clump_whole_grid());)
/* the stamp is one thread's: all have equal shares of the work */
DETECT_PHASE(finish_kernel, DETECT_THREADS, detect_finish(job, clump_whole_grid()); detect_stamp(job, DETECT_BOXES);)
DETECT_PHASE(report_kernel, DETECT_THREADS, detect_report_all(job, clump_whole_grid()); detect_stamp(job, DETECT_END);)
#undef DETECT_PHASE

/* ----- launching ----------------------------------------------------------------------------------- */

clump_status clump_detect_begin(clump_work *work, clump_cuda *cuda, const clump_cuda_detect *d,
                                const clump_detect_rooms *rooms, const clump_detect_shape *shape,
                                const detect_jobs *jobs)
{
    const bool fast = shape->clusters == DETECT_FAST || shape->clusters == DETECT_DENSITY;
    const detect_homes homes = {&((detect_shared *)d->shared.data)->job, (erccl_job *)d->ground.shared.data,
                                fast ? (fast_job *)rooms->fast->job.data : NULL,
                                shape->boxes ? (clump_describe_gpu_job *)rooms->describe->job.data : NULL};
    return clump_launch_items(work, cuda, "clustering", jobs->given.count, DETECT_THREADS,
                              (uint64_t)cuda->units * DETECT_BLOCKS, begin_kernel, jobs->detect, jobs->ground,
                              jobs->fast, jobs->boxes, homes, jobs->given, jobs->fetched);
}

static uint32_t by_point(const detect_run *run, size_t n)
{
    return clump_grid_size(n, DETECT_THREADS, (uint64_t)run->cuda->units * DETECT_BLOCKS);
}

template <size_t N>
static clump_status launch(const detect_run *run, const clump_phase<detect_job> (&phases)[N], cudaStream_t stream,
                           bool follows)
{
    const detect_job *const job = &((const detect_shared *)run->d->shared.data)->job;
    return clump_launch_phases(run->work, run->cuda, phases, job, stream, run->d->ground.overlaps, follows);
}

clump_status clump_detect_before(const detect_run *run, size_t n, cudaStream_t stream)
{
    const clump_ground_method ground = (clump_ground_method)run->shape.ground;
    const int parts = ERCCL_PART_SURFACE | (run->shape.step ? ERCCL_PART_STEP : 0);
    CLUMP_TRY(clump_cuda_erccl_phases(run->work, run->cuda, &run->d->ground, n, parts, ground, stream, false));
    const bool thins = run->shape.thins != 0;
    const clump_phase<detect_job> phases[] = {
        {true, flag_kernel, by_point(run, n), DETECT_THREADS, 0},
        {thins, enter_kernel, by_point(run, n), DETECT_THREADS, 0},
        {thins, thin_kernel, by_point(run, n), DETECT_THREADS, 0},
    };
    return launch(run, phases, stream, ground != CLUMP_GROUND_NONE);
}

clump_status clump_detect_cluster(const detect_run *run, size_t n, cudaStream_t stream)
{
    if (run->shape.clusters == DETECT_ERCCL)
        return clump_cuda_erccl_phases(run->work, run->cuda, run->rooms->erccl, n, ERCCL_PARTS_ALL, CLUMP_GROUND_NONE,
                                       stream, true);
    return clump_cuda_fast_phases(run->work, run->cuda, run->rooms->fast, n, run->shape.clusters == DETECT_DENSITY,
                                  stream, true);
}

clump_status clump_detect_limit(const detect_run *run, size_t n, cudaStream_t stream)
{
    const uint32_t blocks = clump_grid_size(n, DETECT_CARRY_THREADS, (uint64_t)run->cuda->units);
    const clump_phase<detect_job> phases[] = {
        {run->shape.limited || run->shape.thins, carry_kernel, blocks, DETECT_CARRY_THREADS, 0}};
    return launch(run, phases, stream, run->shape.clusters != DETECT_OTHER);
}

clump_status clump_detect_finish(const detect_run *run, size_t n, cudaStream_t stream)
{
    const clump_phase<detect_job> phases[] = {{true, finish_kernel, by_point(run, n), DETECT_THREADS, 0}};
    return launch(run, phases, stream, run->shape.clusters != DETECT_OTHER);
}

clump_status clump_detect_report(const detect_run *run, size_t n, cudaStream_t stream)
{
    const clump_describe_shape boxes = {run->shape.axes != 0, run->shape.polygons != 0};
    if (run->shape.boxes)
        CLUMP_TRY(clump_cuda_describe_phases(run->work, run->cuda, run->rooms->describe, n, boxes, stream, true));
    const uint32_t blocks = clump_grid_size(n, DETECT_THREADS, DETECT_REPORT_BLOCKS);
    const clump_phase<detect_job> phases[] = {{true, report_kernel, blocks, DETECT_THREADS, 0}};
    return launch(run, phases, stream, true);
}

/* ----- launch graphs --------------------------------------------------------------------------------- */

/* Finds the graphs of a shape; where there are none yet, forgets those that were not used for longest. */
static clump_detect_graphs *graphs_of(const detect_run *run)
{
    clump_cuda_detect *const d = run->d;
    clump_detect_graphs *found = &d->kept[0];
    for (clump_detect_graphs &kept : d->kept) {
        const bool same = kept.used && memcmp(&kept.shape, &run->shape, sizeof kept.shape) == 0;
        if (same || kept.used < found->used) found = &kept;
        if (same) break;
    }
    if (found->used && memcmp(&found->shape, &run->shape, sizeof found->shape) != 0) {
        (void)cudaStreamSynchronize(run->cuda->stream); /* the last call may still run */
        clump_launch_graphs_close(&found->graphs);
    }
    found->shape = run->shape;
    found->used = ++d->calls;
    return found;
}

clump_status clump_detect_graph(const detect_run *run, size_t n, cudaGraphExec_t *out)
{
    CLUMP_ASSERT(run->shape.clusters != DETECT_OTHER);
    const auto record = [=](size_t most, cudaStream_t stream) -> clump_status {
        CLUMP_TRY(clump_detect_before(run, most, stream));
        CLUMP_TRY(clump_detect_cluster(run, most, stream));
        CLUMP_TRY(clump_detect_limit(run, most, stream));
        CLUMP_TRY(clump_detect_finish(run, most, stream));
        return clump_detect_report(run, most, stream);
    };
    return clump_launch_graph(run->work, run->cuda, &graphs_of(run)->graphs, n, DETECT_LEAST_BITS, record, out);
}
