/* SPDX-License-Identifier: BSD-3-Clause
 *
 * points.h: access to the caller's points in host memory, once clump_check_points() has put the stride in bytes.
 */
#ifndef CLUMP_HOST_POINTS_H
#define CLUMP_HOST_POINTS_H

#include "common/assert.h"

#include <clump/clump.h>

#include <math.h>

/* Returns the floats of point i, i < count. */
static inline const float *clump_points_at(clump_points points, size_t i)
{
    CLUMP_ASSERT(points.stride >= 3 * sizeof(float) && i < points.count);
    return (const float *)(const void *)((const char *)points.xyz + i * points.stride);
}

static inline bool clump_xyz_is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

#endif
