/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_join.h: the sets of neighbours among sorted points, and their numbers. For Euclidean clustering all points are
 * joined, for DBSCAN the core points.
 */
#ifndef CLUMP_CPU_ROWS_ROWS_JOIN_H
#define CLUMP_CPU_ROWS_ROWS_JOIN_H

#include "cpu/rows/sorted.h"
#include "cpu/shared/ranks.h"

typedef struct clump_rows_join {
    const clump_sorted *sorted;
    const float *y; /* as sorted->y, but not finite for points that are in no set */
    float bound;    /* d2 < bound are neighbours */
    uint32_t *parent, *first;
    clump_ranks ranks;
    int threads;
} clump_rows_join;

/* Joins neighbours. Afterwards parent[k] is the root of the set of point k, and the sets have numbers. *sets becomes the
 * number of sets. The caller has filled in the other members; the ranks are those of all points of the cloud, with
 * no bit set. */
clump_status clump_rows_join_sets(clump_context *ctx, clump_rows_join *join, int32_t *sets);

/* Returns the number of the set of point k. */
static inline uint32_t clump_rows_set_of(const clump_rows_join *join, size_t k)
{
    return clump_rank(&join->ranks, join->first[join->parent[k]]);
}

#endif
