/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ec.c: clump_ec on thousands of clouds: `fast` with 1, 2 and 7 threads and all other methods must give the labels
 * of the oracle, bit for bit, and the checker of properties must accept them.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/oracle.h"
#include "oracle/verify.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 2000, RUNS = 4, FEW = 700 };

typedef struct runs {
    clump_context *ctx[RUNS];
} runs;

static const int run_threads[RUNS] = {1, 2, 7, 1};

static runs runs_create(void)
{
    runs r;
    cpu_contexts(r.ctx, run_threads, RUNS);
    return r;
}

static void runs_destroy(runs *r)
{
    destroy_contexts(r->ctx, RUNS);
}

/* All runs on one cloud; labels, counts and statistics. expected may be null: then they must agree
 * with each other and pass the checker. */
static void compare(const runs *r, clump_points points, float d, const clump_ec_options *given, const int32_t *expected,
                    int32_t clusters, const char *name, long round)
{
    const size_t n = points.count;
    size_t finite = 0, masked = 0, noise = 0;
    clump_ec_options all_finite = *given;
    all_finite.common.mask = NULL;
    for (size_t i = 0; i < n; i++) {
        finite += oracle_takes_part(points, &all_finite, i);
        masked += given->common.mask && given->common.mask[i] == 0;
    }
    int32_t *const labels = malloc((n + 1) * sizeof *labels);
    uint64_t hash = expected ? clump_labels_hash(expected, n) : 0;
    for (int run = 0, method = CLUMP_EC_FAST; method >= 0; run++) {
        if (n > FEW && clump_ec_methods.rows[method].cost != CLUMP_COST_LINEAR) {
            method = next_cpu_method(&clump_ec_methods, method);
            continue;
        }
        const int k = run < RUNS ? run : RUNS - 1;
        clump_ec_options options = *given;
        options.method = (clump_ec_method)method;
        int32_t found = -7;
        for (size_t i = 0; i < n; i++) labels[i] = 77;
        labels[n] = 123456;
        const clump_status status = clump_ec(r->ctx[k], points, d, &options, labels, &found);
        CHECK_MSG(status == CLUMP_OK, "%s, round %ld: %s", name, round, clump_context_error(r->ctx[k]));
        CHECK_INT(labels[n], 123456);
        if (run == 0) {
            clump_message why;
            CHECK_MSG(verify_ec(points, d, &options, labels, found, &why), "%s, round %ld: %s", name, round, why.text);
            if (!expected) hash = clump_labels_hash(labels, n), clusters = found;
            for (size_t i = 0; i < n; i++) noise += labels[i] == CLUMP_NOISE;
        }
        CHECK_MSG(found == clusters && clump_labels_hash(labels, n) == hash,
                  "%s, round %ld: %s with %d threads, %zu points, d %.9g: %d clusters, expected %d", name, round,
                  clump_ec_method_name(options.method), run_threads[k], n, (double)d, found, clusters);
        const clump_stats s = clump_context_stats(r->ctx[k]);
        CHECK_MSG(s.points == n && s.finite == finite && s.masked == masked && s.noise == noise &&
                      s.clusters == clusters,
                  "%s, round %ld: %zu finite, %zu masked, %zu noise", name, round, s.finite, s.masked, s.noise);
        if (run >= RUNS - 2)
            method = next_cpu_method(&clump_ec_methods, method); /* `fast` has run in RUNS - 1 contexts */
    }
    free(labels);
}

static void random_clouds(void)
{
    runs r = runs_create();
    static float xyz[3 * MOST];
    static int32_t expected[MOST];
    static uint8_t mask[MOST];
    uint64_t random = 1;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 400 : 700); round++) {
        const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
        const float share = check_random_float(&random); /* mostly small ones */
        const size_t count = round < check_fewer(10, 40) ? (size_t)(round % 4)
                                                         : (size_t)(share * share * share * share * (MOST + 0.99f));
        float d = cloud_fill(shape, xyz, count, &random);
        if (check_random(&random) % 8 == 0) d *= 0.25f + 2 * check_random_float(&random);
        if (!(d * d >= 0x1p-126f && d * d < INFINITY)) d = 1;
        if (check_random(&random) % 5 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 50, &random);
        clump_ec_options o = clump_ec_defaults();
        cloud_options(&o, mask, count, &random);
        if (o.common.two_d) cloud_spoil_z(xyz, count, &random);
        const cloud_view v = cloud_view_make(xyz, count, &random);
        const int32_t clusters = oracle_ec(v.points, d, &o, expected);
        compare(&r, v.points, d, &o, expected, clusters, cloud_name(shape), round);
        free(v.memory);
    }
    runs_destroy(&r);
}

/* Large enough for several threads; too large for the oracle, not for the checker. */
static void large_clouds(void)
{
    runs r = runs_create();
    const size_t most = 60000;
    float *const xyz = malloc(3 * most * sizeof *xyz);
    uint8_t *const mask = malloc(most);
    for (long round = 0; round < check_rounds(CLOUD_SHAPES); round++) {
        const cloud_shape shape = (cloud_shape)(check_turn(round) % CLOUD_SHAPES);
        const bool crowded =
            shape == CLOUD_COPIES || shape == CLOUD_EQUAL || shape == CLOUD_SLABS || shape == CLOUD_SCALES;
        uint64_t random = 100 + (uint64_t)round; /* of its own: what a cloud costs is up to chance */
        const size_t count = crowded || CLOUD_WATCHED ? 8500 : 30000 + check_random(&random) % 20001;
        const float d = cloud_fill(shape, xyz, count, &random);
        if (round % 3 == 1) cloud_spoil(xyz, count, 100, &random);
        clump_ec_options o = clump_ec_defaults();
        cloud_options(&o, mask, count, &random);
        o.common.two_d = false; /* seen from above these are too crowded for bfs */
        const cloud_view v = cloud_view_make(xyz, count, &random);
        compare(&r, v.points, d, &o, NULL, 0, cloud_name(shape), round);
        CHECK(clump_context_stats(r.ctx[1]).threads == 2);
        free(v.memory);
    }
    free(xyz), free(mask);
    runs_destroy(&r);
}

/* The timing of threads differs in every run: many runs of one cloud. */
static void threads_agree_every_time(void)
{
    runs r = runs_create();
    const size_t count = 32768;
    float *const xyz = malloc(3 * count * sizeof *xyz);
    int32_t *const labels = malloc(count * sizeof *labels);
    uint64_t random = 3;
    static const cloud_shape shapes[] = {CLOUD_UNIFORM, CLOUD_LINE, CLOUD_SCAN, CLOUD_PLANE};
    for (int s = 0; s < 4; s++) {
        const clump_points points = {.xyz = xyz, .count = count};
        const float d = cloud_fill(shapes[s], xyz, count, &random);
        int32_t clusters = 0, found = 0;
        CHECK_INT(clump_ec(r.ctx[0], points, d, NULL, labels, &clusters), CLUMP_OK);
        const uint64_t hash = clump_labels_hash(labels, count);
        for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 12 : 14); round++) {
            CHECK_INT(clump_ec(r.ctx[1 + round % 2], points, d, NULL, labels, &found), CLUMP_OK);
            CHECK_MSG(found == clusters && clump_labels_hash(labels, count) == hash,
                      "%s, round %d: %d clusters, not %d", cloud_name(shapes[s]), round, found, clusters);
        }
    }
    free(xyz), free(labels);
    runs_destroy(&r);
}

/* One context for many clouds: no earlier cloud may influence a result. */
static void contexts_forget(void)
{
    clump_context *ctx;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    static float xyz[3 * MOST];
    static int32_t labels[MOST], expected[MOST];
    uint64_t random = 4;
    for (int round = 0; round < 200; round++) {
        const size_t count = check_random(&random) % (round % 3 == 0 ? 20u : 400u);
        const float d = cloud_fill((cloud_shape)(check_random(&random) % CLOUD_SHAPES), xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        clump_ec_options o = clump_ec_defaults();
        o.method = round % 2 == 0 ? CLUMP_EC_FAST : (clump_ec_method)cpu_method(&clump_ec_methods, round / 2);
        o.common.two_d = round % 5 == 0;
        int32_t found = -1;
        CHECK_INT(clump_ec(ctx, points, d, &o, labels, &found), CLUMP_OK);
        CHECK_INT(found, oracle_ec(points, d, &o, expected));
        CHECK_MSG(memcmp(labels, expected, count * sizeof *labels) == 0, "round %d", round);
        if (round % 17 == 0) clump_context_trim(ctx);
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_ec)
{
    RUN(random_clouds);
    RUN(large_clouds);
    RUN(threads_agree_every_time);
    RUN(contexts_forget);
}
