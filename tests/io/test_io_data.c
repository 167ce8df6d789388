/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_io_data.c: real files, from PCL, PDAL, drivers and data sets. Point counts are those of the
 * data folder's SOURCES.md.
 */
#include "io/test_io.h"

static const struct {
    const char *path;
    size_t points, fields, height;
} readable[] = {
    {"kitti/kittiobj_000001.bin", 120268, 1, 1},
    {"kitti/semkitti_00_000000.bin", 124668, 1, 1},
    {"kitti/semkitti_00_000001.bin", 124605, 1, 1},
    {"kitti/semkitti_00_000002.bin", 124478, 1, 1},
    {"kitti/semkitti_04_000000.bin", 124231, 1, 1},
    {"kitti/semkitti_06_000000.bin", 123020, 1, 1},
    {"nuscenes/n015_1532402927647951.pcd.bin", 34688, 2, 1},
    {"pcd/cupcl_sample_ascii.pcd", 119978, 0, 1},
    {"pcd/ndtomp_251370668.pcd", 69088, 1, 1},
    {"pcd/nebula_pandar64_1673403880898440686.pcd", 93591, 0, 1},
    {"pcd/nebula_pandarxt32_1673400678101968885.pcd", 63021, 0, 1},
    {"pcd/nebula_vlp16_1673400472138016708.pcd", 14831, 7, 1},
    {"pcd/nebula_vlp32_1713492677464078412.pcd", 26216, 0, 1},
    {"pcd/nebula_vls128_1585897255376374245.pcd", 208680, 0, 1},
    {"pcd/patchwork_128ch_000000.pcd", 240000, 4, 128},
    {"pcd/pdal_autzen-utm.pcd", 1065, 13, 1},
    {"pcd/pdal_utm17_space.pcd", 10, 0, 1},
    {"pcd/pdal_utm17_tab.pcd", 10, 0, 1},
    {"pcd/sfnd_data1_0000000000.pcd", 119978, 1, 1},
    {"pcd/sfnd_data1_0000000001.pcd", 118703, 1, 1},
    {"pcl/bun0.pcd", 397, 4, 1},
    {"pcl/bunny.pcd", 397, 0, 1},
    {"pcl/car6.pcd", 10031, 0, 1},
    {"pcl/colored_cloud.pcd", 1000, 5, 1000},
    {"pcl/cturtle.pcd", 167198, 1, 1},
    {"pcl/curve2d.pcd", 51, 0, 1},
    {"pcl/five_people.pcd", 307200, 1, 480},
    {"pcl/lamppost.pcd", 1771, 0, 1},
    {"pcl/milk.pcd", 13704, 0, 1},
    {"pcl/min_cut_segmentation_tutorial.pcd", 9311, 0, 1},
    {"pcl/mosd_learn0.pcd", 307200, 2, 480},
    {"pcl/mosd_learn20.pcd", 307200, 2, 480},
    {"pcl/noisy_slice_displaced.pcd", 3782, 0, 1},
    {"pcl/octants.pcd", 8, 0, 1},
    {"pcl/pcl_logo.pcd", 12909, 1, 1},
    {"pcl/region_growing_tutorial.pcd", 108104, 1, 1},
    {"pcl/room_scan1.pcd", 112586, 0, 1},
    {"pcl/room_scan2.pcd", 112624, 0, 1},
    {"pcl/sac_plane_test.pcd", 3283, 4, 1},
    {"pcl/table_scene_lms400_downsampled.pcd", 41049, 0, 1},
    {"pcl/table_scene_lms400_pclcluster_0.pcd", 4857, 0, 1},
    {"pcl/table_scene_lms400_pclcluster_1.pcd", 1386, 0, 1},
    {"pcl/table_scene_lms400_pclcluster_2.pcd", 321, 0, 1},
    {"pcl/table_scene_lms400_pclcluster_3.pcd", 291, 0, 1},
    {"pcl/table_scene_lms400_pclcluster_4.pcd", 123, 0, 1},
    {"pcl/table_scene_lms400_plane_0.pcd", 20161, 0, 1},
    {"pcl/table_scene_lms400_plane_1.pcd", 12114, 0, 1},
    {"pcl/table_scene_mug_stereo_textured.pcd", 307200, 1, 480},
    {"terrain/isprs_CSite1_red2-utm.pcd", 131622, 0, 1},
    {"terrain/isprs_samp11-utm-ground.pcd", 21786, 0, 1},
    {"terrain/isprs_samp11-utm.pcd", 38010, 0, 1},
    {"terrain/isprs_samp21-utm-ground.pcd", 10085, 0, 1},
    {"terrain/isprs_samp21-utm.pcd", 12960, 0, 1},
    {"terrain/isprs_samp41-utm-ground.pcd", 5602, 0, 1},
    {"terrain/isprs_samp41-utm.pcd", 11231, 0, 1},
    {"terrain/isprs_samp51-utm-ground.pcd", 13950, 0, 1},
    {"terrain/isprs_samp51-utm.pcd", 17845, 0, 1},
};

/* Status and end of the sentence. */
static const struct {
    const char *path;
    clump_status status;
    const char *sentence;
} refused[] = {
    {"pcd/pdal_missingheader.pcd", CLUMP_ERR_IO_FORMAT, ": header line 1: \"289814.15\" is no PCD keyword"},
    {"pcd/pdal_utm17_comma.pcd", CLUMP_ERR_IO_FORMAT,
     ": line 11: \"289814.15,4320978.61,170.76\" is not a number (field X)"},
};

static clump_cloud *load(const char *path)
{
    char full[1024];
    clump_cloud *cloud;
    snprintf(full, sizeof full, "%s/%s", check_data_folder(), path);
    if (clump_cloud_load(full, NULL, &cloud, &io_why) == CLUMP_OK) return cloud;
    clump_format_info pcd;
    const bool unable = clump_format_describe(CLUMP_FORMAT_PCD, &pcd) && !pcd.compressed;
    if (!unable || !strstr(io_why.text, "built without liblzf")) CHECK_FAIL("%s", io_why.text);
    return NULL;
}

static void files_are_read(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
        clump_cloud *cloud = load(readable[i].path);
        if (!cloud) continue;
        CHECK_MSG(clump_cloud_points(cloud).count == readable[i].points, "%s", readable[i].path);
        CHECK_MSG(clump_cloud_field_count(cloud) == readable[i].fields, "%s", readable[i].path);
        CHECK_MSG(clump_cloud_describe(cloud).height == readable[i].height, "%s", readable[i].path);
        CHECK_TEXT(clump_cloud_describe(cloud).note, "");
        clump_cloud_destroy(cloud);
    }
}

static void files_are_refused(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char full[1024];
        clump_cloud *cloud;
        snprintf(full, sizeof full, "%s/%s", check_data_folder(), refused[i].path);
        CHECK_INT(clump_cloud_load(full, NULL, &cloud, &io_why), refused[i].status);
        const size_t length = strlen(io_why.text), tail = strlen(refused[i].sentence);
        CHECK_TEXT(length > tail ? io_why.text + length - tail : io_why.text, refused[i].sentence);
    }
}

static void files_hold_what_they_should(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    clump_cloud *cloud = load("pcd/cupcl_sample_ascii.pcd"), *other = load("pcd/sfnd_data1_0000000000.pcd");
    if (cloud && other) { /* the same scan, scaled by 1.2 */
        const float *a = clump_cloud_points(cloud).xyz, *b = clump_cloud_points(other).xyz;
        CHECK(a[0] == 62.7612f && a[1] == 8.7600002f && a[2] == 2.3940001f);
        for (size_t i = 0; i < 3 * 119978; i++) CHECK(fabsf(a[i] - 1.2f * b[i]) < 1e-4f);
    }
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(other);

    clump_field field;
    cloud = load("pcd/pdal_autzen-utm.pcd");
    if (cloud) {
        CHECK_INT(clump_cloud_describe(cloud).xyz_type, CLUMP_TYPE_F64);
        CHECK(clump_cloud_origin(cloud)[0] == 493994 && clump_cloud_origin(cloud)[1] == 4877429);
        CHECK(clump_cloud_find(cloud, "GpsTime", &field) && field.type == CLUMP_TYPE_F64);
        CHECK(clump_cloud_find(cloud, "Intensity", &field) && field.type == CLUMP_TYPE_U16);
    }
    clump_cloud_destroy(cloud);
    cloud = load("pcl/colored_cloud.pcd");
    CHECK(cloud && clump_cloud_describe(cloud).width == 1 && clump_cloud_describe(cloud).height == 1000);
    clump_cloud_destroy(cloud);
    cloud = load("pcd/nebula_vlp16_1673400472138016708.pcd");
    CHECK(cloud && clump_cloud_find(cloud, "channel", &field) && field.type == CLUMP_TYPE_U16);
    for (size_t i = 0; cloud && i < 14831; i++) CHECK(((const uint16_t *)field.data)[i] < 16);
    clump_cloud_destroy(cloud);
}

/* Real files through every format and back. */
static void files_round_trip(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    static const char *const from[] = {"kitti/semkitti_00_000000.bin", "pcd/pdal_autzen-utm.pcd", "pcl/bun0.pcd"};
    static const char *const to[] = {"r.pcd", "r.csv", "r.npy", "r.bin"};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        clump_cloud *cloud = load(from[i]), *back = NULL;
        for (size_t k = 0; cloud && k < sizeof to / sizeof to[0]; k++) {
            const char *path = io_path(to[k]);
            CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
            CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
            const bool narrow = i == 1 && k >= 2; /* float32 formats cannot hold UTM coordinates */
            CHECK_MSG(narrow || io_same_xyz(cloud, back), "%s %s", from[i], to[k]);
            if (k == 0) CHECK_MSG(io_same_fields(cloud, back), "%s", from[i]);
            clump_cloud_destroy(back);
            unlink(path);
        }
        clump_cloud_destroy(cloud);
    }
}

CHECK_PROGRAM(test_io_data)
{
    RUN(files_are_read);
    RUN(files_are_refused);
    RUN(files_hold_what_they_should);
    RUN(files_round_trip);
    io_cleanup();
}
