/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.c: the public clump_erccl: its checks, the position of the map, the choice of backend.
 */
#include "core/context.h"

#include "core/alike.h"
#include "core/bytes_text.h"
#include "core/options.h"

#include <math.h>

/* Returns the number of cells along a side, also one above the limit. 40 / 0.05 is exactly 800 in float32. */
static float side_of(const clump_erccl_options *o)
{
    return ceilf(o->extent / o->cell);
}

size_t clump_erccl_rows(const clump_erccl_options *options)
{
    if (!options || !(options->cell > 0) || !(options->extent > 0)) return 0;
    const float side = side_of(options);
    return side >= 1 && side <= CLUMP_ERCCL_SIDE ? (size_t)side : 0;
}

size_t clump_erccl_columns(const clump_erccl_options *options)
{
    return clump_erccl_rows(options);
}

/* Returns the smallest allowed side of a cell, rounded up to three digits. */
static double least_cell(float extent)
{
    const double least = (double)extent / CLUMP_ERCCL_SIDE, unit = pow(10, floor(log10(least)) - 2);
    return ceil(least / unit) * unit;
}

static clump_status check_map(clump_context *ctx, const clump_erccl_options *o)
{
    if (!(o->extent > 0) || !isfinite(o->extent))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: the extent is %g, it must be a number above 0", ctx->call,
                          (double)o->extent);
    const double side = (double)side_of(o);
    if (side >= 1 && side <= CLUMP_ERCCL_SIDE) return CLUMP_OK;
    if (side < 1) /* extent / cell underflows to 0 in float32 */
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: cells of %g are too large for an extent of %g", ctx->call,
                          (double)o->cell, (double)o->extent);
    char bytes[32], least[32];
    clump_bytes_text(bytes, sizeof bytes, side * ceil(side / 64) * CLUMP_ELEVATION_WORD_BYTES);
    clump_bytes_text(least, sizeof least, CLUMP_ERCCL_SIDE * (CLUMP_ERCCL_SIDE / 64.0) * CLUMP_ELEVATION_WORD_BYTES);
    return clump_fail(ctx, CLUMP_ERR_ARGUMENT,
                      "%s: cells of %g in an extent of %g make a map of %.0f x %.0f cells, which takes %s of "
                      "memory; with cells of at least %g it has at most %d x %d and takes %s",
                      ctx->call, (double)o->cell, (double)o->extent, side, side, bytes, least_cell(o->extent),
                      CLUMP_ERCCL_SIDE, CLUMP_ERCCL_SIDE, least);
}

static clump_status check_options(clump_context *ctx, const clump_erccl_options *o)
{
    if (o->reach < 1 || o->reach > CLUMP_ERCCL_REACH)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: the reach is %d cells, it must be 1 to %d", ctx->call, o->reach,
                          CLUMP_ERCCL_REACH);
    if (!(o->alpha >= 0 && o->alpha <= 1))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: alpha is %g, it must be 0 to 1", ctx->call, (double)o->alpha);
    if (!isfinite(o->tau) || !isfinite(o->beta))
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: %s is %g, it must be a number", ctx->call,
                          isfinite(o->tau) ? "beta" : "tau", (double)(isfinite(o->tau) ? o->beta : o->tau));
    return check_map(ctx, o);
}

/* Returns the position of the map: the sensor is in its middle. */
static clump_elevation place_map(const clump_erccl_options *o)
{
    const clump_ground_options *const g = &o->ground;
    clump_elevation map = {.cell = o->cell, .side = (uint32_t)side_of(o), .up = g->flip ? -1.0f : 1.0f};
    map.column_axis = g->up == CLUMP_UP_Y ? 2 : 1;
    map.up_axis = g->up == CLUMP_UP_Y ? 1 : 2;
    const double half = 0.5 * map.side * (double)o->cell;
    map.corner[0] = (float)((double)g->sensor[0] - half);
    map.corner[1] = (float)((double)g->sensor[map.column_axis] - half);
    return map;
}

static clump_status check_memory(clump_context *ctx, const clump_erccl_job *job)
{
    const clump_erccl_maps *const m = &job->maps;
    const size_t cells = (size_t)job->map.side * job->map.side;
    const clump_span maps[] = {
        clump_span_out("maps.obstacle", m->obstacle, cells, 1, 1),
        clump_span_out("maps.lowest", m->lowest, cells, sizeof(float), sizeof(float)),
        clump_span_out("maps.highest", m->highest, cells, sizeof(float), sizeof(float)),
        clump_span_out("maps.ground", m->ground, cells, sizeof(float), sizeof(float)),
        clump_span_out("maps.labels", m->labels, cells, sizeof(int32_t), sizeof(int32_t)),
        clump_span_out("ground.heights", job->ground.heights, job->in.count, sizeof(float), sizeof(float)),
    };
    return clump_call_check_memory(ctx, &job->in, maps, sizeof maps / sizeof *maps);
}

clump_status clump_erccl_make_job(clump_context *ctx, clump_points points, const clump_erccl_options *o,
                                  int32_t *labels, bool wait, clump_erccl_job *job)
{
    *job = (clump_erccl_job){.method = o->method, .reach = o->reach, .ground = o->ground, .maps = o->maps};
    const clump_call_options common = {o->mask, o->order, o->min_size, o->max_size, o->clusters_on_device,
                                       false,   0,        NULL};
    CLUMP_TRY(clump_call_input(ctx, points, common, labels, wait, &job->in));
    CLUMP_TRY(clump_call_radius(ctx, "cell size", o->cell, &job->in));
    CLUMP_TRY(check_options(ctx, o));
    CLUMP_TRY(clump_ground_check(ctx, &o->ground));
    job->map = place_map(o);
    CLUMP_TRY(clump_alike_reserve(ctx, o->reach));
    clump_alike_fill(o, ctx->alike.data);
    job->alike = ctx->alike.data;
    return CLUMP_OK;
}

CLUMP_CALL_RUN(erccl)

clump_status clump_erccl(clump_context *ctx, clump_points points, const clump_erccl_options *given, int32_t *labels,
                         int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_erccl"));
    const clump_erccl_options o = given ? *given : clump_erccl_defaults();
    if (o.cookie != CLUMP_ERCCL_COOKIE)
        return clump_fail(ctx, CLUMP_ERR_OPTIONS, "clump_erccl: the options were not made by clump_erccl_defaults()");
    clump_erccl_job job;
    CLUMP_TRY(clump_erccl_make_job(ctx, points, &o, labels, cluster_count != NULL, &job));
    CLUMP_TRY(check_memory(ctx, &job));
    return clump_call(ctx, &clump_erccl_methods, (int)o.method, run, &job, &job.in, cluster_count);
}
