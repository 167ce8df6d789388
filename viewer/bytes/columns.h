/* SPDX-License-Identifier: BSD-3-Clause
 *
 * columns.h: integers in a compact coding: difference to the value `back` rows before (back 0: the value itself), zigzag
 * (0, -1, 1, -2 ... become 0, 1, 2, 3 ...), byte planes (all lowest bytes, then all second bytes ...), deflate without a
 * header.
 *
 * Words: a `column` is the integers of one quantity, one per row of a table. A `plane` is all bytes of one rank of a
 * column.
 */
#ifndef CLUMP_VIEWER_COLUMNS_H
#define CLUMP_VIEWER_COLUMNS_H

#include "viewer/bytes/bytes.h"

#include <clump/clump.h>

typedef struct view_coding {
    uint32_t back;   /* 0, or rows between a value and the one that it is subtracted from */
    uint32_t planes; /* bytes per value, 0 ... 8; 0: all values are 0 after the difference, and size is 0 */
    size_t at, size; /* of the deflated bytes in the buffer */
} view_coding;

/* Appends the values and fills *coding. Tries a few distances for `back` on a sample and takes the best. width: the row
 * length of an organised cloud is tried too; 0: none. level is zlib's, 1 ... 9; up to 3 only fast ways are tried. A failure
 * is in to->failed. */
void view_put_column(view_bytes *to, const int64_t *values, size_t count, size_t width, int level, view_coding *coding);

/* Appends deflated bytes (raw deflate). */
void view_put_deflated(view_bytes *to, const void *from, size_t size, int level);

/* Returns the estimated bits per value with this `back`, from a sample. */
double view_column_cost_at(const int64_t *values, size_t count, uint32_t back);
/* Returns the least estimated bits per value of a column, from a sample, and the distance that gives it. */
double view_column_cost(const int64_t *values, size_t count, size_t width, uint32_t *back);

#endif
