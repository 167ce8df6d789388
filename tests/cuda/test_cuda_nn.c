/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_nn.c: clump_index on the GPU beside an oracle that looks at every pair, and `azimuth` beside the CPU: every
 * method, every kind of query, every kind of memory, clouds with ties, dense sets and points that are not finite, real scans.
 * Skipped where there is no GPU.
 */
#include "support/check.h"

#include "cuda/nn_on_gpu.h"
#include "support/scans.h"

#include <clump/index.h>

#include <math.h>

static clump_context *cpu;

/* ----- clouds -------------------------------------------------------------------------------------- */

/* All kinds of queries in all kinds of memory. */
static void ask_all(clump_context *ctx, const clump_index *index, clump_points queries, float radius, const answers *a,
                    int turn, const char *what)
{
    static const int ks[] = {1, 2, 8, 31, 32, 33, 64, 65, 100, CLUMP_NN_MAX_K};
    for (int place = 0; place < GPU_PLACES; place++) {
        if (gpu_small() && place != turn % GPU_PLACES) continue;
        nn_nearest(ctx, index, (gpu_place)place, queries, radius, 1, a, place != turn % 3, what);
        const int k = ks[(turn + 3 * place) % 10];
        nn_nearest(ctx, index, (gpu_place)place, queries, radius, k, a, place != (turn + 1) % 3, what);
        nn_within(ctx, index, (gpu_place)place, queries, radius, a, place != (turn + 2) % 3, what);
    }
}

static void one_cloud(int turn, cloud_shape shape, size_t n, size_t m, uint64_t *random)
{
    const float d = cloud_fill(shape, nn_reference, n, random);
    if (turn % 3 == 1) cloud_spoil(nn_reference, n, turn % 2 ? 2 : 9, random);
    if (turn % 11 == 10) cloud_spoil(nn_reference, n, 1, random);
    const clump_points points = {.xyz = nn_reference, .count = n},
                       queries = nn_queries(shape, m, n, turn % 2 ? 16 : 12, random);
    const float radii[] = {INFINITY, d, 0, 2.5f * d, INFINITY, 0.3f * d};
    const float radius = radii[turn % 6];
    clump_index_options o = clump_index_defaults();
    o.partitions = (int[]){300, 1, 2, 7, 1000000, 30}[turn % 6], o.window = turn % 4;
    answers exact = nn_ask_oracle(points, queries, radius);
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    for (int m_ = 0; m_ < nn_methods.count; m_++) {
        if ((clump_nn_method)nn_methods.values[m_] == CLUMP_NN_PER_QUERY && (turn % 4 || m > 200)) continue;
        if (gpu_small() == 2 && m_ != turn % nn_methods.count) continue;
        o.method = (clump_nn_method)nn_methods.values[m_];
        char what[160];
        snprintf(what, sizeof what, "turn %d: %s %zu x %zu, radius %g, %s (%d, %d)", turn, cloud_name(shape), n, m,
                 (double)radius, clump_nn_method_name(o.method), o.partitions, o.window);
        const gpu_place place = (gpu_place)((turn + m_) % GPU_PLACES);
        gpu_cloud c = gpu_cloud_make(ctx, place, points, NULL);
        clump_index *index = NULL;
        CHECK_MSG(clump_index_create(ctx, c.points, &o, &index) == CLUMP_OK, "%s: %s", what, clump_context_error(ctx));
        answers rough = {0};
        const bool azimuth = o.method == CLUMP_NN_AZIMUTH;
        if (azimuth) rough = nn_ask_cpu(cpu, points, queries, radius, &o);
        if (index) ask_all(ctx, index, queries, radius, azimuth ? &rough : &exact, turn, what);
        if (azimuth) nn_forget(&rough);
        clump_index_destroy(index);
        gpu_cloud_free(ctx, &c);
    }
    clump_context_destroy(ctx);
    nn_forget(&exact);
}

static void clouds_of_all_kinds(void)
{
    static const size_t points[] = {600, 33, 1, 0, 1100, 32, 400, 2, 1500, 31, 64},
                        queries[] = {100, 70, 8, 300, 1, 0, 257};
    const int turns = gpu_small() == 2 ? 5 : gpu_small() ? 16 : 8 * CLOUD_SHAPES;
    for (int turn = 0; turn < turns; turn++) {
        uint64_t random = 7100 + (uint64_t)turn;
        const size_t n = points[turn % 11], m = queries[turn % 7];
        one_cloud(turn, (cloud_shape)(turn * 5 % CLOUD_SHAPES), gpu_small() && n > 200 ? n / 4 : n,
                  gpu_small() && m > 40 ? m / 8 : m, &random);
        if (check_failures > 20) break;
    }
}

/* Thousands of points in one place, and rows that no shared memory holds: of 300, 4096, 4097 and 9000. */
static void dense_places(void)
{
    if (gpu_small() == 2) SKIP(DO_UNWATCHED);
    const size_t n = gpu_small() ? 4500 : NN_MOST, sizes[] = {300, 4096 - 300, 1};
    size_t i = 0;
    for (size_t k = 0; k < 3; k++)
        for (size_t j = 0; j < sizes[k]; j++, i++)
            nn_reference[3 * i] = (float)k, nn_reference[3 * i + 1] = nn_reference[3 * i + 2] = 0;
    for (; i < n; i++) nn_reference[3 * i] = 100, nn_reference[3 * i + 1] = (float)(i % 3), nn_reference[3 * i + 2] = 0;
    for (size_t j = 0; j < n; j++) { /* not in the order of places */
        const size_t other = (j * 7919) % n;
        float p[3];
        memcpy(p, nn_reference + 3 * j, 12), memcpy(nn_reference + 3 * j, nn_reference + 3 * other, 12);
        memcpy(nn_reference + 3 * other, p, 12);
    }
    static const float places[][3] = {{0, 0, 0},    {1, 0, 0},   {2, 0, 0}, {0.5f, 0, 0},
                                      {1.5f, 0, 0}, {100, 1, 0}, {50, 0, 0}};
    const clump_points points = {.xyz = nn_reference, .count = n}, queries = {.xyz = places[0], .count = 7};
    static const float radii[] = {0, 0.5f, 1, 1.5f, INFINITY};
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    for (int m = 0; m < nn_methods.count; m++) {
        clump_index_options o = clump_index_defaults();
        o.method = (clump_nn_method)nn_methods.values[m], o.partitions = 3;
        clump_index *index = NULL;
        CHECK_INT(clump_index_create(ctx, points, &o, &index), CLUMP_OK);
        for (int r = 0; r < 5; r++) {
            answers a = o.method == CLUMP_NN_AZIMUTH ? nn_ask_cpu(cpu, points, queries, radii[r], &o)
                                                     : nn_ask_oracle(points, queries, radii[r]);
            ask_all(ctx, index, queries, radii[r], &a, m + r, clump_nn_method_name(o.method));
            nn_forget(&a);
        }
        clump_index_destroy(index);
    }
    clump_context_destroy(ctx);
}

/* Dense groups far apart, so that cells have all widths, down to none; also further apart than a float can say. */
static void groups(void)
{
    static const float widths[][2] = {{1, 1e3f}, {0.01f, 1e6f}, {1e-44f, 1}, {1e30f, 3.4e38f}, {1, 1e30f}, {0, 1}};
    const size_t n = gpu_small() ? 300 : 3000, m = gpu_small() ? 20 : 150;
    static float asked[3 * 150];
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    for (int turn = 0; turn < 6; turn++) {
        uint64_t random = 7300 + (uint64_t)turn;
        for (size_t i = 0; i < n + m; i++) {
            uint64_t group = 40 + check_random(&random) % 10;
            float *const p = i < n ? nn_reference + 3 * i : asked + 3 * (i - n);
            const float width = (group % 4 ? 1 : 20) * widths[turn][0];
            for (int k = 0; k < 3; k++) {
                const float corner = (float)(check_random(&group) >> 40) * 0x1p-23f - 1;
                const float inside = (float)(check_random(&random) >> 40) * 0x1p-24f;
                p[k] = corner * widths[turn][1] + width * inside;
            }
        }
        if (turn % 2) cloud_spoil(nn_reference, n, 5, &random);
        const clump_points points = {.xyz = nn_reference, .count = n}, queries = {.xyz = asked, .count = m};
        const float radius = turn % 3 == 1 ? INFINITY : 0.3f * widths[turn][0];
        answers a = nn_ask_oracle(points, queries, radius);
        clump_index *index = NULL;
        CHECK_INT(clump_index_create(ctx, points, NULL, &index), CLUMP_OK);
        char what[80];
        snprintf(what, sizeof what, "groups of %g in %g", (double)widths[turn][0], (double)widths[turn][1]);
        ask_all(ctx, index, queries, radius, &a, turn, what);
        clump_index_destroy(index);
        nn_forget(&a);
    }
    clump_context_destroy(ctx);
}

/* ----- real scans ---------------------------------------------------------------------------------- */

static void real_scans(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    clump_cloud *const clouds[2] = {scan_load("kitti/semkitti_00_000000.bin"),
                                    scan_load("kitti/semkitti_00_000001.bin")};
    if (!clouds[0] || !clouds[1]) SKIP(DO_DATA);
    const clump_points points = clump_cloud_points(clouds[0]), queries = clump_cloud_points(clouds[1]);
    clump_points few = queries;
    few.count = 300;
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    for (int m = 0; m < nn_methods.count; m++) {
        clump_index_options o = clump_index_defaults(), there;
        o.method = (clump_nn_method)nn_methods.values[m], o.window = 2;
        const clump_points asked = o.method == CLUMP_NN_PER_QUERY ? few : queries;
        there = o, there.method = o.method == CLUMP_NN_AZIMUTH ? CLUMP_NN_AZIMUTH : CLUMP_NN_FAST;
        answers a = nn_ask_cpu(cpu, points, asked, 0.4f, &there);
        clump_index *index = NULL;
        CHECK_INT(clump_index_create(ctx, points, &o, &index), CLUMP_OK);
        for (int place = 0; place < GPU_PLACES; place++) {
            if (o.method != CLUMP_NN_FAST && place != m % GPU_PLACES) continue;
            nn_nearest(ctx, index, (gpu_place)place, asked, 0.4f, 1, &a, true, "scans");
            nn_nearest(ctx, index, (gpu_place)place, asked, 0.4f, 10, &a, true, "scans");
            nn_within(ctx, index, (gpu_place)place, asked, 0.4f, &a, true, "scans");
        }
        clump_index_destroy(index);
        nn_forget(&a);
    }
    clump_context_destroy(ctx);
    clump_cloud_destroy(clouds[0]), clump_cloud_destroy(clouds[1]);
}

CHECK_PROGRAM(test_cuda_nn)
{
    if (gpu_skip("test_cuda_nn")) return;
    nn_methods = gpu_methods_of(&clump_nn_methods);
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    RUN(clouds_of_all_kinds);
    RUN(dense_places);
    RUN(groups);
    RUN(real_scans);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
