/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster.h: how a clump_cluster follows from what is measured of its points: sums and extremes that do not depend on their
 * order, and the convex hull. Both backends measure; this finishes. Compiled by the C compiler and by nvcc.
 *
 *     1  count; lower, upper and used of each axis (rules/mean.h), and of the field `value`; the least of
 *        clump_distance_above(); the largest of the finite heights
 *     2  sums of the axes and of the field (rules/mean.h); with options.axes moments (rules/covariance.h)
 *     3  corners of the hull of the points seen from above: exact (clump_orientation), counterclockwise, strictly convex,
 *        from the one with the least x, then y
 *     4  clump_outline_of(), clump_cluster_finish()
 *
 * "Seen from above" are the coordinates 0 and across: clump_across(up). The coordinate up is clump_upward(up).
 * Coordinates 0 and across are finite. Where the one that is up is not, a point counts for everything but that axis
 * and the moments. All coordinates, heights and values have 0.0f added first, so there is no -0.
 */
#ifndef CLUMP_CORE_CLUSTER_H
#define CLUMP_CORE_CLUSTER_H

#include "core/work.h"
#include "rules/axes.h"
#include "rules/rectangle.h"

#include <clump/clump.h>

/* What is measured of a cluster. */
typedef struct clump_measures {
    int32_t count;         /* points */
    clump_axis axis[3];    /* x, y, z */
    clump_axis value;      /* the field; used 0 without */
    double nearest;        /* least squared distance from the sensor, seen from above */
    float highest;         /* of the finite heights; -INFINITY where there are none */
    bool has_moments;      /* options.axes */
    clump_moments moments; /* else unused */
} clump_measures;

/* Axes: the one that is seen from above beside x, and the one that is up. */
CLUMP_RULE int clump_across(clump_up up)
{
    return up == CLUMP_UP_Y ? 2 : 1;
}

CLUMP_RULE int clump_upward(clump_up up)
{
    return up == CLUMP_UP_Y ? 1 : 2;
}

CLUMP_RULE bool clump_is_finite(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7f800000u) != 0x7f800000u;
}

/* Returns the squared distance of a point from the sensor, seen from above. Not negative: its bits sort as its value. */
CLUMP_RULE double clump_distance_above(float x, float y, float sensor_x, float sensor_y)
{
    const double dx = clump_double_sub((double)x, (double)sensor_x), dy = clump_double_sub((double)y, (double)sensor_y);
    return clump_double_add(clump_double_mul(dx, dx), clump_double_mul(dy, dy));
}

CLUMP_RULE float clump_infinity(void)
{
    return clump_float_of_key(0xff800000u);
}

/* Returns the entry of a label without points. */
CLUMP_RULE clump_cluster clump_cluster_empty(int32_t label)
{
    clump_cluster c;
    memset(&c, 0, sizeof c);
    c.label = label;
    c.height = c.intensity = clump_unknown();
    return c;
}

/* Covariance and principal axes. Zeros where no point has three finite coordinates. */
CLUMP_RULE void clump_cluster_set_axes(const clump_measures *m, clump_cluster *c)
{
    if (m->moments.used == 0) return;
    double covariance[CLUMP_PAIRS_OF_AXES];
    clump_covariance(&m->moments, m->axis, covariance);
    const clump_principal p = clump_principal_axes(covariance);
    for (int k = 0; k < CLUMP_PAIRS_OF_AXES; k++) c->covariance[k] = clump_double_to_float(covariance[k]);
    for (int k = 0; k < 3; k++) {
        c->variance[k] = clump_double_to_float(p.variance[k]);
        clump_axis_to_float(p.axis[k], c->axes[k]);
    }
}

/* What follows from the hull. A backend may compute it by other means than clump_outline_of(), with the same bits. */
typedef struct clump_outline {
    clump_rectangle box;
    double area;
    int32_t corners;
} clump_outline;

CLUMP_RULE clump_outline clump_outline_of(const clump_xy *hull, size_t corners)
{
    clump_outline o;
    o.box = clump_least_rectangle(hull, corners);
    o.area = clump_polygon_area(hull, corners);
    o.corners = (int32_t)corners;
    return o;
}

CLUMP_RULE void clump_cluster_set_outline(const clump_outline *o, clump_cluster *c)
{
    for (int k = 0; k < 2; k++) {
        c->box_center[k] = clump_double_to_float(o->box.center[k]);
        c->box_size[k] = clump_double_to_float(o->box.size[k]);
    }
    const float yaw = (float)o->box.yaw;
    c->yaw = yaw < 90.0f ? yaw : 0x1.67fffep+6f; /* the float before 90 */
    c->area = clump_double_to_float(o->area);
    c->hull_corners = o->corners;
}

/* Points per volume of the box, whose size is set. */
CLUMP_RULE float clump_cluster_density(const clump_measures *m, clump_up up, const clump_cluster *c)
{
    const double height = clump_axis_extent(&m->axis[clump_upward(up)]);
    const double area = clump_double_mul((double)c->box_size[0], (double)c->box_size[1]);
    const double volume = clump_double_mul(area, height);
    return volume > 0 ? clump_double_to_float(clump_double_div((double)m->count, volume)) : clump_infinity();
}

/* Returns the finished entry of a cluster with at least one point. */
CLUMP_RULE clump_cluster clump_cluster_finish(int32_t label, clump_up up, const clump_measures *m,
                                              const clump_outline *outline)
{
    clump_cluster c = clump_cluster_empty(label);
    c.count = m->count;
    for (int k = 0; k < 3; k++) {
        c.lower[k] = m->axis[k].lower, c.upper[k] = m->axis[k].upper;
        c.centroid[k] = clump_axis_mean(&m->axis[k]);
    }
    clump_cluster_set_outline(outline, &c);
    c.distance = clump_double_to_float(clump_double_sqrt(m->nearest));
    if (m->highest > -clump_infinity()) c.height = m->highest;
    if (m->value.used > 0) c.intensity = clump_axis_mean(&m->value);
    c.density = clump_cluster_density(m, up, &c);
    if (m->has_moments) clump_cluster_set_axes(m, &c);
    return c;
}

/* --- refuse.c: the sentences of clump_describe and clump_group about labels and points that are not allowed. Both
 * backends find them; the sentence is the same. */

#ifdef __cplusplus
extern "C" {
#endif
/* labels[i] is `label`, and labels from cluster_count on are not allowed. */
clump_status clump_refuse_label(clump_work *work, size_t i, int32_t label, int32_t cluster_count);

/* Point i of cluster `label` is not finite, seen from above. */
clump_status clump_refuse_point(clump_work *work, size_t i, int32_t label, const float point[3], clump_up up);

/* `total` points are in clusters, and there is no memory for the list of them. */
clump_status clump_refuse_members(clump_work *work, int32_t total);
#ifdef __cplusplus
}
#endif

#endif
