/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_clusters.c: the tables of clusters, the trails, and the pairs.
 */
#include "viewer/packet/packet_parts.h"

#include "common/assert.h"
#include "viewer/scene/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLUSTERS_LENGTH 0    /* stands for the unit of the packet */
#define CLUSTERS_ANGLE  0.01 /* of degrees */
#define CLUSTERS_TRAIL  0.01 /* of metres and seconds */
#define CLUSTERS_SCORE  1e-6 /* so that the page rounds to the digits that the program prints */

static double label_of(const clump_cluster *c)
{
    return c->label;
}
static double count_of(const clump_cluster *c)
{
    return c->count;
}
static double cx_of(const clump_cluster *c)
{
    return (double)c->centroid[0];
}
static double cy_of(const clump_cluster *c)
{
    return (double)c->centroid[1];
}
static double cz_of(const clump_cluster *c)
{
    return (double)c->centroid[2];
}
static double lx_of(const clump_cluster *c)
{
    return (double)c->lower[0];
}
static double ly_of(const clump_cluster *c)
{
    return (double)c->lower[1];
}
static double lz_of(const clump_cluster *c)
{
    return (double)c->lower[2];
}
static double ux_of(const clump_cluster *c)
{
    return (double)c->upper[0];
}
static double uy_of(const clump_cluster *c)
{
    return (double)c->upper[1];
}
static double uz_of(const clump_cluster *c)
{
    return (double)c->upper[2];
}
static double bx_of(const clump_cluster *c)
{
    return (double)c->box_center[0];
}
static double by_of(const clump_cluster *c)
{
    return (double)c->box_center[1];
}
static double length_of(const clump_cluster *c)
{
    return (double)c->box_size[0];
}
static double width_of(const clump_cluster *c)
{
    return (double)c->box_size[1];
}
static double yaw_of(const clump_cluster *c)
{
    return (double)c->yaw;
}
static double distance_of(const clump_cluster *c)
{
    return (double)c->distance;
}
static double height_of(const clump_cluster *c)
{
    return (double)c->height;
}

/* axis: the origin along this axis is subtracted; 3: the second axis seen from above; -1: a length. */
static const struct {
    const char *name;
    double (*get)(const clump_cluster *cluster);
    double scale;
    int axis;
} clusters_columns[] = {
    {"label", label_of, 1, -1},
    {"count", count_of, 1, -1},
    {"cx", cx_of, CLUSTERS_LENGTH, 0},
    {"cy", cy_of, CLUSTERS_LENGTH, 1},
    {"cz", cz_of, CLUSTERS_LENGTH, 2},
    {"lx", lx_of, CLUSTERS_LENGTH, 0},
    {"ly", ly_of, CLUSTERS_LENGTH, 1},
    {"lz", lz_of, CLUSTERS_LENGTH, 2},
    {"ux", ux_of, CLUSTERS_LENGTH, 0},
    {"uy", uy_of, CLUSTERS_LENGTH, 1},
    {"uz", uz_of, CLUSTERS_LENGTH, 2},
    {"bx", bx_of, CLUSTERS_LENGTH, 0},
    {"by", by_of, CLUSTERS_LENGTH, 3},
    {"length", length_of, CLUSTERS_LENGTH, -1},
    {"width", width_of, CLUSTERS_LENGTH, -1},
    {"yaw", yaw_of, CLUSTERS_ANGLE, -1},
    {"distance", distance_of, CLUSTERS_LENGTH, -1},
    {"height", height_of, CLUSTERS_LENGTH, -1},
};

static void put_tracks(packet *p, const clump_track *tracks, size_t count, double *numbers)
{
    static const char *const names[] = {"vx", "vy", "vz"};
    for (size_t i = 0; i < count; i++) numbers[i] = (double)tracks[i].id;
    packet_put_numbers(p, "track", numbers, count, 1, 0);
    for (int a = 0; a < 3; a++) {
        for (size_t i = 0; i < count; i++) numbers[i] = (double)tracks[i].velocity[a];
        packet_put_numbers(p, names[a], numbers, count, p->unit, 0);
    }
    if (!p->frame->pose) return;
    for (size_t i = 0; i < count; i++) numbers[i] = tracks[i].motion;
    packet_put_numbers(p, "moving", numbers, count, 1, 0);
}

static void put_objects(packet *p, const clump_object *objects, size_t count, double *numbers)
{
    for (size_t i = 0; i < count; i++) numbers[i] = objects[i].object;
    packet_put_numbers(p, "object", numbers, count, 1, 0);
    for (size_t i = 0; i < count; i++) numbers[i] = objects[i].fits;
    packet_put_numbers(p, "fits", numbers, count, 1, 0);
    for (size_t i = 0; i < count; i++) numbers[i] = (double)objects[i].score;
    packet_put_numbers(p, "score", numbers, count, CLUSTERS_SCORE, 0);
}

static void put_colours(packet *p, size_t which, size_t count, double *numbers)
{
    uint8_t *const colours = calloc(count + 1, 1);
    if (colours && view_choose_frame_colours(p->frame, which, colours)) {
        for (size_t i = 0; i < count; i++) numbers[i] = colours[i];
        packet_put_numbers(p, "colour", numbers, count, 1, 0);
    } else {
        p->body.failed = true;
    }
    free(colours);
}

static void put_table(packet *p, size_t which)
{
    CLUMP_ASSERT(which < p->frame->labeling_count);
    const view_labels *const labels = &p->frame->labelings[which];
    const size_t count = labels->count > 0 ? (size_t)labels->count : 0;
    double *const numbers = malloc((count + 1) * sizeof *numbers);
    if (!numbers) {
        p->body.failed = true;
        return;
    }
    const double *const origin = clump_cloud_origin(p->frame->clouds[0]);
    for (size_t k = 0; k < sizeof clusters_columns / sizeof *clusters_columns; k++) {
        int axis = clusters_columns[k].axis;
        if (axis == 3) axis = p->frame->up == CLUMP_UP_Y ? 2 : 1;
        const double scale = clusters_columns[k].scale;
        const double shift = axis < 0 ? 0 : origin[axis] - p->origin[axis];
        for (size_t i = 0; i < count; i++) numbers[i] = clusters_columns[k].get(&labels->clusters[i]) + shift;
        packet_put_numbers(p, clusters_columns[k].name, numbers, count, scale > 0 ? scale : p->unit, 0);
    }
    put_colours(p, which, count, numbers);
    if (labels->tracks) put_tracks(p, labels->tracks, count, numbers);
    if (labels->objects) put_objects(p, labels->objects, count, numbers);
    free(numbers);
}

void packet_put_clusters(packet *p)
{
    for (size_t k = 0; k < p->frame->labeling_count; k++) {
        const view_labels *const labels = &p->frame->labelings[k];
        view_put_format(&p->json, ",\"clusters%zu\":{\"rows\":%d,\"columns\":[", k, (int)labels->count);
        put_table(p, k);
        view_put_text(&p->json, "]}");
    }
}

void packet_put_trails(packet *p)
{
    static const char *const names[] = {"x", "y", "z"};
    const view_trail_place *const places = p->frame->trails;
    const size_t count = places ? p->frame->trail_count : 0;
    if (count == 0) return;
    double *const numbers = malloc(count * sizeof *numbers);
    if (!numbers) {
        p->body.failed = true;
        return;
    }
    view_put_format(&p->json, ",\"trails\":{\"rows\":%zu,\"columns\":[", count);
    for (int a = 0; a < 3; a++) {
        for (size_t i = 0; i < count; i++) numbers[i] = places[i].at[a] - p->origin[a];
        packet_put_numbers(p, names[a], numbers, count, CLUSTERS_TRAIL, 0);
    }
    for (size_t i = 0; i < count; i++) numbers[i] = (double)places[i].track;
    packet_put_numbers(p, "track", numbers, count, 1, 0);
    for (size_t i = 0; i < count; i++) numbers[i] = places[i].time;
    packet_put_numbers(p, "time", numbers, count, CLUSTERS_TRAIL, 0);
    for (size_t i = 0; i < count; i++) numbers[i] = places[i].joined;
    packet_put_numbers(p, "joined", numbers, count, 1, 0);
    view_put_text(&p->json, "]}");
    free(numbers);
}

/* Returns the rows of pair i of the second cloud; false: none, or one of its points was left out. */
static bool pair_of(const packet *p, size_t i, size_t *a)
{
    const int32_t nearest = p->frame->nearest[i * p->every];
    if (nearest < 0 || (size_t)nearest % p->every != 0) return false;
    *a = (size_t)nearest / p->every;
    return *a < p->rows[0];
}

void packet_put_pairs(packet *p)
{
    if (!p->frame->nearest || p->frame->cloud_count < 2) return;
    size_t a, count = 0;
    for (size_t i = 0; i < p->rows[1]; i++) count += pair_of(p, i, &a);
    view_put_format(&p->json, ",\"pairs\":{\"rows\":%zu,\"columns\":[", count);
    for (int column = 0; column < 2; column++) {
        int64_t *const values = packet_values(p, count);
        if (!values) return;
        size_t row = 0;
        for (size_t i = 0; i < p->rows[1]; i++)
            if (pair_of(p, i, &a)) values[row++] = (int64_t)(column ? p->rows[0] + i : a);
        packet_put_column(p, &(packet_column){.name = column ? "b" : "a", .scale = 1, .exact = true}, values, count);
    }
    view_put_text(&p->json, "]}");
}
