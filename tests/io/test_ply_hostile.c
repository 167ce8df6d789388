/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ply_hostile.c: PLY files that are wrong, cut, damaged or boastful. What is refused is refused
 * with a sentence that names the place, at a cost that the bytes there are justify.
 */
#include "io/test_ply.h"

#define XYZ   "property float x\nproperty float y\nproperty float z\n"
#define ASCII "ply\nformat ascii 1.0\n"
#define ONE   ASCII "element vertex 1\n" XYZ "end_header\n"

static void headers_are_refused(void)
{
    CHECK_REFUSED("s.ply", "", CLUMP_ERR_IO_TRUNCATED, "s.ply: the file is empty");
    CHECK_REFUSED("s.ply", "play\n", CLUMP_ERR_IO_FORMAT, "s.ply: the file does not begin with a line \"ply\"");
    CHECK_REFUSED("s.ply", "ply", CLUMP_ERR_IO_FORMAT, "s.ply: the file does not begin with a line \"ply\"");
    CHECK_REFUSED("s.ply", "ply\n", CLUMP_ERR_IO_TRUNCATED, "s.ply: the PLY header has no end_header line in 4 bytes");
    CHECK_REFUSED("s.ply", "ply\nend_header\n", CLUMP_ERR_IO_FORMAT, "s.ply: the PLY header has no format line");
    CHECK_REFUSED("s.ply", ASCII "end_header\n", CLUMP_ERR_IO_FORMAT, "s.ply: the PLY header has no element vertex");
    CHECK_REFUSED("s.ply", ASCII "\nhello world\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 4: \"hello\" is no PLY keyword");
    CHECK_REFUSED("s.ply", ASCII "format ascii 1.0\n", CLUMP_ERR_IO_FORMAT, "s.ply: header line 3: a second format");
    CHECK_REFUSED("s.ply", "ply\nformat asci 1.0\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 2: format \"asci\" is not ascii, binary_little_endian or binary_big_endian");
    CHECK_REFUSED("s.ply", "ply\nformat ascii 2.0\n", CLUMP_ERR_IO_UNSUPPORTED,
                  "s.ply: header line 2: version \"2.0\" is not 1.0");
    CHECK_REFUSED("s.ply", "ply\nformat ascii\n", CLUMP_ERR_IO_UNSUPPORTED,
                  "s.ply: header line 2: version \"\" is not 1.0");
    CHECK_REFUSED("s.ply", ASCII "element\n", CLUMP_ERR_IO_FORMAT, "s.ply: header line 3: an element without a name");
#define NO_COUNT "s.ply: header line 3: the count of element vertex is not a number"
    CHECK_REFUSED("s.ply", ASCII "element vertex\n", CLUMP_ERR_IO_FORMAT, NO_COUNT);
    CHECK_REFUSED("s.ply", ASCII "element vertex x\n", CLUMP_ERR_IO_FORMAT, NO_COUNT);
    CHECK_REFUSED("s.ply", ASCII "element vertex -1\n", CLUMP_ERR_IO_FORMAT, NO_COUNT);
    CHECK_REFUSED("s.ply", ASCII "element vertex 1.5\n", CLUMP_ERR_IO_FORMAT, NO_COUNT);
    CHECK_REFUSED("s.ply", ASCII "element vertex 3 4\n", CLUMP_ERR_IO_FORMAT, NO_COUNT);
    CHECK_REFUSED("s.ply", ASCII "element vertex 18446744073709551616\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 3: 18446744073709551616 entries of element vertex are too many");
    CHECK_REFUSED("s.ply", ASCII "element vertex 0\nelement vertex 1\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 4: a second element vertex");
    CHECK_REFUSED("s.ply", ASCII XYZ, CLUMP_ERR_IO_FORMAT, "s.ply: header line 3: a property before any element");
#define VERTEX ASCII "element vertex 1\n"
    CHECK_REFUSED("s.ply", VERTEX "property flaot x\n", CLUMP_ERR_IO_UNSUPPORTED,
                  "s.ply: header line 4: property type \"flaot\" is not known");
    CHECK_REFUSED("s.ply", VERTEX "property list uchar float16 x\n", CLUMP_ERR_IO_UNSUPPORTED,
                  "s.ply: header line 4: property type \"float16\" is not known");
    CHECK_REFUSED("s.ply", VERTEX "property\n", CLUMP_ERR_IO_FORMAT, "s.ply: header line 4: a property without a type");
    CHECK_REFUSED("s.ply", VERTEX "property list int\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 4: a property without a type");
    CHECK_REFUSED("s.ply", VERTEX "property int\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 4: a property without a name");
    CHECK_REFUSED("s.ply", VERTEX "property list float int v\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 4: the count of a list is no integer");
    CHECK_REFUSED("s.ply", VERTEX XYZ "property int X\nend_header\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 7: element vertex has x twice");
    CHECK_REFUSED("s.ply", VERTEX "property float x\nproperty list uchar int y\nend_header\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: header line 3: element vertex has no y");
    CHECK_REFUSED("s.ply", VERTEX "end_header\n", CLUMP_ERR_IO_FORMAT, "s.ply: header line 3: element vertex has no x");
}

static void texts_are_refused(void)
{
    CHECK_REFUSED("s.ply", ONE, CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element vertex: 1 points of 3 values each, more than the 0 bytes from line 8 on can hold; "
                  "--partial reads the points that are there");
    CHECK_REFUSED("s.ply", ONE "1 2    \n", CLUMP_ERR_IO_FORMAT, "s.ply: line 8: 2 values instead of 3");
    CHECK_REFUSED("s.ply", ONE "\n1 2 3 4\n", CLUMP_ERR_IO_FORMAT, "s.ply: line 9: more than 3 values");
    CHECK_REFUSED("s.ply", ONE "1,2,3\n", CLUMP_ERR_IO_FORMAT, "s.ply: line 8: \"1,2,3\" is not a number (property x)");
    CHECK_REFUSED("s.ply", ONE "1 2 3e\n", CLUMP_ERR_IO_FORMAT, "s.ply: line 8: \"3e\" is not a number (property z)");
    CHECK_REFUSED("s.ply", ASCII "element vertex 2\n" XYZ "end_header\n1 2 3      \n\n", CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element vertex: 2 points, but the file ends after 1; --partial reads the 1 point there is");
    CHECK_REFUSED("s.ply", ASCII "element vertex 1\n" XYZ "property uchar red\nend_header\n1 2 3 256\n",
                  CLUMP_ERR_IO_FORMAT, "s.ply: line 9: \"256\" does not fit property red");
#define FACES ASCII "element face 2\nproperty list uchar int v\nelement vertex 1\n" XYZ "end_header\n"
    CHECK_REFUSED("s.ply", FACES "1 2 3\n1 2 3\n", CLUMP_ERR_IO_FORMAT, "s.ply: line 10: more than 2 values");
    CHECK_REFUSED("s.ply", FACES "2 2 3\n4 2 3\n1 2 3", CLUMP_ERR_IO_FORMAT,
                  "s.ply: line 11: 3 values are too few for element face");
    CHECK_REFUSED("s.ply", FACES "-1 2 3\n", CLUMP_ERR_IO_FORMAT, "s.ply: line 10: \"-1\" is no count (list v)");
    CHECK_REFUSED("s.ply", FACES "18446744073709551615\n1 2\n", CLUMP_ERR_IO_FORMAT,
                  "s.ply: line 10: 1 values are too few for element face");
    CHECK_REFUSED("s.ply", FACES "0     \n", CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element face: 2 entries, but the file ends after 1");
    CHECK_REFUSED("s.ply", FACES "0\n0\n1 2", CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element vertex: 1 points of 3 values each, more than the 3 bytes from line 12 on can hold; "
                  "--partial reads the points that are there");
}

static void binaries_are_refused(void)
{
#define LITTLE "ply\nformat binary_little_endian 1.0\n"
    CHECK_REFUSED("s.ply", LITTLE "element vertex 2\n" XYZ "end_header\n0123456789abcdef", CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element vertex: 2 points of 12 bytes each, but from byte 115 on there are 16 bytes for 1 "
                  "points; --partial reads the 1 point there is");
    CHECK_REFUSED("s.ply",
                  LITTLE "element a 3\nproperty double v\nelement vertex 0\n" XYZ "end_header\n0123456789abcdef",
                  CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element a: 3 entries of 8 bytes each, but from byte 145 on there are 16 bytes for 2 entries");
#define LIST LITTLE "element face 2\nproperty list char short v\nelement vertex 0\n" XYZ "end_header\n"
    CHECK_REFUSED("s.ply", LIST "\1", CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element face: 2 entries of at least 1 bytes each, but from byte 157 on there are 1 bytes for "
                  "1 entries");
    CHECK_REFUSED("s.ply", LIST "\1\1\1\2\1\1\1", CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element face: 2 entries, but the file ends in number 2, which begins at byte 160");
    CHECK_REFUSED("s.ply", LIST "\2\1\1\1\1", CLUMP_ERR_IO_TRUNCATED,
                  "s.ply: element face: 2 entries, but the file ends in number 2, which begins at byte 162");
    CHECK_REFUSED("s.ply", LIST "\1\1\1\377\1\1\1", CLUMP_ERR_IO_FORMAT,
                  "s.ply: byte 160: element face: the count of list v is negative");
}

static void large_integers_are_refused(void)
{
    static const struct {
        clump_type type;
        int64_t value;
        const char *shown;
    } cases[] = {{CLUMP_TYPE_I64, (INT64_C(1) << 53) + 1, "9007199254740993"},
                 {CLUMP_TYPE_I64, INT64_MIN, "-9223372036854775808"},
                 {CLUMP_TYPE_U64, -1, "18446744073709551615"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clump_cloud *cloud = NULL;
        CHECK_INT(clump_cloud_create(2, &cloud, NULL), CLUMP_OK);
        const clump_field field = {"stamp", cases[i].type, 1, (int64_t[2]){7, cases[i].value}};
        CHECK_INT(clump_cloud_set_field(cloud, &field, NULL), CLUMP_OK);
        const char *path = io_path("i.ply");
        char expected[700];
        snprintf(expected, sizeof expected,
                 "%s: field stamp: PLY has no 64-bit integers, and double holds them up to 2^53, not %s; write .pcd",
                 path, cases[i].shown);
        CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
        CHECK_TEXT(io_why.text, expected);
        CHECK(access(path, F_OK) != 0);
        clump_cloud_destroy(cloud);
    }
}

/* A header may promise anything; the answer comes at once. */
static void huge_promises(void)
{
    static const char *const bodies[] = {
        "element vertex 9223372036854775808\n" XYZ,
        "element vertex 18446744073709551615\n" XYZ,
        "element vertex 1537228672809129302\n" XYZ, /* x 12 = 8 beyond 2^64 */
        "element vertex 9223372036854775808\n" XYZ "property list uint int v\n",
        "element a 9223372036854775808\nproperty short a\nelement vertex 1\n" XYZ,
        "element a 9223372036854775808\nproperty list char int a\nelement vertex 1\n" XYZ,
        "element a 1\nproperty list uint double a\nelement vertex 1\n" XYZ,
        "element a 1\nproperty list uint64 double a\nelement vertex 1\n" XYZ,
        "element vertex 1\n" XYZ "property list uint64 double a\n",
    };
    static maker m;
    for (int e = 0; e < 3; e++) {
        for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
            make_header(&m, e, bodies[i]);
            make_text(&m, e ? "\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377" : "99999999999 2 3 4");
            clump_cloud *cloud;
            const clump_status status = io_parse("h.ply", m.bytes, m.size, &cloud);
            CHECK_MSG(status == CLUMP_ERR_IO_TRUNCATED || status == CLUMP_ERR_IO_FORMAT, "%d %zu", e, i);
        }
        /* Nothing, however often, is nothing. */
        make_header(&m, e,
                    "element a 18446744073709551615\nelement vertex 1\n" XYZ "element b 9223372036854775808\n"
                    "element c 9223372036854775808\nproperty list uchar int v\n");
        for (int i = 0; i < 3; i++) make_value(&m, CLUMP_TYPE_F32, i);
        clump_cloud *cloud = NULL;
        CHECK_INT(io_parse("h.ply", m.bytes, m.size, &cloud), CLUMP_OK);
        CHECK(cloud && clump_cloud_points(cloud).xyz[2] == 2);
        CHECK_TEXT(clump_cloud_describe(cloud).note, "the file ends before element c does");
        clump_cloud_destroy(cloud);
    }
}

static void many_properties_and_elements(void)
{
    enum { PROPERTIES = 10000, ELEMENTS = 100000 };
    char *text = malloc(ELEMENTS * 40), *p = text;
    p += sprintf(p, "ply\nformat ascii 1.0\ncomment many\nelement vertex 1\n" XYZ);
    for (int i = 0; i < PROPERTIES; i++) p += sprintf(p, "property ushort f%d\n", i);
    p += sprintf(p, "end_header\n1 2 3");
    for (int i = 0; i < PROPERTIES; i++) p += sprintf(p, " %d", i);
    clump_cloud *cloud = NULL, *back = NULL;
    CHECK_INT(io_parse("m.ply", text, (size_t)(p - text), &cloud), CLUMP_OK);
    CHECK_INT(clump_cloud_field_count(cloud), PROPERTIES);
    clump_field field;
    CHECK(clump_cloud_find(cloud, "f9999", &field) && *(const uint16_t *)field.data == 9999);
    back = io_again("m.ply", cloud, CLUMP_ENCODING_DEFAULT);
    CHECK(io_same_xyz(cloud, back) && io_same_fields(cloud, back));
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);

    p = text + sprintf(text, "ply\nformat ascii 1.0\n");
    for (int i = 0; i < ELEMENTS; i++) p += sprintf(p, "element e%d %d\n%s", i, i % 2, i % 4 ? "" : "property int a\n");
    p += sprintf(p, "element vertex 1\n" XYZ "end_header\n");
    p += sprintf(p, "1 2 3\n");
    CHECK_INT(io_parse("m.ply", text, (size_t)(p - text), &cloud), CLUMP_OK);
    CHECK(cloud && clump_cloud_points(cloud).xyz[2] == 3);
    clump_cloud_destroy(cloud);

    p = text + sprintf(text, "ply\nformat ascii 1.0\nelement vertex 0\n" XYZ);
    for (int i = 0; i < 70000; i++) p += sprintf(p, "property float f%d\n", i);
    p += sprintf(p, "end_header\n");
    CHECK_INT(io_parse("m.ply", text, (size_t)(p - text), &cloud), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "m.ply: more than 65536 fields");
    free(text);
}

/* Cut anywhere, the file is refused or gives its points; the last number of a text may be cut. */
static void every_truncation(void)
{
    static maker m;
    for (int e = 0; e < 3; e++) {
        make_sample(&m, e);
        size_t read = 0;
        for (size_t cut = 0; cut <= m.size; cut++) {
            clump_cloud *cloud;
            if (io_parse_copy("t.ply", m.bytes, cut, &cloud) != CLUMP_OK) {
                CHECK_MSG(read == 0, "%s cut at %zu of %zu", encoding_names[e], cut, m.size);
                continue;
            }
            const bool last = read++ < 20 && e == 0;
            CHECK_MSG(is_sample(cloud, POINTS - last), "%s cut at %zu of %zu", encoding_names[e], cut, m.size);
            clump_cloud_destroy(cloud);
        }
        CHECK_MSG(read > 26 - (e == 0) * 10, "%s: %zu", encoding_names[e], read);
    }
}

static void random_damage(void)
{
    static maker m, damaged;
    uint64_t state = 4711;
    for (int e = 0; e < 3; e++) {
        make_sample(&m, e);
        for (int round = 0; round < 4000; round++) {
            memcpy(&damaged, &m, sizeof m);
            for (uint64_t n = 1 + check_random(&state) % 4; n; n--) {
                const uint64_t r = check_random(&state);
                const size_t at = (size_t)(r >> 8) % m.size;
                if (r & 2)
                    damaged.bytes[at] ^= (unsigned char)(1u << (r >> 2 & 7));
                else
                    damaged.bytes[at] = (unsigned char)"0123456789 -.\r\n#e\xff"[(r >> 3) % 18];
            }
            clump_cloud *cloud;
            io_parse_copy("t.ply", damaged.bytes, m.size, &cloud);
            clump_cloud_destroy(cloud);
        }
    }
}

CHECK_PROGRAM(test_ply_hostile)
{
    RUN(headers_are_refused);
    RUN(texts_are_refused);
    RUN(binaries_are_refused);
    RUN(large_integers_are_refused);
    RUN(huge_promises);
    RUN(many_properties_and_elements);
    RUN(every_truncation);
    RUN(random_damage);
    io_cleanup();
}
