/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map.c: a map is made, and frames are added to it.
 *
 * Points are moved to the world by all threads, a batch at a time, and then put into their voxels by the calling thread, which
 * takes 2.5 of 3.7 ms per frame (simulated HDL-64E, 119,456 points, one core of a Neoverse V1). All that a voxel keeps is a
 * sum, a count, a minimum or a maximum of integers, so the order of points and frames does not matter.
 */
#include "host/map.h"

#include "core/options.h"
#include "host/icp.h"

#include <math.h>
#include <string.h>

enum {
    MAP_BATCH = 1 << 16, /* points: their scratch memory stays in the cache */
    MAP_AHEAD = 8,       /* slots are prefetched this number of points ahead */
    MAP_SHARE = 4096,    /* points that make another thread pay */
    MAP_FIRST_SLOTS = 1 << 12
};
#define MAP_BYTES  ((sizeof(clump_map) + 63) / 64 * 64)
#define MAP_FAR    1073741824.0 /* 2^30 */
#define MAP_PLACES 65536.0      /* along a side */

/* A point on its way to its voxel. */
typedef struct map_step {
    int32_t xyz[3];
    uint32_t hash;
    uint16_t place[3];
    uint16_t taken; /* 0: the point is ignored; CLUMP_MAP_MOVES: it moves */
} map_step;

/* ----- creation ----------------------------------------------------------------------------------- */

static clump_status check_options(clump_work *work, const clump_map_options *o)
{
    if (o->cookie != CLUMP_MAP_COOKIE)
        return clump_fail(work, CLUMP_ERR_OPTIONS, "%s: the options were not made by clump_map_defaults()", work->call);
    CLUMP_TRY(clump_option_check(work, &clump_map_table, o));
    if (!(o->min_range >= 0 && o->min_range < o->max_range && o->max_range <= 1e9f))
        return clump_fail(work, CLUMP_ERR_ARGUMENT,
                          "%s: the range is %g to %g, it must be from 0 or more to a larger number, 1e9 at most",
                          work->call, (double)o->min_range, (double)o->max_range);
    return CLUMP_OK;
}

clump_status clump_map_create(clump_context *ctx, const clump_map_options *given, clump_map **out)
{
    if (out) *out = NULL;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_map_create"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_map_create: out is null");
    const clump_map_options options = given ? *given : clump_map_defaults();
    CLUMP_TRY(check_options(&ctx->work, &options));
    clump_map *const map = ctx->work.memory.allocate(MAP_BYTES, 64, ctx->work.memory.user);
    if (!map)
        return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated", MAP_BYTES);
    memset(map, 0, sizeof *map);
    map->home.memory = ctx->work.memory;
    map->home.hash_key = ctx->work.hash_key;
    map->options = options;
    map->most = UINT32_MAX;
    clump_map_set_part(map, INT32_MIN, INT32_MAX);
    *out = map;
    return CLUMP_OK;
}

static void release_chunks(clump_map *map)
{
    clump_buffer *const chunks = map->chunks.data;
    for (size_t i = 0; i < map->chunk_count; i++) clump_buffer_release(&map->home, &chunks[i]);
    map->chunk_count = 0;
    clump_buffer_release(&map->home, &map->chunks);
}

void clump_map_release_records(clump_map *map)
{
    release_chunks(map);
    clump_buffer_release(&map->home, &map->scratch);
}

void clump_map_destroy(clump_map *map)
{
    if (!map) return;
    clump_map_release_records(map);
    clump_buffer *const buffers[] = {&map->slots, &map->voxels, &map->groups,      &map->words,   &map->spare,
                                     &map->beams, &map->cells,  &map->reach,       &map->dropped, &map->counters,
                                     &map->xyz,   &map->passes, &map->observations};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) clump_buffer_release(&map->home, buffers[i]);
    const clump_allocator memory = map->home.memory;
    memory.release(map, MAP_BYTES, memory.user);
}

/* ----- what all calls do --------------------------------------------------------------------------- */

/* Passes the message of the map's memory on. */
static clump_status tell(clump_work *work, const clump_map *map, clump_status status)
{
    if (status != CLUMP_OK) memcpy(work->error, map->home.error, sizeof work->error);
    return status;
}

clump_status clump_map_reserve(clump_work *work, clump_map *map, clump_buffer *buffer, size_t bytes)
{
    return tell(work, map, clump_buffer_reserve(&map->home, buffer, bytes));
}

clump_status clump_map_begin(clump_context *ctx, clump_map *map, const char *call)
{
    CLUMP_TRY(clump_begin(ctx, call));
    if (!map) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: map is null", call);
    if (map->broken)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: an earlier call failed, the map is not complete", call);
    return CLUMP_OK;
}

clump_status clump_map_check_pose(clump_work *work, const double p[12])
{
    if (!p) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: pose is null", work->call);
    if (clump_is_pose(p)) return CLUMP_OK;
    return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the pose is no rotation and translation", work->call);
}

/* ----- to the world -------------------------------------------------------------------------------- */

typedef struct map_frame {
    const clump_map *map;
    clump_points points; /* the stride is set */
    const double *pose;
    const uint8_t *mask;
    size_t base; /* the first point of the batch */
    map_step *steps;
} map_frame;

static map_step step_of(const map_frame *f, const float *p)
{
    const clump_map_options *const o = &f->map->options;
    map_step s = {.taken = 0};
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    const double square = x * x + y * y + z * z;
    if (!(square >= (double)o->min_range * (double)o->min_range)) return s; /* NaN, too */
    if (!(square <= (double)o->max_range * (double)o->max_range)) return s;
    for (int r = 0; r < 3; r++) {
        const double *const row = f->pose + 4 * r;
        const double scaled = (row[0] * x + row[1] * y + row[2] * z + row[3]) / (double)o->voxel;
        if (!(fabs(scaled) < MAP_FAR)) return s;
        const double corner = floor(scaled);
        s.xyz[r] = (int32_t)corner;
        s.place[r] = (uint16_t)((scaled - corner) * MAP_PLACES);
    }
    s.hash = clump_hash(f->map->home.hash_key, s.xyz[0], s.xyz[1], s.xyz[2], 0);
    s.taken = 1;
    return s;
}

static void take_steps(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const map_frame *const f = arg;
    for (size_t i = begin; i < end; i++) {
        const size_t at = f->base + i;
        const float *const p = (const float *)(const void *)((const char *)f->points.xyz + at * f->points.stride);
        const uint8_t kind = f->mask ? f->mask[at] : 1;
        f->steps[i] = kind == 0 ? (map_step){.taken = 0} : step_of(f, p);
        if (kind == CLUMP_MAP_MOVES && f->steps[i].taken) f->steps[i].taken = CLUMP_MAP_MOVES;
    }
}

/* ----- into voxels --------------------------------------------------------------------------------- */

clump_status clump_map_make_slots(clump_work *work, clump_map *map, size_t slots)
{
    CLUMP_TRY(clump_map_reserve(work, map, &map->slots, slots * sizeof(uint32_t)));
    uint32_t *const slot = map->slots.data;
    memset(slot, 0, slots * sizeof *slot);
    map->slot_mask = (uint32_t)(slots - 1);
    for (uint32_t i = 0; i < map->count; i++) {
        if (i % MAP_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        const int32_t *const v = map_record_at(map, i)->xyz;
        uint32_t at = clump_hash_slot_masked(clump_hash(map->home.hash_key, v[0], v[1], v[2], 0), map->slot_mask);
        while (slot[at] != 0) at = (at + 1) & map->slot_mask;
        slot[at] = i + 1;
    }
    return CLUMP_OK;
}

/* Makes room for one more voxel. Two of three slots are taken at most. */
static clump_status make_room(clump_work *work, clump_map *map)
{
    if (map->count == INT32_MAX)
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%s: a map has at most %d voxels", work->call, INT32_MAX);
    if (map->slots.bytes == 0 || (uint64_t)map->count * 3 > (uint64_t)map->slot_mask * 2)
        CLUMP_TRY(clump_map_make_slots(work, map,
                                       map->slots.bytes == 0 ? MAP_FIRST_SLOTS : 2 * ((size_t)map->slot_mask + 1)));
    if (map->count < map->chunk_count << MAP_CHUNK_BITS) return CLUMP_OK;
    const size_t held = map->chunk_count * sizeof(clump_buffer);
    if (held + sizeof(clump_buffer) > map->chunks.bytes)
        CLUMP_TRY(tell(work, map, clump_buffer_grow(&map->home, &map->chunks, 2 * held + 64, held)));
    clump_buffer *const chunk = (clump_buffer *)map->chunks.data + map->chunk_count;
    *chunk = (clump_buffer){0};
    CLUMP_TRY(clump_map_reserve(work, map, chunk, MAP_CHUNK * sizeof(map_record)));
    map->chunk_count++;
    return CLUMP_OK;
}

/* Finds the voxel of a point, or makes one. */
static clump_status find_record(clump_work *work, clump_map *map, const map_step *s, map_record **out)
{
    if (map->slots.bytes > 0) {
        const uint32_t *const slots = map->slots.data;
        for (uint32_t at = clump_hash_slot_masked(s->hash, map->slot_mask); slots[at] != 0;
             at = (at + 1) & map->slot_mask) {
            *out = map_record_at(map, slots[at] - 1);
            if (memcmp((*out)->xyz, s->xyz, sizeof s->xyz) == 0) return CLUMP_OK;
        }
    }
    CLUMP_TRY(make_room(work, map));
    uint32_t *const slots = map->slots.data;
    uint32_t at = clump_hash_slot_masked(s->hash, map->slot_mask);
    while (slots[at] != 0) at = (at + 1) & map->slot_mask;
    map_record *const record = *out = map_record_at(map, map->count);
    *record = (map_record){.points = 0};
    memcpy(record->xyz, s->xyz, sizeof s->xyz);
    slots[at] = ++map->count;
    return CLUMP_OK;
}

static void add_point(map_record *record, const map_step *s, int32_t frame, uint32_t serial)
{
    if (s->taken == CLUMP_MAP_MOVES) {
        record->moving += record->moving_serial != serial;
        record->moving_serial = serial;
        return;
    }
    if (record->serial != serial) {
        record->serial = serial;
        if (record->observations == 0 || frame < record->first) record->first = frame;
        if (record->observations == 0 || frame > record->last) record->last = frame;
        record->observations++;
    }
    if (record->points == UINT32_MAX) return;
    record->points++;
    for (int k = 0; k < 3; k++) record->sums[k] += s->place[k];
}

static void note_lower(clump_map *map, const int32_t xyz[3])
{
    for (int k = 0; k < 3; k++)
        if (!map->any || xyz[k] < map->lower[k]) map->lower[k] = xyz[k];
    map->any = true;
}

static bool is_held(const clump_map *map, const int32_t xyz[3])
{
    return xyz[0] >= map->held_lower && xyz[0] <= map->held_upper;
}

static clump_status add_steps(clump_work *work, clump_map *map, const map_step *steps, size_t count, int32_t frame)
{
    const map_step *before = NULL;
    map_record *record = NULL;
    for (size_t i = 0; i < count; i++) {
        const map_step *const s = &steps[i];
#if defined(__GNUC__)
        if (i + MAP_AHEAD < count && map->slots.bytes > 0)
            __builtin_prefetch((const uint32_t *)map->slots.data +
                               clump_hash_slot_masked(steps[i + MAP_AHEAD].hash, map->slot_mask));
#endif
        if (!s->taken) continue;
        if (!before || memcmp(before->xyz, s->xyz, sizeof s->xyz) != 0) {
            before = NULL;
            note_lower(map, s->xyz);
            if (map->count >= map->most && is_held(map, s->xyz)) CLUMP_TRY(clump_map_give_up(work, map));
            if (!is_held(map, s->xyz)) continue;
            CLUMP_TRY(find_record(work, map, s, &record));
            before = s;
        }
        add_point(record, s, frame, map->frames);
    }
    return CLUMP_OK;
}

static clump_status add_frame(clump_work *work, clump_map *map, map_frame *f, int32_t frame)
{
    const size_t batch = f->points.count < MAP_BATCH ? f->points.count : MAP_BATCH;
    CLUMP_TRY(clump_map_reserve(work, map, &map->scratch, batch * sizeof(map_step)));
    f->steps = map->scratch.data;
    const int threads = clump_threads_for(work, batch, MAP_SHARE);
    for (f->base = 0; f->base < f->points.count; f->base += batch) {
        const size_t left = f->points.count - f->base, count = left < batch ? left : batch;
        CLUMP_TRY(clump_run(work, threads, count, MAP_SHARE, take_steps, f));
        CLUMP_TRY(add_steps(work, map, f->steps, count, frame));
    }
    return CLUMP_OK;
}

clump_status clump_map_add(clump_context *ctx, clump_map *map, int32_t frame, clump_points points,
                           const double pose[12], const uint8_t *mask)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_map_begin(ctx, map, "clump_map_add"));
    clump_work *const work = &ctx->work;
    CLUMP_TRY(clump_check_points(work, work->call, points, &points.stride));
    CLUMP_TRY(clump_map_check_pose(work, pose));
    if (points.place != CLUMP_PLACE_HOST)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the points must be in host memory", work->call);
    if (map->settled)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: all frames must be added before the first is looked at",
                          work->call);
    if (map->frames == UINT32_MAX)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: a map has at most %u frames", work->call, UINT32_MAX);
    map->frames++;
    map_frame f = {.map = map, .points = points, .pose = pose, .mask = mask};
    return points.count == 0 ? CLUMP_OK : map_break(map, add_frame(work, map, &f, frame));
}
