/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_box.h: boxes and trees of points with a bound each (ranged_tree.c). Two points are neighbours when d2 is below the
 * smaller of their bounds.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_BOX_H
#define CLUMP_CPU_RANGED_RANGED_BOX_H

#include "common/lanes.h"
#include "common/team.h"
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
    union {
        struct {
            float lower[3], least;
        };
        float low[4]; /* in the order of a clump_point, so that one vector minimum does all four */
    };
    union {
        struct {
            float upper[3], most;
        };
        float high[4];
    };
} clump_ranged_node;

/* The tight box and the bounds of n points, n >= 1. */
static inline clump_ranged_node clump_ranged_box_of(const clump_point *p, size_t n)
{
    CLUMP_ASSERT(n >= 1);
    clump_f4 low = clump_f4_load(&p->x), high = low;
    for (size_t i = 1; i < n; i++) {
        const clump_f4 here = clump_f4_load(&p[i].x);
        low = clump_f4_min(low, here), high = clump_f4_max(high, here);
    }
    clump_ranged_node box;
    clump_f4_store(box.low, low), clump_f4_store(box.high, high);
    return box;
}

/* Widens a box, and its bounds, by another. */
static inline void clump_ranged_widen(clump_ranged_node *box, const clump_ranged_node *by)
{
    clump_f4_store(box->low, clump_f4_min(clump_f4_load(box->low), clump_f4_load(by->low)));
    clump_f4_store(box->high, clump_f4_max(clump_f4_load(box->high), clump_f4_load(by->high)));
}

/* The least squared distance of points of two boxes. */
static inline float clump_ranged_gap_squared(const clump_ranged_node *a, const clump_ranged_node *b)
{
    const clump_f4 up = clump_f4_sub(clump_f4_load(b->low), clump_f4_load(a->high));
    const clump_f4 down = clump_f4_sub(clump_f4_load(a->low), clump_f4_load(b->high));
    const clump_f4 larger = clump_f4_max(clump_f4_max(up, down), clump_f4_set(0));
    return clump_f4_sum_xyz(clump_f4_mul(larger, larger)); /* in the order of rules/distance.h */
}

/* The number of nodes of a tree of n points. */
size_t clump_ranged_tree_nodes(size_t n);

/* Builds a tree of n >= 1 points, which are put into another order. Polls `team`; the tree must not be read after a
 * cancellation. */
void clump_ranged_tree_build(clump_ranged_node *tree, clump_point *p, size_t n, clump_team *team);

/* What a search of pairs needs: memory for the points of both sets, and a team to poll. */
typedef struct clump_ranged_search {
    clump_point *scratch;
    clump_team *team;
    size_t work; /* for tests: pairs tested and points looked at; added to */
} clump_ranged_search;

/* Whether two sets of points with trees hold neighbours of each other. The bounds of a set differ by a factor of at most 2^8,
 * and its box is less than 5 times as wide as the root of the largest. */
bool clump_ranged_trees_near(const clump_ranged_node *tree_a, const clump_point *a, size_t na,
                             const clump_ranged_node *tree_b, const clump_point *b, size_t nb,
                             clump_ranged_search *search);

#endif
