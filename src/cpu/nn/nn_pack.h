/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_pack.h: searches of the box tree for the nearest points of a pack: consecutive queries in the order of pack.h.
 */
#ifndef CLUMP_CPU_NN_NN_PACK_H
#define CLUMP_CPU_NN_NN_PACK_H

#include "common/wide.h"
#include "cpu/nn/nn_tree.h"

/* Queries that are searched for together. Measured on scans, Sapphire Rapids: with 8 and 16 lanes 16 is 6 to 10 %
 * slower than 32, 48 gains 2 %; with 4 lanes 16 queries are four vectors, which stay in registers. */
#define CLUMP_PACK (CLUMP_WIDE == 4 ? 16 : 32)

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
