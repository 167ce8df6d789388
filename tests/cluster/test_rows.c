/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rows.c: the sweep for sparse clouds (cpu/rows) and the choice between sweep and cells. Called directly it
 * must agree with the oracle on every cloud that it accepts, sparse or not. Through clump_ec it must agree with bfs on
 * clouds large enough for the choice.
 */
#include "support/check.h"
#include "support/calls.h"
#include "support/clouds.h"
#include "core/context.h"
#include "cpu/ec/ec.h"
#include "cpu/rows/rows.h"
#include "oracle/oracle.h"

#include <clump/sim.h>

#include <math.h>

static clump_cloud_job job_of(const float *xyz, size_t n, float d, const clump_ec_options *options, int32_t *labels)
{
    return (clump_cloud_job){.points = (const char *)xyz,
                             .count = n,
                             .stride = 12,
                             .d = d,
                             .bound = d * d,
                             .two_d = options->common.two_d,
                             .mask = options->common.mask,
                             .labels = labels};
}

static void agrees_with_the_oracle(void)
{
    enum { MOST = 1200 };
    static float xyz[3 * MOST];
    static uint8_t mask[MOST];
    static int32_t labels[MOST], expected[MOST];
    uint64_t random = 77;
    clump_context *const ctx = cpu_context(3);
    clump_buffer wide = {0}, points_of_rows = {0};
    clump_rows rows = {.wide = &wide, .points = &points_of_rows};
    int taken = 0, refused = 0;
    for (int round = 0; round < check_rounds(30); round++) {
        for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
            const size_t n = check_random(&random) % (round % 4 == 0 ? MOST : 200) + 1;
            const float d = cloud_fill((cloud_shape)shape, xyz, n, &random);
            clump_ec_options options = clump_ec_defaults();
            options.common.two_d = round % 3 == 1;
            if (round % 2) cloud_spoil(xyz, n, 9, &random);
            for (size_t i = 0; i < n; i++) mask[i] = check_random(&random) % 4 != 0;
            options.common.mask = round % 5 == 2 ? mask : NULL;
            const clump_cloud_job job = job_of(xyz, n, d, &options, labels);
            clump_stats result = {0};
            bool done = false;
            CHECK_INT(clump_rows_ec(&ctx->work, &rows, &job, round % 3 + 1, &result, &done), CLUMP_OK);
            if (!done) {
                refused++;
                continue;
            }
            taken++;
            const clump_points points = {.xyz = xyz, .count = n};
            const int32_t clusters = oracle_ec(points, d, &options, expected);
            CHECK_MSG(result.clusters == clusters, "%s, %zu points: %d clusters, expected %d",
                      cloud_name((cloud_shape)shape), n, result.clusters, clusters);
            CHECK_MSG(memcmp(labels, expected, n * sizeof *labels) == 0, "%s, %zu points",
                      cloud_name((cloud_shape)shape), n);
            size_t left_out = 0;
            for (size_t i = 0; i < n; i++) left_out += expected[i] == CLUMP_NOISE;
            CHECK_INT(result.noise, left_out);
        }
    }
    CHECK(taken > check_fewer(25, 100) && refused > check_fewer(2, 10)); /* or this test tests nothing */
    clump_rows_release(&ctx->work, &rows);
    clump_buffer_release(&ctx->work, &wide);
    clump_buffer_release(&ctx->work, &points_of_rows);
    clump_context_destroy(ctx);
}

/* Compares the labels of `fast`, with several numbers of threads, with those of `bfs`. */
static void compare(const char *name, clump_points points, float d, const clump_ec_options *given)
{
    int32_t *const expected = malloc(points.count * sizeof *expected), *const labels =
                                                                           malloc(points.count * sizeof *labels);
    clump_ec_options options = *given;
    for (int threads = 1; threads <= 3; threads += 1) {
        clump_context *const ctx = cpu_context(threads);
        options.method = CLUMP_EC_BFS;
        if (threads == 1) CHECK_INT(clump_ec(ctx, points, d, &options, expected, NULL), CLUMP_OK);
        options.method = CLUMP_EC_FAST;
        CHECK_INT(clump_ec(ctx, points, d, &options, labels, NULL), CLUMP_OK);
        CHECK_MSG(memcmp(labels, expected, points.count * sizeof *labels) == 0, "%s, %d threads", name, threads);
        clump_context_destroy(ctx);
    }
    free(expected);
    free(labels);
}

/* With a number of threads, and another key for each. */
static bool looks_sparse_to(clump_points points, float d, const clump_ec_options *options, int threads)
{
    int32_t *const labels = malloc(points.count * sizeof *labels);
    const clump_cloud_job job = job_of(points.xyz, points.count, d, options, labels);
    clump_context *const ctx = cpu_context(threads);
    bool sparse = false;
    CHECK_INT(clump_team_start(ctx->work.team, threads), threads);
    CHECK_INT(clump_is_sparse(&ctx->work, &job, clump_hash_key_make((uint64_t)threads), threads, &sparse), CLUMP_OK);
    clump_context_destroy(ctx);
    free(labels);
    return sparse;
}

static bool looks_sparse(clump_points points, float d, const clump_ec_options *options)
{
    return looks_sparse_to(points, d, options, 1);
}

enum { LARGE = 24000 };
static float large[3 * LARGE];
static uint8_t large_mask[LARGE];

/* Fills a cube with about k neighbours per point at d = 1. */
static void fill_uniform(float *xyz, size_t n, double k, uint64_t *random)
{
    const float side = (float)cbrt((double)n * 4.18879 / k);
    for (size_t i = 0; i < 3 * n; i++) xyz[i] = check_random_float(random) * side - side / 2;
}

static void chooses_by_density(void)
{
    uint64_t random = 5;
    const clump_points points = {.xyz = large, .count = LARGE};
    clump_ec_options options = clump_ec_defaults();
    fill_uniform(large, LARGE, 2, &random);
    CHECK(looks_sparse(points, 1, &options));
    compare("sparse", points, 1, &options);
    fill_uniform(large, LARGE, 40, &random);
    CHECK(!looks_sparse(points, 1, &options));
    compare("crowded", points, 1, &options);
}

static void options_hold_for_sparse_clouds(void)
{
    uint64_t random = 6;
    const clump_points points = {.xyz = large, .count = LARGE};
    fill_uniform(large, LARGE, 3, &random);
    cloud_spoil(large, LARGE, 50, &random);
    for (size_t i = 0; i < LARGE; i++) large_mask[i] = check_random(&random) % 8 != 0;
    clump_ec_options options = clump_ec_defaults();
    options.common.mask = large_mask;
    options.common.min_size = 2;
    options.common.max_size = 40;
    options.common.order = CLUMP_ORDER_SIZE;
    CHECK(looks_sparse(points, 1, &options));
    compare("mask and sizes", points, 1, &options);
    options = clump_ec_defaults();
    options.common.two_d = true;
    for (size_t i = 0; i < 3 * LARGE; i++) large[i] *= 12; /* z does not thin it out any more */
    CHECK(looks_sparse(points, 1, &options));
    compare("2-D", points, 1, &options);
}

/* Ties: a lattice with holes, its spacing exactly d and one float beside it. */
static void ties_hold_for_sparse_clouds(void)
{
    uint64_t random = 7;
    size_t n = 0;
    for (int i = 0; n < LARGE && i < 40 * 40 * 40; i++) {
        if (check_random(&random) % 5 > 1) continue;
        large[3 * n] = (float)(i % 40) / 4, large[3 * n + 1] = (float)(i / 40 % 40) / 4,
                  large[3 * n + 2] = (float)(i / 1600) / 4;
        n++;
    }
    for (size_t i = n - 1; i > 0; i--) { /* in no order */
        const size_t j = check_random(&random) % (i + 1);
        for (int k = 0; k < 3; k++) {
            const float t = large[3 * i + (size_t)k];
            large[3 * i + (size_t)k] = large[3 * j + (size_t)k], large[3 * j + (size_t)k] = t;
        }
    }
    const clump_points points = {.xyz = large, .count = n};
    const clump_ec_options options = clump_ec_defaults();
    CHECK(looks_sparse(points, 0.25f, &options));
    compare("at d", points, 0.25f, &options);
    compare("above d", points, nextafterf(0.25f, 1), &options);
}

/* Sparse at first, but the rest of the points are in one place: must not cost n^2. */
static void is_not_fooled(void)
{
    uint64_t random = 8;
    fill_uniform(large, LARGE / 4, 2, &random);
    for (size_t i = 3 * (LARGE / 4); i < 3 * (size_t)LARGE; i++) large[i] = check_random_float(&random) * 0.3f;
    const clump_points points = {.xyz = large, .count = LARGE};
    clump_ec_options options = clump_ec_defaults();
    CHECK(!looks_sparse(points, 1, &options));
    clump_context *const ctx = cpu_context(1);
    static int32_t labels[LARGE];
    const clump_cloud_job job = job_of(large, LARGE, 1, &options, labels);
    clump_buffer wide = {0}, points_of_rows = {0};
    clump_rows rows = {.wide = &wide, .points = &points_of_rows};
    clump_stats result = {0};
    bool done = true;
    CHECK_INT(clump_rows_ec(&ctx->work, &rows, &job, 1, &result, &done), CLUMP_OK);
    CHECK(!done);
    clump_rows_release(&ctx->work, &rows);
    clump_buffer_release(&ctx->work, &wide);
    clump_buffer_release(&ctx->work, &points_of_rows);
    clump_context_destroy(ctx);
    for (size_t i = 3 * (LARGE / 4 + 500); i < 3 * (size_t)LARGE; i++)
        large[i] += 40 * (float)(i / 3000); /* for bfs's sake */
    compare("crowded later", points, 1, &options);
}

static void far_apart(void)
{
    uint64_t random = 9;
    fill_uniform(large, LARGE, 2, &random);
    large[0] = 1e30f, large[4] = -3e38f, large[8] = 1e9f; /* cells that cannot be numbered */
    const clump_points points = {.xyz = large, .count = LARGE};
    const clump_ec_options options = clump_ec_defaults();
    CHECK(looks_sparse(points, 1, &options));
    compare("outliers", points, 1, &options);
}

/* Whether rows take the cloud, with a number of threads; the labels are left in `labels`. */
static bool swept_by_rows(clump_points points, float d, const clump_ec_options *options, int threads, int32_t *labels)
{
    clump_context *const ctx = cpu_context(threads);
    const clump_cloud_job job = job_of(points.xyz, points.count, d, options, labels);
    clump_cpu_fast fast = {0};
    clump_stats result = {0};
    CHECK_INT(clump_cpu_ec_fast(&ctx->work, &fast, &job, &result), CLUMP_OK);
    clump_cpu_fast_release(&ctx->work, &fast);
    clump_context_destroy(ctx);
    return fast.by_rows;
}

/* Patches far apart: more cells than 32 bits can number, up to the limit of 64 bits. */
static void wide_clouds_are_swept_too(void)
{
    static const float extents[][3] = {{6000, 6000, 600}, {3e6f, 2000, 40}, {40, 3e6f, 2000}, {100000, 90000, 9000}};
    static int32_t labels[LARGE], expected[LARGE];
    uint64_t random = 12;
    const clump_points points = {.xyz = large, .count = LARGE};
    clump_context *const ctx = cpu_context(1);
    for (int turn = 0; turn < 8; turn++) {
        const float *const extent = extents[turn % 4];
        const bool ties = turn >= 4; /* on multiples of d / 4: distances of exactly d */
        float corner[3] = {0};
        for (size_t i = 0; i < LARGE; i++) {
            for (size_t k = 0; k < 3; k++) {
                if (i % 200 == 0) corner[k] = roundf((check_random_float(&random) - 0.5f) * extent[k]);
                const float inside = check_random_float(&random) * 7.5f;
                large[3 * i + k] = corner[k] + (ties ? roundf(4 * inside) / 4 : inside);
            }
        }
        clump_ec_options options = clump_ec_defaults();
        options.common.two_d = turn == 2;
        if (options.common.two_d)
            for (size_t i = 0; i < LARGE; i++) large[3 * i] *= 5;
        options.method = CLUMP_EC_BFS;
        CHECK_INT(clump_ec(ctx, points, 1, &options, expected, NULL), CLUMP_OK);
        for (int threads = 1; threads <= 4; threads++) {
            CHECK_MSG(swept_by_rows(points, 1, &options, threads, labels), "turn %d, %d threads: not by rows", turn,
                      threads);
            CHECK_MSG(memcmp(labels, expected, sizeof labels) == 0, "turn %d, %d threads", turn, threads);
        }
    }
    clump_context_destroy(ctx);
}

/* Which method runs must not depend on the number of threads, nor on the order of the points. */
typedef struct layout {
    const char *name;
    clump_layout layout;
    double degree;
    bool sparse;
} layout;

static void shuffle(float *xyz, size_t n, uint64_t *random)
{
    for (size_t i = n - 1; i > 0; i--) {
        const size_t j = check_random(random) % (i + 1);
        for (size_t k = 0; k < 3; k++) {
            const float t = xyz[3 * i + k];
            xyz[3 * i + k] = xyz[3 * j + k], xyz[3 * j + k] = t;
        }
    }
}

/* One decision, the expected one, for 1 to 16 threads. */
static void same_for_all_threads(const char *name, clump_points points, float d, bool sparse)
{
    const clump_ec_options options = clump_ec_defaults();
    for (int threads = 1; threads <= 16; threads++)
        CHECK_MSG(looks_sparse_to(points, d, &options, threads) == sparse, "%s, %zu points, %d threads: %s", name,
                  points.count, threads, sparse ? "crowded" : "sparse");
}

static void decides_alike_with_all_threads(void)
{
    enum { POINTS = 131072 };
    static const layout layouts[] = {
        {"blob 2", CLUMP_LAYOUT_BLOB, 2, true},      {"blob 8", CLUMP_LAYOUT_BLOB, 8, true},
        {"blob 16", CLUMP_LAYOUT_BLOB, 16, false},   {"blob 32", CLUMP_LAYOUT_BLOB, 32, false},
        {"line 2", CLUMP_LAYOUT_LINE, 2, true},      {"line 32", CLUMP_LAYOUT_LINE, 32, false},
        {"joints 2", CLUMP_LAYOUT_JOINTS, 2, false}, {"joints 32", CLUMP_LAYOUT_JOINTS, 32, false},
    };
    uint64_t random = 10;
    float *const xyz = malloc(3 * POINTS * sizeof *xyz);
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
        clump_factors f = clump_factors_defaults();
        f.layout = layouts[k].layout, f.degree = layouts[k].degree, f.points = POINTS;
        CHECK_INT(clump_sim_factors(&f, xyz, NULL, NULL), CLUMP_OK);
        const clump_points points = {.xyz = xyz, .count = POINTS};
        same_for_all_threads(layouts[k].name, points, 1, layouts[k].sparse);
        shuffle(xyz, POINTS, &random);
        same_for_all_threads(layouts[k].name, points, 1, layouts[k].sparse);
    }
    free(xyz);
}

/* A scan in the order of the sensor: neighbours follow each other. */
static void decides_alike_on_a_scan(void)
{
    enum { MOST = 140000 };
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    char name[1100];
    snprintf(name, sizeof name, "%s/kitti/semkitti_00_000000.bin", folder);
    FILE *const file = fopen(name, "rb");
    if (!file) SKIP("%s is not there: " DO_DATA, name);
    float *const xyzi = malloc(4 * (size_t)MOST * sizeof *xyzi), *const xyz = malloc(3 * (size_t)MOST * sizeof *xyz);
    const size_t n = fread(xyzi, 4 * sizeof *xyzi, MOST, file);
    fclose(file);
    CHECK(n > 100000);
    for (size_t i = 0; i < n; i++) memcpy(xyz + 3 * i, xyzi + 4 * i, 3 * sizeof *xyz);
    const clump_points points = {.xyz = xyz, .count = n};
    uint64_t random = 11;
    for (int turn = 0; turn < 2; turn++) {
        same_for_all_threads("scan, d 0.05", points, 0.05f, true);
        same_for_all_threads("scan, d 0.1", points, 0.1f, true);
        same_for_all_threads("scan, d 0.2", points, 0.2f, false);
        same_for_all_threads("scan, d 0.5", points, 0.5f, false);
        shuffle(xyz, n, &random);
    }
    free(xyzi);
    free(xyz);
}

CHECK_PROGRAM(test_rows)
{
    RUN(agrees_with_the_oracle);
    RUN(chooses_by_density);
    RUN(options_hold_for_sparse_clouds);
    RUN(ties_hold_for_sparse_clouds);
    RUN(is_not_fooled);
    RUN(far_apart);
    RUN(wide_clouds_are_swept_too);
    RUN(decides_alike_with_all_threads);
    RUN(decides_alike_on_a_scan);
}
