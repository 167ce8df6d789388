/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.cu: see ground.h. The numbers are computed as in src/cpu/obstacles/ground*.c, in the same types.
 */
#include "cuda/obstacles/ground.h"

#include "cuda/gpu/transfer.h"
#include "cuda/obstacles/ground_grid.cuh"
#include "cuda/obstacles/ground_peak.cuh"
#include "common/assert.h"

static clump_surface place_map(const clump_ground_options *o)
{
    clump_surface s = {};
    s.kind = CLUMP_SURFACE_NONE;
    s.across = o->up == CLUMP_UP_Y ? 2 : 1;
    s.up = o->up == CLUMP_UP_Y ? 1 : 2;
    s.sign = o->flip ? -1.0f : 1.0f;
    s.per_tile = 1.0f / o->tile;
    s.tiles = (int32_t)clump_ground_tiles(o);
    s.sigma = o->sigma;
    const double half = 0.5 * s.tiles * (double)o->tile;
    s.corner[0] = (float)((double)o->sensor[0] - half);
    s.corner[1] = (float)((double)o->sensor[s.across] - half);
    s.sensor = o->sensor[s.up];
    return s;
}

static void number_grid(const clump_ground_options *o, ground_search *w)
{
    const double rise = (double)o->slope * (double)o->tile * CLUMP_LOW_UNIT;
    w->straight = (int32_t)rise;
    w->oblique = (int32_t)(rise * 1.4142135623730951);
    w->level = (int32_t)(-o->sensor_height * CLUMP_LOW_UNIT);
    w->rough = (int32_t)(o->window * CLUMP_LOW_UNIT);
    const int32_t tiles_near = (int32_t)((float)CLUMP_LOW_NEAR / o->tile);
    w->near_tiles = o->sensor_height > 0 ? 0 : tiles_near > 1 ? tiles_near : 1;
    w->pitch = (w->start.tiles + 2) | 1;
}

static void number_peak(const clump_ground_options *o, ground_search *w)
{
    w->per_bin = 1.0f / o->bin;
    w->bin = o->bin;
    w->sensor_height = o->sensor_height;
    w->window = o->window;
    w->bin_count = (uint32_t)(2 * GROUND_PEAK_HIGHEST * w->per_bin) + 4;
}

/* Places all buffers at `base`; returns their size. With base null only the size counts. */
static size_t lay_out(char *base, ground_search *w)
{
    clump_cutter c = {base, 0};
    CLUMP_ASSERT(w->method != CLUMP_GROUND_GRID || (w->start.tiles >= 1 && w->pitch % 2 == 1));
    const size_t tiles = (size_t)w->start.tiles, wide = tiles + 2;
    const bool grid = w->method == CLUMP_GROUND_GRID;
    clump_cut(&c, &w->surface, 1);
    clump_cut(&c, &w->heights, grid ? wide * wide : 0);
    clump_cut(&c, &w->part, grid || w->step ? tiles * tiles * GROUND_PARTS : 0);
    clump_cut(&c, &w->tile, grid ? wide * (size_t)w->pitch : 0);
    clump_cut(&c, &w->other, grid ? wide * (size_t)w->pitch : 0);
    clump_cut(&c, &w->cone, grid ? wide * (size_t)w->pitch : 0);
    clump_cut(&c, &w->bins, w->bin_count);
    return c.used;
}

clump_status clump_cuda_ground_prepare(clump_work *work, clump_cuda *cuda, clump_cuda_ground *g,
                                       const clump_ground_options *options, ground_search *out)
{
    *out = {};
    out->method = options->method;
    out->step = options->step && options->method != CLUMP_GROUND_NONE;
    out->start = place_map(options);
    if (options->method == CLUMP_GROUND_GRID) number_grid(options, out);
    if (options->method == CLUMP_GROUND_PEAK) number_peak(options, out);
    CLUMP_TRY(clump_device_reserve(work, cuda, &g->map, lay_out(NULL, out)));
    lay_out((char *)g->map.data, out);
    if (out->step) out->start.steps = out->part;
    return CLUMP_OK;
}
