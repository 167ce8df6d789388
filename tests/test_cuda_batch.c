/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_batch.c: batches on a GPU, in every kind of memory: every cloud has the labels of a call of its own on the
 * CPU.
 */
#include "check.h"

#include "batch_case.h"
#include "on_gpu.h"

#include <math.h>

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

static void random_batches(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    const uint64_t rounds = gpu_small() == 2 ? 2 : gpu_small() == 1 ? 8 : 120;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        batch_case_make(&made, seed, gpu_small() ? 300 : seed % 4 == 0 ? BATCH_POINTS : seed % 4 == 1 ? 2000 : 5000);
        batch_case_expect(&made, cpu);
        for (int place = 0; place < GPU_PLACES; place++) {
            const batch_arrays a = send(gpu, (gpu_place)place);
            const clump_status status = batch_case_run(&made, gpu, &a);
            CHECK_MSG(status == CLUMP_OK, "seed %llu: %s", (unsigned long long)seed, clump_context_error(gpu));
            fetch(gpu, &a);
            compare(&a, (gpu_place)place);
            give(gpu, (gpu_place)place, &a);
        }
    }
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
}

/* Clouds of one size: the shared memory is made for that size. */
static void equal_sizes(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    const size_t sizes[] = {1, 31, 256, 257, 1024, 2048, 2049};
    for (size_t s = 0; s < (gpu_small() ? 3 : sizeof sizes / sizeof *sizes); s++) {
        batch_case_make(&made, 100 + s, 3000);
        made.clouds = made.points / sizes[s];
        if (made.clouds > BATCH_CLOUDS) made.clouds = BATCH_CLOUDS;
        if (made.clouds == 0) continue;
        made.points = made.clouds * sizes[s];
        for (size_t k = 0; k <= made.clouds; k++) made.offsets[k] = (int64_t)(k * sizes[s]);
        batch_case_expect(&made, cpu);
        const batch_arrays a = send(gpu, GPU_DEVICE);
        CHECK_INT(batch_case_run(&made, gpu, &a), CLUMP_OK);
        fetch(gpu, &a);
        compare(&a, GPU_DEVICE);
        give(gpu, GPU_DEVICE, &a);
    }
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

/* Boxes of all clouds, on the device and in host memory, against calls on the CPU. */
static void boxes(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL), *const cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    for (uint64_t seed = 1; seed <= (gpu_small() ? 2u : 10u); seed++) {
        batch_case_make(&made, seed, gpu_small() ? 300 : 3000);
        made.ec.two_d = made.dbscan.two_d = false;
        batch_case_expect(&made, cpu);
        int64_t first[BATCH_CLOUDS + 1] = {0};
        for (size_t k = 0; k < made.clouds; k++) first[k + 1] = first[k] + made.counts[k];
        const size_t total = (size_t)first[made.clouds], bytes = (total + 1) * sizeof(clump_cluster);
        clump_cluster *const expected = calloc(total + 1, sizeof *expected), *const found =
                                                                                 calloc(total + 1, sizeof *found);
        const clump_points points = {.xyz = made.xyz, .count = made.points};
        CHECK_INT(clump_describe_batch(cpu, points, made.offsets, made.clouds, made.labels, first, NULL, expected),
                  CLUMP_OK);
        memcpy(labels, made.labels, made.points * sizeof *labels);
        const batch_arrays a = send(gpu, GPU_DEVICE);
        gpu_put(gpu, GPU_DEVICE, a.labels, made.labels, made.points * sizeof(int32_t));
        CHECK_INT(clump_describe_batch(gpu, points, made.offsets, made.clouds, made.labels, first, NULL, found),
                  CLUMP_OK);
        CHECK_MSG(memcmp(found, expected, total * sizeof *found) == 0, "seed %llu, host", (unsigned long long)seed);
        memset(found, 0, bytes);
        CHECK_INT(clump_describe_batch(gpu, a.points, a.offsets, made.clouds, a.labels, first, NULL, found), CLUMP_OK);
        CHECK_MSG(memcmp(found, expected, total * sizeof *found) == 0, "seed %llu, to host", (unsigned long long)seed);
        clump_cluster *const there = gpu_take(gpu, GPU_DEVICE, bytes);
        clump_describe_options o = clump_describe_defaults();
        o.clusters_place = CLUMP_PLACE_DEVICE;
        CHECK_INT(clump_describe_batch(gpu, a.points, a.offsets, made.clouds, a.labels, first, &o, there), CLUMP_OK);
        CHECK_INT(clump_cuda_wait(gpu), CLUMP_OK);
        CHECK_INT(clump_cuda_copy(gpu, found, there, total * sizeof *found), CLUMP_OK);
        CHECK_MSG(memcmp(found, expected, total * sizeof *found) == 0, "seed %llu, device", (unsigned long long)seed);
        gpu_give(gpu, GPU_DEVICE, there);
        give(gpu, GPU_DEVICE, &a);
        free(expected);
        free(found);
    }
    clump_context_destroy(cpu);
    clump_context_destroy(gpu);
}

int main(int argc, char **argv)
{
    if (gpu_skip("test_cuda_batch")) return 77;
    CHECK_BEGIN(argc, argv);
    RUN(random_batches);
    RUN(equal_sizes);
    RUN(wrong_on_the_device);
    RUN(boxes);
    const int status = CHECK_END();
    return gpu_reset() ? status : 1;
}
