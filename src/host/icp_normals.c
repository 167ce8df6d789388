/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.c: see icp.h.
 */
#include "host/icp.h"

#include "rules/normal.h"

#include <math.h>

enum {
    NORMALS_BATCH = 4096,    /* points, for the caches */
    NORMALS_MIN_SHARE = 128, /* points per thread: a normal takes a microsecond */
};

static void make_normal(clump_points points, size_t i, const int32_t *neighbours, int k, float normal[3])
{
    const float *const at = clump_points_at(points, i);
    clump_normal_sums sums = {{0}, {0}, 0};
    for (int j = 0; j < k && neighbours[j] >= 0; j++)
        clump_normal_add(&sums, at, clump_points_at(points, (size_t)neighbours[j]));
    clump_normal_of(&sums, normal);
}

size_t clump_normals_batch(size_t count)
{
    return count < NORMALS_BATCH ? count : (size_t)NORMALS_BATCH;
}

typedef struct normals_work {
    clump_points points;
    size_t first; /* the point of the first neighbours */
    const int32_t *neighbours;
    int k;
    float *normals;
} normals_work;

static void make_normals(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const normals_work *const w = arg;
    for (size_t i = begin; i < end; i++)
        make_normal(w->points, w->first + i, w->neighbours + i * (size_t)w->k, w->k, w->normals + 3 * (w->first + i));
}

clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, size_t batch,
                           int32_t *neighbours, float *normals)
{
    for (size_t first = 0; first < points.count; first += batch) {
        const size_t n = points.count - first < batch ? points.count - first : batch;
        clump_points queries = points;
        queries.xyz = clump_points_at(points, first);
        queries.count = n;
        CLUMP_TRY(clump_index_k_nearest(ctx, ctx->work.call, index, queries, k, INFINITY, neighbours, NULL));
        normals_work w = {points, first, neighbours, k, normals};
        CLUMP_TRY(clump_run(&ctx->work, clump_threads_for(&ctx->work, n, NORMALS_MIN_SHARE), n, NORMALS_MIN_SHARE,
                            make_normals, &w));
    }
    return CLUMP_OK;
}
