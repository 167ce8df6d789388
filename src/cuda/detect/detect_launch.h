/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_launch.h: between the files of clump_detect: its kernels on the stream.
 */
#ifndef CLUMP_CUDA_DETECT_DETECT_LAUNCH_H
#define CLUMP_CUDA_DETECT_DETECT_LAUNCH_H

#include "cuda/describe/describe_job.cuh"
#include "cuda/detect/detect.h"
#include "cuda/detect/detect_job.cuh"
#include "cuda/fast/fast_launch.h"
#include "cuda/obstacles/erccl_launch.h"

/* Clusterings that are part of a launch graph; all others are launched by themselves. */
enum { DETECT_OTHER, DETECT_FAST, DETECT_DENSITY, DETECT_ERCCL };

enum { DETECT_LEAST_BITS = 12 }; /* clouds below 4096 points share a launch graph */

/* The jobs of all kernels of a call. */
typedef struct detect_jobs {
    detect_job detect;
    erccl_job ground, erccl;
    fast_job fast;
    clump_describe_gpu_job boxes;
    clump_cloud_view given; /* the caller's cloud; in pinned host memory with `fetched` */
    bool fetched;
} detect_jobs;

/* The content of d->shared, on the GPU. */
typedef struct detect_shared {
    detect_job job;
    detect_counters counters;
    clump_counts counts;
} detect_shared;

/* The first kernel: leaves the jobs on the GPU, empties tables, fetches points. */
clump_status clump_detect_begin(clump_work *work, clump_cuda *cuda, const clump_cuda_detect *d,
                                const clump_detect_rooms *rooms, const clump_detect_shape *shape,
                                const detect_jobs *jobs);

/* Phases for clouds of up to n points: all up to the mask of the clustering; the clustering of the shape; thinned points
 * and size limits; ground in the labels; boxes, and the report to the host. `stream` may be captured. */
typedef struct detect_run {
    clump_work *work;
    clump_cuda *cuda;
    clump_cuda_detect *d;
    const clump_detect_rooms *rooms;
    clump_detect_shape shape;
} detect_run;
clump_status clump_detect_before(const detect_run *run, size_t n, cudaStream_t stream);
clump_status clump_detect_cluster(const detect_run *run, size_t n, cudaStream_t stream);
clump_status clump_detect_limit(const detect_run *run, size_t n, cudaStream_t stream);
clump_status clump_detect_finish(const detect_run *run, size_t n, cudaStream_t stream);
clump_status clump_detect_report(const detect_run *run, size_t n, cudaStream_t stream);

/* The launch graph of all these for clouds of n points. Only where the clustering is part of the shape. */
clump_status clump_detect_graph(const detect_run *run, size_t n, cudaGraphExec_t *out);

/* detect_boxes.cu: reserves memory for the boxes and fills their job; after the wait, brings them to a caller in host
 * memory. jobs->detect is complete but for the boxes. */
bool clump_detect_wants_boxes(const clump_detect_job *job);
clump_status clump_detect_reserve_boxes(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                        const clump_detect_rooms *rooms, size_t max_points, size_t max_boxes);
clump_status clump_detect_make_boxes(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                     const clump_detect_rooms *rooms, const clump_detect_job *job, detect_jobs *jobs);
clump_status clump_detect_take_boxes(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                     const clump_detect_rooms *rooms, const clump_detect_job *job,
                                     const detect_jobs *jobs, int32_t clusters);

#endif
