/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: the public clump_describe: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/options.h"

#include <math.h>

clump_status clump_describe_check(clump_context *ctx, clump_place points_place, clump_describe_options *o)
{
    const char *const call = ctx->work.call;
    if (o->cookie != CLUMP_DESCRIBE_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "%s: the describe options were not made by clump_describe_defaults()", call);
    if (o->up != CLUMP_UP_Z && o->up != CLUMP_UP_Y)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no up axis number %d", call, (int)o->up);
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(o->sensor[axis]))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: the %c of the sensor is not finite", call,
                              "xyz"[axis]);
    if (o->values_stride % sizeof(float) != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: values_stride is %zu, it must be a multiple of 4", call,
                          o->values_stride);
    if (o->values_stride == 0) o->values_stride = sizeof(float);
    if (o->hull && !o->hull_offsets)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: hull is given but hull_offsets is null", call);
    if (!o->hull) o->hull_capacity = 0;
    if (o->clusters_place != CLUMP_PLACE_HOST && o->clusters_place != CLUMP_PLACE_DEVICE)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no place number %d", call,
                          (int)o->clusters_place);
    if (o->clusters_place == CLUMP_PLACE_DEVICE && points_place == CLUMP_PLACE_HOST)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND,
                          "%s: clusters_place is the device but the points are in host memory", call);
    return CLUMP_OK;
}

clump_status clump_describe_check_memory(clump_context *ctx, const clump_describe_job *job)
{
    const clump_describe_options *const o = &job->options;
    const size_t n = job->count, entries = (size_t)job->described, word = sizeof(float);
    const clump_span spans[] = {
        clump_span_out("clusters", job->clusters, entries, sizeof *job->clusters, _Alignof(clump_cluster)),
        clump_span_out("hull", o->hull, o->hull_capacity, sizeof(float[2]), word),
        clump_span_out("hull_offsets", o->hull_offsets, entries + 1, sizeof(int32_t), sizeof(int32_t)),
        clump_span_points("points.xyz", job->points, n, job->stride),
        clump_span_in("labels", job->labels, n, sizeof *job->labels, sizeof *job->labels),
        clump_span_in("heights", o->heights, n, word, word),
        {"values", o->values, word, n, o->values_stride, word, false},
    };
    return clump_check_spans(&ctx->work, ctx->work.call, spans, sizeof spans / sizeof *spans);
}

CLUMP_CALL_RUN(describe)

clump_status clump_describe(clump_context *ctx, clump_points points, const int32_t *labels, int32_t cluster_count,
                            const clump_describe_options *given, clump_cluster *clusters)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_describe"));
    clump_describe_job job = {.points = (const char *)points.xyz,
                              .count = points.count,
                              .place = points.place,
                              .labels = labels,
                              .clusters = clusters,
                              .cluster_count = cluster_count,
                              .described = cluster_count,
                              .options = given ? *given : clump_describe_defaults()};
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, points, &job.stride));
    CLUMP_TRY(clump_describe_check(ctx, points.place, &job.options));
    if (!labels && points.count > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_describe: labels is null");
    if (cluster_count < 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_describe: cluster_count is %d, below 0",
                          cluster_count);
    if (!clusters && cluster_count > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_describe: clusters is null");
    /* more corners than points are never written */
    if (job.options.hull_capacity > points.count) job.options.hull_capacity = points.count;
    job.wait = job.options.clusters_place == CLUMP_PLACE_HOST;
    CLUMP_TRY(clump_describe_check_memory(ctx, &job));
    static const clump_method method = {"describe", true, true, CLUMP_COST_LINEAR};
    return clump_call_without_figures(ctx, points.place, &method, points.count, run, &job);
}
