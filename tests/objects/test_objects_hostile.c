/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects_hostile.c: clump_objects on unusual scans: few points, nothing to cluster, a million points in one place,
 * huge coordinates.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "objects/objects_street.h"

#include <clump/info.h>

#include <math.h>

enum { MILLION = CLOUD_WATCHED ? 100000 : 1000000 };

static int32_t again[MOST];
static clump_object others[MOST];

static void few_points(void)
{
    clump_context *const ctx = cpu_context(2);
    int32_t n = -1;
    clump_objects_options o = listing();
    CHECK_INT(clump_objects(ctx, (clump_points){0}, &o, NULL, &n), CLUMP_OK);
    CHECK_INT(n, 0);
    CHECK_INT(clump_context_stats(ctx).neighbours, CLUMP_NEIGHBOURS_EXACT);
    const float one[3] = {5, 1, 0.5f};
    for (int turn = 0; turn < 4; turn++) {
        o.common.min_size = 1 + (size_t)turn % 2;
        o.ground.method = turn / 2 ? CLUMP_GROUND_NONE : CLUMP_GROUND_PEAK;
        CHECK_INT(clump_objects(ctx, (clump_points){.xyz = one, .count = 1}, &o, labels, &n), CLUMP_OK);
        const bool kept = turn % 2 == 0 && labels[0] != CLUMP_GROUND;
        CHECK_INT(n, kept);
        if (labels[0] != CLUMP_GROUND) CHECK_INT(labels[0], kept ? 0 : CLUMP_NOISE);
        if (!kept) continue;
        CHECK(found[0].object == 1 && found[0].count == 1 && found[0].fits == CLUMP_FIT_CAR);
        CHECK(found[0].length == 0 && found[0].width == 0 && found[0].bottom == 0 && found[0].top == 0);
    }
    clump_context_destroy(ctx);
}

static void nothing_to_cluster(void)
{
    clump_context *const ctx = cpu_context(2);
    clump_objects_options o = listing();
    int32_t n = -1;
    clump_points points = street_of(MOST);
    for (size_t i = 0; i < points.count; i++) xyz[3 * i + 2] = -1.7f; /* all ground */
    CHECK_INT(clump_objects(ctx, points, &o, labels, &n), CLUMP_OK);
    clump_stats stats = clump_context_stats(ctx);
    CHECK(n == 0 && stats.ground == points.count && stats.noise == 0 && stats.clusters == 0);
    static uint8_t none[MOST];
    o.common.mask = none; /* all left out */
    CHECK_INT(clump_objects(ctx, points, &o, labels, &n), CLUMP_OK);
    stats = clump_context_stats(ctx);
    CHECK(n == 0 && stats.masked == points.count && stats.noise == points.count && stats.ground == 0);
    o.common.mask = NULL;
    for (size_t i = 0; i < points.count; i++) xyz[3 * i + i % 3] = i % 2 ? NAN : -INFINITY;
    CHECK_INT(clump_objects(ctx, points, &o, labels, &n), CLUMP_OK);
    stats = clump_context_stats(ctx);
    CHECK(n == 0 && stats.finite == 0 && stats.noise == points.count);
    clump_context_destroy(ctx);
}

/* A million points in one place are one cluster, on every number of threads. */
static void million_in_one_place(void)
{
    float *const place = malloc(MILLION * 3 * sizeof *place);
    int32_t *const of = malloc(MILLION * sizeof *of), n;
    for (size_t i = 0; i < 3 * MILLION; i++) place[i] = i % 3 ? 1 : 20;
    clump_objects_options o = listing();
    for (int turn = 0; turn < 4; turn++) {
        clump_context *const ctx = cpu_context(1 + turn % 2);
        o.ground.method = turn / 2 ? CLUMP_GROUND_NONE : CLUMP_GROUND_GRID;
        n = -1;
        CHECK_INT(clump_objects(ctx, (clump_points){.xyz = place, .count = MILLION}, &o, of, &n), CLUMP_OK);
        CHECK(n == 1 ? of[0] == 0 && found[0].count == MILLION && found[0].length == 0 : of[0] == CLUMP_GROUND);
        for (size_t i = 1; i < MILLION; i++)
            if (of[i] != of[0]) {
                CHECK_FAIL("label %zu is %d", i, of[i]);
                break;
            }
        clump_context_destroy(ctx);
    }
    CHECK_INT(n, 1);
    free(place);
    free(of);
}

/* Coordinates up to the largest float, and a sensor as far away: offsets that are infinite, projections that are not a
 * number. The result is the same for every number of threads, and no such cluster fits in a box. */
static void huge_coordinates(void)
{
    static const float scales[] = {1e15f, 1e30f, 3e38f};
    for (int turn = 0; turn < 12; turn++) {
        uint64_t random = 2311;
        const size_t count = MOST;
        const float scale = scales[turn % 3];
        for (size_t i = 0; i < 3 * count; i++)
            xyz[i] = (float)((int)(check_random(&random) % 3) - 1) * scale + (i % 7 ? 0 : check_random_float(&random));
        clump_objects_options o = listing();
        o.common.min_size = 1;
        o.ground.method = turn / 3 % 2 ? CLUMP_GROUND_NONE : CLUMP_GROUND_GRID;
        for (int k = 0; turn >= 6 && k < 3; k++) o.ground.sensor[k] = k % 2 ? scale : -scale;
        int32_t n = -1, other = -1;
        for (int threads = 1; threads <= 8; threads *= check_fewer(8, 2)) {
            clump_context *const ctx = cpu_context(threads);
            memset(threads == 1 ? found : others, 0, sizeof found);
            o.found = threads == 1 ? found : others;
            CHECK_INT(clump_objects(ctx, (clump_points){.xyz = xyz, .count = count}, &o, threads == 1 ? labels : again,
                                    threads == 1 ? &n : &other),
                      CLUMP_OK);
            CHECK_TEXT(clump_context_error(ctx), "");
            clump_context_destroy(ctx);
            if (threads == 1) continue;
            CHECK(n > 0 && n == other && memcmp(labels, again, sizeof labels) == 0);
            for (int32_t c = 0; c < n; c++) CHECK(memcmp(&found[c], &others[c], sizeof *found) == 0);
        }
    }
}

CHECK_PROGRAM(test_objects_hostile)
{
    RUN(few_points);
    RUN(nothing_to_cluster);
    RUN(million_in_one_place);
    RUN(huge_coordinates);
}
