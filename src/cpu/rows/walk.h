/* SPDX-License-Identifier: BSD-3-Clause
 *
 * walk.h: walks through the rows of a piece of the sorted points, with streams in the rows that touch each:
 *
 *      z+1    6   7   8          own row: 4. After it in the order: 5 (y + 1) and 6, 7, 8.
 *      z      3   4   5          Rows are found by pointers that move forward, once per row, and by bisection at the
 *      z-1    0   1   2          beginning of a piece. Rows without points have no stream.
 *           y-1   y   y+1
 */
#ifndef CLUMP_CPU_ROWS_WALK_H
#define CLUMP_CPU_ROWS_WALK_H

#include "cpu/rows/window.h"

#define CLUMP_WALK_PIECE 2048 /* points per task of a sweep: 20 to 80 us */

typedef struct clump_walk {
    const clump_sorted *sorted;
    bool around;           /* streams in all rows; else in those after the own row alone */
    size_t from, to, last; /* the points of this row in the piece; the end of the piece */
    size_t row;
    size_t above, below; /* the first rows at z + 1 and z - 1 from y - 1 on, or after them */
    clump_stream stream[9];
    size_t streams;
} clump_walk;

/* Returns the first row from `low` on with at least this number, by bisection. */
static inline size_t clump_walk_search(const clump_sorted *s, size_t low, int64_t number)
{
    size_t high = s->rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (clump_row_number(s, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same from `row` on, step by step. */
static inline size_t clump_walk_forward(const clump_sorted *s, size_t row, int64_t number)
{
    while (row < s->rows && clump_row_number(s, row) < number) row++;
    return row;
}

/* Returns the row that holds point k. */
static inline size_t clump_walk_row_of(const clump_sorted *s, size_t k)
{
    size_t low = 0, high = s->rows; /* begin[low] <= k < begin[high] */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (s->begin[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A walk over the points begin ... end - 1 of a piece. Call clump_walk_next() for its first row. */
static inline clump_walk clump_walk_make(const clump_sorted *s, size_t begin, size_t end, bool around)
{
    clump_walk w = {.sorted = s, .around = around, .to = begin, .last = end};
    if (begin == end) return w;
    w.row = clump_walk_row_of(s, begin);
    const int64_t number = clump_row_number(s, w.row);
    w.above = clump_walk_search(s, w.row, number + CLUMP_ROWS_LAYER - 1);
    if (around) w.below = clump_walk_search(s, 0, number - CLUMP_ROWS_LAYER - 1);
    return w;
}

/* Adds a stream in a row, at its beginning, or for a point in the middle of the own row by bisection. Points that
 * bisection leaves behind are before x' with x' < x - reach - e / 8, up to e / 8 further: they are less than x - reach. */
static inline void clump_walk_add(clump_walk *w, size_t row)
{
    const clump_sorted *const s = w->sorted;
    uint32_t low = s->begin[row], high = s->begin[row + 1];
    clump_stream *const stream = &w->stream[w->streams++];
    stream->end = high;
    const float before = s->x[w->from] - 2 * s->reach;
    while (w->from > s->begin[w->row] && low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->x[middle] < before)
            low = middle + 1;
        else
            high = middle;
    }
    stream->at = low;
}

/* Adds streams in the rows from `row` on up to this number. */
static inline void clump_walk_add_rows(clump_walk *w, size_t row, int64_t last)
{
    for (; row < w->sorted->rows && clump_row_number(w->sorted, row) <= last; row++) clump_walk_add(w, row);
}

/* Moves to the next row of the piece and finds its streams. Returns false at the end of the piece. */
static inline bool clump_walk_next(clump_walk *w)
{
    const clump_sorted *const s = w->sorted;
    if (w->to == w->last) return false;
    if (s->begin[w->row + 1] == w->to) w->row++;
    w->from = w->to;
    w->to = s->begin[w->row + 1] < w->last ? s->begin[w->row + 1] : w->last;
    w->streams = 0;
    const int64_t number = clump_row_number(s, w->row);
    if (w->around) {
        w->below = clump_walk_forward(s, w->below, number - CLUMP_ROWS_LAYER - 1);
        clump_walk_add_rows(w, w->below, number - CLUMP_ROWS_LAYER + 1);
        if (w->row > 0 && clump_row_number(s, w->row - 1) == number - 1) clump_walk_add(w, w->row - 1);
        clump_walk_add(w, w->row);
    }
    if (w->row + 1 < s->rows && clump_row_number(s, w->row + 1) == number + 1) clump_walk_add(w, w->row + 1);
    w->above = clump_walk_forward(s, w->above, number + CLUMP_ROWS_LAYER - 1);
    clump_walk_add_rows(w, w->above, number + CLUMP_ROWS_LAYER + 1);
    CLUMP_ASSERT(w->streams <= 9);
    return true;
}

#endif
