/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rectangle.c: the rectangle of least area around a convex polygon, by rotating calipers (Toussaint 1983). One of its
 * sides lies on an edge of the polygon (Freeman and Shapira 1975), so all edges are tried. The three corners that touch
 * the other sides only move forward while the edge goes once around.
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
#include "cpu/describe/hull.h"

#include "common/assert.h"

#include <math.h>

typedef struct vector {
    double x, y;
} vector;

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y;
}

static double cross(vector a, vector b)
{
    return a.x * b.y - a.y * b.x;
}

static vector between(clump_xy from, clump_xy to)
{
    return (vector){(double)to.x - from.x, (double)to.y - from.y};
}

/* Returns corner i, counted around the hull more than once. i is mostly below 2 * corners: no division. */
static clump_xy corner(const clump_xy *hull, size_t corners, size_t i)
{
    while (i >= corners) i -= corners;
    return hull[i];
}

static vector edge(const clump_xy *hull, size_t corners, size_t i)
{
    return between(corner(hull, corners, i), corner(hull, corners, i + 1));
}

/* Turns a direction by quarter turns until x > 0 and y >= 0, without -0. */
static vector first_quadrant(vector v)
{
    if (v.x > 0 && v.y >= 0) return v;
    if (v.x <= 0 && v.y > 0) return (vector){v.y, 0.0 - v.x};
    if (v.x < 0) return (vector){-v.x, 0.0 - v.y};
    return (vector){-v.y, v.x};
}

/* Returns the direction of the edge with the least rectangle; of equal areas, the one with the least angle. */
static vector best_direction(const clump_xy *hull, size_t corners)
{
    vector best = first_quadrant(edge(hull, corners, 0));
    if (corners < 3) return best;
    double best_area = INFINITY;
    size_t right = 1, top = 1, left = 1;
    for (size_t i = 0; i < corners; i++) {
        const vector e = edge(hull, corners, i);
        if (right < i + 1) right = i + 1;
        while (dot(e, edge(hull, corners, right)) > 0) right++;
        if (top < right) top = right;
        while (cross(e, edge(hull, corners, top)) > 0) top++;
        if (left < top) left = top;
        while (dot(e, edge(hull, corners, left)) < 0) left++;

        const double along = dot(e, between(corner(hull, corners, left), corner(hull, corners, right)));
        const double across = cross(e, between(hull[i], corner(hull, corners, top)));
        const double area = along * across / dot(e, e);
        const vector direction = first_quadrant(e);
        if (area < best_area || (area == best_area && cross(direction, best) > 0)) best_area = area, best = direction;
    }
    return best;
}

clump_rectangle clump_least_rectangle(const clump_xy *hull, size_t corners)
{
    CLUMP_ASSERT(corners >= 1);
    if (corners == 1) return (clump_rectangle){.center = {hull[0].x, hull[0].y}};
    const vector direction = best_direction(hull, corners);
    const double length = sqrt(dot(direction, direction));
    const vector u = {direction.x / length, direction.y / length};

    double least[2] = {0, 0}, most[2] = {0, 0}; /* along u and across it, from corner 0 */
    for (size_t i = 1; i < corners; i++) {
        const vector v = between(hull[0], hull[i]);
        const double at[2] = {dot(u, v), cross(u, v)};
        for (int k = 0; k < 2; k++) {
            if (at[k] < least[k]) least[k] = at[k];
            if (at[k] > most[k]) most[k] = at[k];
        }
    }
    const double along = 0.5 * (least[0] + most[0]), across = 0.5 * (least[1] + most[1]);
    return (clump_rectangle){
        .center = {hull[0].x + (u.x * along - u.y * across), hull[0].y + (u.y * along + u.x * across)},
        .size = {most[0] - least[0], most[1] - least[1]},
        .yaw = atan2(direction.y, direction.x) * (180.0 / 3.14159265358979323846),
    };
}
