/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_rectangle.cuh: the outline of a hull (core/cluster.h) by a warp: its least rectangle and its area, with an edge or
 * a corner per lane. Extremes do not depend on the order; the area is added in the order of the corners. The direction of
 * the rectangle is that of clump_best_direction() (rules/rectangle.h), which goes from edge to edge:
 *
 *   (1) There the corner that touches the right side of edge i is the first one from max(i + 1, that of edge i - 1) on
 *       where the product is not above 0.
 *   (2) Here lane i searches from max(i + 1, the one of the edge before this round) on. It may begin earlier than (1) and
 *       finds r(i), with the product above 0 for all corners before.
 *   (3) Where r(i) never falls from lane to lane, r(i - 1) <= r(i): by induction both find the same corner.
 *   (4) The same holds for the other two sides. Where rounding makes one of them fall, the warp takes the serial way.
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_RECTANGLE_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_RECTANGLE_CUH

#include "cuda/describe/describe_warp.cuh"

/* The corners that touch the other three sides of the rectangle on an edge. */
typedef struct describe_touching {
    uint32_t right, top, left;
} describe_touching;

__device__ static inline describe_touching describe_find_touching(const clump_xy *hull, uint32_t corners, uint32_t i,
                                                                  describe_touching from)
{
    const clump_vector e = clump_hull_edge(hull, corners, i);
    describe_touching t;
    t.right = max(from.right, i + 1);
    while (clump_vector_dot(e, clump_hull_edge(hull, corners, t.right)) > 0) t.right++;
    t.top = max(from.top, t.right);
    while (clump_vector_cross(e, clump_hull_edge(hull, corners, t.top)) > 0) t.top++;
    t.left = max(from.left, t.top);
    while (clump_vector_dot(e, clump_hull_edge(hull, corners, t.left)) < 0) t.left++;
    return t;
}

/* Returns the first place from `from` on whose bit is clear. Bits are counted around the hull more than once. */
__device__ static inline uint32_t describe_first_clear(uint32_t bits, uint32_t corners, uint32_t from)
{
    uint32_t at = from;
    while (at >= corners) at -= corners;
    const uint32_t clear = ~bits & (corners < 32 ? (1u << corners) - 1 : ~0u), later = clear >> at;
    return later ? from + (uint32_t)__ffs((int)later) - 1 : from + (corners - at) + (uint32_t)__ffs((int)clear) - 1;
}

/* The same for a hull of at most 32 corners, by all lanes at once: lane i has edge i, `e`. The signs of all products come
 * first, as bits; no search waits for a product. */
__device__ static inline describe_touching describe_find_touching_few(uint32_t corners, uint32_t i, clump_vector e)
{
    uint32_t ahead = 0, above = 0, behind = 0; /* bit j: the product with edge j is above 0, above 0, below 0 */
#pragma unroll 8
    for (uint32_t j = 0; j < corners; j++) {
        const clump_vector other = {__shfl_sync(~0u, e.x, (int)j), __shfl_sync(~0u, e.y, (int)j)};
        const double dot = clump_vector_dot(e, other);
        ahead |= (uint32_t)(dot > 0) << j;
        above |= (uint32_t)(clump_vector_cross(e, other) > 0) << j;
        behind |= (uint32_t)(dot < 0) << j;
    }
    describe_touching t;
    t.right = describe_first_clear(ahead, corners, i + 1);
    t.top = describe_first_clear(above, corners, t.right);
    t.left = describe_first_clear(behind, corners, t.top);
    return t;
}

/* Returns whether no lane with `valid` has a smaller value than the lane before. The lanes with `valid` come first. */
__device__ static inline bool describe_ascends(uint32_t value, bool valid)
{
    const uint32_t before = __shfl_up_sync(~0u, value, 1);
    return !__any_sync(~0u, valid && clump_lane() > 0 && value < before);
}

__device__ static inline double describe_warp_min(double value)
{
    for (int step = 16; step > 0; step /= 2) {
        const double other = __shfl_xor_sync(~0u, value, step);
        value = other < value ? other : value;
    }
    return value;
}

__device__ static inline clump_vector describe_vector_of_lane(clump_vector v, int lane)
{
    return clump_vector{__shfl_sync(~0u, v.x, lane), __shfl_sync(~0u, v.y, lane)};
}

/* Returns the direction in all lanes. All lanes of a warp call it with the same hull, of at least one corner. */
__device__ static inline clump_vector describe_best_direction(const clump_xy *hull, uint32_t corners)
{
    clump_vector best = clump_first_quadrant(clump_hull_edge(hull, corners, 0));
    if (corners < 3) return best;
    double best_area = 0;
    describe_touching from = {1, 1, 1};
    for (uint32_t begin = 0; begin < corners; begin += 32) {
        const uint32_t i = begin + clump_lane();
        const bool valid = i < corners;
        describe_touching t = from;
        if (corners <= 32)
            t = describe_find_touching_few(corners, i, clump_hull_edge(hull, corners, valid ? i : 0));
        else if (valid)
            t = describe_find_touching(hull, corners, i, from);
        __syncwarp();
        if (!describe_ascends(t.right, valid) || !describe_ascends(t.top, valid) || !describe_ascends(t.left, valid))
            return clump_best_direction(hull, corners);
        const int last = (int)(corners - begin < 32 ? corners - begin : 32) - 1;
        from.right = __shfl_sync(~0u, t.right, last);
        from.top = __shfl_sync(~0u, t.top, last);
        from.left = __shfl_sync(~0u, t.left, last);

        double area = INFINITY;
        clump_vector direction = best;
        if (valid) {
            area = clump_edge_area(hull, corners, i, t.right, t.top, t.left);
            direction = clump_first_quadrant(clump_hull_edge(hull, corners, i));
        }
        __syncwarp();
        const double least = describe_warp_min(area);
        if (begin > 0 && least > best_area) continue;
        uint32_t equal = __ballot_sync(~0u, valid && area == least); /* in the order of the edges */
        if (begin == 0 || least < best_area) {
            best = describe_vector_of_lane(direction, __ffs((int)equal) - 1);
            equal &= equal - 1;
        }
        best_area = least;
        for (; equal; equal &= equal - 1) {
            const clump_vector other = describe_vector_of_lane(direction, __ffs((int)equal) - 1);
            if (clump_vector_cross(other, best) > 0) best = other;
        }
    }
    return best;
}

/* Returns the extremes of a hull along u and across it, in all lanes. */
__device__ static inline clump_hull_reach describe_reach_along(const clump_xy *hull, uint32_t corners, clump_vector u)
{
    clump_hull_reach r = {{0, 0}, {0, 0}};
    for (uint32_t i = clump_lane(); i < corners; i += 32) clump_hull_reach_add(&r, u, hull[0], hull[i]);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 2; k++) {
        r.least[k] = describe_warp_min(r.least[k]);
        r.most[k] = -describe_warp_min(-r.most[k]);
    }
    return r;
}

/* Returns the area of a hull, in all lanes. */
__device__ static inline double describe_area(const clump_xy *hull, uint32_t corners)
{
    double twice = 0;
    for (uint32_t begin = 1; begin + 1 < corners; begin += 32) {
        const uint32_t i = begin + clump_lane(), count = min(corners - 1 - begin, 32u);
        const double own = i + 1 < corners ? clump_triangle_twice(hull, i) : 0;
        for (uint32_t k = 0; k < count; k++) twice = clump_double_add(twice, __shfl_sync(~0u, own, (int)k));
    }
    return clump_area_of_sum(twice);
}

/* Returns clump_outline_of() of a hull of at least one corner, in all lanes. All lanes of a warp call it. */
__device__ static inline clump_outline describe_outline_of(const clump_xy *hull, uint32_t corners)
{
    clump_outline o = {clump_rectangle_of_point(hull[0]), 0, (int32_t)corners};
    if (corners == 1) return o;
    const clump_vector direction = describe_best_direction(hull, corners), u = clump_unit_vector(direction);
    const clump_hull_reach r = describe_reach_along(hull, corners, u);
    o.box = clump_rectangle_of_reach(&r, direction, u, hull[0]);
    o.area = describe_area(hull, corners);
    return o;
}

#endif
