/* SPDX-License-Identifier: BSD-3-Clause
 *
 * radius.h: a radius that grows with the range, for clouds that thin out with the distance from the sensor. Compiled by
 * the C compiler and by nvcc, so that all backends agree on every pair, as in distance.h.
 *
 *     dx = x - sensor x ...              range  = sqrt((dx*dx + dy*dy) + dz*dz)
 *     grown = per_metre * range          radius = max(eps, grown), at most CLUMP_RADIUS_MOST
 *     bound = radius * radius            each step rounded to float32
 *
 * Two points are neighbours when d2 < the smaller of their bounds (ec), or d2 <= it (dbscan). In 2-D mode there is no z:
 * not in d2, and not in the range.
 *
 * A range whose square is above the largest float is infinite, and its radius CLUMP_RADIUS_MOST, the largest with a
 * square that is none of those.
 */
#ifndef CLUMP_RULES_RADIUS_H
#define CLUMP_RULES_RADIUS_H

#include "rules/distance.h"

#include <math.h>
#include <stdbool.h>

#define CLUMP_RADIUS_MOST 0x1.fffffep63f

typedef struct clump_radius_rule {
    float eps;       /* least radius */
    float per_metre; /* above 0 */
    float x, y, z;   /* sensor; z is 0 in 2-D mode, as it is in every point */
} clump_radius_rule;

static inline clump_radius_rule clump_radius_rule_make(float eps, float per_metre, const float *sensor, bool two_d)
{
    const clump_radius_rule rule = {eps, per_metre, sensor[0], sensor[1], two_d ? 0 : sensor[2]};
    return rule;
}

/* per_metre * range. */
CLUMP_RULE float clump_radius_grown(clump_radius_rule rule, float x, float y, float z)
{
    const float square = clump_distance_squared(x, y, z, rule.x, rule.y, rule.z);
#if defined(__CUDA_ARCH__)
    return __fmul_rn(rule.per_metre, __fsqrt_rn(square));
#else
    return rule.per_metre * sqrtf(square);
#endif
}

/* The radius of a point with so much of `grown`. */
CLUMP_RULE float clump_radius(float eps, float grown)
{
    const float radius = grown > eps ? grown : eps;
    return radius < CLUMP_RADIUS_MOST ? radius : CLUMP_RADIUS_MOST;
}

#endif
