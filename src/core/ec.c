/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec.c: the public clump_ec: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/methods.h"
#include "core/options.h"
#include "rules/distance.h"

static clump_status run(clump_context *ctx, const clump_opened *on, const void *job, clump_result *result)
{
    return on->table->ec(ctx, on->state, job, result);
}

clump_status clump_ec(clump_context *ctx, clump_points points, float d, const clump_ec_options *given, int32_t *labels,
                      int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_ec"));
    const clump_ec_options options = given ? *given : clump_ec_defaults();
    if (options.cookie != CLUMP_EC_COOKIE)
        return clump_fail(ctx, CLUMP_ERR_OPTIONS, "clump_ec: the options were not made by clump_ec_defaults()");
    clump_ec_job job = {
        .in =
            {
                .points = (const char *)points.xyz,
                .count = points.count,
                .place = points.place,
                .d = d,
                .bound = clump_distance_bound(d),
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
    };
    clump_status status = clump_call_check(ctx, "clump_ec", &job.in, points, "distance", &job.in.stride);
    if (status != CLUMP_OK) return status;
    const clump_method *const method = clump_method_at(&clump_ec_methods, (int)options.method);
    if (!method)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_ec: there is no method number %d", (int)options.method);
    CLUMP_TRY(clump_call_check_memory(ctx, "clump_ec", &job.in, NULL, 0));
    status = clump_call_check_growth(ctx, "clump_ec", &job.in, options.method == CLUMP_EC_FAST, method->name);
    if (status != CLUMP_OK) return status;
    clump_opened on;
    status = clump_context_open(ctx, points.place, method, points.count, &on);
    if (status != CLUMP_OK) return status;
    return clump_call(ctx, on, run, &job, &job.in, method->name, cluster_count);
}
