/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region.h: whether a point lies in a region: a box and an interval of ranges, bounds included. Compiled by the C compiler
 * and by nvcc.
 *
 *     dx = (double)x - sensor x ...      range = (float)sqrt((dx*dx + dy*dy) + dz*dz)
 *
 * Each step is rounded to double, no two are fused. In 2-D mode there is no dz; the box has its z all the same. A
 * coordinate that is not finite is not tested: such a point is noise in any case. (z is not used in 2-D mode, but a z
 * that is finite must be in the box.)
 */
#ifndef CLUMP_RULES_REGION_H
#define CLUMP_RULES_REGION_H

#include "rules/rounded.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct clump_region_rule {
    float lower[3], upper[3];
    float nearest, farthest; /* ranges */
    float sensor[3];
    bool two_d;
    bool any_range; /* all ranges are allowed */
} clump_region_rule;

static inline clump_region_rule clump_region_rule_make(const float *lower, const float *upper, float nearest,
                                                       float farthest, const float *sensor, bool two_d)
{
    clump_region_rule r;
    for (int k = 0; k < 3; k++) r.lower[k] = lower[k], r.upper[k] = upper[k], r.sensor[k] = sensor[k];
    r.nearest = nearest;
    r.farthest = farthest;
    r.two_d = two_d;
    r.any_range = nearest <= 0 && farthest > FLT_MAX;
    return r;
}

/* Returns whether the region leaves no point out. */
static inline bool clump_region_is_all(const clump_region_rule *r)
{
    for (int k = 0; k < 3; k++)
        if (r->lower[k] >= -FLT_MAX || r->upper[k] <= FLT_MAX) return false;
    return r->any_range;
}

/* Returns 1 where a coordinate is between bounds or not finite, else 0. An int for the & of its callers. */
CLUMP_RULE int clump_region_between(float x, float lower, float upper)
{
    return (!(fabsf(x) <= FLT_MAX)) | ((x >= lower) & (x <= upper)); /* no branch: the CPU vectorises this */
}

CLUMP_RULE bool clump_region_in_box(const clump_region_rule *r, float x, float y, float z)
{
    return clump_region_between(x, r->lower[0], r->upper[0]) & clump_region_between(y, r->lower[1], r->upper[1]) &
           clump_region_between(z, r->lower[2], r->upper[2]);
}

CLUMP_RULE double clump_region_square(float x, float sensor)
{
    const double d = clump_double_sub((double)x, (double)sensor);
    return clump_double_mul(d, d);
}

/* Returns the range of a point: infinite also where finite coordinates are too large for float32. */
CLUMP_RULE float clump_region_range(const clump_region_rule *r, float x, float y, float z)
{
    double sum = clump_double_add(clump_region_square(x, r->sensor[0]), clump_region_square(y, r->sensor[1]));
    if (!r->two_d) sum = clump_double_add(sum, clump_region_square(z, r->sensor[2]));
#if defined(__CUDA_ARCH__)
    return (float)__dsqrt_rn(sum);
#else
    return (float)sqrt(sum);
#endif
}

/* Whether the range of a point is allowed; true where a used coordinate is not finite. */
CLUMP_RULE bool clump_region_in_ranges(const clump_region_rule *r, float x, float y, float z, float range)
{
    const bool finite = (fabsf(x) <= FLT_MAX) & (fabsf(y) <= FLT_MAX) & ((fabsf(z) <= FLT_MAX) | r->two_d);
    return (!finite) | ((range >= r->nearest) & (range <= r->farthest));
}

CLUMP_RULE bool clump_region_has(const clump_region_rule *r, const float *p)
{
    if (!clump_region_in_box(r, p[0], p[1], p[2])) return false;
    return r->any_range || clump_region_in_ranges(r, p[0], p[1], p[2], clump_region_range(r, p[0], p[1], p[2]));
}

#endif
