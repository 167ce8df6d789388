/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.h: the bound of one cloud of a batch from its radius, the same bits on every backend, as clump_ec and clump_dbscan
 * make it.
 */
#ifndef CLUMP_RULES_BATCH_H
#define CLUMP_RULES_BATCH_H

#include "rules/distance.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns the next float after a positive finite one: nextafterf(value, INFINITY). */
CLUMP_RULE float clump_next_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits++;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns whether a radius is allowed: above 0, and its square a normal number. */
CLUMP_RULE bool clump_radius_is_allowed(float radius)
{
    const float bound = clump_distance_bound(radius);
    return radius > 0 && bound >= FLT_MIN && bound <= FLT_MAX;
}

/* Returns the bound of an allowed radius: two points are neighbours when d2 < bound. `inclusive` is for DBSCAN, where
 * neighbours have d2 <= radius * radius. */
CLUMP_RULE float clump_batch_bound(float radius, bool inclusive)
{
    const float bound = clump_distance_bound(radius);
    return inclusive ? clump_next_float(bound) : bound;
}

#endif
