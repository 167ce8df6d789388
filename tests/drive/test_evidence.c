/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_evidence.c: clump_memory: objects that were seen apart stay apart, what moves as one stays one, sizes are those of several
 * views. The worlds are boxes of points that a moving sensor sees. Random worlds are compared with a second implementation of
 * clump/track.h, which looks at all points and all objects.
 */
#include "support/check.h"

#include "support/calls.h"

#include <clump/track.h>

#include <math.h>

enum { POINTS = 6000, MOST = 80 };
#define FRAME 100000000LL /* nanoseconds: 10 frames per second */

/* One frame. */
static float xyz[3 * POINTS];
static int32_t labels[POINTS], truth[POINTS];
static size_t points;
static int32_t count;
static bool is_object[MOST];
static clump_cluster clusters[MOST];
static clump_object objects[MOST];
static clump_track tracks[MOST];
static clump_memory_box wholes[MOST];
static double pose[12], lift; /* lift: how far boxes are above the ground */
static clump_up axis;         /* that points up; y only where the sensor is at the origin */

static clump_context *ctx;
static clump_tracker *tracker;
static clump_memory *memory;

static void look_from(double x, double y, double angle)
{
    const double m[12] = {cos(angle), -sin(angle), 0, x, sin(angle), cos(angle), 0, y, 0, 0, 1, 0};
    memcpy(pose, m, sizeof m);
    points = 0, count = 0;
}

/* Adds a box of points every 0.25 to a cluster: its least corner, and extents along x and y. `thing` is the truth. */
static void add_box(int32_t label, int32_t thing, double x, double y, double along, double across)
{
    for (double u = 0; u <= along; u += 0.25)
        for (double v = 0; v <= across; v += 0.25)
            for (int h = 0; h < 2 && points < POINTS; h++) {
                const double dx = x + u - pose[3], dy = y + v - pose[7];
                float *const p = xyz + 3 * points;
                p[0] = (float)(pose[0] * dx + pose[4] * dy);
                p[1] = (float)(pose[1] * dx + pose[5] * dy);
                p[2] = (float)(h - 1.5 + lift);
                if (axis == CLUMP_UP_Y) p[2] = p[1], p[1] = (float)(h - 1.5 + lift);
                labels[points] = label;
                truth[points++] = thing;
            }
    if (label >= count) count = label + 1;
}

/* Describes the clusters of the frame. */
static void describe(void)
{
    const clump_points cloud = {.xyz = xyz, .count = points};
    clump_describe_options o = clump_describe_defaults();
    o.up = axis;
    CHECK_INT(clump_describe(ctx, cloud, labels, count, &o, clusters), CLUMP_OK);
    for (int32_t k = 0; k < count; k++)
        objects[k] = (clump_object){.label = k,
                                    .count = clusters[k].count,
                                    .object = is_object[k],
                                    .fits = is_object[k] ? CLUMP_FIT_CAR : CLUMP_FIT_OTHER,
                                    .top = 1.5f,
                                    .level = is_object[k] ? 1 : -1,
                                    .score = is_object[k] ? 0.5f : 0};
}

static clump_status correct(int64_t time)
{
    return clump_memory_correct(ctx, memory, time, pose, (clump_points){.xyz = xyz, .count = points}, NULL, labels,
                                clusters, objects, MOST, &count);
}

static clump_status remember(int64_t time)
{
    const clump_status status = clump_tracker_update_at(ctx, tracker, time, pose, clusters, count, tracks);
    if (status != CLUMP_OK) return status;
    return clump_memory_remember(ctx, memory, time, pose, clusters, objects, tracks, count, wholes);
}

static void run_frame(int64_t time)
{
    describe();
    CHECK_INT(correct(time), CLUMP_OK);
    CHECK_INT(remember(time), CLUMP_OK);
}

static void begin(void)
{
    clump_tracker_destroy(tracker), clump_memory_destroy(memory);
    clump_tracker_options o = clump_tracker_defaults();
    o.up = axis;
    CHECK_INT(clump_tracker_create(ctx, &o, &tracker), CLUMP_OK);
    CHECK_INT(clump_memory_create(ctx, axis, &memory), CLUMP_OK);
    for (int k = 0; k < MOST; k++) is_object[k] = true;
}

/* Whether clusters are the things of the truth, one to one. */
static bool is_truth(void)
{
    for (size_t i = 0; i < points; i++)
        for (size_t k = 0; k < i; k += 7)
            if ((labels[i] == labels[k]) != (truth[i] == truth[k])) return false;
    return true;
}

/* ----- by hand ---------------------------------------------------------------------------------------------------- */

/* Two cars that are seen apart in four frames, then as one cluster: an object, or background. */
static void apart_stays_apart(void)
{
    for (int as_object = 0; as_object < 2; as_object++) {
        begin();
        uint64_t ids[2] = {0, 0};
        int kept = 0;
        for (int f = 0; f < 14; f++) {
            const bool joined = f >= 4;
            look_from(0.8 * f, 0, 0.02 * f);
            add_box(0, 0, 20, 3, 4, 1.75);
            add_box(joined ? 0 : 1, 1, 20, 5.25, 4, 1.75);
            is_object[0] = !joined || as_object;
            run_frame(f * FRAME);
            if (f == 3) ids[0] = tracks[0].id, ids[1] = tracks[1].id;
            if (!joined || count < 2) continue;
            kept++;
            CHECK_INT(count, 2);
            CHECK(is_truth());
            CHECK(tracks[0].id == ids[0] && tracks[1].id == ids[1]);
            for (int k = 0; k < 2; k++) {
                CHECK_INT(wholes[k].change, CLUMP_MEMORY_SPLIT);
                CHECK(objects[k].object == 1 && objects[k].label == k && objects[k].count == clusters[k].count);
                CHECK(clusters[k].label == k && clusters[k].height == 1.5f);
            }
        }
        CHECK_INT(kept, as_object ? 1 : 5); /* their own views are half of the last frames, or all of them */
    }
}

/* A car beside a wall. The wall keeps its label and is background. */
static void what_is_left(void)
{
    begin();
    for (int f = 0; f < 6; f++) {
        const int other = axis == CLUMP_UP_Y ? 2 : 1;
        look_from(0, 0, 0);
        add_box(0, 0, 5, 6, 30, 0.5);
        add_box(f < 4 ? 1 : 0, 1, 15, 4, 4, 1.5);
        is_object[0] = false;
        run_frame(f * FRAME);
        CHECK_INT(count, 2);
        CHECK(is_truth() && labels[0] == 0 && objects[0].object == 0 && objects[1].object == 1);
        CHECK(clusters[1].lower[0] == 15 && clusters[1].upper[0] == 19 && clusters[1].lower[other] == 4);
        CHECK(fabsf(clusters[1].box_size[0] - 4) < 1e-5f && fabsf(clusters[1].box_size[1] - 1.5f) < 1e-5f);
        CHECK(wholes[1].lower == -1.5f && wholes[1].upper == -0.5f);
        if (f < 4) continue;
        CHECK_INT(wholes[0].change, CLUMP_MEMORY_REST);
        CHECK_INT(wholes[1].change, CLUMP_MEMORY_SPLIT);
    }
}

static void y_points_up(void)
{
    axis = CLUMP_UP_Y;
    what_is_left();
    axis = CLUMP_UP_Z;
}

/* A car whose front was seen alone is not divided: one swallowed object is no reason to divide another one. */
static void objects_stay_whole(void)
{
    begin();
    for (int f = 0; f < 6; f++) {
        look_from(0, 0, 0);
        add_box(0, 0, 15, 4, f < 4 ? 2 : 4.5, 1.5);
        run_frame(f * FRAME);
        CHECK_INT(count, 1);
        CHECK_INT(wholes[0].change, CLUMP_MEMORY_NONE);
    }
}

/* Seventy things above each other, then as one cluster. In a square 64 boxes are looked at. */
static void crowded_square(void)
{
    enum { THINGS = 70, LOOKED_AT = 64 };
    begin();
    for (int f = 0; f < 5; f++) {
        look_from(0, 0, 0);
        for (int k = 0; k < THINGS; k++) {
            lift = 2 * k;
            add_box(f < 4 ? k : 0, k < LOOKED_AT ? k : LOOKED_AT, 10.35 + 0.01 * k, 4.5, 0.5, 0.75);
        }
        is_object[0] = f < 4;
        run_frame(f * FRAME);
        for (int k = 0; k < count && f < 4; k++) CHECK(tracks[k].id == (uint64_t)k + 1);
    }
    lift = 0;
    CHECK_INT(count, LOOKED_AT + 1);
    CHECK(is_truth());
    CHECK_INT(wholes[0].change, CLUMP_MEMORY_REST);
}

/* A truck that drives, or stands, and falls into two clusters. */
static void one_stays_one(void)
{
    for (int drives = 0; drives < 2; drives++) {
        begin();
        for (int f = 0; f < 14; f++) {
            look_from(0, 0, 0);
            const double x = 10 + (drives ? 0.8 * f : 0);
            add_box(0, 0, x, 4, 3, 2);
            add_box(f == 12 ? 1 : 0, 0, x + 3.75, 4, 4, 2);
            add_box(f == 12 ? 2 : 1, 1, 10, -8, 4, 2);
            run_frame(f * FRAME);
            CHECK_INT(count, f == 12 && !drives ? 3 : 2);
            if (drives) CHECK(is_truth());
            if (drives && f >= 6) CHECK_INT(tracks[0].motion, CLUMP_TRACK_MOVING);
            if (f == 12) CHECK_INT(wholes[0].change, drives ? CLUMP_MEMORY_MERGED : CLUMP_MEMORY_NONE);
        }
    }
}

/* A car whose rear is seen first, then its side. */
static void sizes_are_unions(void)
{
    begin();
    for (int f = 0; f < 14; f++) {
        look_from(0, 0, 0);
        add_box(0, 0, 15, 4, f % 2 ? 4 : 3.5, f == 3 ? 2 : 1.5);
        run_frame(f * FRAME);
        const bool wide = f >= 3 && f <= 10; /* in the last eight frames */
        CHECK_MSG(fabsf(wholes[0].size[0] - (f > 0 ? 4.0f : 3.5f)) < 1e-4f, "frame %d: %g", f,
                  (double)wholes[0].size[0]);
        CHECK_MSG(fabsf(wholes[0].size[1] - (wide ? 2.0f : 1.5f)) < 1e-4f, "frame %d: %g", f,
                  (double)wholes[0].size[1]);
        CHECK_MSG(fabsf(wholes[0].center[0] - (f > 0 ? 17.0f : 16.75f)) < 1e-4f, "frame %d", f);
        CHECK_INT(wholes[0].views, f < 7 ? f + 1 : 8);
        CHECK(wholes[0].lower == -1.5f && wholes[0].upper == -0.5f);
    }
}

/* ----- a second implementation ------------------------------------------------------------------------------------ */

typedef struct plain_view {
    int frame;
    double middle[2], along[2], half[2], lower, upper;
    bool own;
} plain_view;

typedef struct plain_object {
    uint64_t id;
    int first, views, points;
    bool moves, object;
    double velocity[2];
    plain_view view[64];
} plain_object;

static plain_object plain[512];
static int plain_count;

static int plain_own(const plain_object *o, int frame)
{
    int own = 0;
    for (int k = 0; k < o->views; k++) own += o->view[k].own && o->view[k].frame > frame - 8;
    return own;
}

static int plain_window(const plain_object *o, int frame)
{
    return frame - o->first + 1 < 8 ? frame - o->first + 1 : 8;
}

static double plain_distance(const plain_view *v, const float *p, bool *in)
{
    double q[2];
    for (int k = 0; k < 2; k++)
        q[k] = pose[4 * k] * (double)p[0] + pose[4 * k + 1] * (double)p[1] + pose[4 * k + 2] * (double)p[2] +
               pose[4 * k + 3] - v->middle[k];
    const double along = fmax(0, fabs(q[0] * v->along[0] + q[1] * v->along[1]) - v->half[0]);
    const double across = fmax(0, fabs(q[1] * v->along[0] - q[0] * v->along[1]) - v->half[1]);
    *in = hypot(along, across) <= 0.3 && (double)p[2] >= v->lower - 0.3 && (double)p[2] <= v->upper + 0.3;
    return along * along + across * across;
}

/* What is known of the known objects in this frame. */
typedef struct plain_place {
    const plain_object *o;
    plain_view box;
    int in[MOST], own, from;
} plain_place;

static plain_place places[512];
static int place_count;

static void plain_look(int frame)
{
    place_count = 0;
    for (int i = 0; i < plain_count; i++) {
        const plain_object *const o = &plain[i];
        const plain_view *const last = &o->view[o->views - 1];
        const int own = plain_own(o, frame - 1);
        if (!o->object || own < 2 || 2 * own < plain_window(o, frame - 1) || frame - last->frame > 10 ||
            last->frame + 8 < frame || last->half[0] > 7.5 || last->half[1] > 7.5)
            continue;
        plain_place p = {.o = o, .box = *last, .own = -1, .from = -1};
        for (int k = 0; k < 2; k++) p.box.middle[k] += o->velocity[k] * 0.1 * (frame - last->frame);
        for (size_t k = 0; k < points; k++) {
            bool in;
            plain_distance(&p.box, xyz + 3 * k, &in);
            p.in[labels[k]] += in;
        }
        int most = -1;
        for (int k = 0; k < count; k++) {
            const bool is_own = p.in[k] >= 10 && 10 * p.in[k] >= 7 * objects[k].count;
            if (is_own && (p.own < 0 || p.in[k] > p.in[p.own])) p.own = k;
            if (!is_own && p.in[k] > 0 && (most < 0 || p.in[k] > p.in[most])) most = k;
        }
        const bool steady = own >= 3 && own == plain_window(o, frame - 1);
        if (p.own < 0 && most >= 0 && p.in[most] >= 10 && 5 * p.in[most] >= 2 * o->points &&
            (!objects[most].object || steady))
            p.from = most;
        places[place_count++] = p;
    }
}

/* Returns the part of a point of a divided cluster, -1: none. */
static int plain_part(size_t i, int from, bool near)
{
    int best = -1;
    double least = 0;
    for (int k = 0; k < place_count; k++) {
        bool in;
        if (places[k].from != from) continue;
        const double d = plain_distance(&places[k].box, xyz + 3 * i, &in);
        if (near && !in) continue;
        const double area = places[k].box.half[0] * places[k].box.half[1];
        if (best < 0 || d < least || (d == least && area < places[best].box.half[0] * places[best].box.half[1]))
            best = k, least = d;
    }
    return best;
}

/* Finds clusters that become one: into[k] is the lowest label of those of cluster k. */
static void plain_merges(int frame, const bool *divided, int *into)
{
    bool taken[MOST] = {false};
    for (int k = 0; k < count; k++) into[k] = k;
    for (int i = 0; i < place_count; i++) {
        int found[MOST], n = 0, sum = 0;
        if (!places[i].o->moves || plain_own(places[i].o, frame - 1) < 3) continue;
        for (int k = 0; k < count; k++) {
            bool fine = places[i].in[k] > 0 && 10 * places[i].in[k] >= 9 * objects[k].count && !divided[k] && !taken[k];
            for (int j = 0; j < place_count; j++) fine = fine && (j == i || places[j].own != k);
            if (fine) found[n++] = k, sum += places[i].in[k];
        }
        if (n < 2 || 2 * sum < places[i].o->points) continue;
        for (int k = 0; k < n; k++) into[found[k]] = found[0], taken[found[k]] = true;
    }
}

/* Computes the labels after a correction. Returns the number of clusters. */
static int plain_correct(int frame, int32_t *to, bool *changed)
{
    int into[MOST], name[MOST], parts[MOST] = {0}, left[MOST] = {0}, next = 0;
    bool divided[MOST] = {false};
    plain_look(frame);
    for (int k = 0; k < place_count; k++)
        if (places[k].from >= 0) parts[places[k].from]++;
    for (int k = 0; k < count; k++) divided[k] = parts[k] > (objects[k].object ? 1 : 0);
    plain_merges(frame, divided, into);
    for (size_t i = 0; i < points; i++)
        if (divided[labels[i]]) left[labels[i]] += plain_part(i, labels[i], true) < 0;
    int *const part = malloc((points + 1) * sizeof *part), names[512], sizes[512] = {0};
    for (size_t i = 0; i < points; i++) {
        part[i] = divided[labels[i]] ? plain_part(i, labels[i], true) : -1;
        if (divided[labels[i]] && part[i] < 0 && left[labels[i]] < 10) part[i] = plain_part(i, labels[i], false);
        if (part[i] >= 0) sizes[part[i]]++;
    }
    for (int k = 0; k < count; k++) name[k] = into[k] == k ? next++ : -1;
    memset(changed, 0, MOST);
    for (int k = 0; k < count; k++) {
        if (into[k] != k) changed[name[into[k]]] = true;
        if (divided[k]) changed[name[k]] = true;
        bool kept = left[k] >= 10;
        for (int j = 0; j < place_count && divided[k]; j++) {
            if (places[j].from != k || sizes[j] == 0) continue;
            names[j] = kept ? next++ : name[k];
            changed[names[j]] = true;
            kept = true;
        }
    }
    for (size_t i = 0; i < points; i++) to[i] = part[i] >= 0 ? names[part[i]] : name[into[labels[i]]];
    free(part);
    return next;
}

/* Adds the views of a frame. */
static void plain_remember(int frame, const bool *changed)
{
    for (int32_t c = 0; c < count; c++) {
        int at = 0;
        while (at < plain_count && plain[at].id < tracks[c].id) at++;
        if (at == plain_count || plain[at].id != tracks[c].id) {
            memmove(plain + at + 1, plain + at, (size_t)(plain_count++ - at) * sizeof *plain);
            plain[at] = (plain_object){.id = tracks[c].id, .first = frame};
        }
        plain_object *const o = &plain[at];
        const double yaw = (double)clusters[c].yaw * 3.14159265358979323846 / 180;
        plain_view v = {.frame = frame, .own = !changed[c]};
        v.lower = (double)clusters[c].lower[2], v.upper = (double)clusters[c].upper[2];
        for (int k = 0; k < 2; k++) {
            v.middle[k] = pose[4 * k] * (double)clusters[c].box_center[0] +
                          pose[4 * k + 1] * (double)clusters[c].box_center[1] + pose[4 * k + 3];
            v.along[k] = pose[4 * k] * cos(yaw) + pose[4 * k + 1] * sin(yaw);
            v.half[k] = (double)clusters[c].box_size[k] / 2;
        }
        o->moves = tracks[c].motion == CLUMP_TRACK_MOVING;
        for (int k = 0; k < 2; k++)
            o->velocity[k] =
                o->moves ? pose[4 * k] * (double)tracks[c].velocity[0] + pose[4 * k + 1] * (double)tracks[c].velocity[1]
                         : 0;
        o->object = objects[c].object;
        int recent = 0;
        for (int k = 0; k < o->views; k++) recent += o->view[k].frame > frame - 8;
        if (v.own || recent == 0) o->points = objects[c].count;
        if (recent == 0) o->views = 0;
        o->view[o->views++] = v;
    }
}

/* Forgets what has no view in the last frames. */
static void plain_forget(int frame)
{
    int kept = 0;
    for (int i = 0; i < plain_count; i++)
        if (plain[i].view[plain[i].views - 1].frame > frame - 8) plain[kept++] = plain[i];
    plain_count = kept;
}

/* Rows of things, some of which drive; neighbours are joined, and things cut, at random. In every second world each second thing
 * hangs over the end of the one before. */
static void random_worlds(void)
{
    int splits = 0, merges = 0;
    static int32_t expected[POINTS];
    bool changed[MOST];
    for (uint64_t seed = 1; seed <= check_fewer(4u, 12u); seed++) {
        uint64_t random = seed;
        const int things = 6 + (int)(check_random(&random) % 6);
        begin();
        plain_count = 0;
        for (int f = 0; f < 30; f++) {
            look_from(0.5 * f, 0.1 * f, 0.01 * f);
            int32_t label = -1;
            for (int k = 0; k < things; k++) {
                const bool hangs = seed % 2 == 0;
                lift = hangs && k % 2 ? 1.6 : 0;
                const double x = 12 + (hangs ? 3.8 : 5.0) * (k % 4) + (k / 4 == 1 ? 0.9 * f : 0), y = 6.0 * (k / 4) - 5;
                const double length = 4.3 + 0.05 * (double)(check_random(&random) % 5);
                const bool joined = k % 4 > 0 && check_random(&random) % 5 == 0;
                if (!joined) is_object[++label] = true;
                if (joined) is_object[label] = check_random(&random) % 2;
                const bool cut = check_random(&random) % 8 == 0;
                add_box(label, k, x, y, cut ? 2 : length, 1.75);
                if (cut) is_object[++label] = true;
                if (cut) add_box(label, k, x + 2.5, y, length - 2.5, 1.75);
            }
            describe();
            const int number = plain_correct(f + 1, expected, changed);
            const int32_t before = count;
            CHECK_INT(correct(f * FRAME), CLUMP_OK);
            CHECK_MSG(count == number && memcmp(labels, expected, points * sizeof *labels) == 0,
                      "seed %d, frame %d: %d clusters, expected %d", (int)seed, f, (int)count, number);
            splits += count > before, merges += count < before;
            CHECK_INT(remember(f * FRAME), CLUMP_OK);
            plain_remember(f + 1, changed);
            plain_forget(f + 1);
            if (check_failures > 5) return;
        }
    }
    lift = 0;
    CHECK_MSG(splits > check_fewer(6, 20) && merges > check_fewer(1, 5), "%d frames with splits, %d with merges",
              splits, merges);
}

/* ----- calls ------------------------------------------------------------------------------------------------------ */

/* Four frames of two cars, then one in which they are joined. */
static void joined_frame(int f)
{
    look_from(0, 0, 0);
    add_box(0, 0, 20, 3, 4, 1.75);
    add_box(f >= 4 ? 0 : 1, 1, 20, 5.25, 4, 1.75);
    is_object[0] = f < 4;
}

static clump_status run_five(void)
{
    for (int f = 0; f < 5; f++) {
        joined_frame(f);
        describe();
        clump_status status = correct(f * FRAME);
        if (status == CLUMP_OK) status = remember(f * FRAME);
        if (status != CLUMP_OK) return status;
    }
    return CLUMP_OK;
}

static void refusals(void)
{
    begin();
    const clump_points cloud = {.xyz = xyz, .count = points};
    clump_memory *none = NULL;
    CHECK_INT(clump_memory_create(NULL, CLUMP_UP_Z, &none), CLUMP_ERR_ARGUMENT);
    expect_failure(ctx, clump_memory_create(ctx, CLUMP_UP_Z, NULL), CLUMP_ERR_ARGUMENT, "out is null");
    expect_failure(ctx, clump_memory_create(ctx, (clump_up)7, &none), CLUMP_ERR_ARGUMENT, "no axis number 7");
    CHECK(!none);
    joined_frame(0);
    describe();
#define CORRECT(memory, pose, labels, clusters, objects, capacity, count)                                              \
    clump_memory_correct(ctx, memory, 0, pose, cloud, NULL, labels, clusters, objects, capacity, count)
    expect_failure(ctx, CORRECT(NULL, pose, labels, clusters, objects, MOST, &count), CLUMP_ERR_ARGUMENT,
                   "memory is null");
    expect_failure(ctx, CORRECT(memory, NULL, labels, clusters, objects, MOST, &count), CLUMP_ERR_ARGUMENT,
                   "pose is null");
    expect_failure(ctx, CORRECT(memory, pose, labels, NULL, objects, MOST, &count), CLUMP_ERR_ARGUMENT,
                   "clusters is null");
    expect_failure(ctx, CORRECT(memory, pose, labels, clusters, NULL, MOST, &count), CLUMP_ERR_ARGUMENT,
                   "objects is null");
    expect_failure(ctx, CORRECT(memory, pose, NULL, clusters, objects, MOST, &count), CLUMP_ERR_ARGUMENT,
                   "labels is null");
    expect_failure(ctx, CORRECT(memory, pose, labels, clusters, objects, 1, &count), CLUMP_ERR_ARGUMENT, "room for 1");
    expect_failure(ctx, CORRECT(memory, pose, labels, clusters, objects, MOST, NULL), CLUMP_ERR_ARGUMENT,
                   "count is null");
    labels[3] = 2;
    expect_failure(ctx, correct(0), CLUMP_ERR_ARGUMENT, "labels[3] is 2, there are 2 clusters");
    labels[3] = 0;
    pose[0] = 2;
    expect_failure(ctx, correct(0), CLUMP_ERR_ARGUMENT, "does not just turn and move");
    pose[0] = 1;
#define REMEMBER(memory, pose, clusters, objects, tracks, count)                                                       \
    clump_memory_remember(ctx, memory, 0, pose, clusters, objects, tracks, count, NULL)
    expect_failure(ctx, REMEMBER(NULL, pose, clusters, objects, tracks, 2), CLUMP_ERR_ARGUMENT, "memory is null");
    expect_failure(ctx, REMEMBER(memory, NULL, clusters, objects, tracks, 2), CLUMP_ERR_ARGUMENT, "pose is null");
    expect_failure(ctx, REMEMBER(memory, pose, clusters, objects, NULL, 2), CLUMP_ERR_ARGUMENT, "tracks is null");
    expect_failure(ctx, REMEMBER(memory, pose, clusters, objects, tracks, -1), CLUMP_ERR_ARGUMENT, "-1 clusters");
    clump_memory_reset(NULL), clump_memory_destroy(NULL);
}

/* Too little room: nothing changes, and the call can be repeated. An earlier time, or a reset, begins anew. */
static void room_and_time(void)
{
    begin();
    CHECK_INT(run_five(), CLUMP_OK);
    CHECK_INT(count, 2);
    for (int again = 0; again < 3; again++) {
        joined_frame(5);
        describe();
        if (again == 2) clump_memory_reset(memory);
        int32_t needed = count;
        const int64_t time = (again == 1 ? 3 : 5) * FRAME;
        CHECK_INT(clump_memory_correct(ctx, memory, time, pose, (clump_points){.xyz = xyz, .count = points}, NULL,
                                       labels, clusters, objects, 1, &needed),
                  CLUMP_OK);
        CHECK_INT(needed, again == 0 ? 2 : 1);
        for (size_t i = 0; i < points; i++) CHECK(labels[i] == 0);
        CHECK_INT(correct(time), CLUMP_OK);
        CHECK_INT(count, again == 0 ? 2 : 1);
    }
}

CHECK_PROGRAM(test_evidence)
{
    ctx = cpu_context(2);
    RUN(apart_stays_apart);
    RUN(what_is_left);
    RUN(y_points_up);
    RUN(objects_stay_whole);
    RUN(crowded_square);
    RUN(one_stays_one);
    RUN(sizes_are_unions);
    RUN(random_worlds);
    RUN(refusals);
    RUN(room_and_time);
    clump_tracker_destroy(tracker), clump_memory_destroy(memory);
    clump_context_destroy(ctx);
}
