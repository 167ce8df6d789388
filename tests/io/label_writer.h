/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_writer.h: what the tests of clump_label_writer share.
 */
#ifndef CLUMP_TESTS_LABEL_WRITER_H
#define CLUMP_TESTS_LABEL_WRITER_H

#include "io/test_reader.h"

static inline int64_t label_of(uint64_t point)
{
    return (int64_t)(point * 2654435761u % 1000) - 1;
}

/* Adds the labels of all points in parts of odd sizes. */
static inline clump_status add_all(clump_label_writer *writer, uint64_t points, int64_t plus)
{
    int64_t *labels = malloc(30011 * sizeof *labels);
    clump_status status = CLUMP_OK;
    for (uint64_t done = 0; done < points && status == CLUMP_OK;) {
        const size_t now = points - done < 30011 ? (size_t)(points - done) : 30011;
        for (size_t i = 0; i < now; i++) labels[i] = label_of(done + i) + (label_of(done + i) >= 0 ? plus : 0);
        status = clump_label_writer_add(writer, labels, now, &reader_why);
        done += now;
    }
    free(labels);
    return status;
}

/* Writes the files with labels; returns the first failure. */
static inline clump_status write_labels(const char *const *paths, size_t count, const char *out,
                                        const clump_label_writer_options *options, int64_t plus)
{
    clump_reader *reader = NULL;
    clump_label_writer *writer = NULL;
    clump_status status = clump_reader_open(paths, count, NULL, &reader, &reader_why);
    if (status == CLUMP_OK) status = clump_label_writer_open(reader, out, options, &writer, &reader_why);
    if (status == CLUMP_OK) status = add_all(writer, clump_reader_describe(reader).count, plus);
    clump_message why;
    const clump_status closed = clump_label_writer_close(writer, status == CLUMP_OK, &why);
    if (status == CLUMP_OK && closed != CLUMP_OK) reader_why = why, status = closed;
    clump_reader_close(reader);
    return status;
}

static inline void compare_bytes(const char *what, const char *a, const char *b)
{
    size_t sizes[2], at = 0;
    unsigned char *bytes[2] = {reader_slurp(a, &sizes[0]), reader_slurp(b, &sizes[1])};
    const size_t least = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
    while (at < least && bytes[0][at] == bytes[1][at]) at++;
    if (sizes[0] != sizes[1] || at < least)
        CHECK_FAIL("%s: %zu and %zu bytes, which differ from byte %zu on", what, sizes[0], sizes[1], at);
    for (size_t i = 0; i < 2; i++) free(bytes[i]);
}

/* Writes a file both ways. */
static inline void compare_ways(const char *from, const char *extension)
{
    char copy[1024];
    const char *path = copy;
    snprintf(copy, sizeof copy, "%s", from);
    char name[2][40];
    for (int i = 0; i < 2; i++) snprintf(name[i], sizeof name[i], "%s%s", i ? "whole" : "blocks", extension);
    clump_label_writer_options options = clump_label_writer_defaults();
    options.threads = 3;
    char blocks[256], whole[256];
    snprintf(blocks, sizeof blocks, "%s", reader_path(name[0]));
    snprintf(whole, sizeof whole, "%s", reader_path(name[1]));
    clump_cloud *cloud = NULL;
    if (clump_cloud_load(path, NULL, &cloud, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    int32_t *labels = malloc((clump_cloud_points(cloud).count + 1) * sizeof *labels);
    for (size_t i = 0; i < clump_cloud_points(cloud).count; i++) labels[i] = (int32_t)label_of(i);
    if (clump_cloud_save(whole, cloud, labels, NULL, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    if (write_labels(&path, 1, blocks, &options, 0) != CLUMP_OK)
        CHECK_FAIL("%s", reader_why.text);
    else
        compare_bytes(path, blocks, whole);
    clump_cloud_destroy(cloud);
    free(labels);
    unlink(blocks);
    unlink(whole);
}

#endif
