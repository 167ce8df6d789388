/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.h: clump_ground and clump_erccl on a GPU: the ground, the elevation map, its obstacles, canonical labels.
 * `fast` runs on the GPU without the host. Memory is linear in the points and the cells of the map. erccl_job.cuh
 * begins the description.
 *
 * The room, in the order of the phases:
 *
 *     erccl.cu             memory, whole calls
 *     erccl_launch.cu      the phases in order
 *     erccl_job.cuh        what every buffer holds
 *     ground.cu            the ground: numbers from the options, and memory
 *     ground_grid.cuh      ground that is not flat; ground_surface.cuh: its last phase
 *     ground_peak.cuh      the ground of the paper: one level
 *     ground_step.cuh      the step rule
 *     erccl_cells.cuh      points on the elevation map
 *     erccl_unite.cuh      `fast`: sets of cells
 *     erccl_label.cuh      from sets of cells to labels
 *     erccl_maps.cu        the maps that the caller asks for
 *
 * A `tile` is a square of the ground's map, a `part` a sixteenth of it.
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_H
#define CLUMP_CUDA_OBSTACLES_ERCCL_H

#include "cuda/obstacles/ground.h"
#include "cuda/gpu/launch.h"
#include "cuda/gpu/transfer.h"

/* Memory that stays between calls, and launch graphs. Zeroed is valid. */
typedef struct clump_cuda_erccl {
    clump_cuda_ground ground;
    clump_device_buffer shared;             /* the job and its counters */
    clump_device_buffer limits;             /* the table of height differences */
    clump_device_buffer cells;              /* the map */
    clump_device_buffer arena;              /* buffers per point */
    clump_device_buffer maps, above;        /* of callers in host memory: maps; heights above the ground */
    clump_device_buffer sweeps, keys, sort; /* of the paper's methods */
    clump_pinned_buffer report;
    bool probed;                         /* the two below are known */
    bool overlaps;                       /* launches may overlap (gpu/launch.h) */
    bool clusters;                       /* thread blocks can form clusters */
    clump_launch_graphs graphs[2][3][3]; /* without and with the step rule; clump_ground, clump_erccl, the same with
                                          * all_heights; by clump_ground_method */
} clump_cuda_erccl;

/* Reserves memory and makes launch graphs for both calls with their default options, for up to max_points. */
clump_status clump_cuda_erccl_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, size_t max_points);
void clump_cuda_erccl_trim(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e);
void clump_cuda_erccl_close(clump_cuda_erccl *e);

/* Joins the obstacle cells of a job whose points are on the map by a method of the literature: parents. `shared` is the job
 * on the GPU. Waits. papers/, which includes this room, has the function; callers hand it over. */
struct erccl_job;
typedef clump_status clump_cuda_erccl_join(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                                           clump_erccl_method method, const struct erccl_job *job,
                                           const struct erccl_job *shared, int64_t *passes);

/* Whole calls, from the points to labels where the caller wants them. */
clump_status clump_cuda_erccl_ground(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, clump_transfer *t,
                                     const clump_ground_job *job, clump_stats *stats);
clump_status clump_cuda_erccl_run(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, clump_transfer *t,
                                  clump_labels_scratch *finish, clump_cuda_erccl_join *paper,
                                  const clump_erccl_job *job, clump_stats *stats);

#endif
