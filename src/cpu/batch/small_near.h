/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_near.h: compares a point of a small cloud with consecutive ones (small.h), as many as a vector has lanes.
 */
#ifndef CLUMP_CPU_BATCH_SMALL_NEAR_H
#define CLUMP_CPU_BATCH_SMALL_NEAR_H

#include "cpu/batch/small.h"

#include "common/bits.h"
#include "common/wide.h"

#include <math.h>

/* A point in all lanes, and the bound. */
typedef struct clump_small_probe {
    clump_fw x, y, z, bound;
} clump_small_probe;

static inline clump_small_probe clump_small_probe_of(const clump_small *s, float x, float y, float z)
{
    return (clump_small_probe){clump_fw_set(x), clump_fw_set(y), clump_fw_set(z), clump_fw_set(s->bound)};
}

static inline clump_small_probe clump_small_probe_at(const clump_small *s, uint32_t p)
{
    return clump_small_probe_of(s, s->x[p], s->y[p], s->z[p]);
}

/* Returns which points from q on, before `end`, are neighbours of the probe: bit k is point q + k. At most CLUMP_WIDE
 * points are compared. A point whose x is NaN is no neighbour. */
static inline unsigned clump_small_near(const clump_small *s, const clump_small_probe *probe, uint32_t q, uint32_t end)
{
    const clump_fw x = clump_fw_sub(clump_fw_load(s->x + q), probe->x);
    const clump_fw y = clump_fw_sub(clump_fw_load(s->y + q), probe->y);
    const clump_fw z = clump_fw_sub(clump_fw_load(s->z + q), probe->z);
    const unsigned near = clump_mw_bits(clump_fw_is_less(clump_fw_distance_squared(x, y, z), probe->bound));
    const uint32_t left = end - q;
    return left < CLUMP_WIDE ? near & ((1u << left) - 1) : near;
}

/* Whether a point is in a set: all are, but for DBSCAN only core points. */
static inline bool clump_small_in_set(const clump_small *s, uint32_t p)
{
    return !isnan(s->x[p]);
}

#endif
