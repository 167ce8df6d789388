/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_run.c: see classes.h. Method fast is one batch for all parts; other methods, a distance that grows with the range, and
 * objects are one call per part.
 *
 * A split is another batch. Its clouds are the clusters that are too large, its distances half of theirs:
 *
 *     labels    0 0 1 1 1 1 1 2      max_size 4: cluster 1 is split
 *     again         . . . . .        clustered as a cloud of its own
 *     labels    0 0 3 3 4 4 4 2      new numbers follow the old ones
 */
#include "jobs/classes.h"

#include "common/assert.h"
#include "rules/batch.h"

#include <string.h>

#define RUN_POLL 65536 /* points between two polls */

/* --- clouds -------------------------------------------------------------------------------------- */

/* Whether the caller wants the list of objects. */
static bool lists_objects(const clump_class_job *job)
{
    return job->by.objects && job->by.objects->capacity > 0;
}

/* Returns the common part of a job for the clouds. */
static clump_cloud_job input_of(const clump_class_job *job, const clump_class_clouds *c)
{
    clump_cloud_job in = job->in;
    in.points = (const char *)c->points;
    in.count = c->count;
    in.stride = sizeof(float[3]);
    in.mask = NULL;
    in.labels = c->labels;
    in.order = CLUMP_ORDER_INDEX;
    in.min_size = 1;
    in.max_size = 0;
    in.clusters_on_device = NULL;
    in.wait = true;
    return in;
}

static void add_stats(clump_stats *sum, const clump_stats *one)
{
    sum->upload_ms += one->upload_ms;
    sum->build_ms += one->build_ms;
    sum->cluster_ms += one->cluster_ms;
    sum->label_ms += one->label_ms;
    sum->download_ms += one->download_ms;
    sum->initial_ms += one->initial_ms;
    sum->merge_ms += one->merge_ms;
    if (one->threads > sum->threads) sum->threads = one->threads;
    if (one->passes > sum->passes) sum->passes = one->passes;
}

/* Clusters cloud k by a call of its own. */
static clump_status cluster_one(clump_context *ctx, const clump_opened *on, const clump_class_job *job,
                                const clump_class_clouds *c, size_t k, clump_stats *stats)
{
    const size_t first = (size_t)c->offsets[k];
    clump_cloud_job in = input_of(job, c);
    in.count = (size_t)c->offsets[k + 1] - first;
    in.points += first * in.stride;
    in.labels += first;
    in.d = c->radii[k];
    in.bound = clump_batch_bound(in.d, job->by.dbscan != NULL);
    in.per_metre *= c->scale;
    in.two_d = job->groups[c->groups[k]].two_d;
    c->counts[k] = 0;
    if (in.count == 0) return CLUMP_OK;
    clump_stats one = clump_stats_before();
    if (job->by.objects) {
        clump_objects_job objects = *job->by.objects;
        objects.in = in;
        objects.found = c->fresh ? c->fresh + first : NULL;
        objects.capacity = c->fresh ? (int32_t)in.count : 0;
        CLUMP_TRY(on->table->objects(&ctx->work, on->state, &objects, c->heights ? c->heights + first : NULL, &one));
    } else if (job->by.dbscan) {
        clump_dbscan_job dbscan = *job->by.dbscan;
        dbscan.in = in;
        dbscan.core = c->core + first;
        CLUMP_TRY(on->table->dbscan(&ctx->work, on->state, &dbscan, &one));
    } else {
        clump_ec_job ec = *job->by.ec;
        ec.in = in;
        CLUMP_TRY(on->table->ec(&ctx->work, on->state, &ec, &one));
    }
    c->counts[k] = one.clusters;
    stats->finite += one.finite;
    add_stats(stats, &one);
    return CLUMP_OK;
}

static bool all_two_d(const clump_class_job *job)
{
    bool all = true;
    for (size_t g = 0; g < job->group_count; g++) all = all && job->groups[g].two_d;
    return all;
}

static clump_status cluster_clouds(clump_context *ctx, const clump_opened *on, const clump_class_job *job,
                                   const clump_class_clouds *c, clump_stats *stats)
{
    if (c->clouds == 0 || c->count == 0) {
        if (c->clouds > 0) memset(c->counts, 0, c->clouds * sizeof *c->counts);
        return CLUMP_OK;
    }
    const bool density = job->by.dbscan != NULL;
    if (job->method != 0 || job->in.per_metre != 0 || job->by.objects) {
        for (size_t k = 0; k < c->clouds; k++) {
            CLUMP_TRY(cluster_one(ctx, on, job, c, k, stats));
            CLUMP_TRY(clump_poll(&ctx->work));
        }
        return CLUMP_OK;
    }
    clump_batch_job batch = {.in = input_of(job, c),
                             .offsets = c->offsets,
                             .clouds = c->clouds,
                             .radii = c->radii,
                             .counts = c->counts,
                             .min_points = density ? job->by.dbscan->min_points : 0,
                             .border_points = density && job->by.dbscan->border_points,
                             .core = c->core};
    batch.in.two_d = all_two_d(job); /* z is 0 where it is not used, so this changes no distance */
    clump_stats one = clump_stats_before();
    CLUMP_TRY(on->table->batch(&ctx->work, on->state, &batch, &one));
    stats->finite += one.finite;
    add_stats(stats, &one);
    return CLUMP_OK;
}

/* --- clusters ------------------------------------------------------------------------------------ */

/* Makes room for `more` clusters behind `found`; listed: and for their objects. */
static clump_status reserve_clusters(clump_context *ctx, size_t found, size_t more, bool listed)
{
    const size_t bytes = sizeof(clump_class_cluster), object = sizeof(clump_object);
    CLUMP_TRY(clump_buffer_grow(&ctx->work, &ctx->classes.clusters, (found + more) * bytes, found * bytes));
    if (!listed) return CLUMP_OK;
    return clump_buffer_grow(&ctx->work, &ctx->classes.objects, (found + more) * object, found * object);
}

/* Adds the clusters of a cloud and counts their points. at: where points of the clouds are in the order by parts; null: where they
 * are. Labels there become the numbers of the clusters. */
static clump_status add_clusters(clump_context *ctx, const clump_class_clouds *c, size_t cloud, const int32_t *at,
                                 uint32_t part, size_t *found)
{
    clump_class_cluster *const clusters = (clump_class_cluster *)ctx->classes.clusters.data + *found;
    const int32_t *const order = ctx->classes.order.data;
    int32_t *const labels = ctx->classes.labels.data;
    uint8_t *const core = ctx->classes.core.data;
    const size_t end = (size_t)c->offsets[cloud + 1];
    for (int32_t l = 0; l < c->counts[cloud]; l++)
        clusters[l] = (clump_class_cluster){.first = -1, .part = part, .slot = -1};
    for (size_t k = (size_t)c->offsets[cloud]; k < end; k++) {
        if (k % RUN_POLL == 0) CLUMP_TRY(clump_poll(&ctx->work));
        const size_t place = at ? (size_t)at[k] : k;
        const int32_t label = c->labels[k];
        labels[place] = label < 0 ? label : label + (int32_t)*found;
        if (c->core) core[place] = c->core[k];
        if (label < 0) continue;
        clusters[label].size++;
        if ((!c->core || c->core[k]) && clusters[label].first < 0) clusters[label].first = order[place];
    }
    if (c->fresh && c->counts[cloud] > 0)
        memcpy((clump_object *)ctx->classes.objects.data + *found, c->fresh + c->offsets[cloud],
               (size_t)c->counts[cloud] * sizeof *c->fresh);
    *found += (size_t)c->counts[cloud];
    return CLUMP_OK;
}

/* Whether a cluster is split. One whose distance cannot be halved stays. */
static bool is_split(const clump_class_job *job, const clump_class_cluster *cluster, float radius)
{
    const clump_class_group *const group = &job->groups[cluster->part % job->group_count];
    const float least = job->by.objects ? radius * job->by.objects->rule.factors[0] : radius;
    return group->oversize == CLUMP_OVERSIZE_SPLIT && group->max_size != 0 && (size_t)cluster->size > group->max_size &&
           clump_radius_is_allowed(radius) && clump_radius_is_allowed(least);
}

/* The clouds of a split, in ctx->classes.again, and where their points are in the order by parts. */
typedef struct split {
    clump_class_clouds clouds;
    int64_t *offsets;
    float *points, *heights, *radii; /* heights may be null */
    uint8_t *groups;
    int32_t *at;
    uint32_t *parents; /* the cluster of each cloud */
} split;

/* Returns the next piece of memory of a buffer, aligned for all types here. */
static void *cut(char **memory, size_t bytes)
{
    char *const piece = *memory;
    *memory += (bytes + 15) / 16 * 16;
    return piece;
}

/* Makes room for `clouds` clouds of `points` points. */
static clump_status reserve_split(clump_context *ctx, const clump_class_job *job, size_t clouds, size_t points,
                                  float scale, split *s)
{
    const bool listed = lists_objects(job);
    const size_t bytes = points * (sizeof(float[3]) + sizeof(float) + 2 * sizeof(int32_t) + 1) +
                         clouds * (sizeof(int64_t) + sizeof(float) + sizeof(int32_t) + sizeof(uint32_t) + 1) +
                         (listed ? points * sizeof(clump_object) : 0);
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->classes.again, bytes + sizeof(int64_t) + 11 * 16));
    char *memory = ctx->classes.again.data;
    s->offsets = cut(&memory, (clouds + 1) * sizeof(int64_t));
    s->points = cut(&memory, points * sizeof(float[3]));
    s->at = cut(&memory, points * sizeof(int32_t));
    s->radii = cut(&memory, clouds * sizeof(float));
    s->parents = cut(&memory, clouds * sizeof(uint32_t));
    s->clouds = (clump_class_clouds){.points = s->points,
                                     .count = points,
                                     .offsets = s->offsets,
                                     .clouds = clouds,
                                     .radii = s->radii,
                                     .scale = scale,
                                     .labels = cut(&memory, points * sizeof(int32_t)),
                                     .counts = cut(&memory, clouds * sizeof(int32_t))};
    s->clouds.groups = s->groups = cut(&memory, clouds);
    if (job->by.dbscan) s->clouds.core = cut(&memory, points);
    if (job->by.heights) s->clouds.heights = s->heights = cut(&memory, points * sizeof(float));
    if (listed) s->clouds.fresh = cut(&memory, points * sizeof(clump_object));
    return CLUMP_OK;
}

/* Makes a cloud of each cluster from `begin` on that is split: slots, parents, distances and where the clouds begin. */
static void open_split(const clump_class_job *job, const float *radii, clump_class_cluster *clusters, size_t begin,
                       size_t found, split *s)
{
    size_t cloud = 0;
    int64_t sum = 0;
    s->offsets[0] = 0;
    for (size_t c = begin; c < found; c++) {
        const float radius = radii[clusters[c].part] * s->clouds.scale; /* exact */
        if (!is_split(job, &clusters[c], radius)) continue;
        s->radii[cloud] = radius;
        s->groups[cloud] = (uint8_t)(clusters[c].part % job->group_count);
        s->parents[cloud] = (uint32_t)c;
        s->offsets[cloud + 1] = sum;
        sum += clusters[c].size;
        clusters[c].slot = (int32_t)cloud++;
    }
    CLUMP_ASSERT(cloud == s->clouds.clouds && sum == (int64_t)s->clouds.count);
}

/* Copies the points of the clouds. Then s->offsets are those of the clouds. */
static clump_status fill_split(clump_context *ctx, const clump_class_job *job, const clump_class_cluster *clusters,
                               size_t begin, split *s)
{
    const int32_t *const labels = ctx->classes.labels.data;
    const float *const xyz = ctx->classes.points.data, *const heights = ctx->classes.heights.data;
    for (size_t k = 0; k < job->taken; k++) {
        if (k % RUN_POLL == 0) CLUMP_TRY(clump_poll(&ctx->work));
        if (labels[k] < (int32_t)begin || clusters[labels[k]].slot < 0) continue;
        const size_t to = (size_t)s->offsets[clusters[labels[k]].slot + 1]++;
        s->at[to] = (int32_t)k;
        memcpy(s->points + 3 * to, xyz + 3 * k, sizeof(float[3]));
        if (s->heights) s->heights[to] = heights[k];
    }
    return CLUMP_OK;
}

/* Counts the new clusters of clouds, and makes room for them. */
static clump_status reserve_found(clump_context *ctx, const clump_class_clouds *c, size_t found)
{
    size_t more = 0;
    for (size_t k = 0; k < c->clouds; k++) more += (size_t)c->counts[k];
    if (found + more > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY, "%s: there are more than %d clusters", ctx->work.call,
                          INT32_MAX);
    return reserve_clusters(ctx, found, more, c->fresh != NULL);
}

/* Splits the clusters from *begin on that are too large, with distances by `scale`. *begin becomes the first new one. */
static clump_status split_once(clump_context *ctx, const clump_opened *on, const clump_class_job *job, float scale,
                               size_t *begin, size_t *found, clump_stats *stats)
{
    const float *const radii = ctx->classes.radii.data;
    clump_class_cluster *clusters = ctx->classes.clusters.data;
    size_t clouds = 0, points = 0;
    for (size_t c = *begin; c < *found; c++) {
        if (!is_split(job, &clusters[c], radii[clusters[c].part] * scale)) continue;
        clouds++;
        points += (size_t)clusters[c].size;
    }
    const size_t first = *begin;
    *begin = *found;
    if (clouds == 0) return CLUMP_OK;
    split s = {0};
    CLUMP_TRY(reserve_split(ctx, job, clouds, points, scale, &s));
    open_split(job, radii, clusters, first, *found, &s);
    CLUMP_TRY(fill_split(ctx, job, clusters, first, &s));
    CLUMP_TRY(cluster_clouds(ctx, on, job, &s.clouds, stats));
    CLUMP_TRY(reserve_found(ctx, &s.clouds, *found));
    clusters = ctx->classes.clusters.data;
    for (size_t k = 0; k < clouds; k++) {
        clump_class_cluster *const parent = &clusters[s.parents[k]];
        parent->size = 0;
        CLUMP_TRY(add_clusters(ctx, &s.clouds, k, s.at, parent->part, found));
    }
    stats->oversize_split += clouds;
    return CLUMP_OK;
}

clump_status clump_class_cluster_parts(clump_context *ctx, const clump_opened *on, const clump_class_job *job,
                                       size_t *found, clump_stats *stats)
{
    clump_class_buffers *const b = &ctx->classes;
    const size_t parts = job->scenes * job->group_count;
    const bool listed = lists_objects(job);
    if (listed) CLUMP_TRY(clump_buffer_reserve(&ctx->work, &b->fresh, job->taken * sizeof(clump_object)));
    const clump_class_clouds all = {.points = b->points.data,
                                    .count = job->taken,
                                    .offsets = b->offsets.data,
                                    .clouds = parts,
                                    .radii = b->radii.data,
                                    .groups = (const uint8_t *)((const float *)b->radii.data + parts),
                                    .scale = 1,
                                    .labels = b->labels.data,
                                    .counts = b->counts.data,
                                    .core = job->by.dbscan ? b->core.data : NULL,
                                    .heights = job->by.heights ? b->heights.data : NULL,
                                    .fresh = listed ? b->fresh.data : NULL};
    *found = 0;
    CLUMP_TRY(cluster_clouds(ctx, on, job, &all, stats));
    CLUMP_TRY(reserve_found(ctx, &all, 0));
    for (size_t part = 0; part < parts; part++) CLUMP_TRY(add_clusters(ctx, &all, part, NULL, (uint32_t)part, found));
    const size_t finite = stats->finite;
    float scale = 1;
    size_t begin = 0;
    for (int step = 0; step < CLUMP_CLASS_SPLITS && begin < *found; step++) {
        scale *= 0.5f;
        CLUMP_TRY(split_once(ctx, on, job, scale, &begin, found, stats));
    }
    stats->finite = finite;
    return CLUMP_OK;
}
