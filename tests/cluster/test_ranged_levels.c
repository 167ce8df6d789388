/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ranged_levels.c: the tree of clusters of nested radii (cpu/ranged/ranged.h), and DBSCAN by shells and without. Every level must have the
 * labels of Euclidean clustering with its radii, with any number of threads: those of the oracle on random clouds, those
 * of clump_ec and of clump_ranged_any_ec on large ones.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/context.h"
#include "cpu/ranged/ranged.h"
#include "hostile/hostile.h"
#include "oracle/oracle.h"
#include "support/scans.h"

#include <float.h>
#include <math.h>

enum { MOST = 700, RUNS = 4, LEVELS = CLUMP_TREE_LEVELS };

static const int run_threads[RUNS] = {1, 2, 3, 8};

/* A context, and the memory of the CPU backend that the tree needs. */
typedef struct tree_user {
    clump_context *ctx;
    clump_ranged ranged;
    clump_cpu_fast fast;
} tree_user;

static tree_user users[RUNS];

static void open_users(void)
{
    for (int k = 0; k < RUNS; k++) users[k] = (tree_user){.ctx = cpu_context(run_threads[k])};
}

static void close_user(tree_user *u)
{
    clump_ranged_release(&u->ctx->work, &u->ranged);
    clump_cpu_fast_release(&u->ctx->work, &u->fast);
    clump_context_destroy(u->ctx);
}

static void close_users(void)
{
    for (int k = 0; k < RUNS; k++) close_user(&users[k]);
}

static const float factor_sets[][LEVELS] = {{0.5f, 1, 2},
                                            {0.3f, 0.9f, 1.7f},
                                            {1},
                                            {0.5f, 1, 2, 4},
                                            {0.25f, 0.5f},
                                            {1, 1, 2},
                                            {1, 1.0001f},
                                            {0.125f, 0.25f, 0.5f, 1},
                                            {0.5f, 2, 2.5f},
                                            {0.7f, 1.4f, 2.8f, 5},
                                            {2, 4, 8}};
enum { FACTOR_SETS = sizeof factor_sets / sizeof *factor_sets };

static int level_count(const float *factor)
{
    int k = 0;
    while (k < LEVELS && factor[k] > 0) k++;
    return k;
}

typedef struct tree {
    int32_t *labels, *parent[LEVELS];
    int32_t counts[LEVELS];
    clump_stats result;
} tree;

static tree tree_make(size_t count)
{
    tree t = {.labels = malloc((count + 1) * sizeof(int32_t))};
    for (int k = 0; k + 1 < LEVELS; k++) t.parent[k] = malloc((count + 1) * sizeof(int32_t));
    return t;
}

static void tree_free(tree *t)
{
    free(t->labels);
    for (int k = 0; k + 1 < LEVELS; k++) free(t->parent[k]);
}

static clump_cloud_job job_of(clump_points points, float d, const clump_ec_options *o, int32_t *labels)
{
    clump_cloud_job job = {.points = (const char *)points.xyz,
                           .count = points.count,
                           .stride = points.stride ? points.stride : 12,
                           .d = d,
                           .bound = d * d,
                           .per_metre = o->common.eps_per_metre,
                           .two_d = o->common.two_d,
                           .mask = o->common.mask,
                           .labels = labels,
                           .wait = true};
    memcpy(job.sensor, o->common.sensor, sizeof job.sensor);
    return job;
}

static clump_status run_tree(tree_user *u, clump_points points, float d, const clump_ec_options *o, const float *factor,
                             tree *t)
{
    for (size_t i = 0; i < points.count; i++) t->labels[i] = 77;
    for (int k = 0; k < LEVELS; k++) t->counts[k] = -7;
    t->result = (clump_stats){.threads = 1, .passes = 1};
    const clump_cloud_job job = job_of(points, d, o, t->labels);
    return clump_ranged_tree(&u->ctx->work, &u->ranged, &u->fast, &job, level_count(factor), factor, t->parent,
                             t->counts, &t->result);
}

/* The cluster of point i at a level. */
static int32_t label_at(const tree *t, size_t i, int level)
{
    int32_t label = t->labels[i];
    for (int k = 0; k < level && label >= 0; k++) label = t->parent[k][label];
    return label;
}

static void compare_level(const tree *t, int level, size_t count, const int32_t *expected, int32_t clusters,
                          const char *name, long round, int threads)
{
    size_t at = 0;
    while (at < count && label_at(t, at, level) == expected[at]) at++;
    if (t->counts[level] != clusters || at < count)
        CHECK_FAIL("%s, round %ld, %d threads, level %d: %d clusters, expected %d; point %zu of %zu", name, round,
                   threads, level, t->counts[level], clusters, at, count);
}

/* ----- random clouds --------------------------------------------------------------------------------------- */

static float xyz[3 * MOST];
static uint8_t mask[MOST];
static int32_t expected[MOST];
static long trees, trees_with_levels; /* the latter have different numbers of clusters: a test without them is void */

/* Compares all levels with the oracle. Returns false where a radius is not allowed. */
static bool compare_with_oracle(clump_points points, float d, const clump_ec_options *options, const float *factor,
                                const char *name, long round)
{
    const int levels = level_count(factor);
    for (int k = 0; k < levels; k++) {
        const float r = d * factor[k];
        if (!(r * r >= FLT_MIN && r * r < INFINITY)) return false;
    }
    tree t[RUNS];
    for (int run = 0; run < RUNS; run++) {
        t[run] = tree_make(points.count);
        CHECK_INT(run_tree(&users[run], points, d, options, factor, &t[run]), CLUMP_OK);
    }
    for (int k = 0; k < levels; k++) {
        clump_ec_options o = *options;
        o.common.eps_per_metre = options->common.eps_per_metre * factor[k];
        const int32_t clusters = oracle_ec(points, d * factor[k], &o, expected);
        for (int run = 0; run < RUNS; run++)
            compare_level(&t[run], k, points.count, expected, clusters, name, round, run_threads[run]);
    }
    size_t noise = 0;
    for (size_t i = 0; i < points.count; i++) noise += expected[i] == CLUMP_NOISE;
    for (int run = 0; run < RUNS; run++) CHECK_INT(t[run].result.noise, noise);
    trees++;
    trees_with_levels += t[0].counts[0] > t[0].counts[levels - 1];
    for (int run = 0; run < RUNS; run++) tree_free(&t[run]);
    return true;
}

/* A factor by which the radius grows: none, or so that it exceeds d from somewhere in the cloud on. */
static float some_growth(const clump_ec_options *o, size_t count, float d, uint64_t *random)
{
    static const float some[] = {0, 1e-30f, 1e-3f, 0.0175f, 0.1f, 0.3f, 0.9f, 4, 1e10f};
    if (count == 0 || check_random(random) % 3 == 0) return some[check_random(random) % (sizeof some / sizeof *some)];
    const float *const p = xyz + 3 * (check_random(random) % count);
    const float range = hypotf(hypotf(p[0] - o->common.sensor[0], p[1] - o->common.sensor[1]),
                               o->common.two_d ? 0 : p[2] - o->common.sensor[2]);
    const float s = d / range * ldexpf(1, (int)(check_random(random) % 4));
    return s < 1e18f ? s : 0.01f; /* not where the range is 0, or not finite */
}

static void random_clouds(void)
{
    open_users();
    uint64_t random = 11;
    trees = trees_with_levels = 0;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 60 : 360); round++) {
        const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
        const float share = check_random_float(&random);
        const size_t count =
            round < check_fewer(3, 12) ? (size_t)(round % 3) : (size_t)(share * share * (MOST + 0.99f));
        const float d = cloud_fill(shape, xyz, count, &random);
        clump_ec_options o = clump_ec_defaults();
        o.common.two_d = check_random(&random) % 4 == 0;
        if (check_random(&random) % 3 == 0 && count > 0)
            for (int k = 0; k < 3; k++) {
                const float at = xyz[3 * (check_random(&random) % count) + (size_t)k];
                o.common.sensor[k] = isfinite(at) ? at : 0;
            }
        o.common.eps_per_metre = some_growth(&o, count, d, &random);
        if (check_random(&random) % 6 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 50, &random);
        if (o.common.two_d) cloud_spoil_z(xyz, count, &random);
        for (size_t i = 0; i < count; i++) mask[i] = check_random(&random) % 5 != 0;
        if (check_random(&random) % 4 == 0) o.common.mask = mask;
        const float *const factor = factor_sets[check_random(&random) % FACTOR_SETS];
        compare_with_oracle((clump_points){.xyz = xyz, .count = count}, d, &o, factor, cloud_name(shape), round);
    }
    CHECK_MSG(20 * trees_with_levels > trees, "%ld of %ld trees have several levels", trees_with_levels, trees);
    close_users();
}

/* Walks away from the sensor in steps of about the radius of some level: radii of several octaves meet. */
static void walks(void)
{
    open_users();
    uint64_t random = 12;
    trees = trees_with_levels = 0;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 30 : 160); round++) {
        static const float growth[] = {0, 0.0175f, 0.05f, 0.15f, 0.3f, 0.6f, 1.2f};
        const size_t count = 20 + check_random(&random) % (MOST - 20);
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = growth[(size_t)round % 7];
        o.common.two_d = round % 5 == 3;
        const float away = round % 4 == 0 ? 3e4f : 20;
        for (int k = 0; k < 3; k++) o.common.sensor[k] = away * (check_random_float(&random) - 0.5f);
        const float octaves = 3 + 6 * check_random_float(&random), spread = 0.3f + 2 * check_random_float(&random);
        float at[3] = {1, 0, 0};
        for (size_t i = 0; i < count; i++) {
            const float range = hypotf(hypotf(at[0], at[1]), at[2]);
            const float step = spread * fmaxf(0.4f, o.common.eps_per_metre * range);
            const float anew = exp2f(octaves * check_random_float(&random));
            for (int k = 0; k < 3; k++) {
                const float u = check_random_float(&random) - 0.5f;
                at[k] = i % 25 == 0 ? anew * u : at[k] + step * u;
                xyz[3 * i + (size_t)k] = at[k] + o.common.sensor[k];
            }
        }
        const float *const factor = factor_sets[check_random(&random) % FACTOR_SETS];
        compare_with_oracle((clump_points){.xyz = xyz, .count = count}, 0.4f, &o, factor, "walks", round);
    }
    CHECK_MSG(4 * trees_with_levels > trees, "%ld of %ld trees have several levels", trees_with_levels, trees);
    close_users();
}

/* Lattices with power-of-two spacing around the sensor: many pairs are exactly on the bound of some level, or one float
 * beside it. */
static void ties(void)
{
    open_users();
    uint64_t random = 13;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 20 : 90); round++) {
        const size_t side = 5 + (size_t)round % 4, flat = round % 3 ? side : 1;
        const float spacing = ldexpf(1, (int)(round % 9) - 4);
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = cloud_step(ldexpf(1, -(int)(check_random(&random) % 7)), (int)(round % 3) - 1);
        size_t count = 0;
        for (size_t i = 0; i < side * side * flat && count < MOST; i++) {
            if (check_random(&random) % 3 == 0) continue;
            const size_t at[3] = {i % side, i / side % side, i / side / side};
            for (size_t k = 0; k < 3; k++) xyz[3 * count + k] = spacing * ((float)at[k] - (float)(round % 4));
            count++;
        }
        const float d = cloud_step(spacing * (round % 2 ? 0.5f : 1.0f), (int)(round / 2 % 3) - 1);
        const float *const factor = factor_sets[check_random(&random) % FACTOR_SETS];
        compare_with_oracle((clump_points){.xyz = xyz, .count = count}, d, &o, factor, "lattice", round);
    }
    close_users();
}

/* ----- large clouds ----------------------------------------------------------------------------------------- */

/* Labels one level by clump_ec, and by the tree of all points where the radius grows: both must agree. Returns the
 * clusters. */
static int32_t label_level(tree_user *u, clump_points points, float d, const clump_ec_options *o, int32_t *labels,
                           int32_t *again)
{
    int32_t clusters = -1;
    CHECK_INT(clump_ec(u->ctx, points, d, o, labels, &clusters), CLUMP_OK);
    if (!(o->common.eps_per_metre > 0)) return clusters;
    clump_stats result = {.threads = 1, .passes = 1};
    const clump_cloud_job job = job_of(points, d, o, again);
    CHECK_INT(clump_ranged_any_ec(&u->ctx->work, &u->ranged.any[0], &job, &result), CLUMP_OK);
    CHECK_INT(result.clusters, clusters);
    CHECK(memcmp(labels, again, points.count * sizeof *labels) == 0);
    return clusters;
}

/* Compares all levels with Euclidean clustering, for all numbers of threads. */
static void compare_with_ec(clump_points points, float d, const clump_ec_options *options, const float *factor,
                            const char *name)
{
    tree t = tree_make(points.count);
    int32_t *const labels = malloc((points.count + 1) * LEVELS * sizeof *labels);
    int32_t clusters[LEVELS];
    for (int k = 0; k < level_count(factor); k++) {
        clump_ec_options o = *options;
        o.common.eps_per_metre = options->common.eps_per_metre * factor[k];
        clusters[k] = label_level(&users[0], points, d * factor[k], &o, labels + (size_t)k * points.count, t.labels);
    }
    for (int run = 0; run < RUNS; run++) {
        CHECK_INT(run_tree(&users[run], points, d, options, factor, &t), CLUMP_OK);
        for (int k = 0; k < level_count(factor); k++)
            compare_level(&t, k, points.count, labels + (size_t)k * points.count, clusters[k], name, 0,
                          run_threads[run]);
    }
    free(labels);
    tree_free(&t);
}

static void scans(void)
{
    static const char *const names[] = {"kitti/semkitti_00_000000.bin", "kitti/semkitti_04_000003.bin"};
    open_users();
    for (size_t s = 0; s < (CLOUD_WATCHED ? 1 : 2); s++) {
        clump_cloud *const cloud = scan_load(names[s]);
        if (!cloud) {
            close_users();
            SKIP(DO_DATA);
        }
        clump_points points = clump_cloud_points(cloud);
        if (CLOUD_WATCHED) points.count /= 8;
        uint8_t *const above = malloc(points.count); /* roughly without the ground */
        for (size_t i = 0; i < points.count; i++) above[i] = oracle_point(points, i)[2] > -1.4f;
        clump_ec_options o = clump_ec_defaults();
        o.common.mask = above;
        compare_with_ec(points, 0.25f, &o, factor_sets[0], names[s]);
        o.common.eps_per_metre = 0.0175f;
        compare_with_ec(points, 0.25f, &o, factor_sets[0], names[s]);
        compare_with_ec(points, 0.25f, &o, factor_sets[1], names[s]);
        o.common.mask = NULL, o.common.two_d = true;
        compare_with_ec(points, 0.25f, &o, factor_sets[3], names[s]);
        free(above);
        clump_cloud_destroy(cloud);
    }
    close_users();
}

/* Clouds that are large enough for several threads. */
static void large_clouds(void)
{
    enum { LARGE = CLOUD_WATCHED ? 9000 : 30000 };
    static const cloud_shape shapes[] = {CLOUD_UNIFORM, CLOUD_CLUMPED, CLOUD_PLANE, CLOUD_SCAN, CLOUD_JITTER};
    float *const cloud = malloc(3 * LARGE * sizeof *cloud);
    uint64_t random = 16;
    open_users();
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const float d = cloud_fill(shapes[k], cloud, LARGE, &random);
        const clump_points points = {.xyz = cloud, .count = LARGE};
        clump_ec_options o = clump_ec_defaults();
        compare_with_ec(points, d, &o, factor_sets[0], cloud_name(shapes[k]));
        const float *const p = cloud + 3 * (LARGE / 2);
        o.common.eps_per_metre =
            fminf(0.5f * d / hypotf(hypotf(p[0], p[1]), p[2]), 0.1f); /* some radii are d, others not */
        compare_with_ec(points, d, &o, factor_sets[0], cloud_name(shapes[k]));
        o.common.eps_per_metre *= 4;
        o.common.two_d = k % 2 == 0;
        compare_with_ec(points, d, &o, factor_sets[3], cloud_name(shapes[k]));
    }
    free(cloud);
    close_users();
}

/* Many points in one place, beside a few elsewhere, and two dense heaps a little more than a radius apart. */
static void heaps(void)
{
    enum { HEAP = CLOUD_WATCHED ? 3000 : 100000 };
    float *const cloud = malloc(3 * (HEAP + 10) * sizeof *cloud);
    uint64_t random = 14;
    open_users();
    clump_ec_options o = clump_ec_defaults();
    o.common.eps_per_metre = 0.0175f;
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < HEAP + 10; i++)
            for (size_t k = 0; k < 3; k++) {
                const float u = check_random_float(&random);
                const float at = k == 0 ? 40 + (i % 2 ? 0.9f + 0.001f * (float)round : 0) : 0;
                cloud[3 * i + k] = i >= HEAP ? 100 * u : round == 0 ? 30 : at + (k == 0 ? 0.01f * u : 0.3f * u);
            }
        compare_with_ec((clump_points){.xyz = cloud, .count = HEAP + 10}, 0.25f, &o, factor_sets[0], "heaps");
    }
    free(cloud);
    close_users();
}

/* ----- DBSCAN ----------------------------------------------------------------------------------------------- */

/* Compares DBSCAN on shells with DBSCAN by the tree of all points, for all numbers of threads. */
static void compare_dbscan(clump_points points, float eps, size_t min_points, float per_metre, const char *name)
{
    const size_t n = points.count;
    int32_t *const labels = malloc(2 * n * sizeof *labels), *const by_tree = labels + n;
    uint8_t *const core = malloc(2 * n), *const expected_core = core + n;
    clump_ec_options ec = clump_ec_defaults();
    ec.common.eps_per_metre = per_metre;
    clump_dbscan_job job = {.in = job_of(points, eps, &ec, by_tree),
                            .min_points = min_points,
                            .border_points = true,
                            .core = expected_core};
    job.in.bound = nextafterf(eps * eps, INFINITY);
    clump_stats stats = {.threads = 1};
    CHECK_INT(clump_ranged_any_dbscan(&users[0].ctx->work, &users[0].ranged.any[1], &users[0].ranged.any[0], &job,
                                      expected_core, &stats),
              CLUMP_OK);
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.eps_per_metre = per_metre, o.core = core;
    for (int run = 0; run < RUNS; run++) {
        int32_t found = -1;
        CHECK_INT(clump_dbscan(users[run].ctx, points, eps, min_points, &o, labels, &found), CLUMP_OK);
        CHECK_MSG(found == stats.clusters && memcmp(labels, by_tree, n * sizeof *labels) == 0 &&
                      memcmp(core, expected_core, n) == 0,
                  "%s, min %zu, %d threads: %d clusters, %d by the tree", name, min_points, run_threads[run], found,
                  stats.clusters);
        CHECK(clump_context_stats(users[run].ctx).noise == stats.noise);
    }
    free(labels), free(core);
}

/* Clouds with dense cells, where the sieve counts and labels, and others. */
static void dbscan_by_two_ways(void)
{
    enum { LARGE = CLOUD_WATCHED ? 6000 : 16000 };
    static const cloud_shape shapes[] = {CLOUD_UNIFORM, CLOUD_CLUMPED, CLOUD_PLANE, CLOUD_SCAN};
    float *const cloud = malloc(3 * LARGE * sizeof *cloud);
    const clump_points points = {.xyz = cloud, .count = LARGE};
    uint64_t random = 17;
    open_users();
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const float d = cloud_fill(shapes[k], cloud, LARGE, &random), *const p = cloud + 3 * (LARGE / 2);
        const float per_metre = fminf(d / hypotf(hypotf(p[0], p[1]), p[2]), 0.3f);
        compare_dbscan(points, d, 3, per_metre, cloud_name(shapes[k]));
        compare_dbscan(points, d, 40, per_metre, cloud_name(shapes[k]));
    }
    for (int kind = HOSTILE_CIRCLE; kind <= HOSTILE_BALL; kind++) {
        const float centre[3] = {50, 0, 0};
        hostile_around((hostile_kind)kind, cloud, LARGE, centre, 0.875 * 0.98, &random);
        for (size_t share = 2; share <= 32; share *= 2)
            compare_dbscan(points, 0.25f, LARGE / share, 0.0175f, "hostile");
    }
    free(cloud);
    close_users();
}

/* ----- memory ----------------------------------------------------------------------------------------------- */

static void memory(void)
{
    uint64_t random = 15;
    tree t = tree_make(MOST);
    const clump_points points = {.xyz = xyz, .count = MOST};
    clump_ec_options o = clump_ec_defaults();
    o.common.eps_per_metre = 0.05f;
    for (int round = 0; round < CLOUD_SHAPES; round++) {
        const float d = cloud_fill((cloud_shape)round, xyz, MOST, &random);
        if (!(d * d >= FLT_MIN * 4 && d * d < FLT_MAX / 4)) continue;
        counter c = {.fail_from = -1};
        tree_user u = {0};
        CHECK_INT(counted_context(&c, 1 + round % 3, &u.ctx), CLUMP_OK);
        CHECK_INT(run_tree(&u, points, d, &o, factor_sets[0], &t), CLUMP_OK);
        const long taken = c.calls;
        CHECK_INT(run_tree(&u, points, d, &o, factor_sets[0], &t), CLUMP_OK);
        CHECK_MSG(c.calls == taken, "%s: %ld allocations by a warm call", cloud_name((cloud_shape)round),
                  c.calls - taken);
        close_user(&u);
        CHECK_INT(c.live, 0);
        for (long at = 1; at < taken; at++) {
            c = (counter){.fail_from = at};
            u = (tree_user){0};
            CHECK_INT(counted_context(&c, 2, &u.ctx), CLUMP_OK);
            const clump_status status = run_tree(&u, points, d, &o, factor_sets[0], &t);
            if (status != CLUMP_OK) expect_failure(u.ctx, status, CLUMP_ERR_OUT_OF_MEMORY, "could not be allocated");
            c.fail_from = -1; /* the context is as good as new */
            CHECK_INT(run_tree(&u, points, d, &o, factor_sets[0], &t), CLUMP_OK);
            close_user(&u);
            CHECK_INT(c.live, 0);
        }
    }
    tree_free(&t);
}

/* ----- work ------------------------------------------------------------------------------------------------- */

/* Two sets of which each point of one is nearly a radius from all points of the other: the searches of both grids, by the
 * library's own count. */
static void check_work(hostile_kind kind, size_t n, float per_metre, const float *factor)
{
    uint64_t random = 48;
    const float centre[3] = {50, 0, 0}, d = per_metre > 0 ? 0.25f : 0.875f;
    tree t = tree_make(n);
    float *const cloud = malloc(3 * n * sizeof *cloud);
    hostile_around(kind, cloud, n, centre, 0.875 * (kind == HOSTILE_BALL ? 1.001 : 1.00002), &random);
    clump_ec_options o = clump_ec_defaults();
    o.common.eps_per_metre = per_metre;
    const clump_points points = {.xyz = cloud, .count = n};
    CHECK_INT(run_tree(&users[0], points, d, &o, factor, &t), CLUMP_OK);
    const size_t shells = users[0].ranged.shells.work;
    size_t grids = 0;
    if (per_metre > 0) {
        const clump_cloud_job job = job_of(points, d, &o, t.labels);
        CHECK_INT(clump_ranged_any_ec(&users[0].ctx->work, &users[0].ranged.any[0], &job, &t.result), CLUMP_OK);
        CHECK_INT(t.result.clusters, 2);
        grids = users[0].ranged.any[0].work;
    }
    const double most = 1000 * (double)n; /* for 20 pairs of cells; all pairs would be n^2 / 4 */
    CHECK_MSG((double)shells <= most && (double)grids <= most, "kind %d, %zu points: %g and %g looks per point",
              (int)kind, n, (double)shells / (double)n, (double)grids / (double)n);
    free(cloud);
    tree_free(&t);
}

static void work_is_near_linear(void)
{
    open_users();
    for (size_t n = 8000; n <= (CLOUD_WATCHED ? 8000 : 64000); n *= 8) {
        for (int kind = HOSTILE_CIRCLE; kind <= HOSTILE_BALL; kind++) {
            check_work((hostile_kind)kind, n, 0.0175f, factor_sets[2]);
            check_work((hostile_kind)kind, n, 0, factor_sets[2]);
            check_work((hostile_kind)kind, n, 0.0175f, factor_sets[0]);
        }
    }
    close_users();
}

CHECK_PROGRAM(test_ranged_levels)
{
    RUN(random_clouds);
    RUN(walks);
    RUN(ties);
    RUN(large_clouds);
    RUN(heaps);
    RUN(dbscan_by_two_ways);
    RUN(memory);
    RUN(scans);
    RUN(work_is_near_linear);
}
