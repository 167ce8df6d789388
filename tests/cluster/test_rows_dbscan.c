/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rows_dbscan.c: DBSCAN by rows (cpu/rows/rows_dbscan.c). Called directly it must agree with the oracle on every
 * cloud that it accepts, sparse or not. Through `fast` it must agree with `sequential` on clouds large enough for
 * several pieces of work, and rows must have been used.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "common/sort.h"
#include "core/context.h"
#include "cpu/dbscan/dbscan.h"
#include "oracle/oracle_dbscan.h"

#include <math.h>

static clump_dbscan_job job_of(clump_points points, float eps, size_t min_points, const clump_dbscan_options *o,
                               int32_t *labels, uint8_t *core)
{
    return (clump_dbscan_job){.in = {.points = (const char *)points.xyz,
                                     .count = points.count,
                                     .stride = 12,
                                     .d = eps,
                                     .bound = nextafterf(eps * eps, INFINITY),
                                     .two_d = o->common.two_d,
                                     .mask = o->common.mask,
                                     .labels = labels},
                              .min_points = min_points,
                              .border_points = !o->no_border_points,
                              .core = core};
}

static void agrees_with_the_oracle(void)
{
    enum { MOST = 1200 };
    static float xyz[3 * MOST];
    static uint8_t mask[MOST], core[MOST], expected_core[MOST];
    static int32_t labels[MOST], expected[MOST];
    uint64_t random = 78;
    clump_context *const ctx = cpu_context(3);
    CHECK_INT(clump_team_start(ctx->work.team, 3), 3);
    clump_buffer wide = {0}, points_of_rows = {0};
    clump_rows rows = {.wide = &wide, .points = &points_of_rows};
    int taken = 0, refused = 0, with_border = 0;
    for (int round = 0; round < check_rounds(30); round++) {
        for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
            const size_t n = check_random(&random) % (round % 4 == 0 ? MOST : 200) + 1;
            const float eps = cloud_fill((cloud_shape)shape, xyz, n, &random);
            const size_t min_points = cloud_min_points(n, &random);
            clump_dbscan_options o = clump_dbscan_defaults();
            o.common.two_d = round % 3 == 1;
            o.no_border_points = round % 7 == 3;
            if (round % 2) cloud_spoil(xyz, n, 9, &random);
            for (size_t i = 0; i < n; i++) mask[i] = check_random(&random) % 4 != 0;
            o.common.mask = round % 5 == 2 ? mask : NULL;
            const clump_points points = {.xyz = xyz, .count = n};
            const clump_dbscan_job job = job_of(points, eps, min_points, &o, labels, round % 2 ? core : NULL);
            clump_stats result = {0};
            bool done = false;
            memset(core, 99, sizeof core);
            CHECK_INT(clump_rows_dbscan(&ctx->work, &rows, &job, round % 3 + 1, &result, &done), CLUMP_OK);
            if (!done) {
                refused++;
                continue;
            }
            taken++;
            const int32_t clusters = oracle_dbscan(points, eps, min_points, &o, expected, expected_core);
            CHECK_MSG(result.clusters == clusters, "%s, %zu points, round %d: %d clusters, expected %d",
                      cloud_name((cloud_shape)shape), n, round, result.clusters, clusters);
            CHECK_MSG(memcmp(labels, expected, n * sizeof *labels) == 0, "%s, %zu points, round %d, min_points %zu",
                      cloud_name((cloud_shape)shape), n, round, min_points);
            if (job.core)
                CHECK_MSG(memcmp(core, expected_core, n) == 0, "%s, %zu points: core", cloud_name((cloud_shape)shape),
                          n);
            size_t noise = 0, border = 0;
            for (size_t i = 0; i < n; i++) {
                noise += expected[i] == CLUMP_NOISE;
                border += expected[i] != CLUMP_NOISE && !expected_core[i];
            }
            CHECK_INT(result.noise, noise);
            with_border += border > 0;
        }
    }
    CHECK(taken > check_fewer(25, 100) && refused > check_fewer(2, 10) &&
          with_border > check_fewer(5, 20)); /* or this test tests nothing */
    clump_rows_release(&ctx->work, &rows);
    clump_buffer_release(&ctx->work, &wide);
    clump_buffer_release(&ctx->work, &points_of_rows);
    clump_context_destroy(ctx);
}

enum { LARGE = 20000 }; /* more than a chunk where sets are found */
static float large[3 * LARGE];
static uint8_t large_mask[LARGE], large_core[LARGE], expected_core[LARGE];
static int32_t large_labels[LARGE], expected_labels[LARGE];

/* Labels the large cloud by `sequential`, then by `fast` with several numbers of threads. */
static void compare(const char *name, float eps, size_t min_points, clump_dbscan_options o, bool by_rows)
{
    const clump_points points = {.xyz = large, .count = LARGE};
    clump_context *const alone = cpu_context(1);
    o.method = CLUMP_DBSCAN_SEQUENTIAL;
    o.core = expected_core;
    CHECK_INT(clump_dbscan(alone, points, eps, min_points, &o, expected_labels, NULL), CLUMP_OK);
    clump_context_destroy(alone);
    const clump_dbscan_job job = job_of(points, eps, min_points, &o, large_labels, large_core);
    static const int threads[] = {1, 2, 4};
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        clump_context *const ctx = cpu_context(threads[k]);
        clump_cpu_dbscan dbscan = {0};
        clump_cpu_fast fast = {0};
        clump_stats result = {0};
        CHECK_INT(clump_cpu_dbscan_fast(&ctx->work, &dbscan, &fast, &job, &result), CLUMP_OK);
        CHECK_MSG(dbscan.by_rows == by_rows, "%s, %d threads: %s", name, threads[k],
                  by_rows ? "not by rows" : "by rows");
        CHECK_MSG(memcmp(large_labels, expected_labels, sizeof large_labels) == 0, "%s, %d threads", name, threads[k]);
        CHECK_MSG(memcmp(large_core, expected_core, sizeof large_core) == 0, "%s, %d threads: core", name, threads[k]);
        clump_cpu_dbscan_release(&ctx->work, &dbscan);
        clump_cpu_fast_release(&ctx->work, &fast);
        clump_context_destroy(ctx);
    }
}

/* Fills a cube with about k neighbours per point at eps = 1. */
static void fill_uniform(double k, uint64_t *random)
{
    const float side = (float)cbrt((double)LARGE * 4.18879 / k);
    for (size_t i = 0; i < 3 * (size_t)LARGE; i++) large[i] = check_random_float(random) * side - side / 2;
}

static void agrees_with_sequential(void)
{
    uint64_t random = 21;
    const clump_dbscan_options plain = clump_dbscan_defaults();
    fill_uniform(3, &random);
    compare("all core", 1, 1, plain, true);
    compare("most core", 1, 3, plain, true);
    compare("few core", 1, 8, plain, true);
    compare("none core", 1, 1000, plain, true);
    fill_uniform(100, &random);
    compare("dense", 1, 5, plain, false);
}

static void options_hold(void)
{
    uint64_t random = 22;
    clump_dbscan_options o = clump_dbscan_defaults();
    fill_uniform(6, &random);
    cloud_spoil(large, LARGE, 50, &random);
    for (size_t i = 0; i < LARGE; i++) large_mask[i] = check_random(&random) % 8 != 0;
    o.common.mask = large_mask;
    compare("mask", 1, 5, o, true);
    o.no_border_points = true;
    compare("no border points", 1, 6, o, true);
    o = clump_dbscan_defaults();
    o.common.two_d = true;
    for (size_t i = 0; i < 3 * (size_t)LARGE; i++) large[i] *= 8; /* z does not thin it out any more */
    compare("2-D", 1, 4, o, true);
}

/* Ties: a lattice with holes, its spacing exactly eps, in no order. */
static void ties_hold(void)
{
    enum { SIDE = 34 };
    uint64_t random = 23;
    static bool taken[SIDE * SIDE * SIDE];
    for (size_t i = 0; i < LARGE; i++) {
        size_t at;
        do at = check_random(&random) % (SIDE * SIDE * SIDE);
        while (taken[at]);
        taken[at] = true;
        const size_t cells[3] = {at % SIDE, at / SIDE % SIDE, at / (SIDE * SIDE)};
        for (size_t k = 0; k < 3; k++) large[3 * i + k] = (float)cells[k] / 4 - 4;
    }
    const clump_dbscan_options o = clump_dbscan_defaults();
    compare("at eps", 0.25f, 4, o, true);
    compare("below eps", nextafterf(0.25f, 0), 2, o, true);
}

/* All points in one row, or in rows with two points each: pieces begin in the middle of rows. */
static void rows_of_any_length(void)
{
    uint64_t random = 24;
    const clump_dbscan_options o = clump_dbscan_defaults();
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < LARGE; i++) {
            for (size_t k = 0; k < 3; k++)
                large[3 * i + k] = check_random_float(&random) * (k == (size_t)axis ? 6000.0f : 0.5f);
        }
        compare("one row", 1, 7, o, true);
        compare("one row, few core", 1, 12, o, true);
    }
}

/* Rows with many points per eps, several at each x, and distances of exactly eps: windows end anywhere among them. */
static void windows_end_anywhere(void)
{
    enum { POINTS = 1000 };
    static float xyz[3 * POINTS];
    static uint8_t core[POINTS], right_core[POINTS];
    static int32_t labels[POINTS], right[POINTS];
    uint64_t random = 26;
    clump_context *const ctx = cpu_context(1);
    clump_buffer wide = {0}, points_of_rows = {0};
    clump_rows rows = {.wide = &wide, .points = &points_of_rows};
    const clump_dbscan_options o = clump_dbscan_defaults();
    const clump_points points = {.xyz = xyz, .count = POINTS};
    for (int round = 0; round < check_rounds(30); round++) {
        for (size_t i = 0; i < POINTS; i++) {
            xyz[3 * i] = (float)(check_random(&random) % 300) / 32;
            for (size_t k = 1; k < 3; k++) xyz[3 * i + k] = (float)(check_random(&random) % 3) * 0.375f;
        }
        const size_t min_points = 90 + (size_t)round % 30 * 4; /* points have 100 to 200 neighbours */
        const clump_dbscan_job job = job_of(points, 1, min_points, &o, labels, core);
        clump_stats result = {0};
        bool done = false;
        CHECK_INT(clump_rows_dbscan(&ctx->work, &rows, &job, 1, &result, &done), CLUMP_OK);
        CHECK(done);
        CHECK_INT(oracle_dbscan(points, 1, min_points, &o, right, right_core), result.clusters);
        CHECK_MSG(memcmp(labels, right, sizeof labels) == 0 && memcmp(core, right_core, sizeof core) == 0,
                  "round %d, min_points %zu", round, min_points);
    }
    clump_rows_release(&ctx->work, &rows);
    clump_buffer_release(&ctx->work, &wide);
    clump_buffer_release(&ctx->work, &points_of_rows);
    clump_context_destroy(ctx);
}

/* Two of three words differ in few bits: many are equal, and the sort must be stable. */
static void sorts_few_words(void)
{
    static uint64_t a[3000], b[3000], sorted[3000];
    uint64_t random = 25;
    for (int round = 0; round < 200; round++) {
        const size_t n = check_random(&random) % (round % 2 ? 3000 : 40);
        const unsigned bits = (unsigned)(check_random(&random) % 44), low = 12 + (unsigned)(check_random(&random) % 8);
        const uint64_t mask = bits ? UINT64_MAX >> (64 - bits) << low : 0;
        for (size_t i = 0; i < n; i++) /* the place in the low bits; garbage above */
            a[i] = (check_random(&random) << 12 & (round % 3 ? ~(uint64_t)0 : 0x3000)) | i;
        memcpy(sorted, a, n * sizeof *a);
        for (size_t i = 1; i < n; i++) { /* by insertion, stable */
            const uint64_t word = sorted[i];
            size_t k = i;
            for (; k > 0 && (sorted[k - 1] & mask) > (word & mask); k--) sorted[k] = sorted[k - 1];
            sorted[k] = word;
        }
        const uint64_t *const result = clump_radix_sort_alone(a, b, n, low, bits);
        CHECK_MSG(memcmp(result, sorted, n * sizeof *a) == 0, "round %d: %zu words, bits %u from %u", round, n, bits,
                  low);
    }
}

CHECK_PROGRAM(test_rows_dbscan)
{
    RUN(sorts_few_words);
    RUN(agrees_with_the_oracle);
    RUN(agrees_with_sequential);
    RUN(options_hold);
    RUN(ties_hold);
    RUN(rows_of_any_length);
    RUN(windows_end_anywhere);
}
