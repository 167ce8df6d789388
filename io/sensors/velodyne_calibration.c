/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne_calibration.c: the calibration file of the ROS driver, YAML.
 *
 *     lasers:
 *     - {dist_correction: 0.0, rot_correction: -0.07, vert_correction: -0.26, laser_id: 0, ...}
 *     - ...
 *     num_lasers: 64
 *     distance_resolution: 0.002
 *
 * Read are pairs of a key and a value, in any order and in both styles of YAML. An item of the list begins with "-".
 */
#include "number.h"
#include "common/assert.h"
#include "sensors/velodyne.h"

typedef struct calibration_reader {
    const clump_io_sensor_setup *setup;
    const clump_velodyne_model *model;
    const char *at, *end;
    unsigned line;
    clump_velodyne_laser item; /* that is being read */
    bool in_item, has_x, has_y, has_two_points;
    int64_t id, next_id; /* id -1: the item has none yet; then the order counts */
    bool seen[VELODYNE_MAX_LASERS];
    clump_velodyne_laser *lasers;
    double *unit;
} calibration_reader;

static clump_status refuse(const calibration_reader *reader, const char *what)
{
    const char *const name = reader->setup->calibration_name;
    return clump_io_fail(&reader->setup->where, CLUMP_ERR_IO_FORMAT, "%s: line %u: %s", name ? name : "calibration",
                         reader->line, what);
}

static clump_status finish_item(calibration_reader *reader)
{
    if (!reader->in_item) return CLUMP_OK;
    reader->in_item = false;
    const int64_t id = reader->id >= 0 ? reader->id : reader->next_id;
    if (id >= (int64_t)reader->model->lasers) return refuse(reader, "the sensor has no laser of this number");
    CLUMP_ASSERT(id >= 0 && id < VELODYNE_MAX_LASERS);
    if (reader->seen[id]) return refuse(reader, "two lasers have the same number");
    if (!reader->has_two_points)
        reader->item.two_points = reader->has_x && reader->has_y && reader->item.distance_x != 0;
    reader->seen[id] = true;
    reader->lasers[id] = reader->item;
    reader->next_id = id + 1;
    return CLUMP_OK;
}

static clump_status begin_item(calibration_reader *reader)
{
    CLUMP_IO_TRY(finish_item(reader));
    reader->item = (clump_velodyne_laser){0};
    reader->in_item = true;
    reader->has_x = reader->has_y = reader->has_two_points = false;
    reader->id = -1;
    return CLUMP_OK;
}

/* Goes to the next character that is no blank, newline, bracket, comma or comment. */
static void skip_to_word(calibration_reader *reader)
{
    for (; reader->at < reader->end; reader->at++) {
        const char c = *reader->at;
        if (c == '#')
            while (reader->at + 1 < reader->end && reader->at[1] != '\n') reader->at++;
        else if (c == '\n')
            reader->line++;
        else if (!clump_io_is_blank(c) && !strchr("{}[],", c))
            return;
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_key(const char *key, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(key, name, size) == 0;
}

/* Returns where a correction of this name is kept; null: it is not used. */
static double *place_of(calibration_reader *reader, const char *key, size_t size)
{
    clump_velodyne_laser *const item = &reader->item;
    if (is_key(key, size, "rot_correction")) return &item->rotation;
    if (is_key(key, size, "vert_correction")) return &item->elevation;
    if (is_key(key, size, "dist_correction")) return &item->distance;
    if (is_key(key, size, "dist_correction_x")) return reader->has_x = true, &item->distance_x;
    if (is_key(key, size, "dist_correction_y")) return reader->has_y = true, &item->distance_y;
    if (is_key(key, size, "vert_offset_correction")) return &item->up;
    if (is_key(key, size, "horiz_offset_correction")) return &item->aside;
    return NULL;
}

/* Takes the value of a key. Values of keys that are not used may be anything. */
static clump_status take_value(calibration_reader *reader, const char *key, size_t size)
{
    CLUMP_ASSERT(reader->at <= reader->end);
    const char *value = reader->at;
    while (reader->at < reader->end && !strchr(",}]#\n", *reader->at))
        reader->at++; /* a final 0 in the text ends it, too */
    const char *value_end = reader->at;
    while (value < value_end && clump_io_is_blank(*value)) value++;
    while (value_end > value && clump_io_is_blank(value_end[-1])) value_end--;
    if (is_key(key, size, "two_pt_correction_available")) {
        reader->has_two_points = true;
        reader->item.two_points = value < value_end && (*value == 't' || *value == 'T' || *value == '1');
        return CLUMP_OK;
    }
    double *const place = reader->in_item ? place_of(reader, key, size) : NULL;
    const bool is_id = is_key(key, size, "laser_id"), is_unit = is_key(key, size, "distance_resolution");
    if (!place && !is_id && !is_unit) return CLUMP_OK;
    clump_io_number number;
    if (!clump_io_scan(value, value_end, &number) || number.end != value_end || number.special)
        return refuse(reader, "a number is expected");
    if (is_id)
        return clump_io_to_signed(&number, 0, VELODYNE_MAX_LASERS, &reader->id)
                   ? CLUMP_OK
                   : refuse(reader, "the sensor has no laser of this number");
    const double found = clump_io_to_double(&number);
    if (is_unit && (found < 1e-6 || found > 1)) return refuse(reader, "distance_resolution is not in metres");
    if (!is_unit && (found < -1000 || found > 1000)) return refuse(reader, "the number is too large");
    *(is_unit ? reader->unit : place) = found;
    return CLUMP_OK;
}

static clump_status read_pairs(calibration_reader *reader)
{
    for (skip_to_word(reader); reader->at < reader->end; skip_to_word(reader)) {
        const char *const word = reader->at;
        if (reader->end - word >= 3 && memcmp(word, "---", 3) == 0) { /* begins a document */
            reader->at += 3;
            continue;
        }
        if (*word == '-' && (word + 1 == reader->end || !is_word(word[1]))) {
            reader->at++;
            CLUMP_IO_TRY(begin_item(reader));
            continue;
        }
        while (reader->at < reader->end && is_word(*reader->at)) reader->at++;
        const size_t size = (size_t)(reader->at - word);
        if (size == 0 || reader->at == reader->end || *reader->at != ':')
            return refuse(reader, "\"key: value\" is expected");
        reader->at++;
        /* keys of the file behind the list */
        if (is_key(word, size, "num_lasers") || is_key(word, size, "distance_resolution"))
            CLUMP_IO_TRY(finish_item(reader));
        if (is_key(word, size, "lasers")) continue;
        CLUMP_IO_TRY(take_value(reader, word, size));
    }
    return finish_item(reader);
}

clump_status clump_velodyne_calibration_read(const clump_io_sensor_setup *setup, const clump_velodyne_model *model,
                                             clump_velodyne_laser *lasers, double *unit)
{
    calibration_reader reader = {.setup = setup,
                                 .model = model,
                                 .at = setup->calibration,
                                 .end = setup->calibration + setup->calibration_size,
                                 .line = 1,
                                 .lasers = lasers,
                                 .unit = unit};
    clump_io_locale locale;
    const bool entered = clump_io_locale_enter(&locale); /* the slow path of numbers needs it */
    const clump_status status = read_pairs(&reader);
    if (entered) clump_io_locale_leave(&locale);
    CLUMP_IO_TRY(status);
    unsigned count = 0;
    for (unsigned i = 0; i < model->lasers; i++) count += reader.seen[i];
    if (count == model->lasers) return CLUMP_OK;
    const char *const name = setup->calibration_name;
    return clump_io_fail(&setup->where, CLUMP_ERR_IO_FORMAT, "%s: describes %u lasers, %s has %u",
                         name ? name : "calibration", count, model->name, model->lasers);
}
