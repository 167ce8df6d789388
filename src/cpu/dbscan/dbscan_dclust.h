/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.h: the method `dclust` of DBSCAN: CUDA-DClust+ for one thread.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_DCLUST_H
#define CLUMP_CPU_DBSCAN_DBSCAN_DCLUST_H

#include "cpu/dbscan/dbscan_tree.h"

#define CLUMP_DCLUST_ROW 8 /* earlier clusters that a chain notes before it unites them */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_dclust {
    clump_dbscan_tree tree;
    clump_buffer chains, seeds, collisions;
} clump_cpu_dclust;

/* The labels do not depend on job->chains and job->seeds. job->threads has no effect: chains take turns in one thread. */
clump_status clump_cpu_dbscan_dclust(clump_context *ctx, clump_cpu_dclust *scratch, const clump_dbscan_job *job,
                                     clump_result *result);

void clump_cpu_dclust_release(clump_context *ctx, clump_cpu_dclust *scratch);

#endif
