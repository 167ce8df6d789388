/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Durations of runs: median, minimum, 99th percentile.
 */
#include "samples.h"

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

samples_summary samples_sum_up(samples *s)
{
    if (s->count == 0) return (samples_summary){0};
    qsort(s->seconds, s->count, sizeof *s->seconds, ascending);
    const double low = s->seconds[(s->count - 1) / 2], high = s->seconds[s->count / 2];
    const size_t late = (s->count * 99 + 99) / 100 - 1; /* index of the smallest value that 99 % do not exceed */
    return (samples_summary){s->count, 1e3 * (low + high) / 2, 1e3 * s->seconds[0], 1e3 * s->seconds[late]};
}

void samples_free(samples *s)
{
    free(s->seconds);
    *s = (samples){0};
}
