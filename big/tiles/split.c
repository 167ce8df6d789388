/* SPDX-License-Identifier: BSD-3-Clause
 *
 * split.c: divides tiles that have more points than a thread has memory for: the sample of the survey was not even, or
 * one coarse cell has too many points. The points of the tile are scattered again, over a finer map of their own box.
 *
 * Rims stay right: the rim of the tile goes to the parts that are near. Parts are in each other's rims by the finer
 * map. Points of the tile that are in rims of other tiles stay there, as rims know points by their index.
 */
#include "job.h"

#include "common/assert.h"
#include "common/bytes_text.h"

#include <stdlib.h>

/* ----- the list of tiles ---------------------------------------------------------------------------------------------- */

clump_status clump_big_add_tiles(clump_big_job *job, uint32_t count, uint32_t cut, clump_message *message)
{
    CLUMP_ASSERT(count >= 1);
    const size_t all = (size_t)job->tile_count + count;
    if (all >= UINT32_MAX) return clump_big_fail(message, CLUMP_ERR_TOO_MANY, "there are more than 2^32 tiles");
    clump_big_tile *const tiles = realloc(job->tiles, all * sizeof *tiles);
    if (!tiles) return clump_big_no_memory(message, all * sizeof *tiles);
    job->tiles = tiles;
    for (size_t t = job->tile_count; t < all; t++) tiles[t] = (clump_big_tile){.cut = cut};
    job->tile_count = (uint32_t)all;
    return CLUMP_OK;
}

clump_status clump_big_count_tiles(clump_big_job *job, clump_message *message)
{
    size_t *const segments = realloc(job->segments, ((size_t)job->tile_count + 1) * sizeof *segments);
    if (!segments) return clump_big_no_memory(message, ((size_t)job->tile_count + 1) * sizeof *segments);
    job->segments = segments;
    clump_big_log_sort(&job->log, job->tile_count, segments);
    for (uint32_t t = 0; t < job->tile_count; t++) job->tiles[t].own = job->tiles[t].rim = 0;
    for (size_t k = 0; k < job->log.count; k++) {
        const clump_big_segment *const s = &job->log.segments[k];
        if (s->tile >= job->tile_count || job->tiles[s->tile].divided) continue; /* a division that comes later */
        clump_big_tile *const tile = &job->tiles[s->tile];
        tile->own += s->points - s->rims;
        tile->rim += s->rims;
    }
    return CLUMP_OK;
}

/* ----- the points of a tile ------------------------------------------------------------------------------------------- */

/* The passes through the points. */
typedef enum split_pass { SPLIT_BOX, SPLIT_COUNT, SPLIT_SCATTER, SPLIT_PASSES } split_pass;

typedef struct split {
    clump_big_job *job;
    uint32_t number; /* of the tile */
    split_pass pass;
    size_t visited; /* segments, in this pass */
    clump_big_map *map;
    int64_t first[3], last[3]; /* box of voxels */
    uint64_t *counts;
    clump_big_sink sink;
} split;

static void add_to_box(split *s, const unsigned char *stored, size_t count)
{
    const size_t record = clump_big_frame_bytes(&s->job->frame);
    for (size_t i = 0; i < count; i++) {
        int64_t voxel[3];
        clump_big_voxel(&s->job->frame, stored + i * record, voxel);
        for (int a = 0; a < 3; a++) {
            s->first[a] = voxel[a] < s->first[a] ? voxel[a] : s->first[a];
            s->last[a] = voxel[a] > s->last[a] ? voxel[a] : s->last[a];
        }
    }
}

static clump_status visit_segment(void *user, const clump_big_segment *segment, const clump_big_points_run *runs,
                                  const unsigned char *stored, const unsigned char *places, clump_message *message)
{
    split *const s = user;
    clump_big_job *const job = s->job;
    const size_t segments = job->segments[s->number + 1] - job->segments[s->number];
    const double share = ((double)s->pass + (double)s->visited++ / (double)segments) / (double)SPLIT_PASSES;
    CLUMP_BIG_TRY(clump_big_step(job, CLUMP_BIG_SPLIT, (s->number + share) / job->tile_count, message));
    for (uint32_t r = 0; r < segment->runs; r++) {
        const size_t count = runs[r].count & ~CLUMP_BIG_RIM;
        const bool rim = runs[r].count & CLUMP_BIG_RIM;
        const uint16_t *const place = (const uint16_t *)(const void *)places;
        if (s->pass == SPLIT_SCATTER)
            CLUMP_BIG_TRY((rim ? clump_big_sink_rim : clump_big_sink_own)(&s->sink, s->map, &job->frame, runs[r].block,
                                                                          stored, place, count, message));
        else if (s->pass == SPLIT_COUNT && !rim)
            clump_big_map_count(s->map, &job->frame, stored, count, s->counts);
        else if (!rim)
            add_to_box(s, stored, count);
        stored += count * job->log.record, places += count * job->log.place;
    }
    return CLUMP_OK;
}

static clump_status run_pass(split *s, split_pass pass, clump_message *message)
{
    const size_t *const segments = s->job->segments + s->number;
    CLUMP_ASSERT(s->number < s->job->tile_count);
    s->pass = pass;
    s->visited = 0;
    return clump_big_log_read(&s->job->log, segments[0], segments[1], visit_segment, s, message);
}

/* ----- division ------------------------------------------------------------------------------------------------------- */

/* Plans the parts of a tile. A map of one tile says that the tile cannot be divided. */
static clump_status plan_parts(clump_big_job *job, uint32_t number, uint64_t most, clump_big_map *map,
                               clump_message *message)
{
    CLUMP_ASSERT(number < job->tile_count && most >= 1);
    split s = {.job = job, .number = number, .map = map};
    for (int a = 0; a < 3; a++) s.first[a] = INT64_MAX, s.last[a] = INT64_MIN;
    CLUMP_BIG_TRY(run_pass(&s, SPLIT_BOX, message));
    CLUMP_BIG_TRY(clump_big_map_place(map, &job->frame, s.first, s.last, job->tiles[number].own, most, true, message));
    s.counts = calloc(clump_big_map_cells(map), sizeof *s.counts);
    if (!s.counts) return clump_big_no_memory(message, clump_big_map_cells(map) * sizeof *s.counts);
    clump_status status = run_pass(&s, SPLIT_COUNT, message);
    if (status == CLUMP_OK) status = clump_big_map_cut(map, &job->frame, s.counts, most, message);
    free(s.counts);
    return status;
}

/* Enters a division into the list: the tile has no points any more, its parts are new tiles. */
static clump_status enter_cut(clump_big_job *job, uint32_t number, clump_big_map *map, clump_message *message)
{
    CLUMP_ASSERT(number < job->tile_count && map->tile_count > 1);
    clump_big_cut *const cuts = realloc(job->cuts, ((size_t)job->cut_count + 1) * sizeof *cuts);
    if (!cuts) return clump_big_no_memory(message, ((size_t)job->cut_count + 1) * sizeof *cuts);
    job->cuts = cuts;
    cuts[job->cut_count++] = (clump_big_cut){number, job->tile_count, *map};
    *map = (clump_big_map){0};
    job->tiles[number].divided = true;
    return clump_big_add_tiles(job, cuts[job->cut_count - 1].map.tile_count, job->cut_count, message);
}

static clump_status divide(clump_big_job *job, uint32_t number, uint64_t most, clump_big_map *map,
                           clump_message *message)
{
    split s = {.job = job, .number = number, .map = map};
    CLUMP_BIG_TRY(
        clump_big_sink_open(&job->log, job->tile_count, map->tile_count, job->budget.buffers, &s.sink, message));
    clump_status status = run_pass(&s, SPLIT_SCATTER, message);
    if (status == CLUMP_OK) status = clump_big_sink_flush(&s.sink, message);
    job->log.own = 0; /* points that were counted before */
    clump_big_sink_close(&s.sink);
    if (status == CLUMP_OK) status = clump_big_file_sync(&job->log.file, message);
    const clump_big_record record = {
        .kind = CLUMP_BIG_RECORD_SPLIT, .tile = number, .count = map->tile_count, .bytes = job->log.size, .own = most};
    if (status == CLUMP_OK) status = clump_big_journal_add(&job->journal, record, true, message);
    if (status == CLUMP_OK) status = enter_cut(job, number, map, message);
    return status == CLUMP_OK ? clump_big_count_tiles(job, message) : status;
}

/* Returns whether a tile that cannot be divided has too many points for all of the memory. */
static bool is_too_large(const clump_big_job *job, const clump_big_tile *tile)
{
    return !job->hooks->most && tile->own + tile->rim > job->budget.most * (uint64_t)job->budget.tilers;
}

/* Refuses the run for its largest tile that cannot be divided. With the memory that is named, all tiles can be clustered:
 * another plan may give the same points a rim that is an eighth larger. */
static clump_status refuse_tile(const clump_big_job *job, const clump_big_tile *tile, clump_message *message)
{
    char ram[32];
    const uint64_t points = tile->own + tile->rim;
    clump_bytes_text(ram, sizeof ram, (double)job->budget.ram);
    return clump_big_fail(
        message, CLUMP_ERR_OUT_OF_MEMORY,
        "%llu points are so near to each other that they must be in memory at the same time, for which %s are not "
        "enough: use --ram %lluM or more",
        (unsigned long long)points, ram, (unsigned long long)clump_big_budget_for_tile(job, points + points / 8));
}

clump_status clump_big_split(clump_big_job *job, clump_message *message)
{
    const uint64_t most = job->budget.most;
    uint32_t largest = UINT32_MAX; /* tile that is too large */
    for (uint32_t number = 0; number < job->tile_count; number++) {
        const clump_big_tile *const tile = &job->tiles[number];
        if (tile->done || (tile->own <= most && (tile->own < most / 2 || tile->own + tile->rim <= 2 * most))) continue;
        clump_big_map map = {0};
        clump_status status = plan_parts(job, number, most - most / 16, &map, message);
        if (status == CLUMP_OK && map.tile_count > 1)
            status = divide(job, number, most - most / 16, &map, message);
        else if (status == CLUMP_OK && is_too_large(job, tile) &&
                 (largest == UINT32_MAX || tile->own + tile->rim > job->tiles[largest].own + job->tiles[largest].rim))
            largest = number;
        clump_big_map_release(&map);
        CLUMP_BIG_TRY(status);
    }
    return largest == UINT32_MAX ? CLUMP_OK : refuse_tile(job, &job->tiles[largest], message);
}

clump_status clump_big_split_restore(clump_big_job *job, const clump_big_record *record, clump_message *message)
{
    clump_big_map map = {0};
    clump_status status = CLUMP_OK;
    const bool known = record->tile < job->tile_count && !job->tiles[record->tile].divided && record->own > 0;
    if (known) {
        status = clump_big_count_tiles(job, message);
        if (status == CLUMP_OK) status = plan_parts(job, record->tile, record->own, &map, message);
    }
    if (status == CLUMP_OK && (!known || map.tile_count != record->count))
        status = clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                                "%.300s: the journal does not fit the points; remove the folder", job->disk.path);
    if (status == CLUMP_OK) status = enter_cut(job, record->tile, &map, message);
    clump_big_map_release(&map);
    return status;
}
