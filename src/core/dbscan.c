/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan.c: the public clump_dbscan: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/options.h"

#include <math.h>

clump_status clump_dbscan_make_job(clump_context *ctx, clump_points points, float eps, size_t min_points,
                                   const clump_dbscan_options *o, int32_t *labels, bool wait, clump_dbscan_job *job)
{
    *job = (clump_dbscan_job){
        .method = o->method, .min_points = min_points, .border_points = !o->no_border_points, .core = o->core};
    const clump_call_options common = {o->mask,  o->order,         o->min_size, o->max_size, o->clusters_on_device,
                                       o->two_d, o->eps_per_metre, o->sensor};
    CLUMP_TRY(clump_call_input(ctx, points, common, labels, wait, &job->in));
    CLUMP_TRY(clump_call_radius(ctx, "radius eps", eps, &job->in));
    job->in.bound = nextafterf(job->in.bound, INFINITY); /* d2 < next float after eps * eps  <=>  d2 <= eps * eps */
    if (min_points == 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: min_points is 0, it must be at least 1", ctx->call);
    return CLUMP_OK;
}

CLUMP_CALL_RUN(dbscan)

clump_status clump_dbscan(clump_context *ctx, clump_points points, float eps, size_t min_points,
                          const clump_dbscan_options *given, int32_t *labels, int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_dbscan"));
    const clump_dbscan_options o = given ? *given : clump_dbscan_defaults();
    if (o.cookie != CLUMP_DBSCAN_COOKIE)
        return clump_fail(ctx, CLUMP_ERR_OPTIONS, "clump_dbscan: the options were not made by clump_dbscan_defaults()");
    clump_dbscan_job job;
    CLUMP_TRY(clump_dbscan_make_job(ctx, points, eps, min_points, &o, labels, cluster_count != NULL, &job));
    const clump_span core = clump_span_out("core", o.core, points.count, 1, 1);
    CLUMP_TRY(clump_call_check_memory(ctx, &job.in, &core, 1));
    return clump_call(ctx, &clump_dbscan_methods, (int)o.method, run, &job, &job.in, cluster_count);
}
