/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan.h: DBSCAN on the CPU by `fast`. The other methods are in papers/.
 *
 * The room, in the order of a call:
 *
 *     density.c             core points; later the labels of border points (density.h)
 *     density_dense.c       thin cells with many points
 *     density_list.c        all clusters next to a border point
 *     dbscan_fast.c         `fast`: density.c, Euclidean clustering of the core points, density.c
 *
 * Words of the room: a cell with fewer than min_points points is `thin`. A thin cell with enough points that boxes and
 * the sieve pay is `dense`.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_H
#define CLUMP_CPU_DBSCAN_DBSCAN_H

#include "cpu/dbscan/density.h"
#include "cpu/ec/ec.h"
#include "cpu/shared/stages.h"

/* --- dbscan_fast.c: the method `fast` --------------------------------------------------------------- */

typedef struct clump_cpu_dbscan {
    clump_density density;
    clump_buffer core; /* core flags, where the job has no array for them */
    bool by_rows;      /* whether the last call used rows, for tests */
} clump_cpu_dbscan;

/* `fast` is that of Euclidean clustering. The two share its memory. */
clump_status clump_cpu_dbscan_fast(clump_work *work, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                   const clump_dbscan_job *job, clump_stats *stats);
clump_status clump_cpu_dbscan_reserve(clump_work *work, clump_cpu_dbscan *s, size_t max_points);
void clump_cpu_dbscan_release(clump_work *work, clump_cpu_dbscan *s);

/* ----- the steps, also for radii that grow with the range (ranged_density.c) ------------------------ */

typedef struct clump_dbscan_run {
    uint8_t *core;         /* one flag per point */
    size_t cores;          /* number of core points */
    clump_cloud_job among; /* the job of Euclidean clustering: all but core points are masked */
    int threads;
    clump_stages at;
} clump_dbscan_run;

/* Step 1: finds the core points at eps. */
clump_status clump_dbscan_begin(clump_work *work, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                const clump_dbscan_job *job, clump_dbscan_run *run);

/* Step 3, after `run->among` was clustered unless there are no core points: labels border points at eps and reports the
 * figures of the run. */
clump_status clump_dbscan_end(clump_work *work, clump_cpu_dbscan *s, const clump_dbscan_job *job, clump_dbscan_run *run,
                              clump_stats *stats);

#endif
