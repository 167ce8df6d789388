/* SPDX-License-Identifier: BSD-3-Clause
 *
 * points.h: the points of a job on the CPU: where point i is, and whether it takes part.
 *
 * The room has what several methods need, from points to labels:
 *
 *     points.h        which points take part, and where point i is
 *     kdtree.c        a kd-tree, for the methods that search neighbours point by point
 *     need.c          memory for methods whose need is not linear in the points
 *     numbering.h     sets to numbers
 *     border_list.h   all clusters next to a border point
 *     stages.h        threads, passes and times of a run
 */
#ifndef CLUMP_CPU_SHARED_POINTS_H
#define CLUMP_CPU_SHARED_POINTS_H

#include "common/assert.h"
#include "common/lanes.h"
#include "core/backend.h"

#include <math.h>

/* A copy of a point, for sets of points that are compared with each other. */
typedef struct clump_point {
    float x, y, z; /* z is 0 in 2-D mode */
    uint32_t more; /* free for the user; pads to 16 bytes, so that four points fill four vector registers */
} clump_point;

/* The floats of the point that begins at this byte. Points are floats, checked to be aligned (core/span.h). */
static inline const float *clump_floats(const char *point)
{
    return (const float *)(const void *)point;
}

/* The floats of point i, i < count. In 2-D mode the third may hold any value. */
static inline const float *clump_point_at(const clump_cloud_job *job, size_t i)
{
    CLUMP_ASSERT(i < job->count);
    return clump_floats(job->points + i * job->stride);
}

/* A copy of point i, with i in `more`. */
static inline clump_point clump_point_copy(const clump_cloud_job *job, size_t i)
{
    const float *const p = clump_point_at(job, i);
    return (clump_point){p[0], p[1], job->two_d ? 0 : p[2], (uint32_t)i};
}

/* Copies the coordinates 0, b and c of n points, `floats` apart, to three arrays. Inlined with constants it is
 * vectorised; for NEON by hand, as compilers take vld3 and vld4, which are slow (clump_f4_load_fours()). */
static inline void clump_split_floats(const float *restrict p, size_t floats, int b, int c, size_t n, float *restrict x,
                                      float *restrict y, float *restrict z)
{
    size_t k = 0;
#ifdef CLUMP_SIMD_NEON
    for (; b == 1 && c == 2 && k + 4 < n; k += 4) { /* the last point may end with its third float */
        clump_f4 px, py, pz;
        clump_f4_load_apart(p + k * floats, floats, &px, &py, &pz);
        clump_f4_store(x + k, px), clump_f4_store(y + k, py), clump_f4_store(z + k, pz);
    }
#endif
    for (; k < n; k++) x[k] = p[k * floats], y[k] = p[k * floats + (size_t)b], z[k] = p[k * floats + (size_t)c];
}

/* Copies the coordinates 0, b and c of points begin ... begin + n - 1 to three arrays. */
static inline void clump_split_points(const clump_cloud_job *job, size_t begin, int n, int b, int c, float *restrict x,
                                      float *restrict y, float *restrict z)
{
    CLUMP_ASSERT(n > 0 && begin + (size_t)n <= job->count);
    const float *const p = clump_floats(job->points + begin * job->stride);
    if (job->stride == 16 && b == 1 && c == 2)
        clump_split_floats(p, 4, 1, 2, (size_t)n, x, y, z);
    else if (job->stride == 12 && b == 1 && c == 2)
        clump_split_floats(p, 3, 1, 2, (size_t)n, x, y, z);
    else
        clump_split_floats(p, job->stride / sizeof(float), b, c, (size_t)n, x, y, z);
}

/* Whether x, y and, unless two_d, z are finite. */
static inline bool clump_point_is_finite(const float *p, bool two_d)
{
    return isfinite(p[0]) && isfinite(p[1]) && (two_d || isfinite(p[2]));
}

static inline bool clump_point_is_masked(const clump_cloud_job *job, size_t i)
{
    return job->mask && !job->mask[i];
}

/* Whether point i takes part: it is finite and not masked. All other points become noise. */
static inline bool clump_takes_part(const clump_cloud_job *job, size_t i)
{
    return clump_point_is_finite(clump_point_at(job, i), job->two_d) && !clump_point_is_masked(job, i);
}

/* Returns whether point i takes part. Counts it as finite, masked or noise, and labels it noise in any case. */
static inline bool clump_admit_point(const clump_cloud_job *job, size_t i, clump_stats *stats)
{
    const bool finite = clump_point_is_finite(clump_point_at(job, i), job->two_d);
    const bool masked = clump_point_is_masked(job, i);
    stats->finite += finite;
    stats->masked += masked;
    stats->noise += !finite || masked;
    job->labels[i] = CLUMP_NOISE;
    return finite && !masked;
}

#endif
