/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_las_write.c: clouds of other formats written as LAS, LAS clouds that were changed, and what
 * LAS cannot hold.
 */
#include "las/test_las.h"

static clump_cloud *make(size_t points)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(points, &cloud, &io_why), CLUMP_OK);
    return cloud;
}

static void set(clump_cloud *cloud, const char *name, clump_type type, uint32_t count, const void *data)
{
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){name, type, count, data}, &io_why), CLUMP_OK);
}

static double scale_of(const las_file *f, size_t axis)
{
    double scale;
    memcpy(&scale, f->bytes + 131 + 8 * axis, 8);
    return scale;
}

/* Saving must fail with this sentence, and leave nothing behind. */
static void check_unsaved(const clump_cloud *cloud, const char *sentence)
{
    const char *path = io_path("no.las");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    const char *said = strstr(io_why.text, "no.las: ");
    CHECK_TEXT(said ? said + 8 : io_why.text, sentence);
    CHECK_INT(access(path, F_OK), -1);
}

/* --- other formats -------------------------------------------------------------------------- */

static void every_type_becomes_a_dimension(void)
{
    clump_cloud *cloud = io_make_cloud(3000), *back;
    float *xyz = clump_cloud_xyz(cloud);
    xyz[0] = 5, xyz[8] = 7, xyz[10] = -99;
    las_file f = las_save(cloud, NULL), again = las_save(cloud, NULL);
    CHECK(f.size == again.size && memcmp(f.bytes, again.bytes, f.size) == 0);
    CHECK(f.bytes[24] == 1 && f.bytes[25] == 4 && f.bytes[104] == 0 && las_get(f.bytes + 94, 2) == 375);
    CHECK_INT(las_get(f.bytes + 90, 4), 0); /* no date */
    CHECK(memcmp(f.bytes + 58, "clump ", 6) == 0 && memcmp(f.bytes + 64, clump_version(), 5) == 0);
    CHECK_INT(las_get(f.bytes + 107, 4), 3000);
    CHECK_INT(las_get(f.bytes + 111, 4), 3000); /* single returns */
    CHECK_INT(las_get(f.bytes + 247, 8), 3000);
    CHECK_INT(las_get(f.bytes + 255, 8), 3000);
    CHECK_INT(f.bytes[f.points + 14], 9); /* number 1 of 1 */
    back = las_parse(&f);
    CHECK_TEXT(clump_cloud_describe(back).note, "");
    clump_field a, b;
    for (size_t i = 0; clump_cloud_field(cloud, i, &a); i++) {
        if (a.count == 1) {
            CHECK_MSG(clump_cloud_find(back, a.name, &b) && io_same_field(&a, &b, 3000), "%s", a.name);
            continue;
        }
        for (uint32_t k = 0; k < a.count; k++) {
            char name[40];
            snprintf(name, sizeof name, "%s_%u", a.name, k);
            CHECK(clump_cloud_find(back, name, &b) && b.type == a.type && b.count == 1);
            for (size_t p = 0; p < 3000; p++)
                CHECK(((const uint16_t *)b.data)[p] == ((const uint16_t *)a.data)[p * a.count + k]);
        }
    }
    const float *was = clump_cloud_points(cloud).xyz, *is = clump_cloud_points(back).xyz;
    for (size_t i = 0; i < 9000; i++) {
        const double value = clump_cloud_origin(back)[i % 3] + (double)is[i];
        CHECK(fabs(value - (double)was[i]) <= scale_of(&f, i % 3) / 2 + 200 * 0x1p-24);
    }
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);
    las_check_same_again(&f, "new");
    free(f.bytes), free(again.bytes);
}

static void scale_follows_from_the_coordinates(void)
{
    static const struct {
        double values[3];
        bool wide; /* float64 in the file it comes from */
        double scale, offset;
    } cases[] = {
        {{1.5, -2.25, 3}, false, 0.001, -3},
        {{12.345f, -2.001f, 3.999f}, false, 0.001, -3},
        {{12.3456f, 0, 3.999f}, false, 0.0001, 0},
        {{0x1p-22, 77.7f, 3}, false, 1e-7, 0},                   /* never exact, so the finest */
        {{0x1p-22, 999.123456f, 3}, false, 1e-6, 0},             /* the finest that reaches across */
        {{0x1p-22, 1999999, 3}, false, 0.001, 0},                /* a step finer does not */
        {{0, 3e6, 3}, false, 0.01, 0},                           /* the usual one neither */
        {{-1e9, 1.1e9, 3}, false, 1, -1e9},                      /* as long as it gets */
        {{500000.123, 500001.456, 4e5}, true, 0.001, 4e5},       /* metres of UTM */
        {{-123.0749695, -123.0625001, -123.1}, true, 1e-7, -124} /* degrees */
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        clump_cloud *cloud, *back;
        if (cases[c].wide) {
            char text[200];
            snprintf(text, sizeof text,
                     "FIELDS x y z\nSIZE 8 8 8\nTYPE F F F\nPOINTS 3\nDATA ascii\n%.17g 0 0\n%.17g 0 0\n"
                     "%.17g 0 0\n",
                     cases[c].values[0], cases[c].values[1], cases[c].values[2]);
            cloud = io_parse_text("a.pcd", text);
        } else {
            cloud = make(3);
            for (size_t i = 0; i < 3; i++) clump_cloud_xyz(cloud)[3 * i] = (float)cases[c].values[i];
        }
        las_file f = las_save(cloud, NULL);
        CHECK_MSG(scale_of(&f, 0) == cases[c].scale, "case %zu: %g", c, scale_of(&f, 0));
        CHECK_MSG(las_get(f.bytes + 155, 8) == las_get((const void *)&cases[c].offset, 8), "case %zu", c);
        CHECK(scale_of(&f, 1) == 0.001 && scale_of(&f, 2) == 0.001);
        for (size_t i = 0; i < 3; i++)
            CHECK_MSG(fabs(las_value(&f, i, 0) - cases[c].values[i]) <= cases[c].scale / 2, "case %zu", c);
        back = las_parse(&f);
        CHECK_TEXT(clump_cloud_describe(back).note, "");
        clump_cloud_destroy(back);
        clump_cloud_destroy(cloud);
        free(f.bytes);
    }
}

/* Of the types that occur here. */
static double value_at(const clump_field *field, size_t i)
{
    switch (field->type) {
    case CLUMP_TYPE_U8:
        return ((const uint8_t *)field->data)[i];
    case CLUMP_TYPE_I8:
        return ((const int8_t *)field->data)[i];
    case CLUMP_TYPE_U16:
        return ((const uint16_t *)field->data)[i];
    case CLUMP_TYPE_I16:
        return ((const int16_t *)field->data)[i];
    case CLUMP_TYPE_F32:
        return (double)((const float *)field->data)[i];
    default:
        return ((const double *)field->data)[i];
    }
}

static void format_follows_from_the_fields(void)
{
    static const struct {
        const char *fields; /* names, each with a letter for its values: see below */
        unsigned format;
    } cases[] = {
        {"", 0},
        {"a:intensity", 0},
        {"a:GpsTime", 1},
        {"a:Red a:Green a:Blue", 2},
        {"a:Red a:Green", 0},
        {"f:red a:green a:blue", 0},
        {"a:gps_time a:red a:green a:blue", 3},
        {"a:nir", 8},
        {"a:Infrared a:red a:green a:blue", 8},
        {"a:overlap a:red a:green a:blue", 7},
        {"a:ScanChannel a:gps_time", 6},
        {"i:scan_angle", 6},
        {"f:scan_angle", 0},
        {"a:ReturnNumber a:NumberOfReturns a:Classification", 0},
        {"h:return_number", 6},
        {"h:number_of_returns a:red a:green a:blue", 7},
        {"c:classification", 6},
        {"i:classification", 0},
        {"g:intensity", 0},
    };
    static const float wide[2] = {0.5f, 300};
    static const float small[2] = {0, 1}, high[2] = {1, 15}, class[2] = {2, 200}, part[2] = {0.5f, 1},
                       minus[2] = {-3, 500};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        clump_cloud *cloud = make(2), *back;
        for (const char *p = cases[c].fields; *p;) {
            char name[40] = "";
            const size_t length = strcspn(p, " ");
            memcpy(name, p + 2, length - 2);
            set(cloud, name, CLUMP_TYPE_F32, 1,
                *p == 'a'   ? small
                : *p == 'h' ? high
                : *p == 'c' ? class
                : *p == 'i' ? minus
                : *p == 'g' ? wide
                            : part);
            p += length + (p[length] == ' ');
        }
        las_file f = las_save(cloud, NULL);
        CHECK_MSG(f.bytes[104] == cases[c].format, "%s: %u", cases[c].fields, f.bytes[104]);
        CHECK_INT(las_get(f.bytes + 6, 2), cases[c].format >= 6 ? 16 : 0);
        CHECK_INT(las_get(f.bytes + 107, 4), cases[c].format >= 6 ? 0 : 2);
        /* Each value is there, in a field of that name or one spelled like it. */
        back = las_parse(&f);
        clump_field a, b;
        for (size_t i = 0; clump_cloud_field(cloud, i, &a); i++) {
            bool found = false;
            for (size_t k = 0; clump_cloud_field(back, k, &b) && !found; k++)
                found = b.count == 1 && value_at(&a, 0) == value_at(&b, 0) && value_at(&a, 1) == value_at(&b, 1);
            CHECK_MSG(found, "%s: %s", cases[c].fields, a.name);
        }
        clump_cloud_destroy(cloud);
        clump_cloud_destroy(back);
        free(f.bytes);
    }
}

/* A float intensity takes LAS's own place, times 65535 if its values are 0 to 1. Other values become a dimension with
 * another name. */
static void values_that_do_not_fit(void)
{
    clump_cloud *cloud = make(4), *back;
    const float part[4] = {0, 0.25f, 1, 0.5f};
    const int32_t angles[4] = {-128, 127, 0, 5};
    const double times[4] = {1e9, 2, 3, 4};
    set(cloud, "intensity", CLUMP_TYPE_F32, 1, part);
    set(cloud, "ScanAngleRank", CLUMP_TYPE_I32, 1, angles);
    set(cloud, "gps_time", CLUMP_TYPE_F64, 1, times);
    las_file f = las_save(cloud, NULL);
    CHECK_INT(f.record, 28);
    CHECK_INT(las_get(f.bytes + 6, 2), 1); /* no time within a week */
    CHECK_INT((int8_t)f.bytes[f.points + 16], -128);
    back = las_parse(&f);
    clump_field field;
    static const uint16_t scaled[4] = {0, 16384, 65535, 32768};
    CHECK(clump_cloud_find(back, "intensity", &field) && field.type == CLUMP_TYPE_U16);
    CHECK(memcmp(field.data, scaled, sizeof scaled) == 0);
    CHECK(clump_cloud_find(back, "scan_angle_rank", &field) && field.type == CLUMP_TYPE_I8);
    las_check_same_again(&f, "scaled");
    set(back, "intensity", CLUMP_TYPE_I32, 1, (const int32_t[4]){65536, 0, 1, 2});
    las_file g = las_save(back, NULL);
    CHECK(g.record == 28 + 4 && las_get(g.bytes + g.points + 28, 4) == 65536);
    CHECK_TEXT((const char *)g.bytes + 375 + 54 + 4, "intensity_2");
    las_check_same_again(&g, "another name");
    /* A value that does fit goes into its place. */
    set(back, "intensity", CLUMP_TYPE_I32, 1, (const int32_t[4]){65535, 0, 1, 2});
    las_file h = las_save(back, NULL);
    CHECK(h.record == 28 && h.points == 375 && las_get(h.bytes + h.points + 12, 2) == 65535);
    clump_cloud_destroy(back);
    clump_cloud_destroy(cloud);
    free(f.bytes), free(g.bytes), free(h.bytes);
}

static void empty_cloud(void)
{
    clump_cloud *cloud = make(0);
    las_file f = las_save(cloud, NULL);
    CHECK(f.size == 375 && f.count == 0);
    las_check_same_again(&f, "empty");
    clump_cloud_destroy(cloud);
    free(f.bytes);
}

/* --- LAS clouds that were changed ----------------------------------------------------------- */

static void changed_coordinates_are_written(void)
{
    for (int wide = 0; wide <= 1; wide++) { /* with the integers kept, too */
        las_file f = las_make(&(las_recipe){.minor = 4, .format = 7, .points = 2000, .offset = {500000, 0, 0}}, 1);
        if (wide) las_set_step(&f, 9, 0, 2000000000), las_tidy(&f);
        clump_cloud *cloud = las_parse(&f);
        const double *origin = clump_cloud_origin(cloud);
        clump_cloud_xyz(cloud)[3 * 77] = 100.0004f;
        clump_cloud_xyz(cloud)[3 * 78 + 2] = -2000;
        las_file g = las_save(cloud, NULL);
        CHECK_INT(las_step(&g, 77, 0), (int64_t)rint((origin[0] + 100.0004 - 500000) / 0.001));
        CHECK_INT(las_step(&g, 78, 2), (int64_t)rint((origin[2] - 2000) / 0.001));
        for (size_t i = 0; i < 3 * f.count; i++)
            CHECK(i == 3 * 77 || i == 3 * 78 + 2 || las_step(&f, i / 3, i % 3) == las_step(&g, i / 3, i % 3));
        double lowest, expected = las_value(&g, 78, 2);
        memcpy(&lowest, g.bytes + 179 + 40, 8);
        CHECK(lowest == expected && memcmp(f.bytes + 255, g.bytes + 255, 120) == 0);
        /* Another origin moves all of them. */
        const double moved[3] = {origin[0] + 1, origin[1] - 2, origin[2]};
        clump_cloud_set_origin(cloud, moved);
        las_file h = las_save(cloud, NULL);
        CHECK_INT(las_step(&h, 5, 0) - las_step(&g, 5, 0), 1000);
        CHECK_INT(las_step(&h, 5, 1) - las_step(&g, 5, 1), -2000);
        clump_cloud_destroy(cloud);
        free(f.bytes), free(g.bytes), free(h.bytes);
    }
}

/* Wrong bounds are noted, and not written again; all other bytes are. Bounds that are too wide stay. */
static void wrong_bounds_are_corrected(void)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 2; k++) { /* highest, lowest */
            const size_t at = 179 + 16 * (size_t)axis + 8 * (size_t)k;
            las_file f = las_make(&(las_recipe){.minor = 4, .format = 1, .points = 50}, 7), wrong = f;
            double bound;
            memcpy(&bound, f.bytes + at, 8);
            for (int wide = 0; wide < 2; wide++) {
                const double other = bound + ((k == 0) == (wide == 1) ? 1000 : -1000);
                wrong.bytes = malloc(f.size);
                memcpy(wrong.bytes, f.bytes, f.size);
                memcpy(wrong.bytes + at, &other, 8);
                clump_cloud *cloud = las_parse(&wrong);
                CHECK((strstr(clump_cloud_describe(cloud).note, "outside of the bounds") != NULL) == (wide == 0));
                las_file g = las_save(cloud, NULL);
                CHECK(g.size == f.size && memcmp(g.bytes, wide ? wrong.bytes : f.bytes, f.size) == 0);
                clump_cloud_destroy(cloud);
                free(g.bytes), free(wrong.bytes);
            }
            free(f.bytes);
        }
    }
}

static void changed_fields_are_written(void)
{
    las_file f = las_make(&(las_recipe){.minor = 4, .format = 1, .points = 4}, 1);
    clump_cloud *cloud = las_parse(&f), *back;
    set(cloud, "return_number", CLUMP_TYPE_I32, 1, (const int32_t[4]){1, 2, 2, 5});
    set(cloud, "classification", CLUMP_TYPE_U8, 1, (const uint8_t[4]){1, 2, 3, 32}); /* one too large for 5 bits */
    set(cloud, "curvature", CLUMP_TYPE_F32, 1, (const float[4]){1, 2, 3, 4});
    set(cloud, "normal", CLUMP_TYPE_F64, 3, (const double[12]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    las_file g = las_save(cloud, NULL);
    CHECK_INT(g.record, 28 + 1 + 4 + 24);
    static const unsigned returns[5] = {1, 2, 0, 0, 1};
    for (size_t r = 0; r < 5; r++) {
        CHECK_INT(las_get(g.bytes + 111 + 4 * r, 4), returns[r]);
        CHECK_INT(las_get(g.bytes + 255 + 8 * r, 8), returns[r]);
    }
    CHECK(memcmp(f.bytes + 131, g.bytes + 131, 96) == 0); /* scale, offset, bounds */
    back = las_parse(&g);
    clump_field field;
    CHECK(clump_cloud_find(back, "return_number", &field) && ((const uint8_t *)field.data)[3] == 5);
    CHECK(clump_cloud_find(back, "classification_2", &field) && ((const uint8_t *)field.data)[3] == 32);
    CHECK(clump_cloud_find(back, "curvature", &field) && ((const float *)field.data)[3] == 4);
    CHECK(clump_cloud_find(back, "normal_1", &field) && ((const double *)field.data)[3] == 11);
    las_check_same_again(&g, "changed");
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(back);
    free(f.bytes), free(g.bytes);
}

/* --- refusals, and the rest ----------------------------------------------------------------- */

static void refusals(void)
{
    clump_cloud *cloud = make(5);
    float *xyz = clump_cloud_xyz(cloud);
    xyz[1] = NAN;
    check_unsaved(cloud, "1 point is not finite; LAS cannot hold it");
    xyz[2] = NAN, xyz[7] = -INFINITY, xyz[14] = NAN;
    check_unsaved(cloud, "3 points are not finite; LAS cannot hold them");
    xyz[1] = xyz[2] = xyz[7] = 0, xyz[14] = 1e10f;
    check_unsaved(cloud, "z reaches from 0 to 1e+10; LAS has 2^31 steps for that, and they would be longer than 1");
    xyz[14] = 0;
    const uint8_t bytes[5] = {0};
    set(cloud, "a_name_of_thirty-one_characters", CLUMP_TYPE_U8, 1, bytes);
    free(las_save(cloud, NULL).bytes);
    set(cloud, "a_name_of_thirty-two_characters.", CLUMP_TYPE_U8, 1, bytes);
    check_unsaved(cloud, "field a_name_of_thirty-two_characters.: LAS has names of at most 31 bytes");
    clump_cloud_destroy(cloud);

    static const uint8_t many[5 * 65516];
    cloud = make(5);
    set(cloud, "a", CLUMP_TYPE_U8, 65516, many);
    check_unsaved(cloud, "a point would have more than 65535 bytes, which LAS cannot hold");
    set(cloud, "a", CLUMP_TYPE_U8, 65515, many);
    check_unsaved(cloud, "65515 extra dimensions; LAS can describe at most 341");
    set(cloud, "a", CLUMP_TYPE_U8, 341, many);
    free(las_save(cloud, NULL).bytes);
    clump_cloud_destroy(cloud);

    las_file f = las_make(&(las_recipe){.minor = 2, .points = 5, .offset = {500000, 0, 0}}, 1);
    cloud = las_parse(&f);
    clump_cloud_xyz(cloud)[3] = 4e6f;
    check_unsaved(cloud, "x of point 1 is 4499982, out of reach of the file's scale 0.001 and offset 500000");
    clump_cloud_xyz(cloud)[3] = NAN;
    check_unsaved(cloud, "1 point is not finite; LAS cannot hold it");
    clump_save_options options = clump_save_defaults();
    options.encoding = CLUMP_ENCODING_ASCII;
    CHECK_INT(clump_cloud_save(io_path("no.las"), cloud, NULL, &options, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_INT(clump_cloud_save(io_path("no.laz"), cloud, NULL, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    clump_cloud_destroy(cloud);
    free(f.bytes);
}

static void note_progress(void *user, double done)
{
    double *last = user;
    CHECK(done > *last && done < 1.0);
    *last = done;
}

static void progress_is_told(void)
{
    las_file f = las_make(&(las_recipe){.minor = 2, .points = 200000}, 1);
    double read = 0, written = 0;
    clump_load_options load = clump_load_defaults();
    load.progress = note_progress, load.progress_user = &read;
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_parse(f.bytes, f.size, "a.las", &load, &cloud, &io_why), CLUMP_OK);
    clump_save_options save = clump_save_defaults();
    save.progress = note_progress, save.progress_user = &written;
    const char *path = io_path("progress.las");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, &save, &io_why), CLUMP_OK);
    CHECK(read > 0.9 && written > 0.9);
    unlink(path);
    clump_cloud_destroy(cloud);
    free(f.bytes);
}

CHECK_PROGRAM(test_las_write)
{
    RUN(every_type_becomes_a_dimension);
    RUN(scale_follows_from_the_coordinates);
    RUN(format_follows_from_the_fields);
    RUN(values_that_do_not_fit);
    RUN(empty_cloud);
    RUN(changed_coordinates_are_written);
    RUN(wrong_bounds_are_corrected);
    RUN(changed_fields_are_written);
    RUN(refusals);
    RUN(progress_is_told);
    io_cleanup();
}
