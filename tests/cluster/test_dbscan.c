/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dbscan.c: clump_dbscan on hundreds of clouds: every method with 1, 2, 3 and 8 threads must give the labels, core
 * flags and counts of the oracle, bit for bit, and the checker of properties must accept them.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/papers.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "oracle/verify_dbscan.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 2000, RUNS = 4 };

static const int run_threads[RUNS] = {1, 2, 3, 8};
static clump_context *contexts[RUNS];

/* A cloud, the parameters of a call, and the result of the oracle. */
typedef struct job {
    const char *name;
    long round;
    clump_points points;
    float eps;
    size_t min_points;
    clump_dbscan_options options;
    int32_t clusters;
    size_t finite, masked, noise;
} job;

static float xyz[3 * MOST];
static uint8_t mask[MOST], core[MOST + 1], expected_core[MOST];
static int32_t labels[MOST + 1], expected[MOST];

static void ask_oracle(job *j)
{
    j->clusters = oracle_dbscan(j->points, j->eps, j->min_points, &j->options, expected, expected_core);
    clump_ec_options all = oracle_common(&j->options);
    all.common.mask = NULL;
    j->finite = j->masked = j->noise = 0;
    for (size_t i = 0; i < j->points.count; i++) {
        j->finite += oracle_takes_part(j->points, &all, i);
        j->masked += j->options.common.mask && j->options.common.mask[i] == 0;
        j->noise += expected[i] == CLUMP_NOISE;
    }
}

static void compare(const job *j, int k, clump_dbscan_method method, bool with_core)
{
    const size_t n = j->points.count;
    clump_dbscan_options o = j->options;
    o.method = method;
    o.core = with_core ? core : NULL;
    int32_t found = -7;
    for (size_t i = 0; i < n; i++) labels[i] = 77;
    memset(core, 99, sizeof core);
    labels[n] = 123456;
    const clump_status status = clump_dbscan(contexts[k], j->points, j->eps, j->min_points, &o, labels, &found);
    CHECK_MSG(status == CLUMP_OK, "%s, round %ld: %s", j->name, j->round, clump_context_error(contexts[k]));
    if (status != CLUMP_OK) return;
    CHECK(labels[n] == 123456 && core[n] == 99);
    size_t at = 0;
    while (at < n && labels[at] == expected[at] && (!with_core || core[at] == expected_core[at])) at++;
    if (at < n || found != j->clusters)
        CHECK_FAIL("%s, round %ld: %s with %d threads, %zu points, eps %.9g, min %zu: %d clusters, not %d; point %zu",
                   j->name, j->round, clump_dbscan_method_name(method), run_threads[k], n, (double)j->eps,
                   j->min_points, found, j->clusters, at);
    const clump_stats s = clump_context_stats(contexts[k]);
    CHECK_MSG(s.points == n && s.finite == j->finite && s.masked == j->masked && s.noise == j->noise &&
                  s.clusters == j->clusters && s.backend == CLUMP_BACKEND_CPU,
              "%s, round %ld: %s: %zu finite, %zu masked, %zu noise, %d clusters", j->name, j->round, s.method,
              s.finite, s.masked, s.noise, s.clusters);
    CHECK_TEXT(s.method, clump_dbscan_method_name(method));
}

static void compare_all(const job *j)
{
    clump_message why;
    CHECK_MSG(verify_dbscan(j->points, j->eps, j->min_points, &j->options, expected, j->clusters, expected_core, &why),
              "%s, round %ld: the oracle: %s", j->name, j->round, why.text);
    FOR_CPU_METHODS (method, clump_dbscan_methods)
        for (int k = 0; k < RUNS; k++) compare(j, k, (clump_dbscan_method)method, (j->round + k) % 5 != 0);
}

static void random_clouds(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 1;
    long borders = 0;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 100 : 140); round++) {
        const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
        const float share = check_random_float(&random); /* mostly small ones */
        const size_t count =
            round < check_fewer(8, 30) ? (size_t)(round % 5) : (size_t)(share * share * share * (MOST + 0.99f));
        job j = {.name = cloud_name(shape), .round = round, .eps = cloud_fill(shape, xyz, count, &random)};
        const uint64_t scale = check_random(&random) % 10;
        if (scale < 3) j.eps *= 0.25f + 2 * check_random_float(&random);
        if (scale == 3) j.eps *= 0.001f;
        if (scale == 4) j.eps *= 50;
        if (!(j.eps * j.eps >= 0x1p-126f && j.eps * j.eps < INFINITY)) j.eps = 1;
        if (check_random(&random) % 5 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 50, &random);
        j.options = clump_dbscan_defaults();
        cloud_dbscan_options(&j.options, mask, count, &random);
        j.min_points = cloud_min_points(count, &random);
        if (j.options.common.two_d) cloud_spoil_z(xyz, count, &random);
        const cloud_view v = cloud_view_make(xyz, count, &random);
        j.points = v.points;
        ask_oracle(&j);
        compare_all(&j);
        for (size_t i = 0; i < count; i++) borders += expected[i] >= 0 && !expected_core[i];
        free(v.memory);
    }
    CHECK_MSG(borders > check_fewer(75, 300), "%ld border points: the test does not test", borders);
    destroy_contexts(contexts, RUNS);
}

/* The options of dclust change time and memory, never the result: also one chain with a list of one seed. */
static void dclust_options(void)
{
    static const int sizes[][3] = {{1, 32, 1},  {1, 0, 0},           {0, 32, 0},   {0, 0, 1},
                                   {33, 96, 2}, {1024, 1024, 65536}, {2, 1024, 3}, {65, 64, 5}};
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 6;
    int64_t most_passes = 0;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 64 : 80); round++) {
        const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
        const size_t count =
            round < check_fewer(4, 16) ? (size_t)round / check_fewer(1, 2) : check_random(&random) % 600;
        job j = {.name = cloud_name(shape), .round = round, .eps = cloud_fill(shape, xyz, count, &random)};
        j.options = clump_dbscan_defaults();
        cloud_dbscan_options(&j.options, mask, count, &random);
        j.min_points = cloud_min_points(count, &random);
        j.points = (clump_points){.xyz = xyz, .count = count};
        ask_oracle(&j);
        PAPERS(j.options)->dclust_chains = sizes[round % 8][0];
        PAPERS(j.options)->dclust_threads = sizes[round % 8][1];
        PAPERS(j.options)->dclust_seeds = sizes[round % 8][2];
        compare(&j, (int)(round / 8 % RUNS), CLUMP_DBSCAN_DCLUST, true);
        CHECK(clump_labels_hash(labels, count) == clump_labels_hash(expected, count));
        const int64_t passes = clump_context_stats(contexts[round / 8 % RUNS]).passes;
        if (passes > most_passes) most_passes = passes;
    }
    CHECK_MSG(most_passes > 100, "%ld passes at most: the options have no effect", (long)most_passes);
    destroy_contexts(contexts, RUNS);
}

/* Whole lattices, every point at exactly eps from its neighbours, and one float to either side. */
static void ties(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 2;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 12 : 24); round++) {
        const size_t side = 3 + (size_t)round % 7, flat = round % 3 ? side : 1;
        const float spacing = ldexpf(1, (int)(round % 11) - 5);
        size_t count = 0;
        for (size_t i = 0; i < side * side * flat; i++) {
            if (check_random(&random) % 4 == 0) continue; /* holes: border points and noise */
            const size_t at[3] = {i % side, i / side % side, i / side / side};
            for (size_t k = 0; k < 3; k++) xyz[3 * count + k] = spacing * ((float)at[k] - (float)(round % 4));
            count++;
        }
        job j = {.name = "lattice", .round = round, .points = {.xyz = xyz, .count = count}};
        j.eps = cloud_step(spacing * (round % 5 == 4 ? 2.0f : 1.0f), (int)(round / 2 % 3) - 1);
        j.min_points = 1 + (size_t)round % 8;
        j.options = clump_dbscan_defaults();
        j.options.no_border_points = round % 6 == 5;
        ask_oracle(&j);
        compare_all(&j);
    }
    destroy_contexts(contexts, RUNS);
}

/* With min_points 1 every point is a core point, and what is left of the difference to clump_ec is the tie: it joins
 * below d, this at eps as well. */
static void one_point_is_euclidean(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 3;
    static int32_t strict[MOST];
    for (int round = 0; round < 60; round++) {
        const size_t count = 2 + check_random(&random) % 500;
        for (size_t i = 0; i < 3 * count; i++) xyz[i] = 0.5f * (float)(check_random(&random) % 14);
        const clump_points points = {.xyz = xyz, .count = count};
        int32_t n = 0, below = 0, above = 0;
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = (clump_dbscan_method)cpu_method(&clump_dbscan_methods, round);
        o.core = core;
        clump_context *const ctx = contexts[round % RUNS];
        CHECK_INT(clump_dbscan(ctx, points, 0.5f, 1, &o, labels, &n), CLUMP_OK);
        for (size_t i = 0; i < count; i++) CHECK(core[i] == 1 && labels[i] >= 0);
        CHECK_INT(clump_ec(ctx, points, cloud_step(0.5f, 1), NULL, strict, &above), CLUMP_OK);
        CHECK_MSG(n == above && memcmp(labels, strict, count * sizeof *labels) == 0, "round %d: %d, not %d", round, n,
                  above);
        CHECK_INT(clump_ec(ctx, points, 0.5f, NULL, strict, &below), CLUMP_OK);
        CHECK(below >= n && (count < 100 || below > n)); /* copies alone hang together */
        CHECK_INT(clump_dbscan(ctx, points, cloud_step(0.5f, -1), 1, &o, labels, &n), CLUMP_OK);
        CHECK(n == below && memcmp(labels, strict, count * sizeof *labels) == 0);
    }
    destroy_contexts(contexts, RUNS);
}

/* DBSCAN*: the same core points in the same clusters, and no others. */
static void without_border_points(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 4;
    for (int round = 0; round < 64; round++) {
        const size_t count = check_random(&random) % 800, min_points = 2 + (size_t)round % 9;
        const float eps = cloud_fill((cloud_shape)(round % CLOUD_SHAPES), xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        clump_context *const ctx = contexts[round % RUNS];
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = (clump_dbscan_method)cpu_method(&clump_dbscan_methods, round / 16);
        o.core = core;
        int32_t with = -1, without = -1;
        CHECK_INT(clump_dbscan(ctx, points, eps, min_points, &o, expected, &with), CLUMP_OK);
        o.no_border_points = true;
        CHECK_INT(clump_dbscan(ctx, points, eps, min_points, &o, labels, &without), CLUMP_OK);
        CHECK_INT(without, with);
        for (size_t i = 0; i < count; i++) CHECK_INT(labels[i], core[i] ? expected[i] : CLUMP_NOISE);
    }
    destroy_contexts(contexts, RUNS);
}

/* One context for many clouds, both jobs in turn: no earlier call may influence a result. */
static void contexts_forget(void)
{
    clump_context *ctx;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    uint64_t random = 5;
    for (int round = 0; round < 240; round++) {
        const size_t count = check_random(&random) % (round % 3 == 0 ? 20u : 400u), min_points = 1 + (size_t)round % 7;
        const float d = cloud_fill((cloud_shape)(check_random(&random) % CLOUD_SHAPES), xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        int32_t found = -1;
        if (round % 3 == 1) {
            clump_ec_options o = clump_ec_defaults();
            o.method = (clump_ec_method)(round / 3 % 3); /* fast, bfs, vertex-es */
            CHECK_INT(clump_ec(ctx, points, d, &o, labels, &found), CLUMP_OK);
            CHECK_INT(found, oracle_ec(points, d, &o, expected));
        } else {
            clump_dbscan_options o = clump_dbscan_defaults();
            o.method = (clump_dbscan_method)cpu_method(&clump_dbscan_methods, round / 2);
            o.common.two_d = round % 5 == 0;
            CHECK_INT(clump_dbscan(ctx, points, d, min_points, &o, labels, &found), CLUMP_OK);
            CHECK_INT(found, oracle_dbscan(points, d, min_points, &o, expected, expected_core));
        }
        CHECK_MSG(memcmp(labels, expected, count * sizeof *labels) == 0, "round %d", round);
        if (round % 17 == 0) clump_context_trim(ctx);
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_dbscan)
{
    RUN(random_clouds);
    RUN(dclust_options);
    RUN(ties);
    RUN(one_point_is_euclidean);
    RUN(without_border_points);
    RUN(contexts_forget);
}
