/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: the public clump_describe: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/options.h"

#include <math.h>

clump_describe_options clump_describe_defaults(void)
{
    return (clump_describe_options){.cookie = CLUMP_DESCRIBE_COOKIE};
}

static clump_status check_options(clump_context *ctx, const clump_describe_options *o)
{
    if (o->cookie != CLUMP_DESCRIBE_COOKIE)
        return clump_fail(ctx, CLUMP_ERR_OPTIONS, "%s: the options were not made by clump_describe_defaults()",
                          ctx->call);
    return CLUMP_OK;
}

static clump_status check_memory(clump_context *ctx, const clump_describe_job *job)
{
    const clump_span spans[] = {
        clump_span_out("clusters", job->clusters, (size_t)job->cluster_count, sizeof *job->clusters,
                       _Alignof(clump_cluster)),
        clump_span_points("points.xyz", job->points, job->count, job->stride),
        clump_span_in("labels", job->labels, job->count, sizeof *job->labels, sizeof *job->labels),
    };
    return clump_check_spans(ctx, ctx->call, spans, sizeof spans / sizeof *spans);
}

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
                              .options = given ? *given : clump_describe_defaults(),
                              .wait = true};
    CLUMP_TRY(check_options(ctx, &job.options));
    CLUMP_TRY(clump_check_points(ctx, ctx->call, points, &job.stride));
    if (points.place != CLUMP_PLACE_HOST)
        return clump_fail(ctx, CLUMP_ERR_MEMORY_KIND,
                          "clump_describe: the points are in device memory, it needs them in host memory");
    if (!labels && points.count > 0) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_describe: labels is null");
    if (cluster_count < 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_describe: cluster_count is %d, below 0", cluster_count);
    if (!clusters && cluster_count > 0) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_describe: clusters is null");
    CLUMP_TRY(check_memory(ctx, &job));
    clump_opened on;
    clump_result result = {.threads = 1, .passes = 1};
    static const clump_method method = {"describe", true, true};
    CLUMP_TRY(clump_context_open(ctx, CLUMP_PLACE_HOST, &method, points.count, &on));
    return on.table->describe(ctx, on.state, &job, &result);
}
