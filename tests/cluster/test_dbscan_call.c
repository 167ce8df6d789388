/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dbscan_call.c: clump_dbscan as a call: refusals and their messages, and the state of the context
 * afterwards.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/oracle_dbscan.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <float.h>
#include <math.h>

enum { MOST = 3000 };

static float xyz[3 * MOST];
static int32_t labels[MOST], expected[MOST];
static uint8_t core[MOST], expected_core[MOST];

/* ----- arguments ---------------------------------------------------------------------------------- */

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    uint64_t random = 41;
    for (size_t i = 0; i < 300; i++) xyz[i] = 5 * check_random_float(&random);
    const clump_points p = {.xyz = xyz, .count = 100};
    clump_points q = p;
    clump_dbscan_options o = clump_dbscan_defaults();
    int32_t n = 5;
    CHECK_INT(clump_dbscan(NULL, p, 1, 5, NULL, labels, &n), CLUMP_ERR_ARGUMENT);

    static const float bad[] = {0,      -0.0f,           -1,      NAN,   INFINITY, -INFINITY, FLT_TRUE_MIN, FLT_MIN,
                                1e-20f, 0x1.fffffep-64f, 0x1p64f, 1e20f, FLT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_failure(ctx, clump_dbscan(ctx, p, bad[i], 5, NULL, labels, &n), CLUMP_ERR_ARGUMENT, "radius eps");
        expect_failure(ctx, clump_dbscan(ctx, (clump_points){0}, bad[i], 5, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT,
                       "clump_dbscan: ");
    }
    expect_failure(ctx, clump_dbscan(ctx, p, 0, 5, NULL, labels, &n), CLUMP_ERR_ARGUMENT,
                   "clump_dbscan: the radius eps is 0, it must be a number above 0");
    expect_failure(ctx, clump_dbscan(ctx, p, 1e-20f, 5, NULL, labels, &n), CLUMP_ERR_ARGUMENT, "1.1e-19 to 1.8e19");
    FOR_CPU_METHODS (method, clump_dbscan_methods) { /* the ends are allowed */
        o.method = (clump_dbscan_method)method;
        CHECK_INT(clump_dbscan(ctx, p, 0x1p-63f, 2, &o, labels, &n), CLUMP_OK);
        CHECK_INT(n, 0);
        CHECK_INT(clump_dbscan(ctx, p, 0x1.fffffep63f, 100, &o, labels, &n), CLUMP_OK);
        CHECK_INT(n, 1);
        CHECK_TEXT(clump_context_error(ctx), "");
    }
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 0, NULL, labels, &n), CLUMP_ERR_ARGUMENT,
                   "clump_dbscan: min_points is 0, it must be at least 1");

    expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, NULL, NULL, &n), CLUMP_ERR_ARGUMENT, "labels is null");
    q.count = (size_t)INT32_MAX + 1;
    expect_failure(ctx, clump_dbscan(ctx, q, 1, 5, NULL, labels, &n), CLUMP_ERR_TOO_MANY, "2147483647");

    o = clump_dbscan_defaults(), o.method = (clump_dbscan_method)99;
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, &n), CLUMP_ERR_ARGUMENT, "method number 99");
    o = clump_dbscan_defaults(), o.common.min_size = 9, o.common.max_size = 8;
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, &n), CLUMP_ERR_ARGUMENT,
                   "min_size 9 is larger than max_size 8");
    o = clump_dbscan_defaults(), o.common.clusters_on_device = &n;
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, &n), CLUMP_ERR_MEMORY_KIND, "clusters_on_device");
    memset(core, 1, sizeof core); /* core flags and a mask of 100, one array, or the last byte of one in the other */
    static const size_t shared[][2] = {{0, 0}, {0, 1}, {0, 99}, {1, 0}, {99, 0}}, apart[][2] = {{0, 100}, {100, 0}};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        o = clump_dbscan_defaults(), o.core = core + shared[i][0], o.common.mask = core + shared[i][1];
        expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, &n), CLUMP_ERR_ARGUMENT,
                       "clump_dbscan: core and mask overlap");
        CHECK_INT(clump_dbscan(ctx, (clump_points){0}, 1, 5, &o, NULL, &n), CLUMP_OK); /* no byte is in both */
    }
    for (size_t i = 0; i < 200; i++) CHECK_INT(core[i], 1);
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        memset(core, 1, sizeof core);
        o = clump_dbscan_defaults(), o.core = core + apart[i][0], o.common.mask = core + apart[i][1];
        CHECK_INT(clump_dbscan(ctx, p, 1, 5, &o, labels, &n), CLUMP_OK);
    }
    const clump_ec_options other = clump_ec_defaults();
    o = clump_dbscan_defaults(), o.cookie = other.cookie; /* another job's */
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, &n), CLUMP_ERR_OPTIONS, "clump_dbscan_defaults");

    /* the sentence goes with the next success, and after all this the context still works */
    CHECK_INT(clump_dbscan(ctx, p, 1, 5, NULL, labels, &n), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    CHECK_INT(n, oracle_dbscan(p, 1, 5, NULL, expected, expected_core));
    CHECK(memcmp(labels, expected, 100 * sizeof *labels) == 0);
    clump_context_destroy(ctx);
}

/* Unusual but allowed arguments. */
static void odd_arguments(void)
{
    clump_context *const ctx = cpu_context(2);
    FOR_CPU_METHODS (method, clump_dbscan_methods) {
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = (clump_dbscan_method)method;
        int32_t n = -1;
        CHECK_INT(clump_dbscan(ctx, (clump_points){0}, 1, 5, &o, NULL, &n), CLUMP_OK);
        CHECK_INT(n, 0);
        CHECK_INT(clump_context_stats(ctx).points, 0);
        for (size_t i = 0; i < 60; i++) xyz[i] = NAN;
        const clump_points p = {.xyz = xyz, .count = 20};
        o.core = core, n = -1;
        CHECK_INT(clump_dbscan(ctx, p, 1, 1, &o, labels, &n), CLUMP_OK);
        for (size_t i = 0; i < 20; i++) CHECK(labels[i] == CLUMP_NOISE && core[i] == 0);
        CHECK_INT(n, 0);
        for (size_t i = 0; i < 60; i++) xyz[i] = 1;
        const uint8_t nothing[20] = {0};
        o.common.mask = nothing;
        CHECK_INT(clump_dbscan(ctx, p, 1, 1, &o, labels, NULL), CLUMP_OK);
        CHECK(clump_context_stats(ctx).noise == 20 && clump_context_stats(ctx).masked == 20);
        o.common.mask = NULL;
        CHECK_INT(clump_dbscan(ctx, p, 1, SIZE_MAX, &o, labels, &n), CLUMP_OK);
        CHECK(n == 0 && clump_context_stats(ctx).noise == 20);
        CHECK_INT(clump_dbscan(ctx, p, 1, 20, &o, labels, &n), CLUMP_OK);
        CHECK(n == 1 && clump_context_stats(ctx).noise == 0);
        for (size_t i = 0; i < 60; i++) CHECK(xyz[i] == 1);
    }
    clump_context_destroy(ctx);
}

/* ----- what the context says ------------------------------------------------------------------------ */

/* The last call measured no load. */
static void expect_no_load(const clump_context *ctx)
{
    int count = -1;
    CHECK(clump_context_load(ctx, &count) == NULL && count == 0);
    count = -1;
    CHECK(clump_context_merge_load(ctx, &count) == NULL && count == 0);
}

static void expect_shares(const float *shares, int count, int threads)
{
    CHECK(shares != NULL);
    CHECK_INT(count, threads);
    for (int k = 0; shares && k < count; k++)
        CHECK_MSG(shares[k] >= 0 && shares[k] <= 1, "thread %d: %g", k, (double)shares[k]);
}

static void load_is_reported(void)
{
    expect_no_load(NULL);
    uint64_t random = 42;
    const float d = cloud_fill(CLOUD_UNIFORM, xyz, MOST, &random);
    const clump_points p = {.xyz = xyz, .count = MOST};
    for (int threads = 1; threads <= 3; threads++) {
        clump_context *const ctx = cpu_context(threads);
        int count = -1;
        expect_no_load(ctx);
        for (int round = 0; round < 2; round++) {
            clump_dbscan_options o = clump_dbscan_defaults();
            o.method = CLUMP_DBSCAN_DISJOINT_SET;
            CHECK_INT(clump_dbscan(ctx, p, d, 5, &o, labels, NULL), CLUMP_OK);
            const float *const load = clump_context_load(ctx, &count);
            CHECK(clump_context_load(ctx, NULL) == load);
            expect_shares(load, count, clump_context_stats(ctx).threads);
            const float *const merge_load = clump_context_merge_load(ctx, &count);
            CHECK(merge_load != load && clump_context_merge_load(ctx, NULL) == merge_load);
            expect_shares(merge_load, count, clump_context_stats(ctx).threads);
            CHECK_INT(clump_dbscan(ctx, (clump_points){0}, d, 5, &o, NULL, NULL), CLUMP_OK); /* nothing to do is fine */

            FOR_CPU_METHODS (method, clump_dbscan_methods) { /* the others do not say */
                if (method == CLUMP_DBSCAN_DISJOINT_SET) continue;
                o.method = CLUMP_DBSCAN_DISJOINT_SET;
                CHECK_INT(clump_dbscan(ctx, p, d, 5, &o, labels, NULL), CLUMP_OK);
                o.method = (clump_dbscan_method)method;
                CHECK_INT(clump_dbscan(ctx, p, d, 5, &o, labels, NULL), CLUMP_OK);
                expect_no_load(ctx);
            }
            o.method = CLUMP_DBSCAN_DISJOINT_SET;
            CHECK_INT(clump_dbscan(ctx, p, d, 5, &o, labels, NULL), CLUMP_OK);
            CHECK_INT(clump_ec(ctx, p, d, NULL, labels, NULL), CLUMP_OK);
            expect_no_load(ctx);
            CHECK_INT(clump_dbscan(ctx, p, d, 5, &o, labels, NULL), CLUMP_OK);
            clump_context_trim(ctx);
            expect_no_load(ctx);
        }
        clump_context_destroy(ctx);
    }
}

static void times_are_told(void)
{
    uint64_t random = 43;
    const float d = cloud_fill(CLOUD_CLUMPED, xyz, MOST, &random);
    const clump_points p = {.xyz = xyz, .count = MOST};
    clump_context *const ctx = cpu_context(2);
    FOR_CPU_METHODS (method, clump_dbscan_methods) {
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = (clump_dbscan_method)method;
        CHECK_INT(clump_dbscan(ctx, p, d, 5, &o, labels, NULL), CLUMP_OK);
        const clump_stats s = clump_context_stats(ctx);
        CHECK(s.build_ms >= 0 && s.cluster_ms >= 0 && s.label_ms >= 0 && s.build_ms + s.cluster_ms + s.label_ms > 0);
        CHECK(method == CLUMP_DBSCAN_DISJOINT_SET ? s.merge_ms > 0 : s.merge_ms == 0);
        CHECK(s.upload_ms == 0 && s.download_ms == 0 && s.passes >= 1 && s.threads >= 1 && s.threads <= 2);
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_dbscan_call)
{
    RUN(wrong_arguments);
    RUN(odd_arguments);
    RUN(load_is_reported);
    RUN(times_are_told);
}
