/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small.h: Euclidean clustering and DBSCAN of a cloud of up to CLUMP_SMALL_MOST points by one thread. It is made for many
 * calls: no allocation, no time stamps, no task per step, everything in the first-level or second-level cache.
 *
 *     1  voxels     every point gets the number of its voxel; edge a little over d (rules/cell.h)
 *     2  sort       points by voxel number, row by row: x fastest, then y, then z
 *     3  join       every voxel with the voxels before it that can hold neighbours: at most 13
 *     4  label      sets numbered by their smallest point index
 *
 *     row z, y      . . v v v .           voxels of a row are consecutive, so three of them are one piece of memory
 *     row z, y + 1  . . v V                V is joined with all marked v, and with the rows of the layer z - 1
 *
 * Voxels are visited in order. So the places of the rows beside only move forward: a stream per row, no hash table.
 * DBSCAN counts neighbours in the same way, in all 27 voxels.
 */
#ifndef CLUMP_CPU_BATCH_SMALL_H
#define CLUMP_CPU_BATCH_SMALL_H

#include "core/backend.h"
#include "core/buffer.h"

#define CLUMP_SMALL_INDEX_BITS 12
#define CLUMP_SMALL_MOST       (1u << CLUMP_SMALL_INDEX_BITS) /* points; beyond them the ordinary `fast` is as good */

#define CLUMP_SMALL_ROWS 9 /* rows with neighbours of a voxel: its own and the eight beside it */

/* Where the voxels of a row near the current voxel begin. */
typedef struct clump_small_stream {
    int64_t delta; /* from the number of the voxel to that of the voxel before the nearest one in this row */
    uint32_t at;   /* first voxel with at least that number */
} clump_small_stream;

/* A sorted cloud. All arrays are in `memory`. Points are numbered by their place in the sorted order. */
typedef struct clump_small {
    clump_buffer memory;
    size_t capacity;         /* points that the memory is for */
    uint64_t *words, *spare; /* voxel number and index of a point in one word; then numbers of clusters */
    int64_t *keys;           /* number of a voxel, ascending */
    float *x, *y, *z;        /* of a point; DBSCAN: x becomes NaN for points that are not core points */
    uint32_t *index;         /* of a point in the cloud */
    uint32_t *parent;        /* union-find over points */
    uint32_t *start;         /* first point of a voxel; one more at the end */
    uint32_t *rep;           /* a point of a voxel that is in a set; CLUMP_SMALL_NONE: there is none */
    uint8_t *uniform;        /* whether all points of a voxel that are in sets are in one set */
    uint32_t count, voxels;
    int64_t width, layer; /* of the numbers: from a row to the next, from a layer to the next */
    float bound;
} clump_small;

#define CLUMP_SMALL_NONE UINT32_MAX

/* Makes room for clouds of up to `points` points. */
clump_status clump_small_reserve(clump_context *ctx, clump_small *s, size_t points);
void clump_small_release(clump_context *ctx, clump_small *s);

/* Cluster a cloud of at most `capacity` points: canonical labels, and the counts of the result. Return false where the
 * cloud is too wide for numbers of voxels; then the result is unchanged. job->core may be null. */
bool clump_small_ec(clump_small *s, const clump_cloud_job *in, clump_result *result);
bool clump_small_dbscan(clump_small *s, const clump_dbscan_job *job, clump_result *result);

/* ----- steps (small.c, small_join.c) ------------------------------------------------------------------------ */

/* Steps 1 and 2. Labels all points noise. */
bool clump_small_build(clump_small *s, const clump_cloud_job *in, clump_result *result);

/* Step 3. Points whose x is NaN are in no set. */
void clump_small_join(clump_small *s);

/* Step 4: labels the points that are in sets; returns the number of sets. Numbers of the roots stay in s->spare. */
int32_t clump_small_number(clump_small *s, const clump_cloud_job *in);

/* Returns the streams of the rows, those before the own row first, then the own row, then those after it. */
void clump_small_streams(const clump_small *s, clump_small_stream streams[CLUMP_SMALL_ROWS]);

/* Moves a stream to a voxel with this number. Returns the first voxel near it in the row; *end is after the last. */
static inline uint32_t clump_small_move(const clump_small *s, clump_small_stream *stream, int64_t key, uint32_t *end)
{
    const int64_t low = key + stream->delta;
    uint32_t at = stream->at;
    while (at < s->voxels && s->keys[at] < low) at++;
    stream->at = at;
    uint32_t last = at;
    while (last < s->voxels && s->keys[last] <= low + 2) last++;
    *end = last;
    return at;
}

#endif
