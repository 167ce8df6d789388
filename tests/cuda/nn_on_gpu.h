/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_on_gpu.h: for the tests of clump_index on the GPU, after check.h: queries and results in each kind of memory,
 * and the comparison with an oracle.
 */
#ifndef CLUMP_TESTS_NN_ON_GPU_H
#define CLUMP_TESTS_NN_ON_GPU_H

#include "support/clouds.h"
#include "oracle/nn_oracle.h"
#include "support/on_gpu.h"

#include <clump/info.h>
#include <clump/index.h>

#include <math.h>

enum { NN_MOST = 9000, NN_GUARD = 77 };

/* The methods of the CUDA backend: gpu_methods_of(&clump_nn_methods). */
static gpu_methods nn_methods;

static float nn_reference[3 * NN_MOST];

/* The same from an index on the CPU, for the method that is not exact and for clouds that are large. */
static inline answers nn_ask_cpu(clump_context *cpu, clump_points points, clump_points queries, float radius,
                                 const clump_index_options *o)
{
    answers a = {.queries = queries.count};
    a.offsets = nn_need(calloc(queries.count + 1, sizeof *a.offsets));
    clump_index *index = NULL;
    CHECK_INT(clump_index_create(cpu, points, o, &index), CLUMP_OK);
    CHECK_INT(clump_index_radius_count(cpu, index, queries, radius, a.offsets), CLUMP_OK);
    const size_t entries = (size_t)a.offsets[queries.count];
    int32_t *const indices = nn_need(malloc(entries * sizeof *indices + 1));
    float *const d2 = nn_need(malloc(entries * sizeof *d2 + 1));
    CHECK_INT(clump_index_radius_fill(cpu, index, queries, radius, a.offsets, indices, d2), CLUMP_OK);
    clump_index_destroy(index);
    a.keys = nn_need(malloc(entries * sizeof *a.keys + 1));
    for (size_t i = 0; i < entries; i++) {
        uint32_t bits;
        memcpy(&bits, &d2[i], sizeof bits);
        a.keys[i] = (uint64_t)bits << 32 | (uint32_t)indices[i];
    }
    for (size_t i = 0; i < queries.count; i++)
        qsort(a.keys + a.offsets[i], (size_t)(a.offsets[i + 1] - a.offsets[i]), sizeof *a.keys, nn_compare_keys);
    free(indices), free(d2);
    return a;
}

/* ----- queries in some memory ---------------------------------------------------------------------- */

/* A copy of queries, and room for what is asked; one entry more than that, as a guard. */
typedef struct bed {
    clump_context *ctx;
    gpu_place place;
    clump_points queries;
    size_t entries;
    void *memory, *indices, *distances, *offsets;
} bed;

static inline bed nn_bed_make(clump_context *ctx, gpu_place place, clump_points queries, size_t entries)
{
    bed b = {.ctx = ctx, .place = place, .queries = queries, .entries = entries};
    const size_t stride = queries.stride ? queries.stride : 12,
                 bytes = queries.count ? (queries.count - 1) * stride + 12 : 0;
    b.memory = gpu_take(ctx, place, bytes);
    gpu_put(ctx, place, b.memory, queries.xyz, bytes);
    b.queries.xyz = b.memory;
    b.queries.place = place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    b.indices = gpu_take(ctx, place, (entries + 1) * sizeof(int32_t));
    b.distances = gpu_take(ctx, place, (entries + 1) * sizeof(float));
    b.offsets = gpu_take(ctx, place, (queries.count + 2) * sizeof(int64_t));
    int32_t *const filled = nn_need(malloc((entries + 1) * sizeof *filled));
    for (size_t i = 0; i <= entries; i++) filled[i] = NN_GUARD;
    gpu_put(ctx, place, b.indices, filled, (entries + 1) * sizeof *filled);
    gpu_put(ctx, place, b.distances, filled, (entries + 1) * sizeof *filled);
    free(filled);
    return b;
}

static inline void nn_bed_free(bed *b)
{
    gpu_give(b->ctx, b->place, b->memory), gpu_give(b->ctx, b->place, b->indices);
    gpu_give(b->ctx, b->place, b->distances), gpu_give(b->ctx, b->place, b->offsets);
}

/* A copy of a result on the host. */
static inline void *nn_fetch(const bed *b, const void *from, size_t bytes)
{
    void *const to = nn_need(malloc(bytes + 1));
    CHECK_INT(clump_cuda_wait(b->ctx), CLUMP_OK);
    if (b->place == GPU_DEVICE)
        CHECK_INT(clump_cuda_copy(b->ctx, to, from, bytes), CLUMP_OK);
    else
        memcpy(to, from, bytes);
    return to;
}

/* Compares k nearest of every query, or with k = 0 rows by index. */
static inline void nn_expect(const bed *b, const answers *a, size_t k, bool distances, const char *what)
{
    int32_t *const indices = nn_fetch(b, b->indices, (b->entries + 1) * sizeof *indices);
    float *const d2 = nn_fetch(b, b->distances, (b->entries + 1) * sizeof *d2);
    size_t wrong = 0, entry = 0;
    for (size_t i = 0; i < a->queries; i++) {
        const size_t there = (size_t)(a->offsets[i + 1] - a->offsets[i]), row = k ? k : there;
        uint64_t *const keys = a->keys + a->offsets[i];
        if (k == 0) qsort(keys, there, sizeof *keys, nn_compare_indices);
        for (size_t j = 0; j < row; j++, entry++) {
            const bool none = j >= there;
            const int32_t index = none ? -1 : (int32_t)(uint32_t)keys[j];
            uint32_t bits = none ? 0x7f800000u : (uint32_t)(keys[j] >> 32), found;
            memcpy(&found, &d2[entry], sizeof found);
            if (!distances) bits = NN_GUARD;
            if ((indices[entry] != index || found != bits) && wrong++ == 0)
                CHECK_FAIL("%s, %s: query %zu, neighbour %zu: %d at %g, expected %d (bits %08x)", what,
                           gpu_place_name(b->place), i, j, indices[entry], (double)d2[entry], index, bits);
        }
        if (k == 0) qsort(keys, there, sizeof *keys, nn_compare_keys);
    }
    CHECK_MSG(wrong == 0, "%s: %zu of %zu entries", what, wrong, entry);
    CHECK_MSG(entry <= b->entries && indices[b->entries] == NN_GUARD, "%s: something was written behind the end", what);
    free(indices), free(d2);
}

static inline void nn_nearest(clump_context *ctx, const clump_index *index, gpu_place place, clump_points queries,
                              float radius, int k, const answers *a, bool distances, const char *what)
{
    bed b = nn_bed_make(ctx, place, queries, queries.count * (size_t)k);
    float *const d2 = distances ? b.distances : NULL;
    const clump_status status = k == 1 ? clump_index_nearest(ctx, index, b.queries, radius, b.indices, d2)
                                       : clump_index_knn(ctx, index, b.queries, k, radius, b.indices, d2);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", what, clump_context_error(ctx));
    const clump_stats s = clump_context_stats(ctx);
    CHECK(s.backend == CLUMP_BACKEND_CUDA && s.queries == queries.count);
    nn_expect(&b, a, (size_t)k, distances, what);
    nn_bed_free(&b);
}

static inline void nn_within(clump_context *ctx, const clump_index *index, gpu_place place, clump_points queries,
                             float radius, const answers *a, bool distances, const char *what)
{
    bed b = nn_bed_make(ctx, place, queries, (size_t)a->offsets[a->queries]);
    CHECK_MSG(clump_index_radius_count(ctx, index, b.queries, radius, b.offsets) == CLUMP_OK, "%s: %s", what,
              clump_context_error(ctx));
    int64_t *const offsets = nn_fetch(&b, b.offsets, (queries.count + 1) * sizeof *offsets);
    const bool same = memcmp(offsets, a->offsets, (queries.count + 1) * sizeof *offsets) == 0;
    CHECK_MSG(same, "%s, %s: other counts", what, gpu_place_name(place));
    free(offsets);
    if (same) {
        CHECK_MSG(clump_index_radius_fill(ctx, index, b.queries, radius, b.offsets, b.indices,
                                          distances ? b.distances : NULL) == CLUMP_OK,
                  "%s: %s", what, clump_context_error(ctx));
        nn_expect(&b, a, 0, distances, what);
    }
    nn_bed_free(&b);
}

/* Queries of the same kind as the points of nn_reference, in memory that the next call uses too: some are points of it,
 * some are not finite. */
static inline clump_points nn_queries(cloud_shape shape, size_t count, size_t points, size_t stride, uint64_t *random)
{
    static float packed[3 * NN_MOST], others[4 * NN_MOST];
    cloud_fill(shape, packed, count, random);
    if (check_random(random) % 2) cloud_spoil(packed, count, 7, random);
    for (size_t i = 0; i < count; i++) {
        float *const q = others + i * stride / 4;
        memcpy(q, packed + 3 * i, 12);
        if (points > 0 && check_random(random) % 3 == 0)
            memcpy(q, nn_reference + 3 * (check_random(random) % points), 12);
    }
    return (clump_points){.xyz = others, .count = count, .stride = stride};
}

#endif
