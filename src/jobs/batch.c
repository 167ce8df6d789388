/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.c: the public clump_ec_batch and clump_dbscan_batch: their checks and the choice of backend.
 */
#include "jobs/batch.h"
#include "jobs/classes.h"

#include "common/assert.h"
#include "core/options.h"
#include "rules/batch.h"

#include <stdio.h>

clump_status clump_batch_check_clouds(clump_context *ctx, const int64_t *offsets, size_t clouds, size_t points)
{
    if (clouds > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY, "%s: %zu clouds, at most %d fit into one call",
                          ctx->work.call, clouds, INT32_MAX);
    if (!offsets && clouds > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: offsets is null", ctx->work.call);
    if (clouds == 0 && points > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there are %zu points but no clouds", ctx->work.call,
                          points);
    return CLUMP_OK;
}

clump_status clump_batch_check_offsets(clump_context *ctx, const char *name, const int64_t *offsets, size_t clouds,
                                       int64_t last, const char *what)
{
    if (clouds == 0) return CLUMP_OK;
    if (offsets[0] != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: %s[0] is %lld, it must be 0", ctx->work.call, name,
                          (long long)offsets[0]);
    for (size_t c = 1; c <= clouds; c++) {
        if (offsets[c] < offsets[c - 1])
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                              "%s: %s[%zu] is %lld, less than the entry before it, %lld", ctx->work.call, name, c,
                              (long long)offsets[c], (long long)offsets[c - 1]);
        if (offsets[c] > last)
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: %s[%zu] is %lld, but %s %lld", ctx->work.call, name,
                              c, (long long)offsets[c], what, (long long)last);
    }
    return CLUMP_OK;
}

/* Checks the offsets of the points, in host memory: the last one is the number of points. */
static clump_status check_points(clump_context *ctx, const clump_batch_job *job)
{
    const int64_t points = (int64_t)job->in.count;
    CLUMP_TRY(clump_batch_check_offsets(ctx, "offsets", job->offsets, job->clouds, points, "the number of points is"));
    if (job->clouds > 0 && job->offsets[job->clouds] != points)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: offsets[%zu] is %lld, it must be the number of points, %lld", ctx->work.call,
                          job->clouds, (long long)job->offsets[job->clouds], (long long)points);
    return CLUMP_OK;
}

/* Checks the radii of the clouds, in host memory. `name` as in clump_call_radius. */
static clump_status check_radii(clump_context *ctx, const clump_batch_job *job, const char *name)
{
    for (size_t c = 0; job->radii && c < job->clouds; c++) {
        if (clump_radius_is_allowed(job->radii[c])) continue;
        char text[64];
        snprintf(text, sizeof text, "%s of cloud %zu", name, c);
        clump_cloud_job unused;
        return clump_call_radius(&ctx->work, text, job->radii[c], &unused);
    }
    return CLUMP_OK;
}

/* Refuses what a call on one cloud has and a batch has not. */
static clump_status check_options(clump_context *ctx, bool fast, const clump_cloud_job *in)
{
    if (!fast) return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED, "%s has the method fast only", ctx->work.call);
    if (in->per_metre != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED, "%s does not have eps_per_metre", ctx->work.call);
    if (in->clusters_on_device)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s does not have clusters_on_device; cluster_counts are there", ctx->work.call);
    return CLUMP_OK;
}

/* Checks the memory of the call, then what is in offsets and radii. */
static clump_status check_memory(clump_context *ctx, const clump_batch_job *job, const char *radius)
{
    const size_t clouds = job->clouds, entries = clouds > 0 ? clouds + 1 : 0;
    const clump_span others[] = {
        clump_span_in("offsets", job->offsets, entries, sizeof *job->offsets, sizeof *job->offsets),
        clump_span_in("the radii", job->radii, clouds, sizeof *job->radii, sizeof *job->radii),
        clump_span_out("cluster_counts", job->counts, clouds, sizeof *job->counts, sizeof *job->counts),
        clump_span_out("core", job->core, job->in.count, 1, 1),
    };
    CLUMP_TRY(clump_call_check_memory(ctx, &job->in, others, sizeof others / sizeof *others));
    if (job->in.place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    CLUMP_TRY(check_points(ctx, job));
    return check_radii(ctx, job, radius);
}

CLUMP_CALL_RUN(batch)

clump_status clump_ec_batch(clump_context *ctx, clump_points points, const int64_t *offsets, size_t clouds, float d,
                            const float *distances, const clump_ec_options *given, int32_t *labels,
                            int32_t *cluster_counts)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_ec_batch"));
    const clump_ec_options o = given ? *given : clump_ec_defaults();
    if (o.cookie != CLUMP_EC_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS, "%s: the options were not made by clump_ec_defaults()",
                          ctx->work.call);
    clump_ec_job one;
    CLUMP_TRY(clump_ec_make_job(ctx, points, distances ? 1 : d, &o, labels, false, &one));
    const clump_batch_job job = {
        .in = one.in, .offsets = offsets, .clouds = clouds, .radii = distances, .counts = cluster_counts};
    CLUMP_TRY(clump_batch_check_clouds(ctx, offsets, clouds, points.count));
    CLUMP_TRY(check_options(ctx, o.method == CLUMP_EC_FAST, &job.in));
    CLUMP_TRY(check_memory(ctx, &job, "distance"));
    if (o.common.classes)
        return clump_class_call(ctx, o.common.classes, &(clump_class_clustering){.ec = &one}, &job, NULL);
    return clump_call(ctx, &clump_ec_methods, (int)o.method, run, &job, &job.in, NULL);
}

clump_status clump_dbscan_batch(clump_context *ctx, clump_points points, const int64_t *offsets, size_t clouds,
                                float eps, const float *radii, size_t min_points, const clump_dbscan_options *given,
                                int32_t *labels, int32_t *cluster_counts)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_dbscan_batch"));
    const clump_dbscan_options o = given ? *given : clump_dbscan_defaults();
    if (o.cookie != CLUMP_DBSCAN_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS, "%s: the options were not made by clump_dbscan_defaults()",
                          ctx->work.call);
    clump_dbscan_job one;
    CLUMP_TRY(clump_dbscan_make_job(ctx, points, radii ? 1 : eps, min_points, &o, labels, false, &one));
    const clump_batch_job job = {.in = one.in,
                                 .offsets = offsets,
                                 .clouds = clouds,
                                 .radii = radii,
                                 .counts = cluster_counts,
                                 .min_points = min_points,
                                 .border_points = one.border_points,
                                 .core = one.core};
    CLUMP_TRY(clump_batch_check_clouds(ctx, offsets, clouds, points.count));
    CLUMP_TRY(check_options(ctx, o.method == CLUMP_DBSCAN_FAST, &job.in));
    CLUMP_TRY(check_memory(ctx, &job, "radius eps"));
    if (o.common.classes)
        return clump_class_call(ctx, o.common.classes, &(clump_class_clustering){.dbscan = &one}, &job, NULL);
    return clump_call(ctx, &clump_dbscan_methods, (int)o.method, run, &job, &job.in, NULL);
}
