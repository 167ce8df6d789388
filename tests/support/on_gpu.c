/* SPDX-License-Identifier: BSD-3-Clause
 *
 * on_gpu.c: see on_gpu.h.
 */
#include "support/on_gpu.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 123456, CORE_GUARD = 99, NOTHING = 77 };

/* Of the set-up of a test, which has nothing to say when this fails. */
static void must(clump_context *ctx, clump_status status)
{
    if (status == CLUMP_OK) return;
    printf("the test cannot go on: %s\n", clump_context_error(ctx));
    exit(1);
}

const char *gpu_absent(void)
{
    static char why[512];
    clump_context *const ctx = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    const clump_status status = clump_cuda_wait(ctx);
    snprintf(why, sizeof why, "%s", clump_context_error(ctx));
    clump_context_destroy(ctx);
    return status == CLUMP_OK ? NULL : why;
}

bool gpu_skip(const char *program)
{
    const char *const why = gpu_absent();
    if (why) printf("skipped: %s: %s: " DO_GPU "\n", program, why);
    return why != NULL;
}

gpu_methods gpu_methods_of(const clump_method_table *table)
{
    gpu_methods methods = {.count = 0};
    for (int value = 0; value < table->count; value++) {
        if (!table->rows[value].name || !table->rows[value].on_cuda) continue;
        if (methods.count == GPU_METHODS_MOST) abort();
        methods.values[methods.count++] = value;
    }
    return methods;
}

int gpu_small(void)
{
    const char *const value = getenv("CLUMP_TEST_SMALL");
    if (!value || !*value || strcmp(value, "0") == 0) return 0;
    return strcmp(value, "2") == 0 ? 2 : 1;
}

static clump_context *make_context(clump_backend backend, int threads, const clump_allocator *allocator)
{
    clump_context_options options = clump_context_defaults();
    options.backend = backend;
    options.threads = threads;
    if (allocator) options.allocator = *allocator;
    clump_context *ctx = NULL;
    if (clump_context_create(&options, &ctx) == CLUMP_OK) return ctx;
    puts("the test cannot go on: no context");
    exit(1);
}

static void *count_allocate(size_t size, size_t alignment, void *user)
{
    ++*(long *)user;
    return aligned_alloc(alignment, size);
}

static void count_release(void *memory, size_t size, void *user)
{
    (void)size, (void)user;
    free(memory);
}

clump_allocator gpu_counting(long *taken)
{
    return (clump_allocator){count_allocate, count_release, taken};
}

clump_context *gpu_context(clump_backend backend, const clump_allocator *allocator)
{
    return make_context(backend, 1, allocator);
}

clump_context *gpu_context_of(clump_backend backend, int threads)
{
    return make_context(backend, threads, NULL);
}

const char *gpu_place_name(gpu_place place)
{
    static const char *const names[GPU_PLACES] = {"pageable", "pinned", "device"};
    return (unsigned)place < GPU_PLACES ? names[place] : "nowhere";
}

void *gpu_take(clump_context *ctx, gpu_place place, size_t bytes)
{
    void *memory = NULL;
    if (place == GPU_PAGEABLE)
        memory = malloc(bytes ? bytes : 1);
    else
        must(ctx,
             clump_cuda_allocate(ctx, place == GPU_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE, bytes, &memory));
    if (!memory) abort();
    return memory;
}

void gpu_give(clump_context *ctx, gpu_place place, void *memory)
{
    if (place == GPU_PAGEABLE)
        free(memory);
    else
        clump_cuda_release(ctx, place == GPU_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE, memory);
}

void gpu_put(clump_context *ctx, gpu_place place, void *to, const void *from, size_t bytes)
{
    if (place == GPU_DEVICE)
        must(ctx, clump_cuda_copy(ctx, to, from, bytes));
    else if (bytes)
        memcpy(to, from, bytes);
}

clump_points gpu_spread(char *memory, const float *xyz, size_t count, size_t stride)
{
    const size_t step = stride ? stride : 12;
    memset(memory, 0xff, count * step);
    for (size_t i = 0; i < count; i++) memcpy(memory + i * step, xyz + 3 * i, 12);
    return (clump_points){.xyz = (const float *)(const void *)memory, .count = count, .stride = stride};
}

gpu_cloud gpu_cloud_make(clump_context *ctx, gpu_place place, clump_points points, const uint8_t *mask)
{
    gpu_cloud c = {.place = place, .points = points};
    const size_t stride = points.stride ? points.stride : 12;
    const size_t bytes = points.count ? (points.count - 1) * stride + 12 : 0;
    c.memory = gpu_take(ctx, place, bytes);
    gpu_put(ctx, place, c.memory, points.xyz, bytes);
    c.points.xyz = c.memory;
    c.points.place = place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    if (mask) {
        c.mask = gpu_take(ctx, place, points.count);
        gpu_put(ctx, place, c.mask, mask, points.count);
    }
    c.labels = gpu_take(ctx, place, (points.count + 1) * sizeof *c.labels);
    c.core = gpu_take(ctx, place, points.count + 1);
    c.clusters = gpu_take(ctx, GPU_DEVICE, sizeof *c.clusters);
    gpu_cloud_clear(ctx, &c);
    return c;
}

void gpu_cloud_free(clump_context *ctx, gpu_cloud *cloud)
{
    gpu_give(ctx, cloud->place, cloud->memory);
    gpu_give(ctx, cloud->place, cloud->mask);
    gpu_give(ctx, cloud->place, cloud->labels);
    gpu_give(ctx, cloud->place, cloud->core);
    gpu_give(ctx, GPU_DEVICE, cloud->clusters);
}

void gpu_cloud_clear(clump_context *ctx, const gpu_cloud *cloud)
{
    const size_t n = cloud->points.count;
    int32_t *const start = malloc((n + 1) * sizeof *start);
    if (!start) abort();
    for (size_t i = 0; i < n; i++) start[i] = NOTHING;
    start[n] = GUARD;
    gpu_put(ctx, cloud->place, cloud->labels, start, (n + 1) * sizeof *start);
    memset(start, NOTHING, n + 1);
    ((uint8_t *)start)[n] = CORE_GUARD;
    gpu_put(ctx, cloud->place, cloud->core, start, n + 1);
    const int32_t nothing = NOTHING;
    gpu_put(ctx, GPU_DEVICE, cloud->clusters, &nothing, sizeof nothing);
    free(start);
}

bool gpu_cloud_fetch(clump_context *ctx, const gpu_cloud *cloud, int32_t *labels, int32_t *clusters)
{
    must(ctx, clump_cuda_wait(ctx));
    const size_t n = cloud->points.count;
    int32_t guard = 0;
    if (cloud->place == GPU_DEVICE) {
        must(ctx, clump_cuda_copy(ctx, labels, cloud->labels, n * sizeof *labels));
        must(ctx, clump_cuda_copy(ctx, &guard, cloud->labels + n, sizeof guard));
    } else {
        memcpy(labels, cloud->labels, n * sizeof *labels);
        guard = cloud->labels[n];
    }
    if (clusters) must(ctx, clump_cuda_copy(ctx, clusters, cloud->clusters, sizeof *clusters));
    return guard == GUARD;
}

bool gpu_cloud_fetch_core(clump_context *ctx, const gpu_cloud *cloud, uint8_t *core)
{
    must(ctx, clump_cuda_wait(ctx));
    const size_t n = cloud->points.count;
    uint8_t guard = 0;
    if (cloud->place == GPU_DEVICE) {
        must(ctx, clump_cuda_copy(ctx, core, cloud->core, n));
        must(ctx, clump_cuda_copy(ctx, &guard, cloud->core + n, sizeof guard));
    } else {
        memcpy(core, cloud->core, n);
        guard = cloud->core[n];
    }
    return guard == CORE_GUARD;
}
