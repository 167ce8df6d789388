/* SPDX-License-Identifier: BSD-3-Clause
 *
 * places.h: where the points of each cluster go when they are sorted by label: a counting sort, in slices that threads
 * share. Points keep their order. Consecutive points of a scan mostly have one label: they are counted and moved by runs.
 *
 *     labels   1 0 0 | 2 1 1      counts of slices   2 1 0 | 0 2 1      next   0 2 . | . 3 5      ends   2 5 6
 */
#ifndef CLUMP_CPU_DESCRIBE_PLACES_H
#define CLUMP_CPU_DESCRIBE_PLACES_H

#include "common/assert.h"
#include "common/bits.h"
#include "common/share.h"
#include "common/wide.h"
#include "core/work.h"

#include <stddef.h>

typedef struct clump_places {
    const int32_t *labels;
    size_t count;
    int32_t cluster_count; /* labels from here on are not allowed */
    size_t clusters;       /* that are sorted; points of others have no place */
    const int32_t *sizes;  /* null, or of the clusters, which are not counted then, and whose points get any order */
    int threads, slices, rows; /* rows of `next`: one per slice; with sizes all slices share one */
    int32_t *ends;             /* output, one per cluster: the end of its points; the next cluster begins there */
    int32_t *next;             /* output, one per row and cluster: where its first point of the slice goes */
    int wrong;                 /* there is a label that is not allowed */
} clump_places;

/* Points per thread that are worth waking it. */
#define CLUMP_PLACES_SHARE 8192

/* Chooses threads and slices: the entries of `next` take at most two bytes per point, or there is one slice. */
void clump_places_divide(clump_work *work, clump_places *p);

/* Fills `ends` and `next`. Fails with the first label that is not allowed, unless sizes are given. */
clump_status clump_places_find(clump_work *work, clump_places *p);

/* Returns the points of slice t. */
static inline clump_share clump_places_slice(const clump_places *p, size_t t)
{
    return clump_share_of(p->count, (int)t, p->slices);
}

/* --- runs of equal integers. Consecutive points of a scan mostly have one label --------------------- */

/* Returns the end of the run of equal values that begins at i < end. */
static inline size_t clump_run_end(const int32_t *values, size_t i, size_t end)
{
    CLUMP_ASSERT(i < end);
    const int32_t value = values[i++];
    if (i == end || values[i] != value) return i;
    const clump_iw equal = clump_iw_set(value);
    for (; i + CLUMP_WIDE <= end; i += CLUMP_WIDE) {
        const clump_iw here = clump_iw_load(values + i);
        const unsigned other = clump_mw_bits(clump_mw_or(clump_iw_is_less(here, equal), clump_iw_is_less(equal, here)));
        if (other) return i + clump_lowest(other);
    }
    while (i < end && values[i] == value) i++;
    return i;
}

#endif
