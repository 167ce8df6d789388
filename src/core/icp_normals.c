/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.c: see icp_normals.h.
 */
#include "core/icp_normals.h"

#include "core/rigid.h"

#include <math.h>

enum { BLOCK = 4096, MOST_NEIGHBOURS = 1 << 21 }; /* points on the CPU; entries from the GPU */

static const float *point_at(clump_points points, size_t i)
{
    const size_t stride = points.stride ? points.stride : 3 * sizeof(float);
    return (const float *)(const void *)((const char *)points.xyz + i * stride);
}

static void normal_of(clump_points points, size_t i, const int32_t *neighbours, int k, float normal[3])
{
    const float *const at = point_at(points, i);
    double sum[3] = {0}, square[6] = {0}; /* from the point, so that nothing is lost far from the origin */
    int n = 0;
    for (int j = 0; j < k && neighbours[j] >= 0; j++, n++) {
        const float *const p = point_at(points, (size_t)neighbours[j]);
        const double d[3] = {(double)p[0] - (double)at[0], (double)p[1] - (double)at[1], (double)p[2] - (double)at[2]};
        for (int a = 0, m = 0; a < 3; a++) {
            sum[a] += d[a];
            for (int b = a; b < 3; b++) square[m++] += d[a] * d[b];
        }
    }
    normal[0] = normal[1] = normal[2] = 0;
    if (n < 3) return;
    double c[9], values[3], vectors[9];
    for (int a = 0, m = 0; a < 3; a++)
        for (int b = a; b < 3; b++) c[3 * a + b] = c[3 * b + a] = square[m++] - sum[a] * sum[b] / n;
    clump_eigen(3, c, values, vectors);
    if (!(values[1] > 0) || !isfinite(values[2])) return; /* all in one place */
    for (int a = 0; a < 3; a++) normal[a] = (float)vectors[3 * a];
}

size_t clump_normals_block(clump_backend backend, size_t count, int k)
{
    const size_t most = backend == CLUMP_BACKEND_CPU ? BLOCK : MOST_NEIGHBOURS / (size_t)k;
    return count < most ? count : most;
}

clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, size_t block,
                           int32_t *neighbours, float *normals)
{
    const size_t stride = points.stride ? points.stride : 3 * sizeof(float);
    const int threads = ctx->options.threads;
    for (size_t first = 0; first < points.count; first += block) {
        const size_t n = points.count - first < block ? points.count - first : block;
        clump_points some = points;
        some.xyz = (const float *)(const void *)((const char *)points.xyz + first * stride);
        some.count = n;
        const clump_status status = clump_index_knn(ctx, index, some, k, INFINITY, neighbours, NULL);
        if (status != CLUMP_OK) return status;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
        for (size_t i = 0; i < n; i++)
            normal_of(points, first + i, neighbours + i * (size_t)k, k, normals + 3 * (first + i));
    }
    return CLUMP_OK;
}
