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

CLUMP_RULE double clump_region_square(float x, float sensor)
{
    const double d = clump_double_sub((double)x, (double)sensor);
    return clump_double_mul(d, d);
}

/* Returns the range of a point. Not finite where a used coordinate is not. */
CLUMP_RULE float clump_region_range(const clump_region_rule *r, const float *p)
{
    double sum = clump_double_add(clump_region_square(p[0], r->sensor[0]), clump_region_square(p[1], r->sensor[1]));
    if (!r->two_d) sum = clump_double_add(sum, clump_region_square(p[2], r->sensor[2]));
#if defined(__CUDA_ARCH__)
    return (float)__dsqrt_rn(sum);
#else
    return (float)sqrt(sum);
#endif
}

CLUMP_RULE bool clump_region_has(const clump_region_rule *r, const float *p)
{
    bool finite = true, inside = true;
    for (int k = 0; k < 3; k++) {
        const bool usable = fabsf(p[k]) <= FLT_MAX;
        finite &= usable | (r->two_d & (k == 2));
        inside &= (!usable) | ((p[k] >= r->lower[k]) & (p[k] <= r->upper[k]));
    }
    if (r->any_range || !inside || !finite) return inside;
    const float range = clump_region_range(r, p);
    return (range >= r->nearest) & (range <= r->farthest);
}

#endif
