/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan.h: DBSCAN on the CPU: four methods.
 *
 * The room, in the order of a call:
 *
 *     density.c             core points; later the labels of border points (density.h)
 *     density_dense.c       thin cells with many points
 *     density_list.c        all clusters next to a border point
 *     dbscan_fast.c         `fast`: density.c, Euclidean clustering of the core points, density.c
 *
 *     dbscan_tree.c         what the next two share: kd-tree, core points, from sets to labels
 *     dbscan_sequential.c   `sequential`, as in the textbook; one thread
 *     dbscan_disjoint.c     `disjoint-set`, with the union-find of rem.h
 *     dbscan_dclust.c       `dclust`: CUDA-DClust+ in plain C
 *
 * Words of the room: a cell with fewer than min_points points is `thin`. A thin cell with so many points that boxes and
 * the sieve pay is `dense`.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_H
#define CLUMP_CPU_DBSCAN_DBSCAN_H

#include "cpu/dbscan/dbscan_tree.h"
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

/* --- dbscan_sequential.c: the method `sequential` of DBSCAN: a kd-tree and a queue, one thread ------ */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_sequential {
    clump_kdtree tree;
    clump_buffer queue, found;
} clump_cpu_sequential;

clump_status clump_cpu_dbscan_sequential(clump_work *work, clump_cpu_sequential *scratch, const clump_dbscan_job *job,
                                         clump_stats *stats);

void clump_cpu_sequential_release(clump_work *work, clump_cpu_sequential *scratch);

/* --- dbscan_disjoint.c: the method `disjoint-set` of DBSCAN: a kd-tree and Rem's union-find, several threads */

#define CLUMP_DISJOINT_PAIRS 16384 /* pairs that a thread keeps for the merge phase: 128 KiB */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_disjoint {
    clump_dbscan_tree tree;
    clump_buffer pairs;   /* of all threads */
    clump_buffer workers; /* one entry per thread */
} clump_cpu_disjoint;

/* `pairs` is the number that a thread may keep: CLUMP_DISJOINT_PAIRS, less in tests. The labels do not depend on it. */
clump_status clump_cpu_dbscan_disjoint(clump_work *work, clump_cpu_disjoint *scratch, const clump_dbscan_job *job,
                                       size_t pairs, clump_stats *stats);

void clump_cpu_disjoint_release(clump_work *work, clump_cpu_disjoint *scratch);

/* --- dbscan_dclust.c: the method `dclust` of DBSCAN: CUDA-DClust+ for one thread -------------------- */

#define CLUMP_DCLUST_ROW 8 /* earlier clusters that a chain notes before it unites them */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_dclust {
    clump_dbscan_tree tree;
    clump_buffer chains, seeds, collisions;
} clump_cpu_dclust;

/* The labels do not depend on job->chains and job->seeds. job->threads has no effect: chains take turns in one thread. */
clump_status clump_cpu_dbscan_dclust(clump_work *work, clump_cpu_dclust *scratch, const clump_dbscan_job *job,
                                     clump_stats *stats);

void clump_cpu_dclust_release(clump_work *work, clump_cpu_dclust *scratch);

#endif
