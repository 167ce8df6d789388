/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_las_data.c: real LAS and LAZ files, from laspy, libLAS, lidR and PDAL. Point counts are those of
 * the data folder's SOURCES.md.
 */
#include "las/test_las.h"

static const struct {
    const char *name; /* in las/ */
    size_t points, fields;
    const char *note;
} readable[] = {
    {"laspy_1_4_w_evlr.las", 1000, 15, ""},
    {"laspy_file_with_both_wkt_and_geotiff_vlrs.las", 25408, 15, ""},
    {"laspy_simple1_1.las", 1065, 13, ""},
    {"laspy_simple1_3.las", 999, 20, "points lie outside of the bounds that the header gives for x"},
    {"laspy_simple1_4.las", 22600, 18, ""},
    {"laspy_unregistered_extra_bytes.las", 4, 16, ""},
    {"laspy_vegetation_1_3.las", 10683, 13, ""},
    {"liblas_bad_points_1.1.las", 1, 13, ""},
    {"liblas_certainty3d-color-utm-feet-navd88.las", 10126, 16, ""},
    {"pdal_1.2-empty-geotiff-vlrs.las", 43, 16, ""},
    {"pdal_4_6_crop.las", 23875, 16, ""},
    {"pdal_autzen_trim.las", 110000, 16, ""},
    {"pdal_autzen_trim_7.las", 110000, 18, ""},
    {"pdal_epsg_4326.las", 5380, 12, ""},
    {"pdal_extrabytes.las", 1065, 21, ""},
    {"pdal_gps-time-nan.las", 1, 13, ""},
    {"pdal_interesting.las", 1065, 16, ""},
    {"pdal_lots_of_vlr.las", 1, 13, ""},
    {"pdal_mvk-thin.las", 6280, 13, ""},
    {"pdal_no-points.las", 0, 16, ""},
    {"pdal_perm_1.0_0.las", 1, 12, ""},
    {"pdal_perm_1.0_1.las", 1, 13, ""},
    {"pdal_perm_1.1_0.las", 1, 12, ""},
    {"pdal_perm_1.1_1.las", 1, 13, ""},
    {"pdal_perm_1.2_0.las", 1, 12, ""},
    {"pdal_perm_1.2_1.las", 1, 13, ""},
    {"pdal_perm_1.2_2.las", 1, 15, ""},
    {"pdal_perm_1.2_3.las", 1, 16, ""},
    {"pdal_sample_c.las", 14408, 16, ""},
    {"pdal_simple.las", 1065, 16, ""},
    {"pdal_spurious.las", 1065, 16, "points lie outside of the bounds that the header gives for x"},
    {"pdal_test1_4.las", 1000, 15, ""},
    {"pdal_test_utm17.las", 10, 16, ""},
    {"pdal_warsaw_small.las", 3000, 16, ""},
};

static const struct {
    const char *name;
    clump_status status;
    const char *sentence;
} refused[] = {
    {"pdal_1.2-with-color-clipped.las", CLUMP_ERR_IO_TRUNCATED,
     "byte 107: 1065 points of 34 bytes each are announced, but from byte 229 on there are bytes for 1064; --partial "
     "reads the 1064 points there are"},
    {"pdal_perm_1.2-no-points.las", CLUMP_ERR_IO_TRUNCATED,
     "byte 107: 1065 points of 34 bytes each are announced, but from byte 229 on there are bytes for 0"},
    {"pdal_garbage_nVariableLength.las", CLUMP_ERR_IO_TRUNCATED,
     "byte 107: 719 points of 20 bytes each are announced, but from byte 227 on there are bytes for 718; --partial "
     "reads the 718 points there are"},
};

static const char *full(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/las/%s", check_data_folder(), name);
    return path;
}

static clump_cloud *load(const char *name)
{
    clump_cloud *cloud;
    if (clump_cloud_load(full(name), NULL, &cloud, &io_why) != CLUMP_OK) CHECK_FAIL("%s", io_why.text);
    return cloud;
}

static void files_are_read(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
        clump_cloud *cloud = load(readable[i].name);
        if (!cloud) continue;
        CHECK_MSG(clump_cloud_points(cloud).count == readable[i].points, "%s", readable[i].name);
        CHECK_MSG(clump_cloud_field_count(cloud) == readable[i].fields, "%s", readable[i].name);
        CHECK_TEXT(clump_cloud_describe(cloud).note, readable[i].note);
        clump_cloud_destroy(cloud);
    }
}

static void files_are_refused(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        clump_cloud *cloud;
        CHECK_INT(clump_cloud_load(full(refused[i].name), NULL, &cloud, &io_why), refused[i].status);
        const size_t length = strlen(io_why.text), tail = strlen(refused[i].sentence);
        CHECK_TEXT(length > tail ? io_why.text + length - tail : io_why.text, refused[i].sentence);
    }
}

/* A count of VLRs that is too high is noted, and is right in a file that is written. */
static void wrong_counts_of_records_are_mended(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    clump_cloud *cloud = load("pdal_bad_vlr_count.las");
    if (!cloud) return;
    CHECK_INT(clump_cloud_points(cloud).count, 10);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "byte 100 announces 3 variable length records, but 2 are there");
    char path[64];
    snprintf(path, sizeof path, "/tmp/clump-vlrs-%ld.las", (long)getpid());
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    clump_cloud_destroy(cloud);
    CHECK_INT(clump_cloud_load(path, NULL, &cloud, &io_why), CLUMP_OK);
    if (cloud) CHECK_INT(clump_cloud_points(cloud).count, 10);
    if (cloud) CHECK_TEXT(clump_cloud_describe(cloud).note, "");
    clump_cloud_destroy(cloud);
    unlink(path);

    clump_load_options options = clump_load_defaults();
    options.partial = true;
    CHECK_INT(clump_cloud_load(full("pdal_garbage_nVariableLength.las"), &options, &cloud, &io_why), CLUMP_OK);
    if (cloud) CHECK_INT(clump_cloud_points(cloud).count, 718);
    clump_cloud_destroy(cloud);
}

static void files_are_written_as_they_were(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
        las_file f = {0};
        f.bytes = io_slurp(full(readable[i].name), &f.size);
        las_check_same_again(&f, readable[i].name);
        free(f.bytes);
    }
}

/* With labels and back: all fields, all coordinates, and the labels. */
static void files_take_labels(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
        clump_cloud *cloud = load(readable[i].name), *back;
        if (!cloud) continue;
        const size_t count = clump_cloud_points(cloud).count;
        int32_t *labels = malloc(count * sizeof *labels + 1);
        for (size_t k = 0; k < count; k++) labels[k] = (int32_t)(k % 1000) - 1;
        las_file f = las_save(cloud, labels);
        back = las_parse(&f);
        clump_field field, other;
        CHECK_MSG(io_same_xyz(cloud, back), "%s", readable[i].name);
        CHECK_INT(clump_cloud_field_count(back), clump_cloud_field_count(cloud) + 1);
        for (size_t k = 0; clump_cloud_field(cloud, k, &field) && clump_cloud_field(back, k, &other); k++)
            CHECK_MSG(io_same_field(&field, &other, count), "%s: %s", readable[i].name, field.name);
        CHECK(clump_cloud_find(back, "label", &field) && memcmp(field.data, labels, 4 * count) == 0);
        clump_cloud_destroy(cloud);
        clump_cloud_destroy(back);
        free(labels);
        free(f.bytes);
    }
}

static void one_cloud_in_two_formats(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    clump_cloud *old = load("pdal_autzen_trim.las"), *new = load("pdal_autzen_trim_7.las");
    CHECK(io_same_xyz(old, new));
    static const char *const same[] = {"intensity",
                                       "return_number",
                                       "number_of_returns",
                                       "classification",
                                       "user_data",
                                       "point_source_id",
                                       "gps_time",
                                       "red",
                                       "green",
                                       "blue",
                                       "scan_direction_flag"};
    clump_field a, b;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        CHECK_MSG(clump_cloud_find(old, same[i], &a) && clump_cloud_find(new, same[i], &b) &&
                      io_same_field(&a, &b, 110000),
                  "%s", same[i]);
    clump_cloud_destroy(old);
    clump_cloud_destroy(new);
}

static void some_values(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    clump_cloud *cloud = load("pdal_simple.las");
    clump_field field;
    const float *xyz = clump_cloud_points(cloud).xyz;
    const double *origin = clump_cloud_origin(cloud);
    CHECK(origin[0] == 635619 && origin[1] == 848899 && origin[2] == 406);
    CHECK(fabs(origin[0] + (double)xyz[0] - 637012.24) < 1e-4 && fabs(origin[1] + (double)xyz[1] - 849028.31) < 1e-4);
    CHECK(fabs(origin[2] + (double)xyz[2] - 431.66) < 1e-4);
    CHECK(clump_cloud_find(cloud, "red", &field) && ((const uint16_t *)field.data)[0] == 68);
    CHECK(clump_cloud_find(cloud, "gps_time", &field) &&
          fabs(((const double *)field.data)[0] - 245380.78254963) < 1e-8);
    CHECK(clump_cloud_find(cloud, "scan_angle_rank", &field) && ((const int8_t *)field.data)[0] == -9);
    clump_cloud_destroy(cloud);
}

/* --- LAZ ------------------------------------------------------------------------------------ */

static void laz_is_las(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    static const char *const twins[][2] = {{"laspy_1_4_w_evlr.laz", "laspy_1_4_w_evlr.las"},
                                           {"laspy_simple.laz", "pdal_simple.las"}};
    for (size_t i = 0; i < 2; i++) {
        clump_cloud *cloud = load(twins[i][0]);
        if (!cloud) continue;
        const clump_cloud_info info = clump_cloud_describe(cloud);
        CHECK(info.format == CLUMP_FORMAT_LAZ && info.encoding == CLUMP_ENCODING_COMPRESSED);
        CHECK_TEXT(info.note, "");
        las_file f = las_save(cloud, NULL), twin = {0};
        twin.bytes = io_slurp(full(twins[i][1]), &twin.size);
        CHECK_MSG(f.size == twin.size && memcmp(f.bytes, twin.bytes, f.size) == 0, "%s", twins[i][0]);
        clump_cloud_destroy(cloud);
        free(f.bytes), free(twin.bytes);
    }
    clump_cloud *cloud = load("lidr_MixedConifer.laz");
    clump_field field;
    CHECK(clump_cloud_points(cloud).count == 37657 && clump_cloud_find(cloud, "treeID", &field));
    clump_cloud_destroy(cloud);
}

static void laz_that_ends_early(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    size_t size;
    unsigned char *bytes = io_slurp(full("laspy_simple.laz"), &size);
    for (size_t cut = 0; cut < size; cut += cut < 400 ? 7 : 977) {
        clump_cloud *cloud;
        CHECK_MSG(io_parse("a.laz", bytes, cut, &cloud) != CLUMP_OK, "cut at %zu", cut);
        clump_cloud_destroy(cloud);
    }
    clump_cloud *cloud; /* more points than there are */
    las_put(bytes + 107, 1066, 4);
    CHECK(io_parse("a.laz", bytes, size, &cloud) != CLUMP_OK);
    las_put(bytes + 107, 0xffffffff, 4);
    CHECK(io_parse("a.laz", bytes, size, &cloud) != CLUMP_OK);
    free(bytes);
}

CHECK_PROGRAM(test_las_data)
{
    RUN(files_are_read);
    RUN(files_are_refused);
    RUN(wrong_counts_of_records_are_mended);
    RUN(files_are_written_as_they_were);
    RUN(files_take_labels);
    RUN(one_cloud_in_two_formats);
    RUN(some_values);
    RUN(laz_is_las);
    RUN(laz_that_ends_early);
    io_cleanup();
}
