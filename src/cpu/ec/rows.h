/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.h: Euclidean clustering of sparse clouds, where most points have a handful of neighbours and
 * cells that are surely in one cluster would hold one point each. Here cells have an edge just over
 * d, so that neighbours are in touching cells, and the points are sorted by cell, row by row:
 *
 *      z+1   ... [ . . . ] ...  [ . . . ]  ...  [ . . . ]        a point and the 13 cells behind it
 *      z          (y - 1)          (y)           (y + 1)         are five stretches of the sorted
 *                               * [ . . ]  ...  [ . . . ]        array: its own row and four others
 *
 * Each stretch starts further on than that of the point before, so five pointers sweep the array
 * once, nothing is looked up, and four points are tried at a time.
 *
 *     word     cell number << bits of an index | point index, sorted: cells are compared as words, which have room for the
 *              cells of wide clouds
 *     point    coordinates           parent   union-find, both by sorted place
 */
#ifndef CLUMP_CPU_EC_ROWS_H
#define CLUMP_CPU_EC_ROWS_H

#include "core/backend.h"
#include "core/buffer.h"

typedef struct clump_rows {
    clump_buffer *wide, *points; /* the caller's, to be shared with what is not used at the same time */
    clump_buffer counters, ranks;
} clump_rows;

/* *done is false, and nothing was done, when the cloud does not suit: it is too crowded, or its cells and points cannot
 * be numbered in 64 bits together. A million points leave 2^44 cells. */
clump_status clump_rows_ec(clump_context *ctx, clump_rows *rows, const clump_cloud_job *job, int threads,
                           clump_result *result, bool *done);

clump_status clump_rows_reserve(clump_context *ctx, clump_rows *rows, size_t max_points, int threads);
void clump_rows_release(clump_context *ctx, clump_rows *rows);

#endif
