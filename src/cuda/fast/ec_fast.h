/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.h: the `fast` method on a GPU, of Euclidean clustering and of DBSCAN: cells and blocks in a hash table, union-find over cells, canonical
 * labels, all on the GPU and without a word to the host. Memory is linear in the points. fast_job.cuh begins
 * the description of how.
 */
#ifndef CLUMP_CUDA_FAST_EC_FAST_H
#define CLUMP_CUDA_FAST_EC_FAST_H

#include "cuda/gpu/launch.h"
#include "cuda/gpu/transfer.h"

/* Clouds of up to CLUMP_TRANSFER_STAGED points are one kernel, a cluster of thread blocks; where a GPU has no such
 * clusters, clouds of up to ALONE points are one thread block. */
#define CLUMP_CUDA_FAST_ALONE 1024

/* Memory that stays between calls, and launches made once. Zeroed is valid. */
typedef struct clump_cuda_fast {
    clump_device_buffer arena, job;
    clump_pinned_buffer report;
    uint32_t cluster;              /* thread blocks for small clouds; 0: not asked yet */
    bool overlaps;                 /* launches may overlap (gpu/launch.h) */
    clump_launch_graphs graphs[2]; /* Euclidean clustering, DBSCAN */
} clump_cuda_fast;

/* Room for clouds of up to so many points, by both jobs; and what else a first call makes for itself, for all clouds of up to so many points. */
clump_status clump_cuda_fast_prepare(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, size_t max_points);
void clump_cuda_fast_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f);
void clump_cuda_fast_close(clump_cuda_fast *f);

/* DBSCAN: what it has besides the job of Euclidean clustering, whose d is eps. */
typedef struct clump_cuda_density {
    size_t min_points;
    bool border_points;
    uint8_t *core; /* on the GPU; may be null */
} clump_cuda_density;

/* Puts a run on the stream: canonical labels and counts. `density` is null for Euclidean clustering. With `on_host` points, mask and labels lie in pinned
 * memory of the host; at most CLUMP_TRANSFER_DIRECT points. */
clump_status clump_cuda_run_fast(clump_context *ctx, clump_cuda *cuda, clump_cuda_fast *f, const clump_cloud_job *job,
                                 const clump_cuda_density *density, const clump_cloud_view *view, bool on_host,
                                 int32_t *labels, clump_counts *counts);

/* After the wait: counts and times of the run. Of points that the kernels fetched themselves, also the upload. */
void clump_cuda_fast_result(const clump_cuda_fast *f, bool on_host, clump_result *result);

#endif
