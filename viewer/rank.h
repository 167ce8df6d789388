/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank.h: percentiles without sorting and without memory of their own.
 */
#ifndef CLUMP_VIEWER_RANK_H
#define CLUMP_VIEWER_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* count numbers, `step` floats apart. A number counts where it and the numbers at the `beside` places after `first` are
 * finite: with beside 3, values + first is a point, and the number at `values` one of its coordinates. */
typedef struct view_numbers {
    const float *values; /* the numbers themselves */
    const float *first;  /* where the test for finite numbers begins */
    size_t beside, step, count;
} view_numbers;

/* Sets the 2nd and the 98th percentile of the numbers that count. False: no number counts. */
bool view_robust_limits(const view_numbers *numbers, float *low, float *high);

#endif
