/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_job.cuh: what the kernels of clump_ground and clump_erccl work on.
 *
 * The elevation map is whole here, an entry a cell: any point can find its cell's without a search, and a wave of
 * threads looks at a neighbourhood at once. Of a scan a few cells in a hundred are obstacles; `list` has these, in the
 * order in which they were met, which is another each time. Nothing that is told depends on it.
 *
 *     heights   by cell: keys of its lowest and highest point; of a cell without points NO_HEIGHTS
 *     first     by cell: its smallest point index; in the end, of a root, that of its set
 *     parents   by cell, of obstacle cells alone: the union-find forest; for the paper's methods the label map
 *     place_of  by point: its cell, ERCCL_NOISE, or for ground ERCCL_GROUND minus its cell
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_JOB_CUH
#define CLUMP_CUDA_OBSTACLES_ERCCL_JOB_CUH

#include "cuda/obstacles/erccl.h"
#include "cuda/obstacles/ground.h"
#include "cuda/gpu/warp.cuh"
#include "rules/elevation.h"
#include "rules/union_find.h"

#define ERCCL_NOISE  (-1)
#define ERCCL_GROUND (-2)

enum { ERCCL_PIECE = 256 }; /* entries of the table that travel with a launch */

typedef struct erccl_piece {
    float limit[ERCCL_PIECE];
} erccl_piece;

/* Counted while it runs; zeroed before. */
typedef struct erccl_counters {
    uint32_t cells; /* obstacle cells so far */
    uint32_t finite, masked, ground, noise;
    uint32_t marked; /* thread blocks that have */
} erccl_counters;

enum { ERCCL_STAMPS = 5 }; /* fetching and clearing, build, cluster, label, end */

/* What the host learns; in its memory, written by the GPU. */
typedef struct erccl_report {
    clump_counts counts;
    uint32_t ground;
    float level;                             /* of the ground, by peak */
    unsigned long long stamps[ERCCL_STAMPS]; /* nanoseconds */
} erccl_report;

typedef struct erccl_job {
    clump_cloud_view view;
    ground_work ground;
    clump_elevation map;
    uint32_t cells;   /* of the map; 0: clump_ground, which has none */
    int reach;        /* the caller's, or less where no cells so far apart are alike */
    uint32_t inverse; /* 2^22 / (2 reach + 1), rounded up: see erccl_row_of */
    float *limits;    /* the largest difference of heights, by rows and columns apart: (reach + 1)^2 */
    uint2 *heights;
    uint32_t *first, *parents;
    int32_t *place_of;
    uint32_t *list;
    uint32_t *marks;   /* a bit a point: the first of its set */
    uint32_t *numbers; /* by word of marks: marks before it */
    erccl_counters *counters;
    int32_t *labels;
    clump_counts *counts;
    uint32_t *ground_count;
    erccl_report *report; /* null: the host does not wait */
} erccl_job;

__device__ static inline void erccl_stamp(const erccl_job &job, int which)
{
    if (job.report && blockIdx.x == 0 && threadIdx.x == 0) job.report->stamps[which] = clump_gpu_now();
}

__device__ static inline clump_gpu_team erccl_team(void)
{
    clump_gpu_team team;
    team.thread = blockIdx.x * blockDim.x + threadIdx.x;
    team.threads = gridDim.x * blockDim.x;
    return team;
}

/* ----- heights as keys in the order of the floats (common/float_key.h) ------------------------------ */

__device__ static inline uint32_t erccl_key(float height)
{
    const uint32_t bits = __float_as_uint(height);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ static inline float erccl_height(uint32_t key)
{
    return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

/* Keys of numbers that are none: no point has them. */
__device__ static inline uint2 erccl_no_heights(void)
{
    return make_uint2(UINT32_MAX, 0);
}

__device__ static inline bool erccl_occupied(uint2 heights)
{
    return heights.y != 0;
}

/* ----- neighbourhoods ------------------------------------------------------------------------------- */

/* A cell, and what of its neighbourhood a lane looks at. */
typedef struct erccl_centre {
    uint32_t place;
    int32_t row, column;
    float lowest, highest;
} erccl_centre;

__device__ static inline erccl_centre erccl_centre_at(const erccl_job &job, uint32_t place)
{
    erccl_centre c;
    const uint2 heights = job.heights[place];
    c.place = place;
    c.row = (int32_t)(place / job.map.side);
    c.column = (int32_t)(place % job.map.side);
    c.lowest = erccl_height(heights.x);
    c.highest = erccl_height(heights.y);
    return c;
}

/* Cells within reach, row by row; the first half of them come before the cell in the middle, which is next. */
__device__ static inline uint32_t erccl_around(const erccl_job &job)
{
    const uint32_t width = 2 * (uint32_t)job.reach + 1;
    return width * width;
}

/* k / (2 reach + 1) without a division. Exact: the quotient comes out too large by at most k / 2^22, which is less than
 * 1 / (2 reach + 1) for k below (2 reach + 1)^2 and a reach of at most 64. */
__device__ static inline uint32_t erccl_row_of(const erccl_job &job, uint32_t k)
{
    return k * job.inverse >> 22;
}

/* Whether the k-th cell around is an obstacle alike, and where it is. The one in the middle is alike with itself. */
__device__ static inline bool erccl_alike(const erccl_job &job, const erccl_centre &c, uint32_t k, uint32_t *place)
{
    const uint32_t width = 2 * (uint32_t)job.reach + 1;
    const uint32_t above = erccl_row_of(job, k);
    const int32_t down = (int32_t)above - job.reach, right = (int32_t)(k - above * width) - job.reach;
    const int32_t row = c.row + down, column = c.column + right, side = (int32_t)job.map.side;
    *place = (uint32_t)row * job.map.side + (uint32_t)column;
    if (down == 0 && right == 0) return true;
    if (row < 0 || row >= side || column < 0 || column >= side) return false;
    const float limit = job.limits[abs(down) * (job.reach + 1) + abs(right)];
    if (limit < 0) return false;
    const uint2 heights = job.heights[*place];
    if (!erccl_occupied(heights)) return false;
    return clump_elevation_difference(c.highest, c.lowest, erccl_height(heights.y), erccl_height(heights.x)) <= limit;
}

#endif
