/* SPDX-License-Identifier: BSD-3-Clause
 *
 * covariance.h: the covariance of points from exact sums of integers, so that it does not depend on their order. Compiled
 * by the C compiler and by nvcc.
 *
 *     1  q = clump_moment_offset(value, lower, clump_moment_scale(axis)), per coordinate: an integer of at most 2^31
 *     2  clump_moments_add() for every point whose three coordinates are finite; or the same sums in any other order
 *     3  clump_covariance()
 *
 * Bounds for n < 2^31 points:
 *   (1) Offsets from `lower` are scaled by a power of two such that the extent is in [2^30, 2^31). So q is at most 2^31,
 *       and off by 1/2.
 *   (2) A product of two q is at most 2^62. Its low 32 bits and the others are summed apart: the sums are below 2^63 and
 *       at most 2^61. The sum of q is below 2^62.
 *   (3) n * (sum of products) - (sum of q)(sum of q) is exact in 128 bits: both terms are below 2^124. This is n^2 times
 *       the covariance.
 *   (4) It is rounded to double, divided by n twice, and scaled by 2^-358 ... 2^198: nothing under- or overflows.
 */
#ifndef CLUMP_RULES_COVARIANCE_H
#define CLUMP_RULES_COVARIANCE_H

#include "rules/mean.h"

/* Pairs of axes: xx, xy, xz, yy, yz, zz. */
enum { CLUMP_XX, CLUMP_XY, CLUMP_XZ, CLUMP_YY, CLUMP_YZ, CLUMP_ZZ, CLUMP_PAIRS_OF_AXES };

typedef struct clump_moments {
    uint64_t used;                      /* points */
    uint64_t sum[3];                    /* of q */
    uint64_t low[CLUMP_PAIRS_OF_AXES];  /* of the low 32 bits of products */
    uint64_t high[CLUMP_PAIRS_OF_AXES]; /* of the products >> 32 */
} clump_moments;

/* Returns the exponent of the scale of an axis; the extent is above 0. */
CLUMP_RULE int clump_moment_exponent(const clump_axis *axis)
{
    return 30 - clump_double_exponent(clump_axis_extent(axis));
}

/* Returns the factor that makes offsets integers; 0 where the extent is 0: all offsets are 0 then. */
CLUMP_RULE double clump_moment_scale(const clump_axis *axis)
{
    return axis->upper > axis->lower ? clump_double_power(clump_moment_exponent(axis)) : 0;
}

/* Returns q of a finite coordinate. Adding 2^52 rounds to the nearest integer, ties to even, which the low bits hold. */
CLUMP_RULE uint32_t clump_moment_offset(float value, float lower, double scale)
{
    const double offset = clump_double_mul(clump_double_sub((double)value, (double)lower), scale);
    const double rounded = clump_double_add(offset, 0x1p52);
    uint64_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return (uint32_t)bits;
}

CLUMP_RULE void clump_moments_add_pair(clump_moments *m, int pair, uint32_t a, uint32_t b)
{
    const uint64_t product = (uint64_t)a * b;
    m->low[pair] += product & 0xffffffffu;
    m->high[pair] += product >> 32;
}

CLUMP_RULE void clump_moments_add(clump_moments *m, uint32_t qx, uint32_t qy, uint32_t qz)
{
    m->used++;
    m->sum[0] += qx, m->sum[1] += qy, m->sum[2] += qz;
    clump_moments_add_pair(m, CLUMP_XX, qx, qx);
    clump_moments_add_pair(m, CLUMP_XY, qx, qy);
    clump_moments_add_pair(m, CLUMP_XZ, qx, qz);
    clump_moments_add_pair(m, CLUMP_YY, qy, qy);
    clump_moments_add_pair(m, CLUMP_YZ, qy, qz);
    clump_moments_add_pair(m, CLUMP_ZZ, qz, qz);
}

/* ----- 128 bits ---------------------------------------------------------------------------------- */

typedef struct clump_u128 {
    uint64_t high, low;
} clump_u128;

/* Returns a * b. */
CLUMP_RULE clump_u128 clump_u128_product(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = (a0 * b0 >> 32) + (uint32_t)(a0 * b1) + (uint32_t)(a1 * b0);
    const clump_u128 r = {a1 * b1 + (a0 * b1 >> 32) + (a1 * b0 >> 32) + (middle >> 32), a * b};
    return r;
}

/* Returns a - b modulo 2^128. */
CLUMP_RULE clump_u128 clump_u128_minus(clump_u128 a, clump_u128 b)
{
    const clump_u128 r = {a.high - b.high - (a.low < b.low), a.low - b.low};
    return r;
}

CLUMP_RULE clump_u128 clump_u128_plus(clump_u128 a, clump_u128 b)
{
    const clump_u128 r = {a.high + b.high + (a.low + b.low < a.low), a.low + b.low};
    return r;
}

/* Returns the nearest double of a value below 2^125, ties to even. The value is shifted into 63 or 64 bits. The lowest one
 * stands for all bits that are lost; it is beyond the 53 bits that stay and the one that rounds. */
CLUMP_RULE double clump_u128_to_double(clump_u128 a)
{
    if (a.high == 0) return (double)a.low;
    const int shift = clump_double_exponent((double)a.high) + 1;
    const uint64_t lost = a.low << (64 - shift);
    const uint64_t kept = a.high << (64 - shift) | a.low >> shift;
    return clump_double_mul((double)(kept | (lost != 0)), clump_double_power(shift));
}

/* ----- covariance -------------------------------------------------------------------------------- */

/* Returns n^2 times the covariance of a pair of axes, in units of q. */
CLUMP_RULE double clump_covariance_of_pair(const clump_moments *m, int pair, int a, int b)
{
    const clump_u128 high = {m->high[pair] >> 32, m->high[pair] << 32}, low = {0, m->low[pair]};
    const clump_u128 products = clump_u128_plus(high, low);
    clump_u128 first = clump_u128_product(products.low, m->used);
    first.high += products.high * m->used;
    const clump_u128 second = clump_u128_product(m->sum[a], m->sum[b]), zero = {0, 0};
    const clump_u128 difference = clump_u128_minus(first, second);
    if (difference.high >> 63) return -clump_u128_to_double(clump_u128_minus(zero, difference));
    return clump_u128_to_double(difference);
}

/* Computes the covariance in double: mean of the products of the offsets from the mean. 0 where no point counts. */
CLUMP_RULE void clump_covariance(const clump_moments *m, const clump_axis axis[3], double covariance[6])
{
    double unit[3]; /* of q */
    for (int k = 0; k < 3; k++)
        unit[k] = axis[k].upper > axis[k].lower ? clump_double_power(-clump_moment_exponent(&axis[k])) : 0;
    const double n = (double)(m->used > 0 ? m->used : 1);
    int pair = 0;
    for (int a = 0; a < 3; a++) {
        for (int b = a; b < 3; b++, pair++) {
            const double mean = clump_double_div(clump_double_div(clump_covariance_of_pair(m, pair, a, b), n), n);
            covariance[pair] = clump_double_mul(clump_double_mul(mean, unit[a]), unit[b]);
        }
    }
}

#endif
