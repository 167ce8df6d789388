/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_tree.h: what the DBSCAN methods with a kd-tree have in common: the tree of the points, the test for core
 * points, and the last step, from sets of core points to labels.
 *
 * Between the first and the last step a point is named by its place in the tree: neighbours are close in memory.
 *
 *     place      0   1   2   3   4   5   6   7        in the order of the leaves
 *     index      6   1   9   4   8   0   2   5        of the point in the cloud
 *     core       1   1   0   1   0   0   1   1        at least min_points within eps, the point itself included
 *     set        0   0   .   3   .   .   3   3        of core points only; any numbers below the count
 *
 * Sets are numbered by their smallest index: 1 in set 0, 2 in set 3, so set 0 is cluster 0 and set 3 cluster 1. Then
 * each point that is not core takes the smallest number of its core neighbours. No pair of neighbours is stored. The
 * labels do not depend on the order in which the sets were made, or on the number of threads.
 */
#ifndef CLUMP_CPU_PAPERS_DBSCAN_TREE_H
#define CLUMP_CPU_PAPERS_DBSCAN_TREE_H

#include "core/backend.h"
#include "cpu/shared/kdtree.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_dbscan_tree {
    clump_kdtree tree;
    uint8_t *core; /* 0: not core. Methods may use several other values */
    uint32_t *set;
    int32_t *number; /* free until the last step */
    clump_buffer core_memory, set_memory, number_memory;
} clump_dbscan_tree;

/* Builds the tree of the points that take part (clump_kdtree_admit) and clears the core flags of the job. */
clump_status clump_dbscan_admit(clump_work *work, clump_kdtree *tree, const clump_dbscan_job *job, clump_stats *stats);

/* clump_dbscan_admit(), and memory for core, set and number, uninitialised. */
clump_status clump_dbscan_prepare(clump_work *work, clump_dbscan_tree *t, const clump_dbscan_job *job,
                                  clump_stats *stats);

/* The last step, with core and set as above. Fills in labels, core flags, clusters and noise. */
clump_status clump_dbscan_finish(clump_work *work, clump_dbscan_tree *t, const clump_dbscan_job *job, int threads,
                                 clump_stats *stats);

void clump_dbscan_tree_release(clump_work *work, clump_dbscan_tree *t);

/* A walk over the leaves within eps of a point (kdtree.h). */
static inline clump_kdtree_walk clump_dbscan_near(const clump_kdtree *tree, clump_kdtree_point p, float bound)
{
    return clump_kdtree_near(tree, p.x, p.y, p.z, bound, true);
}

/* Whether two points are within eps. */
static inline bool clump_dbscan_within(clump_kdtree_point p, clump_kdtree_point q, float bound)
{
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) <= bound;
}

/* Whether the point at this place is a core point. Stops counting at min_points. */
bool clump_dbscan_is_core(const clump_kdtree *tree, size_t place, float bound, size_t min_points);

#endif
