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

#endif
