/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_case.h: what the tests of surveys share: clouds in files, and the hash of one call.
 */
#ifndef CLUMP_TESTS_BIG_CASE_H
#define CLUMP_TESTS_BIG_CASE_H

#include "big/big_ground.h"
#include "support/calls.h"

#include "store/hooks.h"

#include <clump/big.h>
#include <clump/info.h>

#include <math.h>
#include <unistd.h>

static clump_message big_why;

static char big_folder[64];

/* Removes the folder of the test, which its tests have emptied. */
static inline void big_leave(void)
{
    (void)rmdir(big_folder);
}

/* Returns a path in a folder of the test's own; four can be in use at the same time. */
static inline const char *big_path(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    if (!big_folder[0]) {
        const bool memory = access("/dev/shm", W_OK) == 0; /* thousands of small files are slow on a disk */
        snprintf(big_folder, sizeof big_folder, "%s/clump_big_XXXXXX", memory ? "/dev/shm" : "/tmp");
        if (!mkdtemp(big_folder) || atexit(big_leave) != 0) abort();
    }
    char *const path = paths[next++ % 4];
    snprintf(path, 256, "%s/%s", big_folder, name);
    return path;
}

static inline void big_write(const char *path, const void *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size);
    if (file) fclose(file);
}

/* A cloud of clusters: points around centres in a box with sides of `side`, on a grid of thousandths. Distances of about
 * 0.5 give clusters of all sizes. */
static inline void big_fill(double *xyz, size_t count, double side, uint64_t seed)
{
    uint64_t random = seed;
    double centre[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        if (check_random(&random) % 24 == 0)
            for (int a = 0; a < 3; a++) centre[a] = (double)(check_random(&random) % 100000) / 1e5 * side;
        for (size_t a = 0; a < 3; a++) {
            const double spread = (double)(check_random(&random) % 2001) / 1000 - 1;
            xyz[3 * i + a] = rint((centre[a] * (a == 2 ? 0.1 : 1) + spread) * 1000) / 1000;
        }
    }
}

/* Writes a LAS file with steps of `scale`, which may be negative; offset may be null. Written from the specification alone. */
static inline void big_save_las(const char *path, const double *xyz, size_t count, const double scale[3],
                                const double *offset)
{
    enum { HEAD = 227, RECORD = 20 };
    unsigned char head[HEAD] = {'L', 'A', 'S', 'F'}, record[RECORD] = {0};
    static const double none[3];
    const uint32_t points = HEAD, number = (uint32_t)count;
    const uint16_t size = HEAD, bytes = RECORD;
    FILE *const file = fopen(path, "wb");
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (!offset) offset = none;
    head[24] = 1, head[25] = 2;
    memcpy(head + 94, &size, 2), memcpy(head + 96, &points, 4), memcpy(head + 105, &bytes, 2);
    memcpy(head + 107, &number, 4), memcpy(head + 131, scale, 24), memcpy(head + 155, offset, 24);
    fwrite(head, 1, HEAD, file);
    for (size_t i = 0; i < count; i++) {
        for (size_t a = 0; a < 3; a++) {
            const int32_t step = (int32_t)rint(xyz[3 * i + a] / scale[a]);
            memcpy(record + 4 * a, &step, 4);
            lower[a] = fmin(lower[a], step * scale[a] + offset[a]);
            upper[a] = fmax(upper[a], step * scale[a] + offset[a]);
        }
        record[15] = (unsigned char)(i % 7);
        fwrite(record, 1, RECORD, file);
    }
    for (size_t a = 0; a < 3; a++) {
        if (count == 0) lower[a] = upper[a] = 0;
        memcpy(head + 179 + 16 * a, &upper[a], 8), memcpy(head + 187 + 16 * a, &lower[a], 8);
    }
    rewind(file);
    fwrite(head, 1, HEAD, file);
    fclose(file);
}

/* Writes points to a file whose name tells the format. */
static inline void big_save(const char *path, const double *xyz, size_t count, const double origin[3])
{
    clump_cloud *cloud = NULL;
    clump_save_options o = clump_save_defaults();
    if (strstr(path, ".las")) {
        big_save_las(path, xyz, count, (const double[3]){0.001, 0.001, 0.001}, origin);
        return;
    }
    CHECK_INT(clump_cloud_create(count, &cloud, &big_why), CLUMP_OK);
    float *const to = clump_cloud_xyz(cloud);
    for (size_t i = 0; i < 3 * count; i++) to[i] = (float)xyz[i];
    uint8_t *const classes = malloc(count + 1);
    for (size_t i = 0; i < count; i++) classes[i] = (uint8_t)(i % 7);
    clump_cloud_set_field(cloud, &(clump_field){"classification", CLUMP_TYPE_U8, 1, classes}, NULL);
    if (origin) clump_cloud_set_origin(cloud, origin);
    if (clump_cloud_save(path, cloud, NULL, &o, &big_why) != CLUMP_OK) CHECK_FAIL("%s", big_why.text);
    clump_cloud_destroy(cloud);
    free(classes);
}

/* A table of classes. Points have those below CLASSES. */
enum { CLASSES = 7, CLASSES_MOST = 2 * CLASSES };
typedef struct big_table {
    clump_class rows[CLASSES_MOST];
    clump_classes classes;
} big_table;

/* Names of fields: the second is the one that clouds of the tests have. */
static const char *const big_class_fields[] = {"semantic", "classification", NULL};

/* Fills in rows for some classes below CLASSES, with distances of about d, and for some that no point has. Two classes may
 * be one group. */
static inline void big_random_table(big_table *t, float d, uint64_t *random)
{
    size_t count = 0;
    memset(t, 0, sizeof *t);
    for (uint16_t id = 0; id < CLASSES_MOST; id++) {
        clump_class *const row = &t->rows[count];
        if (count > 0 && check_random(random) % (id < CLASSES ? 5 : 2) == 0) continue;
        if (count > 0 && check_random(random) % 5 == 0) {
            if (!row[-1].group) row[-1].group = (uint16_t)(60000 + count);
            *row = row[-1];
        } else {
            *row = (clump_class){.two_d = check_random(random) % 3 == 0, .stuff = check_random(random) % 8 == 0};
            if (check_random(random) % 4) row->radius = d * (0.25f + 2 * check_random_float(random));
            if (!isnormal(row->radius * row->radius)) row->radius = 0;
            if (check_random(random) % 3 == 0) row->min_size = 1 + check_random(random) % 5;
            if (check_random(random) % 3 == 0) row->max_size = row->min_size + 400 + check_random(random) % 60;
            if (check_random(random) % 2 && row->max_size) row->max_size -= 400 - 1;
            if (check_random(random) % 2) row->oversize = CLUMP_OVERSIZE_KEEP;
        }
        row->id = id;
        count++;
    }
    t->classes = (clump_classes){.rows = t->rows, .count = count};
}

/* Makes sure that the limits of a call leave room for those of the rows. */
static inline void big_fit_table(big_table *t, const clump_joint_settings *s)
{
    for (size_t k = 0; k < t->classes.count; k++) {
        clump_class *const row = &t->rows[k];
        const size_t least = row->min_size ? row->min_size : s->min_size;
        if (row->max_size && row->max_size < least) row->max_size = least;
        if (!row->max_size && s->max_size && s->max_size < least) row->max_size = least;
    }
}

/* One call on the whole cloud. */
typedef struct big_whole {
    uint64_t oversize[3]; /* dropped, points, kept */
    uint16_t *class_of;   /* of each cluster; with options.clusters and classes, for free() */
    uint64_t hash;
    int64_t clusters;
    uint64_t noise, ground;
    clump_cluster *described; /* with options.clusters: one per cluster, for free() */
    float *hulls;             /* with options.hull: corners of all clusters, for free() */
    size_t corners;
    double origin[3]; /* of their coordinates */
    uint64_t moved;   /* coordinates that were rounded to others */
    uint64_t thinned; /* with options.thin */
} big_whole;

/* Describes the clusters of one call. */
static inline void big_describe(clump_context *ctx, const clump_cloud *cloud, const int32_t *labels, const uint16_t *of,
                                const clump_big_options *o, big_whole *whole)
{
    clump_describe_options d = clump_describe_defaults();
    memcpy(whole->origin, clump_cloud_origin(cloud), sizeof whole->origin);
    for (int a = 0; a < 3; a++) d.sensor[a] = (float)(o->sensor[a] - whole->origin[a]);
    d.axes = o->axes;
    whole->described = calloc((size_t)whole->clusters + 1, sizeof *whole->described);
    const clump_points points = clump_cloud_points(cloud);
    int32_t *const offsets = calloc((size_t)whole->clusters + 1, sizeof *offsets);
    if (o->hull) d.hull = whole->hulls = calloc(2 * points.count + 1, sizeof *whole->hulls);
    d.hull_capacity = o->hull ? points.count : 0, d.hull_offsets = offsets;
    CHECK_INT(clump_describe(ctx, points, labels, (int32_t)whole->clusters, &d, whole->described), CLUMP_OK);
    whole->corners = (size_t)offsets[whole->clusters];
    free(offsets);
    if (!o->classes) return;
    whole->class_of = calloc((size_t)whole->clusters + 1, sizeof *whole->class_of);
    CHECK_INT(clump_classes_of_clusters(ctx, labels, of, points.count, (int32_t)whole->clusters, whole->class_of),
              CLUMP_OK);
}

/* Reads the class of each point: the first of options.class_fields that the cloud has. For free(). */
static inline uint16_t *big_read_classes(const clump_cloud *cloud, const clump_big_options *o)
{
    const size_t count = clump_cloud_points(cloud).count;
    uint16_t *const of = calloc(count + 1, sizeof *of);
    clump_field field = {0};
    size_t k = 0;
    while (o->class_fields[k] && !clump_cloud_find(cloud, o->class_fields[k], &field)) k++;
    CHECK(count == 0 || field.data);
    for (size_t i = 0; i < count && field.data; i++) of[i] = (uint16_t)clump_field_value(&field, i, 0);
    return of;
}

/* Clusters by one call. */
static inline clump_status big_cluster(clump_context *ctx, clump_points points, float d, const clump_joint_settings *s,
                                       const uint8_t *mask, const clump_classes *classes, int32_t *labels,
                                       big_whole *whole)
{
    int32_t clusters = 0;
    clump_stats stats;
    clump_ec_options e = clump_ec_defaults();
    clump_dbscan_options b = clump_dbscan_defaults();
    e.common.order = b.common.order = s->order, e.common.two_d = b.common.two_d = s->two_d;
    e.common.min_size = b.common.min_size = s->min_size, e.common.max_size = b.common.max_size = s->max_size;
    e.common.mask = b.common.mask = mask, b.no_border_points = s->no_border_points;
    e.common.classes = b.common.classes = classes;
    const clump_status status = s->min_points > 0 ? clump_dbscan(ctx, points, d, s->min_points, &b, labels, &clusters)
                                                  : clump_ec(ctx, points, d, &e, labels, &clusters);
    CHECK_MSG(status == CLUMP_OK, "%s", clump_context_error(ctx));
    stats = clump_context_stats(ctx);
    whole->hash = clump_labels_hash(labels, points.count);
    whole->clusters = clusters;
    for (size_t i = 0; i < points.count; i++) whole->noise += labels[i] < 0;
    if (classes)
        memcpy(whole->oversize, (uint64_t[3]){stats.oversize_dropped, stats.oversize_points, stats.oversize_kept},
               sizeof whole->oversize);
    return status;
}

/* Clusters by one call that thins the cloud. */
static inline clump_status big_thin(clump_context *ctx, clump_points points, float thin, const clump_joint_settings *s,
                                    const uint8_t *mask, int32_t *labels, big_whole *whole)
{
    int32_t clusters = 0;
    clump_detect_options o = clump_detect_defaults();
    o.method = s->min_points > 0 ? CLUMP_DETECT_DBSCAN : CLUMP_DETECT_EC;
    o.ground.method = CLUMP_GROUND_NONE;
    o.thin = thin, o.d = s->d;
    if (s->min_points > 0) o.min_points = s->min_points;
    o.common.order = s->order, o.common.two_d = s->two_d, o.common.mask = mask;
    o.common.min_size = s->min_size, o.common.max_size = s->max_size;
    o.dbscan.no_border_points = s->no_border_points;
    const clump_status status = clump_detect(ctx, points, &o, labels, NULL, 0, &clusters);
    CHECK_MSG(status == CLUMP_OK, "%s", clump_context_error(ctx));
    whole->hash = clump_labels_hash(labels, points.count);
    whole->clusters = clusters;
    whole->thinned = clump_context_stats(ctx).thinned;
    for (size_t i = 0; i < points.count; i++) whole->noise += labels[i] < 0;
    return status;
}

/* Whether a run has the result of one call. */
static inline bool big_equal(const big_whole *whole, const clump_big_result *r)
{
    return r->labels_hash == whole->hash && r->clusters == whole->clusters && r->noise == whole->noise &&
           r->thinned == whole->thinned && r->ground == whole->ground && r->oversize_dropped == whole->oversize[0] &&
           r->oversize_points == whole->oversize[1] && r->oversize_kept == whole->oversize[2];
}

/* Finds the ground among the points of a cloud that are not masked, by the words of its definition. step: of the frame steps, or
 * 0. */
static inline void big_find_ground(const clump_cloud *cloud, const clump_big_options *o, double step,
                                   const uint8_t *mask, bool *ground)
{
    const clump_points points = clump_cloud_points(cloud);
    const double *const from = clump_cloud_origin(cloud);
    ground_point *const all = calloc(points.count + 1, sizeof *all);
    float *const xyz = malloc((3 * points.count + 1) * sizeof *xyz);
    uint8_t *const takes = malloc(points.count + 1);
    clump_steps in = {0};
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = points.xyz + 3 * i;
        takes[i] = mask[i] && isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
    }
    if (step > 0 && clump_cloud_steps(cloud, o->step, false, takes, xyz, &in, &big_why) != CLUMP_OK)
        CHECK_FAIL("%s", big_why.text);
    const double tile = (double)o->ground->tile, part = step > 0 ? rint(tile / 2 / step) : 0;
    for (size_t i = 0; i < points.count; i++) {
        double at[3];
        if (!takes[i]) continue;
        for (size_t a = 0; a < 3; a++)
            at[a] =
                step > 0 ? (double)xyz[3 * i + a] + rint(in.origin[a] / step) : (double)points.xyz[3 * i + a] + from[a];
        all[i].u = ground_along(at[0], tile, step > 0 && part < 1 ? 1 : (int64_t)part);
        all[i].v = ground_along(at[1], tile, step > 0 && part < 1 ? 1 : (int64_t)part);
        const double z = step > 0 ? at[2] * step : at[2];
        all[i].takes = fabs(z) < 262144;
        if (all[i].takes) all[i].height = (int32_t)floor(z * 1024);
    }
    ground_by_words(all, points.count, o->ground, ground);
    free(all), free(xyz), free(takes);
}

static inline big_whole big_one_call(clump_context *ctx, const char *path, const clump_joint_settings *s,
                                     const clump_big_options *o)
{
    big_whole whole = {0};
    clump_cloud *cloud = NULL;
    clump_load_options load = clump_load_defaults();
    load.format = o->format;
    if (clump_cloud_load(path, &load, &cloud, &big_why) != CLUMP_OK) {
        CHECK_FAIL("%s", big_why.text);
        return whole;
    }
    clump_points points = clump_cloud_points(cloud);
    uint8_t *const mask = malloc(points.count + 1);
    int32_t *const labels = malloc((points.count + 1) * sizeof *labels);
    memset(mask, 1, points.count + 1);
    clump_field classes = {0};
    const bool has_class = clump_cloud_find(cloud, "classification", &classes);
    for (size_t i = 0; i < points.count; i++) {
        if (o->drop_classes && has_class && o->drop_classes[(uint8_t)clump_field_value(&classes, i, 0)]) mask[i] = 0;
        for (size_t a = 0; a < 3 && o->crop; a++) {
            const double origin = clump_cloud_origin(cloud)[a];
            const float x = points.xyz[3 * i + a];
            if (isfinite(x) && (x < (float)(o->crop[a] - origin) || x > (float)(o->crop[a + 3] - origin))) mask[i] = 0;
        }
    }
    clump_steps in_steps = {0};
    float d = s->d, *steps_xyz = NULL;
    const double step = clump_cloud_step(cloud);
    if (o->frame == CLUMP_FILE_FRAME_STEPS ||
        (o->frame == CLUMP_FILE_FRAME_AUTO && !(o->thin > 0) && (step > 0 || o->step > 0))) {
        steps_xyz = malloc((3 * points.count + 1) * sizeof *steps_xyz);
        if (clump_cloud_steps(cloud, o->step, s->two_d, mask, steps_xyz, &in_steps, &big_why) != CLUMP_OK)
            CHECK_FAIL("%s", big_why.text);
        points.xyz = steps_xyz;
        whole.moved = in_steps.moved;
        d = clump_steps_distance(d, in_steps.step);
    }
    clump_classes by = {0};
    clump_class rows[CLASSES_MOST];
    uint16_t *const of = o->classes ? big_read_classes(cloud, o) : NULL;
    if (o->classes) {
        memcpy(rows, o->classes->rows, o->classes->count * sizeof *rows);
        for (size_t k = 0; k < o->classes->count && steps_xyz; k++)
            if (rows[k].radius > 0) rows[k].radius = clump_steps_distance(rows[k].radius, in_steps.step);
        by = (clump_classes){.of = of, .rows = rows, .count = o->classes->count};
    }
    bool *const ground = calloc(points.count + 1, sizeof *ground);
    if (o->ground) big_find_ground(cloud, o, steps_xyz ? in_steps.step : 0, mask, ground);
    for (size_t i = 0; i < points.count; i++) mask[i] = mask[i] && !ground[i];
    if (o->thin > 0)
        (void)big_thin(ctx, points, o->thin, s, mask, labels, &whole);
    else
        (void)big_cluster(ctx, points, d, s, mask, o->classes ? &by : NULL, labels, &whole);
    for (size_t i = 0; i < points.count; i++)
        if (ground[i]) labels[i] = CLUMP_GROUND, whole.ground++, whole.noise--;
    whole.hash = clump_labels_hash(labels, points.count);
    free(ground);
    if (o->clusters) big_describe(ctx, cloud, labels, of, o, &whole);
    free(of);
    free(mask), free(labels), free(steps_xyz);
    clump_cloud_destroy(cloud);
    return whole;
}

#endif
