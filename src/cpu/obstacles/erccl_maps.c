/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_maps.c: the maps that a caller of clump_erccl may ask for. They are made from the points and their finished
 * labels, so they do not depend on the data structures of a method.
 */
#include "cpu/obstacles/erccl.h"

#include "cpu/shared/points.h"
#include "rules/float_key.h"

#include <math.h>
#include <string.h>

static void clear_maps(const clump_erccl_maps *maps, size_t cells)
{
    if (maps->obstacle) memset(maps->obstacle, 0, cells);
    for (size_t c = 0; c < cells; c++) {
        if (maps->lowest) maps->lowest[c] = NAN;
        if (maps->highest) maps->highest[c] = NAN;
        if (maps->labels) maps->labels[c] = CLUMP_NOISE;
        if (maps->ground) maps->ground[c] = NAN;
    }
}

/* Returns the height of the ground at the middle of a cell, or NaN where there is none. */
static float ground_at(const clump_elevation *map, const clump_surface *s, uint32_t row, uint32_t column)
{
    if (s->kind == CLUMP_SURFACE_NONE) return NAN;
    float middle[3] = {0};
    middle[0] = map->corner[0] + ((float)row + 0.5f) * map->cell;
    middle[map->column_axis] = map->corner[1] + ((float)column + 0.5f) * map->cell;
    const float u = clump_surface_u(s, middle), v = clump_surface_v(s, middle);
    if (!clump_surface_inside(s, u, v, 0)) return NAN;
    const float height = s->kind == CLUMP_SURFACE_LEVEL ? s->level : clump_surface_height(s, u, v);
    return height + map->up * s->sensor; /* in the coordinates of the points, not relative to the sensor */
}

static void put_height(float *map, size_t cell, float height, bool highest)
{
    if (!map) return;
    const uint32_t mine = clump_key_of_float(height), there = clump_key_of_float(map[cell]);
    if (isnan(map[cell]) || (highest ? mine > there : mine < there)) map[cell] = height;
}

/* Finds the cell of a point that takes part and is ground, or of one that takes part and is not. Returns false for all
 * other points. */
static bool find_cell(const clump_erccl_job *job, size_t i, bool ground, size_t *cell)
{
    const float *const p = clump_point_at(&job->in, i);
    uint32_t row, column;
    if ((job->in.labels[i] == CLUMP_GROUND) != ground || clump_point_is_masked(&job->in, i)) return false;
    if (!clump_elevation_finite(p) || !clump_elevation_cell(&job->map, p, &row, &column)) return false;
    *cell = row * (size_t)job->map.columns + column;
    return true;
}

static float height_of(const clump_erccl_job *job, size_t i)
{
    return job->map.up * clump_point_at(&job->in, i)[job->map.up_axis];
}

/* Enters the points that are ground, or all others. The others come second and overwrite labels of the ground. A cell
 * is an obstacle cell also where its obstacle was dropped as too small. */
static void put_points(const clump_erccl_job *job, bool ground)
{
    const clump_erccl_maps *const maps = &job->maps;
    for (size_t i = 0; i < job->in.count; i++) {
        size_t cell;
        if (!find_cell(job, i, ground, &cell)) continue;
        if (maps->labels) maps->labels[cell] = job->in.labels[i];
        if (ground) continue;
        if (maps->obstacle) maps->obstacle[cell] = 1;
        put_height(maps->lowest, cell, height_of(job, i), false);
        put_height(maps->highest, cell, height_of(job, i), true);
    }
}

/* Adds the heights of ground points to the obstacle cells, which have heights already. */
static void put_ground_heights(const clump_erccl_job *job)
{
    const clump_erccl_maps *const maps = &job->maps;
    for (size_t i = 0; i < job->in.count; i++) {
        size_t cell;
        if (!find_cell(job, i, true, &cell)) continue;
        if (maps->lowest && !isnan(maps->lowest[cell])) put_height(maps->lowest, cell, height_of(job, i), false);
        if (maps->highest && !isnan(maps->highest[cell])) put_height(maps->highest, cell, height_of(job, i), true);
    }
}

void clump_cpu_erccl_maps(const clump_erccl_job *job, const clump_surface *surface)
{
    const clump_erccl_maps *const maps = &job->maps;
    if (!maps->obstacle && !maps->lowest && !maps->highest && !maps->labels && !maps->ground) return;
    const size_t columns = job->map.columns, cells = job->map.rows * columns;
    clear_maps(maps, cells);
    for (size_t c = 0; maps->ground && c < cells; c++)
        maps->ground[c] = ground_at(&job->map, surface, (uint32_t)(c / columns), (uint32_t)(c % columns));
    put_points(job, true);
    put_points(job, false);
    if (job->all_heights) put_ground_heights(job);
}
