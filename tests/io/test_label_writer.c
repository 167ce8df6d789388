/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_label_writer.c: files written block by block are, byte for byte, those that clump_cloud_save() writes.
 */
#include "io/label_writer.h"

enum { POINTS = CLUMP_BLOCK_POINTS + 321 };

/* --- one file ----------------------------------------------------------------------------------- */

static void las(void)
{
    for (unsigned format = 0; format <= 10; format++)
        for (unsigned extra = 0; extra < 3; extra++) {
            las_file f = las_make(&(las_recipe){.minor = format < 6 ? 1 + extra : 4,
                                                .format = format,
                                                .points = 2000 * extra,
                                                .extra = 3 * extra,
                                                .vlrs = extra,
                                                .gap = 5 * extra,
                                                .evlrs = format < 6 ? 0 : extra,
                                                .offset = {637000.5, 4850000, -20}},
                                  format);
            const char *path = reader_path("in.las");
            reader_write(path, f.bytes, f.size);
            compare_ways(path, ".las");
            if (format < 4 || (format >= 6 && format <= 8)) compare_ways(path, ".laz");
            compare_ways(path, ".labels");
            compare_ways(path, ".npy");
            free(f.bytes);
            unlink(path);
        }
}

/* Compressed input, and input that has labels and other extra dimensions already. */
static void laz_again(void)
{
    las_file f = las_make(&(las_recipe){.minor = 4, .format = 7, .points = POINTS, .evlrs = 1}, 3);
    const char *path = reader_path("in.las"), *laz = reader_path("in.laz");
    reader_write(path, f.bytes, f.size);
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_load(path, NULL, &cloud, NULL), CLUMP_OK);
    float *height = calloc(POINTS, sizeof *height);
    int32_t *labels = calloc(POINTS, sizeof *labels);
    for (size_t i = 0; i < POINTS; i++) height[i] = (float)i, labels[i] = (int32_t)(i % 5);
    clump_cloud_set_field(cloud, &(clump_field){"label", CLUMP_TYPE_I32, 1, labels}, NULL);
    clump_cloud_set_field(cloud, &(clump_field){"height", CLUMP_TYPE_F32, 1, height}, NULL);
    CHECK_INT(clump_cloud_save(laz, cloud, NULL, NULL, NULL), CLUMP_OK);
    clump_cloud_destroy(cloud);
    compare_ways(laz, ".laz");
    compare_ways(laz, ".las");
    free(height);
    free(labels);
    free(f.bytes);
    unlink(path);
    unlink(laz);
}

static void saved(const char *name, clump_format format, clump_encoding encoding, bool wide)
{
    clump_cloud *cloud = reader_cloud(POINTS, wide);
    const char *path = reader_path(name);
    clump_save_options options = clump_save_defaults();
    options.format = format;
    options.encoding = encoding;
    if (clump_cloud_save(path, cloud, NULL, &options, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    compare_ways(path, ".pcd");
    compare_ways(path, ".ply");
    clump_cloud_destroy(cloud);
    unlink(path);
}

static void tables(void)
{
    for (int wide = 0; wide < 2; wide++) {
        saved("in.pcd", CLUMP_FORMAT_PCD, CLUMP_ENCODING_BINARY, wide);
        saved("in.ply", CLUMP_FORMAT_PLY, CLUMP_ENCODING_BIG_ENDIAN, wide);
        saved("in.npy", CLUMP_FORMAT_NPY, CLUMP_ENCODING_DEFAULT, wide);
        saved("in.csv", CLUMP_FORMAT_TEXT, CLUMP_ENCODING_ASCII, wide);
        saved("in.pcd", CLUMP_FORMAT_PCD, CLUMP_ENCODING_ASCII, wide);
    }
    saved("in.ply", CLUMP_FORMAT_PLY, CLUMP_ENCODING_BINARY, false);
    saved("in.bin", CLUMP_FORMAT_KITTI, CLUMP_ENCODING_DEFAULT, false);
    saved("in.pcd.bin", CLUMP_FORMAT_NUSCENES, CLUMP_ENCODING_DEFAULT, false);
}

/* An organised cloud with a viewpoint, and PLY with comments and arrays of 64-bit integers. */
static void odd_tables(void)
{
    static const char pcd[] = "VERSION .7\nFIELDS x y z _ n\nSIZE 4 4 4 1 8\nTYPE F F F U I\nCOUNT 1 1 1 3 2\nWIDTH 2\n"
                              "HEIGHT 3\nVIEWPOINT 1 2 3 1 0 0 0\nPOINTS 6\nDATA binary\n";
    static const char ply[] = "ply\nformat binary_little_endian 1.0\ncomment made by hand\nobj_info so it is\n"
                              "element edge 1\nproperty int a\nelement vertex 4\nproperty double y\nproperty uchar i\n"
                              "property short x\nend_header\n";
    unsigned char bytes[1024] = {0};
    memcpy(bytes, pcd, sizeof pcd - 1);
    for (size_t i = 0; i < 6 * 31; i++) bytes[sizeof pcd - 1 + i] = i % 31 < 12 ? (unsigned char)(i % 16) : 0;
    const char *path = reader_path("odd.pcd");
    reader_write(path, bytes, sizeof pcd - 1 + 6 * 31);
    compare_ways(path, ".pcd");
    compare_ways(path, ".ply");
    memcpy(bytes, ply, sizeof ply - 1);
    reader_write(path, bytes, sizeof ply - 1 + 4 + 4 * 11);
    compare_ways(path, ".ply");
    compare_ways(path, ".pcd");
    unlink(path);
}

/* --- labels of 64 bits -------------------------------------------------------------------------- */

static void wide(void)
{
    clump_label_writer_options options = clump_label_writer_defaults();
    options.wide = true;
    const int64_t plus = (int64_t)1 << 40;
    las_file f = las_make(&(las_recipe){.minor = 2, .points = 100}, 1);
    const char *path = reader_path("in.las"), *out = reader_path("out.las");
    reader_write(path, f.bytes, f.size);
    CHECK_INT(write_labels(&path, 1, out, &options, plus), CLUMP_OK);
    clump_cloud *cloud = NULL;
    clump_field field = {0};
    CHECK_INT(clump_cloud_load(out, NULL, &cloud, NULL), CLUMP_OK);
    CHECK(clump_cloud_find(cloud, "label", &field) && field.type == CLUMP_TYPE_I64);
    for (size_t i = 0; i < 100 && field.data; i++) {
        const int64_t expected = label_of(i) < 0 ? -1 : label_of(i) + plus;
        CHECK(((const int64_t *)field.data)[i] == expected);
    }
    clump_cloud_destroy(cloud);
    unlink(out);
    const char *raw = reader_path("out.labels64");
    CHECK_INT(write_labels(&path, 1, raw, &options, plus), CLUMP_OK);
    size_t size;
    unsigned char *bytes = reader_slurp(raw, &size);
    int64_t last;
    CHECK_INT(size, 800);
    memcpy(&last, bytes + 792, 8);
    CHECK(last == (label_of(99) < 0 ? -1 : label_of(99) + plus));
    free(bytes);
    unlink(raw);
    CHECK_INT(write_labels(&path, 1, reader_path("x.labels"), &options, 0), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(reader_why.text, "labels of 64 bits do not fit .labels; write .labels64 or .npy"));
    CHECK_INT(write_labels(&path, 1, reader_path("x.ply"), &options, 0), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(reader_why.text, "labels of 64 bits do not fit PLY; write .pcd, .npy or .labels64"));
    CHECK_INT(write_labels(&path, 1, reader_path("x.npy"), NULL, plus), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(reader_why.text, "needs 64 bits"));
    free(f.bytes);
    unlink(path);
}

CHECK_PROGRAM(test_label_writer)
{
    RUN(las);
    RUN(laz_again);
    RUN(tables);
    RUN(odd_tables);
    RUN(wide);
}
