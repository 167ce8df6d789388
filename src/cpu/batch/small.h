/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small.h: Euclidean clustering and DBSCAN of a cloud of up to CLUMP_SMALL_MOST points by one thread. It is made for many
 * calls: no allocation, no time stamps, no task per step, everything in the first-level or second-level cache.
 *
 *     1  voxels     every point gets the number of its voxel; edge a little over d (rules/cell.h)
 *     2  sort       points by voxel number, row by row: x fastest, then y, then z; a counting sort
 *     3  join       every voxel with the voxels before it that can hold neighbours: at most 13
 *     4  label      sets numbered by their smallest point index
 *
 *     row z, y      . . v v v .           voxels of a row are consecutive, so three of them are one piece of memory
 *     row z, y + 1  . . v V                V is joined with all marked v, and with the rows of the layer z - 1
 *
 * The counters of the sort stay: they tell where the points of every voxel begin. So the piece of a row is two look-ups,
 * without a search. DBSCAN counts neighbours in the same way, in all 27 voxels.
 */
#ifndef CLUMP_CPU_BATCH_SMALL_H
#define CLUMP_CPU_BATCH_SMALL_H

#include "core/backend.h"
#include "core/work.h"

#define CLUMP_SMALL_MOST 4096u /* points; beyond them the ordinary `fast` is as good */

#define CLUMP_SMALL_ROWS   9 /* rows with neighbours of a voxel: its own and the eight beside it */
#define CLUMP_SMALL_BEFORE 4 /* of them, those before its own */

/* A sorted cloud. All arrays are in `memory`. Points are numbered by their place in the sorted order. */
typedef struct clump_small {
    clump_buffer memory;
    size_t capacity;  /* points that the memory is for */
    float *x, *y, *z; /* of a point; DBSCAN: x becomes NaN for points that are not core points */
    uint32_t *index;  /* of a point in the cloud */
    uint32_t *parent; /* union-find over points */
    uint32_t *key;    /* number of the voxel of a point */
    uint32_t *rep;    /* of the first point of a voxel: a point of it that is in a set, or CLUMP_SMALL_NONE */
    int32_t *number;  /* of the cluster of a root */
    int32_t *layer;   /* before the sort: along z */
    uint32_t *order;  /* before the sort: indices of the points that take part */
    uint8_t *uniform; /* of the first point of a voxel: whether all its points that are in sets are in one set */
    uint16_t *begin;  /* of a voxel: its first point, or where it would be; padded, see small.c */
    uint32_t count;
    uint32_t not_tried;            /* clouds that come next and are left to `fast`; a batch begins with 0 */
    int32_t row[CLUMP_SMALL_ROWS]; /* from the number of a voxel to that of the first one near it in a row */
    float bound;
} clump_small;

#define CLUMP_SMALL_NONE UINT32_MAX

/* Makes room for clouds of up to `points` points. */
clump_status clump_small_reserve(clump_work *work, clump_small *s, size_t points);
void clump_small_release(clump_work *work, clump_small *s);

/* Cluster a cloud of at most `capacity` points: canonical labels, and the counts of the result. Return false where the
 * cloud has too many voxels for its points, or so few that `fast` is faster; then the result is unchanged. job->core may
 * be null. */
bool clump_small_ec(clump_small *s, const clump_cloud_job *in, clump_stats *stats);
bool clump_small_dbscan(clump_small *s, const clump_dbscan_job *job, clump_stats *stats);

/* ----- steps (small.c, small_join.c) ------------------------------------------------------------------------ */

/* Steps 1 and 2. Labels all points noise. */
bool clump_small_build(clump_small *s, const clump_cloud_job *in, bool density, clump_stats *stats);

/* Step 3. Points whose x is NaN are in no set. */
void clump_small_join(clump_small *s);

/* Step 4: labels the points that are in sets; returns the number of sets. Numbers of the roots stay in s->number. */
int32_t clump_small_number(clump_small *s, const clump_cloud_job *in);

/* Points from begin to end - 1. */
typedef struct clump_small_piece {
    uint32_t begin, end;
} clump_small_piece;

/* Returns the points in the row k that may be neighbours of those in the voxel `key`: three voxels. Rows before its own
 * come first, then its own, then those after it. */
static inline clump_small_piece clump_small_row(const clump_small *s, uint32_t key, int k)
{
    const uint16_t *const begin = s->begin + (int32_t)key + s->row[k];
    return (clump_small_piece){begin[0], begin[3]};
}

#endif
