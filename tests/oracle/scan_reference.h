/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_reference.h: scan neighbours after section 8 of clump.h, in plain C: rings as sorted lists, the nearest azimuth by
 * looking at a whole ring, and sets that are relabelled at every join. Azimuths are those of rules/azimuth.h, without which
 * points of nearly equal azimuth would be in another order.
 */
#ifndef CLUMP_TESTS_SCAN_REFERENCE_H
#define CLUMP_TESTS_SCAN_REFERENCE_H

#include <clump/clump.h>

/* Finds the sets of all levels: set[k][i] becomes the smallest point of the set of point i, -1 where it is not `taken`.
 * bound(user, level, p) is the bound of a point. */
void scan_reference_sets(clump_points points, const clump_objects_options *o, const uint8_t *taken,
                         float (*bound)(const void *user, int level, const float *p), const void *user, int32_t **set);

#endif
