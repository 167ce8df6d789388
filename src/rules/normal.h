/* SPDX-License-Identifier: BSD-3-Clause
 *
 * normal.h: the normal of the plane of least squares through neighbouring points; compiled by the C compiler and by nvcc.
 * The arithmetic is in double, each step rounded and no two fused (rounded.h). So the normal depends on the neighbours and
 * their order alone: nearest first, ties by the smaller index.
 *
 *     clump_normal_sums s = {0};
 *     for each neighbour p of a point: clump_normal_add(&s, point, p);
 *     clump_normal_of(&s, flat, normal);
 *
 * The normal is the eigenvector of the least eigenvalue of the neighbours' covariance, found by Jacobi rotations. From
 * finite points no step overflows to NaN: squares of differences are below 1e78.
 */
#ifndef CLUMP_RULES_NORMAL_H
#define CLUMP_RULES_NORMAL_H

#include "rules/jacobi.h"

#include <float.h>

/* Sums over neighbours, relative to the point: no precision is lost far from the origin. */
typedef struct clump_normal_sums {
    double d[3], square[6]; /* square: xx xy xz yy yz zz */
    int count;
} clump_normal_sums;

CLUMP_RULE void clump_normal_add(clump_normal_sums *s, const float *at, const float *p)
{
    const double d[3] = {clump_double_sub((double)p[0], (double)at[0]), clump_double_sub((double)p[1], (double)at[1]),
                         clump_double_sub((double)p[2], (double)at[2])};
    for (int a = 0, m = 0; a < 3; a++) {
        s->d[a] = clump_double_add(s->d[a], d[a]);
        for (int b = a; b < 3; b++, m++) s->square[m] = clump_double_add(s->square[m], clump_double_mul(d[a], d[b]));
    }
    s->count++;
}

CLUMP_RULE double clump_normal_larger(double a, double b)
{
    return a > b ? a : b;
}

CLUMP_RULE double clump_normal_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Points are on a line when their variance across it is below this fraction of that along it: much more than rounding
 * leaves of a line, much less than any surface has. */
#define CLUMP_NORMAL_LINE 1e-12

/* Finds the eigenvector of the least eigenvalue of the matrix xx xy xz yy yz zz. Returns false where two eigenvalues
 * are about 0. With `flat` above 0 its length is flat / (flat + r), where r is the ratio of the least eigenvalue to the
 * next: shorter where the points do not make a plane. With 0 it is 1. */
CLUMP_RULE bool clump_normal_least(const double m[6], double flat, float out[3])
{
    double xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = m[5];
    clump_direction x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    for (int sweep = 0; sweep < 30; sweep++) { /* six suffice: convergence is quadratic */
        const double off = clump_double_add(clump_double_add(fabs(xy), fabs(xz)), fabs(yz));
        const double trace = clump_double_add(clump_double_add(fabs(xx), fabs(yy)), fabs(zz));
        if (!(off > clump_double_mul(clump_double_mul(trace, DBL_EPSILON), 0.005))) break;
        (void)clump_rotate(&xx, &yy, &xy, &xz, &yz, &x, &y, 0);
        (void)clump_rotate(&xx, &zz, &xz, &xy, &yz, &x, &z, 0);
        (void)clump_rotate(&yy, &zz, &yz, &xy, &xz, &y, &z, 0);
    }
    const double most = clump_normal_larger(clump_normal_larger(xx, yy), zz);
    const double middle =
        clump_normal_larger(clump_normal_smaller(xx, yy), clump_normal_smaller(clump_normal_larger(xx, yy), zz));
    if (!(middle > clump_double_mul(most, CLUMP_NORMAL_LINE)) || !(most <= DBL_MAX)) return false;
    const bool is_x = xx <= yy && xx <= zz, is_y = !is_x && yy <= zz;
    double length = 1;
    if (flat > 0) {
        const double least = is_x ? xx : is_y ? yy : zz; /* rounding may leave it below 0 */
        length = clump_double_div(flat, clump_double_add(flat, clump_double_div(least > 0 ? least : 0, middle)));
    }
    out[0] = (float)clump_double_mul(length, is_x ? x.x : is_y ? y.x : z.x);
    out[1] = (float)clump_double_mul(length, is_x ? x.y : is_y ? y.y : z.y);
    out[2] = (float)clump_double_mul(length, is_x ? x.z : is_y ? y.z : z.z);
    return true;
}

/* Sets the normal of the neighbours: of either sign, its length as above; 0 where there are fewer than three or all lie on a line. */
CLUMP_RULE void clump_normal_of(const clump_normal_sums *s, double flat, float normal[3])
{
    normal[0] = normal[1] = normal[2] = 0;
    if (s->count < 3) return;
    double square[6];
    for (int a = 0, m = 0; a < 3; a++)
        for (int b = a; b < 3; b++, m++) {
            const double product = clump_double_mul(s->d[a], s->d[b]);
            square[m] = clump_double_sub(s->square[m], clump_double_div(product, (double)s->count));
        }
    (void)clump_normal_least(square, flat, normal);
}

#endif
