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
 * Points are always moved from their given positions, so rounding errors do not accumulate. A backend may run whole
 * iterations, from the motion to the sums, and the normals; the GPU does.
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
#include "common/bits.h"
#include "common/timer.h"
#include "core/context.h"
#include "core/options.h"
#include "host/icp.h"

#include <math.h>
#include <string.h>

enum {
    ICP_MIN_SHARE = 4096,  /* points per thread that are worth waking it */
    ICP_BUCKETS = 65536,   /* one per value of half the bits of a distance */
    ICP_ALL = ICP_BUCKETS, /* find_bucket: all pairs, by the upper half of their bits */
    ICP_COARSE = 10,       /* times the tolerance: for phases before the last */
    ICP_REACH = 20,        /* times the rmse of A: pairs within it lead to W */
    ICP_NEAR = 3,          /* times the rmse of A: the number of pairs within it decides where trimming cannot */
    ICP_CLEAR = 3,         /* ratio of the rmse of two motions from which on the share `keep` tells them apart */
};

/* Of the pairs of A, how many B must have to be compared with it: few pairs can be close by chance. */
#define ICP_AS_MANY 0.9

typedef struct icp {
    clump_context *ctx;
    const clump_icp_options *options;
    clump_points target, source; /* strides in bytes */
    const clump_index *index;
    const clump_opened *on; /* the backend of the index */
    bool whole;             /* it computes normals and whole iterations */
    bool plane;             /* point to plane */
    bool again;             /* the pairs of a motion are known */
    double keep;            /* of the pairs, in this phase */
    float most;             /* distance of a pair, in this phase */
    clump_icp_job job;      /* for whole iterations */
    double center[3];       /* origin of the sums */
    double radius;          /* root mean square distance of the target's points from it; 0: not needed */
    float *moved, *distances, *normals;
    int32_t *indices;
    size_t batch; /* points whose neighbours are searched for at a time, for normals */
    double *scratch;
    uint32_t *buckets;
    double query_ms;
} icp;

/* ----- one iteration --------------------------------------------------------------------------- */

typedef struct moving {
    const icp *w;
    const clump_rigid *motion;
} moving;

static void move_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const icp *const w = ((const moving *)arg)->w;
    const clump_rigid *const m = ((const moving *)arg)->motion;
    for (size_t i = begin; i < end; i++) {
        const float *const p = clump_points_at(w->source, i);
        for (size_t k = 0; k < 3; k++) w->moved[3 * i + k] = clump_moved(m->turn + 3 * k, m->move[k], p);
    }
}

static clump_status move_source(const icp *w, const clump_rigid *motion)
{
    moving m = {w, motion};
    const int threads = clump_threads_for(&w->ctx->work, w->source.count, ICP_MIN_SHARE);
    return clump_run(&w->ctx->work, threads, w->source.count, ICP_MIN_SHARE, move_points, &m);
}

static clump_status find_pairs(icp *w)
{
    const double start = clump_now_ms();
    const clump_points queries = {.xyz = w->moved, .count = w->source.count};
    const clump_status status =
        clump_index_nearest_again(w->ctx, w->index, w->target, queries, w->again, w->most, w->indices, w->distances);
    w->query_ms += clump_now_ms() - start;
    return status;
}

/* One pass of a radix selection. Returns the bucket of the pair of this rank, counted from 1; *rank becomes its rank
 * within the bucket. With ICP_ALL buckets are the upper halves of all distances; else they are the lower halves of
 * those with this upper half. Squared distances are not negative, so they sort like their bits. */
static uint32_t find_bucket(const icp *w, uint32_t upper, size_t *rank)
{
    memset(w->buckets, 0, ICP_BUCKETS * sizeof *w->buckets);
    for (size_t i = 0; i < w->source.count; i++) {
        if (w->indices[i] < 0) continue;
        const uint32_t bits = clump_float_bits(w->distances[i]);
        if (upper == ICP_ALL)
            w->buckets[bits >> 16]++;
        else if (bits >> 16 == upper)
            w->buckets[bits & 0xffff]++;
    }
    uint32_t b = 0;
    while (w->buckets[b] < *rank) {
        *rank -= w->buckets[b++];
        CLUMP_ASSERT(b < ICP_BUCKETS);
    }
    return b;
}

/* Returns the largest squared distance of the pairs that are kept. */
static float find_cut(const icp *w)
{
    if (w->keep >= 1) return INFINITY;
    size_t pairs = 0;
    for (size_t i = 0; i < w->source.count; i++) pairs += w->indices[i] >= 0;
    if (pairs == 0) return INFINITY;
    size_t rank = clump_pairs_kept(w->keep, (uint32_t)pairs);
    const uint32_t upper = find_bucket(w, ICP_ALL, &rank), lower = find_bucket(w, upper, &rank);
    const uint32_t bits = upper << 16 | lower;
    float cut;
    memcpy(&cut, &bits, sizeof cut);
    return cut;
}

/* Computes the sums over the pairs of a motion. */
static clump_status sum_pairs(icp *w, const clump_rigid *motion, double *sums)
{
    w->job.keep = w->keep;
    w->job.bound = clump_distance_bound(w->most);
    if (w->whole) { /* the backend polls: it may have work under way that reads the source */
        const double start = clump_now_ms();
        const clump_status status =
            w->on->table->icp_step(&w->ctx->work, w->on->state, clump_index_state(w->index), &w->job, motion, sums);
        w->query_ms += clump_now_ms() - start;
        return status;
    }
    CLUMP_TRY(clump_poll(&w->ctx->work));
    CLUMP_TRY(move_source(w, motion));
    CLUMP_TRY(find_pairs(w));
    w->again = true;
    const clump_pairs pairs = {.target = w->target,
                               .moved = w->moved,
                               .indices = w->indices,
                               .distances = w->distances,
                               .count = w->source.count,
                               .normals = w->normals,
                               .center = w->center,
                               .cut = find_cut(w)};
    return clump_pairs_sum(&w->ctx->work, &pairs, w->scratch, sums);
}

/* Finds the motion of least squares, as a rotation about the center and a translation. Returns false where the pairs do
 * not determine one. */
static bool find_step(const icp *w, const double *sums, clump_rigid *step)
{
    if (w->plane) {
        clump_plane_sums planes = {.count = sums[CLUMP_SUM_PLANES]};
        memcpy(planes.a, sums + CLUMP_SUM_A, sizeof planes.a);
        memcpy(planes.b, sums + CLUMP_SUM_B, sizeof planes.b);
        return clump_rigid_of_planes(&planes, step);
    }
    clump_pair_sums pairs = {.count = sums[CLUMP_SUM_KEPT]};
    memcpy(pairs.p, sums + CLUMP_SUM_P, sizeof pairs.p);
    memcpy(pairs.q, sums + CLUMP_SUM_Q, sizeof pairs.q);
    memcpy(pairs.pq, sums + CLUMP_SUM_PQ, sizeof pairs.pq);
    return clump_rigid_of_pairs(&pairs, step);
}

/* Returns the same motion as a rotation about the origin and a translation. */
static clump_rigid about_origin(const icp *w, clump_rigid step)
{
    for (int k = 0; k < 3; k++) {
        double turned = 0;
        for (int j = 0; j < 3; j++) turned += step.turn[3 * k + j] * w->center[j];
        step.move[k] += w->center[k] - turned;
    }
    return step;
}

/* ----- all of them ----------------------------------------------------------------------------- */

/* Finds the mean of the target. Sums relative to it lose no precision far from the origin, and the tolerance on the
 * translation is independent of the rotation. */
static void find_center(icp *w)
{
    double sum[3] = {0};
    size_t n = 0;
    for (size_t i = 0; i < w->target.count; i++) {
        const float *const p = clump_points_at(w->target, i);
        if (!clump_xyz_is_finite(p)) continue;
        for (int k = 0; k < 3; k++) sum[k] += (double)p[k];
        n++;
    }
    for (int k = 0; k < 3 && n > 0; k++) w->center[k] = sum[k] / (double)n;
}

/* Finds the radius of the target. */
static void find_radius(icp *w)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < w->target.count; i++) {
        const float *const p = clump_points_at(w->target, i);
        if (!clump_xyz_is_finite(p)) continue;
        for (int k = 0; k < 3; k++) sum += ((double)p[k] - w->center[k]) * ((double)p[k] - w->center[k]);
        n++;
    }
    w->radius = n > 0 ? sqrt(sum / n) : 0;
}

/* Returns the fraction of the finite source points that have a pair. */
static double fitness_of(const icp *w, const double *sums)
{
    double finite = 0, pairs = 0;
    if (w->whole) finite = sums[CLUMP_SUM_FINITE], pairs = sums[CLUMP_SUM_PAIRS];
    for (size_t i = 0; !w->whole && i < w->source.count; i++) {
        finite += clump_xyz_is_finite(w->moved + 3 * i);
        pairs += w->indices[i] >= 0;
    }
    return finite > 0 ? pairs / finite : 0;
}

/* What iterations with one share of the pairs have come to. */
typedef struct phase {
    clump_rigid motion;
    clump_rigid turned; /* from the first motion of the phase to the last, about the center */
    double kept, rmse, fitness;
    double last; /* length or angle of the last step, whichever is larger */
    bool converged;
} phase;

/* Iterates from p->motion until a step is below the tolerance. *left: iterations that are allowed. */
static clump_status iterate(icp *w, double keep, float most, double tolerance, int *left, phase *p)
{
    w->keep = keep;
    w->most = most;
    p->turned = clump_rigid_none;
    p->converged = false;
    for (;;) {
        double sums[CLUMP_PAIRS_SUMS];
        clump_rigid step;
        CLUMP_TRY(sum_pairs(w, &p->motion, sums));
        if (p->converged || *left == 0 || !find_step(w, sums, &step)) {
            p->kept = sums[CLUMP_SUM_KEPT];
            p->fitness = fitness_of(w, sums);
            p->rmse = p->kept > 0 ? sqrt(sums[CLUMP_SUM_SQUARES] / p->kept) : 0;
            return CLUMP_OK;
        }
        const clump_rigid whole = about_origin(w, step);
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

/* Reserves all memory in one piece, for iterations that are composed here. */
static clump_status reserve_memory(icp *w)
{
    const size_t n = w->source.count, m = w->target.count, doubles = clump_pairs_scratch(n);
    w->batch = clump_normals_batch(m);
    const size_t neighbours = w->plane ? w->batch * (size_t)w->options->normal_neighbours : 0;
    const size_t bytes = doubles * sizeof(double) + ICP_BUCKETS * sizeof(uint32_t) + 4 * n * sizeof(float) +
                         (n > neighbours ? n : neighbours) * sizeof(int32_t) + (w->plane ? 3 * m * sizeof(float) : 0);
    CLUMP_TRY(clump_buffer_reserve(&w->ctx->work, &w->ctx->icp_scratch, bytes));
    w->scratch = w->ctx->icp_scratch.data;
    w->buckets = (uint32_t *)(w->scratch + doubles);
    w->moved = (float *)(w->buckets + ICP_BUCKETS);
    w->distances = w->moved + 3 * n;
    w->indices = (int32_t *)(w->distances + n); /* before that, the neighbours of the normals */
    w->normals = w->plane ? (float *)(w->indices + (n > neighbours ? n : neighbours)) : NULL;
    return CLUMP_OK;
}

/* Prepares iterations that are composed here. */
static clump_status begin_composed(icp *w)
{
    CLUMP_TRY(reserve_memory(w));
    if (w->plane)
        CLUMP_TRY(clump_normals(w->ctx, w->index, w->target, w->options->normal_neighbours, w->batch, w->indices,
                                w->normals));
    for (size_t i = 0; i < w->source.count; i++) w->indices[i] = -1;
    return CLUMP_OK;
}

/* Prepares whole iterations. */
static clump_status begin_whole(icp *w)
{
    w->job = (clump_icp_job){.source = (const char *)w->source.xyz,
                             .count = w->source.count,
                             .stride = w->source.stride,
                             .normal_neighbours = w->plane ? w->options->normal_neighbours : 0,
                             .keep = w->options->keep,
                             .bound = clump_distance_bound(w->options->max_distance)};
    return w->on->table->icp_begin(&w->ctx->work, w->on->state, clump_index_state(w->index), &w->job);
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
    if (o->method != CLUMP_ICP_POINT && o->method != CLUMP_ICP_PLANE)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_icp: there is no method number %d", (int)o->method);
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_icp_table, o));
    if (o->initial && !is_motion(o->initial))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_icp: initial is not a rigid motion");
    return CLUMP_OK;
}

/* Runs clump_icp with the index on one backend, which answers queries or runs whole iterations. */
static clump_status align(icp *w, const clump_opened *on, clump_icp_result *result)
{
    clump_context *const ctx = w->ctx;
    const clump_icp_options *const o = w->options;
    char reason[sizeof ctx->reason]; /* of the choice of the backend; the queries overwrite it */
    memcpy(reason, ctx->reason, sizeof reason);
    const double start = clump_now_ms();
    const clump_index_options how = clump_index_defaults();
    w->on = on;
    w->whole = on->table->icp_step != NULL;
    w->plane = o->method == CLUMP_ICP_PLANE;
    CLUMP_TRY(clump_index_make(ctx, on, &how, w->target, &ctx->icp_index));
    w->index = ctx->icp_index;
    w->query_ms = 0;
    w->again = false;
    CLUMP_TRY(w->whole ? begin_whole(w) : begin_composed(w));
    find_center(w); /* while the GPU computes the normals */
    memcpy(w->job.center, w->center, sizeof w->center);
    const double built = clump_now_ms();

    phase p = {.motion = rigid_of(o->initial)};
    int left = o->max_iterations;
    bool contested;
    CLUMP_TRY(run_phases(w, &p, &left, &contested));
    clump_icp_result r = {.fitness = p.fitness, .rmse = p.rmse, .iterations = o->max_iterations - left};
    r.converged = p.converged;
    r.contested = contested;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) r.transform[4 * i + j] = p.motion.turn[3 * i + j];
        r.transform[4 * i + 3] = p.motion.move[i];
    }
    r.transform[15] = 1;
    *result = r;
    ctx->stats.method = w->plane ? "plane" : "point";
    ctx->stats.passes = r.iterations;
    ctx->stats.build_ms = built - start;
    ctx->stats.query_ms = w->query_ms;
    ctx->stats.queries = w->source.count;
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
    clump_opened on;
    CLUMP_TRY(clump_context_open(ctx, CLUMP_PLACE_HOST, method, target.count, &on));
    icp w = {.ctx = ctx, .options = &options, .target = target, .source = source};
    clump_status status = align(&w, &on, result);
    if (status != CLUMP_OK && clump_context_fall_back(ctx, CLUMP_PLACE_HOST, status, &on))
        status = align(&w, &on, result);
    return status;
}
