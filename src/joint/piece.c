/* SPDX-License-Identifier: BSD-3-Clause
 *
 * piece.c: the public clump_piece_cluster: its checks, and the clustering of the points of a piece by the ordinary jobs.
 */
#include "joint/piece.h"

#include "core/options.h"

#include <string.h>

clump_joint_settings clump_joint_defaults(void)
{
    return (clump_joint_settings){.cookie = CLUMP_JOINT_COOKIE, .min_size = 1};
}

/* ----- settings ------------------------------------------------------------------------------------------------- */

clump_status clump_joint_check(clump_work *work, const clump_joint_settings *s)
{
    if (!s) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: settings is null", work->call);
    if (s->cookie != CLUMP_JOINT_COOKIE)
        return clump_fail(work, CLUMP_ERR_OPTIONS, "%s: the settings were not made by clump_joint_defaults()",
                          work->call);
    const clump_clustering common = {.order = s->order, .min_size = s->min_size, .max_size = s->max_size};
    clump_cloud_job in;
    CLUMP_TRY(clump_call_input(work, (clump_points){.count = 0}, &common, NULL, true, &in));
    return clump_call_radius(work, s->min_points > 0 ? "radius eps" : "distance", s->d, &in);
}

/* Neighbours are at most d (1 + 2^-21) apart along an axis, in real numbers (rules/tiles.h). The core points next to an own
 * border point must have all of their neighbours too, so DBSCAN needs twice that. With min_points 1 all points are core. */
double clump_joint_reach_of(const clump_joint_settings *s)
{
    return (double)s->d * (1 + 0x1p-20) * (s->min_points > 1 ? 2 : 1);
}

double clump_joint_settings_reach(const clump_joint_settings *settings)
{
    clump_work quiet = {.call = "clump_joint_settings_reach"}; /* only for the message, which is not wanted */
    return settings && clump_joint_check(&quiet, settings) == CLUMP_OK ? clump_joint_reach_of(settings) : 0;
}

/* ----- clustering ------------------------------------------------------------------------------------------------ */

/* The arrays of a call, in the place of the points. */
typedef struct piece_arrays {
    int32_t *labels;
    uint8_t *core;
} piece_arrays;

static clump_status run_ec(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats)
{
    return on->table->ec(&ctx->work, on->state, job, stats);
}

static clump_status run_dbscan(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats)
{
    return on->table->dbscan(&ctx->work, on->state, job, stats);
}

static clump_status cluster_by_distance(clump_context *ctx, clump_piece_work *w, piece_arrays at)
{
    clump_ec_options o = clump_ec_defaults();
    o.common.two_d = w->settings->two_d;
    clump_ec_job job;
    CLUMP_TRY(clump_ec_make_job(ctx, w->points, w->settings->d, &o, at.labels, true, &job));
    return clump_call(ctx, &clump_ec_methods, (int)o.method, run_ec, &job, &job.in, &w->found_count);
}

#define PIECE_BORDERS 1024 /* pairs that there is room for at least; more of them cost a second run */

static clump_status cluster_by_density(clump_context *ctx, clump_piece_work *w, piece_arrays at)
{
    clump_buffer *const buffer = &ctx->piece.borders;
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.two_d = w->settings->two_d;
    o.no_border_points = w->settings->no_border_points;
    o.core = at.core;
    clump_dbscan_job job;
    CLUMP_TRY(
        clump_dbscan_make_job(ctx, w->points, w->settings->d, w->settings->min_points, &o, at.labels, true, &job));
    clump_border_list list = {.points = w->own};
    if (w->own > 0 && w->settings->min_points > 1 && !o.no_border_points) job.borders = &list;
    size_t room = PIECE_BORDERS + w->own / 64;
    do {
        CLUMP_TRY(clump_buffer_reserve(&ctx->work, buffer, room * sizeof *list.pairs));
        list.pairs = buffer->data;
        list.capacity = buffer->bytes / sizeof *list.pairs;
        list.count = SIZE_MAX;
        CLUMP_TRY(clump_call(ctx, &clump_dbscan_methods, (int)o.method, run_dbscan, &job, &job.in, &w->found_count));
        if (!job.borders) list.count = 0;
        if (list.count == SIZE_MAX)
            return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                              "%s: this backend does not list the clusters next to border points", ctx->work.call);
        room = list.count;
    } while (list.count > list.capacity);
    w->borders = list.pairs;
    w->border_count = list.count;
    return CLUMP_OK;
}

static clump_status cluster(clump_context *ctx, clump_piece_work *w, piece_arrays at)
{
    return w->settings->min_points > 0 ? cluster_by_density(ctx, w, at) : cluster_by_distance(ctx, w, at);
}

/* Clusters points in device memory and copies labels and core flags to the host. */
static clump_status cluster_on_device(clump_context *ctx, clump_piece_work *w, piece_arrays host)
{
    const size_t count = w->points.count;
    void *labels = NULL, *core = NULL;
    clump_status status = clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, count * sizeof *host.labels, &labels);
    if (status == CLUMP_OK && host.core) status = clump_cuda_allocate(ctx, CLUMP_CUDA_DEVICE, count, &core);
    if (status == CLUMP_OK) status = cluster(ctx, w, (piece_arrays){labels, core});
    if (status == CLUMP_OK) status = clump_cuda_copy(ctx, host.labels, labels, count * sizeof *host.labels);
    if (status == CLUMP_OK && host.core) status = clump_cuda_copy(ctx, host.core, core, count);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, core);
    clump_cuda_release(ctx, CLUMP_CUDA_DEVICE, labels);
    return status;
}

/* Finds the labels, and for DBSCAN the core points, of all points of the piece. */
static clump_status cluster_points(clump_context *ctx, clump_piece_work *w)
{
    piece_arrays at = {NULL, NULL};
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->piece.labels, w->points.count * sizeof *at.labels));
    w->found = at.labels = ctx->piece.labels.data;
    if (w->settings->min_points > 0) {
        CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->piece.core, w->points.count));
        w->core = at.core = ctx->piece.core.data;
    }
    if (w->points.place == CLUMP_PLACE_DEVICE && w->points.count > 0) return cluster_on_device(ctx, w, at);
    return cluster(ctx, w, at);
}

/* ----- the call -------------------------------------------------------------------------------------------------- */

static clump_status check_arguments(clump_context *ctx, const clump_piece_work *w)
{
    const size_t count = w->points.count;
    size_t stride;
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, w->points, &stride));
    if (w->own > count)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: %zu own points, but the piece has %zu points",
                          ctx->work.call, w->own, count);
    if (!w->indices && count > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: indices is null", ctx->work.call);
    if (!w->labels && w->own > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: labels is null", ctx->work.call);
    const bool host = w->points.place == CLUMP_PLACE_HOST;
    const clump_span spans[] = {
        clump_span_points("points.xyz", host ? w->points.xyz : NULL, host ? count : 0, stride),
        clump_span_in("indices", w->indices, count, sizeof *w->indices, _Alignof(int64_t)),
        clump_span_in("strip", w->strip, w->own, 1, 1),
        clump_span_out("labels", w->labels, w->own, sizeof *w->labels, sizeof *w->labels),
    };
    return clump_check_spans(&ctx->work, ctx->work.call, spans, sizeof spans / sizeof *spans);
}

clump_status clump_piece_run(clump_context *ctx, const clump_joint_settings *settings, clump_points points, size_t own,
                             const int64_t *indices, const uint8_t *strip, bool no_strip, int32_t *labels,
                             clump_piece **out)
{
    clump_piece_work w = {.settings = settings,
                          .points = points,
                          .own = own,
                          .indices = indices,
                          .strip = strip,
                          .no_strip = no_strip,
                          .labels = labels};
    CLUMP_TRY(check_arguments(ctx, &w));
    CLUMP_TRY(clump_piece_order(ctx, &w));
    CLUMP_TRY(cluster_points(ctx, &w));
    CLUMP_TRY(clump_piece_choices(ctx, &w));
    return clump_piece_make(ctx, &w, out);
}

clump_status clump_piece_cluster(clump_context *ctx, const clump_joint_settings *settings, clump_points points,
                                 size_t own, const int64_t *indices, const uint8_t *strip, int32_t *labels,
                                 clump_piece **out)
{
    if (out) *out = NULL;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_piece_cluster"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: out is null", ctx->work.call);
    CLUMP_TRY(clump_joint_check(&ctx->work, settings));
    return clump_piece_run(ctx, settings, points, own, indices, strip, false, labels, out);
}
