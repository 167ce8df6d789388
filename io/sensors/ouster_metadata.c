/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster_metadata.c: the JSON file of a sensor.
 *
 * Firmware 1 and 2 write a flat file, later ones and ouster-sdk write groups:
 *
 *     flat                                nested
 *     prod_line, image_rev                sensor_info.
 *     beam_altitude_angles, ...           beam_intrinsics.
 *     lidar_to_sensor_transform           lidar_intrinsics.
 *     data_format.                        lidar_data_format.
 *     lidar_mode                          config_params.
 *
 * Firmware 1 has no data_format: its packets are LEGACY, and the mode "1024x10" gives the columns.
 */
#include "sensors/json.h"
#include "sensors/ouster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OUSTER_METADATA_PACKET_COLUMNS = 16 }; /* of all sensors that do not say it */

typedef struct metadata_reader {
    const clump_io_where *where;
    clump_io_json root, format; /* format: the group of the data format; without text: none */
    clump_io_ouster_info *info;
} metadata_reader;

#define METADATA_REFUSED(reader, ...) clump_io_fail((reader)->where, CLUMP_ERR_IO_FORMAT, __VA_ARGS__)

/* Finds a value in its group, or in the flat file. */
static bool find_value(const metadata_reader *reader, const char *group, const char *name, clump_io_json *value)
{
    clump_io_json members;
    return (clump_io_json_member(reader->root, group, &members) && clump_io_json_member(members, name, value)) ||
           clump_io_json_member(reader->root, name, value);
}

static void find_format(metadata_reader *reader)
{
    clump_io_json value;
    reader->format = (clump_io_json){0};
    static const char *const names[] = {"lidar_data_format", "data_format"};
    for (size_t i = 0; i < 2 && !reader->format.text; i++)
        if (clump_io_json_member(reader->root, names[i], &value) && *value.text == '{') reader->format = value;
}

/* Reads a count of the data format, which is left as it is where the file does not have it. */
static clump_status read_count(const metadata_reader *reader, const char *name, uint32_t highest, uint32_t *count)
{
    clump_io_json value;
    int64_t number = 0;
    if (!clump_io_json_member(reader->format, name, &value)) return CLUMP_OK;
    if (!clump_io_json_integer(value, 1, highest, &number))
        return METADATA_REFUSED(reader, "the sensor's JSON: %s is not a number between 1 and %u", name, highest);
    *count = (uint32_t)number;
    return CLUMP_OK;
}

/* Returns the columns of a mode "1024x10"; 0: no such mode. */
static uint32_t columns_of_mode(const metadata_reader *reader)
{
    clump_io_json value;
    char mode[32];
    if (!find_value(reader, "config_params", "lidar_mode", &value) || !clump_io_json_text(value, mode, sizeof mode))
        return 0;
    char *end;
    const unsigned long columns = strtoul(mode, &end, 10);
    return end > mode && *end == 'x' && columns <= CLUMP_IO_OUSTER_MAX_COLUMNS ? (uint32_t)columns : 0;
}

static clump_status read_profile(const metadata_reader *reader)
{
    clump_io_json value;
    char name[64] = "LEGACY";
    if ((clump_io_json_member(reader->format, "udp_profile_lidar", &value) ||
         find_value(reader, "config_params", "udp_profile_lidar", &value)) &&
        !clump_io_json_text(value, name, sizeof name))
        return METADATA_REFUSED(reader, "the sensor's JSON: udp_profile_lidar is not the name of a profile");
    reader->info->profile = clump_io_ouster_profile_of(name);
    if (!reader->info->profile)
        return clump_io_fail(reader->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "packets of the Ouster profile %s cannot be decoded", name);
    reader->info->fusa = reader->info->profile->fusa;
    if (clump_io_json_member(reader->format, "header_type", &value) && clump_io_json_text(value, name, sizeof name) &&
        strcmp(name, "FUSA") == 0)
        reader->info->fusa = !reader->info->profile->legacy;
    return CLUMP_OK;
}

/* Reads the angles of all beams. *count is 0 before the first array, which then gives the number for the second. */
static clump_status read_angles(const metadata_reader *reader, const char *name, double *angles, size_t *count)
{
    clump_io_json value;
    size_t read;
    if (!find_value(reader, "beam_intrinsics", name, &value))
        return METADATA_REFUSED(reader, "the sensor's JSON has no %s", name);
    if (!clump_io_json_numbers(value, angles, CLUMP_IO_OUSTER_MAX_PIXELS, &read) || !read)
        return METADATA_REFUSED(reader, "the sensor's JSON: %s is not an array of at most %d angles", name,
                                CLUMP_IO_OUSTER_MAX_PIXELS);
    for (size_t i = 0; i < read; i++)
        if (fabs(angles[i]) > 360)
            return METADATA_REFUSED(reader, "the sensor's JSON: %s has an angle of %g degrees", name, angles[i]);
    if (*count && *count != read)
        return METADATA_REFUSED(reader, "the sensor's JSON: %s has %zu angles, but there are %zu beams", name, read,
                                *count);
    *count = read;
    return CLUMP_OK;
}

static clump_status read_counts(const metadata_reader *reader, size_t beams)
{
    clump_io_ouster_info *const info = reader->info;
    info->columns = columns_of_mode(reader);
    info->pixels = (uint32_t)beams;
    info->packet_columns = OUSTER_METADATA_PACKET_COLUMNS;
    CLUMP_IO_TRY(read_count(reader, "columns_per_frame", CLUMP_IO_OUSTER_MAX_COLUMNS, &info->columns));
    CLUMP_IO_TRY(read_count(reader, "columns_per_packet", CLUMP_IO_OUSTER_MAX_COLUMNS, &info->packet_columns));
    CLUMP_IO_TRY(read_count(reader, "pixels_per_column", CLUMP_IO_OUSTER_MAX_PIXELS, &info->pixels));
    if (!info->columns)
        return METADATA_REFUSED(reader,
                                "the sensor's JSON has neither columns_per_frame nor a lidar_mode such as 1024x10");
    if (info->pixels != beams)
        return METADATA_REFUSED(reader, "the sensor's JSON has the angles of %zu beams, but %u pixels per column",
                                beams, info->pixels);
    if (!clump_io_ouster_layout_of(info->profile, info->pixels, info->packet_columns, &info->layout))
        return METADATA_REFUSED(reader, "the sensor's JSON: %u columns of %u pixels do not fit into a packet",
                                info->packet_columns, info->pixels);
    return CLUMP_OK;
}

static clump_status read_window(const metadata_reader *reader)
{
    clump_io_ouster_info *const info = reader->info;
    clump_io_json value;
    double window[2];
    size_t count;
    info->window_first = 0;
    info->window_last = info->columns - 1;
    if (!clump_io_json_member(reader->format, "column_window", &value)) return CLUMP_OK;
    const bool read = clump_io_json_numbers(value, window, 2, &count) && count == 2;
    for (int i = 0; i < 2; i++)
        if (!read || !(window[i] >= 0 && window[i] < info->columns))
            return METADATA_REFUSED(
                reader, "the sensor's JSON: column_window is not the first and the last of %u columns", info->columns);
    info->window_first = (uint32_t)window[0];
    info->window_last = (uint32_t)window[1];
    return CLUMP_OK;
}

/* Reads how far each row is shifted in the image. Without it, the shift follows from the azimuth of the beam. */
static clump_status read_shifts(const metadata_reader *reader)
{
    clump_io_ouster_info *const info = reader->info;
    clump_io_json value;
    double shifts[CLUMP_IO_OUSTER_MAX_PIXELS];
    size_t count = 0;
    if (!clump_io_json_member(reader->format, "pixel_shift_by_row", &value))
        for (uint32_t i = 0; i < info->pixels; i++) shifts[i] = info->azimuth[i] / 360 * info->columns;
    else if (!clump_io_json_numbers(value, shifts, CLUMP_IO_OUSTER_MAX_PIXELS, &count) || count != info->pixels)
        return METADATA_REFUSED(reader, "the sensor's JSON: pixel_shift_by_row is not an array of %u numbers",
                                info->pixels);
    for (uint32_t i = 0; i < info->pixels; i++) {
        const double turned = fmod(round(shifts[i]), info->columns);
        info->pixel_shift[i] = (uint32_t)(turned < 0 ? turned + info->columns : turned);
    }
    return CLUMP_OK;
}

/* Reads a matrix of 4 x 4; false: there is none. */
static bool read_matrix(const metadata_reader *reader, const char *group, const char *name, double matrix[16])
{
    clump_io_json value;
    size_t count;
    if (!find_value(reader, group, name, &value) || !clump_io_json_numbers(value, matrix, 16, &count) || count != 16)
        return false;
    for (int i = 0; i < 16; i++)
        if (fabs(matrix[i]) > 1e6) return false;
    return true;
}

/* Distance of the beams' origin from the axis, for files without it: the nominal one of the model, mm. */
static double nominal_beam_origin(const char *line)
{
    static const struct {
        const char *line;
        double origin;
    } known[] = {{"OS-0-", 27.67}, {"OS-1-", 15.806}, {"OS-2-", 13.762}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(line, known[i].line, strlen(known[i].line)) == 0) return known[i].origin;
    return 12.163; /* the first generation, "OS1" */
}

static void read_geometry(const metadata_reader *reader, const char *line)
{
    static const double nominal[16] = {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 36.18, 0, 0, 0, 1};
    clump_io_ouster_info *const info = reader->info;
    clump_io_json value;
    double matrix[16];
    info->beam_z = 0;
    if (read_matrix(reader, "beam_intrinsics", "beam_to_lidar_transform", matrix)) {
        info->beam_x = matrix[3];
        info->beam_z = matrix[11];
    } else if (!find_value(reader, "beam_intrinsics", "lidar_origin_to_beam_origin_mm", &value) ||
               !clump_io_json_number(value, &info->beam_x) || fabs(info->beam_x) > 1e6) {
        info->beam_x = nominal_beam_origin(line);
    }
    const bool read = read_matrix(reader, "lidar_intrinsics", "lidar_to_sensor_transform", matrix);
    memcpy(info->to_sensor, read ? matrix : nominal, sizeof info->to_sensor);
}

/* Whether the name of the firmware, "...-v3.2.0...", is of version 3.2 or later. Those write checksums. */
static bool writes_crc(const char *image)
{
    for (const char *v = strstr(image, "-v"); v; v = strstr(v + 2, "-v")) {
        unsigned major, minor;
        if (sscanf(v, "-v%3u.%3u", &major, &minor) == 2) return major > 3 || (major == 3 && minor >= 2);
    }
    return false;
}

static clump_status read_all(metadata_reader *reader)
{
    clump_io_ouster_info *const info = reader->info;
    clump_io_json value;
    char line[32] = "", image[160] = "";
    size_t beams = 0;
    find_format(reader);
    if (find_value(reader, "sensor_info", "prod_line", &value)) clump_io_json_text(value, line, sizeof line);
    if (find_value(reader, "sensor_info", "image_rev", &value)) clump_io_json_text(value, image, sizeof image);
    snprintf(info->model, sizeof info->model, "Ouster%s%s", *line ? " " : "", line);
    CLUMP_IO_TRY(read_angles(reader, "beam_altitude_angles", info->altitude, &beams));
    CLUMP_IO_TRY(read_angles(reader, "beam_azimuth_angles", info->azimuth, &beams));
    CLUMP_IO_TRY(read_profile(reader));
    CLUMP_IO_TRY(read_counts(reader, beams));
    CLUMP_IO_TRY(read_window(reader));
    CLUMP_IO_TRY(read_shifts(reader));
    read_geometry(reader, line);
    info->has_crc = !info->profile->legacy && !info->fusa && writes_crc(image);
    return CLUMP_OK;
}

clump_status clump_io_ouster_metadata(const clump_io_where *where, const char *text, size_t size,
                                      clump_io_ouster_info *info)
{
    memset(info, 0, sizeof *info);
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(where, 0);
    metadata_reader reader = {.where = where, .info = info};
    clump_status status = clump_io_json_parse(where, text, size, &reader.root);
    if (status == CLUMP_OK) status = read_all(&reader);
    clump_io_locale_leave(&locale);
    return status;
}
