/* SPDX-License-Identifier: BSD-3-Clause
 *
 * call.c: the steps that the public clustering calls share: check the arguments, run, keep the figures for clump_stats.
 */
#include "core/context.h"

#include "common/assert.h"
#include "rules/distance.h"

#include <float.h>
#include <math.h>
#include <string.h>

clump_status clump_call_input(clump_work *work, clump_points points, const clump_clustering *common, int32_t *labels,
                              bool wait, clump_cloud_job *in)
{
    const char *const call = work->call;
    *in = (clump_cloud_job){
        .points = (const char *)points.xyz,
        .count = points.count,
        .place = points.place,
        .mask = common->mask,
        .labels = labels,
        .order = common->order,
        .min_size = common->min_size,
        .max_size = common->max_size,
        .clusters_on_device = common->clusters_on_device,
        .wait = wait || points.place == CLUMP_PLACE_HOST,
        .per_metre = common->eps_per_metre,
        .two_d = common->two_d,
    };
    memcpy(in->sensor, common->sensor, sizeof in->sensor);
    CLUMP_TRY(clump_check_points(work, call, points, &in->stride));
    if (in->order != CLUMP_ORDER_INDEX && in->order != CLUMP_ORDER_SIZE)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: there is no order number %d", call, (int)in->order);
    if (in->max_size != 0 && in->min_size > in->max_size)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: min_size %zu is larger than max_size %zu", call, in->min_size,
                          in->max_size);
    return CLUMP_OK;
}

clump_status clump_call_radius(clump_work *work, const char *name, float d, clump_cloud_job *in)
{
    in->d = d;
    in->bound = clump_distance_bound(d);
    if (!(d > 0) || !isfinite(d))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the %s is %g, it must be a number above 0", work->call, name,
                          (double)d);
    if (!(in->bound >= FLT_MIN) || !isfinite(in->bound))
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "%s: the square of the %s %g does not fit into a float (allowed: 1.1e-19 to 1.8e19)",
                          work->call, name, (double)d);
    return CLUMP_OK;
}

clump_status clump_call_check_memory(clump_context *ctx, const clump_cloud_job *job, const clump_span *others,
                                     size_t count)
{
    CLUMP_ASSERT(count <= CLUMP_CALL_SPANS);
    if (!job->labels && job->count > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: labels is null", ctx->work.call);
    clump_span spans[3 + CLUMP_CALL_SPANS] = {
        clump_span_points("points.xyz", job->points, job->count, job->stride),
        clump_span_in("mask", job->mask, job->count, 1, 1),
        clump_span_out("labels", job->labels, job->count, sizeof *job->labels, sizeof *job->labels),
    };
    if (count > 0) memcpy(spans + 3, others, count * sizeof *others);
    return clump_check_spans(&ctx->work, ctx->work.call, spans, 3 + count);
}

/* Checks eps_per_metre and the sensor. Only the method `fast`, value 0 of every job, has them. */
static clump_status check_growth(clump_context *ctx, const clump_cloud_job *in, int value, const char *method)
{
    const float s = in->per_metre;
    if (s == 0) return CLUMP_OK;
    if (!(s > 0) || !isfinite(s))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: eps_per_metre is %g, it must be a number and not below 0", ctx->work.call, (double)s);
    if (!isfinite(clump_distance_bound(s)))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: the square of eps_per_metre %g does not fit into a float (allowed: up to 1.8e19)",
                          ctx->work.call, (double)s);
    for (int k = 0; k < (in->two_d ? 2 : 3); k++)
        if (!isfinite(in->sensor[k]))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: the %c of the sensor is %g, it must be finite",
                              ctx->work.call, "xyz"[k], (double)in -> sensor[k]);
    if (value != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s: eps_per_metre is for the method fast, %s does not have it", ctx->work.call, method);
    return CLUMP_OK;
}

clump_stats clump_stats_before(void)
{
    return (clump_stats){.threads = 1, .passes = 1, .ground_level = NAN};
}

void clump_keep_stats(clump_context *ctx, clump_backend backend, const char *method, const clump_stats *stats)
{
    ctx->stats = *stats;
    ctx->stats.backend = backend;
    ctx->stats.method = method;
    ctx->stats.threads_refused = ctx->work.refused;
    memcpy(ctx->stats.reason, ctx->reason, sizeof ctx->stats.reason);
}

clump_status clump_call(clump_context *ctx, const clump_method_table *methods, int value, clump_call_run *run,
                        const void *job, const clump_cloud_job *in, int32_t *cluster_count)
{
    const clump_method *const method = clump_method_at(methods, value);
    if (!method)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no method number %d", ctx->work.call, value);
    CLUMP_TRY(check_growth(ctx, in, value, method->name));
    clump_opened on;
    CLUMP_TRY(clump_context_open(ctx, in->place, method, in->count, &on));
    if (in->clusters_on_device && on.table->id != CLUMP_BACKEND_CUDA)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND,
                          "clusters_on_device is for the CUDA backend, and this runs on %s", on.table->name);
    clump_load_clear(ctx);
    clump_stats stats = clump_stats_before();
    clump_status status = run(ctx, &on, job, &stats);
    if (status != CLUMP_OK && !in->clusters_on_device && clump_context_fall_back(ctx, in->place, status, &on)) {
        stats = clump_stats_before();
        clump_load_clear(ctx);
        status = run(ctx, &on, job, &stats);
    }
    if (status != CLUMP_OK) {
        clump_load_clear(ctx);
        return status;
    }
    CLUMP_ASSERT(stats.clusters >= (cluster_count ? 0 : -1) &&
                 (stats.clusters < 0 || (size_t)stats.clusters <= in->count));
    CLUMP_ASSERT(stats.clusters < 0 || stats.noise + stats.ground <= in->count);
    CLUMP_ASSERT(stats.threads >= 1 && stats.passes >= 0);
    clump_keep_stats(ctx, on.table->id, method->name, &stats);
    ctx->stats.points = in->count;
    if (methods == &clump_ec_methods || methods == &clump_dbscan_methods)
        ctx->stats.pieces = stats.pieces > 0 ? stats.pieces : 1;
    if (cluster_count) *cluster_count = stats.clusters;
    return CLUMP_OK;
}

clump_status clump_call_without_figures(clump_context *ctx, clump_place place, const clump_method *method,
                                        size_t points, clump_call_run *run, const void *job)
{
    clump_opened on;
    CLUMP_TRY(clump_context_open(ctx, place, method, points, &on));
    clump_stats stats = clump_stats_before();
    const clump_status status = run(ctx, &on, job, &stats);
    if (status == CLUMP_OK || !clump_context_fall_back(ctx, place, status, &on)) return status;
    stats = clump_stats_before();
    return run(ctx, &on, job, &stats);
}
