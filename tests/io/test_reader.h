/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_reader.h: what the tests of reading in blocks and of writing labels share.
 */
#ifndef CLUMP_TESTS_TEST_READER_H
#define CLUMP_TESTS_TEST_READER_H

#include "las/test_las.h"

#include <clump/reader.h>

#include <unistd.h>

static clump_message reader_why;

/* A name in a folder of the test's own; 16 can be in use at the same time. */
static inline const char *reader_path(const char *name)
{
    static char folder[64], paths[16][256];
    static unsigned next;
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "/tmp/clump_reader_XXXXXX");
        if (!mkdtemp(folder)) abort();
    }
    char *path = paths[next++ % 16];
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static inline void reader_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size);
    if (file) fclose(file);
}

static inline unsigned char *reader_slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    *size = 0;
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    const long end = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc((size_t)end + 1);
    *size = fread(bytes, 1, (size_t)end, file);
    fclose(file);
    return bytes;
}

static inline clump_reader *reader_open(const char *path, const clump_reader_options *options)
{
    clump_reader *reader = NULL;
    if (clump_reader_open(&path, 1, options, &reader, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    return reader;
}

/* A cloud of n points with three fields; coordinates of thousandths, some of them far. */
static inline clump_cloud *reader_cloud(size_t n, bool wide)
{
    clump_cloud *cloud;
    CHECK_INT(clump_cloud_create(n, &cloud, NULL), CLUMP_OK);
    float *xyz = clump_cloud_xyz(cloud);
    uint8_t *classes = malloc(n + 1);
    float *intensity = malloc((n + 1) * sizeof *intensity);
    int32_t *label = malloc((n + 1) * sizeof *label);
    uint64_t state = 7;
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < 3; a++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            xyz[3 * i + a] = (float)((double)(state >> 44) / 1000 - 500);
        }
        classes[i] = (uint8_t)(state >> 56 & 31);
        intensity[i] = (float)(state >> 60);
        label[i] = (int32_t)(i % 7) - 1;
    }
    clump_cloud_set_field(cloud, &(clump_field){"intensity", CLUMP_TYPE_F32, 1, intensity}, NULL);
    clump_cloud_set_field(cloud, &(clump_field){"classification", CLUMP_TYPE_U8, 1, classes}, NULL);
    clump_cloud_set_field(cloud, &(clump_field){"label", CLUMP_TYPE_I32, 1, label}, NULL);
    if (wide) clump_cloud_set_origin(cloud, (const double[3]){637000, 4850000, 0});
    free(classes);
    free(intensity);
    free(label);
    return cloud;
}

/* Compares all blocks with the floats, and the classes with their fields, of the file loaded as a whole. */
static inline void reader_compare_field(clump_reader *reader, const clump_cloud *cloud, const char *name)
{
    const clump_reader_info info = clump_reader_describe(reader);
    const clump_points points = clump_cloud_points(cloud);
    clump_field classes = {0};
    const bool has_class = clump_cloud_find(cloud, "classification", &classes);
    clump_field ids = {0};
    CHECK(!name || clump_cloud_find(cloud, name, &ids));
    float *xyz = malloc(3 * CLUMP_BLOCK_POINTS * sizeof *xyz);
    clump_block block = {0};
    size_t done = 0, wrong = 0;
    CHECK_INT(info.count, points.count);
    for (uint64_t b = 0; b < info.blocks && reader; b++) {
        if (clump_reader_block(reader, b, &block, &reader_why) != CLUMP_OK) {
            CHECK_FAIL("%s", reader_why.text);
            break;
        }
        CHECK_INT(block.first, b * CLUMP_BLOCK_POINTS);
        clump_block_offsets(reader, &block, clump_cloud_origin(cloud), xyz);
        for (size_t i = 0; i < 3 * block.count; i++) wrong += !io_same_float(xyz[i], points.xyz[3 * done + i]);
        for (size_t i = 0; i < block.count && has_class && block.classes; i++)
            wrong += block.classes[i] != (unsigned)clump_field_value(&classes, done + i, 0);
        CHECK(!block.ids == !name);
        for (size_t i = 0; i < block.count && block.ids; i++)
            wrong += block.ids[i] != (unsigned)clump_field_value(&ids, done + i, 0);
        done += block.count;
    }
    CHECK_INT(done, points.count);
    CHECK_INT(wrong, 0);
    CHECK(info.has_class == has_class);
    clump_block_release(&block);
    free(xyz);
}

static inline void reader_compare(clump_reader *reader, const clump_cloud *cloud)
{
    reader_compare_field(reader, cloud, NULL);
}

static inline void reader_compare_file(const char *path, clump_coordinates kind)
{
    clump_cloud *cloud = NULL;
    if (clump_cloud_load(path, NULL, &cloud, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    clump_reader *reader = reader_open(path, NULL);
    CHECK_INT(clump_reader_describe(reader).coordinates, kind);
    if (reader && cloud) reader_compare(reader, cloud);
    clump_reader_close(reader);
    clump_cloud_destroy(cloud);
}

#endif
