/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plane.h: points in the plane, seen from above: on which side of a line a point is, exactly, and the area of a convex
 * polygon. Compiled by the C compiler and by nvcc.
 */
#ifndef CLUMP_RULES_PLANE_H
#define CLUMP_RULES_PLANE_H

#include "rules/float_key.h"
#include "rules/rounded.h"

#include <stddef.h>

typedef struct clump_xy {
    float x, y;
} clump_xy;

/* Returns a key that sorts by x, then y. Without negative zeros, equal keys are equal points. */
CLUMP_RULE uint64_t clump_key_of_xy(float x, float y)
{
    return (uint64_t)clump_key_of_float(x) << 32 | clump_key_of_float(y);
}

CLUMP_RULE clump_xy clump_xy_of_key(uint64_t key)
{
    const clump_xy p = {clump_float_of_key((uint32_t)(key >> 32)), clump_float_of_key((uint32_t)key)};
    return p;
}

typedef struct clump_vector {
    double x, y;
} clump_vector;

CLUMP_RULE clump_vector clump_vector_make(double x, double y)
{
    const clump_vector v = {x, y};
    return v;
}

CLUMP_RULE clump_vector clump_vector_between(clump_xy from, clump_xy to)
{
    return clump_vector_make(clump_double_sub((double)to.x, (double)from.x),
                             clump_double_sub((double)to.y, (double)from.y));
}

CLUMP_RULE double clump_vector_dot(clump_vector a, clump_vector b)
{
    return clump_double_add(clump_double_mul(a.x, b.x), clump_double_mul(a.y, b.y));
}

CLUMP_RULE double clump_vector_cross(clump_vector a, clump_vector b)
{
    return clump_double_sub(clump_double_mul(a.x, b.y), clump_double_mul(a.y, b.x));
}

/* ----- orientation ---------------------------------------------------------------------------- */

/* Adds a term to an expansion of `count` parts that do not overlap (Shewchuk 1997, grow-expansion). */
CLUMP_RULE void clump_expansion_add(double *parts, int count, double term)
{
    double sum = term;
    for (int j = 0; j < count; j++) {
        const double a = sum, b = parts[j];
        sum = clump_double_add(a, b);
        const double b_kept = clump_double_sub(sum, a), a_kept = clump_double_sub(sum, b_kept);
        parts[j] = clump_double_add(clump_double_sub(a, a_kept), clump_double_sub(b, b_kept)); /* lost by rounding */
    }
    parts[count] = sum;
}

/* Returns the exact sign of the determinant of clump_orientation(), as a sum of six products. A product of two float32 is
 * exact in double. The largest part of the sum that is not 0 has the sign. */
CLUMP_RULE int clump_orientation_exact(clump_xy a, clump_xy b, clump_xy c)
{
    double parts[6];
    clump_expansion_add(parts, 0, clump_double_mul((double)a.x, (double)b.y));
    clump_expansion_add(parts, 1, -clump_double_mul((double)a.y, (double)b.x));
    clump_expansion_add(parts, 2, clump_double_mul((double)b.x, (double)c.y));
    clump_expansion_add(parts, 3, -clump_double_mul((double)b.y, (double)c.x));
    clump_expansion_add(parts, 4, clump_double_mul((double)c.x, (double)a.y));
    clump_expansion_add(parts, 5, -clump_double_mul((double)c.y, (double)a.x));
    for (int i = 5; i >= 0; i--)
        if (parts[i] != 0) return parts[i] > 0 ? 1 : -1;
    return 0;
}

/* Returns +1 where a, b, c turn left, -1 where they turn right, 0 where both products are 0; 2 where rounding leaves it
 * open. In double, differences and products have relative errors of at most 2^-53. So each product has one below 3.4e-16,
 * and the determinant is off by less than 4e-16 of the sum of their magnitudes. Nothing under- or overflows: float32
 * differences are 0 or 2^-149 ... 2^129. */
CLUMP_RULE int clump_orientation_rounded(clump_xy a, clump_xy b, clump_xy c)
{
    const clump_vector ab = clump_vector_between(a, b), ac = clump_vector_between(a, c);
    const double left = clump_double_mul(ab.x, ac.y), right = clump_double_mul(ab.y, ac.x);
    const double determinant = clump_double_sub(left, right);
    const double magnitude = clump_double_add(fabs(left), fabs(right));
    if (fabs(determinant) >= clump_double_mul(1e-15, magnitude)) return (determinant > 0) - (determinant < 0);
    return 2;
}

/* Returns +1 where a, b, c turn left, -1 where they turn right, 0 on one line; exactly. */
CLUMP_RULE int clump_orientation(clump_xy a, clump_xy b, clump_xy c)
{
    const int rounded = clump_orientation_rounded(a, b, c);
    return rounded == 2 ? clump_orientation_exact(a, b, c) : rounded;
}

/* ----- area ------------------------------------------------------------------------------------- */

/* Returns twice the area of the triangle of corners 0, i and i + 1. */
CLUMP_RULE double clump_triangle_twice(const clump_xy *hull, size_t i)
{
    return clump_vector_cross(clump_vector_between(hull[0], hull[i]), clump_vector_between(hull[0], hull[i + 1]));
}

/* Returns the area of a convex polygon from the sum of clump_triangle_twice() over i = 1 ... corners - 2, in this order. */
CLUMP_RULE double clump_area_of_sum(double twice)
{
    return twice > 0 ? clump_double_mul(0.5, twice) : 0;
}

CLUMP_RULE double clump_polygon_area(const clump_xy *hull, size_t corners)
{
    double twice = 0;
    for (size_t i = 1; i + 1 < corners; i++) twice = clump_double_add(twice, clump_triangle_twice(hull, i));
    return clump_area_of_sum(twice);
}

#endif
