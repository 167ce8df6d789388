/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_verify_dbscan.c: tests of the tests of clump_dbscan: the oracle on clouds whose answer is written down, the
 * checker of properties on right answers and on answers made wrong in every way it must notice.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "oracle/oracle_dbscan.h"
#include "oracle/verify_dbscan.h"

#include <math.h>

enum { MOST = 120 };

static clump_dbscan_options defaults(void)
{
    return (clump_dbscan_options){.common.min_size = 1}; /* no library here, and no cookie */
}

static void expect(const float *xyz, size_t count, float eps, size_t min_points, const clump_dbscan_options *options,
                   const int32_t *expected, const uint8_t *expected_core)
{
    int32_t labels[16], most = -1;
    uint8_t core[16];
    const clump_points points = {.xyz = xyz, .count = count};
    const int32_t clusters = oracle_dbscan(points, eps, min_points, options, labels, core);
    for (size_t i = 0; i < count; i++) {
        CHECK_MSG(labels[i] == expected[i], "point %zu: %d, expected %d", i, labels[i], expected[i]);
        CHECK_MSG(core[i] == expected_core[i], "point %zu: core %d, expected %d", i, core[i], expected_core[i]);
        most = expected[i] > most ? expected[i] : most;
    }
    CHECK_INT(clusters, most + 1);
    clump_message why;
    CHECK_MSG(verify_dbscan(points, eps, min_points, options, expected, clusters, expected_core, &why), "%s", why.text);
}

/* Along x: 2 3 3 4 | 5 | 6 7 7 8. With min_points 4 those at 3, 4, 6 and 7 are core points, the ends are border
 * points, and so is point 0 between the two groups. */
static const float bridge[] = {5, 0, 0, 6, 0, 0, 7, 0, 0, 7, 0, 0, 8, 0, 0, 4, 0, 0, 3, 0, 0, 3, 0, 0, 2, 0, 0};

static void oracle_knows_the_answers(void)
{
    clump_dbscan_options o = defaults();
    expect(NULL, 0, 1, 1, NULL, NULL, NULL);
    expect((float[]){1, 2, 3}, 1, 1, 1, NULL, (int32_t[]){0}, (uint8_t[]){1});
    expect((float[]){1, 2, 3}, 1, 1, 2, NULL, (int32_t[]){-1}, (uint8_t[]){0});
    expect((float[]){0, 0, 0, 1, 0, 0}, 2, 1, 2, NULL, (int32_t[]){0, 0}, (uint8_t[]){1, 1}); /* exactly eps */
    expect((float[]){0, 0, 0, 1, 0, 0}, 2, cloud_step(1, -1), 1, NULL, (int32_t[]){0, 1}, (uint8_t[]){1, 1});
    expect((float[]){0, 0, 0, 1, 0, 0, 2, 0, 0}, 3, 1, 3, NULL, (int32_t[]){0, 0, 0}, (uint8_t[]){0, 1, 0});
    expect((float[]){0, 0, 0, 1, 0, 0, 2, 0, 0}, 3, 1, SIZE_MAX, NULL, (int32_t[]){-1, -1, -1}, (uint8_t[]){0, 0, 0});

    const uint8_t core[] = {0, 1, 1, 1, 0, 1, 1, 1, 0};
    expect(bridge, 9, 1, 4, NULL, (int32_t[]){0, 0, 0, 0, 0, 1, 1, 1, 1}, core);
    o.no_border_points = true;
    expect(bridge, 9, 1, 4, &o, (int32_t[]){-1, 0, 0, 0, -1, 1, 1, 1, -1}, core);
    o = defaults(), o.common.min_size = 5; /* the point between counts for the first alone */
    expect(bridge, 9, 1, 4, &o, (int32_t[]){0, 0, 0, 0, 0, -1, -1, -1, -1}, core);
    o = defaults(), o.common.max_size = 4; /* it does not go over to the second when the first is dropped */
    expect(bridge, 9, 1, 4, &o, (int32_t[]){-1, -1, -1, -1, -1, 0, 0, 0, 0}, core);
    o = defaults(), o.common.mask = (const uint8_t[]){1, 1, 0, 1, 1, 1, 255, 1, 1};
    expect(bridge, 9, 1, 4, &o, (int32_t[]){0, -1, -1, -1, -1, 0, 0, 0, 0}, (uint8_t[]){0, 0, 0, 0, 0, 1, 1, 1, 0});

    /* a pair, then three: by size, and a tie by smallest core point, not by smallest point */
    const float sizes[] = {0, 0, 0, 0, 0, 0, 9, 0, 0, 9, 0, 0, 9, 0, 0};
    o = defaults(), o.common.order = CLUMP_ORDER_SIZE;
    expect(sizes, 5, 1, 2, &o, (int32_t[]){1, 1, 0, 0, 0}, (uint8_t[]){1, 1, 1, 1, 1});
    const float late[] = {1, 0, 0, 9, 0, 0, 9, 1, 0, 9, -1, 0, 0, 0, 0, -1, 0, 0};
    o = defaults(), o.common.max_size = 3, o.common.order = CLUMP_ORDER_SIZE;
    expect(late, 6, 1, 3, &o, (int32_t[]){1, 0, 0, 0, 1, 1}, (uint8_t[]){0, 1, 0, 0, 1, 0});
    expect(late, 6, 1, 3, NULL, (int32_t[]){1, 0, 0, 0, 1, 1}, (uint8_t[]){0, 1, 0, 0, 1, 0});

    const float tower[] = {0, 0, 0, 0, 0, 100, 0, 0.5f, NAN, INFINITY, 0, 0};
    expect(tower, 4, 1, 1, NULL, (int32_t[]){0, 1, -1, -1}, (uint8_t[]){1, 1, 0, 0});
    o = defaults(), o.common.two_d = true;
    expect(tower, 4, 1, 3, &o, (int32_t[]){0, 0, 0, -1}, (uint8_t[]){1, 1, 1, 0});
}

static float xyz[3 * MOST];
static uint8_t mask[MOST], core[MOST];
static int32_t labels[MOST];
static const size_t least_points[] = {1, 2, 3, 5, 10, 1000};

static void right_answers_pass(void)
{
    uint64_t random = 11;
    long borders = 0, clustered = 0;
    for (int round = 0; round < check_rounds(600); round++) {
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = check_random(&random) % (MOST + 1), min_points = least_points[check_random(&random) % 6];
        const float eps = cloud_fill(shape, xyz, count, &random);
        if (round % 3 == 0) cloud_spoil(xyz, count, 20, &random);
        clump_dbscan_options o = defaults();
        cloud_dbscan_options(&o, mask, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        const int32_t clusters = oracle_dbscan(points, eps, min_points, &o, labels, core);
        clump_message why;
        CHECK_MSG(verify_dbscan(points, eps, min_points, &o, labels, clusters, core, &why), "%s, round %d: %s",
                  cloud_name(shape), round, why.text);
        CHECK(verify_dbscan(points, eps, min_points, &o, labels, clusters, NULL, &why));
        for (size_t i = 0; i < count; i++) borders += labels[i] >= 0 && !core[i], clustered += labels[i] >= 0;
    }
    CHECK_MSG(borders > clustered / 50, "%ld border points of %ld: the test does not test", borders, clustered);
}

/* The bridge, then 9 masked and 10 not finite, then a lonely 11. */
static const float eleven[] = {5, 0, 0, 6, 0, 0, 7, 0, 0, 7, 0, 0, 8, 0,   0, 4,  0, 0,
                               3, 0, 0, 3, 0, 0, 2, 0, 0, 6, 0, 0, 6, NAN, 0, 50, 0, 0};
static const uint8_t eleven_mask[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1};
static const uint8_t eleven_core[] = {0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0};

static void refuse(const clump_dbscan_options *options, const int32_t *answer, int32_t clusters, const uint8_t *flags,
                   const char *reason)
{
    const clump_points points = {.xyz = eleven, .count = 12};
    clump_message why;
    CHECK_MSG(!verify_dbscan(points, 1, 4, options, answer, clusters, flags, &why), "should say: %s", reason);
    CHECK_MSG(strstr(why.text, reason), "\"%s\" does not say \"%s\"", why.text, reason);
}

#define ANSWER(...) ((const int32_t[12]){__VA_ARGS__})
#define FLAGS(...)  ((const uint8_t[12]){__VA_ARGS__})

static void wrong_answers_are_refused(void)
{
    const clump_points points = {.xyz = eleven, .count = 12};
    clump_dbscan_options o = defaults();
    o.common.mask = eleven_mask;
    clump_message why;
    const int32_t *const right = ANSWER(0, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, -1);
    CHECK_MSG(verify_dbscan(points, 1, 4, &o, right, 2, eleven_core, &why), "%s", why.text);

    /* flags: a border point, a lonely one, a masked one, one that is not finite called core; a core point not; no
     * flag */
    refuse(&o, right, 2, FLAGS(1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0), "point 0 is called a core point");
    refuse(&o, right, 2, FLAGS(0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1), "point 11 is called a core point");
    refuse(&o, right, 2, FLAGS(0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0), "point 9 is called a core point");
    refuse(&o, right, 2, FLAGS(0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0), "point 10 is called a core point");
    refuse(&o, right, 2, FLAGS(0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0), "point 3 is no core point");
    refuse(&o, right, 2, FLAGS(0, 1, 1, 3, 0, 1, 1, 1, 0, 0, 0, 0), "core flag 3");

    const uint8_t *const c = eleven_core;
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1), 1, c, "not connected");            /* through a border */
    refuse(&o, ANSWER(0, 0, 0, 2, 0, 1, 1, 1, 1, -1, -1, -1), 3, c, "core points 1 and 3");      /* split */
    refuse(&o, ANSWER(1, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, -1), 2, c, "border point 0 has label"); /* the later one */
    refuse(&o, ANSWER(-1, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, -1), 2, c, "border point 0 is noise"); /* lost */
    refuse(&o, ANSWER(0, 0, 0, 0, 1, 1, 1, 1, 1, -1, -1, -1), 2, c, "border point 4 has label"); /* not adjacent */
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, 1), 2, c, "point 11 is in no cluster"); /* noise labelled */
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, 2), 3, c, "point 11 is in no cluster"); /* or by itself */
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 1, 1, 1, 1, 0, -1, -1), 2, c, "point 9 is left out");
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 1, 1, 1, 1, -1, 0, -1), 2, c, "point 10 is left out");
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 1, 1, -1, 1, -1, -1, -1), 2, c, "core point 7 is noise");
    refuse(&o, ANSWER(0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1), 1, c, "is noise"); /* a whole cluster lost */
    refuse(&o, ANSWER(1, 1, 1, 1, 1, 0, 0, 0, 0, -1, -1, -1), 2, c, "begins before");
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 2, 2, 2, 2, -1, -1, -1), 3, c, "not used");
    refuse(&o, right, 3, c, "not used");
    refuse(&o, right, 1, c, "has label 1");
    refuse(&o, right, -1, c, "-1 clusters");
    refuse(&o, ANSWER(0, 0, 0, 0, 0, 1, 1, 1, 1, -1, -1, -2), 2, c, "has label -2");

    o.no_border_points = true;
    refuse(&o, ANSWER(0, 0, 0, 0, -1, 1, 1, 1, -1, -1, -1, -1), 2, c, "point 0 is in no cluster");
    o.no_border_points = false, o.common.min_size = 5;
    refuse(&o, right, 2, c, "its cluster has 4"); /* too small, kept */
    o.common.min_size = 1, o.common.max_size = 4;
    refuse(&o, ANSWER(0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1), 1, c, "its cluster has 5"); /* too large, kept */
    refuse(&o, ANSWER(0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1), 1, c, "border point 0");    /* went over */
    o.common.max_size = 0, o.common.order = CLUMP_ORDER_SIZE;
    refuse(&o, ANSWER(1, 1, 1, 1, 1, 0, 0, 0, 0, -1, -1, -1), 2, c, "larger than the one before");
}

/* Any change of one label or flag, and any two clusters exchanged, is a wrong answer. */
static void no_single_change_passes(void)
{
    uint64_t random = 12;
    for (int round = 0; round < 90; round++) {
        const size_t count = 2 + check_random(&random) % (MOST - 1), min_points = least_points[round / 16];
        const float eps = cloud_fill((cloud_shape)(round % CLOUD_SHAPES), xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        const int32_t clusters = oracle_dbscan(points, eps, min_points, NULL, labels, core);
        clump_message why;
        for (size_t i = 0; i < count; i++) {
            const int32_t right = labels[i];
            labels[i] = (int32_t)(check_random(&random) % (uint64_t)(clusters + 1)) - 1;
            if (labels[i] != right)
                CHECK(!verify_dbscan(points, eps, min_points, NULL, labels, clusters, core, &why) && why.text[0]);
            labels[i] = right, core[i] ^= 1;
            CHECK(!verify_dbscan(points, eps, min_points, NULL, labels, clusters, core, &why) && why.text[0]);
            core[i] ^= 1;
        }
        if (clusters < 2) continue;
        const int32_t a = (int32_t)(check_random(&random) % (uint64_t)(clusters - 1)), b = clusters - 1;
        for (size_t i = 0; i < count; i++) labels[i] = labels[i] == a ? b : labels[i] == b ? a : labels[i];
        CHECK(!verify_dbscan(points, eps, min_points, NULL, labels, clusters, core, &why));
    }
}

CHECK_PROGRAM(test_verify_dbscan)
{
    RUN(oracle_knows_the_answers);
    RUN(right_answers_pass);
    RUN(wrong_answers_are_refused);
    RUN(no_single_change_passes);
}
