/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.c: iterative closest point, on top of clump_index.
 *
 *     target -> index                                   once
 *     source -> moved                                   by the motion so far, in double, rounded to float32
 *     moved  -> pairs: the nearest target point of each the search begins with the pair of the last iteration
 *     pairs  -> those within max_distance, trimmed      to the fraction `keep` of the nearest
 *     pairs  -> sums                                    in a fixed order (rules/pairs.h)
 *     sums   -> a motion (rigid.c)                      composed with the motion so far
 *
 * icp_align.c has one iteration.
 *
 * Trimming can starve: the rings of a scan on flat ground lie on each other wherever the sensor is, so a motion of zero has
 * many close pairs, and the others, which know better, are left out. So trimmed iterations have phases:
 *
 *     A   the share `keep` of the pairs, from the initial motion    to 10 x the tolerance
 *     W   all pairs within 20 x the rmse of A, from A               to 10 x the tolerance
 *     B   of these the share (1 + keep) / 2, from W, then the
 *         share `keep` of all                                       to 10 x the tolerance each; only if W is apart from A
 *     ... the share `keep`, from the better of A and B              to the tolerance
 *
 * W and B have at most half of the iterations that A leaves. Two motions are apart where they move points by more than the
 * rmse of A and than 10 x the tolerance. B is better than A where its rmse is smaller. Where neither rmse is more than three
 * times the other, the share `keep` does not tell the motions apart: the result is contested, and a B of larger rmse is
 * better, too, if it has more pairs within 3 x the rmse of A. A B with fewer than 0.9 x the pairs of A is never better.
 * Without the bound on W, clouds that overlap in part are drawn apart by the points without a partner.
 */
#include "common/timer.h"
#include "core/context.h"
#include "core/options.h"
#include "host/icp.h"
#include "host/odometry.h"

#include <math.h>
#include <string.h>

enum {
    ICP_COARSE = 10, /* times the tolerance: for phases before the last */
    ICP_REACH = 20,  /* times the rmse of A: pairs within it lead to W */
    ICP_NEAR = 3,    /* times the rmse of A: the number of pairs within it decides where trimming cannot */
    ICP_CLEAR = 3,   /* ratio of the rmse of two motions from which on the share `keep` tells them apart */
};

/* Of the pairs of A, how many B must have to be compared with it: few pairs can be close by chance. */
#define ICP_AS_MANY 0.9

typedef struct icp {
    clump_align align;
    const clump_icp_options *options;
    double radius; /* root mean square distance of the target's points from the center; 0: not needed */
} icp;

/* Finds the mean of the target. Sums relative to it lose no precision far from the origin, and the tolerance on the
 * translation is independent of the rotation. */
static void find_center(icp *w)
{
    double sum[3] = {0};
    size_t n = 0;
    for (size_t i = 0; i < w->align.target.count; i++) {
        const float *const p = clump_points_at(w->align.target, i);
        if (!clump_xyz_is_finite(p)) continue;
        for (int k = 0; k < 3; k++) sum[k] += (double)p[k];
        n++;
    }
    for (int k = 0; k < 3 && n > 0; k++) w->align.center[k] = sum[k] / (double)n;
}

/* Finds the radius of the target. */
static void find_radius(icp *w)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < w->align.target.count; i++) {
        const float *const p = clump_points_at(w->align.target, i);
        if (!clump_xyz_is_finite(p)) continue;
        for (int k = 0; k < 3; k++) sum += ((double)p[k] - w->align.center[k]) * ((double)p[k] - w->align.center[k]);
        n++;
    }
    w->radius = n > 0 ? sqrt(sum / n) : 0;
}

/* What iterations with one share of the pairs have come to. */
typedef struct phase {
    clump_rigid motion;
    clump_rigid turned; /* from the first motion of the phase to the last, about the center */
    double kept, rmse, fitness;
    double information[36]; /* about the center */
    double last;            /* length or angle of the last step, whichever is larger */
    bool converged;
} phase;

/* Iterates from p->motion until a step is below the tolerance. *left: iterations that are allowed. */
static clump_status iterate(icp *w, double keep, float most, double tolerance, int *left, phase *p)
{
    w->align.keep = keep;
    w->align.most = most;
    p->turned = clump_rigid_none;
    p->converged = false;
    for (;;) {
        double sums[CLUMP_PAIRS_SUMS];
        clump_rigid step;
        CLUMP_TRY(clump_align_sum(&w->align, &p->motion, sums));
        if (p->converged || *left == 0 || !clump_align_step(&w->align, sums, &step)) {
            p->kept = sums[CLUMP_SUM_KEPT];
            p->fitness = clump_align_fitness(&w->align, sums);
            p->rmse = clump_align_rmse(&w->align, sums);
            clump_align_information(&w->align, sums, p->information);
            return CLUMP_OK;
        }
        const clump_rigid whole = clump_align_about_origin(&w->align, step);
        p->motion = clump_rigid_after(&whole, &p->motion);
        p->turned = clump_rigid_after(&step, &p->turned);
        --*left;
        const double angle = clump_rigid_angle(&step), length = clump_rigid_length(&step);
        p->last = fmax(angle, length);
        p->converged = angle < tolerance && length < tolerance;
    }
}

/* Whether a motion, about the center, moves points by more than what is taken as equal to motion A. */
static bool is_apart(const icp *w, const clump_rigid *motion, const phase *a)
{
    const double moved = clump_rigid_length(motion) + clump_rigid_angle(motion) * w->radius;
    return moved > fmax(a->rmse, ICP_COARSE * w->options->tolerance);
}

/* Returns the fraction of the points that have a pair within this distance after a motion. */
static clump_status measure(icp *w, float most, const clump_rigid *motion, double *fitness)
{
    phase p = {.motion = *motion};
    int none = 0;
    CLUMP_TRY(iterate(w, 1, most, 0, &none, &p));
    *fitness = p.fitness;
    return CLUMP_OK;
}

/* Decides between two motions that are apart. */
static clump_status compare_motions(icp *w, const phase *a, const phase *b, bool *b_is_better, bool *contested)
{
    const float near = fminf(w->options->max_distance, (float)(ICP_NEAR * a->rmse));
    double fitness_a, fitness_b;
    *b_is_better = b->rmse < a->rmse;
    *contested = b->rmse <= ICP_CLEAR * a->rmse && a->rmse <= ICP_CLEAR * b->rmse;
    if (*b_is_better || !*contested) return CLUMP_OK;
    CLUMP_TRY(measure(w, near, &a->motion, &fitness_a));
    CLUMP_TRY(measure(w, near, &b->motion, &fitness_b));
    *b_is_better = fitness_b > fitness_a;
    return CLUMP_OK;
}

/* Leaves motion A for a better one, if more of the pairs lead to one: phases W and B. */
static clump_status leave_trap(icp *w, int *left, phase *a, bool *contested)
{
    const clump_icp_options *const o = w->options;
    const double coarse = ICP_COARSE * o->tolerance;
    const float reach = fminf(o->max_distance, (float)(ICP_REACH * a->rmse));
    if (!(reach > 0)) return CLUMP_OK; /* all pairs of A are equal points */
    phase wide = {.motion = a->motion}, middle, b;
    find_radius(w);
    CLUMP_TRY(iterate(w, 1, reach, coarse, left, &wide));
    if (!is_apart(w, &wide.turned, a)) return CLUMP_OK;
    middle.motion = wide.motion;
    CLUMP_TRY(iterate(w, (1 + o->keep) / 2, reach, coarse, left, &middle));
    b.motion = middle.motion;
    CLUMP_TRY(iterate(w, o->keep, o->max_distance, coarse, left, &b));
    clump_rigid apart = clump_rigid_after(&middle.turned, &wide.turned);
    apart = clump_rigid_after(&b.turned, &apart);
    bool better = false;
    if (b.kept >= ICP_AS_MANY * a->kept && is_apart(w, &apart, a))
        CLUMP_TRY(compare_motions(w, a, &b, &better, contested));
    if (better) *a = b;
    return CLUMP_OK;
}

/* Iterates with the options of the call. */
static clump_status run_phases(icp *w, phase *p, int *left, bool *contested)
{
    const clump_icp_options *const o = w->options;
    *contested = false;
    if (o->keep < 1) {
        CLUMP_TRY(iterate(w, o->keep, o->max_distance, ICP_COARSE * o->tolerance, left, p));
        if (!p->converged) return CLUMP_OK;
        const int most = *left / 2; /* the rest is for the last phase */
        int rest = most;
        CLUMP_TRY(leave_trap(w, &rest, p, contested));
        *left -= most - rest;
        if (p->converged && p->last < o->tolerance) return CLUMP_OK;
    }
    return iterate(w, o->keep, o->max_distance, o->tolerance, left, p);
}

/* Returns whether a 4 x 4 matrix is a rigid motion: rotation, translation, last row 0 0 0 1. */
static bool is_motion(const double *m)
{
    for (int i = 0; i < 16; i++)
        if (!isfinite(m[i])) return false;
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1) return false;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const double dot = m[4 * i] * m[4 * j] + m[4 * i + 1] * m[4 * j + 1] + m[4 * i + 2] * m[4 * j + 2];
            if (fabs(dot - (i == j)) > 1e-3) return false;
        }
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]) >
           0;
}

/* Returns the motion of a 4 x 4 matrix, made orthogonal; no motion for null. */
static clump_rigid rigid_of(const double *m)
{
    clump_rigid r = clump_rigid_none;
    for (int i = 0; m && i < 3; i++) {
        for (int j = 0; j < 3; j++) r.turn[3 * i + j] = m[4 * i + j];
        r.move[i] = m[4 * i + 3];
    }
    return clump_rigid_after(&clump_rigid_none, &r);
}

static clump_status check_options(clump_context *ctx, const clump_icp_options *o)
{
    if (o->cookie != CLUMP_ICP_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "clump_icp: the options were not made by clump_icp_defaults()");
    if (o->method < CLUMP_ICP_POINT || o->method > CLUMP_ICP_GICP)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_icp: there is no method number %d", (int)o->method);
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_icp_table, o));
    if (o->initial && !is_motion(o->initial))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_icp: initial is not a rigid motion");
    return CLUMP_OK;
}

/* Turns the information about the center into that about the origin. A rotation by r about the origin is one about the center
 * c and a translation by r x c. */
static void about_origin(const double c[3], const double from[36], double to[36])
{
    const double shift[9] = {0, c[2], -c[1], -c[2], 0, c[0], c[1], -c[0], 0}; /* r x c, by r */
    double change[36] = {0}, half[36];
    for (int i = 0; i < 6; i++) change[7 * i] = 1;
    for (int i = 0; i < 9; i++) change[6 * (i / 3) + 3 + i % 3] = shift[i];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            half[6 * i + j] = 0;
            for (int k = 0; k < 6; k++) half[6 * i + j] += from[6 * i + k] * change[6 * k + j];
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += change[6 * k + i] * half[6 * k + j];
            to[6 * i + j] = sum;
        }
}

/* Runs clump_icp with the index on one backend, which answers queries or runs whole iterations. */
static clump_status align(icp *w, const clump_opened *on, clump_icp_result *result)
{
    static const char *const names[] = {"point", "plane", "gicp"};
    clump_align *const a = &w->align;
    clump_context *const ctx = a->ctx;
    const clump_icp_options *const o = w->options;
    char reason[sizeof ctx->reason]; /* of the choice of the backend; the queries overwrite it */
    memcpy(reason, ctx->reason, sizeof reason);
    const double start = clump_now_ms();
    const clump_index_options how = clump_index_defaults();
    CLUMP_TRY(clump_index_make(ctx, on, &how, a->target, &ctx->icp_index));
    a->on = on;
    a->index = ctx->icp_index;
    a->normal_neighbours = o->method != CLUMP_ICP_POINT ? o->normal_neighbours : 0;
    if (o->method == CLUMP_ICP_GICP) {
        CLUMP_TRY(clump_index_make(ctx, on, &how, a->source, &ctx->icp_source));
        a->source_index = ctx->icp_source;
    }
    a->kernel.width2 = (double)o->robust * (double)o->robust;
    a->trims = o->keep < 1;
    CLUMP_TRY(clump_align_begin(a, &ctx->work, &ctx->icp_scratch));
    find_center(w); /* while the GPU computes the normals */
    const double built = clump_now_ms();

    phase p = {.motion = rigid_of(o->initial)};
    int left = o->max_iterations;
    bool contested;
    CLUMP_TRY(run_phases(w, &p, &left, &contested));
    clump_icp_result r = {.fitness = p.fitness, .rmse = p.rmse, .iterations = o->max_iterations - left};
    about_origin(a->center, p.information, r.information);
    r.converged = p.converged;
    r.contested = contested;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) r.transform[4 * i + j] = p.motion.turn[3 * i + j];
        r.transform[4 * i + 3] = p.motion.move[i];
    }
    r.transform[15] = 1;
    *result = r;
    ctx->stats.method = names[o->method];
    ctx->stats.passes = r.iterations;
    ctx->stats.build_ms = built - start;
    ctx->stats.query_ms = a->query_ms;
    ctx->stats.queries = a->source.count;
    memcpy(ctx->stats.reason, reason, sizeof reason);
    return CLUMP_OK;
}

clump_status clump_icp(clump_context *ctx, clump_points target, clump_points source, const clump_icp_options *given,
                       clump_icp_result *result)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_icp"));
    if (!result) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_icp: result is null");
    const clump_icp_options options = given ? *given : clump_icp_defaults();
    CLUMP_TRY(check_options(ctx, &options));
    CLUMP_TRY(clump_check_points(&ctx->work, "clump_icp", target, &target.stride));
    CLUMP_TRY(clump_check_points(&ctx->work, "clump_icp", source, &source.stride));
    if (target.place != CLUMP_PLACE_HOST || source.place != CLUMP_PLACE_HOST)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND, "clump_icp: the points must lie in host memory");

    const clump_method *const method = clump_method_at(&clump_nn_methods, (int)clump_index_defaults().method);
    if (options.thin > 0) {
        CLUMP_TRY(clump_thin_cloud(&ctx->work, &ctx->icp_thin[0], &ctx->icp_thin[1], options.thin, &target));
        CLUMP_TRY(clump_thin_cloud(&ctx->work, &ctx->icp_thin[0], &ctx->icp_thin[2], options.thin, &source));
    }
    clump_opened on;
    CLUMP_TRY(clump_context_open(ctx, CLUMP_PLACE_HOST, method, target.count, &on));
    icp w = {.align = {.ctx = ctx, .target = target, .source = source}, .options = &options};
    clump_status status = align(&w, &on, result);
    if (status != CLUMP_OK && clump_context_fall_back(ctx, CLUMP_PLACE_HOST, status, &on))
        status = align(&w, &on, result);
    return status;
}
