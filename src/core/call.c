/* SPDX-License-Identifier: BSD-3-Clause
 *
 * call.c: what the public clustering calls have in common: checks of their arguments, the run, its figures.
 */
#include "core/context.h"

#include "rules/distance.h"

#include <float.h>
#include <math.h>
#include <string.h>

clump_status clump_call_check(clump_context *ctx, const char *call, const clump_cloud_job *job, clump_points points,
                              const char *radius, size_t *stride)
{
    const clump_status status = clump_check_points(ctx, call, points, stride);
    if (status != CLUMP_OK) return status;
    const float d = job->d, bound = clump_distance_bound(d);
    if (!(d > 0) || !isfinite(d))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: the %s is %g, it must be a number above 0", call, radius,
                          (double)d);
    if (!(bound >= FLT_MIN) || !isfinite(bound))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT,
                          "%s: the square of the %s %g does not fit into a float (allowed: 1.1e-19 to 1.8e19)", call,
                          radius, (double)d);
    if (!job->labels && points.count > 0) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: labels is null", call);
    if (job->order != CLUMP_ORDER_INDEX && job->order != CLUMP_ORDER_SIZE)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: there is no order number %d", call, (int)job->order);
    if (job->max_size != 0 && job->min_size > job->max_size)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: min_size %zu is larger than max_size %zu", call, job->min_size,
                          job->max_size);
    return CLUMP_OK;
}

clump_status clump_call_check_memory(clump_context *ctx, const char *call, const clump_cloud_job *job,
                                     const clump_span *others, size_t count)
{
    clump_span spans[3 + 8] = {
        clump_span_points("points.xyz", job->points, job->count, job->stride),
        clump_span_in("mask", job->mask, job->count, 1, 1),
        clump_span_out("labels", job->labels, job->count, sizeof *job->labels, sizeof *job->labels),
    };
    if (count > 0) memcpy(spans + 3, others, count * sizeof *others);
    return clump_check_spans(ctx, call, spans, 3 + count);
}

clump_status clump_call_check_growth(clump_context *ctx, const char *call, const clump_cloud_job *job, bool is_fast,
                                     const char *method)
{
    const float s = job->per_metre;
    if (s == 0) return CLUMP_OK;
    if (!(s > 0) || !isfinite(s))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: eps_per_metre is %g, it must be a number and not below 0", call,
                          (double)s);
    if (!isfinite(clump_distance_bound(s)))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT,
                          "%s: the square of eps_per_metre %g does not fit into a float (allowed: up to 1.8e19)", call,
                          (double)s);
    for (int k = 0; k < (job->two_d ? 2 : 3); k++)
        if (!isfinite(job->sensor[k]))
            return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: the %c of the sensor is %g, it must be finite", call,
                              "xyz"[k], (double)job -> sensor[k]);
    if (!is_fast)
        return clump_fail(ctx, CLUMP_ERR_UNSUPPORTED, "%s: eps_per_metre is for the method fast, %s does not have it",
                          call, method);
    return CLUMP_OK;
}

clump_status clump_call(clump_context *ctx, clump_opened on, clump_call_run *run, const void *job,
                        const clump_cloud_job *common, const char *method, int32_t *cluster_count)
{
    if (common->clusters_on_device && on.table->id != CLUMP_BACKEND_CUDA)
        return clump_fail(ctx, CLUMP_ERR_MEMORY_KIND, "clusters_on_device is for the CUDA backend, and this runs on %s",
                          on.table->name);
    ctx->loads = 0;
    clump_result result = {.threads = 1, .passes = 1, .ground_level = NAN};
    clump_status status = run(ctx, &on, job, &result);
    if (status != CLUMP_OK && !common->clusters_on_device && clump_context_fall_back(ctx, common->place, status, &on)) {
        result = (clump_result){.threads = 1, .passes = 1, .ground_level = NAN};
        status = run(ctx, &on, job, &result);
    }
    if (status != CLUMP_OK) {
        ctx->loads = 0;
        return status;
    }

    clump_stats *const stats = &ctx->stats;
    memcpy(stats->reason, ctx->reason, sizeof stats->reason);
    stats->backend = on.table->id;
    stats->method = method;
    stats->threads = result.threads;
    stats->passes = result.passes;
    stats->upload_ms = result.upload_ms;
    stats->build_ms = result.build_ms;
    stats->cluster_ms = result.cluster_ms;
    stats->label_ms = result.label_ms;
    stats->download_ms = result.download_ms;
    stats->points = common->count;
    stats->finite = result.finite;
    stats->masked = result.masked;
    stats->noise = result.noise;
    stats->ground = result.ground;
    stats->ground_level = result.ground_level;
    stats->clusters = result.unknown ? -1 : result.clusters;
    if (cluster_count) *cluster_count = result.clusters;
    return CLUMP_OK;
}
