/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_street.h: one street, with memory for its labels and its list of clusters, for tests of clump_objects that need no
 * variety.
 */
#ifndef CLUMP_TESTS_OBJECTS_STREET_H
#define CLUMP_TESTS_OBJECTS_STREET_H

#include "support/objects_scenes.h"

#include <clump/clump.h>

enum { MOST = 20000 };

static float xyz[3 * MOST];
static int32_t labels[MOST];
static clump_object found[MOST];

/* Returns the first points of the street; count is at most MOST. */
static inline clump_points street_of(size_t count)
{
    uint64_t random = 2310;
    return (clump_points){.xyz = xyz, .count = street_make(xyz, count, &random)};
}

/* Returns options with exact neighbours that list all clusters in found[]. */
static inline clump_objects_options listing(void)
{
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_EXACT;
    o.found = found;
    o.found_capacity = MOST;
    return o;
}

#endif
