/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster.h: gives packets to the decoder of Ouster sensors and counts the frames; makes packets.
 */
#ifndef CLUMP_TESTS_TEST_OUSTER_H
#define CLUMP_TESTS_TEST_OUSTER_H

#include "support/check.h"
#include "sensors/ouster.h"

#include <math.h>

static clump_message ouster_why;

/* --- reading ------------------------------------------------------------------------------------------ */

/* What came out of the packets given so far. */
typedef struct ouster_run {
    void *state;
    clump_cloud *cloud; /* of the open frame */
    clump_io_filling filling;
    size_t width, height; /* of an organised frame, else 0 */
    bool begun;
    size_t frames, points[16]; /* frames that a cut has ended, and their points with a return */
    int64_t stamps[16];
    double sum[3]; /* of the coordinates of the first frame */
    uint64_t damaged, lost, reordered;
} ouster_run;

static inline void ouster_clear_frame(ouster_run *run)
{
    size_t count;
    const clump_io_shape *const shapes = clump_io_sensor_ouster.fields(run->state, &count);
    const size_t whole = run->width * run->height,
                 room = whole ? whole : clump_io_sensor_ouster.most_points(run->state);
    const clump_io_where where = {0};
    if (clump_io_cloud_prepare(&where, &run->cloud, shapes, count, room) != CLUMP_OK) CHECK_FAIL("no memory");
    run->filling = (clump_io_filling){.cloud = run->cloud, .count = whole, .room = run->cloud->capacity};
    for (size_t i = 0; i < 3 * whole; i++) run->cloud->xyz[i] = NAN;
    for (size_t k = 0; whole && k < count; k++)
        memset(clump_io_field_data(run->cloud, k), 0, whole * clump_type_size(shapes[k].type));
    run->begun = false;
}

static inline void ouster_point_to_data(ouster_run *run)
{
    run->filling.xyz = run->cloud->xyz;
    run->filling.room = run->cloud->capacity;
    for (size_t k = 0; k < run->cloud->field_count; k++) run->filling.fields[k] = clump_io_field_data(run->cloud, k);
}

static inline clump_status ouster_begin(ouster_run *run, const char *json, size_t size, bool organised,
                                        const clump_io_packet *first)
{
    memset(run, 0, sizeof *run);
    const clump_io_sensor_setup setup = {
        .metadata = json, .metadata_size = size, .organised = organised, .where = {.message = &ouster_why}};
    const clump_status status = clump_io_sensor_ouster.create(&setup, first, &run->state);
    CHECK((status == CLUMP_OK) == (run->state != NULL));
    if (status != CLUMP_OK) return status;
    clump_io_sensor_ouster.shape(run->state, &run->width, &run->height);
    ouster_clear_frame(run);
    return CLUMP_OK;
}

static inline void ouster_end(ouster_run *run)
{
    if (run->state) clump_io_sensor_ouster.destroy(run->state);
    clump_cloud_destroy(run->cloud);
}

/* Ends the open frame. */
static inline void ouster_cut(ouster_run *run)
{
    size_t found = 0;
    for (size_t i = 0; i < run->filling.count; i++) {
        const float *const point = &run->cloud->xyz[3 * i];
        if (!isfinite(point[0])) continue;
        found++;
        if (!run->frames) run->sum[0] += point[0], run->sum[1] += point[1], run->sum[2] += point[2];
    }
    if (run->frames < 16) run->points[run->frames] = found, run->stamps[run->frames] = run->filling.stamp;
    run->frames++;
    ouster_clear_frame(run);
}

/* Gives a packet, as frames.c does. Returns the number of its parts. */
static inline size_t ouster_give(ouster_run *run, const void *bytes, size_t size, int64_t received)
{
    const clump_io_sensor *const sensor = &clump_io_sensor_ouster;
    const clump_io_packet packet = {bytes, size, received};
    bool damaged;
    const size_t parts = sensor->begin(run->state, &packet, &damaged, &run->lost, &run->reordered);
    run->damaged += damaged;
    if (damaged) CHECK_INT(parts, 0);
    for (size_t i = 0; i < parts; i++) {
        if (sensor->cuts(run->state, i)) ouster_cut(run);
        if (!run->begun) run->filling.stamp = sensor->part_time(run->state, i), run->begun = true;
        const clump_io_where where = {0};
        const size_t wanted = run->filling.count + sensor->most_points(run->state);
        clump_io_cloud_set_count(run->cloud, run->filling.count);
        if (!run->width && clump_io_cloud_grow(&where, run->cloud, wanted) != CLUMP_OK) CHECK_FAIL("no memory");
        ouster_point_to_data(run);
        sensor->append(run->state, i, &run->filling);
        CHECK(run->filling.count <= run->filling.room);
    }
    return parts;
}

static inline const void *ouster_field(const ouster_run *run, const char *name)
{
    clump_field field;
    return clump_cloud_find(run->cloud, name, &field) ? field.data : NULL;
}

/* --- a sensor of the tests: 4 beams, 32 columns, 4 of them per packet ----------------------------------- */

enum { OUSTER_PIXELS = 4, OUSTER_COLUMNS = 32, OUSTER_PACKET_COLUMNS = 4 };

static inline const char *ouster_json(const char *profile, const char *more)
{
    static char text[2048];
    snprintf(text, sizeof text,
             "{\"prod_line\": \"OS-1-4\", \"beam_altitude_angles\": [15, 5, -5, -15],\n"
             " \"beam_azimuth_angles\": [3, 1, -1, -3],\n"
             " \"lidar_origin_to_beam_origin_mm\": 15.5,\n"
             " \"lidar_to_sensor_transform\": [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 36.25, 0, 0, 0, 1],\n"
             " \"data_format\": {\"columns_per_frame\": 32, \"columns_per_packet\": 4, \"pixels_per_column\": 4,\n"
             "  \"pixel_shift_by_row\": [3, 1, -1, -3], \"udp_profile_lidar\": \"%s\"%s}}",
             profile, more);
    return text;
}

typedef struct ouster_packet {
    unsigned char bytes[2048];
    size_t size;
} ouster_packet;

static inline void ouster_put(unsigned char *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) to[i] = (unsigned char)(value >> 8 * i);
}

/* Column times are 1 ms apart, frames of 32 columns follow each other. Pixels are 0: no return. */
static inline ouster_packet ouster_make(const char *profile_name, uint32_t frame, uint32_t first)
{
    const clump_io_ouster_profile *const profile = clump_io_ouster_profile_of(profile_name);
    clump_io_ouster_layout layout;
    clump_io_ouster_layout_of(profile, OUSTER_PIXELS, OUSTER_PACKET_COLUMNS, &layout);
    ouster_packet packet = {.size = layout.packet};
    if (!profile->legacy) {
        packet.bytes[0] = 1;
        ouster_put(packet.bytes + (profile->fusa ? 4 : 2), frame, profile->fusa ? 4 : 2);
    }
    for (uint32_t i = 0; i < OUSTER_PACKET_COLUMNS; i++) {
        unsigned char *const column = packet.bytes + layout.header + i * layout.column;
        ouster_put(column, 5000000000u + (frame * (uint64_t)OUSTER_COLUMNS + first + i) * 1000000, 8);
        ouster_put(column + 8, first + i, 2);
        if (profile->legacy) ouster_put(column + 10, frame, 2);
        ouster_put(column + layout.status, profile->legacy ? UINT32_MAX : 1, profile->legacy ? 4 : 2);
    }
    return packet;
}

static inline unsigned char *ouster_pixel(ouster_packet *packet, const char *profile_name, uint32_t column,
                                          uint32_t row)
{
    const clump_io_ouster_profile *const profile = clump_io_ouster_profile_of(profile_name);
    clump_io_ouster_layout layout;
    clump_io_ouster_layout_of(profile, OUSTER_PIXELS, OUSTER_PACKET_COLUMNS, &layout);
    return packet->bytes + layout.header + column * layout.column + layout.column_header + row * profile->pixel_size;
}

/* Sets the range of all pixels of a RNG15_RFL8_NIR8 packet, in units of 8 mm. */
static inline void ouster_fill_low(ouster_packet *packet, uint32_t range)
{
    for (uint32_t c = 0; c < OUSTER_PACKET_COLUMNS; c++)
        for (uint32_t r = 0; r < OUSTER_PIXELS; r++) {
            unsigned char *const pixel = ouster_pixel(packet, "RNG15_RFL8_NIR8", c, r);
            ouster_put(pixel, range, 2);
            ouster_put(pixel + 2, 10 + r, 1);
            ouster_put(pixel + 3, 20 + c, 1);
        }
}

/* --- usual packets ------------------------------------------------------------------------------------- */

#define OUSTER_LOW "RNG15_RFL8_NIR8"

/* Begins with a JSON text, before any packet. */
static inline ouster_run ouster_begun(const char *json, bool organised)
{
    ouster_run run;
    const clump_io_packet none = {(const unsigned char *)"", 0, 0};
    if (ouster_begin(&run, json, strlen(json), organised, &none) != CLUMP_OK) CHECK_FAIL("%s", ouster_why.text);
    return run;
}

/* Gives a packet of the low profile, all of whose pixels have a return. */
static inline size_t ouster_give_low(ouster_run *run, uint32_t frame, uint32_t first)
{
    ouster_packet packet = ouster_make(OUSTER_LOW, frame, first);
    ouster_fill_low(&packet, 500);
    return ouster_give(run, packet.bytes, packet.size, 0);
}

static inline void ouster_give_frame(ouster_run *run, uint32_t frame)
{
    for (uint32_t first = 0; first < OUSTER_COLUMNS; first += OUSTER_PACKET_COLUMNS) ouster_give_low(run, frame, first);
}

#endif
