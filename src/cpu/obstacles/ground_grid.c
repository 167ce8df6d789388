/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_grid.c: ground that is not flat, in time linear in the points and the map.
 *
 * The map is cut into tiles of 2 m (option), each into 4 x 4 parts.
 *
 *     1  lows       the lowest point of every part                                        one pass over the points
 *     2  tiles      of a tile's parts that have points, the low that a quarter of them is below: one stray point below
 *                   the ground (a reflection) spoils one part, and a car over three quarters of a tile none
 *     3  level      the height that most tiles near the sensor have: not points, of which the roof below the sensor may
 *                   have more than the road
 *     4  limits     tiles too far from that level for their distance, and holes: tiles with nothing about as low beside
 *                   them, are not ground
 *     5  slope      from every tile a cone rises with the steepest slope allowed (option); a tile above the cone of
 *                   another stands on something that is not ground: a roof, a hedge
 *     6  surface    tiles without ground get the mean of those beside them, twice, then of ever larger squares
 *
 * Heights are integers, 1/1024 m, from the first step on. Lows are minima, cones are sums of integers, so the result
 * does not depend on the order of points, threads or sweeps. Steps 2 to 6 see tiles only, 80 x 80 of them. For a GPU: an
 * atomic minimum a point, then one block in shared memory.
 */
#include "cpu/obstacles/ground.h"

#include "common/atomics.h"
#include "common/share.h"
#include "core/context.h"
#include "cpu/obstacles/ground_batch.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 1024,       /* 1 m */
    PARTS = 4,         /* of a tile, along a side */
    NONE = 0x3f3f3f3f, /* no height; a byte four times, for memset */
    NEAR = 10,         /* m: here step 3 looks */
    ROUGH = UNIT,      /* how far from the level the ground may be, besides its slope */
    HOLE = UNIT / 2,   /* how far below the second lowest beside it a tile may be, besides its slope */
    BUMP = UNIT / 10,  /* how far above a cone a tile may be */
    BIN_SHIFT = 7,     /* bins of 1/8 m for step 3, and a window of 4 */
    BINS = 512,        /* 32 m up and down */
};

/* Heights of tiles have a border of NONE around them: tile (i, j) is at (i + 1) * width + j + 1. */
typedef struct grid {
    const clump_cloud_job *job;
    const clump_surface *surface;
    int32_t tiles, width;
    int32_t straight, oblique; /* how much a cone rises from a tile to the next, along an axis and across */
    int32_t *part;             /* PARTS * PARTS a tile, together, and one more */
    int32_t *tile;             /* with border */
    int32_t *cone;             /* with border */
    int32_t *coarse;           /* step 6: larger and larger squares */
    float *heights;            /* the result, with border */
} grid;

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* --- 1: lows ---------------------------------------------------------------------------------------- */

/* The part that each point of a block is in, and its height; the last part of all, which is no tile's, for points that
 * have none. */
static void find_parts(const clump_surface *s, const clump_ground_block *b, int n, int32_t nowhere,
                       int32_t *restrict part, int32_t *restrict height)
{
    const int32_t tiles = s->tiles;
    for (int k = 0; k < n; k++) {
        const int32_t u = (int32_t)(b->u[k] * PARTS), v = (int32_t)(b->v[k] * PARTS), in = b->inside[k];
        const int32_t tile = (u >> 2) * tiles + (v >> 2);
        const int32_t here = tile * (PARTS * PARTS) + (u & 3) * PARTS + (v & 3);
        height[k] = (int32_t)(b->h[k] * UNIT);
        part[k] = (here & -in) | (nowhere & (in - 1)); /* a condition would become a branch */
    }
}

static void lower_alone(int32_t *part, const int32_t *at, const int32_t *height, int n)
{
    for (int k = 0; k < n; k++) part[at[k]] = smaller(part[at[k]], height[k]);
}

static void lower_together(int32_t *part, const int32_t *at, const int32_t *height, int n)
{
    for (int k = 0; k < n; k++) {
        int32_t seen = CLUMP_LOAD(&part[at[k]]);
        while (height[k] < seen && !CLUMP_SWAP(&part[at[k]], &seen, height[k])) {}
    }
}

static void find_lows_of(const clump_cloud_job *job, clump_surface s, clump_share share, bool alone, int32_t *part)
{
    const int32_t nowhere = s.tiles * s.tiles * PARTS * PARTS;
    for (size_t i = share.begin; i < share.end; i += CLUMP_GROUND_BLOCK) {
        const int n = share.end - i < CLUMP_GROUND_BLOCK ? (int)(share.end - i) : CLUMP_GROUND_BLOCK;
        clump_ground_block block;
        int32_t at[CLUMP_GROUND_BLOCK], height[CLUMP_GROUND_BLOCK];
        clump_ground_see(job, &s, i, n, &block);
        find_parts(&s, &block, n, nowhere, at, height);
        for (int k = 0; job->mask && k < n; k++)
            if (!job->mask[i + (size_t)k]) at[k] = nowhere;
        if (alone)
            lower_alone(part, at, height, n);
        else
            lower_together(part, at, height, n);
    }
}

static void find_lows_alone(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const grid *const g = arg;
    find_lows_of(g->job, *g->surface, (clump_share){begin, end}, true, g->part);
}

static void find_lows_together(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const grid *const g = arg;
    find_lows_of(g->job, *g->surface, (clump_share){begin, end}, false, g->part);
}

static clump_status find_lows(clump_context *ctx, grid *g, int threads)
{
    const size_t parts = (size_t)g->tiles * (size_t)g->tiles * PARTS * PARTS + 1;
    memset(g->part, NONE & 0xff, parts * sizeof *g->part);
    return clump_run(ctx, threads, g->job->count, CLUMP_CHUNK, threads == 1 ? find_lows_alone : find_lows_together, g);
}

/* --- 2: tiles --------------------------------------------------------------------------------------- */

/* The low that a quarter of them is below: the largest with so few below it. All are compared with all, which vectors do
 * sooner than a sort; one that is NONE has all others below it. */
static int32_t low_of_tile(const int32_t *part)
{
    int32_t lowest = NONE, count = 0, low = INT32_MIN;
    for (int k = 0; k < PARTS * PARTS; k++) {
        lowest = smaller(lowest, part[k]);
        count += part[k] != NONE;
    }
    if (lowest == NONE) return NONE;
    for (int k = 0; k < PARTS * PARTS; k++) {
        int32_t below = 0;
        for (int other = 0; other < PARTS * PARTS; other++) below += part[other] < part[k];
        if (below <= count / 4) low = larger(low, part[k]);
    }
    return low;
}

static void find_tiles(const grid *g)
{
    for (int32_t k = 0; k < g->width * g->width; k++) g->tile[k] = NONE;
    for (int32_t i = 0; i < g->tiles; i++)
        for (int32_t j = 0; j < g->tiles; j++)
            g->tile[(i + 1) * g->width + j + 1] = low_of_tile(g->part + (i * g->tiles + j) * (PARTS * PARTS));
}

/* --- 3 and 4: level, limits, holes ------------------------------------------------------------------ */

/* Twice the distance of tile i from the sensor, in tiles along an axis. */
static int32_t twice_away(const grid *g, int32_t i)
{
    return abs(2 * i + 1 - g->tiles);
}

/* The level that most tiles within `reach` tiles have, of equals the lowest. False: there is none there. */
static bool find_level(const grid *g, int32_t reach, int32_t *level)
{
    int32_t bins[BINS] = {0}, most = 0;
    for (int32_t i = 0; i < g->tiles; i++) {
        for (int32_t j = 0; j < g->tiles; j++) {
            const int32_t z = g->tile[(i + 1) * g->width + j + 1] + (BINS << BIN_SHIFT) / 2;
            if (larger(twice_away(g, i), twice_away(g, j)) > 2 * reach) continue;
            if (z >= 0 && z < BINS << BIN_SHIFT) bins[z >> BIN_SHIFT]++;
        }
    }
    for (int32_t b = 0; b + 4 <= BINS; b++) {
        const int32_t votes = bins[b] + bins[b + 1] + bins[b + 2] + bins[b + 3];
        if (votes <= most) continue;
        most = votes;
        *level = ((b + 2) << BIN_SHIFT) - (BINS << BIN_SHIFT) / 2;
    }
    return most > 0;
}

static void drop_far(const grid *g, int32_t level, int32_t rough)
{
    for (int32_t i = 0; i < g->tiles; i++) {
        for (int32_t j = 0; j < g->tiles; j++) {
            int32_t *const z = &g->tile[(i + 1) * g->width + j + 1];
            const int32_t a = twice_away(g, i), b = twice_away(g, j), few = smaller(a, b), more = larger(a, b);
            const int64_t slope = ((int64_t)few * g->oblique + (int64_t)(more - few) * g->straight) / 2;
            if (llabs((int64_t)*z - level) > rough + slope) *z = NONE;
        }
    }
}

/* Holes are looked for in all tiles before one is taken out: what is left does not depend on the order. */
static void drop_holes(const grid *g)
{
    const int32_t w = g->width, beside[8] = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1};
    memcpy(g->cone, g->tile, (size_t)w * (size_t)w * sizeof *g->tile);
    for (int32_t i = 1; i <= g->tiles; i++) {
        for (int32_t j = 1; j <= g->tiles; j++) {
            const int32_t *const z = &g->cone[i * w + j];
            if (*z == NONE) continue;
            int known = 0, low = 0;
            for (int k = 0; k < 8; k++) {
                known += z[beside[k]] != NONE;
                low += z[beside[k]] <= *z + HOLE + g->straight;
            }
            if (known >= 3 && low < 2) g->tile[i * w + j] = NONE;
        }
    }
}

/* --- 5: slope --------------------------------------------------------------------------------------- */

/* The lowest of all cones at every tile. One sweep down and one up are enough: a way to a tile along axes and diagonals
 * that is shortest has at most two kinds of steps, in any order, so first all those that the first sweep goes. */
static void find_cones(const grid *g)
{
    const int32_t w = g->width, s = g->straight, o = g->oblique;
    int32_t *const c = g->cone;
    memcpy(c, g->tile, (size_t)w * (size_t)w * sizeof *c);
    for (int32_t i = 1; i <= g->tiles; i++) {
        for (int32_t k = i * w + 1; k <= i * w + g->tiles; k++) {
            const int32_t across = smaller(c[k - w - 1], c[k - w + 1]) + o, along = smaller(c[k - w], c[k - 1]) + s;
            c[k] = smaller(c[k], smaller(across, along));
        }
    }
    for (int32_t i = g->tiles; i >= 1; i--) {
        for (int32_t k = i * w + g->tiles; k > i * w; k--) {
            const int32_t across = smaller(c[k + w - 1], c[k + w + 1]) + o, along = smaller(c[k + w], c[k + 1]) + s;
            c[k] = smaller(c[k], smaller(across, along));
        }
    }
}

static void drop_above_cones(const grid *g)
{
    for (int32_t k = 0; k < g->width * g->width; k++)
        if (g->tile[k] != NONE && g->tile[k] - g->cone[k] > BUMP) g->tile[k] = NONE;
}

/* --- 6: surface ------------------------------------------------------------------------------------- */

static void fill_beside(const grid *g)
{
    const int32_t w = g->width, beside[8] = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1};
    memcpy(g->cone, g->tile, (size_t)w * (size_t)w * sizeof *g->tile);
    for (int32_t i = 1; i <= g->tiles; i++) {
        for (int32_t j = 1; j <= g->tiles; j++) {
            const int32_t *const z = &g->cone[i * w + j];
            if (*z != NONE) continue;
            int32_t known = 0, sum = 0;
            for (int k = 0; k < 8; k++) {
                const bool here = z[beside[k]] != NONE;
                known += here;
                sum += here ? z[beside[k]] : 0;
            }
            if (known) g->tile[i * w + j] = sum / known;
        }
    }
}

static int32_t coarse_side(int32_t side)
{
    return (side + 1) / 2;
}

/* Means of 2 x 2 squares of those that are known; up, then down again. from has side * side entries, each `pitch`
 * after the one before it along u. */
static void fill_far(int32_t *from, int32_t side, int32_t pitch, int32_t *coarse)
{
    if (side == 1) return;
    const int32_t half = coarse_side(side);
    for (int32_t i = 0; i < half; i++) {
        for (int32_t j = 0; j < half; j++) {
            int32_t known = 0, sum = 0;
            for (int32_t k = 0; k < 4; k++) {
                const int32_t a = 2 * i + k / 2, b = 2 * j + k % 2;
                if (a >= side || b >= side || from[a * pitch + b] == NONE) continue;
                known++;
                sum += from[a * pitch + b];
            }
            coarse[i * half + j] = known ? sum / known : NONE;
        }
    }
    fill_far(coarse, half, half, coarse + (size_t)half * (size_t)half);
    for (int32_t i = 0; i < side; i++)
        for (int32_t j = 0; j < side; j++)
            if (from[i * pitch + j] == NONE) from[i * pitch + j] = coarse[i / 2 * half + j / 2];
}

/* With copies of the outermost tiles around them. */
static void put_heights(const grid *g)
{
    for (int32_t i = 0; i < g->width; i++) {
        const int32_t *const row = &g->tile[larger(1, smaller(i, g->tiles)) * g->width];
        for (int32_t j = 0; j < g->width; j++)
            g->heights[i * g->width + j] = (float)row[larger(1, smaller(j, g->tiles))] * (1.0f / UNIT);
    }
}

/* --- all --------------------------------------------------------------------------------------------- */

static clump_status take_memory(clump_context *ctx, clump_buffer *buffer, grid *g)
{
    const size_t tiles = (size_t)g->tiles * (size_t)g->tiles, bordered = (size_t)g->width * (size_t)g->width;
    size_t coarse = 0;
    for (int32_t side = g->tiles; side > 1; side = coarse_side(side))
        coarse += (size_t)coarse_side(side) * (size_t)coarse_side(side);
    const clump_status status =
        clump_buffer_reserve(ctx, buffer, (tiles * PARTS * PARTS + 1 + 3 * bordered + coarse) * sizeof(int32_t));
    if (status != CLUMP_OK) return status;
    g->part = buffer->data;
    g->heights = (float *)(g->part + tiles * PARTS * PARTS + 1);
    g->tile = (int32_t *)(g->heights + bordered);
    g->cone = g->tile + bordered;
    g->coarse = g->cone + bordered;
    return CLUMP_OK;
}

clump_status clump_cpu_ground_reserve(clump_context *ctx, clump_cpu_ground *ground)
{
    const clump_ground_options defaults = clump_ground_defaults();
    const int32_t tiles = (int32_t)clump_ground_tiles(&defaults);
    grid g = {.tiles = tiles, .width = tiles + 2};
    return take_memory(ctx, &ground->map, &g);
}

/* Tiles of ground are left in g->tile. False: there are none. */
static bool find_ground(const grid *g, const clump_ground_options *o)
{
    int32_t level = 0, rough = (int32_t)(o->window * UNIT), reach = larger(1, (int32_t)((float)NEAR / o->tile));
    if (o->sensor_height > 0) {
        level = (int32_t)(-o->sensor_height * UNIT);
    } else {
        while (!find_level(g, reach, &level)) {
            if (reach >= g->tiles) return false;
            reach *= 2;
        }
        rough = ROUGH + reach * g->straight; /* the level may be that of the far end */
    }
    drop_far(g, level, rough);
    drop_holes(g);
    find_cones(g);
    drop_above_cones(g);
    for (int32_t k = 0; k < g->width * g->width; k++)
        if (g->tile[k] != NONE) return true;
    return false;
}

clump_status clump_cpu_ground_grid(clump_context *ctx, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface)
{
    const double rise = (double)options->slope * (double)options->tile * UNIT;
    grid g = {.job = job,
              .surface = surface,
              .tiles = surface->tiles,
              .width = surface->tiles + 2,
              .straight = (int32_t)rise,
              .oblique = (int32_t)(rise * 1.4142135623730951)};
    const clump_status status = take_memory(ctx, &ground->map, &g);
    if (status != CLUMP_OK) return status;
    CLUMP_TRY(find_lows(ctx, &g, threads));
    find_tiles(&g);
    if (!find_ground(&g, options)) return CLUMP_OK;
    fill_beside(&g);
    fill_beside(&g);
    fill_far(g.tile + g.width + 1, g.tiles, g.width, g.coarse);
    put_heights(&g);
    surface->heights = g.heights;
    surface->kind = CLUMP_SURFACE_MAP;
    return CLUMP_OK;
}
