/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_context.c: statuses, messages, statistics, log and devices of the public calls, for good and for bad arguments.
 * Memory is tested in test_memory.c.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "common/team.h"
#include "core/context.h"
#include "oracle/oracle.h"

#include <clump/info.h>
#include <clump/index.h>

#include <float.h>
#include <math.h>
#include <sched.h>

enum { COUNT = 500 };
static float cloud[3 * COUNT];
static int32_t labels[COUNT];
static const clump_points points = {.xyz = cloud, .count = COUNT};

static void versions_and_texts(void)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", CLUMP_VERSION_MAJOR, CLUMP_VERSION_MINOR, CLUMP_VERSION_PATCH);
    CHECK_TEXT(clump_version(), expected);

    /* pinned: programs are compiled against these numbers */
    CHECK(CLUMP_OK == 0 && CLUMP_ERR_INTERNAL == 1 && CLUMP_ERR_CANCELLED == 2 && CLUMP_ERR_ARGUMENT == 10 &&
          CLUMP_ERR_OPTIONS == 11);
    CHECK(CLUMP_ERR_MEMORY_KIND == 12 && CLUMP_ERR_TOO_MANY == 13 && CLUMP_ERR_OUT_OF_MEMORY == 20);
    CHECK(CLUMP_ERR_NO_DEVICE == 30 && CLUMP_ERR_UNSUPPORTED == 31 && CLUMP_ERR_DEVICE == 32);
    CHECK(CLUMP_ERR_IO_OPEN == 40 && CLUMP_ERR_IO_READ == 41 && CLUMP_ERR_IO_WRITE == 42);
    CHECK(CLUMP_ERR_IO_FORMAT == 43 && CLUMP_ERR_IO_TRUNCATED == 44 && CLUMP_ERR_IO_UNSUPPORTED == 45);

    int known = 0;
    for (int value = -5; value < 300; value++) {
        const char *const text = clump_status_text((clump_status)value);
        CHECK(text && text[0] != '\0');
        known += strcmp(text, clump_status_text((clump_status)299)) != 0;
    }
    CHECK_INT(known, 17);
    CHECK(clump_status_text(CLUMP_STATUS_MAX)[0] != '\0');
#define CHECK_STATUS_TEXT(name, value, text) CHECK_TEXT(clump_status_text(name), text);
    CLUMP_STATUS_LIST(CHECK_STATUS_TEXT)
#undef CHECK_STATUS_TEXT
}

static void contexts_refuse(void)
{
    clump_context *ctx = (clump_context *)(void *)cloud;
    CHECK_INT(clump_context_create(NULL, NULL), CLUMP_ERR_ARGUMENT);
    clump_context_options options;
    memset(&options, 0, sizeof options);
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_ERR_OPTIONS);
    CHECK(ctx == NULL);
    memset(&options, 0xa5, sizeof options);
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_ERR_OPTIONS);

    options = clump_context_defaults(), options.threads = -1;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_ERR_ARGUMENT);
    options = clump_context_defaults(), options.device = -1;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_ERR_ARGUMENT);
    options = clump_context_defaults(), options.backend = (clump_backend)3;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_ERR_ARGUMENT);
    options = clump_context_defaults(), options.worker_core_count = 2; /* without worker_cores */
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_ERR_ARGUMENT);
    options = clump_context_defaults();
    void *(*const allocate)(size_t, size_t, void *) =
        (void *(*)(size_t, size_t, void *))(void (*)(void))contexts_refuse;
    options.allocator.allocate = allocate; /* never called: without release it is refused */
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_ERR_ARGUMENT);
    CHECK(ctx == NULL);
}

static void *no_memory(size_t size, size_t alignment, void *user)
{
    (void)size, (void)alignment, (void)user;
    return NULL;
}

static void never_called(void *memory, size_t size, void *user)
{
    (void)memory, (void)size, (void)user;
    CHECK(false);
}

/* The message of a context that cannot be created. */
static void contexts_say_why(void)
{
    clump_message message;
    clump_context *ctx;
    static const int cores[] = {0, -3}, far[] = {100000};
    for (int k = 0; k < 12; k++) {
        static const char *const words[] = {"threads is -1",           "device is -2",
                                            "no backend number 7",     "allocate but not release",
                                            "could not be allocated",  "out is null",
                                            "worker_nice is 40",       "worker_nice is -40",
                                            "worker_cores[1] is -3",   "worker_cores[0] is 100000",
                                            "worker_core_count is -1", "worker_cores is null"};
        clump_context_options options = clump_context_defaults();
        options.message = &message;
        if (k == 0) options.threads = -1;
        if (k == 1) options.device = -2;
        if (k == 2) options.backend = (clump_backend)7;
        if (k >= 3 && k <= 5) options.allocator.allocate = no_memory;
        if (k >= 4 && k <= 5) options.allocator.release = never_called;
        if (k == 6) options.worker_nice = 40;
        if (k == 7) options.worker_nice = -40;
        if (k == 8) options.worker_cores = cores, options.worker_core_count = 2;
        if (k == 9) options.worker_cores = far, options.worker_core_count = 1;
        if (k == 10) options.worker_core_count = -1;
        if (k == 11) options.worker_core_count = 1;
        memset(&message, 'x', sizeof message);
        CHECK(clump_context_create(&options, k == 5 ? NULL : &ctx) != CLUMP_OK);
        CHECK(memchr(message.text, '\0', sizeof message.text));
        CHECK_MSG(strncmp(message.text, "clump_context_create: ", 22) == 0 && strstr(message.text, words[k]),
                  "\"%s\" does not say \"%s\"", message.text, words[k]);
        CHECK(!strchr(message.text, '\n'));
    }
    clump_context_options options = clump_context_defaults();
    options.message = &message;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    clump_context_destroy(ctx);
}

static void null_is_handled(void)
{
    clump_context_destroy(NULL);
    clump_context_trim(NULL);
    CHECK(clump_context_error(NULL)[0] != '\0');
    const clump_stats stats = clump_context_stats(NULL);
    CHECK(stats.points == 0 && stats.method == NULL);
    CHECK_INT(clump_context_reserve(NULL, 10), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_ec(NULL, points, 1, NULL, labels, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_describe(NULL, points, labels, 0, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_group(NULL, labels, 0, CLUMP_PLACE_HOST, 0, labels, NULL), CLUMP_ERR_ARGUMENT);

    clump_context *ctx = cpu_context(0);
    int32_t clusters = -1;
    CHECK_INT(clump_ec(ctx, (clump_points){0}, 1, NULL, NULL, &clusters), CLUMP_OK); /* zeroed: an empty cloud */
    CHECK_INT(clusters, 0);
    CHECK_INT(clump_ec(ctx, (clump_points){0}, 1, NULL, NULL, NULL), CLUMP_OK);
    clump_ec_options o = clump_ec_defaults();
    o.method = CLUMP_EC_BFS, o.common.order = CLUMP_ORDER_SIZE, o.common.min_size = 3;
    CHECK_INT(clump_ec(ctx, (clump_points){0}, 1, &o, NULL, &clusters), CLUMP_OK);
    CHECK_INT(clusters, 0);
    clump_context_destroy(ctx);
}

static void wrong_arguments(void)
{
    clump_context *ctx = cpu_context(0);
    const clump_points p = points;
    clump_points q = p;
    clump_ec_options o = clump_ec_defaults();
    int32_t n = 5;

    const float bad[] = {0,      -0.0f,           -1,      NAN,   INFINITY, -INFINITY, FLT_TRUE_MIN, FLT_MIN,
                         1e-20f, 0x1.fffffep-64f, 0x1p64f, 1e20f, FLT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_failure(ctx, clump_ec(ctx, p, bad[i], NULL, labels, &n), CLUMP_ERR_ARGUMENT, "distance");
        expect_failure(ctx, clump_ec(ctx, (clump_points){0}, bad[i], NULL, NULL, NULL), CLUMP_ERR_ARGUMENT, "distance");
    }
    CHECK_INT(clump_ec(ctx, p, 0x1p-63f, NULL, labels, &n), CLUMP_OK); /* the ends are allowed */
    CHECK_INT(clump_ec(ctx, p, 0x1.fffffep63f, NULL, labels, &n), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");

    q.xyz = NULL;
    expect_failure(ctx, clump_ec(ctx, q, 1, NULL, labels, &n), CLUMP_ERR_ARGUMENT, "xyz");
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, NULL, &n), CLUMP_ERR_ARGUMENT, "labels");
    q = p, q.xyz = (const float *)(const void *)((const char *)cloud + 2), q.count = 3;
    expect_failure(ctx, clump_ec(ctx, q, 1, NULL, labels, &n), CLUMP_ERR_ARGUMENT, "aligned");
    static const size_t strides[] = {1, 4, 8, 11, 13, 14, 18, SIZE_MAX};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        q = p, q.stride = strides[i];
        expect_failure(ctx, clump_ec(ctx, q, 1, NULL, labels, &n), CLUMP_ERR_ARGUMENT, "stride");
    }
    q = p, q.place = (clump_place)2;
    expect_failure(ctx, clump_ec(ctx, q, 1, NULL, labels, &n), CLUMP_ERR_ARGUMENT, "place");

    o = clump_ec_defaults(), o.method = (clump_ec_method)99;
    expect_failure(ctx, clump_ec(ctx, p, 1, &o, labels, &n), CLUMP_ERR_ARGUMENT, "method number 99");
    o = clump_ec_defaults(), o.common.order = (clump_order)7;
    expect_failure(ctx, clump_ec(ctx, p, 1, &o, labels, &n), CLUMP_ERR_ARGUMENT, "order number 7");
    o = clump_ec_defaults(), o.common.min_size = 9, o.common.max_size = 8;
    expect_failure(ctx, clump_ec(ctx, p, 1, &o, labels, &n), CLUMP_ERR_ARGUMENT, "min_size 9");
    memset(&o, 0, sizeof o);
    expect_failure(ctx, clump_ec(ctx, p, 1, &o, labels, &n), CLUMP_ERR_OPTIONS, "clump_ec_defaults");
    memset(&o, 0xee, sizeof(uint32_t));
    expect_failure(ctx, clump_ec(ctx, p, 1, &o, labels, &n), CLUMP_ERR_OPTIONS, "clump_ec_defaults");

    /* the sentence goes with the next success, and after all this the context still works */
    CHECK_INT(clump_ec(ctx, p, 1, NULL, labels, &n), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    CHECK_INT(n, oracle_ec(p, 1, NULL, labels));
    clump_context_destroy(ctx);
}

/* Memory that a call writes and that overlaps something else, or is not aligned. */
static void memory_that_overlaps(void)
{
    clump_context *ctx = cpu_context(0);
    static float room[4 * COUNT];
    char *const bytes = (char *)room;
    const clump_points p = {.xyz = room, .count = COUNT};
    int32_t *const inside = (int32_t *)(void *)(room + 300), *const odd = (int32_t *)(void *)((char *)labels + 2);
    static uint8_t mask[COUNT], core[COUNT];
    memset(mask, 1, sizeof mask);
    memcpy(room, cloud, sizeof cloud);
    static const char own[] = "overlap, each must have its own memory",
                      unaligned[] = "labels is not aligned to 4 bytes";
    const clump_points few = {.xyz = room, .count = COUNT - 1}; /* so that odd labels would fit */

    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, inside, NULL), CLUMP_ERR_ARGUMENT, "clump_ec: labels and points.xyz");
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, inside, NULL), CLUMP_ERR_ARGUMENT, own);
    expect_failure(ctx, clump_ec(ctx, few, 1, NULL, odd, NULL), CLUMP_ERR_ARGUMENT, unaligned);
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 3, NULL, inside, NULL), CLUMP_ERR_ARGUMENT, own);
    expect_failure(ctx, clump_dbscan(ctx, few, 1, 3, NULL, odd, NULL), CLUMP_ERR_ARGUMENT, unaligned);
    expect_failure(ctx, clump_ground(ctx, p, NULL, inside, NULL), CLUMP_ERR_ARGUMENT, own);
    expect_failure(ctx, clump_ground(ctx, few, NULL, odd, NULL), CLUMP_ERR_ARGUMENT, unaligned);
    expect_failure(ctx, clump_erccl(ctx, p, NULL, inside, NULL), CLUMP_ERR_ARGUMENT, own);
    expect_failure(ctx, clump_erccl(ctx, few, NULL, odd, NULL), CLUMP_ERR_ARGUMENT, unaligned);

    clump_ec_options e = clump_ec_defaults();
    e.common.mask = (const uint8_t *)labels + 4 * COUNT - 1; /* one byte in common */
    expect_failure(ctx, clump_ec(ctx, p, 1, &e, labels, NULL), CLUMP_ERR_ARGUMENT, "labels and mask overlap");
    clump_dbscan_options d = clump_dbscan_defaults();
    d.core = (uint8_t *)labels;
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 3, &d, labels, NULL), CLUMP_ERR_ARGUMENT, "core and labels overlap");
    d.core = (uint8_t *)room;
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 3, &d, labels, NULL), CLUMP_ERR_ARGUMENT,
                   "core and points.xyz overlap");
    d.core = core, d.common.mask = mask;
    CHECK_INT(clump_dbscan(ctx, p, 1, 3, &d, labels, NULL), CLUMP_OK);
    clump_ground_options g = clump_ground_defaults();
    g.mask = (const uint8_t *)labels;
    expect_failure(ctx, clump_ground(ctx, p, &g, labels, NULL), CLUMP_ERR_ARGUMENT, "labels and mask overlap");
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = 1, o.extent = 8;
    static float map[64];
    o.maps.lowest = map, o.maps.highest = map + 63;
    expect_failure(ctx, clump_erccl(ctx, p, &o, labels, NULL), CLUMP_ERR_ARGUMENT,
                   "maps.highest and maps.lowest overlap");
    o.maps.highest = NULL, o.maps.lowest = (float *)(void *)((char *)map + 1);
    expect_failure(ctx, clump_erccl(ctx, p, &o, labels, NULL), CLUMP_ERR_ARGUMENT, "maps.lowest is not aligned");

    /* side by side is fine, and so are labels in the gaps between points */
    CHECK_INT(clump_ec(ctx, p, 1, NULL, (int32_t *)(void *)(room + 3 * COUNT), NULL), CLUMP_OK);
    const clump_points wide = {.xyz = room, .count = 3, .stride = 64};
    CHECK_INT(clump_ec(ctx, wide, 1, NULL, (int32_t *)(void *)(bytes + 64 + 12), NULL), CLUMP_OK);
    CHECK_INT(clump_ec(ctx, wide, 1, NULL, (int32_t *)(void *)(bytes + 128 - 12), NULL), CLUMP_OK);
    expect_failure(ctx, clump_ec(ctx, wide, 1, NULL, (int32_t *)(void *)(bytes + 128 - 8), NULL), CLUMP_ERR_ARGUMENT,
                   own);
    expect_failure(ctx, clump_ec(ctx, wide, 1, NULL, (int32_t *)(void *)(bytes + 64 + 8), NULL), CLUMP_ERR_ARGUMENT,
                   own);
    CHECK_INT(clump_ec(ctx, wide, 1, NULL, (int32_t *)(void *)(bytes + 128 + 12), NULL), CLUMP_OK);
    clump_context_destroy(ctx);
}

/* The number of clusters, or of ground points, in the memory of another output or of the points. */
static void counts_that_overlap(void)
{
    clump_context *ctx = cpu_context(0);
    const clump_points p = points;
    int32_t *const last = labels + COUNT - 1, *const odd = (int32_t *)(void *)((char *)labels + 4 * COUNT + 2);
    int32_t *const in_cloud = (int32_t *)(void *)cloud;
    static clump_cluster clusters[4];
    static const char both[] = "cluster_count and labels overlap, each must have its own memory";
    memset(labels, 7, sizeof *labels * COUNT);
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, last), CLUMP_ERR_ARGUMENT, both);
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, in_cloud), CLUMP_ERR_ARGUMENT,
                   "cluster_count and points.xyz");
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, odd), CLUMP_ERR_ARGUMENT, "cluster_count is not aligned");
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 3, NULL, labels, last), CLUMP_ERR_ARGUMENT, both);
    expect_failure(ctx, clump_erccl(ctx, p, NULL, labels, labels), CLUMP_ERR_ARGUMENT, both);
    expect_failure(ctx, clump_objects(ctx, p, NULL, labels, last), CLUMP_ERR_ARGUMENT, both);
    expect_failure(ctx, clump_detect(ctx, p, NULL, labels, NULL, 0, last), CLUMP_ERR_ARGUMENT, both);
    expect_failure(ctx, clump_detect(ctx, p, NULL, labels, clusters, 4, &clusters[3].label), CLUMP_ERR_ARGUMENT,
                   "cluster_count and clusters overlap");
    expect_failure(ctx, clump_ground(ctx, p, NULL, labels, (size_t *)(void *)labels), CLUMP_ERR_ARGUMENT,
                   "ground_count and labels overlap");
    for (size_t i = 0; i < COUNT; i++) CHECK_INT(labels[i], 0x07070707); /* nothing was written */

    clump_index *index = NULL;
    CHECK_INT(clump_index_create(ctx, p, NULL, &index), CLUMP_OK);
    union {
        uint64_t keys[4];
        size_t found;
    } shared;
    size_t found;
    CHECK_INT(clump_index_knn_one(index, cloud, 4, INFINITY, shared.keys, &shared.found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_radius_one(index, cloud, 1, false, shared.keys, 4, &shared.found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, cloud, 4, INFINITY, shared.keys, &found), CLUMP_OK);
    clump_index_destroy(index);
    clump_context_destroy(ctx);
}

static void memory_of_other_calls(void)
{
    clump_context *ctx = cpu_context(0);
    static int32_t room[2 * COUNT], offsets[COUNT + 5], indices[4 * COUNT];
    int32_t *const given = room; /* and as many entries behind them */
    static int64_t sums[COUNT + 1];
    static float distances[COUNT];
    static clump_cluster clusters[4];
    for (size_t i = 0; i < COUNT; i++) given[i] = (int32_t)(i % 4);
    const clump_points p = points;
    expect_failure(ctx, clump_describe(ctx, p, given, 4, NULL, (clump_cluster *)(void *)cloud), CLUMP_ERR_ARGUMENT,
                   "points.xyz and clusters overlap");
    expect_failure(ctx, clump_describe(ctx, p, given, 4, NULL, (clump_cluster *)(void *)given), CLUMP_ERR_ARGUMENT,
                   "labels and clusters overlap");
    expect_failure(ctx,
                   clump_describe(ctx, p, (const int32_t *)(const void *)((const char *)given + 1), 4, NULL, clusters),
                   CLUMP_ERR_ARGUMENT, "labels is not aligned");
    expect_failure(ctx, clump_group(ctx, given, COUNT, CLUMP_PLACE_HOST, 4, given + 7, indices), CLUMP_ERR_ARGUMENT,
                   "labels and offsets");
    expect_failure(ctx, clump_group(ctx, given, COUNT, CLUMP_PLACE_HOST, 4, offsets, given + COUNT - 1),
                   CLUMP_ERR_ARGUMENT, "members and labels");
    expect_failure(ctx, clump_group(ctx, given, COUNT, CLUMP_PLACE_HOST, 4, offsets, offsets + 4), CLUMP_ERR_ARGUMENT,
                   "members and offsets");
    expect_failure(
        ctx, clump_group(ctx, given, COUNT, CLUMP_PLACE_HOST, 4, offsets, (int32_t *)(void *)((char *)indices + 2)),
        CLUMP_ERR_ARGUMENT, "members is not aligned");
    CHECK_INT(clump_group(ctx, given, COUNT, CLUMP_PLACE_HOST, 4, offsets, offsets + 5), CLUMP_OK);

    clump_index *index = NULL;
    CHECK_INT(clump_index_create(ctx, p, NULL, &index), CLUMP_OK);
    expect_failure(ctx, clump_index_nearest(ctx, index, p, INFINITY, (int32_t *)(void *)cloud, NULL),
                   CLUMP_ERR_ARGUMENT, "clump_index_nearest: queries.xyz and indices overlap");
    expect_failure(ctx, clump_index_nearest(ctx, index, p, INFINITY, indices, (float *)(void *)(indices + 9)),
                   CLUMP_ERR_ARGUMENT, "distances_squared and indices overlap");
    expect_failure(ctx,
                   clump_index_knn(ctx, index, p, 2, INFINITY, indices, (float *)(void *)(indices + 2 * COUNT - 1)),
                   CLUMP_ERR_ARGUMENT, "clump_index_knn: distances_squared and indices overlap");
    expect_failure(ctx, clump_index_nearest(ctx, index, p, INFINITY, (int32_t *)(void *)((char *)indices + 1), NULL),
                   CLUMP_ERR_ARGUMENT, "indices is not aligned to 4 bytes");
    expect_failure(ctx, clump_index_radius_count(ctx, index, p, 1, (int64_t *)(void *)((char *)sums + 4)),
                   CLUMP_ERR_ARGUMENT, "offsets is not aligned to 8 bytes");
    expect_failure(ctx, clump_index_radius_count(ctx, index, p, 1, (int64_t *)(void *)cloud), CLUMP_ERR_ARGUMENT,
                   "offsets and queries.xyz overlap");
    CHECK_INT(clump_index_radius_count(ctx, index, p, 0, sums), CLUMP_OK);
    expect_failure(ctx, clump_index_radius_fill(ctx, index, p, 0, sums, (int32_t *)(void *)sums, NULL),
                   CLUMP_ERR_ARGUMENT, "offsets and indices overlap");
    expect_failure(ctx,
                   clump_index_radius_fill(ctx, index, p, 0, (const int64_t *)(const void *)((const char *)sums + 4),
                                           indices, NULL),
                   CLUMP_ERR_ARGUMENT, "offsets is not aligned");
    CHECK_INT(clump_index_radius_fill(ctx, index, p, 0, sums, indices, distances), CLUMP_OK);
    clump_index_destroy(index);
    clump_context_destroy(ctx);
}

static void strides_that_overflow(void)
{
    clump_context *ctx = cpu_context(0);
    static const size_t strides[] = {SIZE_MAX / 4 * 4, SIZE_MAX / 8 * 4, (size_t)1 << 62};
    static const char words[] = "reach beyond the memory that can be addressed";
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        const clump_points p = {.xyz = cloud, .count = 3 + 2 * i, .stride = strides[i] - strides[i] % 4};
        clump_index *index = NULL;
        expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, NULL), CLUMP_ERR_ARGUMENT, words);
        expect_failure(ctx, clump_dbscan(ctx, p, 1, 2, NULL, labels, NULL), CLUMP_ERR_ARGUMENT, words);
        expect_failure(ctx, clump_index_create(ctx, p, NULL, &index), CLUMP_ERR_ARGUMENT, words);
        CHECK(!index);
        const clump_points one = {.xyz = cloud, .count = 1, .stride = p.stride}; /* one point has no stride */
        CHECK_INT(clump_ec(ctx, one, 1, NULL, labels, NULL), CLUMP_OK);
    }
    for (int shift = 58; shift < 64; shift++) { /* products that fit into size_t, but into no memory */
        const clump_points p = {.xyz = cloud, .count = 2, .stride = (size_t)1 << shift};
        expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, NULL), CLUMP_ERR_ARGUMENT, words);
    }
    /* a product that fits, but not behind this address */
    const clump_points p = {.xyz = cloud, .count = 2, .stride = UINTPTR_MAX / 4 * 4 - (uintptr_t)cloud};
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, NULL), CLUMP_ERR_ARGUMENT, words);
    clump_context_destroy(ctx);
}

/* Refused before memory is read: the pointers are invalid. */
static void too_many_points(void)
{
    clump_context *ctx = cpu_context(0);
    const float *const nowhere = (const float *)(uintptr_t)4096;
    int32_t *const no_labels = (int32_t *)(uintptr_t)8192;
    static const size_t counts[] = {(size_t)INT32_MAX + 1, (size_t)1 << 32, SIZE_MAX / 12, SIZE_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const clump_points p = {.xyz = nowhere, .count = counts[i]};
        expect_failure(ctx, clump_ec(ctx, p, 1, NULL, no_labels, NULL), CLUMP_ERR_TOO_MANY, "2147483647");
        expect_failure(ctx, clump_describe(ctx, p, no_labels, 1, NULL, (clump_cluster *)(void *)no_labels),
                       CLUMP_ERR_TOO_MANY, "2147483647");
        expect_failure(ctx, clump_group(ctx, no_labels, counts[i], CLUMP_PLACE_HOST, 1, no_labels, no_labels),
                       CLUMP_ERR_TOO_MANY, "2147483647");
        expect_failure(ctx, clump_context_reserve(ctx, counts[i]), CLUMP_ERR_TOO_MANY, "2147483647");
    }
    clump_context_destroy(ctx);
}

static void wrong_places(void)
{
    clump_context *ctx = cpu_context(0);
    clump_points p = points;
    p.place = CLUMP_PLACE_DEVICE;
    clump_cluster cluster;
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, NULL), CLUMP_ERR_MEMORY_KIND, "device memory");
    expect_failure(ctx, clump_describe(ctx, p, labels, 1, NULL, &cluster), CLUMP_ERR_MEMORY_KIND, "device memory");
    clump_context_destroy(ctx);

    if (clump_device_count() > 1) SKIP(DO_NO_GPU);
    clump_context_options options = clump_context_defaults();
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    expect_failure(ctx, clump_ec(ctx, p, 1, NULL, labels, NULL), CLUMP_ERR_NO_DEVICE, "CUDA");
    clump_context_destroy(ctx);
    options.backend = CLUMP_BACKEND_CUDA;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    expect_failure(ctx, clump_ec(ctx, points, 1, NULL, labels, NULL), CLUMP_ERR_NO_DEVICE, "CUDA");
    clump_context_destroy(ctx);
}

static void wrong_labels(void)
{
    clump_context *ctx = cpu_context(0);
    int32_t given[3] = {0, 1, -1}, offsets[4], members[3];
    clump_cluster clusters[3];
    const clump_points p = {.xyz = cloud, .count = 3};
    CHECK_INT(clump_group(ctx, given, 3, CLUMP_PLACE_HOST, 2, offsets, members), CLUMP_OK);
    CHECK(offsets[0] == 0 && offsets[1] == 1 && offsets[2] == 2 && members[0] == 0 && members[1] == 1);
    expect_failure(ctx, clump_group(ctx, given, 3, CLUMP_PLACE_HOST, 1, offsets, members), CLUMP_ERR_ARGUMENT,
                   "labels[1] is 1");
    expect_failure(ctx, clump_describe(ctx, p, given, 1, NULL, clusters), CLUMP_ERR_ARGUMENT, "labels[1] is 1");
    expect_failure(ctx, clump_group(ctx, NULL, 3, CLUMP_PLACE_HOST, 2, offsets, members), CLUMP_ERR_ARGUMENT,
                   "labels is null");
    expect_failure(ctx, clump_group(ctx, given, 3, CLUMP_PLACE_HOST, 2, NULL, members), CLUMP_ERR_ARGUMENT,
                   "offsets is null");
    expect_failure(ctx, clump_group(ctx, given, 3, CLUMP_PLACE_HOST, 2, offsets, NULL), CLUMP_ERR_ARGUMENT,
                   "members is null");
    expect_failure(ctx, clump_group(ctx, given, 3, CLUMP_PLACE_HOST, -1, offsets, members), CLUMP_ERR_ARGUMENT,
                   "cluster_count is -1");
    expect_failure(ctx, clump_describe(ctx, p, given, -1, NULL, clusters), CLUMP_ERR_ARGUMENT, "cluster_count is -1");
    expect_failure(ctx, clump_describe(ctx, p, NULL, 2, NULL, clusters), CLUMP_ERR_ARGUMENT, "labels is null");
    expect_failure(ctx, clump_describe(ctx, p, given, 2, NULL, NULL), CLUMP_ERR_ARGUMENT, "clusters is null");
    given[2] = -3;
    expect_failure(ctx, clump_group(ctx, given, 3, CLUMP_PLACE_HOST, 2, offsets, members), CLUMP_ERR_ARGUMENT,
                   "labels[2] is -3");
    given[2] = CLUMP_GROUND;
    CHECK_INT(clump_group(ctx, given, 3, CLUMP_PLACE_HOST, 2, offsets, members), CLUMP_OK);
    CHECK_INT(clump_describe(ctx, p, given, 2, NULL, clusters), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

static void statistics(void)
{
    clump_context *ctx = cpu_context(0);
    const clump_stats before = clump_context_stats(ctx);
    CHECK(before.points == 0 && before.clusters == 0 && before.method == NULL && before.host_bytes == 0);

    static float xyz[3 * COUNT];
    static uint8_t mask[COUNT];
    memcpy(xyz, cloud, sizeof xyz);
    for (size_t i = 0; i < COUNT; i++) mask[i] = i % 7 != 0;
    for (size_t i = 0; i < COUNT; i += 5) xyz[3 * i + i % 3] = i % 2 ? NAN : INFINITY; /* some of them masked too */
    const clump_points p = {.xyz = xyz, .count = COUNT};
    FOR_CPU_METHODS (method, clump_ec_methods) {
        clump_ec_options o = clump_ec_defaults();
        o.method = (clump_ec_method)method, o.common.mask = mask, o.common.min_size = 2;
        int32_t n = -1;
        CHECK_INT(clump_ec(ctx, p, 1, &o, labels, &n), CLUMP_OK);
        const clump_stats s = clump_context_stats(ctx);
        size_t noise = 0;
        for (size_t i = 0; i < COUNT; i++) noise += labels[i] == CLUMP_NOISE;
        CHECK_INT(s.backend, CLUMP_BACKEND_CPU);
        CHECK_TEXT(s.method, clump_ec_method_name(o.method));
        CHECK_TEXT(s.reason, "asked for");
        CHECK(s.threads >= 1 && s.passes >= 0);
        if (method <= CLUMP_EC_BFS) CHECK_INT(s.passes, 1);
        CHECK_INT(s.points, COUNT);
        CHECK_INT(s.finite, COUNT - 100);
        CHECK_INT(s.masked, (COUNT + 6) / 7);
        CHECK_INT(s.noise, noise);
        CHECK_INT(s.clusters, n);
        CHECK(s.build_ms >= 0 && s.cluster_ms >= 0 && s.label_ms >= 0 && s.upload_ms == 0 && s.download_ms == 0);
        CHECK(s.build_ms + s.cluster_ms + s.label_ms < 60000);
        CHECK(s.host_bytes > 0 && s.device_bytes == 0);

        /* a call that fails leaves them alone */
        CHECK_INT(clump_ec(ctx, p, -1, &o, labels, &n), CLUMP_ERR_ARGUMENT);
        const clump_stats after = clump_context_stats(ctx);
        CHECK(after.points == s.points && after.clusters == s.clusters && after.noise == s.noise);
    }
    clump_context_trim(ctx);
    CHECK_INT(clump_context_stats(ctx).host_bytes, 0);
    CHECK_INT(clump_context_stats(ctx).points, COUNT);
    clump_context_destroy(ctx);
}

static void threads_are_taken(void)
{
    static const int threads[] = {0, 1, 2, 3, 1000, INT32_MAX};
    int32_t n;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        clump_context_options options = clump_context_defaults();
        options.threads = threads[i];
        clump_context *ctx;
        CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
        CHECK_INT(clump_ec(ctx, points, 1, NULL, labels, &n), CLUMP_OK);
        const int used = clump_context_stats(ctx).threads;
        CHECK(used >= 1 && (threads[i] == 0 || used <= threads[i]));
        clump_context_destroy(ctx);
    }
}

/* A task system that counts tasks and runs them on the caller. */
static void run_on_caller(int count, clump_task *task, void *task_arg, void *user)
{
    *(int *)user += count;
    for (int k = 0; k < count; k++) task(task_arg);
}

static void tasks_are_taken(void)
{
    enum { MANY = 40000 };
    float *const xyz = malloc(3 * MANY * sizeof *xyz);
    int32_t *const out = malloc(2 * MANY * sizeof *out);
    uint64_t random = 9;
    for (size_t i = 0; i < 3 * MANY; i++) xyz[i] = 20 * check_random_float(&random);
    const clump_points many = {.xyz = xyz, .count = MANY};
    clump_context *const alone = cpu_context(1);
    CHECK_INT(clump_ec(alone, many, 0.5f, NULL, out + MANY, NULL), CLUMP_OK);
    clump_context_destroy(alone);
    for (int threads = 0; threads < 4; threads++) {
        int tasks = 0;
        clump_context_options options = clump_context_defaults();
        options.backend = CLUMP_BACKEND_CPU, options.threads = threads;
        options.tasks = (clump_task_system){run_on_caller, &tasks};
        clump_context *ctx;
        CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
        CHECK_INT(clump_ec(ctx, many, 0.5f, NULL, out, NULL), CLUMP_OK);
        CHECK(memcmp(out, out + MANY, MANY * sizeof *out) == 0);
        if (threads > 0) CHECK_INT(clump_context_stats(ctx).threads, threads);
        if (threads != 0) CHECK(threads == 1 ? tasks == 0 : tasks >= threads);
        clump_context_destroy(ctx);
    }
    free(xyz), free(out);
}

/* Returns what threads = 0 means with these options. */
static int most_threads(clump_context_options options)
{
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    const int threads = ctx ? ctx->work.threads : -1;
    clump_context_destroy(ctx);
    return threads;
}

/* The thread that creates the context is pinned. That bounds workers that inherit its mask, and no other threads. */
static void pinned_creators(void)
{
#ifndef __linux__
    SKIP("no Linux: " DO_ELSEWHERE);
#else
    static const int cores[] = {0, 1};
    const int all = clump_cores_for_others() < CLUMP_MAX_THREADS ? clump_cores_for_others() : CLUMP_MAX_THREADS;
    cpu_set_t before[8], one[8]; /* 8192 processors */
    if (sched_getaffinity(0, sizeof before, before) != 0) SKIP("no affinity masks: " DO_ELSEWHERE);
    CPU_ZERO_S(sizeof one, one);
    size_t first = 0;
    while (!CPU_ISSET_S(first, sizeof before, before)) first++;
    CPU_SET_S(first, sizeof one, one);
    CHECK_INT(sched_setaffinity(0, sizeof one, one), 0);
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    CHECK_INT(most_threads(options), 1);
    options.worker_cores = cores, options.worker_core_count = 2;
    CHECK_INT(most_threads(options), all < 3 ? all : 3);
    int tasks = 0;
    options.tasks = (clump_task_system){run_on_caller, &tasks};
    options.worker_core_count = 1; /* of workers, which a task system has none of */
    CHECK_INT(most_threads(options), all);
    options.worker_core_count = 0;
    CHECK_INT(most_threads(options), all);
    CHECK_INT(sched_setaffinity(0, sizeof before, before), 0);
#endif
}

/* threads = 0 changes the number of threads between calls: reserved memory serves all, and so does memory of calls. */
static void numbers_of_threads_need_no_memory(void)
{
    enum { MANY = 70000 };
    static const int threads[] = {16, 1, 12, 2, 9, 3, 16, 5};
    float *const xyz = malloc(3 * MANY * sizeof *xyz);
    int32_t *const out = malloc(MANY * sizeof *out);
    const clump_points many = {.xyz = xyz, .count = MANY};
    for (int round = 0; round < 4; round++) { /* sparse or not; reserved or not */
        uint64_t random = 9;
        for (size_t i = 0; i < 3 * MANY; i++) xyz[i] = (round % 2 ? 20.0f : 200.0f) * check_random_float(&random);
        counter c = {.fail_from = -1};
        clump_context *ctx = NULL;
        CHECK_INT(counted_context(&c, 16, &ctx), CLUMP_OK);
        if (round / 2 == 0) CHECK_INT(clump_context_reserve(ctx, MANY), CLUMP_OK);
        for (size_t turn = 0; turn < 16; turn++) {
            const size_t k = turn % 8;
            ctx->work.threads = threads[k];
            const long before = c.calls;
            CHECK_INT(clump_ec(ctx, many, 0.9f, NULL, out, NULL), CLUMP_OK);
            const long between = c.calls;
            CHECK_INT(clump_dbscan(ctx, many, 0.9f, 5, NULL, out, NULL), CLUMP_OK);
            const bool first = round / 2 == 1 && turn < 8;
            CHECK_MSG(first || c.calls == before, "%d threads: %ld and %ld allocations", threads[k], between - before,
                      c.calls - between);
        }
        clump_context_destroy(ctx);
    }
    free(xyz), free(out);
}

static void do_nothing(void *arg, size_t begin, size_t end, int worker)
{
    (void)arg, (void)begin, (void)end, (void)worker;
}

/* Times of calls that succeeded teach threads = 0, those of calls that failed do not. */
static void failures_teach_nothing(void)
{
    static const char call[] = "a call";
    clump_context *const ctx = cpu_context(0);
    if (!ctx->work.adapt) {
        clump_context_destroy(ctx);
        SKIP("no second processor: " DO_ELSEWHERE);
    }
    for (int round = 0; round < 4; round++) {
        const bool fails = round % 2 == 0;
        CHECK_INT(clump_begin(ctx, call), CLUMP_OK);
        CHECK_INT(clump_run(&ctx->work, clump_threads_for(&ctx->work, 1 << 20, 1), 1000, 1, do_nothing, NULL),
                  CLUMP_OK);
        if (fails) clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "no memory");
        const clump_adapt_entry *const entry = ctx->adapt.running;
        const clump_adapt_entry before = *entry;
        CHECK_INT(clump_begin(ctx, call), CLUMP_OK);
        CHECK(fails == (entry->usual == before.usual && entry->lost == before.lost && entry->calls == before.calls));
    }
    clump_context_destroy(ctx);
}

typedef struct lines {
    int count;
    char last[256];
} lines;

static void count_line(clump_log_level level, const char *message, void *user)
{
    lines *const l = user;
    l->count++;
    snprintf(l->last, sizeof l->last, "%s", message);
    CHECK(level == CLUMP_LOG_INFO || level == CLUMP_LOG_WARNING);
    CHECK(message[0] != '\0' && !strchr(message, '\n'));
}

static void log_lines(void)
{
    lines l = {0};
    clump_context_options options = clump_context_defaults();
    options.log = count_line, options.log_user = &l, options.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    CHECK_INT(clump_ec(ctx, points, 1, NULL, labels, NULL), CLUMP_OK);
    CHECK(l.count > 0 && strstr(l.last, "cpu"));
    clump_context_destroy(ctx);
}

/* Workers that cannot be moved to a processor work all the same; the log says so, once. */
static void refused_processors(void)
{
    enum { MANY = 20000 };
    float *const xyz = malloc(3 * MANY * sizeof *xyz);
    int32_t *const out = malloc(MANY * sizeof *out);
    for (size_t i = 0; i < 3 * MANY; i++) xyz[i] = (float)i;
    static const int absent[] = {4095};
    lines l = {0};
    clump_context_options options = clump_context_defaults();
    options.log = count_line, options.log_user = &l, options.backend = CLUMP_BACKEND_CPU, options.threads = 3;
    options.worker_cores = absent, options.worker_core_count = 1;
    clump_context *ctx;
    CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
    for (int round = 0; round < 3; round++) {
        CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = MANY}, 1, NULL, out, NULL), CLUMP_OK);
        CHECK_INT(clump_context_stats(ctx).threads, 3);
        clump_context_trim(ctx); /* the workers have started by then */
        CHECK_INT(l.count, 2);   /* the backend and the warning */
    }
    CHECK_MSG(strstr(l.last, "worker_cores"), "%s", l.last);
    clump_context_destroy(ctx);
    free(xyz), free(out);
}

/* Thread-local variables of the program, which glibc puts into the stacks of threads: as large as a worker's stack. */
static _Thread_local volatile char thread_local_bytes[1 << 20];

static void workers_beside_thread_locals(void)
{
    enum { MANY = 20000 };
    float *const xyz = malloc(3 * MANY * sizeof *xyz);
    int32_t *const out = malloc(MANY * sizeof *out);
    for (size_t i = 0; i < 3 * MANY; i++) xyz[i] = (float)i;
    thread_local_bytes[0] = 1;
    clump_context *ctx = cpu_context(3);
    CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = MANY}, 1, NULL, out, NULL), CLUMP_OK);
    CHECK_INT(clump_context_stats(ctx).threads, 3);
    CHECK_INT(clump_context_stats(ctx).threads_refused, 0);
    clump_context_destroy(ctx);
    free(xyz), free(out);
}

static void devices(void)
{
    clump_device_info info;
    CHECK(clump_device_count() >= 1);
    for (int i = 0; i < clump_device_count(); i++) {
        memset(&info, 0xff, sizeof info);
        CHECK_INT(clump_device_query(i, &info), CLUMP_OK);
        CHECK_INT(info.backend, i == 0 ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA);
        CHECK(info.name[0] != '\0' && memchr(info.name, 0, sizeof info.name) && info.units >= 1);
        CHECK(info.memory_total > 0 && info.memory_free <= info.memory_total);
    }
    CHECK(!clump_device_absence(CLUMP_BACKEND_CPU) && !clump_device_absence(CLUMP_BACKEND_AUTO));
    const char *const why = clump_device_absence(CLUMP_BACKEND_CUDA);
    CHECK(clump_device_count() > 1 ? !why : why && why[0] != '\0');
    CHECK_INT(clump_device_query(clump_device_count(), &info), CLUMP_ERR_NO_DEVICE);
    CHECK_INT(clump_device_query(-1, &info), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_device_query(0, NULL), CLUMP_ERR_ARGUMENT);
}

CHECK_PROGRAM(test_context)
{
    uint64_t random = 51;
    for (size_t i = 0; i < 3 * COUNT; i++) cloud[i] = 8 * check_random_float(&random);
    RUN(versions_and_texts);
    RUN(contexts_refuse);
    RUN(contexts_say_why);
    RUN(null_is_handled);
    RUN(wrong_arguments);
    RUN(memory_that_overlaps);
    RUN(counts_that_overlap);
    RUN(memory_of_other_calls);
    RUN(strides_that_overflow);
    RUN(too_many_points);
    RUN(wrong_places);
    RUN(wrong_labels);
    RUN(statistics);
    RUN(threads_are_taken);
    RUN(tasks_are_taken);
    RUN(pinned_creators);
    RUN(numbers_of_threads_need_no_memory);
    RUN(failures_teach_nothing);
    RUN(log_lines);
    RUN(refused_processors);
    RUN(workers_beside_thread_locals);
    RUN(devices);
}
