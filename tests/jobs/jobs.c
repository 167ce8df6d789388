/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs.c: see jobs.h. Rows of several calls are in jobs_objects.c and jobs_trees.c, the memory of all rows in jobs_memory.c.
 */
#include "jobs/jobs.h"

#include "support/options.h"
#include "support/papers.h"

#include <clump/batch.h>
#include <clump/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { USUAL, GROWS, CLASSES, SCAN, BOXES_AT_MOST = 1000, CLOUDS = 40 };

/* ----- classes ----------------------------------------------------------------------------------------------------- */

static const clump_class class_rows[] = {{.id = 0, .max_size = 50, .oversize = CLUMP_OVERSIZE_SPLIT},
                                         {.id = 1},
                                         {.id = 7, .max_size = 900, .oversize = CLUMP_OVERSIZE_KEEP},
                                         {.id = 9, .stuff = true}};

static uint16_t *make_classes(job_run *r, size_t count)
{
    uint16_t *const of = job_scratch(r, count * sizeof *of);
    for (size_t i = 0; i < count && i < INT32_MAX; i++) of[i] = class_rows[i % 16 == 0 ? 3 : i % 3].id;
    return of;
}

/* ----- clusterings ------------------------------------------------------------------------------------------------- */

bool job_is_plain(const job_run *r)
{
    return r->turn == JOB_PLAIN;
}

/* What ec, dbscan and their batches have in common. */
static void set_common(job_run *r, clump_clustering *o, size_t count)
{
    o->mask = job_mask(r);
    if (job_is_plain(r)) o->order = CLUMP_ORDER_SIZE;
    if (r->of->kind == GROWS && !(o->eps_per_metre > 0)) o->eps_per_metre = 0.05f;
    if (r->of->kind == CLASSES) o->classes = job_classes(r, count);
    job_change(r, "clustering", o);
}

static clump_ec_options ec_options(job_run *r, size_t count)
{
    clump_ec_options o = job_is_plain(r) ? clump_ec_defaults() : hostile_ec(r->c, r->turn);
    o.method = (clump_ec_method)r->method;
    if (!job_is_plain(r)) hostile_six(&o, (uint64_t)r->turn + r->c->seed);
    set_common(r, &o.common, count);
    job_change(r, "ec", &o);
    return o;
}

static clump_dbscan_options dbscan_options(job_run *r, size_t count, size_t *min_points)
{
    static const size_t least[] = {1, 2, 5, 10, 100, 20000};
    *min_points = least[r->c->seed % 6];
    clump_dbscan_options o = job_is_plain(r) ? clump_dbscan_defaults() : hostile_dbscan(r->c, r->turn, min_points);
    o.method = (clump_dbscan_method)r->method;
    if (!job_is_plain(r)) hostile_dclust(&o, (uint64_t)r->turn + r->c->seed);
    o.core = job_room(r, count);
    set_common(r, &o.common, count);
    job_change(r, "dbscan", &o);
    job_change(r, "min_points", min_points);
    return o;
}

static clump_status run_ec(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    clump_ec_options o = ec_options(r, p.count);
    int32_t *const labels = job_room(r, p.count * sizeof *labels), *const n = job_count_room(r, &o.common);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_ec(ctx, p, job_distance(r), &o, labels, n));
    return status;
}

static clump_status run_dbscan(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    size_t min_points;
    clump_dbscan_options o = dbscan_options(r, p.count, &min_points);
    int32_t *const labels = job_room(r, p.count * sizeof *labels), *const n = job_count_room(r, &o.common);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_dbscan(ctx, p, job_distance(r), min_points, &o, labels, n));
    return status;
}

/* ----- many clouds ------------------------------------------------------------------------------------------------- */

/* Half of the points in one cloud, the others in small ones; some clouds are empty. */
static const int64_t *cut_clouds(job_run *r, size_t count)
{
    int64_t *const offsets = job_scratch(r, (CLOUDS + 1) * sizeof *offsets);
    for (size_t k = 0; k <= CLOUDS; k++)
        offsets[k] = (int64_t)(k < 2 ? k * (count / 2) : count / 2 + (count - count / 2) * (k / 2 * 2) / CLOUDS);
    return offsets;
}

static const int64_t *send_clouds(job_run *r, size_t count)
{
    return job_send(r, cut_clouds(r, count), (CLOUDS + 1) * sizeof(int64_t));
}

static clump_status run_ec_batch(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    const int64_t *const offsets = send_clouds(r, p.count);
    const clump_ec_options o = ec_options(r, p.count);
    int32_t *const labels = job_room(r, p.count * sizeof *labels), *const n = job_room(r, CLOUDS * sizeof *n);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_ec_batch(ctx, p, offsets, CLOUDS, job_distance(r), NULL, &o, labels, n));
    return status;
}

static clump_status run_dbscan_batch(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    const int64_t *const offsets = send_clouds(r, p.count);
    size_t least;
    const clump_dbscan_options o = dbscan_options(r, p.count, &least);
    int32_t *const labels = job_room(r, p.count * sizeof *labels), *const n = job_room(r, CLOUDS * sizeof *n);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_dbscan_batch(ctx, p, offsets, CLOUDS, job_distance(r), NULL, least, &o, labels, n));
    return status;
}

/* ----- ground and obstacles ---------------------------------------------------------------------------------------- */

static clump_ground_options ground_options(job_run *r)
{
    clump_ground_options o = job_is_plain(r) ? clump_ground_defaults() : hostile_erccl(r->c).ground;
    o.mask = job_mask(r);
    return o;
}

static clump_status run_ground(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    clump_ground_options o = ground_options(r);
    o.method = (clump_ground_method)r->method;
    if (job_is_plain(r) || r->c->seed % 3) o.heights = job_room(r, p.count * sizeof *o.heights);
    job_change(r, "ground", &o);
    int32_t *const labels = job_room(r, p.count * sizeof *labels);
    size_t *const n = job_host_room(r, sizeof *n);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_ground(ctx, p, &o, labels, job_is_ahead(r) ? NULL : n));
    if (!job_is_ahead(r) || status != CLUMP_OK) return status;
    const int32_t *const found = job_look(ctx, r, labels, &status); /* nothing else has their number */
    *n = 0;
    for (size_t i = 0; i < p.count; i++) *n += found[i] == CLUMP_GROUND;
    return status;
}

static clump_status run_erccl(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    clump_erccl_options o = job_is_plain(r) ? clump_erccl_defaults() : hostile_erccl(r->c);
    o.method = (clump_erccl_method)r->method;
    o.common.mask = job_mask(r);
    if (job_is_plain(r)) o.cell = 0.2f, o.reach = 3, o.common.order = CLUMP_ORDER_SIZE;
    job_change(r, "clustering", &o.common);
    job_change(r, "ground", &o.ground);
    job_change(r, "papers", PAPERS(o));
    job_change(r, "erccl", &o);
    const size_t cells = clump_erccl_rows(&o) * clump_erccl_columns(&o);
    const uint64_t which = job_is_plain(r) ? 63 : r->c->seed * 2654435761u >> 7; /* of the maps, and heights */
    if (which & 1) o.maps.obstacle = job_room(r, cells);
    if (which & 2) o.maps.lowest = job_room(r, cells * sizeof(float));
    if (which & 4) o.maps.highest = job_room(r, cells * sizeof(float));
    if (which & 8) o.maps.ground = job_room(r, cells * sizeof(float));
    if (which & 16) o.maps.labels = job_room(r, cells * sizeof(int32_t));
    if (which & 32) o.ground.heights = job_room(r, p.count * sizeof(float));
    int32_t *const labels = job_room(r, p.count * sizeof *labels), *const n = job_count_room(r, &o.common);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_erccl(ctx, p, &o, labels, n));
    return status;
}

/* ----- objects and detection --------------------------------------------------------------------------------------- */

static clump_status run_objects(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    clump_objects_options o = job_is_plain(r) ? clump_objects_defaults() : hostile_objects(r->c, r->turn);
    if (job_is_plain(r)) o.neighbours = CLUMP_NEIGHBOURS_EXACT;
    if (r->of->kind == SCAN) o.neighbours = CLUMP_NEIGHBOURS_SCAN, o.columns = 1000;
    o.common.mask = job_mask(r);
    o.found_capacity = BOXES_AT_MOST;
    o.found = job_list_room(r, BOXES_AT_MOST * sizeof *o.found, &o.found_place);
    job_change(r, "clustering", &o.common);
    job_change(r, "ground", &o.ground);
    job_change(r, "objects", &o);
    int32_t *const labels = job_room(r, p.count * sizeof *labels), *const n = job_count_room(r, &o.common);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_objects(ctx, p, &o, labels, n));
    return status;
}

/* On a device the call leaves undefined what is behind the boxes, and nothing is defined behind the last offset and corner. */
static void forget_lists(clump_context *ctx, job_run *r, const clump_detect_options *o, const int32_t *n,
                         const clump_cluster *boxes, int32_t capacity, clump_status *status)
{
    const int32_t count = n ? *n : *(const int32_t *)job_look(ctx, r, o->common.clusters_on_device, status);
    if (*status != CLUMP_OK) return;
    const size_t described = (size_t)(count < capacity ? count : capacity);
    if (job_is_ahead(r)) job_forget(r, boxes, described * sizeof *boxes);
    if (!o->describe.hull_offsets) return;
    const int32_t *const offsets = job_look(ctx, r, o->describe.hull_offsets, status);
    job_forget(r, o->describe.hull_offsets, (described + 1) * sizeof *offsets);
    if (job_is_ahead(r) && *status == CLUMP_OK && o->describe.hull)
        job_forget(r, o->describe.hull, 2 * (size_t)offsets[described] * sizeof(float));
}

/* kind: 0 ... 3 the methods, then ec with thinning, a region, values and hulls, then ec with classes. */
static clump_status run_detect(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    clump_detect_options o = job_is_plain(r) ? clump_detect_defaults() : hostile_detect(r->c, r->turn);
    const int32_t all = (int32_t)p.count + 1, capacities[] = {all, 3, BOXES_AT_MOST, 0, 20};
    const int32_t capacity = job_is_plain(r) ? BOXES_AT_MOST : capacities[r->c->seed % 5];
    const size_t room = capacity > 0 ? (size_t)capacity : 1;
    if (job_is_plain(r)) o.method = (clump_detect_method)(r->of->kind % 4);
    o.common.mask = job_mask(r);
    if (r->of->kind == 4 && o.method != CLUMP_DETECT_OBJECTS) o.thin = 0.3f;
    if (r->of->kind == 4) {
        o.region.max_range = fmaxf(o.region.min_range, 15);
        float *const values = job_scratch(r, 2 * p.count * sizeof *values);
        for (size_t i = 0; i < 2 * p.count; i++) values[i] = (float)(i % 250);
        o.describe.values = job_send(r, values, 2 * p.count * sizeof *values);
        o.describe.values_stride = job_is_plain(r) || r->c->seed % 2 ? 0 : 8;
        o.describe.hull_capacity = p.count;
        o.describe.hull = job_list_room(r, 2 * p.count * sizeof *o.describe.hull, NULL);
        o.describe.hull_offsets = job_list_room(r, (room + 1) * sizeof *o.describe.hull_offsets, NULL);
    }
    if (r->of->kind == 5 && o.method < CLUMP_DETECT_ERCCL) o.common.classes = job_classes(r, p.count);
    job_change(r, "clustering", &o.common);
    job_change(r, "ground", &o.ground);
    job_change(r, "describe", &o.describe);
    job_change(r, "detect", &o);
    int32_t *labels = job_room(r, p.count * sizeof *labels), *const n = job_count_room(r, &o.common);
    if (!job_is_plain(r) && r->c->seed % 7 == 0) labels = NULL;
    clump_cluster *const boxes = job_list_room(r, room * sizeof *boxes, &o.describe.clusters_place);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_detect(ctx, p, &o, labels, boxes, capacity, n));
    if (status == CLUMP_OK) forget_lists(ctx, r, &o, n, boxes, capacity, &status);
    return status;
}

/* ----- after clustering -------------------------------------------------------------------------------------------- */

int32_t *job_labels(job_run *r, int32_t clusters)
{
    const clump_points p = job_host_points(r);
    int32_t *const labels = job_scratch(r, p.count * sizeof *labels);
    const size_t step = p.stride ? p.stride : 12;
    for (size_t i = 0; i < p.count; i++) {
        const float *const x = (const float *)(const void *)((const char *)p.xyz + i * step);
        const bool finite = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
        labels[i] = finite ? (int32_t)(i % (size_t)clusters) : CLUMP_NOISE;
    }
    return labels;
}

static clump_status run_describe(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    const int32_t n = r->of->kind;
    const int32_t *const labels = job_send(r, job_labels(r, n), p.count * sizeof *labels);
    uint64_t random = r->c->seed + (uint64_t)r->turn;
    clump_describe_options o = clump_describe_defaults();
    if (!job_is_plain(r)) options_draw("describe", NULL, &o, &random);
    if (n > 1) { /* all that can be described */
        float *const values = job_scratch(r, p.count * sizeof *values);
        for (size_t i = 0; i < p.count; i++) values[i] = i % 7 ? 0.25f * (float)(i % 250) : NAN;
        o.values = o.heights = job_send(r, values, p.count * sizeof *values);
        o.axes = o.axes || job_is_plain(r);
        o.hull_capacity = p.count;
        o.hull = job_list_room(r, 2 * p.count * sizeof *o.hull, NULL);
        o.hull_offsets = job_list_room(r, ((size_t)n + 1) * sizeof *o.hull_offsets, NULL);
    }
    job_change(r, "describe", &o);
    clump_cluster *const clusters = job_list_room(r, (size_t)n * sizeof *clusters, &o.clusters_place);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_describe(ctx, p, labels, n, &o, clusters));
    if (status != CLUMP_OK || n == 1) return status;
    const int32_t *const ends = job_look(ctx, r, o.hull_offsets, &status);
    if (job_is_ahead(r) && status == CLUMP_OK) job_forget(r, o.hull, 2 * (size_t)ends[n] * sizeof *o.hull);
    return status;
}

static clump_status run_describe_batch(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    const int64_t *const offsets = cut_clouds(r, p.count);
    int32_t *const labels = job_labels(r, 3);
    int64_t *const first = job_scratch(r, (CLOUDS + 1) * sizeof *first);
    first[0] = 0;
    for (size_t k = 0; k < CLOUDS; k++) { /* a cloud of one or two points has noise alone */
        const bool some = offsets[k + 1] - offsets[k] >= 3;
        first[k + 1] = first[k] + (some ? 3 : 0);
        for (int64_t i = offsets[k]; i < offsets[k + 1] && !some; i++) labels[i] = CLUMP_NOISE;
    }
    clump_describe_options o = clump_describe_defaults();
    o.axes = true;
    job_change(r, "describe", &o);
    clump_cluster *const boxes = job_list_room(r, (size_t)first[CLOUDS] * sizeof *boxes, &o.clusters_place);
    const int64_t *const there = job_send(r, offsets, (CLOUDS + 1) * sizeof *there);
    const int32_t *const sent = job_send(r, labels, p.count * sizeof *sent);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_describe_batch(ctx, p, there, CLOUDS, sent, first, &o, boxes));
    return status;
}

static clump_status run_group(clump_context *ctx, job_run *r)
{
    const size_t count = job_host_points(r).count;
    const int32_t n = r->of->kind;
    const clump_place place = r->place == GPU_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    const int32_t *const labels = job_send(r, job_labels(r, n), count * sizeof *labels);
    int32_t *const offsets = job_room(r, ((size_t)n + 1) * sizeof *offsets);
    int32_t *const members = job_room(r, count * sizeof *members);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_group(ctx, labels, count, place, n, offsets, members));
    if (status != CLUMP_OK) return status;
    const int32_t *const ends = job_look(ctx, r, offsets, &status);
    if (status == CLUMP_OK) job_forget(r, members, (size_t)ends[n] * sizeof *members);
    return status;
}

static clump_status run_classes(clump_context *ctx, job_run *r)
{
    const size_t count = job_host_points(r).count;
    const int32_t n = r->of->kind;
    const int32_t *const labels = job_labels(r, n);
    const uint16_t *const of = make_classes(r, count);
    uint16_t *const classes = job_host_room(r, (size_t)n * sizeof *classes);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_classes_of_clusters(ctx, labels, of, count, n, classes));
    return status;
}

/* ----- the table --------------------------------------------------------------------------------------------------- */

const job jobs[] = {
    {"clump_ec", "", &clump_ec_methods, run_ec, USUAL, 1, .polls = 74, .bytes = 72, .reserved = true, .wide = true},
    {"clump_ec", "sparse", NULL, run_ec, USUAL, 0.04f, .polls = 163, .wide = true},
    {"clump_ec", "dense", NULL, run_ec, USUAL, 6, .polls = 10},
    {"clump_ec", "growing", NULL, run_ec, GROWS, 0.2f, .polls = 45, .bytes = 260},
    {"clump_ec", "classes", NULL, run_ec, CLASSES, 1, .polls = 180},
    {"clump_dbscan", "", &clump_dbscan_methods, run_dbscan, USUAL, 1, .polls = 1720, .bytes = 80, .reserved = true,
     .wide = true},
    {"clump_dbscan", "sparse", NULL, run_dbscan, USUAL, 0.2f, .polls = 3867},
    {"clump_dbscan", "growing", NULL, run_dbscan, GROWS, 0.2f, .polls = 5035, .bytes = 260},
    {"clump_dbscan", "classes", NULL, run_dbscan, CLASSES, 1, .polls = 80},
    {"clump_ec_batch", "", NULL, run_ec_batch, USUAL, 1, .polls = 361, .later = true},
    {"clump_dbscan_batch", "", NULL, run_dbscan_batch, USUAL, 1, .polls = 2205, .later = true},
    {"clump_ground", "", &clump_ground_methods, run_ground, USUAL, 1, .polls = 3, .wide = true},
    {"clump_erccl", "", &clump_erccl_methods, run_erccl, USUAL, 1, .polls = 50, .wide = true},
    {"clump_objects", "exact", NULL, run_objects, USUAL, 1, .polls = 82},
    {"clump_objects", "scan", NULL, run_objects, SCAN, 1, .polls = 42},
    {"clump_detect", "ec", NULL, run_detect, 0, 1, .polls = 48, .reserved = true},
    {"clump_detect", "dbscan", NULL, run_detect, 1, 1, .polls = 762},
    {"clump_detect", "erccl", NULL, run_detect, 2, 1, .polls = 275},
    {"clump_detect", "objects", NULL, run_detect, 3, 1, .polls = 108},
    {"clump_detect", "ec, thinned", NULL, run_detect, 4, 1, .polls = 53},
    {"clump_detect", "dbscan, classes", NULL, run_detect, 5, 1, .polls = 108, .device = JOB_REFUSES},
    {"clump_describe", "", NULL, run_describe, 50, 1, .polls = 46},
    {"clump_describe", "one cluster", NULL, run_describe, 1, 1, .polls = 3},
    {"clump_describe_batch", "", NULL, run_describe_batch, USUAL, 1, .polls = 90},
    {"clump_group", "", NULL, run_group, 50, 1, .polls = 3},
    {"clump_classes_of_clusters", "", NULL, run_classes, 50, 1, .polls = 5, .device = JOB_HAS_NONE, .host = true},
    {"clump_tree", "and cut", NULL, job_tree, JOB_CUT, 1, .polls = 3339, .wide = true},
    {"clump_hdbscan", "", NULL, job_hdbscan, USUAL, 1, .polls = 4876, .bytes = 300, .device = JOB_REFUSES},
    {"clump_hdbscan_label", "", NULL, job_label, USUAL, 1, .polls = 1545, .device = JOB_HAS_NONE, .host = true},
    {"clump_hdbscan_centers", "", NULL, job_centers, USUAL, 1, .polls = 2264, .device = JOB_REFUSES, .host = true},
    {"clump_index", "", &clump_nn_methods, job_nn, 0, 1, .polls = 6918, .wide = true},
    {"clump_icp", "point", NULL, job_icp, CLUMP_ICP_POINT, 1, .polls = 291, .device = JOB_REFUSES},
    {"clump_icp", "plane", NULL, job_icp, CLUMP_ICP_PLANE, 1, .polls = 2223, .device = JOB_REFUSES},
    {"clump_icp", "gicp", NULL, job_icp, CLUMP_ICP_GICP, 1, .polls = 4827, .device = JOB_REFUSES},
    {"clump_deskew", "", NULL, job_deskew, 0, 1, .polls = 2, .device = JOB_REFUSES, .host = true},
    {"clump_odometry", "", NULL, job_odometry, 0, 1, .polls = 1083, .device = JOB_HAS_NONE, .mixed = true},
    {"clump_map", "", NULL, job_map, 0, 1, .polls = 56, .device = JOB_REFUSES, .host = true},
    {"clump_map", "part", NULL, job_map, 1, 1, .polls = 40, .device = JOB_REFUSES, .host = true},
    {"clump_tracker", "", NULL, job_tracker, 0, 1, .polls = 39, .device = JOB_HAS_NONE, .host = true},
    {"clump_tracker", "poses", NULL, job_tracker, 1, 1, .polls = 87, .device = JOB_HAS_NONE, .host = true},
    {"clump_", "memory", NULL, job_memory, 0, 1, .polls = 307, .device = JOB_HAS_NONE, .host = true},
    {"clump_joint", "ec", NULL, job_joint, 0, 1, .polls = 153, .keeps = true},
    {"clump_joint", "dbscan", NULL, job_joint, 5, 1, .polls = 6091, .keeps = true},
    {"clump_piece", "", NULL, job_piece, 5, 1, .polls = 3040, .keeps = true},
};
const int job_count = sizeof jobs / sizeof *jobs;

/* ----- for programs ------------------------------------------------------------------------------------------------ */

int job_next(const job *j, int method)
{
    if (!j->methods) return method < 0 ? 0 : -1;
    while (++method < j->methods->count)
        if (clump_method_at(j->methods, method) && clump_method_at(j->methods, method)->on_cpu) return method;
    return -1;
}

int job_next_cuda(const job *j, int method)
{
    if (!j->methods) return method < 0 ? 0 : -1;
    while (++method < j->methods->count)
        if (clump_method_at(j->methods, method) && clump_method_at(j->methods, method)->on_cuda) return method;
    return -1;
}

bool job_is_slow(const job *j, int method)
{
    return j->methods && clump_method_at(j->methods, method)->cost == CLUMP_COST_SQUARE;
}

clump_status job_do(const job *j, clump_context *ctx, job_run *r)
{
    r->of = j;
    r->rooms = 0;
    r->cloud = NULL, r->mask = NULL;
    r->hash = 0, r->spoiled = NULL;
    clump_status status = j->run(ctx, r);
    job_settle(ctx, r, &status);
    return status;
}

const char *job_text(const job *j, const job_run *r, char text[400])
{
    char about[300];
    hostile_case_text(about, sizeof about, r->c);
    const char *const method = j->methods ? clump_method_at(j->methods, r->method)->name : "";
    snprintf(text, 400, "%s %s%s, turn %d, %s, %s%s", j->call, j->what, method, r->turn, about,
             gpu_place_name(r->place), job_is_ahead(r) ? ", ahead" : "");
    return text;
}

hostile_case job_street(size_t count)
{
    hostile_case c = {.seed = 8, .d = 0.5f, .packed = malloc((3 * count + 1) * sizeof *c.packed)};
    c.memory = malloc((3 * count + 1) * sizeof *c.packed);
    if (!c.packed || !c.memory) abort();
    uint64_t random = 7;
    for (size_t i = 0; i < count; i++) {
        float *const p = c.packed + 3 * i;
        const float u = check_random_float(&random), v = check_random_float(&random), w = check_random_float(&random);
        if (i % 4 == 0) p[0] = 30 * u - 15, p[1] = 30 * v - 15, p[2] = -1.7f + 0.05f * w;
        if (i % 4 == 1) p[0] = 8, p[1] = 20 * u - 10, p[2] = 3 * v - 1.7f;
        if (i % 4 == 2) p[0] = 2 + u, p[1] = -4 + v, p[2] = 2 * w - 1.5f;
        if (i % 4 == 3) p[0] = -5 + 0.001f * u, p[1] = 5 + 0.001f * v, p[2] = 0.001f * w;
        if (i % 97 == 3) p[i % 3] = NAN;
    }
    memcpy(c.memory, c.packed, 3 * count * sizeof *c.packed);
    c.points = (clump_points){.xyz = c.memory, .count = count};
    return c;
}

/* ----- for rows ---------------------------------------------------------------------------------------------------- */

clump_points job_host_points(const job_run *r)
{
    enum { GRAPHS = 1025, QUEUES = 2500 };
    clump_points p = r->c->points;
    const clump_method_table *const t = r->of->methods;
    const bool ec = t == &clump_ec_methods, queued = ec || t == &clump_dbscan_methods;
    const size_t most = job_is_slow(r->of, r->method) ? GRAPHS : queued && r->method != 0 ? QUEUES : SIZE_MAX;
    if (p.count > most && p.count <= INT32_MAX) p.count = most;
    return p;
}

float job_distance(const job_run *r)
{
    return r->c->d * (job_is_plain(r) ? r->of->factor : 1);
}

const clump_classes *job_classes(job_run *r, size_t count)
{
    r->classes = (clump_classes){job_send(r, make_classes(r, count), count * sizeof(uint16_t)), class_rows, 4};
    return &r->classes;
}

void job_change(job_run *r, const char *table, void *options)
{
    if (r->change) r->change(table, options, r->user);
}

bool job_again(job_run *r, clump_context *ctx, clump_status status)
{
    if (!r->failed || (status != CLUMP_ERR_OUT_OF_MEMORY && status != CLUMP_ERR_CANCELLED &&
                       status != CLUMP_ERR_DEVICE && status != CLUMP_ERR_NO_DEVICE))
        return false;
    r->failed(ctx, status, r->user);
    return true;
}

bool job_round(job_run *r, int round)
{
    if (r->round) r->round(round, r->user);
    return round < (r->rounds > 0 ? r->rounds : 1);
}
