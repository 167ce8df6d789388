/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan.c: the public clump_dbscan: its checks and the choice of backend.
 */
#include "jobs/classes.h"

#include "core/options.h"

#include <math.h>

/* Checks an option of dclust and replaces 0 by its default. A value is a multiple of `least`. */
static clump_status take_size(clump_context *ctx, clump_dbscan_method method, const char *name, int given, int usual,
                              int least, int most, uint32_t *size)
{
    *size = (uint32_t)(given == 0 ? usual : given);
    if (given == 0) return CLUMP_OK;
    if (given < least || given > most || given % least != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          least > 1 ? "%s: %s is %d, it must be a multiple of %d up to %d"
                                    : "%s: %s is %d, it must be %d to %d",
                          ctx->work.call, name, given, least, most);
    const char *const method_name = clump_dbscan_method_name(method);
    if (method != CLUMP_DBSCAN_DCLUST && method_name)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED, "%s: %s is for the method dclust, %s does not have it",
                          ctx->work.call, name, method_name);
    return CLUMP_OK;
}

/* Checks the options of dclust. The defaults are the values of Ky and Beach 2024. */
static clump_status take_dclust(clump_context *ctx, const clump_papers *o, clump_dbscan_job *job)
{
    CLUMP_TRY(
        take_size(ctx, job->method, "dclust_chains", o->dclust_chains, 256, 1, CLUMP_DCLUST_MOST_CHAINS, &job->chains));
    CLUMP_TRY(take_size(ctx, job->method, "dclust_threads", o->dclust_threads, 512, 32, CLUMP_DCLUST_MOST_THREADS,
                        &job->threads));
    job->host_merge = o->dclust_host_merge;
    const char *const method = clump_dbscan_method_name(job->method);
    if (job->host_merge && job->method != CLUMP_DBSCAN_DCLUST && method)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s: dclust_host_merge is for the method dclust, %s does not have it", ctx->work.call,
                          method);
    return take_size(ctx, job->method, "dclust_seeds", o->dclust_seeds, 1024, 1, CLUMP_DCLUST_MOST_SEEDS, &job->seeds);
}

clump_status clump_dbscan_make_job(clump_context *ctx, clump_points points, float eps, size_t min_points,
                                   const clump_dbscan_options *o, int32_t *labels, bool wait, clump_dbscan_job *job)
{
    *job = (clump_dbscan_job){
        .method = o->method, .min_points = min_points, .border_points = !o->no_border_points, .core = o->core};
    job->load = &ctx->load, job->merge_load = &ctx->merge_load;
    clump_papers papers;
    CLUMP_TRY(clump_papers_take(&ctx->work, &o->common, "dbscan", &papers));
    CLUMP_TRY(clump_call_input(&ctx->work, points, &o->common, labels, wait, &job->in));
    CLUMP_TRY(clump_call_radius(&ctx->work, "radius eps", eps, &job->in));
    job->in.bound = nextafterf(job->in.bound, INFINITY); /* d2 < next float after eps * eps  <=>  d2 <= eps * eps */
    if (min_points == 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: min_points is 0, it must be at least 1", ctx->work.call);
    return take_dclust(ctx, &papers, job);
}

CLUMP_CALL_RUN(dbscan)

clump_status clump_dbscan(clump_context *ctx, clump_points points, float eps, size_t min_points,
                          const clump_dbscan_options *given, int32_t *labels, int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_dbscan"));
    const clump_dbscan_options o = given ? *given : clump_dbscan_defaults();
    if (o.cookie != CLUMP_DBSCAN_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "clump_dbscan: the options were not made by clump_dbscan_defaults()");
    clump_dbscan_job job;
    CLUMP_TRY(clump_dbscan_make_job(ctx, points, eps, min_points, &o, labels, cluster_count != NULL, &job));
    const clump_span others[] = {clump_span_out("core", o.core, points.count, 1, 1),
                                 clump_span_number("cluster_count", cluster_count, sizeof *cluster_count)};
    CLUMP_TRY(clump_call_check_memory(ctx, &job.in, others, 2));
    if (o.common.classes)
        return clump_class_call(ctx, o.common.classes, &(clump_class_clustering){.dbscan = &job}, NULL, cluster_count);
    return clump_call(ctx, &clump_dbscan_methods, (int)o.method, run, &job, &job.in, cluster_count);
}
