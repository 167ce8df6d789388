/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged.h: Euclidean clustering and DBSCAN by `fast` where every point has a radius of its own, which grows with the range
 * (rules/radius.h), and the tree of clusters of several nested radii.
 *
 * Points are sorted into shells around the sensor, by the octave of their radius. Cells of a shell are as large as its
 * radii (ranged_shells.h). All threads share the work. The room, in the order of a call:
 *
 *     ranged_levels.c    which way a job goes; one clustering per level, where levels do not share a grid
 *     ranged_shells.c    shells, level by level, and the numbers of the clusters (ranged_shells.h)
 *     shells_build.c     the grid: blocks, cells and points of all levels
 *     shells_near.c      which blocks, cells and points can be neighbours (shells_work.h)
 *     shells_inside.c    step 1: within blocks
 *     shells_join.c      step 2: between blocks
 *     shells_light.c     steps 1 and 2 of level 0, a shorter way
 *     shells_open.c      step 3: open pairs of cells
 *     shells_density.c   DBSCAN: core points and border points
 *     ranged_tree.c      trees of points, which compare large sets (ranged_box.h)
 *     ranged_any.c       any other radius: one tree of all points, on one thread
 *
 * Shells ask for radii and coordinates that are not extreme, and for a radius that grows by at most 0.4 per metre
 * (clump_shells_fit). Other jobs are for ranged_any.c, which is slower where the radius is small beside the cloud.
 *
 * Why one radius for all points has ways of its own, blocks and rows: shells whose radius grows by 1e-9 per metre give the same
 * labels, and take 1.07 times (chains of 2 neighbours) to 4.8 times (2,048 neighbours) as long, on one thread of a Xeon at
 * 2.5 GHz. A scan of KITTI takes 15.4 ms for 6.0, a million sparse points 768 ms for 179.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_H
#define CLUMP_CPU_RANGED_RANGED_H

#include "core/backend.h"
#include "core/work.h"
#include "cpu/dbscan/dbscan.h"
#include "cpu/ec/ec.h"
#include "cpu/ranged/ranged_box.h"
#include "cpu/ranged/ranged_shells.h"

/* The tree of all points of a cloud (ranged_any.c). */
typedef struct clump_ranged_any {
    clump_ranged_boxes tree;
    uint32_t *index;      /* of each point in the cloud */
    uint32_t *parent;     /* of each point: disjoint sets (rules/union_find.h) */
    uint32_t *low, *high; /* per node: the smallest and the largest label of its points */
    size_t work;          /* for tests: of the searches of pairs and of the sieve */
    clump_buffer points, numbers, nodes, lows, scratch;
} clump_ranged_any;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_ranged {
    clump_shells shells;       /* of the points that are joined */
    clump_shells all;          /* DBSCAN: of all points */
    clump_ranged_any any[2];   /* the same two */
    clump_buffer level_labels; /* two labels per point, in ranged_levels.c */
} clump_ranged;

void clump_ranged_release(clump_work *work, clump_ranged *g);

/* They share the memory of the methods for one radius. */
clump_status clump_cpu_ec_ranged(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                 clump_stats *stats);
clump_status clump_cpu_dbscan_ranged(clump_work *work, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_stats *stats);

/* --- ranged_any.c: for any job */

clump_status clump_ranged_any_ec(clump_work *work, clump_ranged_any *t, const clump_cloud_job *job, clump_stats *stats);

/* `all` becomes the tree of all points, `cores` that of core points. core[] has one flag per point. */
clump_status clump_ranged_any_dbscan(clump_work *work, clump_ranged_any *all, clump_ranged_any *cores,
                                     const clump_dbscan_job *job, uint8_t *core, clump_stats *stats);
void clump_ranged_any_release(clump_work *work, clump_ranged_any *t);

/* --- ranged_levels.c: the tree of clusters of several nested radii. The radii of level k are those of the job times
 * factor[k]:
 *
 *     d_k = d * factor[k]          per_metre_k = per_metre * factor[k]          each rounded to float32
 *
 * Factors ascend, so two points that are neighbours at one level are neighbours at all levels above, and a cluster is
 * part of one cluster of the next level. Level 0 is the finest. The clusters of level k are exactly those of Euclidean
 * clustering with d_k and per_metre_k, numbered by their smallest point. */

/* Finds the tree of the job's cloud with 1 <= levels <= CLUMP_TREE_LEVELS. job->per_metre may be 0. job->bound, order and
 * size limits are not used. Factors are finite and above 0, and every d_k and its square are normal floats.
 *
 *     job->labels   becomes the cluster of level 0 per point, or CLUMP_NOISE for points that take no part
 *     parent[k]     k = 0 ... levels - 2: becomes the cluster of level k + 1 per cluster of level k. Room for
 *                   job->count entries, of which the first counts[k] are written
 *     counts[k]     becomes the number of clusters of level k
 *     result        as of Euclidean clustering at level 0; its times are those of all levels
 */
clump_status clump_ranged_tree(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                               int levels, const float *factor, int32_t *const *parent, int32_t *counts,
                               clump_stats *stats);

#endif
