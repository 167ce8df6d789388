/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster_frames.c: packets of Ouster sensors: where frames end, what is lost or late, checksums, times.
 */
#include "sensors/test_ouster.h"

/* --- frames ------------------------------------------------------------------------------------------------- */

static void frames_are_cut_by_number(void)
{
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    for (uint32_t frame = 65534; frame < 65539; frame++) ouster_give_frame(&run, frame & 65535);
    CHECK_INT(run.frames, 4);
    for (size_t i = 0; i < 4; i++) CHECK_INT(run.points[i], OUSTER_COLUMNS * OUSTER_PIXELS);
    CHECK_INT(run.lost + run.reordered + run.damaged, 0);
    ouster_end(&run);
}

static void missing_packets_are_counted(void)
{
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    ouster_give_low(&run, 10, 8); /* the recording begins in the middle: nothing is missing before */
    ouster_give_low(&run, 10, 16);
    CHECK_INT(run.lost, 0);
    ouster_give_low(&run, 11, 4); /* 10 lacks 12, 20, 24, 28 */
    CHECK_INT(run.lost, 4);
    ouster_give_low(&run, 13, 0); /* 11 lacks 7, 12 all 8 */
    CHECK_INT(run.lost, 4 + 7 + 8);
    ouster_give_low(&run, 13 + 601, 0); /* a pause */
    CHECK_INT(run.lost, 4 + 7 + 8);
    CHECK_INT(run.frames, 3);
    clump_io_sensor_ouster.restart(run.state);
    ouster_give_low(&run, 5, 12);
    CHECK_INT(run.frames, 3);
    CHECK_INT(run.lost, 4 + 7 + 8);
    CHECK_INT(run.reordered, 0);
    ouster_end(&run);
}

static void late_packets_are_taken_or_refused(void)
{
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    ouster_give_low(&run, 10, 0);
    ouster_give_low(&run, 10, 8);
    CHECK_INT(ouster_give_low(&run, 10, 4), 4); /* late, but its frame is open */
    CHECK_INT(run.reordered, 1);
    CHECK_INT(ouster_give_low(&run, 10, 4), 0); /* twice */
    CHECK_INT(run.reordered, 2);
    for (uint32_t first = 12; first < OUSTER_COLUMNS; first += 4) ouster_give_low(&run, 10, first);
    ouster_give_low(&run, 11, 0);
    CHECK_INT(run.lost, 0);
    CHECK_INT(ouster_give_low(&run, 10, 28), 0); /* its frame is closed */
    CHECK_INT(run.reordered, 3);
    CHECK_INT(ouster_give_low(&run, 11, 4), 4);
    CHECK_INT(run.frames, 1);
    ouster_end(&run);
}

/* Recordings that are played in a loop, and sensors that begin anew, are read on. */
static void older_frames_are_read_again(void)
{
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    for (int turn = 0; turn < 4; turn++)
        for (uint32_t frame = 100; frame < 102; frame++) ouster_give_frame(&run, frame);
    CHECK(run.frames >= 4);
    const size_t before = run.frames;
    ouster_give_frame(&run, 3); /* far back: at once */
    CHECK_INT(run.frames, before + 1);
    ouster_end(&run);

    run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    for (int turn = 0; turn < 4; turn++) ouster_give_frame(&run, 100);
    CHECK(run.frames >= 1);
    ouster_end(&run);

    run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    ouster_give_frame(&run, 100);
    ouster_packet packet = ouster_make(OUSTER_LOW, 99, 0);
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
        ouster_run run = ouster_begun(ouster_json(profiles[k], k ? ", \"header_type\": \"FUSA\"" : ""), false);
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
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ", \"column_window\": [6, 17]"), false);
    for (uint32_t frame = 1; frame < 3; frame++)
        for (uint32_t first = 4; first < 20; first += 4) {
            ouster_packet packet = ouster_make(OUSTER_LOW, frame, first);
            ouster_fill_low(&packet, 500);
            for (uint32_t i = 0; i < 4; i++)
                if (first + i < 6 || first + i > 17) packet.bytes[32 + i * 28 + 10] = 0;
            CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), first == 4 || first == 16 ? 2 : 4);
        }
    CHECK_INT(run.points[0], 12 * OUSTER_PIXELS);
    CHECK_INT(run.lost, 0);
    ouster_end(&run);
    run = ouster_begun(ouster_json(OUSTER_LOW, ", \"column_window\": [28, 3]"), false); /* around column 0 */
    ouster_give_low(&run, 1, 0);
    ouster_give_low(&run, 2, 0);
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
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    ouster_packet packet = ouster_make(OUSTER_LOW, 1, 0);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4); /* 0: none */
    packet = ouster_make(OUSTER_LOW, 1, 4);
    ouster_put(packet.bytes + packet.size - 8, 0xdeadbeef0000c0de, 8);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    packet = ouster_make(OUSTER_LOW, 1, 8);
    sign(&packet);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    CHECK_INT(run.damaged, 0);
    packet = ouster_make(OUSTER_LOW, 1, 12); /* now all must have one */
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
             ouster_json(OUSTER_LOW, "") + 1);
    ouster_run run = ouster_begun(json, false);
    ouster_packet packet = ouster_make(OUSTER_LOW, 1, 0);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 0);
    CHECK_INT(run.damaged, 1);
    sign(&packet);
    CHECK_INT(ouster_give(&run, packet.bytes, packet.size, 0), 4);
    ouster_end(&run);
}

static void other_packets_are_no_data(void)
{
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    ouster_packet packet = ouster_make(OUSTER_LOW, 1, 0);
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
    ouster_packet packet = ouster_make(OUSTER_LOW, 3, 12);
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
    ouster_run run = ouster_begun(ouster_json(OUSTER_LOW, ""), false);
    ouster_packet packet = ouster_make(OUSTER_LOW, 0, 0); /* columns at 5.000 to 5.003 s */
    const int64_t now = 1700000000000000000;
    ouster_fill_low(&packet, 500);
    ouster_give(&run, packet.bytes, packet.size, now);
    CHECK_INT(run.filling.stamp, now - 3000000);
    const float *const time = ouster_field(&run, "time");
    CHECK(time[0] == 0 && fabsf(time[3 * OUSTER_PIXELS] - 0.003f) < 1e-7f);
    packet = ouster_make(OUSTER_LOW, 1, 0); /* 32 ms later; a delay of the recording does not count */
    ouster_give(&run, packet.bytes, packet.size, now + 200000000);
    CHECK_INT(run.filling.stamp, now - 3000000 + 32000000);
    packet = ouster_make(OUSTER_LOW, 2, 0); /* the clock was set anew */
    ouster_give(&run, packet.bytes, packet.size, now + 5000000000);
    CHECK_INT(run.filling.stamp, now - 3000000 + 5000000000);
    packet = ouster_make(OUSTER_LOW, 3, 0); /* synchronised now */
    for (int i = 0; i < 4; i++) ouster_put(packet.bytes + 32 + 28 * i, (uint64_t)now + 7, 8);
    ouster_give(&run, packet.bytes, packet.size, now + 6000000000);
    CHECK_INT(run.filling.stamp, now + 7);
    ouster_end(&run);
}

CHECK_PROGRAM(test_ouster_frames)
{
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
}
