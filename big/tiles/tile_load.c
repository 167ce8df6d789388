/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_load.c: see tiles.h. The runs of all segments are sorted by block, own points before rim points. Then every
 * run has its place, and segments are read one at a time.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "tiles/tiles.h"

#include "common/assert.h"
#include "common/sort.h"
#include "store/fail.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Where the runs of a tile go. */
typedef struct run_places {
    size_t count;
    clump_pair *pairs; /* scratch behind them */
    size_t *to;        /* per run, in the order of the segments: its first point */
} run_places;

static void free_memory(unsigned char **memory, size_t *size)
{
    if (*memory) munmap(*memory, *size);
    *memory = NULL, *size = 0;
}

/* Makes room for `size` bytes; the content is lost. Pages go back to the system at once when they are not needed. */
static clump_status reserve(unsigned char **memory, size_t *size, size_t wanted, clump_message *message)
{
    if (*size >= wanted) return CLUMP_OK;
    free_memory(memory, size);
    void *const fresh = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return clump_big_no_memory(message, wanted);
    *memory = fresh, *size = wanted;
    return CLUMP_OK;
}

/* Cuts the next array off the memory. */
static void *cut(unsigned char **at, size_t bytes)
{
    void *const array = *at;
    *at += (bytes + 63) / 64 * 64;
    return array;
}

static clump_status make_arrays(const clump_big_job *job, clump_big_loaded *out, unsigned char **stored,
                                clump_message *message)
{
    CLUMP_ASSERT(out->own <= out->count);
    const size_t n = out->count, record = clump_big_frame_coordinates(&job->frame);
    const bool apart = record != 3 * sizeof(float); /* stored coordinates do not fit into the floats */
    const size_t ids = job->frame.ids ? sizeof *out->ids + CLUMP_BIG_SPARE : 0;
    const size_t wanted = n * (12 + 8 + ids) + out->own * 5 + (apart ? n * record : 0) + 16 * 64;
    CLUMP_BIG_TRY(reserve(&out->memory, &out->memory_size, wanted, message));
    unsigned char *at = out->memory;
    out->xyz = cut(&at, n * 12);
    out->indices = cut(&at, n * 8);
    out->labels = cut(&at, out->own * 4);
    out->strip = cut(&at, out->own);
    out->ids = ids ? cut(&at, n * sizeof *out->ids) : NULL;
    out->spare = ids ? cut(&at, n * CLUMP_BIG_SPARE + 6 * 64) : NULL;
    CLUMP_ASSERT((size_t)(at - out->memory) <= out->memory_size);
    *stored = apart ? cut(&at, n * record) : (unsigned char *)out->xyz;
    return CLUMP_OK;
}

/* ----- runs ----------------------------------------------------------------------------------------------------------- */

static clump_status refuse_runs(const clump_big_job *job, const clump_big_segment *s, clump_message *message)
{
    return clump_big_fail(message, CLUMP_ERR_IO_FORMAT,
                          "%.300s/" CLUMP_BIG_LOG_NAME
                          ": damaged at byte %llu; remove the folder to start from the beginning",
                          job->disk.path, (unsigned long long)s->at);
}

/* Reads the runs of all segments and gives each its place. */
static clump_status place_runs(const clump_big_job *job, const clump_big_segment *segments, size_t count, size_t own,
                               run_places *runs, clump_message *message)
{
    size_t at = 0, widest = 0;
    for (size_t k = 0; k < count; k++) runs->count += segments[k].runs;
    for (size_t k = 0; k < count; k++) widest = segments[k].runs > widest ? segments[k].runs : widest;
    const size_t bytes = runs->count * (2 * sizeof *runs->pairs + sizeof *runs->to) + widest * 8 + 64;
    runs->pairs = malloc(bytes);
    if (!runs->pairs) return clump_big_no_memory(message, bytes);
    runs->to = (size_t *)(void *)(runs->pairs + 2 * runs->count);
    clump_big_points_run *const read = (clump_big_points_run *)(void *)(runs->to + runs->count);
    for (size_t k = 0; k < count; k++) {
        CLUMP_BIG_TRY(clump_big_workers_poll(&job->workers, message));
        CLUMP_BIG_TRY(clump_big_log_read_runs(&job->log, &segments[k], read, message));
        for (uint32_t r = 0; r < segments[k].runs; r++, at++) {
            const uint64_t kind = read[r].count >> 31;
            runs->pairs[at] = (clump_pair){kind << 32 | read[r].block, at};
            runs->to[at] = read[r].count & ~CLUMP_BIG_RIM;
        }
    }
    CLUMP_ASSERT(at == runs->count);
    clump_pair_sort(runs->pairs, runs->pairs + runs->count, runs->count);
    size_t next = 0;
    for (size_t k = 0; k < runs->count; k++) {
        size_t *const to = &runs->to[runs->pairs[k].value];
        const size_t points = *to;
        if (runs->pairs[k].key >> 32 && next < own) return refuse_runs(job, segments, message);
        *to = next;
        next += points;
    }
    return CLUMP_OK;
}

/* ----- points --------------------------------------------------------------------------------------------------------- */

/* Divides stored points into coordinates and classes. */
static void divide_points(const unsigned char *stored, size_t count, size_t record, unsigned char *points,
                          uint16_t *ids)
{
    const size_t coordinates = record - sizeof *ids;
    for (size_t i = 0; i < count; i++, stored += record) {
        memcpy(points + i * coordinates, stored, coordinates);
        memcpy(&ids[i], stored + coordinates, sizeof *ids);
    }
}

/* Copies the points of a segment to their places. */
static bool place_points(const clump_big_segment *s, const clump_big_points_run *runs, const unsigned char *stored,
                         const unsigned char *places, size_t record, const size_t *to, clump_big_loaded *out,
                         unsigned char *points)
{
    const size_t coordinates = record - (out->ids ? sizeof *out->ids : 0);
    for (uint32_t r = 0; r < s->runs; r++) {
        const size_t count = runs[r].count & ~CLUMP_BIG_RIM;
        const bool rim = runs[r].count & CLUMP_BIG_RIM;
        if (to[r] > out->count || count > out->count - to[r] || (!rim && to[r] + count > out->own)) return false;
        if (out->ids)
            divide_points(stored, count, record, points + to[r] * coordinates, out->ids + to[r]);
        else
            memcpy(points + to[r] * record, stored, count * record);
        int64_t *const indices = out->indices + to[r];
        for (size_t i = 0; i < count; i++) {
            uint16_t place;
            memcpy(&place, places + 2 * i, sizeof place);
            indices[i] = (int64_t)runs[r].block * CLUMP_BLOCK_POINTS + place;
        }
        stored += count * record, places += 2 * count;
    }
    return true;
}

static clump_status read_points(const clump_big_job *job, const clump_big_segment *segments, size_t count,
                                const run_places *runs, clump_big_loaded *out, unsigned char *points,
                                clump_message *message)
{
    size_t widest = 0, first = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t bytes = clump_big_segment_bytes(&job->log, &segments[k]);
        widest = bytes > widest ? bytes : widest;
    }
    CLUMP_BIG_TRY(reserve(&out->segment, &out->segment_size, widest, message));
    for (size_t k = 0; k < count; k++) {
        const clump_big_points_run *read;
        const unsigned char *stored, *places;
        CLUMP_BIG_TRY(clump_big_workers_poll(&job->workers, message));
        CLUMP_BIG_TRY(clump_big_log_read(&job->log, &segments[k], out->segment, &read, &stored, &places, message));
        if (!place_points(&segments[k], read, stored, places, job->log.record, runs->to + first, out, points))
            return refuse_runs(job, &segments[k], message);
        first += segments[k].runs;
    }
    return CLUMP_OK;
}

/* Finds own points that are in a rim by one map. */
static void find_strip_by(const clump_big_map *map, const clump_big_frame *frame, const unsigned char *points,
                          size_t own, uint8_t *strip)
{
    const size_t record = clump_big_frame_coordinates(frame);
    for (size_t i = 0, end; i < own; i = end) {
        uint32_t tile;
        end = own - i < CLUMP_BIG_MAP_TOGETHER ? own : i + CLUMP_BIG_MAP_TOGETHER;
        if (clump_big_map_is_one(map, frame, points + i * record, record, end - i, &tile)) continue;
        for (size_t k = i; k < end; k++) {
            int64_t voxel[3];
            uint32_t rims[CLUMP_TILE_RIMS];
            int count;
            clump_big_voxel(frame, points + k * record, voxel);
            if (strip[k] || clump_tile_is_inside(&map->tiling, voxel)) continue;
            clump_big_map_find(map, frame, voxel, rims, &count);
            strip[k] = count > 0;
        }
    }
}

/* Finds own points that are in a rim: by the map of the survey, and by those of all divisions that made the tile. */
static void find_strip(const clump_big_job *job, const clump_big_loaded *l, uint32_t number,
                       const unsigned char *points)
{
    memset(l->strip, 0, l->own);
    for (;;) {
        CLUMP_ASSERT(number < job->tile_count);
        const uint32_t cut = job->tiles[number].cut;
        CLUMP_ASSERT(cut <= job->cut_count);
        find_strip_by(cut > 0 ? &job->cuts[cut - 1].map : &job->map, &job->frame, points, l->own, l->strip);
        if (cut == 0) return;
        number = job->cuts[cut - 1].tile;
    }
}

clump_status clump_big_tile_load(const clump_big_job *job, const clump_big_frame *frame, uint32_t number,
                                 clump_big_loaded *out, clump_message *message)
{
    CLUMP_ASSERT(number < job->tile_count);
    const clump_big_tile *const tile = &job->tiles[number];
    const clump_big_segment *const segments = job->log.segments + job->segments[number];
    const size_t count = job->segments[number + 1] - job->segments[number];
    run_places runs = {0};
    unsigned char *points;
    out->own = (size_t)tile->own;
    out->count = (size_t)(tile->own + tile->rim);
    CLUMP_BIG_TRY(make_arrays(job, out, &points, message));
    clump_status status = place_runs(job, segments, count, out->own, &runs, message);
    if (status == CLUMP_OK) status = read_points(job, segments, count, &runs, out, points, message);
    free(runs.pairs);
    CLUMP_BIG_TRY(status);
    find_strip(job, out, number, points);
    if (!clump_big_frame_floats(frame, job->reader, points, out->count, out->xyz))
        return clump_big_fail(message, CLUMP_ERR_INTERNAL, "the points of tile %u are more than 2^25 steps apart",
                              number);
    return CLUMP_OK;
}

void clump_big_tile_unload(clump_big_loaded *loaded)
{
    free_memory(&loaded->memory, &loaded->memory_size);
    free_memory(&loaded->segment, &loaded->segment_size);
    *loaded = (clump_big_loaded){0};
}
