/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster_data.c: frames of captures of Ouster sensors, and of a bag with their packets.
 */
#include "sensors/ouster_capture.h"

/* Frames include the last, which no cut ends. Points and the sums of their coordinates come from a program of its own
 * that follows the formulas of ouster-sdk. */
static const struct {
    const char *pcap, *json, *model;
    size_t frames, first, last; /* points of the first frame and of the last */
    double sum[3];              /* of the coordinates of the first frame */
    uint64_t damaged;
} captures[] = {
    {"OS-0-32-U1_v2.2.0_1024x10",
     "OS-0-32-U1_v2.2.0_1024x10",
     "Ouster OS-0-32-U1",
     1,
     21803,
     21803,
     {-2867.361, -26444.554, 2180.748},
     0},
    {"OS-0-32-U1_v2.2.0_1024x10-single-packet",
     "OS-0-32-U1_v2.2.0_1024x10",
     "Ouster OS-0-32-U1",
     1,
     223,
     223,
     {-835.408, -5.030, 303.167},
     0},
    {"OS-1-32-G_v2.1.1_1024x10",
     "OS-1-32-G_v2.1.1_1024x10",
     "Ouster OS-1-32-G",
     1,
     27310,
     27310,
     {27528.301, 24873.943, -1977.381},
     0},
    {"OS-2-128-U1_v2.3.0_1024x10",
     "OS-2-128-U1_v2.3.0_1024x10",
     "Ouster OS-2-128",
     1,
     119682,
     119682,
     {-50169.850, -96761.721, 70409.941},
     0},
    {"OS-1-128_v2.3.0_1024x10_lb_n3",
     "OS-1-128_v2.3.0_1024x10",
     "Ouster OS-1-128",
     3,
     107647,
     107532,
     {15229.477, 205214.687, 64598.954},
     0},
    {"crc_test", "crc_test", "Ouster OS-0-128", 2, 28055, 1637, {-3086.864, -21751.740, 6047.504}, 0},
    {"shot_limiting_test", "shot_limiting_test", "Ouster OS-0-128", 1, 2048, 2048, {-78.757, 11.441, 77.892}, 0},
    {"windowed_frame1", "windowed_frame1_0", "Ouster OS-0-128", 1, 9246, 9246, {11757.672, 18455.995, 14110.653}, 0},
    {"same_ports", "same_ports.2", "Ouster OS-1-64-AH", 1, 985, 985, {-486.307, -361.422, 151.465}, 1},
};

/* Reads a capture. Changes a bit of packet number `spoil`, from 1 on. Returns how many packets were not recognised. */
static size_t read_capture(ouster_run *run, const char *pcap, const capture_bytes *json, bool organised, size_t spoil)
{
    char path[256];
    snprintf(path, sizeof path, "pcap/ouster_%s.pcap", pcap);
    static walker w;
    size_t packets = 0, recognised = 0;
    *run = (ouster_run){0};
    for (walk_begin(&w, path); walk_next(&w);) {
        const clump_io_packet packet = {w.datagram, w.size, w.received};
        if (w.size != 48) packets++, recognised += clump_io_sensor_ouster.recognise(w.datagram, w.size);
        if (!run->state && ouster_begin(run, (char *)json->data, json->size, organised, &packet) != CLUMP_OK) break;
        if (spoil && packets == spoil && w.size != 48) w.datagram[100] ^= 1;
        ouster_give(run, w.datagram, w.size, w.received);
    }
    if (run->state && run->filling.count) ouster_cut(run);
    free(w.file.data);
    return packets - recognised;
}

static capture_bytes load_json(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "pcap/ouster_%s.json", name);
    return load(path);
}

static void check_capture(size_t which, bool organised)
{
    const capture_bytes json = load_json(captures[which].json);
    const char *const name = captures[which].pcap;
    ouster_run run;
    const size_t unknown = read_capture(&run, name, &json, organised, 0);
    CHECK_MSG(run.state, "%s: %s", name, ouster_why.text);
    if (run.state) {
        CHECK_TEXT(clump_io_sensor_ouster.model(run.state), captures[which].model);
        CHECK_MSG(unknown == 0, "%s", name);
        CHECK_MSG(run.frames == captures[which].frames, "%s: %zu", name, run.frames);
        const bool one = organised && which < 2; /* two returns: an image has the strongest */
        CHECK_MSG(one || run.points[0] == captures[which].first, "%s: %zu", name, run.points[0]);
        CHECK_MSG(one || run.points[run.frames - 1] == captures[which].last, "%s", name);
        for (int a = 0; a < 3 && !one; a++)
            CHECK_MSG(fabs(run.sum[a] - captures[which].sum[a]) < 0.02, "%s: %.3f", name, run.sum[a]);
        CHECK_INT(run.damaged, captures[which].damaged);
        CHECK_INT(run.lost, 0);
        CHECK_INT(run.reordered, 0);
        CHECK(run.stamps[0] > INT64_C(1600000000000000000) && run.stamps[0] < INT64_C(1800000000000000000));
    }
    ouster_end(&run);
    free(json.data);
}

static void captures_are_read(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++)
        for (int organised = 0; organised < 2; organised++) check_capture(i, organised);
}

static void wrong_checksums_are_damage(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    const capture_bytes json = load_json("crc_test");
    ouster_run run;
    read_capture(&run, "crc_test", &json, false, 1);
    CHECK_INT(run.damaged, 1);
    CHECK_INT(run.frames, 2);
    CHECK_INT(run.lost, 0); /* the recording may begin with the second packet */
    ouster_end(&run);
    read_capture(&run, "crc_test", &json, false, 7);
    CHECK_INT(run.damaged, 1);
    CHECK_INT(run.lost, 1);
    ouster_end(&run);
    free(json.data);
}

static void the_file_of_another_sensor_is_refused(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    const capture_bytes json = load_json("crc_test");
    ouster_run run;
    read_capture(&run, "OS-1-64_1024x10_fw20", &json, false, 0);
    CHECK(!run.state);
    CHECK_TEXT(ouster_why.text,
               "the JSON file is not of this sensor: it says packets of 8448 bytes (RNG15_RFL8_NIR8, 128 "
               "beams), but the packets have 12608");
    ouster_end(&run);
    const capture_bytes none = {0};
    read_capture(&run, "OS-1-64_1024x10_fw20", &none, false, 0);
    CHECK(!run.state);
    CHECK_TEXT(ouster_why.text, "packets of an Ouster sensor need the sensor's JSON file (--metadata)");
    ouster_end(&run);
    free(json.data);
}

/* Two sensors send to one port. Each is read with its own file, if its packet comes first. */
static void functional_safety_packets_are_read(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    const capture_bytes json = load_json("same_ports.1");
    static walker w;
    ouster_run run = {0};
    for (walk_begin(&w, "pcap/ouster_same_ports.pcap"); walk_next(&w);) {
        const clump_io_packet packet = {w.datagram, w.size, w.received};
        if (w.size != 16640) continue;
        CHECK(clump_io_sensor_ouster.recognise(w.datagram, w.size));
        CHECK_INT(ouster_begin(&run, (char *)json.data, json.size, false, &packet), CLUMP_OK);
        CHECK_INT(ouster_give(&run, w.datagram, w.size, w.received), 16);
        CHECK_INT(run.filling.count, 1964);
    }
    CHECK(run.state != NULL);
    ouster_end(&run);
    free(w.file.data), free(json.data);
}

/* Returns the value of a field in the header of a record of a ROS bag. */
static const unsigned char *bag_field(const unsigned char *header, uint32_t size, const char *name)
{
    for (uint32_t at = 0; at + 4 < size; at += 4 + clump_io_u32(header + at))
        if (memcmp(header + at + 4, name, strlen(name)) == 0) return header + at + 4 + strlen(name);
    return NULL;
}

/* Gives the packets of a bag: connection 1 has lidar packets, 0 the others, 2 the JSON. */
static void give_bag(ouster_run *run, const capture_bytes *bag, const capture_bytes *json)
{
    for (size_t at = 13; at + 4 < bag->size;) {
        const unsigned char *const header = bag->data + at + 4;
        const uint32_t size = clump_io_u32(header - 4);
        const unsigned char *const data = header + size + 4;
        const unsigned char op = *bag_field(header, size, "op=");
        at = (size_t)(data - bag->data) + (op == 5 ? 0 : clump_io_u32(data - 4)); /* into the chunk */
        const clump_io_packet packet = {data + 4, op == 2 ? clump_io_u32(data) : 0, 1700000000000000000};
        const unsigned char connection = op == 2 ? *bag_field(header, size, "conn=") : 255;
        if (connection == 2 && json == NULL)
            CHECK_INT(ouster_begin(run, (char *)data + 4, packet.size, false, &packet), CLUMP_OK);
        else if (connection < 2 && json)
            ouster_give(run, packet.bytes, packet.size, packet.received);
    }
}

static void a_bag_with_metadata_is_read(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    const capture_bytes bag = load("rosbag/ouster_512x10_raw.bag");
    ouster_run run = {0};
    give_bag(&run, &bag, NULL);
    if (run.state) give_bag(&run, &bag, &bag);
    CHECK_INT(run.filling.count > 10000, true);
    CHECK_INT(run.damaged + run.lost + run.reordered + run.frames, 0);
    ouster_end(&run);
    free(bag.data);
}

CHECK_PROGRAM(test_ouster_data)
{
    RUN(captures_are_read);
    RUN(wrong_checksums_are_damage);
    RUN(the_file_of_another_sensor_is_refused);
    RUN(functional_safety_packets_are_read);
    RUN(a_bag_with_metadata_is_read);
}
