/* SPDX-License-Identifier: BSD-3-Clause
 *
 * azimuth.h: the partition of a point by its direction from the sensor, for the method `azimuth` of nn. Compiled by
 * the C compiler and by nvcc. Both round these operations alike, so all backends put a point into the same partition.
 * atan2f does not guarantee that.
 */
#ifndef CLUMP_RULES_AZIMUTH_H
#define CLUMP_RULES_AZIMUTH_H

#include "rules/rounded.h"

/* Returns the direction of (x, y) in turns, in [0, 1]: 0 at the x axis, growing towards the y axis. x and y are finite.
 * A polynomial approximates atan(t) / 2 pi on [0, 1]; the other octants are its mirror images. It was fitted by least
 * squares and is off by at most 0.0001 degrees. */
CLUMP_RULE float clump_azimuth(float x, float y)
{
    const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    const float high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    if (!(high > 0)) return 0;
    const float t = clump_rn_div(low, high), u = clump_rn_mul(t, t);
    float sum = -0.0018733332f;
    sum = clump_rn_add(clump_rn_mul(sum, u), 0.0084071191f);
    sum = clump_rn_add(clump_rn_mul(sum, u), -0.0185656016f);
    sum = clump_rn_add(clump_rn_mul(sum, u), 0.0308235881f);
    sum = clump_rn_add(clump_rn_mul(sum, u), -0.0529437644f);
    sum = clump_rn_add(clump_rn_mul(sum, u), 0.1591517336f);
    float turn = clump_rn_mul(sum, t);
    if (ay > ax) turn = 0.25f - turn;
    if (x < 0) turn = 0.5f - turn;
    if (y < 0) turn = 1.0f - turn;
    return turn;
}

/* Returns a partition in 0 ... partitions - 1; partitions is at least 1. */
CLUMP_RULE int clump_azimuth_partition(float x, float y, int partitions)
{
    const int p = (int)clump_rn_mul(clump_azimuth(x, y), (float)partitions);
    return p < 0 ? 0 : p >= partitions ? partitions - 1 : p;
}

#endif
