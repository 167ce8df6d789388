/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kdtree.h: an exact kd-tree for float32 points. It consists of two arrays: a complete binary tree of boxes, where node
 * i has the children 2i + 1 and 2i + 2, and the points in the order of the leaves. The span of points of a node follows
 * from halving the parent's span, so a node stores only its box.
 *
 *     boxes     0: all         1: left half   2: right half   3 ...
 *     points   [ leaf | leaf | leaf | leaf | leaf | leaf | leaf | leaf ]
 *                \_ node 3 _/   \_ node 4 _/
 *               \_____ node 1 __________/
 *
 * Fill:    clump_kdtree_reset(), clump_kdtree_add() for each point, clump_kdtree_build();
 *          or clump_kdtree_admit() for the points of a clustering job.
 * Search:  for (clump_kdtree_walk w = clump_kdtree_near(&tree, q, bound, inclusive); clump_kdtree_next(&w);)
 *              for (size_t i = w.first; i < w.last; i++)  compare with tree.points[i]
 * The walk visits the leaves that may hold a point within the bound, nearer halves first. The caller computes the
 * distances. A search for the nearest point lowers w.bound on the way.
 */
#ifndef CLUMP_CPU_SHARED_KDTREE_H
#define CLUMP_CPU_SHARED_KDTREE_H

#include "common/assert.h"
#include "core/backend.h"
#include "core/work.h"
#include "rules/distance.h"

/* Most points per leaf; leaves have 17 to 32. Measured on a street scan: with 16 a radius search is 15 % slower, and
 * the build is slower too; with 64 a search is 4 % faster. */
#define CLUMP_KDTREE_LEAF  32
#define CLUMP_KDTREE_DEPTH 32 /* room for all levels: 2^31 points have 27 */

typedef struct clump_kdtree_point {
    float x, y, z; /* z = 0 for two dimensions */
    int32_t index; /* of the point in the caller's cloud */
} clump_kdtree_point;

typedef struct clump_kdtree_box {
    float lower[3], upper[3];
} clump_kdtree_box;

typedef struct clump_kdtree {
    clump_kdtree_point *points; /* in the order of the leaves */
    clump_kdtree_box *boxes;
    size_t count;
    size_t inner;    /* nodes below this number have children */
    size_t capacity; /* points that there is room for */
    clump_buffer point_memory, box_memory;
} clump_kdtree;

/* Empties the tree and reserves memory for `capacity` points. A zeroed tree is a valid, empty tree. */
clump_status clump_kdtree_reset(clump_work *work, clump_kdtree *tree, size_t capacity);

/* Adds a point with finite coordinates. At most `capacity` points may be added. */
static inline void clump_kdtree_add(clump_kdtree *tree, float x, float y, float z, int32_t index)
{
    CLUMP_ASSERT(tree->count < tree->capacity);
    /* + 0 turns -0 into 0: distances do not differ, but the order of bit patterns does */
    tree->points[tree->count++] = (clump_kdtree_point){x + 0.0f, y + 0.0f, z + 0.0f, index};
}

/* Builds the boxes and sorts the points, in O(n log n) for every input. Fails when memory is short or the call is
 * cancelled; then the tree must not be searched. */
clump_status clump_kdtree_build(clump_work *work, clump_kdtree *tree);

/* Builds the tree of the points that take part. Labels all points noise, and counts those that take no part. */
clump_status clump_kdtree_admit(clump_work *work, clump_kdtree *tree, const clump_cloud_job *job, clump_stats *stats);

void clump_kdtree_release(clump_work *work, clump_kdtree *tree);

/* Writes to `found` the index of every point with d2 < bound (inclusive: d2 <= bound) from (x, y, z), in no particular
 * order, and returns their number. `found` has room for tree->count. */
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
    size_t waiting; /* entries in visits: at most one node per level, and two on the lowest */
    clump_kdtree_visit visits[CLUMP_KDTREE_DEPTH];
} clump_kdtree_walk;

/* The distance from a coordinate to an interval, as the rounded difference to its nearer end; 0 inside. */
static inline float clump_kdtree_gap(float value, float lower, float upper)
{
    const float below = lower - value, above = value - upper;
    const float gap = below > above ? below : above;
    return gap > 0 ? gap : 0;
}

/* A lower bound of the computed squared distance from the query to any point of the box, whatever is rounded:
 *   1. For a point b of the box and one axis, |q - b| >= gap as real numbers (gap: the distance from q to the interval).
 *   2. Rounding is monotone and symmetric, so the float32 difference is at least the float32 gap in magnitude.
 *   3. The same holds for their float32 squares, and for the sums, which add in the same order.
 *   4. An overflow to infinity keeps this order: infinity is the largest value. No NaN arises, since all coordinates
 *      are finite and no infinities are subtracted.
 * So a box with least >= bound holds no point with d2 < bound, one with least > bound none with d2 <= bound. */
static inline float clump_kdtree_least(const clump_kdtree_walk *walk, const clump_kdtree_box *box)
{
    return clump_distance_squared(clump_kdtree_gap(walk->x, box->lower[0], box->upper[0]),
                                  clump_kdtree_gap(walk->y, box->lower[1], box->upper[1]),
                                  clump_kdtree_gap(walk->z, box->lower[2], box->upper[2]), 0, 0, 0);
}

/* Whether a squared distance is within the bound of the walk. */
static inline bool clump_kdtree_within(const clump_kdtree_walk *walk, float d2)
{
    return walk->inclusive ? d2 <= walk->bound : d2 < walk->bound;
}

/* A walk around (x, y, z), before its first leaf. */
static inline clump_kdtree_walk clump_kdtree_near(const clump_kdtree *tree, float x, float y, float z, float bound,
                                                  bool inclusive)
{
    clump_kdtree_walk walk; /* visits stays uninitialised: zeroing it would cost more than a small search */
    walk.bound = bound, walk.inclusive = inclusive;
    walk.x = x, walk.y = y, walk.z = z;
    walk.tree = tree;
    walk.first = walk.last = walk.waiting = 0;
    if (tree->count > 0)
        walk.visits[walk.waiting++] =
            (clump_kdtree_visit){0, 0, (uint32_t)tree->count, clump_kdtree_least(&walk, &tree->boxes[0])};
    return walk;
}

/* Moves to the next leaf, first ... last - 1; false when there is none. */
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
