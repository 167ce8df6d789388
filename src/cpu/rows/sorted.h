/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sorted.h: the points of a sparse cloud, sorted by row. A row is a beam along x: its points have the same cell in y and
 * in z. Cells have an edge e just over d, so the neighbours of a point are in its own row and in the eight rows that
 * touch it. Rows are in the order of (z, y). The points of a row are in the order of x, except that points less than
 * e / 8 apart may be in any order:
 *
 *     begin     0         5   7              15 ...          one entry per row that holds points, and n at the end
 *     x         * * * * * | * * | * * * * * * * * | ...      and y, z, index: one entry per point
 *
 * The row of a point is not stored: it follows from the coordinates of the first point. Points are sorted in two steps.
 * They are dealt to slabs, which are equal stretches of the order, while they are read from the caller's memory. Then
 * every slab is sorted by itself, in the cache.
 */
#ifndef CLUMP_CPU_ROWS_SORTED_H
#define CLUMP_CPU_ROWS_SORTED_H

#include "common/assert.h"
#include "cpu/rows/rows.h"
#include "rules/cell.h"

/* A cloud in order. All arrays have CLUMP_ROWS_PAD entries more than points; those of x, y and z are NaN. */
typedef struct clump_sorted {
    size_t n, rows; /* points that take part; rows that hold points */
    float *x, *y, *z;
    uint32_t *index;    /* of the point in the cloud */
    uint32_t *begin;    /* rows + 1 entries */
    uint32_t *spare[3]; /* free for the user */
    uint8_t *bits;      /* free for the user: clump_sorted_bits(n) bytes */
    double inverse;     /* cells per unit of length: 1 / e */
    float reach;        /* d + e / 8 and a margin for rounding */
    float reach_on;     /* d + e / 4 and a margin */
    size_t unfinite, masked, left_out;
    double density; /* mean number of points in a point's own cell, a cube of edge e, itself included */
} clump_sorted;

/* The memory of a sort. `wide` and `points` are the caller's, who may use them for other phases. */
typedef struct clump_sorted_memory {
    clump_buffer *wide, *points;
    clump_buffer *tallies;
} clump_sorted_memory;

/* Bytes for a bit per point and padding. */
static inline size_t clump_sorted_bits(size_t n)
{
    return n / 8 + CLUMP_ROWS_PAD;
}

/* Sorts the points of a job. s->n is 0, with CLUMP_OK, if no point takes part or if the cloud is too wide: the numbers
 * of its cells do not fit into 64 bits together with the places of a slab. job->labels is scratch memory; afterwards
 * the labels of all points that take no part are noise. */
clump_status clump_sorted_make(clump_work *work, clump_sorted_memory memory, const clump_cloud_job *job, int threads,
                               clump_sorted *s);

clump_status clump_sorted_reserve(clump_work *work, clump_sorted_memory memory, size_t max_points);

/* The cells of a row in z and y as one number. Numbers sort like rows; rows that touch in y have consecutive numbers. */
#define CLUMP_ROWS_LAYER ((int64_t)1 << 32) /* between rows that touch in z */
static inline int64_t clump_row_number(const clump_sorted *s, size_t row)
{
    CLUMP_ASSERT(row < s->rows);
    const size_t first = s->begin[row];
    return clump_cell_near(s->z[first], s->inverse) * CLUMP_ROWS_LAYER + clump_cell_near(s->y[first], s->inverse);
}

#endif
