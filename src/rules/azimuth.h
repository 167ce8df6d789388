/* SPDX-License-Identifier: BSD-3-Clause
 *
 * azimuth.h: the partition of a point by its direction seen from the sensor, for the method `azimuth`
 * of nn. Compiled by the C compiler and by nvcc, from operations that both round alike, so that a
 * point is in the same partition everywhere; atan2f would not promise that.
 */
#ifndef CLUMP_RULES_AZIMUTH_H
#define CLUMP_RULES_AZIMUTH_H

#include "rules/distance.h"

#if defined(__CUDA_ARCH__)
#define CLUMP_AZIMUTH_STEP(sum, t, c) __fadd_rn(__fmul_rn((sum), (t)), (c))
#define CLUMP_AZIMUTH_MUL(a, b)       __fmul_rn((a), (b))
#define CLUMP_AZIMUTH_DIV(a, b)       __fdiv_rn((a), (b))
#else
#define CLUMP_AZIMUTH_STEP(sum, t, c) ((sum) * (t) + (c))
#define CLUMP_AZIMUTH_MUL(a, b)       ((a) * (b))
#define CLUMP_AZIMUTH_DIV(a, b)       ((a) / (b))
#endif

/* Direction of (x, y) in turns, 0 at the x axis, counted from x to y; in [0, 1], finite coordinates. A polynomial
 * for atan(t) / 2 pi on [0, 1], fitted by least squares, off by 0.0001 degrees at most, and its
 * mirror images. */
CLUMP_RULE float clump_azimuth(float x, float y)
{
    const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    const float high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    if (!(high > 0)) return 0;
    const float t = CLUMP_AZIMUTH_DIV(low, high), u = CLUMP_AZIMUTH_MUL(t, t);
    float sum = -0.0018733332f;
    sum = CLUMP_AZIMUTH_STEP(sum, u, 0.0084071191f);
    sum = CLUMP_AZIMUTH_STEP(sum, u, -0.0185656016f);
    sum = CLUMP_AZIMUTH_STEP(sum, u, 0.0308235881f);
    sum = CLUMP_AZIMUTH_STEP(sum, u, -0.0529437644f);
    sum = CLUMP_AZIMUTH_STEP(sum, u, 0.1591517336f);
    float turn = CLUMP_AZIMUTH_MUL(sum, t);
    if (ay > ax) turn = 0.25f - turn;
    if (x < 0) turn = 0.5f - turn;
    if (y < 0) turn = 1.0f - turn;
    return turn;
}

/* 0 ... partitions - 1; partitions is at least 1. */
CLUMP_RULE int clump_azimuth_partition(float x, float y, int partitions)
{
    const int p = (int)CLUMP_AZIMUTH_MUL(clump_azimuth(x, y), (float)partitions);
    return p < 0 ? 0 : p >= partitions ? partitions - 1 : p;
}

#endif
