/* SPDX-License-Identifier: BSD-3-Clause
 *
 * box_tree.h: the search structure of the method `fast` for nearest neighbours. Points lie in the order of a curve
 * (curve.h), cut into leaves of at most CLUMP_TREE_LEAF points where the curve leaves a box. Nodes have up to eight children.
 *
 *     nodes    [ 8 boxes ] ---> [ 8 boxes ] ---> ...
 *                    \
 *     leaves          first, last
 *     points   |  leaf  | leaf |    leaf   |leaf|  ...        in the order of the curve
 *
 * A span of points is cut at the highest bit in which their places differ. So the points of a leaf share a box of the
 * curve, large or small, and the box of the leaf is tight. Leaves of equal size, cut anywhere, would be half as many,
 * but with boxes so long that a search tests three times as many leaves (a street scan: 5.4 instead of 1.7 per query,
 * the answer known beforehand).
 *
 * Where more points than fit into a leaf have one place, the cloud is dense there relative to its box. That span gets a
 * curve of its own, recursively. Points that are all equal are cut in halves, smaller numbers first. A hot cell is a
 * place with more than 16 leaves.
 */
#ifndef CLUMP_CPU_NN_BOX_TREE_H
#define CLUMP_CPU_NN_BOX_TREE_H

#include "common/wide.h"
#include "cpu/nn/curve.h"

/* Points of a leaf. Measured on scans, Sapphire Rapids: with 4 lanes 24 and 32 are 1 to 4 % slower than 16, with 8 and
 * 16 lanes 16 is 5 to 10 % slower than 32. Results do not depend on it. */
#define CLUMP_TREE_LEAF     (CLUMP_WIDE == 4 ? 16 : 32)
#define CLUMP_TREE_WIDTH    8   /* children of a node: two vectors of boxes */
#define CLUMP_TREE_DEPTH    64  /* from this level on spans are halved: at most 11 levels more */
#define CLUMP_TREE_STACK    544 /* boxes on the stack of a search: 7 per level, and 8 on the last */
#define CLUMP_TREE_HOT      16  /* leaves; a place with more is a hot cell */
#define CLUMP_TREE_LEAF_BIT 0x80000000u
#define CLUMP_TREE_NO_INDEX INT32_MAX /* larger than the index of any point */

typedef struct clump_tree_point {
    float x, y, z;
    int32_t index; /* the caller's */
} clump_tree_point;

/* Boxes of up to eight children. The box of an unused entry is at infinity. */
typedef struct clump_tree_node {
    float lower[3][CLUMP_TREE_WIDTH], upper[3][CLUMP_TREE_WIDTH];
    uint32_t child[CLUMP_TREE_WIDTH]; /* a node, or a leaf with CLUMP_TREE_LEAF_BIT */
    int32_t least[CLUMP_TREE_WIDTH];  /* smallest index of its points; CLUMP_TREE_NO_INDEX: unused */
} clump_tree_node;

typedef struct clump_tree_leaf {
    uint32_t first, last; /* points first ... last - 1 */
    uint64_t place;       /* of its first point on the curve of the cloud; ascending */
} clump_tree_leaf;

typedef struct clump_box_tree {
    clump_curve curve;
    size_t count;             /* of points; 0: there are no nodes */
    clump_tree_point *points; /* and a sentinel at infinity */
    clump_tree_node *nodes;
    clump_tree_leaf *leaves; /* in the order of the curve; some may occur twice */
    size_t leaf_count;
    uint32_t root;  /* a node */
    bool maybe_hot; /* there may be hot cells */
    clump_buffer point_memory, node_memory, leaf_memory;
} clump_box_tree;

/* Builds the tree of the finite points. Its memory comes from `home`, which may differ from `work`. */
clump_status clump_tree_build(clump_work *work, clump_curve_scratch *scratch, clump_work *home, clump_box_tree *tree,
                              clump_view view, int threads);
void clump_tree_release(clump_work *home, clump_box_tree *tree);

/* Returns the last leaf at or before a place; the first leaf where there is none. */
size_t clump_tree_leaf_at(const clump_box_tree *tree, uint64_t place);

/* Returns whether a place is a hot cell, given its leaf by clump_tree_leaf_at. In a hot cell the place does not tell
 * which leaf is near a query. */
static inline bool clump_tree_is_hot(const clump_box_tree *tree, size_t leaf, uint64_t place)
{
    return tree->maybe_hot && leaf >= CLUMP_TREE_HOT && tree->leaves[leaf].place == place &&
           tree->leaves[leaf - CLUMP_TREE_HOT].place == place;
}

#endif
