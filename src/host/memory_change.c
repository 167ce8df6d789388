/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory_change.c: see memory.h.
 *
 *     1  decide   which object has a cluster of its own, which one was swallowed, which clusters are one
 *     2  count    the points of each part, and what is left
 *     3  number   clusters that stay, then parts
 *     4  relabel  the points; clusters and objects move to their new numbers
 *     5  describe what has changed: its points are gathered
 */
#include "host/memory.h"

#include "common/assert.h"

#include <math.h>
#include <string.h>

clump_status clump_memory_room(clump_work *work, clump_memory *memory, clump_buffer *buffer, size_t bytes)
{
    if (bytes <= buffer->bytes) return CLUMP_OK;
    memory->home.error[0] = '\0';
    const clump_status status = clump_buffer_reserve(&memory->home, buffer, bytes + bytes / 2);
    if (status != CLUMP_OK) memcpy(work->error, memory->home.error, sizeof work->error);
    return status;
}

enum { CHANGE_SHARE = 1 << 14 }; /* points between two polls */

/* What becomes of the clusters; one entry per label each. */
typedef struct change_plan {
    int32_t *first;  /* place that the cluster has swallowed, of the lowest identity; -1: none */
    int32_t *into;   /* label that it becomes one with; its own: none */
    int32_t *by;     /* place of the object that clusters become one for; -1: none */
    int32_t *left;   /* points that are in no part; -1: all points are in parts */
    int32_t *name;   /* its new label; -1: the cluster is gone */
    int32_t *owners; /* objects whose own cluster it is */
    int32_t count;   /* of clusters after the change */
    bool splits, merges;
} change_plan;

/* ----- points and boxes ------------------------------------------------------------------------------- */

int32_t clump_memory_own_views(const clump_memory_object *object, uint64_t frame)
{
    int32_t own = 0;
    for (int32_t i = 0; i < object->count; i++)
        own += object->views[i].own && object->views[i].frame + CLUMP_MEMORY_FRAMES > frame;
    return own;
}

/* ----- decide ----------------------------------------------------------------------------------------- */

static int32_t size_of(const clump_memory_frame *frame, int32_t label)
{
    return frame->objects[label].count;
}

/* Finds the cluster of its own, or the one that has swallowed the object. */
static void find_cluster(const clump_memory_frame *frame, clump_memory_place *p)
{
    int32_t own = -1, most = -1;
    for (int32_t k = 0; k < p->labels; k++) {
        const bool is_own = p->points[k] >= CLUMP_MEMORY_LEAST &&
                            10 * (int64_t)p->points[k] >= 7 * (int64_t)size_of(frame, p->label[k]);
        const int32_t *const best = is_own ? &own : &most;
        const bool more = *best < 0 || p->points[k] > p->points[*best] ||
                          (p->points[k] == p->points[*best] && p->label[k] < p->label[*best]);
        if (more && is_own) own = k;
        if (more && !is_own) most = k;
    }
    if (own >= 0) {
        p->own = p->label[own];
    } else if (most >= 0 && p->points[most] >= CLUMP_MEMORY_LEAST &&
               5 * (int64_t)p->points[most] >= 2 * (int64_t)p->object->points) {
        p->from = p->label[most];
    }
}

/* Returns whether an object had views of its own in all frames since it was first seen, at least three. */
static bool is_steady(const clump_memory *memory, const clump_memory_object *o)
{
    const uint64_t since = memory->frame - o->first + 1;
    const uint64_t window = since < CLUMP_MEMORY_FRAMES ? since : CLUMP_MEMORY_FRAMES;
    const uint64_t own = (uint64_t)clump_memory_own_views(o, memory->frame);
    return own >= 3 && own == window;
}

/* Lists the objects that clusters have swallowed, by identity. A cluster that is an object itself is divided only if it has
 * swallowed two. */
static void list_swallowed(const clump_memory *memory, const clump_memory_frame *frame, change_plan *plan)
{
    for (int32_t i = frame->place_count; i-- > 0;) {
        clump_memory_place *const p = &frame->places[i];
        if (p->from >= 0 && frame->objects[p->from].object && !is_steady(memory, p->object)) p->from = -1;
        if (p->from < 0) continue;
        p->next = plan->first[p->from];
        plan->first[p->from] = i;
    }
    for (int32_t label = 0; label < frame->count; label++) {
        const int32_t first = plan->first[label];
        if (first < 0) continue;
        if (frame->objects[label].object && frame->places[first].next < 0)
            plan->first[label] = -1;
        else
            plan->splits = true;
    }
}

/* Whether a cluster can become one with others for the object `place`. */
static bool can_merge(const clump_memory_frame *frame, const change_plan *plan, int32_t place, int32_t k)
{
    const clump_memory_place *const p = &frame->places[place];
    const int32_t label = p->label[k];
    if (10 * (int64_t)p->points[k] < 9 * (int64_t)size_of(frame, label)) return false;
    if (plan->first[label] >= 0 || plan->into[label] != label || plan->by[label] >= 0) return false;
    return plan->owners[label] == (p->own == label);
}

static void find_merges(const clump_memory *memory, const clump_memory_frame *frame, change_plan *plan)
{
    for (int32_t i = 0; i < frame->place_count; i++) {
        const clump_memory_place *const p = &frame->places[i];
        if (!p->object->moves || clump_memory_own_views(p->object, memory->frame) < 3) continue;
        int32_t found[CLUMP_MEMORY_LABELS], count = 0, least = INT32_MAX;
        int64_t points = 0;
        for (int32_t k = 0; k < p->labels; k++) {
            if (!can_merge(frame, plan, i, k)) continue;
            found[count++] = p->label[k];
            points += p->points[k];
            if (p->label[k] < least) least = p->label[k];
        }
        if (count < 2 || 2 * points < (int64_t)p->object->points) continue;
        for (int32_t k = 0; k < count; k++) plan->into[found[k]] = least;
        plan->by[least] = i;
        plan->merges = true;
    }
}

/* ----- count and number ------------------------------------------------------------------------------- */

/* Returns whether a point goes to place i rather than to `best`: the nearest, the smaller one, the lower identity. */
static bool is_better(const clump_memory_place *places, int32_t i, double distance, int32_t best, double least)
{
    if (best < 0 || distance != least) return best < 0 || distance < least;
    return places[i].area < places[best].area || (!(places[i].area > places[best].area) && i < best);
}

/* Returns the place in whose box a point of a divided cluster is; -1: none. */
static int32_t place_around(const clump_memory_frame *frame, int32_t label, const clump_memory_point *p)
{
    const clump_memory_grid *const g = &frame->grid;
    int32_t best = -1;
    double least = 0;
    for (int32_t e = clump_memory_first(g, p); e >= 0; e = g->entries[e].next) {
        const int32_t i = g->entries[e].place;
        const clump_memory_place *const place = &frame->places[i];
        if (!clump_memory_is_near(&g->boxes[i], p) || place->from != label) continue;
        const double distance = clump_memory_distance(&place->box, p);
        if (!clump_memory_is_in(&place->box, p, distance)) continue;
        if (is_better(frame->places, i, distance, best, least)) best = i, least = distance;
    }
    return best;
}

/* Returns the nearest place. Fewer than 10 points of a divided cluster need it. */
static int32_t place_nearest(const clump_memory_frame *frame, int32_t first, const clump_memory_point *p)
{
    int32_t best = first;
    double least = clump_memory_distance(&frame->places[first].box, p);
    for (int32_t i = frame->places[first].next; i >= 0; i = frame->places[i].next) {
        const double distance = clump_memory_distance(&frame->places[i].box, p);
        if (is_better(frame->places, i, distance, best, least)) best = i, least = distance;
    }
    return best;
}

static clump_memory_point point_of(const clump_memory *memory, const clump_memory_frame *frame, size_t i)
{
    const size_t stride = frame->points.stride ? frame->points.stride : 12;
    const float *const p = (const float *)(const void *)((const char *)frame->points.xyz + i * stride);
    return clump_memory_point_at(&memory->axes, frame->pose, p);
}

/* Returns the place that a point goes to; -1: it is left. */
static int32_t part_of(const clump_memory_frame *frame, const change_plan *plan, int32_t label,
                       const clump_memory_point *p)
{
    const int32_t place = place_around(frame, label, p);
    return place >= 0 || plan->left[label] >= 0 ? place : place_nearest(frame, plan->first[label], p);
}

/* Counts the points of parts. all: of the clusters whose points are all in parts, else of the others. */
static clump_status count_parts(clump_work *work, const clump_memory *memory, const clump_memory_frame *frame,
                                change_plan *plan, bool all)
{
    for (size_t i = 0; i < frame->points.count; i++) {
        if (i % CHANGE_SHARE == 0) CLUMP_TRY(clump_poll(work));
        const int32_t label = frame->labels[i];
        if (label < 0 || plan->first[label] < 0 || (plan->left[label] < 0) != all) continue;
        const clump_memory_point p = point_of(memory, frame, i);
        const int32_t place = part_of(frame, plan, label, &p);
        if (place >= 0)
            frame->places[place].taken++;
        else
            plan->left[label]++;
    }
    return CLUMP_OK;
}

/* Counts the points of parts. Clusters of which too little would be left are divided as a whole. */
static clump_status count_all_parts(clump_work *work, const clump_memory *memory, const clump_memory_frame *frame,
                                    change_plan *plan)
{
    bool again = false;
    CLUMP_TRY(count_parts(work, memory, frame, plan, false));
    for (int32_t label = 0; label < frame->count; label++) {
        if (plan->first[label] < 0 || plan->left[label] >= CLUMP_MEMORY_LEAST) continue;
        plan->left[label] = -1;
        again = true;
        for (int32_t i = plan->first[label]; i >= 0; i = frame->places[i].next) frame->places[i].taken = 0;
    }
    return again ? count_parts(work, memory, frame, plan, true) : CLUMP_OK;
}

/* Numbers the clusters that stay, then the parts. */
static void number_clusters(const clump_memory_frame *frame, change_plan *plan)
{
    int32_t next = 0;
    for (int32_t label = 0; label < frame->count; label++) plan->name[label] = plan->into[label] == label ? next++ : -1;
    for (int32_t label = 0; label < frame->count; label++) {
        bool kept = plan->left[label] >= 0; /* the label stays with what is left */
        for (int32_t i = plan->first[label]; i >= 0; i = frame->places[i].next) {
            clump_memory_place *const p = &frame->places[i];
            if (p->taken == 0) continue;
            p->becomes = kept ? next++ : plan->name[label];
            kept = true;
        }
    }
    plan->count = next;
}

/* ----- change ------------------------------------------------------------------------------------------ */

static clump_status relabel(clump_work *work, const clump_memory *memory, const clump_memory_frame *frame,
                            const change_plan *plan)
{
    for (size_t i = 0; i < frame->points.count; i++) {
        if (i % CHANGE_SHARE == 0) CLUMP_TRY(clump_poll(work));
        const int32_t label = frame->labels[i];
        if (label < 0) continue;
        int32_t name = plan->name[plan->into[label]];
        if (plan->first[label] >= 0) {
            const clump_memory_point p = point_of(memory, frame, i);
            const int32_t place = part_of(frame, plan, label, &p);
            if (place >= 0) name = frame->places[place].becomes;
        }
        frame->labels[i] = name;
    }
    return CLUMP_OK;
}

/* Returns what is left of a cluster as an object. */
static clump_object rest_of(clump_object object)
{
    object.object = 0;
    object.fits = CLUMP_FIT_OTHER;
    object.level = -1;
    object.score = 0;
    return object;
}

/* Moves clusters and objects to their numbers. Marks those that have changed. */
static void move_clusters(const clump_memory_frame *frame, const change_plan *plan, uint8_t *changes)
{
    memset(changes, CLUMP_MEMORY_NONE, (size_t)plan->count);
    for (int32_t label = 0; label < frame->count; label++) { /* numbers do not grow */
        const int32_t name = plan->name[label];
        if (name < 0) continue;
        frame->clusters[name] = frame->clusters[label];
        frame->objects[name] = frame->objects[label];
        frame->clusters[name].label = frame->objects[name].label = name;
        if (plan->by[label] >= 0) {
            frame->objects[name] = frame->places[plan->by[label]].object->object;
            changes[name] = CLUMP_MEMORY_MERGED;
        } else if (plan->first[label] >= 0 && plan->left[label] >= 0) {
            frame->objects[name] = rest_of(frame->objects[name]);
            changes[name] = CLUMP_MEMORY_REST;
        }
    }
    for (int32_t i = 0; i < frame->place_count; i++) {
        const clump_memory_place *const p = &frame->places[i];
        if (p->becomes < 0) continue;
        frame->objects[p->becomes] = p->object->object;
        changes[p->becomes] = CLUMP_MEMORY_SPLIT;
    }
}

/* Gathers the points of clusters that have changed: coordinates, labels from 0, values. Returns their number. */
static size_t gather(const clump_memory_frame *frame, const int32_t *local, float *xyz, int32_t *labels, float *values)
{
    const size_t stride = frame->points.stride ? frame->points.stride : 12;
    const clump_describe_options *const d = frame->describe;
    const size_t step = d && d->values_stride ? d->values_stride : sizeof(float);
    size_t count = 0;
    for (size_t i = 0; i < frame->points.count; i++) {
        const int32_t label = frame->labels[i];
        if (label < 0 || local[label] < 0) continue;
        memcpy(xyz + 3 * count, (const char *)frame->points.xyz + i * stride, 12);
        if (values) memcpy(values + count, (const char *)d->values + i * step, sizeof *values);
        labels[count++] = local[label];
    }
    return count;
}

/* Describes the clusters that have changed. */
static clump_status describe_changes(clump_context *ctx, clump_memory *memory, const clump_memory_frame *frame,
                                     const change_plan *plan, const uint8_t *changes)
{
    const size_t points = frame->points.count, count = (size_t)plan->count;
    CLUMP_TRY(clump_memory_room(&ctx->work, memory, &memory->gathered,
                                count * sizeof(clump_cluster) + points * 20 + count * sizeof(int32_t)));
    clump_cluster *const described = memory->gathered.data;
    float *const xyz = (float *)(void *)(described + count), *const values = xyz + 3 * points;
    int32_t *const labels = (int32_t *)(void *)(values + points), *const local = labels + points;
    int32_t changed = 0;
    for (size_t k = 0; k < count; k++) local[k] = changes[k] ? changed++ : -1;
    clump_describe_options options = frame->describe ? *frame->describe : clump_describe_defaults();
    if (!frame->describe) options.up = memory->axes.up == 1 ? CLUMP_UP_Y : CLUMP_UP_Z;
    options.heights = NULL;
    options.hull = NULL, options.hull_offsets = NULL, options.hull_capacity = 0;
    const bool has_values = options.values != NULL;
    const size_t taken = gather(frame, local, xyz, labels, has_values ? values : NULL);
    options.values = has_values ? values : NULL;
    options.values_stride = 0;
    const clump_points some = {.xyz = xyz, .count = taken};
    CLUMP_TRY(clump_describe(ctx, some, labels, changed, &options, described));
    for (int32_t k = 0; k < plan->count; k++) {
        if (local[k] < 0) continue;
        clump_object *const o = &frame->objects[k];
        frame->clusters[k] = described[local[k]];
        frame->clusters[k].label = o->label = k;
        o->count = frame->clusters[k].count;
        frame->clusters[k].height = o->top;
    }
    return CLUMP_OK;
}

static clump_status make_plan(clump_work *work, clump_memory *memory, const clump_memory_frame *frame,
                              change_plan *plan)
{
    const size_t count = (size_t)frame->count;
    CLUMP_TRY(clump_memory_room(work, memory, &memory->change, 6 * count * sizeof(int32_t)));
    int32_t *const all = memory->change.data;
    *plan = (change_plan){.first = all,
                          .into = all + count,
                          .by = all + 2 * count,
                          .left = all + 3 * count,
                          .name = all + 4 * count,
                          .owners = all + 5 * count};
    for (int32_t label = 0; label < frame->count; label++) {
        plan->first[label] = plan->by[label] = -1;
        plan->into[label] = label;
        plan->left[label] = plan->owners[label] = 0;
    }
    for (int32_t i = 0; i < frame->place_count; i++) {
        find_cluster(frame, &frame->places[i]);
        if (frame->places[i].own >= 0) plan->owners[frame->places[i].own]++;
    }
    list_swallowed(memory, frame, plan);
    find_merges(memory, frame, plan);
    if (plan->splits) CLUMP_TRY(count_all_parts(work, memory, frame, plan));
    number_clusters(frame, plan);
    return CLUMP_OK;
}

clump_status clump_memory_apply(clump_context *ctx, clump_memory *memory, clump_memory_frame *frame, int32_t *count)
{
    change_plan plan;
    CLUMP_TRY(make_plan(&ctx->work, memory, frame, &plan));
    *count = plan.count;
    if ((!plan.splits && !plan.merges) || plan.count > frame->capacity) return CLUMP_OK;
    CLUMP_TRY(clump_memory_room(&ctx->work, memory, &memory->changes, (size_t)plan.count));
    CLUMP_TRY(relabel(&ctx->work, memory, frame, &plan));
    move_clusters(frame, &plan, memory->changes.data);
    CLUMP_TRY(describe_changes(ctx, memory, frame, &plan, memory->changes.data));
    memory->changed = plan.count;
    return CLUMP_OK;
}
