/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_tree.h: searches of the box tree, for one query or for a pack of them.
 */
#ifndef CLUMP_CPU_NN_NN_TREE_H
#define CLUMP_CPU_NN_NN_TREE_H

#include "cpu/nn/nn_find.h"

/* An entry of the stack of a search: child `slot % 8` of node `slot / 8`. */
typedef struct clump_tree_pending {
    float least; /* squared distance of its box */
    uint32_t slot;
} clump_tree_pending;

/* Searches for one query of any kind. `stack` has CLUMP_TREE_STACK entries. */
void clump_tree_find(const clump_tree *tree, clump_find *find, clump_tree_pending *stack);

/* Returns the leaf that is reached by descending to the nearest box every time; the tree has points. *wide is the
 * longest side of the leaf's box plus the distance to it: queries closer together test about the same boxes. */
size_t clump_tree_descend(const clump_tree *tree, const float *query, float *wide);

/* ----- packs ---------------------------------------------------------------------------------- */

#define CLUMP_PACK 16 /* queries that are searched for together: four vectors of best distances stay in registers */

/* Queries in lanes; unused lanes repeat the first query. */
typedef struct clump_pack {
    float x[CLUMP_PACK], y[CLUMP_PACK], z[CLUMP_PACK];
    float best[CLUMP_PACK];    /* squared distance of the nearest point so far, or the bound */
    int32_t index[CLUMP_PACK]; /* its index, or CLUMP_TREE_NO_INDEX */
    int count;                 /* 1 ... CLUMP_PACK */
} clump_pack;

/* Finds the nearest point of every query. On entry `best` and `index` hold the bound and CLUMP_TREE_NO_INDEX, or a
 * point already known. `start` is a leaf to test first, or CLUMP_TREE_NO_LEAF. */
#define CLUMP_TREE_NO_LEAF SIZE_MAX
void clump_tree_find_pack(const clump_tree *tree, clump_pack *pack, size_t start, clump_tree_pending *stack);

#endif
