/* SPDX-License-Identifier: BSD-3-Clause
 *
 * angle.h: the angle of a direction in degrees. The functions of the C libraries and of CUDA differ in their last bits;
 * this one takes only operations that are rounded alike everywhere.
 *
 *   (1) r = the smaller of x and y divided by the larger one, in [0, 1].
 *   (2) c = i / 8 is the nearest to r. atan(r) = atan(c) + atan(s) with s = (r - c) / (1 + r c), |s| <= 1/16.
 *   (3) atan(s) = s - s^3/3 + s^5/5 ... - s^15/15; the next term is below 2^-72.
 *   (4) Where y is larger, the angle is 90 degrees less that of r.
 *
 * The relative error is below 2^-50: r, r - c, 1 + r c, s, the series, the factor to degrees, its product, and the last
 * sum are each off by at most 2^-53, and no term of a sum is larger than twice the sum.
 */
#ifndef CLUMP_RULES_ANGLE_H
#define CLUMP_RULES_ANGLE_H

#include "rules/rounded.h"

/* Returns factor * (value + sum), the step of a polynomial. */
CLUMP_RULE double clump_angle_step(double factor, double value, double sum)
{
    return clump_double_mul(factor, clump_double_add(value, sum));
}

/* Returns atan(r) in degrees for 0 <= r <= 1. */
CLUMP_RULE double clump_degrees_of_slope(double r)
{
    const double degrees[9] = {0, /* of atan(i / 8) */
                               0x1.c80044927fe83p+2,
                               0x1.c128e80fae02ep+3,
                               0x1.48e58fac13547p+4,
                               0x1.a90a731a61dc4p+4,
                               0x1.000b0659f5545p+5,
                               0x1.26f58ce59e23cp+5,
                               0x1.497cc65551cf8p+5,
                               45};
    const int i = (int)clump_double_add(clump_double_mul(8, r), 0.5);
    const double c = clump_double_mul(0.125, (double)i);
    const double s = clump_double_div(clump_double_sub(r, c), clump_double_add(1, clump_double_mul(r, c)));
    const double square = clump_double_mul(s, s);
    double tail = clump_angle_step(square, -1.0 / 15, 0);
    tail = clump_angle_step(square, 1.0 / 13, tail);
    tail = clump_angle_step(square, -1.0 / 11, tail);
    tail = clump_angle_step(square, 1.0 / 9, tail);
    tail = clump_angle_step(square, -1.0 / 7, tail);
    tail = clump_angle_step(square, 1.0 / 5, tail);
    tail = clump_angle_step(square, -1.0 / 3, tail);
    const double radians = clump_double_add(s, clump_double_mul(s, tail));
    return clump_double_add(degrees[i], clump_double_mul(radians, 0x1.ca5dc1a63c1f8p+5)); /* 180 / pi */
}

/* Returns the angle of a direction with x > 0 and y >= 0 in degrees, from the axis of x; [0, 90]. The quotient of the
 * smaller and the larger one does not underflow to less than 2^-1022. */
CLUMP_RULE double clump_degrees(double x, double y)
{
    if (y <= x) return clump_degrees_of_slope(clump_double_div(y, x));
    return clump_double_sub(90, clump_degrees_of_slope(clump_double_div(x, y)));
}

#endif
