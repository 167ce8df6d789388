/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_disjoint.h: the method `disjoint-set` of density clustering: kd-tree, Rem's union-find, threads.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_DISJOINT_H
#define CLUMP_CPU_DBSCAN_DBSCAN_DISJOINT_H

#include "cpu/dbscan/dbscan_tree.h"

#define CLUMP_DISJOINT_PAIRS 16384 /* kept for the merge phase by a thread: 128 KiB */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_disjoint {
    clump_dbscan_tree tree;
    clump_buffer pairs;   /* of all threads */
    clump_buffer workers; /* an entry a thread */
} clump_cpu_disjoint;

/* `pairs` is how many a thread may keep, CLUMP_DISJOINT_PAIRS or, in tests, less; the labels do not depend on it. */
clump_status clump_cpu_dbscan_disjoint(clump_context *ctx, clump_cpu_disjoint *scratch, const clump_dbscan_job *job,
                                       size_t pairs, clump_result *result);

void clump_cpu_disjoint_release(clump_context *ctx, clump_cpu_disjoint *scratch);

#endif
