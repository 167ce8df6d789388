/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_job.cuh: the data that the phases of clump_describe on a GPU work on. describe.cu puts the phases in order:
 *
 *     clear              empties the accumulators
 *     extents            extremes and counts of each cluster, and its octagon         describe_extents.cuh
 *     plan               scales of the sums, edges of the octagon, room for candidates   describe_plan.cuh
 *     sums               integer sums; points outside the octagon become candidates   describe_sums.cuh
 *     levels             leaves out more candidates of large clusters                describe_levels.cuh
 *     hulls              hull, rectangle and the finished entry, cluster by cluster   describe_hulls.cuh
 *     offsets, corners   the polygons, where the caller wants them                    describe_polygons.cuh
 *
 * All quantities are maxima or sums of integers, and hulls are exact (rules/plane.h). So no result depends on the order in
 * which threads add to them. core/cluster.h finishes them as on the CPU.
 *
 * Seen from above, a point is at (u, v): u is x, and v is y, or z where y is up. The coordinate that is up is w. A
 * candidate is a point that may be a corner of its cluster's hull.
 *
 *     buffer      one entry per        from phase   holds
 *     extents     cluster              extents      maxima and counts
 *     plans       cluster              plan         constants of the cluster for `sums` and `hulls`
 *     totals      cluster              sums         sums; number of candidates
 *     lists       cluster              plan         small clusters from the front, the others from the end
 *     candidates  point of a cluster   sums         (u, v) of the candidates, from plan.start on
 *                                      hulls        corners, where polygons are wanted or shared memory is too small
 *     edges       candidate            sums         the edge of the octagon that it is outside of
 *                                      levels       and of the polygon that the octagon becomes
 *     keys        candidate            hulls        for sorting more candidates than fit into shared memory
 *     chains      2 per candidate      hulls        and for their lower and upper side
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_JOB_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_JOB_CUH

#include "core/cluster.h"
#include "cuda/describe/describe.h"
#include "cuda/gpu/warp.cuh"

enum {
    DESCRIBE_POINT_THREADS = 256, /* of the phases with a thread per point; 512: 3 % slower, KITTI on an H200 */
    DESCRIBE_POINT_WARPS = DESCRIBE_POINT_THREADS / 32,
    DESCRIBE_OCTAGON = 8,
    DESCRIBE_SMALL = 32, /* points of a small cluster: a warp computes its hull, no point is left out before */
    DESCRIBE_SUMS = 4,   /* of x, y, z and the field */
    DESCRIBE_MOMENTS = 3 + 2 * CLUMP_PAIRS_OF_AXES
};

/* Maxima and counts of a cluster. Minima are maxima of complements, so that all begin with 0. */
enum { DESCRIBE_NEAREST = DESCRIBE_OCTAGON, DESCRIBE_WIDE };
enum { DESCRIBE_LOWEST, DESCRIBE_HIGHEST, DESCRIBE_LEAST_VALUE, DESCRIBE_MOST_VALUE, DESCRIBE_HEIGHT, DESCRIBE_PEAKS };
enum { DESCRIBE_POINTS, DESCRIBE_UPRIGHT, DESCRIBE_VALUES, DESCRIBE_TALLIES };
typedef struct describe_extent {
    /* Per direction of the octagon: key of the projection, index of the farthest point. Then the complement of the bits
     * of the least squared distance. */
    unsigned long long wide[DESCRIBE_WIDE];
    uint32_t peak[DESCRIBE_PEAKS]; /* keys: complement of the least w, the largest w; the same of the field; height */
    uint32_t tally[DESCRIBE_TALLIES]; /* points; points with a finite w; finite values of the field */
    uint32_t unused[2];
} describe_extent;

/* A half plane: the points with a u + b v > c, relative to the origin of the cluster, are left of an edge. */
typedef struct describe_half_plane {
    float a, b, c, unused;
} describe_half_plane;

typedef struct describe_plan {
    describe_half_plane inside[DESCRIBE_OCTAGON];
    clump_xy corner[DESCRIBE_OCTAGON]; /* of the octagon; corner 0 is the origin */
    double width, height;              /* extents of u and v */
    double scale[DESCRIBE_SUMS];       /* rules/mean.h */
    double moment_scale[3];            /* rules/covariance.h */
    float lower[DESCRIBE_SUMS];
    uint32_t start;    /* of the candidates */
    uint32_t filtered; /* 0: all points are candidates */
    uint32_t unused[4];
} describe_plan;

typedef struct describe_total {
    unsigned long long sum[DESCRIBE_SUMS + DESCRIBE_MOMENTS]; /* moments: sum, low, high of clump_moments */
    unsigned long long far[DESCRIBE_OCTAGON]; /* of each edge a candidate far outside (describe_levels.cuh); 0: none */
    uint32_t candidates, unused;
} describe_total;

static_assert(sizeof(describe_extent) % 16 == 0 && sizeof(describe_total) % 16 == 0, "cleared 16 bytes at a time");
static_assert(sizeof(describe_plan) % 16 == 0, "half planes are read 16 bytes at a time");

/* An entry of the lists. */
typedef struct describe_listed {
    uint32_t cluster, points, start, unused; /* start: of the candidates */
} describe_listed;

/* A call, in memory of the GPU. Buffers: see the table above. */
struct clump_describe_gpu_job {
    clump_describe_input in;
    clump_describe_report *report;
    describe_extent *extents;
    describe_plan *plans;
    describe_total *totals;
    describe_listed *lists;
    clump_xy *candidates;
    uint8_t *edges;
    uint64_t *keys;
    uint32_t *chains;
};
typedef clump_describe_gpu_job describe_job;

/* Returns how many clusters are described. Only after the kernels before. */
__device__ static inline uint32_t describe_clusters(const describe_job &job)
{
    const uint32_t capacity = (uint32_t)job.in.capacity;
    return job.in.cluster_count ? min(__ldcg(job.in.cluster_count), capacity) : capacity;
}

/* ----- clearing ------------------------------------------------------------------------------------- */

template <class T> __device__ static inline void describe_zero(T *entries, uint32_t count, const clump_gpu_team &team)
{
    uint4 *const words = (uint4 *)entries;
    const uint64_t n = (uint64_t)count * (sizeof(T) / sizeof(uint4));
    for (uint64_t i = team.thread; i < n; i += team.threads) words[i] = make_uint4(0, 0, 0, 0);
}

__device__ static inline void describe_clear(const describe_job &job, const clump_gpu_team &team)
{
    const uint32_t clusters = describe_clusters(job);
    describe_zero(job.extents, clusters, team);
    describe_zero(job.totals, clusters, team);
    if (team.thread < CLUMP_DESCRIBE_REPORT_ROOM / 16) ((uint4 *)job.report)[team.thread] = make_uint4(0, 0, 0, 0);
}

/* ----- points --------------------------------------------------------------------------------------- */

typedef struct describe_point {
    int32_t label; /* -1: not in a described cluster; then the rest is 0 */
    float x[3];    /* without -0 */
    float u, v, w;
} describe_point;

__device__ static inline float describe_coordinate(const char *p, int k)
{
    return __fadd_rn(((const float *)p)[k], 0.0f);
}

/* Reads (u, v) of point i. */
__device__ static inline clump_xy describe_above(const describe_job &job, uint32_t i)
{
    const char *const p = job.in.view.points + i * job.in.view.stride;
    return clump_xy{describe_coordinate(p, 0), describe_coordinate(p, clump_across(job.in.up))};
}

/* Reads point i where i < count. With `reports` labels and points that are not allowed go to the report. */
__device__ static inline describe_point describe_read(const describe_job &job, uint64_t i, uint32_t clusters,
                                                      bool reports)
{
    describe_point r = {-1, {0, 0, 0}, 0, 0, 0};
    if (i >= job.in.view.count) return r;
    const int32_t label = job.in.labels[i];
    if (reports && (label >= job.in.allowed || label < CLUMP_GROUND)) atomicMax(&job.report->wrong, ~(uint32_t)i);
    if ((uint32_t)label >= clusters) return r;
    const char *const p = job.in.view.points + i * job.in.view.stride;
    for (int k = 0; k < 3; k++) r.x[k] = describe_coordinate(p, k);
    const bool y_up = job.in.up == CLUMP_UP_Y;
    r.u = r.x[0], r.v = y_up ? r.x[2] : r.x[1], r.w = y_up ? r.x[1] : r.x[2];
    if (clump_is_finite(r.u) && clump_is_finite(r.v))
        r.label = label;
    else if (reports)
        atomicMax(&job.report->not_finite, ~(uint32_t)i);
    return r;
}

/* Reads the value of the field of point i. */
__device__ static inline float describe_value(const describe_job &job, uint64_t i)
{
    return describe_coordinate(job.in.values + i * job.in.values_stride, 0);
}

#endif
