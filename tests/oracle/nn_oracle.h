/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_oracle.h: the neighbours of every query, by comparing all pairs, for the tests of clump_index.
 */
#ifndef CLUMP_TESTS_NN_ORACLE_H
#define CLUMP_TESTS_NN_ORACLE_H

#include <clump/clump.h>

#include "rules/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The expected neighbours of each query within a radius. A key has the bits of the squared distance above the index;
 * the keys of a query are sorted. */
typedef struct answers {
    size_t queries;
    int64_t *offsets;
    uint64_t *keys;
} answers;

static inline void *nn_need(void *memory)
{
    if (!memory) abort();
    return memory;
}

static inline int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static inline int compare_indices(const void *a, const void *b)
{
    const uint32_t x = (uint32_t) * (const uint64_t *)a, y = (uint32_t) * (const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static inline bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static inline const float *at(clump_points points, size_t i)
{
    return (const float *)(const void *)((const char *)points.xyz + i * (points.stride ? points.stride : 12));
}

/* Returns the neighbours of every query within the radius. */
static inline answers nn_ask_oracle(clump_points points, clump_points queries, float radius)
{
    answers a = {.queries = queries.count};
    a.offsets = nn_need(calloc(queries.count + 1, sizeof *a.offsets));
    size_t room = 1024, found = 0;
    a.keys = nn_need(malloc(room * sizeof *a.keys));
    const float bound = clump_distance_bound(radius);
    for (size_t i = 0; i < queries.count; i++) {
        const float *const q = at(queries, i);
        if (room < found + points.count)
            a.keys = nn_need(realloc(a.keys, (room = 2 * (found + points.count)) * sizeof *a.keys));
        const size_t first = found;
        for (size_t j = 0; j < points.count && is_finite(q); j++) {
            const float *const p = at(points, j);
            const float d2 = clump_distance_squared(q[0], q[1], q[2], p[0], p[1], p[2]);
            uint32_t bits;
            memcpy(&bits, &d2, sizeof bits);
            if (is_finite(p) && d2 <= bound) a.keys[found++] = (uint64_t)bits << 32 | j;
        }
        qsort(a.keys + first, found - first, sizeof *a.keys, compare_keys);
        a.offsets[i + 1] = (int64_t)found;
    }
    return a;
}

static inline void nn_forget(answers *a)
{
    free(a->offsets), free(a->keys);
    *a = (answers){0};
}

#endif
