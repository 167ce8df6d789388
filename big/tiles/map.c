/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map.c: see map.h.
 *
 * In the frame `steps` a tile must be short: its floats are offsets from its centre. So no tile crosses the sides of
 * square regions of 2^23 steps, whatever the plan by counts says.
 */
#include "tiles/map.h"

#include "common/assert.h"
#include "common/sort.h"
#include "common/tile_plan.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#define MAP_REGION     ((int64_t)1 << 23) /* steps */
#define MAP_SPAN       ((int64_t)1 << 25) /* steps that a tile with its rim may have */
#define MAP_MOST_CELLS ((int64_t)1 << 22)

enum {
    MAP_CELLS_PER_TILE = 256, /* tiles are even within 1 / 16 of their side */
    MAP_LEAST_CELLS = 4096,
    MAP_MOST_LOOKED_AT = 64,   /* cells, for points that are asked about together */
    MAP_MOST_PLANNED = 1 << 20 /* cells beyond these would cost more memory than even tiles save */
};

void clump_big_map_corners(const clump_big_frame *frame, const clump_big_box *box, int64_t first[3], int64_t last[3])
{
    for (int a = 0; a < 3; a++) first[a] = last[a] = 0;
    if (frame->coordinates == CLUMP_COORDINATES_STEPS) {
        if (box->lower_step[0] > box->upper_step[0]) return;
        int64_t lower[3], upper[3];
        for (int a = 0; a < 3; a++) {
            lower[a] = box->lower_step[a] - frame->base[a];
            upper[a] = box->upper_step[a] - frame->base[a];
        }
        clump_big_voxel_of_steps(frame, lower, first);
        clump_big_voxel_of_steps(frame, upper, last);
        return;
    }
    float lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        const float low = (float)(box->lower[a] - frame->origin[a]), high = (float)(box->upper[a] - frame->origin[a]);
        if (isfinite(low) && isfinite(high)) lower[a] = low, upper[a] = high;
    }
    clump_big_voxel_of_floats(frame, lower, first);
    clump_big_voxel_of_floats(frame, upper, last);
}

size_t clump_big_map_cells(const clump_big_map *map)
{
    return (size_t)(map->tiling.size[0] * map->tiling.size[1] * map->tiling.size[2]);
}

/* Lays cells of 2^shift voxels over the voxels of the map. Returns how many there are; saturates. */
static int64_t lay_cells(clump_big_map *map, int shift, const bool divided[3])
{
    CLUMP_ASSERT(shift >= 0 && shift < 64);
    int64_t cells = 1;
    for (int a = 0; a < 3; a++) {
        clump_tiling *const t = &map->tiling;
        t->shift[a] = shift;
        t->first[a] = divided[a] ? map->first[a] >> shift : 0;
        t->size[a] = divided[a] ? (map->last[a] >> shift) - t->first[a] + 1 : 1;
        cells = t->size[a] > INT64_MAX / cells ? INT64_MAX : cells * t->size[a];
    }
    return cells;
}

/* Whether the floats of a tile need short tiles: not where the whole box is short. */
static bool needs_regions(const clump_big_map *map, const clump_big_frame *frame)
{
    int64_t longest = 0;
    for (int a = 0; a < (frame->flat ? 2 : 3); a++)
        longest = map->last[a] - map->first[a] > longest ? map->last[a] - map->first[a] : longest;
    return frame->kind == CLUMP_FILE_FRAME_STEPS && (longest + 3) * frame->edge >= MAP_SPAN;
}

clump_status clump_big_map_place(clump_big_map *map, const clump_big_frame *frame, const int64_t first[3],
                                 const int64_t last[3], uint64_t points, uint64_t most, bool all_axes,
                                 clump_message *message)
{
    CLUMP_ASSERT(most >= 1);
    *map = (clump_big_map){.tiling.reach = frame->reach};
    memcpy(map->first, first, sizeof map->first);
    memcpy(map->last, last, sizeof map->last);
    map->bounded = needs_regions(map, frame);
    int longest = map->bounded ? 23 : 40;
    const int least = frame->reach;
    while (map->bounded && longest > least && frame->edge << longest > MAP_REGION) longest--;
    if (map->bounded && (((int64_t)1 << least) + 2 * frame->reach) * frame->edge >= MAP_SPAN)
        return clump_big_fail(
            message, CLUMP_ERR_ARGUMENT,
            "a distance of %g steps is too long for a cloud of more than 2^25 steps; use the frame whole",
            (double)frame->d);
    const bool deep = (map->last[2] - map->first[2] + 1) * (map->bounded ? frame->edge : 0) >= MAP_REGION;
    const bool divided[3] = {true, true, !frame->flat && (all_axes || deep)};
    const uint64_t tiles = points / (most > 0 ? most : 1) + 1;
    int64_t wanted = tiles < MAP_MOST_PLANNED ? (int64_t)tiles * MAP_CELLS_PER_TILE : MAP_MOST_PLANNED;
    wanted = wanted < MAP_LEAST_CELLS ? MAP_LEAST_CELLS : wanted > MAP_MOST_PLANNED ? MAP_MOST_PLANNED : wanted;
    int shift = least;
    while (shift < longest && lay_cells(map, shift, divided) > wanted) shift++;
    if (lay_cells(map, shift, divided) > MAP_MOST_CELLS)
        return clump_big_fail(message, CLUMP_ERR_IO_UNSUPPORTED,
                              "the box is too large for exact steps of %.15g; use the frame whole", frame->step);
    return CLUMP_OK;
}

void clump_big_map_count(const clump_big_map *map, const clump_big_frame *frame, const void *stored, size_t count,
                         uint64_t *counts)
{
    const size_t bytes = clump_big_frame_bytes(frame);
    for (size_t i = 0; i < count; i++) {
        int64_t voxel[3];
        clump_big_voxel(frame, (const unsigned char *)stored + i * bytes, voxel);
        counts[clump_big_map_cell(map, voxel)]++;
    }
}

/* ----- tiles ---------------------------------------------------------------------------------------------------------- */

/* Divides tiles at the sides of regions. New numbers are in the order of the old ones. */
static clump_status cut_regions(clump_big_map *map, const clump_big_frame *frame, clump_message *message)
{
    const clump_tiling *const t = &map->tiling;
    const size_t cells = clump_big_map_cells(map);
    const int64_t side = MAP_REGION / (frame->edge << t->shift[0]) > 0 ? MAP_REGION / (frame->edge << t->shift[0]) : 1;
    clump_pair *const pairs = malloc(2 * cells * sizeof *pairs);
    if (!pairs) return clump_big_no_memory(message, 2 * cells * sizeof *pairs);
    size_t i = 0;
    for (int64_t z = 0; z < t->size[2]; z++)
        for (int64_t y = 0; y < t->size[1]; y++)
            for (int64_t x = 0; x < t->size[0]; x++, i++) {
                const int64_t wide = t->size[0] / side + 1, high = t->size[1] / side + 1;
                const int64_t region = ((z / side) * high + y / side) * wide + x / side;
                pairs[i] = (clump_pair){(uint64_t)map->tiles[i] << 32 | (uint64_t)region, i};
            }
    clump_pair_sort(pairs, pairs + cells, cells);
    uint32_t tile = 0;
    for (i = 0; i < cells; i++) {
        if (i > 0 && pairs[i].key != pairs[i - 1].key) tile++;
        map->tiles[pairs[i].value] = tile;
    }
    map->tile_count = tile + 1;
    free(pairs);
    return CLUMP_OK;
}

clump_status clump_big_map_cut(clump_big_map *map, const clump_big_frame *frame, const uint64_t *counts, uint64_t most,
                               clump_message *message)
{
    CLUMP_ASSERT(most >= 1);
    const size_t cells = clump_big_map_cells(map);
    map->tiles = malloc(cells * sizeof *map->tiles);
    if (!map->tiles) return clump_big_no_memory(message, cells * sizeof *map->tiles);
    map->tile_count = clump_tile_plan(map->tiling.size, counts, most, map->tiles, NULL);
    map->tiling.tiles = map->tiles;
    return map->bounded ? cut_regions(map, frame, message) : CLUMP_OK;
}

bool clump_big_map_holds(const clump_big_map *map, const clump_big_frame *frame, const clump_big_box *box)
{
    int64_t first[3], last[3];
    if (frame->kind != CLUMP_FILE_FRAME_STEPS || box->lower_step[0] > box->upper_step[0]) return true;
    clump_big_map_corners(frame, box, first, last);
    bool held = true;
    for (int a = 0; a < 3; a++) held &= first[a] >= map->first[a] && last[a] <= map->last[a];
    if (held) return true;
    clump_big_map real = {0};
    memcpy(real.first, first, sizeof first);
    memcpy(real.last, last, sizeof last);
    return !needs_regions(&real, frame);
}

/* A voxel is a monotone function of a coordinate, and an entry of a voxel. So the tiles of the points, and of the voxels within
 * reach of theirs, are among those of the entries between the lowest and the highest. */
bool clump_big_map_is_one(const clump_big_map *map, const clump_big_frame *frame, const unsigned char *stored,
                          size_t record, size_t count, uint32_t *tile)
{
    const clump_tiling *const t = &map->tiling;
    int32_t low[3], high[3];
    if (frame->stored != CLUMP_BIG_I32 || count == 0) return false;
    memcpy(low, stored, sizeof low);
    memcpy(high, stored, sizeof high);
    for (size_t i = 1; i < count; i++) {
        int32_t p[3];
        memcpy(p, stored + i * record, sizeof p);
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    int64_t first[3], last[3], cells = 1;
    clump_big_voxel(frame, low, first);
    clump_big_voxel(frame, high, last);
    for (int k = 0; k < 3; k++) {
        first[k] = clump_tile_entry(t, k, first[k] - t->reach);
        last[k] = clump_tile_entry(t, k, last[k] + t->reach);
        cells *= last[k] - first[k] + 1;
        if (cells > MAP_MOST_LOOKED_AT) return false;
    }
    *tile = clump_tile_at(t, first[0], first[1], first[2]);
    for (int64_t z = first[2]; z <= last[2]; z++)
        for (int64_t y = first[1]; y <= last[1]; y++)
            for (int64_t x = first[0]; x <= last[0]; x++)
                if (clump_tile_at(t, x, y, z) != *tile) return false;
    return true;
}

void clump_big_map_release(clump_big_map *map)
{
    free(map->tiles);
    *map = (clump_big_map){0};
}
