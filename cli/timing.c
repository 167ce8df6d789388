/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing.c: see timing.h.
 */
#include "timing.h"

#include <stdint.h>
#include <stdlib.h>

const char *const cli_stage_names[CLI_STAGES] = {"upload", "build", "cluster", "label", "download"};

bool cli_timing_create(cli_timing *timing, size_t runs)
{
    *timing = (cli_timing){.runs = runs};
    if (runs > SIZE_MAX / (1 + CLI_STAGES) / sizeof(double)) return false;
    timing->total = malloc((1 + CLI_STAGES) * runs * sizeof(double));
    if (!timing->total) return false;
    for (size_t s = 0; s < CLI_STAGES; s++) timing->stage[s] = timing->total + (s + 1) * runs;
    return true;
}

void cli_timing_record(cli_timing *timing, size_t run, double total_ms, const clump_stats *stats)
{
    const double stages[CLI_STAGES] = {stats->upload_ms, stats->build_ms, stats->cluster_ms, stats->label_ms,
                                       stats->download_ms};
    timing->total[run] = total_ms;
    for (size_t s = 0; s < CLI_STAGES; s++) timing->stage[s][run] = stages[s];
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sort_and_take_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

cli_times cli_timing_finish(cli_timing *timing)
{
    cli_times times = {.runs = timing->runs};
    times.median = sort_and_take_median(timing->total, timing->runs);
    times.min = timing->total[0];
    times.p99 = timing->total[timing->runs - 1 - timing->runs / 100]; /* the smallest that 99 of 100 do not exceed */
    for (size_t s = 0; s < CLI_STAGES; s++) times.stages[s] = sort_and_take_median(timing->stage[s], timing->runs);
    cli_timing_discard(timing);
    return times;
}

void cli_timing_discard(cli_timing *timing)
{
    free(timing->total);
    *timing = (cli_timing){0};
}
