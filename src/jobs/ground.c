/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.c: the public clump_ground: its checks and the choice of backend.
 */
#include "core/context.h"

#include "core/options.h"

#include <math.h>

clump_ground_options clump_ground_defaults(void)
{
    return (clump_ground_options){.cookie = CLUMP_GROUND_COOKIE,
                                  .method = CLUMP_GROUND_GRID,
                                  .sigma = 0.2f,
                                  .extent = 160,
                                  .tile = 2,
                                  .slope = 0.2f,
                                  .bin = 0.1f,
                                  .window = 1};
}

size_t clump_ground_tiles(const clump_ground_options *o)
{
    const float tiles = ceilf(o->extent / o->tile);
    return tiles > CLUMP_GROUND_SIDE ? 0 : tiles < 2 ? 2 : (size_t)tiles;
}

/* Checks that least <= value <= most. */
static clump_status check_number(clump_context *ctx, const char *name, float value, float least, float most)
{
    if (value >= least && value <= most) return CLUMP_OK;
    return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: the %s is %g, it must be %g to %g", ctx->work.call, name,
                      (double)value, (double)least, (double)most);
}

clump_status clump_ground_check(clump_context *ctx, const clump_ground_options *o)
{
    const char *const call = ctx->work.call;
    if (o->cookie != CLUMP_GROUND_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "%s: the ground options were not made by clump_ground_defaults()", call);
    if (!clump_ground_method_name(o->method))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no ground method number %d", call,
                          (int)o->method);
    if (o->up != CLUMP_UP_Z && o->up != CLUMP_UP_Y)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no up axis number %d", call, (int)o->up);
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(o->sensor[axis]))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: the %c of the sensor is not finite", call,
                              "xyz"[axis]);
    CLUMP_TRY(check_number(ctx, "sigma of the ground", o->sigma, 0, 1000));
    CLUMP_TRY(check_number(ctx, "sensor height", o->sensor_height, 0, 1000));
    CLUMP_TRY(check_number(ctx, "extent of the ground", o->extent, 0.01f, 1e6f));
    CLUMP_TRY(check_number(ctx, "tile size of the ground", o->tile, 0.01f, 100));
    CLUMP_TRY(check_number(ctx, "slope of the ground", o->slope, 0, 10));
    CLUMP_TRY(check_number(ctx, "bin of the heights", o->bin, 0.001f, 10));
    CLUMP_TRY(check_number(ctx, "window of the ground", o->window, 0, 1000));
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
    const clump_call_options common = {.mask = job.options.mask};
    CLUMP_TRY(clump_call_input(&ctx->work, points, common, labels, true, &job.in));
    const clump_span others[] = {
        clump_span_out("heights", job.options.heights, points.count, sizeof(float), sizeof(float)),
        clump_span_number("ground_count", ground_count, sizeof *ground_count)};
    CLUMP_TRY(clump_call_check_memory(ctx, &job.in, others, 2));
    CLUMP_TRY(clump_call(ctx, &clump_ground_methods, (int)job.options.method, run, &job, &job.in, NULL));
    if (ground_count) *ground_count = ctx->stats.ground;
    return CLUMP_OK;
}
