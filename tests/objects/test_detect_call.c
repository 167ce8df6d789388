/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_detect_call.c: clump_detect as a call: refusals and their messages, unusual scans and capacities.
 */
#include "support/papers.h"
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/context.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 20000, BOXES = 2000 };

static float xyz[3 * MOST], values[MOST], hull[2 * MOST];
static int32_t labels[MOST], again[MOST], offsets[BOXES + 1];
static uint8_t mask[MOST];
static clump_cluster boxes[BOXES], others[BOXES];

/* Flat ground, 1.7 below the sensor, and boxes of 1 m on it, 5 m apart. */
static clump_points street(size_t count)
{
    uint64_t random = 17;
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        p[0] = 40 * (check_random_float(&random) - 0.5f);
        p[1] = 40 * (check_random_float(&random) - 0.5f);
        p[2] = -1.7f + 0.03f * check_random_float(&random);
        if (i % 3) continue;
        p[0] = 5 * floorf(p[0] / 5) + check_random_float(&random);
        p[1] = 5 * floorf(p[1] / 5) + check_random_float(&random);
        p[2] += 0.4f + check_random_float(&random);
    }
    return (clump_points){.xyz = xyz, .count = count};
}

/* ----- arguments ---------------------------------------------------------------------------------- */

#define REFUSED_WITH(status, change, words)                                                                            \
    do {                                                                                                               \
        clump_detect_options o = clump_detect_defaults();                                                              \
        change;                                                                                                        \
        expect_failure(ctx, clump_detect(ctx, points, &o, labels, boxes, BOXES, NULL), status, words);                 \
    } while (0)
#define REFUSED(change, words) REFUSED_WITH(CLUMP_ERR_ARGUMENT, change, words)

static void wrong_numbers(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(100);
    REFUSED(o.method = (clump_detect_method)9, "clump_detect: there is no method number 9");
    REFUSED(o.d = 0, "clump_detect: the distance is 0");
    REFUSED((o.method = CLUMP_DETECT_DBSCAN, o.d = -1), "clump_detect: the radius eps is -1");
    REFUSED((o.method = CLUMP_DETECT_DBSCAN, o.min_points = 0), "clump_detect: min_points is 0");
    REFUSED(o.thin = -1, "clump_detect: thin is -1, it must be 0 or more");
    REFUSED(o.thin = NAN, "clump_detect: thin is");
    REFUSED(o.thin = INFINITY, "clump_detect: thin is inf");
    REFUSED(o.thin = 1e-40f, "it must be 0 or at least 1.17549e-38");
    REFUSED((o.region.lower[0] = 1, o.region.upper[0] = 0),
            "region.lower[0] is 1, larger than region.upper[0], which is 0");
    REFUSED(o.region.lower[2] = NAN, "region.lower[2] is not a number");
    REFUSED(o.region.upper[1] = NAN, "region.upper[1] is not a number");
    REFUSED(o.region.min_range = NAN, "region.min_range is not a number");
    REFUSED(o.region.max_range = NAN, "region.max_range is not a number");
    REFUSED((o.region.min_range = 5, o.region.max_range = 4),
            "region.min_range is 5, larger than region.max_range, which is 4");
    REFUSED((o.common.min_size = 3, o.common.max_size = 2), "clump_detect: min_size 3 is larger than max_size 2");
    REFUSED(o.ec.method = (clump_ec_method)77, "clump_detect: there is no method number 77");
    REFUSED_WITH(CLUMP_ERR_UNSUPPORTED, (o.common.eps_per_metre = 1, o.ec.method = CLUMP_EC_BFS),
                 "bfs does not have it");
    REFUSED(o.ground.method = (clump_ground_method)5, "clump_detect: there is no ground method number 5");
    REFUSED((o.ground.up = CLUMP_UP_Y, o.common.two_d = true), "two_d ignores z");
    REFUSED((o.method = CLUMP_DETECT_ERCCL, o.erccl.cell = 0), "clump_detect: the cell size is 0");
    REFUSED((o.method = CLUMP_DETECT_ERCCL, o.erccl.reach = 0), "clump_detect: the reach is 0");
    REFUSED((o.method = CLUMP_DETECT_ERCCL, o.erccl.extent = 1e9f),
            "clump_detect: cells of 0.05 in an extent of 1e+09");
    REFUSED(o.ec.common.min_size = 3, "clump_detect: ec.common is not used here, set `common`");
    REFUSED(o.dbscan.common.two_d = true, "clump_detect: dbscan.common is not used here, set `common`");
    REFUSED(o.erccl.common.sensor[1] = 1, "clump_detect: erccl.common is not used here, set `common`");
    REFUSED(o.objects.common.order = CLUMP_ORDER_SIZE, "clump_detect: objects.common is not used here, set `common`");
    REFUSED((o.method = CLUMP_DETECT_OBJECTS, o.common.eps_per_metre = 0.01f), "in objects.common.eps_per_metre");
    REFUSED((o.method = CLUMP_DETECT_OBJECTS, o.common.two_d = true), "two_d is for ec and dbscan");
    REFUSED((o.method = CLUMP_DETECT_ERCCL, o.common.eps_per_metre = 1),
            "clump_detect: eps_per_metre is for ec, dbscan and objects");
    REFUSED_WITH(CLUMP_ERR_UNSUPPORTED, (o.method = CLUMP_DETECT_ERCCL, PAPERS(o)->all_heights = true),
                 "clump_detect does not have all_heights");
    REFUSED_WITH(CLUMP_ERR_UNSUPPORTED, PAPERS(o)->dclust_seeds = 8, "clump_detect: dclust_seeds is for clump_dbscan");
    REFUSED_WITH(CLUMP_ERR_OPTIONS, PAPERS(o)->cookie = 0, "were not made by clump_papers_defaults()");
    REFUSED(o.describe.values_stride = 5, "clump_detect: values_stride is 5");
    REFUSED(o.describe.hull = hull, "hull_offsets is null");
    REFUSED(o.describe.clusters_place = (clump_place)6, "place number 6");
    CHECK_INT(clump_detect(ctx, points, NULL, labels, boxes, BOXES, NULL), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

/* Options that clump_detect does not use may have any value. */
static void unused_options(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(3000);
    int32_t n, other;
    CHECK_INT(clump_detect(ctx, points, NULL, labels, boxes, BOXES, &n), CLUMP_OK);
    clump_detect_options o = clump_detect_defaults();
    uint8_t none[4] = {0};
    o.ground.mask = none;
    o.ground.sensor[1] = o.describe.sensor[2] = NAN;
    o.ground.heights = (float *)(void *)none;
    o.describe.heights = (const float *)(const void *)none;
    o.describe.up = (clump_up)9;
    o.dbscan.core = none;
    o.erccl.ground.cookie = 0;
    o.erccl.maps.obstacle = none;
    for (int method = 0; method < 3; method++) {
        o.method = (clump_detect_method)method;
        CHECK_INT(clump_detect(ctx, points, &o, again, others, BOXES, &other), CLUMP_OK);
        CHECK_TEXT(clump_context_error(ctx), "");
        if (method != 0) continue;
        CHECK_INT(other, n);
        CHECK(memcmp(labels, again, points.count * sizeof *labels) == 0);
        CHECK(memcmp(boxes, others, (size_t)n * sizeof *boxes) == 0);
    }
    CHECK_INT(none[0] + none[1] + none[2] + none[3], 0);
    clump_context_destroy(ctx);
}

static void wrong_options(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(100);
    CHECK_INT(clump_detect(NULL, points, NULL, labels, boxes, BOXES, NULL), CLUMP_ERR_ARGUMENT);
    REFUSED_WITH(CLUMP_ERR_OPTIONS, o.ec.cookie = 0, "the ec options were not made by clump_ec_defaults()");
    REFUSED_WITH(CLUMP_ERR_OPTIONS, o.dbscan.cookie = 0, "the dbscan options");
    REFUSED_WITH(CLUMP_ERR_OPTIONS, o.erccl.cookie = 0, "the erccl options");
    clump_context_destroy(ctx);
}

static void wrong_memory(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(100);
    int32_t n;
    expect_failure(ctx, clump_detect(ctx, points, NULL, labels, boxes, -1, &n), CLUMP_ERR_ARGUMENT,
                   "clump_detect: capacity is -1, it must be 0 or more");
    expect_failure(ctx, clump_detect(ctx, points, NULL, labels, NULL, 1, &n), CLUMP_ERR_ARGUMENT,
                   "clump_detect: clusters is null but capacity is 1");
    expect_failure(ctx, clump_detect(ctx, points, NULL, (int32_t *)(void *)xyz, boxes, BOXES, &n), CLUMP_ERR_ARGUMENT,
                   "labels and points.xyz overlap");
    expect_failure(ctx, clump_detect(ctx, points, NULL, (int32_t *)(void *)boxes, boxes, BOXES, &n), CLUMP_ERR_ARGUMENT,
                   "clusters and labels overlap");
    expect_failure(ctx, clump_detect(ctx, points, NULL, (int32_t *)(void *)((char *)labels + 1), boxes, BOXES, &n),
                   CLUMP_ERR_ARGUMENT, "labels is not aligned");
    expect_failure(ctx, clump_detect(ctx, points, NULL, labels, (clump_cluster *)(void *)((char *)boxes + 2), 1, &n),
                   CLUMP_ERR_ARGUMENT, "clusters is not aligned");
    REFUSED(o.common.mask = (const uint8_t *)labels, "labels and mask overlap");
    REFUSED(o.describe.values = (const float *)(const void *)((const char *)values + 1),
            "describe.values is not aligned");
    REFUSED(o.describe.values = (const float *)(const void *)labels, "labels and describe.values overlap");
    REFUSED(
        (o.describe.hull = (float *)(void *)labels, o.describe.hull_capacity = 5, o.describe.hull_offsets = offsets),
        "describe.hull and labels overlap");
    REFUSED((o.describe.hull = hull, o.describe.hull_capacity = 5, o.describe.hull_offsets = labels),
            "describe.hull_offsets and labels overlap");
    REFUSED_WITH(CLUMP_ERR_MEMORY_KIND, o.describe.clusters_place = CLUMP_PLACE_DEVICE, "host memory");
    int32_t on_device;
    REFUSED_WITH(CLUMP_ERR_MEMORY_KIND, o.common.clusters_on_device = &on_device, "clusters_on_device");
    clump_context_destroy(ctx);
}

static void other_backend(void)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA;
    clump_context *ctx;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    clump_detect_options o = clump_detect_defaults();
    o.ec.method = CLUMP_EC_BFS; /* which CUDA does not have */
    const clump_status status = clump_detect(ctx, street(100), &o, labels, boxes, BOXES, NULL);
    CHECK(status == CLUMP_ERR_UNSUPPORTED || status == CLUMP_ERR_NO_DEVICE);
    CHECK(strstr(clump_context_error(ctx), "--device cpu"));
    clump_context_destroy(ctx);
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    CHECK_INT(clump_detect(ctx, street(MOST), &o, labels, boxes, BOXES, NULL), CLUMP_OK);
    const clump_stats stats = clump_context_stats(ctx);
    CHECK_INT(stats.backend, CLUMP_BACKEND_CPU);
    CHECK_TEXT(stats.method, "bfs");
    clump_context_destroy(ctx);
}

/* ----- unusual scans ------------------------------------------------------------------------------ */

static void no_points(void)
{
    clump_context *const ctx = cpu_context(2);
    for (int turn = 0; turn < 18; turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.method = (clump_detect_method)(turn % 3);
        o.ground.method = (clump_ground_method)(turn / 3 % 3);
        if (turn >= 9) o.thin = 0.1f, o.region.max_range = 10;
        int32_t n = -1;
        CHECK_INT(clump_detect(ctx, (clump_points){0}, &o, NULL, NULL, 0, &n), CLUMP_OK);
        CHECK_INT(n, 0);
        CHECK_INT(clump_detect(ctx, (clump_points){0}, &o, labels, boxes, BOXES, NULL), CLUMP_OK);
        CHECK_INT(clump_context_stats(ctx).points, 0);
        CHECK_INT(clump_context_stats(ctx).noise, 0);
    }
    clump_context_destroy(ctx);
}

static void one_point(void)
{
    clump_context *const ctx = cpu_context(2);
    for (int turn = 0; turn < 12; turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.ground.method = turn % 2 ? CLUMP_GROUND_NONE : CLUMP_GROUND_GRID;
        o.common.min_size = 1;
        o.thin = turn / 2 % 2 ? 0.5f : 0;
        const float far = turn / 4 == 2   ? 1e30f
                          : turn / 4 == 1 ? 500
                                          : 3; /* outside the map of the ground: no ground */
        const float p[3] = {far, 2, -1};
        int32_t n = -1;
        CHECK_INT(clump_detect(ctx, (clump_points){.xyz = p, .count = 1}, &o, labels, boxes, 1, &n), CLUMP_OK);
        const bool ground = turn % 2 == 0 && turn < 4;
        CHECK_INT(n, ground ? 0 : 1);
        CHECK_INT(labels[0], ground ? CLUMP_GROUND : 0);
        if (ground) continue;
        CHECK(boxes[0].count == 1 && boxes[0].centroid[0] == far && boxes[0].upper[2] == -1);
        CHECK(isnan(boxes[0].height));
    }
    clump_context_destroy(ctx);
}

static void all_left_out(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(5000);
    for (int turn = 0; turn < 12; turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.thin = turn % 2 ? 0.2f : 0;
        o.method = (clump_detect_method)(turn / 2 % 3);
        if (turn < 6) memset(mask, 0, sizeof mask), o.common.mask = mask;
        if (turn >= 6) o.region.lower[0] = 1e6f;
        int32_t n = -1;
        CHECK_INT(clump_detect(ctx, points, &o, labels, boxes, BOXES, &n), CLUMP_OK);
        const clump_stats stats = clump_context_stats(ctx);
        CHECK(n == 0 && stats.masked == 5000 && stats.noise == 5000 && stats.finite == 5000 && stats.ground == 0);
        for (size_t i = 0; i < 5000; i++) CHECK(labels[i] == CLUMP_NOISE);
    }
    clump_context_destroy(ctx);
}

static void nothing_finite(void)
{
    clump_context *const ctx = cpu_context(1);
    for (size_t i = 0; i < 3 * 1000; i++) xyz[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? -INFINITY : 1;
    for (int turn = 0; turn < 9; turn++) {
        clump_detect_options o = clump_detect_defaults();
        o.method = (clump_detect_method)(turn % 3);
        o.ground.method = (clump_ground_method)(turn / 3);
        o.thin = turn % 2 ? 1.0f : 0.0f;
        o.region.max_range = turn % 4 ? 5 : INFINITY;
        int32_t n = -1;
        CHECK_INT(clump_detect(ctx, (clump_points){.xyz = xyz, .count = 1000}, &o, labels, boxes, BOXES, &n), CLUMP_OK);
        const clump_stats stats = clump_context_stats(ctx);
        CHECK(n == 0 && stats.noise == 1000 && stats.finite == 0 && stats.masked == 0 && stats.ground == 0);
    }
    clump_context_destroy(ctx);
}

/* A plane is all ground; two planes far above each other are none by the level of the peak. */
static void all_ground(void)
{
    clump_context *const ctx = cpu_context(2);
    const clump_points points = street(MOST);
    for (size_t i = 0; i < MOST; i++) xyz[3 * i + 2] = -1.7f;
    for (int method = 0; method < 2; method++) {
        clump_detect_options o = clump_detect_defaults();
        o.ground.method = (clump_ground_method)method;
        int32_t n = -1;
        CHECK_INT(clump_detect(ctx, points, &o, labels, boxes, BOXES, &n), CLUMP_OK);
        const clump_stats stats = clump_context_stats(ctx);
        CHECK(n == 0 && stats.ground == MOST && stats.noise == 0);
        CHECK(isnan(stats.ground_level) == (method == CLUMP_GROUND_GRID));
    }
    for (size_t i = 0; i < MOST; i++) xyz[3 * i + 2] = 3000; /* too high for a map */
    int32_t n = -1;
    clump_detect_options o = clump_detect_defaults();
    CHECK_INT(clump_detect(ctx, points, &o, labels, boxes, BOXES, &n), CLUMP_OK);
    CHECK(n > 0 && clump_context_stats(ctx).ground == 0 && isnan(boxes[0].height));
    clump_context_destroy(ctx);
}

/* ----- outputs ------------------------------------------------------------------------------------ */

/* Every capacity gives the true number and the first boxes, and labels make no difference. */
static void capacities(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(8000);
    int32_t n = -1, all;
    CHECK_INT(clump_detect(ctx, points, NULL, labels, boxes, BOXES, &all), CLUMP_OK);
    CHECK(all > 20 && all < BOXES);
    for (int32_t capacity = 0; capacity <= all + 1; capacity++) {
        memset(others, 0x33, sizeof others);
        const bool with = capacity % 2;
        memset(again, 0x33, sizeof again);
        CHECK_INT(clump_detect(ctx, points, NULL, with ? again : NULL, capacity ? others : NULL, capacity, &n),
                  CLUMP_OK);
        CHECK_INT(n, all);
        CHECK_INT(clump_context_stats(ctx).clusters, all);
        const size_t known = (size_t)(capacity < all ? capacity : all);
        CHECK(memcmp(boxes, others, known * sizeof *boxes) == 0);
        for (size_t k = known * sizeof *boxes; k < sizeof others; k++)
            if (((const uint8_t *)others)[k] != 0x33) {
                CHECK_FAIL("capacity %d: byte %zu was written", capacity, k);
                break;
            }
        if (with) CHECK(memcmp(labels, again, points.count * sizeof *labels) == 0);
        if (!with) CHECK_INT(again[0], 0x33333333);
    }
    clump_context_destroy(ctx);
}

static void hulls_and_values(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street(8000);
    for (size_t i = 0; i < MOST; i++) values[i] = (float)(i % 100);
    clump_detect_options o = clump_detect_defaults();
    o.describe.values = values;
    o.describe.hull = hull;
    o.describe.hull_capacity = MOST;
    o.describe.hull_offsets = offsets;
    o.describe.axes = true;
    int32_t n = -1;
    CHECK_INT(clump_detect(ctx, points, &o, labels, boxes, BOXES, &n), CLUMP_OK);
    static float hull_there[2 * MOST];
    static int32_t offsets_there[BOXES + 1];
    static float heights[MOST];
    clump_ground_options g = clump_ground_defaults();
    g.heights = heights;
    CHECK_INT(clump_ground(ctx, points, &g, again, NULL), CLUMP_OK);
    clump_describe_options d = o.describe;
    d.heights = heights;
    d.hull = hull_there;
    d.hull_offsets = offsets_there;
    CHECK_INT(clump_describe(ctx, points, labels, n, &d, others), CLUMP_OK);
    CHECK(memcmp(boxes, others, (size_t)n * sizeof *boxes) == 0);
    CHECK(memcmp(offsets, offsets_there, ((size_t)n + 1) * sizeof *offsets) == 0);
    CHECK(offsets[n] > 4 * n && memcmp(hull, hull_there, 2 * (size_t)offsets[n] * sizeof *hull) == 0);
    for (int32_t c = 0; c < n; c++) CHECK(boxes[c].intensity > 0 && boxes[c].height > 0.3f && boxes[c].height < 1.6f);
    static const int32_t few[] = {0, 3};
    for (int k = 0; k < 2; k++) { /* hulls of the boxes there is room for, and one offset more */
        memset(hull, 0x33, sizeof hull);
        memset(offsets, 0x33, sizeof offsets);
        const int32_t corners = offsets_there[few[k]];
        int32_t all = -1;
        CHECK_INT(clump_detect(ctx, points, &o, NULL, few[k] ? others : NULL, few[k], &all), CLUMP_OK);
        CHECK_INT(all, n);
        CHECK(memcmp(offsets, offsets_there, ((size_t)few[k] + 1) * sizeof *offsets) == 0);
        CHECK(memcmp(hull, hull_there, 2 * (size_t)corners * sizeof *hull) == 0);
        CHECK_INT(offsets[few[k] + 1], 0x33333333);
        CHECK(memcmp(&hull[2 * corners], &offsets[few[k] + 1], sizeof *hull) == 0); /* not written */
    }
    o.describe.hull = NULL; /* offsets alone */
    for (int k = 0; k < 2; k++) {
        memset(offsets, 0x33, sizeof offsets);
        CHECK_INT(clump_detect(ctx, points, &o, NULL, few[k] ? others : NULL, few[k], NULL), CLUMP_OK);
        CHECK(memcmp(offsets, offsets_there, ((size_t)few[k] + 1) * sizeof *offsets) == 0);
        CHECK_INT(offsets[few[k] + 1], 0x33333333);
    }
    clump_context_destroy(ctx);
}

/* Thinning: all points of a voxel have the label of the first; sizes count all points. */
static void thinning_carries_labels(void)
{
    clump_context *const ctx = cpu_context(1);
    for (size_t i = 0; i < 400; i++) { /* two heaps of 200 in one voxel each */
        xyz[3 * i] = i % 2 ? 0.5f : 7.5f, xyz[3 * i + 1] = 0.001f * (float)i, xyz[3 * i + 2] = 0.5f;
    }
    clump_detect_options o = clump_detect_defaults();
    o.ground.method = CLUMP_GROUND_NONE;
    o.thin = 1;
    o.common.min_size = 200;
    int32_t n = -1;
    const clump_points points = {.xyz = xyz, .count = 400};
    CHECK_INT(clump_detect(ctx, points, &o, labels, boxes, BOXES, &n), CLUMP_OK);
    CHECK_INT(n, 2);
    CHECK_INT(clump_context_stats(ctx).thinned, 398);
    CHECK(boxes[0].count == 200 && boxes[1].count == 200 && labels[0] == 0 && labels[1] == 1 && labels[399] == 1);
    o.common.min_size = 201;
    CHECK_INT(clump_detect(ctx, points, &o, labels, boxes, BOXES, &n), CLUMP_OK);
    CHECK(n == 0 && clump_context_stats(ctx).noise == 400);
    o.method = CLUMP_DETECT_DBSCAN; /* min_points counts representatives */
    CHECK_INT(clump_detect(ctx, points, &o, labels, boxes, BOXES, &n), CLUMP_OK);
    CHECK(n == 0 && labels[0] == CLUMP_NOISE);
    clump_context_destroy(ctx);
}

/* -0 and 0 are in one voxel, as are points whose quotients are infinite. */
static void voxels_at_the_edge(void)
{
    clump_context *const ctx = cpu_context(1);
    static const float edge[] = {-0.0f, 0, 0, 0, 0, 0, 0.9f, 0, 0, -0.1f, 0, 0, 3e38f, 0, 0, 2e38f, 0, 0};
    clump_detect_options o = clump_detect_defaults();
    o.ground.method = CLUMP_GROUND_NONE;
    o.thin = 1;
    o.common.min_size = 1;
    o.d = 1e-3f;
    int32_t n = -1;
    CHECK_INT(clump_detect(ctx, (clump_points){.xyz = edge, .count = 6}, &o, labels, NULL, 0, &n), CLUMP_OK);
    CHECK(n == 4 && labels[0] == 0 && labels[1] == 0 && labels[2] == 0 && labels[3] == 1);
    CHECK(labels[4] == 2 && labels[5] == 3 && clump_context_stats(ctx).thinned == 2);
    o.thin = 0.1f; /* 3e38 / 0.1 is infinite */
    CHECK_INT(clump_detect(ctx, (clump_points){.xyz = edge, .count = 6}, &o, labels, NULL, 0, &n), CLUMP_OK);
    CHECK(labels[4] == labels[5] && labels[2] != labels[0]);
    clump_context_destroy(ctx);
}

/* Stage times are there, and their sum is not more than the call. */
static void stages(void)
{
    clump_context *const ctx = cpu_context(2);
    const clump_points points = street(MOST);
    CHECK_INT(clump_detect(ctx, points, NULL, labels, boxes, BOXES, NULL), CLUMP_OK);
    clump_stats stats = clump_context_stats(ctx);
    CHECK(stats.ground_ms > 0 && stats.describe_ms > 0 && stats.build_ms > 0 && stats.threads == 2);
    CHECK_TEXT(stats.method, "fast");
    clump_detect_options o = clump_detect_defaults();
    o.ground.method = CLUMP_GROUND_NONE;
    CHECK_INT(clump_detect(ctx, points, &o, labels, NULL, 0, NULL), CLUMP_OK);
    stats = clump_context_stats(ctx);
    CHECK(stats.describe_ms == 0 && stats.ground == 0 && stats.thinned == 0);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_detect_call)
{
    RUN(wrong_numbers);
    RUN(unused_options);
    RUN(wrong_options);
    RUN(wrong_memory);
    RUN(other_backend);
    RUN(no_points);
    RUN(one_point);
    RUN(all_left_out);
    RUN(nothing_finite);
    RUN(all_ground);
    RUN(capacities);
    RUN(hulls_and_values);
    RUN(thinning_carries_labels);
    RUN(voxels_at_the_edge);
    RUN(stages);
}
