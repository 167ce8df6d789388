/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_io.c: formats there and back, the quirks of headers, the sentences of refusals.
 */
#include "io/test_io.h"

#define PCD_XYZ "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"

static void double_coordinates_get_an_origin(void)
{
    const char *text = "FIELDS X Y Z\nSIZE 8 8 8\nTYPE F F F\nPOINTS 3\nDATA ascii\n"
                       "500000.25 -0.5 10\n500001.5 -7.25 12.125\nnan 0 0\n";
    clump_cloud *cloud = io_parse_text("utm.pcd", text), *back = NULL;
    const double *origin = clump_cloud_origin(cloud);
    CHECK(origin[0] == 500000 && origin[1] == -8 && origin[2] == 10);
    const float *xyz = clump_cloud_points(cloud).xyz;
    CHECK(xyz[0] == 0.25f && xyz[1] == 7.5f && xyz[2] == 0 && xyz[3] == 1.5f && xyz[4] == 0.75f && isnan(xyz[6]));
    CHECK_INT(clump_cloud_describe(cloud).xyz_type, CLUMP_TYPE_F64);
    for (int encoding = CLUMP_ENCODING_ASCII; encoding <= CLUMP_ENCODING_BINARY; encoding++) {
        back = io_again("utm.pcd", cloud, (clump_encoding)encoding);
        CHECK(io_same_xyz(cloud, back));
        CHECK_INT(clump_cloud_describe(back).xyz_type, CLUMP_TYPE_F64);
        clump_cloud_destroy(back);
    }
    /* Text keeps it too; KITTI has only float32. */
    const char *path = io_path("utm.csv");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    CHECK(io_same_xyz(cloud, back));
    clump_cloud_destroy(back);
    unlink(path);
    back = io_again("utm.bin", cloud, CLUMP_ENCODING_DEFAULT);
    CHECK(clump_cloud_points(back).xyz[0] == 500000.25f && clump_cloud_origin(back)[0] == 0);
    clump_cloud_destroy(back);
    clump_cloud_destroy(cloud);

    /* One stray point does not make all others alike. */
    cloud = io_parse_text("s.xyz", "200000.5 -1e30 0\n200001.5 2 0\n");
    CHECK(clump_cloud_origin(cloud)[0] == 200000 && clump_cloud_origin(cloud)[1] == 0);
    CHECK(clump_cloud_points(cloud).xyz[1] == -1e30f && clump_cloud_points(cloud).xyz[4] == 2);
    clump_cloud_destroy(cloud);

    /* Integers go the same way. */
    cloud = io_parse_text("i.pcd", "FIELDS x y z\nSIZE 4 4 1\nTYPE I I U\nPOINTS 1\nDATA ascii\n-2000000001 7 255\n");
    CHECK(clump_cloud_origin(cloud)[0] == -2000000001.0 && clump_cloud_points(cloud).xyz[0] == 0);
    CHECK(clump_cloud_origin(cloud)[2] == 255 && clump_cloud_describe(cloud).xyz_type == CLUMP_TYPE_U8);
    clump_cloud_destroy(cloud);
}

static void kitti_round_trips(void)
{
    clump_cloud *cloud = io_make_cloud(20), *back = NULL;
    float intensity[20];
    for (int i = 0; i < 20; i++) intensity[i] = (float)i * 0.1f;
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"intensity", CLUMP_TYPE_F32, 1, intensity}, NULL), CLUMP_OK);
    const char *path = io_path("scan.bin");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    CHECK(io_same_xyz(cloud, back));
    clump_field field;
    CHECK(clump_cloud_field_count(back) == 1 && clump_cloud_field(back, 0, &field));
    CHECK(strcmp(field.name, "intensity") == 0 && memcmp(field.data, intensity, sizeof intensity) == 0);
    clump_cloud_destroy(back);
    CHECK_INT(clump_cloud_save(path, cloud, (const int32_t[20]){0}, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(io_why.text,
                 "scan.bin: a KITTI file has no place for labels; write .pcd, .ply, .las, .csv, .npy or .labels"));
    clump_cloud_destroy(cloud);
    unlink(path);
    CHECK_REFUSED("s.bin", "seventeen bytes..", CLUMP_ERR_IO_FORMAT,
                  "s.bin: 17 bytes is no multiple of 16, the size of a KITTI point (float32 x y z intensity); "
                  "--partial reads the points before the last bytes");
    CHECK_REFUSED("s.bin", "01234567890123456789", CLUMP_ERR_IO_FORMAT,
                  "s.bin: 20 bytes is no multiple of 16, the size of a KITTI point (float32 x y z intensity); as "
                  "nuscenes it would fit; --partial reads the points before the last bytes");
}

static void text_shapes(void)
{
    static const struct {
        const char *name, *text;
        size_t points, fields;
    } cases[] = {
        {"a.xyz", "1 2 3\n4 5 6\n", 2, 0},
        {"a.xyz", "1 2 3\n4 5 6", 2, 0},
        {"a.txt", "  1\t2   3  \r\n\r\n4 5 6\r\n", 2, 0},
        {"a.csv", "x,y,z\n1,2,3\n4,5,6\n", 2, 0},
        {"a.csv", "\xef\xbb\xbf\"X\";\"Y\";\"Z\"\n1;2;3\n4; 5 ;6\n", 2, 0},
        {"a.csv", "z,y,x\n3,2,1\n6,5,4\n", 2, 0},
        {"a.csv", "GPS time, x, y, z\n0.5,1,2,3\n1.5,4,5,6\n", 2, 1},
        {"a.csv", "1,2,3,\n4,5,6,\n", 2, 0},
        {"a.pts", "2\n1 2 3 9\n4 5 6 9\n", 2, 1},
        {"a.asc", "# a scan\n1 2 3\n// between\n4 5 6 # behind\n# end\n", 2, 0},
        {"a.asc", "//Z Y X R\n3 2 1 0\n6 5 4 0\n", 2, 1},
        {"a.txt", "# z y x\n3 2 1\n6 5 4\n", 2, 0},
        {"a.txt", "# x y z are metres\n1 2 3\n4 5 6\n", 2, 0},
        {"noextension", "1 2 3\n4 5 6\n", 2, 0},
        {"a.txt", "1 2 3\n4 5 6\n\n\n", 2, 0},
        {"a.txt", "+1 2. 3.0e0\n.4E1 5e+0 60e-1\n", 2, 0},
        {"a.txt", "", 0, 0},
        {"a.txt", "\n\n# nothing\n", 0, 0},
        {"a.csv", "x,y,z,i\n", 0, 1},
        {"a.csv", ",x,y,z\n0,1,2,3\n1,4,5,6\n", 2, 1}, /* pandas: to_csv(f) */
        {"a.csv", "\"\",\"x\",\"y\",\"z\"\r\n\"0\",\"1\",\"2.0\",\"3\"\r\n\"1\",\"4\",\" 5 \",\"6\"\r\n", 2, 1},
        {"a.csv", "\"1\",\"2\",\"3\",\"\"\n\"4\",\"5\",\"6\",\"7\"\n", 2, 1},
        {"a.txt", "\"1\" \"2\" \"3\"\n4 5 6\n", 2, 0},
        {"a.pts", "0\n", 0, 0},
    };
    const float expected[6] = {1, 2, 3, 4, 5, 6};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clump_cloud *cloud = io_parse_text(cases[i].name, cases[i].text);
        if (!cloud) continue;
        CHECK_MSG(clump_cloud_points(cloud).count == cases[i].points, "case %zu", i);
        CHECK_MSG(clump_cloud_field_count(cloud) == cases[i].fields, "case %zu", i);
        CHECK_MSG(memcmp(clump_cloud_points(cloud).xyz, expected, cases[i].points * 12) == 0, "case %zu", i);
        CHECK_INT(clump_cloud_describe(cloud).width, cases[i].points);
        clump_cloud_destroy(cloud);
    }
}

static void text_types_follow_from_values(void)
{
    clump_cloud *cloud = io_parse_text("a.csv", "x,y,z,whole,float,stamp,gap,GPS time,\n"
                                                "1,2,3,-5,0.100000001,1673400472.138,,7.0,\n"
                                                "1,nan,3,2147483647,-inf,2.5,4,8.5,\n");
    clump_field f;
    CHECK(clump_cloud_find(cloud, "whole", &f) && f.type == CLUMP_TYPE_I32);
    CHECK(((const int32_t *)f.data)[0] == -5 && ((const int32_t *)f.data)[1] == 2147483647);
    CHECK(clump_cloud_find(cloud, "float", &f) && f.type == CLUMP_TYPE_F32);
    CHECK(((const float *)f.data)[0] == 0.1f && ((const float *)f.data)[1] == -INFINITY);
    CHECK(clump_cloud_find(cloud, "stamp", &f) && f.type == CLUMP_TYPE_F64);
    CHECK(((const double *)f.data)[0] == 1673400472.138);
    CHECK(clump_cloud_find(cloud, "gap", &f) && isnan(((const float *)f.data)[0]) && ((const float *)f.data)[1] == 4);
    CHECK(clump_cloud_find(cloud, "GPS_time", &f) && f.type == CLUMP_TYPE_F32);
    CHECK(isnan(clump_cloud_points(cloud).xyz[4]));
    clump_cloud_destroy(cloud);

    /* Digits that float32 does not hold, told by the last integer or by the first. */
    cloud = io_parse_text("a.csv", "x,y,z,a,b,c\n1,2,3,254214682,1.5,0.25467294\n1,2,3,0.5,16777217,0.123456789\n");
    CHECK(clump_cloud_find(cloud, "a", &f) && f.type == CLUMP_TYPE_F64 && ((const double *)f.data)[0] == 254214682);
    CHECK(clump_cloud_find(cloud, "b", &f) && f.type == CLUMP_TYPE_F64 && ((const double *)f.data)[1] == 16777217);
    CHECK(clump_cloud_find(cloud, "c", &f) && f.type == CLUMP_TYPE_F64);
    clump_cloud_destroy(cloud);

    /* Integers beyond int32, and beyond int64; numbers beyond the range of float32. */
    cloud = io_parse_text("a.csv", "x,y,z,t,u,v,w,b\n1,2,3,1700000000123456789,18446744073709551615,1e300,-5,7\n"
                                   "1,2,3,-1,3,1e-60,18446744073709551615,2147483648\n");
    CHECK(clump_cloud_find(cloud, "t", &f) && f.type == CLUMP_TYPE_I64);
    CHECK(((const int64_t *)f.data)[0] == 1700000000123456789 && ((const int64_t *)f.data)[1] == -1);
    CHECK(clump_cloud_find(cloud, "u", &f) && f.type == CLUMP_TYPE_U64);
    CHECK(((const uint64_t *)f.data)[0] == UINT64_MAX && ((const uint64_t *)f.data)[1] == 3);
    CHECK(clump_cloud_find(cloud, "v", &f) && f.type == CLUMP_TYPE_F64 && ((const double *)f.data)[0] == 1e300);
    CHECK(((const double *)f.data)[1] == 1e-60);
    CHECK(clump_cloud_find(cloud, "w", &f) && f.type == CLUMP_TYPE_F32 && ((const float *)f.data)[0] == -5);
    CHECK(clump_cloud_find(cloud, "b", &f) && f.type == CLUMP_TYPE_I64 && ((const int64_t *)f.data)[1] == 2147483648);
    clump_cloud_destroy(cloud);

    /* Found out late, after the rows that are looked at first: everything is read again. */
    char *late = malloc(200000);
    size_t used = (size_t)sprintf(late, "x,y,z,a,b,c,d\n");
    for (int i = 0; i < 5000; i++)
        used += (size_t)sprintf(late + used, "1,2,3,%d,%d,%d,%s\n", i, i, i, i < 10 ? "5000000000" : "5");
    sprintf(late + used, "1,2,3,5000000000,0.123456789,x,0.5\n");
    memcpy(strchr(late + used, 'x'), "1", 1);
    cloud = io_parse_text("a.csv", late);
    CHECK(clump_cloud_find(cloud, "a", &f) && f.type == CLUMP_TYPE_I64 &&
          ((const int64_t *)f.data)[5000] == 5000000000);
    CHECK(((const int64_t *)f.data)[4999] == 4999);
    CHECK(clump_cloud_find(cloud, "b", &f) && f.type == CLUMP_TYPE_F64 &&
          ((const double *)f.data)[5000] == 0.123456789);
    CHECK(((const double *)f.data)[4999] == 4999);
    CHECK(clump_cloud_find(cloud, "c", &f) && f.type == CLUMP_TYPE_I32 && ((const int32_t *)f.data)[4999] == 4999);
    CHECK(clump_cloud_find(cloud, "d", &f) && f.type == CLUMP_TYPE_F64 && ((const double *)f.data)[9] == 5e9);
    CHECK(((const double *)f.data)[10] == 5 && ((const double *)f.data)[5000] == 0.5);
    clump_cloud_destroy(cloud);
    free(late);

    /* Degrees: float32 would move them by decimetres. What float32 wrote stays float32, with any digits. */
    cloud = io_parse_text("a.csv", "x,y,z\n-94.6834267,44.3551231,1\n-94.6834268,44.3551232,1\n");
    CHECK(clump_cloud_origin(cloud)[0] == -95 && clump_cloud_origin(cloud)[1] == 44);
    CHECK(clump_cloud_coordinate(cloud, 0, 0) == -94.6834267 && clump_cloud_coordinate(cloud, 1, 1) == 44.3551232);
    clump_cloud_destroy(cloud);
    cloud = io_parse_text("a.csv", "x,y,z\n52.897938,0.1000000015,1.234567880630493164e+00\n52.8979377746582,1,2\n");
    CHECK(clump_cloud_origin(cloud)[0] == 0 && clump_cloud_describe(cloud).xyz_type == CLUMP_TYPE_F32);
    CHECK(clump_cloud_points(cloud).xyz[0] == clump_cloud_points(cloud).xyz[3]);
    clump_cloud_destroy(cloud);

    /* 131072 is where the origin begins. */
    cloud = io_parse_text("a.xyz", "131071.99 0 0\n");
    CHECK(clump_cloud_origin(cloud)[0] == 0 && clump_cloud_points(cloud).xyz[0] == 131071.99f);
    clump_cloud_destroy(cloud);
    cloud = io_parse_text("a.xyz", "1 1 1 5\n131072 2 2 6\n");
    CHECK(clump_cloud_origin(cloud)[0] == 1 && clump_cloud_points(cloud).xyz[3] == 131071.0f);
    CHECK(clump_cloud_find(cloud, "intensity", &f) && f.type == CLUMP_TYPE_I32 && ((const int32_t *)f.data)[1] == 6);
    CHECK_INT(clump_cloud_describe(cloud).xyz_type, CLUMP_TYPE_F64);
    clump_cloud_destroy(cloud);
    cloud = io_parse_text("a.xyz", "1 1 1 5 6\n");
    CHECK(clump_cloud_find(cloud, "column4", &f) && clump_cloud_find(cloud, "column5", &f));
    clump_cloud_destroy(cloud);
}

static void text_round_trips(void)
{
    static const char *const names[] = {"t.xyz", "t.csv", "t.txt"};
    for (size_t n = 0; n < 3; n++) {
        clump_cloud *cloud, *back = NULL;
        CHECK_INT(clump_cloud_create(500, &cloud, NULL), CLUMP_OK);
        uint64_t state = 7;
        float values[500], *xyz = clump_cloud_xyz(cloud);
        int32_t labels[500];
        for (int i = 0; i < 500; i++) {
            labels[i] = (int32_t)(check_random(&state) % 100) - 1;
            const uint32_t bits = (uint32_t)check_random(&state); /* any float32 at all */
            memcpy(&values[i], &bits, 4);
            for (int a = 0; a < 3; a++) xyz[3 * i + a] = (check_random_float(&state) - 0.5f) * 1e5f;
        }
        CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"value", CLUMP_TYPE_F32, 1, values}, NULL), CLUMP_OK);
        const char *path = io_path(names[n]);
        CHECK_INT(clump_cloud_save(path, cloud, labels, NULL, &io_why), CLUMP_OK);
        CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
        CHECK(io_same_xyz(cloud, back));
        clump_field f;
        CHECK(clump_cloud_find(back, "label", &f) && f.type == CLUMP_TYPE_I32 &&
              !memcmp(f.data, labels, sizeof labels));
        CHECK(clump_cloud_find(back, "value", &f) && f.type == CLUMP_TYPE_F32);
        for (int i = 0; i < 500; i++) CHECK(io_same_float(((const float *)f.data)[i], values[i]));
        clump_cloud_destroy(cloud);
        clump_cloud_destroy(back);
        unlink(path);
    }
}

static void text_writes_short_numbers(void)
{
    clump_cloud *cloud;
    const float xyz[12] = {0.1f, -12.5f, 131071, 0.00123f, 65536.5f, -0.0f, 1e-7f, 1e-30f, NAN, 99999.99f, 1, 100};
    CHECK_INT(clump_cloud_create(4, &cloud, NULL), CLUMP_OK);
    memcpy(clump_cloud_xyz(cloud), xyz, sizeof xyz);
    const uint16_t pair[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"p", CLUMP_TYPE_U16, 2, pair}, NULL), CLUMP_OK);
    const char *path = io_path("s.csv");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    size_t size;
    unsigned char *bytes = io_slurp(path, &size);
    const char *expected = "x,y,z,p_0,p_1\n0.1,-12.5,131071,1,2\n0.00123,65536.5,-0,3,4\n"
                           "1e-7,1e-30,nan,5,6\n99999.99,1,100,7,8\n";
    if (size < 1000) bytes[size] = 0;
    CHECK_TEXT((const char *)bytes, expected);
    free(bytes);
    clump_cloud_destroy(cloud);
    unlink(path);
}

/* Floats of every size, doubles of few decimals and of all digits there are: read back they are the same. */
static void text_writes_all_numbers(void)
{
    /* float32 from one end of its range to the other, by PCD, where all of it is float32. */
    clump_cloud *floats, *again = NULL;
    CHECK_INT(clump_cloud_create(2000, &floats, NULL), CLUMP_OK);
    uint64_t bits = 3;
    for (size_t i = 0; i < 6000; i++) {
        const float value = (1 + check_random_float(&bits)) * ldexpf(1, (int)(i % 250) - 124);
        clump_cloud_xyz(floats)[i] = i % 2 ? value : -value;
    }
    const char *ascii = io_path("floats.pcd");
    clump_save_options options = clump_save_defaults();
    options.encoding = CLUMP_ENCODING_ASCII;
    CHECK_INT(clump_cloud_save(ascii, floats, NULL, &options, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(ascii, NULL, &again, &io_why), CLUMP_OK);
    CHECK(io_same_xyz(floats, again));
    clump_cloud_destroy(floats);
    clump_cloud_destroy(again);
    unlink(ascii);

    enum { COUNT = 4000 };
    static double values[COUNT];
    uint64_t state = 77;
    for (size_t i = 0; i < COUNT; i++) {
        double value = (double)(int64_t)(check_random(&state) >> (i % 40));
        for (uint64_t k = check_random(&state) % 14; k; k--) value /= 10;
        if (i % 3 == 0) value = rint(value * 1000) / 1000;
        values[i] = check_random(&state) % 2 ? value : -value;
    }
    const double edges[] = {0.0, -0.0, 0.1, 1e15, 999999999999999.0, 0.0001, 0.00009, 4503599627370497.5, 0x1p-1074};
    memcpy(values, edges, sizeof edges);
    clump_cloud *cloud, *back = NULL;
    CHECK_INT(clump_cloud_create(COUNT, &cloud, NULL), CLUMP_OK);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"v", CLUMP_TYPE_F64, 1, values}, NULL), CLUMP_OK);
    const char *path = io_path("doubles.csv");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    clump_field f;
    CHECK(clump_cloud_find(back, "v", &f) && f.type == CLUMP_TYPE_F64);
    CHECK(memcmp(f.data, values, sizeof values) == 0);
    size_t size;
    char *text = (char *)io_slurp(path, &size);
    CHECK(size > 60 && memcmp(text,
                              "x,y,z,v\n0,0,0,0\n0,0,0,-0\n0,0,0,0.1\n0,0,0,1e+15\n0,0,0,999999999999999\n"
                              "0,0,0,0.0001\n0,0,0,9e-05\n",
                              87) == 0);
    free(text);
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);
    unlink(path);
}

/* What other readers and writers of text may do, taken right or not at all. */
static void text_traps(void)
{
    CHECK_REFUSED("a.csv", "1,5;2,5;3,5\n", CLUMP_ERR_IO_FORMAT,
                  "a.csv: line 1: values are separated in more than one way (decimal commas are not read)");
    CHECK_REFUSED("a.xyz", "1,5 2,5 3,5\n", CLUMP_ERR_IO_FORMAT,
                  "a.xyz: line 1: values are separated in more than one way (decimal commas are not read)");
    CHECK_REFUSED("a.csv", "1,2,3\n1;2;3\n", CLUMP_ERR_IO_FORMAT,
                  "a.csv: line 2: values are separated in more than one way (decimal commas are not read)");
    /* Lines that end with a carriage return alone. */
    clump_cloud *cloud = io_parse_text("a.csv", "x,y,z\r1,2,3\r4,5,6\r");
    const float expected[6] = {1, 2, 3, 4, 5, 6};
    CHECK(cloud && clump_cloud_points(cloud).count == 2 && clump_cloud_field_count(cloud) == 0);
    CHECK(cloud && memcmp(clump_cloud_points(cloud).xyz, expected, sizeof expected) == 0);
    clump_cloud_destroy(cloud);
    /* A comment with x y z in it is not always a list of names. */
    cloud = io_parse_text("a.xyz", "# columns x y z\n1 2 3 0.5\n");
    clump_field f;
    CHECK(cloud && memcmp(clump_cloud_points(cloud).xyz, expected, 12) == 0 &&
          clump_cloud_find(cloud, "intensity", &f));
    clump_cloud_destroy(cloud);
    cloud = io_parse_text("a.xyz", "//X Y Z R\n1 2 3 0.5\n");
    CHECK(cloud && clump_cloud_find(cloud, "R", &f));
    clump_cloud_destroy(cloud);

    /* float32 that will be read as float64 is written with all of its digits. */
    clump_cloud *utm, *back = NULL;
    CHECK_INT(clump_cloud_create(2, &utm, NULL), CLUMP_OK);
    const float xyz[6] = {512743.625f, 0.1f, -0.0f, 512744.5f, 1e-10f, 3};
    memcpy(clump_cloud_xyz(utm), xyz, sizeof xyz);
    back = io_again("utm.csv", utm, CLUMP_ENCODING_DEFAULT);
    for (size_t i = 0; i < 6; i++) CHECK(clump_cloud_coordinate(back, i / 3, (int)(i % 3)) == (double)xyz[i]);
    clump_cloud_destroy(utm);
    clump_cloud_destroy(back);

    /* A file of many words that is empty, and one that begins with a byte order mark. */
    CHECK_REFUSED(NULL, "", CLUMP_ERR_IO_TRUNCATED, "the file is empty");
    cloud = io_parse_text(NULL, "\xef\xbb\xbfx,y,z\n1,2,3\n");
    CHECK(cloud && clump_cloud_points(cloud).count == 1);
    clump_cloud_destroy(cloud);
}

static void text_refusals(void)
{
    CHECK_REFUSED("a.xyz", "1 2 3\n4 5\n", CLUMP_ERR_IO_FORMAT, "a.xyz: line 2: 2 values instead of 3");
    CHECK_REFUSED("a.xyz", "1 2 3\n4 5 6 7\n", CLUMP_ERR_IO_FORMAT, "a.xyz: line 2: more than 3 values");
    CHECK_REFUSED("a.csv", "x,y,z,a,b,c,d,e\n1,2\n", CLUMP_ERR_IO_FORMAT, "a.csv: line 2: 2 values instead of 8");
    CHECK_REFUSED("a.xyz", "1 2 3\n4 5 six\n", CLUMP_ERR_IO_FORMAT, "a.xyz: line 2: \"six\" is not a number");
    CHECK_REFUSED("a.xyz", "1 2 3\n4 5 0x6\n", CLUMP_ERR_IO_FORMAT, "a.xyz: line 2: \"0x6\" is not a number");
    CHECK_REFUSED("a.xyz", "1 2\n", CLUMP_ERR_IO_FORMAT, "a.xyz: line 1: 2 values, a point has at least three");
    CHECK_REFUSED("a.csv", "a,b,c\n1,2,3\n", CLUMP_ERR_IO_FORMAT,
                  "a.csv: line 1: neither a point nor names of columns with one x: \"a,b,c\"");
    CHECK_REFUSED("a.csv", "x,y,z,x\n1,2,3,4\n", CLUMP_ERR_IO_FORMAT,
                  "a.csv: line 1: neither a point nor names of columns with one x: \"x,y,z,x\"");
    CHECK_REFUSED("a.csv", "1,2,\"3\n", CLUMP_ERR_IO_FORMAT, "a.csv: line 1: \"\"3\" is not a number");
    CHECK_REFUSED("a.csv", "1,2,\"3\"4\n", CLUMP_ERR_IO_FORMAT, "a.csv: line 1: \"\"3\"4\" is not a number");
    CHECK_REFUSED("a.csv", "x,y,z\nx,y,z\n", CLUMP_ERR_IO_FORMAT, "a.csv: line 2: \"x,y,z\" is not a number");
    CHECK_REFUSED("a.pts", "3\n1 2 3\n", CLUMP_ERR_IO_TRUNCATED,
                  "a.pts: the first line promises 3 points, 1 follow; --partial reads the 1 point there is");
    clump_cloud *cloud = io_parse_text("a.pts", "1\n1 2 3\n4 5 6\n");
    CHECK_TEXT(clump_cloud_describe(cloud).note, "the first line promises 1 points, 2 follow");
    clump_cloud_destroy(cloud);
}

/* Decimal text of all lengths and sizes must give what strtof and strtod give. */
static void numbers_are_rounded_correctly(void)
{
    static const char *const hard[] = {"16777217",
                                       "16777219",
                                       "33554434.0",
                                       "8388608.5",
                                       "8388609.5",
                                       "0.1",
                                       "1.00000005960464477539062", /* midpoint */
                                       "1.00000005960464477539063",
                                       "1.0000000596046447753906",
                                       "9007199254740993",
                                       "9007199254740992.5",
                                       "3.4028235677973366e38",
                                       "3.40282356779733661637e38",
                                       "1e39",
                                       "1e-45",
                                       "7.0064923216240853e-46",
                                       "1e-46",
                                       "0e999",
                                       "4.9e-324",
                                       "1.7976931348623159e308",
                                       "123456789012345678901234567890",
                                       "0.000000000000000000000000000012345",
                                       "00000000000000000000000000000001.5",
                                       "1.50000000000000000000000000000",
                                       "299792458",
                                       "1e22",
                                       "1e23",
                                       "-0",
                                       "-0.0e-5"};
    enum { COUNT = 4000 };
    static char text[COUNT * 64 + 512];
    static char words[COUNT][40];
    uint64_t state = 3;
    size_t n = 0;
    for (; n < sizeof hard / sizeof hard[0]; n++) snprintf(words[n], sizeof words[n], "%s", hard[n]);
    for (; n < COUNT; n++) {
        const uint64_t bits = check_random(&state);
        float f;
        const uint32_t low = (uint32_t)bits;
        memcpy(&f, &low, 4);
        const int places = 1 + (int)(bits >> 33) % 20;
        if (n % 4 == 0 && isfinite(f))
            snprintf(words[n], sizeof words[n], "%.*g", places, (double)f);
        else if (n % 4 == 1)
            snprintf(words[n], sizeof words[n], "%.*f", places, (double)((int64_t)bits >> 20) * 1e-9);
        else if (n % 4 == 2) /* on a float32 midpoint or beside it */
            snprintf(words[n], sizeof words[n], "%.*g", 9 + places, 1.0 + ((double)(low >> 9) + 0.5) * 0x1p-23);
        else
            snprintf(words[n], sizeof words[n], "%" PRIu64 "e%d", bits >> (bits & 63), (int)((bits >> 8) % 60) - 40);
    }
    for (int wide = 0; wide < 2; wide++) {
        size_t used = (size_t)sprintf(text, "FIELDS x y z a\nSIZE 4 4 4 %d\nTYPE F F F F\nPOINTS %d\nDATA ascii\n",
                                      wide ? 8 : 4, COUNT);
        for (size_t i = 0; i < COUNT; i++) used += (size_t)sprintf(text + used, "0 0 0 %s\n", words[i]);
        clump_cloud *cloud = io_parse_text("n.pcd", text);
        clump_field f;
        if (!cloud || !clump_cloud_find(cloud, "a", &f)) return;
        for (size_t i = 0; i < COUNT; i++) {
            if (wide) {
                const double expected = strtod(words[i], NULL), got = ((const double *)f.data)[i];
                CHECK_MSG(memcmp(&expected, &got, 8) == 0, "%s", words[i]);
            } else {
                CHECK_MSG(io_same_float(strtof(words[i], NULL), ((const float *)f.data)[i]), "%s", words[i]);
            }
        }
        clump_cloud_destroy(cloud);
    }
    static const char *const odd[] = {"nan", "-NaN", "nan(ind)", "-nan(ind)", "1.#QNAN", "-1.#IND"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        sprintf(text, "FIELDS x y z\nPOINTS 1\nDATA ascii\n%s inf -Infinity", odd[i]);
        clump_cloud *cloud = io_parse_text("n.pcd", text);
        if (!cloud) continue;
        const float *xyz = clump_cloud_points(cloud).xyz;
        CHECK(isnan(xyz[0]) && xyz[1] == INFINITY && xyz[2] == -INFINITY);
        clump_cloud_destroy(cloud);
    }
}

static size_t make_npy(unsigned char *out, int version, const char *header, const void *data, size_t size)
{
    const size_t length = strlen(header), start = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (unsigned char)version, out[7] = 0;
    out[8] = (unsigned char)length, out[9] = (unsigned char)(length >> 8), out[10] = out[11] = 0;
    memcpy(out + start, header, length);
    if (size) memcpy(out + start + length, data, size);
    return start + length + size;
}

static void npy_shapes(void)
{
    unsigned char bytes[1024];
    const float c_order[8] = {1, 2, 3, 9, 4, 5, 6, 8}, fortran[8] = {1, 4, 2, 5, 3, 6, 9, 8},
                expected[6] = {1, 2, 3, 4, 5, 6};
    for (int version = 1; version <= 3; version++) {
        for (int order = 0; order < 2; order++) {
            const char *header = order ? "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 4), }   \n"
                                       : "{\"shape\":(2L,4L),\"fortran_order\":False,\"descr\":\"<f4\"}\n";
            const size_t size = make_npy(bytes, version, header, order ? fortran : c_order, sizeof c_order);
            clump_cloud *cloud;
            clump_field f;
            CHECK_INT(io_parse("a.npy", bytes, size, &cloud), CLUMP_OK);
            CHECK(memcmp(clump_cloud_points(cloud).xyz, expected, sizeof expected) == 0);
            CHECK(clump_cloud_find(cloud, "intensity", &f) && ((const float *)f.data)[1] == 8);
            clump_cloud_destroy(cloud);
        }
    }
    /* Big-endian doubles, with an origin. */
    const double wide[6] = {700000.5, 2, 3, 700001.5, 5, 6};
    unsigned char swapped[48];
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 8; k++) swapped[8 * i + k] = ((const unsigned char *)&wide[i])[7 - k];
    size_t size = make_npy(bytes, 1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3)}", swapped, 48);
    clump_cloud *cloud;
    CHECK_INT(io_parse("a.npy", bytes, size, &cloud), CLUMP_OK);
    CHECK(clump_cloud_origin(cloud)[0] == 700000 && clump_cloud_points(cloud).xyz[3] == 1.5f);
    clump_cloud_destroy(cloud);

    /* float64 that holds nothing but float32 is taken for that; bytes too many are noted. */
    double plain[7] = {-1.5, 2, 3, (double)0.1f, 5, 6, 0};
    size = make_npy(bytes, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", plain, 56);
    CHECK_INT(io_parse("a.npy", bytes, size, &cloud), CLUMP_OK);
    CHECK(clump_cloud_origin(cloud)[0] == 0 && clump_cloud_points(cloud).xyz[3] == 0.1f);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "8 bytes after the array are ignored");
    clump_cloud_destroy(cloud);

#define NPY_REFUSED(header, status, sentence)                                                                          \
    do {                                                                                                               \
        size = make_npy(bytes, 1, header, c_order, sizeof c_order);                                                    \
        CHECK_INT(io_parse("a.npy", bytes, size, &cloud), status);                                                     \
        CHECK_TEXT(io_why.text, sentence);                                                                             \
    } while (0)
    NPY_REFUSED("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 4), }", CLUMP_ERR_IO_UNSUPPORTED,
                "a.npy: the array is of type '<i4', only float32 and float64 are supported");
    NPY_REFUSED("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", CLUMP_ERR_IO_UNSUPPORTED,
                "a.npy: the array is of type [('x', '<f4')], only float32 and float64 are supported");
    NPY_REFUSED("{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }", CLUMP_ERR_IO_FORMAT,
                "a.npy: the array has shape (8,), not N x 3 or wider");
    NPY_REFUSED("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }", CLUMP_ERR_IO_FORMAT,
                "a.npy: the array has shape (4, 2), not N x 3 or wider");
    NPY_REFUSED("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }", CLUMP_ERR_IO_TRUNCATED,
                "a.npy: the array is 3 x 3, but from byte 69 on there are only 32 bytes; --partial reads the 2 points "
                "there are");
    NPY_REFUSED("{'fortran_order': False, 'shape': (3, 3), }", CLUMP_ERR_IO_FORMAT,
                "a.npy: byte 10: the NumPy header lacks descr, fortran_order or shape");
    bytes[6] = 4;
    CHECK_INT(io_parse("a.npy", bytes, size, &cloud), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(io_why.text, "a.npy: byte 6: NumPy format version 4 is not 1, 2 or 3");
    CHECK_REFUSED("a.npy", "hello there", CLUMP_ERR_IO_FORMAT, "a.npy: byte 0: no NumPy file");
}

static void npy_round_trips(void)
{
    clump_cloud *cloud = io_make_cloud(9), *back = NULL, *plain;
    const char *path = io_path("a.npy");
    /* All fields are columns, of float64 if need be, but 64-bit integers, which do not fit ... */
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    clump_field in, out;
    CHECK_INT(clump_cloud_field_count(back), 10); /* eight of the ten types, one with three elements */
    CHECK(clump_cloud_find(cloud, "f64", &in) && clump_cloud_find(back, "column13", &out));
    CHECK(out.type == CLUMP_TYPE_F64 && memcmp(in.data, out.data, 9 * sizeof(double)) == 0);
    CHECK(clump_cloud_find(cloud, "i32", &in) && clump_cloud_find(back, "column10", &out));
    for (size_t i = 0; i < 9; i++) CHECK(((const double *)out.data)[i] == ((const int32_t *)in.data)[i]);
    clump_cloud_destroy(back);
    /* ... and of float32 if that is enough ... */
    CHECK_INT(clump_cloud_create(2, &plain, NULL), CLUMP_OK);
    const float a[2] = {1, 2}, b[2] = {3, 4};
    CHECK_INT(clump_cloud_set_field(plain, &(clump_field){"a", CLUMP_TYPE_F32, 1, a}, NULL), CLUMP_OK);
    CHECK_INT(clump_cloud_set_field(plain, &(clump_field){"b", CLUMP_TYPE_F32, 1, b}, NULL), CLUMP_OK);
    CHECK_INT(clump_cloud_save(path, plain, NULL, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    clump_field f;
    CHECK(clump_cloud_find(back, "column5", &f) && memcmp(f.data, b, sizeof b) == 0);
    CHECK_INT(clump_cloud_describe(back).xyz_type, CLUMP_TYPE_F32);
    clump_cloud_destroy(back);
    clump_cloud_destroy(plain);
    /* ... and labels come alone. */
    const int32_t labels[9] = {0, 1, 2, -1, -2, 5, 6, 7, 8};
    CHECK_INT(clump_cloud_save(path, cloud, labels, NULL, &io_why), CLUMP_OK);
    size_t size;
    unsigned char *bytes = io_slurp(path, &size);
    CHECK(size == 128 + sizeof labels && memcmp(bytes + 128, labels, sizeof labels) == 0);
    CHECK(memcmp(bytes, "\x93NUMPY\1\0\x76\0{'descr': '<i4', 'fortran_order': False, 'shape': (9,), }", 64) == 0);
    free(bytes);
    clump_cloud_destroy(cloud);
    unlink(path);
}

static void formats_are_guessed(void)
{
    clump_cloud *cloud = io_parse_text("scan.xyz", PCD_XYZ "POINTS 1\nDATA ascii\n1 2 3\n");
    CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_PCD);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "named .xyz but holds PCD");
    clump_cloud_destroy(cloud);
    cloud = io_parse_text(NULL, "1 2 3\n");
    CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_TEXT);
    clump_cloud_destroy(cloud);
    CHECK_REFUSED(NULL, "1 2 x\n", CLUMP_ERR_IO_FORMAT, "line 1: \"x\" is not a number");
    CHECK_REFUSED("a.dat", "\1\2\3", CLUMP_ERR_IO_UNSUPPORTED,
                  "a.dat: neither the content nor the name tells the format; give it: pcd, ply, las, "
                  "kitti, nuscenes, text or npy; or the columns of its points, such as xyzi");
    cloud = io_parse_text("a.xyz", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                                   "property float z\nend_header\n1 2 3\n");
    CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_PLY);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "named .xyz but holds PLY");
    clump_cloud_destroy(cloud);
    CHECK_INT(io_parse("a.bin", "LASF............", 16, &cloud), CLUMP_ERR_IO_TRUNCATED);
    /* A format that is given is taken. */
    clump_load_options options = clump_load_defaults();
    options.format = CLUMP_FORMAT_KITTI;
    CHECK_INT(clump_cloud_parse("ply\n0123456789ab", 16, "a.ply", &options, &cloud, &io_why), CLUMP_OK);
    clump_cloud_destroy(cloud);
    options.format = (clump_format)77;
    CHECK_INT(clump_cloud_parse("", 0, "a", &options, &cloud, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(io_why.text, "a: there is no format 77");
    options.cookie = 0;
    CHECK_INT(clump_cloud_parse("", 0, "a", &options, &cloud, &io_why), CLUMP_ERR_OPTIONS);
    CHECK_INT(clump_cloud_parse(NULL, 3, "a", NULL, &cloud, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_parse(NULL, 0, "a.xyz", NULL, &cloud, NULL), CLUMP_OK);
    clump_cloud_destroy(cloud);

    clump_format format;
    CHECK_TEXT(clump_format_name(CLUMP_FORMAT_KITTI), "kitti");
    CHECK(clump_format_name(CLUMP_FORMAT_GUESS) == NULL && clump_format_name((clump_format)77) == NULL);
    CHECK(clump_format_from_name("npy", &format) && format == CLUMP_FORMAT_NPY);
    CHECK(!clump_format_from_name("obj", &format) && !clump_format_from_name(NULL, &format));
    CHECK_INT(clump_format_of_path("a/scan.pcd.BIN"), CLUMP_FORMAT_NUSCENES);
    CHECK_INT(clump_format_of_path("a.pcd/scan"), CLUMP_FORMAT_GUESS);
    clump_format_info info;
    CHECK(clump_format_describe(CLUMP_FORMAT_KITTI, &info) && info.reads && info.writes && !info.holds_labels);
    CHECK(clump_format_describe(CLUMP_FORMAT_LABELS, &info) && !info.reads && info.writes && info.holds_labels);
    CHECK(clump_format_describe(CLUMP_FORMAT_LAZ, &info) && info.writes && strcmp(info.extensions[0], "laz") == 0);
    CHECK(!clump_format_describe(CLUMP_FORMAT_GUESS, &info));
    CHECK_TEXT(clump_type_name(CLUMP_TYPE_F64), "float64");
    CHECK(clump_type_name((clump_type)10) == NULL && clump_type_size((clump_type)10) == 0);
}

static void fields_of_a_cloud(void)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(2, &cloud, NULL), CLUMP_OK);
    const uint8_t bytes[2] = {7, 8};
    static const char *const unfit[] = {"", "x", "Z", "_", "two words", "a,b", "line\n"};
    for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++)
        CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){unfit[i], CLUMP_TYPE_U8, 1, bytes}, NULL),
                  CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"a", CLUMP_TYPE_U8, 0, bytes}, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"a", (clump_type)99, 1, bytes}, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"a", CLUMP_TYPE_U8, 1, bytes}, NULL), CLUMP_OK);
    clump_field field;
    CHECK(clump_cloud_find(cloud, "a", &field));
    CHECK_INT(clump_cloud_set_field(cloud, &field, &io_why), CLUMP_OK); /* its own data */
    CHECK_INT(clump_cloud_field_count(cloud), 1);
    CHECK(clump_cloud_find(cloud, "a", &field) && memcmp(field.data, bytes, 2) == 0);
    CHECK(!clump_cloud_find(cloud, "b", &field) && !clump_cloud_field(cloud, 1, &field));
    clump_cloud_set_shape(cloud, 3, 3, NULL); /* not its point count: ignored */
    CHECK_INT(clump_cloud_describe(cloud).width, 2);
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(NULL);
    CHECK(clump_cloud_points(NULL).count == 0);
    CHECK_INT(clump_cloud_create(SIZE_MAX / 4, &cloud, &io_why), CLUMP_ERR_OUT_OF_MEMORY);
}

CHECK_PROGRAM(test_io)
{
    RUN(double_coordinates_get_an_origin);
    RUN(kitti_round_trips);
    RUN(text_shapes);
    RUN(text_types_follow_from_values);
    RUN(text_round_trips);
    RUN(text_writes_short_numbers);
    RUN(text_writes_all_numbers);
    RUN(text_traps);
    RUN(text_refusals);
    RUN(numbers_are_rounded_correctly);
    RUN(npy_shapes);
    RUN(npy_round_trips);
    RUN(formats_are_guessed);
    RUN(fields_of_a_cloud);
    io_cleanup();
}
