/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node.h: what is measured of a node of the tree of clusters, and what follows from it: whether it is an object
 * (clump_objects). Compiled by the C compiler and by nvcc. Each step is rounded to float32 and no two are fused.
 *
 *     level 2 (coarsest)        A                     cluster 0: B does not fit, C does; D and E do not fit
 *     level 1                 B     C                 A does not fit: C is an object, D and E are tested at level 0
 *     level 0 (finest)      D   E     F               what fits at no level is the background of A
 *
 * A node is measured by minima, maxima and counts. So its measures do not depend on the order of its points, and those of
 * a coarser node follow from its finer ones. Every cluster is a union of nodes of the finest level.
 *
 * Seen from above a point is at (u, v): its offsets from the sensor along the axes 0 and `across`. The projections onto
 * twelve directions, 15 degrees apart, are u * cos + v * sin.
 *
 * Words of clump_objects, for all rooms: the `tree` is the nested clusters of several radii, a `level` those of one
 * radius, a `node` one cluster of one level. The `cut` decides which nodes become clusters. An `object` is a cluster
 * that fits in a box; `background` is a cluster that is no object, the rest of a node of the coarsest level. `fits` is
 * whose size a cluster has, not a class. The `score` is the share of road users among objects like this one, on
 * labelled scans (docs/objects.md). A `group` is a node that fits in a box, but its finer nodes have the sizes of several
 * road users: these become the objects.
 */
#ifndef CLUMP_CORE_NODE_H
#define CLUMP_CORE_NODE_H

#include "rules/rounded.h"

#include <clump/clump.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { CLUMP_NODE_DIRECTIONS = 12, CLUMP_NODE_PAIRS = 6 }; /* direction k + 6 is perpendicular to direction k */

#define CLUMP_PERSON_LENGTH       1.1f
#define CLUMP_PERSON_WIDTH        0.9f
#define CLUMP_PERSON_BOTTOM       0.9f
#define CLUMP_PERSON_LEAST_TOP    1.2f
#define CLUMP_PERSON_MOST_TOP     2.2f
#define CLUMP_PERSON_LEAST_HEIGHT 0.7f
#define CLUMP_PERSON_POINTS       50

/* The size of one vehicle, narrower than the boxes. Of a rectangle that is turned by 7.5 degrees, half the angle between two
 * directions, the width grows by 0.13 of the length. */
#define CLUMP_VEHICLE_GROWTH   0.13f
#define CLUMP_VEHICLE_BOTTOM   1.0f
#define CLUMP_CAR_LENGTH       5.6f
#define CLUMP_CAR_LEAST_LENGTH 1.0f
#define CLUMP_CAR_WIDTH        2.0f
#define CLUMP_CAR_LEAST_TOP    0.8f
#define CLUMP_CAR_MOST_TOP     2.6f
#define CLUMP_TRUCK_LENGTH     13.0f
#define CLUMP_TRUCK_WIDTH      2.6f
#define CLUMP_TRUCK_LEAST_TOP  2.5f
#define CLUMP_TRUCK_MOST_TOP   4.5f

/* The measures of a node. An empty one has the least number of points and no extents: see clump_node_empty. */
typedef struct clump_node {
    int32_t count;
    float low[CLUMP_NODE_DIRECTIONS], high[CLUMP_NODE_DIRECTIONS]; /* of the projections */
    float bottom, top;     /* of the heights above the ground that are known; INFINITY, -INFINITY: none is */
    float lowest, highest; /* of the heights above the sensor */
} clump_node;

/* How nodes are measured and which are objects. */
typedef struct clump_objects_rule {
    float sensor[3];
    int across, up;                      /* axes */
    float sign;                          /* -1: upside down */
    int levels;                          /* of the tree, */
    float factors[CLUMP_OBJECTS_LEVELS]; /* of the radii, per level */
    int boxes;
    clump_object_box box[CLUMP_OBJECTS_BOXES];
    bool people, groups;
    float min_score; /* objects with less become background */
} clump_objects_rule;

/* ----- measures ------------------------------------------------------------------------------------------- */

/* Return the cosine and the sine of direction k, rounded to float32. */
CLUMP_RULE float clump_node_cosine(int k)
{
    const float quarter[7] = {1, 0.9659258f, 0.8660254f, 0.70710677f, 0.5f, 0.25881904f, 0}; /* 0 ... 90 degrees */
    return k <= 6 ? quarter[k] : -quarter[12 - k];
}

CLUMP_RULE float clump_node_sine(int k)
{
    return k <= 6 ? clump_node_cosine(6 - k) : clump_node_cosine(k - 6);
}

/* Returns the projection of (u, v) onto direction k; never -0. */
CLUMP_RULE float clump_node_project(float u, float v, int k)
{
    return clump_rn_add(clump_rn_add(clump_rn_mul(u, clump_node_cosine(k)), clump_rn_mul(v, clump_node_sine(k))), 0.0f);
}

CLUMP_RULE float clump_node_u(const clump_objects_rule *rule, const float *p)
{
    return clump_rn_sub(p[0], rule->sensor[0]);
}

CLUMP_RULE float clump_node_v(const clump_objects_rule *rule, const float *p)
{
    return clump_rn_sub(p[rule->across], rule->sensor[rule->across]);
}

/* Returns the height of a point above the sensor; never -0. */
CLUMP_RULE float clump_node_h(const clump_objects_rule *rule, const float *p)
{
    return clump_rn_add(clump_rn_mul(rule->sign, clump_rn_sub(p[rule->up], rule->sensor[rule->up])), 0.0f);
}

CLUMP_RULE clump_node clump_node_empty(void)
{
    clump_node n;
    const float most = (float)INFINITY;
    n.count = 0;
    for (int k = 0; k < CLUMP_NODE_DIRECTIONS; k++) n.low[k] = most, n.high[k] = -most;
    n.bottom = n.lowest = most;
    n.top = n.highest = -most;
    return n;
}

CLUMP_RULE float clump_least(float a, float b)
{
    return b < a ? b : a;
}

CLUMP_RULE float clump_most(float a, float b)
{
    return b > a ? b : a;
}

/* Adds a point with finite coordinates. `above` is its height above the ground, NaN where it is not known. */
CLUMP_RULE void clump_node_add(const clump_objects_rule *rule, clump_node *n, const float *p, float above)
{
    const float u = clump_node_u(rule, p), v = clump_node_v(rule, p), h = clump_node_h(rule, p);
    n->count++;
    for (int k = 0; k < CLUMP_NODE_DIRECTIONS; k++) {
        const float at = clump_node_project(u, v, k);
        n->low[k] = clump_least(n->low[k], at);
        n->high[k] = clump_most(n->high[k], at);
    }
    n->bottom = clump_least(n->bottom, clump_rn_add(above, 0.0f)); /* a NaN changes nothing */
    n->top = clump_most(n->top, clump_rn_add(above, 0.0f));
    n->lowest = clump_least(n->lowest, h);
    n->highest = clump_most(n->highest, h);
}

/* ----- sizes ---------------------------------------------------------------------------------------------- */

typedef struct clump_node_size {
    float length, width, bottom, top;
} clump_node_size;

/* Returns an extent, or INFINITY where it could not be computed: where offsets from the sensor overflow. */
CLUMP_RULE float clump_size_known(float extent)
{
    return extent >= 0 ? extent : (float)INFINITY;
}

/* Returns the size of a node with at least one point. Of pairs with equal products the first counts. No number is NaN. */
CLUMP_RULE clump_node_size clump_node_measure(const clump_node *n)
{
    float a = clump_rn_sub(n->high[0], n->low[0]),
          b = clump_rn_sub(n->high[CLUMP_NODE_PAIRS], n->low[CLUMP_NODE_PAIRS]);
    float least = clump_rn_mul(a, b);
    for (int k = 1; k < CLUMP_NODE_PAIRS; k++) {
        const int across = k + CLUMP_NODE_PAIRS;
        const float c = clump_rn_sub(n->high[k], n->low[k]), d = clump_rn_sub(n->high[across], n->low[across]);
        const float area = clump_rn_mul(c, d);
        if (area < least) a = c, b = d, least = area;
    }
    const bool known = n->bottom <= n->top;
    clump_node_size size;
    size.length = clump_size_known(clump_most(a, b));
    size.width = clump_size_known(clump_least(a, b));
    size.bottom = known ? n->bottom : 0;
    size.top = known ? n->top : clump_size_known(clump_rn_sub(n->highest, n->lowest));
    return size;
}

CLUMP_RULE bool clump_size_fits(const clump_object_box *box, clump_node_size s)
{
    return s.length <= box->length && s.width <= box->width && s.top >= box->least_top && s.top <= box->most_top &&
           s.bottom <= box->most_bottom;
}

/* Returns the first box that the size fits in; -1: none. */
CLUMP_RULE int clump_size_box(const clump_objects_rule *rule, clump_node_size s)
{
    for (int k = 0; k < rule->boxes; k++)
        if (clump_size_fits(&rule->box[k], s)) return k;
    return -1;
}

CLUMP_RULE bool clump_size_is_person(clump_node_size s)
{
    return s.length <= CLUMP_PERSON_LENGTH && s.width <= CLUMP_PERSON_WIDTH && s.bottom <= CLUMP_PERSON_BOTTOM &&
           s.top >= CLUMP_PERSON_LEAST_TOP && s.top <= CLUMP_PERSON_MOST_TOP &&
           clump_rn_sub(s.top, s.bottom) >= CLUMP_PERSON_LEAST_HEIGHT;
}

/* Returns whether a size is that of one vehicle. */
CLUMP_RULE bool clump_size_is_vehicle(clump_node_size s)
{
    const float growth = clump_rn_mul(CLUMP_VEHICLE_GROWTH, s.length);
    if (s.bottom > CLUMP_VEHICLE_BOTTOM) return false;
    if (s.length >= CLUMP_CAR_LEAST_LENGTH && s.length <= CLUMP_CAR_LENGTH &&
        s.width <= clump_rn_add(CLUMP_CAR_WIDTH, growth) && s.top >= CLUMP_CAR_LEAST_TOP && s.top <= CLUMP_CAR_MOST_TOP)
        return true;
    return s.length <= CLUMP_TRUCK_LENGTH && s.width <= clump_rn_add(CLUMP_TRUCK_WIDTH, growth) &&
           s.top >= CLUMP_TRUCK_LEAST_TOP && s.top <= CLUMP_TRUCK_MOST_TOP;
}

/* ----- groups --------------------------------------------------------------------------------------------- */

/* The parts of a node: the coarsest nodes of finer levels in it that have a size. A node that has the size itself is its
 * own part. Counts of points: of all parts, and of the largest. */
typedef struct clump_node_parts {
    int32_t people, most_person; /* of the size of a person */
    int32_t users, most_user;    /* of the size of a person or of a vehicle */
} clump_node_parts;

/* Returns the parts of a node that is its own part; 0 where it is not. */
CLUMP_RULE clump_node_parts clump_node_own_parts(const clump_objects_rule *rule, const clump_node *n)
{
    clump_node_parts parts = {0, 0, 0, 0};
    if (n->count < CLUMP_OBJECTS_LEAST) return parts; /* most nodes: their size is not needed */
    const clump_node_size size = clump_node_measure(n);
    const bool person = rule->people && clump_size_is_person(size);
    if (person) parts.people = parts.most_person = n->count;
    if (person || clump_size_is_vehicle(size)) parts.users = parts.most_user = n->count;
    return parts;
}

/* Returns whether `sum` is at least four fifths of a node, and `most` at most three quarters: there are several parts. */
CLUMP_RULE bool clump_node_is_shared(const clump_node *n, int32_t sum, int32_t most)
{
    return 5 * (int64_t)sum >= 4 * (int64_t)n->count && 4 * (int64_t)most <= 3 * (int64_t)n->count;
}

/* Returns whether a node that fits in a box is a group: people, or people and vehicles where the size is not that of one
 * vehicle. */
CLUMP_RULE bool clump_node_is_group(const clump_objects_rule *rule, const clump_node *n, const clump_node_parts *parts)
{
    if (!rule->groups || !clump_node_is_shared(n, parts->users, 0)) return false; /* most nodes */
    const clump_node_size size = clump_node_measure(n);
    if (rule->people && clump_size_is_person(size)) return false;
    if (clump_node_is_shared(n, parts->people, parts->most_person)) return true;
    const int box = clump_size_box(rule, size);
    return box >= 0 && rule->box[box].fits != CLUMP_FIT_OTHER && !clump_size_is_vehicle(size) &&
           clump_node_is_shared(n, parts->users, parts->most_user);
}

/* ----- cut ------------------------------------------------------------------------------------------------ */

/* Returns whether a node of a level is an object where it is not part of one on a coarser level. */
CLUMP_RULE bool clump_node_is_object(const clump_objects_rule *rule, int level, const clump_node *n)
{
    const bool coarsest = level == rule->levels - 1;
    if (!coarsest && n->count < CLUMP_OBJECTS_LEAST) return false; /* most nodes: their size is not needed */
    const clump_node_size size = clump_node_measure(n);
    return clump_size_box(rule, size) >= 0 && (coarsest || size.bottom <= CLUMP_OBJECTS_BOTTOM);
}

/* Returns whether a node of the finest level is a person within a cluster of `cluster` points. */
CLUMP_RULE bool clump_node_is_person(const clump_objects_rule *rule, const clump_node *n, int32_t cluster)
{
    return rule->people && n->count >= CLUMP_PERSON_POINTS && 4 * (int64_t)n->count <= 3 * (int64_t)cluster &&
           clump_size_is_person(clump_node_measure(n));
}

/* ----- score ---------------------------------------------------------------------------------------------- */

/* Returns the height of the broken line through the points (x[k], y[k]) at a place. Left of the first point, for NaN and
 * right of the last it is horizontal. x ascends. */
CLUMP_RULE float clump_line_at(const float *x, const float *y, int count, float at)
{
    if (!(at > x[0])) return y[0];
    for (int k = 1; k < count; k++) {
        if (at >= x[k]) continue;
        const float share = clump_rn_div(clump_rn_sub(at, x[k - 1]), clump_rn_sub(x[k], x[k - 1]));
        return clump_rn_add(y[k - 1], clump_rn_mul(share, clump_rn_sub(y[k], y[k - 1])));
    }
    return y[count - 1];
}

#define CLUMP_LINE_AT(x, y, at) clump_line_at(x, y, (int)(sizeof(x) / sizeof *(x)), at)

/* Returns the number of points per square radian, if the node was a wall of its length and height that faces the sensor. */
CLUMP_RULE float clump_node_density(const clump_node *n, clump_node_size size)
{
    const int across = CLUMP_NODE_PAIRS;
    const float u = clump_rn_mul(0.5f, clump_rn_add(n->low[0], n->high[0]));
    const float v = clump_rn_mul(0.5f, clump_rn_add(n->low[across], n->high[across]));
    const float range2 = clump_rn_add(clump_rn_mul(u, u), clump_rn_mul(v, v));
    const float face =
        clump_rn_mul(clump_most(size.length, 0.1f), clump_most(clump_rn_sub(size.top, size.bottom), 0.1f));
    return clump_rn_div(clump_rn_mul((float)n->count, range2), face);
}

/* Returns the score of an object of a level. scripts/score-table.py --fit makes the numbers. */
CLUMP_RULE float clump_node_score(const clump_objects_rule *rule, int level, const clump_node *n, clump_node_size size)
{
    /* score:begin */
    const float base = -5.66f;
    const float width[] = {0, 0.5f, 1, 2};
    const float of_width[] = {-2.05f, -0.24f, 0.96f, 1.33f};
    const float bottom[] = {0, 0.5f, 1};
    const float of_bottom[] = {0.89f, -0.02f, -0.87f};
    const float top[] = {0.5f, 1, 1.5f, 2, 3};
    const float of_top[] = {-1.35f, 0.82f, 2.28f, 0.22f, -1.97f};
    const float factor[] = {0.5f, 1, 2};
    const float of_factor[] = {-1.69f, -0.05f, 1.75f};
    const float density[] = {4000, 8000, 16000, 32000};
    const float of_density[] = {-1.75f, -0.5f, 0.6f, 1.65f};
    const float logit[] = {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5};
    const float chance[] = {0.007f, 0.018f, 0.047f, 0.119f, 0.269f, 0.5f, 0.731f, 0.881f, 0.953f, 0.982f, 0.993f};
    /* score:end */
    float sum = base;
    sum = clump_rn_add(sum, CLUMP_LINE_AT(width, of_width, size.width));
    sum = clump_rn_add(sum, CLUMP_LINE_AT(bottom, of_bottom, size.bottom));
    sum = clump_rn_add(sum, CLUMP_LINE_AT(top, of_top, size.top));
    sum = clump_rn_add(sum, CLUMP_LINE_AT(factor, of_factor, rule->factors[level]));
    sum = clump_rn_add(sum, CLUMP_LINE_AT(density, of_density, clump_node_density(n, size)));
    return CLUMP_LINE_AT(logit, chance, sum);
}

/* Returns the entry of a cluster with the measures n. level: of the node that is the object; -1: background. */
CLUMP_RULE clump_object clump_object_of(const clump_objects_rule *rule, int32_t label, int level, const clump_node *n)
{
    const clump_node_size size = clump_node_measure(n);
    const int box = clump_size_box(rule, size);
    const float score = level < 0 ? 0 : clump_node_score(rule, level, n, size);
    const bool object = level >= 0 && score >= rule->min_score;
    clump_object o;
    o.label = label;
    o.count = n->count;
    o.object = object;
    o.fits = CLUMP_FIT_OTHER;
    if (object && rule->people && clump_size_is_person(size))
        o.fits = CLUMP_FIT_PERSON;
    else if (object && box >= 0)
        o.fits = rule->box[box].fits;
    o.length = size.length;
    o.width = size.width;
    o.bottom = size.bottom;
    o.top = size.top;
    o.level = level;
    o.score = score;
    return o;
}

#endif
