/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_dclust.h: the method `dclust` of DBSCAN: CUDA-DClust+ for one thread.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_DCLUST_H
#define CLUMP_CPU_DBSCAN_DBSCAN_DCLUST_H

#include "cpu/dbscan/dbscan_tree.h"

#define CLUMP_DCLUST_CHAINS 256  /* the thread blocks of the paper */
#define CLUMP_DCLUST_SEEDS  1024 /* entries of a seed list; the paper has one list per thread block */
#define CLUMP_DCLUST_ROW    8    /* earlier clusters that a chain notes before it unites them */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_dclust {
    clump_dbscan_tree tree;
    clump_buffer chains, seeds, collisions;
} clump_cpu_dclust;

/* `chains` and `seeds` are those above; in tests, any from 1. The labels do not depend on them. */
clump_status clump_cpu_dbscan_dclust(clump_context *ctx, clump_cpu_dclust *scratch, const clump_dbscan_job *job,
                                     size_t chains, size_t seeds, clump_result *result);

void clump_cpu_dclust_release(clump_context *ctx, clump_cpu_dclust *scratch);

#endif
