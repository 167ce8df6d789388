/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_case.h: what the tests of surveys share: clouds in files, and the hash of one call.
 */
#ifndef CLUMP_TESTS_BIG_CASE_H
#define CLUMP_TESTS_BIG_CASE_H

#include "support/calls.h"

#include "store/hooks.h"

#include <clump/big.h>

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

/* One call on the whole cloud. */
typedef struct big_whole {
    uint64_t hash;
    int64_t clusters;
    uint64_t noise;
    clump_cluster *described; /* with options.clusters: one per cluster, for free() */
    double origin[3];         /* of their coordinates */
    uint64_t moved;           /* coordinates that were rounded to others */
} big_whole;

/* Describes the clusters of one call. */
static inline void big_describe(clump_context *ctx, const clump_cloud *cloud, const int32_t *labels,
                                const clump_big_options *o, big_whole *whole)
{
    clump_describe_options d = clump_describe_defaults();
    memcpy(whole->origin, clump_cloud_origin(cloud), sizeof whole->origin);
    for (int a = 0; a < 3; a++) d.sensor[a] = (float)(o->sensor[a] - whole->origin[a]);
    d.axes = o->axes;
    whole->described = calloc((size_t)whole->clusters + 1, sizeof *whole->described);
    const clump_points points = clump_cloud_points(cloud);
    CHECK_INT(clump_describe(ctx, points, labels, (int32_t)whole->clusters, &d, whole->described), CLUMP_OK);
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
    float d = s->d, *steps_xyz = NULL;
    const double step = clump_cloud_step(cloud);
    if (o->frame == CLUMP_FILE_FRAME_STEPS || (o->frame == CLUMP_FILE_FRAME_AUTO && (step > 0 || o->step > 0))) {
        clump_steps steps;
        steps_xyz = malloc((3 * points.count + 1) * sizeof *steps_xyz);
        if (clump_cloud_steps(cloud, o->step, s->two_d, mask, steps_xyz, &steps, &big_why) != CLUMP_OK)
            CHECK_FAIL("%s", big_why.text);
        points.xyz = steps_xyz;
        whole.moved = steps.moved;
        d = clump_steps_distance(d, steps.step);
    }
    int32_t clusters = 0;
    clump_ec_options e = clump_ec_defaults();
    clump_dbscan_options b = clump_dbscan_defaults();
    e.common.order = b.common.order = s->order, e.common.two_d = b.common.two_d = s->two_d;
    e.common.min_size = b.common.min_size = s->min_size, e.common.max_size = b.common.max_size = s->max_size;
    e.common.mask = b.common.mask = mask, b.no_border_points = s->no_border_points;
    const clump_status status = s->min_points > 0 ? clump_dbscan(ctx, points, d, s->min_points, &b, labels, &clusters)
                                                  : clump_ec(ctx, points, d, &e, labels, &clusters);
    CHECK_MSG(status == CLUMP_OK, "%s", clump_context_error(ctx));
    whole.hash = clump_labels_hash(labels, points.count);
    whole.clusters = clusters;
    for (size_t i = 0; i < points.count; i++) whole.noise += labels[i] < 0;
    if (o->clusters) big_describe(ctx, cloud, labels, o, &whole);
    free(mask), free(labels), free(steps_xyz);
    clump_cloud_destroy(cloud);
    return whole;
}

#endif
