/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_nn_call.c: clump_index as a call: refusals and their messages, a rebuild without memory, and an index that several threads query
 * at the same time.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"

#include <clump/info.h>
#include <clump/index.h>

#include <math.h>
#include <pthread.h>

enum { MOST = 6000 };

static float xyz[3 * MOST], queries[3 * MOST];
static int32_t indices[4 * MOST], expected[MOST];
static float distances[4 * MOST];
static int64_t offsets[MOST + 1];

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_index *index = (clump_index *)1;
    for (size_t i = 0; i < 300; i++) xyz[i] = (float)i;
    const clump_points p = {.xyz = xyz, .count = 100};
    clump_points q = p;
    CHECK_INT(clump_index_create(NULL, p, NULL, &index), CLUMP_ERR_ARGUMENT);
    CHECK(index == NULL);
    expect_failure(ctx, clump_index_create(ctx, p, NULL, NULL), CLUMP_ERR_ARGUMENT, "out is null");
    q.count = (size_t)INT32_MAX + 1;
    expect_failure(ctx, clump_index_create(ctx, q, NULL, &index), CLUMP_ERR_TOO_MANY, "2147483647");
    q = p, q.place = CLUMP_PLACE_DEVICE;
    clump_index_options o = clump_index_defaults();
    o.method = (clump_nn_method)77;
    expect_failure(ctx, clump_index_create(ctx, p, &o, &index), CLUMP_ERR_ARGUMENT, "method number 77");
    o = clump_index_defaults(), o.method = CLUMP_NN_PER_QUERY;
    expect_failure(ctx, clump_index_create(ctx, p, &o, &index), CLUMP_ERR_UNSUPPORTED, "on a CUDA device it does");
    CHECK(index == NULL);

    CHECK_INT(clump_index_create(ctx, p, NULL, &index), CLUMP_OK);
    CHECK(clump_index_bytes(index) > 100 * 12 && clump_index_bytes(NULL) == 0);
    CHECK_INT(clump_index_nearest(NULL, index, p, 1, indices, NULL), CLUMP_ERR_ARGUMENT);
    expect_failure(ctx, clump_index_rebuild(ctx, NULL, p), CLUMP_ERR_ARGUMENT, "index is null");
    expect_failure(ctx, clump_index_nearest(ctx, NULL, p, 1, indices, NULL), CLUMP_ERR_ARGUMENT, "index is null");
    expect_failure(ctx, clump_index_nearest(ctx, index, p, 1, NULL, distances), CLUMP_ERR_ARGUMENT, "indices is null");
    expect_failure(ctx, clump_index_nearest(ctx, index, p, -1, indices, NULL), CLUMP_ERR_ARGUMENT, "distance of -1");
    expect_failure(ctx, clump_index_nearest(ctx, index, p, NAN, indices, NULL), CLUMP_ERR_ARGUMENT, "distance of nan");
    expect_failure(ctx, clump_index_nearest(ctx, index, q, 1, indices, NULL), CLUMP_ERR_MEMORY_KIND, "on the CPU");
    expect_failure(ctx, clump_index_rebuild(ctx, index, q), CLUMP_ERR_MEMORY_KIND, "on the CPU");
    expect_failure(ctx, clump_index_knn(ctx, index, p, 0, 1, indices, NULL), CLUMP_ERR_ARGUMENT, "k is 0");
    expect_failure(ctx, clump_index_knn(ctx, index, p, 129, 1, indices, NULL), CLUMP_ERR_ARGUMENT, "1 to 128");
    expect_failure(ctx, clump_index_radius_count(ctx, index, p, 1, NULL), CLUMP_ERR_ARGUMENT, "offsets is null");
    CHECK_INT(clump_index_radius_count(ctx, index, p, 3, offsets), CLUMP_OK);
    CHECK_INT(offsets[100], 100);
    expect_failure(ctx, clump_index_radius_fill(ctx, index, p, 3, NULL, indices, NULL), CLUMP_ERR_ARGUMENT,
                   "offsets is null");
    expect_failure(ctx, clump_index_radius_fill(ctx, index, p, 3, offsets, NULL, NULL), CLUMP_ERR_ARGUMENT,
                   "indices is null");
    offsets[7] = 3;
    expect_failure(ctx, clump_index_radius_fill(ctx, index, p, 3, offsets, indices, NULL), CLUMP_ERR_ARGUMENT,
                   "offset 7 is less");
    offsets[0] = 1;
    expect_failure(ctx, clump_index_radius_fill(ctx, index, p, 3, offsets, indices, NULL), CLUMP_ERR_ARGUMENT,
                   "begin with 0");
    CHECK_INT(clump_index_nearest(ctx, index, p, 0, indices, distances), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    const clump_stats stats = clump_context_stats(ctx);
    CHECK(stats.points == 100 && stats.finite == 100 && stats.queries == 100 && stats.backend == CLUMP_BACKEND_CPU);
    CHECK_TEXT(stats.method, "fast");
    CHECK(stats.query_ms >= 0 && stats.build_ms == 0 && stats.threads == 1);
    clump_index_destroy(index);
    clump_index_destroy(NULL);
    clump_context_destroy(ctx);
}

/* On a machine without a GPU: CUDA is refused, AUTO takes the CPU. */
static void other_backends(void)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA;
    clump_context *cuda, *any;
    CHECK_INT(clump_context_create(&options, &cuda), CLUMP_OK);
    const clump_points p = {.xyz = xyz, .count = MOST};
    clump_index *index;
    CHECK(clump_index_create(cuda, p, NULL, &index) != CLUMP_OK);
    CHECK(strstr(clump_context_error(cuda), "CPU"));
    CHECK_INT(clump_context_create(NULL, &any), CLUMP_OK);
    CHECK_INT(clump_index_create(any, p, NULL, &index), CLUMP_OK);
    CHECK(clump_context_stats(any).backend == CLUMP_BACKEND_CPU);
    expect_failure(cuda, clump_index_nearest(cuda, index, p, 1, indices, NULL), CLUMP_ERR_UNSUPPORTED,
                   "the index is on cpu");
    clump_context_destroy(any); /* the index does not need it */
    any = cpu_context(2);
    CHECK_INT(clump_index_nearest(any, index, p, 1, indices, NULL), CLUMP_OK);
    clump_index_destroy(index);
    clump_context_destroy(any);
    clump_context_destroy(cuda);
}

static void fill_clouds(uint64_t seed)
{
    uint64_t random = seed;
    for (size_t i = 0; i < 3 * MOST; i++) {
        xyz[i] = 20 * check_random_float(&random);
        queries[i] = 20 * check_random_float(&random);
    }
}

/* A build that fails leaves an index without points. */
static void rebuild_that_fails(void)
{
    fill_clouds(83);
    counter c = {.fail_from = -1};
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
    const clump_points few = {.xyz = xyz, .count = 50}, all = {.xyz = xyz, .count = MOST};
    clump_index *index;
    CHECK_INT(clump_index_create(ctx, few, NULL, &index), CLUMP_OK);
    for (long fail = 0; fail < 3; fail++) {
        c.fail_from = c.calls + fail;
        CHECK_INT(clump_index_rebuild(ctx, index, all), CLUMP_ERR_OUT_OF_MEMORY);
        c.fail_from = -1;
        CHECK_INT(clump_index_nearest(ctx, index, few, INFINITY, indices, distances), CLUMP_OK);
        CHECK(indices[0] == -1 && distances[0] == INFINITY && indices[49] == -1);
    }
    CHECK_INT(clump_index_rebuild(ctx, index, all), CLUMP_OK);
    CHECK_INT(clump_index_nearest(ctx, index, few, INFINITY, indices, distances), CLUMP_OK);
    CHECK(indices[49] == 49 && distances[49] == 0);
    clump_index_destroy(index);
    clump_context_destroy(ctx);
}

/* ----- shared by threads ---------------------------------------------------------------------------- */

typedef struct asker {
    const clump_index *index;
    int32_t indices[MOST];
    clump_status status;
} asker;

static void *ask_thread(void *user)
{
    asker *const a = user;
    clump_context *const ctx = cpu_context(1);
    a->status = ctx ? CLUMP_OK : CLUMP_ERR_OUT_OF_MEMORY;
    const clump_points q = {.xyz = queries, .count = MOST};
    for (int k = 0; k < 3 && a->status == CLUMP_OK; k++)
        a->status = clump_index_nearest(ctx, a->index, q, INFINITY, a->indices, NULL);
    clump_context_destroy(ctx);
    return NULL;
}

static void shared_by_threads(void)
{
    enum { THREADS = 3 };
    static asker askers[THREADS];
    fill_clouds(84);
    clump_context *const ctx = cpu_context(2);
    const clump_points p = {.xyz = xyz, .count = MOST}, q = {.xyz = queries, .count = MOST};
    FOR_CPU_METHODS (method, clump_nn_methods) {
        if (method == CLUMP_NN_BRUTE) continue; /* slow */
        clump_index_options o = clump_index_defaults();
        o.method = (clump_nn_method)method;
        clump_index *index;
        CHECK_INT(clump_index_create(ctx, p, &o, &index), CLUMP_OK);
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; t++) {
            askers[t] = (asker){.index = index};
            CHECK_INT(pthread_create(&threads[t], NULL, ask_thread, &askers[t]), 0);
        }
        CHECK_INT(clump_index_nearest(ctx, index, q, INFINITY, expected, NULL), CLUMP_OK);
        for (int t = 0; t < THREADS; t++) {
            pthread_join(threads[t], NULL);
            CHECK_INT(askers[t].status, CLUMP_OK);
            CHECK(memcmp(askers[t].indices, expected, sizeof expected) == 0);
        }
        clump_index_destroy(index);
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_nn_call)
{
    RUN(wrong_arguments);
    RUN(other_backends);
    RUN(rebuild_that_fails);
    RUN(shared_by_threads);
}
