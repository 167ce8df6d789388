/* SPDX-License-Identifier: BSD-3-Clause
 *
 * factors.c: clouds with four factors: number of points n, number of clusters c, mean degree k, index distance D; the
 * distance threshold is 1. Nguyen et al. 2020 vary one factor at a time to compare clustering methods. The paper does
 * not define the geometry, so there are several layouts.
 *
 * The indices of D clusters alternate: with n = 12, c = 4, D = 2
 *
 *     point    0 1 2 3 4 5 6 7 8 9 . .
 *     cluster  0 1 0 1 0 1 2 3 2 3 2 3
 *     member   0 0 1 1 2 2 0 0 1 1 2 2
 *
 * A layout defines the position of member j of cluster q. Clusters are 10 apart, except in slabs.
 */
#include <clump/sim.h>
#include "exact.h"
#include "common/assert.h"
#include "refuse.h"

#include <math.h>
#include <string.h>

#define FACTORS_COOKIE 0x5ac70125u

static const double cluster_gap = 10;
static const double slab_gap = 1.01;

clump_factors clump_factors_defaults(void)
{
    return (clump_factors){.cookie = FACTORS_COOKIE,
                           .layout = CLUMP_LAYOUT_JOINTS,
                           .points = 262144,
                           .clusters = 128,
                           .degree = 32,
                           .distance = 4,
                           .seed = 1};
}

static const char *const layout_names[] = {"joints", "line", "blob", "slabs"};
enum { layout_count = sizeof layout_names / sizeof layout_names[0] };

const char *clump_layout_name(clump_layout layout)
{
    const size_t i = (size_t)layout;
    return i < layout_count ? layout_names[i] : NULL;
}

bool clump_layout_from_name(const char *name, clump_layout *layout)
{
    for (size_t i = 0; name && i < layout_count; i++) {
        if (strcmp(name, layout_names[i]) != 0) continue;
        *layout = (clump_layout)i;
        return true;
    }
    return false;
}

/* --- checking ---------------------------------------------------------------------------------- */

static clump_status check_factors(const clump_factors *f, const float *xyz, clump_message *message)
{
    const clump_status bad = CLUMP_ERR_ARGUMENT;
    if (!f) return sim_refuse(message, bad, "the factors are null");
    if (f->cookie != FACTORS_COOKIE)
        return sim_refuse(message, CLUMP_ERR_OPTIONS, "the factors were not made by clump_factors_defaults()");
    if (!clump_layout_name(f->layout)) return sim_refuse(message, bad, "%d is not a layout", (int)f->layout);
    if (f->points > INT32_MAX)
        return sim_refuse(message, CLUMP_ERR_TOO_MANY, "%zu points are more than 2147483647", f->points);
    if (f->clusters == 0) return sim_refuse(message, bad, "the number of clusters is 0");
    if (f->distance == 0) return sim_refuse(message, bad, "the index distance is 0");
    if (!(f->degree >= 1) || !isfinite(f->degree))
        return sim_refuse(message, bad, "the degree %g is not a number of 1 or more", f->degree);
    if (f->layout == CLUMP_LAYOUT_SLABS && f->clusters != 2)
        return sim_refuse(message, bad, "slabs has 2 clusters, not %zu", f->clusters);
    if (f->clusters % f->distance != 0)
        return sim_refuse(message, bad, "the index distance %zu does not divide the %zu clusters", f->distance,
                          f->clusters);
    if (f->points == 0) return CLUMP_OK; /* an empty cloud: the other factors do not matter */
    if (f->points % f->clusters != 0)
        return sim_refuse(message, bad, "%zu points do not divide into %zu clusters of one size", f->points,
                          f->clusters);
    if (f->degree * (double)f->clusters > (double)f->points)
        return sim_refuse(message, bad, "a degree of %g needs %.0f points in %zu clusters, there are %zu", f->degree,
                          ceil(f->degree * (double)f->clusters), f->clusters, f->points);
    if (f->layout == CLUMP_LAYOUT_JOINTS && f->degree != floor(f->degree))
        return sim_refuse(message, bad, "joints has a whole number of points a joint, not %g", f->degree);
    if (!xyz) return sim_refuse(message, bad, "the array for the points is null");
    return CLUMP_OK;
}

/* --- layouts ----------------------------------------------------------------------------------- */

/* What all positions of a cloud share. */
typedef struct layout_plan {
    uint64_t seed;
    size_t members;      /* of a cluster, m */
    double side;         /* of a cluster's cube (blob) or plate (slabs); spacing of members (line) */
    size_t lattice_side; /* clusters in a row of the lattice they stand on (line, blob) */
    size_t joint_points; /* k (joints) */
    size_t joints;       /* of a cluster */
} layout_plan;

static layout_plan make_plan(const clump_factors *f)
{
    CLUMP_ASSERT(f->clusters >= 1 && f->points % f->clusters == 0);
    layout_plan p = {.seed = f->seed, .members = f->points / f->clusters};
    const double members = (double)p.members;
    switch (f->layout) {
    case CLUMP_LAYOUT_JOINTS:
        p.joint_points = (size_t)f->degree;
        p.joints = (p.members + p.joint_points - 1) / p.joint_points;
        break;
    case CLUMP_LAYOUT_LINE:
        p.side = 1 / (f->degree / 2 + 0.5);
        p.lattice_side = exact_lattice_side(f->clusters, 2);
        break;
    case CLUMP_LAYOUT_BLOB:
        p.side = exact_cbrt(4 * EXACT_PI * members / (3 * f->degree));
        p.lattice_side = exact_lattice_side(f->clusters, 3);
        break;
    case CLUMP_LAYOUT_SLABS:
        p.side = sqrt(EXACT_PI * members / f->degree);
        break;
    }
    return p;
}

/* Returns how often the origin has moved along an axis when joint j of a cluster begins. It moves along z, x, y
 * before joints 0, 1, 2 and so on. Each earlier cluster has made all its moves, and 10 more after them. */
static double joint_origin(const layout_plan *p, size_t cluster, size_t joint, int axis)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3 && joint < p->joints);
    const size_t first = (size_t)(axis + 1) % 3; /* joint that first moves along this axis: x 1, y 2, z 0 */
    const size_t in_cluster = (p->joints + 2 - first) / 3;
    const size_t here = (joint + 1 + 2 - first) / 3;
    return 0.5 * (double)(cluster * in_cluster + here) + cluster_gap * (double)cluster;
}

static void place_joints(const layout_plan *p, size_t cluster, size_t member, uint64_t draw, double at[3])
{
    const size_t joint = member / p->joint_points;
    for (int axis = 0; axis < 3; axis++) at[axis] = joint_origin(p, cluster, joint, axis);
    at[joint % 3] += exact_random(p->seed, draw);
}

static void place_line(const layout_plan *p, size_t cluster, size_t member, uint64_t draw, double at[3])
{
    const double jitter = 0.02 * (2 * exact_random(p->seed, draw) - 1);
    at[0] = ((double)member + jitter) * p->side;
    at[1] = cluster_gap * (double)(cluster % p->lattice_side);
    at[2] = cluster_gap * (double)(cluster / p->lattice_side);
}

static void place_blob(const layout_plan *p, size_t cluster, uint64_t draw, double at[3])
{
    const double pitch = p->side + cluster_gap;
    const size_t s = p->lattice_side;
    const size_t cell[3] = {cluster % s, cluster / s % s, cluster / s / s};
    for (unsigned axis = 0; axis < 3; axis++)
        at[axis] = pitch * (double)cell[axis] + p->side * exact_random(p->seed, draw + axis);
}

static void place_slabs(const layout_plan *p, size_t cluster, uint64_t draw, double at[3])
{
    at[0] = p->side * exact_random(p->seed, draw);
    at[1] = p->side * exact_random(p->seed, draw + 1);
    at[2] = slab_gap * (double)cluster;
}

clump_status clump_sim_factors(const clump_factors *factors, float *xyz, int32_t *truth, clump_message *message)
{
    if (message) message->text[0] = '\0';
    const clump_status status = check_factors(factors, xyz, message);
    if (status != CLUMP_OK || factors->points == 0) return status;

    const layout_plan plan = make_plan(factors);
    const size_t D = factors->distance, block = D * plan.members;
    for (size_t i = 0; i < factors->points; i++) {
        const size_t cluster = D * (i / block) + i % D;
        const size_t member = i % block / D;
        const uint64_t draw = 3 * (uint64_t)i;
        double at[3] = {0, 0, 0};
        switch (factors->layout) {
        case CLUMP_LAYOUT_JOINTS:
            place_joints(&plan, cluster, member, draw, at);
            break;
        case CLUMP_LAYOUT_LINE:
            place_line(&plan, cluster, member, draw, at);
            break;
        case CLUMP_LAYOUT_BLOB:
            place_blob(&plan, cluster, draw, at);
            break;
        case CLUMP_LAYOUT_SLABS:
            place_slabs(&plan, cluster, draw, at);
            break;
        }
        for (int axis = 0; axis < 3; axis++) xyz[3 * i + (size_t)axis] = (float)at[axis];
        if (truth) truth[i] = (int32_t)cluster;
    }
    return CLUMP_OK;
}
