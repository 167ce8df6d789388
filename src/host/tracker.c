/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tracker.c: identities and velocities of objects, from frame to frame.
 *
 *     objects + velocity x time -> where they are expected
 *     clusters of the frame     -> pairs of both (assign.c)
 *     new objects, the rest     -> further pairs, within twice the gate
 *     pair                      -> the object moves to the cluster, and its velocity is corrected
 *     cluster without object    -> a new object
 *     object without cluster    -> waits until max_gap has passed
 *
 * With poses the same happens over ground, and motion.c judges what moves.
 *
 * The place of an object is its centroid. That is steadier than the centre of the box, which one point more or less at an
 * end moves: between frames of SemanticKITTI 00 (d = 0.5), centroids of standing objects jump by 0.11 m, centres of boxes
 * by 0.16 m (medians of 239).
 *
 * Twice the gate for objects without velocity: of simulated cars at 22 to 28 m/s among 250 flickering things at the
 * roadside, 82 % changed identity per frame without, 0.9 % with it. False speeds of standing things rose from 0.03 to
 * 0.04 %. With twice the gate for all objects they rose to 0.8 %.
 *
 * An update computes in scratch memory first. Objects and outputs change when nothing can fail any more. Only + - * / and
 * sqrt of doubles are used, which round in the same way everywhere.
 */
#include <clump/track.h>

#include "core/context.h"
#include "core/options.h"
#include "host/assign.h"
#include "host/icp.h"
#include "host/motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An object that is known. The list of objects is in the order of their identities. */
typedef struct tracker_object {
    uint64_t id;
    int64_t first, last;             /* times when it was seen */
    double position[3], velocity[3]; /* over ground: of the plane, the first two */
    uint32_t seen, missed;
    int32_t cluster;     /* of the last frame in which it was seen */
    clump_motion motion; /* over ground */
} tracker_object;

struct clump_tracker {
    clump_work home; /* holds the memory, as for an index */
    clump_tracker_options options;
    int axis[2]; /* of the plane seen from above */
    int up;
    clump_buffer objects, scratch; /* tracker_object; see tracker_frame */
    int32_t count;                 /* objects */
    bool begun;                    /* `time` is that of the last frame */
    int64_t time;
    uint64_t next_id;
    bool over_ground; /* the last frame had a pose */
    clump_motion_memory memory;
    clump_motion_scene now; /* this frame */
};

/* Clusters per object, as track.h defines. Detected scenes (SemanticKITTI, Ouster, Velodyne) have 7 at most within 2 m.
 * 5000 random objects in 1 m^2 all find one within 32, at 0.0003 % more cost than within 48; within 16, three do not. */
#define TRACKER_CANDIDATES  32
#define TRACKER_GROUND_GAPS 4 /* max_gap over ground, as track.h defines */
#define TRACKER_BYTES       ((sizeof(clump_tracker) + 63) / 64 * 64)

/* What an update computes before it changes the tracker. */
typedef struct tracker_frame {
    int64_t time;
    const double *pose; /* null: none */
    const clump_cluster *clusters;
    int32_t count;
    int32_t known;         /* objects that may be seen again: the first of the list, or none */
    double (*expected)[2]; /* per object that may be seen again */
    float (*seen)[2];      /* per cluster */
    int32_t *partner;      /* per object that may be seen again: its cluster, or -1 */
    int32_t *owner;        /* per cluster: its object, or -1 */
    void *assign;          /* scratch memory of the assignment */
} tracker_frame;

static clump_status check_options(clump_work *work, const clump_tracker_options *o)
{
    if (o->cookie != CLUMP_TRACKER_COOKIE)
        return clump_fail(work, CLUMP_ERR_OPTIONS, "%s: the options were not made by clump_tracker_defaults()",
                          work->call);
    if (!(o->gate >= 1e-150 && o->gate <= 1e150))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the gate is %g, it must be above 0 (allowed: 1e-150 to 1e150)",
                          work->call, o->gate);
    CLUMP_TRY(clump_option_check(work, &clump_tracker_table, o));
    return CLUMP_OK;
}

clump_status clump_tracker_create(clump_context *ctx, const clump_tracker_options *given, clump_tracker **out)
{
    if (out) *out = NULL;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_tracker_create"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_tracker_create: out is null");
    const clump_tracker_options options = given ? *given : clump_tracker_defaults();
    CLUMP_TRY(check_options(&ctx->work, &options));
    clump_tracker *const tracker = ctx->work.memory.allocate(TRACKER_BYTES, 64, ctx->work.memory.user);
    if (!tracker)
        return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated",
                          TRACKER_BYTES);
    memset(tracker, 0, sizeof *tracker);
    tracker->home.memory = ctx->work.memory;
    tracker->options = options;
    tracker->axis[1] = options.up == CLUMP_UP_Y ? 2 : 1;
    tracker->up = 3 - tracker->axis[1];
    tracker->next_id = 1;
    *out = tracker;
    return CLUMP_OK;
}

void clump_tracker_reset(clump_tracker *tracker)
{
    if (!tracker) return;
    tracker->count = 0;
    tracker->begun = false;
    tracker->memory.remembered = 0;
}

void clump_tracker_destroy(clump_tracker *tracker)
{
    if (!tracker) return;
    clump_buffer_release(&tracker->home, &tracker->objects);
    clump_buffer_release(&tracker->home, &tracker->scratch);
    clump_buffer_release(&tracker->home, &tracker->now.boxes);
    for (int i = 0; i < CLUMP_MOTION_SCENES; i++)
        clump_buffer_release(&tracker->home, &tracker->memory.scenes[i].boxes);
    const clump_allocator memory = tracker->home.memory;
    memory.release(tracker, TRACKER_BYTES, memory.user);
}

/* ----- before anything changes ------------------------------------------------------------------- */

/* Returns the seconds between two times, the later one first. Their difference may exceed int64_t. */
static double seconds_between(int64_t later, int64_t earlier)
{
    return (double)((uint64_t)later - (uint64_t)earlier) / 1e9;
}

/* Makes room for more than is needed: numbers of objects change a little from frame to frame. */
static clump_status grow(clump_work *home, clump_buffer *buffer, size_t bytes, size_t keep)
{
    return bytes <= buffer->bytes ? CLUMP_OK : clump_buffer_grow(home, buffer, bytes + bytes / 2, keep);
}

/* Reserves memory and points the members of the frame into it. All objects and all clusters can be objects then. */
static clump_status reserve(clump_work *work, clump_tracker *tracker, tracker_frame *frame)
{
    const size_t known = (size_t)frame->known, clusters = (size_t)frame->count;
    const size_t assign = clump_assign_bytes(frame->known, frame->count, TRACKER_CANDIDATES);
    const size_t bytes = assign + known * (16 + 4) + clusters * (8 + 4);
    tracker->home.error[0] = '\0';
    clump_status status = grow(&tracker->home, &tracker->scratch, bytes, 0);
    if (status == CLUMP_OK)
        status = grow(&tracker->home, &tracker->objects, ((size_t)tracker->count + clusters) * sizeof(tracker_object),
                      (size_t)tracker->count * sizeof(tracker_object));
    if (status == CLUMP_OK && frame->pose)
        status = grow(&tracker->home, &tracker->now.boxes, clusters * sizeof(clump_motion_box), 0);
    if (status != CLUMP_OK) {
        memcpy(work->error, tracker->home.error, sizeof work->error);
        return status;
    }
    frame->assign = tracker->scratch.data;
    frame->expected = (double(*)[2])(void *)((char *)frame->assign + assign);
    frame->seen = (float(*)[2])(void *)(frame->expected + known);
    frame->partner = (int32_t *)(void *)(frame->seen + clusters);
    frame->owner = frame->partner + known;
    return CLUMP_OK;
}

/* Whether an object can be seen in a frame of this time. One that was seen in the frame before always can. */
static bool is_known(const clump_tracker *tracker, const tracker_object *object, int64_t time)
{
    const double gap = tracker->options.max_gap * (tracker->over_ground ? TRACKER_GROUND_GAPS : 1);
    return object->missed == 0 || seconds_between(time, object->last) <= gap;
}

static bool has_place(const clump_cluster *cluster)
{
    return isfinite(cluster->centroid[0]) && isfinite(cluster->centroid[1]) && isfinite(cluster->centroid[2]);
}

/* Pairs objects with clusters within the gate. Pairs are then out of reach of a further call. */
static clump_status pair_objects(clump_work *work, const tracker_frame *frame, double gate)
{
    const clump_assign_job job = {.rows = (const double(*)[2])frame->expected,
                                  .columns = (const float(*)[2])frame->seen,
                                  .row_count = frame->known,
                                  .column_count = frame->count,
                                  .gate = gate,
                                  .most = TRACKER_CANDIDATES,
                                  .partner = frame->partner};
    CLUMP_TRY(clump_assign(work, &job, frame->assign));
    for (int32_t i = 0; i < frame->known; i++) {
        const int32_t cluster = frame->partner[i];
        if (cluster < 0) continue;
        frame->owner[cluster] = i;
        frame->expected[i][0] = -INFINITY;
        frame->seen[cluster][0] = INFINITY;
    }
    return CLUMP_OK;
}

/* Sets where objects are expected and where clusters are. Over ground both are relative to the sensor: float32 is fine enough
 * for the clusters, wherever the world begins. Forgotten objects and clusters without a place are out of reach. */
static void set_places(const clump_tracker *tracker, const tracker_frame *frame)
{
    const tracker_object *const objects = tracker->objects.data;
    const clump_motion_box *const boxes = tracker->now.boxes.data;
    const int *const axis = tracker->axis;
    const double *const sensor = tracker->now.sensor;
    for (int32_t i = 0; i < frame->known; i++) {
        const tracker_object *const o = &objects[i];
        const double elapsed = seconds_between(frame->time, o->last);
        for (int k = 0; k < 2; k++)
            frame->expected[i][k] = frame->pose ? o->position[k] + o->motion.drift[k] * elapsed - sensor[k]
                                                : o->position[axis[k]] + o->velocity[axis[k]] * elapsed;
        if (!is_known(tracker, o, frame->time)) frame->expected[i][0] = -INFINITY;
    }
    for (int32_t i = 0; i < frame->count; i++) {
        for (int k = 0; k < 2; k++)
            frame->seen[i][k] =
                frame->pose ? (float)(boxes[i].place[k] - sensor[k]) : frame->clusters[i].centroid[axis[k]];
        if (!has_place(&frame->clusters[i])) frame->seen[i][0] = INFINITY;
        frame->owner[i] = -1;
    }
}

/* Finds the object of each cluster. */
static clump_status find_owners(clump_work *work, const clump_tracker *tracker, const tracker_frame *frame)
{
    const tracker_object *const objects = tracker->objects.data;
    set_places(tracker, frame);
    if (frame->pose) CLUMP_TRY(pair_objects(work, frame, tracker->options.gate / 4));
    if (frame->pose) CLUMP_TRY(pair_objects(work, frame, tracker->options.gate / 2));
    CLUMP_TRY(pair_objects(work, frame, tracker->options.gate));
    bool left = false; /* objects without velocity */
    for (int32_t i = 0; i < frame->known; i++) {
        if (objects[i].seen > 1) frame->expected[i][0] = -INFINITY;
        left = left || frame->expected[i][0] > -INFINITY;
    }
    return left ? pair_objects(work, frame, 2 * tracker->options.gate) : CLUMP_OK;
}

/* ----- changes -------------------------------------------------------------------------------------- */

static float limit_float(double value)
{
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : (float)value;
}

static clump_track describe_track(const tracker_object *object, int64_t time, uint32_t missed)
{
    clump_track track = {.id = object->id,
                         .seen = object->seen,
                         .missed = missed,
                         .age = seconds_between(time, object->first),
                         .motion = object->motion.verdict,
                         .confidence = object->motion.confidence};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        track.velocity[k] = limit_float(object->velocity[k]);
        square += object->velocity[k] * object->velocity[k];
    }
    track.speed = limit_float(sqrt(square));
    return track;
}

/* Puts the object where its cluster is over ground. Its velocity is turned to the axes of the frame. */
static void put_over_ground(const clump_tracker *tracker, const tracker_frame *frame, int32_t cluster,
                            tracker_object *object)
{
    const clump_motion_box *const boxes = tracker->now.boxes.data;
    const int *const axis = tracker->axis;
    for (int k = 0; k < 2; k++) object->position[k] = boxes[cluster].place[k];
    for (int k = 0; k < 3; k++)
        object->velocity[k] = frame->pose[4 * axis[0] + k] * object->motion.velocity[0] +
                              frame->pose[4 * axis[1] + k] * object->motion.velocity[1];
}

/* Moves the object to its cluster. */
static clump_track move_object(const clump_tracker *tracker, const tracker_frame *frame, int32_t number,
                               tracker_object *object, uint64_t *looks)
{
    const clump_cluster *const cluster = &frame->clusters[number];
    const int64_t time = frame->time;
    const double elapsed = seconds_between(time, object->last),
                 weight = object->seen == 1 ? 1 : tracker->options.smooth;
    if (frame->pose) {
        clump_motion_judge(&object->motion, &tracker->memory, &tracker->now, number, tracker->options.gate, looks);
        put_over_ground(tracker, frame, number, object);
    } else {
        for (int k = 0; k < 3; k++) {
            const double measured = ((double)cluster->centroid[k] - object->position[k]) / elapsed;
            object->velocity[k] += weight * (measured - object->velocity[k]);
            object->position[k] = (double)cluster->centroid[k];
        }
    }
    const uint32_t missed = object->missed;
    object->last = time;
    object->missed = 0;
    if (object->seen < UINT32_MAX) object->seen++;
    return describe_track(object, time, missed);
}

/* Makes an object of a cluster that has none. */
static tracker_object new_object(clump_tracker *tracker, const tracker_frame *frame, int32_t cluster)
{
    tracker_object object = {.id = tracker->next_id++, .first = frame->time, .last = frame->time, .seen = 1};
    for (int k = 0; k < 3; k++) object.position[k] = (double)frame->clusters[cluster].centroid[k];
    if (frame->pose) put_over_ground(tracker, frame, cluster, &object);
    return object;
}

/* Remembers the scene, if it is due. The cluster of an object is its box in the scene. */
static void remember_scene(clump_tracker *tracker)
{
    clump_motion_memory *const memory = &tracker->memory;
    if (!clump_motion_is_due(memory, tracker->now.time)) return;
    tracker_object *const objects = tracker->objects.data;
    for (int32_t i = 0; i < tracker->count; i++)
        if (objects[i].last == tracker->now.time)
            clump_motion_trace_add(&objects[i].motion, memory, objects[i].cluster);
    clump_motion_scene *const slot = &memory->scenes[memory->remembered++ % CLUMP_MOTION_SCENES];
    const clump_motion_scene before = *slot;
    *slot = tracker->now;
    tracker->now = before;
}

/* Takes the frame: nothing fails from here on. */
static void take_frame(clump_tracker *tracker, const tracker_frame *frame, clump_track *tracks)
{
    tracker_object *const objects = tracker->objects.data;
    uint64_t looks = CLUMP_MOTION_LOOKS;
    for (int32_t i = 0; i < frame->count; i++) {
        if (frame->owner[i] < 0) continue;
        tracker_object *const object = &objects[frame->owner[i]];
        tracks[i] = move_object(tracker, frame, i, object, &looks);
        object->cluster = i;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < frame->known; i++) {
        if (objects[i].last != frame->time && objects[i].missed < UINT32_MAX) objects[i].missed++;
        if (is_known(tracker, &objects[i], frame->time)) objects[count++] = objects[i];
    }
    for (int32_t i = 0; i < frame->count; i++) {
        if (frame->owner[i] >= 0) continue;
        tracker_object object = new_object(tracker, frame, i);
        object.cluster = i;
        tracks[i] = describe_track(&object, frame->time, 0);
        if (has_place(&frame->clusters[i])) objects[count++] = object;
    }
    tracker->count = count;
    tracker->time = frame->time;
    tracker->begun = true;
    if (frame->pose) remember_scene(tracker);
}

static clump_status check_frame(clump_work *work, const clump_tracker *tracker, const tracker_frame *frame,
                                const clump_track *tracks)
{
    const clump_cluster *const clusters = frame->clusters;
    if (!tracker) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: tracker is null", work->call);
    if (frame->count < 0) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %d clusters", work->call, (int)frame->count);
    if (frame->count > 0 && (!clusters || !tracks))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %s is null", work->call, clusters ? "tracks" : "clusters");
    if (frame->pose && !clump_is_pose(frame->pose))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the pose does not just turn and move", work->call);
    const size_t count = (size_t)frame->count;
    const clump_span spans[] = {
        clump_span_out("tracks", (clump_track *)(uintptr_t)tracks, count, sizeof *tracks, _Alignof(clump_track)),
        clump_span_in("clusters", clusters, count, sizeof *clusters, _Alignof(clump_cluster)),
    };
    return clump_check_spans(work, work->call, spans, sizeof spans / sizeof *spans);
}

static clump_status update(clump_context *ctx, clump_tracker *tracker, tracker_frame frame, clump_track *tracks)
{
    CLUMP_TRY(check_frame(&ctx->work, tracker, &frame, tracks));
    const bool goes_on = tracker->begun && frame.time > tracker->time && tracker->over_ground == (frame.pose != NULL);
    frame.known = goes_on ? tracker->count : 0;
    if (frame.known > INT32_MAX - frame.count)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: %d clusters beside %d objects are too many",
                          ctx->work.call, (int)frame.count, (int)frame.known);
    CLUMP_TRY(reserve(&ctx->work, tracker, &frame));
    const clump_motion_axes axes = {{tracker->axis[0], tracker->axis[1]}, tracker->up};
    if (frame.pose) clump_motion_set(&tracker->now, &axes, frame.pose, frame.clusters, frame.count);
    tracker->now.time = frame.time;
    CLUMP_TRY(find_owners(&ctx->work, tracker, &frame));
    if (!goes_on) tracker->memory.remembered = 0;
    tracker->over_ground = frame.pose != NULL;
    take_frame(tracker, &frame, tracks);
    return CLUMP_OK;
}

clump_status clump_tracker_update(clump_context *ctx, clump_tracker *tracker, int64_t time,
                                  const clump_cluster *clusters, int32_t count, clump_track *tracks)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_tracker_update"));
    return update(ctx, tracker, (tracker_frame){.time = time, .clusters = clusters, .count = count}, tracks);
}

clump_status clump_tracker_update_at(clump_context *ctx, clump_tracker *tracker, int64_t time, const double *pose,
                                     const clump_cluster *clusters, int32_t count, clump_track *tracks)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_tracker_update_at"));
    return update(ctx, tracker, (tracker_frame){.time = time, .pose = pose, .clusters = clusters, .count = count},
                  tracks);
}
