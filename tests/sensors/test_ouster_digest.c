/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ouster_digest.c: the fields in captures of Ouster sensors, compared with what ouster-sdk reads from them.
 *
 * The truth is in the files ..._digest.json: MD5 of every field, once packet by packet and once as the image of a turn.
 */
#include "sensors/ouster_capture.h"
#include "sensors/json.h"

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
    const capture_bytes json = load(path);
    CHECK_INT(clump_io_ouster_metadata(&where, (char *)json.data, json.size, &info), CLUMP_OK);
    snprintf(path, sizeof path, "pcap/ouster_%s_digest.json", name);
    const capture_bytes digest = load(path);
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
    if (!check_data_folder()) SKIP(DO_DATA);
    check_digest("OS-0-32-U1_v2.2.0_1024x10", 18 + 11);
    check_digest("OS-1-32-G_v2.1.1_1024x10", 10 + 8);
    check_digest("OS-2-128-U1_v2.3.0_1024x10", 13 + 8);
}

CHECK_PROGRAM(test_ouster_digest)
{
    RUN(md5_is_right);
    RUN(fields_are_those_of_ouster);
}
