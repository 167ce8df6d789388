/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_classes.c: clusters per class (clump/classes.h) beside brute force per group, for every method of the CPU; the tables; the
 * classes of clusters; memory and wrong arguments.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/classes_case.h"
#include "support/clouds.h"

#include <clump/batch.h>
#include <clump/info.h>

static classes_case made;
static int32_t labels[CLASSES_POINTS + 1];
static uint8_t core[CLASSES_POINTS + 1];

/* Compares labels, core flags and figures with brute force. */
static void compare(clump_context *ctx, const char *method, int threads, int32_t clusters, bool has_core)
{
    size_t noise = 0;
    CHECK_MSG(clusters == made.clusters, "seed %llu, %s, %d threads: %d clusters, expected %d",
              (unsigned long long)made.seed, method, threads, clusters, made.clusters);
    for (size_t i = 0; i < made.points; i++) {
        noise += made.labels[i] < 0;
        if (labels[i] == made.labels[i] && (!has_core || core[i] == made.core[i])) continue;
        CHECK_FAIL("seed %llu, %s, %d threads: point %zu has label %d, expected %d", (unsigned long long)made.seed,
                   method, threads, i, labels[i], made.labels[i]);
        return;
    }
    const clump_stats stats = clump_context_stats(ctx);
    CHECK_INT(stats.points, made.points);
    CHECK_INT(stats.noise, noise);
    CHECK_MSG(stats.oversize_dropped == made.dropped && stats.oversize_points == made.dropped_points &&
                  stats.oversize_kept == made.kept && stats.oversize_split == made.split,
              "seed %llu: %zu clusters of %zu points dropped, %zu kept, %zu split; expected %zu, %zu, %zu, %zu",
              (unsigned long long)made.seed, stats.oversize_dropped, stats.oversize_points, stats.oversize_kept,
              stats.oversize_split, made.dropped, made.dropped_points, made.kept, made.split);
}

static void run_method(clump_context *ctx, int method, int threads, const cloud_view *view)
{
    const clump_method_table *const table = made.density ? &clump_dbscan_methods : &clump_ec_methods;
    const bool has_core = made.density && made.seed % 3 != 0;
    int32_t clusters = -7;
    memset(labels, 0x5a, sizeof labels);
    memset(core, 0x5a, sizeof core);
    const clump_status status = classes_case_run(&made, ctx, method, view->points, made.of, made.mask, labels,
                                                 has_core ? core : NULL, &clusters);
    CHECK_MSG(status == CLUMP_OK, "seed %llu: %s", (unsigned long long)made.seed, clump_context_error(ctx));
    if (status == CLUMP_OK) compare(ctx, clump_method_at(table, method)->name, threads, clusters, has_core);
    CHECK_INT(labels[made.points], 0x5a5a5a5a);
}

static void random_classes(void)
{
    const int threads[] = {1, 2, 8};
    clump_context *ctx[3];
    size_t dropped = 0, kept = 0, split = 0;
    cpu_contexts(ctx, threads, 3);
    for (uint64_t seed = 1; seed <= (uint64_t)check_rounds(CLOUD_WATCHED ? 10 : 150); seed++) {
        classes_case_make(&made, seed, seed % 8 == 0 ? CLASSES_POINTS : 300, true);
        classes_case_expect(&made, 0, made.points);
        uint64_t random = seed;
        const cloud_view view = cloud_view_make(made.xyz, made.points, &random);
        for (int t = 0; t < 3; t++) run_method(ctx[t], 0, threads[t], &view);
        if (made.options.common.eps_per_metre == 0) {
            FOR_CPU_METHODS (method, *(made.density ? &clump_dbscan_methods : &clump_ec_methods))
                run_method(ctx[1], method, 2, &view);
        }
        free(view.memory);
        dropped += made.dropped, kept += made.kept, split += made.split;
    }
    CHECK(CLOUD_WATCHED || (dropped > 0 && kept > 0 && split > 0)); /* enough cases have all of them */
    destroy_contexts(ctx, 3);
}

/* Large groups, which several threads share: as one call per class on a mask. */
static void large_groups(void)
{
    enum { COUNT = 200000, CLASSES = 3 };
    float *const xyz = malloc(3 * COUNT * sizeof *xyz);
    uint16_t *const of = malloc(COUNT * sizeof *of);
    uint8_t *const mask = malloc(COUNT);
    int32_t *const all = malloc(COUNT * sizeof *all), *const one = malloc(COUNT * sizeof *one), clusters, sum = 0, part;
    uint64_t random = 5;
    const float d = cloud_fill(CLOUD_CLUMPED, xyz, COUNT, &random);
    for (size_t i = 0; i < COUNT; i++) of[i] = (uint16_t)(check_random(&random) % CLASSES);
    const clump_class rows[CLASSES] = {
        {.id = 0}, {.id = 1, .radius = d * 2}, {.id = 2, .radius = d / 2, .two_d = true}};
    const clump_classes classes = {of, rows, CLASSES};
    clump_context *const ctx = cpu_context(4);
    clump_ec_options options = clump_ec_defaults();
    options.common.classes = &classes;
    const clump_points points = {.xyz = xyz, .count = COUNT};
    CHECK_INT(clump_ec(ctx, points, d, &options, all, &clusters), CLUMP_OK);
    for (uint16_t k = 0; k < CLASSES; k++) {
        int32_t *const seen = malloc(COUNT * sizeof *seen);
        clump_ec_options alone = clump_ec_defaults();
        for (size_t i = 0; i < COUNT; i++) mask[i] = of[i] == k, seen[i] = -1;
        alone.common.mask = mask;
        alone.common.two_d = rows[k].two_d;
        CHECK_INT(clump_ec(ctx, points, k == 0 ? d : rows[k].radius, &alone, one, &part), CLUMP_OK);
        sum += part;
        size_t wrong = 0;
        for (size_t i = 0; i < COUNT; i++) {
            if (!mask[i]) continue;
            if (one[i] >= 0 && seen[one[i]] < 0) seen[one[i]] = all[i];
            wrong += one[i] < 0 ? all[i] >= 0 : all[i] != seen[one[i]];
        }
        CHECK_INT(wrong, 0);
        free(seen);
    }
    CHECK_INT(clusters, sum);
    clump_context_destroy(ctx);
    free(xyz), free(of), free(mask), free(all), free(one);
}

/* Every cloud of a batch as a call of its own. */
static void batches(void)
{
    enum { CLOUDS = 4 };
    clump_context *const ctx = cpu_context(2);
    for (uint64_t seed = 1; seed <= (uint64_t)check_rounds(CLOUD_WATCHED ? 4 : 40); seed++) {
        classes_case_make(&made, seed, 400, false);
        const int64_t n = (int64_t)made.points, offsets[CLOUDS + 1] = {0, n / 5, n / 5, n * 3 / 4, n};
        clump_clustering common = made.options.common;
        common.classes = &made.classes;
        clump_ec_options ec = clump_ec_defaults();
        clump_dbscan_options dbscan = made.options;
        ec.common = dbscan.common = common;
        int32_t counts[CLOUDS], shift = 0;
        const clump_points points = {.xyz = made.xyz, .count = made.points};
        const clump_status status =
            made.density ? clump_dbscan_batch(ctx, points, offsets, CLOUDS, made.d, NULL, made.min_points, &dbscan,
                                              labels, counts)
                         : clump_ec_batch(ctx, points, offsets, CLOUDS, made.d, NULL, &ec, labels, counts);
        CHECK_MSG(status == CLUMP_OK, "seed %llu: %s", (unsigned long long)seed, clump_context_error(ctx));
        for (int k = 0; k < CLOUDS; k++) {
            classes_case_expect(&made, (size_t)offsets[k], (size_t)offsets[k + 1]);
            CHECK_INT(counts[k], made.clusters);
            for (int64_t i = offsets[k]; i < offsets[k + 1]; i++)
                CHECK_MSG(labels[i] == made.labels[i], "seed %llu: point %lld of cloud %d has label %d, expected %d",
                          (unsigned long long)seed, (long long)i, k, labels[i], made.labels[i]);
            shift += counts[k];
        }
        CHECK_INT(clump_context_stats(ctx).clusters, shift);
    }
    clump_context_destroy(ctx);
}

/* A sloping floor with heaps on it. Returns the number of points. */
static size_t make_scene(float *xyz, uint16_t *of)
{
    uint64_t random = 11;
    size_t n = 0;
    for (int i = 0; i < 600; i++, n++) {
        const float x = 20 * check_random_float(&random) - 10, y = 20 * check_random_float(&random) - 10;
        const bool heap = i % 3 == 0;
        xyz[3 * n] = heap ? floorf(x / 5) * 5 + 0.1f * x : x;
        xyz[3 * n + 1] = heap ? floorf(y / 5) * 5 + 0.1f * y : y;
        xyz[3 * n + 2] = 0.01f * x - 1.7f + (heap ? 0.3f + check_random_float(&random) : 0);
        of[n] = (uint16_t)(check_random(&random) % 3);
    }
    return n;
}

/* clump_detect gives what the separate calls give. */
static void detection(void)
{
    static float xyz[1800], heights[600];
    static uint16_t of[600];
    static uint8_t mask[600];
    static int32_t ground[600], expected[600];
    const clump_points points = {.xyz = xyz, .count = make_scene(xyz, of)};
    const clump_class rows[] = {{.id = 0, .radius = 0.8f, .min_size = 3}, {.id = 1, .two_d = true}};
    const clump_classes classes = {of, rows, 2};
    clump_context *const ctx = cpu_context(2);
    for (int method = 0; method < 2; method++) {
        clump_detect_options o = clump_detect_defaults();
        o.method = method ? CLUMP_DETECT_DBSCAN : CLUMP_DETECT_EC;
        o.common.classes = &classes;
        o.common.min_size = 4;
        o.min_points = 3;
        o.region.max_range = 9;
        clump_cluster found[64], boxes[64];
        int32_t count, alone;
        CHECK_INT(clump_detect(ctx, points, &o, labels, found, 64, &count), CLUMP_OK);
        const clump_stats stats = clump_context_stats(ctx);
        size_t noise = 0, taken = 0, left_out = 0;
        clump_ground_options g = clump_ground_defaults();
        for (size_t i = 0; i < points.count; i++) {
            const double x = (double)xyz[3 * i], y = (double)xyz[3 * i + 1], z = (double)xyz[3 * i + 2];
            mask[i] = (float)sqrt(x * x + y * y + z * z) <= 9;
            left_out += !mask[i];
        }
        g.mask = mask;
        g.heights = heights;
        CHECK_INT(clump_ground(ctx, points, &g, ground, NULL), CLUMP_OK);
        for (size_t i = 0; i < points.count; i++) mask[i] = mask[i] && ground[i] != CLUMP_GROUND, taken += mask[i];
        clump_ec_options ec = clump_ec_defaults();
        clump_dbscan_options dbscan = clump_dbscan_defaults();
        ec.common = dbscan.common = o.common;
        ec.common.mask = dbscan.common.mask = mask;
        if (method)
            CHECK_INT(clump_dbscan(ctx, points, 0.5f, 3, &dbscan, expected, &alone), CLUMP_OK);
        else
            CHECK_INT(clump_ec(ctx, points, 0.5f, &ec, expected, &alone), CLUMP_OK);
        CHECK_INT(count, alone);
        CHECK(count > 1 && count < 64 && taken > 50);
        for (size_t i = 0; i < points.count; i++) {
            CHECK_INT(labels[i], ground[i] == CLUMP_GROUND ? CLUMP_GROUND : expected[i]);
            noise += labels[i] == CLUMP_NOISE;
        }
        CHECK(stats.noise == noise && stats.ground > 50 && stats.masked == left_out && stats.clusters == count);
        clump_describe_options d = clump_describe_defaults();
        d.heights = heights;
        CHECK_INT(clump_describe(ctx, points, expected, count, &d, boxes), CLUMP_OK);
        CHECK(memcmp(boxes, found, (size_t)count * sizeof *boxes) == 0);
        o.thin = 0.1f;
        expect_failure(ctx, clump_detect(ctx, points, &o, labels, found, 64, &count), CLUMP_ERR_UNSUPPORTED,
                       "thin does not work with classes");
        o.thin = 0;
        o.method = CLUMP_DETECT_ERCCL;
        expect_failure(ctx, clump_detect(ctx, points, &o, labels, found, 64, &count), CLUMP_ERR_UNSUPPORTED,
                       "classes are for ec, dbscan and objects");
    }
    clump_context_destroy(ctx);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* The built-in tables are accepted by a call, and their names are unique per group. */
static void builtin_tables(void)
{
    clump_context *const ctx = cpu_context(1);
    const float xyz[9] = {0, 0, 0, 0.5f, 0, 9, 5, 5, 5};
    const uint16_t of[3] = {10, 252, 40};
    int32_t clusters;
    for (int k = 0; clump_classes_builtin_name(k); k++) {
        clump_classes classes = {.of = of};
        classes.rows = clump_classes_builtin(clump_classes_builtin_name(k), &classes.count);
        CHECK(classes.rows != NULL);
        clump_ec_options options = clump_ec_defaults();
        options.common.classes = &classes;
        CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = 3}, 1, &options, labels, &clusters), CLUMP_OK);
        if (k > 0) continue;
        CHECK_INT(clusters, 1); /* a car that moves and one that stands, seen from above */
        CHECK(labels[0] == 0 && labels[1] == 0 && labels[2] == CLUMP_NOISE);
    }
    size_t count;
    CHECK(clump_classes_builtin("kitti", &count) == NULL && clump_classes_builtin(NULL, &count) == NULL);
    CHECK(clump_classes_builtin_name(-1) == NULL && clump_oversize_name((clump_oversize)3) == NULL);
    clump_context_destroy(ctx);
}

static void classes_of_clusters(void)
{
    clump_context *const ctx = cpu_context(1);
    const int32_t given[] = {1, 1, -1, 0, 1, 3, 3, -2, 0};
    const uint16_t of[] = {9, 4, 4, 65535, 4, 8, 2, 2, 65535};
    uint16_t found[4];
    CHECK_INT(clump_classes_of_clusters(ctx, given, of, 9, 4, found), CLUMP_OK);
    CHECK(found[0] == 65535 && found[1] == 4 && found[2] == 0 && found[3] == 2);
    expect_failure(ctx, clump_classes_of_clusters(ctx, given, of, 9, 3, found), CLUMP_ERR_ARGUMENT,
                   "labels[5] is 3, but there are 3 clusters");
    expect_failure(ctx, clump_classes_of_clusters(ctx, given, NULL, 9, 4, found), CLUMP_ERR_ARGUMENT, "is null");
    expect_failure(ctx, clump_classes_of_clusters(ctx, given, of, 9, -1, found), CLUMP_ERR_ARGUMENT, "below 0");
    CHECK_INT(clump_classes_of_clusters(ctx, NULL, NULL, 0, 0, NULL), CLUMP_OK);
    CHECK_INT(clump_classes_of_clusters(NULL, NULL, NULL, 0, 0, NULL), CLUMP_ERR_ARGUMENT);
    clump_context_destroy(ctx);
}

/* --- arguments and memory ----------------------------------------------------------------------------------------- */

static clump_status call(clump_context *ctx, const clump_classes *classes)
{
    static const float xyz[6] = {0};
    clump_ec_options options = clump_ec_defaults();
    options.common.classes = classes;
    options.common.min_size = 3;
    int32_t clusters;
    return clump_ec(ctx, (clump_points){.xyz = xyz, .count = 2}, 1, &options, labels, &clusters);
}

/* A method that does not exist is refused before anything is read: the address is one of a device. */
static void unknown_methods(clump_context *ctx, const clump_classes *classes)
{
    clump_ec_options options = clump_ec_defaults();
    options.common.classes = classes;
    options.method = (clump_ec_method)99;
    const clump_points points = {.xyz = (const float *)4096, .count = 2, .place = CLUMP_PLACE_DEVICE};
    int32_t clusters;
    expect_failure(ctx, clump_ec(ctx, points, 1, &options, (int32_t *)8192, &clusters), CLUMP_ERR_ARGUMENT,
                   "there is no method number 99");
}

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    const uint16_t of[2] = {1, 2};
    clump_class rows[256] = {{.id = 1}, {.id = 2}};
    clump_classes classes = {of, rows, 2};
    CHECK_INT(call(ctx, &classes), CLUMP_OK);
    expect_failure(ctx, call(ctx, &(clump_classes){of, NULL, 2}), CLUMP_ERR_ARGUMENT, "classes has no rows");
    expect_failure(ctx, call(ctx, &(clump_classes){NULL, rows, 2}), CLUMP_ERR_ARGUMENT, "classes.of is null");
    const float radii[] = {-1, 1e-30f, 1e30f, (float)NAN};
    for (size_t k = 0; k < sizeof radii / sizeof *radii; k++) {
        rows[1].radius = radii[k];
        expect_failure(ctx, call(ctx, &classes), CLUMP_ERR_ARGUMENT, "the radius of class 2 is");
    }
    rows[1] = (clump_class){.id = 1};
    expect_failure(ctx, call(ctx, &classes), CLUMP_ERR_ARGUMENT, "class 1 has two rows");
    rows[1] = (clump_class){.id = 2, .max_size = 2};
    expect_failure(ctx, call(ctx, &classes), CLUMP_ERR_ARGUMENT, "min_size 3 of class 2 is larger than its max_size 2");
    rows[1] = (clump_class){.id = 2, .oversize = (clump_oversize)9};
    expect_failure(ctx, call(ctx, &classes), CLUMP_ERR_ARGUMENT, "class 2 has the rule 9");
    rows[0].group = rows[1].group = 1, rows[1].oversize = CLUMP_OVERSIZE_KEEP;
    expect_failure(ctx, call(ctx, &classes), CLUMP_ERR_ARGUMENT,
                   "classes 1 and 2 are one group, but their rows differ");
    for (uint16_t k = 0; k < 256; k++) rows[k] = (clump_class){.id = k};
    classes.count = 256;
    expect_failure(ctx, call(ctx, &classes), CLUMP_ERR_ARGUMENT, "more than 255 groups");
    classes.count = 255;
    CHECK_INT(call(ctx, &classes), CLUMP_OK);
    unknown_methods(ctx, &classes);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_classes)
{
    RUN(random_classes);
    RUN(large_groups);
    RUN(batches);
    RUN(detection);
    RUN(builtin_tables);
    RUN(classes_of_clusters);
    RUN(wrong_arguments);
}
