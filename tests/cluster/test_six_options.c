/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_six_options.c: matrix_block and in_place of clump_ec: labels stay those of `fast`, in place needs no more passes, the
 * stage INITIAL_EC is reported, and wrong values are refused with a sentence.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/papers.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 2000, SIX = 6, FIRST = CLUMP_EC_VERTEX_ES };

static clump_context *ctx;
static float xyz[3 * MOST];
static int32_t labels[MOST];

/* The options through the front door: every size of blocks, and labels in place, which need no more passes. */
static void options_of_the_six(void)
{
    static const int sizes[] = {0, 64, 128, 256, 512, 1024};
    uint64_t random = 75;
    for (long round = 0; round < check_rounds(2 * CLOUD_SHAPES); round++) {
        const cloud_shape shape = (cloud_shape)(check_turn(round) % CLOUD_SHAPES);
        const size_t count = 100 + check_random(&random) % (round < CLOUD_SHAPES && !CLOUD_WATCHED ? MOST - 99 : 400);
        const float d = cloud_fill(shape, xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        CHECK_INT(clump_ec(ctx, points, d, NULL, labels, NULL), CLUMP_OK);
        const uint64_t hash = clump_labels_hash(labels, count);
        for (int method = 0; method < SIX; method++) {
            clump_ec_options o = clump_ec_defaults();
            o.method = (clump_ec_method)(FIRST + method);
            int64_t passes[6];
            for (int k = 0; k < (method < 4 ? 2 : 6); k++) {
                if (method < 4) PAPERS(o)->in_place = k == 1;
                if (method >= 4) PAPERS(o)->matrix_block = sizes[k];
                CHECK_INT(clump_ec(ctx, points, d, &o, labels, NULL), CLUMP_OK);
                passes[k] = clump_context_stats(ctx).passes;
                CHECK_MSG(clump_labels_hash(labels, count) == hash, "round %ld, %s, %zu points, %s, block %d", round,
                          cloud_name(shape), count, clump_ec_method_name(o.method), papers_of(&o.common)->matrix_block);
            }
            CHECK_MSG(method < 4 ? passes[1] <= passes[0] : passes[0] == passes[5],
                      "round %ld, %s, %zu points, %s: %d passes, then %d", round, cloud_name(shape), count,
                      clump_ec_method_name(o.method), (int)passes[0], (int)passes[method < 4 ? 1 : 5]);
        }
    }
}

/* The options on a line of points, of which `every` leaves some out: 0 none, 1 all, 2 half of them by the mask, 3 some
 * by NaN. Neighbours are about 1 apart, and every 50th gap is wider. */
static void try_line(size_t count, int every)
{
    static uint8_t mask[MOST];
    static int32_t expected[MOST];
    for (size_t i = 0; i < count; i++) {
        xyz[3 * i] = (float)i + (float)(i / 50), xyz[3 * i + 1] = xyz[3 * i + 2] = 0;
        mask[i] = every == 0 || every == 3 || (every == 2 && i % 2);
        if (every == 3 && i % 7 == 3) xyz[3 * i + i % 3] = NAN;
    }
    const clump_points points = {.xyz = xyz, .count = count};
    const float d = every == 2 ? 2.5f : 1.5f;
    clump_ec_options o = clump_ec_defaults();
    o.common.mask = mask;
    CHECK_INT(clump_ec(ctx, points, d, &o, expected, NULL), CLUMP_OK);
    for (int method = 0; method < SIX; method++)
        for (int block = 64; block <= (method < 4 ? 64 : 1024); block *= 2) {
            o.method = (clump_ec_method)(FIRST + method);
            PAPERS(o)->in_place = method < 4, PAPERS(o)->matrix_block = method < 4 ? 0 : block;
            int32_t clusters = -1;
            CHECK_INT(clump_ec(ctx, points, d, &o, labels, &clusters), CLUMP_OK);
            CHECK_MSG(count == 0 || memcmp(labels, expected, count * sizeof *labels) == 0,
                      "%zu points, left out %d, %s, block %d", count, every, clump_ec_method_name(o.method), block);
        }
}

/* Numbers of points about those of a block: none, one, a block less one, exactly one, one more. */
static void counts_about_blocks(void)
{
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int every = 0; every < 4; every++)
            if (!CLOUD_WATCHED || counts[i] < 200) try_line(counts[i], every);
}

/* Labels cannot tell whether the options have an effect; passes can. On a line of points in order, labels in place go from
 * end to end in the first pass; else they go one step per pass. A single block of 1024 holds the whole line. */
static void passes_tell_the_options(void)
{
    enum { LINE = 1000 };
    for (size_t i = 0; i < LINE; i++) xyz[3 * i] = (float)i, xyz[3 * i + 1] = xyz[3 * i + 2] = 0;
    const clump_points points = {.xyz = xyz, .count = LINE};
    for (int method = 0; method < SIX; method++) {
        clump_ec_options o = clump_ec_defaults();
        o.method = (clump_ec_method)(FIRST + method);
        CHECK_INT(clump_ec(ctx, points, 1.5f, &o, labels, NULL), CLUMP_OK);
        const int64_t passes = clump_context_stats(ctx).passes;
        PAPERS(o)->in_place = method < 4, PAPERS(o)->matrix_block = method < 4 ? 0 : 64;
        CHECK_INT(clump_ec(ctx, points, 1.5f, &o, labels, NULL), CLUMP_OK);
        if (method < 4) {
            CHECK_INT(passes, LINE);
            CHECK_INT(clump_context_stats(ctx).passes, 2);
        } else
            CHECK_MSG(clump_context_stats(ctx).passes > passes, "%d passes with blocks of 64, %d with 1024",
                      (int)clump_context_stats(ctx).passes, (int)passes);
    }
}

static void expect_refusal(clump_ec_options o, clump_status wanted, const char *sentence)
{
    CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = 5}, 1, &o, labels, NULL), wanted);
    CHECK_TEXT(clump_context_error(ctx), sentence);
}

static void options_are_checked(void)
{
    clump_ec_options o = clump_ec_defaults();
    o.method = CLUMP_EC_MATRIX_RS, PAPERS(o)->matrix_block = 96;
    expect_refusal(o, CLUMP_ERR_ARGUMENT, "clump_ec: matrix_block is 96, it must be 0, 64, 128, 256, 512 or 1024");
    PAPERS(o)->matrix_block = 32;
    expect_refusal(o, CLUMP_ERR_ARGUMENT, "clump_ec: matrix_block is 32, it must be 0, 64, 128, 256, 512 or 1024");
    PAPERS(o)->matrix_block = 2048;
    expect_refusal(o, CLUMP_ERR_ARGUMENT, "clump_ec: matrix_block is 2048, it must be 0, 64, 128, 256, 512 or 1024");
    PAPERS(o)->matrix_block = INT32_MIN;
    expect_refusal(o, CLUMP_ERR_ARGUMENT,
                   "clump_ec: matrix_block is -2147483648, it must be 0, 64, 128, 256, 512 or 1024");
    o.method = CLUMP_EC_EDGE_ES, PAPERS(o)->matrix_block = 64;
    expect_refusal(o, CLUMP_ERR_UNSUPPORTED,
                   "clump_ec: matrix_block is for the methods matrix-es and matrix-rs, edge-es does not have it");
    o = clump_ec_defaults(), PAPERS(o)->in_place = true;
    expect_refusal(o, CLUMP_ERR_UNSUPPORTED,
                   "clump_ec: in_place is for the methods vertex-* and edge-*, fast does not have it");
    o.method = CLUMP_EC_MATRIX_ES;
    expect_refusal(o, CLUMP_ERR_UNSUPPORTED,
                   "clump_ec: in_place is for the methods vertex-* and edge-*, matrix-es does not have it");
    o.method = (clump_ec_method)99, PAPERS(o)->matrix_block = 64;
    expect_refusal(o, CLUMP_ERR_ARGUMENT, "clump_ec: there is no method number 99");
}

/* clump_detect has the same options and the same stage. */
static void options_of_detect(void)
{
    uint64_t random = 76;
    clump_detect_options o = clump_detect_defaults();
    o.d = cloud_fill(CLOUD_UNIFORM, xyz, MOST, &random);
    o.ground.method = CLUMP_GROUND_NONE;
    const clump_points points = {.xyz = xyz, .count = MOST};
    int32_t clusters;
    CHECK_INT(clump_detect(ctx, points, &o, labels, NULL, 0, &clusters), CLUMP_OK);
    const uint64_t hash = clump_labels_hash(labels, MOST);
    CHECK(clump_context_stats(ctx).initial_ms == 0);
    o.ec.method = CLUMP_EC_MATRIX_RS, PAPERS(o)->matrix_block = 128;
    CHECK_INT(clump_detect(ctx, points, &o, labels, NULL, 0, &clusters), CLUMP_OK);
    CHECK(clump_labels_hash(labels, MOST) == hash);
    CHECK(clump_context_stats(ctx).initial_ms > 0);
    PAPERS(o)->in_place = true;
    CHECK_INT(clump_detect(ctx, points, &o, labels, NULL, 0, &clusters), CLUMP_ERR_UNSUPPORTED);
    CHECK_TEXT(clump_context_error(ctx),
               "clump_detect: in_place is for the methods vertex-* and edge-*, matrix-rs does not have it");
}

CHECK_PROGRAM(test_six_options)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) exit(1);
    RUN(options_of_the_six);
    RUN(counts_about_blocks);
    RUN(passes_tell_the_options);
    RUN(options_are_checked);
    RUN(options_of_detect);
    clump_context_destroy(ctx);
}
