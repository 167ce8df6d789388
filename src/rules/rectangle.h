/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rectangle.h: the rectangle of least area around a convex polygon, by rotating calipers (Toussaint 1983). One of its
 * sides lies on an edge of the polygon (Freeman and Shapira 1975), so all edges are tried. The three corners that touch
 * the other sides only move forward while the edge goes once around. Compiled by the C compiler and by nvcc.
 *
 *              top                   along   from left to right
 *          +----*------+             across  from the edge to top
 *     left *           |
 *          |           * right       A wrong sign of a product near 0 moves a touching corner one step early or
 *          +--*=====*--+             late, along an edge parallel to the side it touches. The area then changes in
 *            edge i                  its last bits only.
 *
 * The arithmetic is in double, from float32 corners in a fixed order, so the result has the same bits on every machine.
 * Differences are in 2^-149 ... 2^129 and no product has more than four factors: nothing under- or overflows. The best
 * edge is turned by quarter turns into the first quadrant, which is exact. Then the rectangle is measured along it.
 */
#ifndef CLUMP_RULES_RECTANGLE_H
#define CLUMP_RULES_RECTANGLE_H

#include "rules/angle.h"
#include "rules/plane.h"

typedef struct clump_rectangle {
    double center[2];
    double size[2]; /* along the direction and across it */
    double yaw;     /* degrees, [0, 90] before rounding to float */
} clump_rectangle;

/* Returns corner i, counted around the hull more than once. i is mostly below 2 * corners: no division. */
CLUMP_RULE clump_xy clump_hull_corner(const clump_xy *hull, size_t corners, size_t i)
{
    while (i >= corners) i -= corners;
    return hull[i];
}

CLUMP_RULE clump_vector clump_hull_edge(const clump_xy *hull, size_t corners, size_t i)
{
    return clump_vector_between(clump_hull_corner(hull, corners, i), clump_hull_corner(hull, corners, i + 1));
}

/* Turns a direction by quarter turns until x > 0 and y >= 0, without -0. */
CLUMP_RULE clump_vector clump_first_quadrant(clump_vector v)
{
    if (v.x > 0 && v.y >= 0) return v;
    if (v.x <= 0 && v.y > 0) return clump_vector_make(v.y, clump_double_sub(0, v.x));
    if (v.x < 0) return clump_vector_make(-v.x, clump_double_sub(0, v.y));
    return clump_vector_make(-v.y, v.x);
}

/* Returns the area of the rectangle with a side on edge i whose other sides touch the corners right, top and left. */
CLUMP_RULE double clump_edge_area(const clump_xy *hull, size_t corners, size_t i, size_t right, size_t top, size_t left)
{
    const clump_vector e = clump_hull_edge(hull, corners, i);
    const clump_xy leftmost = clump_hull_corner(hull, corners, left);
    const clump_xy rightmost = clump_hull_corner(hull, corners, right);
    const double along = clump_vector_dot(e, clump_vector_between(leftmost, rightmost));
    const double across = clump_vector_cross(e, clump_vector_between(hull[i], clump_hull_corner(hull, corners, top)));
    return clump_double_div(clump_double_mul(along, across), clump_vector_dot(e, e));
}

/* Returns the direction of the edge with the least rectangle; of equal areas, the one with the least angle. The hull is
 * counterclockwise and strictly convex. */
CLUMP_RULE clump_vector clump_best_direction(const clump_xy *hull, size_t corners)
{
    clump_vector best = clump_first_quadrant(clump_hull_edge(hull, corners, 0));
    if (corners < 3) return best;
    double best_area = 0; /* of edge 0 after the first turn of the loop */
    size_t right = 1, top = 1, left = 1;
    for (size_t i = 0; i < corners; i++) {
        const clump_vector e = clump_hull_edge(hull, corners, i);
        if (right < i + 1) right = i + 1;
        while (clump_vector_dot(e, clump_hull_edge(hull, corners, right)) > 0) right++;
        if (top < right) top = right;
        while (clump_vector_cross(e, clump_hull_edge(hull, corners, top)) > 0) top++;
        if (left < top) left = top;
        while (clump_vector_dot(e, clump_hull_edge(hull, corners, left)) < 0) left++;

        const double area = clump_edge_area(hull, corners, i, right, top, left);
        const clump_vector direction = clump_first_quadrant(e);
        if (i == 0 || area < best_area || (area == best_area && clump_vector_cross(direction, best) > 0))
            best_area = area, best = direction;
    }
    return best;
}

/* Extremes of a hull along a unit vector and across it, from corner 0. Zeros for corner 0 alone. */
typedef struct clump_hull_reach {
    double least[2], most[2];
} clump_hull_reach;

CLUMP_RULE clump_vector clump_unit_vector(clump_vector direction)
{
    const double length = clump_double_sqrt(clump_vector_dot(direction, direction));
    return clump_vector_make(clump_double_div(direction.x, length), clump_double_div(direction.y, length));
}

CLUMP_RULE void clump_hull_reach_add(clump_hull_reach *r, clump_vector u, clump_xy origin, clump_xy corner)
{
    const clump_vector v = clump_vector_between(origin, corner);
    const double at[2] = {clump_vector_dot(u, v), clump_vector_cross(u, v)};
    for (int k = 0; k < 2; k++) {
        if (at[k] < r->least[k]) r->least[k] = at[k];
        if (at[k] > r->most[k]) r->most[k] = at[k];
    }
}

/* Returns the rectangle along a direction with x > 0 and y >= 0, whose unit vector is u. origin is corner 0. */
CLUMP_RULE clump_rectangle clump_rectangle_of_reach(const clump_hull_reach *r, clump_vector direction, clump_vector u,
                                                    clump_xy origin)
{
    clump_rectangle box;
    const clump_vector turned = clump_vector_make(u.x, -u.y),
                       middle = {clump_double_mul(0.5, clump_double_add(r->least[0], r->most[0])),
                                 clump_double_mul(0.5, clump_double_add(r->least[1], r->most[1]))};
    box.center[0] = clump_double_add((double)origin.x, clump_vector_dot(turned, middle));
    box.center[1] = clump_double_add((double)origin.y, clump_vector_dot(clump_vector_make(u.y, u.x), middle));
    for (int k = 0; k < 2; k++) box.size[k] = clump_double_sub(r->most[k], r->least[k]);
    box.yaw = clump_degrees(direction.x, direction.y);
    return box;
}

/* Returns the rectangle of one point. */
CLUMP_RULE clump_rectangle clump_rectangle_of_point(clump_xy p)
{
    const clump_rectangle box = {{(double)p.x, (double)p.y}, {0, 0}, 0};
    return box;
}

/* Returns the rectangle of least area around a hull of at least one corner. */
CLUMP_RULE clump_rectangle clump_least_rectangle(const clump_xy *hull, size_t corners)
{
    if (corners == 1) return clump_rectangle_of_point(hull[0]);
    const clump_vector direction = clump_best_direction(hull, corners), u = clump_unit_vector(direction);
    clump_hull_reach reach = {{0, 0}, {0, 0}};
    for (size_t i = 1; i < corners; i++) clump_hull_reach_add(&reach, u, hull[0], hull[i]);
    return clump_rectangle_of_reach(&reach, direction, u, hull[0]);
}

#endif
