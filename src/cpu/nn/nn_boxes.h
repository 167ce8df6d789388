/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_boxes.h: what the searches of the box tree share: the distances of the boxes of a node, and the stack.
 */
#ifndef CLUMP_CPU_NN_NN_BOXES_H
#define CLUMP_CPU_NN_NN_BOXES_H

#include "common/wide.h"
#include "cpu/nn/nn_tree.h"

/* A box, or a point, in all lanes. */
typedef struct clump_boxes_query {
    clump_fe lower[3], upper[3];
} clump_boxes_query;

static inline clump_boxes_query clump_boxes_point(float x, float y, float z)
{
    const clump_fe at[3] = {clump_fe_set(x), clump_fe_set(y), clump_fe_set(z)};
    return (clump_boxes_query){{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
}

/* Writes the squared distances between the query and the boxes of a node. Returns which of them are at most `bound`,
 * one bit each. */
static inline unsigned clump_boxes_within(const clump_tree_node *node, const clump_boxes_query *q, float bound,
                                          float d2[CLUMP_TREE_WIDTH])
{
    unsigned within = 0;
    for (int first = 0; first < CLUMP_TREE_WIDTH; first += CLUMP_EIGHT) {
        clump_fe d[3];
        for (int k = 0; k < 3; k++) {
            const clump_fe below = clump_fe_sub(clump_fe_load(node->lower[k] + first), q->upper[k]);
            const clump_fe above = clump_fe_sub(q->lower[k], clump_fe_load(node->upper[k] + first));
            d[k] = clump_fe_max(clump_fe_max(below, above), clump_fe_set(0));
        }
        const clump_fe far = clump_fe_distance_squared(d[0], d[1], d[2]);
        clump_fe_store(d2 + first, far);
        within |= clump_fe_within(far, clump_fe_set(bound)) << first;
    }
    return within;
}

/* Pushes a child of a node, whose children begin at `base`, nearest on top; of equal distances the first child. Returns
 * the new size of the stack. */
static inline size_t clump_boxes_push(clump_tree_pending *stack, size_t base, size_t n, float least, uint32_t slot)
{
    CLUMP_ASSERT(n < CLUMP_TREE_STACK);
    size_t at = n;
    for (; at > base && stack[at - 1].least <= least; at--) stack[at] = stack[at - 1];
    stack[at] = (clump_tree_pending){least, slot};
    return n + 1;
}

#endif
