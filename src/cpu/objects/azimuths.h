/* SPDX-License-Identifier: BSD-3-Clause
 *
 * azimuths.h: clump_rings_azimuth, and the bins of clump_rings_elevation, for many points at a time, without branches, so that
 * the compiler vectorises them.
 */
#ifndef CLUMP_CPU_OBJECTS_AZIMUTHS_H
#define CLUMP_CPU_OBJECTS_AZIMUTHS_H

#include "common/bits.h"
#include "core/node.h"
#include "cpu/shared/points.h"
#include "rules/rings.h"

enum { CLUMP_AZIMUTHS = 256 }; /* points at a time; as batches of the ground */

/* Returns how many of the points begin ... end - 1 are computed at a time. */
static inline int clump_azimuths_size(size_t begin, size_t end)
{
    return end - begin < CLUMP_AZIMUTHS ? (int)(end - begin) : CLUMP_AZIMUTHS;
}

/* Returns `value` where the mask is -1, 0 where it is 0. */
static inline float clump_azimuth_if(int32_t mask, float value)
{
    return clump_float_of_bits(clump_float_bits(value) & (uint32_t)mask);
}

/* Returns `around` - turn where the mask is -1, turn where it is 0. */
static inline float clump_azimuth_mirror(int32_t mask, float around, float turn)
{
    const float signed_turn = clump_float_of_bits(clump_float_bits(turn) ^ ((uint32_t)mask & 0x80000000u));
    return clump_azimuth_if(mask, around) + signed_turn; /* 0 + turn is turn, which is not -0 */
}

/* Returns atan(t) / 2 pi: the polynomial of clump_azimuth. */
static inline float clump_azimuth_sum(float t)
{
    const float u = t * t;
    float sum = -0.0018733332f;
    sum = (sum * u) + 0.0084071191f;
    sum = (sum * u) + -0.0185656016f;
    sum = (sum * u) + 0.0308235881f;
    sum = (sum * u) + -0.0529437644f;
    sum = (sum * u) + 0.1591517336f;
    return sum * t;
}

/* Computes the azimuths of points begin ... begin + n - 1: the steps of clump_azimuth, with masks in place of branches. A
 * division by 0 gives NaN, which is not taken. */
static inline void clump_azimuths(const clump_cloud_job *in, const clump_objects_rule *rule, size_t begin, int n,
                                  float *restrict azimuth)
{
    CLUMP_ASSERT(n > 0 && n <= CLUMP_AZIMUTHS);
    float x[CLUMP_AZIMUTHS], across[CLUMP_AZIMUTHS], up[CLUMP_AZIMUTHS];
    clump_split_points(in, begin, n, rule->across, rule->up, x, across, up);
    const float sensor_x = rule->sensor[0], sensor_across = rule->sensor[rule->across];
    for (int k = 0; k < n; k++) {
        const float dx = x[k] - sensor_x, da = across[k] - sensor_across;
        const float zero = ((dx - dx) + (da - da)) + (up[k] - up[k]);
        const float ax = fabsf(dx), ay = fabsf(da);
        const int32_t steep = -(ay > ax);
        const float high = clump_azimuth_if(steep, ay) + clump_azimuth_if(~steep, ax);
        const float low = clump_azimuth_if(steep, ax) + clump_azimuth_if(~steep, ay);
        float turn = clump_azimuth_mirror(steep, 0.25f, clump_azimuth_sum(low / high));
        turn = clump_azimuth_mirror(-(dx < 0), 0.5f, turn);
        turn = clump_azimuth_mirror(-(da < 0), 1.0f, turn);
        const int32_t known = -((zero == 0) & (high > 0));
        azimuth[k] = clump_float_of_bits((clump_float_bits(turn) & (uint32_t)known) |
                                         (clump_float_bits(CLUMP_RINGS_BLANK) & (uint32_t)~known));
    }
}

/* Computes the bins of the vertical angles of points begin ... begin + n - 1, whose azimuths are known; UINT16_MAX where there
 * is none. In the same way. */
static inline void clump_elevation_bins(const clump_cloud_job *in, const clump_objects_rule *rule, size_t begin, int n,
                                        const float *restrict azimuth, uint16_t *restrict bins)
{
    CLUMP_ASSERT(n > 0 && n <= CLUMP_AZIMUTHS);
    float x[CLUMP_AZIMUTHS], across[CLUMP_AZIMUTHS], up[CLUMP_AZIMUTHS];
    clump_split_points(in, begin, n, rule->across, rule->up, x, across, up);
    const float sensor_x = rule->sensor[0], sensor_across = rule->sensor[rule->across];
    const float sensor_up = rule->sensor[rule->up], sign = rule->sign;
    for (int k = 0; k < n; k++) {
        const float dx = x[k] - sensor_x, da = across[k] - sensor_across, dh = sign * (up[k] - sensor_up);
        const float flat = sqrtf((dx * dx) + (da * da)), height = fabsf(dh);
        const int32_t steep = -(height > flat);
        const float high = clump_azimuth_if(steep, height) + clump_azimuth_if(~steep, flat);
        const float low = clump_azimuth_if(steep, flat) + clump_azimuth_if(~steep, height);
        float turn = clump_azimuth_mirror(steep, 0.25f, clump_azimuth_sum(low / high));
        turn = clump_azimuth_if(-(high > 0), clump_azimuth_mirror(-(dh < 0), 1.0f, turn));
        turn = turn - clump_azimuth_if(-(turn > 0.5f), 1.0f);
        const int32_t known = -((turn >= -0.25f) & (azimuth[k] >= 0));
        const int32_t bin = (int32_t)(clump_azimuth_if(known, turn + 0.25f) * (2.0f * CLUMP_RINGS_BINS));
        const int32_t last = bin < CLUMP_RINGS_BINS ? bin : CLUMP_RINGS_BINS - 1;
        bins[k] = (uint16_t)(last | ~known);
    }
}

#endif
