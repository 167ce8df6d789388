/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_dbscan_large.c: clump_dbscan by the CUDA backend beside `fast` on the CPU, by the hash of the labels and by
 * the core flags: dense sets, plates of partly kept cells, a million points, and every real scan there is in the folder
 * CLUMP_DATA. Says how long each took, which is no test. Skipped where there is no GPU.
 */
#include "support/check.h"

#include "support/on_gpu.h"
#include "support/scans.h"

#include <clump/info.h>
#include <clump/sim.h>

static clump_context *cpu, *gpu;

static gpu_methods methods;
typedef struct outcome {
    int32_t clusters;
    size_t core;
} outcome;

/* Compares all methods, from ordinary memory alone or from the device in turn, by hash. Returns the result of the CPU. */
static outcome compare_in(bool pageable, clump_points points, float eps, size_t min_points, const char *name)
{
    static long turn;
    const size_t n = points.count;
    int32_t *const labels = malloc((n + 1) * sizeof *labels);
    uint8_t *const core = malloc(n + 1), *const wanted_core = malloc(n + 1);
    if (!labels || !core || !wanted_core) abort();
    clump_dbscan_options o = clump_dbscan_defaults();
    o.core = wanted_core;
    int32_t wanted = -1;
    CHECK_INT(clump_dbscan(cpu, points, eps, min_points, &o, labels, &wanted), CLUMP_OK);
    const uint64_t hash = clump_labels_hash(labels, n);
    const clump_stats on_cpu = clump_context_stats(cpu);
    for (int m = 0; m < methods.count; m++) {
        const gpu_place place = pageable || turn++ % 3 == 0 ? GPU_PAGEABLE : GPU_DEVICE;
        gpu_cloud c = gpu_cloud_make(gpu, place, points, NULL);
        o.method = (clump_dbscan_method)methods.values[m], o.core = c.core;
        int32_t clusters = -2;
        const clump_status status = clump_dbscan(gpu, c.points, eps, min_points, &o, c.labels, &clusters);
        const clump_stats s = clump_context_stats(gpu);
        if (status != CLUMP_OK) {
            CHECK_FAIL("%s, %s: %s", name, clump_dbscan_method_name(o.method), clump_context_error(gpu));
        } else {
            CHECK_MSG(gpu_cloud_fetch(gpu, &c, labels, NULL) && gpu_cloud_fetch_core(gpu, &c, core),
                      "%s: labels or core flags beyond the last", name);
            CHECK_MSG(clusters == wanted && clump_labels_hash(labels, n) == hash && memcmp(core, wanted_core, n) == 0,
                      "%s, %zu points, eps %g, min %zu, %s, %s: %d clusters, expected %d", name, n, (double)eps,
                      min_points, clump_dbscan_method_name(o.method), gpu_place_name(place), clusters, wanted);
            CHECK_MSG(s.finite == on_cpu.finite && s.noise == on_cpu.noise, "%s: %zu finite, %zu noise", name, s.finite,
                      s.noise);
            printf("%-28s %8zu points  %-6s  %5ld iterations  %10.3f ms of %.3f\n", name, n,
                   clump_dbscan_method_name(o.method), (long)s.passes, s.cluster_ms,
                   s.upload_ms + s.build_ms + s.cluster_ms + s.label_ms + s.download_ms);
        }
        gpu_cloud_free(gpu, &c);
    }
    outcome found = {.clusters = wanted};
    for (size_t i = 0; i < n; i++) found.core += wanted_core[i];
    free(labels), free(core), free(wanted_core);
    return found;
}

static outcome compare_large(clump_points points, float eps, size_t min_points, const char *name)
{
    return compare_in(false, points, eps, min_points, name);
}

/* ----- synthetic ----------------------------------------------------------------------------------- */

static void layouts(void)
{
    static const struct {
        clump_layout layout;
        size_t points, clusters, min_points;
        double degree;
    } clouds[] = {{CLUMP_LAYOUT_BLOB, 262144, 128, 5, 32},   {CLUMP_LAYOUT_BLOB, 262144, 128, 10, 8},
                  {CLUMP_LAYOUT_BLOB, 1048576, 128, 5, 32},  {CLUMP_LAYOUT_BLOB, 1048576, 65536, 2, 4},
                  {CLUMP_LAYOUT_LINE, 1048576, 128, 5, 32},  {CLUMP_LAYOUT_JOINTS, 262144, 128, 5, 32},
                  {CLUMP_LAYOUT_SLABS, 100000, 2, 200, 400}, {CLUMP_LAYOUT_SLABS, 20000, 2, 5, 5000},
                  {CLUMP_LAYOUT_SLABS, 60000, 2, 6000, 8000}};
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) {
        clump_factors f = clump_factors_defaults();
        f.layout = clouds[k].layout, f.points = clouds[k].points, f.clusters = clouds[k].clusters;
        f.degree = clouds[k].degree, f.distance = f.clusters == 2 ? 1 : 4;
        float *const points = malloc(3 * f.points * sizeof *points);
        clump_message why = {""};
        CHECK_MSG(clump_sim_factors(&f, points, NULL, &why) == CLUMP_OK, "%s", why.text);
        compare_large((clump_points){.xyz = points, .count = f.points}, 1, clouds[k].min_points,
                      clump_layout_name(f.layout));
        free(points);
    }
}

/* More seeds than fit into a list, or into all; one dense place in a million points that are alone, which are
 * noise, or clusters of one. */
static void dense_sets(void)
{
    enum { COUNT = 1000000, DENSE = 4000, ALL = 300000 };
    uint64_t random = 207;
    float *const points = calloc(3 * COUNT, sizeof *points);
    compare_large((clump_points){.xyz = points, .count = ALL}, 1, 5, "one place");
    for (size_t i = 0; i < 3 * 60000; i++) points[i] = check_random_float(&random);
    compare_large((clump_points){.xyz = points, .count = 60000}, 0.5f, 3000, "one cube, many at min");
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0, at = i; k < 3; k++, at /= 100) points[3 * i + k] = 1.5f * (float)(at % 100);
    for (size_t i = COUNT / 2; i < COUNT / 2 + DENSE; i++) /* a rod of eight, end to end */
        for (size_t k = 0; k < 3; k++) points[3 * i + k] = k ? 0.01f : 8 * check_random_float(&random);
    compare_large((clump_points){.xyz = points, .count = COUNT}, 1, 5, "a rod among loners");
    compare_large((clump_points){.xyz = points, .count = COUNT / 4}, 1, 1, "loners, all core");
    compare_large((clump_points){.xyz = points, .count = COUNT}, 1.6f, 6, "lattice");
    free(points);
}

/* As many rows as dclust has chains, two by two within eps: both points of a pair are taken at the same time, so chains
 * collide in every iteration, of which there are many. */
static void pairs_of_rows(void)
{
    enum { ROWS = 256, EACH = 400, COUNT = ROWS * EACH };
    float *const points = calloc(3 * COUNT, sizeof *points);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t row = i / EACH;
        points[3 * i] = 1.5f * (float)(i % EACH);
        points[3 * i + 1] = 2.6f * (float)(row / 2) + 0.9f * (float)(row % 2);
    }
    const outcome o = compare_large((clump_points){.xyz = points, .count = COUNT}, 1, 2, "pairs of rows");
    CHECK_INT(o.clusters, COUNT / 2);
    free(points);
}

/* A dense cell among cells with a few points each, in every layer of a block and beside it. Its points are enough for
 * min_points, need some around the cell, or are a little short. */
static void dense_cell_in_its_place(void)
{
    enum { DENSE = 6000, AROUND = 60000, COUNT = DENSE + AROUND };
    static const size_t least[] = {10, DENSE, DENSE + 8};
    uint64_t random = 209;
    float *const points = malloc(3 * COUNT * sizeof *points);
    for (int place = -2; place <= 4; place++) {
        for (size_t i = 0; i < COUNT; i++) {
            const bool dense = i % 11 == 5;
            const float side = dense ? 0.2f : 30, middle = dense ? 0.58f * (float)place : 0;
            for (size_t k = 0; k < 3; k++) points[3 * i + k] = middle + side * (check_random_float(&random) - 0.5f);
        }
        for (size_t k = 0; k < 3; k++) {
            const outcome o = compare_large((clump_points){.xyz = points, .count = COUNT}, 1, least[k], "dense cell");
            CHECK_MSG(o.clusters > 0 && o.core > 0 && o.core < COUNT, "%d clusters, %zu core points", o.clusters,
                      o.core);
        }
    }
    free(points);
}

/* Two plates a little more than eps apart, 20,000 points on 2 x 2 each: core points have 1.4 of their disc inside. So
 * cells have 1600 points, which is less than min_points, and of those next to the corners some are core points and
 * some not. In two of these, one above the other, is the one pair within eps, if there is any. */
static void partly_kept(void)
{
    enum { PLATE = 20000, COUNT = 2 * PLATE, MIN_POINTS = 7000, ONE = 12346, OTHER = 23457 };
    uint64_t random = 210;
    float *const points = malloc(3 * COUNT * sizeof *points);
    for (size_t turn = 0; turn < 6; turn++) {
        const size_t across = turn % 3;
        const bool joined = turn / 3 == 0;
        for (size_t i = 0; i < COUNT; i++) {
            float *const p = points + 3 * i;
            const float depth = 0.05f * check_random_float(&random);
            for (size_t k = 0; k < 3; k++) p[k] = 2 * check_random_float(&random) - 1;
            p[across] = i % 2 ? 1.005f + depth : -depth;
        }
        for (size_t k = 0; joined && k < 3; k++) {
            points[3 * ONE + k] = k == across ? 0.004f : -0.55f;
            points[3 * OTHER + k] = k == across ? 1.0035f : -0.55f;
        }
        const outcome o = compare_large((clump_points){.xyz = points, .count = COUNT}, 1, MIN_POINTS, "plates");
        CHECK_INT(o.clusters, joined ? 1 : 2);
        CHECK_MSG(o.core > COUNT / 2 && o.core < COUNT - 500, "%zu core points", o.core);
    }
    free(points);
}

/* Ordinary memory with several threads, which pack such clouds and hand their labels out in pieces. */
static void several_threads(void)
{
    static const size_t counts[] = {600001, 524288, 524287}, strides[] = {12, 20, 16};
    uint64_t random = 211;
    clump_context *const one = gpu;
    gpu = gpu_context_of(CLUMP_BACKEND_CUDA, 4);
    for (size_t k = 0; k < 3; k++) {
        float *const points = malloc(counts[k] * strides[k]);
        if (!points) abort();
        for (size_t i = 0; i < counts[k] * strides[k] / sizeof *points; i++)
            points[i] = 80 * check_random_float(&random); /* five in reach, on average */
        const outcome o = compare_in(true, (clump_points){.xyz = points, .count = counts[k], .stride = strides[k]}, 1,
                                     5, "four threads");
        CHECK_MSG(o.clusters > 1000, "%d clusters", o.clusters);
        free(points);
    }
    clump_context_destroy(gpu);
    gpu = one;
}

/* ----- scans --------------------------------------------------------------------------------------- */

/* Whole scans, and the paper's six: the first 1,000, 5,000 and 10,000 points of one. */
static void compare_scan(clump_points p, const char *name)
{
    static const size_t firsts[] = {1000, 5000, 10000};
    static size_t scans, kitti;
    compare_large(p, 0.5f, 10, name);
    if (scans++ % 4 == 0) compare_large(p, 0.1f, 4, name);
    const bool toys = strstr(name, "kitti") && kitti++ == 0;
    for (size_t k = 0; toys && k < 6; k++) {
        p.count = firsts[k / 2];
        compare_large(p, k % 2 ? 5 : 1, k % 2 ? 10 : 2, "toy");
    }
}

static void real_scans(void)
{
    SCANS_TEST(compare_scan);
}

CHECK_PROGRAM(test_cuda_dbscan_large)
{
    if (gpu_skip("test_cuda_dbscan_large")) return;
    methods = gpu_methods_of(&clump_dbscan_methods);
    cpu = gpu_context_of(CLUMP_BACKEND_CPU, 0); /* with all threads */
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(layouts);
    RUN(dense_sets);
    RUN(pairs_of_rows);
    RUN(dense_cell_in_its_place);
    RUN(partly_kept);
    RUN(several_threads);
    RUN(real_scans);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
}
