/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_las.h: records of LAS and LAZ files, in the order of the points, for label_las.c.
 */
#ifndef CLUMP_IO_LABEL_LAS_H
#define CLUMP_IO_LABEL_LAS_H

#include "blocks/label_writer.h"
#include "las/las.h"
#include "las/laz.h"
#include "las/laz_sink.h"

enum { CLUMP_IO_LABEL_RECORDS = 1024 }; /* that are copied at a time: they stay in the cache */

/* Bytes of an input record that are copied to an output record. */
typedef struct clump_io_label_span {
    size_t in, out, size;
} clump_io_label_span;

/* Lists the bytes that stay, from malloc, and where the label goes. */
clump_status clump_io_label_spans(const clump_io_where *where, const clump_io_las_layout *layout,
                                  const clump_io_las_plan *plan, clump_io_label_span **spans, size_t *count,
                                  size_t *label_at);

/* A chunk of LAZ and its records. */
typedef struct clump_io_label_chunk {
    clump_io_block_memory memory; /* packed, records, codec */
    clump_status status;
    clump_message why;
} clump_io_label_chunk;

/* Records of an input file that are in memory: a window of LAS, or a chunk of LAZ. Consecutive chunks are decoded at the
 * same time, one per thread. */
typedef struct clump_io_label_records {
    const clump_io_block_file *file; /* null: none */
    uint64_t first;
    size_t count;
    const unsigned char *bytes;
    clump_io_label_chunk *chunks; /* one per thread; LAS: one */
    size_t chunk_room;
    size_t batch, batch_count; /* the chunks of the file that have been decoded: the first, and how many */
} clump_io_label_records;

/* Gives *count records of the file from point `first` on, at most as many as asked for and at least one. They are valid
 * until the next call. */
clump_status clump_io_label_read(clump_label_writer *writer, clump_io_block_file *file, clump_io_label_records *records,
                                 uint64_t first, size_t *count, const unsigned char **out);
void clump_io_label_records_free(clump_io_label_records *records);

#endif
