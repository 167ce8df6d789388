/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect.c: the public clump_detect: its checks, the jobs of its steps, the choice of backend.
 */
#include "jobs/classes.h"

#include "core/options.h"
#include "rules/region.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ----- checks ----------------------------------------------------------------------------------------------------- */

static bool is_untouched(const clump_clustering *c, const clump_clustering *usual)
{
    return c->order == usual->order && c->two_d == usual->two_d && c->min_size == usual->min_size &&
           c->max_size == usual->max_size && c->eps_per_metre == usual->eps_per_metre && !c->mask &&
           !c->clusters_on_device && !c->papers && !c->classes && c->sensor[0] == 0 && c->sensor[1] == 0 &&
           c->sensor[2] == 0;
}

/* clump_ground_check and clump_describe_check check the cookies of `ground` and `describe`. */
static clump_status check_cookies(clump_context *ctx, const clump_detect_options *o)
{
    if (o->cookie != CLUMP_DETECT_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "clump_detect: the options were not made by clump_detect_defaults()");
    const clump_detect_options usual = clump_detect_defaults();
    clump_clustering objects = o->objects.common;
    objects.eps_per_metre = usual.objects.common.eps_per_metre; /* it is used */
    const struct {
        const char *name;
        uint32_t cookie, expected;
        const clump_clustering *common, *usual;
    } nested[] = {
        {"ec", o->ec.cookie, CLUMP_EC_COOKIE, &o->ec.common, &usual.ec.common},
        {"dbscan", o->dbscan.cookie, CLUMP_DBSCAN_COOKIE, &o->dbscan.common, &usual.dbscan.common},
        {"erccl", o->erccl.cookie, CLUMP_ERCCL_COOKIE, &o->erccl.common, &usual.erccl.common},
        {"objects", o->objects.cookie, CLUMP_OBJECTS_COOKIE, &objects, &usual.objects.common},
    };
    for (size_t k = 0; k < sizeof nested / sizeof *nested; k++) {
        if (nested[k].cookie != nested[k].expected)
            return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                              "clump_detect: the %s options were not made by clump_%s_defaults()", nested[k].name,
                              nested[k].name);
        if (!is_untouched(nested[k].common, nested[k].usual))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: %s.common is not used here, set `common`",
                              nested[k].name);
    }
    if (o->common.papers && o->common.papers->all_heights)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED, "clump_detect does not have all_heights");
    if (o->method == CLUMP_DETECT_OBJECTS && o->common.eps_per_metre != 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "clump_detect: the method objects has its own radius, in objects.common.eps_per_metre");
    return CLUMP_OK;
}

static clump_status check_region(clump_context *ctx, const clump_region *r)
{
    for (int k = 0; k < 3; k++) {
        if (isnan(r->lower[k]) || isnan(r->upper[k]))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: region.%s[%d] is not a number",
                              isnan(r->lower[k]) ? "lower" : "upper", k);
        if (r->lower[k] > r->upper[k])
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                              "clump_detect: region.lower[%d] is %g, larger than region.upper[%d], which is %g", k,
                              (double)r->lower[k], k, (double)r->upper[k]);
    }
    if (isnan(r->min_range) || isnan(r->max_range))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: region.%s is not a number",
                          isnan(r->min_range) ? "min_range" : "max_range");
    if (r->min_range > r->max_range)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "clump_detect: region.min_range is %g, larger than region.max_range, which is %g",
                          (double)r->min_range, (double)r->max_range);
    return CLUMP_OK;
}

static clump_status check_scene(clump_context *ctx, const clump_detect_options *o)
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(o->common.sensor[k]))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: sensor[%d] is %g, it must be finite", ctx->work.call,
                              k, (double)o->common.sensor[k]);
    CLUMP_TRY(check_region(ctx, &o->region));
    if (!(o->thin >= 0) || !isfinite(o->thin))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: thin is %g, it must be 0 or more",
                          (double)o->thin);
    if (o->thin > 0 && o->thin < FLT_MIN)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: thin is %g, it must be 0 or at least %g",
                          (double)o->thin, (double)FLT_MIN);
    if (o->thin > 0 && o->method == CLUMP_DETECT_OBJECTS)
        return clump_fail(
            &ctx->work, CLUMP_ERR_UNSUPPORTED,
            "clump_detect: thin does not work with the method objects, which counts the points of clusters");
    return CLUMP_OK;
}

static clump_status check_boxes(clump_context *ctx, clump_describe_job *job)
{
    CLUMP_TRY(clump_describe_check(ctx, job->place, &job->options));
    if (job->described < 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: capacity is %d, it must be 0 or more",
                          job->described);
    if (!job->clusters && job->described > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: clusters is null but capacity is %d",
                          job->described);
    /* more corners than points are never written */
    if (job->options.hull_capacity > job->count) job->options.hull_capacity = job->count;
    return CLUMP_OK;
}

/* Checks alignment and overlap of the caller's memory. */
static clump_status check_memory(clump_context *ctx, const clump_detect_job *job, const int32_t *cluster_count)
{
    const clump_describe_job *const d = &job->describe;
    const clump_describe_options *const o = &d->options;
    const size_t count = job->in.count, capacity = (size_t)d->described, word = sizeof(float);
    clump_span spans[8 + CLUMP_OBJECTS_SPANS] = {
        clump_span_points("points.xyz", job->in.points, count, job->in.stride),
        clump_span_in("mask", job->in.mask, count, 1, 1),
        {"describe.values", o->values, word, count, o->values_stride, word, false},
        clump_span_out("labels", job->in.labels, count, sizeof(int32_t), sizeof(int32_t)),
        clump_span_out("clusters", d->clusters, capacity, sizeof *d->clusters, _Alignof(clump_cluster)),
        clump_span_out("describe.hull", o->hull, o->hull_capacity, sizeof(float[2]), word),
        clump_span_out("describe.hull_offsets", o->hull_offsets, capacity + 1, sizeof(int32_t), sizeof(int32_t)),
        clump_span_number("cluster_count", cluster_count, sizeof *cluster_count),
    };
    const size_t more = job->method == CLUMP_DETECT_OBJECTS ? clump_objects_spans(&job->objects, spans + 8) : 0;
    return clump_check_spans(&ctx->work, ctx->work.call, spans, 8 + more);
}

/* ----- jobs ------------------------------------------------------------------------------------------------------- */

/* What the caller gave. */
typedef struct request {
    clump_points points;
    const clump_detect_options *options;
    int32_t *labels;
    bool wait;
} request;

/* For clusterings that have the sensor in their ground. */
static clump_clustering without_sensor(const clump_clustering *common)
{
    clump_clustering c = *common;
    memset(c.sensor, 0, sizeof c.sensor);
    return c;
}

/* Makes the job of the clustering: of the nested options those that clump_detect has itself are replaced. */
static clump_status prepare_clustering(clump_context *ctx, const request *r, clump_detect_job *job)
{
    const clump_detect_options *const o = r->options;
    switch (o->method) {
    case CLUMP_DETECT_EC: {
        clump_ec_options ec = o->ec;
        ec.common = o->common;
        CLUMP_TRY(clump_ec_make_job(ctx, r->points, o->d, &ec, r->labels, r->wait, &job->ec));
        job->in = job->ec.in;
        return CLUMP_OK;
    }
    case CLUMP_DETECT_DBSCAN: {
        clump_dbscan_options dbscan = o->dbscan;
        dbscan.common = o->common;
        dbscan.core = NULL;
        CLUMP_TRY(
            clump_dbscan_make_job(ctx, r->points, o->d, o->min_points, &dbscan, r->labels, r->wait, &job->dbscan));
        job->in = job->dbscan.in;
        return CLUMP_OK;
    }
    case CLUMP_DETECT_ERCCL: {
        clump_erccl_options erccl = o->erccl;
        erccl.common = without_sensor(&o->common);
        erccl.ground = job->ground;
        erccl.ground.method = CLUMP_GROUND_NONE;
        erccl.maps = (clump_erccl_maps){0};
        CLUMP_TRY(clump_erccl_make_job(ctx, r->points, &erccl, r->labels, r->wait, &job->erccl));
        job->in = job->erccl.in;
        return CLUMP_OK;
    }
    case CLUMP_DETECT_OBJECTS: {
        clump_objects_options objects = o->objects;
        objects.common = without_sensor(&o->common);
        objects.common.eps_per_metre = o->objects.common.eps_per_metre;
        objects.ground = job->ground;
        CLUMP_TRY(clump_objects_make_job(ctx, r->points, &objects, r->labels, r->wait, &job->objects));
        job->in = job->objects.in;
        return CLUMP_OK;
    }
    }
    return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_detect: there is no method number %d", (int)o->method);
}

static clump_ground_options ground_of(const clump_detect_options *o)
{
    clump_ground_options ground = o->ground;
    ground.mask = NULL;
    ground.heights = NULL;
    memcpy(ground.sensor, o->common.sensor, sizeof ground.sensor);
    return ground;
}

/* Makes the job of the boxes, once job->in and job->ground are known. */
static clump_describe_job boxes_of(const clump_detect_job *job, const clump_describe_options *options,
                                   clump_cluster *clusters, int32_t capacity)
{
    clump_describe_job d = {.points = job->in.points,
                            .count = job->in.count,
                            .stride = job->in.stride,
                            .place = job->in.place,
                            .labels = job->in.labels,
                            .clusters = clusters,
                            .described = capacity,
                            .options = *options,
                            .wait = job->in.wait};
    d.options.up = job->ground.up;
    d.options.heights = NULL;
    memcpy(d.options.sensor, job->sensor, sizeof d.options.sensor);
    return d;
}

static void set_region(clump_detect_job *job, const clump_region *r)
{
    job->region = *r;
    const clump_region_rule rule =
        clump_region_rule_make(r->lower, r->upper, r->min_range, r->max_range, job->sensor, job->two_d);
    job->has_region = !clump_region_is_all(&rule);
}

CLUMP_CALL_RUN(detect)

/* Runs the job. The method that decides on the backend, and is reported, is that of the clustering. */
static clump_status run_job(clump_context *ctx, const clump_detect_job *job, int32_t *cluster_count)
{
    switch (job->method) {
    case CLUMP_DETECT_EC:
        return clump_call(ctx, &clump_ec_methods, (int)job->ec.method, run, job, &job->in, cluster_count);
    case CLUMP_DETECT_DBSCAN:
        return clump_call(ctx, &clump_dbscan_methods, (int)job->dbscan.method, run, job, &job->in, cluster_count);
    case CLUMP_DETECT_OBJECTS:
        return clump_call(ctx, &clump_objects_methods, 0, run, job, &job->in, cluster_count);
    case CLUMP_DETECT_ERCCL:
        break;
    }
    return clump_call(ctx, &clump_erccl_methods, (int)job->erccl.method, run, job, &job->in, cluster_count);
}

/* Returns whether a result goes to host memory, so that the call must wait. */
static bool wants_host(const clump_detect_options *o, const clump_cluster *clusters)
{
    if ((clusters || o->describe.hull_offsets) && o->describe.clusters_place == CLUMP_PLACE_HOST) return true;
    return o->method == CLUMP_DETECT_OBJECTS && o->objects.found && o->objects.found_place == CLUMP_PLACE_HOST;
}

clump_status clump_detect_run(clump_context *ctx, clump_points points, const clump_detect_options *o, int32_t *labels,
                              clump_cluster *clusters, int32_t capacity, int32_t *cluster_count)
{
    CLUMP_TRY(check_scene(ctx, o));
    clump_detect_job job = {.thin = o->thin, .ground = ground_of(o), .method = o->method};
    memcpy(job.sensor, o->common.sensor, sizeof job.sensor);
    CLUMP_TRY(clump_ground_check(ctx, &job.ground));
    const request r = {points, o, labels, cluster_count || wants_host(o, clusters)};
    CLUMP_TRY(prepare_clustering(ctx, &r, &job));
    job.two_d = job.in.two_d;
    if (job.two_d && job.ground.up == CLUMP_UP_Y)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "clump_detect: two_d ignores z, but with ground.up = CLUMP_UP_Y the height is y");
    set_region(&job, &o->region);
    job.describe = boxes_of(&job, &o->describe, clusters, capacity);
    CLUMP_TRY(check_boxes(ctx, &job.describe));
    CLUMP_TRY(check_memory(ctx, &job, cluster_count));
    clump_ring_doubt doubt = CLUMP_RING_DOUBT_NONE;
    if (job.method == CLUMP_DETECT_OBJECTS) CLUMP_TRY(clump_objects_check_rings(ctx, &job.objects, &doubt));
    if (o->common.classes) return clump_class_detect(ctx, o->common.classes, &job, cluster_count);
    CLUMP_TRY(run_job(ctx, &job, cluster_count));
    ctx->stats.ring_doubt = doubt;
    return CLUMP_OK;
}

clump_status clump_detect(clump_context *ctx, clump_points points, const clump_detect_options *given, int32_t *labels,
                          clump_cluster *clusters, int32_t capacity, int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_detect"));
    const clump_detect_options o = given ? *given : clump_detect_defaults();
    CLUMP_TRY(check_cookies(ctx, &o));
    return clump_detect_run(ctx, points, &o, labels, clusters, capacity, cluster_count);
}
