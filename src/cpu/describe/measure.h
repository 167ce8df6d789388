/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure.h: what clump_cluster_finish() (core/cluster.h) needs of one cluster, in parts that threads can share. Two passes
 * over the points:
 *
 *     extent of each part ─► combine ─► sums and hull candidates of each part ─► finish
 *
 * No result depends on how the points are divided or ordered: extremes do not, the hull does not (hull.c), and all sums are
 * sums of integers.
 */
#ifndef CLUMP_CPU_DESCRIBE_MEASURE_H
#define CLUMP_CPU_DESCRIBE_MEASURE_H

#include "core/cluster.h"
#include "cpu/describe/hull.h"

/* Points begin ... end - 1 of a cluster. */
typedef struct clump_part {
    size_t begin, end;
    clump_measures found; /* of these points alone */
    size_t keys;          /* that may be corners of the hull */
} clump_part;

typedef struct clump_shape {
    const float *at[3];                    /* x, y, z. The two seen from above are finite. No value is -0 */
    const float *values, *heights;         /* null, or of the same points; no value is -0 */
    const clump_describe_options *options; /* up, sensor, axes */
    size_t count;                          /* points, at least 1 */
    uint64_t *keys;                        /* room for 2 * count + 1; the corners of the hull are in it at the end */
    clump_measures all;                    /* of all parts; axes and extremes after combine() */
    clump_hull_filter *filter;             /* room for one; after combine() */
    clump_team *team;                      /* polled where the cluster is large; or null */
} clump_shape;

void clump_shape_extent(const clump_shape *s, clump_part *part);
void clump_shape_combine(clump_shape *s, const clump_part *parts, size_t count);
void clump_shape_sum(const clump_shape *s, clump_part *part);

/* Returns the finished entry of the cluster. clump_shape_corners() are its hull from then on. */
clump_cluster clump_shape_finish(clump_shape *s, const clump_part *parts, size_t count, int32_t label);

static inline const clump_xy *clump_shape_corners(const clump_shape *s)
{
    return (const clump_xy *)(const void *)(s->keys + s->count);
}

/* --- sums.c: the loops over the coordinates of a cluster that need arithmetic in double or 64-bit integers */

/* Returns the least squared distance of n >= 1 points from the sensor, seen from above. */
double clump_nearest_of(const float *x, const float *y, size_t n, float sensor_x, float sensor_y);

/* Returns the sum of the scaled offsets of the finite values. `whole`: all values are finite. */
int64_t clump_sum_of(const float *values, size_t n, const clump_axis *axis, bool whole);

/* Returns the moments of points. Those whose entry in `finite` is not finite are left out; null: none is. */
clump_moments clump_moments_of(const float *const at[3], size_t n, const clump_axis axis[3], const float *finite);

#endif
