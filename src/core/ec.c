/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec.c: the public clump_ec: checks, the choice of backend, the figures of the run.
 */
#include "core/context.h"

#include "core/options.h"
#include "core/registry.h"
#include "rules/distance.h"

#include <float.h>
#include <math.h>
#include <string.h>

static clump_status check(clump_context *ctx, clump_points points, float d, const clump_ec_options *options,
                          const int32_t *labels, size_t *stride)
{
    const clump_status status = clump_check_points(ctx, "clump_ec", points, stride);
    if (status != CLUMP_OK) return status;
    if (options->cookie != CLUMP_EC_COOKIE)
        return clump_fail(ctx, CLUMP_ERR_OPTIONS, "clump_ec: the options were not made by clump_ec_defaults()");
    const float bound = clump_distance_bound(d);
    if (!(d > 0) || !isfinite(d))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_ec: the distance is %g, it must be a number above 0",
                          (double)d);
    if (!(bound >= FLT_MIN) || !isfinite(bound))
        return clump_fail(
            ctx, CLUMP_ERR_ARGUMENT,
            "clump_ec: the square of the distance %g does not fit into a float (allowed: 1.1e-19 to 1.8e19)",
            (double)d);
    if (!labels && points.count > 0) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_ec: labels is null");
    if (!clump_ec_method_name(options->method))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_ec: there is no method number %d", (int)options->method);
    if (options->order != CLUMP_ORDER_INDEX && options->order != CLUMP_ORDER_SIZE)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_ec: there is no order number %d", (int)options->order);
    if (options->max_size != 0 && options->min_size > options->max_size)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_ec: min_size %zu is larger than max_size %zu",
                          options->min_size, options->max_size);
    return CLUMP_OK;
}

clump_status clump_ec(clump_context *ctx, clump_points points, float d, const clump_ec_options *given, int32_t *labels,
                      int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    ctx->error[0] = '\0';
    const clump_ec_options options = given ? *given : clump_ec_defaults();
    size_t stride;
    clump_status status = check(ctx, points, d, &options, labels, &stride);
    if (status != CLUMP_OK) return status;

    clump_opened on;
    status = clump_context_open(ctx, points.place, options.method, points.count, &on);
    if (status != CLUMP_OK) return status;
    if (options.clusters_on_device && on.table->id != CLUMP_BACKEND_CUDA)
        return clump_fail(ctx, CLUMP_ERR_MEMORY_KIND,
                          "clump_ec: clusters_on_device is for the CUDA backend, and this runs on %s", on.table->name);

    const clump_ec_job job = {
        .points = (const char *)points.xyz,
        .count = points.count,
        .stride = stride,
        .place = points.place,
        .d = d,
        .two_d = options.two_d,
        .mask = options.mask,
        .method = options.method,
        .order = options.order,
        .min_size = options.min_size,
        .max_size = options.max_size,
        .labels = labels,
        .clusters_on_device = options.clusters_on_device,
        .wait = points.place == CLUMP_PLACE_HOST || cluster_count != NULL,
    };
    clump_ec_result result = {.threads = 1, .passes = 1};
    status = on.table->ec(ctx, on.state, &job, &result);
    if (status != CLUMP_OK && !options.clusters_on_device && clump_context_fall_back(ctx, points.place, status, &on)) {
        result = (clump_ec_result){.threads = 1, .passes = 1};
        status = on.table->ec(ctx, on.state, &job, &result);
    }
    if (status != CLUMP_OK) return status;

    clump_stats *const stats = &ctx->stats;
    memcpy(stats->reason, ctx->reason, sizeof stats->reason);
    stats->backend = on.table->id;
    stats->method = clump_ec_method_name(options.method);
    stats->threads = result.threads;
    stats->passes = result.passes;
    stats->upload_ms = result.upload_ms;
    stats->build_ms = result.build_ms;
    stats->cluster_ms = result.cluster_ms;
    stats->label_ms = result.label_ms;
    stats->download_ms = result.download_ms;
    stats->points = points.count;
    stats->finite = result.finite;
    stats->masked = result.masked;
    stats->noise = result.noise;
    stats->clusters = result.unknown ? -1 : result.clusters;
    if (cluster_count) *cluster_count = result.clusters;
    return CLUMP_OK;
}
