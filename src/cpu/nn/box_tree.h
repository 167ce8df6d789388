/* SPDX-License-Identifier: BSD-3-Clause
 *
 * box_tree.h: the search structure of the method `fast` for nearest neighbours: points in the order
 * of a curve (curve.h), cut into leaves of at most 16 where the curve leaves a box, under nodes of
 * eight boxes each.
 *
 *     nodes    [ 8 boxes ] ---> [ 8 boxes ] ---> ...
 *                    \
 *     leaves          first, last
 *     points   |  leaf  | leaf |    leaf   |leaf|  ...        in the order of the curve
 *
 * A cut is always made at the highest bit in which the places of a range's points differ. So the
 * points of a leaf share a cell of the curve, large or small, and its box is tight. Leaves of equal
 * size, cut anywhere, would be half as many and their boxes so long that a search meets three times
 * as many of them (a street scan: 5.4 instead of 1.7 for each query, the answer known beforehand).
 *
 * Where more than a leaf's worth of points have one place, the cloud has a crowd that is small
 * beside its box; that range gets a curve of its own, and so on. Points that are all equal are cut
 * in halves, the smaller numbers first.
 */
#ifndef CLUMP_CPU_NN_BOX_TREE_H
#define CLUMP_CPU_NN_BOX_TREE_H

#include "cpu/nn/curve.h"

#define CLUMP_TREE_LEAF     16 /* 8 and 24 are no faster on scans */
#define CLUMP_TREE_WIDTH    8
#define CLUMP_TREE_DEPTH    64  /* from this level on ranges are halved: at most 11 levels more */
#define CLUMP_TREE_STACK    544 /* nodes that can wait in a search: 7 on each level, and 8 on the last */
#define CLUMP_TREE_CROWD    16  /* leaves of one place that are a crowd, if there is one more */
#define CLUMP_TREE_LEAF_BIT 0x80000000u
#define CLUMP_NOBODY        INT32_MAX /* a number larger than that of any point */

typedef struct clump_tree_point {
    float x, y, z;
    int32_t index; /* the caller's */
} clump_tree_point;

/* Boxes of up to eight children. What is not used is at infinity, and holds nobody. */
typedef struct clump_tree_node {
    float lower[3][CLUMP_TREE_WIDTH], upper[3][CLUMP_TREE_WIDTH];
    uint32_t child[CLUMP_TREE_WIDTH]; /* a node, or a leaf with CLUMP_TREE_LEAF_BIT */
    int32_t least[CLUMP_TREE_WIDTH];  /* smallest index of its points, or CLUMP_NOBODY */
} clump_tree_node;

typedef struct clump_tree_leaf {
    uint32_t first, last; /* in points */
    uint64_t place;       /* of its first point on the curve of the cloud; ascending */
} clump_tree_leaf;

typedef struct clump_tree {
    clump_curve curve;
    size_t count;             /* of points; 0: there are no nodes */
    clump_tree_point *points; /* and one more, which is nobody and far away */
    clump_tree_node *nodes;
    clump_tree_leaf *leaves; /* in the order of the curve; some may be there twice */
    size_t leaf_count;
    uint32_t root; /* a node */
    bool crowded;  /* there may be crowds */
    clump_buffer point_memory, node_memory, leaf_memory;
} clump_tree;

/* Scratch is the caller's; the tree's memory is taken from `home`, which may be another context. Points that
 * are not finite are left out. */
clump_status clump_tree_build(clump_context *ctx, clump_curve_scratch *scratch, clump_context *home, clump_tree *tree,
                              clump_view view, int threads);
/* The leaf where a place lies, or the last before it. */
size_t clump_tree_leaf_at(const clump_tree *tree, uint64_t place);

/* Whether the tree has a crowd at a place, given the leaf that lies there: so many leaves that the place does not tell
 * where in them a query belongs. */
static inline bool clump_tree_is_crowd(const clump_tree *tree, size_t leaf, uint64_t place)
{
    return tree->crowded && leaf >= CLUMP_TREE_CROWD && tree->leaves[leaf].place == place &&
           tree->leaves[leaf - CLUMP_TREE_CROWD].place == place;
}

void clump_tree_release(clump_context *home, clump_tree *tree);

#endif
