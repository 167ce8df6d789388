/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_verify.c: tests of the tests. The oracle on clouds whose answer is written down, and the
 * checker of properties on right answers and on answers made wrong in every way it must notice.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "oracle/oracle.h"
#include "oracle/verify.h"

#include <math.h>

enum { MOST = 120 };

static clump_ec_options defaults(void)
{
    return (clump_ec_options){.common.min_size = 1}; /* no library here, and no cookie */
}

static void expect(const float *xyz, size_t count, float d, const clump_ec_options *options, const int32_t *expected)
{
    int32_t labels[16], most = -1;
    const clump_points points = {.xyz = xyz, .count = count};
    const int32_t clusters = oracle_ec(points, d, options, labels);
    for (size_t i = 0; i < count; i++) {
        CHECK_MSG(labels[i] == expected[i], "point %zu: %d, expected %d", i, labels[i], expected[i]);
        most = expected[i] > most ? expected[i] : most;
    }
    CHECK_INT(clusters, most + 1);
    clump_message why;
    CHECK_MSG(verify_ec(points, d, options, expected, clusters, &why), "%s", why.text);
}

static void oracle_knows_the_answers(void)
{
    clump_ec_options o = defaults();
    expect(NULL, 0, 1, NULL, NULL);
    expect((float[]){1, 2, 3}, 1, 1, NULL, (int32_t[]){0});
    expect((float[]){0, 0, 0, 1, 0, 0}, 2, 1, NULL, (int32_t[]){0, 1}); /* exactly d: strict */
    expect((float[]){0, 0, 0, 1, 0, 0}, 2, cloud_step(1, 1), NULL, (int32_t[]){0, 0});
    expect((float[]){20.0000019f, 0, 0, 20.3000011f, 0, 0}, 2, 0.3f, NULL, (int32_t[]){0, 0});

    /* 5 0 1 2 . 6 along x: two clusters and a lonely one, the last two points joined by the third */
    const float row[] = {5, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, NAN, 0, 0, 6, 0, 0, 9, 0, 0};
    expect(row, 7, 1.5f, NULL, (int32_t[]){0, 1, 1, 1, -1, 0, 2});
    o.common.min_size = 2;
    expect(row, 7, 1.5f, &o, (int32_t[]){0, 1, 1, 1, -1, 0, -1});
    o.common.max_size = 2;
    expect(row, 7, 1.5f, &o, (int32_t[]){0, -1, -1, -1, -1, 0, -1});
    o = defaults(), o.common.order = CLUMP_ORDER_SIZE;
    expect(row, 7, 1.5f, &o, (int32_t[]){1, 0, 0, 0, -1, 1, 2});
    o = defaults(), o.common.mask = (const uint8_t[]){1, 1, 0, 255, 1, 1, 1};
    expect(row, 7, 1.5f, &o, (int32_t[]){0, 1, -1, 2, -1, 0, 3});

    const float tower[] = {0, 0, 0, 0, 0, 100, 0, 0.5f, NAN, INFINITY, 0, 0};
    expect(tower, 4, 1, NULL, (int32_t[]){0, 1, -1, -1});
    o = defaults(), o.common.two_d = true;
    expect(tower, 4, 1, &o, (int32_t[]){0, 0, 0, -1});
}

static void right_answers_pass(void)
{
    static float xyz[3 * MOST];
    static uint8_t mask[MOST];
    static int32_t labels[MOST];
    uint64_t random = 11;
    for (int round = 0; round < check_rounds(300); round++) {
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = check_random(&random) % (MOST + 1);
        const float d = cloud_fill(shape, xyz, count, &random);
        if (round % 3 == 0) cloud_spoil(xyz, count, 20, &random);
        clump_ec_options o = defaults();
        cloud_options(&o, mask, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        const int32_t clusters = oracle_ec(points, d, &o, labels);
        clump_message why;
        CHECK_MSG(verify_ec(points, d, &o, labels, clusters, &why), "%s, round %d: %s", cloud_name(shape), round,
                  why.text);
    }
}

/* Three clusters in a row: points 0-2, 3-5, 6; 7 is masked, 8 not finite. */
static const float three[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 10, 0, 0, 11, 0, 0, 12, 0, 0, 20, 0, 0, 1, 1, 0, 1, 0, NAN};
static const uint8_t three_mask[] = {1, 1, 1, 1, 1, 1, 1, 0, 1};

static void refuse(const clump_ec_options *options, const int32_t *labels, int32_t clusters, const char *reason)
{
    const clump_points points = {.xyz = three, .count = 9};
    clump_message why;
    CHECK_MSG(!verify_ec(points, 1.5f, options, labels, clusters, &why), "should say: %s", reason);
    CHECK_MSG(strstr(why.text, reason), "\"%s\" does not say \"%s\"", why.text, reason);
}

static void wrong_answers_are_refused(void)
{
    clump_ec_options o = defaults();
    o.common.mask = three_mask;
    clump_message why;
    const clump_points points = {.xyz = three, .count = 9};
    CHECK(verify_ec(points, 1.5f, &o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, -1, -1}, 3, &why));

    refuse(&o, (int32_t[]){0, 0, 0, 0, 0, 0, 1, -1, -1}, 2, "not connected");       /* merged */
    refuse(&o, (int32_t[]){0, 0, 1, 2, 2, 2, 3, -1, -1}, 4, "neighbours 1 and 2");  /* split */
    refuse(&o, (int32_t[]){1, 1, 1, 0, 0, 0, 2, -1, -1}, 3, "begins before");       /* swapped */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 3, -1, -1}, 4, "not used");            /* a gap */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, -1, -1}, 4, "not used");            /* one too many */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, -1, -1}, 2, "has label 2");         /* one too few */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, -1, -1}, -1, "-1 clusters");        /* nonsense */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, -1, -1, -1}, 2, "is noise");           /* a valid point lost */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, -1, 2, -1, -1}, 3, "neighbours 4 and 5"); /* one of a cluster lost */
    refuse(&o, (int32_t[]){0, 0, 0, -1, -1, -1, 1, -1, -1}, 2, "is noise");         /* a whole cluster lost */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, 0, -1}, 3, "point 7 is left out");  /* masked, but labelled */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, -1, 0}, 3, "point 8 is left out");  /* not finite, but labelled */
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, -1, -2}, 3, "has label -2");        /* no such label */

    o.common.min_size = 2;
    refuse(&o, (int32_t[]){0, 0, 0, 1, 1, 1, 2, -1, -1}, 3, "point 6 has label 2"); /* too small, kept */
    o.common.min_size = 1, o.common.max_size = 2;
    refuse(&o, (int32_t[]){0, 0, 0, -1, -1, -1, 1, -1, -1}, 2, "its cluster has 3"); /* too large, kept */
    o.common.max_size = 3;
    refuse(&o, (int32_t[]){-1, -1, -1, 0, 0, 0, 1, -1, -1}, 2, "is noise"); /* of allowed size, dropped */
    o.common.max_size = 0, o.common.order = CLUMP_ORDER_SIZE;
    refuse(&o, (int32_t[]){1, 1, 1, 2, 2, 2, 0, -1, -1}, 3, "larger than the one before");
    refuse(&o, (int32_t[]){1, 1, 1, 0, 0, 0, 2, -1, -1}, 3, "begins before"); /* a tie the wrong way */
}

/* Any change of one label, and any two clusters exchanged, is a wrong answer. */
static void no_single_change_passes(void)
{
    static float xyz[3 * MOST];
    static int32_t labels[MOST];
    uint64_t random = 12;
    for (int round = 0; round < 60; round++) {
        const size_t count = 2 + check_random(&random) % (MOST - 1);
        const float d = cloud_fill((cloud_shape)(round % CLOUD_SHAPES), xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        const int32_t clusters = oracle_ec(points, d, NULL, labels);
        clump_message why;
        for (size_t i = 0; i < count; i++) {
            const int32_t right = labels[i];
            labels[i] = (int32_t)(check_random(&random) % (uint64_t)(clusters + 1)) - 1;
            if (labels[i] != right) CHECK(!verify_ec(points, d, NULL, labels, clusters, &why) && why.text[0]);
            labels[i] = right;
        }
        if (clusters < 2) continue;
        const int32_t a = (int32_t)(check_random(&random) % (uint64_t)(clusters - 1)), b = clusters - 1;
        for (size_t i = 0; i < count; i++) labels[i] = labels[i] == a ? b : labels[i] == b ? a : labels[i];
        CHECK(!verify_ec(points, d, NULL, labels, clusters, &why));
    }
}

CHECK_PROGRAM(test_verify)
{
    RUN(oracle_knows_the_answers);
    RUN(right_answers_pass);
    RUN(wrong_answers_are_refused);
    RUN(no_single_change_passes);
}
