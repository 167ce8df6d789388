/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sieve.h: pairs of neighbours between two large sets of points, without a test of every pair.
 *
 * Two questions: is there a pair at all (Euclidean clustering), and how many points of one set are near each point of
 * the other (DBSCAN)? Both are quadratic where each point of one set is nearly d away from each point of the other.
 * The sieve divides such sets until bounds decide. sieve.c describes the bounds and proves them.
 *
 * The sets must be closer than 8 d to each other on every axis, as cells within reach of each other are, where d is
 * the root of the bound. Coordinates are finite.
 *
 * A sieve of large sets takes long, so it polls `team` (common/team.h), unless that is null. What it returns or counts after
 * a cancellation means nothing.
 */
#ifndef CLUMP_CPU_GRID_SIEVE_H
#define CLUMP_CPU_GRID_SIEVE_H

#include "common/team.h"
#include "cpu/shared/points.h"
#include "rules/distance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The tight box of some points. */
typedef struct clump_box {
    float lower[3], upper[3];
} clump_box;

typedef enum clump_verdict { CLUMP_NONE_NEAR, CLUMP_SOME_NEAR, CLUMP_ALL_NEAR } clump_verdict;

/* Returns what a box tells about the pairs of a point with the points in the box. Exact: the distances to the nearest and
 * the furthest corner are computed like those of points. On every axis the difference to a point in the box is no
 * smaller, or no larger, and rounding is monotone. */
static inline clump_verdict clump_box_verdict(clump_point p, const clump_box *box, float bound)
{
    const float at[3] = {p.x, p.y, p.z};
    float near[3], far[3];
    for (int k = 0; k < 3; k++) {
        const float below = box->lower[k] - at[k], above = at[k] - box->upper[k];
        near[k] = below > 0 ? below : above > 0 ? above : 0;
        far[k] = -below > -above ? -below : -above;
    }
    if (!(clump_distance_squared(near[0], near[1], near[2], 0, 0, 0) < bound)) return CLUMP_NONE_NEAR;
    return clump_distance_squared(far[0], far[1], far[2], 0, 0, 0) < bound ? CLUMP_ALL_NEAR : CLUMP_SOME_NEAR;
}

/* Returns the tight box of n >= 1 points. */
clump_box clump_box_of(const clump_point *p, size_t n);

/* Returns whether some pair has d2 < bound. Tests all pairs, up to the first such pair. */
bool clump_all_pairs(const clump_point *a, size_t na, const clump_point *b, size_t nb, float bound);

/* Returns whether no point of a ball can have d2 < bound with any of the points. Stops at the first point that can. */
bool clump_ball_far(const clump_point *p, size_t n, const float *centre, float radius, float bound);

/* As clump_all_pairs(), by the sieve. Reorders both sets. Adds to *cost the points looked at and the pairs tested. */
bool clump_sieve_any(clump_point *a, size_t na, clump_point *b, size_t nb, float bound, clump_team *team, size_t *cost);

/* As clump_sieve_any(), where each point has a bound of its own: its bits are in `more`. A pair has d2 below both bounds. The
 * bounds of a set differ by a factor of at most 2^8, and its box is less than 5 times as wide as the root of the largest. The
 * sets may lie anywhere. Reorders both sets. na, nb >= 1. */
bool clump_sieve_grown(clump_point *a, size_t na, clump_point *b, size_t nb, clump_team *team, size_t *cost);

/* As clump_sieve_count(), with bounds as of clump_sieve_grown(). `more` of a point p of a is a number, and its bound is that of
 * of[p.more]. */
void clump_sieve_count_grown(clump_point *a, size_t na, const clump_point *of, clump_point *b, size_t nb,
                             uint32_t needed, uint32_t *near_count, clump_team *team, size_t *cost);

/* For each point p of a: adds to near_count[p.more] the number of points of b with d2 < bound. It may stop adding to an
 * entry that has reached `needed`, and leaves entries unchanged that had reached it before. Reorders both sets. */
void clump_sieve_count(clump_point *a, size_t na, clump_point *b, size_t nb, float bound, uint32_t needed,
                       uint32_t *near_count, clump_team *team, size_t *cost);

#endif
