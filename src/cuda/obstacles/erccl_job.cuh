/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_job.cuh: the data that the kernels of clump_ground and clump_erccl work on.
 *
 * The elevation map is dense, one entry per cell: a point finds its cell without a search, and a warp reads a
 * neighbourhood at once. A few cells in a hundred of a scan are obstacles. `list` has their places, in an order that
 * differs from run to run; no result depends on it.
 *
 *     heights   per cell: keys of its lowest and highest point (rules/float_key.h); erccl_no_heights without points
 *     first     per cell: its smallest point index; from `roots` on, of a root: that of its set
 *     parents   per obstacle cell: the union-find forest; for the paper's methods the label map
 *     place_of  per point: its cell, ERCCL_NOISE, or for ground ERCCL_GROUND minus its cell
 *     marks, numbers   see gpu/marks.cuh
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_JOB_CUH
#define CLUMP_CUDA_OBSTACLES_ERCCL_JOB_CUH

#include "cuda/obstacles/erccl.h"
#include "cuda/obstacles/ground.h"
#include "cuda/gpu/warp.cuh"
#include "rules/elevation.h"
#include "rules/float_key.h"
#include "rules/union_find.h"

#define ERCCL_NOISE  (-1)
#define ERCCL_GROUND (-2)

enum { ERCCL_PIECE = 256 }; /* entries of the table per launch: 1 KB of the 4 KB of kernel parameters */

typedef struct erccl_piece {
    float limit[ERCCL_PIECE];
} erccl_piece;

/* Counters, zeroed before. */
typedef struct erccl_counters {
    uint32_t cells; /* obstacle cells so far */
    uint32_t finite, masked, ground, noise;
    uint32_t marked; /* thread blocks that have set their marks */
} erccl_counters;

/* What the GPU reports, in pinned memory of the host. */
typedef struct erccl_report {
    clump_counts counts;
    uint32_t ground;
    float level;                                    /* of the ground, by peak */
    unsigned long long stamps[CLUMP_LAUNCH_STAMPS]; /* nanoseconds */
} erccl_report;

/* Entries of the rings that the passes of papers/ write to. The one on the host lies behind the report in e->report. */
enum { ERCCL_FLAGS = 16 };

typedef struct erccl_job {
    clump_cloud_view view;
    ground_search ground;
    clump_elevation map;
    uint32_t cells;   /* of the map; 0: clump_ground */
    int reach;        /* at most the caller's: cells further apart are never alike */
    uint32_t inverse; /* 2^22 / (2 reach + 1), rounded up: see erccl_row_of */
    float *limits;    /* the largest difference of heights, by rows and columns apart: (reach + 1)^2 */
    uint2 *heights;
    uint32_t *first, *parents;
    int32_t *place_of;
    uint32_t *list;
    uint32_t *marks;
    uint32_t *numbers;
    erccl_counters *counters;
    int32_t *labels;
    float *above; /* output, one per point: its height above the ground; null: not wanted */
    clump_counts *counts;
    uint32_t *ground_count;
    erccl_report *report; /* null: the host does not wait */
} erccl_job;

__device__ static inline void erccl_stamp(const erccl_job &job, int which)
{
    if (job.report && blockIdx.x == 0 && threadIdx.x == 0) job.report->stamps[which] = clump_gpu_now();
}

/* ----- heights, as keys (rules/float_key.h) ---------------------------------------------------------- */

/* Keys of NaNs: no point has them. */
__device__ static inline uint2 erccl_no_heights(void)
{
    return make_uint2(UINT32_MAX, 0);
}

__device__ static inline bool erccl_occupied(uint2 heights)
{
    return heights.y != 0;
}

/* ----- neighbourhoods ------------------------------------------------------------------------------- */

/* A cell whose neighbourhood is searched. */
typedef struct erccl_centre {
    uint32_t place;
    int32_t row, column;
    float lowest, highest;
} erccl_centre;

__device__ static inline erccl_centre erccl_centre_at(const erccl_job &job, uint32_t place)
{
    const uint2 heights = job.heights[place];
    return erccl_centre{place, (int32_t)(place / job.map.columns), (int32_t)(place % job.map.columns),
                        clump_float_of_key(heights.x), clump_float_of_key(heights.y)};
}

/* Returns the number of cells within reach. They are numbered row by row: the first half comes before the centre. */
__device__ static inline uint32_t erccl_around(const erccl_job &job)
{
    const uint32_t width = 2 * (uint32_t)job.reach + 1;
    return width * width;
}

/* Returns k / (2 reach + 1) without a division. Exact: the quotient comes out too large by at most k / 2^22, which is
 * less than 1 / (2 reach + 1) for k below (2 reach + 1)^2 and a reach of at most 64. */
__device__ static inline uint32_t erccl_row_of(const erccl_job &job, uint32_t k)
{
    return k * job.inverse >> 22;
}

/* Returns whether the k-th cell around is an obstacle alike; *place is its place. The centre is alike with itself.
 * `flat`: heights do not count, and the table is not read. */
__device__ static inline bool erccl_alike(const erccl_job &job, const erccl_centre &c, uint32_t k, uint32_t *place,
                                          bool flat = false)
{
    const uint32_t width = 2 * (uint32_t)job.reach + 1;
    const uint32_t above = erccl_row_of(job, k);
    const int32_t down = (int32_t)above - job.reach, right = (int32_t)(k - above * width) - job.reach;
    const int32_t row = c.row + down, column = c.column + right;
    *place = (uint32_t)row * job.map.columns + (uint32_t)column;
    if (down == 0 && right == 0) return true;
    if (row < 0 || row >= (int32_t)job.map.rows || column < 0 || column >= (int32_t)job.map.columns) return false;
    const float limit = flat ? INFINITY : job.limits[abs(down) * (job.reach + 1) + abs(right)];
    if (limit < 0) return false;
    const uint2 heights = job.heights[*place];
    if (!erccl_occupied(heights)) return false;
    return flat || clump_elevation_difference(c.highest, c.lowest, clump_float_of_key(heights.y),
                                              clump_float_of_key(heights.x)) <= limit;
}

#endif
