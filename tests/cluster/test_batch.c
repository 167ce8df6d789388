/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_batch.c: clump_ec_batch, clump_dbscan_batch and clump_describe_batch on the CPU: every cloud as in a call of its
 * own, bit for bit.
 */
#include "support/check.h"

#include "support/batch_case.h"
#include "support/calls.h"
#include "support/clouds.h"

#include <clump/info.h>

#include <math.h>

static batch_case made;
static int32_t labels[BATCH_POINTS], counts[BATCH_CLOUDS];
static uint8_t core[BATCH_POINTS];

static batch_arrays arrays_of(clump_points points)
{
    return (batch_arrays){.points = points,
                          .offsets = made.offsets,
                          .radii = made.per_cloud ? made.radii : NULL,
                          .mask = made.mask,
                          .labels = labels,
                          .counts = counts,
                          .core = made.seed % 3 == 0 ? NULL : core};
}

/* Compares labels, counts and core flags with those expected. */
static void compare(const batch_arrays *a, int threads)
{
    for (size_t k = 0; k < made.clouds; k++) {
        CHECK_MSG(counts[k] == made.counts[k], "seed %llu, %d threads, cloud %zu: %d clusters, expected %d",
                  (unsigned long long)made.seed, threads, k, counts[k], made.counts[k]);
        for (int64_t i = made.offsets[k]; i < made.offsets[k + 1]; i++) {
            if (labels[i] == made.labels[i] && (!made.density || !a->core || core[i] == made.core[i])) continue;
            CHECK_FAIL("seed %llu, %d threads: point %lld of cloud %zu has label %d, expected %d",
                       (unsigned long long)made.seed, threads, (long long)i, k, labels[i], made.labels[i]);
            break;
        }
    }
}

/* The figures of a batch are the sums of those of its clouds. */
static void compare_stats(clump_context *ctx)
{
    const clump_stats stats = clump_context_stats(ctx);
    size_t noise = 0;
    int64_t clusters = 0;
    for (size_t i = 0; i < made.points; i++) noise += made.labels[i] == CLUMP_NOISE;
    for (size_t k = 0; k < made.clouds; k++) clusters += made.counts[k];
    CHECK_INT(stats.points, made.points);
    CHECK_INT(stats.clusters, clusters);
    CHECK_INT(stats.noise, noise);
}

static void random_batches(void)
{
    const int threads[] = {1, 2, 8};
    clump_context *ctx[3], *const alone = cpu_context(1);
    cpu_contexts(ctx, threads, 3);
    for (uint64_t seed = 1; seed <= (uint64_t)check_rounds(CLOUD_WATCHED ? 6 : 40); seed++) {
        batch_case_make(&made, seed, seed % 8 == 0 ? BATCH_POINTS : 5000);
        batch_case_expect(&made, alone);
        uint64_t random = seed;
        const cloud_view view = cloud_view_make(made.xyz, made.points, &random);
        const batch_arrays a = arrays_of(view.points);
        for (int t = 0; t < 3; t++) {
            memset(labels, 0x5a, sizeof labels);
            memset(counts, 0x5a, sizeof counts);
            CHECK_INT(batch_case_run(&made, ctx[t], &a), CLUMP_OK);
            compare(&a, threads[t]);
            compare_stats(ctx[t]);
        }
        free(view.memory);
    }
    destroy_contexts(ctx, 3);
    clump_context_destroy(alone);
}

/* Pairs at exactly the distance, a float below and above it, on every axis, near and far: at the edges of voxels. */
static void pairs_at_the_distance(void)
{
    clump_context *const ctx = cpu_context(1);
    uint64_t random = 3;
    for (int round = 0; round < 4000; round++) {
        const float d = 0.25f + check_random_float(&random);
        const float at = (check_random_float(&random) - 0.5f) * (round % 2 ? 10.0f : 100000.0f);
        float pair[6] = {at, at, at, at, at, at};
        pair[3 + round % 3] = cloud_step(at + d, (int)(check_random(&random) % 5) - 2);
        const clump_points points = {.xyz = pair, .count = 2};
        const int64_t offsets[] = {0, 2};
        int32_t one[2], batch[2];
        CHECK_INT(clump_ec(ctx, points, d, NULL, one, NULL), CLUMP_OK);
        CHECK_INT(clump_ec_batch(ctx, points, offsets, 1, d, NULL, NULL, batch, NULL), CLUMP_OK);
        CHECK_MSG(memcmp(one, batch, sizeof one) == 0, "round %d", round);
        CHECK_INT(clump_dbscan(ctx, points, d, 2, NULL, one, NULL), CLUMP_OK);
        CHECK_INT(clump_dbscan_batch(ctx, points, offsets, 1, d, NULL, 2, NULL, batch, NULL), CLUMP_OK);
        CHECK_MSG(memcmp(one, batch, sizeof one) == 0, "round %d, dbscan", round);
    }
    clump_context_destroy(ctx);
}

/* A cloud so wide that numbers of voxels do not fit takes the ordinary way. */
static void very_wide_cloud(void)
{
    clump_context *const ctx = cpu_context(1);
    const float far[] = {-1e30f, 0, 0, 1e30f, 1e30f, 1e30f, 0, 0, 0, 0, 0, 0.5f};
    const int64_t offsets[] = {0, 0, 4};
    int32_t own[4], found[2];
    CHECK_INT(clump_ec_batch(ctx, (clump_points){.xyz = far, .count = 4}, offsets, 2, 1, NULL, NULL, own, found),
              CLUMP_OK);
    CHECK(own[0] == 0 && own[1] == 1 && own[2] == 2 && own[3] == 2);
    CHECK(found[0] == 0 && found[1] == 3);
    clump_context_destroy(ctx);
}

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    float xyz[12] = {0};
    int32_t own[4];
    const clump_points p = {.xyz = xyz, .count = 4};
    const int64_t good[] = {0, 2, 4}, late[] = {1, 2, 4}, falling[] = {0, 3, 2}, shorter[] = {0, 2, 3},
                  longer[] = {0, 9, 4};
    const float radii[] = {1, -1};
#define REFUSED(call, status, words) expect_failure(ctx, call, status, words)
    CHECK_INT(clump_ec_batch(NULL, p, good, 2, 1, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT);
    REFUSED(clump_ec_batch(ctx, p, late, 2, 1, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "offsets[0] is 1");
    REFUSED(clump_ec_batch(ctx, p, falling, 2, 1, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "offsets[2] is 2");
    REFUSED(clump_ec_batch(ctx, p, shorter, 2, 1, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "offsets[2] is 3");
    REFUSED(clump_ec_batch(ctx, p, longer, 2, 1, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "offsets[1] is 9");
    REFUSED(clump_ec_batch(ctx, p, NULL, 2, 1, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "offsets is null");
    REFUSED(clump_ec_batch(ctx, p, good, 0, 1, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "no clouds");
    REFUSED(clump_ec_batch(ctx, p, good, (size_t)1 << 31, 1, NULL, NULL, own, NULL), CLUMP_ERR_TOO_MANY, "clouds");
    REFUSED(clump_ec_batch(ctx, p, good, 2, 0, NULL, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "the distance is 0");
    REFUSED(clump_ec_batch(ctx, p, good, 2, 1, radii, NULL, own, NULL), CLUMP_ERR_ARGUMENT,
            "distance of cloud 1 is -1");
    REFUSED(clump_ec_batch(ctx, p, good, 2, 1, NULL, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT, "labels is null");
    REFUSED(clump_ec_batch(ctx, p, good, 2, 1, NULL, NULL, own, own + 1), CLUMP_ERR_ARGUMENT, "cluster_counts");
    clump_ec_options o = clump_ec_defaults();
    o.method = CLUMP_EC_BFS;
    REFUSED(clump_ec_batch(ctx, p, good, 2, 1, NULL, &o, own, NULL), CLUMP_ERR_UNSUPPORTED, "method fast");
    o = clump_ec_defaults();
    o.common.eps_per_metre = 0.1f;
    REFUSED(clump_ec_batch(ctx, p, good, 2, 1, NULL, &o, own, NULL), CLUMP_ERR_UNSUPPORTED, "eps_per_metre");
    o.cookie = 0;
    REFUSED(clump_ec_batch(ctx, p, good, 2, 1, NULL, &o, own, NULL), CLUMP_ERR_OPTIONS, "clump_ec_defaults");
    REFUSED(clump_dbscan_batch(ctx, p, good, 2, 1, radii, 3, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "of cloud 1");
    REFUSED(clump_dbscan_batch(ctx, p, good, 2, 1, NULL, 0, NULL, own, NULL), CLUMP_ERR_ARGUMENT, "min_points is 0");
#undef REFUSED
    CHECK_INT(clump_ec_batch(ctx, p, good, 2, NAN, (const float[]){1, 2}, NULL, own, NULL),
              CLUMP_OK); /* d is ignored */
    CHECK_INT(clump_ec_batch(ctx, (clump_points){0}, NULL, 0, 1, NULL, NULL, NULL, NULL), CLUMP_OK);
    clump_context_destroy(ctx);
}

/* Describes all clusters at once and cloud by cloud. */
static void boxes(void)
{
    clump_context *const ctx = cpu_context(2);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        batch_case_make(&made, seed, 3000);
        made.ec.common.two_d = made.dbscan.common.two_d = false;
        batch_case_expect(&made, ctx);
        int64_t first[BATCH_CLOUDS + 1] = {0};
        for (size_t k = 0; k < made.clouds; k++) first[k + 1] = first[k] + made.counts[k];
        const size_t total = (size_t)first[made.clouds];
        clump_cluster *const all = calloc(total + 1, sizeof *all), *const one = calloc(total + 1, sizeof *one);
        clump_describe_options o = clump_describe_defaults();
        o.axes = true;
        const clump_points points = {.xyz = made.xyz, .count = made.points};
        CHECK_INT(clump_describe_batch(ctx, points, made.offsets, made.clouds, made.labels, first, &o, all), CLUMP_OK);
        for (size_t k = 0; k < made.clouds; k++) {
            const size_t begin = (size_t)made.offsets[k], n = (size_t)made.offsets[k + 1] - begin;
            CHECK_INT(clump_describe(ctx, (clump_points){.xyz = made.xyz + 3 * begin, .count = n}, made.labels + begin,
                                     made.counts[k], &o, one + first[k]),
                      CLUMP_OK);
        }
        CHECK_MSG(memcmp(all, one, total * sizeof *all) == 0, "seed %llu", (unsigned long long)seed);
        free(all);
        free(one);
    }
    clump_context_destroy(ctx);
}

static void wrong_boxes(void)
{
    clump_context *const ctx = cpu_context(1);
    const float xyz[12] = {0};
    const clump_points p = {.xyz = xyz, .count = 4};
    const int64_t offsets[] = {0, 2, 4}, first[] = {0, 1, 2}, falling[] = {0, 2, 1};
    const int32_t good[] = {0, 0, 0, -1}, wrong[] = {0, 0, 1, 0};
    clump_cluster found[2];
    CHECK_INT(clump_describe_batch(ctx, p, offsets, 2, good, first, NULL, found), CLUMP_OK);
    CHECK(found[0].label == 0 && found[0].count == 2 && found[1].label == 0 && found[1].count == 1);
    expect_failure(ctx, clump_describe_batch(ctx, p, offsets, 2, wrong, first, NULL, found), CLUMP_ERR_ARGUMENT,
                   "labels[2] is 1, but cloud 1 has 1 clusters");
    expect_failure(ctx, clump_describe_batch(ctx, p, offsets, 2, good, falling, NULL, found), CLUMP_ERR_ARGUMENT,
                   "cluster_offsets[2] is 1");
    expect_failure(ctx, clump_describe_batch(ctx, p, offsets, 2, good, NULL, NULL, found), CLUMP_ERR_ARGUMENT,
                   "cluster_offsets is null");
    expect_failure(ctx, clump_describe_batch(ctx, p, offsets, 2, good, first, NULL, NULL), CLUMP_ERR_ARGUMENT,
                   "clusters is null");
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_batch)
{
    RUN(random_batches);
    RUN(pairs_at_the_distance);
    RUN(very_wide_cloud);
    RUN(wrong_arguments);
    RUN(boxes);
    RUN(wrong_boxes);
}
