/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cell.h: maps a coordinate to its cell of the grid. For the distance d of a call:
 *
 *   (1) two points in one cell are always neighbours:         d2 <  bound, and so d2 <= bound
 *   (2) two neighbours lie at most two cells apart on every axis, also where d2 == bound.
 *
 * Both hold for the rounded float32 distance of distance.h, not only for real numbers. The edge is
 * h = (1 - 2^-20) d / sqrt(3) in 3-D, d / sqrt(2) in 2-D, and a cell is x * (1/h) in double, rounded
 * to the nearest integer.
 *
 * Near the origin, |x| < far, with far = the power of two in [2^26 h, 2^27 h):
 *   The product is a monotone function of x, so a cell is an interval of floats. Its relative error
 *   is below 2^-51, its magnitude below 2^27, so an interval is no longer than h (1 + 2^-23).
 *   (1) Each |dx| <= h (1 + 2^-23); float32 adds a factor (1 + 2^-24) to each of at most five
 *       roundings, so d2 <= 3 h^2 (1 + 2^-21) = d^2 (1 - 2^-20)^2 (1 + 2^-21) < d^2 (1 - 2^-24) <= bound.
 *       A square that underflows is off by at most 2^-150, which is 2^-24 of the smallest bound.
 *   (2) d2 <= bound gives |dx| <= d (1 + 2^-22) = sqrt(3) h (1 + 2^-20 + ...) < 1.7321 h. The two
 *       products differ by less than 1.74, the integers nearest to them by at most 2.
 * Far out, |x| >= far, floats are at least 4 h > d apart, just below far too. Two different values
 * are never neighbours, so every value is a cell of its own, numbered by its bit pattern:
 *   (1) same cell means the same value;  (2) neighbours have the same value, hence the same cell.
 * With d >= 2^-63 the numbers stay below 2^31: the pattern of far is at least (127 - 63 + 25) << 23.
 *
 * Far numbers follow near ones with a gap of one number, because host and device may round the last product below `far`
 * to different integers. So a search window that is w wide has at most w / h + 12 cells, wherever it lies: near cells
 * are h wide, far cells at least 4 h apart, and rounding moves each end of the window by at most 4 h, half of the
 * largest distance of two floats below `far`.
 */
#ifndef CLUMP_RULES_CELL_H
#define CLUMP_RULES_CELL_H

#include "rules/distance.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct clump_cell_rule {
    double inverse;   /* cells per unit of length */
    float far;        /* from here on every float is a cell of its own */
    int32_t far_cell; /* number of the cell of `far`, minus its bit pattern */
} clump_cell_rule;

/* Returns the cell of x where |x| < far. Adding 1.5 * 2^52 leaves no bits for a fraction: the sum is rounded to an
 * integer, and the low half of its bit pattern is that integer. This is cheaper than a conversion and can be
 * vectorised. */
CLUMP_RULE int32_t clump_cell_near(float x, double inverse)
{
#if defined(__CUDA_ARCH__)
    const double sum = __fma_rn((double)x, inverse, 0x1.8p52); /* explicit, so that all uses in a kernel round alike */
#else
    const double sum = (double)x * inverse + 0x1.8p52;
#endif
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (int32_t)bits;
}

/* Returns the rule for cells of this edge. */
CLUMP_RULE clump_cell_rule clump_cell_rule_of_edge(double edge)
{
    int exponent;
    const double fraction = frexp(edge, &exponent); /* [0.5, 1) */
    clump_cell_rule rule = {
        .inverse = 1 / edge, .far = (float)ldexp(1.0, exponent + 26 - (fraction == 0.5)), .far_cell = 0};
    int32_t bits;
    memcpy(&bits, &rule.far, sizeof bits);
    rule.far_cell = clump_cell_near(nextafterf(rule.far, 0), rule.inverse) + 2 - bits;
    return rule;
}

/* Returns the rule for the distance d: edge h as above. */
CLUMP_RULE clump_cell_rule clump_cell_rule_make(float d, bool two_d)
{
    const double root = two_d ? 1.4142135623730951 : 1.7320508075688772;
    return clump_cell_rule_of_edge((double)d / root * (1 - 0x1p-20));
}

/* Returns the rule for voxels: larger cells, for a neighbour search point by point. Their edge is e = d (1 + 2^-20).
 * Two neighbours lie at most one voxel apart on every axis, so the 27 voxels around a point hold all of its neighbours.
 * With an edge of d and float32 division they would not. Proof:
 *   Near: |dx| <= d (1 + 2^-22) as in (2) is less than e (1 - 2^-21). The products are below 2^27 with
 *   relative errors below 2^-51, so they differ by less than 1 - 2^-21 + 2^-23 < 1, and the integers
 *   nearest to them by at most 1.
 *   Far: as above, with 4 e > d in place of 4 h; neighbours have the same value, hence the same voxel. */
CLUMP_RULE clump_cell_rule clump_voxel_rule_make(float d)
{
    return clump_cell_rule_of_edge((double)d * (1 + 0x1p-20));
}

/* Returns the cell of x, which is finite. */
CLUMP_RULE int32_t clump_cell(float x, clump_cell_rule rule)
{
    if (fabsf(x) < rule.far) return clump_cell_near(x, rule.inverse);
    int32_t bits;
    const float magnitude = fabsf(x);
    memcpy(&bits, &magnitude, sizeof bits);
    return x > 0 ? bits + rule.far_cell
                 : -(bits + rule.far_cell); /* rounding is symmetric: the proof holds for -far too */
}

#endif
