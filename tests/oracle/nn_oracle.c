/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_oracle.c: see nn_oracle.h.
 */
#include "oracle/nn_oracle.h"

#include "oracle/oracle.h"
#include "rules/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *nn_need(void *memory)
{
    if (!memory) abort();
    return memory;
}

int nn_compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

int nn_compare_indices(const void *a, const void *b)
{
    const uint32_t x = (uint32_t) * (const uint64_t *)a, y = (uint32_t) * (const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

answers nn_ask_oracle(clump_points points, clump_points queries, float radius)
{
    answers a = {.queries = queries.count};
    a.offsets = nn_need(calloc(queries.count + 1, sizeof *a.offsets));
    size_t room = 1024, found = 0;
    a.keys = nn_need(malloc(room * sizeof *a.keys));
    const float bound = clump_distance_bound(radius);
    for (size_t i = 0; i < queries.count; i++) {
        const float *const q = oracle_point(queries, i);
        if (room < found + points.count)
            a.keys = nn_need(realloc(a.keys, (room = 2 * (found + points.count)) * sizeof *a.keys));
        const size_t first = found;
        for (size_t j = 0; j < points.count && is_finite(q); j++) {
            const float *const p = oracle_point(points, j);
            const float d2 = clump_distance_squared(q[0], q[1], q[2], p[0], p[1], p[2]);
            uint32_t bits;
            memcpy(&bits, &d2, sizeof bits);
            if (is_finite(p) && d2 <= bound) a.keys[found++] = (uint64_t)bits << 32 | j;
        }
        qsort(a.keys + first, found - first, sizeof *a.keys, nn_compare_keys);
        a.offsets[i + 1] = (int64_t)found;
    }
    return a;
}

void nn_forget(answers *a)
{
    free(a->offsets), free(a->keys);
    *a = (answers){0};
}
