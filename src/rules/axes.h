/* SPDX-License-Identifier: BSD-3-Clause
 *
 * axes.h: the principal axes of a covariance: eigenvalues and eigenvectors of a symmetric 3 x 3 matrix, by the cyclic
 * method of Jacobi. Compiled by the C compiler and by nvcc.
 *
 * Each rotation makes one entry beside the diagonal 0. The sum of their squares shrinks with every sweep over the three
 * entries, quadratically after the first few. An entry of at most 2^-56 of the trace counts as 0: the roundings of the
 * rotations are larger. 3 to 5 sweeps get there; there are never more than 12.
 */
#ifndef CLUMP_RULES_AXES_H
#define CLUMP_RULES_AXES_H

#include "rules/covariance.h"
#include "rules/jacobi.h"

enum { CLUMP_AXES_SWEEPS = 12 };

typedef struct clump_principal {
    double variance[3]; /* largest first, not below 0 */
    double axis[3][3];  /* unit vectors */
} clump_principal;

/* Puts the larger of two variances first; equal ones keep their order. */
CLUMP_RULE void clump_order_axes(double *first, double *second, clump_direction *v, clump_direction *w)
{
    if (!(*first < *second)) return;
    const double variance = *first;
    *first = *second, *second = variance;
    const clump_direction direction = *v;
    *v = *w, *w = direction;
}

CLUMP_RULE void clump_set_axis(double axis[3], const clump_direction *d)
{
    axis[0] = d->x, axis[1] = d->y, axis[2] = d->z;
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
    clump_direction x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    bool turned = true;
    for (int sweep = 0; turned && sweep < CLUMP_AXES_SWEEPS; sweep++) { /* the scaled trace is in [1, 2) */
        turned = clump_rotate(&xx, &yy, &xy, &xz, &yz, &x, &y, 0x1p-56);
        turned |= clump_rotate(&xx, &zz, &xz, &xy, &yz, &x, &z, 0x1p-56);
        turned |= clump_rotate(&yy, &zz, &yz, &xy, &xz, &y, &z, 0x1p-56);
    }
    clump_order_axes(&xx, &yy, &x, &y);
    clump_order_axes(&yy, &zz, &y, &z);
    clump_order_axes(&xx, &yy, &x, &y);
    clump_set_axis(r.axis[0], &x);
    clump_set_axis(r.axis[1], &y);
    clump_set_axis(r.axis[2], &z);
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
