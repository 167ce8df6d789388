/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_job.cuh: a batch as the kernels see it. A thread block clusters a cloud:
 *
 *     enter    every point finds its cell, and the points of a cell form a list
 *     count    DBSCAN: which points are core points
 *     join     neighbours get one root: the smallest point of their set
 *     border   DBSCAN: other points take the smallest root of a core point near them
 *     number   roots are numbered by a prefix sum; limits and order (batch_number.cuh)
 *     label
 *
 * Clouds are sorted into classes by their number of points:
 *
 *     class      0      1      2      3       4
 *     points   256   1024   2048   4096    more
 *              in shared memory            in global memory
 *              (batch_small.cuh)           (batch_large.cuh)
 *
 * The list of a class has its clouds, in any order. Thread blocks take one cloud after the other from it.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_JOB_CUH
#define CLUMP_CUDA_BATCH_BATCH_JOB_CUH

#include "cuda/batch/batch.h"
#include "cuda/gpu/transfer.h"

#include "rules/batch.h"
#include "rules/cell.h"
#include "rules/hash.h"

static const uint32_t BATCH_OUT = UINT32_MAX;       /* as parent: the point does not take part */
static const uint32_t BATCH_LOOSE = UINT32_MAX - 1; /* as parent: no core point, and in no set */
static const uint32_t BATCH_BORDER = 1u << 31;      /* flag beside the root of a border point */
static const uint32_t BATCH_LARGE_WORDS = 5;        /* of global memory per point: two slots, tag next parent */
enum { BATCH_WARPS = 32 };                          /* of a thread block, at most */
enum { BATCH_SMALL_CLASSES = CLUMP_BATCH_CLASSES, BATCH_LARGE_CLASS = BATCH_SMALL_CLASSES, BATCH_CLASSES };

/* Whether a parent is that of a point in a set; DBSCAN: of a core point. */
__device__ static inline bool batch_in_set(uint32_t parent)
{
    return parent < BATCH_BORDER;
}

/* The clouds of the classes, and how far they are done. */
typedef struct batch_lists {
    uint32_t count[BATCH_CLASSES], taken[BATCH_CLASSES];
} batch_lists;

typedef struct batch_gpu_job {
    clump_cloud_view view; /* the points of all clouds */
    const int64_t *offsets;
    uint32_t first_cloud, clouds; /* this job does clouds first_cloud ... first_cloud + clouds - 1 */
    const float *radii;           /* null: `radius` for all */
    float radius;
    clump_cell_rule rule; /* of radius */
    uint32_t min_points;  /* 0: Euclidean clustering */
    bool borders;
    uint8_t *core; /* may be null */
    bool by_size;
    uint64_t least, most;    /* sizes of clusters; most 0: no limit */
    int32_t *labels, *found; /* found: clusters per cloud, may be null */
    clump_counts *counts;    /* sums over all clouds */
    uint32_t *invalid;       /* not 0: the offsets are wrong, nothing is done */
    batch_lists *lists;
    uint32_t *list;                         /* BATCH_CLASSES lists, one entry per cloud of the batch each */
    uint32_t stride;                        /* clouds of the batch */
    uint32_t capacity[BATCH_SMALL_CLASSES]; /* points; 0: this GPU has too little shared memory for the class */
    uint32_t room[BATCH_SMALL_CLASSES];     /* pairs of cells in the queue of a thread block */
    uint32_t alone;                         /* clouds of more points are left out: `fast` has them */
    uint32_t hash_key;
    uint32_t *large; /* BATCH_LARGE_WORDS words per point, for the class of large clouds */
} batch_gpu_job;

/* The arrays of one cloud, while its sets are numbered. */
typedef struct batch_sets {
    uint32_t *parent; /* root of a point, BATCH_OUT, BATCH_LOOSE, or a root with BATCH_BORDER */
    uint32_t *size;   /* of roots */
    uint32_t *number; /* of roots */
    uint64_t *keys;   /* one per set, for the order by size */
    uint32_t count;   /* points */
} batch_sets;

/* Counts of one thread. */
typedef struct batch_counts {
    uint32_t clusters, finite, masked, noise;
} batch_counts;

/* The view of one cloud. */
__device__ static inline clump_cloud_view batch_view_of(const clump_cloud_view &all, size_t first, uint32_t count)
{
    clump_cloud_view view = all;
    view.points += first * view.stride;
    if (view.mask) view.mask += first;
    view.count = count;
    return view;
}

/* Returns the next cloud of a class; CLUMP_GPU_NONE: there is none. All threads of the thread block call it. */
__device__ static inline uint32_t batch_take(const batch_gpu_job &job, int which)
{
    __shared__ uint32_t turn;
    __syncthreads(); /* the last turn has been read, and the last cloud is done */
    if (threadIdx.x == 0) turn = atomicAdd(&job.lists->taken[which], 1);
    __syncthreads();
    if (turn >= job.lists->count[which] || *job.invalid) return CLUMP_GPU_NONE;
    return job.list[(size_t)which * job.stride + turn];
}

/* Returns the sum of the values of the threads before this one; *total is the sum of all. All threads call it. */
__device__ static inline uint32_t batch_scan(uint32_t value, uint32_t *total)
{
    __shared__ uint32_t sums[BATCH_WARPS];
    uint32_t warp_total, all;
    const uint32_t before = clump_warp_scan(value, &warp_total);
    __syncthreads(); /* the sums of the last call have been read */
    if (clump_lane() == 0) sums[threadIdx.x / 32] = warp_total;
    __syncthreads();
    const uint32_t warps = blockDim.x / 32;
    const uint32_t mine = clump_lane() < warps ? sums[clump_lane()] : 0;
    const uint32_t offset = clump_warp_scan(mine, &all);
    *total = all;
    return before + __shfl_sync(~0u, offset, (int)(threadIdx.x / 32));
}

#endif
