/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.c: the public clump_erccl: its checks, the position of the map, the choice of backend.
 */
#include "core/context.h"

#include "common/bytes_text.h"
#include "core/alike.h"
#include "core/options.h"

#include <math.h>
#include <stdio.h>

/* The lengths of the map along its rows (x) and its columns, in cells and in the unit of the points. */
typedef struct map_size {
    float extent[2], cells[2];
} map_size;

/* Returns the size of the map, also one above the limit. 40 / 0.05 is exactly 800 in float32. */
static map_size size_of(const clump_erccl_options *o)
{
    const float columns = o->extent_columns == 0 ? o->extent : o->extent_columns;
    return (map_size){{o->extent, columns}, {ceilf(o->extent / o->cell), ceilf(columns / o->cell)}};
}

static bool is_allowed(float cells)
{
    return cells >= 1 && cells <= CLUMP_ERCCL_SIDE;
}

/* Returns the rows (0) or the columns (1) of the map; 0 where either number is not allowed. */
static size_t cells_along(const clump_erccl_options *o, int axis)
{
    if (!o || !(o->cell > 0)) return 0;
    const map_size size = size_of(o);
    return is_allowed(size.cells[0]) && is_allowed(size.cells[1]) ? (size_t)size.cells[axis] : 0;
}

size_t clump_erccl_rows(const clump_erccl_options *options)
{
    return cells_along(options, 0);
}

size_t clump_erccl_columns(const clump_erccl_options *options)
{
    return cells_along(options, 1);
}

/* Returns the smallest allowed side of a cell, rounded up to three digits. */
static double least_cell(double extent)
{
    const double least = extent / CLUMP_ERCCL_SIDE, unit = pow(10, floor(log10(least)) - 2);
    return ceil(least / unit) * unit;
}

/* Writes the memory that the CPU needs for a map. */
static void put_bytes(char *text, size_t size, double rows, double columns)
{
    clump_bytes_text(text, size, rows * ceil(columns / 64) * CLUMP_ELEVATION_WORD_BYTES);
}

static clump_status refuse_large(clump_context *ctx, const clump_erccl_options *o, const map_size *size)
{
    const double length[2] = {size->extent[0], size->extent[1]}, longer = fmax(length[0], length[1]);
    const double rows = ceil(CLUMP_ERCCL_SIDE * (length[0] / longer));
    const double columns = ceil(CLUMP_ERCCL_SIDE * (length[1] / longer));
    char bytes[32], least[32], extent[64];
    put_bytes(bytes, sizeof bytes, (double)size->cells[0], (double)size->cells[1]);
    put_bytes(least, sizeof least, rows, columns);
    const int end = snprintf(extent, sizeof extent, "%g", length[0]);
    if (length[1] != length[0]) snprintf(extent + end, sizeof extent - (size_t)end, " x %g", length[1]);
    return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                      "%s: cells of %g in an extent of %s make a map of %.0f x %.0f cells, which takes %s of "
                      "memory; with cells of at least %g it has at most %.0f x %.0f and takes %s",
                      ctx->work.call, (double)o->cell, extent, (double)size->cells[0], (double)size->cells[1], bytes,
                      least_cell(longer), rows, columns, least);
}

static clump_status check_map(clump_context *ctx, const clump_erccl_options *o)
{
    if (!(o->extent_columns >= 0) || !isfinite(o->extent_columns))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: the extent of the columns is %g, it must be a number above 0, or 0 for a square map",
                          ctx->work.call, (double)o->extent_columns);
    const map_size size = size_of(o);
    for (int axis = 0; axis < 2; axis++)
        if (size.cells[axis] < 1) /* extent / cell underflows to 0 in float32 */
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: cells of %g are too large for an extent of %g",
                              ctx->work.call, (double)o->cell, (double)size.extent[axis]);
    return is_allowed(size.cells[0]) && is_allowed(size.cells[1]) ? CLUMP_OK : refuse_large(ctx, o, &size);
}

/* Returns the position of the map: the sensor is in its middle. */
static clump_elevation place_map(const clump_erccl_options *o)
{
    const clump_ground_options *const g = &o->ground;
    const map_size size = size_of(o);
    clump_elevation map = {.cell = o->cell,
                           .rows = (uint32_t)size.cells[0],
                           .columns = (uint32_t)size.cells[1],
                           .up = g->flip ? -1.0f : 1.0f};
    map.column_axis = g->up == CLUMP_UP_Y ? 2 : 1;
    map.up_axis = g->up == CLUMP_UP_Y ? 1 : 2;
    map.corner[0] = (float)((double)g->sensor[0] - 0.5 * map.rows * (double)o->cell);
    map.corner[1] = (float)((double)g->sensor[map.column_axis] - 0.5 * map.columns * (double)o->cell);
    return map;
}

static clump_status check_memory(clump_context *ctx, const clump_erccl_job *job, const int32_t *cluster_count)
{
    const clump_erccl_maps *const m = &job->maps;
    const size_t cells = (size_t)job->map.rows * job->map.columns;
    const clump_span maps[] = {
        clump_span_out("maps.obstacle", m->obstacle, cells, 1, 1),
        clump_span_out("maps.lowest", m->lowest, cells, sizeof(float), sizeof(float)),
        clump_span_out("maps.highest", m->highest, cells, sizeof(float), sizeof(float)),
        clump_span_out("maps.ground", m->ground, cells, sizeof(float), sizeof(float)),
        clump_span_out("maps.labels", m->labels, cells, sizeof(int32_t), sizeof(int32_t)),
        clump_span_out("ground.heights", job->ground.heights, job->in.count, sizeof(float), sizeof(float)),
        clump_span_number("cluster_count", cluster_count, sizeof *cluster_count),
    };
    return clump_call_check_memory(ctx, &job->in, maps, sizeof maps / sizeof *maps);
}

clump_status clump_erccl_make_job(clump_context *ctx, clump_points points, const clump_erccl_options *o,
                                  int32_t *labels, bool wait, clump_erccl_job *job)
{
    clump_papers papers;
    CLUMP_TRY(clump_papers_take(&ctx->work, &o->common, "erccl", &papers));
    *job = (clump_erccl_job){.method = o->method,
                             .reach = o->reach,
                             .ground = o->ground,
                             .all_heights = papers.all_heights,
                             .maps = o->maps};
    CLUMP_TRY(clump_call_input(&ctx->work, points, &o->common, labels, wait, &job->in));
    CLUMP_TRY(clump_call_radius(&ctx->work, "cell size", o->cell, &job->in));
    CLUMP_TRY(clump_clustering_check_scene(&ctx->work, &o->common));
    if (o->common.classes)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED, "%s: classes are for ec, dbscan and objects",
                          ctx->work.call);
    if (o->common.eps_per_metre != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: eps_per_metre is for ec, dbscan and objects",
                          ctx->work.call);
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_erccl_table, o));
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_papers_table, &papers));
    CLUMP_TRY(check_map(ctx, o));
    CLUMP_TRY(clump_ground_check(ctx, &o->ground));
    job->map = place_map(o);
    CLUMP_TRY(clump_alike_reserve(ctx, o->reach));
    clump_alike_fill(o, papers.beta, ctx->alike.data);
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
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "clump_erccl: the options were not made by clump_erccl_defaults()");
    clump_erccl_job job;
    CLUMP_TRY(clump_erccl_make_job(ctx, points, &o, labels, cluster_count != NULL, &job));
    CLUMP_TRY(check_memory(ctx, &job, cluster_count));
    return clump_call(ctx, &clump_erccl_methods, (int)o.method, run, &job, &job.in, cluster_count);
}
