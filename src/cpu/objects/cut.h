/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cut.h: measures the nodes of a tree (nodes.c) and decides which of them are clusters (cut.c).
 *
 * Nodes of all levels are in one array, the finest level first. A cluster is named by a node: an object by the node that
 * fits, background by its node of the coarsest level, a person by its node of the finest level.
 */
#ifndef CLUMP_CPU_OBJECTS_CUT_H
#define CLUMP_CPU_OBJECTS_CUT_H

#include "core/backend.h"
#include "cpu/objects/tree.h"

typedef struct clump_cut {
    clump_node *node;                        /* of all levels */
    int32_t first[CLUMP_OBJECTS_LEVELS + 1]; /* node of each level */
    int32_t *cluster;                        /* node of level 0 ──► the node that names its cluster */
    uint8_t *object; /* node that names a cluster ──► 1 + its level: object, 0: background */
    clump_buffer nodes, clusters;
} clump_cut;

/* Measures all nodes. `above` as in objects.h. */
clump_status clump_cut_measure(clump_context *ctx, clump_cut *cut, const clump_node_tree *tree,
                               const clump_objects_job *job, const float *above);

/* Sets cluster and object. */
clump_status clump_cut_decide(clump_context *ctx, clump_cut *cut, const clump_node_tree *tree,
                              const clump_objects_rule *rule);

void clump_cut_release(clump_context *ctx, clump_cut *cut);

#endif
