/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_box.h: boxes and trees of points with a bound each (ranged_tree.c). Two points are neighbours when d2 is below the
 * smaller of their bounds.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_BOX_H
#define CLUMP_CPU_RANGED_RANGED_BOX_H

#include "cpu/shared/points.h"
#include "rules/distance.h"

#include <string.h>

/* The bound of a point, from `more`. */
static inline float clump_ranged_bound(clump_point p)
{
    float bound;
    memcpy(&bound, &p.more, sizeof bound);
    return bound;
}

/* The tight box of some points, and their least and largest bound. */
typedef struct clump_ranged_node {
    float lower[3], upper[3];
    float least, most;
} clump_ranged_node;

/* The tight box and the bounds of n points, n >= 1. */
clump_ranged_node clump_ranged_box_of(const clump_point *p, size_t n);

/* The least squared distance of points of two boxes. */
static inline float clump_ranged_gap_squared(const clump_ranged_node *a, const clump_ranged_node *b)
{
    float gap[3];
    for (int k = 0; k < 3; k++) {
        const float up = b->lower[k] - a->upper[k], down = a->lower[k] - b->upper[k];
        const float larger = up > down ? up : down;
        gap[k] = larger > 0 ? larger : 0;
    }
    return clump_distance_squared(gap[0], gap[1], gap[2], 0, 0, 0);
}

/* Widens a box, and its bounds, by another. */
static inline void clump_ranged_widen(clump_ranged_node *box, const clump_ranged_node *by)
{
    for (int k = 0; k < 3; k++) {
        box->lower[k] = by->lower[k] < box->lower[k] ? by->lower[k] : box->lower[k];
        box->upper[k] = by->upper[k] > box->upper[k] ? by->upper[k] : box->upper[k];
    }
    box->least = by->least < box->least ? by->least : box->least;
    box->most = by->most > box->most ? by->most : box->most;
}

/* The number of nodes of a tree of n points. */
size_t clump_ranged_tree_nodes(size_t n);

/* Builds a tree of n >= 1 points, which are put into another order. */
void clump_ranged_tree_build(clump_ranged_node *tree, clump_point *p, size_t n);

/* Whether two sets of points with trees hold neighbours of each other. */
bool clump_ranged_trees_near(const clump_ranged_node *tree_a, const clump_point *a, size_t na,
                             const clump_ranged_node *tree_b, const clump_point *b, size_t nb);

#endif
