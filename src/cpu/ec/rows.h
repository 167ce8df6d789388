/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.h: Euclidean clustering of sparse clouds, where most points have a handful of neighbours and
 * the cells of blocks.h would hold one point each. Here cells have an edge just over d, so that
 * neighbours are in touching cells, and the points are sorted by cell, row by row:
 *
 *      z+1   ... [ . . . ] ...  [ . . . ]  ...  [ . . . ]        a point and the 13 cells behind it
 *      z          (y - 1)          (y)           (y + 1)         are five stretches of the sorted
 *                               * [ . . ]  ...  [ . . . ]        array: its own row and four others
 *
 * Each stretch starts after that of the point before, so five pointers sweep the array once. Nothing is looked up, and
 * four points are tried at a time. All arrays are in sorted order:
 *
 *     word     cell number << bits of an index | point index. Cells are compared as words, which have room for the cells
 *              of wide clouds
 *     x y z    coordinates           parent   union-find
 */
#ifndef CLUMP_CPU_EC_ROWS_H
#define CLUMP_CPU_EC_ROWS_H

#include "core/backend.h"
#include "core/buffer.h"

typedef struct clump_rows {
    clump_buffer *wide, *points; /* the caller's, who may use them for other phases */
    clump_buffer counters, ranks;
} clump_rows;

/* Labels the points of a cloud. *done is false, and no label is valid, if the cloud does not suit: it is too dense, or a
 * cell number and a point index do not fit into 64 bits together. A million points leave 2^44 cells. */
clump_status clump_rows_ec(clump_context *ctx, clump_rows *rows, const clump_cloud_job *job, int threads,
                           clump_result *result, bool *done);

clump_status clump_rows_reserve(clump_context *ctx, clump_rows *rows, size_t max_points, int threads);
void clump_rows_release(clump_context *ctx, clump_rows *rows);

#endif
