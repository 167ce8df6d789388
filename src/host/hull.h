/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hull.h: the convex hull of points in the plane, and the rectangle of least area around it. Both depend on the set of
 * points only, not on their order.
 */
#ifndef CLUMP_HOST_HULL_H
#define CLUMP_HOST_HULL_H

#include <stddef.h>

typedef struct clump_xy {
    float x, y;
} clump_xy;

typedef struct clump_rectangle {
    double center[2];
    double size[2]; /* along the direction and across it */
    double yaw;     /* degrees, [0, 90] before rounding to float */
} clump_rectangle;

/* Returns the bytes of scratch, aligned to 8, that clump_hull needs for `count` points. */
size_t clump_hull_scratch_bytes(size_t count);

/* Finds the corners of the hull of count > 0 finite points without negative zeros. Returns their number: 1 when all
 * points are equal, 2 when they lie on one line. *hull points into the scratch: the corners, counterclockwise from the
 * one with the least x, then y. No corner is on the line through its neighbours. */
size_t clump_hull(const float *x, const float *y, size_t count, void *scratch, const clump_xy **hull);

/* Returns the rectangle of least area around a hull of at least one corner. */
clump_rectangle clump_least_rectangle(const clump_xy *hull, size_t corners);

#endif
