/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_grid.c: ground that is not flat, in time linear in the points and the map.
 *
 * The map is cut into tiles of 2 m (option), each into 4 x 4 parts.
 *
 *     1  lows       the lowest point of every part, in one pass over the points
 *     2  tiles      the lower quartile of the lows of a tile's parts. A stray point below the ground (a reflection)
 *                   spoils one part only; a car may cover three quarters of a tile
 *     3  level      the most frequent height of tiles near the sensor. Tiles vote, not points: the roof below the
 *                   sensor may have more points than the road
 *     4  limits     removes tiles too far from that level for their distance from the sensor, and holes: tiles without
 *                   neighbours about as low
 *     5  slope      from every tile a cone rises with the steepest slope allowed (option). A tile above the cone of
 *                   another stands on something that is not ground: a roof, a hedge
 *     6  surface    tiles without ground get the mean of their neighbours, twice, then of ever larger squares
 *
 * Heights are integers in units of 1/1024 m from step 1 on. Lows are minima and cones are sums of integers, so the
 * result does not depend on the order of points, threads or sweeps. Steps 2 to 6 read tiles only, 80 x 80 of them. What they
 * share with the ground of surveys is in rules/relief.h.
 */
#include "cpu/obstacles/ground.h"

#include "common/atomics.h"
#include "core/work.h"
#include "cpu/obstacles/ground_batch.h"
#include "rules/relief.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUND_TILE_PARTS = CLUMP_SURFACE_PARTS * CLUMP_SURFACE_PARTS,
    GROUND_MAPS = 16, /* step 1: maps of lows, at most, and the entries of one, or there is one map for all threads */
    GROUND_OWN_MAP = 262144,
    GROUND_MASK = CLUMP_LOW_NONE & 0xff, /* every byte of it */
    GROUND_ROWS = 4,                     /* step 2: rows of tiles that are worth waking a thread for */
};

typedef struct grid {
    const clump_cloud_job *job;
    const clump_surface *surface;
    int threads, maps;         /* of lows: one per thread, or one for several */
    uint8_t used[GROUND_MAPS]; /* maps that are clear, or have lows */
    clump_lows lows;
    int32_t *part;       /* maps of GROUND_TILE_PARTS consecutive entries per tile, and one for points outside */
    clump_relief relief; /* the tiles, with a border of CLUMP_LOW_NONE */
    int32_t *coarse;     /* step 6: ever larger squares */
    float *heights;      /* the result, with border */
} grid;

/* Returns the entries of a map of lows. */
static size_t map_size(const grid *g)
{
    return (size_t)g->relief.tiles * (size_t)g->relief.tiles * GROUND_TILE_PARTS + 1;
}

/* --- 1: lows ---------------------------------------------------------------------------------------- */

/* Finds the part and the height of n points. Points outside the map get the part `nowhere`. */
static void find_parts(const clump_surface *s, const float *x, const float *y, const float *z, int n, int32_t nowhere,
                       int32_t *restrict part, int32_t *restrict height)
{
    for (int k = 0; k < n; k++) {
        float u = x[k], v = y[k], h = z[k];
        const int32_t in = clump_ground_place(s, &u, &v, &h), here = clump_surface_part(s, u, v);
        height[k] = (int32_t)(h * CLUMP_LOW_UNIT);
        CLUMP_ASSERT(here >= 0 && here < nowhere);
        part[k] = (here & -in) | (nowhere & (in - 1)); /* a conditional would become a branch */
    }
}

static void lower_part(int32_t *part, int32_t height)
{
    *part = clump_relief_least(*part, height);
}

/* Lowers the lows of the parts of a batch. Consecutive points are mostly in one part, so each minimum would wait for the
 * one before. Four points far apart in the batch take turns instead. */
static void lower_parts(int32_t *part, const int32_t *at, const int32_t *height, int n)
{
    const int quarter = n / 4;
    for (int k = 0; k < quarter; k++) {
        const int a = k, b = a + quarter, c = b + quarter, d = c + quarter;
        lower_part(&part[at[a]], height[a]);
        lower_part(&part[at[b]], height[b]);
        lower_part(&part[at[c]], height[c]);
        lower_part(&part[at[d]], height[d]);
    }
    for (int k = 4 * quarter; k < n; k++) lower_part(&part[at[k]], height[k]);
}

/* Clears a map of lows. */
static void clear_map(grid *g, int map)
{
    memset(g->part + map_size(g) * (size_t)map, GROUND_MASK, map_size(g) * sizeof *g->part);
    g->used[map] = 1;
}

static void find_lows_chunk(void *arg, size_t begin, size_t end, int worker)
{
    grid *const g = arg;
    const clump_cloud_job *const job = g->job;
    const clump_surface s = *g->surface; /* a copy: the compiler then knows that no store changes it */
    const int map = worker % g->maps;
    int32_t *const part = g->part + map_size(g) * (size_t)map;
    const int32_t nowhere = s.tiles * s.tiles * GROUND_TILE_PARTS;
    const bool own = g->maps == g->threads;
    if (own && !g->used[map]) clear_map(g, map);
    for (size_t i = begin; i < end; i += CLUMP_GROUND_BATCH) {
        const int n = clump_ground_batch_size(i, end);
        float x[CLUMP_GROUND_BATCH], y[CLUMP_GROUND_BATCH], z[CLUMP_GROUND_BATCH];
        int32_t at[CLUMP_GROUND_BATCH], height[CLUMP_GROUND_BATCH];
        clump_split_points(job, i, n, s.across, s.up, x, y, z);
        find_parts(&s, x, y, z, n, nowhere, at, height);
        for (int k = 0; job->mask && k < n; k++)
            if (!job->mask[i + (size_t)k]) at[k] = nowhere;
        if (own)
            lower_parts(part, at, height, n);
        else
            for (int k = 0; k < n; k++) clump_atomic_min_int(&part[at[k]], height[k]);
    }
}

static void clear_maps(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t m = begin; m < end; m++) clear_map(arg, (int)m);
}

/* A map per thread needs no atomic operations: half of the time of this step. The thread clears it where it is used. */
static clump_status find_lows(clump_work *work, grid *g)
{
    if (g->maps < g->threads) CLUMP_TRY(clump_run(work, g->threads, (size_t)g->maps, 1, clear_maps, g));
    return clump_run(work, g->threads, g->job->count, CLUMP_CHUNK, find_lows_chunk, g);
}

/* --- 2: tiles --------------------------------------------------------------------------------------- */

/* Takes the lowest of all maps to the first. */
static void merge_maps(const grid *g, size_t first, size_t count)
{
    int32_t *const to = g->part + first;
    if (!g->used[0]) memset(to, GROUND_MASK, count * sizeof *to);
    for (int m = 1; m < g->maps; m++) {
        if (!g->used[m]) continue;
        const int32_t *const from = to + map_size(g) * (size_t)m;
        for (size_t k = 0; k < count; k++) to[k] = clump_relief_least(to[k], from[k]);
    }
}

static void find_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const grid *const g = arg;
    const size_t row = (size_t)g->relief.tiles * GROUND_TILE_PARTS;
    for (size_t i = begin; i < end; i++) {
        merge_maps(g, i * row, row);
        for (size_t j = 0; j < (size_t)g->relief.tiles; j++)
            g->relief.tile[(i + 1) * (size_t)g->relief.width + j + 1] =
                clump_relief_low(g->part + i * row + j * GROUND_TILE_PARTS, GROUND_TILE_PARTS);
    }
}

/* --- 3 and 4: level, limits ------------------------------------------------------------------------- */

/* Returns twice the distance of tile i from the sensor along an axis, in tiles. */
static int32_t twice_away(const grid *g, int32_t i)
{
    return abs(2 * i + 1 - g->relief.tiles);
}

/* Finds the most frequent level of the tiles at most `reach` tiles away; of equally frequent ones the lowest. Returns
 * false where no tile has a height there. */
static bool find_level(const grid *g, int32_t reach, int32_t *level)
{
    int32_t bins[CLUMP_LOW_BINS] = {0}, most = 0;
    for (int32_t i = 0; i < g->relief.tiles; i++) {
        if (twice_away(g, i) > 2 * reach) continue;
        for (int32_t j = 0; j < g->relief.tiles; j++) {
            const int32_t z = g->relief.tile[(i + 1) * g->relief.width + j + 1] + CLUMP_LOW_MIDDLE;
            if (twice_away(g, j) > 2 * reach) continue;
            if (z >= 0 && z < CLUMP_LOW_BINS << CLUMP_LOW_BIN_SHIFT) bins[z >> CLUMP_LOW_BIN_SHIFT]++;
        }
    }
    for (int32_t b = 0; b + 4 <= CLUMP_LOW_BINS; b++) {
        const int32_t votes = bins[b] + bins[b + 1] + bins[b + 2] + bins[b + 3];
        if (votes <= most) continue;
        most = votes;
        *level = ((b + 2) << CLUMP_LOW_BIN_SHIFT) - CLUMP_LOW_MIDDLE;
    }
    return most > 0;
}

/* Removes tiles too far from the level: `rough`, plus the slope times their distance from the sensor. A tile
 * without a height needs no branch: it may be removed again. */
static void drop_far(const grid *g, int32_t level, int32_t rough)
{
    const int32_t straight = g->lows.straight, oblique = g->lows.oblique, tiles = g->relief.tiles;
    for (int32_t i = 0; i < tiles; i++) {
        int32_t *const z = &g->relief.tile[(i + 1) * g->relief.width + 1];
        const int32_t a = twice_away(g, i);
        for (int32_t j = 0; j < tiles; j++) {
            const int32_t b = abs(2 * j + 1 - tiles), few = clump_relief_least(a, b), more = clump_relief_most(a, b);
            const int64_t slope = ((int64_t)few * oblique + (int64_t)(more - few) * straight) / 2;
            z[j] = llabs((int64_t)z[j] - level) > rough + slope ? CLUMP_LOW_NONE : z[j];
        }
    }
}

/* --- 6: surface ------------------------------------------------------------------------------------- */

/* Converts heights to metres; the border becomes copies of the outermost tiles. */
static void put_heights(const grid *g)
{
    for (int32_t i = 0; i < g->relief.width; i++) {
        const int32_t *const row =
            &g->relief.tile[clump_relief_most(1, clump_relief_least(i, g->relief.tiles)) * g->relief.width];
        float *const to = &g->heights[i * g->relief.width];
        for (int32_t j = 1; j <= g->relief.tiles; j++) to[j] = (float)row[j] * (1.0f / CLUMP_LOW_UNIT);
        to[0] = to[1], to[g->relief.tiles + 1] = to[g->relief.tiles];
    }
}

/* --- all --------------------------------------------------------------------------------------------- */

static void choose_maps(grid *g)
{
    g->maps = map_size(g) <= GROUND_OWN_MAP ? clump_relief_least(g->threads, GROUND_MAPS) : 1;
}

static clump_status reserve_grid(clump_work *work, clump_buffer *buffer, grid *g)
{
    const size_t bordered = (size_t)g->relief.width * (size_t)g->relief.width;
    size_t coarse = 0;
    for (int32_t side = g->relief.tiles; side > 1; side = clump_relief_coarse_side(side))
        coarse += (size_t)clump_relief_coarse_side(side) * (size_t)clump_relief_coarse_side(side);
    const size_t parts = map_size(g) * (size_t)g->maps;
    CLUMP_TRY(clump_buffer_reserve(work, buffer, (parts + 3 * bordered + coarse) * sizeof(int32_t)));
    g->part = buffer->data;
    g->heights = (float *)(g->part + parts);
    g->relief.tile = (int32_t *)(g->heights + bordered);
    g->relief.cone = g->relief.tile + bordered;
    g->coarse = g->relief.cone + bordered;
    return CLUMP_OK;
}

clump_status clump_cpu_ground_reserve(clump_work *work, clump_cpu_ground *ground)
{
    const clump_ground_options defaults = clump_ground_defaults();
    const int32_t tiles = (int32_t)clump_ground_tiles(&defaults);
    grid g = {.relief = {.tiles = tiles, .width = tiles + 2}, .threads = work->threads};
    choose_maps(&g);
    return reserve_grid(work, &ground->map, &g);
}

/* Runs steps 3 to 5: only ground is left in g->relief.tile. Returns false where there is none. */
static bool find_ground(const grid *g)
{
    int32_t level = g->lows.level, rough = g->lows.rough, reach = g->lows.near_tiles;
    if (reach > 0) {
        while (!find_level(g, reach, &level)) {
            if (reach >= g->relief.tiles) return false;
            reach *= 2;
        }
        rough = CLUMP_LOW_ROUGH + reach * g->lows.straight; /* the level may come from a tile `reach` away */
    }
    drop_far(g, level, rough);
    clump_relief_drop_holes(&g->relief);
    clump_relief_find_cones(&g->relief);
    clump_relief_drop_above_cones(&g->relief);
    for (int32_t k = 0; k < g->relief.width * g->relief.width; k++)
        if (g->relief.tile[k] != CLUMP_LOW_NONE) return true;
    return false;
}

clump_status clump_cpu_ground_grid(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface)
{
    grid g = {.job = job,
              .surface = surface,
              .threads = threads,
              .relief = {.tiles = surface->tiles, .width = surface->tiles + 2},
              .lows = clump_lows_of(options)};
    g.relief.straight = g.lows.straight, g.relief.oblique = g.lows.oblique;
    choose_maps(&g);
    CLUMP_TRY(reserve_grid(work, &ground->map, &g));
    CLUMP_TRY(find_lows(work, &g));
    for (int32_t k = 0; k < g.relief.width * g.relief.width; k++)
        g.relief.tile[k] = CLUMP_LOW_NONE; /* the border stays so */
    CLUMP_TRY(clump_run(work, threads, (size_t)g.relief.tiles, GROUND_ROWS, find_tiles, &g));
    if (!find_ground(&g)) return CLUMP_OK;
    clump_relief_fill_beside(&g.relief);
    clump_relief_fill_beside(&g.relief);
    clump_relief_fill_far(g.relief.tile + g.relief.width + 1, g.relief.tiles, g.relief.width, g.coarse);
    put_heights(&g);
    surface->heights = g.heights;
    surface->kind = CLUMP_SURFACE_MAP;
    return CLUMP_OK;
}
