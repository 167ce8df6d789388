/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scale.h: an axis: from numbers to places in a picture, and where its ticks are.
 */
#ifndef CLUMP_BENCH_PAPERS_SCALE_H
#define CLUMP_BENCH_PAPERS_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALE_TICKS = 24 };

typedef struct scale {
    double from, to;  /* numbers at the ends; from < to */
    double low, high; /* their places */
    bool is_log;
} scale;

/* Returns an axis for numbers from least to greatest, whose ends are ticks. A logarithmic axis needs least > 0. A linear
 * axis begins at 0 where least is smaller than half of greatest, or from_zero is set. */
scale scale_for(double least, double greatest, bool is_log, bool from_zero);

/* Returns the place of a number. */
double scale_at(const scale *s, double number);

/* Writes the ticks: steps of 1, 2 or 5; on a logarithmic axis powers of ten, with 2 and 5 where they are few. Returns
 * their number. */
size_t scale_ticks(const scale *s, double ticks[SCALE_TICKS]);

#endif
