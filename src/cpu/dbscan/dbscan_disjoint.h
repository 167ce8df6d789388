/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_disjoint.h: the method `disjoint-set` of DBSCAN: a kd-tree and Rem's union-find, several threads.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_DISJOINT_H
#define CLUMP_CPU_DBSCAN_DBSCAN_DISJOINT_H

#include "cpu/dbscan/dbscan_tree.h"

#define CLUMP_DISJOINT_PAIRS 16384 /* pairs that a thread keeps for the merge phase: 128 KiB */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_disjoint {
    clump_dbscan_tree tree;
    clump_buffer pairs;   /* of all threads */
    clump_buffer workers; /* one entry per thread */
} clump_cpu_disjoint;

/* `pairs` is the number that a thread may keep: CLUMP_DISJOINT_PAIRS, less in tests. The labels do not depend on it. */
clump_status clump_cpu_dbscan_disjoint(clump_context *ctx, clump_cpu_disjoint *scratch, const clump_dbscan_job *job,
                                       size_t pairs, clump_result *result);

void clump_cpu_disjoint_release(clump_context *ctx, clump_cpu_disjoint *scratch);

#endif
