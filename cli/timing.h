/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing.h: times of repeated runs and their order statistics.
 */
#ifndef CLUMP_CLI_TIMING_H
#define CLUMP_CLI_TIMING_H

#include <clump/clump.h>

enum { CLI_STAGES = 5, CLI_MOST_RUNS = 100000000 };   /* the most of --repeat and of --warmup */
extern const char *const cli_stage_names[CLI_STAGES]; /* upload build cluster label download */

typedef struct cli_timing {
    size_t runs;
    double *total;             /* ms, one a run */
    double *stage[CLI_STAGES]; /* the same for each stage */
} cli_timing;

typedef struct cli_times {
    size_t runs;
    double median, min, p99;   /* ms */
    double stages[CLI_STAGES]; /* medians */
} cli_times;

bool cli_timing_create(cli_timing *timing, size_t runs); /* false: no memory */
void cli_timing_record(cli_timing *timing, size_t run, double total_ms, const clump_stats *stats);
cli_times cli_timing_finish(cli_timing *timing); /* frees it */
void cli_timing_discard(cli_timing *timing);     /* frees it without looking */

#endif
