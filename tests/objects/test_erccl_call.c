/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_erccl_call.c: clump_erccl as a call: refusals and their messages, unusual scans, properties that hold for every
 * scan, and memory.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/papers.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 20000 };

static float xyz[3 * MOST], other[3 * MOST];
static int32_t labels[MOST], again[MOST];
static uint8_t mask[MOST];

/* A street: ground that rises a little, boxes on it, walls along it. Sensor 1.7 above the ground. */
static clump_points street(size_t count)
{
    uint64_t random = 7;
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        p[0] = 36 * (check_random_float(&random) - 0.5f);
        p[1] = 24 * (check_random_float(&random) - 0.5f);
        p[2] = -1.7f + 0.01f * p[0] + 0.03f * check_random_float(&random);
        const uint64_t what = check_random(&random) % 8;
        if (what < 2) /* boxes of 1.5 m, 6 m apart */
            p[0] = 6 * floorf(p[0] / 6) + 1.5f * check_random_float(&random),
            p[1] = 6 * floorf(p[1] / 6) + 1.5f * check_random_float(&random),
            p[2] += 0.3f + check_random_float(&random);
        if (what == 2) p[1] = p[1] > 0 ? 11.5f : -11.5f, p[2] += 4 * check_random_float(&random);
    }
    return (clump_points){.xyz = xyz, .count = count};
}

/* ----- arguments ---------------------------------------------------------------------------------- */

#define REFUSED(change, words)                                                                                         \
    do {                                                                                                               \
        clump_erccl_options o = clump_erccl_defaults();                                                                \
        change;                                                                                                        \
        expect_failure(ctx, clump_erccl(ctx, points, &o, labels, NULL), CLUMP_ERR_ARGUMENT, words);                    \
    } while (0)

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(100);
    CHECK_INT(clump_erccl(NULL, points, NULL, labels, NULL), CLUMP_ERR_ARGUMENT);
    expect_failure(ctx, clump_erccl(ctx, points, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT, "labels is null");
    REFUSED(o.cell = 0, "cell size is 0");
    REFUSED(o.cell = -1, "cell size is -1");
    REFUSED(o.cell = NAN, "cell size is");
    REFUSED(o.cell = INFINITY, "cell size is inf");
    REFUSED((o.cell = 1e10f, o.extent = 0x1p-149f), "too large for an extent");
    REFUSED(o.extent_columns = -1, "extent of the columns is -1");
    REFUSED(o.extent_columns = NAN, "extent of the columns is");
    REFUSED(o.extent_columns = INFINITY, "extent of the columns is inf");
    REFUSED((o.cell = 1e10f, o.extent = 1e10f, o.extent_columns = 0x1p-149f), "too large for an extent of 1.4");
    REFUSED(o.ground.method = (clump_ground_method)9, "ground method number 9");
    REFUSED(o.method = (clump_erccl_method)77, "method number 77");
    REFUSED((o.common.min_size = 3, o.common.max_size = 2), "min_size 3");
    clump_erccl_options usual = clump_erccl_defaults();
    int32_t on_device;
    usual.common.clusters_on_device = &on_device;
    expect_failure(ctx, clump_erccl(ctx, points, &usual, labels, NULL), CLUMP_ERR_MEMORY_KIND, "clusters_on_device");
    CHECK_INT(clump_erccl(ctx, points, NULL, labels, NULL), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

/* A map that would need more memory than exists is refused; the size that the message suggests is accepted. */
static void map_too_large(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(100);
    clump_erccl_options o = clump_erccl_defaults();
    CHECK_INT(clump_erccl_rows(&o), 800);
    o.cell = 4e-5f;
    CHECK_INT(clump_erccl_rows(&o), 0);
    const clump_status status = clump_erccl(ctx, points, &o, labels, NULL);
    expect_failure(ctx, status, CLUMP_ERR_ARGUMENT, "1000000 x 1000000 cells, which takes 250.0 GB of memory");
    const char *const suggested = strstr(clump_context_error(ctx), "cells of at least ");
    CHECK(suggested);
    if (suggested) {
        o.cell = strtof(suggested + 18, NULL);
        CHECK_MSG(o.cell < 0.0013f && clump_erccl_rows(&o) > 32000, "%g", (double)o.cell);
    }
    o.cell = 0x1p-60f;
    expect_failure(ctx, clump_erccl(ctx, points, &o, labels, NULL), CLUMP_ERR_ARGUMENT, "of memory");
    CHECK_INT(clump_erccl_rows(NULL), 0);
    CHECK_INT(clump_erccl_columns(NULL), 0);
    o = clump_erccl_defaults();
    o.extent_columns = 20.01f;
    CHECK_INT(clump_erccl_rows(&o), 800);
    CHECK_INT(clump_erccl_columns(&o), 401);
    o.extent_columns = 2000;
    CHECK_INT(clump_erccl_rows(&o), 0);
    CHECK_INT(clump_erccl_columns(&o), 0);
    expect_failure(
        ctx, clump_erccl(ctx, points, &o, labels, NULL), CLUMP_ERR_ARGUMENT,
        "an extent of 40 x 2000 make a map of 800 x 40000 cells, which takes 8.0 MB of memory; with cells of "
        "at least 0.0611 it has at most 656 x 32768 and takes 5.4 MB");
    o.extent = NAN;
    CHECK_INT(clump_erccl_rows(&o), 0);
    CHECK_INT(clump_erccl_columns(&o), 0);
    clump_context_destroy(ctx);
}

/* Two cells, each with an obstacle point at 1 m. One of them has a ground point, too: with all_heights it is the lowest
 * point of its cell, and the cells are not alike. Floor all around makes the level. */
static void heights_of_ground(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = 1, o.extent = 8, o.extent_columns = 4, o.reach = 1, o.tau = 0.5f;
    o.ground.method = CLUMP_GROUND_PEAK;
    const float scan[] = {0.5f, 0.5f, 1, 1.5f, 0.5f, 1, 1.5f, 0.5f, -1.5f, -3.5f, 1.5f, -1.5f, -2.5f, 1.5f, -1.5f};
    const clump_points points = {.xyz = scan, .count = 5};
    enum { CELLS = 8 * 4, WITH_GROUND = 5 * 4 + 2 };
    float lowest[CELLS], highest[CELLS];
    o.maps.lowest = lowest, o.maps.highest = highest;
    for (int all = 0; all < 2; all++) {
        int32_t clusters = -1;
        PAPERS(o)->all_heights = all == 1;
        CHECK_INT(clump_erccl(ctx, points, &o, labels, &clusters), CLUMP_OK);
        CHECK_INT(clusters, 1 + all);
        CHECK_INT(labels[2], CLUMP_GROUND);
        CHECK(lowest[WITH_GROUND] == (all ? -1.5f : 1.0f) && highest[WITH_GROUND] == 1);
        CHECK(lowest[WITH_GROUND - 4] == 1 && isnan(lowest[3]) && isnan(highest[3]));
    }
    clump_context_destroy(ctx);
}

/* ----- odd scans ---------------------------------------------------------------------------------- */

static size_t count_of(int32_t label, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += labels[i] == label;
    return sum;
}

static void odd_scans(void)
{
    clump_context *const ctx = cpu_context(2);
    FOR_CPU_METHODS (method, clump_erccl_methods)
        FOR_CPU_METHODS (way, clump_ground_methods) {
            clump_erccl_options o = clump_erccl_defaults();
            o.method = (clump_erccl_method)method;
            o.ground.method = (clump_ground_method)way;
            int32_t clusters = -1;
            CHECK_INT(clump_erccl(ctx, (clump_points){0}, &o, NULL, &clusters), CLUMP_OK); /* nothing at all */
            CHECK_INT(clusters, 0);

            clump_points points = street(3000);
            for (size_t i = 0; i < points.count; i++) xyz[3 * i] += 1000; /* all outside */
            CHECK_INT(clump_erccl(ctx, points, &o, labels, &clusters), CLUMP_OK);
            CHECK(clusters == 0 && count_of(CLUMP_NOISE, points.count) == points.count);

            for (size_t i = 0; i < points.count; i++) xyz[3 * i + i % 3] = i % 2 ? NAN : -INFINITY; /* nothing finite */
            CHECK_INT(clump_erccl(ctx, points, &o, labels, &clusters), CLUMP_OK);
            CHECK(clusters == 0 && count_of(CLUMP_NOISE, points.count) == points.count);

            points = street(3000); /* only ground */
            for (size_t i = 0; i < points.count; i++) xyz[3 * i + 2] = -1.7f;
            CHECK_INT(clump_erccl(ctx, points, &o, labels, &clusters), CLUMP_OK);
            const size_t ground = way == CLUMP_GROUND_NONE ? 0 : points.count;
            CHECK_MSG(count_of(CLUMP_GROUND, points.count) == ground && (clusters == 0) == (ground > 0), "%s: %zu, %d",
                      clump_ground_method_name(o.ground.method), count_of(CLUMP_GROUND, points.count), clusters);

            memset(mask, 0, sizeof mask); /* all masked out */
            o.common.mask = mask;
            CHECK_INT(clump_erccl(ctx, points, &o, labels, &clusters), CLUMP_OK);
            CHECK(clusters == 0 && count_of(CLUMP_NOISE, points.count) == points.count);
            CHECK_INT(clump_context_stats(ctx).masked, points.count);
        }
    clump_context_destroy(ctx);
}

/* ----- what holds whatever the scan ---------------------------------------------------------------- */

static uint64_t hash_of(clump_context *ctx, clump_points points, const clump_erccl_options *o)
{
    CHECK_INT(clump_erccl(ctx, points, o, again, NULL), CLUMP_OK);
    return clump_labels_hash(again, points.count);
}

static void sides_and_axes(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_points points = street(MOST);
    clump_erccl_options o = clump_erccl_defaults();
    FOR_CPU_METHODS (way, clump_ground_methods) {
        o = clump_erccl_defaults();
        o.ground.method = (clump_ground_method)way;
        const uint64_t hash = hash_of(ctx, points, &o);
        CHECK_INT(clump_context_stats(ctx).points, MOST);
        points.xyz = other;
        for (size_t i = 0; i < MOST; i++) /* upside down */
            other[3 * i] = xyz[3 * i], other[3 * i + 1] = xyz[3 * i + 1], other[3 * i + 2] = -xyz[3 * i + 2];
        CHECK(way != CLUMP_GROUND_GRID || hash_of(ctx, points, &o) != hash); /* the others are the same there */
        o.ground.flip = true;
        CHECK(hash_of(ctx, points, &o) == hash);
        for (size_t i = 0; i < MOST; i++) /* y up */
            other[3 * i] = xyz[3 * i], other[3 * i + 1] = xyz[3 * i + 2], other[3 * i + 2] = xyz[3 * i + 1];
        o.ground.flip = false, o.ground.up = CLUMP_UP_Y;
        CHECK(hash_of(ctx, points, &o) == hash);
        for (size_t i = 0; i < 3 * MOST; i++) other[i] = xyz[i] + 0x1p-4f * (float)(i % 3 + 1);
        points.xyz = xyz;
    }
    o = clump_erccl_defaults();
    const uint64_t hash = hash_of(ctx, points, &o);
    PAPERS(o)->beta = 0.75f * expf(5);
    o.tau = 7;
    CHECK(hash_of(ctx, points, &o) == hash); /* beta gives tau */
    o = clump_erccl_defaults();
    o.tau = 0, o.reach = 3; /* heights do not count: that is ccl */
    const uint64_t all = hash_of(ctx, points, &o);
    o.method = CLUMP_ERCCL_CCL, o.tau = 0.75f;
    CHECK(hash_of(ctx, points, &o) == all && all != hash);
    clump_context_destroy(ctx);
}

/* A longer reach, a lower tau or no heights can only join more cells. */
static void joins_grow(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(MOST);
    clump_erccl_options o = clump_erccl_defaults();
    o.ground.method = CLUMP_GROUND_NONE;
    static const float taus[] = {2, 0.9f, 0.75f, 0.5f, 0};
    int32_t before = INT32_MAX;
    for (int k = 0; k < 5; k++) {
        o.tau = taus[k];
        int32_t clusters, cells = 0;
        CHECK_INT(clump_erccl(ctx, points, &o, labels, &clusters), CLUMP_OK);
        CHECK_MSG(clusters <= before, "tau %g: %d clusters, %d before", (double)o.tau, clusters, before);
        for (size_t i = 0; k == 0 && i < MOST; i++) cells = labels[i] >= cells ? labels[i] + 1 : cells;
        if (k == 0) CHECK(clusters == cells && clusters > 5000); /* a cluster a cell */
        before = clusters;
    }
    before = INT32_MAX;
    o.tau = 0.75f;
    for (o.reach = 1; o.reach <= 10; o.reach++) {
        int32_t clusters;
        CHECK_INT(clump_erccl(ctx, points, &o, labels, &clusters), CLUMP_OK);
        CHECK(clusters <= before);
        before = clusters;
    }
    clump_context_destroy(ctx);
}

/* ----- memory ------------------------------------------------------------------------------------- */

static void reserved_is_enough(void)
{
    counter c = {.fail_from = -1};
    clump_context *const ctx = reserved_context(&c, 2, MOST);
    const clump_points points = street(MOST);
    const long taken = c.calls;
    clump_erccl_options o = clump_erccl_defaults();
    CHECK_INT(clump_erccl(ctx, points, &o, labels, NULL), CLUMP_OK);
    o.ground.method = CLUMP_GROUND_NONE, o.tau = 2, o.reach = 8; /* as many cells, and runs, as can be */
    CHECK_INT(clump_erccl(ctx, points, &o, labels, NULL), CLUMP_OK);
    CHECK_MSG(c.calls == taken, "%ld allocations after clump_context_reserve", c.calls - taken);
    clump_context_destroy(ctx);
}

/* `independent` reports the memory it would need before it allocates. */
static void independent_is_refused(void)
{
    static float many[3 * 100000];
    counter c = {.fail_from = -1, .limit = 1 << 29};
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 2, &ctx), CLUMP_OK);
    clump_erccl_options o = clump_erccl_defaults();
    o.method = CLUMP_ERCCL_INDEPENDENT, o.reach = CLUMP_ERCCL_REACH, o.ground.method = CLUMP_GROUND_NONE, o.tau = 2;
    o.extent = 1500; /* 30000 x 30000 cells, and each point has its own */
    for (size_t i = 0; i < 100000; i++) many[3 * i] = 2 * (float)(i % 300) - 300, many[3 * i + 1] = (float)(i / 300);
    int32_t *const out = malloc(100000 * sizeof *out);
    if (!out) abort();
    const clump_status status = clump_erccl(ctx, (clump_points){many, 100000, 0, 0}, &o, out, NULL);
    expect_failure(ctx, status, CLUMP_ERR_OUT_OF_MEMORY, "independent needs 6.7 GB of memory for");
    free(out);
    clump_context_destroy(ctx);
}

/* A method with one thread reports one thread, for any context. */
static void threads_are_told(void)
{
    const clump_points points = street(MOST);
    clump_context *const ctx = cpu_context(2);
    clump_erccl_options o = clump_erccl_defaults();
    FOR_CPU_METHODS (m, clump_erccl_methods) {
        o.method = (clump_erccl_method)m;
        CHECK_INT(clump_erccl(ctx, points, &o, labels, NULL), CLUMP_OK);
        const int threads = clump_context_stats(ctx).threads;
        if (o.method == CLUMP_ERCCL_FAST)
            CHECK_MSG(threads == 1 || threads == 2, "%s: %d", clump_erccl_method_name(o.method), threads);
        else
            CHECK_MSG(threads == 1, "%s: %d", clump_erccl_method_name(o.method), threads);
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_erccl_call)
{
    RUN(wrong_arguments);
    RUN(map_too_large);
    RUN(heights_of_ground);
    RUN(odd_scans);
    RUN(sides_and_axes);
    RUN(joins_grow);
    RUN(reserved_is_enough);
    RUN(independent_is_refused);
    RUN(threads_are_told);
}
