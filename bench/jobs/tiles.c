/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tiles.c: see tiles.h. A counting sort by tile, stable, so that own points ascend by index:
 *
 *     count     per slice of the cloud: points per tile, rim points per tile; points near a side of their box are listed
 *     place     where each slice puts its points of each tile
 *     scatter   points and indices to their tile; the listed ones also to the rims
 *
 * A coordinate in tiles is u = (x - low) scale, in float. Three roundings change it by less than 2^-22 of its value, so rims
 * are wider than the reach by 2^-20 of the tiles in a row: no pair within reach is missed.
 */
#include "jobs/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILES_RIMS = 7, TILES_BATCH = 256 }; /* rims that a point can be in; points that are placed at a time */

/* Finds the box of the finite coordinates. Four points at a time, so that the compiler finds vectors. */
static void find_box(const float *xyz, size_t points, float low[3], float high[3])
{
    float l[12], h[12];
    for (int j = 0; j < 12; j++) l[j] = INFINITY, h[j] = -INFINITY;
    size_t i = 0;
    for (; i + 4 <= points; i += 4)
        for (size_t j = 0; j < 12; j++) {
            const float x = xyz[3 * i + j];
            l[j] = fminf(l[j], x);
            h[j] = fmaxf(h[j], x);
        }
    for (size_t j = 0; j < 3 * (points - i); j++) {
        const float x = xyz[3 * i + j];
        l[j % 3] = fminf(l[j % 3], x);
        h[j % 3] = fmaxf(h[j % 3], x);
    }
    for (int a = 0; a < 3; a++) {
        low[a] = l[a], high[a] = h[a];
        for (int j = a + 3; j < 12; j += 3) {
            low[a] = fminf(low[a], l[j]);
            high[a] = fmaxf(high[a], h[j]);
        }
    }
}

/* Boxes up to this many reaches wide have no more cells than 62 bits number, so that sparse ones are swept by rows. */
#define TILES_WIDEST 700000.0

/* Divides the axis with the widest tiles, again and again. Returns false where no axis can be divided further. */
static bool choose_size(tiles *t, const float low[3], const float high[3], double reach, int wanted)
{
    double side[3];
    bool more = true;
    for (int a = 0; a < 3; a++) {
        t->size[a] = 1;
        t->low[a] = high[a] >= low[a] ? low[a] : 0;
        side[a] = high[a] >= low[a] ? (double)high[a] - (double)low[a] : 0;
    }
    t->count = 1;
    while (t->count < wanted && more) {
        int a = side[0] >= side[1] ? 0 : 1;
        if (side[2] > side[a]) a = 2;
        more = side[a] >= 16 * reach;
        if (!more) break;
        side[a] /= 2;
        t->size[a] *= 2;
        t->count *= 2;
    }
    for (int a = 0; a < 3; a++) {
        t->scale[a] = t->size[a] > 1 ? (float)(1 / side[a]) : 0;
        t->rim[a] = t->size[a] > 1 ? (float)(reach / side[a] + 0x1p-20 * t->size[a]) : 0;
    }
    return more;
}

/* Where a point is along an axis: its tile, and whether it is near the tile before (-1) or behind (1). */
typedef struct place {
    int at[3], next[3];
} place;

static inline place place_of(const tiles *t, const float *p)
{
    place where;
    for (int a = 0; a < 3; a++) {
        const float u = (p[a] - t->low[a]) * t->scale[a], last = (float)(t->size[a] - 1);
        const int at = (int)fmaxf(fminf(u, last), 0); /* NaN: last */
        const float rest = u - (float)at;
        where.at[a] = at;
        where.next[a] = at > 0 && rest <= t->rim[a] ? -1 : at < t->size[a] - 1 && rest >= 1 - t->rim[a] ? 1 : 0;
    }
    return where;
}

static int tile_at(const tiles *t, const int at[3])
{
    return (at[2] * t->size[1] + at[1]) * t->size[0] + at[0];
}

/* Whether a side of the boxes is wider than TILES_WIDEST. */
static bool is_too_wide(const tiles *t, const float low[3], const float high[3], double reach)
{
    bool wide = false;
    for (int a = 0; a < 3; a++) wide = wide || ((double)high[a] - (double)low[a]) / t->size[a] > TILES_WIDEST * reach;
    return wide;
}

/* Returns how many tiles have points, as far as every `step`-th point tells. */
static int tiles_with_points(const tiles *t, size_t step)
{
    uint64_t seen[TILES_MOST / 64] = {0};
    int count = 0;
    for (size_t i = 0; i < t->points; i += step) {
        const place where = place_of(t, t->xyz + 3 * i);
        const int at = tile_at(t, where.at);
        count += !(seen[at / 64] >> (at % 64) & 1);
        seen[at / 64] |= (uint64_t)1 << (at % 64);
    }
    return count;
}

bool tiles_plan(tiles *t, const float *xyz, size_t points, double reach, size_t per_tile, bool one_sided, int slices)
{
    t->xyz = xyz, t->points = points, t->one_sided = one_sided, t->slices = slices;
    float low[3], high[3];
    find_box(xyz, points, low, high);
    for (int wanted = 1; choose_size(t, low, high, reach, wanted) && wanted < TILES_MOST; wanted *= 2)
        if (!is_too_wide(t, low, high, reach) && (size_t)tiles_with_points(t, points / 4096 + 1) * per_tile >= points)
            break;
    if (t->tile_of) return true; /* of an earlier run */
    t->tile_of = malloc(points * sizeof *t->tile_of + 1);
    t->near = malloc((points + 1) * sizeof *t->near);
    t->cursors = malloc((size_t)(2 * slices * t->count) * sizeof *t->cursors);
    return t->tile_of && t->near && t->cursors;
}

void tiles_free(tiles *t)
{
    free(t->tile_of);
    free(t->near);
    free(t->cursors);
    free(t->own_xyz);
    free(t->indices);
    *t = (tiles){0};
}

static size_t slice_begin(const tiles *t, int slice)
{
    return t->points * (size_t)slice / (size_t)t->slices;
}

/* The counters of a slice: of own points, then of rim points. */
static size_t *cursors_of(const tiles *t, int slice)
{
    return t->cursors + (size_t)(2 * slice * t->count);
}

/* Writes the tiles whose rim has the point, and returns how many. */
static int rims_of(const tiles *t, const place *where, int rims[TILES_RIMS])
{
    const int own = tile_at(t, where->at);
    int count = 0;
    for (int k = 1; k < 8; k++) {
        int at[3];
        bool there = true;
        for (int a = 0; a < 3; a++) {
            there = there && (!(k >> a & 1) || where->next[a]);
            at[a] = where->at[a] + (k >> a & 1 ? where->next[a] : 0);
        }
        const int other = there ? tile_at(t, at) : -1;
        if (there && (!t->one_sided || other > own)) rims[count++] = other;
    }
    return count;
}

/* Finds the tiles of a batch of points, and which of them are near a side of their tile. */
static void place_batch(const tiles *t, const float *xyz, int count, int32_t at[TILES_BATCH], int32_t near[TILES_BATCH])
{
    for (int i = 0; i < TILES_BATCH; i++) at[i] = 0, near[i] = 0;
    for (int a = 0, step = 1; a < 3; step *= t->size[a++]) {
        if (t->size[a] == 1) continue;
        const float low = t->low[a], scale = t->scale[a], last = (float)(t->size[a] - 1), rim = t->rim[a];
        for (int i = 0; i < count; i++) {
            const float u = (xyz[3 * i + a] - low) * scale;
            const int32_t k = (int32_t)fmaxf(fminf(u, last), 0); /* NaN: last */
            const float rest = u - (float)k;
            at[i] += k * step;
            near[i] |= (rest <= rim) | (rest >= 1 - rim);
        }
    }
}

void tiles_count(tiles *t, int slice)
{
    const size_t begin = slice_begin(t, slice), end = slice_begin(t, slice + 1);
    size_t *const own = cursors_of(t, slice), *const rim = own + t->count;
    size_t candidates = 0, listed = 0;
    memset(own, 0, (size_t)(2 * t->count) * sizeof *own);
    for (size_t first = begin; first < end; first += TILES_BATCH) {
        int32_t at[TILES_BATCH];
        int32_t near[TILES_BATCH];
        const int count = end - first < TILES_BATCH ? (int)(end - first) : TILES_BATCH;
        place_batch(t, t->xyz + 3 * first, count, at, near);
        for (int i = 0; i < count; i++) {
            t->tile_of[first + (size_t)i] = (uint16_t)at[i];
            own[at[i]]++;
            t->near[begin + candidates] = (uint32_t)(first + (size_t)i);
            candidates += (size_t)near[i];
        }
    }
    for (size_t k = 0; k < candidates; k++) {
        const uint32_t i = t->near[begin + k];
        const place where = place_of(t, t->xyz + 3 * (size_t)i);
        int rims[TILES_RIMS];
        const int count = rims_of(t, &where, rims);
        for (int r = 0; r < count; r++) rim[rims[r]]++;
        t->near[begin + listed] = i;
        listed += count > 0;
    }
    t->near_count[slice] = listed;
}

bool tiles_place(tiles *t)
{
    size_t at = 0;
    for (int k = 0; k < t->count; k++) {
        const size_t begin = at;
        for (int kind = 0; kind < 2; kind++) {
            for (int s = 0; s < t->slices; s++) {
                size_t *const cursor = &cursors_of(t, s)[kind * t->count + k];
                const size_t points = *cursor;
                *cursor = at;
                at += points;
            }
            if (kind == 0) t->list[k] = (tile){.begin = begin, .own = at - begin};
        }
        t->list[k].rim = at - begin - t->list[k].own;
    }
    if (at <= t->room) return true;
    free(t->own_xyz);
    free(t->indices);
    t->own_xyz = malloc(at * 3 * sizeof *t->own_xyz);
    t->indices = malloc(at * sizeof *t->indices);
    t->room = t->own_xyz && t->indices ? at : 0;
    return t->room != 0;
}

static inline void put(tiles *t, size_t to, size_t i)
{
    memcpy(t->own_xyz + 3 * to, t->xyz + 3 * i, 3 * sizeof *t->xyz);
    t->indices[to] = (int64_t)i;
}

void tiles_scatter(tiles *t, int slice)
{
    const size_t begin = slice_begin(t, slice), end = slice_begin(t, slice + 1);
    size_t *const own = cursors_of(t, slice), *const rim = own + t->count;
    for (size_t i = begin; i < end; i++) put(t, own[t->tile_of[i]]++, i);
    for (size_t k = 0; k < t->near_count[slice]; k++) {
        const size_t i = t->near[begin + k];
        const place where = place_of(t, t->xyz + 3 * i);
        int rims[TILES_RIMS];
        const int count = rims_of(t, &where, rims);
        for (int r = 0; r < count; r++) put(t, rim[rims[r]]++, i);
    }
}
