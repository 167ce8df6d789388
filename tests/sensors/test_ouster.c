/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster.c: packets of Ouster sensors, made here: fields and geometry of the points, hostile packets.
 */
#include "sensors/test_ouster.h"

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
    {OUSTER_LOW, {0x45, 0xa3, 0x34, 0x9a}, {0x2345 * 8, 0}, {0x34, 0}, {0x34, 0}, 0x9a0},
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
        ouster_run run = ouster_begun(ouster_json(profile, ""), false);
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
    ouster_run run = ouster_begun(json, false);
    double worst = 0;
    for (uint32_t first = 0; first < OUSTER_COLUMNS; first += OUSTER_PACKET_COLUMNS) {
        ouster_packet packet = ouster_make(OUSTER_LOW, 1, first);
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
    check_geometry(ouster_json(OUSTER_LOW, ""), (const double[]){15.5, 0}, flat);
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
        "\"config_params\": {\"udp_profile_lidar\": \"" OUSTER_LOW "\"}}");
    check_geometry(json, (const double[]){30, 40}, turned);
}

static void images_are_shifted_row_by_row(void)
{
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), true);
    CHECK_INT(run.width, OUSTER_COLUMNS);
    CHECK_INT(run.height, OUSTER_PIXELS);
    ouster_packet packet = ouster_make(OUSTER_LOW, 1, 28);
    ouster_put(ouster_pixel(&packet, OUSTER_LOW, 3, 0), 500, 2);   /* measurement 31, shifted by 3 */
    ouster_put(ouster_pixel(&packet, OUSTER_LOW, 0, 2), 600, 2);   /* measurement 28, shifted by -1 */
    ouster_put(ouster_pixel(&packet, OUSTER_LOW, 1, 1) + 3, 9, 1); /* no return, but near infrared */
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

/* --- hostile ---------------------------------------------------------------------------------------------------- */

static void hostile_packets_are_safe(void)
{
    uint64_t seed = 18;
    for (size_t k = 0; k < clump_io_ouster_profile_count; k++) {
        const char *const profile = clump_io_ouster_profiles[k].name;
        ouster_run run = ouster_begun(ouster_json(profile, ""), k % 2);
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

CHECK_PROGRAM(test_ouster)
{
    RUN(every_profile_is_decoded);
    RUN(points_are_in_the_frame_of_the_sensor);
    RUN(images_are_shifted_row_by_row);
    RUN(hostile_packets_are_safe);
}
