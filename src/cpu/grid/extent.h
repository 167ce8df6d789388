/* SPDX-License-Identifier: BSD-3-Clause
 *
 * extent.h: the least and the greatest position of points along a direction, and their distances from a point.
 */
#ifndef CLUMP_CPU_GRID_EXTENT_H
#define CLUMP_CPU_GRID_EXTENT_H

#include "common/assert.h"
#include "common/simd.h"
#include "cpu/shared/points.h"

#include <float.h>
#include <stddef.h>

typedef struct clump_extent {
    float low, high;
} clump_extent;

/* Positions are measured from o along u, which has length 1. */
typedef struct clump_axis {
    float o[3], u[3];
} clump_axis;

static inline float clump_position_along(const clump_axis *a, clump_point p)
{
    return (p.x - a->o[0]) * a->u[0] + (p.y - a->o[1]) * a->u[1] + (p.z - a->o[2]) * a->u[2];
}

/* Returns the extent of n >= 1 points along an axis. */
static inline clump_extent clump_extent_along(const clump_axis *a, const clump_point *p, size_t n)
{
    CLUMP_ASSERT(n >= 1);
    const clump_f4_axis axis = clump_f4_axis_set(a->o, a->u[0], a->u[1], a->u[2]);
    clump_f4 low = clump_f4_set(clump_position_along(a, p[0])), high = low;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const clump_f4 t = clump_f4_project(axis, &p[i].x);
        low = clump_f4_min(low, t), high = clump_f4_max(high, t);
    }
    clump_extent e = {clump_f4_lowest(low), clump_f4_highest(high)};
    for (; i < n; i++) {
        const float t = clump_position_along(a, p[i]);
        e.low = t < e.low ? t : e.low, e.high = t > e.high ? t : e.high;
    }
    return e;
}

/* Returns the least and the greatest squared distance of n >= 1 points from o. */
static inline clump_extent clump_extent_around(const float *o, const clump_point *p, size_t n)
{
    CLUMP_ASSERT(n >= 1);
    const clump_f4 ox = clump_f4_set(o[0]), oy = clump_f4_set(o[1]), oz = clump_f4_set(o[2]);
    clump_f4 low = clump_f4_set(FLT_MAX), high = clump_f4_set(0);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        clump_f4 x, y, z;
        clump_f4_load_points(&p[i].x, &x, &y, &z);
        const clump_f4 t = clump_f4_distance_squared(clump_f4_sub(x, ox), clump_f4_sub(y, oy), clump_f4_sub(z, oz));
        low = clump_f4_min(low, t), high = clump_f4_max(high, t);
    }
    clump_extent e = {clump_f4_lowest(low), clump_f4_highest(high)};
    for (; i < n; i++) {
        const float x = p[i].x - o[0], y = p[i].y - o[1], z = p[i].z - o[2], t = x * x + y * y + z * z;
        e.low = t < e.low ? t : e.low, e.high = t > e.high ? t : e.high;
    }
    return e;
}

#endif
