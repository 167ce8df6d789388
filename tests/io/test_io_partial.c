/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_io_partial.c: files that are not whole, read as far as they go (the option partial), and files without a
 * header, of columns that the caller names (the option columns).
 */
#include "las/test_las.h"

static clump_status read_part(const char *name, const void *bytes, size_t size, clump_cloud **cloud)
{
    clump_load_options options = clump_load_defaults();
    options.partial = true;
    unsigned char *copy = malloc(size ? size : 1); /* of exactly this size, for sanitizers */
    memcpy(copy, bytes, size);
    const clump_status status = clump_cloud_parse(copy, size, name, &options, cloud, &io_why);
    free(copy);
    return status;
}

/* --- every cut of every format --------------------------------------------------------------- */

enum { POINTS = 9 };

/* Numbers whose first digits are no numbers of the cloud: a coordinate that is cut would be seen. */
static clump_cloud *make_cloud(void)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(POINTS, &cloud, &io_why), CLUMP_OK);
    float *xyz = clump_cloud_xyz(cloud), intensity[POINTS];
    int32_t ring[POINTS];
    for (size_t i = 0; i < 3 * POINTS; i++) xyz[i] = 100.25f + 10 * (float)i;
    for (int i = 0; i < POINTS; i++) intensity[i] = 0.125f + (float)i, ring[i] = 1000 + i;
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"intensity", CLUMP_TYPE_F32, 1, intensity}, NULL), CLUMP_OK);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"ring", CLUMP_TYPE_I32, 1, ring}, NULL), CLUMP_OK);
    return cloud;
}

/* The first points of the whole cloud, and all of each. */
static void check_beginning(const char *what, const clump_cloud *part, const clump_cloud *whole)
{
    clump_field f, g;
    const size_t count = clump_cloud_points(part).count;
    for (size_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++)
            CHECK_MSG(clump_cloud_coordinate(part, i, a) == clump_cloud_coordinate(whole, i, a), "%s: %c of point %zu",
                      what, "xyz"[a], i);
    if (count) CHECK_INT(clump_cloud_field_count(part), clump_cloud_field_count(whole));
    for (size_t k = 0; clump_cloud_field(part, k, &f) && clump_cloud_field(whole, k, &g); k++)
        for (size_t i = 0; i < count; i++)
            CHECK_MSG(clump_field_value(&f, i, 0) == clump_field_value(&g, i, 0), "%s: %s of point %zu", what, f.name,
                      i);
    const clump_cloud_info info = clump_cloud_describe(part);
    CHECK_INT(info.width * info.height, count);
}

/* Cuts the file everywhere. With partial it is either refused, as long as its header is not whole, or gives the
 * first points; without, what partial reads is refused, and the sentence says so. */
static void cut_everywhere(const char *name, clump_encoding encoding)
{
    clump_cloud *cloud = make_cloud(), *whole, *part;
    clump_save_options options = clump_save_defaults();
    options.encoding = encoding;
    const char *path = io_path(name);
    CHECK_INT(clump_cloud_save(path, cloud, NULL, &options, &io_why), CLUMP_OK);
    const bool text = encoding == CLUMP_ENCODING_ASCII || strstr(name, ".csv");
    size_t size, most = 0;
    unsigned char *bytes = io_slurp(path, &size);
    unlink(path);
    CHECK_INT(io_parse(name, bytes, size, &whole), CLUMP_OK);
    for (size_t cut = 1; cut < size; cut++) {
        if (read_part(name, bytes, cut, &part) != CLUMP_OK) {
            CHECK_MSG(most == 0, "%s: %zu of %zu bytes: %s", name, cut, size, io_why.text);
            continue;
        }
        const clump_cloud_info info = clump_cloud_describe(part);
        const size_t count = clump_cloud_points(part).count;
        CHECK_MSG(count >= most && count <= POINTS, "%s: %zu points in %zu bytes", name, count, cut);
        most = count;
        check_beginning(name, part, whole);
        clump_cloud_destroy(part);
        if (!info.note[0]) continue; /* cut between two lines of a text, or behind the last value */
        char said[96];
        snprintf(said, sizeof said, "%zu of %d points were read", count, POINTS);
        CHECK_MSG(strstr(info.note, said) || strstr(info.note, "left out"), "%s: %s", name, info.note);
        const clump_status status = io_parse(name, bytes, cut, &part);
        if (status == CLUMP_OK) { /* a text whose last line has lost its end, or some digits: nothing shows it */
            CHECK_MSG(text, "%s: %zu bytes", name, cut);
            clump_cloud_destroy(part);
        } else {
            CHECK_MSG(strstr(io_why.text, "--partial") || count == 0, "%s: %s", name, io_why.text);
        }
    }
    CHECK_MSG(most >= POINTS - 1, "%s: %zu", name, most);
    CHECK_INT(read_part(name, bytes, size, &part), CLUMP_OK); /* a whole file is whole */
    CHECK_INT(clump_cloud_points(part).count, POINTS);
    CHECK_TEXT(clump_cloud_describe(part).note, "");
    clump_cloud_destroy(part);
    clump_cloud_destroy(whole);
    clump_cloud_destroy(cloud);
    free(bytes);
}

static void every_cut(void)
{
    cut_everywhere("cut.pcd", CLUMP_ENCODING_BINARY);
    cut_everywhere("cut.pcd", CLUMP_ENCODING_ASCII);
    cut_everywhere("cut.ply", CLUMP_ENCODING_BINARY);
    cut_everywhere("cut.ply", CLUMP_ENCODING_BIG_ENDIAN);
    cut_everywhere("cut.ply", CLUMP_ENCODING_ASCII);
    cut_everywhere("cut.las", CLUMP_ENCODING_DEFAULT);
    cut_everywhere("cut.csv", CLUMP_ENCODING_DEFAULT);
    cut_everywhere("cut.npy", CLUMP_ENCODING_DEFAULT);
    cut_everywhere("cut.bin", CLUMP_ENCODING_DEFAULT);
    cut_everywhere("cut.pcd.bin", CLUMP_ENCODING_DEFAULT);
}

static void sentences(void)
{
    clump_cloud *part;
    static const char pcd[] = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 2\nHEIGHT 2\nPOINTS 4\n"
                              "DATA ascii\n1 2 3\n4 5 6\n7 8 12";
    CHECK_INT(read_part("a.pcd", pcd, sizeof pcd - 1, &part), CLUMP_OK);
    CHECK_TEXT(clump_cloud_describe(part).note, "the file ends too early: 2 of 4 points were read");
    CHECK_INT(clump_cloud_describe(part).height, 1); /* not two rows any more */
    clump_cloud_destroy(part);
    /* Of a text without a count, only the last line can be found out. */
    CHECK_INT(read_part("a.xyz", "1 2 3\n4 5 6\n7 8", 15, &part), CLUMP_OK);
    CHECK_TEXT(clump_cloud_describe(part).note, "the last line has no end and was left out: 2 points were read");
    clump_cloud_destroy(part);
    CHECK_REFUSED("a.xyz", "1 2 3\n4 5 6\n7 8", CLUMP_ERR_IO_FORMAT,
                  "a.xyz: line 3: 2 values instead of 3; the file may be cut in its last line: --partial leaves that "
                  "out");
    CHECK_INT(read_part("a.pts", "3\n1 2 3\n4 5 6\n7 8 9", 19, &part), CLUMP_OK); /* it may have been 9.5 */
    CHECK_TEXT(clump_cloud_describe(part).note, "the file ends too early: 2 of 3 points were read");
    clump_cloud_destroy(part);
    /* A line in the middle that is too short is no cut. */
    CHECK_INT(read_part("a.xyz", "1 2 3\n4 5\n7 8 9\n", 16, &part), CLUMP_ERR_IO_FORMAT);
    /* Lists: the points are walked through. */
    static const char ply[] =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty char x\nproperty char y\n"
        "property char z\nproperty list uchar char l\nend_header\n\1\2\3\2\7\7\4\5\6\3\7";
    CHECK_INT(read_part("a.ply", ply, sizeof ply - 1, &part), CLUMP_OK);
    CHECK_INT(clump_cloud_points(part).count, 1);
    CHECK(strstr(clump_cloud_describe(part).note, "the file ends too early: 1 of 3 points were read"));
    clump_cloud_destroy(part);
    /* The file is cut before its points begin. */
    static const char face[] = "ply\nformat ascii 1.0\nelement face 2\nproperty char a\nelement vertex 1\n"
                               "property char x\nproperty char y\nend_header\n1\n";
    CHECK_INT(read_part("a.ply", face, sizeof face - 1, &part), CLUMP_ERR_IO_TRUNCATED);
    CHECK(!strstr(io_why.text, "--partial"));
}

/* A cut LAS file that is written is whole: its header counts the points there are, and gives their bounds. */
static void cut_las_is_written_whole(void)
{
    for (unsigned minor = 2; minor <= 4; minor++) {
        las_file f = las_make(&(las_recipe){.minor = minor, .points = 50, .evlrs = minor == 4 ? 2 : 0}, minor);
        clump_cloud *part;
        CHECK_INT(read_part("a.las", f.bytes, f.points + 20 * f.record + 3, &part), CLUMP_OK);
        CHECK_TEXT(clump_cloud_describe(part).note, "the file ends too early: 20 of 50 points were read");
        las_file g = las_save(part, NULL);
        CHECK_INT(g.count, 20);
        CHECK_INT(g.size, g.points + 20 * g.record);
        las_file tidy = g;
        tidy.bytes = malloc(g.size);
        memcpy(tidy.bytes, g.bytes, g.size);
        las_tidy(&tidy); /* bounds and returns as they should be */
        CHECK(memcmp(tidy.bytes, g.bytes, g.size) == 0);
        clump_cloud *back = las_parse(&g);
        CHECK_TEXT(clump_cloud_describe(back).note, "");
        clump_cloud_destroy(back);
        clump_cloud_destroy(part);
        free(f.bytes), free(g.bytes), free(tidy.bytes);
    }
}

/* What is stored column by column has no whole point before its end. */
static void what_cannot_be_read_in_part(void)
{
    clump_cloud *part;
    char npy[256] = "\x93NUMPY\1\0\x76";
    memset(npy + 10, ' ', sizeof npy - 10);
    memcpy(npy + 10, "{'descr': '<f4', 'fortran_order': True, 'shape': (16, 3), }", 59);
    npy[9] = 0, npy[127] = '\n';
    CHECK_INT(read_part("f.npy", npy, 128 + 100, &part), CLUMP_ERR_IO_TRUNCATED);
    CHECK_MSG(!strstr(io_why.text, "--partial"), "%s", io_why.text);
}

/* --- columns --------------------------------------------------------------------------------- */

static clump_status read_columns(const void *bytes, size_t size, const char *columns, clump_cloud **cloud)
{
    clump_load_options options = clump_load_defaults();
    options.columns = columns;
    return clump_cloud_parse(bytes, size, "a.bin", &options, cloud, &io_why);
}

static void columns_of_floats(void)
{
    float numbers[36];
    for (int i = 0; i < 36; i++) numbers[i] = (float)i;
    static const struct {
        const char *columns, *fields;
        size_t width;
    } cases[] = {{"xyz", "", 3},         {"xyzi", "intensity", 4}, {"xyzirt", "intensity ring time", 6},
                 {"_zyx", "", 4},        {"x,y,z", "", 3},         {"x,y,z,a:float32,_,b", "a b", 6},
                 {"Z,Y,X:f32,i", "i", 4}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        clump_cloud *cloud;
        CHECK_INT(read_columns(numbers, sizeof numbers, cases[c].columns, &cloud), CLUMP_OK);
        if (!cloud) continue;
        CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_RAW);
        CHECK_INT(clump_cloud_points(cloud).count, 36 / cases[c].width);
        const bool reversed = cases[c].columns[0] == 'Z' || cases[c].columns[0] == '_';
        const size_t skipped = cases[c].columns[0] == '_';
        for (size_t a = 0; a < 3; a++)
            CHECK(clump_cloud_points(cloud).xyz[3 + a] == (float)(cases[c].width + skipped + (reversed ? 2 - a : a)));
        char names[128] = "";
        clump_field f;
        for (size_t k = 0; clump_cloud_field(cloud, k, &f); k++) {
            if (k) strcat(names, " ");
            strcat(names, f.name);
            CHECK(f.type == CLUMP_TYPE_F32);
        }
        CHECK_TEXT(names, cases[c].fields);
        clump_cloud_destroy(cloud);
    }
}

/* Autoware's points: 32 bytes, the ring a uint16, padding between. */
static void columns_of_other_types(void)
{
    unsigned char bytes[64] = {0};
    for (size_t i = 0; i < 2; i++) {
        const float xyz[3] = {1 + (float)i, 2, 3}, intensity = 0.5f;
        const uint16_t ring = (uint16_t)(40000 + i);
        const double time = 1e9 + 0.125 * (double)i;
        memcpy(bytes + 32 * i, xyz, 12);
        memcpy(bytes + 32 * i + 16, &intensity, 4);
        memcpy(bytes + 32 * i + 20, &ring, 2);
        memcpy(bytes + 32 * i + 24, &time, 8);
    }
    clump_cloud *cloud;
    CHECK_INT(read_columns(bytes, 64, "x,y,z,_,intensity,ring:u16,_:u16,time:f64", &cloud), CLUMP_OK);
    clump_field f;
    CHECK(clump_cloud_points(cloud).count == 2 && clump_cloud_points(cloud).xyz[3] == 2);
    CHECK(clump_cloud_find(cloud, "ring", &f) && f.type == CLUMP_TYPE_U16 && clump_field_value(&f, 1, 0) == 40001);
    CHECK(clump_cloud_find(cloud, "time", &f) && f.type == CLUMP_TYPE_F64 &&
          clump_field_value(&f, 1, 0) == 1e9 + 0.125);
    CHECK_INT(clump_cloud_field_count(cloud), 3);
    clump_cloud_destroy(cloud);
    CHECK_INT(read_columns(bytes, 48, "x:f64,y:f64,z:i64", &cloud), CLUMP_OK);
    CHECK_INT(clump_cloud_points(cloud).count, 2);
    clump_cloud_destroy(cloud);
}

static void wrong_columns(void)
{
    static const struct {
        const char *columns, *sentence;
    } cases[] = {
        {"", "a.bin: columns : x is missing"},
        {"xy", "a.bin: columns xy: z is missing"},
        {"xyzx", "a.bin: columns xyzx: x is there twice"},
        {"xyzq", "a.bin: columns xyzq: q is none of the letters x y z i r t _"},
        {"x,y,z,,i", "a.bin: columns x,y,z,,i:  has no name"},
        {"x,y,z,", "a.bin: columns x,y,z,:  has no name"},
        {"x,y,z,:u8", "a.bin: columns x,y,z,:u8: :u8 has no name"},
        {"x,y,z,a:u9", "a.bin: columns x,y,z,a:u9: a:u9 has no type of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64"},
    };
    clump_cloud *cloud;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        CHECK_INT(read_columns("0123456789abcdef", 16, cases[c].columns, &cloud), CLUMP_ERR_ARGUMENT);
        CHECK_TEXT(io_why.text, cases[c].sentence);
    }
    char many[80];
    memset(many, '_', sizeof many);
    memcpy(many, "xyz", 3), many[79] = 0;
    CHECK_INT(read_columns("0123456789abcdef", 16, many, &cloud), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(io_why.text, "_ is one column too many"));
    CHECK_INT(read_columns("0123456789abcdef", 16, "xyz", &cloud), CLUMP_ERR_IO_FORMAT);
    CHECK_TEXT(io_why.text, "a.bin: 16 bytes is no multiple of 12, the size of a raw point (xyz); --partial reads the "
                            "points before the last bytes");
    CHECK_INT(read_columns("VERSION .7\nFIELDS x y z\n", 24, "xyz", &cloud), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(io_why.text, "a.bin: columns cannot be given for pcd: they are for files without a header");
    clump_load_options options = clump_load_defaults();
    options.format = CLUMP_FORMAT_RAW;
    CHECK_INT(clump_cloud_parse("", 0, "a.bin", &options, &cloud, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(io_why.text, "give their columns, such as --columns xyzi"));
}

/* --- files that are taken for others ----------------------------------------------------------- */

/* A scan: two walls, point after point. */
static void make_scan(float *numbers, size_t points, size_t width, float shift)
{
    for (size_t i = 0; i < points; i++) {
        const float angle = (float)i * 6.2831853f / (float)points;
        const float xyz[4] = {shift + 20 * cosf(angle), shift + 30 * sinf(angle), 0.5f * (float)(i % 7), 0.3f};
        memcpy(numbers + width * i, xyz, width * 4);
    }
}

static void scans_of_xyz_alone(void)
{
    enum { MANY = 1200 };
    static float numbers[4 * MANY];
    clump_cloud *cloud;
    for (int shifted = 0; shifted <= 1; shifted++) {
        make_scan(numbers, MANY, 3, shifted ? 100.0f : 0.0f);
        CHECK_INT(io_parse("a.bin", numbers, (size_t)MANY * 12, &cloud), CLUMP_OK);
        CHECK_MSG(strstr(clump_cloud_describe(cloud).note, "--columns xyz"), "%s", clump_cloud_describe(cloud).note);
        clump_cloud_destroy(cloud);
        CHECK_INT(io_parse("a.bin", numbers, (size_t)(MANY - 1) * 12, &cloud), CLUMP_ERR_IO_FORMAT);
        CHECK_MSG(strstr(io_why.text, "points of x y z alone would fit: --columns xyz"), "%s", io_why.text);
        make_scan(numbers, MANY, 4, shifted ? 100.0f : 0.0f);
        CHECK_INT(io_parse("a.bin", numbers, (size_t)MANY * 16, &cloud), CLUMP_OK);
        CHECK_TEXT(clump_cloud_describe(cloud).note, "");
        clump_cloud_destroy(cloud);
    }
    /* Colours of four bytes where the intensity is. */
    for (uint32_t i = 0; i < MANY; i++) memcpy(&numbers[4 * i + 3], &i, 4);
    CHECK_INT(io_parse("a.bin", numbers, (size_t)MANY * 16, &cloud), CLUMP_OK);
    CHECK_MSG(strstr(clump_cloud_describe(cloud).note, "--columns says what a point is"), "%s",
              clump_cloud_describe(cloud).note);
    clump_cloud_destroy(cloud);
}

static void arrays_of_columns(void)
{
    static char npy[128 + 3 * 1000 * 4];
    memset(npy, 0, sizeof npy);
    memcpy(npy, "\x93NUMPY\1\0\x76", 9);
    memset(npy + 10, ' ', 117);
    memcpy(npy + 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1000), }", 62);
    npy[127] = '\n';
    clump_cloud *cloud;
    CHECK_INT(io_parse("t.npy", npy, sizeof npy, &cloud), CLUMP_OK);
    CHECK_TEXT(clump_cloud_describe(cloud).note,
               "the array is 3 x 1000: 3 points with 997 fields each; if it has a point in every column, transpose it "
               "first: numpy.save(name, array.T)");
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_io_partial)
{
    RUN(every_cut);
    RUN(sentences);
    RUN(cut_las_is_written_whole);
    RUN(what_cannot_be_read_in_part);
    RUN(columns_of_floats);
    RUN(columns_of_other_types);
    RUN(wrong_columns);
    RUN(scans_of_xyz_alone);
    RUN(arrays_of_columns);
    io_cleanup();
}
