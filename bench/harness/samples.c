/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Durations of runs: median, mean, minimum, maximum, percentiles.
 */
#include "harness/machine.h"

#include <stdlib.h>

bool samples_add(samples *s, double seconds)
{
    if (s->count == s->capacity) {
        const size_t capacity = s->capacity ? 2 * s->capacity : 64;
        double *const grown = realloc(s->seconds, capacity * sizeof *grown);
        if (!grown) return false;
        s->seconds = grown, s->capacity = capacity;
    }
    s->seconds[s->count++] = seconds;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the smallest value, in milliseconds, that this share of the sorted samples does not exceed. */
static double percentile_ms(const samples *s, size_t per_mille)
{
    return 1e3 * s->seconds[(s->count * per_mille + 999) / 1000 - 1];
}

samples_summary samples_sum_up(samples *s)
{
    if (s->count == 0) return (samples_summary){0};
    qsort(s->seconds, s->count, sizeof *s->seconds, ascending);
    const double low = s->seconds[(s->count - 1) / 2], high = s->seconds[s->count / 2];
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) sum += s->seconds[i];
    return (samples_summary){
        .runs = s->count,
        .median_ms = 1e3 * (low + high) / 2,
        .min_ms = 1e3 * s->seconds[0],
        .p99_ms = percentile_ms(s, 990),
        .p999_ms = percentile_ms(s, 999),
        .max_ms = 1e3 * s->seconds[s->count - 1],
        .mean_ms = 1e3 * sum / (double)s->count,
    };
}

void samples_free(samples *s)
{
    free(s->seconds);
    *s = (samples){0};
}
