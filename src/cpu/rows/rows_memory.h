/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_memory.h: what Euclidean clustering and DBSCAN by rows share: their memory and their report.
 */
#ifndef CLUMP_CPU_ROWS_ROWS_MEMORY_H
#define CLUMP_CPU_ROWS_ROWS_MEMORY_H

#include "cpu/rows/rows.h"
#include "cpu/rows/sorted.h"
#include "cpu/shared/numbering.h"
#include "cpu/shared/stages.h"

/* --- rows_join.c: the sets of neighbours among sorted points, and their numbers. For Euclidean clustering all points
 * are joined, for DBSCAN the core points. */

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
clump_status clump_rows_join_sets(clump_work *work, clump_rows_join *join, int32_t *sets);

/* Returns the number of the set of point k. */
static inline uint32_t clump_rows_set_of(const clump_rows_join *join, size_t k)
{
    return clump_rank(&join->ranks, join->first[join->parent[k]]);
}

/* --- rows.c, rows_dbscan.c: memory and report ------------------------------------------------------- */

/* Sets that become labels. */
typedef struct clump_rows_labels {
    const clump_rows_join *join;
    int32_t *labels; /* of all points of the cloud */
} clump_rows_labels;

static inline clump_sorted_memory clump_rows_memory(clump_rows *rows)
{
    return (clump_sorted_memory){rows->wide, rows->points, &rows->counters};
}

static inline void clump_rows_report(clump_stats *stats, const clump_cloud_job *job, const clump_sorted *s, int threads,
                                     clump_stages at)
{
    stats->finite = job->count - s->unfinite;
    stats->masked = s->masked;
    clump_report_stages(stats, threads, 1, at);
}

#endif
