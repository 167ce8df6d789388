/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.h: the tree of clusters of clump_objects: the clusters of nested radii, small to large.
 *
 *     labels     point ──► cluster of level 0, the finest
 *     parent[k]  cluster of level k ──► cluster of level k + 1 that holds it
 *
 * On every level clusters are numbered by their smallest point index.
 */
#ifndef CLUMP_CPU_OBJECTS_TREE_H
#define CLUMP_CPU_OBJECTS_TREE_H

#include "core/backend.h"
#include "core/work.h"
#include "cpu/ec/ec.h"
#include "cpu/ranged/ranged.h"

typedef struct clump_node_tree {
    int levels;
    int32_t counts[CLUMP_OBJECTS_LEVELS];  /* clusters */
    int32_t *labels;                       /* one per point */
    int32_t *parent[CLUMP_OBJECTS_LEVELS]; /* levels - 1 of them */
    clump_buffer memory;                   /* of labels and parents */
} clump_node_tree;

/* Reserves memory for labels and parents. */
clump_status clump_node_tree_reserve(clump_work *work, clump_node_tree *tree, int levels, size_t count);

/* Makes the tree of all pairs of points. job->in are the points of the tree, without mask. */
clump_status clump_node_tree_exact(clump_work *work, clump_node_tree *tree, clump_ranged *ranged, clump_cpu_fast *fast,
                                   const clump_objects_job *job, clump_stats *stats);

void clump_node_tree_release(clump_work *work, clump_node_tree *tree);

/* --- nodes.c, cut.c: measures the nodes of a tree (nodes.c) and decides which of them are clusters (cut.c).
 *
 * Nodes of all levels are in one array, the finest level first. A cluster is named by a node: an object by the node that
 * fits, background by its node of the coarsest level, a person by its node of the finest level. */

typedef struct clump_cut {
    clump_node *node;                        /* of all levels */
    int32_t first[CLUMP_OBJECTS_LEVELS + 1]; /* node of each level */
    int32_t *cluster;                        /* node of level 0 ──► the node that names its cluster */
    uint8_t *object; /* node that names a cluster ──► 1 + its level: object, 0: background */
    clump_buffer nodes, clusters;
} clump_cut;

/* Measures all nodes. `above` as in objects.h. */
clump_status clump_cut_measure(clump_work *work, clump_cut *cut, const clump_node_tree *tree,
                               const clump_objects_job *job, const float *above);

/* Sets cluster and object. */
clump_status clump_cut_decide(clump_work *work, clump_cut *cut, const clump_node_tree *tree,
                              const clump_objects_rule *rule);

void clump_cut_release(clump_work *work, clump_cut *cut);

#endif
