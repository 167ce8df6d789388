/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nclt.c: packets of velodyne_hits.bin of the NCLT data set, a Velodyne HDL-32E. The packets hold points, not measured
 * angles: nclt_hits.h.
 *
 * A part is what the 32 lasers measure in one firing: the laser numbers of its points ascend. The direction of a part is
 * that of its first point. A frame ends where the direction passes the back of the sensor, -x.
 */
#include "sensors/nclt_hits.h"
#include "sensors/sensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NCLT_PI 3.14159265358979323846

typedef struct nclt_state {
    const unsigned char *hits; /* of the packet */
    size_t count;
    int64_t time;   /* of the packet */
    size_t *begins; /* first point of each part; one more at the end */
    size_t capacity;
    double direction; /* of the part before, radians; NaN: none */
    double turned;    /* since the last cut, radians */
} nclt_state;

static const clump_io_shape nclt_fields[] = {
    {"intensity", 0, CLUMP_TYPE_F32, 1}, {"time", 0, CLUMP_TYPE_F32, 1}, {"laser", 0, CLUMP_TYPE_U8, 1}};

static bool recognise(const unsigned char *packet, size_t size)
{
    return size >= CLUMP_IO_NCLT_HEADER && clump_io_nclt_begins(packet) &&
           size == CLUMP_IO_NCLT_HEADER + (size_t)clump_io_nclt_count(packet) * CLUMP_IO_NCLT_HIT;
}

static void restart(void *state)
{
    nclt_state *const nclt = state;
    nclt->direction = NAN;
    nclt->turned = 0;
}

static clump_status create(const clump_io_sensor_setup *setup, const clump_io_packet *first, void **state)
{
    (void)first;
    nclt_state *const nclt = calloc(1, sizeof *nclt);
    *state = nclt;
    if (!nclt) return clump_io_no_memory(&setup->where, sizeof *nclt);
    nclt->capacity = CLUMP_IO_NCLT_MOST + 1;
    nclt->begins = malloc(nclt->capacity * sizeof *nclt->begins);
    if (!nclt->begins) return clump_io_no_memory(&setup->where, nclt->capacity * sizeof *nclt->begins);
    restart(nclt);
    return CLUMP_OK;
}

static void destroy(void *state)
{
    nclt_state *const nclt = state;
    free(nclt->begins);
    free(nclt);
}

static const char *model(const void *state)
{
    (void)state;
    return "Velodyne HDL-32E";
}

static const clump_io_shape *fields(const void *state, size_t *count)
{
    (void)state;
    *count = sizeof nclt_fields / sizeof *nclt_fields;
    return nclt_fields;
}

static size_t most_points(const void *state)
{
    (void)state;
    return CLUMP_IO_NCLT_LASERS;
}

static const unsigned char *hit_at(const nclt_state *nclt, size_t i)
{
    return nclt->hits + i * CLUMP_IO_NCLT_HIT;
}

static size_t begin(void *state, const clump_io_packet *packet, bool *damaged, uint64_t *lost, uint64_t *reordered)
{
    (void)lost, (void)reordered;
    nclt_state *const nclt = state;
    if (!recognise(packet->bytes, packet->size)) {
        *damaged = true;
        return 0;
    }
    nclt->hits = packet->bytes + CLUMP_IO_NCLT_HEADER;
    nclt->count = clump_io_nclt_count(packet->bytes);
    nclt->time = clump_io_nclt_time(packet->bytes, packet->received);
    size_t parts = 0;
    for (size_t i = 0; i < nclt->count; i++) {
        const bool new_firing = i == 0 || hit_at(nclt, i)[7] <= hit_at(nclt, i - 1)[7];
        const bool full = parts && i - nclt->begins[parts - 1] == CLUMP_IO_NCLT_LASERS;
        if (new_firing || full) nclt->begins[parts++] = i;
    }
    nclt->begins[parts] = nclt->count;
    return parts;
}

/* A turn is counted from the last cut, so that noise of close points at the back cuts only once. */
static bool cuts(void *state, size_t part)
{
    nclt_state *const nclt = state;
    const unsigned char *const hit = hit_at(nclt, nclt->begins[part]);
    const double x = (double)clump_io_nclt_metres(hit), y = (double)clump_io_nclt_metres(hit + 2);
    const double direction = atan2(y, x), before = nclt->direction;
    nclt->direction = direction;
    if (isnan(before)) return false;
    double step = direction - before;
    const bool wraps = fabs(step) > NCLT_PI;
    if (wraps) step -= step > 0 ? 2 * NCLT_PI : -2 * NCLT_PI;
    nclt->turned += step;
    if (!wraps || fabs(nclt->turned) < NCLT_PI) return false;
    nclt->turned = 0;
    return true;
}

static int64_t part_time(const void *state, size_t part)
{
    (void)part;
    return ((const nclt_state *)state)->time;
}

static void append(void *state, size_t part, clump_io_filling *to)
{
    const nclt_state *const nclt = state;
    float *const intensity = to->fields[0], *const time = to->fields[1];
    unsigned char *const laser = to->fields[2];
    const float after = (float)((double)(nclt->time - to->stamp) * 1e-9);
    for (size_t i = nclt->begins[part]; i < nclt->begins[part + 1]; i++, to->count++) {
        const unsigned char *const hit = hit_at(nclt, i);
        for (size_t axis = 0; axis < 3; axis++) to->xyz[3 * to->count + axis] = clump_io_nclt_metres(hit + 2 * axis);
        intensity[to->count] = hit[6];
        time[to->count] = after;
        laser[to->count] = hit[7];
    }
}

const clump_io_sensor clump_io_sensor_nclt = {.maker = "NCLT",
                                              .recognise = recognise,
                                              .create = create,
                                              .destroy = destroy,
                                              .model = model,
                                              .fields = fields,
                                              .most_points = most_points,
                                              .begin = begin,
                                              .cuts = cuts,
                                              .part_time = part_time,
                                              .append = append,
                                              .restart = restart};
