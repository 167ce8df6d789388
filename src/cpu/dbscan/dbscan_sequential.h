/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_sequential.h: the method `sequential` of DBSCAN: a kd-tree and a queue, one thread.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_SEQUENTIAL_H
#define CLUMP_CPU_DBSCAN_DBSCAN_SEQUENTIAL_H

#include "cpu/dbscan/dbscan_tree.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_sequential {
    clump_kdtree tree;
    clump_buffer queue, found;
} clump_cpu_sequential;

clump_status clump_cpu_dbscan_sequential(clump_context *ctx, clump_cpu_sequential *scratch, const clump_dbscan_job *job,
                                         clump_result *result);

void clump_cpu_sequential_release(clump_context *ctx, clump_cpu_sequential *scratch);

#endif
