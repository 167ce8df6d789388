/* SPDX-License-Identifier: BSD-3-Clause
 *
 * radius.h: a radius that grows with the range, for clouds that thin out with the distance from the sensor. As
 * distance.h it is compiled by the C compiler and by nvcc, so all backends agree on every pair.
 *
 *     dx = x - sensor x ...              range  = sqrt((dx*dx + dy*dy) + dz*dz)
 *     grown = per_metre * range          radius = max(eps, grown), at most CLUMP_RADIUS_MOST
 *     bound = radius * radius            each step rounded to float32
 *
 * Two points are neighbours when d2 < the smaller of their bounds (ec), or d2 <= it (dbscan). In 2-D mode there is no
 * z: not in d2, and not in the range.
 *
 * A range whose square overflows is infinite. Its radius is CLUMP_RADIUS_MOST, the largest radius with a finite square.
 */
#ifndef CLUMP_RULES_RADIUS_H
#define CLUMP_RULES_RADIUS_H

#include "rules/distance.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* Returns per_metre * range of a point. */
CLUMP_RULE float clump_radius_grown(clump_radius_rule rule, float x, float y, float z)
{
    const float square = clump_distance_squared(x, y, z, rule.x, rule.y, rule.z);
#if defined(__CUDA_ARCH__)
    return __fmul_rn(rule.per_metre, __fsqrt_rn(square));
#else
    return rule.per_metre * sqrtf(square);
#endif
}

/* Returns the radius of a point whose per_metre * range is `grown`. */
CLUMP_RULE float clump_radius(float eps, float grown)
{
    const float radius = grown > eps ? grown : eps;
    return radius < CLUMP_RADIUS_MOST ? radius : CLUMP_RADIUS_MOST;
}

/* ----- radii of neighbours -------------------------------------------------------------------------------
 *
 * Two points whose radii differ by much are not neighbours, because radii follow ranges. For a point p with radius P
 * and a neighbour q with radius Q, with S = per_metre:
 *
 *     P < 1.02 ((1 + S) Q + S 2^-72)     and, since the test is symmetric, the same with P and Q exchanged.
 *
 * Proof, with R(p) the real range of p, and e = 2^-20 above every relative error of a few float32 roundings:
 *   (1) Neighbours are at most Q (1 + e) apart: squares that underflow are off by 2^-22 of the least bound, 2^-126.
 *   (2) R(p) <= R(q) + Q (1 + e), the triangle inequality.
 *   (3) The computed range is off by at most e R + 2^-74; the second term is the underflow of three squares.
 *   (4) Q >= S (computed range of q) (1 - e), so S R(q) <= Q (1 + 2 e) + S 2^-73.
 *   (5) If P is above eps, P <= S (computed range of p) (1 + e) <= (1 + 2 e) (S R(p) + S 2^-74). With (2) and (4) this
 *       is at most (1 + 5 e) ((1 + S) Q + S 2^-72). If P is eps, P <= Q.
 * Step (4) is wrong where Q is CLUMP_RADIUS_MOST because a range, or its product, was too large; then Q >= P anyway.
 * Step (5) holds for such a P with the least range that has this radius: P becomes 0.98 * 2^64 min(S, 1), `capped`. */
typedef struct clump_radius_span {
    float from, to; /* closed interval that holds the radius of every neighbour */
} clump_radius_span;

/* Returns the interval for the neighbours of points with radii least ... most. */
CLUMP_RULE clump_radius_span clump_radius_of_neighbours(clump_radius_rule rule, float least, float most)
{
    const double s = rule.per_metre, capped = 0.98 * 0x1p64 * (s < 1 ? s : 1), vanished = s * 0x1p-72;
    const double from = ((least < CLUMP_RADIUS_MOST ? (double)least : capped) / 1.02 - vanished) / (1 + s);
    const double to = 1.02 * ((1 + s) * most + vanished);
    const clump_radius_span span = {from > (double)rule.eps ? (float)from : rule.eps,
                                    to < capped && to < (double)CLUMP_RADIUS_MOST ? (float)to : CLUMP_RADIUS_MOST};
    return span;
}

/* Returns a limit: a point with per_metre * range below it has radius eps, and no point with a larger radius is within
 * eps of it. Negative where no such limit is known. Proof:
 *   (1) A point with a larger radius has S R >= eps (1 - 2 e), or its range has overflowed and R >= 0.99 * 2^64.
 *   (2) A point within eps of it is at most eps (1 + e) nearer to the sensor, so its product is at least (0.98 - S)
 *       eps; in the case of an overflow if 0.98 * 2^64 S >= eps. */
CLUMP_RULE float clump_radius_grown_beside(clump_radius_rule rule)
{
    return 0.98f * 0x1p64f * rule.per_metre < rule.eps ? -1 : (0.98f - rule.per_metre) * rule.eps;
}

/* Returns the level of a radius: how often eps can be doubled without exceeding it. Both are normal floats. */
CLUMP_RULE uint32_t clump_radius_level(float eps, float radius)
{
    int32_t a, b;
    memcpy(&a, &eps, sizeof a);
    memcpy(&b, &radius, sizeof b);
    return (uint32_t)(b - a) >> 23;
}

#endif
