/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_index.c: the life of a clump_index on the GPU: shared by contexts and threads, built anew while it is asked,
 * longer than its context; what is refused; and what a failed rebuild leaves. Built with CUDA alone; skipped where there is no GPU.
 */
#include "support/check.h"

#include "cuda/nn_on_gpu.h"

#include "core/context.h"
#include "cuda/gpu/fault.h"

#include <clump/info.h>
#include <clump/index.h>

#include <cuda_runtime_api.h>
#include <math.h>
#include <pthread.h>

static clump_context *cpu;

/* ----- owners and waits ---------------------------------------------------------------------------- */

static clump_index *make_index(clump_context *ctx, clump_points points, clump_nn_method method)
{
    clump_index_options o = clump_index_defaults();
    o.method = method;
    clump_index *index = NULL;
    CHECK_MSG(clump_index_create(ctx, points, &o, &index) == CLUMP_OK, "%s", clump_context_error(ctx));
    return index;
}

/* Builds and queries of three contexts, without a wait in between: each query finds the points of its own turn. */
static void built_anew_while_it_is_asked(void)
{
    enum { TURNS = 6 };
    static const size_t counts[TURNS] = {500, 40, 2000, 0, 2000, 1000};
    for (int round = 0; round < 2 * nn_methods.count; round++) {
        const int m = round / 2;
        if ((clump_nn_method)nn_methods.values[m] == CLUMP_NN_AZIMUTH) continue; /* not exact */
        uint64_t random = 7300;
        clump_context *ctx[3];
        for (int c = 0; c < 3; c++) ctx[c] = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        bed beds[TURNS][3];
        gpu_cloud clouds[TURNS];
        answers a[TURNS];
        for (int t = 0; t < TURNS; t++) {
            cloud_fill(CLOUD_SCAN, nn_reference, counts[t], &random);
            const clump_points points = {.xyz = nn_reference, .count = counts[t]},
                               queries = nn_queries(CLOUD_SCAN, 60, counts[t], 12, &random);
            clouds[t] = gpu_cloud_make(ctx[0], GPU_DEVICE, points, NULL);
            a[t] = nn_ask_oracle(points, queries, INFINITY);
            for (int c = 0; c < 3; c++) beds[t][c] = nn_bed_make(ctx[c], GPU_DEVICE, queries, 60 * (size_t)(1 + 2 * c));
        }
        clump_index *const index = make_index(ctx[0], clouds[0].points, (clump_nn_method)nn_methods.values[m]);
        for (int t = 0; t < TURNS; t++) {
            if (t > 0) CHECK_INT(clump_index_rebuild(ctx[t % 3], index, clouds[t].points), CLUMP_OK);
            for (int c = 0; c < 3; c++) {
                bed *const b = &beds[t][c];
                CHECK_MSG(clump_index_knn(ctx[c], index, b->queries, 1 + 2 * c, INFINITY, b->indices, b->distances) ==
                              CLUMP_OK,
                          "%s", clump_context_error(ctx[c]));
            }
        }
        if (round % 2 == 0) clump_index_destroy(index); /* while it may still be asked */
        for (int t = 0; t < TURNS; t++) {
            for (int c = 2; c >= 0; c--) { /* the last to be asked is the first that is waited for */
                nn_expect(&beds[t][c], &a[t], 1 + 2 * (size_t)c, true,
                          clump_nn_method_name((clump_nn_method)nn_methods.values[m]));
                nn_bed_free(&beds[t][c]);
            }
            gpu_cloud_free(ctx[0], &clouds[t]);
            nn_forget(&a[t]);
        }
        if (round % 2) clump_index_destroy(index);
        for (int c = 0; c < 3; c++) clump_context_destroy(ctx[c]);
    }
}

static void outlives_its_context(void)
{
    uint64_t random = 7400;
    cloud_fill(CLOUD_CLUMPED, nn_reference, 800, &random);
    const clump_points points = {.xyz = nn_reference, .count = 800},
                       queries = nn_queries(CLOUD_CLUMPED, 50, 800, 12, &random);
    answers a = nn_ask_oracle(points, queries, INFINITY);
    for (int m = 0; m < nn_methods.count; m++) {
        clump_context *first = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        clump_index *const index = make_index(first, points, (clump_nn_method)nn_methods.values[m]);
        CHECK(clump_index_bytes(index) >= 800 * 16);
        clump_context_destroy(first);
        clump_context *const second = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        if ((clump_nn_method)nn_methods.values[m] != CLUMP_NN_AZIMUTH)
            nn_nearest(second, index, GPU_PAGEABLE, queries, INFINITY, 5, &a, true, "by another context");
        CHECK_INT(clump_index_rebuild(second, index, queries), CLUMP_OK);
        CHECK_INT(clump_context_stats(second).points, queries.count);
        clump_context_destroy(second);
        clump_index_destroy(index);
    }
    nn_forget(&a);
}

typedef struct asker {
    const clump_index *index;
    clump_points queries;
    const answers *expected;
    size_t wrong;
} asker;

static void *ask_often(void *data)
{
    asker *const s = data;
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    int32_t *const indices = nn_need(malloc(s->queries.count * sizeof *indices));
    for (int turn = 0; turn < 20; turn++) {
        memset(indices, 0x55, s->queries.count * sizeof *indices);
        s->wrong += clump_index_nearest(ctx, s->index, s->queries, INFINITY, indices, NULL) != CLUMP_OK;
        for (size_t i = 0; i < s->queries.count; i++) {
            const int64_t first = s->expected->offsets[i];
            const bool none = first == s->expected->offsets[i + 1];
            s->wrong += indices[i] != (none ? -1 : (int32_t)(uint32_t)s->expected->keys[first]);
        }
    }
    free(indices);
    clump_context_destroy(ctx);
    return NULL;
}

static void shared_by_threads(void)
{
    enum { THREADS = 3 };
    uint64_t random = 7500;
    cloud_fill(CLOUD_SCAN, nn_reference, 1500, &random);
    const clump_points points = {.xyz = nn_reference, .count = 1500},
                       queries = nn_queries(CLOUD_SCAN, 200, 1500, 12, &random);
    answers a = nn_ask_oracle(points, queries, INFINITY);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    gpu_cloud c = gpu_cloud_make(ctx, GPU_DEVICE, points, NULL);
    clump_index *const index = make_index(ctx, c.points, CLUMP_NN_FAST); /* and does not wait for it */
    asker askers[THREADS];
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        askers[t] = (asker){index, queries, &a, 0};
        CHECK_INT(pthread_create(&threads[t], NULL, ask_often, &askers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        CHECK_INT(pthread_join(threads[t], NULL), 0);
        CHECK_INT(askers[t].wrong, 0);
    }
    clump_index_destroy(index);
    gpu_cloud_free(ctx, &c);
    clump_context_destroy(ctx);
    nn_forget(&a);
}

/* Rebuilds of as many points, or of half of them, keep the memory of the index and of the context. */
static void rebuilds_take_no_memory(void)
{
    uint64_t random = 7600;
    cloud_fill(CLOUD_SCAN, nn_reference, 2000, &random);
    const clump_points all = {.xyz = nn_reference, .count = 2000}, half = {.xyz = nn_reference, .count = 1000};
    for (int m = 0; m < nn_methods.count; m++) {
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        clump_index *const index = make_index(ctx, all, (clump_nn_method)nn_methods.values[m]);
        int32_t nearest[16];
        const clump_points few = {.xyz = nn_reference, .count = 16};
        size_t bytes = 0, device = 0;
        for (int again = 0; again < 4; again++) {
            if (again > 0) CHECK_INT(clump_index_rebuild(ctx, index, again > 1 ? half : all), CLUMP_OK);
            CHECK_INT(clump_index_nearest(ctx, index, few, INFINITY, nearest, NULL), CLUMP_OK);
            const size_t now = clump_context_stats(ctx).device_bytes;
            if (again == 0) bytes = clump_index_bytes(index), device = now;
            CHECK_MSG(clump_index_bytes(index) == bytes && now == device, "%s: index %zu -> %zu, device %zu -> %zu",
                      clump_nn_method_name((clump_nn_method)nn_methods.values[m]), bytes, clump_index_bytes(index),
                      device, now);
        }
        clump_index_destroy(index);
        clump_context_destroy(ctx);
    }
}

/* ----- what is refused ----------------------------------------------------------------------------- */

static void refused(const clump_context *ctx, clump_status status, clump_status wanted, const char *word)
{
    CHECK_MSG(status == wanted && strstr(clump_context_error(ctx), word), "%d instead of %d, without \"%s\": %s",
              (int)status, (int)wanted, word, clump_context_error(ctx));
}

static void wrong_calls(void)
{
    uint64_t random = 7700;
    const float d = cloud_fill(CLOUD_CLUMPED, nn_reference, 300, &random);
    const clump_points points = {.xyz = nn_reference, .count = 300}, queries = {.xyz = nn_reference, .count = 20};
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    clump_index_options o = clump_index_defaults();
    clump_index *index = NULL;
    o.method = CLUMP_NN_KDTREE;
    refused(ctx, clump_index_create(ctx, points, &o, &index), CLUMP_ERR_UNSUPPORTED, "kdtree");
    o.method = CLUMP_NN_BATCH;
    refused(cpu, clump_index_create(cpu, points, &o, &index), CLUMP_ERR_UNSUPPORTED, "CUDA");
    CHECK(index == NULL);
    clump_context *const any =
        gpu_context(CLUMP_BACKEND_AUTO, NULL); /* so few points are for the CPU, but it has not */
    CHECK_INT(clump_index_create(any, points, &o, &index), CLUMP_OK);
    CHECK_INT(clump_context_stats(any).backend, CLUMP_BACKEND_CUDA);
    CHECK_TEXT(clump_context_stats(any).method, "batch");
    int32_t indices[20];
    refused(cpu, clump_index_nearest(cpu, index, queries, 1, indices, NULL), CLUMP_ERR_UNSUPPORTED, "another backend");
    clump_index_destroy(index);
    clump_context_destroy(any);

    index = make_index(ctx, points, CLUMP_NN_FAST);
    for (int place = 0; place < GPU_PLACES; place++) { /* offsets of another radius */
        bed b = nn_bed_make(ctx, (gpu_place)place, queries, 20 * 300);
        CHECK_INT(clump_index_radius_count(ctx, index, b.queries, d, b.offsets), CLUMP_OK);
        refused(ctx, clump_index_radius_fill(ctx, index, b.queries, INFINITY, b.offsets, b.indices, b.distances),
                CLUMP_ERR_ARGUMENT, "query 0 ");
        CHECK_INT(clump_index_radius_fill(ctx, index, b.queries, d, b.offsets, b.indices, b.distances), CLUMP_OK);
        const int64_t bad[] = {5, -5, INT64_MAX, INT64_MIN};
        for (int k = 0; k < 4; k++) {
            gpu_put(ctx, b.place, b.offsets, &bad[k], sizeof bad[k]);
            refused(ctx, clump_index_radius_fill(ctx, index, b.queries, d, b.offsets, b.indices, b.distances),
                    CLUMP_ERR_ARGUMENT, b.place == GPU_DEVICE ? "query 0 " : "begin with 0");
        }
        nn_bed_free(&b);
    }
    clump_index_destroy(index);
    clump_context_destroy(ctx);
}

/* ----- failures of the CUDA runtime ---------------------------------------------------------------- */

static void fail_after(clump_context *ctx, long calls, cudaError_t error)
{
    clump_cuda_fail_after(ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state, calls, (int)error);
}

/* A rebuild that fails at any call leaves an index without points: no neighbours, and no crash. */
static void rebuild_that_fails(void)
{
    enum { POINTS = 200, QUERIES = 12 };
    uint64_t random = 7800;
    cloud_fill(CLOUD_CLUMPED, nn_reference, POINTS, &random);
    const clump_points points = {.xyz = nn_reference, .count = POINTS},
                       queries = {.xyz = nn_reference, .count = QUERIES};
    int32_t first[QUERIES], found[QUERIES];
    for (int m = 0; m < nn_methods.count; m++) {
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
        clump_index *const index = make_index(ctx, points, (clump_nn_method)nn_methods.values[m]);
        CHECK_INT(clump_index_nearest(ctx, index, queries, INFINITY, first, NULL), CLUMP_OK);
        long n = 0, failed = 0;
        for (int good = 0; n < 500 && good < 3 && check_failures <= 20; n++) {
            if (n % 2) clump_context_trim(ctx);
            fail_after(ctx, n, cudaErrorLaunchFailure);
            const clump_status status = clump_index_rebuild(ctx, index, points);
            fail_after(ctx, 0, cudaSuccess);
            failed += status != CLUMP_OK, good = status == CLUMP_OK ? good + 1 : 0;
            CHECK_INT(clump_index_nearest(ctx, index, queries, INFINITY, found, NULL), CLUMP_OK);
            for (size_t i = 0; i < QUERIES; i++) CHECK_INT(found[i], status == CLUMP_OK ? first[i] : -1);
            if (status != CLUMP_OK) CHECK_INT(clump_index_rebuild(ctx, index, points), CLUMP_OK);
        }
        CHECK_MSG(failed > 1 && n < 500, "%ld of %ld calls failed", failed, n);
        clump_index_destroy(index);
        clump_context_destroy(ctx);
    }
}

/* A context that may choose: what the GPU fails to build, the CPU does, and `batch`, which it has not, fails. */
static void auto_falls_back(void)
{
    enum { POINTS = 6000, QUERIES = 30 };
    uint64_t random = 7900;
    cloud_fill(CLOUD_SCAN, nn_reference, POINTS, &random);
    const clump_points points = {.xyz = nn_reference, .count = POINTS},
                       queries = nn_queries(CLOUD_SCAN, QUERIES, POINTS, 12, &random);
    answers a = nn_ask_oracle(points, queries, INFINITY);
    for (int turn = 0; turn < 8; turn++) {
        clump_context *const ctx = gpu_context(CLUMP_BACKEND_AUTO, NULL);
        CHECK_INT(clump_cuda_wait(ctx), CLUMP_OK); /* the GPU is opened */
        clump_index_options o = clump_index_defaults();
        o.method = turn % 4 == 3 ? CLUMP_NN_BATCH : CLUMP_NN_FAST;
        clump_index *index = NULL;
        fail_after(ctx, 2 * turn, turn % 2 ? cudaErrorMemoryAllocation : cudaErrorLaunchFailure);
        const clump_status status = clump_index_create(ctx, points, &o, &index);
        fail_after(ctx, 0, cudaSuccess);
        CHECK_MSG((status == CLUMP_OK) == (o.method == CLUMP_NN_FAST), "turn %d: %s", turn, clump_context_error(ctx));
        if (index) {
            CHECK_INT(clump_context_stats(ctx).backend, CLUMP_BACKEND_CPU);
            CHECK_MSG(strstr(clump_context_stats(ctx).reason, "GPU"), "%s", clump_context_stats(ctx).reason);
            int32_t found[QUERIES];
            CHECK_INT(clump_index_nearest(ctx, index, queries, INFINITY, found, NULL), CLUMP_OK);
            for (size_t i = 0; i < QUERIES; i++) {
                const bool none = a.offsets[i] == a.offsets[i + 1];
                CHECK_INT(found[i], none ? -1 : (int32_t)(uint32_t)a.keys[a.offsets[i]]);
            }
        }
        clump_index_destroy(index);
        clump_context_destroy(ctx);
    }
    nn_forget(&a);
}

CHECK_PROGRAM(test_cuda_index)
{
    if (gpu_skip("test_cuda_index")) return;
    nn_methods = gpu_methods_of(&clump_nn_methods);
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    RUN(built_anew_while_it_is_asked);
    RUN(outlives_its_context);
    RUN(shared_by_threads);
    RUN(rebuilds_take_no_memory);
    RUN(wrong_calls);
    RUN(rebuild_that_fails);
    RUN(auto_falls_back);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
