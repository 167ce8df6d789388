/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sink.c: see log.h. Consecutive points of a survey are mostly in one tile: they are copied in one piece.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "store/log.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SINK_LEAST_POINTS = 64,    /* per tile */
    SINK_MOST_POINTS = 1 << 16 /* 0.9 MB: larger segments are not faster */
};
#define SINK_NONE UINT64_MAX

typedef struct clump_big_sunk {
    uint32_t points, rims, runs;
    uint64_t last; /* block and kind of the last run */
} clump_big_sunk;

/* Room for one run per 8 points, and some. */
static uint32_t runs_for(uint32_t points)
{
    return points / 8 + 8;
}

static size_t stride_for(uint32_t points, const clump_big_log *log)
{
    const size_t bytes = points * (log->record + log->place) + runs_for(points) * sizeof(clump_big_points_run);
    return (bytes + 63) / 64 * 64;
}

clump_status clump_big_sink_open(clump_big_log *log, uint32_t first_tile, uint32_t tiles, size_t bytes,
                                 clump_big_sink *out, clump_message *message)
{
    CLUMP_ASSERT(tiles >= 1);
    uint32_t capacity = SINK_MOST_POINTS;
    while (capacity > SINK_LEAST_POINTS && tiles * stride_for(capacity, log) > bytes) capacity /= 2;
    *out = (clump_big_sink){.log = log,
                            .first_tile = first_tile,
                            .tiles = tiles,
                            .capacity = capacity,
                            .run_capacity = runs_for(capacity),
                            .stride = stride_for(capacity, log)};
    out->sunk = calloc(tiles, sizeof *out->sunk);
    out->tile_of = malloc(CLUMP_BLOCK_POINTS * sizeof *out->tile_of);
    out->outer = malloc(CLUMP_BLOCK_POINTS * sizeof *out->outer);
    /* Pages of tiles that get no point are never touched. */
    void *const memory =
        mmap(NULL, tiles * out->stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    out->memory = memory == MAP_FAILED ? NULL : memory;
    if (out->sunk && out->tile_of && out->outer && out->memory) return CLUMP_OK;
    clump_big_sink_close(out);
    return clump_big_no_memory(message, tiles * stride_for(capacity, log));
}

void clump_big_sink_close(clump_big_sink *sink)
{
    if (sink->memory) munmap(sink->memory, sink->tiles * sink->stride);
    free(sink->sunk);
    free(sink->tile_of);
    free(sink->outer);
    *sink = (clump_big_sink){0};
}

static clump_big_points_run *runs_of(const clump_big_sink *sink, uint32_t tile)
{
    return (clump_big_points_run *)(void *)(sink->memory + tile * sink->stride);
}

static unsigned char *stored_of(const clump_big_sink *sink, uint32_t tile)
{
    return (unsigned char *)(runs_of(sink, tile) + sink->run_capacity);
}

static uint16_t *places_of(const clump_big_sink *sink, uint32_t tile)
{
    return (uint16_t *)(void *)(stored_of(sink, tile) + sink->capacity * sink->log->record);
}

static clump_status flush_tile(clump_big_sink *sink, uint32_t tile, clump_message *message)
{
    clump_big_sunk *const b = &sink->sunk[tile];
    if (b->points == 0) return CLUMP_OK;
    const clump_big_segment segment = {0, sink->first_tile + tile, b->points, b->rims, b->runs};
    *b = (clump_big_sunk){.last = SINK_NONE};
    return clump_big_log_append(sink->log, segment, runs_of(sink, tile), stored_of(sink, tile), places_of(sink, tile),
                                message);
}

clump_status clump_big_sink_flush(clump_big_sink *sink, clump_message *message)
{
    for (uint32_t t = 0; t < sink->tiles; t++) CLUMP_BIG_TRY(flush_tile(sink, t, message));
    return CLUMP_OK;
}

clump_status clump_big_sink_add(clump_big_sink *sink, uint32_t tile, uint32_t block, uint32_t kind,
                                const unsigned char *stored, const uint16_t *places, size_t count,
                                clump_message *message)
{
    CLUMP_ASSERT(tile < sink->tiles);
    clump_big_sunk *const b = &sink->sunk[tile];
    const size_t record = sink->log->record;
    const uint64_t key = (uint64_t)block << 1 | (kind != 0);
    for (size_t at = 0, now; at < count; at += now) {
        if (b->points == sink->capacity || (b->runs == sink->run_capacity && b->last != key))
            CLUMP_BIG_TRY(flush_tile(sink, tile, message));
        const size_t room = sink->capacity - b->points;
        now = count - at < room ? count - at : room;
        clump_big_points_run *const runs = runs_of(sink, tile);
        if (b->runs == 0 || b->last != key) runs[b->runs++] = (clump_big_points_run){block, kind};
        b->last = key;
        runs[b->runs - 1].count += (uint32_t)now;
        memcpy(stored_of(sink, tile) + b->points * record, stored + at * record, now * record);
        if (places) memcpy(places_of(sink, tile) + b->points, places + at, now * sizeof *places);
        b->points += (uint32_t)now;
        b->rims += kind ? (uint32_t)now : 0;
    }
    return CLUMP_OK;
}

/* Finds the tile of every point, and lists those that may be in a rim. Returns how many. */
static size_t find_tiles(const clump_big_sink *sink, const clump_big_map *map, const clump_big_frame *frame,
                         const unsigned char *stored, size_t count)
{
    const size_t record = sink->log->record;
    size_t outer = 0;
    for (size_t i = 0, end; i < count; i = end) {
        uint32_t tile;
        end = count - i < CLUMP_BIG_MAP_TOGETHER ? count : i + CLUMP_BIG_MAP_TOGETHER;
        const bool one = clump_big_map_is_one(map, frame, stored + i * record, record, end - i, &tile);
        for (size_t k = i; k < end; k++) {
            int64_t voxel[3];
            if (one) {
                sink->tile_of[k] = tile;
                continue;
            }
            clump_big_voxel(frame, stored + k * record, voxel);
            sink->tile_of[k] = clump_tile_of(&map->tiling, voxel);
            sink->outer[outer] = (uint32_t)k;
            outer += !clump_tile_is_inside(&map->tiling, voxel);
        }
    }
    return outer;
}

clump_status clump_big_sink_own(clump_big_sink *sink, const clump_big_map *map, const clump_big_frame *frame,
                                uint32_t block, const void *stored, const uint16_t *places, size_t count,
                                clump_message *message)
{
    CLUMP_ASSERT(count <= 65536);
    const unsigned char *const bytes = stored;
    const size_t record = sink->log->record;
    size_t outer = 0;
    if (map->tile_count > 1)
        outer = find_tiles(sink, map, frame, bytes, count);
    else
        memset(sink->tile_of, 0, count * sizeof *sink->tile_of);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sink->tile_of[end] == sink->tile_of[i]; end++) {}
        CLUMP_BIG_TRY(
            clump_big_sink_add(sink, sink->tile_of[i], block, 0, bytes + i * record, places + i, end - i, message));
    }
    for (size_t k = 0; k < outer; k++) {
        const size_t i = sink->outer[k];
        int64_t voxel[3];
        uint32_t rims[CLUMP_TILE_RIMS];
        int rim_count;
        clump_big_voxel(frame, bytes + i * record, voxel);
        clump_big_map_find(map, frame, voxel, rims, &rim_count);
        for (int r = 0; r < rim_count; r++)
            CLUMP_BIG_TRY(
                clump_big_sink_add(sink, rims[r], block, CLUMP_BIG_RIM, bytes + i * record, places + i, 1, message));
    }
    return CLUMP_OK;
}

clump_status clump_big_sink_rim(clump_big_sink *sink, const clump_big_map *map, const clump_big_frame *frame,
                                uint32_t block, const void *stored, const uint16_t *places, size_t count,
                                clump_message *message)
{
    CLUMP_ASSERT(count <= 65536);
    const size_t record = sink->log->record;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *const point = (const unsigned char *)stored + i * record;
        int64_t voxel[3];
        uint32_t rims[CLUMP_TILE_RIMS + 1];
        clump_big_voxel(frame, point, voxel);
        rims[CLUMP_TILE_RIMS] = clump_tile_of(&map->tiling, voxel);
        const int near = clump_tile_rims(&map->tiling, voxel, rims[CLUMP_TILE_RIMS], rims);
        rims[near] = rims[CLUMP_TILE_RIMS];
        for (int r = 0; r <= near; r++)
            CLUMP_BIG_TRY(clump_big_sink_add(sink, rims[r], block, CLUMP_BIG_RIM, point, places + i, 1, message));
    }
    return CLUMP_OK;
}
