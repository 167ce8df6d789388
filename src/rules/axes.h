/* SPDX-License-Identifier: BSD-3-Clause
 *
 * axes.h: the principal axes of a covariance: eigenvalues and eigenvectors of a symmetric 3 x 3 matrix, by the cyclic
 * method of Jacobi. Only + - * / and square roots in double, in a fixed order: the same bits on every machine. Compiled by
 * the C compiler and by nvcc.
 *
 * Each rotation makes one entry beside the diagonal 0. The sum of their squares shrinks with every sweep over the three
 * entries, quadratically after the first few. An entry of at most 2^-56 of the trace counts as 0: the roundings of the
 * rotations are larger. 3 to 5 sweeps get there; there are never more than 12.
 */
#ifndef CLUMP_RULES_AXES_H
#define CLUMP_RULES_AXES_H

#include "rules/covariance.h"

#include <stdbool.h>

enum { CLUMP_AXES_SWEEPS = 12 };

typedef struct clump_principal {
    double variance[3]; /* largest first, not below 0 */
    double axis[3][3];  /* unit vectors */
} clump_principal;

/* Turns two numbers: a becomes c a - s b, b becomes s a + c b. */
CLUMP_RULE void clump_turn_pair(double *a, double *b, double c, double s)
{
    const double x = *a, y = *b;
    *a = clump_double_sub(clump_double_mul(c, x), clump_double_mul(s, y));
    *b = clump_double_add(clump_double_mul(s, x), clump_double_mul(c, y));
}

/* Rotates by the angle that makes pq 0. pp, qq and pq are entries of rows p and q; rp and rq those of the third row; vp
 * and vq are the vectors of p and q. Returns whether there was anything to do. */
CLUMP_RULE bool clump_rotate(double *pp, double *qq, double *pq, double *rp, double *rq, double *vp, double *vq,
                             double negligible)
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
    for (int k = 0; k < 3; k++) clump_turn_pair(&vp[k], &vq[k], c, s);
    return true;
}

/* Puts the larger of two variances first; equal ones keep their order. */
CLUMP_RULE void clump_order_axes(double *first, double *second, double *v, double *w)
{
    if (!(*first < *second)) return;
    const double swap = *first;
    *first = *second, *second = swap;
    for (int k = 0; k < 3; k++) {
        const double component = v[k];
        v[k] = w[k], w[k] = component;
    }
}

/* Returns the principal axes of a covariance. It is scaled by a power of two first, so that nothing under- or overflows
 * that matters. A matrix of zeros has the axes x, y, z. */
CLUMP_RULE clump_principal clump_principal_axes(const double covariance[6])
{
    clump_principal r = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double trace =
        clump_double_add(clump_double_add(covariance[CLUMP_XX], covariance[CLUMP_YY]), covariance[CLUMP_ZZ]);
    if (!(trace > 0)) return r;
    const int exponent = clump_double_exponent(trace);
    const double scale = clump_double_power(-exponent), back = clump_double_power(exponent);
    double xx = clump_double_mul(covariance[CLUMP_XX], scale), xy = clump_double_mul(covariance[CLUMP_XY], scale);
    double xz = clump_double_mul(covariance[CLUMP_XZ], scale), yy = clump_double_mul(covariance[CLUMP_YY], scale);
    double yz = clump_double_mul(covariance[CLUMP_YZ], scale), zz = clump_double_mul(covariance[CLUMP_ZZ], scale);
    bool turned = true;
    for (int sweep = 0; turned && sweep < CLUMP_AXES_SWEEPS; sweep++) { /* the scaled trace is in [1, 2) */
        turned = clump_rotate(&xx, &yy, &xy, &xz, &yz, r.axis[0], r.axis[1], 0x1p-56);
        turned |= clump_rotate(&xx, &zz, &xz, &xy, &yz, r.axis[0], r.axis[2], 0x1p-56);
        turned |= clump_rotate(&yy, &zz, &yz, &xy, &xz, r.axis[1], r.axis[2], 0x1p-56);
    }
    clump_order_axes(&xx, &yy, r.axis[0], r.axis[1]);
    clump_order_axes(&yy, &zz, r.axis[1], r.axis[2]);
    clump_order_axes(&xx, &yy, r.axis[0], r.axis[1]);
    r.variance[0] = clump_double_mul(xx > 0 ? xx : 0, back);
    r.variance[1] = clump_double_mul(yy > 0 ? yy : 0, back);
    r.variance[2] = clump_double_mul(zz > 0 ? zz : 0, back);
    return r;
}

/* Rounds a unit vector to float32. The component of largest magnitude becomes positive, the first of equal ones. */
CLUMP_RULE void clump_axis_to_float(const double axis[3], float out[3])
{
    int largest = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = (float)axis[k];
        if (fabsf(out[k]) > fabsf(out[largest])) largest = k;
    }
    const float sign = out[largest] < 0 ? -1.0f : 1.0f;
    for (int k = 0; k < 3; k++) out[k] = sign * out[k] + 0.0f; /* no -0; the product is exact */
}

#endif
