/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_writer.h: what the tests of clump_label_writer share.
 */
#ifndef CLUMP_TESTS_LABEL_WRITER_H
#define CLUMP_TESTS_LABEL_WRITER_H

#include "test_reader.h"

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

#endif
