/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.c: the public clump_ground: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/options.h"
#include "rules/ground.h"

#include <math.h>

clump_status clump_ground_check(clump_context *ctx, const clump_ground_options *o)
{
    const char *const call = ctx->work.call;
    if (o->cookie != CLUMP_GROUND_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "%s: the ground options were not made by clump_ground_defaults()", call);
    if (!clump_ground_method_name(o->method))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no ground method number %d", call,
                          (int)o->method);
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_ground_table, o));
    if (clump_ground_tiles(o) > 0) return CLUMP_OK;
    return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                      "%s: an extent of %g in tiles of %g are more than %d x %d tiles of ground; use tiles of %g", call,
                      (double)o->extent, (double)o->tile, CLUMP_GROUND_SIDE, CLUMP_GROUND_SIDE,
                      ceil((double)o->extent / CLUMP_GROUND_SIDE * 100) / 100);
}

CLUMP_CALL_RUN(ground)

clump_status clump_ground(clump_context *ctx, clump_points points, const clump_ground_options *given, int32_t *labels,
                          size_t *ground_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_ground"));
    clump_ground_job job = {.options = given ? *given : clump_ground_defaults()};
    CLUMP_TRY(clump_ground_check(ctx, &job.options));
    const clump_clustering common = {.mask = job.options.mask};
    CLUMP_TRY(clump_call_input(&ctx->work, points, &common, labels, true, &job.in));
    const clump_span others[] = {
        clump_span_out("heights", job.options.heights, points.count, sizeof(float), sizeof(float)),
        clump_span_number("ground_count", ground_count, sizeof *ground_count)};
    CLUMP_TRY(clump_call_check_memory(ctx, &job.in, others, 2));
    CLUMP_TRY(clump_call(ctx, &clump_ground_methods, (int)job.options.method, run, &job, &job.in, NULL));
    if (ground_count) *ground_count = ctx->stats.ground;
    return CLUMP_OK;
}
