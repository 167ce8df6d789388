/* SPDX-License-Identifier: BSD-3-Clause
 *
 * voxel.h: the voxel of a point, for thinning; compiled by the C compiler and by nvcc.
 *
 *     voxel = floor(x / side), floor(y / side), floor(z / side)      each step rounded to float32; in 2-D mode z is 0
 *
 * The coordinates of a voxel stay floats. A quotient may be larger than any integer type, or infinite: such points are
 * in one voxel where their floats are equal. -0 becomes 0, and there is no NaN for finite points and sides above 0. So
 * two voxels are equal exactly when their bits are.
 *
 * Of the points of a voxel that take part the one with the smallest index is its representative.
 */
#ifndef CLUMP_RULES_VOXEL_H
#define CLUMP_RULES_VOXEL_H

#include "rules/hash.h"
#include "rules/rounded.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The bits of the three floats. */
typedef struct clump_voxel {
    int32_t x, y, z;
} clump_voxel;

/* Returns the voxel along one axis; x is finite. */
CLUMP_RULE int32_t clump_voxel_along(float x, float side)
{
    const float floored = clump_rn_add(floorf(clump_rn_div(x, side)), 0.0f);
    int32_t bits;
    memcpy(&bits, &floored, sizeof bits);
    return bits;
}

CLUMP_RULE clump_voxel clump_voxel_of(const float *p, float side, bool two_d)
{
    clump_voxel v;
    v.x = clump_voxel_along(p[0], side);
    v.y = clump_voxel_along(p[1], side);
    v.z = two_d ? 0 : clump_voxel_along(p[2], side);
    return v;
}

CLUMP_RULE bool clump_voxel_same(clump_voxel a, clump_voxel b)
{
    return (a.x == b.x) & (a.y == b.y) & (a.z == b.z);
}

CLUMP_RULE uint32_t clump_voxel_hash(clump_hash_key key, clump_voxel v)
{
    return clump_hash(key, v.x, v.y, v.z, 0);
}

#endif
