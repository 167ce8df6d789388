/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.c: see memory.h. To count the points in boxes, boxes are listed in the squares of a grid around the sensor. A point is
 * compared with the boxes of its square, at most 64. A box of at most 15 touches 144 squares at most, so the memory per object is
 * bounded.
 */
#include "host/memory.h"

#include "common/assert.h"
#include "host/icp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MEMORY_BYTES  ((sizeof(clump_memory) + 63) / 64 * 64)
#define MEMORY_GROWTH 1.5 /* of the longest view */

clump_status clump_memory_create(clump_context *ctx, clump_up up, clump_memory **out)
{
    if (out) *out = NULL;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_memory_create"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_memory_create: out is null");
    if (up != CLUMP_UP_Z && up != CLUMP_UP_Y)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_memory_create: there is no axis number %d", (int)up);
    clump_memory *const memory = ctx->work.memory.allocate(MEMORY_BYTES, 64, ctx->work.memory.user);
    if (!memory)
        return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated",
                          MEMORY_BYTES);
    memset(memory, 0, sizeof *memory);
    memory->home.memory = ctx->work.memory;
    memory->axes.plane[1] = up == CLUMP_UP_Y ? 2 : 1;
    memory->axes.up = 3 - memory->axes.plane[1];
    *out = memory;
    return CLUMP_OK;
}

void clump_memory_reset(clump_memory *memory)
{
    if (!memory) return;
    memory->count = memory->changed = 0;
    memory->frame = 0;
}

void clump_memory_destroy(clump_memory *memory)
{
    if (!memory) return;
    clump_buffer *const all[] = {&memory->now.boxes, &memory->objects, &memory->other,   &memory->look,
                                 &memory->change,    &memory->changes, &memory->gathered};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) clump_buffer_release(&memory->home, all[k]);
    const clump_allocator allocator = memory->home.memory;
    allocator.release(memory, MEMORY_BYTES, allocator.user);
}

/* ----- looking ------------------------------------------------------------------------------------------- */

enum {
    LOOK_SPAN = 12,       /* squares that a box touches along an axis, at most: 15 * 1.42, the margin on both sides */
    LOOK_SHARE = 1 << 14, /* points between two polls */
};
#define LOOK_GAP     1.0 /* seconds that an object is known */
#define LOOK_LONGEST 15.0

/* Returns whether an object is known in the frame after the last one that was remembered. */
static bool is_known(const clump_memory *memory, const clump_memory_object *o, int64_t time)
{
    const clump_memory_view *const last = &o->views[o->count - 1];
    const uint64_t since = memory->frame - o->first + 1;
    const uint64_t window = since < CLUMP_MEMORY_FRAMES ? since : CLUMP_MEMORY_FRAMES;
    const int32_t own = clump_memory_own_views(o, memory->frame);
    if (!o->was_object || own < 2 || 2 * (uint64_t)own < window) return false;
    if (clump_memory_seconds(time, last->time) > LOOK_GAP) return false;
    return 2 * last->box.half[0] <= LOOK_LONGEST && 2 * last->box.half[1] <= LOOK_LONGEST;
}

/* Lists the known objects. */
static void list_places(const clump_memory *memory, clump_memory_frame *frame)
{
    const clump_memory_object *const objects = memory->objects.data;
    frame->place_count = 0;
    for (int32_t i = 0; i < memory->count; i++) {
        const clump_memory_object *const o = &objects[i];
        if (!is_known(memory, o, frame->time)) continue;
        const clump_memory_view *const last = &o->views[o->count - 1];
        clump_memory_place place = {.object = o, .box = last->box, .own = -1, .from = -1, .next = -1, .becomes = -1};
        const double elapsed = clump_memory_seconds(frame->time, last->time);
        for (int k = 0; k < 2; k++) place.box.middle[k] += o->velocity[k] * elapsed;
        place.area = place.box.half[0] * place.box.half[1];
        frame->places[frame->place_count++] = place;
    }
}

/* Lists a box in the squares that it touches, where these are not full. */
static void enter(clump_memory_grid *g, const clump_memory_place *place, int32_t number)
{
    int32_t from[2], to[2];
    const double *const half = place->box.half;
    const double radius = sqrt(half[0] * half[0] + half[1] * half[1]) + 2 * CLUMP_MEMORY_MARGIN;
    g->boxes[number] = (clump_memory_near){{place->box.middle[0], place->box.middle[1]}, radius * radius};
    for (int k = 0; k < 2; k++) {
        const double a = fabs(place->box.along[k]) * place->box.half[0];
        const double b = fabs(place->box.along[1 - k]) * place->box.half[1], reach = a + b + CLUMP_MEMORY_MARGIN;
        bool before = false, after = false;
        from[k] = clump_memory_square(place->box.middle[k] - reach - g->corner[k], &before);
        to[k] = clump_memory_square(place->box.middle[k] + reach - g->corner[k], &after);
        if (before && after) return;
        CLUMP_ASSERT(to[k] - from[k] < LOOK_SPAN);
    }
    for (int32_t y = from[1]; y <= to[1]; y++)
        for (int32_t x = from[0]; x <= to[0]; x++) {
            const int32_t square = y * CLUMP_MEMORY_SIDE + x;
            if (g->listed[square] == CLUMP_MEMORY_BOXES) continue;
            g->listed[square]++;
            g->entries[g->count] = (clump_memory_entry){number, g->heads[square]};
            g->heads[square] = g->count++;
        }
}

/* Counts a point of a cluster in a box. */
static void count_point(clump_memory_place *place, int32_t label)
{
    for (int32_t k = place->labels; k-- > 0;) {
        if (place->label[k] != label) continue;
        place->points[k]++;
        return;
    }
    if (place->labels == CLUMP_MEMORY_LABELS) return;
    place->label[place->labels] = label;
    place->points[place->labels++] = 1;
}

static clump_status count_points(clump_work *work, const clump_memory *memory, const clump_memory_frame *frame)
{
    const clump_memory_grid *const g = &frame->grid;
    const size_t stride = frame->points.stride ? frame->points.stride : 12;
    for (size_t i = 0; i < frame->points.count; i++) {
        if (i % LOOK_SHARE == 0) CLUMP_TRY(clump_poll(work));
        if (frame->labels[i] < 0) continue;
        const float *const p = (const float *)(const void *)((const char *)frame->points.xyz + i * stride);
        const clump_memory_point point = clump_memory_point_at(&memory->axes, frame->pose, p);
        for (int32_t e = clump_memory_first(g, &point); e >= 0; e = g->entries[e].next) {
            const int32_t at = g->entries[e].place;
            clump_memory_place *const place = &frame->places[at];
            if (!clump_memory_is_near(&g->boxes[at], &point)) continue;
            if (clump_memory_is_in(&place->box, &point, clump_memory_distance(&place->box, &point)))
                count_point(place, frame->labels[i]);
        }
    }
    return CLUMP_OK;
}

static clump_status look(clump_work *work, clump_memory *memory, clump_memory_frame *frame)
{
    const size_t places = (size_t)memory->count, squares = (size_t)CLUMP_MEMORY_SIDE * CLUMP_MEMORY_SIDE;
    const size_t entries = places * LOOK_SPAN * LOOK_SPAN;
    clump_memory_grid *const g = &frame->grid;
    CLUMP_TRY(clump_memory_room(work, memory, &memory->look,
                                places * (sizeof *frame->places + sizeof *g->boxes) +
                                    squares * (sizeof *g->heads + sizeof *g->listed) + entries * sizeof *g->entries));
    frame->places = memory->look.data;
    g->boxes = (clump_memory_near *)(void *)(frame->places + places);
    g->heads = (int32_t *)(void *)(g->boxes + places);
    g->entries = (clump_memory_entry *)(void *)(g->heads + squares);
    g->listed = (uint8_t *)(g->entries + entries);
    for (int k = 0; k < 2; k++)
        g->corner[k] = frame->pose[4 * memory->axes.plane[k] + 3] - CLUMP_MEMORY_SQUARE * (CLUMP_MEMORY_SIDE / 2);
    list_places(memory, frame);
    if (frame->place_count == 0) return CLUMP_OK;
    memset(g->heads, 0xff, squares * sizeof *g->heads);
    memset(g->listed, 0, squares);
    for (int32_t i = 0; i < frame->place_count; i++) enter(g, &frame->places[i], i);
    return count_points(work, memory, frame);
}

/* ----- correction --------------------------------------------------------------------------------------- */

static clump_status check_pose(clump_work *work, const double *pose)
{
    if (!pose) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the pose is null", work->call);
    if (!clump_is_pose(pose))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the pose does not just turn and move", work->call);
    return CLUMP_OK;
}

static clump_status check_labels(clump_work *work, const clump_memory_frame *frame)
{
    for (size_t i = 0; i < frame->points.count; i++)
        if (frame->labels[i] >= frame->count)
            return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: labels[%zu] is %d, there are %d clusters", work->call, i,
                              (int)frame->labels[i], (int)frame->count);
    return CLUMP_OK;
}

static clump_status check_frame(clump_work *work, const clump_memory *memory, const clump_memory_frame *frame)
{
    if (!memory) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: memory is null", work->call);
    CLUMP_TRY(check_pose(work, frame->pose));
    size_t stride;
    CLUMP_TRY(clump_check_points(work, work->call, frame->points, &stride));
    if (frame->points.place != CLUMP_PLACE_HOST)
        return clump_fail(work, CLUMP_ERR_MEMORY_KIND, "%s: the points are on the device", work->call);
    if (frame->count < 0 || frame->count > frame->capacity)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %d clusters, there is room for %d", work->call,
                          (int)frame->count, (int)frame->capacity);
    if (frame->count > 0 && (!frame->clusters || !frame->objects))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %s is null", work->call,
                          frame->clusters ? "objects" : "clusters");
    if (frame->points.count > 0 && !frame->labels)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: labels is null", work->call);
    return check_labels(work, frame);
}

clump_status clump_memory_correct(clump_context *ctx, clump_memory *memory, int64_t time, const double *pose,
                                  clump_points points, const clump_describe_options *describe, int32_t *labels,
                                  clump_cluster *clusters, clump_object *objects, int32_t capacity, int32_t *count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_memory_correct"));
    if (!count) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_memory_correct: count is null");
    clump_memory_frame frame = {.time = time,
                                .pose = pose,
                                .points = points,
                                .describe = describe,
                                .labels = labels,
                                .clusters = clusters,
                                .objects = objects,
                                .count = *count,
                                .capacity = capacity};
    CLUMP_TRY(check_frame(&ctx->work, memory, &frame));
    memory->changed = 0;
    if (memory->frame == 0 || time <= memory->time) return CLUMP_OK;
    CLUMP_TRY(look(&ctx->work, memory, &frame));
    return frame.place_count > 0 && frame.count > 0 ? clump_memory_apply(ctx, memory, &frame, count) : CLUMP_OK;
}

/* ----- remembering --------------------------------------------------------------------------------------- */

/* Drops views that are older than the last frames. */
static void drop_views(clump_memory_object *o, uint64_t frame)
{
    int32_t first = 0;
    while (first < o->count && o->views[first].frame + CLUMP_MEMORY_FRAMES <= frame) first++;
    o->count -= first;
    memmove(o->views, o->views + first, (size_t)o->count * sizeof *o->views);
}

/* Adds the view of a cluster. */
static void add_view(clump_memory *memory, clump_memory_object *o, const clump_object *object, const clump_track *track,
                     const double pose[12], int32_t box, clump_memory_change change)
{
    CLUMP_ASSERT(o->count < CLUMP_MEMORY_FRAMES);
    const bool own = change == CLUMP_MEMORY_NONE;
    const clump_motion_box *const boxes = memory->now.boxes.data;
    o->views[o->count++] = (clump_memory_view){memory->frame, memory->now.time, boxes[box], own};
    o->moves = track->motion == CLUMP_TRACK_MOVING;
    for (int k = 0; k < 2; k++) {
        const double *const row = pose + 4 * memory->axes.plane[k];
        o->velocity[k] = 0;
        for (int j = 0; j < 3 && o->moves; j++) o->velocity[k] += row[j] * (double)track->velocity[j];
    }
    o->was_object = object->object != 0;
    if (own || o->count == 1) o->object = *object, o->points = object->count;
}

/* An entry of the clusters in the order of their identities. */
typedef struct order {
    uint64_t id;
    int32_t cluster;
} order;

static void sift(order *heap, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1].id > heap[child].id) child++;
        if (heap[child].id <= heap[at].id) return;
        const order kept = heap[at];
        heap[at] = heap[child], heap[child] = kept;
    }
}

/* Sorts by identity. */
static void sort_order(order *list, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) sift(list, i, count);
    for (size_t end = count; end > 1; end--) {
        const order kept = list[0];
        list[0] = list[end - 1], list[end - 1] = kept;
        sift(list, 0, end - 1);
    }
}

/* A frame that is remembered. */
typedef struct remembering {
    const double *pose;
    const clump_cluster *clusters;
    const clump_object *objects;
    const clump_track *tracks;
    int32_t count;
    const uint8_t *changes; /* null: none */
    clump_memory_box *boxes;
} remembering;

static float limit_float(double value)
{
    return value > (double)FLT_MAX ? FLT_MAX : value < -(double)FLT_MAX ? -FLT_MAX : (float)value;
}

/* Widens an interval along a direction by a box that has moved. */
static void widen(double range[2], const double direction[2], const clump_motion_box *box, const double middle[2])
{
    const double at = middle[0] * direction[0] + middle[1] * direction[1];
    const double along = fabs(box->along[0] * direction[0] + box->along[1] * direction[1]);
    const double across = fabs(box->along[0] * direction[1] - box->along[1] * direction[0]);
    const double reach = along * box->half[0] + across * box->half[1];
    if (at - reach < range[0]) range[0] = at - reach;
    if (at + reach > range[1]) range[1] = at + reach;
}

/* Limits an interval that contains another one: it grows by the same share on both sides. */
static void limit_range(double range[2], const double inner[2], double most)
{
    const double length = range[1] - range[0], own = inner[1] - inner[0];
    if (!(length > most) || !(length > own)) return;
    const double share = most > own ? (most - own) / (length - own) : 0;
    range[0] = inner[0] + (range[0] - inner[0]) * share;
    range[1] = inner[1] + (range[1] - inner[1]) * share;
}

/* Returns the union of the views along the yaw of the newest, in the coordinates of the frame. */
static clump_memory_box unite(const clump_memory_object *o, const clump_cluster *cluster, int up)
{
    const clump_memory_view *const last = &o->views[o->count - 1];
    const double axis[2][2] = {{last->box.along[0], last->box.along[1]}, {-last->box.along[1], last->box.along[0]}};
    double range[2][2], inner[2][2], longest[2] = {0, 0}, shift[2];
    double lower = (double)cluster->lower[up], upper = (double)cluster->upper[up];
    for (int a = 0; a < 2; a++) {
        const double none[2] = {INFINITY, -INFINITY};
        memcpy(range[a], none, sizeof none), memcpy(inner[a], none, sizeof none);
        widen(inner[a], axis[a], &last->box, last->box.middle);
        for (int32_t i = 0; i < o->count; i++) {
            const clump_memory_view *const v = &o->views[i];
            const double elapsed = clump_memory_seconds(last->time, v->time);
            double alone[2] = {INFINITY, -INFINITY}, middle[2];
            for (int k = 0; k < 2; k++) middle[k] = v->box.middle[k] + o->velocity[k] * elapsed;
            widen(range[a], axis[a], &v->box, middle);
            widen(alone, axis[a], &v->box, middle);
            if (alone[1] - alone[0] > longest[a]) longest[a] = alone[1] - alone[0];
            if (v->box.lower < lower) lower = v->box.lower;
            if (v->box.upper > upper) upper = v->box.upper;
        }
        limit_range(range[a], inner[a], MEMORY_GROWTH * longest[a]);
        shift[a] = (range[a][0] + range[a][1] - inner[a][0] - inner[a][1]) / 2;
    }
    return (clump_memory_box){.size = {limit_float(range[0][1] - range[0][0]), limit_float(range[1][1] - range[1][0])},
                              .center = {limit_float(shift[0]), limit_float(shift[1])},
                              .yaw = cluster->yaw,
                              .lower = limit_float(lower),
                              .upper = limit_float(upper),
                              .views = o->count};
}

/* Puts the middle of a union, which is relative to the newest box along its axes, into the coordinates of the frame. */
static void place_box(const clump_memory *memory, const double pose[12], const clump_motion_box *last,
                      const clump_cluster *cluster, clump_memory_box *box)
{
    const int *const p = memory->axes.plane;
    const double u = (double)box->center[0], v = (double)box->center[1];
    const double x = u * last->along[0] - v * last->along[1], y = u * last->along[1] + v * last->along[0];
    for (int k = 0; k < 2; k++)
        box->center[k] =
            limit_float((double)cluster->box_center[k] + pose[4 * p[0] + p[k]] * x + pose[4 * p[1] + p[k]] * y);
}

/* Makes the list of the objects of the next frame: those that are remembered, merged with the clusters, by identity. */
static void merge_lists(clump_memory *memory, const remembering *r, const order *list)
{
    const clump_memory_object *const before = memory->objects.data;
    clump_memory_object *const after = memory->other.data;
    int32_t count = 0, i = 0, k = 0;
    while (i < memory->count || k < r->count) {
        const bool old = k == r->count || (i < memory->count && before[i].id <= list[k].id);
        clump_memory_object *const o = &after[count];
        *o = old ? before[i++] : (clump_memory_object){.id = list[k].id, .first = memory->frame};
        drop_views(o, memory->frame);
        if (k < r->count && list[k].id == o->id) {
            const int32_t c = list[k++].cluster;
            const clump_memory_change change = r->changes ? (clump_memory_change)r->changes[c] : CLUMP_MEMORY_NONE;
            add_view(memory, o, &r->objects[c], &r->tracks[c], r->pose, c, change);
            if (r->boxes) {
                r->boxes[c] = unite(o, &r->clusters[c], memory->axes.up);
                r->boxes[c].change = change;
                place_box(memory, r->pose, &o->views[o->count - 1].box, &r->clusters[c], &r->boxes[c]);
            }
        }
        count += o->count > 0;
    }
    memory->count = count;
    const clump_buffer kept = memory->objects;
    memory->objects = memory->other;
    memory->other = kept;
}

static clump_status check_remembering(clump_work *work, const clump_memory *memory, const remembering *r)
{
    if (!memory) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: memory is null", work->call);
    CLUMP_TRY(check_pose(work, r->pose));
    if (r->count < 0) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %d clusters", work->call, (int)r->count);
    if (r->count > 0 && (!r->clusters || !r->objects || !r->tracks))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %s is null", work->call,
                          !r->clusters  ? "clusters"
                          : !r->objects ? "objects"
                                        : "tracks");
    return CLUMP_OK;
}

clump_status clump_memory_remember(clump_context *ctx, clump_memory *memory, int64_t time, const double *pose,
                                   const clump_cluster *clusters, const clump_object *objects,
                                   const clump_track *tracks, int32_t count, clump_memory_box *boxes)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_memory_remember"));
    clump_work *const work = &ctx->work;
    remembering r = {
        .pose = pose, .clusters = clusters, .objects = objects, .tracks = tracks, .count = count, .boxes = boxes};
    CLUMP_TRY(check_remembering(work, memory, &r));
    const bool goes_on = memory->frame > 0 && time > memory->time;
    const size_t known = goes_on ? (size_t)memory->count : 0, all = known + (size_t)count;
    CLUMP_TRY(clump_memory_room(work, memory, &memory->other, all * sizeof(clump_memory_object)));
    CLUMP_TRY(clump_memory_room(work, memory, &memory->now.boxes, (size_t)count * sizeof(clump_motion_box)));
    CLUMP_TRY(clump_memory_room(work, memory, &memory->look, (size_t)count * sizeof(order)));
    if (!goes_on) memory->count = 0, memory->frame = 0;
    if (memory->changed == count && count > 0) r.changes = memory->changes.data;
    clump_motion_set(&memory->now, &memory->axes, pose, clusters, count);
    memory->now.time = memory->time = time;
    memory->frame++;
    order *const list = memory->look.data;
    for (int32_t i = 0; i < count; i++) list[i] = (order){tracks[i].id, i};
    sort_order(list, (size_t)count);
    merge_lists(memory, &r, list);
    memory->changed = 0;
    return CLUMP_OK;
}
