/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_batch.c: batches on a GPU, in every kind of memory: every cloud has the labels of a call of its own on the
 * CPU.
 */
#include "support/check.h"

#include "support/batch_case.h"
#include "support/classes_case.h"
#include "support/on_gpu.h"

#include <clump/info.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static batch_case made;
static int32_t labels[BATCH_POINTS + 1], counts[BATCH_CLOUDS + 1];
static uint8_t core[BATCH_POINTS + 1];

/* Memory of one kind, with a copy of host memory; null stays null. */
static void *put(clump_context *gpu, gpu_place place, const void *from, size_t bytes)
{
    if (!from) return NULL;
    void *const memory = gpu_take(gpu, place, bytes > 0 ? bytes : 1);
    gpu_put(gpu, place, memory, from, bytes);
    return memory;
}

static batch_arrays send(clump_context *gpu, gpu_place place)
{
    const size_t n = made.points, k = made.clouds;
    memset(labels, 0x5a, sizeof labels);
    memset(counts, 0x5a, sizeof counts);
    memset(core, 0x5a, sizeof core);
    return (batch_arrays){
        .points = {.xyz = put(gpu, place, made.xyz, 3 * n * sizeof(float)),
                   .count = n,
                   .place = place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST},
        .offsets = put(gpu, place, made.offsets, (k + 1) * sizeof(int64_t)),
        .radii = put(gpu, place, made.per_cloud ? made.radii : NULL, k * sizeof(float)),
        .mask = put(gpu, place, made.mask, n),
        .labels = put(gpu, place, labels, (n + 1) * sizeof(int32_t)),
        .counts = put(gpu, place, counts, (k + 1) * sizeof(int32_t)),
        .core = made.seed % 3 == 0 ? NULL : put(gpu, place, core, n + 1),
    };
}

/* Fetches the results. The entry after the last of each array is unchanged. */
static void fetch(clump_context *gpu, const batch_arrays *a)
{
    const size_t n = made.points, k = made.clouds;
    CHECK_INT(clump_cuda_wait(gpu), CLUMP_OK);
    CHECK_INT(clump_cuda_copy(gpu, labels, a->labels, (n + 1) * sizeof(int32_t)), CLUMP_OK);
    CHECK_INT(clump_cuda_copy(gpu, counts, a->counts, (k + 1) * sizeof(int32_t)), CLUMP_OK);
    if (a->core) CHECK_INT(clump_cuda_copy(gpu, core, a->core, n + 1), CLUMP_OK);
    CHECK_INT(labels[n], 0x5a5a5a5a);
    CHECK_INT(counts[k], 0x5a5a5a5a);
}

static void give(clump_context *gpu, gpu_place place, const batch_arrays *a)
{
    const void *const all[] = {a->points.xyz, a->offsets, a->radii, a->mask, a->labels, a->counts, a->core};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]) gpu_give(gpu, place, (void *)(uintptr_t)all[i]);
}

static void compare(const batch_arrays *a, gpu_place place)
{
    for (size_t k = 0; k < made.clouds; k++) {
        CHECK_MSG(counts[k] == made.counts[k], "seed %llu, %s, cloud %zu: %d clusters, expected %d",
                  (unsigned long long)made.seed, gpu_place_name(place), k, counts[k], made.counts[k]);
        for (int64_t i = made.offsets[k]; i < made.offsets[k + 1]; i++) {
            if (labels[i] == made.labels[i] && (!made.density || !a->core || core[i] == made.core[i])) continue;
            CHECK_FAIL("seed %llu, %s: point %lld of cloud %zu has label %d, expected %d",
                       (unsigned long long)made.seed, gpu_place_name(place), (long long)i, k, labels[i],
                       made.labels[i]);
            break;
        }
    }
}

/* Runs the case on copies of its arrays and compares with what is expected. */
static void run_and_compare(clump_context *gpu, gpu_place place)
{
    const batch_arrays a = send(gpu, place);
    const clump_status status = batch_case_run(&made, gpu, &a);
    CHECK_MSG(status == CLUMP_OK, "seed %llu: %s", (unsigned long long)made.seed, clump_context_error(gpu));
    fetch(gpu, &a);
    compare(&a, place);
    give(gpu, place, &a);
}

static void random_batches(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    const uint64_t rounds = gpu_small() == 2 ? 2 : gpu_small() == 1 ? 8 : 120;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        batch_case_make(&made, seed, gpu_small() ? 300 : seed % 4 == 0 ? BATCH_POINTS : seed % 4 == 1 ? 2000 : 5000);
        batch_case_expect(&made, cpu);
        for (int place = 0; place < GPU_PLACES; place++) run_and_compare(gpu, (gpu_place)place);
    }
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
}

/* Makes the points of a case clouds of one size; false where it has too few points. */
static bool make_equal(size_t size, uint64_t seed)
{
    batch_case_make(&made, seed, BATCH_POINTS);
    made.clouds = made.points / size;
    if (made.clouds > BATCH_CLOUDS) made.clouds = BATCH_CLOUDS;
    made.points = made.clouds * size;
    made.per_cloud = false;
    for (size_t k = 0; k <= made.clouds; k++) made.offsets[k] = (int64_t)(k * size);
    return made.clouds > 0;
}

/* Clouds of one size, on both sides of the limits of the classes of sizes. */
static void equal_sizes(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    const size_t sizes[] = {1, 2, 31, 256, 257, 1024, 1025, 2048, 2049, 4096, 4097, 20000};
    const size_t count = gpu_small() == 2 ? 3 : gpu_small() == 1 ? 5 : sizeof sizes / sizeof *sizes;
    for (size_t s = 0; s < count; s++) {
        uint64_t seed = 100 + 1000 * s;
        for (int round = 0; round < 2; seed++) {
            if (!make_equal(sizes[s], seed)) continue;
            made.density = round == 1;
            batch_case_expect(&made, cpu);
            for (int place = 0; place < GPU_PLACES; place++) run_and_compare(gpu, (gpu_place)place);
            round++;
        }
    }
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
}

/* Sets of all sizes in clouds of one class, in both orders: limits at exact sizes. */
static void limits(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    batch_case_make(&made, 1, 1);
    made.clouds = 3, made.points = 0, made.per_cloud = false, made.radius = 0.25f;
    for (size_t k = 0; k < made.clouds; k++) {
        for (int set = 0; set < 12 + (int)k; set++) /* sets 10 apart, of 1, 2 ... points in a row, in turns */
            for (int i = 0; i <= set % 7; i++) {
                float *const p = made.xyz + 3 * made.points++;
                p[0] = 10.0f * (float)(set * 5 % (12 + (int)k)), p[1] = 0.125f * (float)i, p[2] = 0;
            }
        made.offsets[k + 1] = (int64_t)made.points;
    }
    for (int round = 0; round < 8; round++) {
        made.seed = (uint64_t)round, made.density = round % 2, made.min_points = 2;
        made.ec = clump_ec_defaults(), made.dbscan = clump_dbscan_defaults();
        made.ec.common.min_size = made.dbscan.common.min_size = round < 4 ? 3 : 1;
        made.ec.common.max_size = made.dbscan.common.max_size = round < 4 ? 5 : 0;
        made.ec.common.order = made.dbscan.common.order = round % 4 < 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        batch_case_expect(&made, cpu);
        for (int place = 0; place < GPU_PLACES; place++) run_and_compare(gpu, (gpu_place)place);
    }
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
}

/* Points in pinned memory that are copied in parts: the batch is large enough for that. */
static void parts(void)
{
    enum { CLOUDS = 1500, MOST = 400 };
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    float *const xyz = malloc(3 * CLOUDS * MOST * sizeof *xyz);
    int64_t *const offsets = malloc((CLOUDS + 1) * sizeof *offsets);
    int32_t *const expected = malloc(CLOUDS * MOST * sizeof *expected);
    int32_t *const expected_counts = malloc(CLOUDS * sizeof *expected_counts);
    uint64_t random = 11;
    size_t n = 0;
    offsets[0] = 0;
    for (size_t k = 0; k < CLOUDS; k++) {
        const size_t points = k % 7 == 0 ? 0 : check_random(&random) % MOST;
        for (size_t i = 0; i < 3 * points; i++) xyz[3 * n + i] = 8 * check_random_float(&random);
        n += points;
        offsets[k + 1] = (int64_t)n;
    }
    CHECK(n > 250000);
    const clump_points points = {.xyz = xyz, .count = n};
    for (int density = 0; density < 2; density++) {
        float *const there = put(gpu, GPU_PINNED, xyz, 3 * n * sizeof *xyz);
        int32_t *const found = gpu_take(gpu, GPU_PINNED, n * sizeof *found), *const found_counts =
                                                                                 malloc(CLOUDS * sizeof *found_counts);
        const clump_points pinned = {.xyz = there, .count = n};
        if (density) {
            CHECK_INT(clump_dbscan_batch(cpu, points, offsets, CLOUDS, 1, NULL, 4, NULL, expected, expected_counts),
                      CLUMP_OK);
            CHECK_INT(clump_dbscan_batch(gpu, pinned, offsets, CLOUDS, 1, NULL, 4, NULL, found, found_counts),
                      CLUMP_OK);
        } else {
            CHECK_INT(clump_ec_batch(cpu, points, offsets, CLOUDS, 0.7f, NULL, NULL, expected, expected_counts),
                      CLUMP_OK);
            CHECK_INT(clump_ec_batch(gpu, pinned, offsets, CLOUDS, 0.7f, NULL, NULL, found, found_counts), CLUMP_OK);
        }
        CHECK_INT(clump_context_stats(gpu).clusters, clump_context_stats(cpu).clusters);
        CHECK_INT(clump_context_stats(gpu).noise, clump_context_stats(cpu).noise);
        CHECK_MSG(memcmp(found, expected, n * sizeof *found) == 0, "labels, density %d", density);
        CHECK_MSG(memcmp(found_counts, expected_counts, CLOUDS * sizeof *found_counts) == 0, "counts, density %d",
                  density);
        gpu_give(gpu, GPU_PINNED, there);
        gpu_give(gpu, GPU_PINNED, found);
        free(found_counts);
    }
    free(xyz);
    free(offsets);
    free(expected);
    free(expected_counts);
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
}

/* Wrong offsets on the device: the call succeeds, ends and writes nothing outside. Wrong radii: those clouds are noise. */
static void wrong_on_the_device(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    batch_case_make(&made, 9, 300);
    made.density = false;
    made.per_cloud = true;
    made.ec = clump_ec_defaults();
    for (size_t k = 1; k < made.clouds; k += 2) made.radii[k] = k % 4 == 1 ? NAN : -1;
    const batch_arrays a = send(gpu, GPU_DEVICE);
    CHECK_INT(batch_case_run(&made, gpu, &a), CLUMP_OK);
    fetch(gpu, &a);
    for (size_t k = 1; k < made.clouds; k += 2) {
        CHECK_INT(counts[k], 0);
        for (int64_t i = made.offsets[k]; i < made.offsets[k + 1]; i++) CHECK_INT(labels[i], CLUMP_NOISE);
    }
    give(gpu, GPU_DEVICE, &a);
    made.offsets[made.clouds / 2] = INT64_MAX;
    made.offsets[1] = -5;
    const batch_arrays b = send(gpu, GPU_DEVICE);
    CHECK_INT(batch_case_run(&made, gpu, &b), CLUMP_OK);
    fetch(gpu, &b);
    give(gpu, GPU_DEVICE, &b);
    clump_context_destroy(gpu);
}

/* --- clusters per class ------------------------------------------------------------------------------------------- */

/* Runs a case with classes in memory of a kind and compares it with brute force. */
static void run_classes(clump_context *gpu, gpu_place place, const classes_case *c, int method)
{
    static int32_t found[CLASSES_POINTS + 1];
    static uint8_t flags[CLASSES_POINTS + 1];
    const size_t n = c->points;
    memset(found, 0x5a, sizeof found);
    memset(flags, 0x5a, sizeof flags);
    const clump_points points = {.xyz = put(gpu, place, c->xyz, 3 * n * sizeof(float)),
                                 .count = n,
                                 .place = place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST};
    uint16_t *const of = put(gpu, place, c->of, n * sizeof *c->of);
    uint8_t *const mask = put(gpu, place, c->mask, n), *const core_there = put(gpu, place, flags, n + 1);
    int32_t *const there = put(gpu, place, found, (n + 1) * sizeof *found), clusters = -1;
    const clump_status status = classes_case_run(c, gpu, method, points, of, mask, there, core_there, &clusters);
    CHECK_MSG(status == CLUMP_OK, "seed %llu: %s", (unsigned long long)c->seed, clump_context_error(gpu));
    CHECK_INT(clump_cuda_copy(gpu, found, there, (n + 1) * sizeof *found), CLUMP_OK);
    CHECK_INT(clump_cuda_copy(gpu, flags, core_there, n + 1), CLUMP_OK);
    CHECK_INT(clusters, c->clusters);
    CHECK_INT(found[n], 0x5a5a5a5a);
    for (size_t i = 0; i < n; i++) {
        if (found[i] == c->labels[i] && (!c->density || flags[i] == c->core[i])) continue;
        CHECK_FAIL("seed %llu, %s, method %d: point %zu has label %d, expected %d", (unsigned long long)c->seed,
                   gpu_place_name(place), method, i, found[i], c->labels[i]);
        break;
    }
    gpu_give(gpu, place, (void *)(uintptr_t)points.xyz);
    gpu_give(gpu, place, of);
    gpu_give(gpu, place, mask);
    gpu_give(gpu, place, core_there);
    gpu_give(gpu, place, there);
}

/* Every method of the GPU, in every kind of memory. */
static void classes(void)
{
    static classes_case c;
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    const gpu_methods ec = gpu_methods_of(&clump_ec_methods), dbscan = gpu_methods_of(&clump_dbscan_methods);
    const uint64_t rounds = gpu_small() == 2 ? 2 : gpu_small() == 1 ? 8 : 80;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        classes_case_make(&c, seed, seed % 8 == 0 ? CLASSES_POINTS : 300, true);
        classes_case_expect(&c, 0, c.points);
        for (int place = 0; place < GPU_PLACES; place++) run_classes(gpu, (gpu_place)place, &c, 0);
        const gpu_methods *const methods = c.density ? &dbscan : &ec;
        for (int k = 1; c.options.common.eps_per_metre == 0 && k < methods->count; k++)
            run_classes(gpu, GPU_PAGEABLE, &c, methods->values[k]);
    }
    clump_context_destroy(gpu);
}

CHECK_PROGRAM(test_cuda_batch)
{
    if (gpu_skip("test_cuda_batch")) return;
    RUN(classes);
    RUN(random_batches);
    RUN(equal_sizes);
    RUN(limits);
    if (gpu_small() < 2) RUN(parts);
    RUN(wrong_on_the_device);
    CHECK(gpu_reset());
}
