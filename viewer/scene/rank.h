/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank.h: percentiles without sorting and without memory of their own; the order of numbers for those who sort.
 */
#ifndef CLUMP_VIEWER_RANK_H
#define CLUMP_VIEWER_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* `count` records of `width` numbers (1 ... 3), the starts of two records `step` floats apart. */
typedef struct view_numbers {
    const float *first;
    size_t width, step, count;
} view_numbers;

/* Sets the 2nd and the 98th percentile of each number, over the records in which all numbers are finite. False: there is no
 * such record. */
bool view_robust_limits(const view_numbers *numbers, float *low, float *high);

/* Compares two doubles, for qsort(): ascending. They must not be NaN. */
int view_compare_numbers(const void *a, const void *b);

#endif
