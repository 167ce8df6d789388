/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_street.h: a small street for tests of pictures: scan lines on the ground, houses, cars, a post and noise, with labels
 * and boxes. Nothing is measured: the boxes are known because the points are made inside them.
 */
#ifndef CLUMP_TESTS_VIEW_STREET_H
#define CLUMP_TESTS_VIEW_STREET_H

#include "support/check.h"
#include "viewer/scene/scene.h"

#include <math.h>

enum { STREET_ROOM = 20000, STREET_CLUSTERS = 6 };

typedef struct street {
    clump_cloud *cloud;
    int32_t labels[STREET_ROOM];
    clump_cluster clusters[STREET_CLUSTERS];
    float xyz[3 * STREET_ROOM];
    size_t count;
} street;

static inline void street_add(street *s, double x, double y, double z, int32_t label)
{
    if (s->count == STREET_ROOM) return;
    s->xyz[3 * s->count] = (float)x, s->xyz[3 * s->count + 1] = (float)y, s->xyz[3 * s->count + 2] = (float)z;
    s->labels[s->count++] = label;
}

/* The two long sides and the roof of a box, as points. */
static inline void street_add_box(street *s, int32_t label, double x, double y, double low, double yaw,
                                  const double size[3], double step)
{
    const double c = cos(yaw * 3.14159265358979 / 180), sine = sin(yaw * 3.14159265358979 / 180);
    for (double u = -size[0] / 2; u <= size[0] / 2; u += step) {
        for (double w = 0; w <= size[2]; w += step)
            for (double v = -size[1] / 2; v <= size[1] / 2; v += size[1])
                street_add(s, x + u * c - v * sine, y + u * sine + v * c, low + w, label);
        for (double v = -size[1] / 2; v <= size[1] / 2; v += step)
            street_add(s, x + u * c - v * sine, y + u * sine + v * c, low + size[2], label);
    }
    const double reach = fabs(size[0] * c) / 2 + fabs(size[1] * sine) / 2;
    const double across = fabs(size[0] * sine) / 2 + fabs(size[1] * c) / 2;
    s->clusters[label] = (clump_cluster){.label = label,
                                         .count = 1,
                                         .centroid = {(float)x, (float)y, (float)(low + size[2] / 2)},
                                         .lower = {(float)(x - reach), (float)(y - across), (float)low},
                                         .upper = {(float)(x + reach), (float)(y + across), (float)(low + size[2])},
                                         .box_center = {(float)x, (float)y},
                                         .box_size = {(float)size[0], (float)size[1]},
                                         .yaw = (float)yaw};
}

/* Makes the street. up: z or y; with y the street is turned so that y is up, and z to the right. */
static inline void street_make(street *s, view_frame *frame, clump_up up)
{
    memset(s, 0, sizeof *s);
    for (double r = 3; r < 30; r *= 1.12)
        for (double a = 0; a < 360; a += 1.5)
            street_add(s, r * cos(a * 0.0174532925), r * sin(a * 0.0174532925), -1.7, CLUMP_GROUND);
    street_add_box(s, 0, 2, 12, -1.7, 0, (const double[3]){24, 6, 4}, 0.4);
    street_add_box(s, 1, 6, -11, -1.7, 0, (const double[3]){18, 5, 5}, 0.4);
    street_add_box(s, 2, 8, 4, -1.5, 10, (const double[3]){4.2, 1.8, 1.3}, 0.15);
    street_add_box(s, 3, 11, -3.5, -1.5, 170, (const double[3]){4.5, 1.9, 1.5}, 0.15);
    street_add_box(s, 4, -7, 3.2, -1.5, 85, (const double[3]){4, 1.7, 1.4}, 0.15);
    street_add_box(s, 5, 4, -5, -1.7, 0, (const double[3]){0.2, 0.2, 4}, 0.1);
    uint64_t random = 19;
    for (int i = 0; i < 150; i++) {
        const double x = 50 * check_random_float(&random) - 25, y = 30 * check_random_float(&random) - 15;
        street_add(s, x, y, 4 * check_random_float(&random) - 1.5, CLUMP_NOISE);
    }
    if (up == CLUMP_UP_Y) {
        for (size_t i = 0; i < s->count; i++) {
            const float y = s->xyz[3 * i + 1];
            s->xyz[3 * i + 1] = s->xyz[3 * i + 2], s->xyz[3 * i + 2] = -y;
        }
        for (int c = 0; c < STREET_CLUSTERS; c++) {
            clump_cluster *const k = &s->clusters[c];
            const float low = k->lower[1], high = k->upper[1];
            k->lower[1] = k->lower[2], k->upper[1] = k->upper[2], k->lower[2] = -high, k->upper[2] = -low;
            k->box_center[1] = -k->box_center[1], k->yaw = fmodf(180 - k->yaw, 180);
        }
    }
    CHECK_INT(clump_cloud_create(s->count, &s->cloud, NULL), CLUMP_OK);
    memcpy(clump_cloud_xyz(s->cloud), s->xyz, 3 * s->count * sizeof *s->xyz);
    *frame = (view_frame){.name = "street", .cloud_count = 1, .up = up};
    frame->clouds[0] = s->cloud, frame->cloud_names[0] = "street";
    frame->labeling_count = 1;
    frame->labelings[0] =
        (view_labels){.name = "made", .labels = s->labels, .clusters = s->clusters, .count = STREET_CLUSTERS};
}

static inline void street_release(street *s)
{
    clump_cloud_destroy(s->cloud);
}

/* A cloud of these points, for clump_cloud_destroy(). */
static inline clump_cloud *cloud_of(const float *xyz, size_t count)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(count, &cloud, NULL), CLUMP_OK);
    if (count) memcpy(clump_cloud_xyz(cloud), xyz, 3 * count * sizeof *xyz);
    return cloud;
}

#endif
