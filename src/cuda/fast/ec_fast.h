/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.h: the method `fast` of Euclidean clustering and of DBSCAN on a GPU: cells and blocks in a hash table,
 * union-find over cells, canonical labels. All runs on the GPU; the host is not asked. Memory is linear in the points.
 * fast_job.cuh begins the description.
 *
 * The room, in the order of the phases:
 *
 *     ec_fast.cu         memory, and the phases in order
 *     fast_job.cuh       what every buffer holds in every phase; the words of the room
 *     fast_kernels.cuh   the phases as kernels
 *     fast_launch.h      `fast` as a step of other jobs
 *     fast_grid.cuh      points into cells, cells into blocks
 *     fast_density.cuh   DBSCAN: core points
 *     fast_around.cuh    the cells around a point, for a warp
 *     fast_test.cuh      whether two cells hold neighbours
 *     fast_inside.cuh    joins the cells of each block
 *     fast_between.cuh   joins the cells of different blocks
 *     fast_hot.cuh       joins heavy pairs of cells: fast_sort.cuh sorts their points, fast_node.cuh has their boxes
 *     fast_border.cuh    DBSCAN: border points
 *     fast_label.cuh     from sets of cells to labels
 */
#ifndef CLUMP_CUDA_FAST_EC_FAST_H
#define CLUMP_CUDA_FAST_EC_FAST_H

#include "cuda/gpu/launch.h"
#include "cuda/gpu/transfer.h"

/* A cloud of up to CLUMP_TRANSFER_STAGED points is one kernel, one cluster of thread blocks. On a GPU without clusters
 * a cloud of up to CLUMP_CUDA_FAST_ALONE points is one thread block. */
#define CLUMP_CUDA_FAST_ALONE 1024

/* Memory that stays between calls, and launch graphs. Zeroed is valid. */
typedef struct clump_cuda_fast {
    clump_device_buffer arena, job;
    clump_pinned_buffer report;
    uint32_t cluster;              /* thread blocks for small clouds; 0: not known yet */
    bool overlaps;                 /* launches may overlap (gpu/launch.h) */
    clump_launch_graphs graphs[2]; /* Euclidean clustering, DBSCAN */
} clump_cuda_fast;

/* Reserves memory and makes launch graphs for clouds of up to max_points, for both jobs. */
clump_status clump_cuda_fast_prepare(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, size_t max_points);
void clump_cuda_fast_trim(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f);
void clump_cuda_fast_close(clump_cuda_fast *f);

/* What DBSCAN adds to the job of Euclidean clustering, whose d is eps. */
typedef struct clump_cuda_density {
    size_t min_points;
    bool border_points;
    uint8_t *core; /* on the GPU; may be null */

    /* The clusters next to border points that are next to several (clump_border_list), on the GPU. */
    clump_border *pairs = NULL; /* null: not wanted */
    uint64_t pair_capacity = 0;
    uint32_t pair_points = 0;              /* only points with a smaller index are listed */
    unsigned long long *pair_count = NULL; /* output: pairs, also those that there was no room for */
} clump_cuda_density;

/* Returns the bytes of GPU memory that a run takes besides points, labels and core flags. */
size_t clump_cuda_fast_bytes(size_t n, bool density);

/* Returns whether one run can have that many points at all. */
bool clump_cuda_fast_takes(size_t n);

/* Puts a run on the stream: canonical labels and counts. `density` is null for Euclidean clustering. With `on_host`
 * points, mask and labels lie in pinned host memory, for at most CLUMP_TRANSFER_DIRECT points. */
clump_status clump_cuda_run_fast(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, const clump_cloud_job *job,
                                 const clump_cuda_density *density, const clump_cloud_view *view, bool on_host,
                                 int32_t *labels, clump_counts *counts);

/* After the wait: counts and times of the run. With `on_host` the kernels fetched the points: that is the upload. */
void clump_cuda_fast_result(const clump_cuda_fast *f, bool on_host, clump_stats *stats);

#endif
