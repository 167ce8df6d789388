/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster_data.c: captures of Ouster sensors, compared with what ouster-sdk reads from them.
 *
 * The truth is in the files ..._digest.json: MD5 of every field, once packet by packet and once as the image of a turn.
 */
#include "sensors/json.h"
#include "test_ouster.h"

/* --- MD5 (RFC 1321) ------------------------------------------------------------------------------------- */

typedef struct md5 {
    uint32_t sum[4];
    uint64_t size;
    unsigned char block[64];
} md5;

static md5 md5_new(void)
{
    return (md5){.sum = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

static void md5_block(md5 *m)
{
    static const int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t a = m->sum[0], b = m->sum[1], c = m->sum[2], d = m->sum[3], words[16];
    memcpy(words, m->block, sizeof words);
    for (int i = 0; i < 64; i++) {
        const int round = i / 16;
        const uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                               : round == 1 ? (d & b) | (~d & c)
                               : round == 2 ? b ^ c ^ d
                                            : c ^ (b | ~d);
        static const int step[4] = {1, 5, 3, 7}, from[4] = {0, 1, 5, 0};
        const uint32_t constant = (uint32_t)(int64_t)floor(fabs(sin(i + 1.0)) * 4294967296.0);
        const uint32_t x = a + mixed + constant + words[(step[round] * i + from[round]) % 16];
        const int by = turns[round][i % 4];
        a = d, d = c, c = b;
        b += x << by | x >> (32 - by);
    }
    m->sum[0] += a, m->sum[1] += b, m->sum[2] += c, m->sum[3] += d;
}

static void md5_add(md5 *m, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++) {
        m->block[m->size++ % 64] = p[i];
        if (m->size % 64 == 0) md5_block(m);
    }
}

static const char *md5_text(md5 m)
{
    static char text[33];
    const uint64_t bits = 8 * m.size;
    md5_add(&m, "\x80", 1);
    while (m.size % 64 != 56) md5_add(&m, "", 1);
    md5_add(&m, &bits, 8);
    for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", m.sum[i / 4] >> 8 * (i % 4) & 255);
    return text;
}

static void md5_is_right(void)
{
    md5 m = md5_new();
    md5_add(&m, "message digest", 14);
    CHECK_TEXT(md5_text(m), "f96b697d7cb7938d525a2f31aaf161d0");
}

/* --- files ------------------------------------------------------------------------------------------------ */

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static bytes load(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", check_data_folder(), name);
    bytes file;
    file.data = check_load(path, &file.size);
    return file;
}

/* Walks through the UDP payloads of a pcap file with Ethernet or IP inside. Fragments follow each other in these files. */
typedef struct walker {
    bytes file;
    size_t at;
    unsigned char datagram[65536];
    size_t size; /* of the payload */
    int64_t received;
} walker;

static void walk_begin(walker *w, const char *name)
{
    *w = (walker){.file = load(name), .at = 24};
}

static bool walk_next(walker *w)
{
    w->size = 0;
    while (w->at + 16 <= w->file.size) {
        const unsigned char *record = w->file.data + w->at;
        const uint32_t kept = clump_io_u32(record + 8), link = clump_io_u32(w->file.data + 20);
        w->received = clump_io_u32(record) * INT64_C(1000000000) + clump_io_u32(record + 4) * INT64_C(1000);
        w->at += 16 + kept;
        const unsigned char *const ip = record + 16 + (link == 1 ? 14 : 0);
        if (ip[9] != 17) continue;
        const size_t head = 4u * (ip[0] & 15), size = clump_io_big_u16(ip + 2) - head,
                     from = 8 * (size_t)(clump_io_big_u16(ip + 6) & 0x1fff);
        memcpy(w->datagram + from, ip + head, size);
        w->size = from + size;
        if (ip[6] & 0x20) continue;
        w->size -= 8;
        memmove(w->datagram, w->datagram + 8, w->size);
        return true;
    }
    return false;
}

/* --- digests ------------------------------------------------------------------------------------------------ */

/* A name of the digest, and what it stands for: a field, a word of the pixel, or a number of the column. */
typedef struct digest_entry {
    const char *name;
    int field;    /* clump_io_ouster_field; -1: a whole word; -2: of the column */
    int word;     /* the word from 1 on; of the column: 0 time, 1 measurement, 2 status, 3 frame, 4 encoder */
    size_t bytes; /* per element, packet by packet */
    size_t image_bytes;
} digest_entry;

static const digest_entry digest_entries[] = {
    {"RANGE", CLUMP_IO_OUSTER_RANGE, 0, 4, 4},
    {"RANGE2", CLUMP_IO_OUSTER_RANGE2, 0, 4, 4},
    {"SIGNAL", CLUMP_IO_OUSTER_SIGNAL, 0, 2, 2},
    {"SIGNAL2", CLUMP_IO_OUSTER_SIGNAL2, 0, 2, 2},
    {"REFLECTIVITY", CLUMP_IO_OUSTER_REFLECTIVITY, 0, 1, 1},
    {"REFLECTIVITY2", CLUMP_IO_OUSTER_REFLECTIVITY2, 0, 1, 1},
    {"NEAR_IR", CLUMP_IO_OUSTER_AMBIENT, 0, 2, 2},
    {"FLAGS", CLUMP_IO_OUSTER_FLAGS, 0, 1, 1},
    {"FLAGS2", CLUMP_IO_OUSTER_FLAGS2, 0, 1, 1},
    {"RAW32_WORD1", -1, 1, 4, 4},
    {"RAW32_WORD2", -1, 2, 4, 4},
    {"RAW32_WORD3", -1, 3, 4, 4},
    {"RAW32_WORD4", -1, 4, 4, 4},
    {"TIMESTAMP", -2, 0, 8, 8},
    {"MEASUREMENT_ID", -2, 1, 2, 2},
    {"STATUS", -2, 2, 4, 8},
    {"FRAME_ID", -2, 3, 2, 0},
    {"ENCODER_COUNT", -2, 4, 4, 8},
};

static uint64_t column_number(const clump_io_ouster_info *info, const unsigned char *packet,
                              const unsigned char *column, int which)
{
    const bool legacy = info->profile->legacy;
    switch (which) {
    case 0:
        return clump_io_ouster_column_time(column);
    case 1:
        return clump_io_ouster_column_measurement(column);
    case 2:
        return clump_io_ouster_column_status(info, column);
    case 3:
        return legacy ? clump_io_ouster_frame(info, packet) : 0; /* as the digests have it */
    default:
        return legacy ? clump_io_u32(column + 12) : 0;
    }
}

static uint64_t pixel_number(const clump_io_ouster_info *info, const unsigned char *column, uint32_t row,
                             const digest_entry *entry)
{
    const unsigned char *const pixel = column + info->layout.column_header + (size_t)row * info->profile->pixel_size;
    if (entry->field < 0)
        return clump_io_ouster_value(pixel, (clump_io_ouster_bits){(uint8_t)(entry->word - 1), 0, 32, 0});
    return clump_io_ouster_value(pixel, info->profile->fields[entry->field]);
}

/* Adds a packet to the sum and to the image. */
static void digest_packet(const clump_io_ouster_info *info, const unsigned char *packet, const digest_entry *entry,
                          md5 *sum, unsigned char *image)
{
    const uint32_t rows = entry->field == -2 ? 1 : info->pixels;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < info->packet_columns; c++) {
            const unsigned char *const column = clump_io_ouster_column(info, packet, c);
            const uint64_t value = entry->field == -2 ? column_number(info, packet, column, entry->word)
                                                      : pixel_number(info, column, r, entry);
            const size_t place = (size_t)r * info->columns + clump_io_ouster_column_measurement(column);
            md5_add(sum, &value, entry->bytes);
            memcpy(image + place * entry->image_bytes, &value, entry->image_bytes);
        }
}

static void check_hash(clump_io_json of, const char *file, const digest_entry *entry, md5 sum, int *checked)
{
    clump_io_json value;
    char expected[40];
    if (!clump_io_json_member(of, entry->name, &value) || !clump_io_json_text(value, expected, sizeof expected)) return;
    CHECK_MSG(strcmp(md5_text(sum), expected) == 0, "%s: %s", file, entry->name);
    ++*checked;
}

/* Compares all hashes of one capture. */
static void check_digest(const char *name, int hashes)
{
    char path[256];
    clump_io_json root, packets, scans, scan;
    clump_io_ouster_info info;
    const clump_io_where where = {.message = &ouster_why};
    snprintf(path, sizeof path, "pcap/ouster_%s.json", name);
    const bytes json = load(path);
    CHECK_INT(clump_io_ouster_metadata(&where, (char *)json.data, json.size, &info), CLUMP_OK);
    snprintf(path, sizeof path, "pcap/ouster_%s_digest.json", name);
    const bytes digest = load(path);
    CHECK_INT(clump_io_json_parse(&where, (char *)digest.data, digest.size, &root), CLUMP_OK);
    const char *at = NULL;
    CHECK(clump_io_json_find(root, "packet_hash", &packets) && clump_io_json_find(root, "scans", &scans) &&
          clump_io_json_next(scans, &at, &scan));
    static walker w;
    snprintf(path, sizeof path, "pcap/ouster_%s.pcap", name);
    unsigned char *const image = malloc((size_t)info.columns * info.pixels * 8);
    int checked = 0;
    for (size_t i = 0; i < sizeof digest_entries / sizeof digest_entries[0]; i++) {
        const digest_entry *const entry = &digest_entries[i];
        if (entry->field >= 0 && !clump_io_ouster_has(info.profile, (clump_io_ouster_field)entry->field)) continue;
        if (entry->field == -1 && (size_t)entry->word * 4 > info.profile->pixel_size) continue;
        const size_t rows = entry->field == -2 ? 1 : info.pixels;
        memset(image, 0, (size_t)info.columns * info.pixels * 8);
        md5 sum = md5_new(), whole = md5_new();
        uint32_t frame = 0;
        for (walk_begin(&w, path); walk_next(&w);)
            if (w.size == info.layout.packet) {
                digest_packet(&info, w.datagram, entry, &sum, image);
                frame = clump_io_ouster_frame(&info, w.datagram);
            }
        free(w.file.data);
        check_hash(packets, name, entry, sum, &checked);
        md5_add(&whole, image, rows * info.columns * entry->image_bytes);
        if (entry->image_bytes) check_hash(scan, name, entry, whole, &checked);
        clump_io_json value;
        char text[16], expected[16];
        snprintf(text, sizeof text, "%u", frame);
        if (i == 0 && clump_io_json_member(scan, "FRAME_ID", &value) && clump_io_json_text(value, expected, 16))
            CHECK_TEXT(text, expected);
    }
    CHECK_INT(checked, hashes);
    free(image), free(json.data), free(digest.data);
}

static void fields_are_those_of_ouster(void)
{
    if (!check_data_folder()) SKIP("no data folder");
    check_digest("OS-0-32-U1_v2.2.0_1024x10", 18 + 11);
    check_digest("OS-1-32-G_v2.1.1_1024x10", 10 + 8);
    check_digest("OS-2-128-U1_v2.3.0_1024x10", 13 + 8);
}

/* --- frames --------------------------------------------------------------------------------------------------- */

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
static size_t read_capture(ouster_run *run, const char *pcap, const bytes *json, bool organised, size_t spoil)
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

static bytes load_json(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "pcap/ouster_%s.json", name);
    return load(path);
}

static void check_capture(size_t which, bool organised)
{
    const bytes json = load_json(captures[which].json);
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
    if (!check_data_folder()) SKIP("no data folder");
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++)
        for (int organised = 0; organised < 2; organised++) check_capture(i, organised);
}

static void wrong_checksums_are_damage(void)
{
    if (!check_data_folder()) SKIP("no data folder");
    const bytes json = load_json("crc_test");
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
    if (!check_data_folder()) SKIP("no data folder");
    const bytes json = load_json("crc_test");
    ouster_run run;
    read_capture(&run, "OS-1-64_1024x10_fw20", &json, false, 0);
    CHECK(!run.state);
    CHECK_TEXT(ouster_why.text,
               "the JSON file is not of this sensor: it says packets of 8448 bytes (RNG15_RFL8_NIR8, 128 "
               "beams), but the packets have 12608");
    ouster_end(&run);
    const bytes none = {0};
    read_capture(&run, "OS-1-64_1024x10_fw20", &none, false, 0);
    CHECK(!run.state);
    CHECK_TEXT(ouster_why.text, "packets of an Ouster sensor need the sensor's JSON file (--metadata)");
    ouster_end(&run);
    free(json.data);
}

/* Two sensors send to one port. Each is read with its own file, if its packet comes first. */
static void functional_safety_packets_are_read(void)
{
    if (!check_data_folder()) SKIP("no data folder");
    const bytes json = load_json("same_ports.1");
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
static void give_bag(ouster_run *run, const bytes *bag, const bytes *json)
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
    if (!check_data_folder()) SKIP("no data folder");
    const bytes bag = load("rosbag/ouster_512x10_raw.bag");
    ouster_run run = {0};
    give_bag(&run, &bag, NULL);
    if (run.state) give_bag(&run, &bag, &bag);
    CHECK_INT(run.filling.count > 10000, true);
    CHECK_INT(run.damaged + run.lost + run.reordered + run.frames, 0);
    ouster_end(&run);
    free(bag.data);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(md5_is_right);
    RUN(fields_are_those_of_ouster);
    RUN(captures_are_read);
    RUN(wrong_checksums_are_damage);
    RUN(the_file_of_another_sensor_is_refused);
    RUN(functional_safety_packets_are_read);
    RUN(a_bag_with_metadata_is_read);
    return CHECK_END();
}
