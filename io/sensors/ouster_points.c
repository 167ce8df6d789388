/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster_points.c: from the pixels of a column to points.
 *
 * Coordinates are in the sensor's frame: x points away from the connector, z up, the origin is in the middle of the base.
 * ouster-sdk computes the same. (Ouster's driver for ROS publishes the lidar's frame, os_lidar, unless told otherwise:
 * there x points to the connector.)
 *
 * The encoder is at the angle e = -2 pi measurement / columns. With the beam's origin B = (beam_x, 0, beam_z) and its
 * direction D at e = 0, a range r is measured from the lidar's origin over B. So the point in the lidar's frame is
 *
 *     turn(e) (B + (r - |B|) D)
 *
 * and to_sensor takes it to the sensor's frame. All is computed in double and rounded once.
 */
#include "sensors/ouster.h"
#include "common/assert.h"

#include <math.h>

enum { OUSTER_POINTS_NO_FIELD = UINT8_MAX };

static const double ouster_points_pi = 3.14159265358979323846;

void clump_io_ouster_tables_prepare(clump_io_ouster_tables *tables, const clump_io_ouster_info *info)
{
    for (uint32_t i = 0; i < info->columns; i++) {
        const double encoder = -2 * ouster_points_pi * i / info->columns;
        tables->cosine[i] = cos(encoder);
        tables->sine[i] = sin(encoder);
    }
    for (uint32_t i = 0; i < info->pixels; i++) {
        const double azimuth = -info->azimuth[i] * ouster_points_pi / 180;
        const double altitude = info->altitude[i] * ouster_points_pi / 180;
        tables->forward[i] = cos(azimuth) * cos(altitude);
        tables->left[i] = sin(azimuth) * cos(altitude);
        tables->up[i] = sin(altitude);
    }
}

static uint8_t add_field(clump_io_ouster_fields *fields, const char *name, clump_type type)
{
    CLUMP_ASSERT(fields->count < sizeof fields->shapes / sizeof fields->shapes[0]);
    fields->shapes[fields->count] = (clump_io_shape){.name = name, .type = type, .count = 1};
    return (uint8_t)fields->count++;
}

void clump_io_ouster_fields_prepare(clump_io_ouster_fields *fields, const clump_io_ouster_profile *profile)
{
    fields->count = 0;
    fields->returns = fields->ambient = OUSTER_POINTS_NO_FIELD;
    fields->intensity = add_field(fields, "intensity", CLUMP_TYPE_F32);
    fields->ring = add_field(fields, "ring", CLUMP_TYPE_U16);
    fields->time = add_field(fields, "time", CLUMP_TYPE_F32);
    if (clump_io_ouster_has(profile, CLUMP_IO_OUSTER_RANGE2))
        fields->returns = add_field(fields, "return", CLUMP_TYPE_U8);
    fields->range = add_field(fields, "range", CLUMP_TYPE_U32);
    fields->reflectivity = add_field(fields, "reflectivity", CLUMP_TYPE_U16);
    if (clump_io_ouster_has(profile, CLUMP_IO_OUSTER_AMBIENT))
        fields->ambient = add_field(fields, "ambient", CLUMP_TYPE_U16);
}

/* One return of all pixels of a column. */
typedef struct column_pixels {
    uint32_t range[CLUMP_IO_OUSTER_MAX_PIXELS], reflectivity[CLUMP_IO_OUSTER_MAX_PIXELS];
    uint32_t signal[CLUMP_IO_OUSTER_MAX_PIXELS], ambient[CLUMP_IO_OUSTER_MAX_PIXELS];
    float x[CLUMP_IO_OUSTER_MAX_PIXELS], y[CLUMP_IO_OUSTER_MAX_PIXELS], z[CLUMP_IO_OUSTER_MAX_PIXELS];
} column_pixels;

/* From the frame of a column, where the encoder is at 0, to the sensor's frame, in metres. */
typedef struct column_pose {
    double rotation[9], offset[3], shorter; /* shorter: what a range is longer than the way from the beam's origin */
} column_pose;

static column_pose pose_of(const clump_io_ouster_decoder *decoder, uint32_t measurement)
{
    const clump_io_ouster_info *const info = &decoder->info;
    const double c = decoder->tables.cosine[measurement], s = decoder->tables.sine[measurement];
    column_pose pose = {.shorter = info->beam_z != 0 ? hypot(info->beam_x, info->beam_z) : info->beam_x};
    for (int i = 0; i < 3; i++) {
        const double *const row = &info->to_sensor[4 * i];
        double *const turned = &pose.rotation[3 * i];
        turned[0] = 0.001 * (row[0] * c + row[1] * s);
        turned[1] = 0.001 * (row[1] * c - row[0] * s);
        turned[2] = 0.001 * row[2];
        pose.offset[i] = turned[0] * info->beam_x + turned[2] * info->beam_z + 0.001 * row[3];
    }
    return pose;
}

static void read_field(const clump_io_ouster_info *info, const unsigned char *pixels, clump_io_ouster_field field,
                       uint32_t *values)
{
    const clump_io_ouster_bits at = info->profile->fields[field];
    const size_t size = info->profile->pixel_size;
    for (uint32_t i = 0; i < info->pixels; i++) values[i] = clump_io_ouster_value(pixels + i * size, at);
}

/* Reads a return. Profiles without a signal have the reflectivity in its place. */
static void read_pixels(const clump_io_ouster_info *info, const unsigned char *pixels, bool second, column_pixels *to)
{
    const clump_io_ouster_field range = second ? CLUMP_IO_OUSTER_RANGE2 : CLUMP_IO_OUSTER_RANGE;
    const clump_io_ouster_field signal = second ? CLUMP_IO_OUSTER_SIGNAL2 : CLUMP_IO_OUSTER_SIGNAL;
    const clump_io_ouster_field reflectivity = second ? CLUMP_IO_OUSTER_REFLECTIVITY2 : CLUMP_IO_OUSTER_REFLECTIVITY;
    read_field(info, pixels, range, to->range);
    read_field(info, pixels, reflectivity, to->reflectivity);
    read_field(info, pixels, clump_io_ouster_has(info->profile, signal) ? signal : reflectivity, to->signal);
    if (clump_io_ouster_has(info->profile, CLUMP_IO_OUSTER_AMBIENT))
        read_field(info, pixels, CLUMP_IO_OUSTER_AMBIENT, to->ambient);
}

static void compute_points(const clump_io_ouster_decoder *decoder, const column_pose *pose, column_pixels *pixels)
{
    const clump_io_ouster_tables *const tables = &decoder->tables;
    const double *const r = pose->rotation;
    for (uint32_t i = 0; i < decoder->info.pixels; i++) {
        const double way = (double)(int32_t)pixels->range[i] - pose->shorter;
        const double a = way * tables->forward[i], b = way * tables->left[i], c = way * tables->up[i];
        pixels->x[i] = (float)(r[0] * a + r[1] * b + r[2] * c + pose->offset[0]);
        pixels->y[i] = (float)(r[3] * a + r[4] * b + r[5] * c + pose->offset[1]);
        pixels->z[i] = (float)(r[6] * a + r[7] * b + r[8] * c + pose->offset[2]);
    }
}

/* Data of the cloud's fields. */
typedef struct field_data {
    float *xyz, *intensity, *time;
    uint16_t *ring, *reflectivity, *ambient;
    uint8_t *returns;
    uint32_t *range;
} field_data;

static field_data data_of(const clump_io_ouster_fields *fields, const clump_io_filling *to)
{
    field_data data = {.xyz = to->xyz,
                       .intensity = to->fields[fields->intensity],
                       .time = to->fields[fields->time],
                       .ring = to->fields[fields->ring],
                       .reflectivity = to->fields[fields->reflectivity],
                       .range = to->fields[fields->range]};
    if (fields->ambient != OUSTER_POINTS_NO_FIELD) data.ambient = to->fields[fields->ambient];
    if (fields->returns != OUSTER_POINTS_NO_FIELD) data.returns = to->fields[fields->returns];
    return data;
}

/* Writes the fields of pixel i to point `place`. Beams are numbered from the lowest up. */
static inline void write_fields(const field_data *data, const column_pixels *pixels, uint32_t i, uint32_t beams,
                                float time, size_t place)
{
    data->intensity[place] = (float)(int32_t)pixels->signal[i];
    data->ring[place] = (uint16_t)(beams - 1 - i);
    data->time[place] = time;
    data->range[place] = pixels->range[i];
    data->reflectivity[place] = (uint16_t)pixels->reflectivity[i];
    if (data->ambient) data->ambient[place] = (uint16_t)pixels->ambient[i];
}

/* Appends the pixels that have a return. Every pixel is written, and the next one overwrites a pixel without: that takes
 * no branch. */
static void append_points(const field_data *data, const column_pixels *pixels, uint32_t beams, float time,
                          uint8_t number, size_t *count)
{
    size_t place = *count;
    for (uint32_t i = 0; i < beams; i++) {
        data->xyz[3 * place] = pixels->x[i];
        data->xyz[3 * place + 1] = pixels->y[i];
        data->xyz[3 * place + 2] = pixels->z[i];
        write_fields(data, pixels, i, beams, time, place);
        if (data->returns) data->returns[place] = number;
        place += pixels->range[i] != 0;
    }
    *count = place;
}

/* Writes all pixels to their places in the image, the highest beam in the first row. Only the strongest return. */
static void place_points(const clump_io_ouster_info *info, const field_data *data, const column_pixels *pixels,
                         float time, uint32_t measurement)
{
    for (uint32_t i = 0; i < info->pixels; i++) {
        const uint32_t moved = measurement + info->pixel_shift[i];
        const size_t place = (size_t)i * info->columns + (moved < info->columns ? moved : moved - info->columns);
        const bool found = pixels->range[i] != 0;
        data->xyz[3 * place] = found ? pixels->x[i] : NAN;
        data->xyz[3 * place + 1] = found ? pixels->y[i] : NAN;
        data->xyz[3 * place + 2] = found ? pixels->z[i] : NAN;
        write_fields(data, pixels, i, info->pixels, time, place);
        if (data->returns) data->returns[place] = 0;
    }
}

void clump_io_ouster_append(const clump_io_ouster_decoder *decoder, const unsigned char *column, float time,
                            clump_io_filling *to)
{
    const clump_io_ouster_info *const info = &decoder->info;
    const uint32_t measurement = clump_io_ouster_column_measurement(column);
    CLUMP_ASSERT(measurement < info->columns);
    const unsigned char *const bytes = column + info->layout.column_header;
    const column_pose pose = pose_of(decoder, measurement);
    const field_data data = data_of(&decoder->fields, to);
    column_pixels pixels;
    read_pixels(info, bytes, false, &pixels);
    compute_points(decoder, &pose, &pixels);
    if (decoder->organised) {
        place_points(info, &data, &pixels, time, measurement);
        return;
    }
    append_points(&data, &pixels, info->pixels, time, 0, &to->count);
    if (!data.returns) return;
    read_pixels(info, bytes, true, &pixels);
    compute_points(decoder, &pose, &pixels);
    append_points(&data, &pixels, info->pixels, time, 1, &to->count);
}
