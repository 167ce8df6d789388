/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_bfs.h: Euclidean clustering with a kd-tree and a queue.
 */
#ifndef CLUMP_CPU_EC_EC_BFS_H
#define CLUMP_CPU_EC_EC_BFS_H

#include "core/backend.h"
#include "cpu/shared/kdtree.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_bfs {
    clump_kdtree tree;
    clump_buffer queue;
} clump_cpu_bfs;

clump_status clump_cpu_ec_bfs(clump_context *ctx, clump_cpu_bfs *scratch, const clump_cloud_job *job,
                              clump_result *result);

void clump_cpu_bfs_release(clump_context *ctx, clump_cpu_bfs *scratch);

#endif
