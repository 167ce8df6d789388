/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_reader_laz.c: LAZ in blocks gives the points that it gives as a whole, in any order and on several threads. What
 * happens with files that change, that are damaged, and that have more than 2^32 points.
 */
#include "io/test_reader.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

enum { LAZ_POINTS = 3 * CLUMP_BLOCK_POINTS + 77, LAZ_THREADS = 4 };

/* Writes a LAS file of the recipe as LAZ. */
static void write_laz(const char *path, const las_recipe *recipe, uint64_t seed)
{
    las_file f = las_make(recipe, seed);
    const char *las = reader_path("plain.las");
    reader_write(las, f.bytes, f.size);
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_load(las, NULL, &cloud, NULL), CLUMP_OK);
    if (clump_cloud_save(path, cloud, NULL, NULL, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    clump_cloud_destroy(cloud);
    free(f.bytes);
    unlink(las);
}

static void formats(void)
{
    static const unsigned formats[] = {0, 1, 2, 3, 6, 7, 8};
    static const size_t points[] = {0, 1, 49999, 50000, 50001, 70000, 65536};
    for (size_t i = 0; i < 7; i++) {
        const unsigned format = formats[i];
        const char *path = reader_path("a.laz");
        write_laz(path,
                  &(las_recipe){.minor = format < 6 ? 2 : 4,
                                .format = format,
                                .points = points[i],
                                .extra = format % 3,
                                .vlrs = 2,
                                .evlrs = format < 6 ? 0 : 2,
                                .offset = {637000.5, 4850000, -20}},
                  format);
        reader_compare_file(path, CLUMP_COORDINATES_STEPS);
        unlink(path);
    }
}

/* --- any order, several threads --------------------------------------------------------------- */

typedef struct team {
    clump_reader *reader;
    const clump_cloud *cloud;
    size_t turn;
    size_t wrong;
} team;

static void *read_some(void *argument)
{
    team *t = argument;
    const clump_points points = clump_cloud_points(t->cloud);
    const uint64_t blocks = clump_reader_describe(t->reader).blocks;
    float *xyz = malloc(3 * CLUMP_BLOCK_POINTS * sizeof *xyz);
    clump_block block = {0};
    for (uint64_t i = 0; i < 3 * blocks; i++) {
        const uint64_t b = (i * (2 * t->turn + 1) + t->turn) % blocks;
        if (clump_reader_block(t->reader, b, &block, NULL) != CLUMP_OK) {
            t->wrong++;
            break;
        }
        clump_block_offsets(t->reader, &block, clump_cloud_origin(t->cloud), xyz);
        t->wrong += memcmp(xyz, points.xyz + 3 * block.first, 3 * block.count * sizeof *xyz) != 0;
    }
    clump_block_release(&block);
    free(xyz);
    return NULL;
}

static void any_order(void)
{
    const char *path = reader_path("b.laz");
    write_laz(path, &(las_recipe){.minor = 4, .format = 6, .points = LAZ_POINTS}, 3);
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_load(path, NULL, &cloud, NULL), CLUMP_OK);
    clump_reader *reader = reader_open(path, NULL);
    team teams[LAZ_THREADS];
    pthread_t threads[LAZ_THREADS];
    for (size_t t = 0; t < LAZ_THREADS; t++) {
        teams[t] = (team){reader, cloud, t, 0};
        CHECK_INT(pthread_create(&threads[t], NULL, read_some, &teams[t]), 0);
    }
    for (size_t t = 0; t < LAZ_THREADS; t++) {
        pthread_join(threads[t], NULL);
        CHECK_INT(teams[t].wrong, 0);
    }
    clump_reader_close(reader);
    clump_cloud_destroy(cloud);
    unlink(path);
}

/* A LAS and a LAZ file are one cloud; a block spans both. */
static void with_las(void)
{
    const char *paths[2] = {reader_path("c.las"), reader_path("d.laz")};
    las_file f = las_make(&(las_recipe){.minor = 2, .points = 60000}, 8);
    reader_write(paths[0], f.bytes, f.size);
    write_laz(paths[1], &(las_recipe){.minor = 2, .points = 60000}, 9);
    las_file second = las_make(&(las_recipe){.minor = 2, .points = 60000}, 9);
    clump_reader *reader = NULL;
    CHECK_INT(clump_reader_open(paths, 2, NULL, &reader, &reader_why), CLUMP_OK);
    const clump_reader_info info = clump_reader_describe(reader);
    CHECK_INT(info.count, 120000);
    clump_block block = {0};
    size_t wrong = 0;
    for (uint64_t b = info.blocks; b-- > 0;) {
        CHECK_INT(clump_reader_block(reader, b, &block, NULL), CLUMP_OK);
        for (size_t i = 0; i < block.count; i++) {
            const size_t p = (size_t)block.first + i;
            for (size_t a = 0; a < 3; a++)
                wrong += block.steps[3 * i + a] != (p < 60000 ? las_step(&f, p, a) : las_step(&second, p - 60000, a));
        }
    }
    CHECK_INT(wrong, 0);
    clump_block_release(&block);
    clump_reader_close(reader);
    free(f.bytes);
    free(second.bytes);
    for (size_t i = 0; i < 2; i++) unlink(paths[i]);
}

/* --- failures --------------------------------------------------------------------------------- */

/* Reads all blocks; returns the first failure. */
static clump_status read_all(clump_reader *reader)
{
    clump_block block = {0};
    clump_status status = CLUMP_OK;
    for (uint64_t b = 0; b < clump_reader_describe(reader).blocks && status == CLUMP_OK; b++)
        status = clump_reader_block(reader, b, &block, &reader_why);
    clump_block_release(&block);
    return status;
}

static void changed(void)
{
    const char *path = reader_path("e.laz");
    write_laz(path, &(las_recipe){.minor = 2, .points = 70000}, 1);
    clump_reader *reader = reader_open(path, NULL);
    uint64_t before = 0, after = 0;
    CHECK_INT(clump_reader_fingerprint(reader, &before, NULL), CLUMP_OK);
    CHECK_INT(read_all(reader), CLUMP_OK);
    CHECK_INT(utimensat(AT_FDCWD, path, (struct timespec[2]){{1, 0}, {1, 0}}, 0), 0);
    CHECK_INT(read_all(reader), CLUMP_ERR_IO_READ);
    CHECK(strstr(reader_why.text, "e.laz: another program changed the file while it was read"));
    CHECK_INT(clump_reader_fingerprint(reader, &after, &reader_why), CLUMP_ERR_IO_READ);
    clump_reader_close(reader);
    reader = reader_open(path, NULL);
    CHECK_INT(clump_reader_fingerprint(reader, &after, NULL), CLUMP_OK);
    CHECK(before != after);
    CHECK_INT(truncate(path, 5000), 0);
    CHECK_INT(read_all(reader), CLUMP_ERR_IO_TRUNCATED);
    CHECK(strstr(reader_why.text, "e.laz: the file became shorter while it was read: 5000 of"));
    clump_reader_close(reader);
    unlink(path);
}

/* Damage in a chunk gives a sentence, or other points; the next block can still be read. */
static void damaged(void)
{
    const char *path = reader_path("f.laz");
    write_laz(path, &(las_recipe){.minor = 4, .format = 7, .points = 70000}, 2);
    size_t size;
    unsigned char *bytes = reader_slurp(path, &size);
    size_t failures = 0;
    for (size_t i = 1; i <= 8; i++) {
        const size_t at = i < 8 ? i * (size / 8) : size - 12; /* at last, the chunk table */
        const size_t length = size - at < 64 ? size - at : 64;
        unsigned char was[64];
        memcpy(was, bytes + at, length);
        memset(bytes + at, 0xff, length);
        reader_write(path, bytes, size);
        memcpy(bytes + at, was, length);
        clump_reader *reader = NULL;
        clump_status status = clump_reader_open(&path, 1, NULL, &reader, &reader_why);
        if (status == CLUMP_OK) status = read_all(reader);
        failures += status != CLUMP_OK;
        CHECK(status == CLUMP_OK || strstr(reader_why.text, "f.laz: "));
        clump_reader_close(reader);
    }
    CHECK(failures > 0);
    free(bytes);
    unlink(path);
}

/* LAS 1.4 with 2^32 + 5 points in a sparse file: the blocks behind 2^32 points. */
static void many_points(void)
{
    const uint64_t count = (UINT64_C(1) << 32) + 5;
    las_file f = las_make(&(las_recipe){.minor = 4, .format = 0, .points = 1}, 4);
    const size_t head = f.size - 20;
    const char *path = reader_path("g.las");
    memcpy(f.bytes + 247, &count, 8);
    memset(f.bytes + 107, 0, 4);
    reader_write(path, f.bytes, head);
    const int file = open(path, O_WRONLY);
    const int32_t last[3] = {7, -8, 9};
    const uint64_t at = head + (count - 1) * 20;
    const bool made = ftruncate(file, (off_t)(head + count * 20)) == 0 &&
                      pwrite(file, last, sizeof last, (off_t)at) == (ssize_t)sizeof last;
    close(file);
    if (!made) {
        unlink(path);
        free(f.bytes);
        SKIP("the file system has no sparse files of 80 GB: " DO_FILES);
    }
    clump_reader *reader = reader_open(path, NULL);
    const clump_reader_info info = clump_reader_describe(reader);
    CHECK(info.count == count && info.blocks == 65537);
    clump_block block = {0};
    CHECK_INT(clump_reader_block(reader, 65536, &block, &reader_why), CLUMP_OK);
    CHECK(block.first == UINT64_C(1) << 32 && block.count == 5);
    for (size_t a = 0; a < 3; a++) {
        CHECK_INT(block.steps[3 * 4 + a], last[a]);
        CHECK_INT(block.steps[a], 0);
    }
    CHECK_INT(clump_reader_block(reader, 65537, &block, &reader_why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(reader_why.text, "there is no block 65537, the last is 65536"));
    clump_block_release(&block);
    clump_reader_close(reader);
    free(f.bytes);
    unlink(path);
}

CHECK_PROGRAM(test_reader_laz)
{
    RUN(formats);
    RUN(any_order);
    RUN(with_las);
    RUN(changed);
    RUN(damaged);
    RUN(many_points);
}
