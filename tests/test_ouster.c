/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster.c: packets of Ouster sensors, made here: fields, geometry, frames, checksums, times, the JSON file.
 */
#include "test_ouster.h"

#define LOW "RNG15_RFL8_NIR8"

static ouster_run begun(const char *json, bool organised)
{
    ouster_run run;
    const clump_io_packet none = {(const unsigned char *)"", 0, 0};
    if (ouster_begin(&run, json, strlen(json), organised, &none) != CLUMP_OK) CHECK_FAIL("%s", ouster_why.text);
    return run;
}

/* Gives a packet of the low profile, all of whose pixels have a return. */
static size_t give_low(ouster_run *run, uint32_t frame, uint32_t first)
{
    ouster_packet packet = ouster_make(LOW, frame, first);
    ouster_fill_low(&packet, 500);
    return ouster_give(run, packet.bytes, packet.size, 0);
}

static void give_frame(ouster_run *run, uint32_t frame)
{
    for (uint32_t first = 0; first < OUSTER_COLUMNS; first += OUSTER_PACKET_COLUMNS) give_low(run, frame, first);
}

/* --- fields --------------------------------------------------------------------------------------------- */

/* Bytes of a pixel, and what they say. The pixel is the second of the first column. */
static const struct {
    const char *profile;
    unsigned char pixel[20];
    uint32_t range[2], reflectivity[2], intensity[2], ambient; /* ambient UINT32_MAX: none */
} pixels[] = {
    {"LEGACY",
     {0x45, 0x23, 0xf1, 0xff, 0x34, 0x12, 0x78, 0x56, 0xbc, 0x9a},
     {0x12345, 0},
     {0x1234, 0},
     {0x5678, 0},
     0x9abc},
    {"RNG19_RFL8_SIG16_NIR16",
     {0x45, 0x23, 0xf9, 0xff, 0x34, 0xff, 0x78, 0x56, 0xbc, 0x9a, 0xff, 0xff},
     {0x12345, 0},
     {0x34, 0},
     {0x5678, 0},
     0x9abc},
    {"RNG19_RFL8_SIG16_NIR16_ZONE16",
     {0x45, 0x23, 0xf9, 0xff, 0x34, 0xff, 0x78, 0x56, 0xbc, 0x9a, 0xff, 0xff},
     {0x12345, 0},
     {0x34, 0},
     {0x5678, 0},
     0x9abc},
    {"RNG19_RFL8_SIG16_NIR16_DUAL",
     {0x45, 0x23, 0xf9, 0x34, 0x56, 0x34, 0xfa, 0x35, 0x78, 0x56, 0x79, 0x57, 0xbc, 0x9a, 0xff, 0xff},
     {0x12345, 0x23456},
     {0x34, 0x35},
     {0x5678, 0x5779},
     0x9abc},
    {"FIVE_WORD_PIXEL",
     {0x45, 0x23, 0xf9, 0x34, 0x56, 0x34, 0xfa, 0x35, 0x78, 0x56, 0x79, 0x57, 0xbc, 0x9a, 0xff, 0xff, 1},
     {0x12345, 0x23456},
     {0x34, 0x35},
     {0x5678, 0x5779},
     0x9abc},
    {"RNG19_RFL8_SIG16_ZONE16_DUAL",
     {0x45, 0x23, 0xf9, 0x34, 0x56, 0x34, 0xfa, 0x35, 0x78, 0x56, 0x79, 0x57, 0xbc, 0x9a, 0xff, 0xff},
     {0x12345, 0x23456},
     {0x34, 0x35},
     {0x5678, 0x5779},
     UINT32_MAX},
    {LOW, {0x45, 0xa3, 0x34, 0x9a}, {0x2345 * 8, 0}, {0x34, 0}, {0x34, 0}, 0x9a0},
    {"RNG15_RFL8_WIN8", {0x45, 0xa3, 0x34, 0x9a}, {0x2345 * 8, 0}, {0x34, 0}, {0x34, 0}, UINT32_MAX},
    {"RNG15_RFL8_NIR8_ZONE16",
     {0x45, 0xa3, 0x34, 0x9a, 0xff, 0xff, 0xff},
     {0x2345 * 8, 0},
     {0x34, 0},
     {0x34, 0},
     0x9a0},
    {"RNG15_RFL8_NIR8_DUAL",
     {0x45, 0xa3, 0x34, 0x9a, 0x46, 0x23, 0x35, 0xff},
     {0x2345 * 8, 0x2346 * 8},
     {0x34, 0x35},
     {0x34, 0x35},
     0x9a0},
    {"FUSA_RNG15_RFL8_NIR8_DUAL",
     {0x45, 0xa3, 0x34, 0x9a, 0x46, 0x23, 0x35, 0xff},
     {0x2345 * 8, 0x2346 * 8},
     {0x34, 0x35},
     {0x34, 0x35},
     0x9a0},
    {"RNG19_RFL8_SIG16_NIR16_RGB16",
     {0x45, 0x23, 0xf9, 0x34, 0x78, 0x56, 0xbc, 0x9a, 1, 2, 3, 4, 5, 6},
     {0x12345, 0},
     {0x34, 0},
     {0x5678, 0},
     0x9abc},
    {"RNG19_RFL8_SIG16_NIR16_RGB16_DUAL",
     {0x45, 0x23, 0xf9, 0x34, 0x56, 0x34, 0xfa, 0x35, 0x78, 0x56, 0x79, 0x57, 0xbc, 0x9a, 1, 2, 3, 4, 5, 6},
     {0x12345, 0x23456},
     {0x34, 0x35},
     {0x5678, 0x5779},
     0x9abc},
};

static void check_pixel(const ouster_run *run, size_t which, size_t i)
{
    const char *const name = pixels[which].profile;
    const uint16_t *const ambient = ouster_field(run, "ambient");
    const uint8_t *const returns = ouster_field(run, "return");
    CHECK_MSG(((const float *)ouster_field(run, "intensity"))[i] == (float)pixels[which].intensity[i], "%s", name);
    CHECK_MSG(((const uint16_t *)ouster_field(run, "ring"))[i] == 2, "%s", name);
    CHECK_MSG(((const float *)ouster_field(run, "time"))[i] == 0, "%s", name);
    CHECK_MSG(((const uint32_t *)ouster_field(run, "range"))[i] == pixels[which].range[i], "%s", name);
    CHECK_MSG(((const uint16_t *)ouster_field(run, "reflectivity"))[i] == pixels[which].reflectivity[i], "%s", name);
    CHECK_MSG((ambient != NULL) == (pixels[which].ambient != UINT32_MAX), "%s", name);
    CHECK_MSG(!ambient || ambient[i] == pixels[which].ambient, "%s", name);
    CHECK_MSG((returns != NULL) == (pixels[which].range[1] != 0), "%s", name);
    CHECK_MSG(!returns || returns[i] == i, "%s", name);
}

static void every_profile_is_decoded(void)
{
    CHECK_INT(sizeof pixels / sizeof pixels[0], clump_io_ouster_profile_count);
    for (size_t k = 0; k < sizeof pixels / sizeof pixels[0]; k++) {
        const char *const profile = pixels[k].profile;
        ouster_run run = begun(ouster_json(profile, ""), false);
        ouster_packet packet = ouster_make(profile, 7, 8);
        memcpy(ouster_pixel(&packet, profile, 0, 1), pixels[k].pixel, clump_io_ouster_profile_of(profile)->pixel_size);
        CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), OUSTER_PACKET_COLUMNS);
        const size_t returns = pixels[k].range[1] ? 2 : 1;
        CHECK_INT(clump_io_sensor_ouster.most_points(run.state), OUSTER_PIXELS * returns);
        CHECK_INT(run.filling.count, returns);
        for (size_t i = 0; i < returns && run.filling.count == returns; i++) check_pixel(&run, k, i);
        CHECK_INT(run.damaged, 0);
        CHECK_TEXT(clump_io_sensor_ouster.model(run.state), "Ouster OS-1-4");
        ouster_end(&run);
    }
}

/* --- geometry --------------------------------------------------------------------------------------------- */

/* The point as ouster-sdk's documentation computes it: angles in degrees, lengths in mm. */
static void reference(const double beam[2], const double *to_sensor, double azimuth, double altitude,
                      double measurement, double range, double point[3])
{
    const double degree = acos(-1) / 180, encoder = 360 - 360 * measurement / OUSTER_COLUMNS;
    const double n = sqrt(beam[0] * beam[0] + beam[1] * beam[1]);
    const double along = (range - n) * cos(altitude * degree);
    const double p[3] = {along * cos((encoder - azimuth) * degree) + beam[0] * cos(encoder * degree),
                         along * sin((encoder - azimuth) * degree) + beam[0] * sin(encoder * degree),
                         (range - n) * sin(altitude * degree) + beam[1]};
    for (int i = 0; i < 3; i++) {
        const double *const row = to_sensor + 4 * i;
        point[i] = 0.001 * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
    }
}

static void check_geometry(const char *json, const double beam[2], const double *to_sensor)
{
    static const double altitude[] = {15, 5, -5, -15}, azimuth[] = {3, 1, -1, -3};
    ouster_run run = begun(json, false);
    double worst = 0;
    for (uint32_t first = 0; first < OUSTER_COLUMNS; first += OUSTER_PACKET_COLUMNS) {
        ouster_packet packet = ouster_make(LOW, 1, first);
        ouster_fill_low(&packet, 100 + first * 900);
        ouster_give(&run, packet.bytes, packet.size, 0);
    }
    CHECK_INT(run.filling.count, OUSTER_COLUMNS * OUSTER_PIXELS);
    for (size_t i = 0; i < run.filling.count; i++) {
        const size_t column = i / OUSTER_PIXELS, row = i % OUSTER_PIXELS,
                     first = column - column % OUSTER_PACKET_COLUMNS;
        double point[3];
        reference(beam, to_sensor, azimuth[row], altitude[row], (double)column, 8.0 * (100 + (double)first * 900),
                  point);
        for (int a = 0; a < 3; a++) worst = fmax(worst, fabs(point[a] - (double)run.cloud->xyz[3 * i + (size_t)a]));
    }
    CHECK_MSG(worst < 1e-5, "%g", worst); /* half an ulp of float32 at 200 m is 8e-6 */
    ouster_end(&run);
}

static void points_are_in_the_frame_of_the_sensor(void)
{
    static const double flat[16] = {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 36.25, 0, 0, 0, 1};
    check_geometry(ouster_json(LOW, ""), (const double[]){15.5, 0}, flat);
    static const double turned[16] = {0.36, 0.48, -0.8, 10, -0.8, 0.6, 0, -20, 0.48, 0.64, 0.6, 30, 0, 0, 0, 1};
    char json[1500];
    snprintf(
        json, sizeof json,
        "{\"beam_intrinsics\": {\"beam_altitude_angles\": [15, 5, -5, -15], \"beam_azimuth_angles\": [3, 1, -1, -3],"
        "\"beam_to_lidar_transform\": [1, 0, 0, 30, 0, 1, 0, 0, 0, 0, 1, 40, 0, 0, 0, 1],"
        "\"lidar_origin_to_beam_origin_mm\": 1000},"
        "\"lidar_intrinsics\": {\"lidar_to_sensor_transform\": [0.36, 0.48, -0.8, 10, -0.8, 0.6, 0, -20,"
        "0.48, 0.64, 0.6, 30, 0, 0, 0, 1]},"
        "\"lidar_data_format\": {\"columns_per_frame\": 32, \"columns_per_packet\": 4},"
        "\"config_params\": {\"udp_profile_lidar\": \"" LOW "\"}}");
    check_geometry(json, (const double[]){30, 40}, turned);
}

static void images_are_shifted_row_by_row(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), true);
    CHECK_INT(run.width, OUSTER_COLUMNS);
    CHECK_INT(run.height, OUSTER_PIXELS);
    ouster_packet packet = ouster_make(LOW, 1, 28);
    ouster_put(ouster_pixel(&packet, LOW, 3, 0), 500, 2);   /* measurement 31, shifted by 3 */
    ouster_put(ouster_pixel(&packet, LOW, 0, 2), 600, 2);   /* measurement 28, shifted by -1 */
    ouster_put(ouster_pixel(&packet, LOW, 1, 1) + 3, 9, 1); /* no return, but near infrared */
    ouster_give(&run, packet.bytes, packet.size, 0);
    CHECK_INT(run.filling.count, OUSTER_COLUMNS * OUSTER_PIXELS);
    const uint32_t *const range = ouster_field(&run, "range");
    const uint16_t *const ring = ouster_field(&run, "ring"), *const ambient = ouster_field(&run, "ambient");
    for (size_t i = 0; i < run.filling.count; i++) {
        const bool first = i == 2, second = i == 2 * OUSTER_COLUMNS + 27;
        CHECK_INT(range[i], first ? 4000 : second ? 4800 : 0);
        CHECK_INT(isfinite(run.cloud->xyz[3 * i]) != 0, first || second);
        CHECK_INT(ambient[i], i == OUSTER_COLUMNS + 30 ? 9 * 16 : 0);
    }
    CHECK_INT(ring[2], 3);
    CHECK_INT(ring[2 * OUSTER_COLUMNS + 27], 1);
    ouster_end(&run);
}

/* --- frames ------------------------------------------------------------------------------------------------- */

static void frames_are_cut_by_number(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), false);
    for (uint32_t frame = 65534; frame < 65539; frame++) give_frame(&run, frame & 65535);
    CHECK_INT(run.frames, 4);
    for (size_t i = 0; i < 4; i++) CHECK_INT(run.points[i], OUSTER_COLUMNS * OUSTER_PIXELS);
    CHECK_INT(run.lost + run.reordered + run.damaged, 0);
    ouster_end(&run);
}

static void missing_packets_are_counted(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), false);
    give_low(&run, 10, 8); /* the recording begins in the middle: nothing is missing before */
    give_low(&run, 10, 16);
    CHECK_INT(run.lost, 0);
    give_low(&run, 11, 4); /* 10 lacks 12, 20, 24, 28 */
    CHECK_INT(run.lost, 4);
    give_low(&run, 13, 0); /* 11 lacks 7, 12 all 8 */
    CHECK_INT(run.lost, 4 + 7 + 8);
    give_low(&run, 13 + 601, 0); /* a pause */
    CHECK_INT(run.lost, 4 + 7 + 8);
    CHECK_INT(run.frames, 3);
    clump_io_sensor_ouster.restart(run.state);
    give_low(&run, 5, 12);
    CHECK_INT(run.frames, 3);
    CHECK_INT(run.lost, 4 + 7 + 8);
    CHECK_INT(run.reordered, 0);
    ouster_end(&run);
}

static void late_packets_are_taken_or_refused(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), false);
    give_low(&run, 10, 0);
    give_low(&run, 10, 8);
    CHECK_INT(give_low(&run, 10, 4), 4); /* late, but its frame is open */
    CHECK_INT(run.reordered, 1);
    CHECK_INT(give_low(&run, 10, 4), 0); /* twice */
    CHECK_INT(run.reordered, 2);
    for (uint32_t first = 12; first < OUSTER_COLUMNS; first += 4) give_low(&run, 10, first);
    give_low(&run, 11, 0);
    CHECK_INT(run.lost, 0);
    CHECK_INT(give_low(&run, 10, 28), 0); /* its frame is closed */
    CHECK_INT(run.reordered, 3);
    CHECK_INT(give_low(&run, 11, 4), 4);
    CHECK_INT(run.frames, 1);
    ouster_end(&run);
}

/* Recordings that are played in a loop, and sensors that begin anew, are read on. */
static void older_frames_are_read_again(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), false);
    for (int turn = 0; turn < 4; turn++)
        for (uint32_t frame = 100; frame < 102; frame++) give_frame(&run, frame);
    CHECK(run.frames >= 4);
    const size_t before = run.frames;
    give_frame(&run, 3); /* far back: at once */
    CHECK_INT(run.frames, before + 1);
    ouster_end(&run);

    run = begun(ouster_json(LOW, ""), false);
    for (int turn = 0; turn < 4; turn++) give_frame(&run, 100);
    CHECK(run.frames >= 1);
    ouster_end(&run);

    run = begun(ouster_json(LOW, ""), false);
    give_frame(&run, 100);
    ouster_packet packet = ouster_make(LOW, 99, 0);
    ouster_put(packet.bytes + 4, 77, 3); /* the sensor was started again */
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    CHECK_INT(run.frames, 1);
    CHECK_INT(run.lost + run.reordered, 0);
    ouster_end(&run);
}

/* The header of functional safety has 32 bits for the number of a frame; header_type selects it too. */
static void functional_safety_has_its_own_header(void)
{
    static const char *const profiles[] = {"FUSA_RNG15_RFL8_NIR8_DUAL", "RNG15_RFL8_NIR8_DUAL"};
    for (int k = 0; k < 2; k++) {
        ouster_run run = begun(ouster_json(profiles[k], k ? ", \"header_type\": \"FUSA\"" : ""), false);
        for (uint32_t frame = 65535; frame < 65538; frame++)
            for (uint32_t first = 0; first < OUSTER_COLUMNS; first += OUSTER_PACKET_COLUMNS) {
                ouster_packet packet = ouster_make(profiles[0], frame, first);
                ouster_put(packet.bytes + 1, 123456, 3);                   /* number of the start */
                ouster_put(packet.bytes + packet.size - 8, 0x12345678, 8); /* not a checksum */
                CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
            }
        CHECK_INT(run.frames, 2);
        CHECK_INT(run.lost + run.reordered + run.damaged, 0);
        ouster_packet packet = ouster_make(profiles[0], 65537 + 65536, 0); /* not the open frame once more */
        ouster_put(packet.bytes + 1, 123456, 3);
        CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
        CHECK_INT(run.frames, 3);
        ouster_end(&run);
    }
}

static void columns_beside_the_window_are_left_out(void)
{
    ouster_run run = begun(ouster_json(LOW, ", \"column_window\": [6, 17]"), false);
    for (uint32_t frame = 1; frame < 3; frame++)
        for (uint32_t first = 4; first < 20; first += 4) {
            ouster_packet packet = ouster_make(LOW, frame, first);
            ouster_fill_low(&packet, 500);
            for (uint32_t i = 0; i < 4; i++)
                if (first + i < 6 || first + i > 17) packet.bytes[32 + i * 28 + 10] = 0;
            CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), first == 4 || first == 16 ? 2 : 4);
        }
    CHECK_INT(run.points[0], 12 * OUSTER_PIXELS);
    CHECK_INT(run.lost, 0);
    ouster_end(&run);
    run = begun(ouster_json(LOW, ", \"column_window\": [28, 3]"), false); /* around column 0 */
    give_low(&run, 1, 0);
    give_low(&run, 2, 0);
    CHECK_INT(run.lost, 1);
    ouster_end(&run);
}

/* --- packets --------------------------------------------------------------------------------------------------- */

static void sign(ouster_packet *packet)
{
    static clump_io_ouster_crc crc;
    clump_io_ouster_crc_prepare(&crc);
    ouster_put(packet->bytes + packet->size - 8, clump_io_ouster_crc_of(&crc, packet->bytes, packet->size - 8), 8);
}

static void checksums_are_those_of_xz(void)
{
    static clump_io_ouster_crc crc;
    clump_io_ouster_crc_prepare(&crc);
    const unsigned char text[] = "123456789123456789";
    CHECK(clump_io_ouster_crc_of(&crc, text, 9) == 0x995dc9bbdf1939fa); /* the check value of the catalogues */
    CHECK(clump_io_ouster_crc_of(&crc, text, 0) == 0);
}

static void wrong_checksums_are_damage(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), false);
    ouster_packet packet = ouster_make(LOW, 1, 0);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4); /* 0: none */
    packet = ouster_make(LOW, 1, 4);
    ouster_put(packet.bytes + packet.size - 8, 0xdeadbeef0000c0de, 8);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    packet = ouster_make(LOW, 1, 8);
    sign(&packet);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    CHECK_INT(run.damaged, 0);
    packet = ouster_make(LOW, 1, 12); /* now all must have one */
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0);
    CHECK_INT(run.damaged, 1);
    sign(&packet);
    packet.bytes[60] ^= 4;
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0);
    packet.bytes[60] ^= 4;
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    CHECK_INT(run.damaged, 2);
    ouster_end(&run);
}

static void late_firmware_always_has_checksums(void)
{
    char json[2200];
    snprintf(json, sizeof json, "{\"image_rev\": \"ousteros-image-prod-bootes-v3.2.0+2026\", %s",
             ouster_json(LOW, "") + 1);
    ouster_run run = begun(json, false);
    ouster_packet packet = ouster_make(LOW, 1, 0);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0);
    CHECK_INT(run.damaged, 1);
    sign(&packet);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    ouster_end(&run);
}

static void other_packets_are_no_data(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), false);
    ouster_packet packet = ouster_make(LOW, 1, 0);
    CHECK_INT(ouster_give(&run, packet.bytes, 48, 0), 0); /* accelerations */
    CHECK_INT(ouster_give(&run, packet.bytes, 49, 0), 0); /* as old drivers recorded them */
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size + 1, 0), 4);
    packet.bytes[0] = 2;
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0);
    CHECK_INT(ouster_give(&run, packet.bytes, 800, 0), 0);
    CHECK_INT(run.damaged, 0);
    packet.bytes[0] = 9;
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0);
    packet.bytes[0] = 1;
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size - 2, 0), 0);
    CHECK_INT(ouster_give(&run, packet.bytes, 0, 0), 0);
    packet.bytes[32 + 8] = OUSTER_COLUMNS; /* a column that is not there */
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0);
    CHECK_INT(run.damaged, 4);
    packet.bytes[32 + 10] = 0; /* not valid: its number does not matter */
    packet.bytes[32 + 28 + 10] = 0;
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0); /* a second time */
    CHECK_INT(run.reordered, 1);
    ouster_end(&run);
}

static void packets_are_recognised(void)
{
    for (size_t k = 0; k < clump_io_ouster_profile_count; k++) {
        const char *const profile = clump_io_ouster_profiles[k].name;
        ouster_packet packet = ouster_make(profile, 3, 12);
        CHECK_MSG(clump_io_sensor_ouster.recognise(packet.bytes, packet.size), "%s", profile);
        CHECK_MSG(clump_io_sensor_ouster.recognise(packet.bytes, packet.size + 1), "%s", profile);
        CHECK_MSG(!clump_io_sensor_ouster.recognise(packet.bytes, packet.size - 2), "%s", profile);
    }
    ouster_packet packet = ouster_make(LOW, 3, 12);
    for (uint32_t i = 0; i < 3; i++) packet.bytes[32 + 28 * i + 10] = 0; /* one column is valid, all are numbered */
    CHECK(clump_io_sensor_ouster.recognise(packet.bytes, packet.size));
    packet.bytes[32 + 8] = 0;
    CHECK(!clump_io_sensor_ouster.recognise(packet.bytes, packet.size));
    packet.bytes[32 + 28 * 2 + 10] = 1; /* two are */
    CHECK(clump_io_sensor_ouster.recognise(packet.bytes, packet.size));
    packet.bytes[32 + 28 * 2 + 8]++;
    CHECK(!clump_io_sensor_ouster.recognise(packet.bytes, packet.size));
}

static void times_are_since_1970(void)
{
    ouster_run run = begun(ouster_json(LOW, ""), false);
    ouster_packet packet = ouster_make(LOW, 0, 0); /* columns at 5.000 to 5.003 s */
    const int64_t now = 1700000000000000000;
    ouster_fill_low(&packet, 500);
    ouster_give(&run, packet.bytes, packet.size, now);
    CHECK_INT(run.filling.stamp, now - 3000000);
    const float *const time = ouster_field(&run, "time");
    CHECK(time[0] == 0 && fabsf(time[3 * OUSTER_PIXELS] - 0.003f) < 1e-7f);
    packet = ouster_make(LOW, 1, 0); /* 32 ms later; a delay of the recording does not count */
    ouster_give(&run, packet.bytes, packet.size, now + 200000000);
    CHECK_INT(run.filling.stamp, now - 3000000 + 32000000);
    packet = ouster_make(LOW, 2, 0); /* the clock was set anew */
    ouster_give(&run, packet.bytes, packet.size, now + 5000000000);
    CHECK_INT(run.filling.stamp, now - 3000000 + 5000000000);
    packet = ouster_make(LOW, 3, 0); /* synchronised now */
    for (int i = 0; i < 4; i++) ouster_put(packet.bytes + 32 + 28 * i, (uint64_t)now + 7, 8);
    ouster_give(&run, packet.bytes, packet.size, now + 6000000000);
    CHECK_INT(run.filling.stamp, now + 7);
    ouster_end(&run);
}

/* --- the JSON file ---------------------------------------------------------------------------------------------- */

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

/* --- hostile ---------------------------------------------------------------------------------------------------- */

static void hostile_files_are_safe(void)
{
    clump_io_ouster_info info;
    const clump_io_where where = {.message = &ouster_why};
    const char *const json = ouster_json(LOW, ", \"column_window\": [1, 30]");
    const size_t size = strlen(json);
    for (size_t cut = 0; cut < size; cut++) {
        char *const copy = malloc(cut + 1);
        memcpy(copy, json, cut);
        CHECK(clump_io_ouster_metadata(&where, copy, cut, &info) != CLUMP_OK);
        CHECK(ouster_why.text[0]);
        free(copy);
    }
    ouster_packet packet = ouster_make(LOW, 1, 0);
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

static void hostile_packets_are_safe(void)
{
    uint64_t seed = 18;
    for (size_t k = 0; k < clump_io_ouster_profile_count; k++) {
        const char *const profile = clump_io_ouster_profiles[k].name;
        ouster_run run = begun(ouster_json(profile, ""), k % 2);
        const ouster_packet packet = ouster_make(profile, 1, 0);
        for (size_t size = 0; size <= packet.size + 2; size++) {
            unsigned char *const exact = malloc(size ? size : 1);
            memcpy(exact, packet.bytes, size);
            clump_io_sensor_ouster.recognise(exact, size);
            ouster_give(&run, exact, size, 1);
            free(exact);
        }
        for (int i = 0; i < 3000; i++) {
            unsigned char *const exact = malloc(packet.size);
            memcpy(exact, packet.bytes, packet.size);
            for (int flips = 0; flips < 1 + i % 8; flips++)
                exact[check_random(&seed) % packet.size] ^= (unsigned char)(1 << check_random(&seed) % 8);
            ouster_give(&run, exact, packet.size, (int64_t)check_random(&seed));
            if (!run.width && run.filling.count > 5000) ouster_cut(&run);
            free(exact);
        }
        ouster_end(&run);
    }
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(every_profile_is_decoded);
    RUN(points_are_in_the_frame_of_the_sensor);
    RUN(images_are_shifted_row_by_row);
    RUN(frames_are_cut_by_number);
    RUN(missing_packets_are_counted);
    RUN(late_packets_are_taken_or_refused);
    RUN(older_frames_are_read_again);
    RUN(functional_safety_has_its_own_header);
    RUN(columns_beside_the_window_are_left_out);
    RUN(checksums_are_those_of_xz);
    RUN(wrong_checksums_are_damage);
    RUN(late_firmware_always_has_checksums);
    RUN(other_packets_are_no_data);
    RUN(packets_are_recognised);
    RUN(times_are_since_1970);
    RUN(firmware_1_needs_no_data_format);
    RUN(faults_of_the_file_are_named);
    RUN(no_file_is_an_error);
    RUN(hostile_files_are_safe);
    RUN(hostile_packets_are_safe);
    return CHECK_END();
}
