/* SPDX-License-Identifier: BSD-3-Clause
 *
 * on_gpu.h: for the tests of the CUDA backend: whether there is a GPU, and a cloud in each of the kinds of
 * memory a caller may have it in. Public calls alone; what must not fail ends the program with a sentence.
 */
#ifndef CLUMP_TESTS_ON_GPU_H
#define CLUMP_TESTS_ON_GPU_H

#include "core/context.h"

#include <clump/cuda.h>

/* Null, or why the CUDA backend cannot be used here. */
const char *gpu_absent(void);

/* Whether there is no GPU, in which case the program ends with 77. Prints "skipped: PROGRAM: WHY: DO" then. */
bool gpu_skip(const char *program);

/* Resets the GPU at the end of a program: compute-sanitizer reports what is still allocated as a leak. False where that
 * fails. Does nothing in a build without CUDA. */
bool gpu_reset(void);

/* The methods of a job that the CUDA backend has, in the order of their values; `fast` is the first. */
enum { GPU_METHODS_MOST = 16 };
typedef struct gpu_methods {
    int values[GPU_METHODS_MOST], count;
} gpu_methods;
gpu_methods gpu_methods_of(const clump_method_table *table);

/* CLUMP_TEST_SMALL in the environment, for compute-sanitizer, under which everything takes up to 100 times as
 * long. 0: all clouds; 1: a few dozen small ones; 2: a handful, for racecheck, which follows every access to
 * shared memory and every barrier. */
int gpu_small(void);

/* The usual memory; every piece that is taken is counted. */
clump_allocator gpu_counting(long *taken);

/* One thread on the CPU; any allocator, or null. */
clump_context *gpu_context(clump_backend backend, const clump_allocator *allocator);

/* The same with several, which pack large clouds and hand their labels out. */
clump_context *gpu_context_of(clump_backend backend, int threads);

typedef enum gpu_place { GPU_PAGEABLE, GPU_PINNED, GPU_DEVICE, GPU_PLACES } gpu_place;
const char *gpu_place_name(gpu_place place);

/* Memory of a kind, and a copy of host memory into it. */
void *gpu_take(clump_context *ctx, gpu_place place, size_t bytes);
void gpu_give(clump_context *ctx, gpu_place place, void *memory);
void gpu_put(clump_context *ctx, gpu_place place, void *to, const void *from, size_t bytes);

/* Points, mask, labels and core flags in one place, and a number of clusters on the device. Points and mask end where
 * their memory does, so that a sanitizer sees reads beyond; labels and flags have one more entry, a guard. */
typedef struct gpu_cloud {
    gpu_place place;
    clump_points points;
    uint8_t *mask; /* null where none was given */
    int32_t *labels;
    uint8_t *core;     /* for clump_dbscan, where the test wants it */
    int32_t *clusters; /* on the device */
    void *memory;      /* of the points */
} gpu_cloud;

/* Copies `count` points of three floats each to `memory`, `stride` bytes apart, 0 meaning 12. The bytes between the points
 * are NaNs, which a call must not read as coordinates. */
clump_points gpu_spread(char *memory, const float *xyz, size_t count, size_t stride);

/* Copies of points and mask of the host. */
gpu_cloud gpu_cloud_make(clump_context *ctx, gpu_place place, clump_points points, const uint8_t *mask);
void gpu_cloud_free(clump_context *ctx, gpu_cloud *cloud);

/* Writes 77 into all labels, flags and the number, and the guard behind them. */
void gpu_cloud_clear(clump_context *ctx, const gpu_cloud *cloud);

/* Copies the labels to the host and the number of clusters to *clusters, which may be null; false where
 * the guard is gone. Waits for the context. */
bool gpu_cloud_fetch(clump_context *ctx, const gpu_cloud *cloud, int32_t *labels, int32_t *clusters);

/* The same for the core flags. */
bool gpu_cloud_fetch_core(clump_context *ctx, const gpu_cloud *cloud, uint8_t *core);

#endif
