/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map.h: the tiles of a survey: a table over coarse cells (rules/tiles.h), and how it is planned from counts.
 *
 *     clump_big_map_place(&map, &frame, &box, points, most, why);    the table and its cells
 *     clump_big_map_count(&map, &frame, stored, n, counts);          points per cell, of a sample or of all
 *     clump_big_map_cut(&map, &frame, counts, most, why);            the tiles
 *
 * The tiles depend on the box, the counts and `most` alone. Labels do not depend on them.
 *
 * The room, in the order of a run:
 *
 *     map.c         the tiles of a survey
 *     split.c       divides tiles that have too many points
 *     tile_load.c   the points of a tile, from the log
 *     tiles.c       clusters the tiles
 *     tile_groups.c clusters per class: the groups of a tile
 *     tile_thin.c   one point per voxel of a tile
 *     windows.c     sorted lists of all tiles, read together in windows of the index
 *     nodes.c       clusters that cross tiles: nodes of a union-find
 *     merge.c       from clusters of tiles to clusters of the survey
 *     number.c      numbers of all clusters
 */
#ifndef CLUMP_BIG_MAP_H
#define CLUMP_BIG_MAP_H

#include "frame.h"

typedef struct clump_big_map {
    clump_tiling tiling; /* its table is `tiles` */
    uint32_t *tiles;     /* one per cell; null before clump_big_map_cut() */
    uint32_t tile_count; /* at least 1 */
    int64_t first[3];    /* voxels that the table was made for; outside of them cells at the side are longer */
    int64_t last[3];
    bool bounded; /* frame steps: a tile inside of these voxels is short enough for exact floats */
} clump_big_map;

/* Chooses the coarse cells for a box of points. `all_axes` divides z too. Fails where no table can have the box. */
clump_status clump_big_map_place(clump_big_map *map, const clump_big_frame *frame, const int64_t first[3],
                                 const int64_t last[3], uint64_t points, uint64_t most, bool all_axes,
                                 clump_message *message);

/* Writes the voxels of the corners of a box. An empty box has one voxel. */
void clump_big_map_corners(const clump_big_frame *frame, const clump_big_box *box, int64_t first[3], int64_t last[3]);

/* Returns the number of cells. */
size_t clump_big_map_cells(const clump_big_map *map);

/* Returns the cell of a voxel. */
static inline size_t clump_big_map_cell(const clump_big_map *map, const int64_t voxel[3])
{
    const clump_tiling *const t = &map->tiling;
    const int64_t x = clump_tile_entry(t, 0, voxel[0]), y = clump_tile_entry(t, 1, voxel[1]);
    return (size_t)((clump_tile_entry(t, 2, voxel[2]) * t->size[1] + y) * t->size[0] + x);
}

/* Adds stored points to the counts of their cells. */
void clump_big_map_count(const clump_big_map *map, const clump_big_frame *frame, const void *stored, size_t count,
                         uint64_t *counts);

/* Divides the cells into tiles of at most `most` points, where cells allow. */
clump_status clump_big_map_cut(clump_big_map *map, const clump_big_frame *frame, const uint64_t *counts, uint64_t most,
                               clump_message *message);

/* Whether all points of a box are inside of the voxels that the table was made for, or it does not matter. */
bool clump_big_map_holds(const clump_big_map *map, const clump_big_frame *frame, const clump_big_box *box);

/* Whether consecutive stored points are all in one tile and in no rim, as most are; `record` bytes apart. False does not say
 * that they are not. */
bool clump_big_map_is_one(const clump_big_map *map, const clump_big_frame *frame, const unsigned char *stored,
                          size_t record, size_t count, uint32_t *tile);
enum { CLUMP_BIG_MAP_TOGETHER = 64 }; /* points to ask about: 16 to 128 take the same time */

void clump_big_map_release(clump_big_map *map);

/* Returns the tile of a stored point, and writes the tiles that need it in their rim: for Euclidean clustering those with a
 * larger number, as one side is enough. */
static inline uint32_t clump_big_map_find(const clump_big_map *map, const clump_big_frame *frame,
                                          const int64_t voxel[3], uint32_t rims[CLUMP_TILE_RIMS], int *rim_count)
{
    const uint32_t own = clump_tile_of(&map->tiling, voxel);
    *rim_count = 0;
    if (clump_tile_is_inside(&map->tiling, voxel)) return own;
    uint32_t near[CLUMP_TILE_RIMS];
    const int count = clump_tile_rims(&map->tiling, voxel, own, near);
    for (int k = 0; k < count; k++)
        if (frame->reach > 1 || near[k] > own) rims[(*rim_count)++] = near[k];
    return own;
}

#endif
