/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_tree.h: searches of the box tree, for one query or for a group of them.
 */
#ifndef CLUMP_CPU_NN_NN_TREE_H
#define CLUMP_CPU_NN_NN_TREE_H

#include "cpu/nn/nn_find.h"

/* A box that waits to be looked at: child `slot % 8` of node `slot / 8`. */
typedef struct clump_tree_wait {
    float least; /* squared distance of its box */
    uint32_t slot;
} clump_tree_wait;

/* One query of any kind. `waits` has CLUMP_TREE_STACK entries. */
void clump_tree_find(const clump_tree *tree, clump_find *find, clump_tree_wait *waits);

/* The leaf at the end of the way from the root that goes to the nearest box every time; the tree has points. *wide is the
 * longest side of its box and the distance to it together: queries so near each other meet the same boxes. */
size_t clump_tree_leaf_near(const clump_tree *tree, const float *query, float *wide);

/* ----- groups --------------------------------------------------------------------------------- */

#define CLUMP_PACK 16 /* queries that are searched for together */

/* Queries in lanes; lanes that are not used repeat the first query. */
typedef struct clump_pack {
    float x[CLUMP_PACK], y[CLUMP_PACK], z[CLUMP_PACK];
    float best[CLUMP_PACK];    /* squared distance of the nearest so far, or the bound */
    int32_t index[CLUMP_PACK]; /* and its index, or CLUMP_NOBODY */
    int count;
} clump_pack;

/* The nearest of every query. `best` and `index` hold what is known: the bound and nobody, or the
 * distance of some point and its index. `start` is a leaf that is looked at first, or CLUMP_TREE_NO_LEAF. */
#define CLUMP_TREE_NO_LEAF SIZE_MAX
void clump_tree_find_pack(const clump_tree *tree, clump_pack *group, size_t start, clump_tree_wait *waits);

#endif
