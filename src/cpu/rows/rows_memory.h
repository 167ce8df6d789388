/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_memory.h: what Euclidean clustering and DBSCAN by rows share: their memory and their report.
 */
#ifndef CLUMP_CPU_ROWS_ROWS_MEMORY_H
#define CLUMP_CPU_ROWS_ROWS_MEMORY_H

#include "cpu/rows/rows.h"
#include "cpu/rows/rows_join.h"
#include "cpu/shared/stages.h"

/* Sets that become labels. */
typedef struct clump_rows_labels {
    const clump_rows_join *join;
    int32_t *labels; /* of all points of the cloud */
} clump_rows_labels;

static inline clump_sorted_memory clump_rows_memory(clump_rows *rows)
{
    return (clump_sorted_memory){rows->wide, rows->points, &rows->counters};
}

static inline void clump_rows_report(clump_result *result, const clump_cloud_job *job, const clump_sorted *s,
                                     int threads, clump_stages at)
{
    result->finite = job->count - s->unfinite;
    result->masked = s->masked;
    clump_report_stages(result, threads, 1, at);
}

#endif
