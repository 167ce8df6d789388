/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_job.cuh: the data that the kernels of clump_detect work on. The rooms that find the ground, the clusters and the
 * boxes have jobs of their own; what is here connects them.
 *
 *     buffer     one entry per   holds
 *     allowed    point           0: left out by the caller's mask or by the region; the mask of the ground
 *     left       point           0: left out, ground, or not the first of its voxel; the mask of the clustering
 *     grounds    32 points       a bit per point: ground
 *     heights    point           height above the ground
 *     owner      slot            a point of the voxel; CLUMP_GPU_NONE: free
 *     first      slot            the smallest point index of the voxel
 *     voxel_of   point           slot of its voxel, later the first point of it; CLUMP_GPU_NONE: not clustered
 *     labels     point           canonical labels, later the final ones
 *     sizes      cluster         number of points, later the final label
 */
#ifndef CLUMP_CUDA_DETECT_DETECT_JOB_CUH
#define CLUMP_CUDA_DETECT_DETECT_JOB_CUH

#include "cuda/describe/describe_job.cuh"
#include "cuda/gpu/launch.h"
#include "cuda/gpu/transfer.h"
#include "rules/ground.h"
#include "rules/region.h"
#include "rules/voxel.h"

/* Counters, zeroed before. */
typedef struct detect_counters {
    uint32_t masked, ground, noise, thinned;
    uint32_t carried; /* thread blocks that have counted sizes */
} detect_counters;

enum detect_stamps { DETECT_BEGIN, DETECT_FLAG, DETECT_BOXES, DETECT_END, DETECT_STAMPS };

/* What the GPU reports, in pinned memory of the host. */
typedef struct detect_report {
    clump_counts counts;
    uint32_t ground, thinned;
    float level;                              /* of the ground, by peak */
    unsigned long long stamps[DETECT_STAMPS]; /* nanoseconds */
} detect_report;

/* A call. Buffers: see the table above. */
typedef struct detect_job {
    clump_cloud_view view; /* in GPU memory; its mask is `allowed`, or null where all points are */
    clump_region_rule region;
    bool has_region;
    bool two_d; /* thinning leaves z out */
    uint8_t *allowed, *left;
    uint32_t *grounds;
    float *heights;               /* null: not wanted */
    const clump_surface *surface; /* of the ground */
    float thin;                   /* side of a voxel; 0: no thinning */
    clump_hash_key key;           /* of the context */
    uint32_t slot_mask;           /* slots - 1, slots a power of two */
    uint32_t *owner, *first, *voxel_of;
    int32_t *labels;
    int32_t *labels_on_host; /* pinned, gets the final labels too; null: they stay on the GPU */
    uint32_t *sizes;
    bool limited;                /* the two below are in use, and so is `sizes` */
    uint64_t least, most;        /* sizes of clusters; most 0: no limit */
    clump_counts *counts;        /* of the clustering; clusters and noise become the final ones */
    int32_t *clusters_on_device; /* the caller's; may be null */
    detect_counters *counters;
    const clump_describe_gpu_job *describe; /* on the GPU; null: no boxes */
    const clump_cluster *boxes;             /* in GPU memory */
    clump_cluster *boxes_on_host;           /* pinned; null: the boxes stay on the GPU */
    uint32_t capacity;                      /* of both */
    detect_report *report;                  /* null: the host does not wait */
} detect_job;

__device__ static inline void detect_stamp(const detect_job &job, int which)
{
    if (job.report && blockIdx.x == 0 && threadIdx.x == 0) job.report->stamps[which] = clump_gpu_now();
}

#endif
