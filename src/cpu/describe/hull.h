/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hull.h: the convex hull of points in the plane. It depends on the set of points only, not on their order.
 */
#ifndef CLUMP_CPU_DESCRIBE_HULL_H
#define CLUMP_CPU_DESCRIBE_HULL_H

#include "common/assert.h"
#include "common/team.h"
#include "common/wide.h"
#include "rules/plane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLUMP_HULL_EDGES = 32 }; /* of a filter, at most */

/* Half planes left of the edges of a polygon: a * x + b * y > c. */
typedef struct clump_half_planes {
    int count; /* 0, or a multiple of 8; entries from here on equal the first */
    float a[CLUMP_HULL_EDGES], b[CLUMP_HULL_EDGES], c[CLUMP_HULL_EDGES];
} clump_half_planes;

/* Says which points are certainly interior: those in all half planes of a polygon, relative to x0, y0. A polygon without
 * half planes says it of no point. */
typedef struct clump_hull_filter {
    float x0, y0;
    clump_half_planes coarse; /* of eight corners of the fine polygon; with many points */
    clump_half_planes fine;
} clump_hull_filter;

/* The three steps of clump_hull(), for threads that share the second one. Points are as in clump_hull(); width and height
 * are the extents of all points.
 *   filter    finds the filter.
 *   keys      writes the keys of the points that may be corners, at most `count`, and returns their number.
 *   of_keys   finds the hull of `candidates` >= 1 keys. `scratch` has room for as many keys and one more; *hull points
 *             into it. Polls `team`, unless that is null; after a cancellation the hull is one point and means nothing. */
void clump_hull_find_filter(const float *x, const float *y, size_t count, double width, double height,
                            clump_hull_filter *f);
size_t clump_hull_keys(const clump_hull_filter *f, const float *x, const float *y, size_t count, uint64_t *keys);
size_t clump_hull_of_keys(uint64_t *keys, size_t candidates, uint64_t *scratch, clump_team *team,
                          const clump_xy **hull);

/* Returns the bytes of scratch, aligned to 8, that clump_hull needs for `count` points. */
size_t clump_hull_scratch_bytes(size_t count);

/* Finds the corners of the hull of count > 0 finite points without negative zeros. Returns their number: 1 when all
 * points are equal, 2 when they lie on one line. *hull points into the scratch: the corners, counterclockwise from the
 * one with the least x, then y. No corner is on the line through its neighbours. */
size_t clump_hull(const float *x, const float *y, size_t count, void *scratch, const clump_xy **hull);

/* --- the least and the most of some values ---------------------------------------------------------- */

/* Finds the least and the most of count >= 1 finite values without negative zeros. */
static inline void clump_find_extremes(const float *values, size_t count, float *least, float *most)
{
    CLUMP_ASSERT(count >= 1);
    *least = *most = values[0];
    size_t i = 0;
    if (count >= 2 * CLUMP_WIDE) {
        clump_fw low[2] = {clump_fw_load(values), clump_fw_load(values + CLUMP_WIDE)}, high[2] = {low[0], low[1]};
        for (; i + 2 * CLUMP_WIDE <= count; i += 2 * CLUMP_WIDE) {
            const clump_fw a = clump_fw_load(values + i), b = clump_fw_load(values + i + CLUMP_WIDE);
            low[0] = clump_fw_min(low[0], a), high[0] = clump_fw_max(high[0], a);
            low[1] = clump_fw_min(low[1], b), high[1] = clump_fw_max(high[1], b);
        }
        *least = clump_fw_lowest(clump_fw_min(low[0], low[1]));
        *most = clump_fw_highest(clump_fw_max(high[0], high[1]));
    }
    for (; i < count; i++) {
        if (values[i] < *least) *least = values[i];
        if (values[i] > *most) *most = values[i];
    }
}

#endif
