/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kdtree.c: building the tree of kdtree.h. Each node halves its points at the median of the widest
 * side of their box, so the depth is log2(n / leaf) whatever the points are.
 *
 * The median is found by selection on the bit patterns. Floats sort like integers once negative ones are
 * flipped, so what is still open is an interval of integers, lo ... hi, and the points in it:
 *
 *     |.... < lo ....|........ lo ... hi ........|.... > hi ....|
 *                    first       ^ middle        last
 *
 * A round picks a value v in (lo, hi], puts points below v to the left, and keeps the side with the
 * middle. v is the median of three samples, which needs about three rounds' worth of work; but every
 * fourth v cuts the interval of integers in half, so after at most 128 rounds it is down to one value,
 * for any input, adverse or all the same.
 */
#include "cpu/shared/kdtree.h"

#include "core/context.h"
#include "rules/float_key.h"

static inline float coordinate(const clump_kdtree_point *point, int axis)
{
    return axis == 0 ? point->x : axis == 1 ? point->y : point->z;
}

/* Points below v to the front; returns where the others begin. Without a branch on the data: the
 * outcome of the comparison is a coin toss that no predictor can learn. */
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
    if (axis == 0) return split_axis(points, first, last, 0, v); /* one loop compiled for each */
    if (axis == 1) return split_axis(points, first, last, 1, v);
    return split_axis(points, first, last, 2, v);
}

static float median_of_three(float a, float b, float c)
{
    const float low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Afterwards no point before `middle` is above, and none from it on below, the point there. */
static void select_middle(clump_kdtree_point *points, size_t first, size_t last, size_t middle, int axis, float lower,
                          float upper)
{
    uint32_t lo = clump_key_of_float(lower), hi = clump_key_of_float(upper);
    for (int round = 0; lo < hi && last - first > 1; round++) {
        uint32_t v = lo + (hi - lo) / 2 + 1;
        if (round % 4 != 3) {
            const size_t step = (last - first) / 4;
            v = clump_key_of_float(median_of_three(coordinate(&points[first + step], axis),
                                                   coordinate(&points[first + 2 * step], axis),
                                                   coordinate(&points[first + 3 * step], axis)));
            if (v == lo) v++; /* so that many equal values are cut off from above: two rounds and done */
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

#define POLLED 4096 /* points of a node that is worth a poll */

/* As deep as the tree, 27 levels at most. */
static clump_status build_node(clump_context *ctx, clump_kdtree *tree, size_t node, size_t first, size_t last)
{
    if (last - first >= POLLED) CLUMP_TRY(clump_poll(ctx));
    const clump_kdtree_box box = box_of(tree->points, first, last);
    tree->boxes[node] = box;
    if (node >= tree->inner) return CLUMP_OK;
    int axis = 0;
    for (int k = 1; k < 3; k++) /* an extent may overflow to infinity; any axis is right, this is only the best */
        if (box.upper[k] - box.lower[k] > box.upper[axis] - box.lower[axis]) axis = k;
    const size_t middle = first + (last - first) / 2;
    select_middle(tree->points, first, last, middle, axis, box.lower[axis], box.upper[axis]);
    CLUMP_TRY(build_node(ctx, tree, 2 * node + 1, first, middle));
    return build_node(ctx, tree, 2 * node + 2, middle, last);
}

clump_status clump_kdtree_reset(clump_context *ctx, clump_kdtree *tree, size_t capacity)
{
    tree->count = tree->inner = 0;
    const clump_status status = clump_buffer_reserve(ctx, &tree->point_memory, capacity * sizeof(clump_kdtree_point));
    tree->points = tree->point_memory.data;
    return status;
}

clump_status clump_kdtree_build(clump_context *ctx, clump_kdtree *tree)
{
    size_t leaves = 1;
    while (leaves * CLUMP_KDTREE_LEAF < tree->count) leaves *= 2;
    tree->inner = leaves - 1;
    const clump_status status =
        clump_buffer_reserve(ctx, &tree->box_memory, (2 * leaves - 1) * sizeof(clump_kdtree_box));
    tree->boxes = tree->box_memory.data;
    return status == CLUMP_OK && tree->count > 0 ? build_node(ctx, tree, 0, 0, tree->count) : status;
}

void clump_kdtree_release(clump_context *ctx, clump_kdtree *tree)
{
    clump_buffer_release(ctx, &tree->point_memory);
    clump_buffer_release(ctx, &tree->box_memory);
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
