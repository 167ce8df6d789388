/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.c: see icp.h.
 */
#include "host/icp.h"

#include "rules/normal.h"

#include <math.h>
#include <string.h>

enum {
    NORMALS_BATCH = 4096,    /* points, for the caches */
    NORMALS_MIN_SHARE = 128, /* points per thread: a normal takes a microsecond */
};

static void make_normal(clump_points points, size_t i, const int32_t *neighbours, int k, double flat, float normal[3])
{
    const float *const at = clump_points_at(points, i);
    clump_normal_sums sums = {{0}, {0}, 0};
    for (int j = 0; j < k && neighbours[j] >= 0; j++)
        clump_normal_add(&sums, at, clump_points_at(points, (size_t)neighbours[j]));
    clump_normal_of(&sums, flat, normal);
}

size_t clump_normals_bytes(int k)
{
    return NORMALS_BATCH * (3 * sizeof(float) + (size_t)k * sizeof(int32_t));
}

typedef struct normals_work {
    clump_points points;
    const int32_t *wanted; /* points */
    const int32_t *neighbours;
    int k;
    double flat;
    float *normals;
} normals_work;

static void make_normals(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const normals_work *const w = arg;
    for (size_t i = begin; i < end; i++) {
        const size_t point = (size_t)w->wanted[i];
        make_normal(w->points, point, w->neighbours + i * (size_t)w->k, w->k, w->flat, w->normals + 3 * point);
    }
}

clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, double flat,
                           const int32_t *wanted, size_t count, void *scratch, float *normals)
{
    float *const queries = scratch;
    int32_t *const neighbours = (int32_t *)(queries + 3 * (size_t)NORMALS_BATCH);
    for (size_t first = 0; first < count; first += NORMALS_BATCH) {
        const size_t n = count - first < NORMALS_BATCH ? count - first : (size_t)NORMALS_BATCH;
        for (size_t i = 0; i < n; i++)
            memcpy(queries + 3 * i, clump_points_at(points, (size_t)wanted[first + i]), 3 * sizeof(float));
        const clump_points at = {.xyz = queries, .count = n};
        CLUMP_TRY(clump_index_k_nearest(ctx, ctx->work.call, index, at, k, INFINITY, neighbours, NULL));
        normals_work w = {points, wanted + first, neighbours, k, flat, normals};
        CLUMP_TRY(clump_run(&ctx->work, clump_threads_for(&ctx->work, n, NORMALS_MIN_SHARE), n, NORMALS_MIN_SHARE,
                            make_normals, &w));
    }
    return CLUMP_OK;
}
