/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.cu: see ground.h. The numbers are computed as in src/cpu/obstacles/ground*.c, in the same types.
 */
#include "cuda/obstacles/ground.h"

#include "cuda/gpu/transfer.h"
#include "cuda/obstacles/ground_grid.cuh"
#include "cuda/obstacles/ground_peak.cuh"
#include "common/assert.h"

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
    clump_cut(&c, &w->bins, w->peak.bins);
    return c.used;
}

clump_status clump_cuda_ground_prepare(clump_work *work, clump_cuda *cuda, clump_cuda_ground *g,
                                       const clump_ground_options *options, ground_search *out)
{
    *out = {};
    out->method = options->method;
    out->step = options->step && options->method != CLUMP_GROUND_NONE;
    out->start = clump_surface_start(options);
    out->lows = clump_lows_of(options);
    out->pitch = (out->start.tiles + 2) | 1;
    if (options->method == CLUMP_GROUND_PEAK) out->peak = clump_peak_of(options);
    CLUMP_TRY(clump_device_reserve(work, cuda, &g->map, lay_out(NULL, out)));
    lay_out((char *)g->map.data, out);
    if (out->step) out->start.steps = out->part;
    return CLUMP_OK;
}
