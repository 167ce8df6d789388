/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_levels.h: the tree of clusters of several nested radii. The radii of level k are those of the job times factor[k]:
 *
 *     d_k = d * factor[k]          per_metre_k = per_metre * factor[k]          each rounded to float32
 *
 * Factors ascend, so two points that are neighbours at one level are neighbours at all levels above, and a cluster is
 * part of one cluster of the next level. Level 0 is the finest. The clusters of level k are exactly those of Euclidean
 * clustering with d_k and per_metre_k, numbered by their smallest point.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_LEVELS_H
#define CLUMP_CPU_RANGED_RANGED_LEVELS_H

#include "cpu/ranged/ranged.h"

/* Finds the tree of the job's cloud with 1 <= levels <= CLUMP_TREE_LEVELS. job->per_metre may be 0. job->bound, order and
 * size limits are not used. Factors are finite and above 0, and every d_k and its square are normal floats.
 *
 *     job->labels   becomes the cluster of level 0 per point, or CLUMP_NOISE for points that take no part
 *     parent[k]     k = 0 ... levels - 2: becomes the cluster of level k + 1 per cluster of level k. Room for
 *                   job->count entries, of which the first counts[k] are written
 *     counts[k]     becomes the number of clusters of level k
 *     result        as of Euclidean clustering at level 0; its times are those of all levels
 */
clump_status clump_ranged_tree(clump_context *ctx, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                               int levels, const float *factor, int32_t *const *parent, int32_t *counts,
                               clump_result *result);

#endif
