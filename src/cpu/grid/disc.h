/* SPDX-License-Identifier: BSD-3-Clause
 *
 * disc.h: the flat cylinder around some points of a wall.
 */
#ifndef CLUMP_CPU_GRID_DISC_H
#define CLUMP_CPU_GRID_DISC_H

#include "cpu/grid/extent.h"
#include "cpu/grid/sieve.h"

/* All points are within `radius` of `middle`, and within `half` of the plane through `middle` with the normal n. n has
 * length 1, or 0 where no normal was found. A bad normal only makes `half` large. */
typedef struct clump_disc {
    float middle[3], n[3];
    float radius, half;
} clump_disc;

/* Returns the disc of n >= 1 points with the tight box `of`. */
clump_disc clump_disc_of(const clump_point *p, size_t n, const clump_box *of);

/* Returns whether two discs may hold points that are closer than d. The rounding is that of patches.c. */
bool clump_discs_near(const clump_disc *a, const clump_disc *b, float d);

#endif
