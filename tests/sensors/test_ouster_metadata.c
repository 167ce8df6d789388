/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster_metadata.c: the JSON file of Ouster sensors: what it may leave out, its faults.
 */
#include "sensors/test_ouster.h"

static void firmware_1_needs_no_data_format(void)
{
    clump_io_ouster_info info;
    const clump_io_where where = {.message = &ouster_why};
    const char json[] = "{\"prod_line\": \"OS-1-4\", \"lidar_mode\": \"512x20\", \"beam_altitude_angles\": [1, 2],"
                        "\"beam_azimuth_angles\": [3.5, -3.5]}";
    CHECK_INT(clump_io_ouster_metadata(&where, json, strlen(json), &info), CLUMP_OK);
    CHECK_TEXT(info.profile->name, "LEGACY");
    CHECK_INT(info.columns, 512);
    CHECK_INT(info.packet_columns, 16);
    CHECK_INT(info.pixels, 2);
    CHECK_INT(info.layout.packet, 16 * (20 + 24));
    CHECK_INT(info.window_last, 511);
    CHECK_INT(info.pixel_shift[0], 5);
    CHECK_INT(info.pixel_shift[1], 507);
    CHECK(info.beam_x == 15.806 && info.to_sensor[11] == 36.18);

    /* As a later client writes it: the answer of the sensor is in place of the group. */
    const char nested[] =
        "{\"beam_intrinsics\": {\"beam_altitude_angles\": [1.4499999999999999, 2],"
        "\"beam_azimuth_angles\": [0, 0]}, \"lidar_data_format\": \"error: Command not recognized.\","
        "\"config_params\": {\"lidar_mode\": \"1024x10\"}, \"sensor_info\": {\"prod_line\": \"OS-2-2\"}}";
    CHECK_INT(clump_io_ouster_metadata(&where, nested, strlen(nested), &info), CLUMP_OK);
    CHECK_TEXT(info.model, "Ouster OS-2-2");
    CHECK_TEXT(info.profile->name, "LEGACY");
    CHECK_INT(info.columns, 1024);
    CHECK(info.altitude[0] == 1.45 && info.beam_x == 13.762);
}

static void faults_of_the_file_are_named(void)
{
    static const struct {
        const char *json, *sentence;
    } wrong[] = {
        {"{", "JSON, line 1: a string is expected"},
        {"[]", "the sensor's JSON has no beam_altitude_angles"},
        {"{\"beam_altitude_angles\": [1, \"x\"]}",
         "the sensor's JSON: beam_altitude_angles is not an array of at most 256 angles"},
        {"{\"beam_altitude_angles\": [1, 361]}", "the sensor's JSON: beam_altitude_angles has an angle of 361 degrees"},
        {"{\"beam_altitude_angles\": [1, 2]}", "the sensor's JSON has no beam_azimuth_angles"},
        {"{\"beam_altitude_angles\": [1, 2], \"beam_azimuth_angles\": [1]}",
         "the sensor's JSON: beam_azimuth_angles has 1 angles, but there are 2 beams"},
#define BEAMS "{\"beam_altitude_angles\": [1, 2], \"beam_azimuth_angles\": [1, 2]"
        {BEAMS "}", "the sensor's JSON has neither columns_per_frame nor a lidar_mode such as 1024x10"},
        {BEAMS ", \"lidar_mode\": \"1024\"}",
         "the sensor's JSON has neither columns_per_frame nor a lidar_mode such as 1024x10"},
        {BEAMS ", \"data_format\": {\"udp_profile_lidar\": \"RNG99\"}}",
         "packets of the Ouster profile RNG99 cannot be decoded"},
        {BEAMS ", \"data_format\": {\"udp_profile_lidar\": 3}}",
         "the sensor's JSON: udp_profile_lidar is not the name of a profile"},
        {BEAMS ", \"data_format\": {\"columns_per_frame\": 1e9}}",
         "the sensor's JSON: columns_per_frame is not a number between 1 and 4096"},
        {BEAMS ", \"data_format\": {\"columns_per_frame\": 64, \"pixels_per_column\": 3}}",
         "the sensor's JSON has the angles of 2 beams, but 3 pixels per column"},
        {BEAMS ", \"data_format\": {\"columns_per_frame\": 64, \"columns_per_packet\": 4096}}",
         "the sensor's JSON: 4096 columns of 2 pixels do not fit into a packet"},
        {BEAMS ", \"data_format\": {\"columns_per_frame\": 64, \"column_window\": [0, 64]}}",
         "the sensor's JSON: column_window is not the first and the last of 64 columns"},
        {BEAMS ", \"data_format\": {\"columns_per_frame\": 64, \"column_window\": 3}}",
         "the sensor's JSON: column_window is not the first and the last of 64 columns"},
        {BEAMS ", \"data_format\": {\"columns_per_frame\": 64, \"pixel_shift_by_row\": [1]}}",
         "the sensor's JSON: pixel_shift_by_row is not an array of 2 numbers"},
    };
    clump_io_ouster_info info;
    const clump_io_where where = {.message = &ouster_why};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_MSG(clump_io_ouster_metadata(&where, wrong[i].json, strlen(wrong[i].json), &info) != CLUMP_OK, "%s",
                  wrong[i].json);
        CHECK_TEXT(ouster_why.text, wrong[i].sentence);
    }
}

static void no_file_is_an_error(void)
{
    const clump_io_packet none = {(const unsigned char *)"", 0, 0};
    ouster_run run;
    CHECK_INT(ouster_begin(&run, NULL, 0, false, &none), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(ouster_why.text, "packets of an Ouster sensor need the sensor's JSON file (--metadata)");
}

static void hostile_files_are_safe(void)
{
    clump_io_ouster_info info;
    const clump_io_where where = {.message = &ouster_why};
    const char *const json = ouster_json(OUSTER_LOW, ", \"column_window\": [1, 30]");
    const size_t size = strlen(json);
    for (size_t cut = 0; cut < size; cut++) {
        char *const copy = malloc(cut + 1);
        memcpy(copy, json, cut);
        CHECK(clump_io_ouster_metadata(&where, copy, cut, &info) != CLUMP_OK);
        CHECK(ouster_why.text[0]);
        free(copy);
    }
    ouster_packet packet = ouster_make(OUSTER_LOW, 1, 0);
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            char *const copy = malloc(size);
            memcpy(copy, json, size);
            copy[i] = (char)(copy[i] ^ (1 << bit));
            ouster_run run;
            const clump_io_packet first = {packet.bytes, packet.size, 0};
            if (ouster_begin(&run, copy, size, bit & 1, &first) == CLUMP_OK)
                ouster_give(&run, packet.bytes, packet.size, 0);
            ouster_end(&run);
            free(copy);
        }
}

CHECK_PROGRAM(test_ouster_metadata)
{
    RUN(firmware_1_needs_no_data_format);
    RUN(faults_of_the_file_are_named);
    RUN(no_file_is_an_error);
    RUN(hostile_files_are_safe);
}
