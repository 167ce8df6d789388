/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec.c: the public clump_ec: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/options.h"

clump_status clump_ec_make_job(clump_context *ctx, clump_points points, float d, const clump_ec_options *o,
                               int32_t *labels, bool wait, clump_ec_job *job)
{
    *job = (clump_ec_job){.method = o->method};
    const clump_call_options common = {o->mask,  o->order,         o->min_size, o->max_size, o->clusters_on_device,
                                       o->two_d, o->eps_per_metre, o->sensor};
    CLUMP_TRY(clump_call_input(ctx, points, common, labels, wait, &job->in));
    return clump_call_radius(ctx, "distance", d, &job->in);
}

CLUMP_CALL_RUN(ec)

clump_status clump_ec(clump_context *ctx, clump_points points, float d, const clump_ec_options *given, int32_t *labels,
                      int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_ec"));
    const clump_ec_options o = given ? *given : clump_ec_defaults();
    if (o.cookie != CLUMP_EC_COOKIE)
        return clump_fail(ctx, CLUMP_ERR_OPTIONS, "clump_ec: the options were not made by clump_ec_defaults()");
    clump_ec_job job;
    CLUMP_TRY(clump_ec_make_job(ctx, points, d, &o, labels, cluster_count != NULL, &job));
    CLUMP_TRY(clump_call_check_memory(ctx, &job.in, NULL, 0));
    return clump_call(ctx, &clump_ec_methods, (int)o.method, run, &job, &job.in, cluster_count);
}
