/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_job.cuh: a batch as the kernels see it, and the arrays of one cloud. A thread block clusters a cloud:
 *
 *     enter    every point gets the tag of its voxel (rules/cell.h) and joins the list of its hash slot
 *     count    DBSCAN: neighbours of every point in 27 voxels, up to min_points
 *     join     neighbours in 14 voxels: one of every pair finds the other
 *     border   DBSCAN: other points take the smallest root of a core point near them
 *     number   roots are the smallest points of their sets: numbered by a prefix sum; limits and order
 *     label
 *
 * Arrays per point, and what they hold:
 *
 *              enter, count    join          border                 number                label
 *     tag      voxel           voxel         voxel                  size of a root
 *     next     list            list          list                   number of a root      number of a root
 *     parent   BATCH_*, or i   union-find    root; border: flagged  root                  root
 *     head     slots           slots         slots                  keys, 64 bits each
 *
 * Small clouds are in shared memory. The arrays of the others are in global memory, each cloud at its own offset.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_JOB_CUH
#define CLUMP_CUDA_BATCH_BATCH_JOB_CUH

#include "cuda/gpu/labels.h"
#include "cuda/gpu/transfer.h"

#include "rules/batch.h"
#include "rules/cell.h"

static const uint32_t BATCH_OUT = UINT32_MAX;       /* as parent: the point does not take part */
static const uint32_t BATCH_LOOSE = UINT32_MAX - 1; /* as parent: no core point, and in no set */
static const uint32_t BATCH_BORDER = 1u << 31;      /* flag beside the root of a border point */
static const uint32_t BATCH_WORDS = 8;              /* of shared memory per point: x y z tag next parent, two slots */
static const uint32_t BATCH_LARGE_WORDS = 5;        /* of global memory per point: two slots, tag next parent */
static const uint32_t BATCH_MOST = 2048;            /* points of a cloud in shared memory, at most */
static const uint32_t BATCH_STEP = 256;             /* shared memory is made for multiples of as many points */
enum { BATCH_WARPS = 32 };                          /* of a thread block, at most */

typedef struct batch_gpu_job {
    clump_cloud_view view; /* the points of all clouds */
    const int64_t *offsets;
    uint32_t clouds;
    const float *radii; /* null: `radius` for all */
    float radius;
    uint32_t min_points; /* 0: Euclidean clustering */
    bool borders;
    uint8_t *core; /* may be null */
    bool by_size;
    uint64_t least, most;    /* sizes of clusters; most 0: no limit */
    int32_t *labels, *found; /* found: clusters per cloud, may be null */
    clump_counts *counts;    /* sums over all clouds */
    const uint32_t *valid;   /* 0: the offsets are wrong, nothing is done */
    uint32_t capacity;       /* clouds of more points are not in shared memory */
    uint32_t alone;          /* clouds of more points are left out: other kernels have them */
    uint32_t *large;         /* BATCH_LARGE_WORDS words per point, for clouds that are not in shared memory */
} batch_gpu_job;

/* The arrays of one cloud. */
typedef struct batch_cloud {
    const float *x, *y, *z; /* in shared memory; null: the points are read from `view` */
    clump_cloud_view view;  /* of this cloud alone */
    uint32_t *tag, *next, *parent, *head;
    uint32_t slots; /* a power of two */
    uint32_t count;
    float bound;
} batch_cloud;

__device__ static inline float3 batch_point(const batch_cloud &c, uint32_t i)
{
    if (c.x) return make_float3(c.x[i], c.y[i], c.z[i]);
    const float *const p = (const float *)(c.view.points + i * c.view.stride);
    return make_float3(p[0], p[1], c.view.two_d ? 0.0f : p[2]);
}

/* ----- voxels ------------------------------------------------------------------------------------------ */

static const uint32_t BATCH_AXIS = 1023; /* a tag has ten bits per axis */

/* The tag of a voxel. Voxels 1024 apart share it: their points are compared, and are no neighbours. The 27 voxels around
 * a point have 27 different tags, so no point is seen twice. */
__device__ static inline uint32_t batch_tag(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & BATCH_AXIS) | (y & BATCH_AXIS) << 10 | (z & BATCH_AXIS) << 20;
}

__device__ static inline uint32_t batch_slot(uint32_t tag, uint32_t slots)
{
    uint32_t h = tag * 0x9e3779b1u;
    h ^= h >> 15;
    h *= 0x85ebca6bu;
    return (h ^ h >> 13) & (slots - 1);
}

/* Calls f(j) for all points of voxels `from` ... 26 of the 27 around a point with this tag; 13 is its own voxel, those
 * after it are half of the others. Ends where f returns true. */
template <class F> __device__ static inline void batch_visit(const batch_cloud &c, uint32_t tag, int from, F f)
{
    const uint32_t x = tag & BATCH_AXIS, y = tag >> 10 & BATCH_AXIS, z = tag >> 20;
    for (int k = from; k < 27; k++) {
        const int dz = k / 9 - 1;
        if (c.view.two_d && dz != 0) continue;
        const uint32_t wanted = batch_tag(x + (uint32_t)(k % 3 - 1), y + (uint32_t)(k / 3 % 3 - 1), z + (uint32_t)dz);
        for (uint32_t j = c.head[batch_slot(wanted, c.slots)]; j != CLUMP_GPU_NONE; j = c.next[j])
            if (c.tag[j] == wanted && f(j)) return;
    }
}

__device__ static inline bool batch_near(const batch_cloud &c, float3 p, uint32_t j)
{
    const float3 q = batch_point(c, j);
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < c.bound;
}

/* ----- sums over a thread block ------------------------------------------------------------------------ */

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
