/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_laz_hostile.c: LAZ files that lie, end early or were hit by something, through the public interface. They are refused
 * with a sentence, or give points; they never cost more than their bytes justify.
 */
#include "las/laz_made.h"
#include "io/test_io.h"

#include <fcntl.h>
#include <unistd.h>

enum { POINTS = 30, CHUNK = 20 };

static const struct {
    unsigned format;
    size_t extra;
} samples[] = {{0, 0}, {1, 2}, {3, 0}, {6, 1}, {7, 0}, {8, 3}};
#define FOR_SAMPLES for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)

static clump_io_laz_bytes make_sample(size_t i)
{
    const clump_io_laz_layout l = laz_layout(samples[i].format, samples[i].extra);
    unsigned char *records = laz_made_records(&l, POINTS, LAZ_SURVEY, 40 + i);
    const clump_io_laz_bytes file = laz_made(&l, records, POINTS, CHUNK, NULL, 0);
    free(records);
    return file;
}

/* Reads bytes on one thread. Checks that the outcome is points, or a status with a sentence. */
static clump_status attempt(const unsigned char *bytes, size_t size)
{
    clump_load_options options = clump_load_defaults();
    clump_cloud *cloud;
    options.threads = 1;
    unsigned char *copy = malloc(size + !size); /* exactly its size, so that a sanitizer sees a byte read too far */
    memcpy(copy, bytes, size);
    const clump_status status = clump_cloud_parse(copy, size, "hostile.laz", &options, &cloud, &io_why);
    CHECK((status == CLUMP_OK) == (cloud != NULL));
    CHECK_MSG(status == CLUMP_OK || (io_why.text[0] && status >= CLUMP_ERR_IO_FORMAT), "status %d: %s", status,
              io_why.text);
    if (cloud) CHECK(clump_cloud_points(cloud).count <= POINTS);
    clump_cloud_destroy(cloud);
    free(copy);
    return status;
}

/* Every bit, one after the other. There are no checksums: some changes give other points. */
static void every_bit(void)
{
    const unsigned step = check_tier() == 3 ? 1 : 3;
    size_t outcomes[2] = {0, 0};
    FOR_SAMPLES
    {
        clump_io_laz_bytes file = make_sample(i);
        CHECK_MSG(attempt(file.data, file.size) == CLUMP_OK, "%s", io_why.text);
        for (size_t at = 0; at < file.size; at++)
            for (unsigned bit = (unsigned)at % step; bit < 8; bit += step) {
                file.data[at] ^= (unsigned char)(1u << bit);
                outcomes[attempt(file.data, file.size) == CLUMP_OK]++;
                file.data[at] ^= (unsigned char)(1u << bit);
            }
        clump_io_laz_bytes_free(&file);
    }
    printf("%zu files with one bit changed: %zu refused\n", outcomes[0] + outcomes[1], outcomes[0]);
    CHECK(outcomes[0] > 1000 && outcomes[1] > 1000);
}

static void every_truncation(void)
{
    FOR_SAMPLES
    {
        clump_io_laz_bytes file = make_sample(i);
        for (size_t size = 0; size < file.size; size++)
            CHECK_MSG(attempt(file.data, size) != CLUMP_OK, "format %u cut at %zu was read", samples[i].format, size);
        clump_io_laz_bytes_free(&file);
    }
}

/* Counts of points that nothing stands behind: no memory is asked for them. */
static void claimed_points(void)
{
    static const uint64_t claims[] = {POINTS + 11, UINT32_MAX, (uint64_t)1 << 40, (uint64_t)1 << 62, UINT64_MAX};
    FOR_SAMPLES
    for (size_t c = 0; c < sizeof claims / sizeof *claims; c++) {
        clump_io_laz_bytes file = make_sample(i);
        laz_put(file.data + 247, claims[c], 8);
        CHECK_INT(attempt(file.data, file.size), CLUMP_ERR_IO_FORMAT);
        laz_put(file.data + 247, 0, 8);
        laz_put(file.data + 107, claims[c], 4); /* the count of LAS 1.2 */
        CHECK_INT(attempt(file.data, file.size), (uint32_t)claims[c] ? CLUMP_ERR_IO_FORMAT : CLUMP_OK);
        clump_io_laz_bytes_free(&file);
    }
}

/* Sizes of layers, and the number of points in front of them. */
static void lying_layers(void)
{
    const clump_io_laz_layout l = laz_layout(8, 2);
    const size_t layers = 13, points_at = l.record, sizes_at = l.record + 4;
    unsigned char *records = laz_made_records(&l, POINTS, LAZ_SURVEY, 5);
    clump_io_laz_bytes file = laz_made(&l, records, POINTS, POINTS, NULL, 0);
    uint32_t begin;
    memcpy(&begin, file.data + 96, 4);
    unsigned char *const chunk = file.data + begin + 8;
    CHECK_MSG(attempt(file.data, file.size) == CLUMP_OK, "%s", io_why.text);
    for (size_t k = 0; k < layers; k++) {
        uint32_t right;
        memcpy(&right, chunk + sizes_at + 4 * k, 4);
        const uint32_t wrong[] = {0, 1, right - 1, right + 1, right + 1000000, UINT32_MAX};
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            laz_put(chunk + sizes_at + 4 * k, wrong[w], 4);
            const clump_status status = attempt(file.data, file.size);
            if (w > 3) CHECK_INT(status, CLUMP_ERR_IO_TRUNCATED);           /* longer than the chunk */
            if (w < 2 && k == 0) CHECK_INT(status, CLUMP_ERR_IO_TRUNCATED); /* x and y are always there */
        }
        laz_put(chunk + sizes_at + 4 * k, right, 4);
    }
    for (uint32_t claim = 0; claim < POINTS; claim += 7) {
        laz_put(chunk + points_at, claim, 4);
        CHECK_INT(attempt(file.data, file.size), CLUMP_ERR_IO_FORMAT);
    }
    laz_put(chunk + points_at, POINTS, 4);
    CHECK_INT(attempt(file.data, file.size), CLUMP_OK);
    clump_io_laz_bytes_free(&file);
    free(records);
}

/* A file of 7 GB, nearly all of it a hole: offsets have 64 bits. Bytes behind the points of a chunk do not matter. */
static void beyond_4_gb(void)
{
    static const uint32_t sizes[] = {0xe0000000u, 0xe0000000u, 0}, points[] = {CHUNK, CHUNK, 1};
    enum { COUNT = 2 * CHUNK + 1 };
    const clump_io_laz_layout l = laz_layout(7, 0);
    const clump_io_laz_codec *codec = clump_io_laz_codec_of(l.format);
    unsigned char *records = laz_made_records(&l, COUNT, LAZ_SURVEY, 8);
    void *memory = malloc(codec->memory(&l));
    const char *path = io_path("huge.laz");
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    clump_io_laz_bytes head = {0}, chunk = {0}, table = {0};
    laz_made_head(&head, &l, COUNT, CLUMP_IO_LAZ_VARIABLE);
    uint64_t at = head.size + 8;
    uint32_t real[3];
    bool written = file >= 0 && pwrite(file, head.data, head.size, 0) == (ssize_t)head.size;
    for (size_t c = 0, first = 0; c < 3; first += points[c++]) {
        chunk.size = 0;
        CHECK_INT(codec->encode(memory, &l, records + first * l.record, points[c], &chunk), CLUMP_IO_LAZ_DONE);
        written = written && pwrite(file, chunk.data, chunk.size, (off_t)at) == (ssize_t)chunk.size;
        real[c] = sizes[c] ? sizes[c] : (uint32_t)chunk.size;
        at += real[c];
    }
    CHECK_INT(clump_io_laz_table_encode(points, real, 3, &table), CLUMP_IO_LAZ_DONE);
    written = written && pwrite(file, table.data, table.size, (off_t)at) == (ssize_t)table.size &&
              pwrite(file, &at, 8, (off_t)head.size) == 8;
    if (file >= 0) close(file);
    clump_cloud *cloud = NULL;
    const clump_status status = written ? clump_cloud_load(path, NULL, &cloud, &io_why) : CLUMP_OK;
    if (written) CHECK_MSG(status == CLUMP_OK, "%s", io_why.text);
    clump_field red = {0};
    for (size_t k = 0; cloud && clump_cloud_field(cloud, k, &red) && strcmp(red.name, "red") != 0; k++) continue;
    for (size_t i = 0; cloud && i < COUNT; i++)
        CHECK(memcmp((const char *)red.data + 2 * i, records + i * l.record + 30, 2) == 0);
    clump_cloud_destroy(cloud);
    unlink(path);
    clump_io_laz_bytes_free(&head), clump_io_laz_bytes_free(&chunk), clump_io_laz_bytes_free(&table);
    free(memory), free(records);
    if (!written) SKIP("a file of 7 GB with a hole cannot be written here: " DO_FILES);
}

CHECK_PROGRAM(test_laz_hostile)
{
    RUN(every_bit);
    RUN(every_truncation);
    RUN(claimed_points);
    RUN(lying_layers);
    RUN(beyond_4_gb);
    io_cleanup();
}
