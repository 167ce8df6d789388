/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.c: the public clump_objects: its defaults, its checks and its job. It runs as a clustering of clump_detect, which
 * finds the ground.
 */
#include "core/context.h"

#include "core/options.h"
#include "core/rings.h"

#include <math.h>
#include <string.h>

/* ----- names ------------------------------------------------------------------------------------------------------ */

static const char *const neighbours_names[] = {"auto", "exact", "scan"};
static const char *const source_names[] = {"none", "given", "rows", "order", "angle"};
static const char *const doubt_names[] = {"none", "scattered", "unordered"};
static const char *const fit_names[] = {"other", "car", "truck", "person"};

#define NAME_AT(names, value) ((size_t)(value) < sizeof names / sizeof *names ? names[value] : NULL)

const char *clump_neighbour_kind_name(clump_neighbour_kind neighbours)
{
    return NAME_AT(neighbours_names, neighbours);
}

const char *clump_ring_source_name(clump_ring_source source)
{
    return NAME_AT(source_names, source);
}

const char *clump_ring_doubt_name(clump_ring_doubt doubt)
{
    return NAME_AT(doubt_names, doubt);
}

const char *clump_fit_name(clump_fit fit)
{
    return NAME_AT(fit_names, fit);
}

bool clump_neighbour_kind_from_name(const char *name, clump_neighbour_kind *neighbours)
{
    for (size_t k = 0; name && neighbours && k < sizeof neighbours_names / sizeof *neighbours_names; k++) {
        if (strcmp(name, neighbours_names[k]) != 0) continue;
        *neighbours = (clump_neighbour_kind)k;
        return true;
    }
    return false;
}

/* ----- checks ----------------------------------------------------------------------------------------------------- */

static clump_status check_levels(clump_context *ctx, const clump_objects_options *o)
{
    clump_cloud_job unused;
    if (o->levels < 1 || o->levels > CLUMP_OBJECTS_LEVELS)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there are %d levels, there must be 1 to %d",
                          ctx->work.call, o->levels, CLUMP_OBJECTS_LEVELS);
    for (int k = 0; k < o->levels; k++) {
        if (!(o->factors[k] > 0) || !isfinite(o->factors[k]))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: factors[%d] is %g, it must be a number above 0",
                              ctx->work.call, k, (double)o->factors[k]);
        if (k > 0 && !(o->factors[k] > o->factors[k - 1]))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                              "%s: factors[%d] is %g, it must be larger than the one before", ctx->work.call, k,
                              (double)o->factors[k]);
        CLUMP_TRY(clump_call_radius(&ctx->work, "radius of a level", o->d * o->factors[k], &unused));
        if (o->common.eps_per_metre > 0 && !isfinite(clump_distance_bound(o->common.eps_per_metre * o->factors[k])))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                              "%s: the square of eps_per_metre %g times the factor %g does not fit into a float",
                              ctx->work.call, (double)o->common.eps_per_metre, (double)o->factors[k]);
    }
    return CLUMP_OK;
}

static clump_status check_box(clump_context *ctx, int k, const clump_object_box *b)
{
    if (!(b->width > 0) || !(b->length >= b->width) || !isfinite(b->length))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: box[%d] is %g x %g, its width must be above 0 and its length at least its width",
                          ctx->work.call, k, (double)b->length, (double)b->width);
    if (!(b->most_top > 0) || !(b->least_top <= b->most_top))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: the top of box[%d] is %g to %g, it must be a range that ends above 0", ctx->work.call, k,
                          (double)b->least_top, (double)b->most_top);
    if (isnan(b->most_bottom))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: most_bottom of box[%d] is not a number", ctx->work.call,
                          k);
    if (!clump_fit_name(b->fits))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no fit number %d, in box[%d]", ctx->work.call,
                          (int)b->fits, k);
    return CLUMP_OK;
}

static clump_status check_boxes(clump_context *ctx, const clump_objects_options *o)
{
    if (o->boxes < 0 || o->boxes > CLUMP_OBJECTS_BOXES)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there are %d boxes, there must be 0 to %d",
                          ctx->work.call, o->boxes, CLUMP_OBJECTS_BOXES);
    for (int k = 0; k < o->boxes; k++) CLUMP_TRY(check_box(ctx, k, &o->box[k]));
    return CLUMP_OK;
}

static clump_status check_rings(clump_context *ctx, clump_points points, const clump_objects_options *o)
{
    if (o->rings && o->columns > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: both rings and columns are given", ctx->work.call);
    if (o->columns > 0 && points.count > 0 && (points.count - 1) / o->columns >= CLUMP_RINGS_MOST)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: %zu points in rows of %zu make more than %d rings",
                          ctx->work.call, points.count, o->columns, CLUMP_RINGS_MOST);
    return CLUMP_OK;
}

clump_status clump_objects_check_rings(clump_context *ctx, clump_objects_job *job, clump_ring_doubt *doubt)
{
    *doubt = CLUMP_RING_DOUBT_NONE;
    if (job->in.place != CLUMP_PLACE_HOST) return CLUMP_OK;
    for (size_t i = 0; job->rings && i < job->in.count; i++)
        if (job->rings[i] >= CLUMP_RINGS_MOST)
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: rings[%zu] is %d, it must be below %d",
                              ctx->work.call, i, job->rings[i], CLUMP_RINGS_MOST);
    if (job->neighbours == CLUMP_NEIGHBOURS_EXACT) return CLUMP_OK;
    CLUMP_TRY(clump_rings_judge(&ctx->work, &ctx->ring_cells, job, doubt));
    if (*doubt != CLUMP_RING_DOUBT_NONE && job->neighbours == CLUMP_NEIGHBOURS_AUTO) {
        job->rings = NULL;
        job->columns = 0;
    }
    return CLUMP_OK;
}

/* With classes neighbours are exact: the points of a group have no rings of their own. */
static clump_status take_classes(clump_context *ctx, const struct clump_classes *classes, clump_objects_job *job)
{
    if (!classes) return CLUMP_OK;
    if (job->neighbours == CLUMP_NEIGHBOURS_SCAN)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s: with classes neighbours are exact, scan neighbours are not supported", ctx->work.call);
    job->neighbours = CLUMP_NEIGHBOURS_EXACT;
    job->rings = NULL;
    job->columns = 0;
    return CLUMP_OK;
}

static clump_status check_found(clump_context *ctx, clump_points points, const clump_objects_options *o)
{
    if (o->found_capacity < 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: found_capacity is %d, it must be 0 or more",
                          ctx->work.call, o->found_capacity);
    if (!o->found && o->found_capacity > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: found is null but found_capacity is %d", ctx->work.call,
                          o->found_capacity);
    if (o->found_place != CLUMP_PLACE_HOST && o->found_place != CLUMP_PLACE_DEVICE)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no place number %d", ctx->work.call,
                          (int)o->found_place);
    if (o->found_place == CLUMP_PLACE_DEVICE && points.place == CLUMP_PLACE_HOST)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND,
                          "%s: found is on the device, but the points are in host memory", ctx->work.call);
    return CLUMP_OK;
}

size_t clump_objects_spans(const clump_objects_job *job, clump_span *spans)
{
    spans[0] = clump_span_in("objects.rings", job->rings, job->in.count, sizeof *job->rings, sizeof *job->rings);
    spans[1] =
        clump_span_out("objects.found", job->found, (size_t)job->capacity, sizeof *job->found, _Alignof(clump_object));
    return CLUMP_OBJECTS_SPANS;
}

/* ----- the job ---------------------------------------------------------------------------------------------------- */

static clump_objects_rule rule_of(const clump_objects_options *o)
{
    clump_objects_rule rule = {.across = o->ground.up == CLUMP_UP_Y ? 2 : 1,
                               .up = o->ground.up == CLUMP_UP_Y ? 1 : 2,
                               .sign = o->ground.flip ? -1.0f : 1.0f,
                               .levels = o->levels,
                               .boxes = o->boxes,
                               .people = !o->no_people,
                               .groups = !o->no_groups,
                               .min_score = o->min_score};
    memcpy(rule.sensor, o->ground.sensor, sizeof rule.sensor);
    memcpy(rule.factors, o->factors, sizeof rule.factors);
    memcpy(rule.box, o->box, sizeof rule.box);
    return rule;
}

clump_status clump_objects_make_job(clump_context *ctx, clump_points points, const clump_objects_options *o,
                                    int32_t *labels, bool wait, clump_objects_job *job)
{
    *job = (clump_objects_job){.neighbours = o->neighbours,
                               .rings = o->rings,
                               .columns = o->columns,
                               .found = o->found,
                               .capacity = o->found_capacity,
                               .found_place = o->found_place};
    clump_papers none;
    CLUMP_TRY(clump_papers_take(&ctx->work, &o->common, "", &none));
    CLUMP_TRY(clump_clustering_check_scene(&ctx->work, &o->common));
    CLUMP_TRY(clump_call_input(&ctx->work, points, &o->common, labels, wait, &job->in));
    memcpy(job->in.sensor, o->ground.sensor, sizeof job->in.sensor);
    CLUMP_TRY(clump_ground_check(ctx, &o->ground));
    CLUMP_TRY(clump_call_radius(&ctx->work, "distance", o->d, &job->in));
    CLUMP_TRY(check_levels(ctx, o));
    CLUMP_TRY(check_boxes(ctx, o));
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_objects_table, o));
    CLUMP_TRY(check_rings(ctx, points, o));
    CLUMP_TRY(check_found(ctx, points, o));
    CLUMP_TRY(take_classes(ctx, o->common.classes, job));
    job->rule = rule_of(o);
    return CLUMP_OK;
}

clump_status clump_objects(clump_context *ctx, clump_points points, const clump_objects_options *given, int32_t *labels,
                           int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_objects"));
    const clump_objects_options o = given ? *given : clump_objects_defaults();
    if (o.cookie != CLUMP_OBJECTS_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "clump_objects: the options were not made by clump_objects_defaults()");
    if (!labels && points.count > 0) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_objects: labels is null");
    clump_detect_options whole = clump_detect_defaults();
    whole.method = CLUMP_DETECT_OBJECTS;
    CLUMP_TRY(clump_clustering_check_scene(&ctx->work, &o.common));
    whole.common = o.common;
    whole.common.eps_per_metre = 0;
    memcpy(whole.common.sensor, o.ground.sensor, sizeof whole.common.sensor);
    whole.ground = o.ground;
    whole.objects = o;
    return clump_detect_run(ctx, points, &whole, labels, NULL, 0, cluster_count);
}
