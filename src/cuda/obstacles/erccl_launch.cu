/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_launch.cu: the phases of clump_ground and clump_erccl in order, as kernels:
 *
 *     clear                     gets the job by value and leaves it on the GPU; empties the map; fetches the points
 *     lows, tiles, surface      the ground by grid                                              ground_grid.cuh
 *     count, peak               or by the peak of heights                                       ground_peak.cuh
 *     step                      where the step rule is on: the points above each part           ground_step.cuh
 *     flag                      clump_ground ends here                                          erccl_label.cuh
 *     place                     points on the map, which gives its cells                        erccl_cells.cuh
 *     heights                   where heights of cells are of all points: those of the ground   erccl_cells.cuh
 *     link, unite               cells into sets                                                 erccl_unite.cuh
 *     or passes                 the paper's methods                                             papers/erccl_sweeps.cuh
 *     roots, mark, label        canonical labels                                                erccl_label.cuh
 *     maps                      where the caller wants them                                     erccl_maps.cu
 *
 * The phases from the second one to `label` are a launch graph (gpu/launch.h). Where the caller captures the stream,
 * and for the paper's methods, the kernels are launched one by one.
 */
#include "cuda/obstacles/erccl_launch.h"

#include "cuda/obstacles/erccl_cells.cuh"
#include "cuda/obstacles/erccl_label.cuh"
#include "cuda/obstacles/erccl_unite.cuh"
#include "cuda/obstacles/ground_peak.cuh"
#include "cuda/obstacles/ground_step.cuh"
#include "cuda/obstacles/ground_surface.cuh"

enum { ERCCL_SUM_THREADS = 1024 }; /* of the thread blocks that end a phase alone: the most there can be */

/* ----- kernels ------------------------------------------------------------------------------------- */

__global__ static void __launch_bounds__(ERCCL_THREADS)
    clear_kernel(erccl_job job, erccl_job *shared, clump_cloud_view from, erccl_piece piece, uint32_t limits)
{
    const clump_gpu_team team = clump_whole_grid();
    if (team.thread == 0) *shared = job;
    if (team.thread < limits) job.limits[team.thread] = piece.limit[team.thread];
    erccl_stamp(job, 0);
    erccl_clear(job, team);
    if (from.points) clump_fetch_cloud(job.view, team, from);
}

/* The rest of a table with more than ERCCL_PIECE entries. */
__global__ static void __launch_bounds__(ERCCL_PIECE) limits_kernel(float *limits, erccl_piece piece, uint32_t count)
{
    if (threadIdx.x < count) limits[threadIdx.x] = piece.limit[threadIdx.x];
}

/* The job has been there since the first kernel: it is read before the wait for the previous kernel. */
#define ERCCL_PHASE(name, threads, ...)                                                                                \
    __global__ static void __launch_bounds__(threads) name(const erccl_job *shared)                                    \
    {                                                                                                                  \
        const erccl_job job = *shared;                                                                                 \
        clump_after_previous();                                                                                        \
        __VA_ARGS__                                                                                                    \
    }
ERCCL_PHASE(lows_kernel, ERCCL_THREADS, erccl_stamp(job, 1); ground_lows(job.ground, job.view, clump_whole_grid());)
ERCCL_PHASE(tiles_kernel, ERCCL_THREADS, ground_tiles(job.ground, clump_whole_grid());)
ERCCL_PHASE(surface_kernel, GROUND_THREADS, ground_surface(job.ground);)
ERCCL_PHASE(count_kernel, ERCCL_THREADS, erccl_stamp(job, 1); ground_count(job.ground, job.view, clump_whole_grid());)
ERCCL_PHASE(peak_kernel, ERCCL_SUM_THREADS, ground_peak(job.ground);)
ERCCL_PHASE(step_kernel, ERCCL_THREADS, ground_step(job.ground, job.view, clump_whole_grid());)
ERCCL_PHASE(place_kernel, ERCCL_THREADS, if (job.ground.method == CLUMP_GROUND_NONE) erccl_stamp(job, 1);
            erccl_place(job, clump_whole_grid());)
ERCCL_PHASE(heights_kernel, ERCCL_THREADS, erccl_add_ground(job, clump_whole_grid());)
ERCCL_PHASE(link_kernel, ERCCL_THREADS, erccl_stamp(job, 2); erccl_link(job, clump_whole_grid());)
ERCCL_PHASE(unite_kernel, ERCCL_THREADS, erccl_unite(job, clump_whole_grid());)
ERCCL_PHASE(roots_kernel, ERCCL_THREADS, erccl_stamp(job, 3); erccl_roots(job, clump_whole_grid());)
ERCCL_PHASE(mark_kernel, ERCCL_SUM_THREADS, erccl_mark(job, clump_whole_grid());)
ERCCL_PHASE(label_kernel, ERCCL_THREADS, erccl_label(job, clump_whole_grid());
            erccl_stamp(job, 4);) /* of one thread: all have equal shares of the work */
ERCCL_PHASE(flag_kernel, ERCCL_THREADS,
            for (int k = job.ground.method == CLUMP_GROUND_NONE ? 1 : 2; k < 4; k++) erccl_stamp(job, k);
            erccl_flag(job, clump_whole_grid());)
#undef ERCCL_PHASE

/* ----- launching ----------------------------------------------------------------------------------- */

/* Returns whether this GPU can run a cluster of the surface: a small one, or a slice of one, may not. */
static bool cluster_fits(void)
{
    const clump_launch l = {GROUND_CLUSTER, GROUND_THREADS, 0, NULL, false, GROUND_CLUSTER};
    cudaLaunchAttribute attributes[CLUMP_LAUNCH_ATTRIBUTES];
    const cudaLaunchConfig_t config = clump_launch_config(l, attributes);
    int clusters = 0;
    const cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, surface_kernel, &config);
    (void)cudaGetLastError();
    return error == cudaSuccess && clusters > 0;
}

clump_status clump_cuda_erccl_probe_code(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e)
{
    if (e->probed) return CLUMP_OK;
    cudaFuncAttributes code = {};
    CLUMP_CUDA(work, cuda, "looking at the GPU", cudaFuncGetAttributes(&code, surface_kernel));
    e->clusters = code.ptxVersion >= 90 && cuda->major >= 9 && cluster_fits();
    e->overlaps = code.ptxVersion >= 90 && cuda->overlaps;
    e->probed = true;
    return CLUMP_OK;
}

clump_status clump_cuda_erccl_phases(clump_work *work, clump_cuda *cuda, const clump_cuda_erccl *e, uint64_t n,
                                     int parts, clump_ground_method ground, cudaStream_t stream, bool follows)
{
    const uint32_t units = (uint32_t)cuda->units, all = units * ERCCL_BLOCKS;
    const uint32_t by_point = clump_grid_size(n, ERCCL_THREADS, all),
                   by_warp = clump_grid_size(n * 32, ERCCL_THREADS, all);
    const bool places = (parts & ERCCL_PART_PLACE) != 0, joins = (parts & ERCCL_PART_JOIN) != 0;
    const bool flags = (parts & ERCCL_PART_FLAG) != 0, labels = (parts & ERCCL_PART_LABEL) != 0;
    const bool surface = flags || places || (parts & ERCCL_PART_SURFACE) != 0;
    const bool tiled = surface && ground == CLUMP_GROUND_GRID, peaked = surface && ground == CLUMP_GROUND_PEAK;
    const uint32_t surface_blocks = e->clusters ? GROUND_CLUSTER : 1;
    const clump_phase<erccl_job> phases[] = {
        {tiled, lows_kernel, by_point, ERCCL_THREADS, 0},
        {tiled, tiles_kernel, units * 4, ERCCL_THREADS, 0},
        {tiled, surface_kernel, surface_blocks, GROUND_THREADS, 0, surface_blocks},
        {peaked, count_kernel, by_point, ERCCL_THREADS, 0},
        {peaked, peak_kernel, 1, ERCCL_SUM_THREADS, 0},
        {(tiled || peaked) && (parts & ERCCL_PART_STEP) != 0, step_kernel, by_point, ERCCL_THREADS, 0},
        {flags, flag_kernel, by_point, ERCCL_THREADS, 0},
        {places, place_kernel, by_point, ERCCL_THREADS, 0},
        {places && (parts & ERCCL_PART_HEIGHTS) != 0, heights_kernel, by_point, ERCCL_THREADS, 0},
        {joins, link_kernel, by_warp, ERCCL_THREADS, 0},
        {joins, unite_kernel, by_warp, ERCCL_THREADS, 0},
        {labels, roots_kernel, by_point, ERCCL_THREADS, 0},
        {labels, mark_kernel, clump_grid_size(n, ERCCL_SUM_THREADS, units), ERCCL_SUM_THREADS, 0},
        {labels, label_kernel, by_point, ERCCL_THREADS, 0},
    };
    const erccl_job *const job = (const erccl_job *)e->shared.data;
    return clump_launch_phases(work, cuda, phases, job, stream, e->overlaps, follows);
}

clump_status clump_cuda_erccl_graph(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, size_t n, int parts,
                                    clump_ground_method ground, cudaGraphExec_t *out)
{
    CLUMP_ASSERT((size_t)ground < sizeof e->graphs[0][0] / sizeof e->graphs[0][0][0]);
    const int call = (parts & ERCCL_PART_FLAG) != 0 ? 0 : (parts & ERCCL_PART_HEIGHTS) != 0 ? 2 : 1;
    const int step = (parts & ERCCL_PART_STEP) != 0;
    const auto record = [=](size_t most, cudaStream_t stream) {
        return clump_cuda_erccl_phases(work, cuda, e, most, parts, ground, stream, false);
    };
    return clump_launch_graph(work, cuda, &e->graphs[step][call][ground], n, ERCCL_LEAST_BITS, record, out);
}

/* Returns `count` entries of the table from the first-th on, in rows of `width`. */
static erccl_piece cut_table(const float *alike, uint32_t stride, uint32_t width, uint32_t first, uint32_t count)
{
    CLUMP_ASSERT(count <= ERCCL_PIECE && width <= stride + (count == 0));
    erccl_piece piece = {};
    for (uint32_t k = 0; k < count; k++) piece.limit[k] = alike[(first + k) / width * stride + (first + k) % width];
    return piece;
}

/* The table travels as a kernel parameter, ERCCL_PIECE entries per launch: the next call may change the host's copy
 * before the GPU would read it. */
clump_status clump_cuda_erccl_clear(clump_work *work, clump_cuda *cuda, const clump_cuda_erccl *e, const erccl_job *job,
                                    const clump_cloud_view *from, const float *alike, uint32_t alike_stride)
{
    const uint32_t width = (uint32_t)job->reach + 1, count = alike ? width * width : 0;
    for (uint32_t done = ERCCL_PIECE; done < count; done += ERCCL_PIECE) {
        const uint32_t n = count - done < ERCCL_PIECE ? count - done : (uint32_t)ERCCL_PIECE;
        CLUMP_TRY(clump_launch_items(work, cuda, "clustering", 1, ERCCL_PIECE, 1, limits_kernel, job->limits + done,
                                     cut_table(alike, alike_stride, width, done, n), n));
    }
    const uint32_t here = count < ERCCL_PIECE ? count : (uint32_t)ERCCL_PIECE;
    const uint64_t cells = job->cells / 2, items = job->view.count > cells ? job->view.count : cells;
    return clump_launch_items(work, cuda, "clustering", items, ERCCL_THREADS, (uint64_t)cuda->units * ERCCL_BLOCKS,
                              clear_kernel, *job, (erccl_job *)e->shared.data, *from,
                              cut_table(alike, alike_stride, width, 0, here), here);
}
