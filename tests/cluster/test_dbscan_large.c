/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dbscan_large.c: clump_dbscan on clouds large enough for several threads: all methods agree, with any number of
 * threads. And a million points in dense sets, where work or memory proportional to the neighbours would take hours or
 * fail.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/verify_dbscan.h"

#include <clump/info.h>
#include <clump/sim.h>

typedef struct cloud {
    float *xyz;
    int32_t *labels;
    uint8_t *core;
    clump_points points;
} cloud;

static cloud cloud_make(size_t count)
{
    cloud c = {malloc(3 * count * sizeof(float)), malloc(count * sizeof(int32_t)), malloc(count), {.count = count}};
    if (!c.xyz || !c.labels || !c.core) abort();
    c.points.xyz = c.xyz;
    return c;
}

static void cloud_free(cloud *c)
{
    free(c->xyz), free(c->labels), free(c->core);
}

/* ----- all methods agree ------------------------------------------------------------------------- */

/* `fast` with one thread runs first; verify: its labels are checked. The other runs are compared with it. */
static void compare_methods(cloud *c, float eps, size_t min_points, bool verify, const char *name)
{
    static const struct {
        clump_dbscan_method method;
        int threads;
    } runs[] = {{CLUMP_DBSCAN_FAST, 1},         {CLUMP_DBSCAN_FAST, 2},         {CLUMP_DBSCAN_FAST, 3},
                {CLUMP_DBSCAN_FAST, 8},         {CLUMP_DBSCAN_DISJOINT_SET, 1}, {CLUMP_DBSCAN_DISJOINT_SET, 2},
                {CLUMP_DBSCAN_DISJOINT_SET, 3}, {CLUMP_DBSCAN_DISJOINT_SET, 8}, {CLUMP_DBSCAN_SEQUENTIAL, 1},
                {CLUMP_DBSCAN_DCLUST, 1},       {CLUMP_DBSCAN_DCLUST, 2}};
    const size_t n = c->points.count;
    uint8_t *const first = malloc(n);
    uint64_t hash = 0;
    int32_t clusters = -1;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        clump_context *const ctx = cpu_context(runs[k].threads);
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = runs[k].method, o.core = c->core;
        int32_t found = -1;
        const clump_status status = clump_dbscan(ctx, c->points, eps, min_points, &o, c->labels, &found);
        CHECK_MSG(status == CLUMP_OK, "%s: %s", name, clump_context_error(ctx));
        if (k == 0) {
            hash = clump_labels_hash(c->labels, n), clusters = found;
            memcpy(first, c->core, n);
            clump_message why = {""};
            CHECK_MSG(!verify || verify_dbscan(c->points, eps, min_points, &o, c->labels, found, c->core, &why),
                      "%s: %s", name, why.text);
        }
        CHECK_MSG(found == clusters && clump_labels_hash(c->labels, n) == hash && memcmp(c->core, first, n) == 0,
                  "%s: %s with %d threads: %d clusters, expected %d", name, clump_dbscan_method_name(o.method),
                  runs[k].threads, found, clusters);
        const bool threaded = o.method == CLUMP_DBSCAN_FAST || o.method == CLUMP_DBSCAN_DISJOINT_SET;
        if (threaded && n > 8000 && runs[k].threads > 1)
            CHECK(clump_context_stats(ctx).threads > 1); /* or this shows nothing */
        clump_context_destroy(ctx);
    }
    free(first);
}

/* What the sizes below are divided by: the oracle compares all pairs. */
static size_t shorter(void)
{
    static const size_t by_tier[] = {4, 2, 1};
    return by_tier[check_tier() - 1];
}

static void layouts(void)
{
    static const struct {
        clump_layout layout;
        size_t points, clusters;
        double degree;
    } clouds[] = {{CLUMP_LAYOUT_BLOB, 32768, 64, 32},
                  {CLUMP_LAYOUT_BLOB, 32768, 64, 8}, /* thin: border points and noise */
                  {CLUMP_LAYOUT_LINE, 65536, 64, 32},
                  {CLUMP_LAYOUT_JOINTS, 32768, 64, 32},
                  {CLUMP_LAYOUT_SLABS, 20000, 2, 200}};
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) {
        clump_factors f = clump_factors_defaults();
        f.layout = clouds[k].layout, f.degree = clouds[k].degree;
        f.points = CLOUD_WATCHED ? 8192 : clouds[k].points / shorter();
        f.clusters = CLOUD_WATCHED ? 2 : clouds[k].clusters;
        f.distance = clouds[k].layout == CLUMP_LAYOUT_SLABS ? 1 : 2;
        cloud c = cloud_make(f.points);
        clump_message why = {""};
        CHECK_MSG(clump_sim_factors(&f, c.xyz, NULL, &why) == CLUMP_OK, "%s", why.text);
        compare_methods(&c, 1, clouds[k].degree < 10 ? 10 : 5, f.points < 40000, clump_layout_name(f.layout));
        if (!CLOUD_WATCHED) compare_methods(&c, 1, 2, false, clump_layout_name(f.layout));
        cloud_free(&c);
    }
}

static void shapes(void)
{
    for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
        const bool crowded =
            shape == CLOUD_COPIES || shape == CLOUD_EQUAL || shape == CLOUD_SLABS || shape == CLOUD_SCALES;
        uint64_t random = 200 + (uint64_t)shape;
        cloud c = cloud_make(crowded         ? (CLOUD_WATCHED ? 1500 : 4000 / shorter())
                             : CLOUD_WATCHED ? 8500
                                             : check_fewer(8500, 20000 / shorter()));
        const float eps = cloud_fill((cloud_shape)shape, c.xyz, c.points.count, &random);
        if (shape % 3 == 1) cloud_spoil(c.xyz, c.points.count, 100, &random);
        compare_methods(&c, eps, 2 + (size_t)shape % 5, true, cloud_name((cloud_shape)shape));
        cloud_free(&c);
    }
}

/* Threads meet in other places every time: many runs of the same cloud. */
static void threads_agree_every_time(void)
{
    static const cloud_shape some[] = {CLOUD_UNIFORM, CLOUD_LINE, CLOUD_SCAN, CLOUD_PLANE};
    cloud c = cloud_make(CLOUD_WATCHED ? 9000 : 24000);
    uint64_t random = 21;
    clump_context *const ctx[] = {cpu_context(1), cpu_context(2), cpu_context(3), cpu_context(8)};
    for (int s = 0; s < 4; s++) {
        const float eps = 1.5f * cloud_fill(some[s], c.xyz, c.points.count, &random);
        int32_t clusters = 0, found = 0;
        clump_dbscan_options o = clump_dbscan_defaults();
        CHECK_INT(clump_dbscan(ctx[0], c.points, eps, 4, &o, c.labels, &clusters), CLUMP_OK);
        const uint64_t hash = clump_labels_hash(c.labels, c.points.count);
        for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 6 : 8); round++) {
            o.method = round % 2 ? CLUMP_DBSCAN_DISJOINT_SET : CLUMP_DBSCAN_FAST;
            CHECK_INT(clump_dbscan(ctx[1 + round / 2 % 3], c.points, eps, 4, &o, c.labels, &found), CLUMP_OK);
            CHECK_MSG(found == clusters && clump_labels_hash(c.labels, c.points.count) == hash,
                      "%s, round %d: %d clusters, not %d", cloud_name(some[s]), round, found, clusters);
        }
    }
    for (int k = 0; k < 4; k++) clump_context_destroy(ctx[k]);
    cloud_free(&c);
}

/* ----- a million points ---------------------------------------------------------------------------- */

/* A quarter of it in tier 1. */
#define MILLION ((size_t)(CLOUD_WATCHED ? 30000 : check_fewer(250000, 1000000)))

/* `fast` needs linear memory. */
static int32_t run_fast(cloud *c, float eps, size_t min_points, int threads, const char *name)
{
    clump_context *const ctx = cpu_context(threads);
    clump_dbscan_options o = clump_dbscan_defaults();
    o.core = c->core;
    int32_t found = -1;
    const clump_status status = clump_dbscan(ctx, c->points, eps, min_points, &o, c->labels, &found);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", name, clump_context_error(ctx));
    const size_t held = clump_context_stats(ctx).host_bytes;
    CHECK_MSG(held <= 80 * c->points.count + 65536, "%s, %d threads: %zu bytes for %zu points", name, threads, held,
              c->points.count);
    clump_context_destroy(ctx);
    return found;
}

/* Point i is in cluster i % clusters and a core point, or else all are noise. */
static void expect_parts(cloud *c, float eps, size_t min_points, int32_t clusters, const char *name)
{
    for (int threads = 1; threads <= 2; threads++) {
        CHECK_INT(run_fast(c, eps, min_points, threads, name), clusters);
        size_t right = 0;
        for (size_t i = 0; i < c->points.count; i++)
            right += clusters ? c->labels[i] == (int32_t)(i % (size_t)clusters) && c->core[i] == 1
                              : c->labels[i] == CLUMP_NOISE && c->core[i] == 0;
        CHECK_MSG(right == c->points.count, "%s, min %zu, %d threads: %zu of %zu points are right", name, min_points,
                  threads, right, c->points.count);
    }
}

static void a_million_within_eps(void)
{
    cloud c = cloud_make(MILLION);
    uint64_t random = 22;
    for (size_t i = 0; i < 3 * c.points.count; i++) c.xyz[i] = 0.57f * check_random_float(&random);
    expect_parts(&c, 1, 10, 1, "within eps");
    expect_parts(&c, 1, c.points.count + 1, 0, "within eps");
    for (size_t i = 0; i < 3 * c.points.count; i++) c.xyz[i] = 1.25f;
    expect_parts(&c, 1e-3f, 10, 1, "copies");
    expect_parts(&c, 1e-3f, c.points.count, 1, "copies");
    expect_parts(&c, 1e-3f, c.points.count + 1, 0, "copies");
    cloud_free(&c);
}

/* Even points in one, odd ones in the other: apart, at exactly eps, and one float more. */
static void two_crowded_cells(void)
{
    cloud c = cloud_make(MILLION);
    uint64_t random = 23;
    for (size_t i = 0; i < c.points.count; i++) {
        c.xyz[3 * i] = (i % 2 ? 1.2f : 0) + 0.1f * check_random_float(&random); /* 1.1 apart at least */
        c.xyz[3 * i + 1] = 0.1f * check_random_float(&random);
        c.xyz[3 * i + 2] = 0.1f * check_random_float(&random);
    }
    expect_parts(&c, 1, 10, 2, "two crowds");
    expect_parts(&c, 1, MILLION, 0, "two crowds"); /* as many as there are of both: every neighbour counts */
    for (size_t i = 0; i < c.points.count; i++) c.xyz[3 * i] = i % 2 ? 6 : 5, c.xyz[3 * i + 1] = c.xyz[3 * i + 2] = 0;
    expect_parts(&c, 1, 10, 1, "two places");
    expect_parts(&c, cloud_step(1, -1), 10, 2, "two places");
    expect_parts(&c, 1, MILLION, 1, "two places");
    cloud_free(&c);
}

static void a_million_in_slabs(void)
{
    clump_factors f = clump_factors_defaults();
    f.layout = CLUMP_LAYOUT_SLABS, f.points = MILLION, f.clusters = 2, f.distance = 1;
    f.degree = CLOUD_WATCHED ? 1000 : check_fewer(5000, 20000);
    cloud c = cloud_make(f.points);
    int32_t *const truth = malloc(f.points * sizeof *truth);
    clump_message why = {""};
    CHECK_MSG(clump_sim_factors(&f, c.xyz, truth, &why) == CLUMP_OK, "%s", why.text);
    for (int threads = 1; threads <= 2; threads++) {
        CHECK_INT(run_fast(&c, 1, 10, threads, "slabs"), 2);
        size_t right = 0;
        for (size_t i = 0; i < f.points; i++) right += c.labels[i] == truth[i] && c.core[i] == 1;
        CHECK_MSG(right == f.points, "%zu of %zu points are right", right, f.points);
    }
    free(truth);
    cloud_free(&c);
}

/* A tenth of the points around a crowd of all others. Its neighbours cannot tell it from a crowd of min_points: none
 * is at a distance of about eps. So the answer is that of a small cloud, which the textbook method gives. */
static void one_crowded_cell_beside_many(void)
{
    const size_t few = MILLION / 10, min_points = 8, crowd = MILLION - few;
    cloud c = cloud_make(MILLION), small = cloud_make(few + min_points);
    uint64_t random = 24;
    const float side = CLOUD_WATCHED ? 18 : check_fewer(38, 60); /* about two points within eps */
    for (size_t i = 0; i < few;) {
        float *const p = c.xyz + 3 * i;
        for (size_t k = 0; k < 3; k++) p[k] = side * (check_random_float(&random) - 0.5f);
        const float r2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        if (r2 < 2.2f || r2 > 2.3f) i++; /* eps is 1.5 */
    }
    for (size_t i = 0; i < 3 * crowd; i++) c.xyz[3 * few + i] = 0.002f * check_random_float(&random);
    memcpy(small.xyz, c.xyz, 3 * small.points.count * sizeof(float));

    clump_context *const ctx = cpu_context(1);
    clump_dbscan_options o = clump_dbscan_defaults();
    o.method = CLUMP_DBSCAN_SEQUENTIAL, o.core = small.core;
    int32_t clusters = -1;
    CHECK_INT(clump_dbscan(ctx, small.points, 1.5f, min_points, &o, small.labels, &clusters), CLUMP_OK);
    clump_context_destroy(ctx);
    CHECK(clusters > 10);
    for (int threads = 1; threads <= 2; threads++) {
        CHECK_INT(run_fast(&c, 1.5f, min_points, threads, "one crowd"), clusters);
        size_t right = 0;
        for (size_t i = 0; i < MILLION; i++) {
            const size_t k = i < few ? i : few;
            right += c.labels[i] == small.labels[k] && c.core[i] == small.core[k];
        }
        CHECK_MSG(right == MILLION, "%zu points are right", right);
    }
    cloud_free(&c), cloud_free(&small);
}

CHECK_PROGRAM(test_dbscan_large)
{
    RUN(layouts);
    RUN(shapes);
    RUN(threads_agree_every_time);
    RUN(a_million_within_eps);
    RUN(two_crowded_cells);
    RUN(a_million_in_slabs);
    RUN(one_crowded_cell_beside_many);
}
