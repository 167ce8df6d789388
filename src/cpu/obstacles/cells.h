/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cells.h: the elevation map of a scan: its obstacle cells, and the cell of every point.
 *
 *     bits      . x . . x x        a row of the map, one bit per cell; cells are numbered row by row
 *     cell        0     1 2
 *     column      1     4 5        arrays with one entry per cell
 *     highest   1.6   0.4 0.5
 *     lowest    0.2   0.3 0.3
 *
 * A few percent of the cells of a scan are obstacles, so the methods work on this list and not on the map. Cells of a
 * row are consecutive in the list, so a neighbourhood is one span of the list per row.
 */
#ifndef CLUMP_CPU_OBSTACLES_CELLS_H
#define CLUMP_CPU_OBSTACLES_CELLS_H

#include "common/assert.h"
#include "common/bits.h"
#include "core/backend.h"
#include "core/work.h"
#include "cpu/obstacles/ground.h"

/* 64 columns of a row. Obstacle cells are numbered row by row, and a word holds the number of its first one. So the
 * number of a cell is a count of bits. */
typedef struct clump_map_word {
    uint64_t bits;  /* 1: an obstacle cell */
    uint32_t first; /* obstacle cells in the words before this one */
} clump_map_word;
_Static_assert(sizeof(clump_map_word) == CLUMP_ELEVATION_WORD_BYTES, "messages name the bytes that a map takes");

typedef struct clump_cells {
    uint32_t rows, columns; /* of the map */
    uint32_t words;         /* per row */
    uint32_t count;         /* obstacle cells */
    clump_map_word *word;   /* rows * words, and a sentinel whose `first` is count */
    uint32_t *column;
    float *highest, *lowest;
    uint32_t *first; /* smallest point index of a cell */
    size_t finite, masked, ground, noise;
    clump_buffer map, keys, arrays;
} clump_cells;

/* Writes the place of each point on the map to job->in.labels: the number of its bit, CLUMP_GROUND or CLUMP_NOISE.
 * Counts finite, masked, ground and noise points. */
clump_status clump_cells_place(clump_work *work, clump_cells *cells, const clump_erccl_job *job,
                               const clump_surface *ground, int threads);

/* Builds the list of cells after clump_cells_place; job->in.labels then holds the cell of each point, not its bit. */
clump_status clump_cells_build(clump_work *work, clump_cells *cells, const clump_erccl_job *job, int threads);

clump_status clump_cells_reserve(clump_work *work, clump_cells *cells, size_t max_points, uint32_t rows,
                                 uint32_t columns);
void clump_cells_release(clump_work *work, clump_cells *cells);

/* Returns the first cell of a row; for row `rows`, the number of cells. */
static inline uint32_t clump_cells_row(const clump_cells *cells, uint32_t row)
{
    CLUMP_ASSERT(row <= cells->rows);
    return cells->word[(size_t)row * cells->words].first;
}

/* Returns the number of obstacle cells before this bit of the map. */
static inline uint32_t clump_cells_before(const clump_cells *cells, size_t bit)
{
    const clump_map_word *const w = &cells->word[bit / 64];
    return w->first + clump_popcount(w->bits & (((uint64_t)1 << bit % 64) - 1));
}

/* Finds the cells of a row between two columns, both included and on the map: *begin ... *end - 1. */
static inline void clump_cells_span(const clump_cells *cells, uint32_t row, uint32_t from, uint32_t to, uint32_t *begin,
                                    uint32_t *end)
{
    CLUMP_ASSERT(row < cells->rows && to < cells->columns);
    const size_t start = (size_t)row * cells->words * 64;
    *begin = clump_cells_before(cells, start + from);
    *end = clump_cells_before(cells, start + to + 1); /* the end of a full row is the first bit of the next row */
}

#endif
