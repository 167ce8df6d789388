/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.h: the rings of a scan that does not name them (clump_objects). Compiled by the C compiler and by nvcc. Counts are
 * integers and each verdict is a function of them, so all backends find the same rings.
 *
 * Order of the points: ring after ring, the azimuth in each ring ascending or descending. A step goes from the last point
 * that has a direction to the next one:
 *
 *     azimuth  .1 .2 .4 .9 │ .0 .3 .8 │ .1 ...       a jump by more than half a turn begins the next ring
 *     ring      0  0  0  0 │  1  1  1 │  2           a jump the other way, back across azimuth 0, ends it again
 *
 * Vertical angles: a histogram of angles that has narrow peaks with empty bins between them (core/rings.h).
 */
#ifndef CLUMP_RULES_RINGS_H
#define CLUMP_RULES_RINGS_H

#include "rules/azimuth.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Limits of the order. KITTI's 15 frames in the data set: 63 jumps down and none up, at most 1.1 % of the steps backward, at
 * most 2.1 % of them steep. */
enum {
    CLUMP_RINGS_LEAST = 8,        /* rings; a turn that is sorted by time has 1 */
    CLUMP_RINGS_BLANKS = 64,      /* a step may pass over fewer points without a direction */
    CLUMP_RINGS_OTHER_WAY = 8,    /* one of so many jumps may go the other way: azimuths at the end of a turn overlap */
    CLUMP_RINGS_BACKWARD = 20,    /* one of so many steps may go backward */
    CLUMP_RINGS_STEEP = 10,       /* one of so many steps may be steep */
    CLUMP_RINGS_STEEP_EVERY = 64, /* only steps to points whose index is a multiple are tested for it */
    CLUMP_RINGS_BINS = 16384      /* of the vertical angle, half a turn: 0.011 degrees each */
};
#define CLUMP_RINGS_STEEP_TURNS 0x1.2p-11f /* 0.2 degrees; a laser's vertical angle changes by less */
#define CLUMP_RINGS_BLANK       (-1.0f)    /* azimuth of a point without a direction */

/* Returns the azimuth of a point around the sensor; CLUMP_RINGS_BLANK for a point that is not finite, that is on the axis
 * of the sensor, or too far away from it for float32. x, across and up are coordinates, sensor is their value there. */
CLUMP_RULE float clump_rings_azimuth(float x, float across, float up, float sensor_x, float sensor_across)
{
    const float dx = clump_rn_sub(x, sensor_x), da = clump_rn_sub(across, sensor_across);
    const float zero = clump_rn_add(clump_rn_add(clump_rn_sub(dx, dx), clump_rn_sub(da, da)), clump_rn_sub(up, up));
    const float azimuth = clump_rn_add(clump_azimuth(dx, da), 0.0f); /* no -0: azimuths are sorted by their bits */
    return (zero == 0) & ((dx != 0) | (da != 0)) ? azimuth : CLUMP_RINGS_BLANK;
}

/* Returns the vertical angle of a point in turns, -0.25 ... 0.25, positive above the sensor. dx and da are its horizontal
 * distances from the sensor, dh its height above it; NaN where these overflow. */
CLUMP_RULE float clump_rings_elevation(float dx, float da, float dh)
{
    const float square = clump_rn_add(clump_rn_mul(dx, dx), clump_rn_mul(da, da));
#if defined(__CUDA_ARCH__)
    const float turn = clump_azimuth(__fsqrt_rn(square), dh);
#else
    const float turn = clump_azimuth(sqrtf(square), dh);
#endif
    return turn > 0.5f ? clump_rn_sub(turn, 1.0f) : turn;
}

/* Returns the bin of a vertical angle; -1 for NaN. */
CLUMP_RULE int32_t clump_rings_bin(float elevation)
{
    if (!(elevation >= -0.25f)) return -1;
    const int32_t bin = (int32_t)clump_rn_mul(clump_rn_add(elevation, 0.25f), 2.0f * CLUMP_RINGS_BINS);
    return bin < CLUMP_RINGS_BINS ? bin : CLUMP_RINGS_BINS - 1;
}

/* Returns whether a step between two vertical angles is steep. NaN counts as steep. */
CLUMP_RULE bool clump_rings_is_steep(float from, float to)
{
    const float change = clump_rn_sub(to, from);
    return !(change <= CLUMP_RINGS_STEEP_TURNS && change >= -CLUMP_RINGS_STEEP_TURNS);
}

/* What the steps of a cloud do: sums over all points. */
typedef struct clump_ring_steps {
    uint32_t up, down;      /* steps by at most half a turn, to a larger and to a smaller azimuth */
    uint32_t jump_up;       /* by more than half a turn, to a larger azimuth */
    uint32_t jump_down;     /* to a smaller one */
    uint32_t tested, steep; /* for a change of the vertical angle */
    uint32_t lost;          /* points after CLUMP_RINGS_BLANKS points or more without a direction */
} clump_ring_steps;

/* Returns 1 for a jump down, -1 for a jump up, else 0. */
CLUMP_RULE int32_t clump_rings_jump(float from, float to)
{
    const float change = clump_rn_sub(to, from);
    return (change < -0.5f) - (change > 0.5f);
}

/* The verdict on the order. The ring of a point is the sum of `sign` times the jumps up to it, but at least 0 and at most
 * rings - 1. A point without a direction is in the ring of the point before it. */
typedef struct clump_ring_order {
    int32_t rings; /* 0: the points are not in the order of their rings */
    int32_t sign;  /* 1: azimuths ascend, -1: they descend */
} clump_ring_order;

CLUMP_RULE clump_ring_order clump_rings_order(clump_ring_steps s, int32_t most)
{
    const bool ascending = s.jump_down > s.jump_up;
    const uint32_t jumps = ascending ? s.jump_down : s.jump_up, others = ascending ? s.jump_up : s.jump_down;
    const uint32_t backward = ascending ? s.down : s.up, forward = ascending ? s.up : s.down;
    const clump_ring_order none = {0, 1};
    if (s.lost > 0 || jumps - others + 1 < CLUMP_RINGS_LEAST || jumps - others + 1 > (uint32_t)most) return none;
    if (others > jumps / CLUMP_RINGS_OTHER_WAY || backward > (forward + backward) / CLUMP_RINGS_BACKWARD) return none;
    if (s.steep > s.tested / CLUMP_RINGS_STEEP) return none;
    const clump_ring_order order = {(int32_t)(jumps - others) + 1, ascending ? 1 : -1};
    return order;
}

/* Returns the ring of a point from the sum of the jumps up to it. */
CLUMP_RULE int32_t clump_rings_of_jumps(clump_ring_order order, int32_t jumps)
{
    const int32_t ring = order.sign * jumps;
    return ring < 0 ? 0 : ring < order.rings ? ring : order.rings - 1;
}

#endif
