/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_determinism.c: the labels of a few fixed clouds, as recorded hashes. They must be equal on every machine, with
 * every compiler, method and number of threads. The clouds are computed with + and * of float32, which round equally
 * everywhere.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "core/task_systems.h"
#include "oracle/verify.h"

#include <clump/info.h>
#include <clump/index.h>
#include <clump/tree.h>

#include <math.h>

enum { COUNT = 70000 };

/* Uniform in a box; a walk, so that clusters are long; a lattice with ties; heaps. */
static void make(int shape, float *xyz)
{
    uint64_t random = 1000 + (uint64_t)shape;
    float at[3] = {0, 0, 0};
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < 3; k++) {
            const float u = check_random_float(&random);
            if (shape == 0) xyz[3 * i + k] = u * 47.0f;
            if (shape == 1) xyz[3 * i + k] = at[k] = (i % 500 == 0 ? u * 300.0f : at[k] + (u - 0.5f) * 2.0f);
            if (shape == 2) xyz[3 * i + k] = (float)(int)(u * 55.0f) * 0.25f;
            if (shape == 3) xyz[3 * i + k] = (float)(int)(u * 8.0f) * 9.0f + check_random_float(&random) * 4.0f;
        }
    }
}

/* The next method that can cluster COUNT points: an exhaustive search (ES) or a matrix of labels cannot. */
static int next_method(int method)
{
    do method = next_cpu_method(&clump_ec_methods, method);
    while (method >= 0 && clump_ec_methods.rows[method].cost == CLUMP_COST_SQUARE);
    return method;
}

static void golden_hashes(void)
{
    static const struct {
        const char *name;
        float d;
        int32_t clusters;
        uint64_t hash;
    } golden[] = {
        {"box", 0.98f, 11082, 0x854035e9041fa538u},
        {"walks", 0.9f, 14817, 0xdf12124d68f2efadu},
        {"lattice", 0.25000003f, 7274, 0x7c763e0525e72106u},
        {"heaps", 0.75f, 9556, 0x4ef335f61bff4290u},
    };
    static const int threads[] = {1, 2, 3, 7, 16, 61};
    float *const xyz = malloc(3 * COUNT * sizeof *xyz);
    int32_t *const labels = malloc(COUNT * sizeof *labels);
    const clump_points points = {.xyz = xyz, .count = COUNT};
    for (int shape = 0; shape < 4; shape++) {
        make(shape, xyz);
        for (int run = 0, method = 0; method >= 0; run++, method = run < 6 ? 0 : next_method(method)) {
            if (CLOUD_WATCHED && run != 1 && run != 4) continue; /* threads, and not too many hashes */
            const int with = run < 6 ? threads[run] : 1;
            clump_context *const ctx = cpu_context(with);
            clump_ec_options o = clump_ec_defaults();
            o.method = (clump_ec_method)method;
            int32_t clusters = -1;
            CHECK_INT(clump_ec(ctx, points, golden[shape].d, &o, labels, &clusters), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(labels, COUNT);
            CHECK_MSG(clusters == golden[shape].clusters && hash == golden[shape].hash,
                      "%s, %s with %d threads: %d clusters, 0x%016" PRIx64, golden[shape].name,
                      clump_ec_method_name(o.method), with, clusters, hash);
            if (with > 1) CHECK(clump_context_stats(ctx).threads > 1); /* or this shows nothing */
            clump_message why;
            if (run == 0) CHECK_MSG(verify_ec(points, golden[shape].d, &o, labels, clusters, &why), "%s", why.text);
            clump_context_destroy(ctx);
        }
    }
    free(xyz), free(labels);
}

/* The tree and HDBSCAN of the same clouds. */
static void golden_trees(void)
{
    static const struct {
        int32_t clusters;
        uint64_t tree, labels;
    } golden[] = {
        {1143, 0x89568dd1fe4a7af0u, 0xedd3e9540de74faeu},
        {133, 0x1bc998caaa851f4du, 0xfcc20bb367059929u},
        {607, 0xc9091724430de5a6u, 0x5049328dfb2ee746u},
        {512, 0x43df0d152bf09bf6u, 0xed3ce34b8083b9ccu},
    };
    float *const xyz = malloc(3 * COUNT * sizeof *xyz), *const heights = malloc(COUNT * sizeof *heights);
    int32_t *const parents = malloc(COUNT * sizeof *parents);
    const clump_points points = {.xyz = xyz, .count = COUNT};
    for (int shape = 0; shape < 4; shape++) {
        make(shape, xyz);
        for (int threads = 1; threads <= (CLOUD_WATCHED ? 1 : 7); threads += 6) {
            clump_context *const ctx = cpu_context(threads);
            clump_tree_options o = clump_tree_defaults();
            clump_hdbscan_options h = clump_hdbscan_defaults();
            o.min_samples = 4, h.min_cluster_size = 12;
            int32_t clusters = -1;
            CHECK_INT(clump_tree(ctx, points, &o, parents, heights), CLUMP_OK);
            uint64_t tree =
                clump_labels_hash(parents, COUNT) + clump_labels_hash((const int32_t *)(void *)heights, COUNT);
            int32_t *const labels = malloc(COUNT * sizeof *labels);
            CHECK_INT(clump_hdbscan_label(ctx, parents, heights, COUNT, &h, labels, &clusters), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(labels, COUNT);
            free(labels);
            CHECK_MSG(clusters == golden[shape].clusters && tree == golden[shape].tree && hash == golden[shape].labels,
                      "shape %d with %d threads: {%d, 0x%016" PRIx64 "u, 0x%016" PRIx64 "u}", shape, threads, clusters,
                      tree, hash);
            clump_context_destroy(ctx);
        }
    }
    free(xyz), free(heights), free(parents);
}

/* ----- many threads ----------------------------------------------------------------------------------------------- */

enum { LARGE = 61 * 8192 + 100 }; /* enough for 61 threads in every job */

static uint64_t run_large(clump_context *ctx, int job, clump_points points, int32_t *out)
{
    clump_status status = CLUMP_OK;
    if (job == 0) status = clump_ec(ctx, points, 0.6f, NULL, out, NULL);
    if (job == 1) status = clump_ec(ctx, points, 0.2f, NULL, out, NULL); /* sparse */
    if (job == 2) status = clump_dbscan(ctx, points, 0.6f, 4, NULL, out, NULL);
    if (job == 3) status = clump_ground(ctx, points, NULL, out, NULL);
    if (job == 4) status = clump_erccl(ctx, points, NULL, out, NULL);
    if (job == 5) {
        clump_index *index = NULL;
        status = clump_index_create(ctx, points, NULL, &index);
        if (status == CLUMP_OK) status = clump_index_nearest(ctx, index, points, 1, out, NULL);
        clump_index_destroy(index);
    }
    if (job == 6) {
        float *const heights = malloc(points.count * sizeof *heights);
        status = clump_tree(ctx, points, NULL, out, heights);
        free(heights);
    }
    CHECK_INT(status, CLUMP_OK);
    return clump_labels_hash(out, points.count);
}

/* More threads than any machine of ours has cores: each job uses them all, and gives the same labels. */
static void any_number_of_threads(void)
{
    static const int threads[] = {1, 2, 3, 7, 16, 61};
    const size_t count = CLOUD_WATCHED ? LARGE / 8 : LARGE;
    float *const xyz = malloc(3 * LARGE * sizeof *xyz);
    int32_t *const out = malloc(LARGE * sizeof *out);
    const clump_points points = {.xyz = xyz, .count = count};
    uint64_t random = 61;
    for (size_t i = 0; i < LARGE; i++)
        for (size_t k = 0; k < 3; k++) {
            const float u = check_random_float(&random);
            xyz[3 * i + k] = k < 2 ? 50 * u - 25 : i % 3 ? 0.1f * u - 1.8f : 12 * u - 1.8f;
        }
    for (int job = 0; job < 7; job++) {
        uint64_t expected = 0;
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            if (CLOUD_WATCHED && t != 3) continue;
            clump_context *const ctx = cpu_context(threads[t]);
            const uint64_t hash = run_large(ctx, job, points, out);
            CHECK_INT(clump_context_stats(ctx).threads, threads[t]);
            if (t == 0) expected = hash;
            CHECK_MSG(CLOUD_WATCHED || hash == expected, "job %d, %d threads: 0x%016" PRIx64, job, threads[t], hash);
            clump_context_destroy(ctx);
        }
    }
    free(xyz), free(out);
}

/* ----- every method, under workers and task systems --------------------------------------------------------------- */

enum { MEDIUM = 20000, BRUTE = 300, JOBS = 5 };

typedef struct method_case {
    int job, method;
} method_case;

static const clump_method_table *const tables[JOBS] = {&clump_ec_methods, &clump_dbscan_methods, &clump_ground_methods,
                                                       &clump_erccl_methods, &clump_nn_methods};

/* Whether a method is too slow for MEDIUM points; a slow search gets fewer queries instead. */
static bool is_slow(method_case c)
{
    return tables[c.job] != &clump_nn_methods && tables[c.job]->rows[c.method].cost == CLUMP_COST_SQUARE;
}

static clump_status nearest(clump_context *ctx, clump_points points, int method, int32_t *out)
{
    clump_index_options o = clump_index_defaults();
    o.method = (clump_nn_method)method;
    clump_index *index = NULL;
    clump_status status = clump_index_create(ctx, points, &o, &index);
    if (clump_nn_methods.rows[method].cost == CLUMP_COST_SQUARE) points.count = BRUTE;
    if (status == CLUMP_OK) status = clump_index_knn(ctx, index, points, 3, INFINITY, out, NULL);
    clump_index_destroy(index);
    return status;
}

/* Runs the method; returns the hash of its labels or indices. */
static uint64_t run_method(clump_context *ctx, method_case c, clump_points points, int32_t *out)
{
    memset(out, 0, 3 * MEDIUM * sizeof *out);
    clump_status status = CLUMP_ERR_INTERNAL;
    clump_ec_options ec = clump_ec_defaults();
    clump_dbscan_options dbscan = clump_dbscan_defaults();
    clump_ground_options ground = clump_ground_defaults();
    clump_erccl_options erccl = clump_erccl_defaults();
    ec.method = (clump_ec_method)c.method, ec.common.order = CLUMP_ORDER_SIZE;
    dbscan.method = (clump_dbscan_method)c.method;
    ground.method = (clump_ground_method)c.method;
    erccl.method = (clump_erccl_method)c.method, erccl.cell = 0.2f;
    if (c.job == 0) status = clump_ec(ctx, points, 0.6f, &ec, out, NULL);
    if (c.job == 1) status = clump_dbscan(ctx, points, 0.6f, 4, &dbscan, out, NULL);
    if (c.job == 2) status = clump_ground(ctx, points, &ground, out, NULL);
    if (c.job == 3) status = clump_erccl(ctx, points, &erccl, out, NULL);
    if (c.job == 4) status = nearest(ctx, points, c.method, out);
    CHECK_MSG(status == CLUMP_OK, "job %d, method %d: %s", c.job, c.method, clump_context_error(ctx));
    return clump_labels_hash(out, 3 * MEDIUM);
}

static void make_street(float *xyz, size_t count)
{
    uint64_t random = 77;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float u = check_random_float(&random);
            xyz[3 * i + k] = k < 2 ? 24 * u - 12 : i % 3 ? 0.1f * u - 1.8f : 6 * u - 1.8f;
        }
}

typedef struct recorded {
    uint64_t hash; /* 0: not run yet */
    bool alone;    /* the method has one thread */
} recorded;

/* Runs all methods, those of one thread twice in all. pool: null, or the task system of the context, which every method
 * of several threads must use. */
static void check_methods(clump_context *ctx, const char *name, const task_pool *pool, clump_points points,
                          recorded seen[JOBS][16], int32_t *out)
{
    for (int job = 0; job < JOBS; job++)
        FOR_CPU_METHODS (method, *tables[job]) {
            const method_case c = {job, method};
            if (is_slow(c)) continue;
            recorded *const r = &seen[job][method];
            if (r->alone && strcmp(name, "1 threads") != 0) continue;
            const long before = pool ? task_pool_runs(pool) : 0;
            const uint64_t hash = run_method(ctx, c, points, out);
            CHECK_MSG(!pool || task_pool_runs(pool) > before, "%s: job %d, %s: no run of the pool", name, job,
                      clump_method_at(tables[job], method)->name);
            if (r->hash == 0) *r = (recorded){hash, clump_context_stats(ctx).threads == 1};
            CHECK_MSG(hash == r->hash, "%s: job %d, %s: 0x%016" PRIx64, name, job,
                      clump_method_at(tables[job], method)->name, hash);
        }
}

static void every_method_under_any_team(void)
{
    static const int threads[] = {7, 1, 2, 3, 16, 61, 0};
    static recorded seen[JOBS][16];
    float *const xyz = malloc(3 * MEDIUM * sizeof *xyz);
    int32_t *const out = malloc(3 * MEDIUM * sizeof *out);
    const clump_points points = {.xyz = xyz, .count = MEDIUM};
    make_street(xyz, MEDIUM);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        if (CLOUD_WATCHED && threads[t] != 1 && threads[t] != 7) continue;
        char name[32];
        snprintf(name, sizeof name, "%d threads", threads[t]);
        clump_context *const ctx = cpu_context(threads[t]);
        check_methods(ctx, name, NULL, points, seen, out);
        clump_context_destroy(ctx);
    }
    for (int manner = 0; manner < TASKS_MANNERS; manner++) {
        task_pool *const pool = task_pool_start((task_manner)manner);
        clump_context_options options = clump_context_defaults();
        options.threads = 4, options.backend = CLUMP_BACKEND_CPU, options.tasks = task_pool_system(pool);
        clump_context *ctx = NULL;
        CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
        check_methods(ctx, task_pool_name(pool), pool, points, seen, out);
        task_pool_end(pool);
        clump_context_destroy(ctx);
    }
    free(xyz), free(out);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(golden_hashes);
    RUN(golden_trees);
    RUN(any_number_of_threads);
    RUN(every_method_under_any_team);
    return CHECK_END();
}
