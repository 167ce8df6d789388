/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pcd.c: PCD there and back in its three encodings, the quirks of headers, the sentences of
 * refusals.
 */
#include "io/test_io.h"

#define PCD_XYZ "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"

/* Ascii, binary and, where the build has it, compressed. */
static int last_encoding(void)
{
    clump_format_info info;
    return clump_format_describe(CLUMP_FORMAT_PCD, &info) && info.compressed ? CLUMP_ENCODING_COMPRESSED
                                                                             : CLUMP_ENCODING_BINARY;
}

static void pcd_round_trips_every_type(void)
{
    for (int encoding = CLUMP_ENCODING_ASCII; encoding <= last_encoding(); encoding++) {
        clump_cloud *cloud = io_make_cloud(60), *back = NULL;
        const double viewpoint[7] = {1, 2.5, -3, 0, 1, 0, 0.1};
        clump_cloud_set_shape(cloud, 12, 5, viewpoint);
        clump_save_options options = clump_save_defaults();
        options.encoding = (clump_encoding)encoding;
        const char *path = io_path("types.pcd");
        CHECK_INT(clump_cloud_save(path, cloud, NULL, &options, &io_why), CLUMP_OK);
        CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
        CHECK_TEXT(io_why.text, "");
        if (!back) return;
        CHECK(io_same_xyz(cloud, back));
        CHECK(io_same_fields(cloud, back));
        const clump_cloud_info info = clump_cloud_describe(back);
        CHECK_INT(info.format, CLUMP_FORMAT_PCD);
        CHECK_INT(info.encoding, encoding);
        CHECK_INT(info.width, 12);
        CHECK_INT(info.height, 5);
        CHECK_INT(info.xyz_type, CLUMP_TYPE_F32);
        CHECK(memcmp(info.viewpoint, viewpoint, sizeof viewpoint) == 0);
        CHECK_TEXT(info.note, "");
        clump_cloud_destroy(cloud);
        clump_cloud_destroy(back);
        unlink(path);
    }
}

static void pcd_labels_replace_a_label_field(void)
{
    clump_cloud *cloud = io_make_cloud(7), *back = NULL;
    const float old[7] = {0};
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"label", CLUMP_TYPE_F32, 1, old}, NULL), CLUMP_OK);
    const int32_t labels[7] = {0, 1, -1, -2, 5, 2147483647, -2147483647 - 1};
    const char *path = io_path("labels.PCD");
    CHECK_INT(clump_cloud_save(path, cloud, labels, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    clump_field field;
    CHECK_INT(clump_cloud_field_count(back), clump_cloud_field_count(cloud));
    CHECK(clump_cloud_find(back, "label", &field) && field.type == CLUMP_TYPE_I32 && field.count == 1);
    CHECK(memcmp(field.data, labels, sizeof labels) == 0);
    CHECK(clump_cloud_find(cloud, "label", &field) && field.type == CLUMP_TYPE_F32); /* the cloud is as it was */
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);
    unlink(path);
}

static void pcd_header_quirks(void)
{
    clump_cloud *cloud = io_parse_text("a.pcd", "# .PCD v.5\r\nVERSION .5\r\nCOLUMNS Z i X Y\r\nPOINTS 2\r\n"
                                                "DATA ascii\r\n3 9 1\t2\r\n\r\n6 NaN  4 5 \r\n");
    const float expected[6] = {1, 2, 3, 4, 5, 6};
    clump_field field;
    CHECK(memcmp(clump_cloud_points(cloud).xyz, expected, sizeof expected) == 0);
    CHECK(clump_cloud_find(cloud, "i", &field) && field.type == CLUMP_TYPE_F32);
    CHECK(((const float *)field.data)[0] == 9 && isnan(((const float *)field.data)[1]));
    CHECK_INT(clump_cloud_describe(cloud).width, 2);
    CHECK(clump_cloud_describe(cloud).viewpoint[3] == 1);
    clump_cloud_destroy(cloud);

    /* Padding: skipped, its words too, whatever they are. WIDTH and HEIGHT without POINTS. */
    cloud = io_parse_text("a.pcd", "VERSION 0.7\nFIELDS x _ y z _\nSIZE 4 1 4 4 1\nTYPE F U F F U\nCOUNT 1 3 1 1 1\n"
                                   "WIDTH 1\nHEIGHT 2\nDATA ascii\n1 a b c 2 3 d\n4 0 0 0 5 6 0\nmore\n");
    CHECK(memcmp(clump_cloud_points(cloud).xyz, expected, sizeof expected) == 0);
    CHECK_INT(clump_cloud_field_count(cloud), 0);
    CHECK_INT(clump_cloud_describe(cloud).height, 2);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "line 11 and what follows come after the last point and are ignored");
    clump_cloud_destroy(cloud);

    /* Binary padding, an unaligned record, bytes after the end. */
    unsigned char bytes[256];
    const char *header = "VERSION 0.7\nFIELDS _ x y z\nSIZE 1 4 4 4\nTYPE U F F F\nCOUNT 3 1 1 1\nWIDTH 2\nHEIGHT 1\n"
                         "POINTS 2\nDATA binary\n";
    size_t used = strlen(header);
    memcpy(bytes, header, used);
    for (size_t i = 0; i < 2; i++) {
        memset(bytes + used, 0xff, 3);
        memcpy(bytes + used + 3, expected + 3 * i, 12);
        used += 15;
    }
    memset(bytes + used, 7, 2);
    CHECK_INT(io_parse("a.pcd", bytes, used + 2, &cloud), CLUMP_OK);
    CHECK(memcmp(clump_cloud_points(cloud).xyz, expected, sizeof expected) == 0);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "2 bytes after the last point are ignored");
    clump_cloud_destroy(cloud);

    /* Two fields of one name are both kept. */
    cloud = io_parse_text("a.pcd", "FIELDS x y z a a\nPOINTS 1\nDATA ascii\n1 2 3 4 5");
    CHECK_INT(clump_cloud_field_count(cloud), 2);
    clump_cloud_destroy(cloud);
}

static void pcd_integers_in_ascii(void)
{
    const char *header = "FIELDS x y z a b\nSIZE 4 4 4 8 8\nTYPE F F F U I\nPOINTS 1\nDATA ascii\n";
    char text[256];
    snprintf(text, sizeof text, "%s1 2 3 18446744073709551615 -9223372036854775808\n", header);
    clump_cloud *cloud = io_parse_text("a.pcd", text);
    clump_field field;
    CHECK(clump_cloud_find(cloud, "a", &field) && *(const uint64_t *)field.data == UINT64_MAX);
    CHECK(clump_cloud_find(cloud, "b", &field) && *(const int64_t *)field.data == INT64_MIN);
    clump_cloud_destroy(cloud);
    snprintf(text, sizeof text, "%s1 2 3 5.00 -2e3\n", header);
    cloud = io_parse_text("a.pcd", text);
    CHECK(clump_cloud_find(cloud, "a", &field) && *(const uint64_t *)field.data == 5);
    CHECK(clump_cloud_find(cloud, "b", &field) && *(const int64_t *)field.data == -2000);
    clump_cloud_destroy(cloud);
    static const char *const wrong[] = {"18446744073709551616 0", "-1 0", "0 9223372036854775808", "0 1.5", "nan 0"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, "%s1 2 3 %s\n", header, wrong[i]);
        CHECK_INT(io_parse("a.pcd", text, strlen(text), &cloud), CLUMP_ERR_IO_FORMAT);
        CHECK_MSG(strstr(io_why.text, "does not fit field"), "%s", wrong[i]);
    }
}

static void pcd_refusals(void)
{
#define HEAD "WIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA ascii\n"
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nVERSION 0.7\n\nWIDTH x\nDATA ascii\n",
                  CLUMP_ERR_IO_FORMAT, "s.pcd: header line 7: WIDTH is not a number");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nWIDTH -1\nDATA ascii\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: WIDTH is not a number");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nWIDTH\nDATA ascii\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: WIDTH is not a number");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nPOINTS 99999999999999999999\nDATA ascii\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: POINTS 99999999999999999999 is too large");
    CHECK_REFUSED("s.pcd", PCD_XYZ "WIDTH 2\nHEIGHT 1\nPOINTS 3\nDATA ascii\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 8: WIDTH x HEIGHT is 2 x 1, POINTS is 3");
    CHECK_REFUSED("s.pcd", "VERSION 0.8\nDATA ascii\n", CLUMP_ERR_IO_UNSUPPORTED,
                  "s.pcd: header line 1: VERSION 0.8 is not 0.5, 0.6 or 0.7");
    CHECK_REFUSED("s.pcd", "VERSION 0.7\nVERSION 0.7\n", CLUMP_ERR_IO_FORMAT, "s.pcd: header line 2: a second VERSION");
    CHECK_REFUSED("s.pcd", "VERSION 0.7\nhello\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: \"hello\" is no PCD keyword");
    CHECK_REFUSED("s.pcd", "VERSION 0.7\n", CLUMP_ERR_IO_TRUNCATED,
                  "s.pcd: the PCD header has no DATA line in 12 bytes");
    CHECK_REFUSED("s.pcd", "", CLUMP_ERR_IO_TRUNCATED, "s.pcd: the file is empty");
    CHECK_REFUSED("s.pcd", "VERSION 0.7\n" HEAD, CLUMP_ERR_IO_FORMAT, "s.pcd: the PCD header has no FIELDS line");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nDATA ascii\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: the PCD header has neither WIDTH nor POINTS");
    CHECK_REFUSED("s.pcd", "FIELDS x y i\n" HEAD, CLUMP_ERR_IO_FORMAT, "s.pcd: header line 1: FIELDS names no z");
    CHECK_REFUSED("s.pcd", "FIELDS x y z X\n" HEAD, CLUMP_ERR_IO_FORMAT, "s.pcd: header line 1: FIELDS names x twice");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nSIZE 4 4\n" HEAD, CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: SIZE has 2 values, FIELDS has 3");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nSIZE 4 2 4\nTYPE F F F\n" HEAD, CLUMP_ERR_IO_UNSUPPORTED,
                  "s.pcd: header line 3: field y: no type F has 2 bytes");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nCOUNT 1 1 2\n" HEAD, CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: COUNT of field z is not 1");
    CHECK_REFUSED("s.pcd", "FIELDS x y z a\nCOUNT 1 1 1 0\n" HEAD, CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: COUNT of field a is 0");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nVIEWPOINT 0 0 0 1 0 0\n" HEAD, CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 2: VIEWPOINT is not seven numbers");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nPOINTS 1\nDATA asci\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: header line 3: DATA \"asci\" is not ascii, binary or binary_compressed");
    CHECK_REFUSED("s.pcd", PCD_XYZ HEAD "1 2\n", CLUMP_ERR_IO_TRUNCATED,
                  "s.pcd: POINTS is 1 of 3 values each, more than the 4 bytes from line 10 on can hold; --partial "
                  "reads the points that are there");
    CHECK_REFUSED("s.pcd", PCD_XYZ HEAD "1 2    \n", CLUMP_ERR_IO_FORMAT, "s.pcd: line 10: 2 values instead of 3");
    CHECK_REFUSED("s.pcd", PCD_XYZ HEAD "1 2 3 4\n", CLUMP_ERR_IO_FORMAT, "s.pcd: line 10: more than 3 values");
    CHECK_REFUSED("s.pcd", PCD_XYZ HEAD "1,2,3\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: line 10: \"1,2,3\" is not a number (field x)");
    CHECK_REFUSED("s.pcd", PCD_XYZ HEAD "1 2 3e\n", CLUMP_ERR_IO_FORMAT,
                  "s.pcd: line 10: \"3e\" is not a number (field z)");
    CHECK_REFUSED("s.pcd", PCD_XYZ "WIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n1 2 3         \n", CLUMP_ERR_IO_TRUNCATED,
                  "s.pcd: POINTS is 2, but the file ends after 1; --partial reads the 1 point there is");
    CHECK_REFUSED("s.pcd", PCD_XYZ "WIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA binary\n0123456789abcdef", CLUMP_ERR_IO_TRUNCATED,
                  "s.pcd: POINTS is 2 of 12 bytes each, but from byte 97 on there are 16 bytes for 1 points; --partial "
                  "reads the 1 point there is");
#undef HEAD
}

/* A compressed file put together by hand: header, packed size, size, LZF with nothing but literals. */
static size_t make_compressed(unsigned char *bytes, const char *header, uint32_t packed_more, uint32_t size_more,
                              const unsigned char *plain, size_t plain_size)
{
    const size_t used = strlen(header);
    memcpy(bytes, header, used);
    unsigned char *p = bytes + used + 8;
    for (size_t i = 0; i < plain_size; i += 32) {
        const size_t now = plain_size - i < 32 ? plain_size - i : 32;
        *p++ = (unsigned char)(now - 1);
        memcpy(p, plain + i, now);
        p += now;
    }
    const uint32_t sizes[2] = {(uint32_t)(p - (bytes + used + 8)) + packed_more, (uint32_t)plain_size + size_more};
    memcpy(bytes + used, sizes, 8);
    return (size_t)(p - bytes);
}

static void compressed_by_hand(void)
{
    if (last_encoding() != CLUMP_ENCODING_COMPRESSED) SKIP("built without liblzf: " DO_SETUP);
    unsigned char bytes[512];
    clump_cloud *cloud;
    /* Field after field; padding is left out, as PCL does, or there, as the header says. */
    const char *header = "VERSION 0.7\nFIELDS x _ y z\nSIZE 4 1 4 4\nTYPE F U F F\nCOUNT 1 3 1 1\nWIDTH 2\nHEIGHT 1\n"
                         "POINTS 2\nDATA binary_compressed\n";
    const float expected[6] = {1, 2, 3, 4, 5, 6}, arrays[6] = {1, 4, 2, 5, 3, 6};
    size_t size = make_compressed(bytes, header, 0, 0, (const unsigned char *)arrays, 24);
    CHECK_INT(io_parse("a.pcd", bytes, size, &cloud), CLUMP_OK);
    CHECK(memcmp(clump_cloud_points(cloud).xyz, expected, sizeof expected) == 0);
    CHECK_INT(clump_cloud_describe(cloud).encoding, CLUMP_ENCODING_COMPRESSED);
    clump_cloud_destroy(cloud);
    unsigned char padded[30];
    memcpy(padded, arrays, 8);
    memset(padded + 8, 0xee, 6);
    memcpy(padded + 14, arrays + 2, 16);
    size = make_compressed(bytes, header, 0, 0, padded, 30);
    bytes[size] = 0;
    CHECK_INT(io_parse("a.pcd", bytes, size + 1, &cloud), CLUMP_OK);
    CHECK(memcmp(clump_cloud_points(cloud).xyz, expected, sizeof expected) == 0);
    CHECK_TEXT(clump_cloud_describe(cloud).note, ""); /* PCL leaves zeros, up to a page */
    clump_cloud_destroy(cloud);

    size = make_compressed(bytes, header, 1, 0, padded, 30);
    CHECK_INT(io_parse("a.pcd", bytes, size, &cloud), CLUMP_ERR_IO_TRUNCATED);
    CHECK_TEXT(io_why.text, "a.pcd: byte 116: 32 bytes of compressed points are announced, 31 are there");
    size = make_compressed(bytes, header, 0, 1, padded, 30);
    CHECK_INT(io_parse("a.pcd", bytes, size, &cloud), CLUMP_ERR_IO_FORMAT);
    CHECK_TEXT(io_why.text,
               "a.pcd: byte 120: the compressed points unpack to 31 bytes, but POINTS is 2 of 15 bytes each");
    size = make_compressed(bytes, header, (uint32_t)-1, 0, padded, 30);
    CHECK_INT(io_parse("a.pcd", bytes, size, &cloud), CLUMP_ERR_IO_FORMAT);
    CHECK_TEXT(io_why.text, "a.pcd: byte 124: the compressed points are damaged: they unpack to 0 of 30 bytes");
    CHECK_REFUSED("s.pcd", "FIELDS x y z\nPOINTS 1\nDATA binary_compressed\n1234567", CLUMP_ERR_IO_TRUNCATED,
                  "s.pcd: byte 45: 7 bytes where the two sizes of the compressed points should be");
    /* A gigabyte claimed by a few bytes is refused before memory is taken. */
    size = make_compressed(bytes, "FIELDS x y z\nPOINTS 100000000\nDATA binary_compressed\n", 0, 1200000000 - 24,
                           (const unsigned char *)arrays, 24);
    CHECK_INT(io_parse("a.pcd", bytes, size, &cloud), CLUMP_ERR_IO_FORMAT);
    CHECK_TEXT(io_why.text, "a.pcd: byte 53: 25 compressed bytes cannot unpack to 1200000000");
    cloud = io_parse_text("a.pcd", "FIELDS x y z a\nPOINTS 0\nDATA binary_compressed\n");
    CHECK(cloud && clump_cloud_points(cloud).count == 0 && clump_cloud_field_count(cloud) == 1);
    clump_cloud_destroy(cloud);
}

/* More than a stretch of points and several pieces: what packs well, and what does not at all. */
static void compressed_large(void)
{
    if (last_encoding() != CLUMP_ENCODING_COMPRESSED) SKIP("built without liblzf: " DO_SETUP);
    clump_cloud *cloud, *back = NULL;
    const size_t n = 150000;
    CHECK_INT(clump_cloud_create(n, &cloud, NULL), CLUMP_OK);
    uint64_t state = 5;
    float *xyz = clump_cloud_xyz(cloud);
    for (size_t i = 0; i < n; i++) {
        xyz[3 * i] = check_random_float(&state);
        xyz[3 * i + 1] = (float)(i / 1000);
    }
    double *time = malloc(n * sizeof *time);
    for (size_t i = 0; i < n; i++) time[i] = 1e9 + (double)i * 1e-5;
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"time", CLUMP_TYPE_F64, 1, time}, NULL), CLUMP_OK);
    free(time);
    back = io_again("large.pcd", cloud, CLUMP_ENCODING_COMPRESSED);
    CHECK(io_same_xyz(cloud, back) && io_same_fields(cloud, back));
    clump_cloud_destroy(back);
    clump_cloud_destroy(cloud);
}

/* Coordinates of several types: each is first what the header says, in text as in binary. */
static void mixed_coordinates(void)
{
    const char *header = "FIELDS x y z\nSIZE 8 4 4\nTYPE F F I\nPOINTS 1\nDATA ascii\n";
    char text[256];
    snprintf(text, sizeof text, "%s0.1 796.406006 -7\n", header);
    clump_cloud *cloud = io_parse_text("m.pcd", text);
    CHECK(clump_cloud_coordinate(cloud, 0, 0) == 0.1 && clump_cloud_coordinate(cloud, 0, 2) == -7);
    CHECK(clump_cloud_coordinate(cloud, 0, 1) == (double)796.406006f);
    clump_cloud_destroy(cloud);
    snprintf(text, sizeof text, "%s0.1 2 1.5\n", header);
    CHECK_REFUSED("m.pcd", text, CLUMP_ERR_IO_FORMAT, "m.pcd: line 6: \"1.5\" does not fit field z");
    cloud =
        io_parse_text("m.pcd", "FIELDS x y z\nSIZE 8 8 8\nTYPE I I U\nPOINTS 1\nDATA ascii\n9007199254740993 0 0\n");
    CHECK_TEXT(clump_cloud_describe(cloud).note, "64-bit coordinates beyond 2^53 are rounded");
    clump_cloud_destroy(cloud);
    /* And float64 stays float64, though float32 would do. */
    clump_cloud *back = NULL;
    cloud = io_parse_text("m.pcd", "FIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nPOINTS 1\nDATA ascii\n0.5 0.25 0.125\n");
    const char *path = io_path("m.pcd");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_describe(back).xyz_type, CLUMP_TYPE_F64);
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);
    unlink(path);
}

/* Doubles come back as the doubles they were, in every encoding, though the offsets are float32. */
static void doubles_come_back(void)
{
    const size_t n = 500;
    char *text = malloc(n * 80 + 200);
    int used = sprintf(text, "VERSION 0.7\nFIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nPOINTS %zu\nDATA ascii\n", n);
    uint64_t state = 8;
    double *expected = malloc(3 * n * sizeof *expected);
    for (size_t i = 0; i < 3 * n; i++) {
        char number[40];
        snprintf(number, sizeof number, "%.4f", 4321000.0 + 900.0 * (double)check_random_float(&state));
        expected[i] = strtod(number, NULL);
        used += sprintf(text + used, "%s%s", number, i % 3 == 2 ? "\n" : " ");
    }
    clump_cloud *cloud = io_parse_text("utm.pcd", text), *back = NULL;
    for (int encoding = CLUMP_ENCODING_ASCII; encoding <= last_encoding(); encoding++) {
        const char *path = io_path("utm.pcd");
        clump_save_options options = clump_save_defaults();
        options.encoding = (clump_encoding)encoding;
        CHECK_INT(clump_cloud_save(path, cloud, NULL, &options, &io_why), CLUMP_OK);
        CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
        CHECK(io_same_xyz(cloud, back));
        size_t size;
        unsigned char *bytes = io_slurp(path, &size);
        if (encoding == CLUMP_ENCODING_BINARY) CHECK(memcmp(bytes + size - 24 * n, expected, 24 * n) == 0);
        free(bytes);
        clump_cloud_destroy(back);
        unlink(path);
    }
    /* What the caller has changed since is written as it is now, the rest as it was. */
    clump_cloud_xyz(cloud)[4] += 1;
    const char *path = io_path("moved.pcd");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    size_t size;
    unsigned char *bytes = io_slurp(path, &size);
    double written[6];
    memcpy(written, bytes + size - 24 * n, sizeof written);
    CHECK(written[0] == expected[0] && written[3] == expected[3] && written[5] == expected[5]);
    CHECK(fabs(written[4] - expected[4] - 1) < 1e-3);
    free(bytes);
    unlink(path);
    clump_cloud_destroy(cloud);
    free(expected);
    free(text);
}

CHECK_PROGRAM(test_pcd)
{
    RUN(pcd_round_trips_every_type);
    RUN(pcd_labels_replace_a_label_field);
    RUN(pcd_header_quirks);
    RUN(pcd_integers_in_ascii);
    RUN(pcd_refusals);
    RUN(compressed_by_hand);
    RUN(compressed_large);
    RUN(mixed_coordinates);
    RUN(doubles_come_back);
    io_cleanup();
}
