/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_dbscan.c: clump_dbscan by the CUDA backend on clouds that one of its methods finds hard, from every kind of memory: labels,
 * core flags and counts of the oracle and of the CPU, bit for bit. Skipped where there is no GPU. Clouds too large for one kernel,
 * of up to 20,000 points, are beside the CPU alone. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches. Larger
 * clouds: test_cuda_dbscan_large.c; all other clouds: test_cuda_jobs.c.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/on_gpu.h"
#include "support/papers.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <math.h>

enum {
    MOST = 2000,   /* points beside the oracle, */
    LARGE = 20000, /* and beside the CPU */
    WIDEST = 48
};

static clump_context *cpu, *gpu;
static float xyz[3 * LARGE];
static uint8_t mask[LARGE], expected_core[LARGE], found_core[LARGE];
static char spread[LARGE * WIDEST];
static int32_t expected[LARGE], found[LARGE];

static gpu_methods methods;
/* ----- small clouds, beside the oracle -------------------------------------------------------------- */

static clump_points spread_out(size_t count, size_t stride)
{
    return gpu_spread(spread, xyz, count, stride);
}

typedef struct job {
    char name[160];
    float eps;
    size_t min_points;
    clump_dbscan_options options;
    clump_stats wanted; /* the CPU's */
} job;

/* One method in one place, against `expected` and what the CPU says of the same call. */
static void compare_one(const gpu_cloud *c, const job *j, clump_dbscan_method m, bool with_core)
{
    clump_dbscan_options o = j->options;
    o.method = m, o.common.mask = c->mask, o.core = with_core ? c->core : NULL;
    o.common.clusters_on_device = c->clusters;
    char name[240];
    snprintf(name, sizeof name, "%s: %s, %s", j->name, clump_dbscan_method_name(m), gpu_place_name(c->place));
    int32_t clusters = -7, there = -7;
    gpu_cloud_clear(gpu, c);
    if (clump_dbscan(gpu, c->points, j->eps, j->min_points, &o, c->labels, &clusters) != CLUMP_OK) {
        CHECK_FAIL("%s: %s", name, clump_context_error(gpu));
        return;
    }
    const clump_stats s = clump_context_stats(gpu);
    const size_t n = c->points.count;
    CHECK_MSG(gpu_cloud_fetch(gpu, c, found, &there), "%s: labels beyond the last", name);
    CHECK_MSG(gpu_cloud_fetch_core(gpu, c, found_core), "%s: core flags beyond the last", name);
    size_t at = 0;
    while (at < n && found[at] == expected[at] && found_core[at] == (with_core ? expected_core[at] : 77)) at++;
    CHECK_MSG(at == n, "%s: point %zu has label %d, core %d, expected %d, %d", name, at, found[at], found_core[at],
              expected[at], expected_core[at]);
    CHECK_MSG(clusters == j->wanted.clusters && there == clusters && s.clusters == clusters,
              "%s: %d clusters, %d on the device, expected %d", name, clusters, there, j->wanted.clusters);
    CHECK_MSG(s.points == n && s.finite == j->wanted.finite && s.masked == j->wanted.masked &&
                  s.noise == j->wanted.noise,
              "%s: %zu finite, %zu masked, %zu noise, expected %zu, %zu, %zu", name, s.finite, s.masked, s.noise,
              j->wanted.finite, j->wanted.masked, j->wanted.noise);
    CHECK_INT(s.backend, CLUMP_BACKEND_CUDA);
    CHECK_TEXT(s.method, clump_dbscan_method_name(m));
    CHECK(s.upload_ms >= 0 && s.build_ms >= 0 && s.cluster_ms >= 0 && s.label_ms >= 0 && s.download_ms >= 0);
}

static void name_job(job *j, clump_points points, long round, const char *shape)
{
    snprintf(j->name, sizeof j->name, "round %ld, %s, %zu points, stride %zu, eps %.9g, min %zu", round, shape,
             points.count, points.stride, (double)j->eps, j->min_points);
}

/* All methods on one cloud: ordinary memory, and another in turn. */
static void compare(clump_points points, job *j, long round, const char *shape)
{
    name_job(j, points, round, shape);
    clump_dbscan_options o = j->options;
    o.method = (clump_dbscan_method)(round % clump_dbscan_methods.count), o.core = found_core;
    const int32_t clusters = oracle_dbscan(points, j->eps, j->min_points, &o, expected, expected_core);
    int32_t n = -1;
    if (clump_dbscan(cpu, points, j->eps, j->min_points, &o, found, &n) != CLUMP_OK)
        CHECK_FAIL("%s: %s", j->name, clump_context_error(cpu));
    CHECK_MSG(n == clusters && memcmp(found, expected, points.count * sizeof *found) == 0 &&
                  memcmp(found_core, expected_core, points.count) == 0,
              "%s: the CPU and the oracle differ", j->name);
    j->wanted = clump_context_stats(cpu);
    gpu_cloud in[GPU_PLACES];
    for (int p = 0; p < GPU_PLACES; p++) in[p] = gpu_cloud_make(gpu, (gpu_place)p, points, j->options.common.mask);
    for (int m = 0; m < methods.count; m++) {
        const int other = 1 + (int)((round / CLOUD_SHAPES + round + m) % 2); /* every shape comes to both */
        if (gpu_small() < 2)
            compare_one(&in[GPU_PAGEABLE], j, (clump_dbscan_method)methods.values[m], (round + m) % 5 != 0);
        compare_one(&in[other], j, (clump_dbscan_method)methods.values[m], (round + m) % 3 != 0);
    }
    for (int p = 0; p < GPU_PLACES; p++) gpu_cloud_free(gpu, &in[p]);
}

/* Whole lattices, every point at exactly eps from its neighbours, and one float to either side. */
static void ties(void)
{
    uint64_t random = 202;
    const long step = gpu_small() == 2 ? 36 : gpu_small() ? 7 : 1;
    for (long round = 0; round < check_rounds(72) && check_failures < 20; round += step) {
        const size_t side = 3 + (size_t)round % 7, flat = round % 3 ? side : 1;
        const float spacing = ldexpf(1, (int)(round % 11) - 5);
        size_t count = 0;
        for (size_t i = 0; i < side * side * flat; i++) {
            if (check_random(&random) % 4 == 0) continue; /* holes: border points and noise */
            const size_t at[3] = {i % side, i / side % side, i / side / side};
            for (size_t k = 0; k < 3; k++) xyz[3 * count + k] = spacing * ((float)at[k] - (float)(round % 4));
            count++;
        }
        job j = {.min_points = 1 + (size_t)round % 8, .options = clump_dbscan_defaults()};
        j.eps = cloud_step(spacing * (round % 5 == 4 ? 2.0f : 1.0f), (int)(round / 2 % 3) - 1);
        j.options.no_border_points = round % 6 == 5;
        compare(spread_out(count, 12), &j, round, "lattice");
    }
}

/* ----- clouds too large for one kernel, beside the CPU ------------------------------------------------ */

/* `fast` from every kind of memory, the other methods from one kind in turn. */
static void compare_with_cpu(clump_points points, job *j, long round, const char *shape)
{
    name_job(j, points, round, shape);
    clump_dbscan_options o = j->options;
    o.core = expected_core;
    if (clump_dbscan(cpu, points, j->eps, j->min_points, &o, expected, NULL) != CLUMP_OK)
        CHECK_FAIL("%s: %s", j->name, clump_context_error(cpu));
    j->wanted = clump_context_stats(cpu);
    const int turn = (int)((round + round / GPU_PLACES) % GPU_PLACES);
    for (int p = 0; p < GPU_PLACES; p++) {
        if (gpu_small() && p != turn) continue;
        gpu_cloud c = gpu_cloud_make(gpu, (gpu_place)p, points, j->options.common.mask);
        compare_one(&c, j, CLUMP_DBSCAN_FAST, (round + p) % 4 != 0);
        for (int m = 1; m < methods.count && !gpu_small() && p == turn; m++)
            compare_one(&c, j, (clump_dbscan_method)methods.values[m], true);
        gpu_cloud_free(gpu, &c);
    }
}

/* Moves every third point into a small cube in the middle of a cell, that of the origin or another. */
static void make_dense_cell(size_t count, float eps, float cells, uint64_t *random)
{
    for (size_t i = 0; i < count; i += 3)
        for (size_t k = 0; k < 3; k++)
            xyz[3 * i + k] = eps * (0.58f * cells + 0.2f * (check_random_float(random) - 0.5f));
}

static int by_size(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Returns a min_points that a quarter, a half or three quarters of the points have around them, by a sample: some points
 * are core points, others are not. In a dense cell it is more than the points of the cell. */
static size_t fitting_min_points(size_t count, const job *j, size_t quarters, uint64_t *random)
{
    enum { SAMPLE = 39, STEP = 10 };
    size_t around[SAMPLE] = {0};
    for (size_t s = 0; s < SAMPLE; s++) {
        const float *const p = xyz + 3 * (check_random(random) % count);
        for (size_t i = 0; i < count; i++) {
            const float x = p[0] - xyz[3 * i], y = p[1] - xyz[3 * i + 1], z = p[2] - xyz[3 * i + 2];
            if (j->options.common.mask && !mask[i]) continue;
            around[s] += x * x + y * y + (j->options.common.two_d ? 0 : z * z) <= j->eps * j->eps;
        }
    }
    qsort(around, SAMPLE, sizeof *around, by_size);
    const size_t least = around[STEP * quarters - 1];
    return least > 0 ? least : 1;
}

/* Every option with clouds of every shape. Launches are made ready by the number of bits of the count, so those around
 * a power of two come, too. */
static void large_clouds(void)
{
    static const size_t strides[] = {12, 20, 16, 48, 0, 28, 32, 24}, odd[] = {4097, 8191, 8192, 16384, 16383, LARGE};
    uint64_t random = 208;
    const long rounds = gpu_small() == 2 ? 1 : gpu_small() ? 3 : check_rounds(24);
    long core = 0, borders = 0, noise = 0;
    for (long round = 0; round < rounds && check_failures < 20; round++) {
        const long other = round + round / CLOUD_SHAPES; /* in turns that are not those of the shapes */
        const cloud_shape shape = gpu_small() ? CLOUD_SLABS : (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = gpu_small()      ? 4200
                             : round % 4 == 0 ? odd[round / 4 % 6]
                                              : 5000 + check_random(&random) % (LARGE - 4999);
        job j = {.eps = cloud_fill(shape, xyz, count, &random), .options = clump_dbscan_defaults()};
        if (round % 3 == 1) make_dense_cell(count, j.eps, (float)(round / 3 % 4), &random);
        if (round % 4 == 1) cloud_spoil(xyz, count, 1 + check_random(&random) % 50, &random);
        j.options.common.order = other % 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        j.options.common.two_d = round % 5 == 2;
        j.options.no_border_points = round % 6 == 5;
        if (round % 5 == 3) j.options.common.min_size = 2 + check_random(&random) % 8;
        if (round % 7 == 3) j.options.common.max_size = j.options.common.min_size + check_random(&random) % 3000;
        for (size_t i = 0; i < count; i++) mask[i] = check_random(&random) % 4 ? (uint8_t)(1 + i % 255) : 0;
        if (round % 3 == 2) j.options.common.mask = mask;
        if (j.options.common.two_d)
            for (size_t i = 0; i < count; i += 1 + check_random(&random) % 7) xyz[3 * i + 2] = NAN;
        j.min_points = fitting_min_points(count, &j, 1 + (size_t)(round + round / 3) % 3, &random);
        compare_with_cpu(spread_out(count, strides[other % 8]), &j, round, cloud_name(shape));
        for (size_t i = 0; i < count; i++) {
            core += expected_core[i], borders += expected[i] >= 0 && !expected_core[i];
            noise += expected[i] == CLUMP_NOISE;
        }
        if (round % 10 == 9) clump_context_trim(gpu);
    }
    const long least = gpu_small() ? 500 : 20000;
    CHECK_MSG(core > least && borders > least && (noise > least || gpu_small()),
              "%ld core points, %ld border points, %ld noise: the test does not test", core, borders, noise);
}

/* ----- calls ---------------------------------------------------------------------------------------- */

/* Checks the load of dclust: one entry per chain, or per point if there are fewer. A thread block that began first may
 * not be the one that ended last, so the largest need not be 1. */
static void expect_load(size_t points, size_t chains)
{
    int loads = -1;
    const float *const load = clump_context_load(gpu, &loads);
    CHECK_INT(loads, points < chains ? points : chains);
    for (int i = 0; i < loads; i++) CHECK_MSG(load[i] >= 0 && load[i] <= 1, "load %g", (double)load[i]);
    CHECK(clump_context_merge_load(gpu, &loads) == NULL && loads == 0);
}

/* Runs dclust with options of its own in every place. `expected` and j->wanted are made by the CPU's dclust with the
 * same options. */
static void compare_dclust(clump_points points, job *j, long round, const char *shape)
{
    name_job(j, points, round, shape);
    clump_dbscan_options *const o = &j->options;
    char sizes[80];
    snprintf(sizes, sizeof sizes, ", %d chains of %d, %d seeds", papers_of(&o->common)->dclust_chains,
             papers_of(&o->common)->dclust_threads, papers_of(&o->common)->dclust_seeds);
    strncat(j->name, sizes, sizeof j->name - strlen(j->name) - 1);
    o->method = CLUMP_DBSCAN_DCLUST, o->core = expected_core;
    if (clump_dbscan(cpu, points, j->eps, j->min_points, o, expected, NULL) != CLUMP_OK)
        CHECK_FAIL("%s: %s", j->name, clump_context_error(cpu));
    j->wanted = clump_context_stats(cpu);
    for (int p = gpu_small() == 2 ? GPU_DEVICE : 0; p < GPU_PLACES; p++) {
        gpu_cloud in = gpu_cloud_make(gpu, (gpu_place)p, points, NULL);
        compare_one(&in, j, CLUMP_DBSCAN_DCLUST, true);
        expect_load(j->wanted.finite,
                    papers_of(&o->common)->dclust_chains ? (size_t)papers_of(&o->common)->dclust_chains : 256);
        gpu_cloud_free(gpu, &in);
    }
}

/* The extremes of chains, threads and seeds. A full list loses no point, and the labels are the oracle's. */
static void dclust_options(void)
{
    static const int sizes[][3] = {{1, 32, 1},  {1, 0, 0},           {0, 32, 0},   {0, 0, 1},
                                   {33, 96, 2}, {1024, 1024, 65536}, {1, 1024, 7}, {1000, 64, 300}};
    uint64_t random = 207;
    for (long round = 0; round < (gpu_small() ? 8 : check_rounds(96)) && check_failures < 20; round++) {
        const cloud_shape shape = (cloud_shape)(round / 8 % CLOUD_SHAPES);
        const size_t count = round < 8 ? (size_t)round : check_random(&random) % (gpu_small() ? 300u : MOST);
        job j = {.eps = cloud_fill(shape, xyz, count, &random), .options = clump_dbscan_defaults()};
        j.min_points = 1 + (size_t)round % 7;
        PAPERS(j.options)->dclust_chains = sizes[round % 8][0];
        PAPERS(j.options)->dclust_threads = sizes[round % 8][1];
        PAPERS(j.options)->dclust_seeds = sizes[round % 8][2];
        PAPERS(j.options)->dclust_host_merge = round % 3 == 2;
        const clump_points points = spread_out(count, 16);
        compare_dclust(points, &j, round, cloud_name(shape));
        const int32_t clusters = oracle_dbscan(points, j.eps, j.min_points, &j.options, found, found_core);
        CHECK_MSG(clusters == j.wanted.clusters && memcmp(found, expected, count * sizeof *found) == 0,
                  "%s: the CPU and the oracle differ", j.name);
    }
}

/* Lists that are too long for shared memory are in GPU memory. */
static void dclust_long_lists(void)
{
    static const int sizes[][3] = {{3, 32, 9000}, {1024, 1024, 65536}, {0, 0, 8192}};
    uint64_t random = 208;
    for (long round = 0; round < (gpu_small() ? 1 : 6) && check_failures < 20; round++) {
        const size_t count = gpu_small() ? 9100 : LARGE;
        const cloud_shape shape = round % 2 ? CLOUD_SCAN : CLOUD_UNIFORM;
        job j = {.eps = cloud_fill(shape, xyz, count, &random), .min_points = 3, .options = clump_dbscan_defaults()};
        PAPERS(j.options)->dclust_chains = sizes[round % 3][0];
        PAPERS(j.options)->dclust_threads = sizes[round % 3][1];
        PAPERS(j.options)->dclust_seeds = sizes[round % 3][2];
        compare_dclust((clump_points){.xyz = xyz, .count = count}, &j, round, cloud_name(shape));
    }
}

/* dclust reports the load of each thread block: one per chain, for 256 chains or for the number of points. */
static void load_of_thread_blocks(void)
{
    const size_t counts[] = {0, 3, 255, 256, gpu_small() ? 300 : MOST};
    uint64_t random = 205;
    clump_dbscan_options o = clump_dbscan_defaults();
    for (size_t k = 0; k < 5; k++) {
        const float eps = cloud_fill(CLOUD_UNIFORM, xyz, counts[k], &random);
        o.method = CLUMP_DBSCAN_DCLUST;
        CHECK_INT(clump_dbscan(gpu, (clump_points){.xyz = xyz, .count = counts[k]}, eps, 3, &o, found, NULL), CLUMP_OK);
        int loads = -1;
        expect_load(counts[k], 256);
        CHECK(clump_context_stats(gpu).passes >= (counts[k] > 0));
        CHECK_INT(clump_ec(gpu, (clump_points){.xyz = xyz, .count = 3}, 1, NULL, found, NULL), CLUMP_OK);
        CHECK(clump_context_load(gpu, &loads) == NULL && loads == 0);
    }
}

CHECK_PROGRAM(test_cuda_dbscan)
{
    if (gpu_skip("test_cuda_dbscan")) return;
    methods = gpu_methods_of(&clump_dbscan_methods);
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    RUN(ties);
    RUN(large_clouds);
    RUN(dclust_options);
    RUN(dclust_long_lists);
    RUN(load_of_thread_blocks);
    clump_context_destroy(gpu);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
