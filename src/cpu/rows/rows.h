/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.h: Euclidean clustering and DBSCAN of sparse clouds, where most points have a handful of neighbours and the cells
 * of blocks.h would hold one point each. Points are sorted by row (sorted.h) and swept in this order:
 *
 *      z+1   ... [ . . . ] ...  [ . . . ]  ...  [ . . . ]        a point and its possible neighbours after it are
 *      z          (y - 1)          (y)           (y + 1)         five stretches of the sorted array: in its own row
 *                               * [ . . ]  ...  [ . . . ]        and in four others
 *
 * A stretch starts near that of the point before, so pointers sweep the array once. Nothing is looked up per point, and
 * several points are tested at a time (window.h). DBSCAN counts in all nine rows around a point, so a point is counted
 * by one thread and no pair is stored. It sweeps three times: count, join core points, label border points.
 *
 * The room, in the order of a call:
 *
 *     sparse.c        whether a cloud is sparse: rows or blocks
 *     row_keys.c      the place of a point in the order of rows
 *     sorted.c        points sorted by row: dealt to slabs, slabs sorted
 *     walk.h          streams in the rows that touch a row
 *     window.h        a group of points against the next points of a stream
 *     rows_join.c     sets of neighbours, and their numbers
 *     rows.c          Euclidean clustering
 *     rows_dbscan.c   DBSCAN
 *
 * Words of the room: a `row` is all points with the same cell in y and in z. A `slab` is an equal stretch of the order
 * of keys, sorted by itself. A `stream` is a place in a row that moves forward, a `window` the next points from there
 * on, one per lane. A `link` joins two consecutive points of the sorted order that are neighbours. The `top` of a point
 * is its highest ancestor in its own chunk. A `part` is a part of space in sparse.c.
 */
#ifndef CLUMP_CPU_ROWS_ROWS_H
#define CLUMP_CPU_ROWS_ROWS_H

#include "core/backend.h"
#include "core/work.h"
#include "rules/hash.h"

#define CLUMP_ROWS_PAD 16 /* entries after the last point that a window may read */

/* Bytes of `wide`, and of `points`, for a number of points. */
static inline size_t clump_rows_bytes(size_t points)
{
    return (points + CLUMP_ROWS_PAD) * 4 * sizeof(float);
}

typedef struct clump_rows {
    clump_buffer *wide, *points; /* the caller's, who may use them for other phases */
    clump_buffer counters, ranks;
} clump_rows;

/* Labels the points of a cloud. *done is false, and no label is valid, if the cloud does not suit: no point takes part,
 * it is too dense, or it is too wide (sorted.h). */
clump_status clump_rows_ec(clump_work *work, clump_rows *rows, const clump_cloud_job *job, int threads,
                           clump_stats *stats, bool *done);

/* The same for DBSCAN. job->in.labels is scratch memory. */
clump_status clump_rows_dbscan(clump_work *work, clump_rows *rows, const clump_dbscan_job *job, int threads,
                               clump_stats *stats, bool *done);

/* The density (sparse.c) up to which rows are faster than blocks for DBSCAN. Blocks gain where cells hold min_points
 * points: nothing is counted there. Measured, x86 with AVX-512, rows and blocks are equal at
 *     min_points       4     10     40
 *     uniform        5.3    8.3     17
 *     KITTI scan      11     18   > 21
 * From min_points = 70 on the limit is 25. Rows were still faster there, but their time grows with the density. */
static inline double clump_rows_dbscan_density(size_t min_points)
{
    return min_points < 70 ? 4 + 0.3 * (double)min_points : 25;
}

clump_status clump_rows_reserve(clump_work *work, clump_rows *rows, size_t max_points);
void clump_rows_release(clump_work *work, clump_rows *rows);

/* --- sparse.c: whether a cloud is sparse: most cells (rules/cell.h) would hold a single point. A sparse cloud is swept
 * by rows (rows.h), any other is put into blocks (blocks.h). The time depends on this choice, the labels do not. The
 * density of a cloud is the mean number of points in a point's own cell of edge d, itself included. */

/* *sparse becomes whether a sample of the cloud is sparse. The sample depends on the cloud alone, not on the number of
 * threads or on the key. It takes the points of whole parts of space, so that the order of the points does not matter.
 * job->labels is scratch memory. */
clump_status clump_is_sparse(clump_work *work, const clump_cloud_job *job, clump_hash_key key, int threads,
                             bool *sparse);

/* Returns whether the density of the cloud, estimated from a sample, is below the limit; false for clouds of fewer than
 * 2048 points. The sample depends on the cloud alone. job->labels is scratch memory. */
bool clump_is_thinner(const clump_cloud_job *job, clump_hash_key key, double limit);

#endif
