/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mean.h: the mean of float32 values as a sum of integers, so that it does not depend on their order. Compiled by the C
 * compiler and by nvcc.
 *
 *     1  lower, upper, used   of the finite values, each with 0.0f added: -0 becomes 0
 *     2  scale = clump_axis_scale(axis)
 *     3  sum                  of clump_axis_offset(value, lower, scale) over the finite values; 0 where lower == upper
 *     4  clump_axis_mean(axis)
 *
 * The mean is the mean of the offsets from the least of the `used` finite values:
 *   (1) Each offset is scaled by a power of two, which is exact, such that the extent lands in [2^s, 2^(s+1)). Then it
 *       is rounded to an integer of at most 2^(s+1).
 *   (2) s = 62 - b, where b is the number of bits of `used`. So the sum is at most (2^b - 1) * 2^(63-b) < 2^63: it fits
 *       into int64, and integers have the same sum in any order.
 *   (3) s is at least 31 and the mean of the integers is off by at most 1/2. So the error is at most 2^-32 of the
 *       extent, and far less for few points.
 *   (4) The extent is in [2^-149, 2^129), so neither the scale (2^-97 ... 2^209) nor a product overflows double.
 *
 * Rounding never moves the mean out of the extent: one of n < 2^b offsets is 0, so the mean of the integers is at most
 * (1 - 2^-b)(1 + 2^-(s+1)) of the scaled extent. That is below it by at least 2^-32, and the few roundings in double
 * that follow are 2^-53 each.
 */
#ifndef CLUMP_RULES_MEAN_H
#define CLUMP_RULES_MEAN_H

#include "rules/rounded.h"

/* Values along an axis, or of a field. */
typedef struct clump_axis {
    float lower, upper; /* of the finite values; both 0 where there are none */
    int32_t used;       /* number of finite values */
    int64_t sum;        /* of their scaled offsets */
} clump_axis;

CLUMP_RULE double clump_axis_extent(const clump_axis *axis)
{
    return clump_double_sub((double)axis->upper, (double)axis->lower);
}

/* Returns the exponent of the scale; the extent is above 0. */
CLUMP_RULE int clump_axis_exponent(const clump_axis *axis)
{
    const int bits = clump_double_exponent((double)axis->used) + 1;
    return 62 - bits - clump_double_exponent(clump_axis_extent(axis));
}

/* Returns the factor that makes offsets integers; 0 where the extent is 0, then no sum is needed. */
CLUMP_RULE double clump_axis_scale(const clump_axis *axis)
{
    return axis->upper > axis->lower ? clump_double_power(clump_axis_exponent(axis)) : 0;
}

/* Returns the scaled offset of a finite value. */
CLUMP_RULE int64_t clump_axis_offset(float value, float lower, double scale)
{
    return clump_double_round(clump_double_mul(clump_double_sub((double)value, (double)lower), scale));
}

/* Returns the mean; 0 where no value is finite. */
CLUMP_RULE float clump_axis_mean(const clump_axis *axis)
{
    if (!(axis->upper > axis->lower)) return axis->lower;
    const double mean = clump_double_div((double)axis->sum, (double)axis->used);
    const double offset = clump_double_mul(mean, clump_double_power(-clump_axis_exponent(axis)));
    return clump_double_to_float(clump_double_add((double)axis->lower, offset));
}

#endif
