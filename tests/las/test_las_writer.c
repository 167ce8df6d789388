/* SPDX-License-Identifier: BSD-3-Clause
 *
 * LAS and LAZ files that are written block by block: the points come back, the header tells the truth, a failure leaves the
 * target as it was.
 */
#define _GNU_SOURCE /* setrlimit */
#include <clump/reader.h>
#include "support/check.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 5000, RECORD = 20, HEADER = 375 };

static char folder[] = "/tmp/clump-las-writer-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[4][128];
    static int turn;
    char *const path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put(unsigned char *to, int64_t value, size_t size)
{
    for (size_t b = 0; b < size; b++) to[b] = (unsigned char)(value >> (8 * b));
}

static int32_t coordinate(size_t i, int axis)
{
    return (int32_t)((i * 7919 + (size_t)axis * 104729) % 1000003) - 500000 * (axis + 1);
}

/* N records with returns 1 to 3 and classes 0 to 4. */
static unsigned char *make_records(void)
{
    unsigned char *const records = calloc(N, RECORD);
    for (size_t i = 0; records && i < N; i++) {
        unsigned char *const r = records + i * RECORD;
        for (int a = 0; a < 3; a++) put(r + 4 * a, coordinate(i, a), 4);
        r[14] = (unsigned char)(i % 3 + 1);
        r[15] = (unsigned char)(i % 5);
    }
    CHECK(records);
    return records;
}

/* Writes the records in blocks of 1, 2, 3 ... points. */
static clump_status write_file(const char *path, const clump_las_writer_options *options, const unsigned char *records,
                               clump_message *why)
{
    clump_las_writer *writer;
    clump_status status = clump_las_writer_open(path, options, &writer, why);
    if (status != CLUMP_OK) return status;
    for (size_t first = 0, block = 1; first < N && status == CLUMP_OK; first += block++) {
        if (block > N - first) block = N - first;
        status = clump_las_writer_add(writer, records + first * RECORD, block, why);
    }
    if (status == CLUMP_OK) return clump_las_writer_close(writer, true, why);
    CHECK(clump_las_writer_close(writer, false, NULL) == CLUMP_OK);
    return status;
}

static size_t read_bytes(const char *path, unsigned char *bytes, size_t room)
{
    FILE *const file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, room, file) : 0;
    if (file) fclose(file);
    return size;
}

static int64_t number_at(const unsigned char *bytes, size_t at, size_t size)
{
    uint64_t value = 0;
    for (size_t b = size; b-- > 0;) value = value << 8 | bytes[at + b];
    return (int64_t)value;
}

static double double_at(const unsigned char *bytes, size_t at)
{
    double value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

static void records_and_header_are_right(void)
{
    unsigned char *const records = make_records(), *const bytes = malloc(HEADER + N * RECORD + 1);
    clump_las_writer_options options = clump_las_writer_defaults();
    options.offset[0] = 400000, options.offset[1] = 5600000;
    clump_message why;
    CHECK_MSG(write_file(in_folder("a.las"), &options, records, &why) == CLUMP_OK, "%s", why.text);
    const size_t size = read_bytes(in_folder("a.las"), bytes, HEADER + N * RECORD + 1);
    CHECK_INT((int)size, HEADER + N * RECORD);
    CHECK(memcmp(bytes + HEADER, records, N * RECORD) == 0);
    CHECK(memcmp(bytes, "LASF", 4) == 0 && bytes[24] == 1 && bytes[25] == 4);
    CHECK(number_at(bytes, 94, 2) == HEADER && number_at(bytes, 96, 4) == HEADER);
    CHECK(bytes[104] == 0 && number_at(bytes, 105, 2) == RECORD);
    CHECK(number_at(bytes, 107, 4) == N && number_at(bytes, 247, 8) == N);
    for (size_t r = 0; r < 3; r++) {
        CHECK(number_at(bytes, 111 + 4 * r, 4) == (N + 2 - (int64_t)r) / 3);
        CHECK(number_at(bytes, 255 + 8 * r, 8) == (N + 2 - (int64_t)r) / 3);
    }
    for (int a = 0; a < 3; a++) {
        int32_t lower = INT32_MAX, upper = INT32_MIN;
        for (size_t i = 0; i < N; i++) {
            if (coordinate(i, a) < lower) lower = coordinate(i, a);
            if (coordinate(i, a) > upper) upper = coordinate(i, a);
        }
        const size_t axis = (size_t)a;
        CHECK(double_at(bytes, 131 + 8 * axis) == 0.001 && double_at(bytes, 155 + 8 * axis) == options.offset[a]);
        CHECK(double_at(bytes, 179 + 16 * axis) == upper * 0.001 + options.offset[a]);
        CHECK(double_at(bytes, 187 + 16 * axis) == lower * 0.001 + options.offset[a]);
    }
    free(records), free(bytes);
}

static void readers_read_them(void)
{
    unsigned char *const records = make_records();
    clump_message why;
    for (int compressed = 0; compressed < 2; compressed++) {
        const char *const path = in_folder(compressed ? "b.laz" : "b.las");
        CHECK_MSG(write_file(path, NULL, records, &why) == CLUMP_OK, "%s", why.text);
        clump_cloud *cloud;
        CHECK_MSG(clump_cloud_load(path, NULL, &cloud, &why) == CLUMP_OK, "%s", why.text);
        if (!cloud) continue;
        CHECK(clump_cloud_points(cloud).count == N && clump_cloud_step(cloud) == 0.001);
        clump_field class;
        CHECK(clump_cloud_find(cloud, "classification", &class));
        for (size_t i = 0; i < N; i++) {
            for (int a = 0; a < 3; a++) CHECK(clump_cloud_coordinate(cloud, i, a) == coordinate(i, a) * 0.001);
            CHECK(clump_field_value(&class, i, 0) == (double)(i % 5));
        }
        clump_cloud_destroy(cloud);
    }
    const char *const path = in_folder("b.las");
    clump_reader *reader;
    clump_block block = {0};
    CHECK_MSG(clump_reader_open(&path, 1, NULL, &reader, &why) == CLUMP_OK, "%s", why.text);
    CHECK_MSG(clump_reader_block(reader, 0, &block, &why) == CLUMP_OK, "%s", why.text);
    CHECK(block.count == N && block.steps && block.classes);
    for (size_t i = 0; i < block.count && block.steps; i++) {
        for (int a = 0; a < 3; a++) CHECK(block.steps[3 * i + (size_t)a] == coordinate(i, a));
        CHECK(block.classes[i] == i % 5);
    }
    clump_block_release(&block);
    clump_reader_close(reader);
    free(records);
}

/* A pipe gets the header first. Its points are single returns. */
static void pipes(void)
{
    unsigned char *const records = make_records(), *const bytes = malloc(HEADER + N * RECORD + 1);
    for (size_t i = 0; i < N; i++) records[i * RECORD + 14] = 9;
    CHECK(write_file(in_folder("c.las"), NULL, records, NULL) == CLUMP_OK);
    const size_t size = read_bytes(in_folder("c.las"), bytes, HEADER + N * RECORD + 1);
    int ends[2];
    CHECK(pipe(ends) == 0);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    clump_las_writer_options options = clump_las_writer_defaults();
    options.format = CLUMP_FORMAT_LAS;
    clump_message why;
    clump_las_writer *writer;
    CHECK(clump_las_writer_open(path, &options, &writer, &why) == CLUMP_ERR_IO_UNSUPPORTED && why.text[0] && !writer);
    clump_las_extent extent = {.points = 100};
    for (int a = 0; a < 3; a++) {
        extent.lower[a] = INT32_MAX, extent.upper[a] = INT32_MIN;
        for (size_t i = 0; i < 100; i++) {
            if (coordinate(i, a) < extent.lower[a]) extent.lower[a] = coordinate(i, a);
            if (coordinate(i, a) > extent.upper[a]) extent.upper[a] = coordinate(i, a);
        }
    }
    options.extent = &extent;
    CHECK_MSG(clump_las_writer_open(path, &options, &writer, &why) == CLUMP_OK, "%s", why.text);
    CHECK(clump_las_writer_add(writer, records, 99, &why) == CLUMP_OK);
    CHECK(clump_las_writer_add(writer, records, 2, &why) == CLUMP_ERR_ARGUMENT && why.text[0]); /* too many */
    CHECK(clump_las_writer_add(writer, records + 99 * RECORD, 1, &why) == CLUMP_OK);
    CHECK_MSG(clump_las_writer_close(writer, true, &why) == CLUMP_OK, "%s", why.text);
    CHECK(clump_las_writer_open(path, &options, &writer, NULL) == CLUMP_OK);
    CHECK(clump_las_writer_close(writer, true, &why) == CLUMP_ERR_ARGUMENT && why.text[0]); /* 100 are missing */
    close(ends[1]);
    unsigned char piped[HEADER + 100 * RECORD];
    size_t have = 0;
    for (ssize_t got; have < sizeof piped && (got = read(ends[0], piped + have, sizeof piped - have)) > 0;)
        have += (size_t)got;
    CHECK(have == sizeof piped && memcmp(piped + HEADER, bytes + HEADER, 100 * RECORD) == 0);
    CHECK(number_at(piped, 247, 8) == 100 && number_at(piped, 255, 8) == 100);
    CHECK(size == HEADER + N * RECORD && double_at(piped, 187) == extent.lower[0] * 0.001);
    close(ends[0]);
    free(records), free(bytes);
}

static void failures_leave_the_target(void)
{
    unsigned char *const records = make_records();
    clump_message why;
    for (int compressed = 0; compressed < 2; compressed++) {
        const char *const path = in_folder(compressed ? "old.laz" : "old.las");
        FILE *const old = fopen(path, "w");
        CHECK(old && fputs("old", old) >= 0 && fclose(old) == 0);
        struct rlimit before, small;
        signal(SIGXFSZ, SIG_IGN);
        CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
        small = before;
        small.rlim_cur = 4096;
        CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
        const clump_status status = write_file(path, NULL, records, &why);
        CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
        CHECK(status == CLUMP_ERR_IO_WRITE);
        CHECK_MSG(strstr(why.text, path), "%s", why.text);
        struct stat there;
        CHECK(stat(path, &there) == 0 && there.st_size == 3);
    }
    CHECK(write_file(in_folder("none/a.las"), NULL, records, &why) == CLUMP_ERR_IO_WRITE && why.text[0]);
    CHECK(write_file(in_folder("a.pcd"), NULL, records, &why) == CLUMP_ERR_IO_UNSUPPORTED && why.text[0]);
    clump_las_writer_options options = clump_las_writer_defaults();
    options.scale = 0;
    CHECK(write_file(in_folder("a.las"), &options, records, &why) == CLUMP_ERR_ARGUMENT && why.text[0]);
    options.cookie = 0;
    CHECK(write_file(in_folder("a.las"), &options, records, &why) == CLUMP_ERR_OPTIONS && why.text[0]);
    clump_las_writer *writer;
    CHECK(clump_las_writer_open(NULL, NULL, &writer, &why) == CLUMP_ERR_ARGUMENT);
    CHECK(clump_las_writer_add(NULL, records, 1, &why) == CLUMP_ERR_ARGUMENT);
    CHECK(clump_las_writer_close(NULL, true, &why) == CLUMP_OK);
    free(records);
}

CHECK_PROGRAM(test_las_writer)
{
    if (!mkdtemp(folder)) exit(1);
    RUN(records_and_header_are_right);
    RUN(readers_read_them);
    RUN(pipes);
    RUN(failures_leave_the_target);
    static const char *const names[] = {"a.las", "b.las", "b.laz", "c.las", "old.las", "old.laz"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(in_folder(names[i]));
    CHECK(rmdir(folder) == 0);
}
