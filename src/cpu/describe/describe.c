/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.c: counts, centroids and boxes of clusters (measure.h), by all threads:
 *
 *     points ─ counting sort by label ─► x[] y[] z[] of cluster c ─► measure ─► clusters[c]
 *
 * A large cluster, as the ground of a scan, is measured in parts, in two runs of the team: extents, then sums. The thread
 * that has the last part of a cluster finishes the step. The others are measured by one thread each, in the first run.
 * One scratch buffer holds the keys of the hulls, then x, y, z, values and heights, each cluster by
 * cluster; then the ends of the clusters and the counts of the slices.
 */
#include "common/assert.h"
#include "common/atomics.h"
#include "cpu/describe/places.h"
#include "core/cluster.h"
#include "cpu/describe/describe.h"
#include "cpu/describe/measure.h"

#include <string.h>

#define DESCRIBE_LARGE    16384 /* points of a cluster that several threads measure in parts, of at most as many */
#define DESCRIBE_PARTS    256   /* parts of a cluster, at most */
#define DESCRIBE_CLUSTERS 8     /* clusters per chunk, at most */
#define DESCRIBE_CHUNKS   8     /* per thread, at least, where there are enough clusters: they differ much in size */

/* ----- points by cluster ------------------------------------------------------------------------- */

typedef struct describing {
    clump_team *team;
    const clump_describe_job *job;
    clump_places places; /* clusters: those that are described */
    uint64_t *keys;
    float *at[3];            /* x, y, z of all points, cluster by cluster */
    float *values, *heights; /* null, or the same of them */
    int infinite;            /* there is a point that is not finite */
    struct large_cluster *large;
    size_t large_count, parts; /* large clusters, and all their parts */
    size_t chunk;              /* clusters per item of the first run, behind the parts */
} describing;

/* A cluster that is measured in parts. */
typedef struct large_cluster {
    clump_shape shape;
    clump_hull_filter filter;
    clump_part *part;
    size_t parts;
    int32_t label;
    uint32_t open; /* parts that are not done in this run */
} large_cluster;

static const float *point_of(const clump_describe_job *job, size_t i)
{
    return (const float *)(const void *)(job->points + i * job->stride);
}

static float value_of(const clump_describe_job *job, size_t i)
{
    return *(const float *)(const void *)((const char *)job->options.values + i * job->options.values_stride);
}

/* Fails with the first point of a described cluster that is not finite, seen from above. */
static clump_status fail_not_finite(clump_work *work, const clump_describe_job *job)
{
    const int across = clump_across(job->options.up);
    for (size_t i = 0; i < job->count; i++) {
        const float *const p = point_of(job, i);
        const int32_t label = job->labels[i];
        if (label < 0 || label >= job->described || (clump_is_finite(p[0]) && clump_is_finite(p[across]))) continue;
        return clump_refuse_point(work, i, label, p, job->options.up);
    }
    return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the points changed during the call", work->call);
}

/* Copies n points, `floats` apart, and returns whether all are finite, seen from above. -0 becomes 0; else the minimum of
 * the two would depend on their order. Most runs are short: wider vectors would leave more points over. */
static bool copy_points(const float *p, size_t floats, size_t n, int across, float *x, float *y, float *z)
{
    const clump_f4 zero = clump_f4_set(0);
    clump_f4 sum = zero; /* of differences that are 0 for finite numbers, else NaN */
    size_t i = 0;
    for (; i + 4 < n; i += 4) { /* the last point may end with its third float */
        clump_f4 px, py, pz;
        clump_f4_load_apart(p + i * floats, floats, &px, &py, &pz);
        const clump_f4 pa = across == 1 ? py : pz;
        sum = clump_f4_add(sum, clump_f4_add(clump_f4_sub(px, px), clump_f4_sub(pa, pa)));
        clump_f4_store(x + i, clump_f4_add(px, zero));
        clump_f4_store(y + i, clump_f4_add(py, zero));
        clump_f4_store(z + i, clump_f4_add(pz, zero));
    }
    bool finite = clump_i4_bits(clump_f4_is_equal(sum, zero)) == 15;
    for (; i < n; i++) {
        x[i] = p[i * floats] + 0.0f, y[i] = p[i * floats + 1] + 0.0f, z[i] = p[i * floats + 2] + 0.0f;
        if (!clump_is_finite(x[i]) || !clump_is_finite(across == 1 ? y[i] : z[i])) finite = false;
    }
    return finite;
}

/* Copies n floats; -0 becomes 0. */
static void copy_floats(const float *from, size_t n, float *to)
{
    const clump_f4 zero = clump_f4_set(0);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) clump_f4_store(to + i, clump_f4_add(clump_f4_load(from + i), zero));
    for (; i < n; i++) to[i] = from[i] + 0.0f;
}

/* Copies points i ... i + n - 1, a run of one cluster, to its place `at`. Returns whether they are finite. */
static bool deal_run(const describing *d, size_t i, size_t n, size_t at)
{
    const clump_describe_job *const job = d->job;
    float *const x = d->at[0] + at, *const y = d->at[1] + at, *const z = d->at[2] + at;
    const int across = clump_across(job->options.up);
    if (d->values)
        for (size_t k = 0; k < n; k++) d->values[at + k] = value_of(job, i + k) + 0.0f;
    if (d->heights) copy_floats(job->options.heights + i, n, d->heights + at);
    return copy_points(point_of(job, i), job->stride / sizeof(float), n, across, x, y, z);
}

/* Claims n places; `shared`: other threads claim some of the same cluster. Returns the first. */
static size_t claim_places(int32_t *next, size_t n, bool shared)
{
    if (shared) return (size_t)CLUMP_ADD(next, (int32_t)n);
    *next += (int32_t)n;
    return (size_t)*next - n;
}

static bool deal_slice(const describing *d, clump_share s, int32_t *places)
{
    const int32_t *const labels = d->job->labels;
    const bool shared = d->places.rows < d->places.slices && d->places.threads > 1;
    bool finite = true;
    for (size_t i = s.begin, next; i < s.end; i = next) {
        next = clump_run_end(labels, i, s.end);
        if ((uint32_t)labels[i] >= d->places.clusters) continue;
        finite &= deal_run(d, i, next - i, claim_places(&places[labels[i]], next - i, shared));
    }
    return finite;
}

static void deal_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    describing *const d = arg;
    const clump_places *const p = &d->places;
    for (size_t t = begin; t < end; t++)
        if (!deal_slice(d, clump_places_slice(p, t), p->next + (p->rows > 1 ? t * p->clusters : 0)))
            CLUMP_STORE(&d->infinite, 1);
}

static clump_status group_points(clump_work *work, describing *d)
{
    CLUMP_TRY(clump_places_find(work, &d->places));
    CLUMP_TRY(clump_run(work, d->places.threads, (size_t)d->places.slices, 1, deal_slices, d));
    return d->infinite ? fail_not_finite(work, d->job) : CLUMP_OK;
}

/* ----- clusters ------------------------------------------------------------------------------------- */

static size_t begin_of(const describing *d, size_t c)
{
    return c > 0 ? (size_t)d->places.ends[c - 1] : 0;
}

static clump_shape shape_of(const describing *d, size_t c)
{
    const size_t begin = begin_of(d, c);
    return (clump_shape){.at = {d->at[0] + begin, d->at[1] + begin, d->at[2] + begin},
                         .values = d->values ? d->values + begin : NULL,
                         .heights = d->heights ? d->heights + begin : NULL,
                         .options = &d->job->options,
                         .team = d->team,
                         .count = (size_t)d->places.ends[c] - begin,
                         .keys = d->keys + 2 * begin + c};
}

/* Whether a cluster is measured in parts. */
static bool is_large(const describing *d, size_t c)
{
    return d->places.threads > 1 && (size_t)d->places.ends[c] - begin_of(d, c) >= DESCRIBE_LARGE;
}

/* ----- large clusters ------------------------------------------------------------------------------- */

/* Returns the number of parts of a large cluster. Each thread that is worth waking gets as many of them, and all are of
 * equal size. */
static size_t parts_of(size_t points, size_t threads)
{
    _Static_assert(CLUMP_MAX_THREADS <= DESCRIBE_PARTS, "a part for each thread");
    const size_t worth = points / CLUMP_PLACES_SHARE, woken = threads < worth ? threads : worth;
    const size_t each = points / (woken * DESCRIBE_LARGE) + 1, most = DESCRIBE_PARTS / woken;
    return woken * (each < most ? each : most);
}

/* Bytes for the large clusters of a cloud. A cluster of n points has at most n / DESCRIBE_LARGE + n / CLUMP_PLACES_SHARE
 * parts. */
static size_t large_bytes(size_t points)
{
    const size_t most = points / DESCRIBE_LARGE, parts = most + points / CLUMP_PLACES_SHARE;
    return most * sizeof(large_cluster) + parts * sizeof(clump_part);
}

/* Lists the large clusters and divides them. */
static clump_status list_large(clump_work *work, clump_buffer *buffer, describing *d)
{
    if (d->places.threads == 1) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(work, buffer, large_bytes(d->job->count)));
    d->large = buffer->data;
    clump_part *next = (clump_part *)(d->large + d->job->count / DESCRIBE_LARGE);
    for (size_t c = 0; c < d->places.clusters; c++) {
        if (!is_large(d, c)) continue;
        const clump_shape shape = shape_of(d, c);
        large_cluster *const l = &d->large[d->large_count++];
        const size_t parts = parts_of(shape.count, (size_t)d->places.threads);
        l->shape = shape, l->shape.filter = &l->filter;
        l->part = next, next += parts;
        l->parts = parts, l->open = (uint32_t)parts, l->label = (int32_t)c;
        d->parts += parts;
        for (size_t i = 0; i < parts; i++) {
            const clump_share s = clump_share_of(shape.count, (int)i, (int)parts);
            l->part[i] = (clump_part){.begin = s.begin, .end = s.end};
        }
    }
    return CLUMP_OK;
}

/* Returns the cluster of a part of all large clusters; *part becomes its number in this one. */
static large_cluster *large_of(const describing *d, size_t *part)
{
    large_cluster *l = d->large;
    for (; *part >= l->parts; l++) *part -= l->parts;
    return l;
}

static void find_extent(const describing *d, size_t part)
{
    large_cluster *const l = large_of(d, &part);
    clump_shape_extent(&l->shape, &l->part[part]);
    if (!CLUMP_IS_LAST(&l->open)) return;
    clump_shape_combine(&l->shape, l->part, l->parts);
    l->open = (uint32_t)l->parts;
}

static void find_sums(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const describing *const d = arg;
    for (size_t i = begin; i < end; i++) {
        size_t part = i;
        large_cluster *const l = large_of(d, &part);
        clump_shape_sum(&l->shape, &l->part[part]);
        if (CLUMP_IS_LAST(&l->open))
            d->job->clusters[l->label] = clump_shape_finish(&l->shape, l->part, l->parts, l->label);
    }
}

/* ----- all clusters --------------------------------------------------------------------------------- */

/* Describes a cluster, unless it is measured in parts. */
static void describe_cluster(const describing *d, size_t c)
{
    if (is_large(d, c)) return;
    clump_hull_filter filter;
    clump_shape s = shape_of(d, c);
    s.filter = &filter;
    if (s.count == 0) {
        d->job->clusters[c] = clump_cluster_empty((int32_t)c);
        return;
    }
    clump_part whole = {.begin = 0, .end = s.count};
    clump_shape_extent(&s, &whole);
    clump_shape_combine(&s, &whole, 1);
    if (s.count >= DESCRIBE_LARGE && clump_team_stopped(d->team)) return;
    clump_shape_sum(&s, &whole);
    d->job->clusters[c] = clump_shape_finish(&s, &whole, 1, (int32_t)c);
}

/* The first run: extents of the parts of large clusters, then the other clusters. */
static void describe_items(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const describing *const d = arg;
    for (size_t i = begin; i < end; i++) {
        if (i < d->parts) {
            find_extent(d, i);
            continue;
        }
        const size_t from = (i - d->parts) * d->chunk, left = d->places.clusters - from;
        for (size_t c = from; c < from + (left < d->chunk ? left : d->chunk); c++) describe_cluster(d, c);
    }
}

static clump_status describe_all(clump_work *work, describing *d)
{
    const int threads = d->places.threads;
    const size_t clusters = d->places.clusters, share = clusters / ((size_t)threads * DESCRIBE_CHUNKS);
    d->chunk = share < 1 ? 1 : share < DESCRIBE_CLUSTERS ? share : DESCRIBE_CLUSTERS;
    const size_t items = d->parts + (clusters + d->chunk - 1) / d->chunk;
    CLUMP_TRY(clump_run(work, threads, items, 1, describe_items, d));
    return clump_run(work, threads, d->parts, 1, find_sums, d);
}

/* Copies the hulls out of the scratch memory, those within the capacity. */
static void write_hulls(const describing *d)
{
    const clump_describe_options *const o = &d->job->options;
    size_t at = 0;
    o->hull_offsets[0] = 0;
    for (size_t c = 0; c < d->places.clusters; c++) {
        const clump_shape s = shape_of(d, c);
        const size_t corners = (size_t)d->job->clusters[c].hull_corners;
        const size_t room = at < o->hull_capacity ? o->hull_capacity - at : 0;
        const size_t written = corners < room ? corners : room;
        if (written > 0) memcpy(o->hull + 2 * at, clump_shape_corners(&s), written * sizeof(clump_xy));
        at += corners;
        o->hull_offsets[c + 1] = (int32_t)at;
    }
}

/* Bytes of scratch memory: keys, fields, then the tables of the clusters. */
static size_t key_bytes(size_t points, size_t clusters)
{
    return (2 * points + clusters) * sizeof(uint64_t);
}

static size_t scratch_bytes(size_t points, size_t clusters, size_t fields, size_t rows)
{
    return key_bytes(points, clusters) + fields * points * sizeof(float) + (rows + 1) * clusters * sizeof(int32_t);
}

/* Reserves and divides the scratch memory. */
static clump_status make_room(clump_work *work, clump_buffer *buffer, describing *d)
{
    const clump_describe_options *const o = &d->job->options;
    const size_t n = d->job->count, clusters = d->places.clusters;
    const size_t fields = 3u + (o->values != NULL) + (o->heights != NULL);
    CLUMP_TRY(clump_buffer_reserve(work, buffer, scratch_bytes(n, clusters, fields, (size_t)d->places.rows)));
    char *const scratch = buffer->data;
    d->keys = (uint64_t *)(void *)scratch;
    float *next = (float *)(void *)(scratch + key_bytes(n, clusters));
    for (int k = 0; k < 3; k++, next += n) d->at[k] = next;
    if (o->values) d->values = next, next += n;
    if (o->heights) d->heights = next, next += n;
    d->places.ends = (int32_t *)(void *)next, d->places.next = d->places.ends + clusters;
    return CLUMP_OK;
}

clump_status clump_cpu_describe_reserve(clump_work *work, clump_cpu_describe_scratch *scratch, size_t max_points)
{
    if (work->threads > 1) CLUMP_TRY(clump_buffer_reserve(work, &scratch->large, large_bytes(max_points)));
    /* one row: several take at most as much as half the points, which is less than a cluster per point */
    return clump_buffer_reserve(work, &scratch->buffer, scratch_bytes(max_points, max_points, 4, 1));
}

void clump_cpu_describe_release(clump_work *work, clump_cpu_describe_scratch *scratch)
{
    clump_buffer_release(work, &scratch->buffer);
    clump_buffer_release(work, &scratch->large);
}

clump_status clump_cpu_describe(clump_work *work, clump_cpu_describe_scratch *scratch, const clump_describe_job *job,
                                clump_stats *stats)
{
    CLUMP_ASSERT(job->described >= 0 && job->described <= job->cluster_count);
    describing d = {.team = work->team,
                    .job = job,
                    .places = {.labels = job->labels,
                               .count = job->count,
                               .cluster_count = job->cluster_count,
                               .sizes = job->sizes,
                               .clusters = (size_t)job->described}};
    clump_places_divide(work, &d.places);
    stats->threads = d.places.threads;
    CLUMP_TRY(make_room(work, &scratch->buffer, &d));
    CLUMP_TRY(group_points(work, &d));
    CLUMP_TRY(list_large(work, &scratch->large, &d));
    CLUMP_TRY(describe_all(work, &d));
    if (job->options.hull_offsets) write_hulls(&d);
    return CLUMP_OK;
}
