/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tiles.h: cuts a cloud in memory into tiles with rims, as pieces for clump_joint_add().
 */
#ifndef CLUMP_BENCH_TILES_H
#define CLUMP_BENCH_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TILES_MOST = 4096, TILES_SLICES = 64 };

/* A tile: points at `begin`, own ones first. */
typedef struct tile {
    size_t begin, own, rim;
} tile;

/* Boxes of equal size, in a grid over the cloud. */
typedef struct tiles {
    const float *xyz; /* the cloud, not owned */
    size_t points;
    int size[3]; /* boxes along each axis */
    int count;   /* tiles: their product */
    bool one_sided;
    float low[3], scale[3], rim[3]; /* corner; tiles per unit; width of the rim, in tiles */
    tile list[TILES_MOST];
    float *own_xyz;   /* of all tiles: three floats per point */
    int64_t *indices; /* of all tiles */
    size_t room;      /* points that own_xyz and indices have room for */

    /* Work of the slices, which threads do. */
    int slices;
    uint16_t *tile_of; /* one per point */
    uint32_t *near;    /* points that are in a rim, slice by slice */
    size_t near_count[TILES_SLICES];
    size_t *cursors; /* per slice and tile: next place of an own point, then of a rim point */
} tiles;

/* Plans boxes with about per_tile points, at least 8 reaches wide. one_sided: a point is only in
 * rims of tiles behind its own, which is enough for Euclidean clustering. `t` is zeroed, or has planned the same before: then its memory is used again.
 * Returns false where memory is missing. */
bool tiles_plan(tiles *t, const float *xyz, size_t points, double reach, size_t per_tile, bool one_sided, int slices);

/* The steps of cutting. Threads call the first and the last, one slice each; in between, one thread calls tiles_place(),
 * which returns false where memory is missing. */
void tiles_count(tiles *t, int slice);
bool tiles_place(tiles *t);
void tiles_scatter(tiles *t, int slice);

void tiles_free(tiles *t);

#endif
