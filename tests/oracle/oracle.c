/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle.c: see oracle.h. Written to be read, not to be fast.
 */
#include "oracle/oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

bool oracle_takes_part(clump_points points, const clump_ec_options *options, size_t i)
{
    const float *const p = oracle_point(points, i);
    if (options && options->common.mask && options->common.mask[i] == 0) return false;
    if (!isfinite(p[0]) || !isfinite(p[1])) return false;
    return (options && options->common.two_d) || isfinite(p[2]);
}

/* The squared distance, one rounding per line. */
static float squared(const float *a, const float *b, bool two_d)
{
    const float dx = a[0] - b[0];
    const float dy = a[1] - b[1];
    const float dz = two_d ? 0.0f : a[2] - b[2];
    const float xx = dx * dx;
    const float yy = dy * dy;
    const float zz = dz * dz;
    const float xy = xx + yy;
    return xy + zz;
}

bool oracle_near(const float *a, const float *b, float d, bool two_d)
{
    const float r2 = d * d;
    return squared(a, b, two_d) < r2;
}

float oracle_bound(const float *p, float d, const clump_ec_options *options)
{
    float radius = d;
    if (options && options->common.eps_per_metre > 0) {
        const float range = sqrtf(squared(p, options->common.sensor, options->common.two_d));
        const float grown = options->common.eps_per_metre * range;
        if (grown > radius) radius = grown;
        if (radius * radius > FLT_MAX) radius = nextafterf(0x1p64f, 0); /* the largest with a square */
    }
    return radius * radius;
}

bool oracle_neighbours(const float *a, const float *b, float d, const clump_ec_options *options, bool or_equal)
{
    const float d2 = squared(a, b, options && options->common.two_d);
    const float of_a = oracle_bound(a, d, options), of_b = oracle_bound(b, d, options);
    const float bound = of_a < of_b ? of_a : of_b;
    return or_equal ? d2 <= bound : d2 < bound;
}

static size_t root_of(const size_t *parent, size_t i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

typedef struct entry {
    size_t first, size; /* smallest point index, number of points */
} entry;

/* A stable sort: clusters of one size keep the order of their first points. */
static void sort_by_size(entry *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const entry e = list[i];
        size_t k = i;
        for (; k > 0 && list[k - 1].size < e.size; k--) list[k] = list[k - 1];
        list[k] = e;
    }
}

int32_t oracle_ec(clump_points points, float d, const clump_ec_options *options, int32_t *labels)
{
    const size_t n = points.count, room = n ? n : 1;
    size_t *const parent = malloc(room * sizeof *parent);
    size_t *const size = calloc(room, sizeof *size);
    bool *const in = malloc(room * sizeof *in);
    entry *const list = malloc(room * sizeof *list);
    if (!parent || !size || !in || !list) abort();

    for (size_t i = 0; i < n; i++) {
        parent[i] = i;
        in[i] = oracle_takes_part(points, options, i);
        for (size_t j = 0; j < i && in[i]; j++) {
            if (!in[j] || !oracle_neighbours(oracle_point(points, i), oracle_point(points, j), d, options, false))
                continue;
            const size_t a = root_of(parent, i), b = root_of(parent, j);
            if (a < b)
                parent[b] = a;
            else
                parent[a] = b; /* the smaller index is the root */
        }
        for (size_t j = 0; j <= i && i % 16 == 0; j++) parent[j] = parent[parent[j]]; /* keeps paths short */
    }
    for (size_t i = 0; i < n; i++) size[root_of(parent, i)] += in[i];

    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!in[i] || parent[i] != i) continue;
        if (options && size[i] < options->common.min_size) continue;
        if (options && options->common.max_size != 0 && size[i] > options->common.max_size) continue;
        list[kept++] = (entry){i, size[i]};
    }
    if (options && options->common.order == CLUMP_ORDER_SIZE) sort_by_size(list, kept);
    for (size_t i = 0; i < n; i++) labels[i] = CLUMP_NOISE;
    for (size_t c = 0; c < kept; c++) labels[list[c].first] = (int32_t)c;
    for (size_t i = 0; i < n; i++)
        if (in[i]) labels[i] = labels[root_of(parent, i)];

    free(parent), free(size), free(in), free(list);
    return (int32_t)kept;
}
