/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster.c: packets of Ouster sensors: which are valid, and their columns as parts of a frame.
 *
 * Only the sensor's JSON file says how to read its packets: profile, beams, columns (ouster.h). A part is a column that
 * the sensor has marked as valid. The others are left out: those beside an azimuth window, for example.
 *
 * Points have the fields
 *
 *     intensity     photons of the return; of profiles without them (RNG15), the reflectivity
 *     ring          0 is the lowest beam; Ouster counts from the highest one down
 *     time          of the column, seconds after the stamp of the frame
 *     return        0: the strongest, 1: the second; of profiles with two returns
 *     range         mm
 *     reflectivity  0 to 255; up to firmware 2.0, 0 to 65535
 *     ambient       near infrared, where the profile has it
 *
 * Times: a sensor with PTP or GPS sends nanoseconds since 1970. One without sends nanoseconds since its start; then the
 * time of recording of the first packet gives the difference.
 */
#include "sensors/ouster.h"

#include "common/assert.h"

#include <stdlib.h>

enum {
    OUSTER_IMU_SIZE = 48, /* bytes of a LEGACY packet of accelerations */
    OUSTER_TYPE_LIDAR = 1,
    OUSTER_TYPE_LAST = 3 /* 2: accelerations, 3: zones */
};
static const uint64_t ouster_since_1970 = 1000000000000000000u; /* ns, in 2001: earlier times are since the start */
static const int64_t ouster_jump = 1000000000;                  /* ns: the sensor's clock was set anew */
static const uint64_t ouster_no_crc = 0xdeadbeef0000c0deu;      /* in place of the checksum, firmware 2.3 */

typedef struct ouster_state {
    clump_io_ouster_decoder decoder;
    clump_io_ouster_crc crc;
    bool crc_seen; /* a packet had the right checksum: all have one */
    clump_io_ouster_turn turn;
    bool cut;        /* the next part begins a new frame */
    bool anchored;   /* `offset` is known */
    uint64_t offset; /* from the sensor's time to the time since 1970, modulo 2^64 */
    const unsigned char *packet;
    uint32_t part_count;
    uint16_t parts[CLUMP_IO_OUSTER_MAX_COLUMNS]; /* index in the packet of its valid columns */
} ouster_state;

/* --- recognising -------------------------------------------------------------------------------------- */

/* Returns the number of valid columns; 0 if they are not numbered one by one. With `all`, the others must be numbered
 * too. */
static uint32_t count_numbered(const clump_io_ouster_info *info, const unsigned char *packet, bool all)
{
    const uint32_t mark = info->profile->legacy ? UINT32_MAX : 1; /* of a valid column */
    uint32_t valid = 0, begin = 0;
    bool begun = false;
    for (uint32_t i = 0; i < info->packet_columns; i++) {
        const unsigned char *const column = clump_io_ouster_column(info, packet, i);
        const uint32_t status = clump_io_ouster_column_status(info, column);
        const uint32_t measurement = clump_io_ouster_column_measurement(column);
        if (status != 0 && status != mark) return 0;
        if (status == 0 && !all) continue;
        if (!begun) begin = measurement - i;
        begun = true;
        if (measurement - i != begin || measurement >= CLUMP_IO_OUSTER_MAX_COLUMNS) return 0;
        valid += status != 0;
    }
    return valid;
}

/* Old drivers for ROS recorded a byte too many. All packets of the sensor have an even size. */
static size_t real_size(size_t size)
{
    return size - size % 2;
}

static bool recognise(const unsigned char *packet, size_t recorded)
{
    const size_t size = real_size(recorded);
    if (size < 64) return false;
    for (size_t i = 0; i < clump_io_ouster_profile_count; i++) {
        clump_io_ouster_info info = {.profile = &clump_io_ouster_profiles[i]};
        if (!info.profile->legacy && (info.profile->fusa ? packet[0] : clump_io_u16(packet)) != OUSTER_TYPE_LIDAR)
            continue;
        for (uint32_t pixels = 4; pixels <= CLUMP_IO_OUSTER_MAX_PIXELS; pixels *= 2)
            for (info.packet_columns = 4; info.packet_columns <= 64; info.packet_columns *= 2)
                if (clump_io_ouster_layout_of(info.profile, pixels, info.packet_columns, &info.layout) &&
                    info.layout.packet == size &&
                    (count_numbered(&info, packet, true) >= 1 || count_numbered(&info, packet, false) >= 2))
                    return true;
    }
    return false;
}

/* --- state ---------------------------------------------------------------------------------------------- */

static clump_status create(const clump_io_sensor_setup *setup, const clump_io_packet *first, void **state_out)
{
    *state_out = NULL;
    if (!setup->metadata)
        return clump_io_fail(&setup->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "packets of an Ouster sensor need the sensor's JSON file (--metadata)");
    ouster_state *const state = calloc(1, sizeof *state);
    if (!state) return clump_io_no_memory(&setup->where, sizeof *state);
    clump_io_ouster_info *const info = &state->decoder.info;
    const clump_io_where json = {setup->metadata_name ? setup->metadata_name : setup->where.name, setup->where.message};
    clump_status status = clump_io_ouster_metadata(&json, setup->metadata, setup->metadata_size, info);
    if (status == CLUMP_OK && real_size(first->size) != info->layout.packet && recognise(first->bytes, first->size))
        status =
            clump_io_fail(&setup->where, CLUMP_ERR_IO_FORMAT,
                          "the JSON file is not of this sensor: it says packets of %u bytes (%s, %u beams), but the "
                          "packets have %zu",
                          info->layout.packet, info->profile->name, info->pixels, real_size(first->size));
    if (status != CLUMP_OK) {
        free(state);
        return status;
    }
    state->decoder.organised = setup->organised && !setup->count_only;
    clump_io_ouster_tables_prepare(&state->decoder.tables, info);
    clump_io_ouster_fields_prepare(&state->decoder.fields, info->profile);
    clump_io_ouster_crc_prepare(&state->crc);
    *state_out = state;
    return CLUMP_OK;
}

static void destroy(void *state)
{
    free(state);
}

static const char *model(const void *of)
{
    const ouster_state *const state = of;
    return state->decoder.info.model;
}

static const clump_io_shape *fields(const void *of, size_t *count)
{
    const ouster_state *const state = of;
    *count = state->decoder.fields.count;
    return state->decoder.fields.shapes;
}

static size_t most_points(const void *of)
{
    const clump_io_ouster_info *const info = &((const ouster_state *)of)->decoder.info;
    return (size_t)info->pixels * (clump_io_ouster_has(info->profile, CLUMP_IO_OUSTER_RANGE2) ? 2 : 1);
}

static void shape(const void *of, size_t *width, size_t *height)
{
    const ouster_state *const state = of;
    *width = state->decoder.organised ? state->decoder.info.columns : 0;
    *height = state->decoder.organised ? state->decoder.info.pixels : 0;
}

static void restart(void *of)
{
    ouster_state *const state = of;
    state->turn.open = state->cut = state->anchored = false;
    state->part_count = 0;
}

/* --- packets -------------------------------------------------------------------------------------------- */

/* Whether the packet has data of the sensor that is not lidar data. */
static bool is_other_data(const clump_io_ouster_info *info, const clump_io_packet *packet)
{
    if (real_size(packet->size) == OUSTER_IMU_SIZE) return true;
    if (info->profile->legacy || packet->size < 64) return false;
    const uint32_t type = info->fusa ? packet->bytes[0] : clump_io_u16(packet->bytes);
    return type > OUSTER_TYPE_LIDAR && type <= OUSTER_TYPE_LAST;
}

/* Whether size and type are those of a lidar packet. */
static bool is_lidar_data(const clump_io_ouster_info *info, const clump_io_packet *packet)
{
    if (real_size(packet->size) != info->layout.packet) return false;
    if (info->profile->legacy) return true;
    return (info->fusa ? packet->bytes[0] : clump_io_u16(packet->bytes)) == OUSTER_TYPE_LIDAR;
}

/* Whether the checksum is right, or the firmware writes none: 0, a constant, or something that has never been right. */
static bool crc_fits(ouster_state *state, const clump_io_packet *packet)
{
    const clump_io_ouster_info *const info = &state->decoder.info;
    if (info->profile->legacy || info->fusa) return true;
    const size_t summed = info->layout.packet - 8;
    const uint64_t stored = clump_io_u64(packet->bytes + summed);
    const bool expected = info->has_crc || state->crc_seen;
    if (!expected && (stored == 0 || stored == ouster_no_crc)) return true;
    const bool right = clump_io_ouster_crc_of(&state->crc, packet->bytes, summed) == stored;
    state->crc_seen |= right;
    return right || !expected;
}

/* Lists the valid columns. False: a column that the sensor does not have. */
static bool list_parts(ouster_state *state, const unsigned char *packet)
{
    const clump_io_ouster_info *const info = &state->decoder.info;
    state->part_count = 0;
    for (uint32_t i = 0; i < info->packet_columns; i++) {
        const unsigned char *const column = clump_io_ouster_column(info, packet, i);
        if (!(clump_io_ouster_column_status(info, column) & 1)) continue;
        if (clump_io_ouster_column_measurement(column) >= info->columns) return state->part_count = 0, false;
        state->parts[state->part_count++] = (uint16_t)i;
    }
    return true;
}

/* Sets the offset from the sensor's time. The packet was recorded when its last column had been measured. */
static void anchor_time(ouster_state *state, uint64_t newest, int64_t received)
{
    if (newest >= ouster_since_1970) {
        state->offset = 0;
        state->anchored = false;
        return;
    }
    if (!received) return;
    const int64_t drift = (int64_t)((uint64_t)received - (newest + state->offset));
    if (state->anchored && drift > -ouster_jump && drift < ouster_jump) return;
    state->offset = (uint64_t)received - newest;
    state->anchored = true;
}

static const unsigned char *part_column(const ouster_state *state, size_t part)
{
    return clump_io_ouster_column(&state->decoder.info, state->packet, state->parts[part]);
}

static size_t begin(void *of, const clump_io_packet *packet, bool *damaged, uint64_t *lost, uint64_t *reordered)
{
    ouster_state *const state = of;
    const clump_io_ouster_info *const info = &state->decoder.info;
    *damaged = false;
    state->part_count = 0;
    if (!is_lidar_data(info, packet)) {
        *damaged = !is_other_data(info, packet);
        return 0;
    }
    if (!crc_fits(state, packet) || !list_parts(state, packet->bytes)) {
        *damaged = true;
        return 0;
    }
    if (!state->part_count) return 0;
    state->packet = packet->bytes;
    const uint32_t measurement = clump_io_ouster_column_measurement(part_column(state, 0));
    const clump_io_ouster_verdict verdict =
        clump_io_ouster_turn_take(&state->turn, info, packet->bytes, measurement, lost, reordered);
    if (verdict == CLUMP_IO_OUSTER_REFUSE) return state->part_count = 0;
    state->cut |= verdict == CLUMP_IO_OUSTER_CUT;
    anchor_time(state, clump_io_ouster_column_time(part_column(state, state->part_count - 1)), packet->received);
    return state->part_count;
}

static bool cuts(void *of, size_t part)
{
    CLUMP_ASSERT(part < ((const ouster_state *)of)->part_count);
    ouster_state *const state = of;
    const bool cut = state->cut && part == 0;
    if (cut) state->cut = false;
    return cut;
}

static int64_t part_time(const void *of, size_t part)
{
    CLUMP_ASSERT(part < ((const ouster_state *)of)->part_count);
    const ouster_state *const state = of;
    return (int64_t)(clump_io_ouster_column_time(part_column(state, part)) + state->offset);
}

static int part_azimuth(const void *of, size_t part)
{
    CLUMP_ASSERT(part < ((const ouster_state *)of)->part_count);
    const ouster_state *const state = of;
    const uint32_t columns = state->decoder.info.columns;
    return (int)(clump_io_ouster_column_measurement(part_column(state, part)) % columns * 36000ull / columns);
}

static void append(void *of, size_t part, clump_io_filling *to)
{
    CLUMP_ASSERT(part < ((const ouster_state *)of)->part_count);
    const ouster_state *const state = of;
    const int64_t after = (int64_t)((uint64_t)part_time(state, part) - (uint64_t)to->stamp);
    const float time = to->stamp ? (float)((double)after * 1e-9) : 0;
    clump_io_ouster_append(&state->decoder, part_column(state, part), time, to);
}

const clump_io_sensor clump_io_sensor_ouster = {.maker = "Ouster",
                                                .recognise = recognise,
                                                .create = create,
                                                .destroy = destroy,
                                                .model = model,
                                                .fields = fields,
                                                .most_points = most_points,
                                                .shape = shape,
                                                .begin = begin,
                                                .cuts = cuts,
                                                .part_time = part_time,
                                                .append = append,
                                                .restart = restart,
                                                .azimuth = part_azimuth};
