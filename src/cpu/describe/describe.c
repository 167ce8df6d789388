/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: counts, centroids and boxes of clusters (measure.h), by all threads:
 *
 *     points ─ counting sort by label ─► x[] y[] z[] of cluster c ─► measure ─► clusters[c]
 *
 * A cluster with a large part of all points, as the ground of a scan, is measured in parts. The others are measured by
 * one thread each. One scratch buffer holds the keys of the hulls, then x, y, z, each cluster by cluster; then the ends
 * of the clusters and the counts of the slices.
 */
#include "common/atomics.h"
#include "common/bits.h"
#include "common/share.h"
#include "cpu/describe/describe.h"
#include "cpu/describe/group.h"
#include "cpu/describe/measure.h"

#include <math.h>
#include <string.h>

/* Not measured on other machines. */
#define DESCRIBE_SHARE    8192  /* points per thread that are worth waking it */
#define DESCRIBE_LARGE    16384 /* points of a cluster that is measured in parts of as many, with several threads */
#define DESCRIBE_PARTS    256   /* parts of a cluster, at most */
#define DESCRIBE_CLUSTERS 8     /* clusters per chunk */

static const float *point_of(clump_points points, size_t i)
{
    return (const float *)(const void *)((const char *)points.xyz + i * points.stride);
}

/* Fails with the first point of a cluster whose x or y is not finite. */
static clump_status fail_not_finite(clump_context *ctx, clump_points points, const int32_t *labels)
{
    size_t i = 0;
    while (labels[i] < 0 || (isfinite(point_of(points, i)[0]) && isfinite(point_of(points, i)[1]))) i++;
    const float *const p = point_of(points, i);
    return clump_fail(ctx, CLUMP_ERR_ARGUMENT,
                      "%s: point %zu is in cluster %d but at x = %g, y = %g, which is not finite", ctx->call, i,
                      labels[i], (double)p[0], (double)p[1]);
}

/* ----- points by cluster ------------------------------------------------------------------------- */

typedef struct describing {
    clump_points points;
    const int32_t *labels;
    clump_cluster *clusters;
    size_t cluster_count;
    int slices, threads;
    uint64_t *keys;
    float *x, *y, *z;    /* of all points, cluster by cluster */
    int32_t *ends;       /* of the clusters */
    int32_t *next;       /* per slice and cluster: a count, then the next place for a point */
    int wrong, infinite; /* there is a label that is not allowed, a point that is not finite */
} describing;

static clump_share points_of(const describing *d, size_t t)
{
    return clump_share_of(d->points.count, (int)t, d->slices);
}

static void count_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    describing *const d = arg;
    for (size_t t = begin; t < end; t++) {
        const clump_share s = points_of(d, t);
        int32_t *const counts = d->next + t * d->cluster_count;
        if (d->cluster_count > 0) memset(counts, 0, d->cluster_count * sizeof *counts);
        for (size_t i = s.begin; i < s.end; i++) {
            const int32_t label = d->labels[i];
            if (label >= 0 && (size_t)label < d->cluster_count)
                counts[label]++;
            else if (label >= 0 || label < CLUMP_GROUND)
                CLUMP_STORE(&d->wrong, 1);
        }
    }
}

/* Turns counts into places. */
static void place_clusters(describing *d)
{
    int32_t at = 0;
    for (size_t c = 0; c < d->cluster_count; c++) {
        for (int t = 0; t < d->slices; t++) {
            int32_t *const next = d->next + (size_t)t * d->cluster_count + c;
            const int32_t count = *next;
            *next = at;
            at += count;
        }
        d->ends[c] = at;
    }
}

static unsigned is_infinite(float value)
{
    return (clump_float_bits(value) & 0x7f800000) == 0x7f800000;
}

/* Copies points to their clusters. -0 becomes 0; else the minimum of the two would depend on their order. */
static void deal_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    describing *const d = arg;
    const clump_points points = d->points;
    float *const x = d->x, *const y = d->y, *const z = d->z;
    unsigned infinite = 0;
    for (size_t t = begin; t < end; t++) {
        const clump_share s = points_of(d, t);
        int32_t *const next = d->next + t * d->cluster_count;
        for (size_t i = s.begin; i < s.end; i++) {
            const int32_t label = d->labels[i];
            if (label < 0) continue;
            const float *const p = point_of(points, i);
            const int32_t at = next[label]++;
            x[at] = p[0] + 0.0f, y[at] = p[1] + 0.0f, z[at] = p[2] + 0.0f;
            infinite |= is_infinite(p[0]) | is_infinite(p[1]);
        }
    }
    if (infinite) CLUMP_STORE(&d->infinite, 1);
}

static clump_status group_points(clump_context *ctx, describing *d)
{
    CLUMP_TRY(clump_run(ctx, d->threads, (size_t)d->slices, 1, count_slices, d));
    if (d->wrong) return clump_group_refuse(ctx, d->labels, d->points.count, (int32_t)d->cluster_count);
    place_clusters(d);
    CLUMP_TRY(clump_run(ctx, d->threads, (size_t)d->slices, 1, deal_slices, d));
    return d->infinite ? fail_not_finite(ctx, d->points, d->labels) : CLUMP_OK;
}

/* ----- clusters ------------------------------------------------------------------------------------- */

static clump_shape shape_of(const describing *d, size_t c)
{
    const size_t begin = c > 0 ? (size_t)d->ends[c - 1] : 0;
    return (clump_shape){.at = {d->x + begin, d->y + begin, d->z + begin},
                         .count = (size_t)d->ends[c] - begin,
                         .keys = d->keys + 2 * begin + c};
}

static bool is_large(const describing *d, const clump_shape *s)
{
    return d->threads > 1 && s->count >= DESCRIBE_LARGE;
}

/* Describes clusters, except those that are measured in parts. */
static void describe_clusters(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const describing *const d = arg;
    for (size_t c = begin; c < end; c++) {
        clump_shape s = shape_of(d, c);
        if (is_large(d, &s)) continue;
        d->clusters[c] = (clump_cluster){.label = (int32_t)c};
        if (s.count == 0) continue;
        clump_part whole = {.begin = 0, .end = s.count};
        clump_shape_extent(&s, &whole);
        clump_shape_combine(&s, &whole, 1);
        clump_shape_sum(&s, &whole);
        clump_shape_finish(&s, &whole, 1, &d->clusters[c]);
    }
}

typedef struct large_cluster {
    clump_shape shape;
    clump_part part[DESCRIBE_PARTS];
} large_cluster;

static void find_extents(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    large_cluster *const l = arg;
    for (size_t i = begin; i < end; i++) clump_shape_extent(&l->shape, &l->part[i]);
}

static void find_sums(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    large_cluster *const l = arg;
    for (size_t i = begin; i < end; i++) clump_shape_sum(&l->shape, &l->part[i]);
}

static clump_status describe_large(clump_context *ctx, const describing *d, size_t c)
{
    large_cluster l = {.shape = shape_of(d, c)};
    const size_t wanted = l.shape.count / DESCRIBE_LARGE + 1, parts = wanted < DESCRIBE_PARTS ? wanted : DESCRIBE_PARTS;
    for (size_t i = 0; i < parts; i++) {
        const clump_share s = clump_share_of(l.shape.count, (int)i, (int)parts);
        l.part[i].begin = s.begin, l.part[i].end = s.end;
    }
    CLUMP_TRY(clump_run(ctx, d->threads, parts, 1, find_extents, &l));
    clump_shape_combine(&l.shape, l.part, parts);
    CLUMP_TRY(clump_run(ctx, d->threads, parts, 1, find_sums, &l));
    d->clusters[c] = (clump_cluster){.label = (int32_t)c};
    clump_shape_finish(&l.shape, l.part, parts, &d->clusters[c]);
    return CLUMP_OK;
}

/* Reserves and divides the scratch memory. */
static clump_status make_room(clump_context *ctx, clump_buffer *buffer, describing *d)
{
    const size_t n = d->points.count, keys = (2 * n + d->cluster_count) * sizeof(uint64_t);
    const size_t tables = ((size_t)d->slices + 1) * d->cluster_count * sizeof(int32_t);
    CLUMP_TRY(clump_buffer_reserve(ctx, buffer, keys + 3 * n * sizeof(float) + tables));
    char *const scratch = buffer->data;
    d->keys = (uint64_t *)(void *)scratch;
    d->x = (float *)(void *)(scratch + keys), d->y = d->x + n, d->z = d->y + n;
    d->ends = (int32_t *)(void *)(d->z + n), d->next = d->ends + d->cluster_count;
    return CLUMP_OK;
}

void clump_cpu_describe_release(clump_context *ctx, clump_cpu_describe_scratch *scratch)
{
    clump_buffer_release(ctx, &scratch->buffer);
}

clump_status clump_cpu_describe(clump_context *ctx, clump_cpu_describe_scratch *scratch, const clump_describe_job *job,
                                clump_result *result)
{
    describing d = {
        .points = {.xyz = (const float *)(const void *)job->points, .count = job->count, .stride = job->stride},
        .labels = job->labels,
        .clusters = job->clusters,
        .cluster_count = (size_t)job->cluster_count};
    d.threads = clump_threads_for(ctx, job->count, DESCRIBE_SHARE);
    /* the counts take at most two bytes per point */
    d.slices = d.cluster_count * (size_t)d.threads <= job->count / 2 ? d.threads : 1;
    result->threads = d.threads;
    CLUMP_TRY(make_room(ctx, &scratch->buffer, &d));
    CLUMP_TRY(group_points(ctx, &d));
    for (size_t c = 0; d.threads > 1 && c < d.cluster_count; c++) {
        const clump_shape s = shape_of(&d, c);
        if (is_large(&d, &s)) CLUMP_TRY(describe_large(ctx, &d, c));
    }
    return clump_run(ctx, d.threads, d.cluster_count, DESCRIBE_CLUSTERS, describe_clusters, &d);
}
