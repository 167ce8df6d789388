/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pcl_reader.c: every real PCD and PLY file through clump's reader and through PCL's: equal points and fields, bit
 * for bit. And labelled files of clump as PCL reads them.
 *
 * Comments name the differences to PCL that are accepted. Skipped without PCL or without the data folder.
 */
#include "rivals/load.h"
#include "io/test_io.h"

#include <dirent.h>
#include <math.h>

static const clump_reader *reader;
static size_t compared, fields_compared;

static bool find_reader(void)
{
#ifdef CLUMP_TEST_PCL_READER
    if (!reader) reader = reader_load(CLUMP_TEST_PCL_READER);
#endif
    return reader != NULL;
}

/* An element as a double, and as the bits it has. */
static double theirs(const clump_reader_field *f, const unsigned char *record, size_t element)
{
    const unsigned char *at = record + f->offset + element * f->size;
    int64_t whole = 0;
    float narrow;
    double wide;
    memcpy(&narrow, at, 4 <= f->size ? 4 : f->size);
    memcpy(&wide, at, 8 <= f->size ? 8 : f->size);
    if (f->kind == 'f') return f->size == 4 ? (double)narrow : wide;
    memcpy(&whole, at, f->size);
    const int unused = 64 - 8 * (int)f->size;
    if (f->kind == 'i') whole = (int64_t)((uint64_t)whole << unused) >> unused;
    return (double)whole;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void compare_coordinates(const char *path, const clump_cloud *cloud, const void *other, size_t points)
{
    for (int axis = 0; axis < 3; axis++) {
        clump_reader_field f = {0};
        bool found = false;
        for (size_t i = 0; i < reader->fields(other) && !found; i++) {
            reader->field(other, i, &f);
            found = f.name[1] == 0 && (f.name[0] | 32) == "xyz"[axis];
        }
        size_t different = 0;
        for (size_t i = 0; i < points; i++) /* a PLY file may have no z: for us it is 0 then */
            different +=
                !same(clump_cloud_coordinate(cloud, i, axis), found ? theirs(&f, reader->record(other, i), 0) : 0);
        CHECK_MSG(different == 0, "%s: %zu of %zu points differ along %c", path, different, points, "xyz"[axis]);
    }
}

static void compare_fields(const char *path, const clump_cloud *cloud, const void *other, size_t points)
{
    clump_field ours;
    for (size_t k = 0; clump_cloud_field(cloud, k, &ours); k++) {
        clump_reader_field f = {0};
        bool found = false;
        for (size_t i = 0; i < reader->fields(other) && !found; i++) {
            reader->field(other, i, &f);
            found = strcmp(f.name, ours.name) == 0;
        }
        if (!found || f.elements != ours.count || f.size != clump_type_size(ours.type)) {
            CHECK_MSG(strstr(path, ".ply"), "%s: PCL has no such field %s", path, ours.name); /* it renames there */
            continue;
        }
        if (strstr(path, "text_extradim.ply")) continue; /* PCL reads 0 where the file says 64 and 1234 */
        size_t different = 0;
        for (size_t i = 0; i < points; i++)
            different += memcmp((const unsigned char *)ours.data + i * ours.count * f.size,
                                reader->record(other, i) + f.offset, ours.count * f.size) != 0;
        CHECK_MSG(different == 0, "%s: %zu of %zu values of %s differ", path, different, points, ours.name);
        fields_compared++;
    }
}

static void compare_file(const char *path)
{
    clump_cloud *cloud;
    if (clump_cloud_load(path, NULL, &cloud, NULL) != CLUMP_OK) return; /* judged in test_io_data */
    void *other = reader->load(path);
    if (other) {
        const size_t points = clump_cloud_points(cloud).count;
        CHECK_MSG(reader->points(other) == points, "%s: %zu points, PCL has %zu", path, points, reader->points(other));
        if (reader->points(other) == points) {
            compare_coordinates(path, cloud, other, points);
            compare_fields(path, cloud, other, points);
            compared++;
        }
        reader->release(other);
    }
    clump_cloud_destroy(cloud);
}

static void compare_folder(const char *name, const char *extension)
{
    char folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s/%s", check_data_folder(), name);
    DIR *d = opendir(folder);
    if (!d) return;
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        const size_t length = strlen(e->d_name);
        if (length < 5 || strcmp(e->d_name + length - 4, extension) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        compare_file(path);
    }
    closedir(d);
}

static void pcd_files(void)
{
    if (!find_reader()) SKIP(DO_RIVALS);
    if (!check_data_folder()) SKIP(DO_DATA);
    compared = fields_compared = 0;
    compare_folder("pcd", ".pcd");
    compare_folder("pcl", ".pcd");
    compare_folder("terrain", ".pcd");
    printf("%zu PCD files and %zu of their fields are the same\n", compared, fields_compared);
    CHECK(compared > 30 && fields_compared > 20);
}

static void ply_files(void)
{
    if (!find_reader()) SKIP(DO_RIVALS);
    if (!check_data_folder()) SKIP(DO_DATA);
    compared = fields_compared = 0;
    compare_folder("ply", ".ply");
    printf("%zu PLY files and %zu of their fields are the same\n", compared, fields_compared);
    CHECK(compared > 5);
}

/* What `clump ec -o labelled.pcd` writes, as a user of pcl::PointXYZL reads it. */
static void labels_as_point_xyzl(void)
{
    if (!find_reader()) SKIP(DO_RIVALS);
    static const struct {
        const char *name;
        clump_encoding encoding;
    } ways[] = {{"binary.pcd", CLUMP_ENCODING_BINARY},         {"ascii.pcd", CLUMP_ENCODING_ASCII},
                {"compressed.pcd", CLUMP_ENCODING_COMPRESSED}, {"binary.ply", CLUMP_ENCODING_BINARY},
                {"ascii.ply", CLUMP_ENCODING_ASCII},           {"big.ply", CLUMP_ENCODING_BIG_ENDIAN}};
    const int32_t labels[6] = {0, 1, CLUMP_NOISE, CLUMP_GROUND, 70000, INT32_MAX};
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(6, &cloud, &io_why), CLUMP_OK);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        clump_save_options options = clump_save_defaults();
        options.encoding = ways[w].encoding;
        const char *path = io_path(ways[w].name);
        if (clump_cloud_save(path, cloud, labels, &options, &io_why) == CLUMP_ERR_IO_UNSUPPORTED) continue; /* no LZF */
        uint32_t read[6] = {0};
        CHECK_MSG(reader->load_labels(path, read, 6) == 6, "%s", ways[w].name);
        for (size_t i = 0; i < 6; i++)
            CHECK_MSG(read[i] == (uint32_t)labels[i], "%s: label %d is %u in PCL", ways[w].name, (int)labels[i],
                      (unsigned)read[i]);
        unlink(path);
    }
    clump_cloud_destroy(cloud);
    io_cleanup();
}

CHECK_PROGRAM(test_pcl_reader)
{
    RUN(pcd_files);
    RUN(ply_files);
    RUN(labels_as_point_xyzl);
}
