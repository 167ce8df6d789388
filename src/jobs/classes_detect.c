/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_detect.c: see classes.h. clump_detect with classes, and clump_objects, are composed of the separate calls, on any backend:
 * region, ground, clusters, boxes. The ground is that of all points, whatever their classes are. The trees of objects are made
 * on the CPU: the points of things are few.
 */
#include "jobs/classes.h"

#include "common/timer.h"
#include "rules/region.h"

#include <math.h>

#define DETECT_POLL 65536 /* points between two polls */

/* Arrays of the call, one entry per point, in ctx->classes.scene. */
typedef struct scene {
    int32_t *labels, *ground;
    float *heights;
    uint8_t *mask;
} scene;

static clump_status reserve(clump_context *ctx, const clump_detect_job *job, scene *s)
{
    const size_t n = job->in.count;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->classes.scene, n * (2 * sizeof(int32_t) + sizeof(float) + 1)));
    s->ground = ctx->classes.scene.data;
    s->labels = job->in.labels ? job->in.labels : s->ground + n;
    s->heights = (float *)(s->ground + 2 * n);
    s->mask = (uint8_t *)(s->heights + n);
    return CLUMP_OK;
}

/* Makes the mask: the points of the region that the caller's mask allows. */
static clump_status mask_points(clump_context *ctx, const clump_detect_job *job, const scene *s, size_t *masked)
{
    const clump_region *const r = &job->region;
    const clump_region_rule rule =
        clump_region_rule_make(r->lower, r->upper, r->min_range, r->max_range, job->sensor, job->two_d);
    *masked = 0;
    for (size_t i = 0; i < job->in.count; i++) {
        if (i % DETECT_POLL == 0) CLUMP_TRY(clump_poll(&ctx->work));
        const float *const p = (const float *)(const void *)(job->in.points + i * job->in.stride);
        const bool allowed = !job->in.mask || job->in.mask[i];
        s->mask[i] = allowed && (!job->has_region || clump_region_has(&rule, p));
        *masked += !s->mask[i];
    }
    return CLUMP_OK;
}

static clump_status run_ground(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats)
{
    return on->table->ground(&ctx->work, on->state, job, stats);
}

static clump_status run_describe(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats)
{
    return on->table->describe(&ctx->work, on->state, job, stats);
}

/* Finds the ground and takes its points out of the mask. *found: its figures. */
static clump_status remove_ground(clump_context *ctx, const clump_detect_job *job, const scene *s, clump_stats *found)
{
    *found = clump_stats_before();
    if (job->ground.method == CLUMP_GROUND_NONE) return CLUMP_OK;
    clump_ground_job ground = {.in = {.points = job->in.points,
                                      .count = job->in.count,
                                      .stride = job->in.stride,
                                      .place = job->in.place,
                                      .mask = s->mask,
                                      .labels = s->ground,
                                      .wait = true},
                               .options = job->ground};
    ground.options.mask = s->mask;
    ground.options.heights = s->heights;
    CLUMP_TRY(clump_call(ctx, &clump_ground_methods, (int)job->ground.method, run_ground, &ground, &ground.in, NULL));
    *found = ctx->stats;
    for (size_t i = 0; i < job->in.count; i++) s->mask[i] = s->mask[i] && s->ground[i] != CLUMP_GROUND;
    return clump_poll(&ctx->work);
}

/* Describes the first clusters, as many as the caller has room for. */
static clump_status describe(clump_context *ctx, const clump_detect_job *job, const scene *s, int32_t clusters)
{
    clump_describe_job boxes = job->describe;
    const int32_t capacity = boxes.described;
    if (capacity == 0 && !boxes.options.hull_offsets) return CLUMP_OK;
    boxes.labels = s->labels;
    boxes.cluster_count = clusters;
    boxes.described = clusters < capacity ? clusters : capacity;
    boxes.wait = true;
    if (job->ground.method != CLUMP_GROUND_NONE) boxes.options.heights = s->heights;
    static const clump_method method = {"describe", true, true, CLUMP_COST_LINEAR};
    return clump_call_without_figures(ctx, boxes.place, &method, boxes.count, run_describe, &boxes);
}

/* Finds the objects of the points of the mask that are finite. */
static clump_status find_objects(clump_context *ctx, const clump_classes *classes, const clump_detect_job *job,
                                 const scene *s, int32_t *clusters)
{
    clump_objects_job objects = job->objects;
    size_t finite = 0;
    for (size_t i = 0; i < job->in.count; i++) {
        if (i % DETECT_POLL == 0) CLUMP_TRY(clump_poll(&ctx->work));
        const float *const p = (const float *)(const void *)(job->in.points + i * job->in.stride);
        const bool all = isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
        s->mask[i] = s->mask[i] && all;
        finite += all;
    }
    objects.in.mask = s->mask;
    objects.in.labels = s->labels;
    const clump_class_clustering by = {.objects = &objects,
                                       .heights = job->ground.method != CLUMP_GROUND_NONE ? s->heights : NULL};
    CLUMP_TRY(clump_class_call(ctx, classes, &by, NULL, clusters));
    ctx->stats.finite = finite;
    ctx->stats.neighbours = CLUMP_NEIGHBOURS_EXACT;
    ctx->stats.backend = CLUMP_BACKEND_CPU; /* of the trees; the ground and boxes may have been found on a GPU */
    return CLUMP_OK;
}

/* Clusters the points of the mask. */
static clump_status cluster(clump_context *ctx, const clump_classes *classes, const clump_detect_job *job,
                            const scene *s, int32_t *clusters)
{
    clump_ec_job ec = job->ec;
    clump_dbscan_job dbscan = job->dbscan;
    if (job->method == CLUMP_DETECT_OBJECTS) return find_objects(ctx, classes, job, s, clusters);
    ec.in.mask = dbscan.in.mask = s->mask;
    ec.in.labels = dbscan.in.labels = s->labels;
    const clump_class_clustering by = {.ec = job->method == CLUMP_DETECT_EC ? &ec : NULL,
                                       .dbscan = job->method == CLUMP_DETECT_DBSCAN ? &dbscan : NULL};
    return clump_class_call(ctx, classes, &by, NULL, clusters);
}

/* Refuses what clump_detect and clump_objects do not have with classes. */
static clump_status check(clump_context *ctx, const clump_classes *classes, const clump_detect_job *job)
{
    const char *const call = ctx->work.call;
    if (job->in.place == CLUMP_PLACE_DEVICE)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED, "%s: with classes the points must be in host memory",
                          call);
    if (job->thin > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s: thin does not work with classes, as a voxel may have points of several", call);
    for (size_t k = 0; job->ground.up == CLUMP_UP_Y && classes->rows && k < classes->count; k++)
        if (classes->rows[k].two_d && !classes->rows[k].stuff)
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                              "%s: two_d of class %d ignores z, but with ground.up = CLUMP_UP_Y the height is y", call,
                              classes->rows[k].id);
    return CLUMP_OK;
}

clump_status clump_class_detect(clump_context *ctx, const clump_classes *classes, const clump_detect_job *job,
                                int32_t *cluster_count)
{
    CLUMP_TRY(check(ctx, classes, job));
    const double start = clump_now_ms();
    scene s;
    size_t masked;
    int32_t clusters;
    clump_stats ground;
    CLUMP_TRY(reserve(ctx, job, &s));
    CLUMP_TRY(mask_points(ctx, job, &s, &masked));
    CLUMP_TRY(remove_ground(ctx, job, &s, &ground));
    const double found = clump_now_ms();
    CLUMP_TRY(cluster(ctx, classes, job, &s, &clusters));
    if (ground.ground > 0)
        for (size_t i = 0; i < job->in.count; i++)
            if (s.ground[i] == CLUMP_GROUND) s.labels[i] = CLUMP_GROUND;
    const double clustered = clump_now_ms();
    CLUMP_TRY(describe(ctx, job, &s, clusters));
    clump_stats *const stats = &ctx->stats;
    stats->ground = ground.ground;
    stats->ground_level = ground.ground_level;
    stats->ground_ms = found - start;
    stats->describe_ms = clump_now_ms() - clustered;
    stats->masked = masked;
    stats->noise -= ground.ground;
    if (cluster_count) *cluster_count = clusters;
    return CLUMP_OK;
}
