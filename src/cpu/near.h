/* SPDX-License-Identifier: BSD-3-Clause
 *
 * near.h: do two sets of points hold a pair of neighbours? The question behind every join of two
 * cells that their reps could not answer.
 */
#ifndef CLUMP_CPU_NEAR_H
#define CLUMP_CPU_NEAR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct clump_point {
    float x, y, z, unused; /* four, so that four points are four vector registers */
} clump_point;

/* Room for na + nb points lets clump_any_near() put candidates aside. */
typedef struct clump_near_scratch {
    clump_point *points;
    size_t room;
} clump_near_scratch;

/* Whether some a and b have d2 < bound. Near-linear in na + nb also when there is none: crowds are
 * narrowed down to the points that face each other before all pairs are tried. d is the root of the
 * bound. Without enough room it tries all pairs. */
bool clump_any_near(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d, float bound,
                    clump_near_scratch scratch);

#endif
