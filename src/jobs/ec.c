/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec.c: the public clump_ec: its checks and the choice of backend.
 */
#include "jobs/classes.h"

#include "core/options.h"

static bool is_matrix(clump_ec_method method)
{
    return method == CLUMP_EC_MATRIX_ES || method == CLUMP_EC_MATRIX_RS;
}

static bool has_rounds(clump_ec_method method)
{
    return method == CLUMP_EC_VERTEX_ES || method == CLUMP_EC_VERTEX_RS || method == CLUMP_EC_EDGE_ES ||
           method == CLUMP_EC_EDGE_RS;
}

/* Checks the options that only some of the six have. clump_call() refuses a method that does not exist. */
static clump_status check_six(clump_context *ctx, clump_ec_method value, const clump_papers *o)
{
    const char *const method = clump_ec_method_name(value);
    const int b = o->matrix_block;
    if (b != 0 && (b < CLUMP_MATRIX_BLOCK_LEAST || b > CLUMP_MATRIX_BLOCK_MOST || (b & (b - 1)) != 0))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: matrix_block is %d, it must be 0, 64, 128, 256, 512 or 1024", ctx->work.call, b);
    if (b != 0 && method && !is_matrix(value))
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s: matrix_block is for the methods matrix-es and matrix-rs, %s does not have it",
                          ctx->work.call, method);
    if (o->in_place && method && !has_rounds(value))
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s: in_place is for the methods vertex-* and edge-*, %s does not have it", ctx->work.call,
                          method);
    return CLUMP_OK;
}

clump_status clump_ec_make_job(clump_context *ctx, clump_points points, float d, const clump_ec_options *o,
                               int32_t *labels, bool wait, clump_ec_job *job)
{
    clump_papers papers;
    CLUMP_TRY(clump_papers_take(&ctx->work, &o->common, "ec", &papers));
    CLUMP_TRY(check_six(ctx, o->method, &papers));
    *job = (clump_ec_job){.method = o->method,
                          .matrix_block = papers.matrix_block ? (uint32_t)papers.matrix_block : CLUMP_MATRIX_BLOCK_MOST,
                          .in_place = papers.in_place};
    CLUMP_TRY(clump_call_input(&ctx->work, points, &o->common, labels, wait, &job->in));
    return clump_call_radius(&ctx->work, "distance", d, &job->in);
}

CLUMP_CALL_RUN(ec)

clump_status clump_ec(clump_context *ctx, clump_points points, float d, const clump_ec_options *given, int32_t *labels,
                      int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_ec"));
    const clump_ec_options o = given ? *given : clump_ec_defaults();
    if (o.cookie != CLUMP_EC_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS, "clump_ec: the options were not made by clump_ec_defaults()");
    clump_ec_job job;
    CLUMP_TRY(clump_ec_make_job(ctx, points, d, &o, labels, cluster_count != NULL, &job));
    const clump_span count = clump_span_number("cluster_count", cluster_count, sizeof *cluster_count);
    CLUMP_TRY(clump_call_check_memory(ctx, &job.in, &count, 1));
    if (o.common.classes)
        return clump_class_call(ctx, o.common.classes, &(clump_class_clustering){.ec = &job}, NULL, cluster_count);
    return clump_call(ctx, &clump_ec_methods, (int)o.method, run, &job, &job.in, cluster_count);
}
