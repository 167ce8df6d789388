/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_tree.c: searches of the box tree for one query, depth first, the nearer box first. Rounding cannot exclude a
 * point: see nn_pack.c.
 */
#include "cpu/nn/nn_boxes.h"

#include <math.h>

/* Returns whether all points of box j are within the bound. No point is further than the corner that is furthest on
 * every axis; as rounding is monotone, this also holds for computed distances. */
static bool is_within(const clump_find *find, const clump_tree_node *node, unsigned j)
{
    const float x = fmaxf(find->x - node->lower[0][j], node->upper[0][j] - find->x);
    const float y = fmaxf(find->y - node->lower[1][j], node->upper[1][j] - find->y);
    const float z = fmaxf(find->z - node->lower[2][j], node->upper[2][j] - find->z);
    return clump_distance_squared(x, y, z, 0, 0, 0) <= find->bound;
}

void clump_tree_find(const clump_box_tree *tree, clump_find *find, clump_tree_pending *stack)
{
    if (tree->count == 0) return;
    const clump_boxes_query query = clump_boxes_point(find->x, find->y, find->z);
    const bool ordered = find->kind == CLUMP_FIND_NEAREST; /* otherwise all boxes within the bound are opened anyway */
    uint32_t at = tree->root;
    for (size_t n = 0;;) {
        const clump_tree_node *const node = &tree->nodes[at];
        const size_t base = n;
        float least[CLUMP_TREE_WIDTH];
        unsigned within = clump_boxes_within(node, &query, find->bound, least);
        for (; within != 0; within &= within - 1) {
            const unsigned j = clump_lowest(within);
            if (node->least[j] != CLUMP_TREE_NO_INDEX)
                n = clump_boxes_push(stack, ordered ? base : n, n, least[j], at * CLUMP_TREE_WIDTH + j);
        }
        for (;;) {
            if (n == 0) return;
            const clump_tree_pending next = stack[--n];
            const clump_tree_node *const from = &tree->nodes[next.slot / CLUMP_TREE_WIDTH];
            const unsigned j = next.slot % CLUMP_TREE_WIDTH;
            if (clump_find_key(next.least, from->least[j]) > find->worst) continue;
            at = from->child[j];
            if ((at & CLUMP_TREE_LEAF_BIT) == 0) break;
            const clump_tree_leaf *const leaf = &tree->leaves[at & ~CLUMP_TREE_LEAF_BIT];
            if (find->kind == CLUMP_FIND_COUNT && is_within(find, from, j))
                find->found += leaf->last - leaf->first;
            else
                clump_find_test(find, tree->points, leaf->first, leaf->last);
        }
    }
}

size_t clump_tree_descend(const clump_box_tree *tree, const float *query, float *wide)
{
    CLUMP_ASSERT(tree->count > 0);
    const clump_boxes_query at = clump_boxes_point(query[0], query[1], query[2]);
    uint32_t child = tree->root;
    do {
        const clump_tree_node *const node = &tree->nodes[child];
        float far[CLUMP_TREE_WIDTH];
        clump_boxes_within(node, &at, INFINITY, far);
        int j = 0; /* child 0 is always used */
        for (int i = 1; i < CLUMP_TREE_WIDTH; i++) j = far[i] < far[j] ? i : j;
        float side = 0;
        for (int k = 0; k < 3; k++) side = fmaxf(side, node->upper[k][j] - node->lower[k][j]);
        *wide = side + sqrtf(far[j]);
        child = node->child[j];
    } while ((child & CLUMP_TREE_LEAF_BIT) == 0);
    return child & ~CLUMP_TREE_LEAF_BIT;
}
