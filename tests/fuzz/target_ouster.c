/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_ouster.c: the fuzz target for packets of Ouster sensors. The first byte selects profile and options. The packets
 * follow: two bytes of size, then the bytes.
 */
#include "target.h"

#include "sensors/ouster.h"

#include <string.h>

/* A sensor of 4 beams, 32 columns, 4 of them per packet. */
static const char fuzz_json[] =
    "{\"beam_altitude_angles\":[15,5,-5,-15],\"beam_azimuth_angles\":[3,1,-1,-3],\"data_format\":{\"columns_per_"
    "frame\":32,"
    "\"columns_per_packet\":4,\"pixel_shift_by_row\":[3,1,-1,-3],\"column_window\":[%s],\"udp_profile_lidar\":\"%s\"}}";

static void *create(uint8_t choice, bool organised)
{
    char json[512];
    const char *const profile = clump_io_ouster_profiles[(choice & 63) % clump_io_ouster_profile_count].name;
    snprintf(json, sizeof json, fuzz_json, choice & 64 ? "28,9" : "0,31", profile);
    clump_message why;
    const clump_io_sensor_setup setup = {
        .metadata = json, .metadata_size = strlen(json), .organised = organised, .where = {.message = &why}};
    const clump_io_packet none = {(const unsigned char *)"", 0, 0};
    void *state = NULL;
    if (clump_io_sensor_ouster.create(&setup, &none, &state) != CLUMP_OK) abort();
    return state;
}

/* Appends the parts of a packet to memory that has exactly the room that they may need. */
static void take(void *state, size_t parts, bool organised)
{
    size_t shapes, width, height;
    const clump_io_shape *const shape = clump_io_sensor_ouster.fields(state, &shapes);
    const size_t most = clump_io_sensor_ouster.most_points(state);
    clump_io_sensor_ouster.shape(state, &width, &height);
    const size_t room = organised ? width * height : most;
    clump_io_filling to = {.room = room, .xyz = malloc(3 * room * sizeof(float))};
    for (size_t k = 0; k < shapes; k++) to.fields[k] = malloc(room * clump_type_size(shape[k].type));
    for (size_t i = 0; i < parts; i++) {
        to.count = organised ? room : 0;
        clump_io_sensor_ouster.cuts(state, i);
        if (!i) to.stamp = clump_io_sensor_ouster.part_time(state, i);
        clump_io_sensor_ouster.append(state, i, &to);
        if (to.count > room) abort();
    }
    for (size_t k = 0; k < shapes; k++) free(to.fields[k]);
    free(to.xyz);
}

FUZZ_TARGET(ouster)
{
    if (!size) return 0;
    const bool organised = data[0] & 128;
    void *const state = create(data[0], organised);
    for (size_t at = 1, packets = 0; at + 2 <= size && packets < 64; packets++) {
        const size_t left = size - at - 2, wanted = (size_t)(data[at] | data[at + 1] << 8);
        const size_t length = wanted < left ? wanted : left;
        unsigned char *const exact = malloc(length ? length : 1);
        memcpy(exact, data + at + 2, length);
        at += 2 + length;
        const clump_io_packet packet = {exact, length, (int64_t)packets * 1000};
        bool damaged;
        uint64_t lost = 0, reordered = 0;
        clump_io_sensor_ouster.recognise(exact, length);
        const size_t parts = clump_io_sensor_ouster.begin(state, &packet, &damaged, &lost, &reordered);
        if (damaged && parts) abort();
        take(state, parts, organised);
        free(exact);
        if (wanted == 0) clump_io_sensor_ouster.restart(state);
    }
    clump_io_sensor_ouster.destroy(state);
    return 0;
}
