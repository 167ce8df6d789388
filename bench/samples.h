/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Durations of runs, and what is said of them.
 */
#ifndef CLUMP_BENCH_SAMPLES_H
#define CLUMP_BENCH_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed is valid. */
typedef struct samples {
    double *seconds;
    size_t count, capacity;
} samples;

typedef struct samples_summary {
    size_t runs;
    double median_ms, min_ms, p99_ms; /* 0 where there is no run; of few runs p99 is the slowest */
} samples_summary;

bool samples_add(samples *s, double seconds); /* false: no memory */
samples_summary samples_sum_up(samples *s);   /* sorts them */
void samples_free(samples *s);

#endif
