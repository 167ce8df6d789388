/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.h: clump_describe on a GPU: counts, centroids, boxes and hulls of clusters, with the bits of the CPU. The host
 * is not needed between the points and the finished entries: the number of clusters may be known to the GPU only.
 * describe_job.cuh begins the description.
 *
 * As part of another call, which has the labels on the GPU:
 *
 *     clump_cuda_describe_reserve(work, cuda, d, points, clusters)          memory; before a capture
 *     clump_cuda_describe_prepare(d, &input, &job)                          fills a clump_describe_gpu_job, on the host
 *     ... a kernel of the caller copies the job to d->job.data ...          its definition: describe_job.cuh
 *     ... a later one calls describe_clear, when the labels are known ...
 *     clump_cuda_describe_phases(work, cuda, d, n, shape, stream, follows)  puts the kernels on a stream
 *
 * The room: describe_job.cuh lists the phases and their files. Besides these:
 *
 *     describe_call.cu         whole calls: input up, entries down
 *     describe.cu              memory, and the phases in order
 *     describe_warp.cuh        how the points of a warp are added to their clusters
 *     describe_chain.cuh       the hull of sorted candidates
 *     describe_rectangle.cuh   the least rectangle around a hull
 *     group.cu                 clump_group
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_H
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_H

#include "cuda/gpu/launch.h"
#include "cuda/gpu/transfer.h"
#include "rules/plane.h"

/* What the kernels have to do; each has its own launch graph. */
typedef struct clump_describe_shape {
    bool axes;     /* covariance and principal axes */
    bool polygons; /* corners of the hulls */
} clump_describe_shape;

/* Arguments of a call, all in memory of the GPU. */
typedef struct clump_describe_input {
    clump_cloud_view view; /* points, stride, count; the rest is not used */
    const int32_t *labels;
    const float *heights; /* may be null */
    const char *values;   /* may be null */
    size_t values_stride;
    clump_up up;
    float sensor[3];
    clump_describe_shape shape;
    int32_t allowed;               /* labels of this value and above are wrong: the report has the first one */
    int32_t capacity;              /* clusters that are described, at most; points with labels above are left out */
    const uint32_t *cluster_count; /* null: `capacity` clusters; else their number, which may be larger */
    clump_cluster *clusters;       /* output */
    float *hull;                   /* outputs of polygons */
    size_t hull_capacity;
    int32_t *hull_offsets;
} clump_describe_input;

/* What the GPU reports, in its memory. Zeroed by the phase `clear`. */
typedef struct clump_describe_report {
    uint32_t wrong;       /* 0, or 2^32 - 1 - the smallest index of a label that is not allowed */
    uint32_t not_finite;  /* 0, or the same of a point of a cluster whose u or v is not finite */
    uint32_t places;      /* candidates that clusters have room for */
    uint32_t few, others; /* clusters in the two lists */
} clump_describe_report;

#define CLUMP_DESCRIBE_REPORT_ROOM 256 /* bytes for the report, before the clusters in clump_cuda_describe.results */

typedef struct clump_describe_gpu_job clump_describe_gpu_job;

/* Memory that stays between calls, and launch graphs. Zeroed is valid. */
typedef struct clump_cuda_describe {
    clump_device_buffer job;                     /* a clump_describe_gpu_job */
    clump_device_buffer arena;                   /* buffers per point and per cluster */
    clump_device_buffer results;                 /* the report; then clusters for a caller in host memory */
    clump_device_buffer labels, heights, values; /* of callers in host memory */
    clump_device_buffer hull, hull_offsets;      /* for callers in host memory */
    clump_pinned_buffer results_on_host, values_on_host;
    clump_device_buffer group_keys, group_sorted, group_sort, group_out; /* of clump_group */
    bool probed, overlaps;         /* overlaps: launches may overlap (gpu/launch.h) */
    clump_launch_graphs graphs[4]; /* by shape */
} clump_cuda_describe;

/* Reserves memory for up to max_points points and max_clusters described clusters. */
clump_status clump_cuda_describe_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, size_t max_points,
                                         size_t max_clusters);

/* Reserves what clump_describe with the default options needs for up to max_points points and one cluster per 16 points,
 * and makes the launch graphs. */
clump_status clump_cuda_describe_reserve_all(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d,
                                             size_t max_points);
void clump_cuda_describe_trim(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d);
void clump_cuda_describe_close(clump_cuda_describe *d);

/* Fills *job for a call; only after a reserve for as many points and clusters. Host code without CUDA calls. */
void clump_cuda_describe_prepare(const clump_cuda_describe *d, const clump_describe_input *in,
                                 clump_describe_gpu_job *job);

/* Puts the phases on a stream, for clouds of up to n points. A kernel before them has called describe_clear. They read the
 * job from d->job.data, where it must have been before the kernel before them. Every phase reads the labels and
 * *cluster_count only after the kernels before it. With `follows` the first phase is an overlapped launch too: the kernel
 * before it must begin with clump_after_previous(). */
clump_status clump_cuda_describe_phases(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, size_t n,
                                        clump_describe_shape shape, cudaStream_t stream, bool follows);

/* Whole calls. */
clump_status clump_cuda_describe_run(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                                     const clump_describe_job *job, clump_stats *stats);
clump_status clump_cuda_group_run(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                                  const clump_group_job *job, clump_stats *stats);

#endif
