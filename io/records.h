/* SPDX-License-Identifier: BSD-3-Clause
 *
 * records.h: points as records of fields, which is how most formats store them.
 *
 *     file     x y z i  x y z i  x y z i ...      a record a point, fields in any order and type
 *     cloud    x y z x y z ...   i i i ...        coordinates together, each field an array
 *
 * A format describes its fields as columns, in the order of the file, has them prepared, reads the
 * points through them, and has them finished:
 *
 *     clump_io_table_prepare(count)  ->  _read() or store into out  ->  _finish()
 *
 * Coordinates that are all float32 go straight to the cloud; any other type makes all three go
 * through doubles, which the cloud then turns into an origin and offsets.
 */
#ifndef CLUMP_IO_RECORDS_H
#define CLUMP_IO_RECORDS_H

#include "number.h"

typedef struct clump_io_column {
    const char *name; /* no end mark needed */
    size_t name_size;
    clump_type type;
    uint32_t count; /* elements a point */
    size_t offset;  /* bytes from the start of a binary record */
    int axis;       /* 0 1 2 for x y z, else -1 */
    bool skip;      /* padding and the like */
    /* set by clump_io_table_prepare() */
    clump_type out_type; /* type, or float64 for coordinates that go through doubles */
    unsigned char *out;  /* element 0 of point 0; null: skipped */
    size_t stride;       /* bytes from one point to the next */
} clump_io_column;

typedef struct clump_io_table {
    clump_io_column *columns;
    size_t column_count;
    size_t record; /* bytes of a point in binary */
    bool swapped;  /* the file is big-endian */
    double *xyz64; /* null: the coordinates are float32 */
} clump_io_table;

/* "x", "Y" ... as 0, 1, 2; -1 for any other name. */
int clump_io_axis(const char *name, size_t size);

/* Gives the cloud `count` points and takes memory for every column. After a failure, too, the table may be finished. */
clump_status clump_io_table_prepare(const clump_io_where *where, clump_io_table *table, clump_cloud *cloud,
                                    size_t count);

/* Points [first, first + count) from records side by side. */
void clump_io_table_read(const clump_io_table *table, const unsigned char *records, size_t first, size_t count);

/* Count records from byte `at` of the source on, in pieces that stay in the cache, telling how far it is. They may
 * be in memory or not: clump_io_stream. Fails if the file has become shorter. */
typedef void clump_io_take_records(const void *user, const unsigned char *records, size_t first, size_t count);
clump_status clump_io_each_piece(const clump_io_source *source, size_t at, size_t record, size_t count,
                                 clump_io_take_records *take_records, const void *user);

/* All count points of a table, in this way. */
clump_status clump_io_table_read_all(const clump_io_table *table, const clump_io_source *source, size_t at,
                                     size_t count);

/* Points of one column, whose elements are in_stride bytes apart. */
void clump_io_column_read(const clump_io_table *table, const clump_io_column *column, const unsigned char *in,
                          size_t in_stride, size_t first, size_t count);

/* Gives doubles to the cloud, if any, and frees what is the table's; not the columns. */
void clump_io_table_finish(clump_io_table *table, clump_cloud *cloud);

/* A number as read from text into element `element` of a point; false: it does not fit the type. */
static inline bool clump_io_column_store(const clump_io_column *column, size_t point, uint32_t element,
                                         const clump_io_number *number)
{
    assert(column->out && element < column->count);
    unsigned char *out = column->out + point * column->stride;
    if (column->out_type == CLUMP_TYPE_F32) {
        const float value = clump_io_to_float(number);
        memcpy(out + element * sizeof value, &value, sizeof value);
        return true;
    }
    if (column->out_type == column->type)
        return clump_io_store(number, column->out_type, out + element * clump_type_size(column->out_type));
    uint64_t declared = 0; /* a coordinate that becomes a double: first what the file says it is */
    if (!clump_io_store(number, column->type, &declared)) return false;
    const double value = clump_io_value(column->type, &declared, 0);
    memcpy(out, &value, sizeof value);
    return true;
}

#endif
