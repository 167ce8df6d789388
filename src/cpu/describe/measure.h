/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure.h: box, centroid and yaw box of one cluster, in parts that threads can share. Two passes over the points:
 *
 *     extent of each part ─► combine ─► sums and hull candidates of each part ─► finish
 *
 * No result depends on how the points are divided or ordered: a minimum does not, the hull does not (hull.c), and the
 * centroid is a sum of integers.
 */
#ifndef CLUMP_CPU_DESCRIBE_MEASURE_H
#define CLUMP_CPU_DESCRIBE_MEASURE_H

#include "cpu/describe/hull.h"

#include <clump/clump.h>

#include <stdint.h>

/* Points begin ... end - 1 of a cluster. */
typedef struct clump_part {
    size_t begin, end;
    float lower[3], upper[3]; /* of the finite values */
    size_t used[3];           /* finite values */
    int64_t sum[3];           /* of scaled offsets */
    size_t keys;              /* that may be corners of the hull */
} clump_part;

typedef struct clump_shape {
    const float *at[3]; /* x, y, z: x and y are finite; no value is -0 */
    size_t count;       /* points, at least 1 */
    uint64_t *keys;     /* room for 2 * count + 1 */
    float lower[3], upper[3];
    size_t used[3];
    int exponent[3]; /* of the scale of the sums */
    clump_hull_filter filter;
} clump_shape;

void clump_shape_extent(const clump_shape *s, clump_part *part);
void clump_shape_combine(clump_shape *s, const clump_part *parts, size_t count);
void clump_shape_sum(const clump_shape *s, clump_part *part);
void clump_shape_finish(const clump_shape *s, const clump_part *parts, size_t count, clump_cluster *out);

#endif
