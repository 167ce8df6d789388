/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_tree.h: searches of the box tree for one query.
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

#endif
