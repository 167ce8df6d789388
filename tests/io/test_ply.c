/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ply.c: PLY there and back, its elements and lists, the quirks of headers, and real files. What
 * must be refused is in test_ply_hostile.c.
 */
#include "io/test_ply.h"

static void elements_and_lists(void)
{
    static maker m;
    for (int e = 0; e < 3; e++) {
        clump_cloud *cloud = NULL;
        make_sample(&m, e);
        CHECK_INT(io_parse("s.ply", m.bytes, m.size, &cloud), CLUMP_OK);
        CHECK_TEXT(io_why.text, "");
        if (!cloud) continue;
        CHECK_MSG(is_sample(cloud, POINTS), "%s", encoding_names[e]);
        CHECK_INT(clump_cloud_describe(cloud).encoding, encodings[e]);
        CHECK_TEXT(clump_cloud_describe(cloud).note,
                   "property l is a list and was left out; property k is a list and was left out");
        clump_cloud_destroy(cloud);
    }
}

/* --- there and back --------------------------------------------------------------------------- */

static unsigned char *written(const clump_cloud *cloud, const int32_t *labels, clump_encoding encoding, size_t *size)
{
    const char *path = io_path("t.ply");
    clump_save_options options = clump_save_defaults();
    options.encoding = encoding;
    CHECK_INT(clump_cloud_save(path, cloud, labels, &options, &io_why), CLUMP_OK);
    CHECK_TEXT(io_why.text, "");
    unsigned char *bytes = io_slurp(path, size);
    unlink(path);
    return bytes;
}

static clump_cloud *there_and_back(const clump_cloud *cloud, const int32_t *labels, int encoding)
{
    size_t size;
    clump_cloud *back = NULL;
    unsigned char *bytes = written(cloud, labels, encodings[encoding], &size);
    CHECK_INT(io_parse("t.ply", bytes, size, &back), CLUMP_OK);
    CHECK_TEXT(io_why.text, "");
    free(bytes);
    return back;
}

/* PLY has no integers of 64 bits: these are small enough for doubles. */
static void shrink_integers(clump_cloud *cloud, size_t points)
{
    static const int64_t limits[] = {0, 1, -1, INT64_C(1) << 53, -(INT64_C(1) << 53), 123456789012345};
    int64_t *values = malloc(points * sizeof *values);
    for (size_t i = 0; i < points; i++) values[i] = limits[i % 6];
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"i64", CLUMP_TYPE_I64, 1, values}, &io_why), CLUMP_OK);
    for (size_t i = 0; i < points; i++) values[i] = values[i] < 0 ? -values[i] : values[i];
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"u64", CLUMP_TYPE_U64, 1, values}, &io_why), CLUMP_OK);
    free(values);
}

static void every_type_round_trips(void)
{
    enum { COUNT = 60 };
    clump_cloud *cloud = io_make_cloud(COUNT);
    shrink_integers(cloud, COUNT);
    for (int e = 0; e < 3; e++) {
        clump_cloud *back = there_and_back(cloud, NULL, e);
        if (!back) continue;
        const clump_cloud_info info = clump_cloud_describe(back);
        CHECK(info.format == CLUMP_FORMAT_PLY && info.encoding == encodings[e] && info.xyz_type == CLUMP_TYPE_F32);
        CHECK_TEXT(info.note, "");
        CHECK(io_same_xyz(cloud, back));
        CHECK_INT(clump_cloud_field_count(back), 12); /* one of ten has three elements */
        clump_field f, g;
        for (size_t i = 0; clump_cloud_field(cloud, i, &f); i++) {
            if (f.count == 3) {
                for (size_t k = 0; k < 3; k++) {
                    CHECK(clump_cloud_field(back, i + k, &g) && g.type == CLUMP_TYPE_U16 && g.count == 1);
                    CHECK_TEXT(g.name, k == 0 ? "u16_0" : k == 1 ? "u16_1" : "u16_2");
                    for (size_t p = 0; p < COUNT; p++)
                        CHECK(((const uint16_t *)g.data)[p] == ((const uint16_t *)f.data)[3 * p + k]);
                }
            } else if (f.type == CLUMP_TYPE_I64 || f.type == CLUMP_TYPE_U64) {
                CHECK(clump_cloud_find(back, f.name, &g) && g.type == CLUMP_TYPE_F64);
                for (size_t p = 0; p < COUNT; p++)
                    CHECK(((const double *)g.data)[p] == (double)((const int64_t *)f.data)[p]);
            } else {
                CHECK_MSG(clump_cloud_find(back, f.name, &g) && io_same_field(&f, &g, COUNT), "%s", f.name);
            }
        }
        clump_cloud *again = there_and_back(back, NULL, (e + 1) % 3);
        CHECK(again && io_same_xyz(back, again) && io_same_fields(back, again));
        clump_cloud_destroy(again);
        clump_cloud_destroy(back);
    }
    clump_cloud_destroy(cloud);
}

static void labels_come_last(void)
{
    const int32_t labels[7] = {0, 1, -1, -2, 5, INT32_MAX, INT32_MIN};
    clump_cloud *cloud = io_make_cloud(7);
    shrink_integers(cloud, 7);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"label", CLUMP_TYPE_F32, 1, (float[7]){0}}, NULL), CLUMP_OK);
    for (int e = 0; e < 3; e++) {
        clump_cloud *back = there_and_back(cloud, labels, e);
        clump_field field;
        CHECK(clump_cloud_field(back, clump_cloud_field_count(back) - 1, &field));
        CHECK(strcmp(field.name, "label") == 0 && field.type == CLUMP_TYPE_I32);
        CHECK(memcmp(field.data, labels, sizeof labels) == 0);
        clump_cloud_destroy(back);
    }
    clump_cloud_destroy(cloud);
    cloud = io_make_cloud(0);
    for (int e = 0; e < 3; e++) {
        clump_cloud *back = there_and_back(cloud, NULL, e);
        CHECK(back && clump_cloud_points(back).count == 0 && clump_cloud_field_count(back) == 12);
        clump_cloud_destroy(back);
    }
    clump_cloud_destroy(cloud);
}

static void make_utm(maker *m, int encoding)
{
    make_header(m, encoding, "element vertex 40\nproperty double x\nproperty double y\nproperty double z\n");
    uint64_t state = 7;
    for (int i = 0; i < 40; i++) {
        make_value(m, CLUMP_TYPE_F64, 691000 + (double)(check_random(&state) % 1000000) / 1000);
        make_value(m, CLUMP_TYPE_F64, 5334000 + (double)(check_random(&state) % 1000000) / 1000);
        make_value(m, CLUMP_TYPE_F64, 500 + (double)(check_random(&state) % 100000) / 1000);
        make_end(m);
    }
}

/* Written again, a file of doubles is the same file, byte for byte. */
static void doubles_come_back(void)
{
    static maker m;
    for (int e = 0; e < 3; e++) {
        make_utm(&m, e);
        clump_cloud *cloud = NULL;
        CHECK_INT(io_parse("utm.ply", m.bytes, m.size, &cloud), CLUMP_OK);
        if (!cloud) return;
        CHECK_INT(clump_cloud_describe(cloud).xyz_type, CLUMP_TYPE_F64);
        CHECK(clump_cloud_origin(cloud)[0] >= 691000 && clump_cloud_origin(cloud)[1] >= 5334000);
        if (e == 0) { /* written with fewer digits */
            clump_cloud *back = there_and_back(cloud, NULL, 0);
            clump_cloud_destroy(cloud);
            cloud = back;
            make_utm(&m, 1);
        }
        size_t size;
        unsigned char *bytes = written(cloud, NULL, m.encoding, &size);
        CHECK_MSG(size == m.size && memcmp(bytes, m.bytes, size) == 0, "%s", encoding_names[e]);
        free(bytes);
        clump_cloud_destroy(cloud);
    }
}

static void comments_are_kept(void)
{
    clump_cloud *cloud = io_parse_text(
        "c.ply", "ply\r\ncomment first  one \r\nformat ascii 1.0\r\ncomment\r\nelement vertex 1\r\n"
                 "property int x\r\nobj_info third\r\nobj_info num_cols 7\r\nproperty int y\r\n  comment  last\r\n"
                 "property int z\r\nend_header\r\n1 2 3\r\n");
    const char *expected = "ply\nformat ascii 1.0\ncomment first  one\ncomment\nobj_info third\ncomment  last\n"
                           "element vertex 1\nproperty double x\nproperty double y\nproperty double z\n"
                           "end_header\n1 2 3\n";
    for (int round = 0; round < 2; round++) {
        size_t size;
        unsigned char *bytes = written(cloud, NULL, CLUMP_ENCODING_ASCII, &size);
        clump_cloud_destroy(cloud);
        CHECK(size == strlen(expected) && memcmp(bytes, expected, size) == 0);
        CHECK_INT(io_parse("c.ply", bytes, size, &cloud), CLUMP_OK);
        free(bytes);
    }
    clump_cloud_destroy(cloud);
}

/* --- headers ---------------------------------------------------------------------------------- */

static const float six[6] = {1, 2, 3, 4, 5, 6};

static void check_six(const char *name, const void *bytes, size_t size, size_t fields, const char *note)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(io_parse(name, bytes, size, &cloud), CLUMP_OK);
    CHECK_TEXT(io_why.text, "");
    if (!cloud) return;
    CHECK_INT(clump_cloud_points(cloud).count, 2);
    CHECK(memcmp(clump_cloud_points(cloud).xyz, six, sizeof six) == 0);
    CHECK_INT(clump_cloud_field_count(cloud), fields);
    CHECK_TEXT(clump_cloud_describe(cloud).note, note);
    clump_cloud_destroy(cloud);
}

static void line_ends(void)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", " \n", "\t \r\n", " \r"};
    static const char *const lines[] = {"ply",
                                        "format F 1.0",
                                        "",
                                        "  comment  ",
                                        "element  vertex\t2",
                                        "property float x",
                                        " property  float32 y",
                                        "comment property float a",
                                        "property float z",
                                        "end_header",
                                        "1 2 3",
                                        "",
                                        "  4\t5  6"};
    for (int i = 0; i < 12; i++) {
        char text[512], *p = text;
        const bool binary = i >= 6;
        for (int k = 0; k < (binary ? 10 : 13); k++) {
            if (k == 1)
                p += sprintf(p, "format %s 1.0%s", binary ? "binary_little_endian" : "ascii", ends[i % 6]);
            else
                p += sprintf(p, "%s%s", lines[k], ends[i % 6]);
        }
        if (binary) memcpy(p, six, sizeof six), p += sizeof six;
        check_six("l.ply", text, (size_t)(p - text), 0, "");
    }
    /* Behind a CR that ends the header, a byte like LF is data. */
    unsigned char bytes[200];
    const size_t used =
        (size_t)sprintf((char *)bytes, "ply\rformat binary_little_endian 1.0\relement vertex 1\rproperty uchar i\r"
                                       "property float x\rproperty float y\rproperty float z\rend_header\r\n");
    memcpy(bytes + used, six, 12);
    clump_cloud *cloud = NULL;
    clump_field field;
    CHECK_INT(io_parse("m.ply", bytes, used + 12, &cloud), CLUMP_OK);
    CHECK(cloud && memcmp(clump_cloud_points(cloud).xyz, six, 12) == 0);
    CHECK(clump_cloud_find(cloud, "i", &field) && *(const uint8_t *)field.data == '\n');
    clump_cloud_destroy(cloud);
}

#define XYZ "property float x\nproperty float y\nproperty float z\n"

static void header_quirks(void)
{
    static const struct {
        const char *text;
        size_t fields;
        const char *note;
    } cases[] = {
        {"ply\nelement vertex 2\nproperty float Z\nproperty uchar a\nproperty float X\nproperty float Y\n"
         "format ascii 1.0\nend_header\n3 255 1 2\n6 0 4 5",
         1, ""},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ "property int8 a\nproperty int16 a\nproperty uint64 b c \n"
         "end_header\n1 2 3 -128 -32768 18446744073709551615\n4 5 6 127 32767 0\n",
         3, "two fields are called a: the second is now a_2"},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ "end_header\n1 2 3\n4 5 6\n\n \n", 0, ""},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ "end_header\n1 2 3\n4 5 6\n\n7", 0,
         "line 11 and what follows come after the last point and are ignored"},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ "element face 0\nproperty list uchar int v\nend_header\n"
         "1 2 3\n4 5 6\n7",
         0, "line 12 and what follows come after the last point and are ignored"},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ "element face 2\nproperty list uchar int v\nend_header\n"
         "1 2 3\n4 5 6\n0\n0",
         0, ""},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ "element face 2\nproperty list uchar int v\nend_header\n"
         "1 2 3\n4 5 6\n0\n",
         0, "the file ends before element face does"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_six("q.ply", cases[i].text, strlen(cases[i].text), cases[i].fields, cases[i].note);

    clump_field field;
    clump_cloud *cloud = io_parse_text("q.ply", cases[1].text);
    CHECK(clump_cloud_field(cloud, 2, &field) && strcmp(field.name, "b_c") == 0);
    CHECK(field.type == CLUMP_TYPE_U64 && *(const uint64_t *)field.data == UINT64_MAX);
    clump_cloud_destroy(cloud);
    cloud = io_parse_text("named.xyz", "ply \nformat ascii 1.0\nelement vertex 1\nproperty char x\nproperty ushort y\n"
                                       "end_header\n-7 300\n");
    const double *origin = clump_cloud_origin(cloud);
    CHECK(origin[0] == -7 && origin[1] == 300 && origin[2] == 0 && clump_cloud_points(cloud).xyz[2] == 0);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "named .xyz but holds PLY; the points have no z, it is 0");
    clump_cloud_destroy(cloud);

    static maker m;
    for (int e = 1; e < 3; e++) {
        make_header(&m, e, "element vertex 2\n" XYZ "element face 1\nproperty list uchar int v\n");
        for (int i = 0; i < 6; i++) make_value(&m, CLUMP_TYPE_F32, i + 1.0);
        check_six("b.ply", m.bytes, m.size, 0, "the file ends before element face does");
        make_value(&m, CLUMP_TYPE_U8, 0);
        check_six("b.ply", m.bytes, m.size, 0, "");
        make_header(&m, e, "element vertex 2\n" XYZ);
        for (int i = 0; i < 7; i++) make_value(&m, CLUMP_TYPE_F32, i + 1.0);
        check_six("b.ply", m.bytes, m.size, 0, "4 bytes after the last point are ignored");
    }
}

/* --- real files ------------------------------------------------------------------------------- */

static clump_cloud *load(const char *path, clump_status expected)
{
    char full[1024];
    clump_cloud *cloud;
    snprintf(full, sizeof full, "%s/%s", check_data_folder(), path);
    if (clump_cloud_load(full, NULL, &cloud, &io_why) != expected) CHECK_FAIL("%s", io_why.text);
    return cloud;
}

static void files_are_read(void)
{
    static const struct {
        const char *path;
        size_t points, fields;
        const char *note;
    } files[] = {{"ply/DERIVED_smallgicp_source_20k_bigendian.ply", 20000, 1, ""},
                 {"ply/pcl_cube.ply", 24, 0, ""},
                 {"ply/pdal_issue_2421.ply", 1, 1, ""},
                 {"ply/pdal_mesh.ply", 4, 0, ""},
                 {"ply/pdal_simple_binary.ply", 3, 0, ""},
                 {"ply/pdal_simple_text.ply", 3, 0, ""},
                 {"ply/pdal_sized_dims.ply", 1, 2, "the points have no z, it is 0"},
                 {"ply/pdal_text_extradim.ply", 1, 8, ""},
                 {"ply/pdal_unsized_dims.ply", 1, 2, "the points have no z, it is 0"},
                 {"ply/smallgicp_source.ply", 69792, 1, ""},
                 {"ply/smallgicp_target.ply", 69088, 1, ""},
                 {"ply/trimesh_bunny.ply", 8171, 2, ""},
                 {"ply/trimesh_empty.ply", 0, 3, ""},
                 {"ply/trimesh_points_ascii.ply", 5, 0, ""},
                 {"ply/trimesh_points_ascii_with_lists.ply", 5, 0, ""},
                 {"ply/trimesh_points_bin.ply", 5, 0, ""},
                 {"ply/trimesh_points_emptyascii.ply", 12, 0, /* a 13th follows */
                  "line 23 and what follows come after the last point and are ignored"},
                 {"ply/trimesh_points_emptyface.ply", 1024, 0, ""}};
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        clump_cloud *cloud = load(files[i].path, CLUMP_OK);
        if (!cloud) continue;
        CHECK_MSG(clump_cloud_points(cloud).count == files[i].points, "%s", files[i].path);
        CHECK_MSG(clump_cloud_field_count(cloud) == files[i].fields, "%s", files[i].path);
        CHECK_TEXT(clump_cloud_describe(cloud).note, files[i].note);
        for (int e = 0; e < 3; e++) {
            clump_cloud *back = there_and_back(cloud, NULL, e);
            CHECK_MSG(io_same_xyz(cloud, back) && io_same_fields(cloud, back), "%s", files[i].path);
            clump_cloud_destroy(back);
        }
        clump_cloud_destroy(cloud);
    }
    CHECK(load("ply/pdal_no_vertex.ply", CLUMP_ERR_IO_FORMAT) == NULL);
    CHECK(strstr(io_why.text, "pdal_no_vertex.ply: the PLY header has no element vertex"));
}

static void files_agree(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    clump_cloud *source = load("ply/smallgicp_source.ply", CLUMP_OK),
                *first = load("ply/DERIVED_smallgicp_source_20k_bigendian.ply", CLUMP_OK),
                *target = load("ply/smallgicp_target.ply", CLUMP_OK), *pcd = load("pcd/ndtomp_251370668.pcd", CLUMP_OK);
    clump_field a, b;
    if (source && first) {
        CHECK(memcmp(clump_cloud_points(source).xyz, clump_cloud_points(first).xyz, 20000 * 12) == 0);
        CHECK(clump_cloud_find(source, "scalar_intensity", &a) && clump_cloud_find(first, "scalar_intensity", &b));
        CHECK(memcmp(a.data, b.data, 20000 * 4) == 0);
    }
    if (target && pcd) {
        CHECK_INT(clump_cloud_points(pcd).count, clump_cloud_points(target).count);
        CHECK(memcmp(clump_cloud_points(pcd).xyz, clump_cloud_points(target).xyz, 69088 * 12) == 0);
    }
    clump_cloud_destroy(source);
    clump_cloud_destroy(first);
    clump_cloud_destroy(target);
    clump_cloud_destroy(pcd);
}

CHECK_PROGRAM(test_ply)
{
    RUN(elements_and_lists);
    RUN(every_type_round_trips);
    RUN(labels_come_last);
    RUN(doubles_come_back);
    RUN(comments_are_kept);
    RUN(line_ends);
    RUN(header_quirks);
    RUN(files_are_read);
    RUN(files_agree);
    io_cleanup();
}
