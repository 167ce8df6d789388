/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jacobi.h: one rotation of the method of Jacobi for the eigenvectors of a symmetric 3 x 3 matrix. Only + - * / and square
 * roots in double, in a fixed order: the same bits on every machine. Compiled by the C compiler and by nvcc.
 */
#ifndef CLUMP_RULES_JACOBI_H
#define CLUMP_RULES_JACOBI_H

#include "rules/rounded.h"

#include <math.h>
#include <stdbool.h>

/* The direction of a rotated axis. */
typedef struct clump_direction {
    double x, y, z;
} clump_direction;

/* Turns two numbers: a becomes c a - s b, b becomes s a + c b. */
CLUMP_RULE void clump_turn_pair(double *a, double *b, double c, double s)
{
    const double x = *a, y = *b;
    *a = clump_double_sub(clump_double_mul(c, x), clump_double_mul(s, y));
    *b = clump_double_add(clump_double_mul(s, x), clump_double_mul(c, y));
}

/* Rotates axes p and q such that their common entry pq becomes 0. pp and qq are their entries on the diagonal; rp and rq
 * those they share with the third axis. Returns false where the magnitude of pq is at most `negligible`: nothing is done
 * then. Entries are variables, not an array: they stay in registers, which takes a sixth of the time. */
CLUMP_RULE bool clump_rotate(double *pp, double *qq, double *pq, double *rp, double *rq, clump_direction *p,
                             clump_direction *q, double negligible)
{
    if (fabs(*pq) <= negligible) return false;
    const double theta = clump_double_div(clump_double_sub(*qq, *pp), clump_double_mul(2, *pq));
    const double root = clump_double_sqrt(clump_double_add(clump_double_mul(theta, theta), 1));
    const double size = clump_double_div(1, clump_double_add(fabs(theta), root));
    const double t = theta < 0 ? -size : size; /* tangent of the angle */
    const double c = clump_double_div(1, clump_double_sqrt(clump_double_add(clump_double_mul(t, t), 1)));
    const double s = clump_double_mul(t, c), moved = clump_double_mul(t, *pq);
    *pp = clump_double_sub(*pp, moved), *qq = clump_double_add(*qq, moved), *pq = 0;
    clump_turn_pair(rp, rq, c, s);
    clump_turn_pair(&p->x, &q->x, c, s);
    clump_turn_pair(&p->y, &q->y, c, s);
    clump_turn_pair(&p->z, &q->z, c, s);
    return true;
}

#endif
