/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kdtree.c: building the tree of kdtree.h. Each node halves its points at the median of the widest
 * side of their box, so the depth is log2(n / leaf) for every input.
 *
 * The median is found by selection on the bit patterns. Floats sort like integers once negative ones are
 * flipped. A round has an interval of integers, lo ... hi, and the points in it:
 *
 *     |.... < lo ....|........ lo ... hi ........|.... > hi ....|
 *                    first       ^ middle        last
 *
 * A round picks a value v in (lo, hi], moves points below v to the left, and keeps the side with the
 * middle. v is the median of three samples, which takes about as long as three rounds over all points. Every
 * fourth v halves the interval of integers instead, so after at most 128 rounds it holds one value, for
 * any input.
 */
#include "cpu/shared/kdtree.h"

#include "core/work.h"
#include "cpu/shared/points.h"
#include "rules/float_key.h"

static inline float coordinate(const clump_kdtree_point *point, int axis)
{
    return axis == 0 ? point->x : axis == 1 ? point->y : point->z;
}

/* Moves points below v to the front and returns where the others begin. There is no branch on the comparison: its
 * outcome is random, so a branch would be mispredicted half the time. */
static inline size_t split_axis(clump_kdtree_point *points, size_t first, size_t last, int axis, float v)
{
    size_t front = first;
    for (size_t i = first; i < last; i++) {
        const clump_kdtree_point point = points[i];
        points[i] = points[front];
        points[front] = point;
        front += coordinate(&point, axis) < v;
    }
    return front;
}

static size_t split(clump_kdtree_point *points, size_t first, size_t last, int axis, float v)
{
    if (axis == 0) return split_axis(points, first, last, 0, v); /* one compiled loop per axis */
    if (axis == 1) return split_axis(points, first, last, 1, v);
    return split_axis(points, first, last, 2, v);
}

static float median_of_three(float a, float b, float c)
{
    const float low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Partially sorts points first ... last - 1: none before `middle` is above the point there, none behind it below. */
static void select_middle(clump_kdtree_point *points, size_t first, size_t last, size_t middle, int axis, float lower,
                          float upper)
{
    CLUMP_ASSERT(first <= middle && middle < last);
    uint32_t lo = clump_key_of_float(lower), hi = clump_key_of_float(upper);
    for (int round = 0; lo < hi && last - first > 1; round++) {
        uint32_t v = lo + (hi - lo) / 2 + 1;
        if (round % 4 != 3) {
            const size_t step = (last - first) / 4;
            v = clump_key_of_float(median_of_three(coordinate(&points[first + step], axis),
                                                   coordinate(&points[first + 2 * step], axis),
                                                   coordinate(&points[first + 3 * step], axis)));
            if (v == lo) v++; /* many equal values are cut off from above: two rounds are enough */
        }
        const size_t cut = split(points, first, last, axis, clump_float_of_key(v));
        if (middle < cut)
            last = cut, hi = v - 1;
        else
            first = cut, lo = v;
    }
}

static clump_kdtree_box box_of(const clump_kdtree_point *points, size_t first, size_t last)
{
    const clump_kdtree_point p = points[first];
    clump_kdtree_box box = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
    for (size_t i = first + 1; i < last; i++) {
        const float at[3] = {points[i].x, points[i].y, points[i].z};
        for (int k = 0; k < 3; k++) {
            box.lower[k] = at[k] < box.lower[k] ? at[k] : box.lower[k];
            box.upper[k] = at[k] > box.upper[k] ? at[k] : box.upper[k];
        }
    }
    return box;
}

#define KDTREE_POLLED 4096 /* nodes with at least this many points poll: a poll costs less than one point */

/* Builds the subtree of a node. The recursion is at most 27 levels deep. */
static clump_status build_node(clump_work *work, clump_kdtree *tree, size_t node, size_t first, size_t last)
{
    if (last - first >= KDTREE_POLLED) CLUMP_TRY(clump_poll(work));
    CLUMP_ASSERT(first < last);
    const clump_kdtree_box box = box_of(tree->points, first, last);
    tree->boxes[node] = box;
    if (node >= tree->inner) return CLUMP_OK;
    int axis = 0;
    for (int k = 1; k < 3; k++) /* an extent may overflow to infinity; any axis is correct */
        if (box.upper[k] - box.lower[k] > box.upper[axis] - box.lower[axis]) axis = k;
    const size_t middle = first + (last - first) / 2;
    select_middle(tree->points, first, last, middle, axis, box.lower[axis], box.upper[axis]);
    CLUMP_TRY(build_node(work, tree, 2 * node + 1, first, middle));
    return build_node(work, tree, 2 * node + 2, middle, last);
}

clump_status clump_kdtree_reset(clump_work *work, clump_kdtree *tree, size_t capacity)
{
    tree->count = tree->inner = tree->capacity = 0;
    CLUMP_TRY(clump_buffer_reserve(work, &tree->point_memory, capacity * sizeof(clump_kdtree_point)));
    tree->points = tree->point_memory.data;
    tree->capacity = capacity;
    return CLUMP_OK;
}

clump_status clump_kdtree_build(clump_work *work, clump_kdtree *tree)
{
    size_t leaves = 1;
    while (leaves * CLUMP_KDTREE_LEAF < tree->count) leaves *= 2;
    tree->inner = leaves - 1;
    CLUMP_TRY(clump_buffer_reserve(work, &tree->box_memory, (2 * leaves - 1) * sizeof(clump_kdtree_box)));
    tree->boxes = tree->box_memory.data;
    return tree->count > 0 ? build_node(work, tree, 0, 0, tree->count) : CLUMP_OK;
}

clump_status clump_kdtree_admit(clump_work *work, clump_kdtree *tree, const clump_cloud_job *job, clump_stats *stats)
{
    CLUMP_TRY(clump_kdtree_reset(work, tree, job->count));
    for (size_t i = 0; i < job->count; i++) {
        if (!clump_admit_point(job, i, stats)) continue;
        const clump_point p = clump_point_copy(job, i);
        clump_kdtree_add(tree, p.x, p.y, p.z, (int32_t)i);
    }
    return clump_kdtree_build(work, tree);
}

void clump_kdtree_release(clump_work *work, clump_kdtree *tree)
{
    clump_buffer_release(work, &tree->point_memory);
    clump_buffer_release(work, &tree->box_memory);
    *tree = (clump_kdtree){0};
}

size_t clump_kdtree_radius(const clump_kdtree *tree, float x, float y, float z, float bound, bool inclusive,
                           int32_t *found)
{
    size_t n = 0;
    clump_kdtree_walk walk = clump_kdtree_near(tree, x, y, z, bound, inclusive);
    while (clump_kdtree_next(&walk)) {
        for (size_t i = walk.first; i < walk.last; i++) {
            const clump_kdtree_point p = tree->points[i];
            if (clump_kdtree_within(&walk, clump_distance_squared(x, y, z, p.x, p.y, p.z))) found[n++] = p.index;
        }
    }
    return n;
}
