/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan.c: the public clump_dbscan: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/methods.h"
#include "core/options.h"
#include "rules/distance.h"

#include <math.h>

static clump_status run(clump_context *ctx, const clump_opened *on, const void *job, clump_result *result)
{
    return on->table->dbscan(ctx, on->state, job, result);
}

clump_status clump_dbscan(clump_context *ctx, clump_points points, float eps, size_t min_points,
                          const clump_dbscan_options *given, int32_t *labels, int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_dbscan"));
    const clump_dbscan_options options = given ? *given : clump_dbscan_defaults();
    if (options.cookie != CLUMP_DBSCAN_COOKIE)
        return clump_fail(ctx, CLUMP_ERR_OPTIONS, "clump_dbscan: the options were not made by clump_dbscan_defaults()");
    clump_dbscan_job job = {
        .in =
            {
                .points = (const char *)points.xyz,
                .count = points.count,
                .place = points.place,
                .d = eps,
                .bound = nextafterf(clump_distance_bound(eps), INFINITY), /* below that is at most the square */
                .per_metre = options.eps_per_metre,
                .sensor = {options.sensor[0], options.sensor[1], options.sensor[2]},
                .two_d = options.two_d,
                .mask = options.mask,
                .order = options.order,
                .min_size = options.min_size,
                .max_size = options.max_size,
                .labels = labels,
                .clusters_on_device = options.clusters_on_device,
                .wait = points.place == CLUMP_PLACE_HOST || cluster_count != NULL,
            },
        .method = options.method,
        .min_points = min_points,
        .border_points = !options.no_border_points,
        .core = options.core,
    };
    clump_status status = clump_call_check(ctx, "clump_dbscan", &job.in, points, "radius eps", &job.in.stride);
    if (status != CLUMP_OK) return status;
    if (min_points == 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_dbscan: min_points is 0, it must be at least 1");
    const clump_span core = clump_span_out("core", options.core, points.count, 1, 1);
    CLUMP_TRY(clump_call_check_memory(ctx, "clump_dbscan", &job.in, &core, 1));
    const clump_method *const method = clump_method_at(&clump_dbscan_methods, (int)options.method);
    if (!method)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_dbscan: there is no method number %d", (int)options.method);
    status = clump_call_check_growth(ctx, "clump_dbscan", &job.in, options.method == CLUMP_DBSCAN_FAST, method->name);
    if (status != CLUMP_OK) return status;
    clump_opened on;
    status = clump_context_open(ctx, points.place, method, points.count, &on);
    if (status != CLUMP_OK) return status;
    return clump_call(ctx, on, run, &job, &job.in, method->name, cluster_count);
}
