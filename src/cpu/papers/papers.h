/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers.h: methods of the literature, stated in plain C as references for comparison. `fast` of every job needs none of
 * them.
 *
 * The room, by paper:
 *
 *     ec_bfs.c              `bfs`, Euclidean clustering as it is usually done (Rusu 2009); one thread
 *
 *     six.h                 the six of Nguyen et al. 2020, which begins their description
 *     neighbours.c          all neighbours of a point, in two ways
 *     ec_vertex.c, ec_edge.c, ec_matrix.c
 *     six.c                 points, labels, canonical labels
 *
 *     dbscan_sequential.c   `sequential`, DBSCAN as in the textbook; one thread
 *     dbscan_tree.c         what the next two share: kd-tree, core points, from sets to labels
 *     dbscan_disjoint.c     `disjoint-set`, with the union-find of rem.h
 *     dbscan_dclust.c       `dclust`: CUDA-DClust+ in plain C
 *
 *     erccl_sweeps.c        `serial`, `racing`, `independent` and `ccl` of Tian et al. 2020, on the map of obstacles/
 *     erccl_hash.c          `hash`, which they compare with
 */
#ifndef CLUMP_CPU_PAPERS_PAPERS_H
#define CLUMP_CPU_PAPERS_PAPERS_H

#include "core/backend.h"
#include "cpu/obstacles/erccl.h"
#include "cpu/papers/dbscan_tree.h"
#include "cpu/papers/six.h"
#include "cpu/shared/kdtree.h"

/* --- ec_bfs.c: Euclidean clustering with a kd-tree and a queue -------------------------------------- */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_bfs {
    clump_kdtree tree;
    clump_buffer queue;
} clump_cpu_bfs;

clump_status clump_cpu_ec_bfs(clump_work *work, clump_cpu_bfs *scratch, const clump_cloud_job *job, clump_stats *stats);

void clump_cpu_bfs_release(clump_work *work, clump_cpu_bfs *scratch);

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

/* --- erccl_sweeps.c, erccl_hash.c: methods of clump_erccl, as clump_erccl_papers has them -------------- */

clump_status clump_erccl_sweeps(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                int64_t *passes);
clump_status clump_erccl_hash(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, int32_t *clusters);

#endif
