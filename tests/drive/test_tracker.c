/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_tracker.c: identities and velocities of simulated objects.
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

static clump_cluster cluster_at(float x, float y, float z)
{
    return (clump_cluster){.count = 10, .centroid = {x, y, z}};
}

static clump_tracker *new_tracker(clump_context *ctx)
{
    clump_tracker *tracker = NULL;
    CHECK_INT(clump_tracker_create(ctx, NULL, &tracker), CLUMP_OK);
    return tracker;
}

static void update(clump_context *ctx, clump_tracker *tracker, int64_t time, int32_t count)
{
    CHECK_INT(clump_tracker_update(ctx, tracker, time, clusters, count, tracks), CLUMP_OK);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < i; k++) CHECK(tracks[i].id != tracks[k].id);
}

/* Objects with constant velocities, whose clusters come in another order in each frame. */
static void follows_objects(void)
{
    enum { OBJECTS = 100 };
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    uint64_t seed = 3, ids[OBJECTS];
    float start[OBJECTS][2], velocity[OBJECTS][2];
    for (int i = 0; i < OBJECTS; i++)
        for (int k = 0; k < 2; k++) {
            start[i][k] = 10 * (float)(k ? i / 10 : i % 10);
            velocity[i][k] = 16 * check_random_float(&seed) - 8;
        }
    for (int f = 0; f < 8; f++) { /* no two objects meet in 0.7 s, at most 11 m/s */
        for (int i = 0; i < OBJECTS; i++) {
            const float t = 0.1f * (float)f;
            clusters[(i * 37 + f * 13) % OBJECTS] =
                cluster_at(start[i][0] + velocity[i][0] * t, start[i][1] + velocity[i][1] * t, 0);
        }
        update(ctx, tracker, f * FRAME, OBJECTS);
        for (int i = 0; i < OBJECTS; i++) {
            const clump_track *track = &tracks[(i * 37 + f * 13) % OBJECTS];
            if (f == 0) ids[i] = track->id;
            CHECK_INT(track->id, ids[i]);
            CHECK(track->id >= 1 && track->id <= OBJECTS);
            CHECK_INT(track->seen, f + 1);
            CHECK_INT(track->missed, 0);
            CHECK(fabs(track->age - 0.1 * f) < 1e-9);
            for (int k = 0; k < 2; k++) CHECK(fabsf(track->velocity[k] - (f ? velocity[i][k] : 0)) < 1e-3f);
            CHECK(fabs(track->speed - hypot(track->velocity[0], track->velocity[1])) < 1e-5);
        }
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* Two objects pass each other; their places are exchanged by the nearest cluster, not by the expected place. */
static void keeps_identities_when_objects_cross(void)
{
    static const float ways[][4] = {{5, 0, -5, 0.4f}, {5, 5, 5, -5}, {8, 0, 2, 0.3f}};
    for (size_t way = 0; way < 3; way++) {
        clump_context *ctx = cpu_context(1);
        clump_tracker *tracker = new_tracker(ctx);
        uint64_t first = 0, second = 0;
        for (int f = -20; f <= 20; f++) {
            const float t = 0.1f * (float)f, *w = ways[way];
            const int swap = f & 1;
            clusters[swap] = cluster_at(w[0] * t, w[1] * t, 0);
            clusters[!swap] = cluster_at(w[2] * t, w[3] * t + 0.1f, 0);
            update(ctx, tracker, (f + 20) * FRAME, 2);
            if (f == -20) first = tracks[swap].id, second = tracks[!swap].id;
            CHECK_MSG(tracks[swap].id == first && tracks[!swap].id == second, "way %zu, frame %d", way, f);
        }
        clump_tracker_destroy(tracker);
        clump_context_destroy(ctx);
    }
}

/* From 10 m/s to a stop at 6 m/s^2. */
static void follows_stopping_objects(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    float x = 0, speed = 10;
    for (int f = 0; f < 40; f++) {
        clusters[0] = cluster_at(x, 3, 1);
        update(ctx, tracker, f * FRAME, 1);
        CHECK_INT(tracks[0].id, 1);
        if (f > 30) CHECK(tracks[0].speed < 0.01f);
        speed = speed > 0.6f ? speed - 0.6f : 0;
        x += speed * 0.1f;
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* The velocity of an object is not known at first: it is then found within twice the gate, 40 m/s here. */
static void follows_fast_objects(void)
{
    clump_context *ctx = cpu_context(1);
    for (int speed = 19; speed <= 41; speed += 2) {
        clump_tracker *tracker = new_tracker(ctx);
        for (int f = 0; f < 10; f++) {
            clusters[0] = cluster_at(0.1f * (float)(speed * f), 7, 0);
            update(ctx, tracker, f * FRAME, 1);
            CHECK_INT(tracks[0].id, speed < 40 ? 1 : f + 1);
            CHECK(fabsf(tracks[0].speed - (speed < 40 && f > 0 ? (float)speed : 0)) < 1e-3f);
        }
        clump_tracker_destroy(tracker);
    }
    clump_tracker *tracker = new_tracker(ctx); /* 4 m/s^2 up to 84 m/s */
    for (int f = 0; f < 210; f++) {
        clusters[0] = cluster_at(0.02f * (float)(f * f), 0, 0);
        update(ctx, tracker, f * FRAME, 1);
        CHECK_INT(tracks[0].id, 1);
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* What is within twice the gate of a new object is its own only if it is left by all others. */
static void lets_known_objects_choose_first(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    clusters[0] = cluster_at(0, 0, 0);
    update(ctx, tracker, 0, 1);
    clusters[1] = cluster_at(4.5f, 0, 0);
    update(ctx, tracker, FRAME, 2);
    clusters[0] = cluster_at(-1.9f, 0, 0), clusters[1] = cluster_at(1.5f, 0, 0);
    update(ctx, tracker, 2 * FRAME, 2); /* object 1 does not go to the left for object 2 to have a cluster */
    CHECK(tracks[0].id == 3 && tracks[1].id == 1);
    clusters[0] = cluster_at(2.2f, 0, 0), clusters[1] = cluster_at(4.5f, 3.9f, 0);
    update(ctx, tracker, 3 * FRAME, 2);
    CHECK(tracks[0].id == 1 && tracks[1].id == 2 && tracks[1].missed == 1);
    clusters[1] = cluster_at(4.5f, 9, 0); /* 3.15 from where object 2 is expected, now that its velocity is known */
    update(ctx, tracker, 4 * FRAME, 2);
    CHECK(tracks[0].id == 1 && tracks[1].id == 4);
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* Sees an object of this speed, hides it, sees it again. Returns its last track. */
static clump_track hide(clump_context *ctx, clump_tracker *tracker, int hidden, int64_t period, double speed)
{
    int64_t time = 0;
    for (int f = 0; f < 5; f++, time += period) {
        clusters[0] = cluster_at((float)(speed * 1e-9 * (double)time), 0, 0);
        update(ctx, tracker, time, 1);
    }
    for (int f = 0; f < hidden; f++, time += period)
        CHECK_INT(clump_tracker_update(ctx, tracker, time, NULL, 0, NULL), CLUMP_OK);
    clusters[0] = cluster_at((float)(speed * 1e-9 * (double)time), 0, 0);
    update(ctx, tracker, time, 1);
    return tracks[0];
}

static void remembers_hidden_objects(void)
{
    clump_context *ctx = cpu_context(1);
    for (int hidden = 0; hidden < 9; hidden++) {
        clump_tracker *tracker = new_tracker(ctx);
        const clump_track track = hide(ctx, tracker, hidden, FRAME, 10);
        const bool kept = hidden < 5; /* 0.5 s since it was seen */
        CHECK_INT(track.id, kept ? 1 : 2);
        CHECK_INT(track.seen, kept ? 6 : 1);
        CHECK_INT(track.missed, kept ? hidden : 0);
        CHECK(fabsf(track.speed - (kept ? 10 : 0)) < 1e-3f);
        clump_tracker_destroy(tracker);
    }
    clump_tracker *tracker = new_tracker(ctx); /* frames further apart than max_gap follow each other all the same */
    CHECK_INT(hide(ctx, tracker, 0, 7 * FRAME, 2).id, 1);
    clump_tracker_destroy(tracker);
    tracker = new_tracker(ctx);
    CHECK_INT(hide(ctx, tracker, 1, 7 * FRAME, 2).id, 2);
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

static void begins_anew_when_time_goes_back(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    static const int64_t times[] = {5, 6, 6, 5, 7, INT64_MIN, INT64_MAX, INT64_MAX};
    static const uint64_t ids[] = {1, 1, 2, 3, 3, 4, 4, 5};
    clusters[0] = cluster_at(1, 1, 1);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        update(ctx, tracker, times[k], 1);
        CHECK_INT(tracks[0].id, ids[k]);
    }
    clump_tracker_reset(tracker);
    clump_tracker_reset(NULL);
    update(ctx, tracker, 100, 1);
    CHECK_INT(tracks[0].id, 6);
    clump_tracker_destroy(tracker);
    clump_tracker_destroy(NULL);
    clump_context_destroy(ctx);
}

static void gives_clusters_without_place_their_own_id(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    for (int f = 0; f < 5; f++) {
        clusters[0] = cluster_at(NAN, 0, 0);
        clusters[1] = cluster_at(1, 2, 3);
        clusters[2] = cluster_at(0, INFINITY, 0);
        clusters[3] = cluster_at(0, 0, NAN);
        update(ctx, tracker, f, 4);
        CHECK_INT(tracks[1].id, 2);
        CHECK_INT(tracks[1].seen, f + 1);
        CHECK_INT(tracks[0].id, f ? 3 * f + 2 : 1);
        CHECK(tracks[0].seen == 1 && tracks[0].speed == 0 && tracks[3].seen == 1);
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* Where y is up, motion in z counts and motion in y does not. */
static void tracks_seen_from_above(void)
{
    clump_context *ctx = cpu_context(1);
    for (int up = 0; up < 2; up++) {
        clump_tracker_options options = clump_tracker_defaults();
        options.up = up ? CLUMP_UP_Y : CLUMP_UP_Z;
        clump_tracker *tracker;
        CHECK_INT(clump_tracker_create(ctx, &options, &tracker), CLUMP_OK);
        clusters[0] = cluster_at(0, 0, 0);
        update(ctx, tracker, 0, 1);
        clusters[0] = up ? cluster_at(0, 50, 1) : cluster_at(0, 1, 50);
        update(ctx, tracker, 1000000000, 1);
        CHECK_INT(tracks[0].id, 1);
        CHECK(tracks[0].velocity[2] == (up ? 1 : 50));
        clusters[0] = cluster_at(0, up ? 50 : 3.5f, up ? 3.5f : 50); /* 2.0 was expected */
        update(ctx, tracker, 2000000000, 1);
        CHECK_INT(tracks[0].id, 1);
        clusters[0] = up ? cluster_at(0, 50, 9) : cluster_at(0, 9, 50);
        update(ctx, tracker, 3000000000, 1);
        CHECK_INT(tracks[0].id, 2);
        clump_tracker_destroy(tracker);
    }
    clump_context_destroy(ctx);
}

static void refuses_wrong_arguments(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx), *none = tracker;
    CHECK_INT(clump_tracker_create(NULL, NULL, &none), CLUMP_ERR_ARGUMENT);
    CHECK(!none);
    expect_failure(ctx, clump_tracker_create(ctx, NULL, NULL), CLUMP_ERR_ARGUMENT, "out is null");
    clump_tracker_options options = clump_tracker_defaults();
    static const double gates[] = {0, NAN, INFINITY, 1e-200};
    for (size_t k = 0; k < sizeof gates / sizeof *gates; k++) {
        options.gate = gates[k];
        expect_failure(ctx, clump_tracker_create(ctx, &options, &none), CLUMP_ERR_ARGUMENT, "gate");
    }
    CHECK_INT(clump_tracker_update(NULL, tracker, 0, NULL, 0, NULL), CLUMP_ERR_ARGUMENT);
    expect_failure(ctx, clump_tracker_update(ctx, NULL, 0, clusters, 1, tracks), CLUMP_ERR_ARGUMENT, "tracker is null");
    expect_failure(ctx, clump_tracker_update(ctx, tracker, 0, NULL, 1, tracks), CLUMP_ERR_ARGUMENT, "clusters is null");
    expect_failure(ctx, clump_tracker_update(ctx, tracker, 0, clusters, 1, NULL), CLUMP_ERR_ARGUMENT, "tracks is null");
    expect_failure(ctx, clump_tracker_update(ctx, tracker, 0, clusters, -1, tracks), CLUMP_ERR_ARGUMENT, "-1 clusters");
    expect_failure(ctx, clump_tracker_update(ctx, tracker, 0, clusters, 1, (clump_track *)(void *)&clusters[0]),
                   CLUMP_ERR_ARGUMENT, "overlap");
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

/* Makes frame f of a simulation: objects come and go, are hidden, meet. Returns the number of clusters. */
static int32_t simulate(int f)
{
    int32_t count = 0;
    for (int i = 0; i < 200; i++) {
        uint64_t seed = (uint64_t)i;
        const float x = 60 * check_random_float(&seed), y = 60 * check_random_float(&seed);
        const float vx = 20 * check_random_float(&seed) - 10, vy = 20 * check_random_float(&seed) - 10;
        const int first = (int)(check_random(&seed) % 40);
        seed = (uint64_t)(1000 * i + f);
        if (f < first || check_random(&seed) % 8 == 0) continue;
        const float t = 0.1f * (float)f, noise = 0.2f * check_random_float(&seed);
        clusters[count++] = cluster_at(x + vx * t + noise, y + vy * t - noise, noise);
    }
    return count;
}

static uint64_t hash_tracks(uint64_t hash, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        uint64_t words[6] = {tracks[i].id, tracks[i].seen, tracks[i].missed};
        memcpy(&words[3], tracks[i].velocity, 8);
        memcpy(&words[4], &tracks[i].velocity[2], 8); /* and speed */
        memcpy(&words[5], &tracks[i].age, 8);
        for (int k = 0; k < 6; k++) hash = (hash ^ words[k]) * 0x100000001b3u, hash ^= hash >> 29;
    }
    return hash;
}

/* The same bits on every machine and with every number of threads. */
static void gives_the_same_bits(void)
{
    for (int threads = 1; threads <= 2; threads++) {
        clump_context *ctx = cpu_context(threads);
        clump_tracker *tracker = new_tracker(ctx);
        uint64_t hash = 1;
        for (int f = 0; f < 100; f++) {
            const int32_t count = simulate(f);
            update(ctx, tracker, f * FRAME + f * f, count);
            hash = hash_tracks(hash, count);
        }
        CHECK_MSG(hash == 0xe093310bc6ee2437u, "0x%" PRIx64, hash);
        clump_tracker_destroy(tracker);
        clump_context_destroy(ctx);
    }
}

/* The tracker may outlive its context, and then uses another one for messages. */
static void outlives_its_context(void)
{
    counter c = {.fail_from = -1};
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
    clump_tracker *tracker = new_tracker(ctx);
    for (int f = 0; f < 90; f++) update(ctx, tracker, f * FRAME, simulate(f));
    CHECK(c.calls < 30);
    clump_context_destroy(ctx);
    ctx = cpu_context(1);
    update(ctx, tracker, 90 * FRAME, 1);
    CHECK(tracks[0].id > 0 && c.live > 0);
    clump_tracker_destroy(tracker);
    CHECK_INT(c.live, 0);
    clump_context_destroy(ctx);
}

/* Any floats and any times: identities are new or known, never twice in a frame. */
static void survives_any_numbers(void)
{
    clump_context *ctx = cpu_context(1);
    clump_tracker *tracker = new_tracker(ctx);
    uint64_t seed = 5, highest = 0;
    for (int round = 0; round < 3000; round++) {
        const int32_t count = (int32_t)(check_random(&seed) % 20);
        for (int32_t i = 0; i < count; i++) {
            const uint64_t bits = check_random(&seed) % 5 ? 0 : check_random(&seed);
            for (int k = 0; k < 3; k++) {
                const uint32_t half = (uint32_t)(bits >> (8 * k));
                clusters[i].centroid[k] = (float)(check_random(&seed) % 4);
                if (bits) memcpy(&clusters[i].centroid[k], &half, sizeof half);
            }
        }
        update(ctx, tracker, round % 7 ? round : (int64_t)check_random(&seed), count);
        uint64_t most = highest;
        for (int32_t i = 0; i < count; i++) {
            CHECK(tracks[i].id >= 1 && tracks[i].id <= highest + (uint64_t)count);
            CHECK(isfinite(tracks[i].speed) && isfinite(tracks[i].velocity[0]) && tracks[i].age >= 0);
            if (tracks[i].id > most) most = tracks[i].id;
        }
        highest = most;
    }
    clump_tracker_destroy(tracker);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_tracker)
{
    RUN(follows_objects);
    RUN(keeps_identities_when_objects_cross);
    RUN(follows_stopping_objects);
    RUN(follows_fast_objects);
    RUN(lets_known_objects_choose_first);
    RUN(remembers_hidden_objects);
    RUN(begins_anew_when_time_goes_back);
    RUN(gives_clusters_without_place_their_own_id);
    RUN(tracks_seen_from_above);
    RUN(refuses_wrong_arguments);
    RUN(gives_the_same_bits);
    RUN(outlives_its_context);
    RUN(survives_any_numbers);
}
