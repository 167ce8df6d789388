/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tiles.c: see tiles.h. A counting sort by tile, stable, so that own points ascend by index:
 *
 *     count     per slice of the cloud: points per tile, rim points per tile; points near a side of their box are listed
 *     place     where each slice puts its points of each tile
 *     scatter   points and indices to their tile; the listed ones also to the rims
 *
 * A coordinate in tiles is u = (x - low) scale, in double. Its rounding is below 2^-39 for u < 4096, so rims are 2^-36 wider
 * than the reach: no pair within reach is missed.
 */
#include "tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILES_RIMS = 7 }; /* that a point can be in */

static void grow_box(const float *p, float low[3], float high[3])
{
    for (int a = 0; a < 3; a++) {
        if (p[a] < low[a]) low[a] = p[a];
        if (p[a] > high[a]) high[a] = p[a];
    }
}

/* Divides the axis with the widest tiles, again and again. */
static void choose_size(tiles *t, const float low[3], const float high[3], double reach, size_t wanted)
{
    double side[3];
    for (int a = 0; a < 3; a++) {
        t->size[a] = 1;
        t->low[a] = high[a] >= low[a] ? (double)low[a] : 0;
        side[a] = high[a] >= low[a] ? (double)high[a] - (double)low[a] : 0;
    }
    t->count = 1;
    while ((size_t)t->count < wanted && t->count <= TILES_MOST / 2) {
        int a = side[0] >= side[1] ? 0 : 1;
        if (side[2] > side[a]) a = 2;
        if (side[a] < 16 * reach) break;
        side[a] /= 2;
        t->size[a] *= 2;
        t->count *= 2;
    }
    for (int a = 0; a < 3; a++) {
        t->scale[a] = t->size[a] > 1 ? 1 / side[a] : 0;
        t->rim[a] = reach * t->scale[a] + 0x1p-36;
    }
}

bool tiles_plan(tiles *t, const float *xyz, size_t points, double reach, size_t per_tile, bool one_sided, int slices)
{
    *t = (tiles){.xyz = xyz, .points = points, .one_sided = one_sided, .slices = slices};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < points; i++) grow_box(xyz + 3 * i, low, high);
    choose_size(t, low, high, reach, points / per_tile);
    t->tile_of = malloc(points * sizeof *t->tile_of + 1);
    t->near = malloc(points * sizeof *t->near + 1);
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

/* Where a point is along an axis: its tile, and whether it is near the tile before (-1) or behind (1). */
typedef struct place {
    int at[3], next[3];
} place;

static inline place place_of(const tiles *t, const float *p)
{
    place where;
    for (int a = 0; a < 3; a++) {
        const double u = ((double)p[a] - t->low[a]) * t->scale[a], last = t->size[a] - 1;
        const double inside = u > 0 ? u < last ? u : last : 0; /* NaN: 0 */
        const int at = (int)inside;
        where.at[a] = at;
        where.next[a] = at > 0 && u - at <= t->rim[a] ? -1 : at < last && u - at >= 1 - t->rim[a] ? 1 : 0;
    }
    return where;
}

static int tile_at(const tiles *t, const int at[3])
{
    return (at[2] * t->size[1] + at[1]) * t->size[0] + at[0];
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

void tiles_count(tiles *t, int slice)
{
    const size_t begin = slice_begin(t, slice), end = slice_begin(t, slice + 1);
    size_t *const own = cursors_of(t, slice), *const rim = own + t->count;
    size_t near = 0;
    memset(own, 0, (size_t)(2 * t->count) * sizeof *own);
    for (size_t i = begin; i < end; i++) {
        const place where = place_of(t, t->xyz + 3 * i);
        const int at = tile_at(t, where.at);
        t->tile_of[i] = (uint16_t)at;
        own[at]++;
        if (!(where.next[0] | where.next[1] | where.next[2])) continue;
        int rims[TILES_RIMS];
        const int count = rims_of(t, &where, rims);
        for (int r = 0; r < count; r++) rim[rims[r]]++;
        if (count) t->near[begin + near++] = (uint32_t)i;
    }
    t->near_count[slice] = near;
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
