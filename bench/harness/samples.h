/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Durations of runs: median, mean, minimum, maximum, percentiles.
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
    double median_ms, min_ms, p99_ms; /* 0 where there is no run; below 100 runs p99 is the slowest */
    double p999_ms, max_ms, mean_ms;  /* below 1000 runs p99.9 is the slowest */
} samples_summary;

bool samples_add(samples *s, double seconds); /* false: no memory */
samples_summary samples_sum_up(samples *s);   /* also sorts the samples */
void samples_free(samples *s);

#endif
