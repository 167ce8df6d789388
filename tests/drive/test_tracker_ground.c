/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_tracker_ground.c: tracks with poses: what moves over ground, what stands, and identities behind what hides them. The
 * worlds are boxes that a moving sensor sees. tests/program/test_tracks.py has a second implementation.
 */
#include "support/check.h"

#include "support/calls.h"
#include "core/context.h"

#include <clump/track.h>

#include <math.h>

enum { MOST = 256 };
#define FRAME 100000000LL /* nanoseconds: 10 frames per second */

static clump_cluster clusters[MOST];
static clump_track tracks[MOST];
static int32_t count;
static double pose[12];

/* The sensor at a place, turned by an angle around z. */
static void look_from(double x, double y, double angle)
{
    const double m[12] = {cos(angle), -sin(angle), 0, x, sin(angle), cos(angle), 0, y, 0, 0, 1, 0};
    memcpy(pose, m, sizeof m);
    count = 0;
}

/* Adds a box of the world: its middle, its extent along and across yaw (degrees), its heights. */
static void add_box(double x, double y, double yaw, double along, double across, double lower, double upper)
{
    const double dx = x - pose[3], dy = y - pose[7];
    const double px = pose[0] * dx + pose[4] * dy, py = pose[1] * dx + pose[5] * dy;
    double turned = fmod(yaw - atan2(pose[4], pose[0]) * 180 / 3.14159265358979323846 + 720, 180);
    const bool swap = turned >= 90;
    if (swap) turned -= 90;
    clusters[count++] = (clump_cluster){.count = 50,
                                        .centroid = {(float)px, (float)py, (float)((lower + upper) / 2)},
                                        .lower = {0, 0, (float)lower},
                                        .upper = {0, 0, (float)upper},
                                        .box_center = {(float)px, (float)py},
                                        .box_size = {(float)(swap ? across : along), (float)(swap ? along : across)},
                                        .yaw = (float)turned};
}

static clump_tracker *new_tracker(clump_context *ctx)
{
    clump_tracker *tracker = NULL;
    CHECK_INT(clump_tracker_create(ctx, NULL, &tracker), CLUMP_OK);
    return tracker;
}

static void update(clump_context *ctx, clump_tracker *tracker, int64_t time)
{
    CHECK_INT(clump_tracker_update_at(ctx, tracker, time, pose, clusters, count, tracks), CLUMP_OK);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < i; k++) CHECK(tracks[i].id != tracks[k].id);
}

/* The sensor drives and turns. A car drives, a person walks, another car and a pole stand. */
static void tells_what_moves(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    for (int f = 0; f < 20; f++) {
        const double t = 0.1 * f;
        look_from(8 * t, 0.1 * t, 0.2 * t);
        add_box(15 + 10 * t, 3 + t, 6, 4.2, 1.8, -1.5, 0);
        add_box(12, -6 + 1.2 * t, 80, 0.5, 0.4, -1.6, 0.1);
        add_box(25, -4, 3, 4.2, 1.8, -1.5, 0);
        add_box(30, 9, 45, 0.2, 0.2, -1.7, 3);
        update(ctx, tracker, f * FRAME);
        const double velocities[2][2] = {{10, 1}, {0, 1.2}};
        for (int i = 0; i < 4; i++) {
            CHECK_INT(tracks[i].id, i + 1);
            CHECK_INT(tracks[i].seen, f + 1);
            if (f < 2) {
                CHECK(tracks[i].motion == CLUMP_TRACK_UNKNOWN && tracks[i].confidence == 0 && tracks[i].speed == 0);
            } else if (i < 2 && f >= 5) {
                const double ahead = pose[0] * velocities[i][0] + pose[4] * velocities[i][1];
                const double left = pose[1] * velocities[i][0] + pose[5] * velocities[i][1];
                CHECK_INT(tracks[i].motion, CLUMP_TRACK_MOVING);
                CHECK(fabs((double)tracks[i].velocity[0] - ahead) < 0.02);
                CHECK(fabs((double)tracks[i].velocity[1] - left) < 0.02 && tracks[i].velocity[2] == 0);
                CHECK(tracks[i].confidence > 0.5f && tracks[i].confidence < 1);
            } else if (i >= 2) {
                CHECK(tracks[i].motion == CLUMP_TRACK_STANDING && tracks[i].speed == 0 && tracks[i].confidence > 0.99f);
            }
        }
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* A wall behind a gap: both ends of what is visible slide along it. Without what makes the gap, the same box is a thing that
 * moves. Returns the verdict of the last frame. */
static clump_track_motion look_through_a_gap(bool gap)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    for (int f = 0; f < 10; f++) {
        const double x = 0.3 * f; /* the gap is from 1 to 3 at y = 3, the wall at y = 10 */
        look_from(x, 0, 0);
        const double from = x + (1 - x) * 10 / 3, to = x + (3 - x) * 10 / 3;
        add_box((from + to) / 2, 10, 0, to - from, 0.1, -1.5, 0);
        if (gap) add_box(-3, 3, 0, 8, 0.2, -1.6, 0);
        if (gap) add_box(7, 3, 0, 8, 0.2, -1.6, 0);
        update(ctx, tracker, f * FRAME);
        CHECK_INT(tracks[0].id, 1);
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
    return tracks[0].motion;
}

static void knows_what_slides(void)
{
    CHECK_INT(look_through_a_gap(true), CLUMP_TRACK_STANDING);
    CHECK_INT(look_through_a_gap(false), CLUMP_TRACK_MOVING);
}

/* One end of a hedge comes into sight, and its centroid moves; the other end stays. */
static void wants_both_ends_to_move(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    for (int f = 0; f < 12; f++) {
        look_from(0, 0, 0);
        const double length = 5 + f;
        add_box(10 + length / 2, 4, 0, length, 1, -1, 0);
        update(ctx, tracker, f * FRAME);
        CHECK(tracks[0].id == 1 && tracks[0].motion != CLUMP_TRACK_MOVING && tracks[0].speed == 0);
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* A stripe that goes along with the sensor, beside a car that does: only the car is wide enough to be a thing. A stripe without
 * height does not move either, wherever it goes. */
static void knows_stripes_of_beams(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    for (int f = 0; f < 12; f++) {
        look_from(f, 0, 0);
        add_box(5 + f, 6, 0, 4, 0.2, -1.5, -0.9);
        add_box(15 + f, 0, 0, 4, 1.8, -1.5, 0);
        add_box(10 - 0.5 * f, -9, 0, 4, 1, -1.2, -1);
        update(ctx, tracker, f * FRAME);
        for (int i = 0; f >= 6 && i < 3; i++)
            CHECK_INT(tracks[i].motion, i == 1 ? CLUMP_TRACK_MOVING : CLUMP_TRACK_STANDING);
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* Hidden for 1.5 s, while the sensor drives 15 m: what stands keeps its identity, and what moves is found where it should be.
 * After four times max_gap it is new. */
static void remembers_hidden_objects(void)
{
    clump_context *ctx = cpu_context(1);
    for (int hidden = 15; hidden <= 25; hidden += 10) {
        clump_tracker *tracker = new_tracker(ctx);
        for (int f = 0; f < 10 + hidden + 3; f++) {
            look_from(f, 0, 0);
            if (f < 10 || f >= 10 + hidden) {
                add_box(60, 5, 30, 4, 2, -1, 0);
                add_box(10 + 1.5 * f, -4, 0, 4, 2, -1, 0);
                update(ctx, tracker, f * FRAME);
            } else {
                update(ctx, tracker, f * FRAME);
                continue;
            }
            for (int i = 0; i < 2; i++) CHECK_INT(tracks[i].id, (f < 10 || hidden == 15 ? 1 : 3) + i);
            if (f == 10 + hidden) CHECK_INT(tracks[0].missed, hidden == 15 ? 15 : 0);
        }
        clump_tracker_destroy(tracker);
    }
    clump_context_destroy(ctx);
}

/* A street of random boxes, some of which move, are hidden or change. */
static void simulate(int f)
{
    const double t = 0.1 * f;
    look_from(9 * t, sin(t), 0.1 * sin(0.5 * t));
    for (int i = 0; i < 120; i++) {
        uint64_t seed = (uint64_t)i;
        double n[6];
        for (int k = 0; k < 6; k++) n[k] = (double)check_random_float(&seed);
        const bool moves = i % 4 == 0;
        const double x = 120 * n[0] - 20 + (moves ? (20 * n[1] - 10) * t : 0), y = 40 * n[2] - 20;
        seed = (uint64_t)(1000 * i + f);
        const double noise = 0.2 * (double)check_random_float(&seed);
        if (check_random(&seed) % 8 == 0 || fabs(x - pose[3]) > 50) continue;
        add_box(x + noise, y - noise, 180 * n[3], 0.3 + 8 * n[4] * n[4] + noise, 0.3 + 2 * n[5], -1.6,
                2 * n[1] + noise);
    }
}

static uint64_t hash_tracks(uint64_t hash)
{
    for (int32_t i = 0; i < count; i++) {
        uint64_t words[5] = {tracks[i].id, tracks[i].seen, (uint64_t)tracks[i].motion};
        memcpy(&words[3], tracks[i].velocity, 8);
        memcpy(&words[4], &tracks[i].confidence, 4);
        for (int k = 0; k < 5; k++) hash = (hash ^ words[k]) * 0x100000001b3u, hash ^= hash >> 29;
    }
    return hash;
}

/* Where the world begins and how it is turned changes no identity and no verdict. */
static void does_not_depend_on_the_world(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *here = new_tracker(ctx), *far = new_tracker(ctx);
    static clump_track others[MOST];
    const double c = cos(2.0), s = sin(2.0);
    int moving = 0, standing = 0;
    for (int f = 0; f < 60; f++) {
        simulate(f);
        double m[12];
        for (int j = 0; j < 4; j++) {
            m[j] = c * pose[j] - s * pose[4 + j] + (j == 3 ? 4e5 : 0);
            m[4 + j] = s * pose[j] + c * pose[4 + j] + (j == 3 ? -5e6 : 0);
            m[8 + j] = pose[8 + j];
        }
        update(ctx, here, f * FRAME);
        CHECK_INT(clump_tracker_update_at(ctx, far, f * FRAME, m, clusters, count, others), CLUMP_OK);
        for (int32_t i = 0; i < count; i++) {
            CHECK(tracks[i].id == others[i].id && tracks[i].motion == others[i].motion);
            CHECK(fabsf(tracks[i].speed - others[i].speed) < 1e-4f);
            moving += tracks[i].motion == CLUMP_TRACK_MOVING;
            standing += tracks[i].motion == CLUMP_TRACK_STANDING;
        }
    }
    CHECK(moving > 100 && standing > 1000);
    clump_tracker_destroy(here);
    clump_tracker_destroy(far);
    clump_context_destroy(ctx);
}

/* Where y is up, y and z change their places, in clusters and poses. */
static void takes_y_as_up(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx), *other;
    clump_tracker_options options = clump_tracker_defaults();
    options.up = CLUMP_UP_Y;
    CHECK_INT(clump_tracker_create(ctx, &options, &other), CLUMP_OK);
    static clump_track others[MOST];
    const int swap[3] = {0, 2, 1};
    for (int f = 0; f < 30; f++) {
        simulate(f);
        update(ctx, tracker, f * FRAME);
        double m[12];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) m[4 * i + j] = pose[4 * swap[i] + (j < 3 ? swap[j] : 3)];
        for (int32_t i = 0; i < count; i++) {
            const clump_cluster k = clusters[i];
            for (int a = 0; a < 3; a++) {
                clusters[i].centroid[a] = k.centroid[swap[a]];
                clusters[i].lower[a] = k.lower[swap[a]];
                clusters[i].upper[a] = k.upper[swap[a]];
            }
        }
        CHECK_INT(clump_tracker_update_at(ctx, other, f * FRAME, m, clusters, count, others), CLUMP_OK);
        for (int32_t i = 0; i < count; i++) {
            CHECK(tracks[i].id == others[i].id && tracks[i].motion == others[i].motion);
            for (int a = 0; a < 3; a++) CHECK(tracks[i].velocity[a] == others[i].velocity[swap[a]]);
        }
    }
    clump_tracker_destroy(tracker);
    clump_tracker_destroy(other);
    clump_context_destroy(ctx);
}

/* Without a pose the calls are the same, bit for bit. A change of the kind begins anew. */
static void goes_without_poses(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx), *other = new_tracker(ctx);
    static clump_track others[MOST];
    for (int f = 0; f < 30; f++) {
        simulate(f);
        memset(tracks, 0, sizeof tracks);
        memset(others, 0, sizeof others);
        CHECK_INT(clump_tracker_update(ctx, tracker, f * FRAME, clusters, count, tracks), CLUMP_OK);
        CHECK_INT(clump_tracker_update_at(ctx, other, f * FRAME, NULL, clusters, count, others), CLUMP_OK);
        CHECK(memcmp(tracks, others, (size_t)count * sizeof *tracks) == 0);
        CHECK(tracks[0].motion == CLUMP_TRACK_UNKNOWN && tracks[0].confidence == 0);
    }
    simulate(30);
    update(ctx, tracker, 30 * FRAME);
    for (int32_t i = 0; i < count; i++) CHECK_INT(tracks[i].seen, 1);
    CHECK_INT(clump_tracker_update(ctx, tracker, 31 * FRAME, clusters, count, tracks), CLUMP_OK);
    for (int32_t i = 0; i < count; i++) CHECK_INT(tracks[i].seen, 1);
    clump_tracker_destroy(tracker);
    clump_tracker_destroy(other);
    clump_context_destroy(ctx);
}

static void refuses_wrong_poses(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    const double wrong[] = {2, NAN, -1};
    for (int i = 0; i < 3; i++) {
        look_from(1, 2, 0);
        pose[0] = wrong[i];
        expect_failure(ctx, clump_tracker_update_at(ctx, tracker, 0, pose, clusters, 0, tracks), CLUMP_ERR_ARGUMENT,
                       "clump_tracker_update_at: the pose does not just turn and move");
    }
    look_from(INFINITY, 2, 0);
    expect_failure(ctx, clump_tracker_update_at(ctx, tracker, 0, pose, clusters, 0, tracks), CLUMP_ERR_ARGUMENT,
                   "the pose does not just turn and move");
    CHECK_INT(clump_tracker_update_at(NULL, tracker, 0, pose, clusters, 0, tracks), CLUMP_ERR_ARGUMENT);
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* The same verdicts on every machine and with every number of threads. The world is made with sin() and cos(), so the hash is
 * compared between the runs alone. */
static void gives_the_same_bits(void)
{
    uint64_t hashes[2] = {1, 1};
    for (int threads = 1; threads <= 2; threads++) {
        clump_context *ctx = cpu_context(threads);
        clump_tracker *tracker = new_tracker(ctx);
        for (int f = 0; f < 80; f++) {
            simulate(f);
            update(ctx, tracker, f * FRAME + f * f);
            hashes[threads - 1] = hash_tracks(hashes[threads - 1]);
        }
        clump_tracker_destroy(tracker);
        clump_context_destroy(ctx);
    }
    CHECK(hashes[0] == hashes[1]);
}

/* Any floats, boxes and times. */
static void survives_any_numbers(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    uint64_t seed = 5;
    for (int round = 0; round < 3000; round++) {
        look_from((double)(round % 50), 0, 0);
        for (int i = 0; i < (int)(check_random(&seed) % 20); i++) {
            add_box((double)(check_random(&seed) % 9), (double)(check_random(&seed) % 9), 0, 1, 2, -1, 1);
            if (check_random(&seed) % 5) continue;
            uint32_t bits[9];
            for (int k = 0; k < 9; k++) bits[k] = (uint32_t)check_random(&seed);
            clump_cluster *const c = &clusters[count - 1];
            if (check_random(&seed) % 2) memcpy(c->centroid, bits, 12);
            memcpy(c->box_center, bits + 3, 8);
            memcpy(c->box_size, bits + 5, 8);
            memcpy(&c->yaw, bits + 7, 4);
            memcpy(&c->upper[2], bits + 8, 4);
        }
        update(ctx, tracker, round % 7 ? (int64_t)round * FRAME : (int64_t)check_random(&seed));
        for (int32_t i = 0; i < count; i++)
            CHECK(tracks[i].id >= 1 && tracks[i].confidence >= 0 && tracks[i].confidence <= 1 && tracks[i].speed >= 0);
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_tracker_ground)
{
    RUN(tells_what_moves);
    RUN(knows_what_slides);
    RUN(wants_both_ends_to_move);
    RUN(knows_stripes_of_beams);
    RUN(remembers_hidden_objects);
    RUN(does_not_depend_on_the_world);
    RUN(takes_y_as_up);
    RUN(goes_without_poses);
    RUN(refuses_wrong_poses);
    RUN(gives_the_same_bits);
    RUN(survives_any_numbers);
}
