/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kdtree.h: an exact kd-tree for float32 points. Arrays only: a complete binary tree of boxes, node
 * i with children 2i + 1 and 2i + 2, over points put in the order of the leaves. Where a node's
 * points lie follows from halving the range on the way down, so nodes store nothing but the box.
 *
 *     boxes     0: all         1: left half   2: right half   3 ...
 *     points   [ leaf | leaf | leaf | leaf | leaf | leaf | leaf | leaf ]
 *                \_ node 3 _/   \_ node 4 _/
 *               \_____ node 1 __________/
 *
 * Fill:    clump_kdtree_reset(), clump_kdtree_add() for each point, clump_kdtree_build().
 * Search:  for (clump_kdtree_walk w = clump_kdtree_near(&tree, q, bound, inclusive); clump_kdtree_next(&w);)
 *              for (size_t i = w.first; i < w.last; i++)  look at tree.points[i]
 * visits the leaves that may hold a point within the bound, nearer halves first; the caller computes
 * the distances. A search for the nearest lowers w.bound as it finds them.
 */
#ifndef CLUMP_CPU_SHARED_KDTREE_H
#define CLUMP_CPU_SHARED_KDTREE_H

#include "core/buffer.h"
#include "rules/distance.h"

/* Most points in a leaf: leaves have 17 to 32. Half as many makes a radius search of a street scan
 * 15 % slower and the build as well; twice as many gains 4 % more. */
#define CLUMP_KDTREE_LEAF  32
#define CLUMP_KDTREE_DEPTH 32 /* more levels than 2^31 points need: 27 */

typedef struct clump_kdtree_point {
    float x, y, z; /* z = 0 for two dimensions */
    int32_t index; /* the caller's */
} clump_kdtree_point;

typedef struct clump_kdtree_box {
    float lower[3], upper[3];
} clump_kdtree_box;

typedef struct clump_kdtree {
    clump_kdtree_point *points; /* in the order of the leaves */
    clump_kdtree_box *boxes;
    size_t count;
    size_t inner; /* nodes below this number have children */
    clump_buffer point_memory, box_memory;
} clump_kdtree;

/* Empties the tree and makes room for `capacity` points. A zeroed tree is a valid, empty one. */
clump_status clump_kdtree_reset(clump_context *ctx, clump_kdtree *tree, size_t capacity);

/* Finite coordinates only, and no more points than there is room for. */
static inline void clump_kdtree_add(clump_kdtree *tree, float x, float y, float z, int32_t index)
{
    /* + 0 turns -0 into 0, which no distance can tell apart but the order of bit patterns would */
    tree->points[tree->count++] = (clump_kdtree_point){x + 0.0f, y + 0.0f, z + 0.0f, index};
}

/* O(n log n) for every input. Fails for want of memory or when the call is cancelled; then the tree is not to be used. */
clump_status clump_kdtree_build(clump_context *ctx, clump_kdtree *tree);

void clump_kdtree_release(clump_context *ctx, clump_kdtree *tree);

/* Appends to `found`, which must have room for tree->count, the index of every point with d2 < bound
 * (inclusive: d2 <= bound) from (x, y, z), in no particular order; returns how many. */
size_t clump_kdtree_radius(const clump_kdtree *tree, float x, float y, float z, float bound, bool inclusive,
                           int32_t *found);

/* ----- the walk -------------------------------------------------------------------------------- */

typedef struct clump_kdtree_visit {
    uint32_t node, first, last;
    float least; /* squared distance from the query to the node's box */
} clump_kdtree_visit;

typedef struct clump_kdtree_walk {
    size_t first, last; /* the leaf's points */
    float bound;        /* may be lowered during the walk */
    bool inclusive;
    float x, y, z;
    const clump_kdtree *tree;
    size_t waiting; /* in visits: one node on each level at most, and two on the lowest */
    clump_kdtree_visit visits[CLUMP_KDTREE_DEPTH];
} clump_kdtree_walk;

/* How far a coordinate is outside an interval, rounded as the coordinate's difference to its end is. */
static inline float clump_kdtree_gap(float value, float lower, float upper)
{
    const float below = lower - value, above = value - upper;
    const float gap = below > above ? below : above;
    return gap > 0 ? gap : 0;
}

/* At most the computed squared distance from the query to any point of the box, whatever is rounded.
 * For a point b of the box and one axis, |q - b| >= gap as real numbers (gap: distance from q to the
 * interval, taken to one of its ends or 0). Rounding is monotone and symmetric, so the float32 difference
 * is at least the float32 gap in magnitude; so are their float32 squares; and the sums, which
 * add in the same order, again by monotone rounding. An overflow to infinity fits in: it is the
 * largest value, and no NaN arises, since all coordinates are finite and no infinities are subtracted.
 * So a box with least >= bound holds no point with d2 < bound, one with least > bound none with d2 <= bound. */
static inline float clump_kdtree_least(const clump_kdtree_walk *walk, const clump_kdtree_box *box)
{
    return clump_distance_squared(clump_kdtree_gap(walk->x, box->lower[0], box->upper[0]),
                                  clump_kdtree_gap(walk->y, box->lower[1], box->upper[1]),
                                  clump_kdtree_gap(walk->z, box->lower[2], box->upper[2]), 0, 0, 0);
}

static inline bool clump_kdtree_within(const clump_kdtree_walk *walk, float d2)
{
    return walk->inclusive ? d2 <= walk->bound : d2 < walk->bound;
}

static inline clump_kdtree_walk clump_kdtree_near(const clump_kdtree *tree, float x, float y, float z, float bound,
                                                  bool inclusive)
{
    clump_kdtree_walk walk; /* visits is filled as it goes: zeroing it would cost more than a small search */
    walk.bound = bound, walk.inclusive = inclusive;
    walk.x = x, walk.y = y, walk.z = z;
    walk.tree = tree;
    walk.first = walk.last = walk.waiting = 0;
    if (tree->count > 0)
        walk.visits[walk.waiting++] =
            (clump_kdtree_visit){0, 0, (uint32_t)tree->count, clump_kdtree_least(&walk, &tree->boxes[0])};
    return walk;
}

static inline bool clump_kdtree_next(clump_kdtree_walk *walk)
{
    const clump_kdtree *const tree = walk->tree;
    while (walk->waiting > 0) {
        const clump_kdtree_visit at = walk->visits[--walk->waiting];
        if (!clump_kdtree_within(walk, at.least)) continue;
        if (at.node >= tree->inner) {
            walk->first = at.first, walk->last = at.last;
            return true;
        }
        const uint32_t child = 2 * at.node + 1, middle = at.first + (at.last - at.first) / 2;
        const clump_kdtree_visit left = {child, at.first, middle, clump_kdtree_least(walk, &tree->boxes[child])};
        const clump_kdtree_visit right = {child + 1, middle, at.last,
                                          clump_kdtree_least(walk, &tree->boxes[child + 1])};
        const bool left_first = left.least <= right.least;
        const clump_kdtree_visit near = left_first ? left : right, far = left_first ? right : left;
        if (clump_kdtree_within(walk, far.least)) walk->visits[walk->waiting++] = far;
        if (clump_kdtree_within(walk, near.least)) walk->visits[walk->waiting++] = near;
    }
    return false;
}

#endif
