/* SPDX-License-Identifier: BSD-3-Clause
 *
 * records.h: points as records of fields, which is how most formats store them.
 *
 *     file     x y z i  x y z i  x y z i ...      one record per point, fields in any order and type
 *     cloud    x y z x y z ...   i i i ...        coordinates together, each field an array
 *
 * A format describes its fields as columns, in the order of the file, and calls:
 *
 *     clump_io_table_prepare(count)  ->  _read() or store into out  ->  _finish()
 *
 * float32 coordinates are stored in the cloud. If one coordinate has another type, all three are stored as
 * doubles, which the cloud turns into an origin and offsets.
 */
#ifndef CLUMP_IO_RECORDS_H
#define CLUMP_IO_RECORDS_H

#include "number.h"
#include "common/assert.h"

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

/* The records of a file, described but not read. Column c of point i is at byte at + c.offset + i x table.record. */
typedef struct clump_io_records {
    clump_io_table table; /* its columns are from malloc; null: the file is no table. Names may point into the source */
    size_t at, count;     /* byte of the first record, and how many; both were compared with the size of the file */
    bool apart;           /* a column is an array by itself, as in NumPy's Fortran order, and a record is one number */
} clump_io_records;

/* Returns 0, 1 or 2 for "x", "Y" ...; -1 for any other name. */
int clump_io_axis(const char *name, size_t size);

/* Gives the cloud `count` points and takes memory for every column. After a failure, too, the table may be finished. */
clump_status clump_io_table_prepare(const clump_io_where *where, clump_io_table *table, clump_cloud *cloud,
                                    size_t count);

/* Reads points [first, first + count) from consecutive records. */
void clump_io_table_read(const clump_io_table *table, const unsigned char *records, size_t first, size_t count);

/* Passes count records from byte `at` of the source on to take_records, in pieces that stay in the cache, and reports
 * progress. Reads from the stream what is not in memory. Fails if the file has become shorter. */
typedef void clump_io_take_records(const void *user, const unsigned char *records, size_t first, size_t count);
clump_status clump_io_each_piece(const clump_io_source *source, size_t at, size_t record, size_t count,
                                 clump_io_take_records *take_records, const void *user);

/* Reads all count points of a table with clump_io_each_piece(). */
clump_status clump_io_table_read_all(const clump_io_table *table, const clump_io_source *source, size_t at,
                                     size_t count);

/* Reads points of one column; in_stride is the distance of two points in bytes. */
void clump_io_column_read(const clump_io_table *table, const clump_io_column *column, const unsigned char *in,
                          size_t in_stride, size_t first, size_t count);

/* Moves the doubles, if any, to the cloud. Does not free the columns. */
void clump_io_table_finish(clump_io_table *table, clump_cloud *cloud);

/* Stores a number from text as an element of a point; false: it does not fit the type. */
static inline bool clump_io_column_store(const clump_io_column *column, size_t point, uint32_t element,
                                         const clump_io_number *number)
{
    CLUMP_ASSERT(column->out && element < column->count);
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
