/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdbscan_centers.c: the public clump_hdbscan_centers: the middles of clusters. The points of each cluster are copied side by side;
 * threads then divide the rows of the matrix of distances, which is never stored.
 */
#include "core/context.h"

#include "common/team.h"

#include <math.h>
#include <string.h>

enum { CENTERS_ROWS = 64 }; /* points whose distances are one task */

/* A call. Members are the points of all clusters, by cluster, ascending within it. */
typedef struct centers {
    clump_team *team;
    const clump_points *points;
    const int32_t *labels;
    const float *weights; /* null: all 1 */
    size_t members;
    size_t *begin;   /* per cluster, and the end: its members */
    int32_t *member; /* index of the point */
    double *xyz;     /* of the members, x y z x y z ...; z is 0 in 2-D mode */
    double *weight;  /* of the members */
    double *sum;     /* of the members: weighted distances to all of the cluster */
} centers;

static const float *point_at(const clump_points *p, size_t i)
{
    return (const float *)(const void *)((const char *)p->xyz + i * p->stride);
}

static clump_status check(clump_context *ctx, const clump_points *p, const int32_t *labels, const float *weights,
                          int32_t cluster_count, const float *centroids, const int32_t *medoids)
{
    clump_work *const work = &ctx->work;
    if (cluster_count < 0)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: cluster_count is %d, below 0", work->call, cluster_count);
    if (p->place != CLUMP_PLACE_HOST)
        return clump_fail(work, CLUMP_ERR_MEMORY_KIND, "%s: the points must be in host memory", work->call);
    if (!labels && p->count > 0) return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: labels is null", work->call);
    const size_t clusters = (size_t)cluster_count;
    const clump_span spans[] = {
        clump_span_points("points.xyz", (const char *)p->xyz, p->count, p->stride),
        clump_span_in("labels", labels, p->count, sizeof *labels, sizeof *labels),
        clump_span_in("probabilities", weights, p->count, sizeof *weights, sizeof *weights),
        clump_span_out("centroids", centroids, clusters, sizeof(float[3]), sizeof(float)),
        clump_span_out("medoids", medoids, clusters, sizeof *medoids, sizeof *medoids),
    };
    return clump_check_spans(work, work->call, spans, sizeof spans / sizeof *spans);
}

/* Counts the members of each cluster in begin[cluster + 1], and checks them. */
static clump_status count_members(clump_context *ctx, centers *c, int32_t cluster_count, bool two_d)
{
    memset(c->begin, 0, ((size_t)cluster_count + 1) * sizeof *c->begin);
    for (size_t i = 0; i < c->points->count; i++) {
        if (i % 65536 == 0) CLUMP_TRY(clump_poll(&ctx->work));
        if (c->labels[i] < 0) continue;
        if (c->labels[i] >= cluster_count)
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: labels[%zu] is %d, but there are %d clusters",
                              ctx->work.call, i, c->labels[i], cluster_count);
        const float *const p = point_at(c->points, i);
        if (!isfinite(p[0]) || !isfinite(p[1]) || (!two_d && !isfinite(p[2])))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: point %zu is in cluster %d, but it is not finite",
                              ctx->work.call, i, c->labels[i]);
        if (c->weights && !(c->weights[i] >= 0 && c->weights[i] <= 1))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: probabilities[%zu] is %g, it must be 0 to 1",
                              ctx->work.call, i, (double)c->weights[i]);
        c->begin[c->labels[i] + 1]++;
    }
    for (int32_t k = 0; k < cluster_count; k++) c->begin[k + 1] += c->begin[k];
    c->members = c->begin[cluster_count];
    return CLUMP_OK;
}

/* Copies the members. begin[k] is in the end where cluster k begins. */
static clump_status copy_members(clump_context *ctx, centers *c, int32_t cluster_count, bool two_d)
{
    for (size_t i = 0; i < c->points->count; i++) {
        if (i % 65536 == 0) CLUMP_TRY(clump_poll(&ctx->work));
        if (c->labels[i] < 0) continue;
        const size_t to = c->begin[c->labels[i]]++;
        const float *const p = point_at(c->points, i);
        c->member[to] = (int32_t)i;
        for (int k = 0; k < 3; k++) c->xyz[3 * to + (size_t)k] = two_d && k == 2 ? 0 : (double)p[k];
        c->weight[to] = c->weights ? (double)c->weights[i] : 1;
    }
    for (int32_t k = cluster_count; k > 0; k--) c->begin[k] = c->begin[k - 1];
    c->begin[0] = 0;
    return CLUMP_OK;
}

static void average(const centers *c, int32_t cluster, float *centroid)
{
    double sum[3] = {0}, weight = 0;
    for (size_t m = c->begin[cluster]; m < c->begin[cluster + 1]; m++) {
        for (size_t k = 0; k < 3; k++) sum[k] += c->weight[m] * c->xyz[3 * m + k];
        weight += c->weight[m];
    }
    for (size_t k = 0; k < 3; k++) centroid[k] = weight > 0 ? (float)(sum[k] / weight) : NAN;
}

/* Sums the distances of some members. */
static void sum_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const centers *const c = arg;
    for (size_t m = begin; m < end; m++) {
        if (clump_team_stopped(c->team)) return;
        const int32_t cluster = c->labels[c->member[m]];
        const double *const p = c->xyz + 3 * m;
        double sum = 0;
        for (size_t j = c->begin[cluster]; j < c->begin[cluster + 1]; j++) {
            const double *const q = c->xyz + 3 * j;
            const double dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2];
            sum += c->weight[j] * sqrt(dx * dx + dy * dy + dz * dz);
        }
        c->sum[m] = sum;
    }
}

static int32_t find_medoid(const centers *c, int32_t cluster)
{
    const size_t begin = c->begin[cluster], end = c->begin[cluster + 1];
    size_t best = begin;
    if (begin == end) return CLUMP_NOISE;
    for (size_t m = begin + 1; m < end; m++)
        if (c->sum[m] < c->sum[best]) best = m;
    return c->member[best];
}

clump_status clump_hdbscan_centers(clump_context *ctx, clump_points points, const int32_t *labels,
                                   const float *probabilities, int32_t cluster_count, bool two_d, float *centroids,
                                   int32_t *medoids)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_hdbscan_centers"));
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, points, &points.stride));
    CLUMP_TRY(check(ctx, &points, labels, probabilities, cluster_count, centroids, medoids));
    centers c = {.team = ctx->work.team, .points = &points, .labels = labels, .weights = probabilities};
    const size_t heads = ((size_t)cluster_count + 1) * sizeof *c.begin;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->density_heights, heads));
    c.begin = ctx->density_heights.data;
    CLUMP_TRY(count_members(ctx, &c, cluster_count, two_d));
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->density, c.members * (5 * sizeof(double) + sizeof *c.member)));
    c.xyz = ctx->density.data;
    c.weight = c.xyz + 3 * c.members;
    c.sum = c.weight + c.members;
    c.member = (int32_t *)(void *)(c.sum + c.members);
    CLUMP_TRY(copy_members(ctx, &c, cluster_count, two_d));
    for (int32_t k = 0; centroids && k < cluster_count; k++) average(&c, k, centroids + 3 * (size_t)k);
    if (!medoids) return clump_poll(&ctx->work);
    const int threads = clump_threads_for(&ctx->work, c.members, CENTERS_ROWS);
    CLUMP_TRY(clump_run(&ctx->work, threads, c.members, CENTERS_ROWS, sum_rows, &c));
    for (int32_t k = 0; k < cluster_count; k++) medoids[k] = find_medoid(&c, k);
    return CLUMP_OK;
}
