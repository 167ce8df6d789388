/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_io_names.c: names of fields differ after reading and before writing, so that each field is found
 * under one name with its own values. A name that had to change is said.
 */
#include "las/test_las.h"

static void set(clump_cloud *cloud, const char *name, clump_type type, uint32_t count, const void *data)
{
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){name, type, count, data}, &io_why), CLUMP_OK);
}

static clump_cloud *make(size_t points)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(points, &cloud, &io_why), CLUMP_OK);
    for (size_t i = 0; i < 3 * points; i++) clump_cloud_xyz(cloud)[i] = (float)i;
    return cloud;
}

/* The field has these values, one element per point. */
static void check_values(const clump_cloud *cloud, const char *name, const double *values)
{
    clump_field f;
    if (!clump_cloud_find(cloud, name, &f)) {
        CHECK_FAIL("no field %s", name);
        return;
    }
    CHECK_INT(f.count, 1);
    for (size_t i = 0; i < clump_cloud_points(cloud).count; i++)
        CHECK_MSG(clump_field_value(&f, i, 0) == values[i], "%s of point %zu: %g, expected %g", name, i,
                  clump_field_value(&f, i, 0), values[i]);
}

static void check_unique(const clump_cloud *cloud)
{
    clump_field a, b;
    for (size_t i = 0; clump_cloud_field(cloud, i, &a); i++)
        for (size_t k = 0; k < i && clump_cloud_field(cloud, k, &b); k++)
            CHECK_MSG(strcmp(a.name, b.name) != 0, "fields %zu and %zu are both called %s", k, i, a.name);
}

/* Saves under the extension and reads again; *said is what the save said. */
static clump_cloud *there_and_back(const clump_cloud *cloud, const char *extension, clump_message *said)
{
    char name[32];
    snprintf(name, sizeof name, "names.%s", extension);
    const char *path = io_path(name);
    clump_cloud *back = NULL;
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, said), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    unlink(path);
    if (back) check_unique(back);
    return back;
}

/* --- reading -------------------------------------------------------------------------------- */

static void pcd_repeats_a_name(void)
{
    clump_cloud *cloud = io_parse_text("s.pcd", "VERSION .7\nFIELDS x a y a z a_2 a\nSIZE 4 4 4 4 4 4 4\n"
                                                "TYPE F F F F F F F\nWIDTH 2\nPOINTS 2\nDATA ascii\n"
                                                "1 10 2 20 3 30 40\n4 11 5 21 6 31 41\n");
    check_unique(cloud);
    check_values(cloud, "a", (const double[]){10, 11});
    check_values(cloud, "a_2", (const double[]){30, 31});
    check_values(cloud, "a_3", (const double[]){20, 21});
    check_values(cloud, "a_4", (const double[]){40, 41});
    CHECK_TEXT(clump_cloud_describe(cloud).note, "2 fields had the name of another: the first of them, a, is now a_3");
    clump_message said;
    static const char *const extensions[] = {"pcd", "ply", "las", "csv"};
    for (size_t e = 0; e < 4; e++) {
        clump_cloud *back = there_and_back(cloud, extensions[e], &said);
        CHECK_TEXT(said.text, "");
        check_values(back, "a", (const double[]){10, 11});
        check_values(back, "a_2", (const double[]){30, 31});
        check_values(back, "a_3", (const double[]){20, 21});
        check_values(back, "a_4", (const double[]){40, 41});
        clump_cloud_destroy(back);
    }
    clump_cloud_destroy(cloud);
}

static void text_repeats_a_name(void)
{
    clump_cloud *cloud = io_parse_text("s.csv", "x,y,z,a b,a_b\n1,2,3,4,5\n");
    check_unique(cloud);
    check_values(cloud, "a_b", (const double[]){4});
    check_values(cloud, "a_b_2", (const double[]){5});
    CHECK_TEXT(clump_cloud_describe(cloud).note, "two fields are called a_b: the second is now a_b_2");
    clump_cloud_destroy(cloud);
}

/* A header with as many fields as there may be, all of one name, is no reason to take long. */
static void many_fields_of_one_name(void)
{
    enum { FIELDS = 65000 };
    const size_t room = (size_t)FIELDS * 32;
    char *text = malloc(room), *p = text;
    p += sprintf(p, "ply\nformat ascii 1.0\nelement vertex 1\nproperty char x\nproperty char y\nproperty char z\n");
    for (int i = 0; i < FIELDS; i++) p += sprintf(p, "property char a\n");
    p += sprintf(p, "end_header\n");
    for (int i = 0; i < FIELDS + 3; i++) p += sprintf(p, "%d ", i % 100);
    clump_cloud *cloud = NULL;
    CHECK_INT(io_parse("m.ply", text, (size_t)(p - text), &cloud), CLUMP_OK);
    check_values(cloud, "a", (const double[]){3});
    check_values(cloud, "a_2", (const double[]){4});
    check_values(cloud, "a_65000", (const double[]){(FIELDS + 2) % 100});
    clump_cloud_destroy(cloud);
    free(text);
}

/* --- LAS ------------------------------------------------------------------------------------ */

/* A record is random, so intensity and the extra dimension of that name have different values. */
static void check_repeated_dimension(unsigned minor)
{
    unsigned char d[192 * 3];
    las_describe(d, "intensity", 3, 0, 0, 0);
    las_describe(d + 192, "a name of as many as 32 letters!", 1, 0, 0, 0);
    las_describe(d + 384, "a name of as many as 32 letters!", 1, 0, 0, 0);
    las_file f = las_make(
        &(las_recipe){.minor = minor, .points = 5, .extra = 4, .descriptors = d, .descriptors_size = sizeof d}, 3);
    double own[5], extra[5], letters[2][5];
    for (size_t i = 0; i < 5; i++) {
        const unsigned char *record = f.bytes + f.points + i * f.record;
        own[i] = (double)las_get(record + 12, 2);
        extra[i] = (double)las_get(record + 20, 2);
        letters[0][i] = record[22], letters[1][i] = record[23];
    }
    clump_cloud *cloud = las_parse(&f);
    clump_message said;
    for (int round = 0; round < 3; round++) { /* as read, as written, and with labels */
        check_unique(cloud);
        check_values(cloud, "intensity", own);
        check_values(cloud, "intensity_2", extra);
        check_values(cloud, "a_name_of_as_many_as_32_letters!", letters[0]);
        check_values(cloud, "a_name_of_as_many_as_32_lette_2", letters[1]);
        const char *note = clump_cloud_describe(cloud).note;
        CHECK_MSG(round > 0 || strstr(note, "extra dimension intensity has the name of another field: it is now "
                                            "intensity_2"),
                  "%s", note);
        CHECK_MSG(round == 0 || !note[0], "%s", note);
        if (round == 1) set(cloud, "label", CLUMP_TYPE_I32, 1, (const int32_t[5]){0, 1, -1, 2, 3});
        clump_cloud *back = there_and_back(cloud, "las", &said);
        clump_cloud_destroy(cloud);
        cloud = back;
    }
    /* A slot that becomes 0 does not give its name away. */
    set(cloud, "intensity", CLUMP_TYPE_U16, 1, (const uint16_t[5]){0});
    clump_cloud *back = there_and_back(cloud, "las", &said);
    check_values(back, "intensity", (const double[5]){0});
    check_values(back, "intensity_2", extra);
    clump_cloud_destroy(back);
    clump_cloud_destroy(cloud);
    free(f.bytes);
}

static void las_dimension_repeats_a_standard_name(void)
{
    for (unsigned minor = 0; minor <= 4; minor++) check_repeated_dimension(minor);
}

/* The names of extra dimensions in a LAS file, one after another. */
static void list_dimensions(const char *path, char *list, size_t room)
{
    FILE *file = fopen(path, "rb");
    unsigned char bytes[8192];
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    CHECK(size > 375 + 54);
    size_t at = 375, used = 0;
    for (size_t vlrs = bytes[100]; vlrs > 0; vlrs--) {
        const size_t data = (size_t)las_get(bytes + at + 20, 2);
        for (size_t d = 0; strcmp((char *)bytes + at + 2, "LASF_Spec") == 0 && d < data / 192; d++)
            used += (size_t)snprintf(list + used, room - used, "%s%s", used ? " " : "",
                                     (char *)bytes + at + 54 + 192 * d + 4);
        at += 54 + data;
    }
}

/* Fields with names like those of the format's slots. Programs that ignore case and underscores find each name once. */
static void las_fields_like_standard_ones(void)
{
    clump_cloud *cloud = make(2);
    clump_message said;
    set(cloud, "Intensity", CLUMP_TYPE_U16, 1, (const uint16_t[2]){7, 8});
    set(cloud, "intensity", CLUMP_TYPE_F32, 1, (const float[2]){300.5f, 0.25f});
    set(cloud, "return_number", CLUMP_TYPE_F32, 1, (const float[2]){0.5f, 1.5f});
    set(cloud, "user_data", CLUMP_TYPE_U8, 1, (const uint8_t[2]){0, 0});
    set(cloud, "UserData", CLUMP_TYPE_U8, 1, (const uint8_t[2]){3, 4});
    set(cloud, "infrared", CLUMP_TYPE_U16, 1, (const uint16_t[2]){1, 2});
    set(cloud, "nir", CLUMP_TYPE_F64, 1, (const double[2]){0.5, 0.75});
    set(cloud, "Ring", CLUMP_TYPE_U8, 1, (const uint8_t[2]){1, 2});
    set(cloud, "ring", CLUMP_TYPE_U8, 1, (const uint8_t[2]){3, 4});
    set(cloud, "____", CLUMP_TYPE_U16, 1, (const uint16_t[2]){5, 6});
    char list[512] = "";
    const char *path = io_path("like.las");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &said), CLUMP_OK);
    list_dimensions(path, list, sizeof list);
    unlink(path);
    CHECK_TEXT(list, "Intensity_2 intensity_3 return_number_2 UserData_2 infrared_2 nir_2 Ring ring_2 ____");
    clump_cloud *back = there_and_back(cloud, "las", &said);
    CHECK_MSG(
        strstr(said.text, "7 names are in use: these columns have others, the first Intensity_2 instead of Intensity"),
        "%s", said.text);
    check_values(back, "____", (const double[]){5, 6});
    check_values(back, "Intensity_2", (const double[]){7, 8});
    check_values(back, "intensity_3", (const double[]){300.5, 0.25});
    check_values(back, "return_number_2", (const double[]){0.5, 1.5});
    check_values(back, "return_number", (const double[]){1, 1});
    check_values(back, "user_data", (const double[]){0, 0});
    check_values(back, "UserData_2", (const double[]){3, 4});
    check_values(back, "nir_2", (const double[]){0.5, 0.75});
    clump_cloud_destroy(back);
    clump_cloud_destroy(cloud);
}

/* A float intensity, as sensors give it, takes LAS's own place. */
static void las_scales_a_float_intensity(void)
{
    static const struct {
        clump_type type;
        double values[2], written[2];
        const char *name, *said;
    } cases[] = {
        {CLUMP_TYPE_F32, {0, 1}, {0, 1}, "intensity", ""}, /* whole numbers stay */
        {CLUMP_TYPE_F32, {12, 255}, {12, 255}, "intensity", ""},
        {CLUMP_TYPE_F32,
         {0.5, 1},
         {32768, 65535},
         "intensity",
         "the intensity is written times 65535, since LAS has 16-bit integers for it"},
        {CLUMP_TYPE_F64,
         {0.25, 0},
         {16384, 0},
         "intensity",
         "the intensity is written times 65535, since LAS has 16-bit integers for it"},
        {CLUMP_TYPE_F32,
         {0.5, 255},
         {128, 65280},
         "intensity",
         "the intensity is written times 256, since LAS has 16-bit integers for it"},
        {CLUMP_TYPE_F32,
         {0.5, 255.5},
         {0.5, 255.5},
         "intensity_2",
         "the name intensity is in use: that column is written as intensity_2"},
        {CLUMP_TYPE_F32,
         {-0.5, 1},
         {-0.5, 1},
         "intensity_2",
         "the name intensity is in use: that column is written as intensity_2"},
        {CLUMP_TYPE_I32,
         {-1, 70000},
         {-1, 70000},
         "intensity_2",
         "the name intensity is in use: that column is written as intensity_2"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        clump_cloud *cloud = make(2);
        clump_message said;
        const float narrow[2] = {(float)cases[c].values[0], (float)cases[c].values[1]};
        const int32_t whole[2] = {(int32_t)cases[c].values[0], (int32_t)cases[c].values[1]};
        set(cloud, "intensity", cases[c].type, 1,
            cases[c].type == CLUMP_TYPE_F32   ? (const void *)narrow
            : cases[c].type == CLUMP_TYPE_I32 ? (const void *)whole
                                              : cases[c].values);
        for (int packed = 0; packed < 2; packed++) {
            clump_cloud *back = there_and_back(cloud, packed ? "laz" : "las", &said);
            check_values(back, cases[c].name, cases[c].written);
            const char *sentence = strstr(said.text, ": the ");
            CHECK_TEXT(sentence ? sentence + 2 : "", cases[c].said);
            clump_cloud_destroy(back);
        }
        clump_cloud_destroy(cloud);
    }
}

/* --- writing -------------------------------------------------------------------------------- */

/* extra becomes extra_0 extra_1 extra_2 where a format has no arrays, and there is an extra_2. */
static void elements_yield_to_fields(void)
{
    static const char *const extensions[] = {"las", "ply", "csv"};
    for (size_t e = 0; e < 3; e++) {
        clump_cloud *cloud = make(2);
        clump_message said;
        set(cloud, "extra", CLUMP_TYPE_I32, 3, (const int32_t[]){1, 2, 3, 4, 5, 6});
        set(cloud, "extra_2", CLUMP_TYPE_I32, 1, (const int32_t[]){7, 8});
        clump_cloud *back = there_and_back(cloud, extensions[e], &said);
        check_values(back, "extra_0", (const double[]){1, 4});
        check_values(back, "extra_1", (const double[]){2, 5});
        check_values(back, "extra_2", (const double[]){7, 8});
        check_values(back, "extra_2_2", (const double[]){3, 6});
        const char *sentence = strstr(said.text, ": ");
        CHECK_TEXT(sentence ? sentence : "", ": the name extra_2 is in use: that column is written as extra_2_2");
        CHECK_TEXT(clump_cloud_describe(back).note, "");
        clump_cloud_destroy(back);
        clump_cloud_destroy(cloud);
    }
}

CHECK_PROGRAM(test_io_names)
{
    RUN(pcd_repeats_a_name);
    RUN(text_repeats_a_name);
    RUN(many_fields_of_one_name);
    RUN(las_dimension_repeats_a_standard_name);
    RUN(las_fields_like_standard_ones);
    RUN(las_scales_a_float_intensity);
    RUN(elements_yield_to_fields);
    io_cleanup();
}
