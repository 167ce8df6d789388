/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.h: the rings of a scan from a histogram of its vertical angles, for all backends, and whether given rings are
 * plausible.
 *
 *     rings.c         the histogram
 *     rings_doubt.c   given rings
 *
 *     points   0 0 9 8 0 0 0 0 0 7 0 0 0 0 0 9 9 0 ...      per bin of rules/rings.h, from below
 *     ring     0 0 0 0 0 0 0 1 1 1 1 1 1 2 2 2 2 2 ...
 *
 * Peaks are runs of filled bins. The rings are known where almost all points are in peaks, and every gap between two peaks
 * is at least twice as wide as they are. A bin between peaks belongs to the nearer one. The strict test, for
 * CLUMP_NEIGHBOURS_AUTO, asks for gaps that are four times as wide, fewer points outside of peaks, and at most 128 rings.
 */
#ifndef CLUMP_CORE_RINGS_H
#define CLUMP_CORE_RINGS_H

#include "core/backend.h"
#include "rules/rings.h"

#include <stdbool.h>
#include <stdint.h>

#define CLUMP_RINGS_MOST_PEAKS 256

/* Writes the ring of each of CLUMP_RINGS_BINS bins. Returns the number of rings; 0: the rings are not known. */
int clump_rings_of_angles(const uint32_t *points, bool strict, uint16_t *ring);

/* Returns the failure of a call that needs rings which nothing tells. */
clump_status clump_rings_unknown(clump_work *work);

/* Finds whether the rings or rows that the caller gives are plausible. `cells` is scratch memory. The points are in host
 * memory, and rings are below CLUMP_RINGS_MOST. *doubt is CLUMP_RING_DOUBT_NONE for plausible rings, and where there are
 * too few points to judge. */
clump_status clump_rings_judge(clump_work *work, clump_buffer *cells, const clump_objects_job *job,
                               clump_ring_doubt *doubt);

#endif
