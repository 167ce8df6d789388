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
 * result does not depend on the order of points, threads or sweeps. Steps 2 to 6 read tiles only, 80 x 80 of them.
 */
#include "cpu/obstacles/ground.h"

#include "common/atomics.h"
#include "core/work.h"
#include "cpu/obstacles/ground_batch.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUND_TILE_PARTS = CLUMP_SURFACE_PARTS * CLUMP_SURFACE_PARTS,
    GROUND_ROW = 16,  /* step 6: tiles of a row that are processed as vectors */
    GROUND_MAPS = 16, /* step 1: maps of lows, at most, and the entries of one, or there is one map for all threads */
    GROUND_OWN_MAP = 262144,
    GROUND_MASK = CLUMP_LOW_NONE & 0xff, /* every byte of it */
    GROUND_ROWS = 4,                     /* step 2: rows of tiles that are worth waking a thread for */
};

/* Heights of tiles have a border of CLUMP_LOW_NONE around them: tile (i, j) is at (i + 1) * width + j + 1. */
typedef struct grid {
    const clump_cloud_job *job;
    const clump_surface *surface;
    int threads, maps;         /* of lows: one per thread, or one for several */
    uint8_t used[GROUND_MAPS]; /* maps that are clear, or have lows */
    int32_t tiles, width;
    clump_lows lows;
    int32_t *part;   /* maps of GROUND_TILE_PARTS consecutive entries per tile, and one for points outside */
    int32_t *tile;   /* with border */
    int32_t *cone;   /* with border */
    int32_t *coarse; /* step 6: ever larger squares */
    float *heights;  /* the result, with border */
} grid;

/* Returns the entries of a map of lows. */
static size_t map_size(const grid *g)
{
    return (size_t)g->tiles * (size_t)g->tiles * GROUND_TILE_PARTS + 1;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
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
    *part = smaller(*part, height);
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

/* Returns the lower quartile of the lows: the largest with at most a quarter of them below it. All are compared with all,
 * which is faster in vector code than sorting. All lows are below CLUMP_LOW_NONE, so parts without one do not count. */
static int32_t low_of_tile(const int32_t *part)
{
    int32_t below[GROUND_TILE_PARTS] = {0}, count = 0, low = INT32_MIN;
    for (int k = 0; k < GROUND_TILE_PARTS; k++) count += part[k] != CLUMP_LOW_NONE;
    if (count == 0) return CLUMP_LOW_NONE;
    for (int j = 0; j < GROUND_TILE_PARTS; j++)
        for (int k = 0; k < GROUND_TILE_PARTS; k++) below[k] += part[j] < part[k];
    for (int k = 0; k < GROUND_TILE_PARTS; k++) low = larger(low, below[k] <= count / 4 ? part[k] : INT32_MIN);
    return low;
}

/* Takes the lowest of all maps to the first. */
static void merge_maps(const grid *g, size_t first, size_t count)
{
    int32_t *const to = g->part + first;
    if (!g->used[0]) memset(to, GROUND_MASK, count * sizeof *to);
    for (int m = 1; m < g->maps; m++) {
        if (!g->used[m]) continue;
        const int32_t *const from = to + map_size(g) * (size_t)m;
        for (size_t k = 0; k < count; k++) to[k] = smaller(to[k], from[k]);
    }
}

static void find_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const grid *const g = arg;
    const size_t row = (size_t)g->tiles * GROUND_TILE_PARTS;
    for (size_t i = begin; i < end; i++) {
        merge_maps(g, i * row, row);
        for (size_t j = 0; j < (size_t)g->tiles; j++)
            g->tile[(i + 1) * (size_t)g->width + j + 1] = low_of_tile(g->part + i * row + j * GROUND_TILE_PARTS);
    }
}

/* --- 3 and 4: level, limits, holes ------------------------------------------------------------------ */

/* Returns twice the distance of tile i from the sensor along an axis, in tiles. */
static int32_t twice_away(const grid *g, int32_t i)
{
    return abs(2 * i + 1 - g->tiles);
}

/* Finds the most frequent level of the tiles at most `reach` tiles away; of equally frequent ones the lowest. Returns
 * false where no tile has a height there. */
static bool find_level(const grid *g, int32_t reach, int32_t *level)
{
    int32_t bins[CLUMP_LOW_BINS] = {0}, most = 0;
    for (int32_t i = 0; i < g->tiles; i++) {
        if (twice_away(g, i) > 2 * reach) continue;
        for (int32_t j = 0; j < g->tiles; j++) {
            const int32_t z = g->tile[(i + 1) * g->width + j + 1] + CLUMP_LOW_MIDDLE;
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
    const int32_t straight = g->lows.straight, oblique = g->lows.oblique, tiles = g->tiles;
    for (int32_t i = 0; i < tiles; i++) {
        int32_t *const z = &g->tile[(i + 1) * g->width + 1];
        const int32_t a = twice_away(g, i);
        for (int32_t j = 0; j < tiles; j++) {
            const int32_t b = abs(2 * j + 1 - tiles), few = smaller(a, b), more = larger(a, b);
            const int64_t slope = ((int64_t)few * oblique + (int64_t)(more - few) * straight) / 2;
            z[j] = llabs((int64_t)z[j] - level) > rough + slope ? CLUMP_LOW_NONE : z[j];
        }
    }
}

/* Removes holes. All tiles are tested on a copy, so the result does not depend on their order. */
static void drop_holes(const grid *g)
{
    const int32_t w = g->width, beside[8] = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1};
    memcpy(g->cone, g->tile, (size_t)w * (size_t)w * sizeof *g->tile);
    for (int32_t i = 1; i <= g->tiles; i++) {
        for (int32_t j = 1; j <= g->tiles; j++) {
            const int32_t *const z = &g->cone[i * w + j];
            if (*z == CLUMP_LOW_NONE) continue;
            int known = 0, low = 0;
            for (int k = 0; k < 8; k++) {
                known += z[beside[k]] != CLUMP_LOW_NONE;
                low += z[beside[k]] <= *z + CLUMP_LOW_HOLE + g->lows.straight;
            }
            if (known >= 3 && low < 2) g->tile[i * w + j] = CLUMP_LOW_NONE;
        }
    }
}

/* --- 5: slope --------------------------------------------------------------------------------------- */

/* Lowers a row of cones, n tiles, to what the row beside it allows. */
static void lower_row(const grid *g, const int32_t *beside, int32_t *restrict c)
{
    const int32_t s = g->lows.straight, o = g->lows.oblique, n = g->tiles;
    for (int32_t k = 0; k < n; k++) {
        const int32_t across = smaller(beside[k - 1], beside[k + 1]) + o;
        c[k] = smaller(c[k], smaller(across, beside[k] + s));
    }
}

/* Finds the lowest of all cones at every tile. One sweep down and one up are enough. A shortest path along axes and
 * diagonals has at most two kinds of steps, in any order: first come those of the first sweep. */
static void find_cones(const grid *g)
{
    const int32_t w = g->width, s = g->lows.straight, n = g->tiles;
    memcpy(g->cone, g->tile, (size_t)w * (size_t)w * sizeof *g->cone);
    for (int32_t i = 1; i <= n; i++) {
        int32_t *const c = &g->cone[i * w + 1];
        lower_row(g, c - w, c);
        for (int32_t k = 0; k < n; k++) c[k] = smaller(c[k], c[k - 1] + s);
    }
    for (int32_t i = n; i >= 1; i--) {
        int32_t *const c = &g->cone[i * w + 1];
        lower_row(g, c + w, c);
        for (int32_t k = n - 1; k >= 0; k--) c[k] = smaller(c[k], c[k + 1] + s);
    }
}

static void drop_above_cones(const grid *g)
{
    const int32_t size = g->width * g->width, *const cone = g->cone;
    int32_t *restrict const tile = g->tile;
    for (int32_t k = 0; k < size; k++) tile[k] = tile[k] - cone[k] > CLUMP_LOW_BUMP ? CLUMP_LOW_NONE : tile[k];
}

/* --- 6: surface ------------------------------------------------------------------------------------- */

/* Returns sum / known, an integer; known is 1 to 8. In double, which is vectorised. Its rounding does not matter: a
 * quotient that is no integer is at least 1/8 away from the next one. */
static int32_t mean_of(int32_t sum, int32_t known)
{
    return (int32_t)((double)sum / known);
}

/* Counts and adds those of n + 2 tiles and the ones above and below that have a height. */
static void add_columns(const int32_t *z, int32_t w, int n, int32_t *restrict known, int32_t *restrict sum)
{
    for (int j = 0; j < n + 2; j++) {
        const int32_t a = z[j - w], b = z[j], c = z[j + w], none = CLUMP_LOW_NONE;
        known[j] = (a != none) + (b != none) + (c != none);
        sum[j] = (a != none ? a : 0) + (b != none ? b : 0) + (c != none ? c : 0);
    }
}

/* Gives n consecutive tiles, those without a height, the mean of those neighbours that have one: of all tiles around, as
 * the tile itself adds nothing. `z` are the heights before. Compilers vectorise it. */
static void fill_row(const int32_t *z, int32_t w, int n, int32_t *restrict to)
{
    int32_t known[GROUND_ROW + 2], sum[GROUND_ROW + 2];
    add_columns(z - 1, w, n, known, sum);
    for (int j = 0; j < n; j++) {
        const int32_t all = known[j] + known[j + 1] + known[j + 2];
        const int32_t mean = mean_of(sum[j] + sum[j + 1] + sum[j + 2], larger(all, 1));
        to[j] = to[j] == CLUMP_LOW_NONE && all > 0 ? mean : to[j];
    }
}

/* Gives tiles without a height the mean of those neighbours that have one. */
static void fill_beside(const grid *g)
{
    const int32_t w = g->width;
    memcpy(g->cone, g->tile, (size_t)w * (size_t)w * sizeof *g->tile);
    for (int32_t i = 1; i <= g->tiles; i++)
        for (int32_t from = 1; from <= g->tiles; from += GROUND_ROW)
            fill_row(&g->cone[i * w + from], w, smaller(GROUND_ROW, g->tiles + 1 - from), &g->tile[i * w + from]);
}

static int32_t coarse_side(int32_t side)
{
    return (side + 1) / 2;
}

/* Returns the mean of those of four tiles that have a height. */
static int32_t mean_of_square(int32_t a, int32_t b, int32_t c, int32_t d)
{
    const int32_t n = CLUMP_LOW_NONE, known = (a != n) + (b != n) + (c != n) + (d != n);
    const int32_t sum = (a != n ? a : 0) + (b != n ? b : 0) + (c != n ? c : 0) + (d != n ? d : 0);
    const int32_t mean = mean_of(sum, larger(known, 1));
    return known > 0 ? mean : n;
}

/* Finds the means of the 2 x 2 squares of two rows. A row or column that is taken twice does not change a mean. */
static void coarsen_rows(const int32_t *upper, const int32_t *lower, int32_t side, int32_t *restrict coarse)
{
    for (int32_t j = 0; j < side / 2; j++)
        coarse[j] = mean_of_square(upper[2 * j], upper[2 * j + 1], lower[2 * j], lower[2 * j + 1]);
    const int32_t last = side - 1;
    if (side % 2) coarse[side / 2] = mean_of_square(upper[last], upper[last], lower[last], lower[last]);
}

/* Gives the tiles of a row without a height that of their square. */
static void refine_row(int32_t *restrict row, int32_t side, const int32_t *coarse)
{
    for (int32_t j = 0; j < side / 2; j++) {
        row[2 * j] = row[2 * j] == CLUMP_LOW_NONE ? coarse[j] : row[2 * j];
        row[2 * j + 1] = row[2 * j + 1] == CLUMP_LOW_NONE ? coarse[j] : row[2 * j + 1];
    }
    if (side % 2 && row[side - 1] == CLUMP_LOW_NONE) row[side - 1] = coarse[side / 2];
}

/* Fills the other tiles from a pyramid: up to the means of the known tiles in 2 x 2 squares, then down again. `from`
 * has side * side entries; `pitch` is the distance of two rows. */
static void fill_far(int32_t *from, int32_t side, int32_t pitch, int32_t *coarse)
{
    CLUMP_ASSERT(side >= 1 && pitch >= side);
    if (side == 1) return;
    const int32_t half = coarse_side(side);
    for (int32_t i = 0; i < half; i++)
        coarsen_rows(from + 2 * i * pitch, from + smaller(2 * i + 1, side - 1) * pitch, side, coarse + i * half);
    fill_far(coarse, half, half, coarse + (size_t)half * (size_t)half);
    for (int32_t i = 0; i < side; i++) refine_row(from + i * pitch, side, coarse + i / 2 * half);
}

/* Converts heights to metres; the border becomes copies of the outermost tiles. */
static void put_heights(const grid *g)
{
    for (int32_t i = 0; i < g->width; i++) {
        const int32_t *const row = &g->tile[larger(1, smaller(i, g->tiles)) * g->width];
        float *const to = &g->heights[i * g->width];
        for (int32_t j = 1; j <= g->tiles; j++) to[j] = (float)row[j] * (1.0f / CLUMP_LOW_UNIT);
        to[0] = to[1], to[g->tiles + 1] = to[g->tiles];
    }
}

/* --- all --------------------------------------------------------------------------------------------- */

static void choose_maps(grid *g)
{
    g->maps = map_size(g) <= GROUND_OWN_MAP ? smaller(g->threads, GROUND_MAPS) : 1;
}

static clump_status reserve_grid(clump_work *work, clump_buffer *buffer, grid *g)
{
    const size_t bordered = (size_t)g->width * (size_t)g->width;
    size_t coarse = 0;
    for (int32_t side = g->tiles; side > 1; side = coarse_side(side))
        coarse += (size_t)coarse_side(side) * (size_t)coarse_side(side);
    const size_t parts = map_size(g) * (size_t)g->maps;
    CLUMP_TRY(clump_buffer_reserve(work, buffer, (parts + 3 * bordered + coarse) * sizeof(int32_t)));
    g->part = buffer->data;
    g->heights = (float *)(g->part + parts);
    g->tile = (int32_t *)(g->heights + bordered);
    g->cone = g->tile + bordered;
    g->coarse = g->cone + bordered;
    return CLUMP_OK;
}

clump_status clump_cpu_ground_reserve(clump_work *work, clump_cpu_ground *ground)
{
    const clump_ground_options defaults = clump_ground_defaults();
    const int32_t tiles = (int32_t)clump_ground_tiles(&defaults);
    grid g = {.tiles = tiles, .width = tiles + 2, .threads = work->threads};
    choose_maps(&g);
    return reserve_grid(work, &ground->map, &g);
}

/* Runs steps 3 to 5: only ground is left in g->tile. Returns false where there is none. */
static bool find_ground(const grid *g)
{
    int32_t level = g->lows.level, rough = g->lows.rough, reach = g->lows.near_tiles;
    if (reach > 0) {
        while (!find_level(g, reach, &level)) {
            if (reach >= g->tiles) return false;
            reach *= 2;
        }
        rough = CLUMP_LOW_ROUGH + reach * g->lows.straight; /* the level may come from a tile `reach` away */
    }
    drop_far(g, level, rough);
    drop_holes(g);
    find_cones(g);
    drop_above_cones(g);
    for (int32_t k = 0; k < g->width * g->width; k++)
        if (g->tile[k] != CLUMP_LOW_NONE) return true;
    return false;
}

clump_status clump_cpu_ground_grid(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface)
{
    grid g = {.job = job,
              .surface = surface,
              .threads = threads,
              .tiles = surface->tiles,
              .width = surface->tiles + 2,
              .lows = clump_lows_of(options)};
    choose_maps(&g);
    CLUMP_TRY(reserve_grid(work, &ground->map, &g));
    CLUMP_TRY(find_lows(work, &g));
    for (int32_t k = 0; k < g.width * g.width; k++) g.tile[k] = CLUMP_LOW_NONE; /* the border stays so */
    CLUMP_TRY(clump_run(work, threads, (size_t)g.tiles, GROUND_ROWS, find_tiles, &g));
    if (!find_ground(&g)) return CLUMP_OK;
    fill_beside(&g);
    fill_beside(&g);
    fill_far(g.tile + g.width + 1, g.tiles, g.width, g.coarse);
    put_heights(&g);
    surface->heights = g.heights;
    surface->kind = CLUMP_SURFACE_MAP;
    return CLUMP_OK;
}
