/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda.c: clump_ec by every method of the CUDA backend on clouds that one of them finds hard: the labels of the oracle and of
 * the CPU, bit for bit, its counts, and the passes of the plain statements. The matrix methods run with every size of blocks,
 * vertex- and edge- also in place, where threads race: then passes are at most those of two arrays. Skipped where there is no
 * GPU. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches. All other clouds: test_cuda_jobs.c, test_cuda_large.c.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/on_gpu.h"
#include "support/papers.h"
#include "oracle/oracle.h"

#include <clump/info.h>
#include <clump/sim.h>
#include <clump/index.h>

#include <math.h>

enum { MOST = 2000, WIDEST = 48 };

static clump_context *cpu, *gpu;
static float xyz[3 * MOST];
static char spread[MOST * WIDEST];
static int32_t expected[MOST], found[MOST];

static gpu_methods methods;
static clump_points spread_out(size_t count, size_t stride)
{
    return gpu_spread(spread, xyz, count, stride);
}

static bool is_matrix(clump_ec_method method)
{
    return method == CLUMP_EC_MATRIX_ES || method == CLUMP_EC_MATRIX_RS;
}

static bool has_rounds(clump_ec_method method)
{
    return method >= CLUMP_EC_VERTEX_ES && method <= CLUMP_EC_EDGE_RS;
}

/* One method in one place, against `expected` and what the CPU says of the same call. */
static void compare_one(gpu_place place, const gpu_cloud *c, float d, const clump_ec_options *given,
                        const clump_stats *wanted, const char *name)
{
    clump_ec_options o = *given;
    o.common.mask = c->mask;
    o.common.clusters_on_device = c->clusters;
    const char *const method = clump_ec_method_name(o.method);
    int32_t clusters = -7, there = -7;
    gpu_cloud_clear(gpu, c);
    const clump_status status = clump_ec(gpu, c->points, d, &o, c->labels, &clusters);
    const clump_stats s = clump_context_stats(gpu);
    if (status != CLUMP_OK) {
        CHECK_FAIL("%s: %s, %s: %s", name, method, gpu_place_name(place), clump_context_error(gpu));
        return;
    }
    CHECK_MSG(gpu_cloud_fetch(gpu, c, found, &there), "%s: %s, %s: labels beyond the last", name, method,
              gpu_place_name(place));
    const size_t n = c->points.count;
    size_t first = 0;
    while (first < n && found[first] == expected[first]) first++;
    CHECK_MSG(first == n, "%s: %s, %s: point %zu has label %d, expected %d", name, method, gpu_place_name(place), first,
              found[first], expected[first]);
    CHECK_MSG(clusters == wanted->clusters && there == clusters && s.clusters == clusters,
              "%s: %s, %s: %d clusters, %d on the device, expected %d", name, method, gpu_place_name(place), clusters,
              there, wanted->clusters);
    CHECK_MSG(s.points == n && s.finite == wanted->finite && s.masked == wanted->masked && s.noise == wanted->noise,
              "%s: %s, %s: %zu finite, %zu masked, %zu noise, expected %zu, %zu, %zu", name, method,
              gpu_place_name(place), s.finite, s.masked, s.noise, wanted->finite, wanted->masked, wanted->noise);
    CHECK_MSG(papers_of(&o.common)->in_place ? s.passes >= 1 && s.passes <= wanted->passes : s.passes == wanted->passes,
              "%s: %s%s, block %d, %s: %d passes, expected %d", name, method,
              papers_of(&o.common)->in_place ? " in place" : "", papers_of(&o.common)->matrix_block,
              gpu_place_name(place), (int)s.passes, (int)wanted->passes);
    CHECK_INT(s.backend, CLUMP_BACKEND_CUDA);
    CHECK_TEXT(s.method, method);
    CHECK_TEXT(s.reason, "asked for");
    CHECK(s.upload_ms >= 0 && s.build_ms >= 0 && s.cluster_ms >= 0 && s.label_ms >= 0 && s.download_ms >= 0);
    CHECK(is_matrix(o.method) ? s.initial_ms >= 0 : s.initial_ms == 0);
}

/* One method with the options that only the six have: labels in place, beside the passes of two arrays; or one more size
 * of blocks. */
static void compare_options(const gpu_cloud *c, clump_points points, float d, clump_ec_options o,
                            const clump_stats *wanted, long round, const char *name)
{
    if (has_rounds(o.method)) {
        PAPERS(o)->in_place = true;
        compare_one(GPU_PAGEABLE, c, d, &o, wanted, name);
    } else if (is_matrix(o.method)) {
        PAPERS(o)->matrix_block = 64 << (int)(round % 5);
        CHECK_INT(clump_ec(cpu, points, d, &o, found, NULL), CLUMP_OK);
        const clump_stats blocks = clump_context_stats(cpu);
        compare_one(GPU_PAGEABLE, c, d, &o, &blocks, name);
    }
}

/* All methods on one cloud, in two places each: ordinary memory, and another in turn. */
static void compare(clump_points points, float d, const clump_ec_options *given, long round, const char *shape)
{
    char name[160];
    snprintf(name, sizeof name, "round %ld, %s, %zu points, stride %zu, d %.9g", round, shape, points.count,
             points.stride, (double)d);
    gpu_cloud in[GPU_PLACES];
    for (int p = 0; p < GPU_PLACES; p++) in[p] = gpu_cloud_make(gpu, (gpu_place)p, points, given->common.mask);
    const int32_t clusters = oracle_ec(points, d, given, expected);
    for (int m = 0; m < methods.count; m++) {
        clump_ec_options o = *given;
        o.method = (clump_ec_method)methods.values[m];
        int32_t n = -1;
        if (clump_ec(cpu, points, d, &o, found, &n) != CLUMP_OK) CHECK_FAIL("%s: %s", name, clump_context_error(cpu));
        CHECK_MSG(n == clusters && memcmp(found, expected, points.count * sizeof *found) == 0,
                  "%s: the CPU and the oracle differ", name);
        const clump_stats wanted = clump_context_stats(cpu);
        const int other = 1 + (int)((round / CLOUD_SHAPES + round + m) % 2); /* every shape comes to both */
        compare_one(GPU_PAGEABLE, &in[GPU_PAGEABLE], d, &o, &wanted, name);
        compare_one((gpu_place)other, &in[other], d, &o, &wanted, name);
        compare_options(&in[GPU_PAGEABLE], points, d, o, &wanted, round, name);
    }
    for (int p = 0; p < GPU_PLACES; p++) gpu_cloud_free(gpu, &in[p]);
}

/* More labels than a thread block of the matrix methods can hold, and some of one group to be merged with those of
 * the other: a layer off the diagonal, and an UPDATE. */
static void two_groups(void)
{
    enum { LONERS = 1060, PARTNERS = 40, COUNT = LONERS + PARTNERS };
    for (size_t i = 0; i < COUNT; i++) {
        const size_t at = i < LONERS ? i : (i - LONERS) * 25; /* in the first 1024 */
        xyz[3 * i] = 2 * (float)(at % 40);
        xyz[3 * i + 1] = 2 * (float)(at / 40);
        xyz[3 * i + 2] = i < LONERS ? 0 : 0.5f;
    }
    clump_ec_options o = clump_ec_defaults();
    for (long round = 0; round < 5; round++) /* one per size of blocks */
        compare(spread_out(COUNT, 12), 1, &o, round, "two groups");
    o.method = CLUMP_EC_MATRIX_RS;
    CHECK_INT(clump_ec(cpu, spread_out(COUNT, 12), 1, &o, found, NULL), CLUMP_OK);
    CHECK_INT(clump_context_stats(cpu).passes, 1);
    CHECK_INT(clump_ec(gpu, spread_out(COUNT, 12), 1, &o, found, NULL), CLUMP_OK);
    CHECK(clump_context_stats(gpu).initial_ms > 0 && clump_context_stats(gpu).build_ms > 0);
}

/* Chains of 1500 points, which need 1500 rounds with two arrays: in place, labels and passes of many racing runs. */
static void chains_in_place(void)
{
    enum { CHAIN = 1500 };
    if (gpu_small()) return; /* too slow while watched */
    for (int towards = 0; towards < 2; towards++) {
        for (size_t i = 0; i < CHAIN; i++) {
            const size_t place = towards ? (CHAIN - i) % CHAIN : i;
            xyz[3 * i] = 0.8f * (float)place, xyz[3 * i + 1] = xyz[3 * i + 2] = 0;
            expected[i] = 0;
        }
        const clump_points points = {.xyz = xyz, .count = CHAIN};
        gpu_cloud c = gpu_cloud_make(gpu, GPU_PAGEABLE, points, NULL);
        const clump_stats wanted = {.clusters = 1, .finite = CHAIN, .passes = CHAIN};
        for (int run = 0; run < 40; run++) {
            clump_ec_options o = clump_ec_defaults();
            PAPERS(o)->in_place = true, o.method = (clump_ec_method)(CLUMP_EC_VERTEX_ES + run % 4);
            compare_one(GPU_PAGEABLE, &c, 1, &o, &wanted, "a chain");
        }
        gpu_cloud_free(gpu, &c);
    }
}

/* Enough points for every kernel to have more than one thread block. */
static void one_blob(void)
{
    clump_factors f = clump_factors_defaults();
    f.layout = CLUMP_LAYOUT_BLOB, f.points = 20000, f.clusters = 40, f.degree = 32;
    float *const points = malloc(3 * f.points * sizeof *points);
    int32_t *const labels = malloc(f.points * sizeof *labels);
    CHECK_INT(clump_sim_factors(&f, points, NULL, NULL), CLUMP_OK);
    const clump_points cloud = {.xyz = points, .count = f.points};
    for (int limits = 0; limits < 2; limits++) {
        clump_ec_options o = clump_ec_defaults();
        if (limits) o.common.order = CLUMP_ORDER_SIZE, o.common.min_size = 3;
        int32_t wanted = -1, clusters = -2;
        CHECK_INT(clump_ec(cpu, cloud, 1, &o, labels, &wanted), CLUMP_OK);
        const uint64_t hash = clump_labels_hash(labels, f.points);
        CHECK_INT(clump_ec(gpu, cloud, 1, &o, labels, &clusters), CLUMP_OK);
        CHECK_INT(clusters, wanted);
        CHECK(clump_labels_hash(labels, f.points) == hash);
    }
    free(points), free(labels);
}

/* Two dense plates that lie askew, just over d apart or just under it, and a heap at a distance. */
static void dense_plates_askew(void)
{
    enum { PLATE = 4000, HEAP = 24, COUNT = 2 * PLATE + HEAP };
    static const float gaps[] = {1.001f, 0.9995f};
    float *const points = malloc(3 * COUNT * sizeof *points);
    int32_t *const labels = malloc(COUNT * sizeof *labels);
    uint64_t random = 103;
    for (size_t g = 0; g < 2; g++) {
        for (size_t i = 0; i < COUNT; i++) { /* a + 2 b + 3 c = 0 on the first plate */
            const float a = 0.4f * check_random_float(&random) - 0.2f, b = 0.3f * check_random_float(&random) - 0.15f;
            const float up = i % 2 ? gaps[g] / sqrtf(14) : 0;
            float *const p = points + 3 * i;
            p[0] = a + up, p[1] = b + 2 * up, p[2] = 3 * up - (a + 2 * b) / 3;
            if (i >= 2 * PLATE) p[0] = -1.3f + 0.1f * a, p[1] = 0, p[2] = 0.1f * b;
        }
        const clump_points cloud = {.xyz = points, .count = COUNT};
        int32_t wanted = -1, clusters = -2;
        CHECK_INT(clump_ec(cpu, cloud, 1, NULL, labels, &wanted), CLUMP_OK);
        CHECK_INT(wanted, g == 0 ? 3 : 2);
        const uint64_t hash = clump_labels_hash(labels, COUNT);
        CHECK_INT(clump_ec(gpu, cloud, 1, NULL, labels, &clusters), CLUMP_OK);
        CHECK_INT(clusters, wanted);
        CHECK(clump_labels_hash(labels, COUNT) == hash);
    }
    free(points), free(labels);
}

CHECK_PROGRAM(test_cuda)
{
    if (gpu_skip("test_cuda")) return;
    methods = gpu_methods_of(&clump_ec_methods);
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(two_groups);
    RUN(chains_in_place);
    RUN(one_blob);
    RUN(dense_plates_askew);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
