/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.h: which points of a scan are compared with each other, where neighbours are those of the scan (clump_objects).
 * Compiled by the C compiler and by nvcc.
 *
 *     ring r      ... a   b   c   d ...      by azimuth, then by index; the last is followed by the first
 *                         │╲ ╲
 *     ring r + 1  ... x   y   z  ...         b is compared with c, d ... and with x, y, z, where y has the nearest azimuth
 *
 * Only points that are clustered are in the rings. Azimuths are those of rules/rings.h.
 */
#ifndef CLUMP_RULES_SCAN_H
#define CLUMP_RULES_SCAN_H

#include "rules/rings.h"

#include <stdint.h>

enum {
    CLUMP_SCAN_NEXT = 12, /* points in the same ring, until one is within the finest radius */
    CLUMP_SCAN_RINGS = 3, /* next rings, until one has a point within the finest radius */
    CLUMP_SCAN_BESIDE = 1 /* points on either side of the nearest */
};

/* Returns the azimuth of a point in its ring, from that of clump_rings_azimuth: 0 for a point without a direction. */
CLUMP_RULE float clump_scan_azimuth(float azimuth)
{
    return azimuth < 0 ? 0 : azimuth;
}

/* Returns the distance of two azimuths, in turns: the smaller of two ways round. */
CLUMP_RULE float clump_scan_apart(float a, float b)
{
    const float way = fabsf(clump_rn_sub(a, b)), other = clump_rn_sub(1.0f, way);
    return way < other ? way : other;
}

/* Returns the position of the nearest azimuth in a ring of n sorted ones, n above 0. `from` is the number of those that
 * are smaller than `azimuth`. */
CLUMP_RULE uint32_t clump_scan_nearest(const float *ring, uint32_t n, uint32_t from, float azimuth)
{
    const uint32_t before = from > 0 ? from - 1 : n - 1, after = from < n ? from : 0;
    return clump_scan_apart(ring[before], azimuth) <= clump_scan_apart(ring[after], azimuth) ? before : after;
}

/* Returns the level at which two points are joined, of `levels` with ascending bounds; `levels` where they are not. */
CLUMP_RULE int clump_scan_level(float d2, const float *a, const float *b, int levels)
{
    for (int k = 0; k < levels; k++)
        if (d2 < (a[k] < b[k] ? a[k] : b[k])) return k;
    return levels;
}

#endif
